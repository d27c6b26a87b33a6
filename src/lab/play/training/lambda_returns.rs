//! The λ-return of temporal difference learning (Sutton, "Learning to Predict by the Methods of Temporal
//! Differences", Machine Learning 3, 1988): the target of a position is a mean of its own score and of those
//! that follow in the game, weighted by powers of λ, with the result at the end.
//!
//! A single score rests on the evaluation of a single leaf. A mean of several has less noise, and sees as
//! many plies further as it looks ahead. λ = 0 is the score alone, λ = 1 the result alone.

use super::model::sigmoid;
use crate::lab::play::archive::format::{CERTAIN, StoredGame, UNSCORED};

/// The λ-returns of the positions of a game as scores for white in centipawns, within ±[`CERTAIN`]. The mean
/// is one of expected points: `game_scale` centipawns are the unit of the logistic function for the scores of
/// the game, `scale` for those that are returned. With λ = 0 and equal units scores are left alone.
#[must_use]
pub fn of(game: &StoredGame, lambda: f32, game_scale: f32, scale: f32) -> Vec<i16> {
    let mut scores: Vec<i16> = game.plies.iter().map(|ply| ply.score).collect();
    if lambda > 0.0 || game_scale.to_bits() != scale.to_bits() {
        let mut ahead = game.points();
        // A move without a score has no part in the mean.
        for score in scores.iter_mut().rev().filter(|score| **score != UNSCORED) {
            ahead = (1.0 - lambda) * sigmoid(f32::from(*score) / game_scale) + lambda * ahead;
            *score = score_of(ahead, scale);
        }
    }
    scores
}

/// The score that stands for some expected points, the inverse of the logistic function.
fn score_of(points: f32, scale: f32) -> i16 {
    let limit = f32::from(CERTAIN);
    ((points / (1.0 - points)).ln() * scale).clamp(-limit, limit).round() as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use crate::lab::play::archive::format::ScoredMove;
    use shakmaty::{Color, Position as _};

    /// A game of as many plies as there are scores.
    fn game(scores: &[i16], winner: Option<Color>) -> StoredGame {
        let opening = Game::new();
        let (mut now, mut plies) = (opening.clone(), Vec::new());
        for &score in scores {
            let played = now.position().chess().legal_moves()[0];
            plies.push(ScoredMove { played, score });
            now.play(played);
        }
        StoredGame { opening, plies, winner, reason: None }
    }

    #[test]
    fn without_lambda_scores_are_those_of_the_game() {
        let scores = [30, -31_990, 12, 31_000];
        assert_eq!(of(&game(&scores, Some(Color::Black)), 0.0, 400.0, 400.0), scores);
    }

    #[test]
    fn scores_of_another_unit_are_converted() {
        let scores = [300, -75, 0];
        assert_eq!(of(&game(&scores, None), 0.0, 300.0, 400.0), [400, -100, 0]);
    }

    #[test]
    fn with_lambda_1_the_result_alone_counts() {
        let scores = [300, 200, -100];
        assert_eq!(of(&game(&scores, None), 1.0, 400.0, 400.0), [0; 3]);
        assert_eq!(of(&game(&scores, Some(Color::White)), 1.0, 400.0, 400.0), [CERTAIN; 3]);
        assert_eq!(of(&game(&scores, Some(Color::Black)), 1.0, 400.0, 400.0), [-CERTAIN; 3]);
    }

    #[test]
    fn in_between_later_scores_weigh_by_powers_of_lambda() {
        let (scores, lambda, scale) = ([100, -50, 250], 0.75, 400.0);
        let points = scores.map(|score| sigmoid(f32::from(score) / scale));
        let part = 1.0 - lambda;
        let first = part * (points[0] + lambda * points[1] + lambda.powi(2) * points[2]);
        let expected = first + lambda.powi(3) * 0.5;
        let found = of(&game(&scores, None), lambda, scale, scale)[0];
        assert!((sigmoid(f32::from(found) / scale) - expected).abs() < 0.001, "{found} {expected}");
    }
}
