//! Limited strength: the handicap of `UCI_LimitStrength` and `UCI_Elo`.
//!
//! A node limit and evaluation noise ([`EvalNoise`]): a weaker player calculates less and judges positions less well.
//! Neither depends on the machine's speed. The best move of the weakened search is always the one played.

use crate::chess::score::centipawns;
use crate::eval::EvalNoise;
use std::ops::RangeInclusive;

/// Range of `UCI_Elo`: Elo on the scale on which Stockfish's developers rated its skill levels in January 2023
/// (commit a08b8d4e: 60 s + 0.6 s a game, anchored to CCRL Blitz through versions of Stash), and which the
/// `UCI_Elo` of Stockfish 16 and its successors follows. What Stockfish 15.1 labels 2500 is rated about 2980 there.
pub const ELO: RangeInclusive<i64> = 1320..=2800;

/// Calibration: Elo, node limit of a move, standard deviation of the evaluation noise in centipawns. Between the
/// steps the noise and the logarithm of the nodes are interpolated linearly. Measured as docs/options.md says, with
/// the default backend.
const STEPS: [(i64, f64, f64); 5] = [
    (1320, 150.0, 120.0),
    (1500, 160.0, 90.0),
    (2000, 680.0, 72.0),
    (2500, 12_700.0, 34.0),
    (2800, 85_000.0, 9.0),
];

/// Handicap of a search with limited strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    /// Node limit, in made moves.
    pub nodes: u64,
    /// Evaluation noise.
    pub noise: EvalNoise,
}

impl Handicap {
    /// The handicap of an Elo; `seed` is that of the evaluation noise.
    #[must_use]
    pub fn of(elo: i64, seed: u64) -> Handicap {
        let elo = elo.clamp(*ELO.start(), *ELO.end());
        let above = STEPS.iter().position(|step| step.0 >= elo).unwrap_or(STEPS.len() - 1).max(1);
        let (low, high) = (STEPS[above - 1], STEPS[above]);
        let way = (elo - low.0) as f64 / (high.0 - low.0) as f64;
        let between = |low: f64, high: f64| low + way * (high - low);
        let nodes = between(low.1.ln(), high.1.ln()).exp().round() as u64;
        let spread = centipawns(between(low.2, high.2).round() as i32);
        Handicap { nodes, noise: EvalNoise { spread, seed } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_elo_has_more_nodes_and_less_noise() {
        let mut before = Handicap::of(*ELO.start(), 1);
        for elo in ELO.skip(1) {
            let handicap = Handicap::of(elo, 1);
            assert!(handicap.nodes >= before.nodes && handicap.noise.spread <= before.noise.spread, "{elo}");
            before = handicap;
        }
        assert_eq!(before.nodes, STEPS[STEPS.len() - 1].1 as u64);
    }

    #[test]
    fn the_steps_cover_the_range_and_are_met_exactly() {
        assert_eq!((STEPS[0].0, STEPS[STEPS.len() - 1].0), (*ELO.start(), *ELO.end()));
        for (elo, nodes, spread) in STEPS {
            let handicap = Handicap::of(elo, 1);
            assert_eq!((handicap.nodes as f64, f64::from(handicap.noise.spread)), (nodes, spread));
        }
        assert_eq!(Handicap::of(0, 1), Handicap::of(*ELO.start(), 1));
        assert_eq!(Handicap::of(9999, 1), Handicap::of(*ELO.end(), 1));
    }
}
