//! The search of one position: one node routine, many drivers.
//!
//! Nothing here prints, reads clocks or knows UCI. A search is asked with [`Settings`] and [`Limits`],
//! watched over by a [`Watch`], and answers with an [`Outcome`].

pub mod backend;
mod memory;
pub mod settings;
pub mod stats;
pub mod table;
pub mod watch;

pub use backend::Backend;
pub use settings::{FirstGuess, Limits, Mode, Settings, Strategy, TableBounds};
pub use stats::Stats;
pub use table::Table;
pub use watch::{Bound, Pass, Progress, Report, Unwatched, Watch};

use crate::chess::{Position, score::Value};
use shakmaty::Move;
use std::sync::Arc;

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The move to play; `None` when there is none.
    pub best: Option<Move>,
    /// The answer expected to it.
    pub ponder: Option<Move>,
    /// The value of the last completed iteration.
    pub value: Value,
    /// The last completed iteration, in plies; 0 when not even the first was completed.
    pub depth: i32,
    /// The principal variation.
    pub pv: Vec<Move>,
    /// What was counted.
    pub stats: Stats,
}

/// A searching thread's own memory: histories, killers, evaluation caches, and the shared table.
pub struct Searcher {
    table: Arc<Table>,
}

impl Searcher {
    /// A fresh searcher over a table.
    #[must_use]
    pub fn new(table: Arc<Table>) -> Searcher {
        Searcher { table }
    }

    /// Forgets everything learnt in the game (not the table: that is shared).
    pub fn clear(&mut self) {}

    /// Takes another table (after a change of Hash).
    pub fn set_table(&mut self, table: Arc<Table>) {
        self.table = table;
    }

    /// Searches `root`. `line` holds the keys of the game's earlier positions, oldest first, `root` excluded.
    /// Always ends with a legal move if there is one, even when stopped at once.
    pub fn search(
        &mut self,
        root: &Position,
        _line: &[u64],
        _settings: &Settings,
        limits: &Limits,
        watch: &mut dyn Watch,
    ) -> Outcome {
        // A placeholder for the first hour of building: plays the first legal move, busy until stopped.
        use shakmaty::Position as _;
        let moves = root.chess().legal_moves();
        let Some(&best) = moves.first() else { return Outcome::default() };
        let mut stats = Stats::default();
        for depth in 1..=limits.depth {
            for _ in 0..2000 * depth {
                stats.made += 1;
                std::hint::black_box(root.play(best));
                if limits.nodes.is_some_and(|n| stats.made >= n) || watch.poll(stats.made).is_none() {
                    return Outcome { best: Some(best), depth, stats, pv: vec![best], ..Outcome::default() };
                }
            }
            let report = Report {
                depth,
                selective_depth: depth as usize,
                line: 1,
                value: 0,
                bound: Bound::Exact,
                nodes: stats.made,
                hashfull: 0,
                pv: vec![best],
            };
            watch.report(&report);
            let progress =
                Progress { depth, value: 0, best, stable: 1, effort: 1.0, passes: 1, stats: &stats };
            if !watch.iteration(&progress) {
                break;
            }
        }
        Outcome { best: Some(best), depth: limits.depth, stats, pv: vec![best], ..Outcome::default() }
    }
}
