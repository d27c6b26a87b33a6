//! Filter of the info lines of the running search: every finished iteration is shown at once, bounds on the
//! way to it only now and then. The search itself does not depend on it.

use crate::engine::event::QUIET;
use crate::search::Report;
use shakmaty::Move;
use std::time::Duration;

/// Least time between a bound and the line shown before it: drivers report many bounds in a second.
const BOUND_AFTER: Duration = Duration::from_millis(100);

/// Info lines of the running search: what was shown, and what is withheld.
#[derive(Default)]
pub(super) struct InfoFilter {
    /// First move of the last line shown.
    pub(super) first: Option<Move>,
    /// The last report of the best line that was shown.
    pub(super) shown: Option<Report>,
    /// The last hashfull reported, per thousand.
    pub(super) hashfull: u32,
    /// The last bound of the best line that came too early to be shown, and when it came.
    pub(super) withheld: Option<(Report, Duration)>,
    /// Time of the last line shown, since the request.
    last: Duration,
}

impl InfoFilter {
    /// True if a line is to be shown at once: the result of an iteration always, a bound neither within
    /// [`QUIET`] nor within [`BOUND_AFTER`] of another line. A bound of the best line that is not shown is
    /// withheld, in case nothing follows it.
    pub(super) fn admits(&mut self, report: &Report, time: Duration) -> bool {
        self.hashfull = report.hashfull;
        let admitted = report.finished || time >= QUIET.max(self.last + BOUND_AFTER);
        if !admitted && report.line == 1 {
            self.withheld = Some((report.clone(), time));
        }
        admitted
    }

    /// Takes note that a line was shown.
    pub(super) fn note(&mut self, report: &Report, time: Duration) {
        if report.line == 1 {
            self.first = report.pv.first().copied();
            self.shown = Some(report.clone());
            self.withheld = None;
        }
        self.last = time;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Bound;

    /// A bound: of an open iteration, or, with `finished`, what MTD-best ends one with.
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
    fn bounds_are_withheld_for_a_second_and_close_behind_another_line() {
        let mut filter = InfoFilter::default();
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
            assert_eq!(filter.admits(&report, time), expected, "{finished} at {milliseconds} ms");
            if expected {
                filter.note(&report, time);
            }
            assert_eq!(filter.withheld.is_some(), !expected, "{finished} at {milliseconds} ms");
        }
    }

    /// The line before `bestmove` is the best one, or what was withheld of it.
    #[test]
    fn bounds_of_later_lines_are_not_withheld() {
        let mut filter = InfoFilter::default();
        let (best, later) = (report(false), Report { line: 2, depth: 10, ..report(false) });
        let time = Duration::from_millis(5);
        assert!(!filter.admits(&later, time) && filter.withheld.is_none());
        assert!(!filter.admits(&best, time) && !filter.admits(&later, time));
        assert_eq!(filter.withheld.map(|(report, _)| (report.line, report.depth)), Some((1, 9)));
    }
}
