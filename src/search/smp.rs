//! What the threads of one search share beside the table: the word to stop, the count of moves made, and what
//! each of them has proven of the root.
//!
//! Every thread deepens by itself, with histories and an evaluator of its own. [`Helpers`] says what they have
//! to do with each other. *Lazy* helpers meet in the table alone. Helpers of a *bracket* pin every answer of the
//! root (TR figure 8: f- and f+) where all can read it: whoever asks what another has answered takes that
//! answer, at once or in the middle of the pass, and goes on with the next bound. Nobody waits for anybody, and
//! nobody falls behind. Starting threads is no business of this room.

use super::settings::{Helpers, Limits, Settings};
use super::stats::Stats;
use crate::chess::Position;
use crate::chess::score::{INFINITE, Value};
use crate::minimax::Window;
use crate::minimax::driver::Bracket;
use crate::search::control::SearchControl;
use crate::search::state::Search;
use shakmaty::Move;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Made moves between two looks of a helper at what the others say: about a millisecond.
const LOOK: u64 = 1024;

/// A search as its threads are told of it.
#[derive(Clone, Debug)]
pub struct Task {
    /// The position to search.
    pub root: Position,
    /// Keys of the game's earlier positions, oldest first, the root excluded.
    pub line: Vec<u64>,
    /// How to go about it.
    pub settings: Settings,
    /// When it is done.
    pub limits: Limits,
}

/// What the threads of one search share.
#[derive(Debug)]
pub struct ParallelSearch {
    size: usize,
    node_limit: u64,
    helpers: Helpers,
    /// How many contradictions reopen the bracket of a depth.
    reopenings: u32,
    stopped: AtomicBool,
    /// Moves that all threads have made, as far as they have told.
    made: AtomicU64,
    /// Positions that the endgame tables knew, as far as they have told.
    tb_hits: AtomicU64,
    /// The longest line looked at, in plies.
    selective_depth: AtomicUsize,
    /// Answers pinned so far: whoever has seen as many has seen all.
    news: AtomicU64,
    /// What is proven of the root, by depth.
    proofs: Mutex<Vec<Proof>>,
}

/// What is proven of the root at one depth.
#[derive(Clone, Debug)]
struct Proof {
    bracket: Bracket<Value>,
    /// The line of the last answer that was no fail-low.
    line: Vec<Move>,
}

/// What another thread has found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    /// The value in the asked window, fail-soft.
    pub(super) value: Value,
    /// The line that proves it; empty where every move failed low.
    pub(super) line: Vec<Move>,
}

impl Proof {
    fn nothing(reopenings: u32) -> Proof {
        let bracket = Bracket::new(-INFINITE, INFINITE, 0).reopened_by(reopenings);
        Proof { bracket, line: Vec::new() }
    }

    /// What this says in a window, if it says anything.
    fn answer(&self, window: Window<Value>) -> Option<Answer> {
        let Bracket { lower, upper, .. } = self.bracket;
        if lower >= window.beta || lower == upper && lower > window.alpha {
            Some(Answer { value: lower, line: self.line.clone() })
        } else {
            (upper <= window.alpha).then(|| Answer { value: upper, line: Vec::new() })
        }
    }
}

impl ParallelSearch {
    /// For `size` threads, of which nobody knows anything yet.
    #[must_use]
    pub fn new(size: usize, task: &Task) -> ParallelSearch {
        ParallelSearch {
            size: size.max(1),
            node_limit: task.limits.nodes.unwrap_or(u64::MAX),
            helpers: task.settings.helpers,
            reopenings: task.settings.mode.reopenings(),
            stopped: AtomicBool::new(false),
            made: AtomicU64::new(0),
            tb_hits: AtomicU64::new(0),
            selective_depth: AtomicUsize::new(0),
            news: AtomicU64::new(0),
            proofs: Mutex::new(Vec::new()),
        }
    }

    /// Ends the search of every thread at its next look.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Moves that all threads have made, as far as they have told.
    #[must_use]
    pub fn made(&self) -> u64 {
        self.made.load(Relaxed)
    }

    /// A thread that panics while it holds the proofs leaves them whole: each is written in one piece.
    fn proofs(&self) -> MutexGuard<'_, Vec<Proof>> {
        self.proofs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, question: Question) -> Option<Answer> {
        self.proofs().get(question.depth)?.answer(question.window)
    }

    fn pin(&self, question: Question, answer: Answer) {
        let mut proofs = self.proofs();
        while proofs.len() <= question.depth {
            proofs.push(Proof::nothing(self.reopenings));
        }
        if let Some(proof) = proofs.get_mut(question.depth) {
            proof.bracket.learn(question.window, answer.value);
            if answer.value > question.window.alpha {
                proof.line = answer.line;
            } else if !proof.bracket.failed_high {
                // A contradiction may have refuted it.
                proof.line.clear();
            }
        }
        self.news.fetch_add(1, Relaxed);
    }

    /// The last fail-high at a depth.
    fn risen(&self, depth: usize) -> Option<Answer> {
        let proofs = self.proofs();
        let proof = proofs.get(depth).filter(|proof| proof.bracket.failed_high)?;
        Some(Answer { value: proof.bracket.lower, line: proof.line.clone() })
    }
}

/// What a thread asks of the root.
#[derive(Clone, Copy, Debug)]
struct Question {
    depth: usize,
    window: Window<Value>,
}

/// One thread's place in a team.
#[derive(Debug)]
pub struct SearchThread<'a> {
    parallel: &'a ParallelSearch,
    rank: usize,
    /// Made moves that the team knows of.
    told: u64,
    /// Hits of the endgame tables that the team knows of.
    told_hits: u64,
    /// News that this thread has looked at.
    heard: u64,
    /// What it is about to find out, if others can help.
    question: Option<Question>,
}

impl<'a> SearchThread<'a> {
    /// The thread of a rank; 0 leads: its watch speaks for all, and when it ends so do the others.
    #[must_use]
    pub fn new(parallel: &'a ParallelSearch, rank: usize) -> SearchThread<'a> {
        SearchThread { parallel, rank, told: 0, told_hits: 0, heard: 0, question: None }
    }

    /// Whether answers of the root are shared.
    fn shares(&self) -> bool {
        self.parallel.helpers == Helpers::Bracket
    }

    /// Tells what was done since the last time.
    fn tell(&mut self, stats: &Stats) {
        self.parallel.made.fetch_add(stats.made_moves - self.told, Relaxed);
        self.told = stats.made_moves;
        self.parallel.tb_hits.fetch_add(stats.tb_hits - self.told_hits, Relaxed);
        self.told_hits = stats.tb_hits;
        self.parallel.selective_depth.fetch_max(stats.selective_depth, Relaxed);
    }

    /// When to look again, in made moves of this thread; `None` where there is nothing left to do.
    pub(super) fn poll(&mut self, stats: &Stats, control: &mut dyn SearchControl) -> Option<u64> {
        self.tell(stats);
        let parallel = self.parallel;
        if parallel.stopped.load(Relaxed) {
            return None;
        }
        let made = parallel.made();
        let next = if made >= parallel.node_limit {
            None
        } else if self.rank == 0 {
            control.poll(made)
        } else {
            Some(made.saturating_add(LOOK))
        };
        let Some(next) = next else {
            parallel.stop();
            return None;
        };
        if self.is_answered() {
            return None;
        }
        // All threads together use up what is left.
        let left = (parallel.node_limit - made) / parallel.size as u64;
        Some(stats.made_moves.saturating_add((next - made.min(next)).min(left).max(1)))
    }

    /// Whether another thread has answered what this one is finding out.
    fn is_answered(&mut self) -> bool {
        let news = self.parallel.news.load(Relaxed);
        if news == self.heard {
            return false;
        }
        self.heard = news;
        self.question.is_some_and(|question| self.parallel.answer(question).is_some())
    }
}

impl Search<'_> {
    /// Begins to find out what a window of the root holds, unless another thread knows it already.
    pub(super) fn begin_question(&mut self, depth: i32, window: Window<Value>) -> Option<Answer> {
        let thread = self.thread.as_mut().filter(|thread| thread.shares())?;
        let question = Question { depth: depth.max(0) as usize, window };
        let answer = thread.parallel.answer(question);
        thread.question = answer.is_none().then_some(question);
        answer
    }

    /// What another thread has found out meanwhile, when this one was told to stop.
    pub(super) fn answered_meanwhile(&mut self) -> Option<Answer> {
        let thread = self.thread.as_mut()?;
        let answer = thread.parallel.answer(thread.question.take()?)?;
        self.keys.truncate(self.root_at);
        Some(answer)
    }

    /// Lets the other threads know the answer to this thread's question; from now on it asks nothing.
    pub(super) fn end_question(&mut self, value: Value, line: &[Move]) {
        let Some(thread) = self.thread.as_mut() else { return };
        if let Some(question) = thread.question.take() {
            thread.parallel.pin(question, Answer { value, line: line.to_vec() });
        }
    }

    /// The last fail-high of any thread at a depth.
    pub(super) fn risen_elsewhere(&self, depth: i32) -> Option<Answer> {
        let thread = self.thread.as_ref().filter(|thread| thread.shares())?;
        thread.parallel.risen(depth.max(0) as usize)
    }

    /// Moves made by all threads.
    pub(super) fn made_by_all(&self) -> u64 {
        match &self.thread {
            Some(thread) => thread.parallel.made() + (self.stats.made_moves - thread.told),
            None => self.stats.made_moves,
        }
    }

    /// Positions that the endgame tables knew, of all threads; `None` without tables.
    pub(super) fn tb_hits_of_all(&self) -> Option<u64> {
        self.settings.syzygy.tablebases.as_ref()?;
        Some(match &self.thread {
            Some(thread) => thread.parallel.tb_hits.load(Relaxed) + (self.stats.tb_hits - thread.told_hits),
            None => self.stats.tb_hits,
        })
    }

    /// The longest line that any thread has looked at, in plies.
    pub(super) fn deepest_of_all(&self) -> usize {
        let others = self.thread.as_ref().map_or(0, |thread| thread.parallel.selective_depth.load(Relaxed));
        others.max(self.stats.selective_depth)
    }

    /// Whether this is the thread whose watch speaks for all.
    pub(super) fn leads(&self) -> bool {
        self.thread.as_ref().is_none_or(|thread| thread.rank == 0)
    }

    /// The place of this thread among those that work on one bracket: 0 leads, or works alone.
    pub(super) fn rank(&self) -> usize {
        self.thread.as_ref().filter(|thread| thread.shares()).map_or(0, |thread| thread.rank)
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
            &Task { root: Position::new(Chess::default()), line: Vec::new(), settings, limits },
        )
    }

    fn asks(depth: usize, bound: Value) -> Question {
        Question { depth, window: Window::at(bound) }
    }

    fn says(value: Value) -> Answer {
        Answer { value, line: Vec::new() }
    }

    #[test]
    fn an_answer_holds_for_every_bound_beyond_it_at_its_depth() {
        let parallel = parallel(Helpers::Bracket, None);
        parallel.pin(asks(5, 10), says(24));
        parallel.pin(asks(5, 48), says(40));
        assert_eq!(parallel.answer(asks(5, 24)), Some(says(24)));
        assert_eq!(parallel.answer(asks(5, 41)), Some(says(40)));
        assert_eq!(parallel.answer(asks(5, 32)), None);
        assert_eq!(parallel.answer(asks(6, 24)), None);
        assert_eq!(parallel.risen(5), Some(says(24)));
        assert_eq!(parallel.risen(4), None);
    }

    #[test]
    fn a_closed_bracket_answers_open_windows() {
        let parallel = parallel(Helpers::Bracket, None);
        let open = Question { depth: 3, window: Window::new(-INFINITE, INFINITE) };
        parallel.pin(asks(3, 7), says(7));
        assert_eq!(parallel.answer(open), None);
        parallel.pin(asks(3, 8), says(7));
        assert_eq!(parallel.answer(open), Some(says(7)));
    }

    #[test]
    fn a_thread_stops_when_another_has_answered_its_question() {
        let parallel = parallel(Helpers::Bracket, None);
        let stats = Stats::default();
        let mut thread = SearchThread::new(&parallel, 1);
        thread.question = Some(asks(5, 20));
        assert!(thread.poll(&stats, &mut NoControl).is_some());
        parallel.pin(asks(5, 40), says(30));
        assert!(thread.poll(&stats, &mut NoControl).is_some(), "below 31 says nothing of 20");
        parallel.pin(asks(5, 10), says(22));
        assert_eq!(thread.poll(&stats, &mut NoControl), None);
        thread.question = None;
        assert!(thread.poll(&stats, &mut NoControl).is_some(), "the search itself goes on");
        parallel.stop();
        assert_eq!(thread.poll(&stats, &mut NoControl), None);
    }

    #[test]
    fn nodes_are_counted_together() {
        let parallel = parallel(Helpers::Lazy, Some(3000));
        let mut first = SearchThread::new(&parallel, 0);
        let mut second = SearchThread::new(&parallel, 1);
        let made = |made| Stats { made_moves: made, ..Stats::default() };
        assert_eq!(first.poll(&made(1000), &mut NoControl), Some(2000), "half of what is left");
        assert_eq!(second.poll(&made(1000), &mut NoControl), Some(1500));
        assert_eq!(parallel.made(), 2000);
        assert_eq!(first.poll(&made(2000), &mut NoControl), None);
        assert_eq!(second.poll(&made(1001), &mut NoControl), None, "one ends for all");
    }
}
