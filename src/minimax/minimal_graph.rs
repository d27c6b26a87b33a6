//! Minimal graphs: the least that proves a value, transpositions included. They are the physical limit that a
//! full-width search is measured against (Knuth and Moore's w^ceil(d/2) + w^floor(d/2) - 1 leaves, where the
//! tree is a graph).
//!
//! *Left-first*: the first move known to refute stands at every cut node. *Approximately real*: at every cut
//! node the refutation that adds the fewest new nodes, as far as it can be told: moves into positions that are
//! proven already, and near the leaves every move is tried.

use super::Stopped;
use super::game::{Game, StopCondition};
use super::memory::Bounds;
use super::window::Window;
use std::collections::HashMap;

/// A position and its remaining depth.
type Node = (u64, u32);

/// Rounds after which a graph that still shrinks is taken as it is.
const ROUNDS: u32 = 10;

/// How big a graph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Different positions at the bottom, or where the game is over.
    pub leaves: u64,
    /// All different pairs of a position and a remaining depth, leaves included.
    pub nodes: u64,
}

/// The proofs v >= f and v < f + 1 of a root's value, built again and again with the moves of the last time.
pub struct MinimalGraph<G: Game<Value = i32>, H> {
    root: G,
    depth: u32,
    value: i32,
    /// Remaining depth up to which every refutation is weighed.
    weighed: u32,
    stop: H,
    visits: u64,
    /// The refutations found, of this graph.
    moves: HashMap<Node, u16>,
    /// What the proofs of this round know.
    known: HashMap<Node, Bounds<i32>>,
    leaves: u64,
    /// What `known` held before, newest last, while a move is on trial.
    journal: Option<Vec<(Node, Option<Bounds<i32>>)>>,
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
            weighed: 0,
            stop,
            visits: 0,
            moves: HashMap::new(),
            known: HashMap::new(),
            leaves: 0,
            journal: None,
            values: HashMap::new(),
        }
    }

    /// The left-first graph; `best` says which move of a position a search believed in. `None` when the value
    /// given is not the root's.
    pub fn left_first(&mut self, best: &dyn Fn(u64) -> Option<u16>) -> Result<Option<Size>, Stopped> {
        self.weighed = 0;
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

    /// The approximately real graph: known positions first, and every refutation weighed up to `plies` of
    /// remaining depth. It begins with the moves of the left-first one if that was built before.
    pub fn approximately_real(
        &mut self,
        plies: u32,
        best: &dyn Fn(u64) -> Option<u16>,
    ) -> Result<Option<Size>, Stopped> {
        self.weighed = plies.max(1);
        self.round(best)
    }

    /// Both proofs from nothing.
    fn round(&mut self, best: &dyn Fn(u64) -> Option<u16>) -> Result<Option<Size>, Stopped> {
        self.known.clear();
        self.leaves = 0;
        let root = self.root.clone();
        let high = self.prove(&root, self.value, self.depth, best)?;
        let low = self.prove(&root, self.value + 1, self.depth, best)?;
        let size = Size { leaves: self.leaves, nodes: self.known.len() as u64 };
        Ok((high == self.value && low == self.value).then_some(size))
    }

    /// MT (TR figure 1): whether a node is worth `bound` or more, fail-soft.
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
        let name = (node.key(), depth);
        if let Some(value) = self.cutoff(name, bound) {
            return Ok(value);
        }
        let moves = if depth == 0 { Vec::new() } else { node.moves() };
        if moves.is_empty() {
            let value = *self.values.entry(name.0).or_insert_with(|| node.evaluate());
            self.leaves += u64::from(!self.known.contains_key(&name));
            self.learn(name, Window::new(-G::LIMIT, G::LIMIT), value);
            return Ok(value);
        }
        let children: Vec<G> = moves.iter().map(|&m| node.play(m)).collect();
        let mut value = -G::LIMIT;
        for index in self.order(name, &children, bound, best)? {
            let Some(child) = children.get(usize::from(index)) else { continue };
            value = value.max(-self.prove(child, 1 - bound, depth - 1, best)?);
            if value >= bound {
                self.moves.insert(name, index);
                break;
            }
        }
        self.learn(name, Window::at(bound), value);
        Ok(value)
    }

    /// The order in which moves are tried: the cheapest refutation if any was weighed, then the one found
    /// before or believed in, then the game's order.
    fn order(
        &mut self,
        name: Node,
        children: &[G],
        bound: i32,
        best: &dyn Fn(u64) -> Option<u16>,
    ) -> Result<Vec<u16>, Stopped> {
        let cheapest = if self.weighed > 0 { self.cheapest(name, children, bound, best)? } else { None };
        let first = cheapest.or_else(|| self.moves.get(&name).copied()).or_else(|| best(name.0));
        let mut order: Vec<u16> = (0..children.len() as u16).collect();
        order.sort_by_key(|&index| Some(index) != first);
        Ok(order)
    }

    /// The refutation that costs least: none if the child is proven already, otherwise, near the leaves, what
    /// trying it adds.
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
        // A trial within a trial is not weighed again: that would be the whole tree.
        if depth > self.weighed || self.journal.is_some() {
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

    /// How many nodes are added if a child refutes, which is then undone; `None` when it does not.
    fn cost(
        &mut self,
        child: &G,
        bound: i32,
        depth: u32,
        best: &dyn Fn(u64) -> Option<u16>,
    ) -> Result<Option<usize>, Stopped> {
        let leaves = self.leaves;
        self.journal = Some(Vec::new());
        let answer = self.prove(child, 1 - bound, depth - 1, best);
        let journal = self.journal.take().unwrap_or_default();
        let added = journal.iter().filter(|(_, before)| before.is_none()).count();
        for (name, before) in journal.into_iter().rev() {
            match before {
                Some(bounds) => drop(self.known.insert(name, bounds)),
                None => drop(self.known.remove(&name)),
            }
        }
        self.leaves = leaves;
        Ok((-answer? >= bound).then_some(added))
    }

    fn cutoff(&self, name: Node, bound: i32) -> Option<i32> {
        self.known.get(&name)?.cutoff(Window::at(bound))
    }

    fn learn(&mut self, name: Node, window: Window<i32>, value: i32) {
        if let Some(journal) = &mut self.journal {
            journal.push((name, self.known.get(&name).copied()));
        }
        self.known.entry(name).or_insert(Bounds::unknown()).learn(window, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::explicit::Explicit;
    use crate::games::random_tree::{Order, RandomTree, Shape, Values};
    use crate::minimax::deepening::iterate;
    use crate::minimax::drivers::Driver;
    use crate::minimax::game::NeverStop;
    use crate::minimax::memory::UnboundedTable;
    use crate::minimax::mt::{MtOptions, Search};

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
    fn trees_have_knuth_and_moores_leaves() {
        for (width, depth) in [(2, 1), (2, 6), (3, 5), (5, 4), (7, 3)] {
            for seed in 0..5 {
                let shape = Shape { width, depth, order: Order::Random, values: Values::Distinct };
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

    /// Two sides take turns in taking one, two or three from a heap and a score: full of transpositions.
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
    fn weighing_saves_in_graphs() {
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
    fn a_stop_is_heard() {
        let stop = |visits: u64| visits > 3;
        let mut graph = MinimalGraph::new(Explicit::report(), 4, 35, stop);
        assert_eq!(graph.left_first(&|_| None), Err(Stopped));
    }
}
