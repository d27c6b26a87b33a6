//! Plumb: a chess engine whose search algorithm is a choice.
//!
//! The house, from the ground up (a room may use what stands below it, never what stands above):
//!
//! | floor | room | what it knows |
//! |---|---|---|
//! | 6 | [`uci`], `lab` | programs, files, tables |
//! | 5 | [`engine`] | one search after another |
//! | 4 | [`search`] | one position |
//! | 3 | [`games`] | textbook games |
//! | 2 | [`minimax`] | values and bounds, no chess |
//! | 1 | [`eval`] | what a position is worth |
//! | 0 | [`chess`] | the rules |
//!
//! Nothing in [`search`] prints, and nothing below [`uci`] and `lab` knows that UCI exists. The feature `lab` (on
//! unless `default-features = false`) adds the laboratory and the command line.
//!
//! # A tour
//!
//! Begin on the second floor, in [`minimax::driver`]. A [`Bracket`](minimax::Bracket) holds what is known of the
//! value of a root, f- and f+; a [`Policy`](minimax::Policy) looks at it and says which bound to ask next; a
//! [`Tree`](minimax::Tree) answers, fail-soft; [`drive`](minimax::drive) repeats that until the bounds meet (TR
//! figure 8). MTD(f), SSS\*, DUAL\* and their relatives are policies of a few lines, and they know no game.
//!
//! Two trees answer. [`minimax::mt`] is the textbook's: the memory-enhanced test over any
//! [`Game`](minimax::Game), be it a [drawn tree](games::explicit), [Othello](games::othello) or
//! [chess](search::ChessGame). The engine's own stands in [`search`], in `node.rs`: the same test with everything that
//! makes a chess program fast.
//!
//! From there, up: [`search::Searcher`] deepens one position and tells a [`SearchControl`](search::SearchControl) how it goes;
//! [`engine::Session`] owns the position, the options, the table and the thread; [`uci`] turns text into its commands.
//! Or down: [`eval::Evaluator`] says what a position is worth, in units of
//! [`UNITS_PER_PAWN`](chess::score::UNITS_PER_PAWN), and [`chess`] knows the rules.
//!
//! # One search
//!
//! ```
//! use plumb::chess::game::Game;
//! use plumb::chess::score::mate_in_moves;
//! use plumb::search::{Backend, Driver, Limits, Searcher, Settings, TranspositionTable, NoControl};
//! use std::sync::Arc;
//!
//! let game = Game::parse_fen("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")?;
//! let mut searcher = Searcher::new(Arc::new(TranspositionTable::new(1)?)); // MiB
//! let settings = Settings { backend: Backend::Driver(Driver::SssStar), ..Settings::default() };
//! let limits = Limits { depth: 4, ..Limits::default() }; // plies
//! let outcome = searcher.search(game.position(), game.key_history(), &settings, &limits, &mut NoControl);
//! assert_eq!(outcome.best.map(|m| game.print_move(m)).as_deref(), Some("a1a8"));
//! assert_eq!(mate_in_moves(outcome.value), Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A backend in ten lines
//!
//! A new driver is a policy. This one asks for a bound three quarters of the way up the bracket: a bisection for
//! people who expect good news.
//!
//! ```
//! use plumb::minimax::{Bracket, Policy};
//!
//! struct Optimist;
//!
//! impl Policy<i32> for Optimist {
//!     fn next(&self, b: &Bracket<i32>) -> Option<i32> {
//!         b.open().then(|| b.upper - (b.upper - b.lower - 1) / 4)
//!     }
//! }
//!
//! // It finds the value of the tree in TR figures 3 to 7, and a mate on the chessboard.
//! use plumb::chess::{game, score};
//! use plumb::games::explicit::Explicit;
//! use plumb::minimax::memory::UnboundedTable;
//! use plumb::minimax::mt::{MtOptions, Search};
//! use plumb::minimax::{Game, Stopped, drive};
//! use plumb::search::ChessGame;
//!
//! fn value<G: Game<Value = i32>>(root: G, plies: u32) -> Result<i32, Stopped> {
//!     let mut tree = Search::new(root, plies, UnboundedTable::new(), MtOptions::default());
//!     let mut bracket = Bracket::new(-G::LIMIT, G::LIMIT, 0);
//!     drive(&mut tree, &Optimist, &mut bracket)?;
//!     Ok(bracket.value())
//! }
//!
//! assert_eq!(value(Explicit::report(), 4), Ok(35));
//! let mate = game::Game::parse_fen("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")?;
//! assert_eq!(value(ChessGame::new(mate.position().clone()), 3), Ok(score::MATE - 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! To play with it, two lines in [`minimax::drivers`]: a variant of [`Driver`](minimax::drivers::Driver) with its names
//! (`Optimist = "Optimist" / "optimist",`), and an arm in [`Driver::close`](minimax::drivers::Driver::close)
//! (`Driver::Optimist => parameters.drive(tree, Optimist, bracket),`). The option Backend, `plumb compare`, the tests
//! and the papers' experiments over other games then know it.
//!
//! The papers are cited by short names. TR: Plaat, Schaeffer, Pijls and de Bruin, *A New Paradigm for Minimax Search*,
//! 1995. IJCAI: the same, *Best-First Fixed-Depth Game-Tree Search in Practice*, 1995. INFO: Reinefeld, Schaeffer and
//! Marsland, *Information Acquisition in Minimal Window Search*, 1985. BFM: Korf and Chickering, *Best-First Minimax
//! Search: Othello Results*, 1994. REAL: Mańdziuk and Osman, *Alpha-Beta Search Enhancements with a Real-Value
//! Game-State Evaluation Function*, 2004.

pub mod chess;
mod choice;
mod digest;
pub mod engine;
pub mod eval;
mod files;
pub mod games;
#[cfg(feature = "lab")]
pub mod lab;
pub mod minimax;
pub mod random;
pub mod search;
pub mod uci;
