//! Late move reductions (LMR) and internal iterative reduction (IIR). Only play mode reduces.

use super::parameters::Parameters;
use crate::search::history::is_quiet;
use crate::search::state::{ModeRules, Node, NodeType, Search};
use once_cell::sync::Lazy;
use shakmaty::Move;

/// Shallowest node of internal iterative reduction, in plies.
const IIR_DEPTH: i32 = 4;
/// Shallowest node whose late moves are reduced, in plies.
const LMR_DEPTH: i32 = 2;

/// Input of late move reduction: a move and its node.
pub(super) struct LmrInput {
    /// Depth left, in plies.
    pub(super) depth: i32,
    /// Number of the move among those searched, from 1.
    pub(super) number: usize,
    /// At a PV node.
    pub(super) pv: bool,
    /// At a cut node.
    pub(super) cut: bool,
    /// The evaluation has risen since our last move.
    pub(super) improving: bool,
}

impl LmrInput {
    /// True if the move comes late enough to be reduced.
    pub(super) fn is_reduced(&self) -> bool {
        self.depth >= LMR_DEPTH && self.number > 1 + usize::from(self.pv)
    }
}

/// Natural logarithms of small numbers, in 1/1024; that of 0 is taken as 0.
static LOGARITHMS: Lazy<[i32; 64]> =
    Lazy::new(|| std::array::from_fn(|n| (1024.0 * (n.max(1) as f64).ln()).round() as i32));

impl Parameters {
    /// Late move reduction (LMR) of a quiet move, in plies, at least 0. `history` is
    /// [`crate::search::history::History::of_quiet`].
    pub(super) fn late_move_reduction(&self, lmr: &LmrInput, history: i32) -> i32 {
        let log = |n: usize| LOGARITHMS[n.min(63)];
        let product = log(lmr.depth.max(0) as usize) * log(lmr.number) / 1024;
        let mut reduction = 1024 * self.reduction_base() / 100 + 100 * product / self.reduction_divisor();
        reduction -= 1024 * history / self.reduction_history();
        reduction -= if lmr.pv { self.reduction_pv() } else { 0 };
        reduction += if lmr.cut { self.reduction_cut() } else { 0 };
        reduction += if lmr.improving { 0 } else { self.lmr_not_improving() };
        (reduction / 1024).max(0)
    }
}

impl Search<'_> {
    /// Reduction of a move's first search, in plies; 0 for moves that are not reduced.
    pub(super) fn reduction<R: ModeRules>(&self, m: Move, lmr: &LmrInput, history: impl Fn() -> i32) -> i32 {
        let applies = R::SELECTIVE && is_quiet(m) && lmr.is_reduced();
        if applies { self.settings.parameters.late_move_reduction(lmr, history()) } else { 0 }
    }
}

/// Internal iterative reduction (IIR): a node without a move of the transposition table is searched a ply less deep;
/// the next visit then has a move. Returns the depth in plies.
pub(super) fn internal_iterative_reduction<N: NodeType>(node: &Node) -> i32 {
    let unknown = node.tt_move == 0 && node.excluded == 0 && node.depth >= IIR_DEPTH;
    node.depth - i32::from(unknown && (N::PV || N::CUT))
}
