//! Explicit game trees: the examples of the papers, and those of tests.

use crate::minimax::Game;
use std::sync::Arc;

/// A node of an explicit tree. Values are seen from the side to move at the root (MAX), as the
/// papers print them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Its value: exact at a leaf, static at other nodes.
    pub value: i32,
    /// Its children, from left to right.
    pub children: Vec<Branch>,
}

impl Branch {
    /// A leaf.
    #[must_use]
    pub fn leaf(value: i32) -> Branch {
        Branch { value, children: Vec::new() }
    }

    /// An interior node with its static value.
    #[must_use]
    pub fn node(value: i32, children: Vec<Branch>) -> Branch {
        Branch { value, children }
    }

    /// A tree all of whose interior nodes have `width` children (at least 2), over its leaves from left to
    /// right. The static value of an interior node is that of its leftmost leaf. `None` unless the number of
    /// leaves is a power of the width.
    #[must_use]
    pub fn uniform(width: usize, leaves: &[i32]) -> Option<Branch> {
        let mut row: Vec<Branch> = leaves.iter().map(|&value| Branch::leaf(value)).collect();
        while row.len() > 1 {
            if width < 2 || !row.len().is_multiple_of(width) {
                return None;
            }
            row = row.chunks(width).map(|group| Branch::node(group[0].value, group.to_vec())).collect();
        }
        row.pop()
    }
}

/// A node as it is stored: in level order, so that siblings lie side by side.
#[derive(Debug)]
struct Stored {
    value: i32,
    children: std::ops::Range<usize>,
}

/// A position in an explicit tree. Its key is the node's number in level order; the root is 0.
#[derive(Clone, Debug)]
pub struct Explicit {
    nodes: Arc<[Stored]>,
    at: usize,
    max: bool,
}

impl Explicit {
    /// The root of a tree.
    #[must_use]
    pub fn new(tree: &Branch) -> Explicit {
        let mut row = vec![tree];
        let mut nodes = Vec::new();
        let mut next = 1;
        while !row.is_empty() {
            for branch in &row {
                let children = next..next + branch.children.len();
                next = children.end;
                nodes.push(Stored { value: branch.value, children });
            }
            row = row.iter().flat_map(|branch| &branch.children).collect();
        }
        Explicit { nodes: nodes.into(), at: 0, max: true }
    }

    /// The example tree of TR figures 3 to 7: binary, four plies deep, worth 35 to MAX at the root. The text
    /// of the report names the leaves that its figures visit; the others complete the tree.
    #[must_use]
    pub fn report() -> Explicit {
        const LEAVES: [i32; 16] = [41, 5, 12, 90, 101, 80, 20, 30, 34, 80, 36, 35, 50, 36, 25, 3];
        Explicit::new(&Branch::uniform(2, &LEAVES).unwrap_or(Branch::leaf(0)))
    }

    /// The node's value seen from MAX, as it was given.
    #[must_use]
    pub fn written(&self) -> i32 {
        self.nodes[self.at].value
    }
}

impl Game for Explicit {
    type Value = i32;
    type Move = u16;

    /// The value that the report uses for infinity.
    const LIMIT: i32 = 1000;

    fn moves(&self) -> Vec<u16> {
        (0..self.nodes[self.at].children.len() as u16).collect()
    }

    fn play(&self, m: u16) -> Explicit {
        let at = self.nodes[self.at].children.start + usize::from(m);
        Explicit { nodes: self.nodes.clone(), at, max: !self.max }
    }

    fn evaluate(&self) -> i32 {
        if self.max { self.written() } else { -self.written() }
    }

    fn key(&self) -> u64 {
        self.at as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_numbered_in_level_order() {
        let leaf = Branch::leaf;
        let tree = Branch::node(7, vec![leaf(4), Branch::node(6, vec![leaf(5), leaf(2)])]);
        let root = Explicit::new(&tree);
        assert_eq!((root.key(), root.evaluate()), (0, 7));
        let right = root.play(1);
        assert_eq!((right.key(), right.evaluate(), right.moves()), (2, -6, vec![0, 1]));
        let last = right.play(1);
        assert_eq!((last.key(), last.evaluate(), last.written(), last.moves().len()), (4, 2, 2, 0));
    }

    #[test]
    fn uniform_trees_need_the_right_number_of_leaves() {
        assert_eq!(Branch::uniform(2, &[1, 2, 3]), None);
        assert_eq!(Branch::uniform(1, &[1, 2]), None);
        assert_eq!(Branch::uniform(3, &[]), None);
        assert_eq!(Branch::uniform(3, &[5]), Some(Branch::leaf(5)));
        let tree = Branch::uniform(2, &[1, 2, 3, 4]).unwrap();
        assert_eq!((tree.children.len(), tree.children[1].value), (2, 3));
    }
}
