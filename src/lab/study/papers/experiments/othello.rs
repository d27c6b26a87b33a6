//! The drivers of MT on Othello (TR figures 11 to 14).

use super::fixed_depth::{FixedDepth, FixedDepthPlan, played};
use super::searches::Positions;
use crate::games::othello::Othello;
use crate::minimax::Game;
use crate::random::SplitMix64;

/// The experiment `othello`.
pub static OTHELLO: FixedDepth<Othello> = FixedDepth {
    name: "othello",
    title: "The drivers of MT on Othello (TR figures 11 to 14)",
    positions,
    unit: "hundredths of a disc",
    plans: [
        FixedDepthPlan { searched: Positions { count: 20, depth: 9 }, bits: 20 },
        FixedDepthPlan { searched: Positions { count: 200, depth: 11 }, bits: 21 },
    ],
    windows: &[6, 12, 25, 50, 100, 200, 400, 800],
    stride: 100,
    branching: 10.0,
};

/// Positions of self-played games, from different stages, as long as a dozen squares are empty.
fn positions(count: usize) -> Vec<Othello> {
    played(count, opening, |position, _| position.empties() < 12)
}

/// The position after six random plies.
fn opening(seed: u64) -> Othello {
    let mut random = SplitMix64::new(seed);
    let mut position = Othello::start();
    for _ in 0..6 {
        let moves = position.moves();
        position = position.play(moves[random.below(moves.len())]);
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_the_same_in_every_run_and_all_different() {
        let found = positions(20);
        assert_eq!(found, positions(20));
        assert_eq!(found[..10], positions(10));
        let different: std::collections::HashSet<_> = found.iter().collect();
        assert_eq!(different.len(), 20);
    }
}
