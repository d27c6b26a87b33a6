//! Reverse futility pruning (static null move pruning): the evaluation is above beta by more than a margin.

use crate::chess::score::{Value, centipawns};
use crate::search::parameters::Parameters;
use crate::search::state::{Node, Search};

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
