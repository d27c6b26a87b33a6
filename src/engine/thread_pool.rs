//! The threads of a search: helpers that live as long as their session, because starting a thread takes longer
//! than a short search can spare. What they do together is the business of [`crate::search::smp`].
//!
//! The thread that calls [`Threads::search`] leads; its watch speaks for all.

use crate::chess::score::mate_in_moves;
use crate::search::{
    NoControl, Outcome, ParallelSearch, SearchControl, SearchThread, Searcher, Stats, Task,
    TranspositionTable,
};
use crossbeam_channel::{Receiver, Sender, unbounded};
use shakmaty::Move;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{
    AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A helper's stack in bytes: deep lines with a move list at every ply.
const STACK: usize = 16 << 20;

/// How long an answer waits for helpers that have not ended yet: they do so within a millisecond, unless the
/// system gives its processors to others.
const PATIENCE: Duration = Duration::from_millis(5);

/// How many helpers are at work, for those who must not touch the table under them.
#[derive(Clone, Debug, Default)]
pub struct AtWork(Arc<AtomicUsize>);

impl AtWork {
    /// Blocks until all helpers have ended. Only for moments in which none is told to begin.
    pub fn wait_for_all(&self) {
        while self.0.load(Acquire) > 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// What a helper is told to do.
enum Order {
    Search { task: Arc<Task>, parallel: Arc<ParallelSearch>, rank: usize, outbox: Sender<Outcome> },
    Forget,
    TakeTable(Arc<TranspositionTable>),
}

/// A thread that helps to search; it ends when this is dropped.
pub struct Helper {
    /// `None` only while it is being dropped.
    orders: Option<Sender<Order>>,
    thread: Option<JoinHandle<()>>,
}

impl Helper {
    /// Starts one.
    ///
    /// # Errors
    /// Where the system has no thread to give.
    pub fn start(table: &Arc<TranspositionTable>, at_work: &AtWork) -> std::io::Result<Helper> {
        let (orders, inbox) = unbounded();
        let (table, at_work) = (Arc::clone(table), at_work.clone());
        let builder = std::thread::Builder::new().name("helper".to_owned()).stack_size(STACK);
        let thread = builder.spawn(move || serve(table, &at_work, &inbox))?;
        Ok(Helper { orders: Some(orders), thread: Some(thread) })
    }

    fn order(&self, order: Order) {
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

/// A helper's life.
fn serve(mut table: Arc<TranspositionTable>, at_work: &AtWork, inbox: &Receiver<Order>) {
    let mut searcher = Searcher::new(Arc::clone(&table));
    for order in inbox {
        match order {
            Order::Search { task, parallel, rank, outbox } => {
                let thread = SearchThread::new(&parallel, rank);
                let search = AssertUnwindSafe(|| searcher.search_as_thread(&task, thread, &mut NoControl));
                match catch_unwind(search) {
                    // Nobody waits for a search that has failed.
                    Ok(outcome) => drop(outbox.send(outcome)),
                    Err(_) => searcher = Searcher::new(Arc::clone(&table)),
                }
                at_work.0.fetch_sub(1, Release);
            }
            Order::Forget => searcher.clear(),
            Order::TakeTable(other) => {
                table = other;
                searcher.set_tt(Arc::clone(&table));
            }
        }
    }
}

/// A searcher with its helpers.
pub struct Threads {
    table: Arc<TranspositionTable>,
    leader: Searcher,
    helpers: Vec<Helper>,
    at_work: AtWork,
}

/// Ends a team's search, also when its leader panics.
struct EndOf<'a>(&'a ParallelSearch);

impl Drop for EndOf<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Threads {
    /// One thread: the caller's.
    #[must_use]
    pub fn new(table: Arc<TranspositionTable>, at_work: AtWork) -> Threads {
        Threads { leader: Searcher::new(Arc::clone(&table)), table, helpers: Vec::new(), at_work }
    }

    /// The caller's thread and enough helpers to make `count` threads.
    ///
    /// # Errors
    /// Where the system has no more threads to give.
    pub fn gather(count: usize, table: Arc<TranspositionTable>) -> std::io::Result<Threads> {
        let mut threads = Threads::new(table, AtWork::default());
        threads.helpers = (1..count)
            .map(|_| Helper::start(&threads.table, &threads.at_work))
            .collect::<std::io::Result<_>>()?;
        Ok(threads)
    }

    /// How many there are, the caller's included.
    #[must_use]
    pub fn count(&self) -> usize {
        1 + self.helpers.len()
    }

    /// Waits until every helper has ended, so that the table is the caller's alone.
    pub fn rest(&self) {
        self.at_work.wait_for_all();
    }

    /// Keeps the first `keep` helpers and adds others, which know the same table.
    pub fn set_helpers(&mut self, keep: usize, others: Vec<Helper>) {
        // All are told to end before the first of them is waited for.
        self.helpers.iter_mut().skip(keep).for_each(|helper| helper.orders = None);
        self.helpers.truncate(keep);
        self.helpers.extend(others);
    }

    /// Forgets everything learnt in the game (not the table).
    pub fn clear(&mut self) {
        self.leader.clear();
        self.helpers.iter().for_each(|helper| helper.order(Order::Forget));
    }

    /// Takes another table.
    pub fn set_tt(&mut self, table: &Arc<TranspositionTable>) {
        self.table = Arc::clone(table);
        self.leader.set_tt(Arc::clone(table));
        self.helpers.iter().for_each(|helper| helper.order(Order::TakeTable(Arc::clone(table))));
    }

    /// A new leader that knows nothing: what a panic leaves behind is not to be trusted.
    pub fn replace_leader(&mut self) {
        self.leader = Searcher::new(Arc::clone(&self.table));
    }

    /// Searches with all threads (backends that are no drivers, and opponents with a handicap, with one). What is
    /// counted is counted over all of them.
    pub fn search(&mut self, task: Task, control: &mut dyn SearchControl) -> Outcome {
        let Task { root, line, settings, limits } = &task;
        if self.helpers.is_empty() || !settings.backend.is_driver() || settings.noise.is_some() {
            return self.leader.search(root, line, settings, limits, control);
        }
        self.table.age();
        let parallel = Arc::new(ParallelSearch::new(1 + self.helpers.len(), &task));
        let task = Arc::new(task);
        let (outbox, outcomes) = unbounded();
        self.at_work.0.fetch_add(self.helpers.len(), Relaxed);
        for (index, helper) in self.helpers.iter().enumerate() {
            let (task, parallel, outbox) = (Arc::clone(&task), Arc::clone(&parallel), outbox.clone());
            helper.order(Order::Search { task, parallel, rank: index + 1, outbox });
        }
        drop(outbox);
        let end = EndOf(&parallel);
        let led = self.leader.search_as_thread(&task, SearchThread::new(&parallel, 0), control);
        drop(end);
        let late = Instant::now() + PATIENCE;
        let mut all = vec![led];
        all.extend(std::iter::from_fn(|| outcomes.recv_deadline(late).ok()));
        let mut elected = elect(all);
        // What is not counted yet was made nevertheless.
        elected.stats.made_moves = elected.stats.made_moves.max(parallel.made_moves());
        elected
    }
}

/// The outcome that a team answers with, and the counts of all. What the leader has proven to be the soonest mate,
/// of either side, is the answer: nobody can know better. Else a mate is taken, the shortest first. Otherwise every
/// thread votes for its move with the depth that it completed; whoever has completed most speaks for the move, if
/// that is no less than the leader has. The leader, who comes first, decides ties: his line is the one that was
/// shown.
fn elect(mut outcomes: Vec<Outcome>) -> Outcome {
    let mut stats = Stats::default();
    outcomes.iter().for_each(|outcome| stats += &outcome.stats);
    let shortest = first_least(&outcomes, |outcome| mate_in_moves(outcome.value).filter(|&moves| moves > 0));
    let proven = outcomes.first().filter(|leader| leader.proven).map(|_| 0);
    let chosen = proven.or(shortest).unwrap_or_else(|| {
        let votes = |m: Option<Move>| -> i32 {
            outcomes.iter().filter(|outcome| outcome.best == m).map(|outcome| outcome.depth).sum()
        };
        let least = outcomes.first().map_or(0, |leader| leader.depth);
        let rating =
            |outcome: &Outcome| (outcome.depth >= least).then(|| (-votes(outcome.best), -outcome.depth));
        first_least(&outcomes, rating).unwrap_or(0)
    });
    let outcome = if chosen < outcomes.len() { outcomes.swap_remove(chosen) } else { Outcome::default() };
    Outcome { stats, ..outcome }
}

/// The place of the first outcome with the least rating; those without one do not count.
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
    fn the_deepest_of_two_is_elected_and_the_leader_of_equals() {
        assert_eq!(elected(&[("e2e4", 9, 30), ("d2d4", 10, 20)]), "d2d4");
        assert_eq!(elected(&[("e2e4", 9, 30), ("d2d4", 9, 40)]), "e2e4");
    }

    #[test]
    fn many_outvote_one() {
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
    fn the_shortest_mate_is_taken() {
        let (short, long) = (MATE - 5, MATE - 9);
        assert_eq!(elected(&[("e2e4", 12, 30), ("d2d4", 9, long), ("c2c4", 8, short)]), "c2c4");
        assert_eq!(elected(&[("e2e4", 12, 30), ("d2d4", 9, -short)]), "e2e4", "being mated is no aim");
    }

    #[test]
    fn what_the_leader_has_proven_is_no_matter_for_a_vote() {
        let led = |proven| {
            let leader = Outcome { proven, ..outcome("e2e4", 5, 9 - MATE) };
            elect(vec![leader, outcome("d2d4", 9, 3 - MATE), outcome("d2d4", 9, 5 - MATE)])
        };
        assert_eq!(led(true), "e2e4", "the defence that lasts longest");
        assert_eq!(led(false), "d2d4");
    }

    /// Compares an outcome with the move that it plays.
    impl PartialEq<&str> for Outcome {
        fn eq(&self, text: &&str) -> bool {
            self.best == Game::new().parse_move(text).ok()
        }
    }
}
