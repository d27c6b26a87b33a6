//! Engine: session, options, time management, thread pool.
//!
//! The engine without a protocol: nothing here writes to standard output or parses UCI commands.

pub mod bench;
pub mod clock;
pub mod event;
pub mod handle;
pub mod logging;
pub mod options;
pub mod perft;
pub mod session;
pub mod strength;
pub mod thread_pool;
pub mod wdl_model;
mod worker;

pub use clock::{Clock, TimeControl};
pub use handle::SearchHandle;
pub use options::Options;
pub use session::Session;
pub use thread_pool::ThreadPool;

use std::time::Duration;

/// Rate of a count per second; 0 if no time has passed.
#[must_use]
pub fn per_second(count: u64, time: Duration) -> u64 {
    let a_second = u128::from(count) * 1_000_000;
    let rate = a_second.checked_div(time.as_micros()).unwrap_or(0);
    u64::try_from(rate).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_of_no_time_and_of_huge_counts_do_not_overflow() {
        assert_eq!(per_second(500, Duration::from_millis(250)), 2000);
        assert_eq!(per_second(500, Duration::ZERO), 0);
        assert_eq!(per_second(u64::MAX, Duration::from_micros(1)), u64::MAX);
    }
}
