//! Settings and limits of a search.

use super::backend::Backend;
use super::parameters::Parameters;
use crate::chess::score::{MAX_PLY, Value};
use crate::chess::syzygy::Tablebases;
use crate::choice::choice;
use crate::eval::{EvalNoise, Evaluation, Network};
pub use crate::minimax::drivers::{DriverSettings, Stepping};
pub use crate::minimax::mtd_best::Strategy;
use crate::minimax::optimal::OptimalTable;
use crate::minimax::optimal_table;
use crate::minimax::replacement::Replacement;
use shakmaty::Move;
use std::sync::Arc;

choice! {
    /// The three modes of one search.
    Mode {
        /// Selective search, for games.
        #[default]
        Play = "play",
        /// Full width with quiescence search at the leaves and the usual transposition table: what the papers
        /// measure.
        Paper = "paper",
        /// Paper mode for proofs: transposition-table entries of exactly the needed depth, no draws by path.
        Strict = "strict",
    }
}

impl Mode {
    /// Number of contradicting passes (search instability) in one iteration that reopen its bracket; the next one
    /// closes it. A selective search contradicts itself now and then; the limit ends the iteration. The other modes
    /// are measured as in the papers: the newer value closes the bracket.
    pub(super) const fn reopenings(self) -> u32 {
        match self {
            Mode::Play => 2,
            Mode::Paper | Mode::Strict => 0,
        }
    }
}

choice! {
    /// Source of an iteration's first guess.
    FirstGuess {
        /// The value of the previous iteration.
        #[default]
        Previous = "previous",
        /// The value of two iterations ago (IJCAI 5.2: scores swing between odd and even depths).
        TwoBack = "two-back",
    }
}

choice! {
    /// Number of bounds in a transposition-table entry.
    TableBounds {
        /// Lower and upper, each with its depth.
        #[default]
        Two = "two",
        /// The newest only, as in most engines.
        One = "one",
    }
}

choice! {
    /// What the threads of a parallel search share.
    Helpers {
        /// Lazy SMP: the transposition table only.
        Lazy = "lazy",
        /// Shared bracket: also f- and f+ of the root.
        #[default]
        Bracket = "bracket",
    }
}

/// Syzygy tablebases and the conditions of a probe.
#[derive(Clone, Debug)]
pub struct Syzygy {
    /// The tablebases, if there are any.
    pub tablebases: Option<Arc<Tablebases>>,
    /// The least depth, in plies, at which positions with the most men are probed; those with fewer always are.
    pub probe_depth: i32,
    /// The most men on the board of a position that is probed.
    pub probe_limit: usize,
    /// True if a win has to come within the fifty-move rule.
    pub fifty_moves: bool,
}

impl Default for Syzygy {
    fn default() -> Syzygy {
        Syzygy { tablebases: None, probe_depth: 1, probe_limit: 7, fifty_moves: true }
    }
}

/// Settings of a search: the options that it reads.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The search algorithm.
    pub backend: Backend,
    /// The mode: selective, full width, or for proofs.
    pub mode: Mode,
    /// Settings of the drivers, in units. Strict mode has a grid of 1.
    pub drivers: DriverSettings,
    /// Source of the first guess.
    pub first_guess: FirstGuess,
    /// The table of MTD-opt; `None`: the program's own for the mode.
    pub optimal: Option<Arc<OptimalTable>>,
    /// One or two bounds in a transposition-table entry.
    pub table_bounds: TableBounds,
    /// Replacement scheme of the transposition table.
    pub replacement: Replacement,
    /// Depth in plies from which enhanced transposition cut-offs (ETC) are tried; 0 = never.
    pub enhanced_cutoffs: i32,
    /// The share of the moves, in per cent, for the mate search where the value promises a mate.
    pub mate_share: u32,
    /// What the threads of a parallel search share.
    pub helpers: Helpers,
    /// Number of lines to report (MultiPV).
    pub multi_pv: usize,
    /// Endgame tablebases.
    pub syzygy: Syzygy,
    /// Parameters of selective search.
    pub parameters: Parameters,
    /// The kind of evaluation.
    pub evaluation: Evaluation,
    /// The network, where one is loaded. A transposition table and a kept tree that were filled with one evaluation
    /// must not be used with another.
    pub loaded_network: Option<Arc<Network>>,
    /// Evaluation noise, for an opponent that is not to play its best; it searches on one thread. A transposition
    /// table and a kept tree that were filled with one noise must not be used with another.
    pub noise: Option<EvalNoise>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            backend: Backend::default(),
            mode: Mode::default(),
            drivers: DriverSettings {
                grid: 16,
                stepping: Stepping::Strides,
                stride: 32,
                aspiration_window: 20,
                strategy: Strategy::ProveBest,
            },
            first_guess: FirstGuess::default(),
            optimal: None,
            table_bounds: TableBounds::default(),
            replacement: Replacement::default(),
            enhanced_cutoffs: 0,
            mate_share: 10,
            helpers: Helpers::default(),
            multi_pv: 1,
            syzygy: Syzygy::default(),
            parameters: Parameters::default(),
            evaluation: Evaluation::default(),
            loaded_network: None,
            noise: None,
        }
    }
}

impl Settings {
    /// The network to evaluate with; `None` for the hand-crafted evaluation.
    #[must_use]
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.loaded_network.as_ref().filter(|_| self.evaluation == Evaluation::Network)
    }

    /// The table that MTD-opt reads.
    pub(super) fn optimal_table(&self) -> &OptimalTable {
        let own = if self.mode == Mode::Play { &optimal_table::PLAY } else { &optimal_table::PAPER };
        self.optimal.as_deref().unwrap_or(own)
    }
}

/// Limits of a search. Time limits are up to the [`super::SearchControl`].
#[derive(Clone, Debug)]
pub struct Limits {
    /// Depth of the last iteration, in plies, 1 to [`MAX_PLY`] - 1.
    pub depth: i32,
    /// Made moves after which to stop.
    pub nodes: Option<u64>,
    /// Stop when a mate in at most so many moves is proven.
    pub mate: Option<u32>,
    /// Root moves to search; empty = all.
    pub moves: Vec<Move>,
    /// The first guess of every iteration, instead of [`Settings::first_guess`] (for proofs and experiments).
    pub guess: Option<Value>,
    /// First guesses by depth, from depth 1 on, before everything else (for experiments); empty = none.
    pub guesses: Vec<Value>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: MAX_PLY as i32 - 1,
            nodes: None,
            mate: None,
            moves: Vec::new(),
            guess: None,
            guesses: Vec::new(),
        }
    }
}
