//! The drivers of MT on checkers (TR figures 11 to 14).

use super::fixed_depth::{FixedDepth, FixedDepthPlan, played};
use super::searches::Positions;
use crate::games::checkers::Checkers;

/// The experiment `checkers`.
pub static CHECKERS: FixedDepth<Checkers> = FixedDepth {
    name: "checkers",
    title: "The drivers of MT on checkers (TR figures 11 to 14)",
    positions,
    unit: "hundredths of a man",
    plans: [
        FixedDepthPlan { searched: Positions { count: 20, depth: 13 }, bits: 20 },
        FixedDepthPlan { searched: Positions { count: 200, depth: 16 }, bits: 21 },
    ],
    // 4 is not too narrow yet, so the windows begin with 1.
    windows: &[1, 2, 4, 8, 15, 30, 60, 120],
    stride: 25,
    branching: 3.0,
};

/// Plies of a game that are kept: in later ones, kings mostly move to and fro.
const LONGEST: usize = 46;

/// Positions of self-played games, from different stages.
fn positions(count: usize) -> Vec<Checkers> {
    played(
        count,
        |seed| Checkers::random_game(6, seed).pop().unwrap_or_else(Checkers::start),
        |_, ply| ply >= LONGEST,
    )
}
