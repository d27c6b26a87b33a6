//! A game's fit, from the training half: the model, the programme solved for every class of iterations, the table of the
//! driver, and the baseline.

use super::arena::{Arena, Contender, Half};
use super::model::{Known, Model, class_of, known};
use super::programme::{Solution, bounds, solve};
use super::record::Record;
use crate::lab::study::papers::experiment::{Scale, Unfinished};
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
type Fits = BTreeMap<(&'static str, u64), Result<Arc<Fit>, Unfinished>>;

impl Fit {
    /// Fits a game once for all units of the test half; `None` without rows of the training half.
    ///
    /// # Errors
    /// If the rows cannot be fitted.
    pub fn of(
        arena: &'static Arena,
        scale: Scale,
        records: &[Record],
    ) -> Option<Result<Arc<Fit>, Unfinished>> {
        static FITS: Mutex<Fits> = Mutex::new(BTreeMap::new());
        let is_training = |record: &&Record| record.half == Half::Training && record.arena == arena.name;
        let training: Vec<&Record> = records.iter().filter(is_training).collect();
        if training.is_empty() {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        training.iter().for_each(|record| record.hash(&mut hasher));
        let mut fits = FITS.lock().unwrap_or_else(PoisonError::into_inner);
        let fit = || Fit::new(arena, arena.depth(scale), &training).map(Arc::new);
        Some(fits.entry((arena.name, hasher.finish())).or_insert_with(fit).clone())
    }

    fn new(arena: &Arena, depth: u32, records: &[&Record]) -> Result<Fit, Unfinished> {
        let training = known(arena, Half::Training, depth, records.iter().copied());
        let model = Model::fit(arena.cell, &training).ok_or_else(|| {
            let name = arena.name;
            Unfinished::Fit(format!(
                "the training half of {name} has no iteration in the upper half of the depths"
            ))
        })?;
        let classes = std::array::from_fn(|class| Class::new(class, &model, &training));
        if classes.iter().any(|class: &Class| !(class.share.is_finite() && class.solution.cost.is_finite())) {
            return Err(Unfinished::Fit(format!("the costs of {} have no finite expectation", arena.name)));
        }
        let table = OptimalTable {
            cell: model.cell,
            drift: model.drift,
            changes: model.changes,
            classes: classes.each_ref().map(|class: &Class| bounds(&class.solution)),
        };
        Ok(Fit { model, classes, table, baseline: baseline(arena, records) })
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
fn baseline(arena: &Arena, records: &[&Record]) -> Option<Contender<'static>> {
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
        let records: Vec<&Record> = records.iter().collect();
        let fit = Fit::new(&ARENAS[4], DEPTH, &records).unwrap();
        let [small, middling, great] = &fit.classes;
        assert!((small.share + middling.share + great.share - 1.0).abs() < 1e-9);
        assert!([small, middling, great].iter().all(|class| class.share > 0.3), "classes of equal size");
        let (small, great) = (small.solution.cost, great.solution.cost);
        assert!(small < 0.95 * great, "{small} {great}");
        assert!(matches!(Fit::new(&ARENAS[4], DEPTH, &[]), Err(Unfinished::Fit(_))));
    }
}
