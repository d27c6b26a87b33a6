//! SSS* with an OPEN list, as Stockman published it in 1979, and its dual: the reference that shows that
//! MTD(+inf) and MTD(-inf) evaluate the same leaves in the same order (TR section 2).
//!
//! OPEN holds states (node, live or solved, merit), best merit first, the leftmost node first among equals.
//! The operator Gamma takes the first and puts back what follows from it until the root is solved. DUAL* is
//! SSS* with the roles of MAX and MIN exchanged and all values negated.

use super::Stopped;
use super::game::{Game, StopCondition};
use super::traversal::{Traversal, Visit, lower};
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;
use std::rc::Rc;

/// SSS* or its dual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// SSS*: the root is a MAX node.
    Sss,
    /// DUAL*: the root is a MIN node, values are negated.
    Dual,
}

/// Merit of a state, with a total order: values are never undefined.
#[derive(Clone, Copy, Debug)]
struct Merit<V>(V);

impl<V: PartialOrd> PartialEq for Merit<V> {
    fn eq(&self, other: &Merit<V>) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<V: PartialOrd> Eq for Merit<V> {}

impl<V: PartialOrd> PartialOrd for Merit<V> {
    fn partial_cmp(&self, other: &Merit<V>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<V: PartialOrd> Ord for Merit<V> {
    fn cmp(&self, other: &Merit<V>) -> Ordering {
        self.0.partial_cmp(&other.0).unwrap_or(Ordering::Equal)
    }
}

/// The indices of the moves that lead to a node: sorted from left to right.
type Path = Vec<u16>;

/// A node in OPEN, with the path back to the root.
struct Node<G: Game> {
    position: G,
    parent: Option<Parent<G>>,
    path: Path,
}

/// A parent and its moves.
type Parent<G> = (Rc<Node<G>>, Rc<[<G as Game>::Move]>);

/// Order of OPEN: best merit first, leftmost path first.
type OpenKey<G> = (Reverse<Merit<<G as Game>::Value>>, Path);

/// A state's node, and true if it is solved, false if it is live.
type State<G> = (Rc<Node<G>>, bool);

/// The OPEN list: states by merit, and by path for purging.
struct Open<G: Game> {
    by_merit: BTreeMap<OpenKey<G>, State<G>>,
    by_path: BTreeMap<Path, G::Value>,
    /// Most states at a time.
    peak: usize,
}

impl<G: Game> Open<G> {
    fn push(&mut self, node: Rc<Node<G>>, solved: bool, merit: G::Value) {
        self.by_path.insert(node.path.clone(), merit);
        self.by_merit.insert((Reverse(Merit(merit)), node.path.clone()), (node, solved));
        self.peak = self.peak.max(self.by_merit.len());
    }

    fn pop(&mut self) -> Option<(State<G>, G::Value)> {
        let ((Reverse(Merit(merit)), path), state) = self.by_merit.pop_first()?;
        self.by_path.remove(&path);
        Some((state, merit))
    }

    /// Removes all states below a node.
    fn purge(&mut self, above: &Path) {
        let below = self.by_path.range(above.clone()..).take_while(|(path, _)| path.starts_with(above));
        let purged: Vec<_> = below.map(|(path, &merit)| (path.clone(), merit)).collect();
        for (path, merit) in purged {
            self.by_path.remove(&path);
            self.by_merit.remove(&(Reverse(Merit(merit)), path));
        }
    }
}

/// Result of SSS* or DUAL*.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution<V> {
    /// The minimax value to the side to move at the root.
    pub value: V,
    /// Most states that OPEN held.
    pub peak: usize,
}

/// Solves the root, `depth` plies deep.
pub fn stockman<G: Game, H: StopCondition>(
    traversal: &mut Traversal<H>,
    root: &G,
    depth: u32,
    variant: Variant,
) -> Result<Solution<G::Value>, Stopped> {
    let mut open = Open { by_merit: BTreeMap::new(), by_path: BTreeMap::new(), peak: 0 };
    let root = Node { position: root.clone(), parent: None, path: Path::new() };
    open.push(Rc::new(root), false, G::LIMIT);
    while let Some(((node, solved), merit)) = open.pop() {
        if solved && node.parent.is_none() {
            let value = if variant == Variant::Sss { merit } else { -merit };
            return Ok(Solution { value, peak: open.peak });
        }
        if solved {
            gamma_solved(&mut open, &node, merit, variant);
        } else {
            gamma_live(traversal, &mut open, node, merit, depth, variant)?;
        }
    }
    // OPEN always holds a state until the root is solved.
    Err(Stopped)
}

/// True if a node is a MAX node.
fn is_max<G: Game>(node: &Node<G>, variant: Variant) -> bool {
    node.path.len().is_multiple_of(2) == (variant == Variant::Sss)
}

/// Gamma on a solved node other than the root.
fn gamma_solved<G: Game>(open: &mut Open<G>, node: &Rc<Node<G>>, merit: G::Value, variant: Variant) {
    let Some((parent, moves)) = &node.parent else { return };
    if !is_max(node, variant) {
        // Case 1: the best child of a MAX node is solved, and so is the node. Its other children are purged.
        open.purge(&parent.path);
        open.push(parent.clone(), true, merit);
        return;
    }
    let next = node.path.last().map_or(0, |&last| last + 1);
    if usize::from(next) < moves.len() {
        // Case 2: the next sibling may bring the MIN node's merit down.
        open.push(child(parent, moves, next), false, merit);
    } else {
        // Case 3: no sibling is left, the MIN node is solved.
        open.push(parent.clone(), true, merit);
    }
}

/// Gamma on a live node.
fn gamma_live<G: Game, H: StopCondition>(
    traversal: &mut Traversal<H>,
    open: &mut Open<G>,
    node: Rc<Node<G>>,
    merit: G::Value,
    depth: u32,
    variant: Variant,
) -> Result<(), Stopped> {
    let is_max = is_max(&node, variant);
    match traversal.visit(&node.position, depth.saturating_sub(node.path.len() as u32))? {
        // Case 4: a leaf is solved by its value, seen from MAX.
        Visit::Leaf(value) => {
            let value = if is_max { value } else { -value };
            open.push(node, true, lower(merit, value));
        }
        Visit::Interior(moves) => {
            let moves: Rc<[G::Move]> = moves.into();
            // Case 5: all children of a MAX node. Case 6: the first child of a MIN node.
            let children = if is_max { moves.len() } else { 1 };
            for index in 0..children {
                open.push(child(&node, &moves, index as u16), false, merit);
            }
        }
    }
    Ok(())
}

fn child<G: Game>(parent: &Rc<Node<G>>, moves: &Rc<[G::Move]>, index: u16) -> Rc<Node<G>> {
    let mut path = parent.path.clone();
    path.push(index);
    let position = parent.position.play(moves[usize::from(index)]);
    Rc::new(Node { position, parent: Some((parent.clone(), moves.clone())), path })
}
