//! The search thread of a session: it carries out orders one after another, and sends events meanwhile.

use super::bench::{self, Bench};
use super::clock::Clock;
use super::event::{Answer, Event, QUIET, SentEvent};
use super::perft;
use crate::chess::Position;
use crate::chess::book::BookMove;
use crate::chess::score::Value;
use crate::engine::handle::SearchHandle;
use crate::engine::thread_pool::{BusyHelpers, Helper, ThreadPool};
use crate::search::{Current, Outcome, Pass, Progress, Report, SearchControl, Task, TranspositionTable};
use crossbeam_channel::{Receiver, Sender, unbounded};
use shakmaty::{Move, Position as _};
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Stack of the search thread in bytes: deep lines have a move list at every ply.
const STACK: usize = 64 << 20;

/// Least time between two events of the current root move.
const CURRENT_EVERY: Duration = Duration::from_millis(100);

/// An order to the search thread.
pub(super) enum WorkerOrder {
    /// Search. `passes` asks for an event for every pass of a driver.
    Search { task: Box<Task>, clock: Box<Clock>, passes: bool },
    /// Answer with a move of the opening book, as soon as the clock's pause is over.
    AnswerFromBook(BookMove, Box<Clock>),
    /// Answer with no move and this value, once the handle releases the answer: the root has no legal moves.
    NoMoves { value: Value, asked: Instant, handle: Arc<SearchHandle> },
    /// Count the positions after exactly `depth` plies.
    Perft { position: Position, depth: u32, handle: Arc<SearchHandle> },
    /// Run the bench.
    Bench { bench: Bench, handle: Arc<SearchHandle> },
    /// Forget the histories, and with `tt` the transposition table too.
    Forget { tt: bool },
    /// Use another transposition table. `done` is dropped, with all its clones, when no thread has the old
    /// one.
    SetTt { tt: Arc<TranspositionTable>, done: Sender<Infallible> },
    /// Drop the sender: what was ordered before is done.
    Signal(Sender<Infallible>),
    /// Keep the first `keep` helpers, and add others.
    SetHelpers { keep: usize, others: Vec<Helper> },
}

/// The session's end of the search thread. Dropping it ends the thread, once its orders are done.
pub(super) struct SearchWorker {
    /// `None` only while it is being dropped.
    orders: Option<Sender<WorkerOrder>>,
    events: Receiver<SentEvent>,
    thread: Option<JoinHandle<()>>,
}

impl SearchWorker {
    /// Starts the search thread, without helpers.
    ///
    /// # Errors
    /// If the system has no thread to give.
    pub(super) fn start(tt: &Arc<TranspositionTable>, busy: BusyHelpers) -> std::io::Result<SearchWorker> {
        let (orders, inbox) = unbounded();
        let (outbox, events) = unbounded();
        let tt = Arc::clone(tt);
        let threads = ThreadPool::new(Arc::clone(&tt), busy);
        let thread = std::thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK)
            .spawn(move || Worker::new(threads, tt, outbox).serve(&inbox))?;
        Ok(SearchWorker { orders: Some(orders), events, thread: Some(thread) })
    }

    /// Sends an order; it is carried out when those before it are done.
    pub(super) fn order(&self, order: WorkerOrder) {
        // The thread outlives every order: it ends when this channel is dropped.
        if let Some(orders) = &self.orders {
            let _ = orders.send(order);
        }
    }

    /// The events of the work.
    pub(super) fn events(&self) -> &Receiver<SentEvent> {
        &self.events
    }
}

impl Drop for SearchWorker {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The search thread.
struct Worker {
    tt: Arc<TranspositionTable>,
    threads: ThreadPool,
    outbox: Sender<SentEvent>,
    /// Changes the outcome of a search, to test that a wrong one is corrected.
    #[cfg(test)]
    alter_outcome: fn(&mut Outcome),
}

impl Worker {
    fn new(threads: ThreadPool, tt: Arc<TranspositionTable>, outbox: Sender<SentEvent>) -> Worker {
        Worker {
            tt,
            threads,
            outbox,
            #[cfg(test)]
            alter_outcome: |_| {},
        }
    }

    /// Carries out orders until the session is dropped.
    fn serve(mut self, inbox: &Receiver<WorkerOrder>) {
        for order in inbox {
            match order {
                WorkerOrder::Search { task, clock, passes } => self.search(*task, *clock, passes),
                WorkerOrder::AnswerFromBook(found, clock) => self.play(found, &clock),
                WorkerOrder::NoMoves { value, asked, handle } => {
                    handle.wait_for_release();
                    self.answer(Outcome { value, ..Outcome::default() }, asked.elapsed(), None);
                }
                WorkerOrder::Perft { position, depth, handle } => self.perft(&position, depth, &handle),
                WorkerOrder::Bench { bench, handle } => self.bench(&bench, &handle),
                WorkerOrder::Forget { tt } => {
                    self.threads.clear();
                    if tt {
                        self.threads.wait_for_helpers();
                        self.tt.clear_with(self.threads.count());
                    }
                }
                WorkerOrder::SetTt { tt, done } => {
                    self.threads.set_tt(&tt, &done);
                    self.tt = tt;
                    drop(done);
                }
                WorkerOrder::Signal(done) => drop(done),
                WorkerOrder::SetHelpers { keep, others } => self.threads.set_helpers(keep, others),
            }
        }
    }

    /// Sends an event. If nobody receives it, the session is being dropped and no further order comes.
    fn tell(&self, event: Event) {
        let _ = self.outbox.send(SentEvent(event));
    }

    fn search(&mut self, task: Task, clock: Clock, passes: bool) {
        let (root, asked) = (task.root.clone(), task.limits.moves.clone());
        let mut relay = Relay { clock, outbox: self.outbox.clone(), passes, next_current: QUIET };
        let found = guarded(|| {
            let found = self.threads.search(task, &mut relay);
            #[cfg(test)]
            let found = spoiled(found, self.alter_outcome);
            found
        });
        let (found, fault) = match found {
            Ok(outcome) => {
                let fault = outcome.fault(&root, &asked);
                (outcome, fault)
            }
            Err(panic) => {
                self.threads.replace_main();
                (Outcome::default(), Some(panic))
            }
        };
        if let Some(fault) = &fault {
            log::error!("the search failed; this is an error in Plumb: {fault}");
        }
        relay.clock.wait();
        relay.clock.handle().wait_for_release();
        let outcome = made_legal(found, &root, &asked);
        self.answer(outcome, relay.clock.elapsed(), fault);
    }

    fn answer(&self, outcome: Outcome, time: Duration, fault: Option<String>) {
        self.tell(Event::Answer(Box::new(Answer { outcome, time, fault })));
    }

    /// Answers with a move of the opening book.
    fn play(&self, found: BookMove, clock: &Clock) {
        clock.wait();
        let outcome = Outcome { best: Some(found.m), pv: vec![found.m], ..Outcome::default() };
        self.tell(Event::Book(found));
        self.answer(outcome, clock.elapsed(), None);
    }

    fn perft(&self, position: &Position, depth: u32, handle: &SearchHandle) {
        let each = |m, nodes| self.tell(Event::PerftMove(m, nodes));
        self.tell(Event::PerftDone(perft::divide(position, depth, &|| handle.is_stopped(), each)));
    }

    fn bench(&self, bench: &Bench, handle: &SearchHandle) {
        let each =
            |index, outcome: &Outcome, time| self.tell(Event::Benched(index, outcome.stats.made_moves, time));
        // A panic stops the bench; its message went to standard error.
        let total = guarded(|| bench::run(bench, handle, each));
        self.tell(Event::Bench(total.unwrap_or(Ok(None))));
    }
}

#[cfg(test)]
fn spoiled(mut found: Outcome, alter_outcome: fn(&mut Outcome)) -> Outcome {
    alter_outcome(&mut found);
    found
}

/// Makes sure that an answer is legal: if the search's move is illegal, or not among `asked` (empty is all),
/// the first legal move takes its place; an illegal ponder move is removed. The fault was reported before.
fn made_legal(mut outcome: Outcome, root: &Position, asked: &[Move]) -> Outcome {
    if outcome.fault(root, asked).is_some() {
        outcome.best = root.chess().legal_moves().into_iter().find(|m| asked.is_empty() || asked.contains(m));
        outcome.pv = outcome.best.into_iter().collect();
        outcome.ponder = None;
    }
    let after = outcome.best.map(|best| root.play(best));
    outcome.ponder = outcome.ponder.filter(|&m| after.is_some_and(|after| after.chess().is_legal(m)));
    outcome
}

/// Does work that might panic; the error is then the panic's message.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".to_owned())
    })
}

/// Search control of a session: asks the clock when to stop, and sends reports on as events.
struct Relay {
    clock: Clock,
    outbox: Sender<SentEvent>,
    /// True if every pass of a driver is sent on.
    passes: bool,
    /// Time since the request from which the current root move is sent again.
    next_current: Duration,
}

impl SearchControl for Relay {
    fn poll(&mut self, nodes: u64) -> Option<u64> {
        self.clock.poll(nodes)
    }

    fn report(&mut self, report: &Report) {
        let _ = self.outbox.send(SentEvent(Event::Report(report.clone(), self.clock.elapsed())));
    }

    fn pass(&mut self, pass: &Pass) {
        self.clock.pass(pass);
        if self.passes {
            let _ = self.outbox.send(SentEvent(Event::Pass(pass.clone())));
        }
    }

    fn current(&mut self, current: Current) {
        let elapsed = self.clock.elapsed();
        if elapsed >= self.next_current {
            self.next_current = elapsed + CURRENT_EVERY;
            let _ = self.outbox.send(SentEvent(Event::Current(current)));
        }
    }

    fn iteration(&mut self, progress: &Progress<'_>) -> bool {
        self.clock.iteration(progress)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use crate::engine::clock::TimeLimits;
    use crate::search::{Limits, Settings};

    /// Answer of the search thread to a search of one ply from the start, whose outcome is spoiled on the
    /// way.
    fn answer_to(asked: &[Move], alter_outcome: fn(&mut Outcome)) -> Answer {
        let tt = Arc::new(TranspositionTable::new(1).expect("1 MiB of memory"));
        let limits = Limits { depth: 1, moves: asked.to_vec(), ..Limits::default() };
        let settings = Settings::default();
        let root = Game::new().position().clone();
        let task = Box::new(Task { root, key_history: Vec::new(), settings, limits });
        let handle = Arc::new(SearchHandle::new(false, false));
        let clock = Box::new(Clock::new(handle, Instant::now(), TimeLimits::default()));
        let ((orders, inbox), (outbox, events)) = (unbounded(), unbounded());
        orders.send(WorkerOrder::Search { task, clock, passes: false }).expect("the channel is open");
        drop(orders);
        let threads = ThreadPool::new(Arc::clone(&tt), BusyHelpers::default());
        Worker { threads, tt, outbox, alter_outcome }.serve(&inbox);
        let answer = |sent: SentEvent| if let Event::Answer(answer) = sent.0 { Some(*answer) } else { None };
        events.into_iter().find_map(answer).expect("every search is answered")
    }

    const ILLEGAL: Move = Move::Normal {
        role: shakmaty::Role::King,
        from: shakmaty::Square::E1,
        to: shakmaty::Square::E5,
        capture: None,
        promotion: None,
    };

    #[test]
    fn an_illegal_answer_is_replaced_by_a_legal_move() {
        let asked = Game::new().parse_move("d2d4").unwrap();
        let Answer { outcome, fault, .. } =
            answer_to(&[asked], |found| (found.best, found.ponder) = (Some(ILLEGAL), Some(ILLEGAL)));
        assert_eq!(fault.as_deref(), Some("its answer e1e5 is not legal"));
        assert_eq!((outcome.best, outcome.ponder, outcome.pv), (Some(asked), None, vec![asked]));
        let Answer { outcome, fault, .. } = answer_to(&[], |found| found.ponder = Some(ILLEGAL));
        assert!(fault.is_none() && outcome.best.is_some() && outcome.ponder.is_none());
        assert_eq!(answer_to(&[], |_| {}).fault, None, "an unspoiled search is no fault");
    }

    #[test]
    fn an_answer_that_is_missing_or_was_not_asked_for_is_a_fault() {
        let [asked, other] = ["d2d4", "e2e4"].map(|text| Game::new().parse_move(text).unwrap());
        let Answer { outcome, fault, .. } =
            answer_to(&[asked], |found| found.best = Some(Game::new().parse_move("e2e4").unwrap()));
        assert_eq!(fault.as_deref(), Some("its answer e2e4 was not asked for"));
        assert_eq!(outcome.best, Some(asked));
        let Answer { outcome, fault, .. } = answer_to(&[other], |found| found.best = None);
        assert_eq!(fault.as_deref(), Some("it has no answer, and there are legal moves"));
        assert_eq!(outcome.best, Some(other));
        let mated = Game::parse_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
        assert_eq!(Outcome::default().fault(mated.position(), &[]), None);
    }

    #[test]
    fn a_panic_in_the_search_is_answered_with_a_legal_move() {
        let Answer { outcome, fault, .. } = answer_to(&[], |_| panic!("out of luck"));
        assert!(fault.as_deref() == Some("out of luck") && outcome.best.is_some());
    }

    #[test]
    fn a_panic_becomes_an_error_with_its_message() {
        assert_eq!(guarded(|| 5), Ok(5));
        assert_eq!(guarded::<()>(|| panic!("out of {}", "luck")), Err("out of luck".to_owned()));
    }
}
