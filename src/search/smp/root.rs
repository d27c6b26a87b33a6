//! Shared bracket at the root of a parallel search: results of other threads, and the common counts.

use super::{RootResult, RootSearch};
use crate::chess::score::Value;
use crate::minimax::Window;
use crate::search::state::Search;
use shakmaty::Move;
use std::sync::atomic::Ordering::Relaxed;

impl Search<'_> {
    /// Begins a search of the root in a window; returns its result if another thread has decided it already.
    pub(in crate::search) fn begin_root_search(
        &mut self,
        depth: i32,
        window: Window<Value>,
    ) -> Option<RootResult> {
        let thread = self.thread.as_mut().filter(|thread| thread.shares())?;
        let search = RootSearch { depth: depth.max(0) as usize, window };
        let result = thread.parallel.result(search);
        thread.root_search = result.is_none().then_some(search);
        thread.decided = None;
        result
    }

    /// After a stop: the result of this thread's root search, if another thread has decided it.
    pub(in crate::search) fn result_of_other_thread(&mut self) -> Option<RootResult> {
        let result = self.thread.as_mut()?.take_decision()?;
        self.key_history.return_to_root();
        Some(result)
    }

    /// Ends this thread's root search and stores its result for the other threads.
    pub(in crate::search) fn end_root_search(&mut self, value: Value, line: &[Move]) {
        let Some(thread) = self.thread.as_mut() else { return };
        if let Some(search) = thread.root_search.take() {
            thread.parallel.store(search, RootResult { value, line: line.to_vec() });
        }
    }

    /// The last fail-high of any thread at a depth.
    pub(in crate::search) fn fail_high_of_any_thread(&self, depth: i32) -> Option<RootResult> {
        let thread = self.thread.as_ref().filter(|thread| thread.shares())?;
        thread.parallel.fail_high(depth.max(0) as usize)
    }

    /// Made moves of all threads.
    pub(in crate::search) fn made_by_all(&self) -> u64 {
        match &self.thread {
            Some(thread) => thread.parallel.made_moves() + (self.stats.made_moves - thread.counted_moves),
            None => self.stats.made_moves,
        }
    }

    /// Moves that this thread may make before its next poll.
    pub(in crate::search) fn allowed_moves(&self) -> u64 {
        let most = self.thread.as_ref().map_or(self.polling.limit(), |thread| thread.allowed_moves);
        most.saturating_sub(self.stats.made_moves)
    }

    /// Tablebase hits of all threads; `None` without tablebases.
    pub(in crate::search) fn tb_hits_of_all(&self) -> Option<u64> {
        self.settings.syzygy.tablebases.as_ref()?;
        Some(match &self.thread {
            Some(thread) => {
                thread.parallel.tb_hits.load(Relaxed) + (self.stats.tb_hits - thread.counted_hits)
            }
            None => self.stats.tb_hits,
        })
    }

    /// Begins an iteration: its selective depth is counted from here.
    pub(in crate::search) fn reset_deepest(&mut self) {
        self.stats.selective_depth = 0;
        if let Some(thread) = self.thread.as_ref().filter(|thread| thread.thread_id == 0) {
            thread.parallel.selective_depth.store(0, Relaxed);
        }
    }

    /// Selective depth of all threads: the longest line that this iteration has searched, in plies.
    pub(in crate::search) fn deepest_of_all(&self) -> usize {
        let others = self.thread.as_ref().map_or(0, |thread| thread.parallel.selective_depth.load(Relaxed));
        others.max(self.stats.selective_depth)
    }

    /// True for the main thread, which polls the search control.
    pub(in crate::search) fn is_main_thread(&self) -> bool {
        self.thread.as_ref().is_none_or(|thread| thread.thread_id == 0)
    }

    /// Number of this thread among those that share a bracket; 0 for the main thread, or without a shared
    /// bracket.
    pub(in crate::search) fn thread_id(&self) -> usize {
        self.thread.as_ref().filter(|thread| thread.shares()).map_or(0, |thread| thread.thread_id)
    }
}
