//! Futility pruning: the evaluation and what a quiet move may gain do not reach alpha.

use super::{Candidate, PrunedMove};
use crate::chess::score::{Value, centipawns};
use crate::search::observe::{Reason, cut};
use crate::search::parameters::{Parameters, parameters};
use crate::search::state::{Node, Search};

parameters! {
    /// Futility pruning: centipawns at the last ply.
    futility_base: 154 in 30..=250;
    /// Futility pruning: centipawns a ply that the move would be searched.
    futility_slope: 50 in 40..=160;
    /// Futility pruning: the deepest search of a quiet move that is pruned, in plies.
    futility_depth: 7 in 3..=14, off 0;
}

const FUTILITY: Reason = cut("futility", "futility: the evaluation is too far from the bound", 'F');

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
        futile.then_some((bound, FUTILITY))
    }
}
