//! What the weights are multiplied with: the evaluation of a position as a function of its weights.
//!
//! Nothing here is written down a second time. The terms of the evaluation are sums of weights, so that how often a
//! weight counts is what the sum comes to with 1 for this weight and 0 for all others ([`Tracer`]). Three things are
//! no such sums and are put together here: the danger to a king (squared, and with the shelter in it), the taper, and
//! what is known of endgames.

use super::{endgame_scale, hand_crafted, pawns, weight_list};
use crate::chess::Position;
use crate::eval::explain::{Term, Trace};
use crate::eval::hand_crafted::{FULL_PHASE, Outlook};
use crate::eval::perspective::View;
use crate::eval::tapered::S;
use crate::eval::threats::{DANGER_UNIT, MOST_DANGER, SHELTER_UNIT};
use crate::eval::weights::Weights;
use shakmaty::Color;

/// Takes positions apart.
pub struct Tracer {
    /// Each with 1 in the middlegame half of one weight and in the endgame half of the next.
    probes: Vec<Weights>,
    /// Where the middlegame half of `danger_shelter` stands in the list of numbers.
    danger_shelter: usize,
}

/// How often weights count, each by its place among the weights.
type Counts = Box<[(u16, i16)]>;

/// A position, as far as its evaluation depends on the weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    /// What is only added up, White less Black.
    sum: Counts,
    /// The pawns before each king, which are part of the danger to it.
    shelter: [Counts; 2],
    /// The danger to each king.
    danger: [Counts; 2],
    danger_shelter: usize,
    /// The weight of the middlegame, 0 to 1.
    phase: f64,
    /// How much of an advantage of White, and of Black, is believed, 0 to 1, ...
    scale: [f64; 2],
    /// ... and what is added to it, in centipawns for White.
    bonus: [f64; 2],
}

impl Default for Tracer {
    fn default() -> Tracer {
        Tracer::new()
    }
}

impl Tracer {
    /// Prepares for the weights that there are.
    #[must_use]
    pub fn new() -> Tracer {
        let names = weight_list::names();
        let probe = |first: usize| {
            let mut values = vec![0.0; names.len()];
            values[2 * first] = 1.0;
            if let Some(second) = values.get_mut(2 * first + 3) {
                *second = 1.0;
            }
            weight_list::weights(&values)
        };
        Tracer {
            probes: (0..names.len() / 2).step_by(2).map(probe).collect(),
            danger_shelter: names.iter().position(|name| name == "danger_shelter mg").unwrap_or_default(),
        }
    }

    /// Takes a position apart.
    #[must_use]
    pub fn features(&self, position: &Position) -> Features {
        let views = Color::ALL.map(|color| View::of(position.board(), color));
        let mut found = Found::default();
        for (index, probe) in self.probes.iter().enumerate() {
            let mut sums = Sums::default();
            let pawns = pawns::weigh(probe, &views);
            hand_crafted::sum(probe, position.turn(), &views, &pawns, &mut sums);
            found.take(2 * index, &sums);
        }
        let outlook = [0, 1].map(|strong| Outlook::of(&views, strong));
        Features {
            sum: found.sum.into(),
            shelter: found.shelter.map(Into::into),
            danger: found.danger.map(Into::into),
            danger_shelter: self.danger_shelter,
            phase: f64::from(hand_crafted::phase(position.board())) / f64::from(FULL_PHASE),
            scale: outlook.map(|outlook| f64::from(outlook.scale) / f64::from(endgame_scale::FULL)),
            bonus: outlook.map(|outlook| f64::from(outlook.bonus)),
        }
    }
}

/// What a probe finds: the parts of a sum that are told apart.
#[derive(Default)]
struct Sums {
    sum: S,
    shelter: [S; 2],
    danger: [S; 2],
}

impl Trace for Sums {
    fn note(&mut self, _: Term, side: usize, score: S) {
        if side == 0 {
            self.sum += score;
        } else {
            self.sum -= score;
        }
    }

    fn shelter(&mut self, side: usize, score: S) {
        self.note(Term::King, side, score);
        self.shelter[side] += score;
    }

    fn danger(&mut self, side: usize, gathered: S, _: S) {
        self.danger[side] += gathered;
    }
}

/// The counts found so far.
#[derive(Default)]
struct Found {
    sum: Vec<(u16, i16)>,
    shelter: [Vec<(u16, i16)>; 2],
    danger: [Vec<(u16, i16)>; 2],
}

impl Found {
    /// Enters what the probe of the weight `first` and the one behind it came to.
    fn take(&mut self, first: usize, sums: &Sums) {
        let enter = |counts: &mut Vec<(u16, i16)>, score: S| {
            for (weight, count) in [(first, score.mg()), (first + 1, score.eg())] {
                if count != 0 {
                    counts.push((weight as u16, count as i16));
                }
            }
        };
        enter(&mut self.sum, sums.sum);
        for side in 0..2 {
            enter(&mut self.shelter[side], sums.shelter[side]);
            enter(&mut self.danger[side], sums.danger[side]);
        }
    }
}

/// A sum of weights, in the half `half` (0 middlegame, 1 endgame).
fn add_up(counts: &Counts, values: &[f64], half: usize) -> f64 {
    counts.iter().map(|&(weight, count)| f64::from(count) * values[2 * usize::from(weight) + half]).sum()
}

/// Adds what a change of each weight of a sum changes, where the sum itself counts `by`.
fn spread(counts: &Counts, by: f64, half: usize, gradient: &mut [f64]) {
    for &(weight, count) in counts {
        gradient[2 * usize::from(weight) + half] += by * f64::from(count);
    }
}

impl Features {
    /// The evaluation with such weights ([`super::weight_list`]), in centipawns for White, without its rounding.
    ///
    /// # Panics
    /// Where numbers are missing.
    #[must_use]
    pub fn value(&self, values: &[f64]) -> f64 {
        let [middlegame, endgame] = self.halves(values);
        let tapered = middlegame * self.phase + endgame * (1.0 - self.phase);
        let strong = usize::from(tapered < 0.0);
        tapered * self.scale[strong] + self.bonus[strong]
    }

    /// The sum of all terms, White less Black, in the middlegame and in the endgame.
    fn halves(&self, values: &[f64]) -> [f64; 2] {
        let mut halves = [0, 1].map(|half| add_up(&self.sum, values, half));
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            halves[0] += sign * self.dangerous(side, values).powi(2) / f64::from(DANGER_UNIT);
            halves[1] += sign * add_up(&self.danger[side], values, 1);
        }
        halves
    }

    /// The danger to a king that is squared.
    fn dangerous(&self, side: usize, values: &[f64]) -> f64 {
        let shelter = add_up(&self.shelter[side], values, 0);
        let danger = add_up(&self.danger[side], values, 0);
        let shelter = values[self.danger_shelter] * shelter / f64::from(SHELTER_UNIT);
        (danger + shelter).clamp(0.0, f64::from(MOST_DANGER))
    }

    /// Adds `by` times the gradient of the value: what a centipawn more in each number changes.
    ///
    /// # Panics
    /// Where numbers are missing.
    pub fn slope(&self, values: &[f64], by: f64, gradient: &mut [f64]) {
        let [middlegame, endgame] = self.halves(values);
        let tapered = middlegame * self.phase + endgame * (1.0 - self.phase);
        let by = by * self.scale[usize::from(tapered < 0.0)];
        let by = [by * self.phase, by * (1.0 - self.phase)];
        for (half, by) in by.into_iter().enumerate() {
            spread(&self.sum, by, half, gradient);
        }
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            spread(&self.danger[side], sign * by[1], 1, gradient);
            let danger = self.dangerous(side, values);
            if danger <= 0.0 || danger >= f64::from(MOST_DANGER) {
                continue;
            }
            let by = sign * by[0] * 2.0 * danger / f64::from(DANGER_UNIT);
            spread(&self.danger[side], by, 0, gradient);
            let unit = f64::from(SHELTER_UNIT);
            spread(&self.shelter[side], by * values[self.danger_shelter] / unit, 0, gradient);
            gradient[self.danger_shelter] += by * add_up(&self.shelter[side], values, 0) / unit;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::walks;
    use super::*;
    use crate::eval::Evaluator;
    use crate::random::SplitMix64;

    /// The numbers in use, each changed by up to 9.
    fn others(seed: u64) -> Vec<f64> {
        let mut random = SplitMix64::new(seed);
        weight_list::in_use().into_iter().map(|value| value + random.below(19) as f64 - 9.0).collect()
    }

    /// The evaluation rounds towards zero five times on its way, and danger is steep: no more than that may differ.
    #[test]
    fn the_evaluation_is_put_together_again() {
        let (tracer, values) = (Tracer::new(), weight_list::in_use());
        let positions: Vec<Position> = walks().into_iter().step_by(4).collect();
        let (mut evaluator, mut far) = (Evaluator::new(), 0);
        for position in &positions {
            let found = tracer.features(position).value(&values);
            let wanted = f64::from(evaluator.explain(position).white);
            assert!((found - wanted).abs() < 6.0, "{found} {wanted} {:?}", position.board());
            far += usize::from((found - wanted).abs() > 2.5);
        }
        assert!(positions.len() > 300 && far < positions.len() / 10, "{far} of {}", positions.len());
    }

    /// Not at the weights in use alone: the features do not depend on them.
    #[test]
    fn they_hold_for_any_weights() {
        let tracer = Tracer::new();
        for (seed, position) in (1..).zip(walks().iter().step_by(31)) {
            let values = others(seed);
            let weights = &weight_list::weights(&values);
            let views = Color::ALL.map(|color| View::of(position.board(), color));
            let pawns = pawns::weigh(weights, &views);
            let total = hand_crafted::sum(weights, position.turn(), &views, &pawns, &mut ());
            let [middlegame, endgame] = tracer.features(position).halves(&values);
            assert!((f64::from(total.mg()) - middlegame).abs() < 6.0, "{total:?} {middlegame}");
            assert!((f64::from(total.eg()) - endgame).abs() < 1e-6, "{total:?} {endgame}");
        }
    }

    #[test]
    fn the_gradient_is_that_of_the_value() {
        let (tracer, values) = (Tracer::new(), others(1));
        for position in walks().iter().step_by(101) {
            let features = tracer.features(position);
            let mut gradient = vec![0.0; values.len()];
            features.slope(&values, 3.0, &mut gradient);
            for number in 0..values.len() {
                let at = |by: f64| {
                    let mut values = values.clone();
                    values[number] += by;
                    features.value(&values)
                };
                let wanted = 3.0 * (at(1e-4) - at(-1e-4)) / 2e-4;
                assert!((gradient[number] - wanted).abs() < 1e-4, "{number}: {} {wanted}", gradient[number]);
            }
        }
    }
}
