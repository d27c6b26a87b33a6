//! INS, Informed NegaScout (INFO appendix): a re-search uses the bounds of the null-window search before it;
//! and PNS, which keeps fewer of them.
//!
//! The null-window search of a subtree leaves a map of the results at its nodes. Where child k cut a node
//! off, children 1 to k-1 are inferior to it: a re-search drops them (*ignore left*). Where all children were
//! searched, each answer is an upper bound: a re-search takes the children in the order of these bounds,
//! needs no window wider than a child's own bound, and ends when the best value so far reaches the next bound
//! (*prove best*).
//!
//! Misprints of the appendix that are corrected here: `i < v` is `i < w`; scores are assigned, after the
//! search and after the re-search; the narrow window depends on the node's kind
//! (`research AND kind = PROVE_BEST`), not on `res`; unseen children have no score, rather than an infinite
//! one that would become a window; b never exceeds beta.
//!
//! The map is a tree, not a hash table. It has a budget in nodes: when that is used up nothing more is saved,
//! and re-searches are those of NegaScout.
//!
//! PNS is Partially Informed NegaScout (INFO section 3), and not proof-number search: the compromise between
//! NegaScout and INS. Of a null-window search it keeps the upper bounds of the children near the root of the
//! subtree (*prove best*) and the principal variation, which is tried first in the re-search. The other
//! bounds of INS are not kept, which saves most of the storage: a subtree takes a few nodes a ply.

use super::game::{Game, NeverStop, StopCondition};
use super::observer::{self, Observer, TextbookReason, TextbookRole, Unobserved};
use super::traversal::{Traversal, Visit, higher, lower};
use super::{Stopped, Window, window::Value};

/// Size of a saved node in bytes, about: turns a budget in bytes into one in nodes.
pub const NODE_BYTES: usize = 64;

/// Plies near the root of a subtree in which PNS keeps bounds: one, for the bounds of the root's children.
/// The paper does not say how many.
const PNS_BOUND_PLIES: u32 = 1;

/// Most vectors that are kept for other nodes: some plies' worth.
const MOST_SPARE: usize = 64;

/// Result of the null-window search of a node, for its re-search.
#[derive(Debug)]
enum Map<V> {
    /// All children were searched, and these are their upper bounds.
    ProveBest(Vec<Searched<V>>),
    /// This child cut off; those before it are inferior to it.
    IgnoreLeft { cut: usize, below: Below<V> },
    /// The principal variation goes through this child: it comes first, the others have no bounds (PNS).
    Pv { first: usize, below: Below<V> },
}

/// The map of a child, if it was saved.
type Below<V> = Option<Box<Map<V>>>;

/// A child of a prove-best node, with its upper bound.
#[derive(Debug)]
struct Searched<V> {
    index: usize,
    score: V,
    below: Below<V>,
}

impl<V> Map<V> {
    /// Nodes saved here, without those below.
    fn own(&self) -> usize {
        if let Map::ProveBest(seen) = self { seen.len() } else { 1 }
    }
}

/// Nodes saved in a map.
fn size<V>(map: &Below<V>) -> usize {
    let Some(map) = map else { return 0 };
    map.own()
        + match &**map {
            Map::ProveBest(seen) => seen.iter().map(|child| size(&child.below)).sum(),
            Map::IgnoreLeft { below, .. } | Map::Pv { below, .. } => size(below),
        }
}

/// Plies between a node and the root of the null-window search that saves it; `None` if no re-search can
/// follow.
type Keep = Option<u32>;

/// Informed NegaScout. Moves are taken in the game's own order.
pub struct Ins<G: Game, H: StopCondition = NeverStop, O = Unobserved> {
    /// Counts, leaf order and stop condition.
    pub traversal: Traversal<H>,
    /// Observer of every visit.
    pub observer: O,
    /// Most nodes that may be saved at a time.
    pub budget: usize,
    /// Index of the root move to try first: the best one of the iteration before.
    pub first: Option<usize>,
    /// Most nodes that were saved at a time since it was made.
    pub peak: usize,
    /// PNS: plies below the root of a subtree in which bounds are kept. `None` keeps all.
    bound_plies: Option<u32>,
    saved: usize,
    best: Option<usize>,
    /// Empty vectors with memory, of nodes that are done: most nodes need one, and few keep it.
    spare: Vec<Vec<Searched<G::Value>>>,
    game: std::marker::PhantomData<G>,
}

impl<G: Game> Ins<G> {
    /// A search that is never stopped, with a map of any size.
    #[must_use]
    pub fn new() -> Ins<G> {
        Ins::with_stop(NeverStop, usize::MAX)
    }
}

impl<G: Game> Default for Ins<G> {
    fn default() -> Ins<G> {
        Ins::new()
    }
}

impl<G: Game, H: StopCondition> Ins<G, H> {
    /// A search that `stop` may end and that saves at most `budget` nodes at a time.
    #[must_use]
    pub fn with_stop(stop: H, budget: usize) -> Ins<G, H> {
        Ins::with_observer(stop, budget, Unobserved)
    }

    /// The same as Partially Informed NegaScout.
    #[must_use]
    pub fn pns(stop: H, budget: usize) -> Ins<G, H> {
        Ins { bound_plies: Some(PNS_BOUND_PLIES), ..Ins::with_stop(stop, budget) }
    }
}

impl<G: Game, H: StopCondition, O: Observer<G::Value, G::Move>> Ins<G, H, O> {
    /// A search that `stop` may end, that saves at most `budget` nodes at a time, and that `observer`
    /// observes.
    #[must_use]
    pub fn with_observer(stop: H, budget: usize, observer: O) -> Ins<G, H, O> {
        Ins {
            traversal: Traversal::with_stop(stop),
            observer,
            budget,
            first: None,
            peak: 0,
            bound_plies: None,
            saved: 0,
            best: None,
            spare: Vec::new(),
            game: std::marker::PhantomData,
        }
    }

    /// The value of `root` in a window, fail-soft, `depth` plies deep; and the index of the move that raised
    /// alpha, if one did.
    pub fn search(
        &mut self,
        root: &G,
        depth: u32,
        window: Window<G::Value>,
    ) -> Result<(G::Value, Option<usize>), Stopped> {
        (self.saved, self.best) = (0, None);
        let map = self.first.take().map(|first| Box::new(Map::Pv { first, below: None }));
        let (value, _) = self.node(root, window, depth, map, None)?;
        Ok((value, self.best))
    }

    /// Searches a node: with a map it is a re-search. The map returned is for a re-search of this one.
    fn node(
        &mut self,
        node: &G,
        window: Window<G::Value>,
        depth: u32,
        map: Below<G::Value>,
        keep: Keep,
    ) -> Result<(G::Value, Below<G::Value>), Stopped> {
        let visit = self.traversal.visit(node, depth)?;
        self.observer.enter(&observer::Visit { key: node.key(), window, depth: depth as i32, kind: None });
        let moves = match visit {
            Visit::Leaf(value) => return Ok((self.leave(value, TextbookReason::Leaf), None)),
            Visit::Interior(moves) => moves,
        };
        self.release(map.as_ref().map_or(0, |map| map.own()));
        let mut proven = false;
        let (value, map) = match map.map(|map| *map) {
            Some(Map::ProveBest(seen)) => {
                let (value, others) = self.prove_best(node, &moves, window, depth, seen)?;
                proven = others;
                (value, None)
            }
            Some(Map::IgnoreLeft { cut, below }) => {
                for &m in moves.iter().take(cut) {
                    self.observer.pruned(m, None, TextbookReason::Inferior.into());
                }
                self.scout(node, &moves, window, depth, (cut..moves.len(), below), keep)?
            }
            Some(Map::Pv { first, below }) => {
                let others = (0..moves.len()).filter(|&index| index != first);
                let order = (first < moves.len()).then_some(first).into_iter().chain(others);
                self.scout(node, &moves, window, depth, (order, below), keep)?
            }
            None => self.scout(node, &moves, window, depth, (0..moves.len(), None), keep)?,
        };
        let reason = match () {
            () if value >= window.beta => TextbookReason::Bound,
            () if proven => TextbookReason::ProvenBest,
            () => TextbookReason::AllMoves,
        };
        Ok((self.leave(value, reason), map))
    }

    /// Ends the visit for the observer; returns the value.
    fn leave(&mut self, value: G::Value, reason: TextbookReason) -> G::Value {
        self.observer.leave(value, reason.into());
        value
    }

    /// A re-search of a node whose children all have upper bounds: its value, and true if it ended because
    /// the bounds that are left are no better.
    fn prove_best(
        &mut self,
        node: &G,
        moves: &[G::Move],
        window: Window<G::Value>,
        depth: u32,
        mut seen: Vec<Searched<G::Value>>,
    ) -> Result<(G::Value, bool), Stopped> {
        let Window { alpha, beta } = window;
        seen.sort_by(|a, b| b.score.partial_cmp(&a.score).unwrap_or(std::cmp::Ordering::Equal));
        let (mut a, mut proven) = (-G::LIMIT, false);
        let mut rest = seen.into_iter().enumerate();
        for (tried, child) in rest.by_ref() {
            let mut b = beta;
            if tried > 0 {
                if higher(a, alpha) >= child.score {
                    a = higher(a, child.score);
                    proven = true;
                    self.release(size(&child.below));
                    break;
                }
                // No window need reach above the child's upper bound.
                b = lower(child.score, beta);
            }
            let narrow = Window::new(higher(alpha, a), b).flip();
            let m = moves[child.index];
            let position = node.play(m);
            self.observer.before(Some(m), TextbookRole::Research.into());
            let (answer, _) = self.node(&position, narrow, depth - 1, child.below, None)?;
            a = higher(a, -answer);
            if a >= beta {
                break;
            }
        }
        self.release(rest.map(|(_, child)| size(&child.below)).sum());
        Ok((a, proven))
    }

    /// NegaScout's node: the children in order, the first with its map; re-searches use theirs.
    fn scout(
        &mut self,
        node: &G,
        moves: &[G::Move],
        window: Window<G::Value>,
        depth: u32,
        (order, mut below): (impl Iterator<Item = usize>, Below<G::Value>),
        keep: Keep,
    ) -> Result<(G::Value, Below<G::Value>), Stopped> {
        let Window { alpha, beta } = window;
        let (mut a, mut b) = (-G::LIMIT, beta);
        let (mut best, mut cut) = (None, None);
        let mut seen = if keep.is_some() { self.spare.pop().unwrap_or_default() } else { Vec::new() };
        for index in order {
            let m = moves[index];
            let child = node.play(m);
            let narrow = Window::new(higher(alpha, a), b).flip();
            let again = b < beta && depth > 2;
            let keeps = keep.map(|ply| ply + 1).or(again.then_some(0));
            let role = if b < beta { TextbookRole::Scout } else { TextbookRole::Window };
            self.observer.before(Some(m), role.into());
            let (answer, mut map) = self.node(&child, narrow, depth - 1, below.take(), keeps)?;
            let mut score = -answer;
            if score > a {
                if again && score > alpha && score >= b && score < beta {
                    let wide = Window::new(score, beta).flip();
                    self.observer.before(Some(m), TextbookRole::Research.into());
                    score = -self.node(&child, wide, depth - 1, map.take(), None)?.0;
                }
                a = score;
                best = Some(index);
            }
            if keep.is_some() {
                seen.push(Searched { index, score, below: map });
            } else {
                self.release(size(&map));
            }
            if a >= beta {
                cut = Some(index);
                break;
            }
            b = lower(higher(alpha, a).above(), beta);
        }
        self.best = best.filter(|_| a > alpha);
        Ok((a, keep.and_then(|ply| self.map(seen, cut, best, ply))))
    }

    /// The map of a node just searched, as far as its bounds are kept and the budget allows.
    fn map(
        &mut self,
        mut seen: Vec<Searched<G::Value>>,
        cut: Option<usize>,
        best: Option<usize>,
        ply: u32,
    ) -> Below<G::Value> {
        let prove_best = cut.is_none() && self.bound_plies.is_none_or(|bound_plies| ply < bound_plies);
        let own = if prove_best { seen.len() } else { 1 };
        let room = own <= self.budget.saturating_sub(self.saved);
        for child in &mut seen {
            let all = prove_best && self.bound_plies.is_none_or(|bound_plies| ply + 1 < bound_plies);
            if !room || !(all || Some(child.index) == best) {
                self.release(size(&child.below.take()));
            }
        }
        if room && prove_best {
            self.save(own);
            // With the memory that it needs, which is what the budget counts.
            let mut exact = Vec::with_capacity(seen.len());
            exact.append(&mut seen);
            self.keep_memory(seen);
            return Some(Box::new(Map::ProveBest(exact)));
        }
        let kept = seen.iter_mut().find(|child| room && Some(child.index) == best);
        let map = kept.map(|child| match (cut, child.below.take()) {
            (Some(cut), below) if self.bound_plies.is_none() => Map::IgnoreLeft { cut, below },
            (_, below) => Map::Pv { first: child.index, below },
        });
        self.save(map.as_ref().map_or(0, |_| own));
        self.keep_memory(seen);
        map.map(Box::new)
    }

    /// Keeps the memory of a vector for another node.
    fn keep_memory(&mut self, mut seen: Vec<Searched<G::Value>>) {
        if self.spare.len() < MOST_SPARE {
            seen.clear();
            self.spare.push(seen);
        }
    }

    fn save(&mut self, nodes: usize) {
        self.saved += nodes;
        self.peak = self.peak.max(self.saved);
    }

    fn release(&mut self, nodes: usize) {
        self.saved = self.saved.saturating_sub(nodes);
    }
}
