//! Minimax search whose driver is a choice: MTD(f), MTD-best, Best Node Search, MTD-bi, MTD-step, SSS\*,
//! DUAL\*, MTD-opt, Aspiration NegaScout, Alpha-Beta, Informed NegaScout and best-first minimax, over any
//! two-player game.
//!
//! Values and bounds, and no more: nothing in this crate knows chess, reads a file or a clock, prints or
//! exits. It needs the standard library alone. A search is stopped by the [`StopCondition`] that it is given.
//!
//! # Entry points
//!
//! [`solve`](solve::solve) is one call for a game of one's own: implement [`Game`], choose a
//! [`Driver`](drivers::Driver). `examples/connect_four.rs` does so.
//!
//! Underneath, a [`Bracket`] holds what is known of the value of a root, f- and f+; a [`Policy`] looks at it
//! and says which bound to ask next; a [`Tree`] answers, fail-soft; [`drive`] repeats that until the bounds
//! meet (TR figure 8).
//!
//! | module | contents |
//! |---|---|
//! | [`driver`], [`drivers`] | policies of a few lines and the loop; their names and the dispatch |
//! | [`mtd_best`], [`best_node`], [`optimal`] | the longer policies: MTD-best, Best Node Search, MTD-opt |
//! | [`mt`] | the textbook's tree: the memory-enhanced test over any [`Game`] |
//! | [`memory`], [`replacement`] | transposition tables of the textbook, and their replacement schemes |
//! | [`solve`](mod@solve), [`deepening`] | one call for a game; iterative deepening |
//! | [`alpha_beta`], [`nega_scout`], [`ins`], [`stockman_sss`], [`real`] | as their papers print them |
//! | [`best_first`], [`recursive_best_first`], [`best_first_extension`], [`unbounded`] | best-first minimax |
//! | [`minimal_graph`], [`traversal`] | minimal trees and graphs; walks over a game |
//! | [`shared_bracket`], [`window`] | the bracket of several threads; windows |
//! | [`observer`] | events of a recorded search |
//! | [`games`], [`random`], [`macro@choice`] | the papers' games; random numbers; enums of named choices |
//!
//! ```
//! use plumb_minimax::drivers::Driver;
//! use plumb_minimax::games::explicit::Explicit;
//! use plumb_minimax::solve::{Limits, solve};
//!
//! let tree = Explicit::new(&"((3 5) (2 9))".parse()?);
//! assert_eq!(solve(&tree, &Limits::depth(2), Driver::SssStar).value, 3);
//! # Ok::<(), String>(())
//! ```
//!
//! # The papers
//!
//! - TR: Plaat, Schaeffer, Pijls and de Bruin, *A New Paradigm for Minimax Search*, EUR-CS-95-03, 1995.
//! - IJCAI: the same, *Best-First Fixed-Depth Game-Tree Search in Practice*, 1995.
//! - INFO: Reinefeld, Schaeffer and Marsland, *Information Acquisition in Minimal Window Search*, 1985.
//! - BFM: Korf and Chickering, *Best-First Minimax Search: Othello Results*, AAAI 1994.
//! - REAL: Mańdziuk and Osman, *Alpha-Beta Search Enhancements with a Real-Value Game-State Evaluation
//!   Function*, 2004.

pub mod alpha_beta;
pub mod best_first;
pub mod best_first_extension;
pub mod best_first_limits;
mod best_first_selection;
pub mod best_node;
mod choice;
pub mod deepening;
pub mod driver;
pub mod drivers;
pub mod game;
pub mod games;
pub mod ins;
pub mod memory;
pub mod minimal_graph;
pub mod mt;
pub mod mtd_best;
pub mod nega_scout;
pub mod observer;
pub mod optimal;
pub mod optimal_table;
pub mod random;
pub mod real;
pub mod recursive_best_first;
pub mod replacement;
pub mod shared_bracket;
pub mod solve;
pub mod stockman_sss;
pub mod traversal;
pub mod unbounded;
pub mod window;

pub use driver::{Bracket, Policy, Tree, drive};
pub use game::{Game, NeverStop, StopCondition};
pub use memory::Memory;
pub use mtd_best::RootMoves;
pub use observer::{Observer, Unobserved};
pub use window::{Value, Window};

/// Error of a stopped search, which has no value; the bracket keeps the bounds found before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// The example in README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
