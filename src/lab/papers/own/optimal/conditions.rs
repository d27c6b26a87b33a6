//! Conditions: how much is saved by bounds that depend on a class of the iteration, known before it begins.
//!
//! The iterations of the training half are split by the class. The programme is solved for each class, and once for
//! all iterations together; the expected costs of both answers, in the models of the classes, show what the condition
//! saves. Each answer is the best for the games that it was solved on. Therefore the same answers are compared on the
//! values of the test half too, and classes drawn by lot show how much is saved by chance.

use super::model::{Known, Model, class_of};
use super::programme::{Solution, bounds, solve};
use super::record::Record;
use super::root_moves::near_class;
use crate::minimax::optimal::{CLASSES, OptimalTable};
use crate::random::SplitMix64;

/// Something that is known before an iteration begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The change of the value in the last iteration: the volatility.
    Change,
    /// Root moves near the best in the last iteration, by the place of a share in [`super::root_moves::SHARES`].
    Near(usize),
    /// A class drawn by lot, which tells nothing.
    Lot,
}

/// The part of the model that every class has for itself; the rest is common to all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The distribution of the values.
    Values,
    /// The distribution of the values, and the cost of a test.
    Costs,
}

/// The conditions of the report.
pub const CONDITIONS: [(Condition, Part); 7] = [
    (Condition::Change, Part::Values),
    (Condition::Near(0), Part::Values),
    (Condition::Near(1), Part::Values),
    (Condition::Change, Part::Costs),
    (Condition::Near(0), Part::Costs),
    (Condition::Near(1), Part::Costs),
    (Condition::Lot, Part::Costs),
];

/// The condition of MTD-opt.
pub const BY_CHANGE: (Condition, Part) = CONDITIONS[0];

/// The condition that a driver plays with.
pub const PLAYED: (Condition, Part) = (Condition::Near(0), Part::Costs);

impl Condition {
    /// The class of an iteration.
    fn class(self, model: &Model, known: &Known<'_>) -> usize {
        match self {
            Condition::Change => class_of(&model.changes, known.change),
            Condition::Near(share) => near_class(known.near[share]),
            Condition::Lot => {
                let Record { position, iteration, .. } = known.record;
                SplitMix64::new(((*position as u64) << 8) | u64::from(iteration.depth)).below(CLASSES)
            }
        }
    }

    /// The iterations of a class.
    fn members<'k, 'r>(self, class: usize, model: &Model, all: &'k [Known<'r>]) -> Vec<&'k Known<'r>> {
        all.iter().filter(|known| self.class(model, known) == class).collect()
    }
}

/// Expected cost of bounds that do not know the class, and of those that do, in average iterations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worth {
    /// Expected cost without the condition.
    pub without: f64,
    /// With it.
    pub with: f64,
}

/// Number of iterations in the distribution of the values.
fn number(known: &[&Known<'_>]) -> f64 {
    known.iter().filter(|known| known.is_reference()).count() as f64
}

/// The programme solved for every class of a condition.
pub struct Told {
    /// The condition.
    pub condition: Condition,
    /// The part of the model that every class has for itself.
    pub part: Part,
    /// Share of the training iterations, model and solution of every class.
    pub classes: [(f64, Model, Solution); CLASSES],
}

impl Told {
    /// Solves the programme for every class on the iterations of the training half.
    pub fn new((condition, part): (Condition, Part), model: &Model, training: &[Known<'_>]) -> Told {
        let all = number(&training.iter().collect::<Vec<_>>());
        let class = |class: usize| {
            let members = condition.members(class, model, training);
            let own = if part == Part::Values { model.clone() } else { model.with_costs_of(&members) };
            let solution = solve(&own, &model.chance_of(&members), None);
            (number(&members) / all, own, solution)
        };
        Told { condition, part, classes: std::array::from_fn(class) }
    }

    /// The expected costs over the values of a half; `all` is the answer without classes. `None` without values.
    pub fn worth(&self, all: &Solution, model: &Model, half: &[Known<'_>]) -> Option<Worth> {
        let whole = number(&half.iter().collect::<Vec<_>>());
        let mut worth = Worth::default();
        for (class, (_, own, solution)) in self.classes.iter().enumerate() {
            let members = self.condition.members(class, model, half);
            let (share, chance) = (number(&members) / whole, model.chance_of(&members));
            let cost = |of: &Solution| {
                share * solve(own, &chance, Some(&|lower, upper| of.bound(lower, upper))).cost
            };
            worth.without += cost(all);
            worth.with += cost(solution);
        }
        (whole > 0.0).then_some(worth)
    }

    /// The table of a driver that knows the change, whose classes these are.
    pub fn table(&self) -> OptimalTable {
        let Model { cell, drift, changes, .. } = self.classes[0].1;
        let classes = self.classes.each_ref().map(|(_, _, solution)| bounds(solution));
        OptimalTable { cell, drift, changes, classes }
    }

    /// A table for every class, whatever the change before.
    pub fn tables(&self) -> [OptimalTable; CLASSES] {
        std::array::from_fn(|class| {
            let mut table = self.table();
            table.classes = [table.classes[class]; CLASSES];
            table
        })
    }
}

/// All conditions of the report, solved on the training half.
pub struct Conditions {
    /// The answer without classes.
    pub all: Solution,
    /// The answers with them.
    pub told: Vec<Told>,
}

impl Conditions {
    /// Solves them, each on a thread of its own.
    pub fn new(model: &Model, training: &[Known<'_>]) -> Conditions {
        let all: Vec<&Known<'_>> = training.iter().collect();
        let chance = model.chance_of(&all);
        std::thread::scope(|scope| {
            let threads: Vec<_> = CONDITIONS
                .into_iter()
                .map(|condition| scope.spawn(move || Told::new(condition, model, training)))
                .collect();
            let all = solve(model, &chance, None);
            let told = threads.into_iter().filter_map(|thread| thread.join().ok()).collect();
            Conditions { all, told }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::arena::{ARENAS, Half, MTDF};
    use super::super::model::known;
    use super::super::record::{Iteration, Test};
    use super::*;

    /// Depth of the searches, in plies.
    const DEPTH: u32 = 6;

    /// The searches of positions whose value rises by 20 after an iteration with one near move, and falls by 20 after one
    /// with five. Every test costs the same; `sides` has its bounds as distances from the value.
    fn searches(who: &str, sides: &[i32]) -> Vec<Record> {
        let mut records = Vec::new();
        for position in 0..40 {
            let mut random = SplitMix64::new(position as u64);
            let (mut value, mut step) = (0, 20);
            for depth in 1..=DEPTH {
                value += step;
                let near = if random.below(2) == 0 { 1 } else { 5 };
                step = if near == 1 { 20 } else { -20 };
                let test = |&side: &i32| {
                    let bound = value + side;
                    let answer = if side > 0 { bound - 1 } else { bound };
                    Test { bound, answer, cost: [1; 3] }
                };
                let tests: Vec<Test> = sides.iter().map(test).collect();
                let (passes, near) = (tests.len() as u64, [near; 2]);
                let iteration = Iteration { depth, value, cost: [passes; 3], passes, near, tests };
                let (arena, who) = (ARENAS[4].name.to_owned(), who.to_owned());
                records.push(Record { arena, half: Half::Training, position, who, iteration });
            }
        }
        records
    }

    #[test]
    fn a_condition_that_tells_the_direction_saves_and_one_that_tells_nothing_does_not() {
        let mut records = searches(MTDF, &[0, 1]);
        records.extend(searches("from below", &[-100, 100, -50, -30, 50, 30, 0, 1]));
        records.extend(searches("from above", &[100, -100]));
        let training = known(&ARENAS[4], Half::Training, DEPTH, &records);
        let model = Model::fit(1, &training).unwrap();
        let all = solve(&model, &model.chance_of(&training.iter().collect::<Vec<_>>()), None);
        let saved = |condition| {
            let told = Told::new((condition, Part::Values), &model, &training);
            assert!((told.classes.iter().map(|class| class.0).sum::<f64>() - 1.0).abs() < 1e-9);
            let Worth { without, with } = told.worth(&all, &model, &training).unwrap();
            1.0 - with / without
        };
        let (near, lot) = (saved(Condition::Near(0)), saved(Condition::Lot));
        assert!(near > 0.1 && lot < 0.05, "{near} {lot}");
        assert!(Told::new(PLAYED, &model, &training).worth(&all, &model, &[]).is_none());
    }
}
