//! Limited strength: the handicap of `UCI_LimitStrength` and `UCI_Elo`, levels with names, and human thinking
//! times.
//!
//! A node limit and evaluation noise ([`EvalNoise`]): a weaker player calculates less and judges positions
//! less well. Neither depends on the machine's speed. The best move of the weakened search is always the one
//! played.

use crate::chess::score::centipawns;
use crate::choice;
use crate::engine::clock::Allowance;
use crate::eval::{EvalNoise, Evaluation};
use crate::random::SplitMix64;
use crate::search::Settings;
use std::ops::RangeInclusive;
use std::time::Duration;

/// Range of `UCI_Elo`: Elo on the scale on which Stockfish's developers rated its skill levels in January
/// 2023 (commit a08b8d4e: 60 s + 0.6 s a game, anchored to CCRL Blitz through versions of Stash), and which
/// the `UCI_Elo` of Stockfish 16 and its successors follows. What Stockfish 15.1 labels 2500 is rated about
/// 2980 there.
pub const ELO: RangeInclusive<i64> = 700..=2800;

/// Calibration: Elo, node limit of a move, standard deviation of the evaluation noise in centipawns. Between
/// the steps the noise and the logarithm of the nodes are interpolated linearly. Measured as
/// notebook/levels.md says, with the default backend.
const STEPS: [(i64, f64, f64); 7] = [
    (700, 50.0, 400.0),
    (1000, 90.0, 225.0),
    (1320, 150.0, 120.0),
    (1500, 160.0, 90.0),
    (2000, 680.0, 72.0),
    (2500, 12_700.0, 34.0),
    (2800, 85_000.0, 9.0),
];

choice! {
    /// A level with a name, for people who do not count in Elo. The names are rough: the scale of [`ELO`] is
    /// one of engines, on which people have not played.
    Level {
        /// No level: `UCI_LimitStrength` and `UCI_Elo` decide.
        #[default]
        Free = "by-elo",
        /// 700: overlooks what is attacked, and knows little of what a position is worth.
        Beginner = "beginner",
        /// 1000.
        Casual = "casual-player" / "casual",
        /// 1500.
        Club = "club-player" / "club",
        /// 1900.
        Strong = "strong-club-player" / "strong",
        /// 2300.
        Master = "master",
    }
}

impl Level {
    /// Its Elo.
    #[must_use]
    pub const fn elo(self) -> Option<i64> {
        match self {
            Level::Free => None,
            Level::Beginner => Some(700),
            Level::Casual => Some(1000),
            Level::Club => Some(1500),
            Level::Strong => Some(1900),
            Level::Master => Some(2300),
        }
    }
}

/// Moves of each side that a person plays faster than the others.
const OPENING: u32 = 8;

/// Human thinking time: how long a move on a clock takes at least. Between a quarter and all of the soft
/// limit, a third of that in the opening, and a tenth where there is nothing to choose; `random` is of the
/// move.
#[must_use]
pub fn human_time(allowance: Allowance, move_number: u32, forced: bool, random: &mut SplitMix64) -> Duration {
    let share = 0.25 + 0.75 * (random.below(1000) as f64 / 1000.0);
    let haste = match () {
        () if forced => 0.1,
        () if move_number <= OPENING => 0.33,
        () => 1.0,
    };
    allowance.soft.unwrap_or_default().mul_f64(share * haste)
}

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

    /// Weakens the settings of a search; its node limit is another matter.
    pub fn weaken(&self, settings: &mut Settings) {
        settings.noise = Some(self.noise);
        // The levels were measured with it. Within the same limits the network is some 100 Elo weaker at 1320
        // and 70 stronger at 2500.
        settings.evaluation = Evaluation::HandCrafted;
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
    fn every_level_has_an_elo_and_the_names_rise() {
        let elos: Vec<i64> = Level::ALL.iter().filter_map(|level| level.elo()).collect();
        assert!(elos.is_sorted() && elos.iter().all(|elo| ELO.contains(elo)) && elos.len() == 5, "{elos:?}");
        assert_eq!(Level::default().elo(), None);
    }

    #[test]
    fn human_times_stay_within_the_soft_limit() {
        let soft = Duration::from_secs(10);
        let allowance = Allowance { soft: Some(soft), hard: None, trouble: None };
        let mut random = SplitMix64::new(1);
        for _ in 0..100 {
            let [opening, forced, later] = [(3, false), (30, true), (30, false)]
                .map(|(number, forced)| human_time(allowance, number, forced, &mut random));
            assert!(
                opening < soft / 3 && forced <= soft / 10 && forced >= soft / 40,
                "{opening:?} {forced:?}"
            );
            assert!(later >= soft / 4 && later <= soft, "{later:?}");
        }
        assert_eq!(human_time(Allowance::default(), 30, false, &mut random), Duration::ZERO);
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
