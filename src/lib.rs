//! Plumb: a chess engine whose search algorithm is a choice.
//!
//! The house, from the ground up (a room may use what stands below it, never what stands above):
//!
//! | floor | room | what it knows |
//! |---|---|---|
//! | 6 | [`uci`], [`lab`] | programs, files, tables |
//! | 5 | [`engine`] | one search after another |
//! | 4 | [`search`] | one position |
//! | 3 | [`games`] | textbook games |
//! | 2 | [`minimax`] | values and bounds, no chess |
//! | 1 | [`eval`] | what a position is worth |
//! | 0 | [`chess`] | the rules |
//!
//! Nothing in [`search`] prints, and nothing below [`uci`] and [`lab`] knows that UCI exists.

pub mod chess;
mod choice;
pub mod engine;
pub mod eval;
pub mod games;
#[cfg(feature = "lab")]
pub mod lab;
pub mod minimax;
pub mod random;
pub mod search;
pub mod uci;
