//! Singular extension: a move without which the position is much worse deserves a closer look (Anantharaman,
//! Campbell and Hsu, "Singular extensions: adding selectivity to brute-force searching", 1988). Play mode only.
//!
//! The question put to the other moves follows from the table's lower bound, not from the window: every null
//! window of MTD(f) asks the same one.

use super::pruning;
use crate::chess::score::{self, Value};
use crate::minimax::{Stopped, Window};
use crate::search::state::{ModeRules, Node, NodeType, Search};
use crate::search::transposition::Entry;

/// What asking the other moves came to.
pub(super) enum Singularity {
    /// The table's move is searched so many plies deeper.
    Extends(i32),
    /// Even without it the node fails high: the bound.
    Cuts(Value),
}

impl Search<'_> {
    /// Asks the other moves, in half the depth, whether the table's move stands alone.
    pub(super) fn singular<R: ModeRules, N: NodeType>(
        &mut self,
        node: &Node,
        entry: &Entry,
    ) -> Result<Singularity, Stopped> {
        let Node { position, window, depth, ply, .. } = *node;
        let lower = score::from_table(entry.lower, ply);
        if depth < pruning::SINGULAR_DEPTH
            || entry.best == 0
            || entry.lower_depth < depth - 3
            || node.excluded != 0
            || score::is_decisive(lower)
            || ply as i32 > 2 * self.root_depth
        {
            return Ok(Singularity::Extends(0));
        }
        let bound = lower - self.settings.parameters.singular_margin(depth);
        self.stack[ply].excluded = entry.best;
        let value = self.node::<R, N>(position, Window::at(bound), (depth - 1) / 2, ply);
        self.stack[ply].excluded = 0;
        let value = value?;
        if value < bound {
            let far = !N::PV && value < bound - self.settings.parameters.twice_singular_margin();
            return Ok(Singularity::Extends(1 + i32::from(far)));
        }
        if bound >= window.beta && !N::PV {
            return Ok(Singularity::Cuts(bound));
        }
        Ok(Singularity::Extends(if lower >= window.beta || N::CUT { -1 } else { 0 }))
    }
}
