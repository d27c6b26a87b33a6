//! Uniform trees of random values (INFO figures 4 and 5): every node is computed from its path, so that a
//! tree of any size takes no memory.
//!
//! *Random*: every leaf draws its value; each child is best with equal probability.
//!
//! *Ordered*: values go down from the root. A node of value v to its side to move has one child worth exactly
//! -v; the others are worth more to the opponent, by a random margin. So that child is the best move. It is
//! the first with probability p, and otherwise any of the others with equal probability (Campbell and
//! Marsland's strongly ordered trees; INFO has p = 0.6).

use crate::Game;
use crate::random::SplitMix64;

/// Order of the children of a node: the place of the best one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChildOrder {
    /// Each is best with equal probability.
    Random,
    /// The first is best in so many per cent of the nodes.
    Ordered(u8),
}

/// Frequency of equal values of leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Equal values never occur in random trees of up to 2^30 leaves, and hardly ever in other trees.
    Distinct,
    /// Equal values are frequent: values, or in ordered trees margins, are drawn from so many numbers (1 to
    /// 1000).
    Repeated(u16),
}

/// Shape of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Children of every interior node, at least 1.
    pub width: u16,
    /// Plies from the root to the leaves.
    pub depth: u32,
    /// Order of the children.
    pub order: ChildOrder,
    /// Distribution of the values.
    pub values: Values,
}

/// Values are drawn from -`SPAN` to `SPAN` - 1, margins from 1 to `SPAN` >> 8.
const SPAN: i32 = 1 << 29;

/// A position in a random tree. Its key is the node's number in level order, the root's is 0: exact as long
/// as the tree has fewer than 2^64 nodes.
#[derive(Clone, Copy, Debug)]
pub struct RandomTree {
    shape: Shape,
    seed: u64,
    ply: u32,
    key: u64,
    /// Place among the nodes of its ply, from the left.
    place: u64,
    /// Minimax value to the side to move, in ordered trees.
    value: i32,
}

impl RandomTree {
    /// The root of a tree.
    #[must_use]
    pub fn new(shape: Shape, seed: u64) -> RandomTree {
        let mut root = RandomTree { shape, seed: mix(seed), ply: 0, key: 0, place: 0, value: 0 };
        root.value = match shape.values {
            Values::Distinct => root.draw(0).below(2 << 16) as i32 - (1 << 16),
            Values::Repeated(_) => 0,
        };
        root
    }

    /// The best move, in ordered trees.
    #[must_use]
    pub fn best(&self) -> Option<u16> {
        let ChildOrder::Ordered(percent) = self.shape.order else { return None };
        let others = usize::from(self.shape.width).saturating_sub(1);
        let mut random = self.draw(1);
        let first = random.below(100) < usize::from(percent) || others == 0;
        Some(if first { 0 } else { 1 + random.below(others) as u16 })
    }

    /// Random numbers that belong to this node and purpose.
    fn draw(&self, purpose: u64) -> SplitMix64 {
        SplitMix64::new(mix(self.seed ^ mix(self.key)).wrapping_add(purpose))
    }

    /// Difference in value between the best move and an inferior one.
    fn margin(&self) -> i32 {
        let mut random = self.draw(2);
        match self.shape.values {
            Values::Distinct => 1 + random.below((SPAN >> 8) as usize) as i32,
            Values::Repeated(numbers) => random.below(usize::from(numbers.clamp(1, 1000))) as i32,
        }
    }

    /// A random tree's value: of a leaf, or of an interior node that is taken for one.
    fn random_value(&self) -> i32 {
        match self.shape.values {
            Values::Distinct => permute(self.place, self.seed) - SPAN,
            Values::Repeated(numbers) => {
                let numbers = usize::from(numbers.clamp(1, 1000));
                self.draw(3).below(numbers) as i32 - numbers as i32 / 2
            }
        }
    }
}

/// Hash of a number.
fn mix(number: u64) -> u64 {
    SplitMix64::new(number).next()
}

/// A permutation of the numbers below 2^30: different places, different values.
fn permute(place: u64, seed: u64) -> i32 {
    const MASK: u64 = 2 * SPAN as u64 - 1;
    let mut keys = SplitMix64::new(seed);
    let mut x = place & MASK;
    for _ in 0..4 {
        let key = keys.next();
        x = (x + (key & MASK)) & MASK;
        x ^= x >> 15;
        x = x.wrapping_mul(key >> 32 | 1) & MASK;
        x ^= x >> 13;
    }
    x as i32
}

impl Game for RandomTree {
    type Value = i32;
    type Move = u16;

    /// No value comes near it: margins of 64 plies add up to a quarter of `SPAN`.
    const LIMIT: i32 = 2 * SPAN;

    fn moves(&self) -> Vec<u16> {
        if self.ply >= self.shape.depth { Vec::new() } else { (0..self.shape.width).collect() }
    }

    fn play(&self, m: u16) -> RandomTree {
        let width = u64::from(self.shape.width);
        let mut child = RandomTree {
            ply: self.ply + 1,
            key: self.key.wrapping_mul(width).wrapping_add(1 + u64::from(m)),
            place: self.place.wrapping_mul(width).wrapping_add(u64::from(m)),
            value: -self.value,
            ..*self
        };
        if let Some(best) = self.best()
            && best != m
        {
            child.value += child.margin();
        }
        child
    }

    /// The value of a leaf; of an interior node its own draw, or in ordered trees its minimax value.
    fn evaluate(&self) -> i32 {
        if self.shape.order == ChildOrder::Random { self.random_value() } else { self.value }
    }

    fn key(&self) -> u64 {
        self.key
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn shape(order: ChildOrder, values: Values) -> Shape {
        Shape { width: 3, depth: 5, order, values }
    }

    fn minimax(node: &RandomTree) -> i32 {
        let values = node.moves().into_iter().map(|m| -minimax(&node.play(m)));
        values.max().unwrap_or_else(|| node.evaluate())
    }

    fn row(root: RandomTree) -> Vec<RandomTree> {
        let mut row = vec![root];
        while !row[0].moves().is_empty() {
            row = row.iter().flat_map(|node| node.moves().into_iter().map(|m| node.play(m))).collect();
        }
        row
    }

    #[test]
    fn the_value_of_an_ordered_tree_is_its_minimax_value() {
        for values in [Values::Distinct, Values::Repeated(3)] {
            for seed in 0..50 {
                let root = RandomTree::new(shape(ChildOrder::Ordered(60), values), seed);
                assert_eq!(minimax(&root), root.evaluate());
                let best = root.play(root.best().unwrap());
                assert_eq!(-minimax(&best), root.evaluate());
            }
        }
    }

    #[test]
    fn the_first_child_is_best_with_the_given_probability() {
        let root = |seed| RandomTree::new(shape(ChildOrder::Ordered(60), Values::Distinct), seed);
        let mut best = [0; 3];
        for seed in 0..10_000 {
            best[usize::from(root(seed).best().unwrap())] += 1;
        }
        assert!((5800..6200).contains(&best[0]), "{best:?}");
        assert!((1800..2200).contains(&best[1]), "{best:?}");
    }

    #[test]
    fn keys_and_distinct_values_differ_in_all_leaves() {
        let root =
            RandomTree::new(Shape { width: 5, depth: 6, ..shape(ChildOrder::Random, Values::Distinct) }, 7);
        let leaves = row(root);
        let keys: HashSet<_> = leaves.iter().map(Game::key).collect();
        let values: HashSet<_> = leaves.iter().map(Game::evaluate).collect();
        assert_eq!((keys.len(), values.len()), (15_625, 15_625));
        let mean = leaves.iter().map(|leaf| f64::from(leaf.evaluate())).sum::<f64>() / 15_625.0;
        assert!(mean.abs() < f64::from(SPAN) / 50.0, "values are lopsided: {mean}");
    }

    #[test]
    fn repeated_values_are_drawn_from_the_given_number_of_values() {
        let values: HashSet<_> = row(RandomTree::new(shape(ChildOrder::Random, Values::Repeated(4)), 1))
            .iter()
            .map(Game::evaluate)
            .collect();
        assert_eq!(values, HashSet::from([-2, -1, 0, 1]));
    }

    #[test]
    fn a_leaf_of_a_huge_tree_is_reached_by_its_path() {
        let mut node = RandomTree::new(
            Shape { width: 20, depth: 8, order: ChildOrder::Random, values: Values::Distinct },
            1,
        );
        while let Some(&last) = node.moves().last() {
            node = node.play(last);
        }
        assert_eq!(node.place, 20_u64.pow(8) - 1);
        assert_eq!(node.key(), (20_u64.pow(9) - 1) / 19 - 1);
    }
}
