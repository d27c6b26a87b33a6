//! The search of one position: one node routine, many drivers.
//!
//! Nothing here prints, reads clocks or knows UCI. A search is asked with [`Settings`] and [`Limits`],
//! watched over by a [`Watch`], and answers with an [`Outcome`].

pub mod backend;
pub mod control;
mod correction_history;
mod deepening;
mod mate;
mod move_loop;
mod move_picker;
mod node;
pub mod parameters;
mod pruning;
mod pv;
mod quiescence;
mod repetition;
mod root;
pub mod settings;
mod singular;
pub mod smp;
pub mod stats;
mod tablebases;
pub mod textbook;
pub mod transposition;

pub use backend::Backend;
pub use control::{Bound, Current, Pass, Progress, Report, Unwatched, Watch};
pub use parameters::{Parameter, Parameters};
pub use settings::{FirstGuess, Helpers, Limits, Mode, Settings, Strategy, Syzygy, TableBounds, Walk};
pub use smp::{Member, Task, Team};
pub use stats::Stats;
pub use textbook::chess_game::ChessGame;
pub use transposition::Table;

use crate::chess::{
    Position,
    score::{self, Value},
};
use crate::eval::Evaluator;
use correction_history::Corrections;
use deepening::Deepening;
use move_picker::Histories;
use node::{Frame, Search};
use pv::Lines;
use shakmaty::Move;
use std::sync::Arc;
use transposition::Keeping;

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
    table: Arc<Table>,
    histories: Histories,
    corrections: Corrections,
    evaluator: Evaluator,
    /// What a best-first backend keeps between moves.
    kept: Option<textbook::Kept>,
}

impl Searcher {
    /// A fresh searcher over a table.
    #[must_use]
    pub fn new(table: Arc<Table>) -> Searcher {
        Searcher {
            table,
            histories: Histories::new(),
            corrections: Corrections::new(),
            evaluator: Evaluator::new(),
            kept: None,
        }
    }

    /// Forgets everything learnt in the game (not the table: that is shared).
    pub fn clear(&mut self) {
        self.histories.clear();
        self.corrections = Corrections::new();
        self.evaluator = Evaluator::new();
        self.kept = None;
    }

    /// Takes another table (after a change of Hash).
    pub fn set_table(&mut self, table: Arc<Table>) {
        self.table = table;
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
        watch: &mut dyn Watch,
    ) -> Outcome {
        if !settings.backend.is_driver() {
            textbook::chess_game::set_blur(settings.blur);
            let memory = self.table.mebibytes() << 20;
            return textbook::search((root, line), settings.backend, memory, limits, &mut self.kept, watch);
        }
        self.table.age();
        self.drive((root, line), settings, limits, None, watch)
    }

    /// Searches as one of a team's threads. The drivers alone can; whoever gathers the team ages the table.
    pub fn search_in_team(&mut self, task: &Task, member: Member<'_>, watch: &mut dyn Watch) -> Outcome {
        self.drive((&task.root, &task.line), &task.settings, &task.limits, Some(member), watch)
    }

    /// Runs a driver of the node routine.
    fn drive(
        &mut self,
        (root, line): (&Position, &[u64]),
        settings: &Settings,
        limits: &Limits,
        member: Option<Member<'_>>,
        watch: &mut dyn Watch,
    ) -> Outcome {
        self.kept = None;
        self.evaluator.set_blur(settings.blur);
        // The threads of a team count together.
        let node_limit = limits.nodes.filter(|_| member.is_none()).unwrap_or(u64::MAX);
        let mut search = self.begin(line, settings, watch);
        search.node_limit = node_limit;
        search.next_poll = FIRST_LOOK.min(node_limit);
        search.member = member;
        let deepening = Deepening::new(&mut search, root, limits);
        match settings.mode {
            Mode::Play => deepening.run::<node::Play>(),
            Mode::Paper => deepening.run::<node::Paper>(),
            Mode::Strict => deepening.run::<node::Strict>(),
        }
    }

    /// A search that has not begun: of one thread, without a limit. `line` holds the keys of the game's earlier
    /// positions.
    fn begin<'a>(
        &'a mut self,
        line: &[u64],
        settings: &'a Settings,
        watch: &'a mut (dyn Watch + 'a),
    ) -> Search<'a> {
        let mut keys = Vec::with_capacity(line.len() + score::MAX_PLY);
        keys.extend_from_slice(line);
        Search {
            table: &self.table,
            keeping: Keeping { replacement: settings.replacement, bounds: settings.table_bounds },
            settings,
            histories: &mut self.histories,
            corrections: &mut self.corrections,
            evaluator: &mut self.evaluator,
            watch,
            stats: Stats::default(),
            lines: Lines::new(),
            frames: vec![Frame::EMPTY; score::MAX_PLY + 2].into_boxed_slice(),
            root_at: keys.len(),
            keys,
            since_null_move: 0,
            scouts: settings.backend != Backend::AlphaBeta,
            root_depth: 0,
            next_poll: FIRST_LOOK,
            node_limit: u64::MAX,
            member: None,
            tables: None,
            mates: None,
        }
    }
}
