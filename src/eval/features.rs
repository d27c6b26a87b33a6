//! Features for Texel tuning: the coefficients of the weights in the evaluation of a position, its value and
//! gradient for any weights.
//!
//! No term is written twice. The terms of the evaluation are sums of weights, so that the coefficient of a
//! weight is the sum with 1 for this weight and 0 for all others ([`Tracer`]). Three parts are no such sums
//! and are computed here: the danger to a king (squared, and with the shelter in it), the taper, and the
//! endgame scale.

use crate::chess::Position;
use crate::eval::endgame_scale::{EndgameScale, FULL_SCALE};
use crate::eval::explain::{Term, Trace};
use crate::eval::king_safety::{DANGER_UNIT, MOST_DANGER, SHELTER_UNIT};
use crate::eval::relative_board::RelativeBoard;
use crate::eval::tapered::{self, FULL_PHASE, S};
use crate::eval::weights::Weights;
use crate::eval::{hand_crafted, pawns, weight_list};
use shakmaty::Color;

/// Extracts the features of positions, by evaluating them with probe weights.
pub struct Tracer {
    /// Weights with 1 in the middlegame half of one weight and in the endgame half of the next, and 0
    /// elsewhere.
    probes: Vec<Weights>,
    /// Index of the middlegame half of `danger_shelter` in the list of numbers.
    danger_shelter: usize,
}

/// Non-zero coefficients of weights, each with the index of its weight.
type Coefficients = Box<[(u16, i16)]>;

/// Everything in a position that its evaluation needs besides the weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    /// The linear terms, White less Black.
    sum: Coefficients,
    /// The pawn shelter of each king, which is part of the danger to it.
    shelter: [Coefficients; 2],
    /// The danger to each king.
    danger: [Coefficients; 2],
    danger_shelter: usize,
    /// The weight of the middlegame, 0 to 1.
    phase: f64,
    /// Endgame scale factor of an advantage of White, and of Black, 0 to 1.
    scale: [f64; 2],
    /// Mop-up bonus with that advantage, in centipawns for White.
    bonus: [f64; 2],
}

impl Default for Tracer {
    fn default() -> Tracer {
        Tracer::new()
    }
}

impl Tracer {
    /// A tracer for all weights.
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

    /// The features of a position.
    #[must_use]
    pub fn features(&self, position: &Position) -> Features {
        let boards = Color::ALL.map(|color| RelativeBoard::new(position.board(), color));
        let mut lists = CoefficientLists::default();
        for (index, probe) in self.probes.iter().enumerate() {
            let mut sums = Sums::default();
            let pawns = pawns::evaluate(probe, &boards);
            hand_crafted::sum(probe, position.turn(), &boards, &pawns, &mut sums);
            lists.push(2 * index, &sums);
        }
        let endgame = [0, 1].map(|strong| EndgameScale::new(&boards, strong));
        Features {
            sum: lists.sum.into(),
            shelter: lists.shelter.map(Into::into),
            danger: lists.danger.map(Into::into),
            danger_shelter: self.danger_shelter,
            phase: f64::from(tapered::phase(position.board())) / f64::from(FULL_PHASE),
            scale: endgame.map(|endgame| f64::from(endgame.scale) / f64::from(FULL_SCALE)),
            bonus: endgame.map(|endgame| f64::from(endgame.bonus)),
        }
    }
}

/// The sums of an evaluation with a probe: linear terms, shelter and danger of each king.
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

    fn danger(&mut self, side: usize, danger: S, _: S) {
        self.danger[side] += danger;
    }
}

/// The coefficients found so far.
#[derive(Default)]
struct CoefficientLists {
    sum: Vec<(u16, i16)>,
    shelter: [Vec<(u16, i16)>; 2],
    danger: [Vec<(u16, i16)>; 2],
}

impl CoefficientLists {
    /// Appends the coefficients of the weight `first` and the next one, from the sums with their probe.
    fn push(&mut self, first: usize, sums: &Sums) {
        let enter = |list: &mut Vec<(u16, i16)>, score: S| {
            for (weight, coefficient) in [(first, score.mg()), (first + 1, score.eg())] {
                if coefficient != 0 {
                    list.push((weight as u16, coefficient as i16));
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
fn linear(coefficients: &Coefficients, values: &[f64], half: usize) -> f64 {
    let value = |weight: u16| values[2 * usize::from(weight) + half];
    coefficients.iter().map(|&(weight, coefficient)| f64::from(coefficient) * value(weight)).sum()
}

/// Adds `by` times the gradient of a sum of weights.
fn add_linear_gradient(coefficients: &Coefficients, by: f64, half: usize, gradient: &mut [f64]) {
    for &(weight, coefficient) in coefficients {
        gradient[2 * usize::from(weight) + half] += by * f64::from(coefficient);
    }
}

impl Features {
    /// The evaluation with these numbers ([`weight_list`]), in centipawns for White, without its rounding.
    ///
    /// # Panics
    /// If numbers are missing.
    #[must_use]
    pub fn value(&self, values: &[f64]) -> f64 {
        let [middlegame, endgame] = self.halves(values);
        let tapered = middlegame * self.phase + endgame * (1.0 - self.phase);
        let strong = usize::from(tapered < 0.0);
        tapered * self.scale[strong] + self.bonus[strong]
    }

    /// The sum of all terms, White less Black, in the middlegame and in the endgame.
    fn halves(&self, values: &[f64]) -> [f64; 2] {
        let mut halves = [0, 1].map(|half| linear(&self.sum, values, half));
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            halves[0] += sign * self.clamped_danger(side, values).powi(2) / f64::from(DANGER_UNIT);
            halves[1] += sign * linear(&self.danger[side], values, 1);
        }
        halves
    }

    /// The danger to a king with its shelter, clamped, before it is squared.
    fn clamped_danger(&self, side: usize, values: &[f64]) -> f64 {
        let shelter = linear(&self.shelter[side], values, 0);
        let danger = linear(&self.danger[side], values, 0);
        let shelter = values[self.danger_shelter] * shelter / f64::from(SHELTER_UNIT);
        (danger + shelter).clamp(0.0, f64::from(MOST_DANGER))
    }

    /// Adds `by` times the gradient of the value: the change for one more in each number.
    ///
    /// # Panics
    /// If numbers are missing.
    pub fn add_gradient(&self, values: &[f64], by: f64, gradient: &mut [f64]) {
        let [middlegame, endgame] = self.halves(values);
        let tapered = middlegame * self.phase + endgame * (1.0 - self.phase);
        let by = by * self.scale[usize::from(tapered < 0.0)];
        let by = [by * self.phase, by * (1.0 - self.phase)];
        for (half, by) in by.into_iter().enumerate() {
            add_linear_gradient(&self.sum, by, half, gradient);
        }
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            add_linear_gradient(&self.danger[side], sign * by[1], 1, gradient);
            let danger = self.clamped_danger(side, values);
            if danger <= 0.0 || danger >= f64::from(MOST_DANGER) {
                continue;
            }
            let by = sign * by[0] * 2.0 * danger / f64::from(DANGER_UNIT);
            add_linear_gradient(&self.danger[side], by, 0, gradient);
            let unit = f64::from(SHELTER_UNIT);
            add_linear_gradient(&self.shelter[side], by * values[self.danger_shelter] / unit, 0, gradient);
            gradient[self.danger_shelter] += by * linear(&self.shelter[side], values, 0) / unit;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::hand_crafted::HandCrafted;
    use crate::eval::tests::random_walks;
    use crate::random::SplitMix64;

    /// The numbers in use, each changed at random by up to 9.
    fn perturbed(seed: u64) -> Vec<f64> {
        let mut random = SplitMix64::new(seed);
        weight_list::in_use().into_iter().map(|value| value + random.below(19) as f64 - 9.0).collect()
    }

    /// The evaluation rounds towards zero five times on its way, and danger is steep: no more than that may
    /// differ.
    #[test]
    fn the_value_of_the_features_is_the_evaluation() {
        let (tracer, values) = (Tracer::new(), weight_list::in_use());
        let positions: Vec<Position> = random_walks().into_iter().step_by(4).collect();
        let (mut evaluator, mut far) = (HandCrafted::new(), 0);
        for position in &positions {
            let found = tracer.features(position).value(&values);
            let wanted = f64::from(evaluator.explain(position).white);
            assert!((found - wanted).abs() < 6.0, "{found} {wanted} {:?}", position.board());
            far += usize::from((found - wanted).abs() > 2.5);
        }
        assert!(positions.len() > 300 && far < positions.len() / 10, "{far} of {}", positions.len());
    }

    /// The features do not depend on the weights in use.
    #[test]
    fn the_features_give_the_sum_for_any_weights() {
        let tracer = Tracer::new();
        for (seed, position) in (1..).zip(random_walks().iter().step_by(31)) {
            let values = perturbed(seed);
            let weights = &weight_list::weights(&values);
            let boards = Color::ALL.map(|color| RelativeBoard::new(position.board(), color));
            let pawns = pawns::evaluate(weights, &boards);
            let total = hand_crafted::sum(weights, position.turn(), &boards, &pawns, &mut ());
            let [middlegame, endgame] = tracer.features(position).halves(&values);
            assert!((f64::from(total.mg()) - middlegame).abs() < 6.0, "{total:?} {middlegame}");
            assert!((f64::from(total.eg()) - endgame).abs() < 1e-6, "{total:?} {endgame}");
        }
    }

    #[test]
    fn the_gradient_is_that_of_the_value() {
        let (tracer, values) = (Tracer::new(), perturbed(1));
        for position in random_walks().iter().step_by(101) {
            let features = tracer.features(position);
            let mut gradient = vec![0.0; values.len()];
            features.add_gradient(&values, 3.0, &mut gradient);
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
