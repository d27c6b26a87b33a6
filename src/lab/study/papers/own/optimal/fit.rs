//! A game's fit, from the training half: the model, the programme solved for every class of iterations, the table of the
//! driver, and the baseline.

use super::arena::{Arena, Contender, Half};
use super::model::{Known, Model, class_of, known};
use super::programme::{Solution, bounds, solve};
use super::record::Record;
use crate::lab::study::papers::experiment::{Row, Scale};
use crate::minimax::optimal::{CLASSES, OptimalTable};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Mutex, PoisonError};

/// The programme solved for the iterations after a small, a middling or a large change of the value.
pub struct Class {
    /// Share of the training iterations, 0 to 1.
    pub share: f64,
    /// Best bounds and expected cost.
    pub solution: Solution,
}

/// Tables and predictions from the training half of a game.
pub struct Fit {
    /// The fitted model.
    pub model: Model,
    /// The solved programme, by the change of the value.
    pub classes: [Class; CLASSES],
    /// The table of the driver.
    pub table: OptimalTable,
    /// The baseline with its best window.
    pub baseline: Option<Contender<'static>>,
}

/// The fits of this run of the program, by game and the digest of the rows.
type Fits = BTreeMap<(&'static str, u64), Option<Arc<Fit>>>;

impl Fit {
    /// Fits a game once for all units of the test half; `None` without rows of the training half.
    pub fn of(arena: &'static Arena, scale: Scale, rows: &[Row]) -> Option<Arc<Fit>> {
        static FITS: Mutex<Fits> = Mutex::new(BTreeMap::new());
        let is_training = |row: &&Row| {
            let half = row.get(1).is_some_and(|half| half == Half::Training.name());
            half && row.first().is_some_and(|name| name == arena.name)
        };
        let training: Vec<&Row> = rows.iter().filter(is_training).collect();
        let mut hasher = DefaultHasher::new();
        training.iter().for_each(|row| row.hash(&mut hasher));
        let mut fits = FITS.lock().unwrap_or_else(PoisonError::into_inner);
        let fit = || {
            let records: Vec<Record> = training.iter().filter_map(|row| Record::from_row(row)).collect();
            Fit::new(arena, arena.depth(scale), &records).map(Arc::new)
        };
        fits.entry((arena.name, hasher.finish())).or_insert_with(fit).clone()
    }

    fn new(arena: &Arena, depth: u32, records: &[Record]) -> Option<Fit> {
        let training = known(arena, Half::Training, depth, records);
        let model = Model::fit(arena.cell, &training)?;
        let classes = std::array::from_fn(|class| Class::new(class, &model, &training));
        let table = OptimalTable {
            cell: model.cell,
            drift: model.drift,
            changes: model.changes,
            classes: classes.each_ref().map(|class: &Class| bounds(&class.solution)),
        };
        Some(Fit { model, classes, table, baseline: baseline(arena, records) })
    }
}

impl Class {
    fn new(class: usize, model: &Model, training: &[Known<'_>]) -> Class {
        let reference = || training.iter().filter(|known| known.is_reference());
        let members: Vec<&Known<'_>> =
            reference().filter(|known| class_of(&model.changes, known.change) == class).collect();
        let share = members.len() as f64 / reference().count() as f64;
        Class { share, solution: solve(model, &model.chance_of(&members), None) }
    }
}

/// The baseline's window that is cheapest on the training half.
fn baseline(arena: &Arena, records: &[Record]) -> Option<Contender<'static>> {
    let needed = |window: &Contender<'_>| -> u64 {
        let of = records.iter().filter(|record| record.who == window.label);
        of.map(|record| record.iteration.cost[arena.cost]).sum()
    };
    arena.windows().into_iter().filter(|window| needed(window) > 0).min_by_key(needed)
}

#[cfg(test)]
mod tests {
    use super::super::arena::{ARENAS, MTDF};
    use super::super::record::{Iteration, Test};
    use super::*;
    use crate::random::SplitMix64;

    /// Depth of the searches, in plies.
    const DEPTH: u32 = 6;

    /// Searches of 60 positions. The value of each moves up or down by its number at every depth. Every test costs the
    /// same; `sides` has the bounds as distances from the value.
    fn searches(who: &str, sides: &[i32]) -> Vec<Record> {
        let iteration = |depth, value: i32| {
            let test = |&side: &i32| {
                let bound = value + side;
                Test { bound, answer: if side > 0 { bound - 1 } else { bound }, cost: [1; 3] }
            };
            let tests: Vec<Test> = sides.iter().map(test).collect();
            let passes = tests.len() as u64;
            Iteration { depth, value, cost: [passes; 3], passes, tests }
        };
        let search = |position: usize| {
            let (mut random, mut value) = (SplitMix64::new(position as u64), 0);
            let depths = (1..=DEPTH).map(move |depth| {
                value += if random.below(2) == 0 { position as i32 } else { -(position as i32) };
                iteration(depth, value)
            });
            depths.collect::<Vec<_>>().into_iter().map(move |iteration| Record {
                arena: ARENAS[4].name.to_owned(),
                half: Half::Training,
                position,
                who: who.to_owned(),
                iteration,
            })
        };
        (0..60).flat_map(search).collect()
    }

    #[test]
    fn an_iteration_after_a_great_change_is_expected_to_cost_more_than_after_a_small_one() {
        let mut records = searches(MTDF, &[0, 1]);
        records.extend(searches("from below", &[-100, 100, -50, -30, 50, 30, 0, 1]));
        records.extend(searches("from above", &[100, -100]));
        let fit = Fit::new(&ARENAS[4], DEPTH, &records).unwrap();
        let [small, middling, great] = &fit.classes;
        assert!((small.share + middling.share + great.share - 1.0).abs() < 1e-9);
        assert!([small, middling, great].iter().all(|class| class.share > 0.3), "classes of equal size");
        let (small, great) = (small.solution.cost, great.solution.cost);
        assert!(small < 0.95 * great, "{small} {great}");
        assert!(Fit::new(&ARENAS[4], DEPTH, &[]).is_none());
    }
}
