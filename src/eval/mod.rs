//! What a position is worth, without search.
//!
//! | file | what stands there |
//! |---|---|
//! | `hand_crafted` | the evaluator: the sum, the taper |
//! | `army`, `clash` | the terms: one side's pieces alone, both sides' attacks |
//! | `pawns` | pawn structure and king shelter, remembered |
//! | `endgames` | what cannot be won, how to mate a lone king |
//! | `weights`, `placement`, `tapered` | the numbers, pieces on squares, pairs of scores |
//! | `view` | the board as one side sees it |
//! | `noise` | an evaluation that errs, for weaker opponents |
//! | `explain` | the evaluation told term by term |
//! | `features`, `catalogue` | the evaluation as a function of its weights, and these as a list, for tuning |

mod endgame_scale;
pub mod explain;
pub mod features;
pub mod hand_crafted;
pub mod network;
pub mod noise;
mod pawns;
mod perspective;
mod pieces;
mod psqt;
mod tapered;
#[cfg(test)]
mod tests;
mod threats;
mod weight_fields;
pub mod weight_list;
mod weight_source;
mod weights;

pub use crate::eval::noise::EvalNoise;
pub use explain::Explanation;
pub use hand_crafted::Evaluator;
