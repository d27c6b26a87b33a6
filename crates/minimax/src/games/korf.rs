//! Games of Korf and Chickering: the tree of BFM figure 1, and random games (BFM, "Random Game Tree
//! Results").

use crate::Game;
use crate::random::SplitMix64;

/// The tree of BFM figure 1: a MAX root over two MIN nodes worth 4 and 6, over MAX nodes worth 8 and 1, 5 and
/// 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FigureOne {
    node: u64,
}

impl FigureOne {
    /// The key of the root.
    pub const ROOT: u64 = 1;
    /// The key of its left child, the 4.
    pub const LEFT: u64 = 2;
    /// The key of its right child, the 6.
    pub const RIGHT: u64 = 3;

    /// The root.
    #[must_use]
    pub const fn new() -> FigureOne {
        FigureOne { node: Self::ROOT }
    }
}

impl Default for FigureOne {
    fn default() -> FigureOne {
        FigureOne::new()
    }
}

impl Game for FigureOne {
    type Value = i32;
    /// 0 goes left, 1 goes right.
    type Move = u8;

    const LIMIT: i32 = 100;

    fn moves(&self) -> Vec<u8> {
        if self.node <= Self::RIGHT { vec![0, 1] } else { Vec::new() }
    }

    fn play(&self, m: u8) -> FigureOne {
        FigureOne { node: 2 * self.node + u64::from(m) }
    }

    fn evaluate(&self) -> i32 {
        match self.node {
            // MIN is to move there: the values are negated.
            Self::LEFT => -4,
            Self::RIGHT => -6,
            4 => 8,
            5 => 1,
            6 => 5,
            7 => 2,
            // The figure gives the root no value of its own.
            _ => 0,
        }
    }

    fn key(&self) -> u64 {
        self.node
    }
}

/// Largest cost of an edge, positive or negative (BFM: uniform from -2^15 to 2^15).
const MAX_EDGE_COST: i32 = 1 << 15;

/// A position of a random game: 1 to B moves, each with a random cost; worth the sum of the costs from the
/// root. The moves and costs after a path are the same in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomGame {
    /// Hash of the path that led here.
    path: u64,
    /// Costs from the root, for MAX.
    sum: i32,
    ply: u32,
    /// B: the most moves that a position has.
    max_width: u32,
    /// Plies of a game.
    length: u32,
}

impl RandomGame {
    /// The root of game number `seed`: up to `max_width` moves a position (at least 1), over after `length`
    /// plies (at most 30,000). MAX moves first.
    #[must_use]
    pub fn new(seed: u64, max_width: u32, length: u32) -> RandomGame {
        let path = SplitMix64::new(seed ^ 0x6b6f_7266).next();
        RandomGame { path, sum: 0, ply: 0, max_width: max_width.max(1), length: length.min(30_000) }
    }

    /// The sum of the costs from the root, for MAX: the outcome when the game is over.
    #[must_use]
    pub fn sum(&self) -> i32 {
        self.sum
    }

    /// Full-width minimax to a depth in plies, from the side to move.
    #[must_use]
    pub fn minimax(&self, depth: u32) -> i32 {
        let moves = if depth == 0 { Vec::new() } else { self.moves() };
        let values = moves.into_iter().map(|m| -self.play(m).minimax(depth - 1));
        values.max().unwrap_or_else(|| self.evaluate())
    }
}

impl Game for RandomGame {
    type Value = i32;
    /// The number of the edge.
    type Move = u32;

    const LIMIT: i32 = 1 << 30;

    fn moves(&self) -> Vec<u32> {
        if self.ply >= self.length {
            return Vec::new();
        }
        let count = 1 + SplitMix64::new(self.path).below(self.max_width as usize) as u32;
        (0..count).collect()
    }

    fn play(&self, m: u32) -> RandomGame {
        let mut random = SplitMix64::new(self.path.wrapping_add(u64::from(m + 1) << 40));
        let path = random.next();
        let cost = random.below(2 * MAX_EDGE_COST as usize + 1) as i32 - MAX_EDGE_COST;
        RandomGame { path, sum: self.sum + cost, ply: self.ply + 1, ..*self }
    }

    fn evaluate(&self) -> i32 {
        if self.ply.is_multiple_of(2) { self.sum } else { -self.sum }
    }

    fn key(&self) -> u64 {
        self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_games_are_the_same_in_every_run() {
        let walk = |seed| {
            let mut game = RandomGame::new(seed, 10, 100);
            while let Some(&m) = game.moves().last() {
                game = game.play(m);
            }
            (game.sum(), game.key())
        };
        assert_eq!(walk(1), walk(1));
        assert_ne!(walk(1), walk(2));
    }

    #[test]
    fn widths_and_costs_are_uniformly_distributed() {
        let roots: Vec<_> = (0..20_000).map(|seed| RandomGame::new(seed, 4, 1)).collect();
        for width in 1..=4 {
            let share = roots.iter().filter(|root| root.moves().len() == width).count();
            assert!((4_700..5_300).contains(&share), "{width} moves: {share}");
        }
        let costs: Vec<_> = roots.iter().map(|root| root.play(0).sum()).collect();
        assert!(costs.iter().all(|cost| cost.abs() <= MAX_EDGE_COST));
        assert!((9_700..10_300).contains(&costs.iter().filter(|&&cost| cost > 0).count()));
        assert!((4_700..5_300).contains(&costs.iter().filter(|&&cost| cost > MAX_EDGE_COST / 2).count()));
    }

    #[test]
    fn a_value_is_seen_from_the_side_to_move() {
        let child = RandomGame::new(5, 10, 100).play(0);
        assert_eq!(child.evaluate(), -child.sum());
        assert_eq!(child.play(0).evaluate(), child.play(0).sum());
    }
}
