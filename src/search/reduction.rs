//! Late move reductions (LMR) and internal iterative reduction (IIR). Only play mode reduces.

use super::parameters::{Parameters, parameters};
use crate::search::history::is_quiet;
use crate::search::state::{ModeRules, Node, NodeType, Search};
use once_cell::sync::Lazy;
use shakmaty::Move;

parameters! {
    /// Internal iterative reduction: the shallowest node, in plies.
    iir_depth: 4 in 2..=8, off 1000;
    /// Late move reductions: the shallowest node, in plies.
    reduction_depth: 2 in 2..=5, off 1000;
    /// Late move reductions: the constant part, in 1/100 ply.
    reduction_base: 102 in 0..=150;
    /// Late move reductions: what the product of the logarithms is divided by, in 1/100.
    reduction_divisor: 228 in 150..=350;
    /// Late move reductions: history that is worth a ply.
    reduction_history: 7004 in 6000..=30000, off 1_000_000_000;
    /// Late move reductions: plies less at nodes of the principal variation, in 1/1024.
    reduction_pv: 957 in 0..=2048;
    /// Late move reductions: plies more at nodes expected to cut off, in 1/1024.
    reduction_cut: 665 in 0..=2560;
    /// Late move reductions: plies more where the evaluation has not risen, in 1/1024.
    lmr_not_improving: 811 in 0..=1536;
}

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

/// Natural logarithms of small numbers, in 1/1024; that of 0 is taken as 0.
static LOGARITHMS: Lazy<[i32; 64]> =
    Lazy::new(|| std::array::from_fn(|n| (1024.0 * (n.max(1) as f64).ln()).round() as i32));

impl Parameters {
    /// True if a move comes late enough to be reduced, at a node that is deep enough.
    fn reduces(&self, lmr: &LmrInput) -> bool {
        lmr.depth >= self.reduction_depth() && lmr.number > 1 + usize::from(lmr.pv)
    }

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
        let parameters = &self.settings.parameters;
        let applies = R::SELECTIVE && is_quiet(m) && parameters.reduces(lmr);
        if applies { parameters.late_move_reduction(lmr, history()) } else { 0 }
    }

    /// Internal iterative reduction (IIR): a node without a move of the transposition table is searched a ply
    /// less deep; the next visit then has a move. Returns the depth in plies.
    pub(super) fn internal_iterative_reduction<N: NodeType>(&self, node: &Node) -> i32 {
        let unknown = node.tt_move == 0 && node.excluded == 0;
        let applies = unknown && node.depth >= self.settings.parameters.iir_depth() && (N::PV || N::CUT);
        node.depth - i32::from(applies)
    }
}
