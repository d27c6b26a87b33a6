//! Thread pool of the parallel search ([`crate::search::smp`]). Its helper threads live as long as their
//! session, because starting a thread takes longer than a short search can spare.
//!
//! The thread that calls [`ThreadPool::search`] is the main thread; its search control stops all of them.

use crate::chess::score::mate_in_moves;
use crate::memory::Grant;
use crate::search::{
    NoControl, Outcome, ParallelSearch, SearchControl, SearchThread, Searcher, Stats, Task,
    TranspositionTable,
};
use crossbeam_channel::{Receiver, Sender, unbounded};
use shakmaty::Move;
use std::convert::Infallible;
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{
    AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Stack of a helper in bytes: deep lines have a move list at every ply.
const STACK: usize = 16 << 20;

/// Addresses that must be free before a helper is started, in bytes: its stack, what the allocator sets apart
/// for a new thread (64 MiB of addresses with glibc), and its searcher, with room for the others to go on.
const NEEDED: usize = STACK + (96 << 20);

/// Memory that a helper writes, in bytes: 3.2 MiB when it starts (histories and evaluation caches), and
/// little later.
const WRITTEN: u64 = 4 << 20;

/// Longest time that an answer waits for helpers to end: they need about a millisecond, unless the system
/// gives its processors to others.
const PATIENCE: Duration = Duration::from_millis(5);

/// Number of helpers that are searching, and so using the transposition table.
#[derive(Clone, Debug, Default)]
pub struct BusyHelpers(Arc<AtomicUsize>);

impl BusyHelpers {
    /// Blocks until all helpers have ended. No search may be started meanwhile.
    pub fn wait_for_all(&self) {
        while self.0.load(Acquire) > 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// An order to a helper.
enum HelperOrder {
    Search { task: Arc<Task>, parallel: Arc<ParallelSearch>, thread_id: usize, outbox: Sender<Outcome> },
    Forget,
    SetTt(Arc<TranspositionTable>, Sender<Infallible>),
}

/// A helper thread of the search; it ends when this is dropped.
pub struct Helper {
    /// `None` only while it is being dropped.
    orders: Option<Sender<HelperOrder>>,
    thread: Option<JoinHandle<()>>,
}

impl Helper {
    /// Starts a helper, and waits until it is ready. An allocation that fails inside a thread would end the
    /// program; so one of the same size is tried before, and helpers are started one after the other.
    ///
    /// # Errors
    /// If the system has no memory or no thread to give.
    pub fn start(tt: &Arc<TranspositionTable>, busy: &BusyHelpers) -> std::io::Result<Helper> {
        let refused = || std::io::Error::new(ErrorKind::OutOfMemory, "there is not enough memory");
        Vec::<u8>::new().try_reserve_exact(NEEDED).map_err(|_| refused())?;
        let _written_when_ready = Grant::ask(WRITTEN, 0).map_err(|_| refused())?;
        let (orders, inbox) = unbounded();
        let (ready, is_ready) = unbounded();
        let (tt, busy) = (Arc::clone(tt), busy.clone());
        let builder = std::thread::Builder::new().name("helper".to_owned()).stack_size(STACK);
        let thread = builder.spawn(move || serve(tt, &busy, &ready, &inbox))?;
        let _ = is_ready.recv();
        Ok(Helper { orders: Some(orders), thread: Some(thread) })
    }

    fn order(&self, order: HelperOrder) {
        // The thread outlives every order: it ends when its channel is dropped.
        if let Some(orders) = &self.orders {
            let _ = orders.send(order);
        }
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Thread function of a helper: makes its searcher, reports that it is ready, and carries out orders until
/// its channel is dropped.
fn serve(
    mut tt: Arc<TranspositionTable>,
    busy: &BusyHelpers,
    ready: &Sender<()>,
    inbox: &Receiver<HelperOrder>,
) {
    let mut searcher = Searcher::new(Arc::clone(&tt));
    let _ = ready.send(());
    for order in inbox {
        match order {
            HelperOrder::Search { task, parallel, thread_id, outbox } => {
                let thread = SearchThread::new(&parallel, thread_id);
                let search = AssertUnwindSafe(|| searcher.search_as_thread(&task, thread, &mut NoControl));
                match catch_unwind(search) {
                    // After a panic no outcome is sent; the searcher's state is not trusted any more.
                    Ok(outcome) => drop(outbox.send(outcome)),
                    Err(_) => searcher = Searcher::new(Arc::clone(&tt)),
                }
                busy.0.fetch_sub(1, Release);
            }
            HelperOrder::Forget => searcher.clear(),
            HelperOrder::SetTt(other, done) => {
                tt = other;
                searcher.set_tt(Arc::clone(&tt));
                drop(done);
            }
        }
    }
}

/// Thread pool: the searcher of the main thread, and the helpers.
pub struct ThreadPool {
    tt: Arc<TranspositionTable>,
    main: Searcher,
    helpers: Vec<Helper>,
    busy: BusyHelpers,
}

/// Stops a parallel search when dropped, also if the main thread panics.
struct StopOnDrop<'a>(&'a ParallelSearch);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl ThreadPool {
    /// A pool of one thread, the caller's.
    #[must_use]
    pub fn new(tt: Arc<TranspositionTable>, busy: BusyHelpers) -> ThreadPool {
        ThreadPool { main: Searcher::new(Arc::clone(&tt)), tt, helpers: Vec::new(), busy }
    }

    /// A pool of `count` threads, the caller's included.
    ///
    /// # Errors
    /// If the system has no more threads to give.
    pub fn with_threads(count: usize, tt: Arc<TranspositionTable>) -> std::io::Result<ThreadPool> {
        let mut threads = ThreadPool::new(tt, BusyHelpers::default());
        threads.helpers =
            (1..count).map(|_| Helper::start(&threads.tt, &threads.busy)).collect::<std::io::Result<_>>()?;
        Ok(threads)
    }

    /// Number of threads, the caller's included.
    #[must_use]
    pub fn count(&self) -> usize {
        1 + self.helpers.len()
    }

    /// Waits until every helper has ended its search; none uses the transposition table then.
    pub fn wait_for_helpers(&self) {
        self.busy.wait_for_all();
    }

    /// Keeps the first `keep` helpers and adds others, which must use the same transposition table.
    pub fn set_helpers(&mut self, keep: usize, others: Vec<Helper>) {
        // All channels are closed before the first thread is joined.
        self.helpers.iter_mut().skip(keep).for_each(|helper| helper.orders = None);
        self.helpers.truncate(keep);
        self.helpers.extend(others);
    }

    /// Clears the histories of all threads, but not the transposition table.
    pub fn clear(&mut self) {
        self.main.clear();
        self.helpers.iter().for_each(|helper| helper.order(HelperOrder::Forget));
    }

    /// Sets another transposition table. Each helper drops its `done` when it has given up the old one.
    pub fn set_tt(&mut self, tt: &Arc<TranspositionTable>, done: &Sender<Infallible>) {
        self.tt = Arc::clone(tt);
        self.main.set_tt(Arc::clone(tt));
        self.helpers.iter().for_each(|helper| helper.order(HelperOrder::SetTt(Arc::clone(tt), done.clone())));
    }

    /// Replaces the main thread's searcher after a panic, which may have left it inconsistent.
    pub fn replace_main(&mut self) {
        self.main = Searcher::new(Arc::clone(&self.tt));
    }

    /// Searches with all threads; backends that are no drivers, and limited strength, use one. The statistics
    /// are those of all threads.
    pub fn search(&mut self, task: Task, control: &mut dyn SearchControl) -> Outcome {
        let Task { root, key_history, settings, limits } = &task;
        if self.helpers.is_empty() || !settings.backend.is_driver() || settings.errors.is_some() {
            return self.main.search(root, key_history, settings, limits, control);
        }
        self.tt.age();
        let parallel = Arc::new(ParallelSearch::new(1 + self.helpers.len(), &task));
        let task = Arc::new(task);
        let (outbox, outcomes) = unbounded();
        self.busy.0.fetch_add(self.helpers.len(), Relaxed);
        for (index, helper) in self.helpers.iter().enumerate() {
            let (task, parallel, outbox) = (Arc::clone(&task), Arc::clone(&parallel), outbox.clone());
            helper.order(HelperOrder::Search { task, parallel, thread_id: index + 1, outbox });
        }
        drop(outbox);
        let stop = StopOnDrop(&parallel);
        let outcome = self.main.search_as_thread(&task, SearchThread::new(&parallel, 0), control);
        drop(stop);
        let late = Instant::now() + PATIENCE;
        let mut all = vec![outcome];
        all.extend(std::iter::from_fn(|| outcomes.recv_deadline(late).ok()));
        let mut elected = elect(all);
        // Moves of helpers that have not ended yet count too.
        elected.stats.made_moves = elected.stats.made_moves.max(parallel.made_moves());
        elected
    }
}

/// Thread voting: the outcome that is answered, with the statistics of all. A mate that the main thread has
/// proven to be the shortest, for either side, is taken. Otherwise the shortest mate found is taken.
/// Otherwise every thread votes for its move with its completed depth, and the move's deepest outcome is
/// taken, among those at least as deep as the main thread's. The main thread comes first and wins ties, since
/// its line is the one that was shown.
fn elect(mut outcomes: Vec<Outcome>) -> Outcome {
    let mut stats = Stats::default();
    outcomes.iter().for_each(|outcome| stats += &outcome.stats);
    let shortest = first_least(&outcomes, |outcome| mate_in_moves(outcome.value).filter(|&moves| moves > 0));
    let proven = outcomes.first().filter(|main| main.proven).map(|_| 0);
    let chosen = proven.or(shortest).unwrap_or_else(|| {
        let votes = |m: Option<Move>| -> i32 {
            outcomes.iter().filter(|outcome| outcome.best == m).map(|outcome| outcome.depth).sum()
        };
        let least = outcomes.first().map_or(0, |main| main.depth);
        let rating =
            |outcome: &Outcome| (outcome.depth >= least).then(|| (-votes(outcome.best), -outcome.depth));
        first_least(&outcomes, rating).unwrap_or(0)
    });
    let outcome = if chosen < outcomes.len() { outcomes.swap_remove(chosen) } else { Outcome::default() };
    Outcome { stats, ..outcome }
}

/// Index of the first outcome with the least rating, among those that have one.
fn first_least<T: Ord>(outcomes: &[Outcome], rating: impl Fn(&Outcome) -> Option<T>) -> Option<usize> {
    let rated = outcomes.iter().enumerate().filter_map(|(index, outcome)| Some((rating(outcome)?, index)));
    rated.min().map(|(_, index)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use crate::chess::score::{MATE, Value};

    fn outcome(m: &str, depth: i32, value: Value) -> Outcome {
        let best = Game::new().parse_move(m).ok();
        let stats = Stats { made_moves: 100, ..Stats::default() };
        Outcome { best, depth, value, stats, ..Outcome::default() }
    }

    fn elected(outcomes: &[(&str, i32, Value)]) -> Outcome {
        elect(outcomes.iter().map(|&(m, depth, value)| outcome(m, depth, value)).collect())
    }

    #[test]
    fn the_deeper_of_two_is_elected_and_the_main_thread_of_equals() {
        assert_eq!(elected(&[("e2e4", 9, 30), ("d2d4", 10, 20)]), "d2d4");
        assert_eq!(elected(&[("e2e4", 9, 30), ("d2d4", 9, 40)]), "e2e4");
    }

    #[test]
    fn two_threads_outvote_one() {
        let outcome = elected(&[("e2e4", 10, 30), ("d2d4", 9, 20), ("d2d4", 10, 25)]);
        assert_eq!(
            (outcome.value, outcome.stats.made_moves),
            (25, 300),
            "the deepest of the voters, all counts"
        );
        assert_eq!(outcome, "d2d4");
        let shallow = [("e2e4", 4, 126), ("d2d4", 3, 82), ("d2d4", 3, 82), ("d2d4", 3, 82)];
        assert_eq!(elected(&shallow), "e2e4", "what was asked for is deeper than what they know");
    }

    #[test]
    fn the_shortest_mate_is_elected() {
        let (short, long) = (MATE - 5, MATE - 9);
        assert_eq!(elected(&[("e2e4", 12, 30), ("d2d4", 9, long), ("c2c4", 8, short)]), "c2c4");
        assert_eq!(elected(&[("e2e4", 12, 30), ("d2d4", 9, -short)]), "e2e4", "being mated is no aim");
    }

    #[test]
    fn a_mate_proven_by_the_main_thread_is_elected_without_a_vote() {
        let elected = |proven| {
            let main = Outcome { proven, ..outcome("e2e4", 5, 9 - MATE) };
            elect(vec![main, outcome("d2d4", 9, 3 - MATE), outcome("d2d4", 9, 5 - MATE)])
        };
        assert_eq!(elected(true), "e2e4", "the defence that lasts longest");
        assert_eq!(elected(false), "d2d4");
    }

    /// True if the outcome's move is the one of this text.
    impl PartialEq<&str> for Outcome {
        fn eq(&self, text: &&str) -> bool {
            self.best == Game::new().parse_move(text).ok()
        }
    }
}
