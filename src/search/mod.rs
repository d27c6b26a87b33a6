//! The search of one position: one node routine, many drivers.
//!
//! Nothing here prints, reads clocks or knows UCI. A search is asked with [`Settings`] and [`Limits`],
//! watched over by a [`SearchControl`], and answers with an [`Outcome`].

pub mod backend;
pub mod control;
mod correction_history;
mod deepening;
mod history;
mod mate;
mod move_loop;
mod move_picker;
mod node;
pub mod parameters;
mod pruning;
mod pv;
mod quiescence;
mod reduction;
mod repetition;
mod root;
pub mod settings;
mod singular;
pub mod smp;
mod state;
pub mod stats;
mod tablebases;
pub mod textbook;
pub mod transposition;

pub use crate::minimax::drivers::Driver;
pub use backend::Backend;
pub use control::{Bound, Current, NoControl, Pass, Progress, Report, SearchControl};
pub use parameters::{Parameter, Parameters};
pub use settings::{FirstGuess, Helpers, Limits, Mode, Settings, Strategy, Syzygy, TableBounds, Walk};
pub use smp::{ParallelSearch, SearchThread, Task};
pub use stats::Stats;
pub use textbook::chess_game::ChessGame;
pub use transposition::TranspositionTable;

use crate::chess::{
    Position,
    score::{self, Value},
};
use crate::eval::Evaluator;
use crate::search::history::History;
use crate::search::state::{Search, StackEntry};
use correction_history::CorrectionHistory;
use deepening::Deepening;
use pv::PvTable;
use shakmaty::Move;
use std::sync::Arc;
use transposition::TtPolicy;

/// Made moves before the watch is first asked whether to go on: some tenths of a millisecond, in which even a
/// search without time finds more than the first legal move.
const FIRST_LOOK: u64 = 256;

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The move to play; `None` when there is none.
    pub best: Option<Move>,
    /// The answer expected to it.
    pub ponder: Option<Move>,
    /// The value of the last completed iteration.
    pub value: Value,
    /// Whether that is a mate of exactly this length, proven beside the search.
    pub proven: bool,
    /// The last completed iteration, in plies; 0 when not even the first was completed.
    pub depth: i32,
    /// The principal variation.
    pub pv: Vec<Move>,
    /// What was counted.
    pub stats: Stats,
}

/// A searching thread's own memory: histories, evaluation caches, and the shared table.
pub struct Searcher {
    tt: Arc<TranspositionTable>,
    history: History,
    correction_history: CorrectionHistory,
    evaluator: Evaluator,
    /// What a best-first backend keeps between moves.
    kept: Option<textbook::Kept>,
}

impl Searcher {
    /// A fresh searcher over a table.
    #[must_use]
    pub fn new(table: Arc<TranspositionTable>) -> Searcher {
        Searcher {
            tt: table,
            history: History::new(),
            correction_history: CorrectionHistory::new(),
            evaluator: Evaluator::new(),
            kept: None,
        }
    }

    /// Forgets everything learnt in the game (not the table: that is shared).
    pub fn clear(&mut self) {
        self.history.clear();
        self.correction_history = CorrectionHistory::new();
        self.evaluator = Evaluator::new();
        self.kept = None;
    }

    /// Takes another table (after a change of Hash).
    pub fn set_tt(&mut self, table: Arc<TranspositionTable>) {
        self.tt = table;
        self.kept = None;
    }

    /// Searches `root`. `line` holds the keys of the game's earlier positions, oldest first, `root` excluded.
    /// Always ends with a legal move if there is one, even when stopped at once.
    pub fn search(
        &mut self,
        root: &Position,
        line: &[u64],
        settings: &Settings,
        limits: &Limits,
        control: &mut dyn SearchControl,
    ) -> Outcome {
        let Some(driver) = settings.backend.driver() else {
            textbook::chess_game::set_noise(settings.noise);
            let memory = self.tt.mebibytes() << 20;
            return textbook::search((root, line), settings.backend, memory, limits, &mut self.kept, control);
        };
        self.tt.age();
        self.drive(driver, (root, line), settings, limits, None, control)
    }

    /// Searches as one of a team's threads. The drivers alone can; whoever gathers the team ages the table.
    pub fn search_as_thread(
        &mut self,
        task: &Task,
        thread: SearchThread<'_>,
        control: &mut dyn SearchControl,
    ) -> Outcome {
        let Task { root, line, settings, limits } = task;
        match settings.backend.driver() {
            Some(driver) => self.drive(driver, (root, line), settings, limits, Some(thread), control),
            None => self.search(root, line, settings, limits, control),
        }
    }

    /// Runs a driver of the node routine.
    fn drive(
        &mut self,
        driver: Driver,
        (root, line): (&Position, &[u64]),
        settings: &Settings,
        limits: &Limits,
        thread: Option<SearchThread<'_>>,
        control: &mut dyn SearchControl,
    ) -> Outcome {
        self.kept = None;
        self.evaluator.set_noise(settings.noise);
        // The threads of a team count together.
        let node_limit = limits.nodes.filter(|_| thread.is_none()).unwrap_or(u64::MAX);
        let mut search = self.begin(driver, line, settings, control);
        search.node_limit = node_limit;
        search.next_poll = FIRST_LOOK.min(node_limit);
        search.thread = thread;
        let deepening = Deepening::new(&mut search, root, limits);
        match settings.mode {
            Mode::Play => deepening.run::<state::Play>(),
            Mode::Paper => deepening.run::<state::Paper>(),
            Mode::Strict => deepening.run::<state::Strict>(),
        }
    }

    /// A search that has not begun: of one thread, without a limit. `line` holds the keys of the game's earlier
    /// positions.
    fn begin<'a>(
        &'a mut self,
        driver: Driver,
        line: &[u64],
        settings: &'a Settings,
        control: &'a mut (dyn SearchControl + 'a),
    ) -> Search<'a> {
        let mut keys = Vec::with_capacity(line.len() + score::MAX_PLY);
        keys.extend_from_slice(line);
        Search {
            tt: &self.tt,
            policy: TtPolicy { replacement: settings.replacement, bounds: settings.table_bounds },
            settings,
            history: &mut self.history,
            correction_history: &mut self.correction_history,
            evaluator: &mut self.evaluator,
            control,
            stats: Stats::default(),
            pv_table: PvTable::new(),
            stack: vec![StackEntry::EMPTY; score::MAX_PLY + 2].into_boxed_slice(),
            root_at: keys.len(),
            keys,
            since_null_move: 0,
            driver,
            scouts: driver.scouts(),
            root_depth: 0,
            next_poll: FIRST_LOOK,
            node_limit: u64::MAX,
            thread: None,
            tablebases: None,
            mates: None,
        }
    }
}
