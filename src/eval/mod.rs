//! What a position is worth, without search.

mod endgames;
pub mod explain;
pub mod hand_crafted;
mod pawns;
mod placement;
mod tapered;
mod view;
mod weights;

pub use explain::Explanation;
pub use hand_crafted::Evaluator;
