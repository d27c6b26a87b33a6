//! Outcome of a search.

use super::control::Bound;
use super::stats::Stats;
use crate::chess::Position;
use crate::chess::score::Value;
use shakmaty::{CastlingMode, Move, Position as _};

/// Outcome of a search: move, value and principal variation.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The move to play; `None` when there is none.
    pub best: Option<Move>,
    /// The move to ponder: the answer expected to `best`.
    pub ponder: Option<Move>,
    /// The value of the last completed iteration, or of a later pass that changed the move.
    pub value: Value,
    /// Bound type of `value`. A mate is exact only where `pv` is its whole line.
    pub bound: Bound,
    /// True if `value` is a mate of exactly this length, proven by the mate search.
    pub proven: bool,
    /// The last completed iteration, in plies; 0 when not even the first was completed.
    pub depth: i32,
    /// The principal variation.
    pub pv: Vec<Move>,
    /// Counts of the search.
    pub stats: Stats,
}

impl Outcome {
    /// The fault of an answer to a search of `root` among the moves `asked` (empty is all): it is not legal,
    /// was not asked for, or is missing. `None` for every answer of a search without a bug.
    #[must_use]
    pub fn fault(&self, root: &Position, asked: &[Move]) -> Option<String> {
        let is_asked = |m: &Move| asked.is_empty() || asked.contains(m);
        let Some(best) = self.best else {
            let is_missing = root.chess().legal_moves().iter().any(is_asked);
            return is_missing.then(|| "it has no answer, and there are legal moves".to_owned());
        };
        let text = best.to_uci(CastlingMode::Standard);
        if !root.chess().is_legal(best) {
            Some(format!("its answer {text} is not legal"))
        } else if !is_asked(&best) {
            Some(format!("its answer {text} was not asked for"))
        } else {
            None
        }
    }
}
