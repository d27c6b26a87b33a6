//! Goals of a test position, and the time to solution: the time since when a search's answer has met them.

use crate::chess::score::{Value, mate_in_moves};
use crate::lab::base::formats::epd::Case;
use crate::lab::base::terminal::interrupted::Stop;
use crate::search::{Bound, Outcome, Progress, Report, SearchControl};
use serde::{Deserialize, Serialize};
use shakmaty::Move;
use std::time::{Duration, Instant};

/// Made moves between two readings of the clock.
const POLL: u64 = 1024;

/// Verdict on a search's score, where the suite knows the length of the mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MateClaim {
    /// No mate.
    None,
    /// A mate of the right length.
    Exact,
    /// A longer mate: right, but not the shortest.
    Longer,
    /// A shorter mate or one for the other side: wrong.
    False,
}

impl MateClaim {
    /// Compares the score of a search with a known mate in `wanted` moves (negative: being mated). A lower
    /// bound announces no mate of the side to move, an upper bound none by it: the value may be better, or
    /// worse.
    #[must_use]
    pub fn of(value: Value, bound: Bound, wanted: i32) -> MateClaim {
        let announces = |found: i32| bound != if found < 0 { Bound::Lower } else { Bound::Upper };
        match mate_in_moves(value).filter(|&found| announces(found)) {
            None => MateClaim::None,
            Some(found) if found == wanted => MateClaim::Exact,
            Some(found) if (found > 0) == (wanted > 0) && found.abs() > wanted.abs() => MateClaim::Longer,
            Some(_) => MateClaim::False,
        }
    }
}

/// True if an answer meets the goals of a case: a move of `bm`, none of `am`; if only a mate is asked, that
/// mate.
#[must_use]
pub fn is_right(case: &Case, best: Option<Move>, value: Value, bound: Bound) -> bool {
    if case.best.is_empty() && case.avoid.is_empty() {
        return case.mate.is_some_and(|wanted| MateClaim::of(value, bound, wanted) == MateClaim::Exact);
    }
    best.is_some_and(|best| {
        (case.best.is_empty() || case.best.contains(&best)) && !case.avoid.contains(&best)
    })
}

/// Result of a search for a case.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move chosen.
    pub best: Option<Move>,
    /// Its value.
    pub value: Value,
    /// Iterations completed.
    pub depth: i32,
    /// Made moves.
    pub nodes: u64,
    /// Time by the wall.
    pub time: Duration,
    /// Time and made moves since when the answer was right to the end; `None` = not solved.
    pub solved: Option<(Duration, u64)>,
    /// Verdict on the mate, if one is known.
    pub mate: Option<MateClaim>,
    /// The principal variation.
    pub pv: Vec<Move>,
}

/// Search control with a time limit that notes since when the answer has been right.
pub struct SolutionTimer<'a> {
    case: &'a Case,
    /// The first poll: preparing the table is not charged to the search.
    began: Option<Instant>,
    time: Option<Duration>,
    stop: &'a Stop,
    right: Option<(Duration, u64)>,
    broken: bool,
}

impl<'a> SolutionTimer<'a> {
    /// Control of one search of `case` that may take `time`.
    #[must_use]
    pub fn new(case: &'a Case, time: Option<Duration>, stop: &'a Stop) -> SolutionTimer<'a> {
        SolutionTimer { case, began: None, time, stop, right: None, broken: false }
    }

    /// Time since the first poll.
    fn elapsed(&self) -> Duration {
        self.began.map_or(Duration::ZERO, |began| began.elapsed())
    }

    /// Notes the current answer of the search.
    fn note(&mut self, best: Option<Move>, value: Value, bound: Bound, nodes: u64) {
        if !is_right(self.case, best, value, bound) {
            self.right = None;
        } else if self.right.is_none() {
            self.right = Some((self.elapsed(), nodes));
        }
    }

    /// The result; `None` when the search was interrupted by Ctrl-C.
    #[must_use]
    pub fn answer(mut self, outcome: &Outcome) -> Option<Answer> {
        if self.broken {
            return None;
        }
        let time = self.elapsed();
        self.note(outcome.best, outcome.value, outcome.bound, outcome.stats.made_moves);
        Some(Answer {
            best: outcome.best,
            value: outcome.value,
            depth: outcome.depth,
            nodes: outcome.stats.made_moves,
            time,
            solved: self.right,
            mate: self.case.mate.map(|wanted| MateClaim::of(outcome.value, outcome.bound, wanted)),
            pv: outcome.pv.clone(),
        })
    }
}

impl SearchControl for SolutionTimer<'_> {
    fn poll(&mut self, nodes: u64) -> Option<u64> {
        self.broken |= self.stop.is_set();
        self.began.get_or_insert_with(Instant::now);
        let late = self.time.is_some_and(|time| self.elapsed() >= time);
        (!late && !self.broken).then_some(nodes + POLL)
    }

    fn report(&mut self, report: &Report) {
        let asks_value = self.case.best.is_empty() && self.case.avoid.is_empty();
        match report.bound {
            // After a fail-low the move is unknown; with a bound the length of a mate is.
            Bound::Upper => {}
            Bound::Lower if asks_value => {}
            _ if report.line > 1 => {}
            _ => self.note(report.pv.first().copied(), report.value, report.bound, report.nodes),
        }
    }

    fn iteration(&mut self, progress: &Progress<'_>) -> bool {
        self.note(Some(progress.best), progress.value, Bound::Exact, progress.stats.made_moves);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::score::{MATE, mated_in};
    use crate::lab::base::formats::epd::{Reading, case};
    use crate::search::Stats;

    fn goal(operations: &str) -> Case {
        case(&format!("4k3/8/8/8/8/8/8/4K2R w K - {operations}"), Reading::Goals).unwrap()
    }

    fn reading(case: &Case, text: &str) -> Option<Move> {
        crate::lab::base::formats::san::read(case.chess(), text).ok()
    }

    #[test]
    fn mates_are_judged_by_length_and_side() {
        for (value, bound, wanted, claim) in [
            (0, Bound::Exact, 2, MateClaim::None),
            (MATE - 3, Bound::Exact, 2, MateClaim::Exact),
            (MATE - 3, Bound::Lower, 2, MateClaim::Exact),
            (MATE - 5, Bound::Exact, 2, MateClaim::Longer),
            (MATE - 1, Bound::Exact, 2, MateClaim::False),
            (MATE - 1, Bound::Lower, 2, MateClaim::False),
            (MATE - 1, Bound::Upper, 2, MateClaim::None),
            (mated_in(4), Bound::Exact, 2, MateClaim::False),
            (mated_in(4), Bound::Exact, -2, MateClaim::Exact),
            (mated_in(6), Bound::Exact, -2, MateClaim::Longer),
            (mated_in(2), Bound::Exact, -2, MateClaim::False),
            (mated_in(2), Bound::Upper, -2, MateClaim::False),
            (mated_in(2), Bound::Lower, -2, MateClaim::None),
        ] {
            let found = MateClaim::of(value, bound, wanted);
            assert_eq!(found, claim, "{value} {bound:?} against mate in {wanted}");
        }
    }

    #[test]
    fn answers_are_judged_by_the_operations() {
        for (operations, best, value, right) in [
            ("bm O-O Rh8;", "O-O", 0, true),
            ("bm O-O Rh8;", "Kd1", 0, false),
            ("am O-O;", "Kd1", 0, true),
            ("am O-O;", "O-O", 0, false),
            ("bm O-O; am Kd1;", "Kd2", 0, false),
            ("dm 2;", "Kd1", MATE - 3, true),
            ("dm 2;", "Kd1", MATE - 5, false),
            ("bm O-O; dm 2;", "O-O", 0, true),
        ] {
            let case = goal(operations);
            let found = is_right(&case, reading(&case, best), value, Bound::Exact);
            assert_eq!(found, right, "{operations} {best}");
        }
        assert!(!is_right(&goal("bm O-O;"), None, 0, Bound::Exact));
    }

    #[test]
    fn the_time_to_solution_begins_with_the_last_change() {
        let (case, stop) = (goal("bm O-O;"), Stop::default());
        let mut timer = SolutionTimer::new(&case, None, &stop);
        for (text, nodes) in [("O-O", 10), ("Kd1", 20), ("O-O", 30), ("O-O", 40)] {
            timer.note(reading(&case, text), 0, Bound::Exact, nodes);
        }
        let stats = Stats { made_moves: 50, ..Stats::default() };
        let outcome = Outcome { best: reading(&case, "O-O"), stats, ..Outcome::default() };
        assert_eq!(timer.answer(&outcome).unwrap().solved.unwrap().1, 30);
    }

    #[test]
    fn a_change_in_the_final_answer_counts() {
        let (case, stop) = (goal("bm O-O;"), Stop::default());
        let mut timer = SolutionTimer::new(&case, None, &stop);
        timer.note(reading(&case, "O-O"), 0, Bound::Exact, 10);
        let outcome = Outcome { best: reading(&case, "Kd1"), ..Outcome::default() };
        assert!(timer.answer(&outcome).unwrap().solved.is_none());
    }
}
