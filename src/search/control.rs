//! Search control: the trait that stops a search and receives its reports. Clocks and front ends implement
//! it; the search depends on neither.

use super::observe::SearchObserver;
use super::stats::Stats;
use crate::chess::score::Value;
use shakmaty::Move;

/// Bound type of a reported value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// The value itself (within the grid).
    #[default]
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

/// Report of a line: one UCI info line.
#[derive(Clone, Debug)]
pub struct Report {
    /// Nominal depth in plies.
    pub depth: i32,
    /// Selective depth: the longest line searched, in plies.
    pub selective_depth: usize,
    /// 1 for the best line, 2 for the second, ...
    pub line: usize,
    /// Score from the side to move at the root.
    pub value: Value,
    /// Exact when the bracket is closed, a bound while it is open.
    pub bound: Bound,
    /// True for the result of an iteration, false for a pass before its end. MTD-best may finish with a
    /// bound.
    pub finished: bool,
    /// Moves made so far in this search.
    pub nodes: u64,
    /// Transposition-table entries written by this search, per thousand.
    pub hashfull: u32,
    /// Tablebase hits; `None` without tablebases.
    pub tb_hits: Option<u64>,
    /// The principal variation: legal to its end, stops at mate or draw. Never empty unless there is no move.
    pub pv: Vec<Move>,
}

/// One pass of a driver: a search of the root in one window, and its value.
#[derive(Clone, Debug)]
pub struct Pass {
    /// Nominal depth in plies.
    pub depth: i32,
    /// Passes of this iteration so far, this one included.
    pub number: u32,
    /// 1 for the best line of MultiPV, 2 for the second, ...
    pub line: usize,
    /// The window `(alpha, beta)`; a test of `b` has `(b - 1, b)`.
    pub window: (Value, Value),
    /// The value returned (fail-soft).
    pub answer: Value,
    /// The one root move searched, where the driver is MTD-best or BNS; `None` where all were.
    pub of: Option<Move>,
    /// Lower and upper bound after the pass, of the root value or of the one move's.
    pub bracket: (Value, Value),
    /// Moves made so far in this search.
    pub nodes: u64,
    /// Leaves so far in this thread.
    pub leaf: u64,
    /// The papers' total so far in this thread: interior + leaf + table.
    pub total: u64,
}

/// A move of the root that is about to be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Current {
    /// Nominal depth in plies.
    pub depth: i32,
    /// The move.
    pub m: Move,
    /// Its number in the order of this pass, from 1.
    pub number: usize,
}

/// State of the search after a completed iteration.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// The depth completed, in plies.
    pub depth: i32,
    /// Its value.
    pub value: Value,
    /// True if that is a mate of exactly this length, proven by the mate search.
    pub proven: bool,
    /// Its move.
    pub best: Move,
    /// Iterations in a row that chose this move, this one included.
    pub iterations_stable: u32,
    /// The share of this iteration's made moves below the best move, 0.0 to 1.0.
    pub best_move_share: f64,
    /// Passes of this iteration.
    pub passes: u32,
    /// Counts since the search began.
    pub stats: &'a Stats,
}

/// Controls a search and receives its reports. Every call comes from the searching thread.
pub trait SearchControl {
    /// Called at the latest when the made moves, `nodes`, have reached the last returned number: `None` stops
    /// the search, `Some(n)` lets it go on and requests the next call at `n` made moves.
    fn poll(&mut self, nodes: u64) -> Option<u64>;

    /// Receives a line.
    fn report(&mut self, _report: &Report) {}

    /// False if [`SearchControl::report`] does nothing. Then no reports are made: sampling the table for
    /// `hashfull` takes a microsecond or two, which is much in self-play of some hundred nodes a move.
    fn takes_reports(&self) -> bool {
        true
    }

    /// Called after each pass of a driver.
    fn pass(&mut self, _pass: &Pass) {}

    /// Called before each root move.
    fn current(&mut self, _current: Current) {}

    /// Called after each iteration; true to begin the next one.
    fn iteration(&mut self, _progress: &Progress<'_>) -> bool {
        true
    }

    /// Observer of every visit, if there is one. Asked once before a search without one, and at every visit
    /// of a search with one.
    fn observer(&mut self) -> Option<&mut dyn SearchObserver> {
        None
    }
}

/// A search control that never stops the search and ignores its reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoControl;

impl SearchControl for NoControl {
    fn poll(&mut self, _nodes: u64) -> Option<u64> {
        Some(u64::MAX)
    }

    fn takes_reports(&self) -> bool {
        false
    }
}
