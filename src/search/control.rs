//! Who watches over a search: the trait that says stop and hears the news. Clocks and front ends implement
//! it; the search knows neither.

use super::stats::Stats;
use crate::chess::score::Value;
use shakmaty::Move;

/// What a reported value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value itself (within the grid).
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

/// A line of play and what is known of it: one UCI info line.
#[derive(Clone, Debug)]
pub struct Report {
    /// Nominal depth in plies.
    pub depth: i32,
    /// The longest line looked at, in plies.
    pub selective_depth: usize,
    /// 1 for the best line, 2 for the second, ...
    pub line: usize,
    /// Score from the side to move at the root.
    pub value: Value,
    /// Exact when the bracket is closed, a bound while it is open.
    pub bound: Bound,
    /// Whether an iteration came to this; else it is a step on the way. MTD-best may finish with a bound.
    pub finished: bool,
    /// Moves made so far in this search.
    pub nodes: u64,
    /// Entries of the table written by this search, per thousand.
    pub hashfull: u32,
    /// Positions that the endgame tables knew; `None` without tables.
    pub tb_hits: Option<u64>,
    /// The principal variation: legal to its end, stops at mate or draw. Never empty unless there is no move.
    pub pv: Vec<Move>,
}

/// One question of a driver and its answer.
#[derive(Clone, Debug)]
pub struct Pass {
    /// Nominal depth in plies.
    pub depth: i32,
    /// Passes of this iteration so far, this one included.
    pub number: u32,
    /// 1 for the best line of MultiPV, 2 for the second, ...
    pub line: usize,
    /// The window asked: `alpha < value < beta`; a test of `b` asks `(b - 1, b)`.
    pub window: (Value, Value),
    /// What came back (fail-soft).
    pub answer: Value,
    /// The one move of the root that was asked, where the driver is MTD-best; else all of them were.
    pub of: Option<Move>,
    /// What is known now: lower and upper bound of the root value, or of the one move's.
    pub bracket: (Value, Value),
    /// Moves made so far in this search.
    pub nodes: u64,
}

/// A move of the root that is about to be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Current {
    /// Nominal depth in plies.
    pub depth: i32,
    /// The move.
    pub m: Move,
    /// Its place in the order of this pass, from 1.
    pub number: usize,
}

/// Where the search stands after a completed iteration.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// The depth completed, in plies.
    pub depth: i32,
    /// Its value.
    pub value: Value,
    /// Whether that is a mate of exactly this length, proven beside the search.
    pub proven: bool,
    /// Its move.
    pub best: Move,
    /// Iterations in a row that chose this move, this one included.
    pub stable: u32,
    /// The share of this iteration's made moves that went into the best move, 0.0 to 1.0.
    pub effort: f64,
    /// Passes of this iteration.
    pub passes: u32,
    /// Everything counted since the search began.
    pub stats: &'a Stats,
}

/// Watches over a search. Every call comes from the searching thread.
pub trait SearchControl {
    /// Called at the latest when `nodes` made moves have reached the last answer: `None` stops the search,
    /// `Some(n)` lets it go on and asks to be called again at `n` made moves.
    fn poll(&mut self, nodes: u64) -> Option<u64>;

    /// A line to show.
    fn report(&mut self, _report: &Report) {}

    /// One pass of a driver is over.
    fn pass(&mut self, _pass: &Pass) {}

    /// A move of the root is next.
    fn current(&mut self, _current: Current) {}

    /// An iteration is complete; whether to begin the next one.
    fn iteration(&mut self, _progress: &Progress<'_>) -> bool {
        true
    }
}

/// Never stops, says nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoControl;

impl SearchControl for NoControl {
    fn poll(&mut self, _nodes: u64) -> Option<u64> {
        Some(u64::MAX)
    }
}
