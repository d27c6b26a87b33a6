//! Explicit game trees: the examples of the papers, and those of tests.

use crate::Game;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Every value of an explicit tree lies strictly between -`LIMIT` and `LIMIT`: the report's infinity.
pub const LIMIT: i32 = 1000;

/// Most nodes of a tree that is given as text, and most levels.
const MOST_NODES: usize = 100_000;
const MOST_LEVELS: usize = 60;
/// Most children of a node: moves have 16 bits.
const MOST_CHILDREN: usize = u16::MAX as usize;

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

/// A tree as text: a leaf is its value, an interior node the list of its children in parentheses, as in
/// `((3 5) (2 9))`. The static value of an interior node is that of its leftmost leaf.
impl FromStr for Branch {
    type Err = String;

    fn from_str(text: &str) -> Result<Branch, String> {
        let spaced = text.replace('(', " ( ").replace(')', " ) ").replace(',', " ");
        // The lists that are open, the root's first; a last one takes in the tree itself.
        let mut open: Vec<Vec<Branch>> = vec![Vec::new()];
        let mut nodes = 0;
        for word in spaced.split_whitespace() {
            nodes += 1;
            if nodes > MOST_NODES || open.len() > MOST_LEVELS {
                return Err(format!("a tree has at most {MOST_NODES} nodes and {MOST_LEVELS} levels"));
            }
            let done = match word {
                "(" => {
                    open.push(Vec::new());
                    continue;
                }
                ")" => {
                    let children = open.pop().filter(|_| !open.is_empty());
                    let children = children.ok_or("a parenthesis is closed that is not open")?;
                    if children.len() > MOST_CHILDREN {
                        return Err(format!("a node has at most {MOST_CHILDREN} children"));
                    }
                    let first = children.first().ok_or("a node without children has to be a number")?;
                    Branch::node(first.value, children)
                }
                number => {
                    let value = number.parse().ok().filter(|value| (1 - LIMIT..LIMIT).contains(value));
                    let range = || format!("'{number}' is no whole number between -{LIMIT} and {LIMIT}");
                    Branch::leaf(value.ok_or_else(range)?)
                }
            };
            open.last_mut().ok_or("a parenthesis is closed that is not open")?.push(done);
        }
        let root = open.pop().and_then(|mut row| if row.len() == 1 { row.pop() } else { None });
        match root {
            Some(root) if open.is_empty() && !root.children.is_empty() => Ok(root),
            _ => Err("a tree is one list in parentheses, as in ((3 5) (2 9))".to_owned()),
        }
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

    /// Plies from this node to the deepest leaf below.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.moves().into_iter().map(|m| 1 + self.play(m).height()).max().unwrap_or(0)
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

    const LIMIT: i32 = LIMIT;

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

/// The tree below the node as text, as [`Branch`] reads it.
impl fmt::Display for Explicit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let children = self.moves();
        if children.is_empty() {
            return write!(f, "{}", self.written());
        }
        for (index, &m) in children.iter().enumerate() {
            write!(f, "{}{}", if index == 0 { "(" } else { " " }, self.play(m))?;
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_read_from_the_text_that_they_write() {
        for text in ["((41 5) (12 90))", "(1 (2 (3 -4)) 5)", "(7)"] {
            let tree = Explicit::new(&text.parse::<Branch>().unwrap());
            assert_eq!(tree.to_string(), text);
        }
        assert_eq!(Explicit::report().height(), 4);
        let static_value = "((41 5) 12)".parse::<Branch>().unwrap().value;
        assert_eq!(static_value, 41, "that of the leftmost leaf");
    }

    #[test]
    fn damaged_trees_are_errors_with_a_reason() {
        let deep = "(".repeat(100_000);
        let wide = format!("({})", "1 ".repeat(MOST_CHILDREN + 1));
        let values = ["(1 x)", "(1000)", "(-1000)", "(-2147483648)", "(2147483648)"];
        let forms = ["", "5", "()", "(1 2", "(1 2))", ")", "(1) (2)", &deep, &wide];
        for text in values.into_iter().chain(forms) {
            assert!(text.parse::<Branch>().is_err(), "{}", text.get(..20).unwrap_or(text));
        }
    }

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
