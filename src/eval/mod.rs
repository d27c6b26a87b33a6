//! What a position is worth, without search.

pub mod hand_crafted;

pub use hand_crafted::Evaluator;
