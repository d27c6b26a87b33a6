//! Playing below one's strength: what `UCI_LimitStrength` and `UCI_Elo` take from a search.
//!
//! A weaker player makes fewer moves in its head and judges positions less well: made moves are limited, and the
//! evaluation is blurred ([`EvalNoise`]). Neither depends on the machine's speed, and nothing else is touched: no move is
//! played that the search, such as it is, does not think the best.

use crate::chess::score::centipawns;
use crate::eval::EvalNoise;
use std::ops::RangeInclusive;

/// The labels there are: Elo on the scale on which Stockfish's developers rated its skill levels in January 2023
/// (commit a08b8d4e: 60 s + 0.6 s a game, anchored to CCRL Blitz through versions of Stash), and which the
/// `UCI_Elo` of Stockfish 16 and its successors follows. What Stockfish 15.1 labels 2500 is rated about 2980 there.
pub const ELO: RangeInclusive<i64> = 1320..=2800;

/// What a label means: Elo, made moves a move, standard deviation of the evaluation's error in centipawns. Between
/// them the error is a straight line and so is the logarithm of the moves. Measured as README says, with the default
/// backend.
const STEPS: [(i64, f64, f64); 5] = [
    (1320, 150.0, 120.0),
    (1500, 160.0, 90.0),
    (2000, 680.0, 72.0),
    (2500, 12_700.0, 34.0),
    (2800, 85_000.0, 9.0),
];

/// What a search has to do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    /// Made moves after which it ends.
    pub nodes: u64,
    /// How its evaluation errs.
    pub noise: EvalNoise,
}

impl Handicap {
    /// The handicap of a label; `seed` chooses the errors.
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
    fn a_higher_label_thinks_longer_and_errs_less() {
        let mut before = Handicap::of(*ELO.start(), 1);
        for elo in ELO.skip(1) {
            let handicap = Handicap::of(elo, 1);
            assert!(handicap.nodes >= before.nodes && handicap.noise.spread <= before.noise.spread, "{elo}");
            before = handicap;
        }
        assert_eq!(before.nodes, STEPS[STEPS.len() - 1].1 as u64);
    }

    #[test]
    fn the_steps_cover_the_range_and_mean_what_they_say() {
        assert_eq!((STEPS[0].0, STEPS[STEPS.len() - 1].0), (*ELO.start(), *ELO.end()));
        for (elo, nodes, spread) in STEPS {
            let handicap = Handicap::of(elo, 1);
            assert_eq!((handicap.nodes as f64, f64::from(handicap.noise.spread)), (nodes, spread));
        }
        assert_eq!(Handicap::of(0, 1), Handicap::of(*ELO.start(), 1));
        assert_eq!(Handicap::of(9999, 1), Handicap::of(*ELO.end(), 1));
    }
}
