//! Figures 11 to 14 of TR, the Othello part.

use super::fixed_depth::{FixedDepth, Protocol};
use crate::games::othello::Othello;
use crate::lab::experiment::Scale;
use crate::minimax::Game;
use crate::minimax::deepening::{Algorithm, iterate};
use crate::minimax::memory::Lossless;
use crate::minimax::mt::{Manner, Search};
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
    const WINDOWS: &[i32] = &[25, 50, 100, 200, 400, 800];
    match scale {
        Scale::Quick => Protocol { positions: 10, depth: 7, bits: 18, windows: WINDOWS, stride: 100 },
        Scale::Full => Protocol { positions: 20, depth: 10, bits: 21, windows: WINDOWS, stride: 100 },
    }
}

/// Random plies at the beginning of a game.
const RANDOM_PLIES: u32 = 6;

/// Plies that each side looks ahead while the games are played.
const LOOKAHEAD: u32 = 3;

/// Positions of a game, four plies apart, that are taken from it.
const A_GAME: usize = 10;

/// Positions of self-played games, from different stages (TR section 4.2: positions of real games).
fn positions(count: usize) -> Vec<Othello> {
    let mut found = Vec::new();
    for seed in 1.. {
        found.extend(game(seed).into_iter().step_by(4).take(A_GAME));
        if found.len() >= count {
            break;
        }
    }
    found.truncate(count);
    found
}

/// The positions of a game after a random opening, as long as there are at least twelve empty squares.
fn game(seed: u64) -> Vec<Othello> {
    let mut random = SplitMix64::new(seed);
    let mut position = Othello::start();
    let mut positions = Vec::new();
    for ply in 0.. {
        let moves = position.moves();
        if moves.is_empty() || position.empties() < 12 {
            break;
        }
        let chosen = if ply < RANDOM_PLIES {
            random.below(moves.len())
        } else {
            positions.push(position);
            let mut search = Search::new(position, LOOKAHEAD, Lossless::new(), Manner::default());
            let found = iterate(&mut search, Algorithm::NegaScout, 0);
            found.ok().and_then(|(_, best, _)| best).unwrap_or(0)
        };
        position = position.play(moves[chosen.min(moves.len() - 1)]);
    }
    positions
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
