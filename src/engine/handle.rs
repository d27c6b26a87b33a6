//! The hand on a running search: stop it, or tell it that the opponent has played the expected move.
//!
//! Every search gets a fresh one before it is sent off, so a late word can never reach the wrong search.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// Shared between whoever asked for a search and the thread that runs it.
#[derive(Debug)]
pub struct SearchHandle {
    stopped: AtomicBool,
    pondering: AtomicBool,
    /// When the expected move was played: the clock runs from then on.
    hit: OnceLock<Instant>,
    /// Whether the answer must be kept back even when the search has ended by itself.
    held: Mutex<bool>,
    released: Condvar,
}

impl SearchHandle {
    /// For a search that begins now. An `infinite` one and a `pondering` one keep their answer back until they
    /// are stopped, or until [`SearchHandle::ponderhit`].
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

    /// Ends the search at its next look at the clock, and lets its answer go.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
        self.release();
    }

    /// The opponent has played the expected move: from now on the clock runs. Without effect on a search that
    /// does not ponder.
    pub fn ponderhit(&self, at: Instant) {
        if self.is_pondering() {
            let _ = self.hit.set(at);
            self.pondering.store(false, Relaxed);
            self.release();
        }
    }

    /// Whether the search is to end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Whether the opponent is still to move, so that no time counts.
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// When the opponent played the expected move, if so.
    #[must_use]
    pub fn hit(&self) -> Option<Instant> {
        self.hit.get().copied()
    }

    /// Blocks until the answer may be given.
    pub fn wait_for_release(&self) {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.released.wait_while(held, |held| *held).unwrap_or_else(PoisonError::into_inner));
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
    fn an_ordinary_search_is_not_held() {
        SearchHandle::new(false, false).wait_for_release();
    }

    #[test]
    fn stop_and_ponderhit_release() {
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
