//! Static evaluation of a position: by a network (NNUE), or by hand-crafted terms in centipawns, tapered
//! between middlegame and endgame.
//!
//! | file | contents |
//! |---|---|
//! | `evaluator` | the static evaluation of a search: one of the two, with noise |
//! | `network` | the network |
//! | `hand_crafted` | the hand-crafted evaluation: the sum of all terms |
//! | `tapered`, `endgame_scale` | middlegame and endgame scores, game phase; scale factors and mop-up |
//! | `pieces`, `mobility` | terms of one side's pieces: piece-square values, mobility, outposts, open files |
//! | `pawns` | pawn structure and king shelter, cached in a pawn hash table |
//! | `king_safety`, `threats`, `passed_pawns`, `space` | terms that need the attacks of both sides |
//! | `side`, `attack_maps`, `relative_board` | one side, attacks of both, bitboards with own pawns going up |
//! | `weights`, `psqt` | the weights, and their piece-square tables |
//! | `weight_source`, `weight_fields`, `weight_list` | weights as a parameter, as fields, as a list |
//! | `features` | an evaluation as a function of its weights, for Texel tuning |
//! | `explain` | evaluation trace, term by term |
//! | `noise` | random errors for an engine of limited strength |

mod attack_maps;
mod endgame_scale;
mod evaluator;
pub mod explain;
pub mod features;
pub mod hand_crafted;
mod king_safety;
mod mobility;
pub mod network;
pub mod noise;
mod passed_pawns;
mod pawns;
mod pieces;
mod psqt;
mod relative_board;
mod side;
mod space;
mod tapered;
#[cfg(test)]
mod tests;
mod threats;
mod weight_fields;
pub mod weight_list;
mod weight_source;
mod weights;

pub use evaluator::{Evaluation, Evaluator};
pub use explain::Explanation;
pub use hand_crafted::HandCrafted;
pub use network::Network;
pub use noise::EvalNoise;
