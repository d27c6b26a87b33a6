//! Interface of a game to the papers' algorithms (moves, values, keys), and the stop condition of a search.

use super::window::Value;
use std::fmt::Debug;

/// A position of a two-person zero-sum game in which the sides move in turn (a pass is a move). Positions are
/// copied rather than unmade: best-first searches keep them, and the code can follow the printed algorithms.
///
/// All values are seen from the side to move (negamax).
pub trait Game: Clone {
    /// Type of values: integers or reals.
    type Value: Value + Debug;
    /// A move.
    type Move: Copy + PartialEq + Debug;

    /// Every value lies strictly between `-LIMIT` and `LIMIT`.
    const LIMIT: Self::Value;

    /// Number of slots in a table of the history heuristic; 0 where moves have nothing in common.
    const SLOTS: usize = 0;

    /// The moves, always in the same order (tables remember a best move as an index into it); none when the
    /// game is over. At most 65,535.
    fn moves(&self) -> Vec<Self::Move>;

    /// The position after one of [`Game::moves`].
    #[must_use]
    fn play(&self, m: Self::Move) -> Self;

    /// Static value of the position; exact when the game is over.
    fn evaluate(&self) -> Self::Value;

    /// Hash key of the position, side to move included: different positions have different keys, but for
    /// collisions.
    fn key(&self) -> u64;

    /// The move's slot in the history heuristic, below [`Game::SLOTS`].
    fn slot(&self, _m: Self::Move) -> usize {
        0
    }
}

/// Stop condition of a search.
pub trait StopCondition {
    /// Asked at every visit with the number of visits so far; true ends the search.
    fn should_stop(&mut self, visits: u64) -> bool;
}

/// Condition of a search that is never stopped.
#[derive(Clone, Copy, Debug, Default)]
pub struct NeverStop;

impl StopCondition for NeverStop {
    fn should_stop(&mut self, _visits: u64) -> bool {
        false
    }
}

impl<F: FnMut(u64) -> bool> StopCondition for F {
    fn should_stop(&mut self, visits: u64) -> bool {
        self(visits)
    }
}
