//! Visits of the directional algorithms without a memory: counts, leaf order and the stop condition.

use super::Stopped;
use super::game::{Game, NeverStop, StopCondition};
use super::mt::Counts;

/// Traversal of a tree, with its counts and its stop condition.
#[derive(Clone, Debug, Default)]
pub struct Traversal<H = NeverStop> {
    /// Node counts; none of the visits is answered by a memory.
    pub counts: Counts,
    /// Keys of the leaves in the order in which they were evaluated; `None` records nothing.
    pub leaves: Option<Vec<u64>>,
    /// Stop condition.
    pub stop: H,
}

/// Result of a visit.
#[derive(Clone, Debug)]
pub enum Visit<G: Game> {
    /// A node at the horizon or the end of the game: its exact value.
    Leaf(G::Value),
    /// An interior node: its moves, at least one.
    Interior(Vec<G::Move>),
}

impl Traversal {
    /// A traversal that is never stopped.
    #[must_use]
    pub fn new() -> Traversal {
        Traversal::default()
    }

    /// A traversal that records the order of its leaves.
    #[must_use]
    pub fn recording() -> Traversal {
        Traversal { leaves: Some(Vec::new()), ..Traversal::default() }
    }
}

impl<H: StopCondition> Traversal<H> {
    /// A traversal that `stop` may end.
    #[must_use]
    pub fn with_stop(stop: H) -> Traversal<H> {
        Traversal { counts: Counts::default(), leaves: None, stop }
    }

    /// Visits a node that is to be searched `depth` plies deep.
    pub fn visit<G: Game>(&mut self, node: &G, depth: u32) -> Result<Visit<G>, Stopped> {
        if self.stop.should_stop(self.counts.total()) {
            return Err(Stopped);
        }
        let moves = if depth == 0 { Vec::new() } else { node.moves() };
        if moves.is_empty() {
            self.counts.leaf += 1;
            if let Some(leaves) = &mut self.leaves {
                leaves.push(node.key());
            }
            return Ok(Visit::Leaf(node.evaluate()));
        }
        self.counts.interior += 1;
        Ok(Visit::Interior(moves))
    }
}

/// The larger of two values.
pub(super) fn higher<V: PartialOrd>(a: V, b: V) -> V {
    if a >= b { a } else { b }
}

/// The smaller of two values.
pub(super) fn lower<V: PartialOrd>(a: V, b: V) -> V {
    if a <= b { a } else { b }
}
