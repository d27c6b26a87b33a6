//! SEE pruning: a move that loses material by static exchange evaluation is not searched.

use super::{Candidate, PrunedMove};
use crate::chess::score::{INFINITE, Value, centipawns};
use crate::chess::see;
use crate::search::observe::{Reason, cut};
use crate::search::parameters::{Parameters, parameters};
use crate::search::state::{Node, Search};

parameters! {
    /// SEE pruning of quiet moves: centipawns a ply that they would be searched.
    exchange_quiet: 95 in 20..=110;
    /// SEE pruning of captures: centipawns by the squared depth.
    exchange_noisy: 21 in 8..=50;
    /// SEE pruning: the deepest search of a move that is pruned, in plies.
    exchange_depth: 7 in 3..=14, off 0;
}

const LOSES_MATERIAL: Reason = cut("see", "it loses material (SEE)", 'X');

impl Parameters {
    /// SEE pruning margin: the least exchange value of a move that is searched, in units; negative.
    fn see_margin(&self, depth: i32, quiet: bool) -> Value {
        let loss = if quiet { self.exchange_quiet() * depth } else { self.exchange_noisy() * depth * depth };
        centipawns(-loss)
    }
}

impl Search<'_> {
    /// Prunes a move whose exchange loses more than the margin; no bound is claimed. A quiet move from a
    /// square that is not attacked to another one can lose nothing: not even a line that it opens leads
    /// there.
    pub(super) fn loses_material(&self, node: &Node, candidate: &Candidate) -> Option<PrunedMove> {
        let (parameters, &Candidate { m, quiet, depth, .. }) = (&self.settings.parameters, candidate);
        let threats = self.stack[node.ply].threats;
        let attacked = |square| threats.contains(square);
        let exchanges = !quiet || attacked(m.to()) || m.from().is_none_or(attacked);
        let loses = exchanges
            && depth <= parameters.exchange_depth()
            && !see::see_ge(node.position, m, parameters.see_margin(depth, quiet));
        loses.then_some((-INFINITE, LOSES_MATERIAL))
    }
}
