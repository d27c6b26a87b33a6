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

mod forward;

use super::parameters::Parameters;
use crate::chess::score::{Value, centipawns};
use once_cell::sync::Lazy;

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
/// Shallowest node that is searched less deep when the table knows no move for it.
pub(super) const INTERNAL_REDUCTION_DEPTH: i32 = 4;
/// Shallowest node whose late moves are reduced.
pub(super) const LATE_REDUCTION_DEPTH: i32 = 2;
/// Shallowest node at which it is asked whether the table's move stands alone.
pub(super) const SINGULAR_DEPTH: i32 = 5;

/// What is known of a late move when its reduction is chosen.
pub(super) struct Late {
    /// Depth left, in plies.
    pub(super) depth: i32,
    /// Its number among the moves tried.
    pub(super) number: usize,
    /// At a node of the principal variation.
    pub(super) pv: bool,
    /// At a node expected to cut off.
    pub(super) cut: bool,
    /// The evaluation has risen since our last move.
    pub(super) improving: bool,
}

impl Late {
    /// Whether it comes late enough to be reduced.
    pub(super) fn is_reduced(&self) -> bool {
        self.depth >= LATE_REDUCTION_DEPTH && self.number > 1 + usize::from(self.pv)
    }
}

/// Natural logarithms of small numbers, in 1/1024; that of 0 is taken as 0.
static LOGARITHMS: Lazy<[i32; 64]> =
    Lazy::new(|| std::array::from_fn(|n| (1024.0 * (n.max(1) as f64).ln()).round() as i32));

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

    /// How much less deep a late quiet move is searched, in plies, at least 0. What its history is:
    /// [`super::move_picker::Histories::of_quiet`].
    pub(super) fn late_move_reduction(&self, late: &Late, history: i32) -> i32 {
        let log = |n: usize| LOGARITHMS[n.min(63)];
        let product = log(late.depth.max(0) as usize) * log(late.number) / 1024;
        let mut reduction = 1024 * self.reduction_base() / 100 + 100 * product / self.reduction_divisor();
        reduction -= 1024 * history / self.reduction_history();
        reduction -= if late.pv { self.reduction_pv() } else { 0 };
        reduction += if late.cut { self.reduction_cut() } else { 0 };
        reduction += if late.improving { 0 } else { self.reduction_worsening() };
        (reduction / 1024).max(0)
    }
}
