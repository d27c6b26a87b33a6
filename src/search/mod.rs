//! Search of one position: one node routine (alpha-beta with a transposition table) and the drivers that call
//! it.
//!
//! The search does not print, read clocks or speak UCI. A [`Searcher`] is given [`Settings`] and [`Limits`],
//! polls a [`SearchControl`], and returns an [`Outcome`].
//!
//! | files | contents |
//! |---|---|
//! | `searcher`, `deepening` | entry point of a thread; iterations, MultiPV, the move after a stop |
//! | `root`, `node`, `move_loop`, `quiescence` | the tree that drivers test, from root to leaves |
//! | `move_picker`, `history` | move ordering |
//! | `pruning`, `reduction`, `singular` | selectivity |
//! | `make_move`, `key_history`, `repetition` | made moves, the current line, draws |
//! | `static_eval`, `correction_history` | evaluation of a node |
//! | `transposition`, `tt_cutoff`, `prefetch`, `tablebases` | transposition table, cut-offs, Syzygy |
//! | `settings`, `parameters`, `backend` | limits and options, declared numbers, names of algorithms |
//! | `control`, `polling` | stop and reports, and when they are due |
//! | `outcome`, `pv`, `stats`, `debug_stats` | results, principal variations, counts |
//! | `observe`, `observer_calls` | events of a recorded search, and the calls that report them |
//! | `state` | what the node routine works on: search, node, stack, rules of the modes |
//! | `smp`, `mate`, `overlooked_moves` | threads, the mate search, errors of limited strength |
//! | `textbook` | algorithms that search trees of their own |

pub mod backend;
pub mod control;
mod correction_history;
pub mod debug_stats;
mod deepening;
mod history;
mod key_history;
mod make_move;
mod mate;
mod move_loop;
mod move_picker;
mod node;
mod observe;
mod observer_calls;
mod outcome;
pub mod overlooked_moves;
pub mod parameters;
mod polling;
mod prefetch;
mod pruning;
mod pv;
mod quiescence;
mod reduction;
mod repetition;
mod root;
mod searcher;
pub mod settings;
mod singular;
pub mod smp;
mod state;
mod static_eval;
pub mod stats;
mod tablebases;
pub mod textbook;
pub mod transposition;
mod tt_cutoff;

pub use crate::minimax::drivers::Driver;
pub use backend::Backend;
pub use control::{Bound, Current, NoControl, Pass, Progress, Report, SearchControl};
pub use observe::{Reason, SearchObserver, VisitPurpose};
pub use outcome::Outcome;
pub use overlooked_moves::{HumanErrors, OverlookedMoves};
pub use parameters::{Parameter, Parameters};
pub use searcher::Searcher;
pub use settings::{
    DriverSettings, FirstGuess, Helpers, Limits, Mode, Settings, Stepping, Strategy, Syzygy, TableBounds,
};
pub use smp::{ParallelSearch, SearchThread, Task};
pub use stats::Stats;
pub use textbook::chess_game::{ChessGame, SharedEvaluator};
pub use transposition::TranspositionTable;

/// Every parameter of selective search, technique by technique.
pub fn tunable_parameters() -> impl Iterator<Item = &'static Parameter> {
    let others = [
        reduction::PARAMETERS,
        singular::PARAMETERS,
        move_loop::PARAMETERS,
        history::PARAMETERS,
        correction_history::PARAMETERS,
    ];
    pruning::PARAMETERS_OF_ALL.iter().copied().chain(others).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_in_their_ranges_and_are_the_values_of_a_search() {
        for parameter in tunable_parameters() {
            let range = parameter.min..=parameter.max;
            assert!(range.contains(&parameter.default), "{}", parameter.name);
            assert!(!parameter.off.is_some_and(|off| range.contains(&off)), "{}", parameter.name);
            assert_eq!(parameter.get(&Parameters::default()), parameter.default, "{}", parameter.name);
            assert!(!parameter.about.trim().is_empty());
        }
    }

    /// Another name for one of the two mends it.
    #[test]
    fn no_two_parameters_share_a_place() {
        let mut places = std::collections::HashMap::new();
        for parameter in tunable_parameters() {
            let other = places.insert(parameters::slot(parameter.name), parameter.name);
            assert_eq!(other, None, "{}", parameter.name);
        }
    }
}
