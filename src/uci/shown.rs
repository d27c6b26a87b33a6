//! What was shown of the search that runs, and what is held back: a display for people, who want every finished
//! iteration and not every step on the way to it. Nothing is decided here about the search.

use crate::engine::event::QUIET;
use crate::search::Report;
use shakmaty::{CastlingMode, Move};
use std::time::Duration;

/// Steps come at least this long after the line before: a driver asks faster than anyone reads.
const STEP_AFTER: Duration = Duration::from_millis(100);

/// What was shown of the search that runs.
pub(super) struct Shown {
    /// How its root wants castling written.
    pub(super) castling: CastlingMode,
    /// The material at its root, where the odds of its scores are told.
    pub(super) odds_at: Option<u32>,
    /// The move that the last line shown begins with.
    pub(super) first: Option<Move>,
    /// The last that was heard of the table.
    pub(super) hashfull: u32,
    /// A step that was not shown for being early, and when it was heard.
    pub(super) withheld: Option<(Report, Duration)>,
    /// When the last line was shown, counted from the beginning of the search.
    last: Duration,
}

impl Shown {
    /// Nothing yet, of a search whose root wants castling written so.
    pub(super) fn of(castling: CastlingMode) -> Shown {
        Shown { castling, odds_at: None, first: None, hashfull: 0, withheld: None, last: Duration::ZERO }
    }

    /// Whether a line is to be shown at once. What an iteration came to always is; a step on the way neither in
    /// the first second nor close behind another line: it is kept, in case it is the last word.
    pub(super) fn admits(&mut self, report: &Report, time: Duration) -> bool {
        self.hashfull = report.hashfull;
        let admitted = report.finished || time >= QUIET.max(self.last + STEP_AFTER);
        if !admitted {
            self.withheld = Some((report.clone(), time));
        }
        admitted
    }

    /// A line was shown.
    pub(super) fn note(&mut self, report: &Report, time: Duration) {
        if report.line == 1 {
            self.first = report.pv.first().copied();
            self.withheld = None;
        }
        self.last = time;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Bound;

    /// A bound: on the way, or what MTD-best finishes with.
    fn report(finished: bool) -> Report {
        Report {
            depth: 9,
            selective_depth: 12,
            line: 1,
            value: 0,
            bound: Bound::Lower,
            finished,
            nodes: 1,
            hashfull: 0,
            tb_hits: None,
            pv: Vec::new(),
        }
    }

    #[test]
    fn steps_wait_for_their_time() {
        let mut shown = Shown::of(CastlingMode::Standard);
        for (finished, milliseconds, expected) in [
            (true, 1, true),
            (false, 2, false),
            (true, 3, true),
            (false, 999, false),
            (false, 1000, true),
            (false, 1099, false),
            (false, 1100, true),
            (true, 1101, true),
            (true, 1101, true),
            (false, 1200, false),
            (false, 1201, true),
        ] {
            let (report, time) = (report(finished), Duration::from_millis(milliseconds));
            assert_eq!(shown.admits(&report, time), expected, "{finished} at {milliseconds} ms");
            if expected {
                shown.note(&report, time);
            }
            assert_eq!(shown.withheld.is_some(), !expected, "{finished} at {milliseconds} ms");
        }
    }
}
