//! Search handle: stop and ponderhit of a running search.
//!
//! Every search has a handle of its own, so that a late `stop` cannot reach the next search.

use std::sync::atomic::{
    AtomicBool,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Handle of one search, shared between the session and the search thread.
#[derive(Debug)]
pub struct SearchHandle {
    stopped: AtomicBool,
    pondering: AtomicBool,
    /// Time of the ponderhit, from which the clock runs.
    hit: OnceLock<Instant>,
    /// True if the answer is held back even when the search has ended by itself.
    held: Mutex<bool>,
    released: Condvar,
}

impl SearchHandle {
    /// Handle of a new search. An `infinite` search holds its answer back until it is stopped, a `pondering`
    /// one until then or until [`SearchHandle::ponderhit`].
    #[must_use]
    pub fn new(infinite: bool, pondering: bool) -> SearchHandle {
        SearchHandle {
            stopped: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
            hit: OnceLock::new(),
            held: Mutex::new(infinite || pondering),
            released: Condvar::new(),
        }
    }

    /// Stops the search at its next poll, and releases its answer.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
        self.release();
    }

    /// Ponderhit: the opponent has played the expected move, and the clock runs from now on. Without effect
    /// on a search that does not ponder.
    pub fn ponderhit(&self, at: Instant) {
        if self.is_pondering() {
            let _ = self.hit.set(at);
            // Who sees no pondering sees the hit.
            self.pondering.store(false, Release);
            self.release();
        }
    }

    /// True if the search is to end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// True while the search ponders, so that no time counts.
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Acquire)
    }

    /// Time of the ponderhit, if there was one.
    #[must_use]
    pub fn hit(&self) -> Option<Instant> {
        self.hit.get().copied()
    }

    /// Blocks until the answer may be given.
    pub fn wait_for_release(&self) {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.released.wait_while(held, |held| *held).unwrap_or_else(PoisonError::into_inner));
    }

    /// Blocks for a time, or until the search is stopped.
    pub fn wait_for_stop(&self, longest: Duration) {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.released.wait_timeout_while(held, longest, |_| !self.is_stopped());
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    fn release(&self) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.released.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_infinite_and_pondering_searches_are_held_back() {
        let held = |infinite, pondering| *SearchHandle::new(infinite, pondering).held.lock().unwrap();
        assert!(!held(false, false) && held(true, false) && held(false, true));
        // Returns at once, without a notification.
        SearchHandle::new(false, false).wait_for_release();
    }

    #[test]
    fn stop_and_ponderhit_release_the_answer() {
        let infinite = SearchHandle::new(true, false);
        infinite.ponderhit(Instant::now());
        assert!(infinite.hit().is_none() && *infinite.held.lock().unwrap());
        infinite.stop();
        infinite.wait_for_release();

        let pondering = SearchHandle::new(false, true);
        std::thread::scope(|scope| {
            scope.spawn(|| pondering.wait_for_release());
            pondering.ponderhit(Instant::now());
        });
        assert!(!pondering.is_pondering() && pondering.hit().is_some() && !pondering.is_stopped());
    }
}
