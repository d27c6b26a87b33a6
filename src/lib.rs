//! Plumb: a chess engine whose search algorithm is a choice.
//!
//! The modules are layered: [`uci`] and `lab` use [`engine`], that uses [`search`], and so on down to
//! [`minimax`] and [`games`], which know no chess, [`eval`] and [`chess`]. `docs/architecture.md` has the
//! table of layers.
//!
//! Nothing in [`search`] prints, and nothing below [`uci`] and `lab` knows that UCI exists. The feature `lab`
//! (on unless `default-features = false`) adds the laboratory and the command line; `pages` alone what
//! records searches and draws them, without a terminal.
//!
//! # A tour
//!
//! Begin in [`minimax::driver`]. A [`Bracket`](minimax::Bracket) holds what is known of the value of a root,
//! f- and f+; a [`Policy`](minimax::Policy) looks at it and says which bound to ask next; a
//! [`Tree`](minimax::Tree) answers, fail-soft; [`drive`](minimax::drive) repeats that until the bounds meet
//! (TR figure 8). MTD(f), SSS\*, DUAL\* and their relatives are policies of a few lines, and they know no
//! game.
//!
//! Two types implement `Tree`. [`minimax::mt`] is the textbook's: the memory-enhanced test over any
//! [`Game`](minimax::Game), be it a [drawn tree](games::explicit), [Othello](games::othello) or
//! [chess](search::ChessGame). The engine's own is in [`search`], in `node.rs`: the same test with
//! everything that makes a chess program fast.
//!
//! Layers above: [`search::Searcher`] deepens one position and reports to a
//! [`SearchControl`](search::SearchControl); [`engine::Session`] owns the position, the options, the table
//! and the thread; [`uci`] turns text into its commands. Layers below: [`eval::Evaluator`] evaluates a
//! position in units of [`UNITS_PER_PAWN`](chess::score::UNITS_PER_PAWN), and [`chess`] has the rules.
//!
//! # One search
//!
//! ```
//! use plumb::chess::game::Game;
//! use plumb::chess::score::mate_in_moves;
//! use plumb::search::{Backend, Driver, Limits, NoControl, Searcher, Settings};
//!
//! let game = Game::parse_fen("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")?;
//! let mut searcher = Searcher::with_own_table(1)?; // MiB
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
//! A new driver is a policy. This one asks for a bound three quarters of the way up the bracket: a bisection
//! that expects a high value.
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
//! Two lines more, and the option Backend, `plumb compare`, the tests and the papers' experiments know it:
//! CONTRIBUTING.md says which.
//!
//! The papers are cited by short names (TR, IJCAI, INFO, BFM, REAL, BNS, AAAI-96): the references of
//! README.md.

pub mod chess;
#[cfg_attr(not(feature = "lab"), allow(unreachable_pub, reason = "the laboratory exports it"))]
mod digest;
pub mod engine;
pub mod eval;
mod files;
#[cfg(feature = "pages")]
pub mod lab;
#[cfg(test)]
mod layers;
mod legible;
mod memory;
pub mod search;
pub mod uci;

pub(crate) use plumb_minimax::choice;
#[doc(no_inline)]
pub use plumb_minimax::{self as minimax, games, random};
