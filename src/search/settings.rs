//! What a search is asked and how it is to go about it.

use super::backend::Backend;
use super::parameters::Parameters;
use crate::chess::score::{MAX_PLY, Value};
use crate::chess::syzygy::Tablebases;
use crate::choice::choice;
use crate::eval::EvalNoise;
pub use crate::minimax::drivers::Walk;
pub use crate::minimax::mtd_best::Strategy;
use crate::minimax::replacement::Replacement;
use shakmaty::Move;
use std::sync::Arc;

choice! {
    /// The three modes of one search.
    Mode {
        /// Selective: what plays games.
        #[default]
        Play = "play",
        /// Full width, quiescence as the leaf evaluation, the table as usual: what the papers measure.
        Paper = "paper",
        /// Paper mode for proofs: table entries of exactly the asked depth, no draws by path.
        Strict = "strict",
    }
}

impl Mode {
    /// How many contradictions of one iteration reopen its bracket; the next one closes it. Selective search
    /// contradicts itself now and then, and must not go on so for ever. The other modes are to be measured as the
    /// papers have them: there the newer answer closes the bracket.
    pub(super) const fn reopenings(self) -> u32 {
        match self {
            Mode::Play => 2,
            Mode::Paper | Mode::Strict => 0,
        }
    }
}

choice! {
    /// Where an iteration's first guess comes from.
    FirstGuess {
        /// The value of the previous iteration.
        #[default]
        Previous = "previous",
        /// The value of two iterations ago (IJCAI 5.2: scores swing between odd and even depths).
        TwoBack = "two-back",
    }
}

choice! {
    /// How many bounds a table entry keeps.
    TableBounds {
        /// Lower and upper, each with its depth.
        #[default]
        Two = "two",
        /// The newest alone, as most engines do.
        One = "one",
    }
}

choice! {
    /// What the threads of one search have to do with each other.
    Helpers {
        /// They meet in the table alone.
        Lazy = "lazy",
        /// They share f- and f+ of the root as well.
        #[default]
        Bracket = "bracket",
    }
}

/// What the search asks the endgame tables, and which.
#[derive(Clone, Debug)]
pub struct Syzygy {
    /// The tables, if there are any.
    pub tablebases: Option<Arc<Tablebases>>,
    /// Plies left from which positions with the most men are looked up; those with fewer always are.
    pub probe_depth: i32,
    /// The most men on the board with which anything is looked up.
    pub probe_limit: usize,
    /// Whether a win has to come within fifty moves.
    pub fifty_moves: bool,
}

impl Default for Syzygy {
    fn default() -> Syzygy {
        Syzygy { tablebases: None, probe_depth: 1, probe_limit: 7, fifty_moves: true }
    }
}

/// How the search goes about its work: the options that it reads.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which algorithm asks the questions.
    pub backend: Backend,
    /// Selective, full width, or for proofs.
    pub mode: Mode,
    /// Bounds asked by a driver are multiples of this many units; 1 = exact. Strict mode takes 1.
    pub grid: Value,
    /// Half the first window of Aspiration NegaScout, in units.
    pub aspiration_window: Value,
    /// Where the first guess comes from.
    pub first_guess: FirstGuess,
    /// How MTD(f) walks from its guess to the value.
    pub walk: Walk,
    /// The stride of MTD-step, in units.
    pub step_size: Value,
    /// What MTD-best proves first.
    pub strategy: Strategy,
    /// One or two bounds in a table entry.
    pub table_bounds: TableBounds,
    /// Which of two entries that claim one place in the table stays.
    pub replacement: Replacement,
    /// Depth in plies from which transposition cut-offs are tried on all children first; 0 = never.
    pub enhanced_cutoffs: i32,
    /// The share of the moves, in per cent, that may go to a search for mates where the value promises one.
    pub mate_share: u32,
    /// What several threads share.
    pub helpers: Helpers,
    /// Lines to report.
    pub multi_pv: usize,
    /// The endgame tables.
    pub syzygy: Syzygy,
    /// The numbers of selective search.
    pub parameters: Parameters,
    /// How the evaluation errs, for an opponent that is not to play its best; such a one thinks on one thread. A
    /// table and a memory filled under one blur are of no use under another.
    pub noise: Option<EvalNoise>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            backend: Backend::default(),
            mode: Mode::default(),
            grid: 16,
            aspiration_window: 20,
            first_guess: FirstGuess::default(),
            walk: Walk::default(),
            step_size: 32,
            strategy: Strategy::default(),
            table_bounds: TableBounds::default(),
            replacement: Replacement::default(),
            enhanced_cutoffs: 0,
            mate_share: 10,
            helpers: Helpers::default(),
            multi_pv: 1,
            syzygy: Syzygy::default(),
            parameters: Parameters::default(),
            noise: None,
        }
    }
}

/// When a search has found what it was asked for. What clocks say is the business of a [`super::SearchControl`].
#[derive(Clone, Debug)]
pub struct Limits {
    /// Iterations to run, in plies, 1 to [`MAX_PLY`] - 1.
    pub depth: i32,
    /// Made moves after which to stop.
    pub nodes: Option<u64>,
    /// Stop when a mate in at most so many moves is proven.
    pub mate: Option<u32>,
    /// Root moves to consider; empty = all.
    pub moves: Vec<Move>,
    /// The first guess of every iteration, instead of [`Settings::first_guess`] (for proofs and experiments).
    pub guess: Option<Value>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: MAX_PLY as i32 - 1, nodes: None, mate: None, moves: Vec::new(), guess: None }
    }
}
