//! State of the mate search at one root: the length of the next mate to prove, the moves made so far, and the
//! mate that is proven.

use crate::chess::score::Value;
use crate::search::mate::prover::MateProver;
use shakmaty::Move;

/// Proof-number search for mates of one side at one root.
pub(in crate::search) struct MateSearch {
    /// True if the side to move at the root is the one that mates.
    pub(super) attacks: bool,
    /// Length of the next mate to prove, or of the one that is proven, in plies.
    pub(super) plies: u32,
    /// Attempts to find the line of the mate that is proven; 0 while none is.
    pub(super) line_attempts: u32,
    /// Moves made by the proofs so far.
    pub(super) made_moves: u64,
    /// Positions visited so far for the lines of announced mates.
    pub(in crate::search) line_positions: u64,
    pub(in crate::search) prover: MateProver,
    /// The shortest mate, proven: its line and its value.
    pub(in crate::search) found: Option<(Vec<Move>, Value)>,
}

impl MateSearch {
    /// A search for mates by the side to move at the root (`attacks`), or by its opponent.
    pub(super) fn new(attacks: bool, prover: MateProver) -> MateSearch {
        let plies = if attacks { 1 } else { 2 };
        MateSearch { attacks, plies, line_attempts: 0, made_moves: 0, line_positions: 0, prover, found: None }
    }
}
