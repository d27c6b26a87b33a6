//! Futility pruning: the evaluation and what a quiet move may gain do not reach alpha.

use super::{Candidate, PrunedMove};
use crate::chess::score::{Value, centipawns};
use crate::search::observe::Reason;
use crate::search::parameters::Parameters;
use crate::search::state::{Node, Search};

impl Parameters {
    /// Futility margin: the most that a quiet move is expected to gain within `depth` plies, in units.
    fn futility_margin(&self, depth: i32) -> Value {
        centipawns(self.futility_base() + self.futility_slope() * depth)
    }
}

impl Search<'_> {
    /// Prunes a quiet move whose bound, evaluation and margin, is not above alpha.
    pub(super) fn futility(&self, node: &Node, candidate: &Candidate) -> Option<PrunedMove> {
        let parameters = &self.settings.parameters;
        let bound = node.eval + parameters.futility_margin(candidate.depth);
        let futile = candidate.depth <= parameters.futility_depth() && bound <= candidate.before.alpha;
        futile.then_some((bound, Reason::Futility))
    }
}
