//! MT, the memory-enhanced test (TR figure 1), over any game: the textbook's node routine.
//!
//! A search in a null window is MT; one in an open window is fail-soft Alpha-Beta or NegaScout with the same
//! memory and the same order of moves, so that drivers differ in their windows alone.

use super::Stopped;
use super::driver::Tree;
use super::game::{Game, NeverStop, StopCondition};
use super::memory::Memory;
use super::observer::{Observer, TextbookReason, TextbookRole, Unobserved, Visit};
use super::window::Window;
use crate::mtd_best::{BestMoveProof, RootMoves};
use std::cmp::Reverse;

/// Remaining depths that are counted apart; deeper ones are counted with the last.
pub const DEPTHS: usize = 32;

/// Node counts of a search. Every visit is exactly one of interior, leaf, table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Evaluated positions: at the horizon, and where the game is over.
    pub leaf: u64,
    /// Visits that searched moves.
    pub interior: u64,
    /// Visits answered by the memory.
    pub table: u64,
    /// Fail-highs by remaining depth.
    pub cutoffs: [u64; DEPTHS],
    /// Those of them on the first move.
    pub first_move_cutoffs: [u64; DEPTHS],
    /// Moves examined at those nodes.
    pub moves_at_cutoffs: [u64; DEPTHS],
}

impl Counts {
    /// All visits, as the papers add them up.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.leaf + self.interior + self.table
    }

    fn cutoff(&mut self, depth: u32, tried: usize) {
        let at = (depth as usize).min(DEPTHS - 1);
        self.cutoffs[at] += 1;
        self.first_move_cutoffs[at] += u64::from(tried == 1);
        self.moves_at_cutoffs[at] += tried as u64;
    }
}

/// Options of the node routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MtOptions {
    /// In an open window, test later moves with a null window first (NegaScout).
    pub scouts: bool,
    /// Try the memory's best move first, then by history heuristic. Off: moves in the game's own order, for
    /// proofs.
    pub reorders: bool,
    /// Least remaining depth for enhanced transposition cut-offs (ETC), in plies; 0 = none.
    pub enhanced_cutoffs: u32,
    /// Look up and store positions at the horizon too (TR figure 1). Off where an evaluation costs less than
    /// a look into memory.
    pub stores_leaves: bool,
}

impl Default for MtOptions {
    fn default() -> MtOptions {
        MtOptions { scouts: true, reorders: true, enhanced_cutoffs: 0, stores_leaves: true }
    }
}

/// Memory-enhanced test of a root at a fixed depth, for any sequence of windows.
pub struct Search<G: Game, M, H = NeverStop, O = Unobserved> {
    /// The root.
    pub root: G,
    /// Depth in plies.
    pub depth: u32,
    /// Bounds and best moves of positions.
    pub memory: M,
    /// Options of its node routine.
    pub options: MtOptions,
    /// Node counts so far.
    pub counts: Counts,
    /// Keys of the leaves in the order in which they were evaluated; `None` records nothing.
    pub leaves: Option<Vec<u64>>,
    /// Stop condition.
    pub stop: H,
    /// Observer of every visit.
    pub observer: O,
    /// The index of the root move that last raised the value, and the root's move after a fail-high.
    pub best: Option<usize>,
    /// True if the root is searched even where the memory answers, so that its best move is of this depth.
    pub(super) searches_root: bool,
    /// The move that raised alpha at the node that was searched last.
    raised: Option<u16>,
    history: Vec<u64>,
}

impl<G: Game, M: Memory<G::Value>> Search<G, M> {
    /// A search of `root` to `depth` plies that is never stopped.
    #[must_use]
    pub fn new(root: G, depth: u32, memory: M, options: MtOptions) -> Search<G, M> {
        Search::with_stop(root, depth, memory, options, NeverStop)
    }
}

impl<G: Game, M: Memory<G::Value>, H: StopCondition> Search<G, M, H> {
    /// A search that `stop` may end.
    #[must_use]
    pub fn with_stop(root: G, depth: u32, memory: M, options: MtOptions, stop: H) -> Search<G, M, H> {
        Search::with_observer(root, depth, memory, options, stop, Unobserved)
    }
}

impl<G: Game, M: Memory<G::Value>, H: StopCondition, O: Observer<G::Value, G::Move>> Search<G, M, H, O> {
    /// A search that `stop` may end and `observer` observes.
    #[must_use]
    pub fn with_observer(
        root: G,
        depth: u32,
        memory: M,
        options: MtOptions,
        stop: H,
        observer: O,
    ) -> Search<G, M, H, O> {
        let history = vec![0; G::SLOTS];
        Search {
            root,
            depth,
            memory,
            options,
            counts: Counts::default(),
            leaves: None,
            stop,
            observer,
            best: None,
            searches_root: false,
            raised: None,
            history,
        }
    }

    /// Sets another root or depth, for the next move of a game or the next iteration; memory and history
    /// stay.
    pub fn set_root(&mut self, root: G, depth: u32) {
        (self.root, self.depth, self.best) = (root, depth, None);
    }

    /// The fail-soft value of a node in a window.
    pub fn node(&mut self, node: &G, window: Window<G::Value>, depth: u32) -> Result<G::Value, Stopped> {
        let key = node.key();
        self.enter(key, window, depth)?;
        let stored = depth > 0 || self.options.stores_leaves;
        if let Some(value) = stored.then(|| self.memory.bounds(key, depth).cutoff(window)).flatten() {
            self.counts.table += 1;
            return Ok(self.leave(value, TextbookReason::Table));
        }
        self.search_node((node, key), window, depth)
    }

    /// Begins the visit of the position with a key.
    fn enter(&mut self, key: u64, window: Window<G::Value>, depth: u32) -> Result<(), Stopped> {
        if self.stop.should_stop(self.counts.total()) {
            return Err(Stopped);
        }
        self.observer.enter(&Visit { key, window, depth: depth as i32, kind: None });
        Ok(())
    }

    /// The value of a node that the memory does not answer.
    fn search_node(
        &mut self,
        (node, key): (&G, u64),
        window: Window<G::Value>,
        depth: u32,
    ) -> Result<G::Value, Stopped> {
        let stored = depth > 0 || self.options.stores_leaves;
        let moves = if depth == 0 { Vec::new() } else { node.moves() };
        if moves.is_empty() {
            let value = self.leaf(node);
            if stored {
                // A leaf's value is both bounds (TR figure 1).
                self.memory.store(key, depth, Window::new(-G::LIMIT, G::LIMIT), value, None);
            }
            return Ok(self.leave(value, TextbookReason::Leaf));
        }
        self.counts.interior += 1;
        let (value, best) = self.interior(node, &moves, window, depth)?;
        self.memory.store(key, depth, window, value, best);
        self.raised = best;
        Ok(value)
    }

    /// Ends the visit for the observer; returns the value.
    fn leave(&mut self, value: G::Value, reason: TextbookReason) -> G::Value {
        self.observer.leave(value, reason.into());
        value
    }

    fn leaf(&mut self, node: &G) -> G::Value {
        self.counts.leaf += 1;
        if let Some(leaves) = &mut self.leaves {
            leaves.push(node.key());
        }
        node.evaluate()
    }

    /// Searches the moves of an interior node; its value, and the move that raised alpha if one did.
    fn interior(
        &mut self,
        node: &G,
        moves: &[G::Move],
        window: Window<G::Value>,
        depth: u32,
    ) -> Result<(G::Value, Option<u16>), Stopped> {
        let order = self.order_moves(node, moves);
        if let Some((value, best)) = self.enhanced_cutoff(node, moves, &order, window, depth) {
            return Ok((self.leave(value, TextbookReason::EnhancedCutoff), Some(best)));
        }
        let mut value = -G::LIMIT;
        let mut best = None;
        for (tried, &index) in order.iter().enumerate() {
            let m = moves[usize::from(index)];
            let answer = self.child(m, &node.play(m), window, value, depth, tried == 0)?;
            if answer > value {
                value = answer;
                if value > window.alpha {
                    best = Some(index);
                }
            }
            if value >= window.beta {
                self.counts.cutoff(depth, tried + 1);
                break;
            }
        }
        if let Some(best) = best {
            self.update_history(node, moves[usize::from(best)], depth);
        }
        let reason = if value >= window.beta { TextbookReason::Bound } else { TextbookReason::AllMoves };
        Ok((self.leave(value, reason), best))
    }

    /// Searches a child in the rest of the window; with NegaScout the later ones in a null window first.
    fn child(
        &mut self,
        m: G::Move,
        child: &G,
        window: Window<G::Value>,
        value: G::Value,
        depth: u32,
        first: bool,
    ) -> Result<G::Value, Stopped> {
        let alpha = if value > window.alpha { value } else { window.alpha };
        let rest = Window::new(alpha, window.beta);
        if first || !self.options.scouts || rest.is_null() {
            self.observer.before(Some(m), TextbookRole::Window.into());
            return Ok(-self.node(child, rest.flip(), depth - 1)?);
        }
        self.observer.before(Some(m), TextbookRole::Scout.into());
        let answer = -self.node(child, rest.scout().flip(), depth - 1)?;
        let inside = answer > rest.alpha && answer < rest.beta;
        // In a null window of reals an answer inside is the value already.
        if !inside || answer < rest.scout().beta {
            return Ok(answer);
        }
        self.observer.before(Some(m), TextbookRole::Research.into());
        Ok(-self.node(child, rest.flip(), depth - 1)?)
    }

    /// Move ordering: the memory's best move, then by history heuristic, then the game's order.
    fn order_moves(&self, node: &G, moves: &[G::Move]) -> Vec<u16> {
        if !self.options.reorders || moves.len() < 2 {
            return (0..moves.len() as u16).collect();
        }
        let first = self.memory.best(node.key());
        let rank = |(index, &m): (u16, &G::Move)| {
            let slot = if G::SLOTS == 0 { 0 } else { node.slot(m) };
            (Some(index) != first, Reverse(self.history.get(slot).copied().unwrap_or(0)), index)
        };
        let mut order: Vec<_> = (0..).zip(moves).map(rank).collect();
        order.sort_unstable();
        order.into_iter().map(|(_, _, index)| index).collect()
    }

    /// ETC, enhanced transposition cut-off: a child whose stored bound refutes this node (TR's enhancement;
    /// AAAI-96).
    fn enhanced_cutoff(
        &self,
        node: &G,
        moves: &[G::Move],
        order: &[u16],
        window: Window<G::Value>,
        depth: u32,
    ) -> Option<(G::Value, u16)> {
        if self.options.enhanced_cutoffs == 0 || depth < self.options.enhanced_cutoffs {
            return None;
        }
        order.iter().find_map(|&index| {
            let child = node.play(moves[usize::from(index)]);
            let value = -self.memory.bounds(child.key(), depth - 1).upper?;
            (value >= window.beta).then_some((value, index))
        })
    }

    /// History heuristic (Schaeffer): a bonus of 2^depth for a move that was best.
    fn update_history(&mut self, node: &G, m: G::Move, depth: u32) {
        if let Some(merit) = self.history.get_mut(if G::SLOTS == 0 { 0 } else { node.slot(m) }) {
            *merit += 1 << depth.min(40);
        }
    }
}

impl<G: Game, M: Memory<G::Value>, H: StopCondition, O: Observer<G::Value, G::Move>> Tree<G::Value>
    for Search<G, M, H, O>
{
    fn test(&mut self, window: Window<G::Value>) -> Result<G::Value, Stopped> {
        let root = self.root.clone();
        let key = root.key();
        self.raised = None;
        let value = if self.searches_root {
            self.enter(key, window, self.depth)?;
            self.search_node((&root, key), window, self.depth)?
        } else {
            self.node(&root, window, self.depth)?
        };
        if value > window.alpha {
            // A memory may hold the move of another depth, or have refused this one.
            self.best = self.raised.or_else(|| self.memory.best(key)).map(usize::from);
        }
        Ok(value)
    }
}

impl<G: Game<Value = i32>, M: Memory<i32>, H: StopCondition, O: Observer<i32, G::Move>> RootMoves
    for Search<G, M, H, O>
{
    fn moves(&self) -> usize {
        self.root.moves().len()
    }

    fn candidate(&self) -> usize {
        self.best.unwrap_or(0)
    }

    fn conclude(&mut self, proof: &BestMoveProof) {
        self.best = Some(proof.best);
    }

    fn test_move(&mut self, index: usize, bound: i32) -> Result<i32, Stopped> {
        let moves = self.root.moves();
        let Some(&m) = moves.get(index) else { return Ok(-G::LIMIT) };
        let child = self.root.play(m);
        self.observer.before(Some(m), TextbookRole::Window.into());
        Ok(-self.node(&child, Window::at(bound).flip(), self.depth.saturating_sub(1))?)
    }
}
