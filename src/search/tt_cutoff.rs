//! Transposition cut-offs: values that an entry of the transposition table gives without a search, and
//! enhanced transposition cut-offs (ETC, TR section 5), which look for such an entry of a child.

use crate::chess::Position;
use crate::chess::score::{self, INFINITE, Value};
use crate::minimax::Window;
use crate::search::state::{ModeRules, Node, NodeType, Search};
use crate::search::transposition::Entry;
use arrayvec::ArrayVec;

/// Plies without a capture or a pawn move from which on play mode takes no cut-off from the transposition
/// table: ten plies before the fifty-move rule.
const HALFMOVES_WITHOUT_CUTOFFS: u32 = 90;

/// True if the transposition table may cut at a node. The path that led to a position is not in its key, so
/// that an entry knows nothing of repetitions and of the fifty-move rule; in games it has hidden a third
/// repetition that was one reply away. Therefore play mode takes no cut-off at ply 1, at PV nodes, and near
/// to fifty moves.
pub(super) fn tt_may_cut<R: ModeRules, N: NodeType>(position: &Position, ply: usize) -> bool {
    !R::SELECTIVE || !N::PV && ply > 1 && tt_may_cut_leaf::<R>(position)
}

/// True if the transposition table may cut at a leaf: in play mode not near to fifty moves.
pub(super) fn tt_may_cut_leaf<R: ModeRules>(position: &Position) -> bool {
    !R::SELECTIVE || position.halfmoves() < HALFMOVES_WITHOUT_CUTOFFS
}

/// The value of an entry where its bounds decide the window. It may cut an open window, never narrow it.
pub(super) fn cutoff<R: ModeRules>(
    entry: &Entry,
    window: Window<Value>,
    depth: i32,
    ply: usize,
) -> Option<Value> {
    let (lower, upper) = entry.interval(depth, R::EXACT_DEPTH);
    let (lower, upper) = (score::from_tt(lower, ply), score::from_tt(upper, ply));
    if lower >= window.beta || lower == upper {
        Some(lower)
    } else if upper <= window.alpha {
        Some(upper)
    } else {
        None
    }
}

impl Search<'_> {
    /// Enhanced transposition cut-off (ETC) before any move is searched: an upper bound of a child that makes
    /// this node fail high.
    pub(super) fn enhanced_cutoff<R: ModeRules>(&mut self, node: &Node) -> Option<Value> {
        let mut moves = shakmaty::MoveList::new();
        crate::chess::movegen::all(node.position, &mut moves);
        moves.retain(|&mut m| !self.overlooks(node.position, m));
        let keys: ArrayVec<u64, 270> = moves.iter().map(|&m| node.position.play(m).key()).collect();
        keys.iter().for_each(|&key| self.tt.prefetch(key));
        let oldest = self.key_history.repeatable_from(node.position);
        let drawn = |key| node.position.halfmoves() >= 99 || self.key_history.keys()[oldest..].contains(&key);
        for &key in &keys {
            // A child drawn by the path is worth a draw, whatever the transposition table says of its
            // position.
            if R::PATH_DRAWS && drawn(key) {
                continue;
            }
            let Some(entry) = self.tt.probe(key) else { continue };
            let (_, upper) = entry.interval(node.depth - 1, R::EXACT_DEPTH);
            let value = -score::from_tt(upper, node.ply + 1);
            if upper < INFINITE && value >= node.window.beta {
                return Some(value);
            }
        }
        None
    }
}
