//! Textbook games: what the papers measured on, besides chess. They know [`crate::minimax::Game`] and random
//! numbers, and nothing of searches, programs or files.

pub mod checkers;
pub mod explicit;
pub mod korf;
pub mod othello;
pub mod othello_eval;
pub mod random_tree;
