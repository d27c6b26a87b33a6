//! Forward pruning: nodes that need no move of their own. Only play mode comes here.
//!
//! Every answer is an honest bound (see [`crate::search::pruning`]).

use crate::chess::score::{self, Value};
use crate::minimax::{Stopped, Window};
use crate::search::move_picker::NO_ROW;
use crate::search::node::{Kind, Node, Rules, Search};
use crate::search::pruning;

impl Search<'_> {
    /// A bound on the node's value without trying its moves, if there is one.
    pub(in crate::search) fn prune<R: Rules, K: Kind>(
        &mut self,
        node: &Node,
    ) -> Result<Option<Value>, Stopped> {
        if K::PV || node.position.in_check() || score::is_decisive(node.window.beta) {
            return Ok(None);
        }
        if let Some(value) = self.assured(node) {
            return Ok(Some(value));
        }
        self.pass::<R, K>(node)
    }

    /// Null move: if passing is good enough, some move is.
    fn pass<R: Rules, K: Kind>(&mut self, node: &Node) -> Result<Option<Value>, Stopped> {
        let Node { position, window, depth, ply, eval, .. } = *node;
        let passed_before = ply == 0 || self.frames[ply - 1].row == NO_ROW;
        let barred = passed_before || self.frames[ply].verifies || position.pieces_to_move() == 0;
        if depth < pruning::NULL_MOVE_DEPTH || eval < window.beta || barred {
            return Ok(None);
        }
        let Some(child) = position.pass() else { return Ok(None) };
        let before = self.begin_null_move(position, ply)?;
        let reduced = depth - 1 - self.settings.parameters.null_move_reduction(depth);
        let scout = Window::at(window.beta).flip();
        let value = self.node::<R, K::First>(&child, scout, reduced, ply + 1);
        self.end_null_move(before);
        let value = -value?;
        self.keys.pop();
        if value < window.beta || self.is_zugzwang::<R, K>(node, reduced)? {
            return Ok(None);
        }
        // A mate found after passing is no proof of one.
        Ok(Some(if score::is_decisive(value) { window.beta } else { value }))
    }

    /// Whether it may be that passing is good only because it is not allowed: where the side to move has one
    /// piece at most, the null move's word is verified by a search without it, as deep.
    fn is_zugzwang<R: Rules, K: Kind>(&mut self, node: &Node, depth: i32) -> Result<bool, Stopped> {
        let Node { position, window, ply, .. } = *node;
        if position.pieces_to_move() > 1 {
            return Ok(false);
        }
        self.frames[ply].verifies = true;
        let value = self.node::<R, K>(position, Window::at(window.beta), (depth + 1).max(1), ply);
        self.frames[ply].verifies = false;
        Ok(value? < window.beta)
    }

    /// Reverse futility: so far above beta that a quiet opponent cannot catch up.
    fn assured(&self, node: &Node) -> Option<Value> {
        let margin = self.settings.parameters.reverse_futility_margin(node.depth, node.improving);
        let assured = node.eval - margin;
        (node.depth <= pruning::REVERSE_FUTILITY_DEPTH && assured >= node.window.beta).then_some(assured)
    }
}
