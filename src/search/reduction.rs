//! Late move reductions (LMR) and internal iterative reduction (IIR). Only play mode reduces.

use super::parameters::Parameters;
use crate::search::history::is_quiet;
use crate::search::state::{ModeRules, Node, NodeType, Search};
use once_cell::sync::Lazy;
use shakmaty::Move;

/// Shallowest node that is searched less deep when the table knows no move for it.
pub(super) const INTERNAL_REDUCTION_DEPTH: i32 = 4;
/// Shallowest node whose late moves are reduced.
pub(super) const LATE_REDUCTION_DEPTH: i32 = 2;

/// What is known of a late move when its reduction is chosen.
pub(super) struct LmrInput {
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

impl LmrInput {
    /// Whether it comes late enough to be reduced.
    pub(super) fn is_reduced(&self) -> bool {
        self.depth >= LATE_REDUCTION_DEPTH && self.number > 1 + usize::from(self.pv)
    }
}

/// Natural logarithms of small numbers, in 1/1024; that of 0 is taken as 0.
static LOGARITHMS: Lazy<[i32; 64]> =
    Lazy::new(|| std::array::from_fn(|n| (1024.0 * (n.max(1) as f64).ln()).round() as i32));

impl Parameters {
    /// How much less deep a late quiet move is searched, in plies, at least 0. What its history is:
    /// [`super::move_picker::History::of_quiet`].
    pub(super) fn late_move_reduction(&self, late: &LmrInput, history: i32) -> i32 {
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

impl Search<'_> {
    /// How much less deep a move is searched at first, in plies.
    pub(super) fn reduction<R: ModeRules>(&self, m: Move, late: &LmrInput, history: impl Fn() -> i32) -> i32 {
        let applies = R::SELECTIVE && is_quiet(m) && late.is_reduced();
        if applies { self.settings.parameters.late_move_reduction(late, history()) } else { 0 }
    }
}

/// Internal iterative reduction: where the table knows no move, a ply less finds one for the next visit.
pub(super) fn internal_iterative_reduction<N: NodeType>(node: &Node) -> i32 {
    let unknown = node.table_move == 0 && node.excluded == 0 && node.depth >= INTERNAL_REDUCTION_DEPTH;
    node.depth - i32::from(unknown && (N::PV || N::CUT))
}
