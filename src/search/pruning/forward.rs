//! Forward pruning: nodes that need no move of their own. Only play mode comes here.
//!
//! Every answer is an honest bound (see [`crate::search::pruning`]).

use crate::chess::score::{self, Value};
use crate::minimax::{Stopped, Window};
use crate::search::history::NO_CONTINUATION;
use crate::search::pruning;
use crate::search::state::{ModeRules, Node, NodeType, Search};

impl Search<'_> {
    /// A bound on the node's value without trying its moves, if there is one.
    pub(in crate::search) fn prune_node<R: ModeRules, N: NodeType>(
        &mut self,
        node: &Node,
    ) -> Result<Option<Value>, Stopped> {
        if N::PV || node.position.in_check() || score::is_decisive(node.window.beta) {
            return Ok(None);
        }
        if let Some(value) = self.reverse_futility(node) {
            return Ok(Some(value));
        }
        self.null_move::<R, N>(node)
    }

    /// Null move: if passing is good enough, some move is.
    fn null_move<R: ModeRules, N: NodeType>(&mut self, node: &Node) -> Result<Option<Value>, Stopped> {
        let Node { position, window, depth, ply, eval, .. } = *node;
        let passed_before = ply == 0 || self.stack[ply - 1].continuation == NO_CONTINUATION;
        let barred = passed_before || self.stack[ply].verifies || position.pieces_to_move() == 0;
        if depth < pruning::NULL_MOVE_DEPTH || eval < window.beta || barred {
            return Ok(None);
        }
        let Some(child) = position.null_move() else { return Ok(None) };
        let before = self.begin_null_move(position, ply)?;
        let reduced = depth - 1 - self.settings.parameters.null_move_reduction(depth);
        let scout = Window::at(window.beta).flip();
        let value = self.node::<R, N::First>(&child, scout, reduced, ply + 1);
        self.end_null_move(before);
        let value = -value?;
        self.keys.pop();
        if value < window.beta || self.is_zugzwang::<R, N>(node, reduced)? {
            return Ok(None);
        }
        // A mate found after passing is no proof of one.
        Ok(Some(if score::is_decisive(value) { window.beta } else { value }))
    }

    /// Whether it may be that passing is good only because it is not allowed: where the side to move has one
    /// piece at most, the null move's word is verified by a search without it, as deep.
    fn is_zugzwang<R: ModeRules, N: NodeType>(&mut self, node: &Node, depth: i32) -> Result<bool, Stopped> {
        let Node { position, window, ply, .. } = *node;
        if position.pieces_to_move() > 1 {
            return Ok(false);
        }
        self.stack[ply].verifies = true;
        let value = self.node::<R, N>(position, Window::at(window.beta), (depth + 1).max(1), ply);
        self.stack[ply].verifies = false;
        Ok(value? < window.beta)
    }

    /// Reverse futility: so far above beta that a quiet opponent cannot catch up.
    fn reverse_futility(&self, node: &Node) -> Option<Value> {
        let margin = self.settings.parameters.reverse_futility_margin(node.depth, node.improving);
        let assured = node.eval - margin;
        (node.depth <= pruning::REVERSE_FUTILITY_DEPTH && assured >= node.window.beta).then_some(assured)
    }
}

/// Mate-distance pruning: nobody is mated before this ply, and nobody mates before the next one.
pub(in crate::search) fn mate_distance_pruning(window: Window<Value>, ply: usize) -> Option<Value> {
    let (worst, best) = (score::mated_in(ply), -score::mated_in(ply + 1));
    if worst >= window.beta {
        Some(worst)
    } else if best <= window.alpha {
        Some(best)
    } else {
        None
    }
}
