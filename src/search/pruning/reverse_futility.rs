//! Reverse futility pruning (static null move pruning): the evaluation is above beta by more than a margin.

use crate::chess::score::{Value, centipawns};
use crate::search::observe::{Reason, cut};
use crate::search::parameters::{Parameters, parameters};
use crate::search::state::{Node, Search};

parameters! {
    /// Reverse futility pruning: centipawns a ply.
    reverse_futility_slope: 54 in 40..=140;
    /// Reverse futility pruning: centipawns less where the evaluation has risen.
    reverse_futility_improving: 41 in 0..=120;
    /// Reverse futility pruning: the deepest node, in plies.
    reverse_futility_depth: 8 in 3..=14, off 0;
}

pub(super) const REVERSE_FUTILITY: Reason =
    cut("reverse-futility", "reverse futility: the evaluation is beyond the bound by a margin", 'R');

impl Parameters {
    /// Reverse futility margin: the most that the evaluation is expected to fall within `depth` plies, in
    /// units.
    fn reverse_futility_margin(&self, depth: i32, improving: bool) -> Value {
        let less = if improving { self.reverse_futility_improving() } else { 0 };
        centipawns(self.reverse_futility_slope() * depth - less)
    }
}

impl Search<'_> {
    /// The evaluation less the margin, where that reaches beta.
    pub(super) fn reverse_futility(&self, node: &Node) -> Option<Value> {
        let parameters = &self.settings.parameters;
        let bound = node.eval - parameters.reverse_futility_margin(node.depth, node.improving);
        (node.depth <= parameters.reverse_futility_depth() && bound >= node.window.beta).then_some(bound)
    }
}
