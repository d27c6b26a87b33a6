//! Solver for a game of one's own: one call returns value, best move and principal variation of a position,
//! by iterative deepening with any driver over the textbook search, within limits.

use super::deepening::iterate;
use super::drivers::Driver;
use super::game::{Game, StopCondition};
use super::memory::{FixedSizeTable, Memory, UnboundedTable};
use super::mt::{MtOptions, Search};
use super::replacement::Replacement;
use core::time::Duration;
use std::cell::Cell;
use std::collections::TryReserveError;

/// Visits between two polls of the clock and the stop, some tens of microseconds.
const POLL: u64 = 256;

/// Limits of a search; whichever is met first ends it.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// The deepest iteration in plies. An iteration beyond the end of the game repeats the last one.
    pub depth: u32,
    /// The first iteration, from 1; with `depth` itself there is no other, and a search that is ended early
    /// knows nothing.
    pub first_depth: u32,
    /// Most visits of positions, those that complete the principal variations too; `None` for any number.
    pub visits: Option<u64>,
    /// Most time, by the clock handed in; `None` for any.
    pub time: Option<Time<'a>>,
    /// Ends the search when it returns true; `None` for never.
    pub stop: Option<&'a dyn Fn() -> bool>,
}

impl Limits<'_> {
    /// All iterations to a depth in plies, without any other limit.
    #[must_use]
    pub const fn depth(depth: u32) -> Limits<'static> {
        Limits { depth, first_depth: 1, visits: None, time: None, stop: None }
    }
}

/// A limit of time. The crate has no clock: on targets without an operating system there is none.
#[derive(Clone, Copy)]
pub struct Time<'a> {
    /// Most time.
    pub most: Duration,
    /// The time since whatever moment, never less than before: `&|| start.elapsed()` with an `Instant`.
    pub clock: &'a dyn Fn() -> Duration,
}

/// Reason for which a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The deepest iteration was completed.
    Depth,
    /// The visits were made.
    Visits,
    /// The time was over.
    Time,
    /// It was told to stop.
    Stop,
}

/// Solution of a search: value and principal variation of the deepest iteration that was completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<M> {
    /// The minimax value to `depth`, from the side to move; of MTD-best and Best Node Search a bound. At
    /// depth 0 it is the static value.
    pub value: i32,
    /// The best moves of both sides; short where a limit was met, empty if the game is over, or at depth 0.
    pub pv: Vec<M>,
    /// Depth in plies of the deepest completed iteration.
    pub depth: u32,
    /// Visits of positions that the values of all iterations took, of an unfinished one too.
    pub visits: u64,
    /// Reason for which the search ended.
    pub end: End,
}

impl<M: Copy> Solution<M> {
    /// The best move; `None` if the game is over, or no iteration was completed.
    #[must_use]
    pub fn best(&self) -> Option<M> {
        self.pv.first().copied()
    }
}

/// Searches a position by iterative deepening, each iteration from the value of the one before. The table
/// keeps every position that was visited, about a hundred bytes each; [`Solver`] has one of a fixed size.
///
/// ```
/// use plumb_minimax::drivers::Driver;
/// use plumb_minimax::games::explicit::Explicit;
/// use plumb_minimax::solve::{End, Limits, solve};
///
/// let solution = solve(&Explicit::report(), &Limits::depth(4), Driver::MtdF);
/// assert_eq!((solution.value, solution.pv.len()), (35, 4)); // the tree of TR figures 3 to 7
///
/// let few = Limits { visits: Some(8), ..Limits::depth(4) };
/// let solution = solve(&Explicit::report(), &few, Driver::MtdF);
/// assert_eq!((solution.end, solution.depth), (End::Visits, 1));
/// ```
#[must_use]
pub fn solve<G: Game<Value = i32>>(root: &G, limits: &Limits<'_>, driver: Driver) -> Solution<G::Move> {
    deepen(root, limits, driver, UnboundedTable::new())
}

/// Solver with a transposition table of a fixed size, allocated once for all its searches.
pub struct Solver {
    table: FixedSizeTable<i32>,
}

impl Solver {
    /// A table of 2 to the power of `bits` entries (2 to 30), 24 bytes each. A search that visits many more
    /// positions takes longer than with a larger one.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn new(bits: u32) -> Result<Solver, TryReserveError> {
        Ok(Solver { table: FixedSizeTable::try_new(bits, Replacement::default())? })
    }

    /// As [`solve`]. The table is empty at first: a solution does not depend on earlier ones.
    #[must_use]
    pub fn solve<G: Game<Value = i32>>(
        &mut self,
        root: &G,
        limits: &Limits<'_>,
        driver: Driver,
    ) -> Solution<G::Move> {
        self.table.clear();
        deepen(root, limits, driver, &mut self.table)
    }
}

/// All iterations, with an empty table.
fn deepen<G: Game<Value = i32>, M: Memory<i32>>(
    root: &G,
    limits: &Limits<'_>,
    driver: Driver,
    table: M,
) -> Solution<G::Move> {
    let watch = RunningLimits::new(limits);
    let stop = |visits: u64| watch.ends(visits);
    let options = MtOptions { stores_leaves: false, ..MtOptions::default() };
    let mut search = Search::with_stop(root.clone(), 0, table, options, stop);
    search.searches_root = true;
    let mut solution =
        Solution { value: root.evaluate(), pv: Vec::new(), depth: 0, visits: 0, end: End::Depth };
    for depth in limits.first_depth.clamp(1, limits.depth.max(1))..=limits.depth {
        let before = search.counts.total();
        search.set_root(root.clone(), depth);
        search.memory.age();
        let found = iterate(&mut search, driver.exact(), solution.value);
        solution.visits += search.counts.total() - before;
        let Ok((value, best, _)) = found else { break };
        (solution.value, solution.depth) = (value, depth);
        solution.pv = principal_variation(&mut search, driver, (value, best));
    }
    // A limit that only cut the principal variation of the last depth short has not ended the search.
    let end = watch.end.get().filter(|_| solution.depth < limits.depth);
    solution.end = end.unwrap_or(End::Depth);
    solution
}

/// The line of best moves after an iteration: every position on it is searched in turn, and the table knows
/// nearly all of that. A limit that is met here cuts the line short.
fn principal_variation<G: Game<Value = i32>, M: Memory<i32>, H: StopCondition>(
    search: &mut Search<G, M, H>,
    driver: Driver,
    (mut value, mut best): (i32, Option<usize>),
) -> Vec<G::Move> {
    let (mut position, mut left, mut pv) = (search.root.clone(), search.depth, Vec::new());
    while let Some(m) = best.and_then(|index| position.moves().get(index).copied()) {
        pv.push(m);
        position = position.play(m);
        left -= 1;
        if left == 0 {
            break;
        }
        search.set_root(position.clone(), left);
        let Ok((of_child, next, _)) = iterate(search, driver.exact(), -value) else { break };
        (value, best) = (of_child, next);
    }
    pv
}

/// Limits of the running search, and the reason for its end.
struct RunningLimits<'a> {
    limits: Limits<'a>,
    /// When it began, by the clock handed in.
    start: Duration,
    end: Cell<Option<End>>,
}

impl<'a> RunningLimits<'a> {
    fn new(limits: &Limits<'a>) -> RunningLimits<'a> {
        let start = limits.time.map_or(Duration::ZERO, |time| (time.clock)());
        RunningLimits { limits: *limits, start, end: Cell::new(None) }
    }

    /// True if the search ends here, after so many visits.
    fn ends(&self, visits: u64) -> bool {
        let Limits { visits: most, time, stop, .. } = self.limits;
        let end = if most.is_some_and(|most| visits >= most) {
            Some(End::Visits)
        } else if !visits.is_multiple_of(POLL) {
            None
        } else if stop.is_some_and(|stop| stop()) {
            Some(End::Stop)
        } else {
            time.filter(|time| (time.clock)().saturating_sub(self.start) >= time.most).map(|_| End::Time)
        };
        self.end.set(end);
        end.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::explicit::Explicit;
    use crate::games::othello::Othello;

    /// Along the principal variation the value stays, with its sign changing from move to move.
    #[test]
    fn the_principal_variation_leads_to_the_value() {
        let report = Explicit::report();
        for driver in [Driver::MtdF, Driver::SssStar, Driver::NegaScout, Driver::AlphaBeta] {
            for first_depth in [1, 4] {
                let limits = Limits { first_depth, ..Limits::depth(4) };
                let solution = solve(&report, &limits, driver);
                let end = solution.pv.iter().fold(report.clone(), |now, &m| now.play(m));
                assert_eq!((solution.value, end.evaluate(), solution.pv.len()), (35, 35, 4), "{driver}");
                assert_eq!((solution.depth, solution.end), (4, End::Depth));
            }
        }
        let start = Othello::start();
        let by = |bits| Solver::new(bits).unwrap().solve(&start, &Limits::depth(5), Driver::MtdF);
        for solution in [solve(&start, &Limits::depth(5), Driver::MtdF), by(4), by(16)] {
            let end = solution.pv.iter().fold(start, |now, &m| now.play(m));
            assert_eq!(end.evaluate(), -solution.value, "five plies on, the other side is to move");
            assert!(solution.best() == solution.pv.first().copied() && solution.visits > 0);
        }
    }

    /// A game in which one position is reached after one ply and after three, where another move is best.
    #[derive(Clone, Copy)]
    struct TwoWays(&'static str);

    impl Game for TwoWays {
        type Value = i32;
        type Move = &'static str;
        const LIMIT: i32 = 1000;

        fn moves(&self) -> Vec<&'static str> {
            let next: &[&str] = match self.0 {
                "root" => &["P", "X"],
                "X" => &["Y"],
                "Y" => &["P"],
                "P" => &["A", "B"],
                "A" => &["A1"],
                "A1" => &["A2"],
                "A2" => &["A3"],
                "B" => &["B1"],
                "B1" => &["B2"],
                "B2" => &["B3"],
                _ => &[],
            };
            next.to_vec()
        }

        fn play(&self, m: &'static str) -> TwoWays {
            TwoWays(m)
        }

        fn evaluate(&self) -> i32 {
            match self.0 {
                "A1" => 20,
                "B1" => -5,
                "B3" => 10,
                _ => 0,
            }
        }

        fn key(&self) -> u64 {
            self.0.bytes().fold(7, |key, byte| key * 131 + u64::from(byte))
        }
    }

    #[test]
    fn moves_of_another_depth_are_none_of_the_principal_variation() {
        for driver in [Driver::MtdF, Driver::NegaScout, Driver::SssStar, Driver::AlphaBeta] {
            let solution = solve(&TwoWays("root"), &Limits { first_depth: 5, ..Limits::depth(5) }, driver);
            let end = solution.pv.iter().fold(TwoWays("root"), |now, &m| now.play(m));
            // Five plies on, the other side is to move.
            assert_eq!((end.evaluate(), solution.pv.len()), (-solution.value, 5), "{driver}: {solution:?}");
        }
    }

    #[test]
    fn a_root_has_a_move_whatever_the_table_keeps() {
        let start = Othello::start();
        for scheme in Replacement::ALL {
            let mut search = Search::new(start, 4, FixedSizeTable::new(2, *scheme), MtOptions::default());
            let (_, best, _) = iterate(&mut search, Driver::SssStar.exact(), 0).unwrap();
            assert!(best.is_some(), "{scheme}");
        }
    }

    #[test]
    fn a_limit_that_is_met_leaves_the_deepest_iteration_that_was_completed() {
        let start = Othello::start();
        let to = |depth| solve(&start, &Limits::depth(depth), Driver::NegaScout);
        let visits = to(4).visits + to(5).visits;
        let now = std::cell::Cell::new(0);
        // A clock that moves on by a second at every reading.
        let clock = || {
            now.set(now.get() + 1);
            Duration::from_secs(now.get())
        };
        let asked = std::cell::Cell::new(0);
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() > 3
        };
        let deep = Limits::depth(30);
        for (limits, end) in [
            (Limits { visits: Some(visits), ..deep }, End::Visits),
            (Limits { time: Some(Time { most: Duration::from_secs(3), clock: &clock }), ..deep }, End::Time),
            (Limits { stop: Some(&stop), ..deep }, End::Stop),
        ] {
            let solution = solve(&start, &limits, Driver::NegaScout);
            assert_eq!(solution.end, end);
            let whole = to(solution.depth);
            assert_eq!((solution.value, solution.best()), (whole.value, whole.best()), "{end:?}");
            assert!(solution.depth < 30 && limits.visits.is_none_or(|most| solution.visits <= most));
        }
        // The fewest visits with which the last depth is completed leave nothing for its principal variation.
        let whole = to(5);
        let limited =
            |visits| solve(&start, &Limits { visits: Some(visits), ..Limits::depth(5) }, Driver::NegaScout);
        let cut = (whole.visits..).map(limited).find(|solution| solution.depth == 5).unwrap();
        assert!(cut.pv.len() < whole.pv.len());
        assert_eq!((cut.value, cut.end), (whole.value, End::Depth));
        assert_eq!((to(0).value, to(0).depth, to(0).best()), (start.evaluate(), 0, None));
        let none = Limits { visits: Some(3), first_depth: 9, ..Limits::depth(9) };
        let solution = solve(&start, &none, Driver::MtdF);
        assert_eq!((solution.depth, solution.best(), solution.end), (0, None, End::Visits));
    }

    #[test]
    fn a_solution_does_not_depend_on_earlier_ones() {
        let mut solver = Solver::new(8).unwrap();
        let (start, report) = (Othello::start(), Explicit::report());
        let first = solver.solve(&start, &Limits::depth(5), Driver::SssStar);
        assert_eq!(solver.solve(&report, &Limits::depth(4), Driver::SssStar).value, 35);
        assert_eq!(solver.solve(&start, &Limits::depth(5), Driver::SssStar), first);
    }
}
