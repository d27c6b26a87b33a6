//! Textbook games that the papers measured on, besides chess. They depend on [`crate::Game`] and random
//! numbers alone, not on searches or files.

pub mod checkers;
pub mod explicit;
pub mod korf;
pub mod othello;
mod othello_board;
pub mod othello_endgame;
mod othello_eval;
pub mod random_tree;
