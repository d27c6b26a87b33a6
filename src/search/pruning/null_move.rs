//! Null move pruning: where the node fails high although the side to move passes, some move fails high too.

use crate::chess::score::{self, Value};
use crate::minimax::{Stopped, Window};
use crate::search::history::NO_CONTINUATION;
use crate::search::observe::{Reason, VisitPurpose, cut};
use crate::search::parameters::{Parameters, parameters};
use crate::search::state::{ModeRules, Node, NodeType, Search};

parameters! {
    /// Null move pruning: the shallowest node, in plies.
    null_move_depth: 3 in 2..=6, off 1000;
    /// Null move pruning: the reduction's constant part, in 1/100 ply.
    null_move_base: 362 in 200..=500;
    /// Null move pruning: the reduction's part for each ply of depth, in 1/100 ply.
    null_move_slope: 34 in 15..=50;
}

const NULL_MOVE: Reason = cut("null-move", "null move: good enough without a move", 'N');

impl Parameters {
    /// Null move reduction, in plies.
    fn null_move_reduction(&self, depth: i32) -> i32 {
        (self.null_move_base() + self.null_move_slope() * depth) / 100
    }
}

impl Search<'_> {
    /// Searches the null move in reduced depth; a bound that reaches beta, if there is one.
    pub(super) fn null_move<R: ModeRules, N: NodeType>(
        &mut self,
        node: &Node,
    ) -> Result<Option<Value>, Stopped> {
        let Node { position, window, depth, ply, eval, .. } = *node;
        let after_null_move = ply == 0 || self.stack[ply - 1].continuation == NO_CONTINUATION;
        let barred = after_null_move || self.stack[ply].verifying_null_move || position.pieces_to_move() == 0;
        if depth < self.settings.parameters.null_move_depth() || eval < window.beta || barred {
            return Ok(None);
        }
        let Some(child) = position.null_move() else { return Ok(None) };
        let before = self.begin_null_move(position, ply)?;
        let reduced = depth - 1 - self.settings.parameters.null_move_reduction(depth);
        let scout = Window::at(window.beta).flip();
        self.report_next::<R>(None, VisitPurpose::NullMove);
        let value = self.node::<R, N::First>(&child, scout, reduced, ply + 1);
        self.key_history.end_null_move(before);
        let value = -value?;
        self.key_history.pop();
        if value < window.beta || self.is_zugzwang::<R, N>(node, reduced)? {
            return Ok(None);
        }
        // A mate after a null move is no proof of a mate.
        let value = if score::is_decisive(value) { window.beta } else { value };
        Ok(Some(self.report_exit::<R>(value, NULL_MOVE)))
    }

    /// Zugzwang check: where the side to move has one piece at most, the null move's cut-off is verified by a
    /// search without null move in the same depth. True if that does not fail high.
    fn is_zugzwang<R: ModeRules, N: NodeType>(&mut self, node: &Node, depth: i32) -> Result<bool, Stopped> {
        let Node { position, window, ply, .. } = *node;
        if position.pieces_to_move() > 1 {
            return Ok(false);
        }
        self.stack[ply].verifying_null_move = true;
        self.report_next::<R>(None, VisitPurpose::Verification);
        let value = self.node::<R, N>(position, Window::at(window.beta), (depth + 1).max(1), ply);
        self.stack[ply].verifying_null_move = false;
        Ok(value? < window.beta)
    }
}
