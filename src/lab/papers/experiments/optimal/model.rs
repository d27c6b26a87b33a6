//! The model, fitted to the training half: how far an iteration's value lies from the centre, and what a test costs by
//! direction, by the answers before it and by its distance from the value. Everything is in cells.

use super::arena::{Arena, MTDF};
use super::record::{Iteration, Record, Test};
use super::root_moves::Near;
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

/// An iteration about whose value something was known before.
pub struct Known<'r> {
    record: &'r Record,
    guess: i32,
    /// The change of the value in the last iteration, in units.
    pub change: i32,
    /// Root moves near the best in the last iteration.
    pub near: Near,
    /// Mean cost of the iteration over the searches of the position.
    unit: f64,
    /// True if the position was searched with bounds at many distances.
    explored: bool,
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
    /// Chance of every cell, from `FAR` below the centre to `FAR` above, by class.
    pub chance: [Vec<f64>; CLASSES],
    /// Share of the iterations that belong to a class.
    pub share: [f64; CLASSES],
    /// Cost of a test by direction, context and step.
    pub cost: [[[f64; STEPS]; CONTEXTS]; 2],
    /// Chance that an answer is the value, by direction and step.
    pub exact: [[f64; STEPS]; 2],
    /// As counted.
    pub tally: Tally,
    /// Distances of values from the guess by depth: their absolute values, and their signed ones.
    pub moved: BTreeMap<u32, (Mean, Mean)>,
    /// Iterations that the distribution was fitted to.
    pub iterations: usize,
}

impl Model {
    /// Fits the training rows of a game; `None` where there are none.
    pub fn fit(arena: Arena, (cell, depth): (i32, u32), records: &[Record]) -> Option<Model> {
        let records: Vec<&Record> =
            records.iter().filter(|record| record.arena == arena.name() && !record.test).collect();
        let known = known(arena, &records);
        let deep = |known: &&Known<'_>| 2 * known.record.iteration.depth > depth;
        let reference: Vec<&Known<'_>> =
            known.iter().filter(deep).filter(|known| known.record.who == MTDF).collect();
        if reference.is_empty() {
            return None;
        }
        let drift = drift(&reference);
        let changes = terciles(&reference);
        let (mut chance, mut share) = ([const { Vec::new() }; CLASSES], [0.0; CLASSES]);
        for class in 0..CLASSES {
            let of = |known: &&&Known<'_>| class_of(&changes, known.change) == class;
            let offsets: Vec<i32> =
                reference.iter().filter(of).map(|known| known.offset(cell, drift)).collect();
            share[class] = offsets.len() as f64 / reference.len() as f64;
            chance[class] = spread(&offsets);
        }
        let tally = count(cell, known.iter().filter(deep).filter(|known| known.explored));
        let mut moved: BTreeMap<u32, (Mean, Mean)> = BTreeMap::new();
        for known in known.iter().filter(|known| known.record.who == MTDF) {
            let (size, signed) = moved.entry(known.record.iteration.depth).or_default();
            let by = f64::from((known.record.iteration.value - known.guess).clamp(-2000, 2000));
            size.add(by.abs());
            signed.add(by);
        }
        Some(Model {
            cell,
            drift,
            changes,
            chance,
            share,
            cost: tally.cost.map(|of_direction| of_direction.map(|means| smooth(&means))),
            exact: tally.exact.map(|means| smooth(&means)),
            tally,
            moved,
            iterations: reference.len(),
        })
    }

    /// The chances of all cells in the reference searches among these iterations.
    pub fn chance_of(&self, known: &[&Known<'_>]) -> Vec<f64> {
        let reference = known.iter().filter(|known| known.is_reference());
        let offsets: Vec<i32> = reference.map(|known| known.offset(self.cell, self.drift)).collect();
        spread(&offsets)
    }

    /// This model with the costs of the tests in these iterations, where there are enough of them.
    pub fn with_costs_of(&self, known: &[&Known<'_>]) -> Model {
        let tally = count(self.cell, known.iter().copied().filter(|known| known.explored));
        let mut own = self.clone();
        for direction in 0..2 {
            for (context, means) in tally.cost[direction].iter().enumerate() {
                if means.iter().map(|mean| mean.count).sum::<f64>() >= ENOUGH {
                    own.cost[direction][context] = smooth(means);
                }
            }
            let means = &tally.exact[direction];
            if means.iter().map(|mean| mean.count).sum::<f64>() >= ENOUGH {
                own.exact[direction] = smooth(means);
            }
        }
        own.tally = tally;
        own
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

/// An iteration of the test half: its cost as the model has it and as measured, in average iterations.
pub struct Held {
    /// Label of the driver.
    pub who: String,
    /// The model's cost of its tests, given the value.
    pub model: f64,
    /// Measured.
    pub measured: f64,
    /// Tests whose answers contradict the value.
    pub contradictions: usize,
    /// All tests.
    pub tests: usize,
}

impl Model {
    /// The iterations of the test half whose tests were kept, deep ones.
    pub fn held(&self, arena: Arena, depth: u32, records: &[Record]) -> Vec<Held> {
        let records: Vec<&Record> =
            records.iter().filter(|record| record.arena == arena.name() && record.test).collect();
        let known = known(arena, &records);
        let deep = known.iter().filter(|known| 2 * known.record.iteration.depth > depth);
        let held = |known: &Known<'_>| {
            let Iteration { value, ref tests, cost, .. } = known.record.iteration;
            let mut ends = Ends::default();
            let (mut model, mut contradictions) = (0.0, 0);
            for test in tests {
                let found = distance(test, value, self.cell);
                contradictions += usize::from(found.is_none());
                let context = ends.context(test.high(), test.bound.div_euclid(self.cell), self.cell);
                model += self.cost(test.high(), context, found.unwrap_or(0));
                ends.learn(test.high(), test.answer.div_euclid(self.cell));
            }
            let measured = cost[if arena.counts_moves() { 2 } else { 1 }] as f64 / known.unit;
            Held { who: known.record.who.clone(), model, measured, contradictions, tests: tests.len() }
        };
        deep.map(held).collect()
    }
}

/// The class of a change.
pub fn class_of(changes: &[i32], change: i32) -> usize {
    changes.iter().take_while(|&&most| change.abs() > most).count()
}

/// The deep iterations of a half with what was known before each.
pub fn deep<'r>(arena: Arena, depth: u32, test: bool, records: &'r [Record]) -> Vec<Known<'r>> {
    let of = records.iter().filter(|record| record.arena == arena.name() && record.test == test);
    let mut known = known(arena, &of.collect::<Vec<_>>());
    known.retain(|known| 2 * known.record.iteration.depth > depth);
    known
}

impl Known<'_> {
    /// Position and depth.
    pub fn place(&self) -> (usize, u32) {
        (self.record.position, self.record.iteration.depth)
    }

    /// True of MTD(f)'s iterations, from which the distribution of the values is taken.
    pub fn is_reference(&self) -> bool {
        self.record.who == MTDF
    }

    /// Cells from the centre to the value.
    fn offset(&self, cell: i32, drift: i32) -> i32 {
        let centre = self.guess + drift * self.change / 100;
        self.record.iteration.value.div_euclid(cell) - centre.div_euclid(cell)
    }
}

/// Values beyond this are certain wins, which no policy foresees.
const DECIDED: i32 = 20_000;

/// The iterations of every search from the third on, with what was known before.
fn known<'r>(arena: Arena, records: &[&'r Record]) -> Vec<Known<'r>> {
    let cost = |iteration: &Iteration| iteration.cost[if arena.counts_moves() { 2 } else { 1 }] as f64;
    let mut units: BTreeMap<(usize, u32), Mean> = BTreeMap::new();
    let mut values: BTreeMap<(usize, &str, u32), (i32, Near)> = BTreeMap::new();
    for record in records {
        let depth = record.iteration.depth;
        values.insert((record.position, &record.who, depth), (record.iteration.value, record.iteration.near));
        if !record.iteration.tests.is_empty() {
            units.entry((record.position, depth)).or_default().add(cost(&record.iteration));
        }
    }
    let known = |record: &&'r Record| {
        let depth = record.iteration.depth;
        let value =
            |back: u32| values.get(&(record.position, &record.who, depth.checked_sub(back)?)).copied();
        let ((guess, near), (before, _)) = (value(1)?, value(2)?);
        let ordinary = [guess, before, record.iteration.value].iter().all(|value| value.abs() < DECIDED);
        let unit = units.get(&(record.position, depth))?;
        let (explored, unit) = (unit.count > 1.0, unit.value());
        (ordinary && unit > 0.0).then_some(Known {
            record,
            guess,
            change: guess - before,
            near,
            unit,
            explored,
        })
    };
    records.iter().filter(|record| !record.iteration.tests.is_empty()).filter_map(known).collect()
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
pub fn distance(test: &Test, value: i32, cell: i32) -> Option<i32> {
    let (bound, value) = (test.bound.div_euclid(cell), value.div_euclid(cell));
    let distance = if test.high() { value - bound } else { bound - 1 - value };
    (distance >= 0).then_some(distance)
}

/// Counts the tests of iterations.
fn count<'k>(cell: i32, known: impl Iterator<Item = &'k Known<'k>>) -> Tally {
    let mut tally = Tally::default();
    for Known { record, unit, .. } in known {
        let Iteration { value, ref tests, .. } = record.iteration;
        let index =
            if record.arena == Arena::Paper.name() || record.arena == Arena::Play.name() { 2 } else { 1 };
        let mut ends = Ends::default();
        for test in tests {
            let direction = usize::from(test.high());
            if let Some(distance) = distance(test, value, cell) {
                let at = step(distance);
                let cost = (test.cost[index] as f64 / unit).min(MOST);
                let context = ends.context(test.high(), test.bound.div_euclid(cell), cell);
                tally.cost[direction][context][at].add(cost);
                let answer = test.answer.div_euclid(cell) == value.div_euclid(cell);
                let exact = if answer { 1.0 } else { 0.0 };
                tally.exact[direction][at].add(exact);
            }
            ends.learn(test.high(), test.answer.div_euclid(cell));
        }
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
