//! Figures 11 to 14 of TR, the Othello part.

use super::fixed_depth::{FixedDepth, Protocol, played};
use crate::games::othello::Othello;
use crate::lab::experiment::Scale;
use crate::minimax::Game;
use crate::random::SplitMix64;

/// The experiment `othello`.
pub static OTHELLO: FixedDepth<Othello> = FixedDepth {
    name: "othello",
    title: "The drivers of MT on Othello (TR figures 11 to 14)",
    positions,
    protocol,
    unit: "hundredths of a disc",
    saved_time: 5,
};

const fn protocol(scale: Scale) -> Protocol {
    // From too narrow to too wide, so that the best one lies between.
    const WINDOWS: &[i32] = &[6, 12, 25, 50, 100, 200, 400, 800];
    match scale {
        Scale::Quick => Protocol { positions: 20, depth: 9, bits: 20, windows: WINDOWS, stride: 100 },
        Scale::Full => Protocol { positions: 20, depth: 10, bits: 21, windows: WINDOWS, stride: 100 },
    }
}

/// Positions of self-played games, from different stages, as long as a dozen squares are empty.
fn positions(count: usize) -> Vec<Othello> {
    played(count, opening, |position, _| position.empties() < 12)
}

/// Six random plies.
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
