//! Mate-distance pruning: no side can be mated before this ply, and no side can mate before the next one.

use crate::chess::score::{self, Value};
use crate::minimax::Window;
use crate::search::observe::{Reason, leaf};

pub(in crate::search) const MATE_DISTANCE: Reason = leaf("mate-distance", "no sooner mate is possible", '#');

/// The bound that decides the window, if there is one.
pub(in crate::search) fn mate_distance_pruning(window: Window<Value>, ply: usize) -> Option<Value> {
    let (worst, best) = (score::mated_in(ply), -score::mated_in(ply + 1));
    if worst >= window.beta {
        Some(worst)
    } else if best <= window.alpha {
        Some(best)
    } else {
        None
    }
}
