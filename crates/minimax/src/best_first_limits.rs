//! Limits of best-first minimax (BFM), the reasons for which it ends, and the listener that receives its
//! principal variations: shared by the form that keeps its tree and the one in linear space.

use super::game::{Game, NeverStop, StopCondition};
use super::window::Value as _;
use crate::choice;

choice! {
    /// Alternative that is searched when the principal leaf is final, so that no expansion there can change
    /// the value of the root.
    Fallback {
        /// Other moves at the deepest node of the principal variation that has any, until all of them are
        /// final or one is better: a small game is searched to its end.
        #[default]
        Deepest = "deepest",
        /// The move with the least deviation from the principal variation: the one, at any of its nodes, that
        /// comes nearest in value to the best move. For games that are too large to be exhausted anywhere.
        Nearest = "nearest",
    }
}

/// Reason for which a best-first search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The principal variation reached the depth bound.
    Depth,
    /// A terminal node good enough to be called won was chosen for expansion.
    Win,
    /// Nothing is left to expand: the value is exact.
    Exhausted,
    /// The stop condition was met.
    Stopped,
    /// The memory is full, and the principal variation alone fills it.
    MemoryFull,
}

/// Stop condition that also receives every principal variation longer than those before.
pub trait PvListener<G: Game>: StopCondition {
    /// Receives the principal variation and the root's value; never the line of an alternative to it.
    fn longer_pv(&mut self, _line: &[G::Move], _value: G::Value) {}
}

impl<G: Game> PvListener<G> for NeverStop {}
impl<G: Game, F: FnMut(u64) -> bool> PvListener<G> for F {}

/// Limits of a best-first search, in either form.
#[derive(Clone, Debug)]
pub struct SearchLimits<G: Game> {
    /// Ends when the principal variation is so many plies long.
    pub depth: u32,
    /// Ends when a terminal node of at least this value, seen from the root, is chosen for expansion.
    /// `-LIMIT`: any terminal node; `LIMIT`: none, the search goes on with the [`Fallback`].
    pub win: G::Value,
    /// Nodes so many plies away from the root are never expanded; the search goes on with the [`Fallback`].
    pub deepest: u32,
    /// Alternative that is searched when the principal leaf is final.
    pub fallback: Fallback,
    /// The root moves to consider; empty = all.
    pub moves: Vec<G::Move>,
}

impl<G: Game> SearchLimits<G> {
    /// To a principal variation of `depth` plies, or any terminal node.
    #[must_use]
    pub fn to_depth(depth: u32) -> SearchLimits<G> {
        SearchLimits {
            depth,
            win: -G::LIMIT,
            deepest: u32::MAX,
            fallback: Fallback::default(),
            moves: Vec::new(),
        }
    }

    /// The largest deviation that is searched: none with [`Fallback::Deepest`].
    pub(super) fn max_deviation(&self) -> G::Value {
        match self.fallback {
            Fallback::Deepest => zero::<G>(),
            Fallback::Nearest => G::LIMIT.below(),
        }
    }

    /// The moves of a node `ply` plies from the root that may be searched.
    pub(super) fn moves(&self, game: &G, ply: u32) -> Vec<G::Move> {
        let mut moves = if ply < self.deepest { game.moves() } else { Vec::new() };
        if ply == 0 && !self.moves.is_empty() {
            moves.retain(|m| self.moves.contains(m));
        }
        moves
    }
}

/// Zero, as a value of the game.
pub(super) fn zero<G: Game>() -> G::Value {
    G::LIMIT.minus(G::LIMIT)
}
