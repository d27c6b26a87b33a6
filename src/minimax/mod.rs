//! Values and bounds, no chess: the drivers of the papers over anything that can answer a test.

pub mod alpha_beta;
pub mod best_first;
pub mod best_first_extension;
pub mod best_first_limits;
mod best_first_selection;
pub mod deepening;
pub mod driver;
pub mod drivers;
pub mod game;
pub mod ins;
pub mod memory;
pub mod minimal_graph;
pub mod mt;
pub mod mtd_best;
pub mod nega_scout;
pub mod observer;
pub mod optimal;
pub mod optimal_table;
pub mod real;
pub mod recursive_best_first;
pub mod replacement;
pub mod shared_bracket;
pub mod solve;
pub mod stockman_sss;
pub mod traversal;
pub mod unbounded;
pub mod window;

pub use crate::minimax::mtd_best::Forest;
pub use driver::{Bracket, Policy, Tree, drive};
pub use game::{Game, NeverStop, StopCondition};
pub use memory::Memory;
pub use observer::{Observer, Unobserved};
pub use window::{Value, Window};

/// A search was told to stop: it has no value. What was learnt before stays in the bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;
