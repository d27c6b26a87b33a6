//! Figures 11 to 14 of TR, the checkers part.

use super::fixed_depth::{FixedDepth, Protocol, played};
use crate::games::checkers::Checkers;
use crate::lab::experiment::Scale;

/// The experiment `checkers`.
pub static CHECKERS: FixedDepth<Checkers> = FixedDepth {
    name: "checkers",
    title: "The drivers of MT on checkers (TR figures 11 to 14)",
    positions,
    protocol,
    unit: "hundredths of a man",
    saved_time: 5,
};

const fn protocol(scale: Scale) -> Protocol {
    // From too narrow to too wide, so that the best one lies between: 4 is not narrow enough to end with.
    const WINDOWS: &[i32] = &[1, 2, 4, 8, 15, 30, 60, 120];
    match scale {
        Scale::Quick => Protocol { positions: 20, depth: 13, bits: 20, windows: WINDOWS, stride: 25 },
        Scale::Full => Protocol { positions: 20, depth: 15, bits: 21, windows: WINDOWS, stride: 25 },
    }
}

/// Plies of a game that are kept: later ones are mostly kings that walk about.
const LONGEST: usize = 46;

/// Positions of self-played games, from different stages.
fn positions(count: usize) -> Vec<Checkers> {
    played(
        count,
        |seed| Checkers::random_game(6, seed).pop().unwrap_or_else(Checkers::start),
        |_, ply| ply >= LONGEST,
    )
}
