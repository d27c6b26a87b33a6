//! Minimal graphs: the smallest search graphs that prove a value, with transpositions. They are the lower
//! limit for full-width search (the minimal tree has Knuth and Moore's w^ceil(d/2) + w^floor(d/2) - 1 leaves;
//! the graph has at most as many).
//!
//! *Left-first*: the first move known to refute stands at every cut node. *Approximately real*: at every cut
//! node the refutation that adds the fewest new nodes, as far as it is known: moves into positions that are
//! proven already, and near the leaves the cost of every move is measured.

use super::Stopped;
use super::game::{Game, StopCondition};
use super::memory::Bounds;
use super::window::Window;
use std::collections::HashMap;

/// A position and its remaining depth.
type Node = (u64, u32);

/// Most rounds: a graph that still shrinks then is taken as it is.
const ROUNDS: u32 = 10;

/// Size of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Different positions at the bottom, or where the game is over.
    pub leaves: u64,
    /// All different pairs of a position and a remaining depth, leaves included.
    pub nodes: u64,
}

/// The proofs v >= f and v < f + 1 of a root's value, built in rounds, each with the refutations of the last.
pub struct MinimalGraph<G: Game<Value = i32>, H> {
    root: G,
    depth: u32,
    value: i32,
    /// Remaining depth up to which the cost of every refutation is measured, in plies.
    measured_depth: u32,
    stop: H,
    visits: u64,
    /// The refutations found in this graph.
    moves: HashMap<Node, u16>,
    /// Bounds proven in this round.
    known: HashMap<Node, Bounds<i32>>,
    leaves: u64,
    /// Undo log of `known`, newest last, while the cost of a move is measured.
    undo: Option<Vec<(Node, Option<Bounds<i32>>)>>,
    values: HashMap<u64, i32>,
}

impl<G: Game<Value = i32>, H: StopCondition> MinimalGraph<G, H> {
    /// The graphs of `root` at `depth` plies, where its minimax value is `value`.
    #[must_use]
    pub fn new(root: G, depth: u32, value: i32, stop: H) -> MinimalGraph<G, H> {
        MinimalGraph {
            root,
            depth,
            value,
            measured_depth: 0,
            stop,
            visits: 0,
            moves: HashMap::new(),
            known: HashMap::new(),
            leaves: 0,
            undo: None,
            values: HashMap::new(),
        }
    }

    /// The left-first graph; `best` gives the best move of a search for a position. `None` when the value
    /// given is not the root's.
    pub fn left_first(&mut self, best: &dyn Fn(u64) -> Option<u16>) -> Result<Option<Size>, Stopped> {
        self.measured_depth = 0;
        let mut size = None;
        for _ in 0..ROUNDS {
            let Some(next) = self.round(best)? else { return Ok(None) };
            if size.is_some_and(|size: Size| size.nodes <= next.nodes) {
                break;
            }
            size = Some(next);
        }
        Ok(size)
    }

    /// The approximately real graph: proven positions first, and the cost of every refutation measured up to
    /// `plies` of remaining depth. It begins with the moves of the left-first one if that was built before.
    pub fn approximately_real(
        &mut self,
        plies: u32,
        best: &dyn Fn(u64) -> Option<u16>,
    ) -> Result<Option<Size>, Stopped> {
        self.measured_depth = plies.max(1);
        self.round(best)
    }

    /// Builds both proofs anew.
    fn round(&mut self, best: &dyn Fn(u64) -> Option<u16>) -> Result<Option<Size>, Stopped> {
        self.known.clear();
        self.leaves = 0;
        let root = self.root.clone();
        let high = self.prove(&root, self.value, self.depth, best)?;
        let low = self.prove(&root, self.value + 1, self.depth, best)?;
        let size = Size { leaves: self.leaves, nodes: self.known.len() as u64 };
        Ok((high == self.value && low == self.value).then_some(size))
    }

    /// MT (TR figure 1): tests a node against `bound`, fail-soft.
    fn prove(
        &mut self,
        node: &G,
        bound: i32,
        depth: u32,
        best: &dyn Fn(u64) -> Option<u16>,
    ) -> Result<i32, Stopped> {
        self.visits += 1;
        if self.stop.should_stop(self.visits) {
            return Err(Stopped);
        }
        let node_id = (node.key(), depth);
        if let Some(value) = self.cutoff(node_id, bound) {
            return Ok(value);
        }
        let moves = if depth == 0 { Vec::new() } else { node.moves() };
        if moves.is_empty() {
            let value = *self.values.entry(node_id.0).or_insert_with(|| node.evaluate());
            self.leaves += u64::from(!self.known.contains_key(&node_id));
            self.store(node_id, Window::new(-G::LIMIT, G::LIMIT), value);
            return Ok(value);
        }
        let children: Vec<G> = moves.iter().map(|&m| node.play(m)).collect();
        let mut value = -G::LIMIT;
        for index in self.order(node_id, &children, bound, best)? {
            let Some(child) = children.get(usize::from(index)) else { continue };
            value = value.max(-self.prove(child, 1 - bound, depth - 1, best)?);
            if value >= bound {
                self.moves.insert(node_id, index);
                break;
            }
        }
        self.store(node_id, Window::at(bound), value);
        Ok(value)
    }

    /// Move ordering: the cheapest refutation if costs are measured, else the one of the last round or of the
    /// search, then the game's order.
    fn order(
        &mut self,
        node_id: Node,
        children: &[G],
        bound: i32,
        best: &dyn Fn(u64) -> Option<u16>,
    ) -> Result<Vec<u16>, Stopped> {
        let cheapest =
            if self.measured_depth > 0 { self.cheapest(node_id, children, bound, best)? } else { None };
        let first = cheapest.or_else(|| self.moves.get(&node_id).copied()).or_else(|| best(node_id.0));
        let mut order: Vec<u16> = (0..children.len() as u16).collect();
        order.sort_by_key(|&index| Some(index) != first);
        Ok(order)
    }

    /// The refutation of least cost in nodes: 0 if the child is proven already, else, near the leaves, the
    /// nodes that proving it adds.
    fn cheapest(
        &mut self,
        (_, depth): Node,
        children: &[G],
        bound: i32,
        best: &dyn Fn(u64) -> Option<u16>,
    ) -> Result<Option<u16>, Stopped> {
        let refutes = |&(_, child): &(u16, &G)| {
            self.cutoff((child.key(), depth - 1), 1 - bound).is_some_and(|value| -value >= bound)
        };
        if let Some((index, _)) = (0..).zip(children).find(refutes) {
            return Ok(Some(index));
        }
        // Within a measurement costs are not measured again: that would search the whole tree.
        if depth > self.measured_depth || self.undo.is_some() {
            return Ok(None);
        }
        let mut cheapest: Option<(usize, u16)> = None;
        for (index, child) in (0..).zip(children) {
            if let Some(cost) = self.cost(child, bound, depth, best)?
                && cheapest.is_none_or(|(least, _)| cost < least)
            {
                cheapest = Some((cost, index));
            }
        }
        Ok(cheapest.map(|(_, index)| index))
    }

    /// Number of nodes that the refutation by a child adds; the proof is undone. `None` when it does not
    /// refute.
    fn cost(
        &mut self,
        child: &G,
        bound: i32,
        depth: u32,
        best: &dyn Fn(u64) -> Option<u16>,
    ) -> Result<Option<usize>, Stopped> {
        let leaves = self.leaves;
        self.undo = Some(Vec::new());
        let answer = self.prove(child, 1 - bound, depth - 1, best);
        let log = self.undo.take().unwrap_or_default();
        let added = log.iter().filter(|(_, before)| before.is_none()).count();
        for (node_id, before) in log.into_iter().rev() {
            match before {
                Some(bounds) => drop(self.known.insert(node_id, bounds)),
                None => drop(self.known.remove(&node_id)),
            }
        }
        self.leaves = leaves;
        Ok((-answer? >= bound).then_some(added))
    }

    fn cutoff(&self, node_id: Node, bound: i32) -> Option<i32> {
        self.known.get(&node_id)?.cutoff(Window::at(bound))
    }

    fn store(&mut self, node_id: Node, window: Window<i32>, value: i32) {
        if let Some(log) = &mut self.undo {
            log.push((node_id, self.known.get(&node_id).copied()));
        }
        self.known.entry(node_id).or_insert(Bounds::unknown()).learn(window, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deepening::iterate;
    use crate::drivers::Driver;
    use crate::game::NeverStop;
    use crate::games::explicit::Explicit;
    use crate::games::random_tree::{ChildOrder, RandomTree, Shape, Values};
    use crate::memory::UnboundedTable;
    use crate::mt::{MtOptions, Search};

    fn value<G: Game<Value = i32>>(root: &G, depth: u32) -> i32 {
        let mut search = Search::new(root.clone(), depth, UnboundedTable::new(), MtOptions::default());
        iterate(&mut search, Driver::AlphaBeta.exact(), 0).unwrap().0
    }

    fn both<G: Game<Value = i32>>(root: &G, depth: u32, value: i32) -> [Option<Size>; 2] {
        let mut graph = MinimalGraph::new(root.clone(), depth, value, NeverStop);
        let nothing = |_| None;
        [graph.left_first(&nothing).unwrap(), graph.approximately_real(3, &nothing).unwrap()]
    }

    #[test]
    fn trees_without_transpositions_have_the_leaves_of_knuth_and_moores_formula() {
        for (width, depth) in [(2, 1), (2, 6), (3, 5), (5, 4), (7, 3)] {
            for seed in 0..5 {
                let shape = Shape { width, depth, order: ChildOrder::Random, values: Values::Distinct };
                let root = RandomTree::new(shape, seed);
                let w = u64::from(width);
                let wanted = w.pow(depth.div_ceil(2)) + w.pow(depth / 2) - 1;
                for size in both(&root, depth, value(&root, depth)) {
                    assert_eq!(size.map(|size| size.leaves), Some(wanted), "{width} {depth} {seed}");
                }
            }
        }
    }

    #[test]
    fn the_reports_tree_has_seven_leaves() {
        for size in both(&Explicit::report(), 4, 35) {
            // Seven leaves, and above them a tree of two strategies.
            assert_eq!(size.map(|size| size.leaves), Some(7));
        }
    }

    #[test]
    fn a_wrong_value_is_not_proven() {
        assert_eq!(both(&Explicit::report(), 4, 36), [None, None]);
        assert_eq!(both(&Explicit::report(), 4, 34), [None, None]);
    }

    /// A game with many transpositions: the sides take one, two or three from a heap in turn, for points.
    #[derive(Clone, Debug)]
    struct Heap {
        left: i32,
        score: i32,
        sign: i32,
    }

    impl Game for Heap {
        type Value = i32;
        type Move = i32;
        const LIMIT: i32 = 1000;

        fn moves(&self) -> Vec<i32> {
            (1..=3).filter(|&take| take <= self.left).collect()
        }

        fn play(&self, take: i32) -> Heap {
            let gain = self.sign * (take * self.left % 5);
            Heap { left: self.left - take, score: self.score + gain, sign: -self.sign }
        }

        fn evaluate(&self) -> i32 {
            self.sign * self.score
        }

        fn key(&self) -> u64 {
            ((self.left as u64) << 32) | (((self.score + 500) as u64) << 1) | u64::from(self.sign > 0)
        }
    }

    #[test]
    fn measured_refutations_make_smaller_graphs() {
        let mut saved = 0;
        for depth in 4..=10 {
            let root = Heap { left: 40, score: 0, sign: 1 };
            let [left, real] = both(&root, depth, value(&root, depth)).map(Option::unwrap);
            assert!(left.leaves <= left.nodes && real.leaves <= real.nodes);
            saved += u32::from(real.nodes < left.nodes);
        }
        assert!(saved > 0);
    }

    #[test]
    fn a_stopped_search_returns_stopped() {
        let stop = |visits: u64| visits > 3;
        let mut graph = MinimalGraph::new(Explicit::report(), 4, 35, stop);
        assert_eq!(graph.left_first(&|_| None), Err(Stopped));
    }
}
