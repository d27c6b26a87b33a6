//! Polling of the search control: the number of made moves at which it is polled next, and the limit at which
//! the search stops without a poll.

/// Made moves between polls of the search control.
pub(super) struct Polling {
    /// Made moves at which the search control is polled next.
    next: u64,
    /// Made moves after which the search stops.
    limit: u64,
}

impl Polling {
    /// The first poll after so many made moves, and no limit.
    pub(super) const fn new(first: u64) -> Polling {
        Polling { next: first, limit: u64::MAX }
    }

    /// The first poll after so many made moves, or at the limit.
    pub(super) fn with_limit(first: u64, limit: u64) -> Polling {
        Polling { next: first.min(limit), limit }
    }

    /// True if the search control is to be polled after so many made moves.
    #[inline(always)]
    pub(super) fn is_due(&self, made_moves: u64) -> bool {
        made_moves >= self.next
    }

    /// True if the search stops after so many made moves.
    pub(super) fn is_over(&self, made_moves: u64) -> bool {
        made_moves >= self.limit
    }

    /// Sets the number of made moves up to which the search control lets the search run.
    pub(super) fn allow(&mut self, made_moves: u64) {
        self.next = made_moves.min(self.limit);
    }

    /// Requests a poll of the search control before the next move.
    pub(super) fn poll_soon(&mut self) {
        self.next = 0;
    }

    /// Made moves after which the search stops.
    pub(super) fn limit(&self) -> u64 {
        self.limit
    }
}
