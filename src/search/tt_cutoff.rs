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

/// The value of an entry of `position` where its bounds decide the window. It may cut an open window, never
/// narrow it.
pub(super) fn cutoff<R: ModeRules>(
    entry: &Entry,
    position: &Position,
    window: Window<Value>,
    depth: i32,
    ply: usize,
) -> Option<Value> {
    let (lower, upper) = within_fifty_moves::<R>(entry.interval(depth, R::EXACT_DEPTH), position.halfmoves());
    let (lower, upper) = (score::from_tt(lower, ply), score::from_tt(upper, ply));
    if lower >= window.beta || lower == upper {
        Some(lower)
    } else if upper <= window.alpha {
        Some(upper)
    } else {
        None
    }
}

/// The bounds of an entry, in play mode without those that announce a mate after the fifty-move rule would
/// have ended the game: another path, with more moves left, led to them.
fn within_fifty_moves<R: ModeRules>((lower, upper): (Value, Value), halfmoves: u32) -> (Value, Value) {
    let too_late = |bound| {
        let plies = score::mate_in_plies(bound).filter(|_| R::SELECTIVE && bound.abs() < INFINITE);
        plies.is_some_and(|plies| plies.unsigned_abs() + halfmoves > 100)
    };
    (if too_late(lower) { -INFINITE } else { lower }, if too_late(upper) { INFINITE } else { upper })
}

impl Search<'_> {
    /// Enhanced transposition cut-off (ETC) before any move is searched: an upper bound of a child that makes
    /// this node fail high.
    pub(super) fn enhanced_cutoff<R: ModeRules>(&mut self, node: &Node) -> Option<Value> {
        let mut moves = shakmaty::MoveList::new();
        crate::chess::movegen::all(node.position, &mut moves);
        moves.retain(|&mut m| !self.overlooks(node.position, m));
        let children: ArrayVec<(u64, u32), 270> = moves
            .iter()
            .map(|&m| node.position.play(m))
            .map(|child| (child.key(), child.halfmoves()))
            .collect();
        children.iter().for_each(|&(key, _)| self.tt.prefetch(key));
        let oldest = self.key_history.repeatable_from(node.position);
        let drawn = |key| node.position.halfmoves() >= 99 || self.key_history.keys()[oldest..].contains(&key);
        for &(key, halfmoves) in &children {
            // A child drawn by the path is worth a draw, whatever the transposition table says of its
            // position.
            if R::PATH_DRAWS && drawn(key) {
                continue;
            }
            let Some(entry) = self.tt.probe(key) else { continue };
            let interval = entry.interval(node.depth - 1, R::EXACT_DEPTH);
            let (_, upper) = within_fifty_moves::<R>(interval, halfmoves);
            let value = -score::from_tt(upper, node.ply + 1);
            if upper < INFINITE && value >= node.window.beta {
                return Some(value);
            }
        }
        None
    }
}
