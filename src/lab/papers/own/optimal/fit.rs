//! A game's fit: model, solved programme and baseline, from the training half.

use super::arena::{Arena, Contender, Half};
use super::conditions::{BY_CHANGE, Conditions, PLAYED, Told};
use super::model::{Known, Model, known};
use super::record::Record;
use crate::lab::papers::experiment::{Row, Scale};
use crate::minimax::optimal::{CLASSES, OptimalTable};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Tables and predictions from the training half of a game.
pub struct Fit {
    /// The fitted model.
    pub model: Model,
    /// The solved programme, by the change of the value.
    pub told: Told,
    /// Its table.
    pub table: OptimalTable,
    /// The baseline with its best window.
    pub baseline: Option<Contender<'static>>,
    /// Tables by the root moves near the best, in games whose search can read them.
    pub near: Option<[OptimalTable; CLASSES]>,
    conditions: OnceLock<Conditions>,
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
        let fit = || Fit::new(arena, scale, &training).map(Arc::new);
        fits.entry((arena.name, hasher.finish())).or_insert_with(fit).clone()
    }

    fn new(arena: &Arena, scale: Scale, rows: &[&Row]) -> Option<Fit> {
        let records: Vec<Record> = rows.iter().filter_map(|row| Record::from_row(row)).collect();
        let training = known(arena, Half::Training, arena.depth(scale), &records);
        let model = Model::fit(arena.cell, &training)?;
        let told = Told::new(BY_CHANGE, &model, &training);
        let near = arena.reads_near_moves().then(|| Told::new(PLAYED, &model, &training).tables());
        let (table, baseline) = (told.table(), baseline(arena, &records));
        Some(Fit { model, told, table, baseline, near, conditions: OnceLock::new() })
    }

    /// The programme solved by every condition of the report.
    pub fn conditions(&self, training: &[Known<'_>]) -> &Conditions {
        self.conditions.get_or_init(|| Conditions::new(&self.model, training))
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
