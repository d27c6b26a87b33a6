//! The numbers and small decisions of selective search, each with its reason. Only play mode comes here.
//!
//! What makes MTD work is that the value of a node depends on (position, depth, expected node kind) and the
//! bound only decides how early we may stop. So what prunes returns an **honest** bound (`eval - margin`,
//! not `eval`: else the bounds of MTD(f) creep by one unit a pass). Deviations, where the bound decides what
//! is searched: the null move is tried only where the evaluation is not below beta; late moves that beat
//! alpha after a reduction are searched again; late-move and exchange pruning leave moves out unbounded;
//! a singular move at a node that fails high without it is not searched (multi-cut), and one whose lower
//! bound reaches beta is not extended. Deviations in time: histories and corrections learn between two
//! visits, and the table's bounds decide which move is asked to stand alone.

pub(super) mod forward;
mod moves;

use super::parameters::Parameters;
use crate::chess::score::{Value, centipawns};

/// Deepest node at which reverse futility is tried, in plies.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 8;
/// Deepest node at which hopeless quiet moves are left out.
pub(super) const FUTILITY_DEPTH: i32 = 7;
/// Deepest node at which late quiet moves are left out unseen.
pub(super) const LATE_MOVE_DEPTH: i32 = 7;
/// Shallowest node at which quiet checks are tried where other quiet moves are left out.
pub(super) const QUIET_CHECKS_DEPTH: i32 = 2;
/// Deepest node at which moves that lose material are left out.
pub(super) const EXCHANGE_DEPTH: i32 = 7;
/// Shallowest node at which the null move is tried.
pub(super) const NULL_MOVE_DEPTH: i32 = 3;
/// Shallowest node at which it is asked whether the table's move stands alone.
pub(super) const SINGULAR_DEPTH: i32 = 5;

impl Parameters {
    /// What the opponent can win back within `depth` plies of a position that stands well, in units.
    pub(super) fn reverse_futility_margin(&self, depth: i32, improving: bool) -> Value {
        let less = if improving { self.reverse_futility_improving() } else { 0 };
        centipawns(self.reverse_futility_slope() * depth - less)
    }

    /// What a quiet move can gain within `depth` plies, in units.
    pub(super) fn futility_margin(&self, depth: i32) -> Value {
        centipawns(self.futility_base() + self.futility_slope() * depth)
    }

    /// What a capture can gain beyond the piece it takes, in quiescence, in units.
    pub(super) fn delta_margin(&self) -> Value {
        centipawns(self.delta())
    }

    /// How many quiet moves a node looks at.
    pub(super) fn late_move_count(&self, depth: i32, improving: bool) -> usize {
        let count = self.late_moves_base() + depth * depth * self.late_moves_slope() / 100;
        (if improving { count } else { count / 2 + 1 }) as usize
    }

    /// What a move may lose on its square before it is left out, in units.
    pub(super) fn exchange_margin(&self, depth: i32, quiet: bool) -> Value {
        let loss = if quiet { self.exchange_quiet() * depth } else { self.exchange_noisy() * depth * depth };
        centipawns(-loss)
    }

    /// How much less deep the answer to a null move is searched, in plies.
    pub(super) fn null_move_reduction(&self, depth: i32) -> i32 {
        (self.null_move_base() + self.null_move_slope() * depth) / 100
    }

    /// How far below the table's lower bound all other moves have to stay for its move to stand alone, in
    /// units.
    pub(super) fn singular_margin(&self, depth: i32) -> Value {
        centipawns(depth * self.singular_slope() / 64)
    }

    /// How much farther for two plies of extension, in units.
    pub(super) fn twice_singular_margin(&self) -> Value {
        centipawns(self.singular_twice())
    }
}
