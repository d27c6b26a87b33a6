//! Textbook games: what the papers measured on, besides chess. They know [`crate::minimax::Game`] and random
//! numbers, and nothing of searches, programs or files.

pub mod explicit;
pub mod korf;
pub mod random_tree;
