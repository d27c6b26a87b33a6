//! What a position is worth, without search.

mod army;
mod clash;
mod endgames;
pub mod explain;
pub mod hand_crafted;
mod pawns;
mod placement;
mod tapered;
#[cfg(test)]
mod tests;
mod view;
mod weights;

pub use explain::Explanation;
pub use hand_crafted::Evaluator;
