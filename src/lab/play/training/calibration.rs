//! Calibration of scores: the centipawns that are the unit of a file's scores, fitted to the results of its
//! games.
//!
//! A score and a result can be blended only where both mean expected points. What +100 is worth depends on
//! the evaluation and on the depth of the searches that scored, so that each file (a pool of games of one
//! evaluation and one setting) has a unit of its own: that with the least squared error of
//! `sigmoid(score / unit)` against the results, as Texel's method fits the steepness of its sigmoid before
//! the weights.

use crate::lab::base::statistics::logistic::{best_steepness, expected};
use crate::lab::base::terminal::console::Failure;
use crate::lab::base::terminal::paths::InputPath;
use crate::lab::play::archive::source::{self, is_quiet};
use std::slice;

/// Scores beyond this many centipawns are counted as this many: they are won at any scale.
const MOST: i16 = 2000;

/// Centipawns of a bin.
const BIN: i16 = 5;

/// Bins from -[`MOST`] to [`MOST`].
const BINS: usize = 2 * (MOST / BIN) as usize + 1;

/// The least positions for a fit: fewer of them come from too few games.
const LEAST_POSITIONS: u64 = 10_000;

/// The range of the unit, in centipawns. A fit that ends at one of them has no meaning.
const RANGE: std::ops::Range<f64> = 50.0..2000.0;

/// Results of the quiet positions of games, by the score for white.
#[derive(Clone, Debug)]
struct Outcomes {
    /// Positions, and the points of white summed over them, for each bin.
    bins: Vec<(u64, f64)>,
    /// Games that somebody won.
    decided: u64,
}

impl Outcomes {
    fn new() -> Outcomes {
        Outcomes { bins: vec![(0, 0.0); BINS], decided: 0 }
    }

    fn count(&mut self, score: i16, points: f64) {
        let bin = (score.clamp(-MOST, MOST) + MOST + BIN / 2) / BIN;
        if let Some((positions, sum)) = self.bins.get_mut(bin as usize) {
            *positions += 1;
            *sum += points;
        }
    }

    /// The squared error of a steepness, but for a constant: that of each bin's mean result.
    fn error(&self, steepness: f64) -> f64 {
        let scores = (0..).map(|bin| f64::from(bin * i32::from(BIN) - i32::from(MOST)));
        let square = |((positions, sum), score): (&(u64, f64), f64)| {
            let expected = expected(steepness, score);
            expected * (*positions as f64 * expected - 2.0 * sum)
        };
        self.bins.iter().zip(scores).map(square).sum()
    }

    /// The best unit; `None` if there is too little to fit.
    fn unit(&self) -> Option<f32> {
        let positions: u64 = self.bins.iter().map(|(positions, _)| positions).sum();
        if positions < LEAST_POSITIONS || self.decided == 0 {
            return None;
        }
        // Ten to the power of k / 400 is e to the power of one over the unit.
        let unit = 400.0 / (best_steepness(|k| self.error(k)) * std::f64::consts::LN_10);
        RANGE.contains(&unit).then_some(unit as f32)
    }
}

/// The unit of a file's scores in centipawns; `None` if there is too little to fit. `read` is told of the
/// bytes of each game.
///
/// # Errors
/// If the file cannot be read.
pub(super) fn fitted(file: &InputPath, mut read: impl FnMut(u64)) -> Result<Option<f32>, Failure> {
    let mut outcomes = Outcomes::new();
    source::for_each_sized(slice::from_ref(file), |game, bytes| {
        read(bytes);
        outcomes.decided += u64::from(game.winner.is_some());
        game.for_each(|position, ply| {
            if is_quiet(position, ply) {
                outcomes.count(ply.score, f64::from(game.points()));
            }
        });
        Ok(())
    })?;
    Ok(outcomes.unit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::play::training::model::sigmoid;
    use crate::random::SplitMix64;

    /// Random scores whose results follow the logistic function of a unit.
    fn outcomes(unit: f64, positions: usize) -> Outcomes {
        let (mut random, mut outcomes) = (SplitMix64::new(9), Outcomes::new());
        for _ in 0..positions {
            let score = random.below(1601) as i16 - 800;
            let won = (random.below(1 << 20) as f64)
                < f64::from(sigmoid(f32::from(score) / unit as f32)) * 1048576.0;
            outcomes.count(score, f64::from(u8::from(won)));
            outcomes.decided += 1;
        }
        outcomes
    }

    #[test]
    fn the_unit_that_made_the_results_is_found() {
        for unit in [120.0, 300.0, 700.0] {
            let found = f64::from(outcomes(unit, 200_000).unit().unwrap());
            assert!((found / unit - 1.0).abs() < 0.03, "{found} {unit}");
        }
    }

    #[test]
    fn nothing_is_fitted_to_too_little() {
        assert_eq!(outcomes(300.0, 100).unit(), None);
        let mut drawn = Outcomes::new();
        (0..20_000).for_each(|number| drawn.count(number as i16 % 400 - 200, 0.5));
        assert_eq!(drawn.unit(), None, "nobody won");
        drawn.decided = 1;
        assert_eq!(drawn.unit(), None, "no score means anything");
    }
}
