//! Delta pruning: in quiescence search, evaluation, piece taken and margin do not reach alpha.

use crate::chess::score::{Value, centipawns};
use crate::chess::{Position, see};
use crate::search::observe::{Reason, cut};
use crate::search::parameters::parameters;
use crate::search::state::{ModeRules, Search};
use shakmaty::Move;

parameters! {
    /// Delta pruning: centipawns beyond the piece taken.
    delta: 233 in 60..=350, off 100_000;
}

const DELTA: Reason = cut("delta", "delta pruning: the capture wins too little", 'D');

impl Search<'_> {
    /// An upper bound on the value of a capture that does not reach alpha. Evasions and promotions are
    /// searched.
    #[inline]
    pub(in crate::search) fn delta<R: ModeRules>(
        &mut self,
        position: &Position,
        m: Move,
        eval: Value,
        alpha: Value,
    ) -> Option<Value> {
        if !R::SELECTIVE || position.in_check() || m.promotion().is_some() {
            return None;
        }
        // The most that a capture is expected to gain beyond the piece that it takes.
        let margin = centipawns(self.settings.parameters.delta());
        let bound = eval + m.capture().map_or(0, see::exchange_value) + margin;
        (bound <= alpha).then(|| self.note_pruned::<R>(m, bound, DELTA))
    }
}
