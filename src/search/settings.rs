//! Settings and limits of a search.

use super::backend::Backend;
use super::overlooked_moves::HumanErrors;
use super::parameters::Parameters;
use crate::chess::score::{MAX_PLY, Value};
use crate::chess::syzygy::Tablebases;
use crate::choice;
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
    /// Number of contradicting passes (search instability) in one iteration that reopen its bracket; the next
    /// one closes it. A selective search contradicts itself now and then; the limit ends the iteration. The
    /// other modes are measured as in the papers: the newer value closes the bracket.
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
    /// Data that the threads of a parallel search share.
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
    /// The least depth, in plies, at which positions with the most men are probed; those with fewer always
    /// are.
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

/// Plies between two depths at which the grid of play mode is halved.
const GRID_PLIES: i32 = 4;

/// The finest grid, in units, that halving leads to.
const FINEST_HALVED_GRID: Value = 4;

/// Settings of a search: the options that it reads.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The search algorithm.
    pub backend: Backend,
    /// The mode: selective, full width, or for proofs.
    pub mode: Mode,
    /// Settings of the drivers, in units. Strict mode has a grid of 1, and play mode a finer one in deep
    /// iterations.
    pub drivers: DriverSettings,
    /// Depth in plies up to which the grid in play mode is that of [`Settings::drivers`]; it is halved one
    /// ply beyond it and every four plies from there on, down to 4 units. 0 = never.
    pub grid_depth: i32,
    /// Source of the first guess.
    pub first_guess: FirstGuess,
    /// One or two bounds in a transposition-table entry.
    pub table_bounds: TableBounds,
    /// Replacement scheme of the transposition table.
    pub replacement: Replacement,
    /// Depth in plies from which enhanced transposition cut-offs (ETC) are tried; 0 = never.
    pub enhanced_cutoffs: i32,
    /// The share of the moves, in per cent, for the mate search where the value promises a mate.
    pub mate_share: u32,
    /// Data that the threads of a parallel search share.
    pub helpers: Helpers,
    /// Number of lines to report (MultiPV).
    pub multi_pv: usize,
    /// Endgame tablebases.
    pub syzygy: Syzygy,
    /// Parameters of selective search.
    pub parameters: Parameters,
    /// The kind of evaluation.
    pub evaluation: Evaluation,
    /// The network, where one is loaded. A transposition table and a kept tree that were filled with one
    /// evaluation must not be used with another.
    pub loaded_network: Option<Arc<Network>>,
    /// Errors of limited strength, which searches on one thread. A transposition table and a kept tree that
    /// were filled with some errors must not be used with others.
    pub errors: Option<HumanErrors>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            backend: Backend::default(),
            mode: Mode::default(),
            drivers: DriverSettings {
                grid: 16,
                stepping: Stepping::GrowingSteps,
                stride: 32,
                aspiration_window: 20,
                strategy: Strategy::ProveBest,
            },
            grid_depth: 10,
            first_guess: FirstGuess::default(),
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
            errors: None,
        }
    }
}

impl Settings {
    /// The network to evaluate with; `None` for the hand-crafted evaluation.
    #[must_use]
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.loaded_network.as_ref().filter(|_| self.evaluation == Evaluation::Network)
    }

    /// The errors of the evaluation, of an opponent that is not to play its best.
    pub(super) fn noise(&self) -> Option<EvalNoise> {
        self.errors.map(|errors| errors.noise)
    }

    /// The grid of an iteration to `depth` plies, in units. In play mode it is halved at the first depth
    /// beyond [`Settings::grid_depth`] and every `GRID_PLIES` (4) plies from there on, down to
    /// `FINEST_HALVED_GRID` (4): a coarse grid saves passes, and the more nodes a search has, the less they
    /// are worth against the best of the moves in a step (docs/verdict.md). Paper mode has one grid at all
    /// depths, and strict mode a grid of 1.
    #[must_use]
    pub fn grid(&self, depth: i32) -> Value {
        let beyond = depth - self.grid_depth;
        match self.mode {
            Mode::Strict => 1,
            Mode::Play if self.grid_depth > 0 && beyond > 0 => {
                let (grid, halvings) = (self.drivers.grid, 1 + (beyond - 1) / GRID_PLIES);
                (grid >> halvings.min(16)).max(grid.min(FINEST_HALVED_GRID))
            }
            Mode::Play | Mode::Paper => self.drivers.grid,
        }
    }

    /// The table that MTD-opt reads.
    pub(super) fn optimal_table(&self) -> &'static OptimalTable {
        if self.mode == Mode::Play { &optimal_table::PLAY } else { &optimal_table::PAPER }
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
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: MAX_PLY as i32 - 1, nodes: None, mate: None, moves: Vec::new(), guess: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_play_mode_the_grid_is_halved_beyond_its_depth_and_every_four_plies_from_there_on() {
        let grids =
            |settings: &Settings| [1, 10, 11, 14, 15, 19, 23, 27, 127].map(|depth| settings.grid(depth));
        let mut settings = Settings { grid_depth: 10, ..Settings::default() };
        assert_eq!(grids(&settings), [16, 16, 8, 8, 4, 4, 4, 4, 4]);
        settings.drivers.grid = 100;
        assert_eq!(grids(&settings), [100, 100, 50, 50, 25, 12, 6, 4, 4]);
        settings.grid_depth = 0;
        assert_eq!(grids(&settings), [100; 9], "never");
        (settings.grid_depth, settings.mode) = (10, Mode::Paper);
        assert_eq!(grids(&settings), [100; 9], "as the papers");
        settings.mode = Mode::Strict;
        assert_eq!(grids(&settings), [1; 9]);
        (settings.grid_depth, settings.mode, settings.drivers.grid) = (10, Mode::Play, 2);
        assert_eq!(grids(&settings), [2; 9], "halving leads to no finer grid than 4");
    }
}
