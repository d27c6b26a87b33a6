//! Evaluation noise: a random error of the evaluation, for an engine of limited strength.
//!
//! The error is a function of the position and of a seed, so that a search with its transposition table is
//! consistent from beginning to end; another seed gives other errors.

use crate::chess::{Position, score::Value};
use crate::random::SplitMix64;

/// Men on a full board.
const ALL_MEN: Value = 32;

/// Size and seed of the evaluation noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvalNoise {
    /// Standard deviation of the error on a full board, in units. It shrinks with the men: a player who
    /// misjudges a middlegame by a pawn can still win with a rook against a bare king.
    pub spread: Value,
    /// Seed of the errors.
    pub seed: u64,
}

impl EvalNoise {
    /// The error for the side to move: nearly normal, the sum of four even draws.
    #[must_use]
    pub fn error(&self, position: &Position) -> Value {
        /// The standard deviation of the sum of four numbers of 16 bits.
        const DEVIATION: i64 = 37_837;
        let bits = SplitMix64::new(position.key() ^ self.seed).next();
        let sum: i64 = (0..4).map(|index| i64::from((bits >> (16 * index)) as u16)).sum();
        let men = position.board().occupied().count() as Value;
        let spread = i64::from(self.spread * men / ALL_MEN);
        ((sum - 2 * i64::from(u16::MAX)) * spread / DEVIATION) as Value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;

    #[test]
    fn errors_have_the_spread_asked_for_and_depend_on_position_and_seed_alone() {
        let game = Game::new();
        let position = game.position();
        let errors: Vec<f64> =
            (0..4000).map(|seed| f64::from(EvalNoise { spread: 100, seed }.error(position))).collect();
        let mean = errors.iter().sum::<f64>() / 4000.0;
        let deviation = (errors.iter().map(|error| error * error).sum::<f64>() / 4000.0).sqrt();
        assert!(mean.abs() < 8.0 && (90.0..110.0).contains(&deviation), "{mean} {deviation}");
        let noise = EvalNoise { spread: 100, seed: 7 };
        assert_eq!(noise.error(position), noise.error(position));
        assert_eq!(EvalNoise { spread: 0, seed: 7 }.error(position), 0);
    }

    #[test]
    fn the_error_is_smaller_with_few_men() {
        let game = Game::parse_fen("8/8/8/4k3/8/8/8/R3K3 w - - 0 1").unwrap();
        let worst = (0..1000).map(|seed| EvalNoise { spread: 100, seed }.error(game.position()).abs()).max();
        assert!(worst.is_some_and(|worst| (1..50).contains(&worst)), "{worst:?}");
    }
}
