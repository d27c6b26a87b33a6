//! Lazy SMP and the shared bracket: parallel search by threads that share the transposition table, a stop
//! flag, a count of made moves, and bounds of the root.
//!
//! Every thread runs iterative deepening with histories and an evaluator of its own. [`Helpers`] selects what
//! else they share. With Lazy SMP it is the transposition table only. With a shared bracket every thread
//! stores its results at the root (TR figure 8: f- and f+): a thread whose pass another thread has decided
//! takes that result, before or during the pass, and tests the next bound. No thread waits for
//! another. The threads are started by [`crate::engine`].

mod root;

use super::settings::{Helpers, Limits, Settings};
use super::stats::Stats;
use crate::chess::Position;
use crate::chess::score::{INFINITE, Value};
use crate::minimax::Window;
use crate::minimax::driver::Bracket;
use crate::search::control::SearchControl;
use shakmaty::Move;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Made moves between two polls of a helper thread: about a millisecond. Also the most that a thread sets
/// aside of a node limit.
const POLL_INTERVAL: u64 = 1024;

/// Task of all threads of a parallel search.
#[derive(Clone, Debug)]
pub struct Task {
    /// The position to search.
    pub root: Position,
    /// Zobrist keys of the game's earlier positions, oldest first, the root excluded.
    pub key_history: Vec<u64>,
    /// Settings of the search.
    pub settings: Settings,
    /// Limits of the search.
    pub limits: Limits,
}

/// State shared by the threads of a parallel search.
#[derive(Debug)]
pub struct ParallelSearch {
    size: usize,
    /// Moves of the node limit that no thread has set aside yet; `None` without a limit.
    free_moves: Option<AtomicU64>,
    helpers: Helpers,
    /// Number of contradicting results that reopen the bracket of a depth.
    reopenings: u32,
    stopped: AtomicBool,
    /// Made moves of all threads, as of their last polls.
    made_moves: AtomicU64,
    /// Tablebase hits of all threads, as of their last polls.
    tb_hits: AtomicU64,
    /// Selective depth: the longest line searched, in plies.
    selective_depth: AtomicUsize,
    /// Number of results stored so far.
    results: AtomicU64,
    /// Bounds of the root, by depth.
    bounds: Mutex<Vec<RootBounds>>,
}

/// Bounds of the root at one depth.
#[derive(Clone, Debug)]
struct RootBounds {
    bracket: Bracket<Value>,
    /// The line of the last result that was no fail-low.
    line: Vec<Move>,
}

/// Result of a root search by another thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RootResult {
    /// The value in the window, fail-soft.
    pub(super) value: Value,
    /// The principal variation; empty where every move failed low.
    pub(super) line: Vec<Move>,
}

impl RootBounds {
    fn unknown(reopenings: u32) -> RootBounds {
        let bracket = Bracket::new(-INFINITE, INFINITE, 0).reopened_by(reopenings);
        RootBounds { bracket, line: Vec::new() }
    }

    /// The result of a root search in a window, if the bounds decide it.
    fn result(&self, window: Window<Value>) -> Option<RootResult> {
        let Bracket { lower, upper, .. } = self.bracket;
        if lower >= window.beta || lower == upper && lower > window.alpha {
            Some(RootResult { value: lower, line: self.line.clone() })
        } else {
            (upper <= window.alpha).then(|| RootResult { value: upper, line: Vec::new() })
        }
    }
}

impl ParallelSearch {
    /// A parallel search of `size` threads that has not begun.
    #[must_use]
    pub fn new(size: usize, task: &Task) -> ParallelSearch {
        ParallelSearch {
            size: size.max(1),
            free_moves: task.limits.nodes.map(AtomicU64::new),
            helpers: task.settings.helpers,
            reopenings: task.settings.mode.reopenings(),
            stopped: AtomicBool::new(false),
            made_moves: AtomicU64::new(0),
            tb_hits: AtomicU64::new(0),
            selective_depth: AtomicUsize::new(0),
            results: AtomicU64::new(0),
            bounds: Mutex::new(Vec::new()),
        }
    }

    /// Stops the search of every thread at its next poll.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Made moves of all threads, as of their last polls.
    #[must_use]
    pub fn made_moves(&self) -> u64 {
        self.made_moves.load(Relaxed)
    }

    /// Sets moves of the node limit aside for a thread, fewer the nearer the limit is, so that the threads
    /// reach it together. `None` where none are left; without a limit there is no end of them.
    fn take_moves(&self) -> Option<u64> {
        let Some(free) = &self.free_moves else { return Some(u64::MAX) };
        let part = |free: u64| (free / (2 * self.size as u64)).clamp(1, POLL_INTERVAL).min(free);
        let before = free.fetch_update(Relaxed, Relaxed, |free| Some(free - part(free)));
        before.ok().map(part).filter(|&taken| taken > 0)
    }

    /// Locks the bounds. They are valid even if a thread panicked while it held the lock.
    fn bounds(&self) -> MutexGuard<'_, Vec<RootBounds>> {
        self.bounds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The result of a root search, if the bounds decide it.
    fn result(&self, search: RootSearch) -> Option<RootResult> {
        self.bounds().get(search.depth)?.result(search.window)
    }

    /// Stores the result of a root search.
    fn store(&self, search: RootSearch, result: RootResult) {
        let mut by_depth = self.bounds();
        while by_depth.len() <= search.depth {
            by_depth.push(RootBounds::unknown(self.reopenings));
        }
        if let Some(bounds) = by_depth.get_mut(search.depth) {
            bounds.bracket.learn(search.window, result.value);
            if result.value > search.window.alpha && result.value == bounds.bracket.lower {
                bounds.line = result.line;
            } else if !bounds.bracket.failed_high {
                // A contradiction may have refuted it.
                bounds.line.clear();
            }
        }
        self.results.fetch_add(1, Relaxed);
    }

    /// The last fail-high at a depth.
    fn fail_high(&self, depth: usize) -> Option<RootResult> {
        let by_depth = self.bounds();
        let bounds = by_depth.get(depth).filter(|bounds| bounds.bracket.failed_high)?;
        Some(RootResult { value: bounds.bracket.lower, line: bounds.line.clone() })
    }
}

/// A search of the root in one window.
#[derive(Clone, Copy, Debug)]
struct RootSearch {
    depth: usize,
    window: Window<Value>,
}

/// One thread of a parallel search.
#[derive(Debug)]
pub struct SearchThread<'a> {
    parallel: &'a ParallelSearch,
    thread_id: usize,
    /// Made moves of this thread that are in the common count.
    counted_moves: u64,
    /// Made moves of this thread up to which the node limit has been set aside for it.
    allowed_moves: u64,
    /// Tablebase hits of this thread that are in the common count.
    counted_hits: u64,
    /// Number of stored results that this thread has checked.
    checked_results: u64,
    /// The root search of this thread, if it shares results.
    root_search: Option<RootSearch>,
    /// The result for which a poll has ended the root search. It is kept, since another thread may contradict
    /// it before it is taken.
    decided: Option<RootResult>,
}

impl<'a> SearchThread<'a> {
    /// The thread with this number; 0 is the main thread: only it polls the search control, and the others
    /// stop with it.
    #[must_use]
    pub fn new(parallel: &'a ParallelSearch, thread_id: usize) -> SearchThread<'a> {
        SearchThread {
            parallel,
            thread_id,
            counted_moves: 0,
            allowed_moves: 0,
            counted_hits: 0,
            checked_results: 0,
            root_search: None,
            decided: None,
        }
    }

    /// True if results of the root are shared.
    fn shares(&self) -> bool {
        self.parallel.helpers == Helpers::Bracket
    }

    /// Adds the counts since the last call to the common counts.
    fn add_counts(&mut self, stats: &Stats) {
        self.parallel.made_moves.fetch_add(stats.made_moves - self.counted_moves, Relaxed);
        self.counted_moves = stats.made_moves;
        self.parallel.tb_hits.fetch_add(stats.tb_hits - self.counted_hits, Relaxed);
        self.counted_hits = stats.tb_hits;
        self.parallel.selective_depth.fetch_max(stats.selective_depth, Relaxed);
    }

    /// Polls the shared state: the next poll, in made moves of this thread; `None` to stop the search or the
    /// pass.
    pub(super) fn poll(&mut self, stats: &Stats, control: &mut dyn SearchControl) -> Option<u64> {
        self.add_counts(stats);
        let parallel = self.parallel;
        if parallel.stopped.load(Relaxed) {
            return None;
        }
        let made = parallel.made_moves();
        let next = if self.thread_id == 0 { control.poll(made) } else { Some(made + POLL_INTERVAL) };
        let Some(next) = next.filter(|_| self.may_move(stats.made_moves)) else {
            parallel.stop();
            return None;
        };
        if self.is_decided() {
            return None;
        }
        let next = stats.made_moves.saturating_add(next.saturating_sub(made).max(1));
        Some(next.min(self.allowed_moves))
    }

    /// True if this thread, which has made so many moves, may make another one.
    fn may_move(&mut self, made: u64) -> bool {
        if self.allowed_moves <= made {
            let Some(taken) = self.parallel.take_moves() else { return false };
            self.allowed_moves = made.saturating_add(taken);
        }
        true
    }

    /// True if another thread has decided this thread's root search.
    fn is_decided(&mut self) -> bool {
        let results = self.parallel.results.load(Relaxed);
        if results == self.checked_results {
            return false;
        }
        self.checked_results = results;
        self.decided = self.root_search.and_then(|search| self.parallel.result(search));
        self.decided.is_some()
    }

    /// After a stop: the result of the root search, if another thread has decided it. The search ends here.
    fn take_decision(&mut self) -> Option<RootResult> {
        let search = self.root_search.take()?;
        self.decided.take().or_else(|| self.parallel.result(search))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::control::NoControl;
    use shakmaty::Chess;

    fn parallel(helpers: Helpers, nodes: Option<u64>) -> ParallelSearch {
        let settings = Settings { helpers, ..Settings::default() };
        let limits = Limits { nodes, ..Limits::default() };
        ParallelSearch::new(
            2,
            &Task { root: Position::new(Chess::default()), key_history: Vec::new(), settings, limits },
        )
    }

    fn test_of(depth: usize, bound: Value) -> RootSearch {
        RootSearch { depth, window: Window::at(bound) }
    }

    fn result(value: Value) -> RootResult {
        RootResult { value, line: Vec::new() }
    }

    #[test]
    fn a_result_decides_every_bound_beyond_it_at_its_depth() {
        let parallel = parallel(Helpers::Bracket, None);
        parallel.store(test_of(5, 10), result(24));
        parallel.store(test_of(5, 48), result(40));
        assert_eq!(parallel.result(test_of(5, 24)), Some(result(24)));
        assert_eq!(parallel.result(test_of(5, 41)), Some(result(40)));
        assert_eq!(parallel.result(test_of(5, 32)), None);
        assert_eq!(parallel.result(test_of(6, 24)), None);
        assert_eq!(parallel.fail_high(5), Some(result(24)));
        assert_eq!(parallel.fail_high(4), None);
        parallel.store(test_of(6, 40), result(44));
        parallel.store(test_of(6, 10), result(24));
        assert_eq!(
            parallel.fail_high(6),
            Some(result(44)),
            "a weaker bound that comes later changes nothing"
        );
    }

    #[test]
    fn a_closed_bracket_decides_open_windows() {
        let parallel = parallel(Helpers::Bracket, None);
        let open = RootSearch { depth: 3, window: Window::new(-INFINITE, INFINITE) };
        parallel.store(test_of(3, 7), result(7));
        assert_eq!(parallel.result(open), None);
        parallel.store(test_of(3, 8), result(7));
        assert_eq!(parallel.result(open), Some(result(7)));
    }

    #[test]
    fn a_thread_stops_when_another_has_decided_its_root_search() {
        let parallel = parallel(Helpers::Bracket, None);
        let stats = Stats::default();
        let mut thread = SearchThread::new(&parallel, 1);
        thread.root_search = Some(test_of(5, 20));
        assert!(thread.poll(&stats, &mut NoControl).is_some());
        parallel.store(test_of(5, 40), result(30));
        assert!(thread.poll(&stats, &mut NoControl).is_some(), "an upper bound of 30 does not decide 20");
        parallel.store(test_of(5, 10), result(22));
        assert_eq!(thread.poll(&stats, &mut NoControl), None);
        thread.root_search = None;
        assert!(thread.poll(&stats, &mut NoControl).is_some(), "the search goes on");
        parallel.stop();
        assert_eq!(thread.poll(&stats, &mut NoControl), None);
    }

    #[test]
    fn a_decision_that_is_contradicted_before_it_is_taken_is_no_stop() {
        let parallel = parallel(Helpers::Bracket, None);
        let mut thread = SearchThread::new(&parallel, 0);
        thread.root_search = Some(test_of(5, 20));
        parallel.store(test_of(5, 10), result(22));
        assert_eq!(thread.poll(&Stats::default(), &mut NoControl), None);
        parallel.store(test_of(5, 21), result(20));
        assert_eq!(parallel.result(test_of(5, 20)), None, "contradicted");
        assert_eq!(thread.take_decision(), Some(result(22)));
        assert_eq!(thread.take_decision(), None, "it ends one search");
    }

    #[test]
    fn the_node_limit_counts_the_moves_of_all_threads() {
        let parallel = parallel(Helpers::Lazy, Some(3000));
        let mut first = SearchThread::new(&parallel, 0);
        let mut second = SearchThread::new(&parallel, 1);
        let made = |made_moves| Stats { made_moves, ..Stats::default() };
        assert_eq!(first.poll(&made(0), &mut NoControl), Some(750), "a quarter of the nodes left");
        assert_eq!(second.poll(&made(0), &mut NoControl), Some(562));
        assert_eq!(second.poll(&made(500), &mut NoControl), Some(562), "what was set aside is used up first");
        assert_eq!(parallel.made_moves(), 500);
        let (mut moves, mut next) = ([750, 562], Some(0));
        while next.is_some() {
            next = first.poll(&made(moves[0]), &mut NoControl);
            moves[0] = next.unwrap_or(moves[0]);
        }
        assert_eq!(moves[0], 3000 - 562, "all that the other has not set aside");
        assert_eq!(second.poll(&made(562), &mut NoControl), None, "all stop with one");
        assert_eq!(parallel.made_moves(), 3000);
    }
}
