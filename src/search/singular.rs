//! Singular extension and multi-cut: a move without which the position is much worse is searched deeper
//! (Anantharaman, Campbell and Hsu, "Singular extensions: adding selectivity to brute-force searching",
//! 1988). Play mode only.
//!
//! The bound that the other moves are searched with follows from the transposition table's lower bound, not
//! from the window: it is the same for every null window of MTD(f).

use crate::chess::movegen::decode;
use crate::chess::score::{self, Value, centipawns};
use crate::minimax::{Stopped, Window};
use crate::search::observe::{Reason, VisitPurpose, cut};
use crate::search::parameters::{Parameters, parameters};
use crate::search::state::{ModeRules, Node, NodeType, Search};
use crate::search::transposition::Entry;

parameters! {
    /// Singular extension: the shallowest node, in plies.
    singular_depth: 5 in 4..=10, off 1000;
    /// Singular extension: centipawns below the table's bound by depth, in 1/64.
    singular_slope: 106 in 32..=256;
    /// Singular extension: centipawns farther for a second ply.
    double_extension_margin: 20 in 4..=80, off 100_000;
}

pub(super) const MULTI_CUT: Reason = cut("multi-cut", "multi-cut: good enough without its best move", 'M');

/// Result of the search without the transposition table's move.
pub(super) enum Singularity {
    /// The transposition table's move is extended by so many plies; a negative extension searches it less
    /// deep.
    Extends(i32),
    /// Multi-cut: the node fails high without it, with this bound.
    Cuts(Value),
}

impl Parameters {
    /// Singular margin: all other moves have to fail low this far below the transposition table's lower
    /// bound, in units.
    fn singular_margin(&self, depth: i32) -> Value {
        centipawns(depth * self.singular_slope() / 64)
    }

    /// Further margin for a double extension, in units.
    fn double_extension_units(&self) -> Value {
        centipawns(self.double_extension_margin())
    }
}

impl Search<'_> {
    /// Searches the other moves in half the depth, to see if the transposition table's move is singular.
    pub(super) fn singular<R: ModeRules, N: NodeType>(
        &mut self,
        node: &Node,
        entry: &Entry,
    ) -> Result<Singularity, Stopped> {
        let Node { position, window, depth, ply, .. } = *node;
        let lower = score::from_tt(entry.lower, ply);
        if depth < self.settings.parameters.singular_depth()
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
        if R::OBSERVED {
            self.report_next::<R>(decode(position, entry.best), VisitPurpose::Singular);
        }
        let value = self.node::<R, N>(position, Window::at(bound), (depth - 1) / 2, ply);
        self.stack[ply].excluded = 0;
        let value = value?;
        if value < bound {
            let double = !N::PV && value < bound - self.settings.parameters.double_extension_units();
            return Ok(Singularity::Extends(1 + i32::from(double)));
        }
        if bound >= window.beta && !N::PV {
            return Ok(Singularity::Cuts(bound));
        }
        Ok(Singularity::Extends(if lower >= window.beta || N::CUT { -1 } else { 0 }))
    }
}
