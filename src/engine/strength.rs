//! Limited strength: the handicap of `UCI_LimitStrength` and `UCI_Elo`, levels with names, and human thinking
//! times.
//!
//! A weaker player knows fewer moves of the opening book, calculates less (a node limit), overlooks moves
//! ([`OverlookedMoves`]) and judges positions less well ([`EvalNoise`]). None depends on the machine's speed.
//! The best move of the weakened search is always the one played.

use crate::chess::score::centipawns;
use crate::choice;
use crate::engine::clock::TimeLimits;
use crate::eval::{EvalNoise, Evaluation};
use crate::random::SplitMix64;
use crate::search::{HumanErrors, OverlookedMoves, Settings};
use std::ops::RangeInclusive;
use std::time::Duration;

/// Range of `UCI_Elo`: Elo on the scale on which Stockfish's developers rated its skill levels in January
/// 2023 (commit a08b8d4e: 60 s + 0.6 s a game, anchored to CCRL Blitz through versions of Stash), and which
/// the `UCI_Elo` of Stockfish 16 and its successors follows. What Stockfish 15.1 labels 2500 is rated about
/// 2980 there.
pub const ELO: RangeInclusive<i64> = 700..=2800;

/// One step of the calibration.
#[derive(Clone, Copy)]
struct Step {
    elo: i64,
    nodes: f64,
    /// Standard deviation of the evaluation noise in centipawns.
    noise: f64,
    /// [`OverlookedMoves::rate`].
    overlooked: f64,
    book_moves: f64,
}

const fn step(elo: i64, nodes: f64, noise: f64, overlooked: f64, book_moves: f64) -> Step {
    Step { elo, nodes, noise, overlooked, book_moves }
}

/// Calibration. Between the steps everything is interpolated linearly, of the nodes the logarithm. Measured
/// as notebook/levels.md says, with the default backend.
const STEPS: [Step; 8] = [
    step(700, 180.0, 26.0, 480.0, 2.0),
    step(1000, 475.0, 17.0, 308.0, 3.0),
    step(1320, 1_360.0, 12.0, 200.0, 4.0),
    step(1500, 1_900.0, 11.0, 172.0, 5.0),
    step(2000, 7_400.0, 8.0, 66.0, 8.0),
    step(2300, 13_300.0, 8.0, 30.0, 9.0),
    step(2500, 22_500.0, 8.0, 10.0, 10.0),
    step(2800, 80_000.0, 5.0, 0.0, 12.0),
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

/// Human thinking time: how long a move with a time limit takes at least. Between a quarter and all of the
/// soft limit (of the time for a move, where that is less), a third of that in the opening, and a tenth where
/// there is nothing to choose; `random` is of the move.
#[must_use]
pub fn human_time(limits: TimeLimits, move_number: u32, forced: bool, random: &mut SplitMix64) -> Duration {
    let share = 0.25 + 0.75 * (random.below(1000) as f64 / 1000.0);
    let haste = match () {
        () if forced => 0.1,
        () if move_number <= OPENING => 0.33,
        () => 1.0,
    };
    let soonest = [limits.soft, limits.hard].into_iter().flatten().min();
    soonest.unwrap_or_default().mul_f64(share * haste)
}

/// Handicap of a search with limited strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    /// Node limit, in made moves.
    pub nodes: u64,
    /// Errors that the search makes.
    pub errors: HumanErrors,
    /// Moves of a game that are played from the opening book, whether it is on or not.
    pub book_moves: u32,
}

impl Handicap {
    /// The handicap of an Elo; `seed` is that of its errors.
    #[must_use]
    pub fn of(elo: i64, seed: u64) -> Handicap {
        let elo = elo.clamp(*ELO.start(), *ELO.end());
        let above = STEPS.iter().position(|step| step.elo >= elo).unwrap_or(STEPS.len() - 1).max(1);
        let (low, high) = (STEPS[above - 1], STEPS[above]);
        let way = (elo - low.elo) as f64 / (high.elo - low.elo) as f64;
        let between = |of: fn(Step) -> f64| of(low) + way * (of(high) - of(low));
        Handicap {
            nodes: between(|step| step.nodes.ln()).exp().round() as u64,
            errors: HumanErrors {
                noise: EvalNoise { spread: centipawns(between(|step| step.noise).round() as i32), seed },
                overlooked: OverlookedMoves { rate: between(|step| step.overlooked).round() as u16, seed },
            },
            book_moves: between(|step| step.book_moves).round() as u32,
        }
    }

    /// True if a move of this number in a game is still played from the opening book.
    #[must_use]
    pub fn knows_opening(&self, move_number: u32) -> bool {
        move_number <= self.book_moves
    }

    /// Weakens the settings of a search; the caller sets the node limit.
    pub fn weaken(&self, settings: &mut Settings) {
        settings.errors = Some(self.errors);
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
            let [errors, more] = [handicap.errors, before.errors];
            assert!(handicap.nodes >= before.nodes && errors.noise.spread <= more.noise.spread, "{elo}");
            assert!(errors.overlooked.rate <= more.overlooked.rate, "{elo}");
            assert!(handicap.book_moves >= before.book_moves, "{elo}");
            before = handicap;
        }
        assert_eq!(before.nodes, STEPS[STEPS.len() - 1].nodes as u64);
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
        let limits = TimeLimits { soft: Some(soft), hard: None, extended: None };
        let mut random = SplitMix64::new(1);
        for _ in 0..100 {
            let [opening, forced, later] = [(3, false), (30, true), (30, false)]
                .map(|(number, forced)| human_time(limits, number, forced, &mut random));
            assert!(
                opening < soft / 3 && forced <= soft / 10 && forced >= soft / 40,
                "{opening:?} {forced:?}"
            );
            assert!(later >= soft / 4 && later <= soft, "{later:?}");
        }
        assert_eq!(human_time(TimeLimits::default(), 30, false, &mut random), Duration::ZERO);
        let of_one_move = TimeLimits { soft: None, hard: Some(soft), extended: Some(soft) };
        let time = human_time(of_one_move, 30, false, &mut random);
        assert!(time >= soft / 4 && time <= soft, "{time:?}");
        let of_both = TimeLimits { hard: Some(soft / 50), ..limits };
        assert!(human_time(of_both, 30, false, &mut random) <= soft / 50, "the time for a move ends it");
    }

    #[test]
    fn the_steps_cover_the_range_and_are_met_exactly() {
        assert_eq!((STEPS[0].elo, STEPS[STEPS.len() - 1].elo), (*ELO.start(), *ELO.end()));
        for Step { elo, nodes, noise, overlooked, book_moves } in STEPS {
            let handicap = Handicap::of(elo, 1);
            assert_eq!(
                (handicap.nodes as f64, handicap.errors.noise.spread),
                (nodes, centipawns(noise as i32)),
                "{elo}"
            );
            let numbers = (f64::from(handicap.errors.overlooked.rate), f64::from(handicap.book_moves));
            assert_eq!(numbers, (overlooked, book_moves), "{elo}");
        }
        assert_eq!(Handicap::of(0, 1), Handicap::of(*ELO.start(), 1));
        assert_eq!(Handicap::of(9999, 1), Handicap::of(*ELO.end(), 1));
    }
}
