//! A searching thread: entry point of every search. It runs a driver of the node routine, or a textbook
//! algorithm.

use super::control::SearchControl;
use super::correction_history::CorrectionHistory;
use super::deepening::Deepening;
use super::history::History;
use super::key_history::KeyHistory;
use super::observer_calls::Observed;
use super::outcome::Outcome;
use super::polling::Polling;
use super::pv::PvTable;
use super::settings::{Limits, Mode, Settings};
use super::smp::{SearchThread, Task};
use super::state::{self, Search, StackEntry};
use super::stats::Stats;
use super::textbook::chess_game::SharedEvaluator;
use super::textbook::{self, PathGame};
use super::transposition::{TableError, TranspositionTable, TtPolicy};
use crate::chess::{Position, score};
use crate::eval::Evaluator;
use crate::memory;
use crate::minimax::drivers::Driver;
use std::sync::Arc;

/// Made moves before the first poll of the search control: some tenths of a millisecond, in which even a
/// search without time finds more than the first legal move.
const FIRST_POLL: u64 = 256;

/// One searching thread: its histories, its evaluation caches, and the shared transposition table.
pub struct Searcher {
    tt: Arc<TranspositionTable>,
    history: History,
    correction_history: CorrectionHistory,
    evaluator: Evaluator,
    pv_table: PvTable,
    /// The evaluator of the textbook backends, which their trees share.
    textbook_evaluator: SharedEvaluator,
    /// The tree of a best-first backend, kept between moves.
    tree: Option<textbook::KeptTree>,
}

impl Searcher {
    /// A new searcher on a transposition table.
    #[must_use]
    pub fn new(tt: Arc<TranspositionTable>) -> Searcher {
        Searcher {
            tt,
            history: History::new(),
            correction_history: CorrectionHistory::new(),
            evaluator: Evaluator::new(),
            pv_table: PvTable::new(),
            textbook_evaluator: SharedEvaluator::default(),
            tree: None,
        }
    }

    /// A new searcher with a transposition table of its own, of `mebibytes` MiB.
    ///
    /// # Errors
    /// If the transposition table cannot be allocated.
    pub fn with_own_table(mebibytes: usize) -> Result<Searcher, TableError> {
        TranspositionTable::new(mebibytes).map(|table| Searcher::new(Arc::new(table)))
    }

    /// Clears histories, kept tree and transposition table, so that the next search depends on none before
    /// it. The table has to be its own.
    pub fn forget(&mut self) {
        self.tt.clear();
        self.clear();
    }

    /// Clears histories and the kept tree, for a new game; not the transposition table, which is shared, and
    /// not the evaluation caches, which change no value.
    pub fn clear(&mut self) {
        self.history.clear();
        self.correction_history.clear();
        self.tree = None;
    }

    /// Takes another transposition table (after a change of Hash).
    pub fn set_tt(&mut self, tt: Arc<TranspositionTable>) {
        self.tt = tt;
        self.tree = None;
    }

    /// Searches `root`. `key_history` holds the Zobrist keys of the game's earlier positions, oldest first,
    /// `root` excluded. Always ends with a legal move if there is one, even when stopped at once.
    pub fn search(
        &mut self,
        root: &Position,
        key_history: &[u64],
        settings: &Settings,
        limits: &Limits,
        control: &mut dyn SearchControl,
    ) -> Outcome {
        let Some(driver) = settings.backend.driver() else {
            self.textbook_evaluator.set(settings.network(), settings.noise());
            let game = PathGame::new(root, key_history, &self.textbook_evaluator);
            let memory = self.textbook_memory();
            return textbook::search(game, settings.backend, memory, limits, &mut self.tree, control);
        };
        self.tt.age();
        self.drive(driver, (root, key_history), settings, limits, None, control)
    }

    /// Bytes that the tree of a textbook backend may take: as many as the transposition table, and no more
    /// than were free when it began.
    fn textbook_memory(&self) -> usize {
        let new_tree = || memory::at_most(self.tt.mebibytes() << 20);
        self.tree.as_ref().map_or_else(new_tree, |kept| kept.memory)
    }

    /// Searches as one thread of a parallel search (drivers only). The caller ages the transposition table.
    pub fn search_as_thread(
        &mut self,
        task: &Task,
        thread: SearchThread<'_>,
        control: &mut dyn SearchControl,
    ) -> Outcome {
        let Task { root, key_history, settings, limits } = task;
        match settings.backend.driver() {
            Some(driver) => self.drive(driver, (root, key_history), settings, limits, Some(thread), control),
            None => self.search(root, key_history, settings, limits, control),
        }
    }

    /// Runs a driver of the node routine.
    fn drive(
        &mut self,
        driver: Driver,
        (root, key_history): (&Position, &[u64]),
        settings: &Settings,
        limits: &Limits,
        thread: Option<SearchThread<'_>>,
        control: &mut dyn SearchControl,
    ) -> Outcome {
        self.tree = None;
        self.evaluator.set(settings.network(), settings.noise());
        let mut search = self.begin(driver, key_history, settings, control);
        search.polling = match (limits.nodes, &thread) {
            (None, _) => Polling::new(FIRST_POLL),
            (Some(nodes), None) => Polling::with_limit(FIRST_POLL, nodes),
            // The threads of a parallel search have one limit together, and set their first moves aside
            // before they move.
            (Some(_), Some(_)) => Polling::new(0),
        };
        search.thread = thread;
        // A build without the feature `pages` has no observers, and compiles no routines for them.
        let observed = cfg!(feature = "pages") && search.control.observer().is_some();
        let deepening = Deepening::new(&mut search, root, limits);
        match (settings.mode, observed) {
            (Mode::Play, false) => deepening.run::<state::Play>(),
            (Mode::Paper, false) => deepening.run::<state::Paper>(),
            (Mode::Strict, false) => deepening.run::<state::Strict>(),
            (Mode::Play, true) => deepening.run::<Observed<state::Play>>(),
            (Mode::Paper, true) => deepening.run::<Observed<state::Paper>>(),
            (Mode::Strict, true) => deepening.run::<Observed<state::Strict>>(),
        }
    }

    /// A search that has not begun: of one thread, without a limit. `key_history` holds the Zobrist keys of
    /// the game's earlier positions.
    pub(super) fn begin<'a>(
        &'a mut self,
        driver: Driver,
        key_history: &[u64],
        settings: &'a Settings,
        control: &'a mut (dyn SearchControl + 'a),
    ) -> Search<'a> {
        self.pv_table.clear_all();
        Search {
            tt: &self.tt,
            policy: TtPolicy { replacement: settings.replacement, bounds: settings.table_bounds },
            settings,
            history: &mut self.history,
            correction_history: &mut self.correction_history,
            evaluator: &mut self.evaluator,
            control,
            stats: Stats::default(),
            pv_table: &mut self.pv_table,
            stack: vec![StackEntry::EMPTY; score::MAX_PLY + 2].into_boxed_slice(),
            key_history: KeyHistory::new(key_history),
            driver,
            scouts: driver.scouts(),
            root_depth: 0,
            overlooked_at_root: false,
            polling: Polling::new(FIRST_POLL),
            thread: None,
            tablebases: None,
            mate_search: None,
        }
    }
}
