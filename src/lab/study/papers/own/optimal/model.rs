//! The model, fitted to the training half: how far an iteration's value lies from the centre, and what a test costs by
//! direction, by the answers before it and by its distance from the value. Everything is in cells.

use super::arena::{Arena, Half, MTDF};
use super::record::{Record, Test};
use crate::minimax::optimal::CLASSES;
use std::collections::BTreeMap;

/// Least distance from the centre, in cells, that the model can tell from greater ones.
pub const FAR: i32 = 160;

/// The cells of the model: those within [`FAR`] of the centre.
pub const CELLS: usize = 2 * FAR as usize + 1;

/// Steps of the doubling scale of distances: 0, 1, 2 to 3, 4 to 7, ... cells.
pub const STEPS: usize = 10;

/// Answer before a test: none, something on the other side, something near on the same side.
pub const CONTEXTS: usize = 3;

/// Names of the contexts.
pub const CONTEXT_NAMES: [&str; CONTEXTS] = ["first", "after the other side", "repeated"];

/// Greatest cost of a test that counts, in average iterations: one outlier must not decide.
const MOST: f64 = 8.0;

/// Tests that a mean needs before it stands alone; with fewer the neighbours count too.
const ENOUGH: f64 = 30.0;

/// The step of a distance.
pub fn step(distance: i32) -> usize {
    let bits = 32 - distance.max(0).leading_zeros();
    (bits as usize).min(STEPS - 1)
}

/// Greatest distance, in units, from the last bound on the same side at which a test is a repetition of it: most of its
/// tree is in the table. A test farther away costs as if there had been none on its side.
const NEAR: i32 = 32;

/// The answers so far, in cells: f- and f+ where a test found them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ends {
    /// f-.
    pub lower: Option<i32>,
    /// f+.
    pub upper: Option<i32>,
}

impl Ends {
    /// Context of a test of `bound` that fails high or low.
    pub fn context(self, high: bool, bound: i32, cell: i32) -> usize {
        let (same, other) = if high {
            (self.lower.map(|lower| bound - 1 - lower), self.upper)
        } else {
            (self.upper.map(|upper| upper - bound), self.lower)
        };
        let near = same.is_some_and(|gap| gap.saturating_mul(cell) <= NEAR);
        if near { 2 } else { usize::from(other.is_some()) }
    }

    /// Takes an answer in.
    pub fn learn(&mut self, high: bool, answer: i32) {
        if high {
            self.lower = Some(answer);
        } else {
            self.upper = Some(answer);
        }
    }
}

/// Means by distance.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mean {
    /// Sum of the numbers.
    pub sum: f64,
    /// Their count.
    pub count: f64,
}

impl Mean {
    /// Takes a number in.
    pub fn add(&mut self, number: f64) {
        (self.sum, self.count) = (self.sum + number, self.count + 1.0);
    }

    fn with(self, other: Mean) -> Mean {
        Mean { sum: self.sum + other.sum, count: self.count + other.count }
    }

    /// The mean; 0 of nothing.
    pub fn value(self) -> f64 {
        if self.count > 0.0 { self.sum / self.count } else { 0.0 }
    }
}

/// Means by step, where few numbers borrow from their neighbours.
fn smooth(means: &[Mean; STEPS]) -> [f64; STEPS] {
    std::array::from_fn(|at| {
        let mut found = means[at];
        for reach in 1..STEPS {
            if found.count >= ENOUGH {
                break;
            }
            for near in [at.checked_sub(reach), Some(at + reach)].into_iter().flatten() {
                found = means.get(near).map_or(found, |&mean| found.with(mean));
            }
        }
        found.value()
    })
}

/// Tests and answers as counted, before smoothing. The first index is 1 for fail-highs.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Cost in average iterations, by direction, context and step.
    pub cost: [[[Mean; STEPS]; CONTEXTS]; 2],
    /// Share of the answers that are the value, by direction and step.
    pub exact: [[Mean; STEPS]; 2],
}

/// A deep iteration, in the upper half of the depths, with what was known before it.
pub struct Known<'r> {
    /// The iteration, with the search that it belongs to.
    pub record: &'r Record,
    /// The value of the last iteration.
    guess: i32,
    /// The change of the value in the last iteration, in units.
    pub change: i32,
    /// Mean cost of the iteration over the searches of the position.
    unit: f64,
    /// True if the position was searched with bounds at many distances.
    explored: bool,
    /// The count that is the cost.
    index: usize,
}

/// The fitted model of a game.
#[derive(Clone, Debug)]
pub struct Model {
    /// Width of a cell in units.
    pub cell: i32,
    /// Per cent of the last change that are added to the guess.
    pub drift: i32,
    /// Greatest changes of the classes, in units.
    pub changes: [i32; CLASSES - 1],
    /// Cost of a test by direction, context and step.
    pub cost: [[[f64; STEPS]; CONTEXTS]; 2],
    /// Chance that an answer is the value, by direction and step.
    pub exact: [[f64; STEPS]; 2],
    /// As counted.
    pub tally: Tally,
}

impl Model {
    /// Fits the iterations of the training half; `None` where there are none.
    pub fn fit(cell: i32, training: &[Known<'_>]) -> Option<Model> {
        let reference: Vec<&Known<'_>> = training.iter().filter(|known| known.is_reference()).collect();
        let tally = count(cell, training);
        (!reference.is_empty()).then(|| Model {
            cell,
            drift: drift(&reference),
            changes: terciles(&reference),
            cost: tally.cost.map(|of_direction| of_direction.map(|means| smooth(&means))),
            exact: tally.exact.map(|means| smooth(&means)),
            tally,
        })
    }

    /// The chances of all cells in the reference searches among these iterations.
    pub fn chance_of(&self, known: &[&Known<'_>]) -> Vec<f64> {
        let reference = known.iter().filter(|known| known.is_reference());
        let offsets: Vec<i32> = reference.map(|known| known.offset(self.cell, self.drift)).collect();
        spread(&offsets)
    }

    /// Expected cost of a test at a distance from the value, in average iterations.
    pub fn cost(&self, high: bool, context: usize, distance: i32) -> f64 {
        self.cost[usize::from(high)][context][step(distance)]
    }

    /// Chance that the answer is the value itself.
    pub fn exact(&self, high: bool, distance: i32) -> f64 {
        if distance == 0 { 1.0 } else { self.exact[usize::from(high)][step(distance)] }
    }
}

/// An iteration: its cost as the model has it, and as measured.
pub struct Held {
    /// The model's cost of its tests, given the value, in average iterations.
    pub model: f64,
    /// Measured, in average iterations.
    pub measured: f64,
    /// Tests whose answers contradict the value.
    pub contradictions: usize,
}

/// The class of a change.
pub fn class_of(changes: &[i32], change: i32) -> usize {
    changes.iter().take_while(|&&most| change.abs() > most).count()
}

impl Known<'_> {
    /// True of MTD(f)'s iterations, from which the distribution of the values is taken.
    pub fn is_reference(&self) -> bool {
        self.record.who == MTDF
    }

    /// Cells from the centre to the value.
    fn offset(&self, cell: i32, drift: i32) -> i32 {
        let centre = self.guess + drift * self.change / 100;
        self.record.iteration.value.div_euclid(cell) - centre.div_euclid(cell)
    }

    /// Hands every test to `each`, with its context and its distance from the value; `None` if its answer contradicts
    /// the value.
    fn each_test(&self, cell: i32, mut each: impl FnMut(&Test, usize, Option<i32>)) {
        let mut ends = Ends::default();
        for test in &self.record.iteration.tests {
            let context = ends.context(test.high(), test.bound.div_euclid(cell), cell);
            each(test, context, distance(test, self.record.iteration.value, cell));
            ends.learn(test.high(), test.answer.div_euclid(cell));
        }
    }

    /// The cost of its tests in a model, beside the measured one.
    pub fn held(&self, by: &Model) -> Held {
        let (mut model, mut contradictions) = (0.0, 0);
        self.each_test(by.cell, |test, context, distance| {
            contradictions += usize::from(distance.is_none());
            model += by.cost(test.high(), context, distance.unwrap_or(0));
        });
        let measured = self.record.iteration.cost[self.index] as f64 / self.unit;
        Held { model, measured, contradictions }
    }
}

/// Values beyond this are certain wins, which no policy foresees.
const DECIDED: i32 = 20_000;

/// The deep iterations of a half, with what was known before each, in a game searched to a depth.
pub fn known<'r>(
    arena: &Arena,
    half: Half,
    depth: u32,
    records: impl IntoIterator<Item = &'r Record>,
) -> Vec<Known<'r>> {
    let is_of = |record: &&Record| record.arena == arena.name && record.half == half;
    let records: Vec<&Record> = records.into_iter().filter(is_of).collect();
    let mut units: BTreeMap<(usize, u32), Mean> = BTreeMap::new();
    let mut values: BTreeMap<(usize, &str, u32), i32> = BTreeMap::new();
    for Record { position, who, iteration, .. } in records.iter().copied() {
        values.insert((*position, who, iteration.depth), iteration.value);
        if !iteration.tests.is_empty() {
            units.entry((*position, iteration.depth)).or_default().add(iteration.cost[arena.cost] as f64);
        }
    }
    let known = |record: &'r Record| {
        let at = record.iteration.depth;
        let value = |back: u32| values.get(&(record.position, &record.who, at.checked_sub(back)?)).copied();
        let (guess, before) = (value(1)?, value(2)?);
        let ordinary = [guess, before, record.iteration.value].iter().all(|value| value.abs() < DECIDED);
        let unit = units.get(&(record.position, at))?;
        let (explored, unit) = (unit.count > 1.0, unit.value());
        let (change, index) = (guess - before, arena.cost);
        let known = Known { record, guess, change, unit, explored, index };
        (ordinary && unit > 0.0 && 2 * at > depth).then_some(known)
    };
    records.into_iter().filter(|record| !record.iteration.tests.is_empty()).filter_map(known).collect()
}

/// The share of the last change, in per cent, that brings the guess nearest to the value on average.
fn drift(known: &[&Known<'_>]) -> i32 {
    let error = |drift: i32| -> i64 {
        let error = |known: &&Known<'_>| {
            let centre = known.guess + drift * known.change / 100;
            i64::from((known.record.iteration.value - centre).abs().min(400))
        };
        known.iter().map(error).sum()
    };
    (-100..=100).step_by(10).min_by_key(|&drift| (error(drift), drift.abs())).unwrap_or(0)
}

/// The changes that part the iterations into classes of equal size.
fn terciles(known: &[&Known<'_>]) -> [i32; CLASSES - 1] {
    let mut changes: Vec<i32> = known.iter().map(|known| known.change.abs()).collect();
    changes.sort_unstable();
    std::array::from_fn(|class| changes[(class + 1) * changes.len() / CLASSES])
}

/// The chances of all cells: every offset is spread over a quarter of its distance, and a hundredth of the whole far
/// and wide.
fn spread(offsets: &[i32]) -> Vec<f64> {
    let wide = |cell: usize| 1.0 / f64::from((cell as i32 - FAR).abs() + 8).powi(2);
    let mut chance: Vec<f64> = (0..CELLS).map(wide).collect();
    let whole: f64 = chance.iter().sum();
    let background = 0.01 * (offsets.len() as f64).max(1.0) / whole;
    chance.iter_mut().for_each(|chance| *chance *= background);
    for &offset in offsets {
        let reach = offset.abs() / 4 + 1;
        let each = 1.0 / f64::from(2 * reach + 1);
        for near in offset - reach..=offset + reach {
            chance[(near.clamp(-FAR, FAR) + FAR) as usize] += each;
        }
    }
    let whole: f64 = chance.iter().sum();
    chance.iter_mut().for_each(|chance| *chance /= whole);
    chance
}

/// Distance in cells from a test's bound to the value, 0 if the bound is the nearest one on its side; `None` if the
/// answer contradicts the value.
fn distance(test: &Test, value: i32, cell: i32) -> Option<i32> {
    let (bound, value) = (test.bound.div_euclid(cell), value.div_euclid(cell));
    let distance = if test.high() { value - bound } else { bound - 1 - value };
    (distance >= 0).then_some(distance)
}

/// Counts the tests of iterations of explored positions.
fn count(cell: i32, known: &[Known<'_>]) -> Tally {
    let mut tally = Tally::default();
    for known in known.iter().filter(|known| known.explored) {
        let value = known.record.iteration.value.div_euclid(cell);
        known.each_test(cell, |test, context, distance| {
            let Some(at) = distance.map(step) else { return };
            let direction = usize::from(test.high());
            let cost = (test.cost[known.index] as f64 / known.unit).min(MOST);
            tally.cost[direction][context][at].add(cost);
            let exact = test.answer.div_euclid(cell) == value;
            tally.exact[direction][at].add(f64::from(u8::from(exact)));
        });
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_is_zero_for_the_nearest_bound_on_a_side() {
        let test = |bound, answer| Test { bound, answer, cost: [1, 1, 1] };
        assert_eq!(distance(&test(10, 12), 15, 1), Some(5));
        assert_eq!(distance(&test(16, 15), 15, 1), Some(0));
        assert_eq!(distance(&test(48, 20), 15, 16), Some(2));
        assert_eq!(distance(&test(10, 12), 3, 1), None, "the answer contradicts the value");
        assert_eq!([0, 1, 2, 3, 4, 7, 8, 255, 256, 9999].map(step), [0, 1, 2, 2, 3, 3, 4, 8, 9, 9]);
    }

    #[test]
    fn a_test_near_the_last_one_on_its_side_repeats_it() {
        let mut ends = Ends::default();
        assert_eq!((ends.context(true, 5, 1), ends.context(false, 5, 1)), (0, 0));
        ends.learn(true, 7);
        assert_eq!(
            (ends.context(true, 8, 1), ends.context(true, 40, 1), ends.context(true, 41, 1)),
            (2, 2, 0)
        );
        assert_eq!(ends.context(false, 20, 1), 1);
        ends.learn(false, 19);
        assert_eq!(
            (ends.context(false, 19, 16), ends.context(false, 17, 16), ends.context(false, 16, 16)),
            (2, 2, 1)
        );
    }

    #[test]
    fn chances_add_up_to_one_and_follow_the_values() {
        let chance = spread(&[0, 0, 0, 20, -300]);
        assert!((chance.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let at = |offset: i32| chance[(offset + FAR) as usize];
        assert!(at(0) > at(20) && at(20) > at(60) && at(-FAR) > at(-100), "{} {}", at(0), at(20));
    }

    #[test]
    fn a_mean_of_few_numbers_borrows_from_its_neighbours() {
        let mut means = [Mean::default(); STEPS];
        (0..100).for_each(|_| means[3].add(2.0));
        means[4].add(8.0);
        let smoothed = smooth(&means);
        assert!((smoothed[3] - 2.0).abs() < 1e-9);
        assert!((smoothed[4] - (200.0 + 8.0) / 101.0).abs() < 1e-9);
    }
}
