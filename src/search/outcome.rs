//! Outcome of a search.

use super::stats::Stats;
use crate::chess::score::Value;
use shakmaty::Move;

/// Outcome of a search: move, value and principal variation.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The move to play; `None` when there is none.
    pub best: Option<Move>,
    /// The move to ponder: the answer expected to `best`.
    pub ponder: Option<Move>,
    /// The value of the last completed iteration.
    pub value: Value,
    /// True if `value` is a mate of exactly this length, proven by the mate search.
    pub proven: bool,
    /// The last completed iteration, in plies; 0 when not even the first was completed.
    pub depth: i32,
    /// The principal variation.
    pub pv: Vec<Move>,
    /// Counts of the search.
    pub stats: Stats,
}
