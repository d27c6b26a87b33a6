//! Late move pruning (LMP): after so many quiet moves the others are not searched.

use super::{Candidate, PrunedMove};
use crate::chess::score::{INFINITE, Value, centipawns};
use crate::search::observe::{Reason, cut};
use crate::search::parameters::{Parameters, parameters};
use crate::search::state::{Node, Search};

parameters! {
    /// Late move pruning: quiet moves that are searched in any case.
    late_moves_base: 3 in 1..=8;
    /// Late move pruning: quiet moves searched beyond that, in per cent of the squared depth.
    late_moves_slope: 123 in 50..=180;
    /// Late move pruning: none while the best move loses more centipawns than this.
    late_moves_loss: 150 in 40..=400;
    /// Late move pruning: the deepest node, in plies.
    late_moves_depth: 7 in 3..=14, off 0;
}

const LATE_MOVE: Reason = cut("late-move", "late move pruning: it comes late in the order", 'L');

impl Parameters {
    /// Number of quiet moves before late move pruning begins.
    fn late_move_count(&self, depth: i32, improving: bool) -> usize {
        let count = self.late_moves_base() + depth * depth * self.late_moves_slope() / 100;
        (if improving { count } else { count / 2 + 1 }) as usize
    }

    /// Late move pruning margin, in units: where every move so far loses more than this against the static
    /// evaluation, there is a threat, and any of the other moves may be the one that parries it.
    fn late_moves_margin(&self) -> Value {
        centipawns(self.late_moves_loss())
    }
}

impl Search<'_> {
    /// Prunes a quiet move that comes late; no bound is claimed.
    pub(super) fn late_move(&self, node: &Node, candidate: &Candidate) -> Option<PrunedMove> {
        let (parameters, before) = (&self.settings.parameters, candidate.before);
        let late = node.depth <= parameters.late_moves_depth()
            && before.quiets >= parameters.late_move_count(node.depth, node.improving)
            && before.best >= node.eval - parameters.late_moves_margin();
        late.then_some((-INFINITE, LATE_MOVE))
    }
}
