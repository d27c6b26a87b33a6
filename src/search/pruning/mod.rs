//! Forward pruning: margins of node pruning ([`nodes`]), move pruning ([`moves`]), delta pruning,
//! null move and singular extension. Only play mode prunes.
//!
//! MTD needs a node's value to depend on (position, depth, node type), while the bound only decides how early the
//! search of the node ends. So pruning returns the bound that it proves (`eval - margin`, not `eval`: else the bounds
//! of MTD(f) creep by one unit a pass). Deviations, where the bound decides what is searched: the null move is tried
//! only where the evaluation is not below beta; late moves that beat alpha after a reduction are searched again; late
//! move pruning and SEE pruning return no bound, and the first of them depends on the values of earlier moves, which
//! are bounds; a singular move at a node that fails high without it is not searched (multi-cut), and one whose lower
//! bound reaches beta is not extended. Deviations in time: histories and correction history change between two visits,
//! and the transposition table's bounds decide which move may be singular.

mod moves;
pub(super) mod nodes;

pub(super) use moves::MovesBefore;

use super::parameters::Parameters;
use crate::chess::score::{Value, centipawns};

impl Parameters {
    /// Reverse futility margin: the most that the evaluation is expected to fall within `depth` plies, in units.
    pub(super) fn reverse_futility_margin(&self, depth: i32, improving: bool) -> Value {
        let less = if improving { self.reverse_futility_improving() } else { 0 };
        centipawns(self.reverse_futility_slope() * depth - less)
    }

    /// Futility margin: the most that a quiet move is expected to gain within `depth` plies, in units.
    pub(super) fn futility_margin(&self, depth: i32) -> Value {
        centipawns(self.futility_base() + self.futility_slope() * depth)
    }

    /// Delta pruning margin: the most that a capture is expected to gain beyond the piece it takes, in units.
    pub(super) fn delta_margin(&self) -> Value {
        centipawns(self.delta())
    }

    /// Number of quiet moves before late move pruning begins.
    pub(super) fn late_move_count(&self, depth: i32, improving: bool) -> usize {
        let count = self.late_moves_base() + depth * depth * self.late_moves_slope() / 100;
        (if improving { count } else { count / 2 + 1 }) as usize
    }

    /// Late move pruning margin, in units: where every move so far loses more than this against the static evaluation,
    /// there is a threat, and any of the other moves may be the one that parries it.
    pub(super) fn late_moves_margin(&self) -> Value {
        centipawns(self.late_moves_loss())
    }

    /// SEE pruning margin: the least exchange value of a move that is searched, in units; negative.
    pub(super) fn see_margin(&self, depth: i32, quiet: bool) -> Value {
        let loss = if quiet { self.exchange_quiet() * depth } else { self.exchange_noisy() * depth * depth };
        centipawns(-loss)
    }

    /// Null move reduction, in plies.
    pub(super) fn null_move_reduction(&self, depth: i32) -> i32 {
        (self.null_move_base() + self.null_move_slope() * depth) / 100
    }

    /// Singular margin: all other moves have to fail low this far below the transposition table's lower bound, in
    /// units.
    pub(super) fn singular_margin(&self, depth: i32) -> Value {
        centipawns(depth * self.singular_slope() / 64)
    }

    /// Further margin for a double extension, in units.
    pub(super) fn double_extension_units(&self) -> Value {
        centipawns(self.double_extension_margin())
    }
}
