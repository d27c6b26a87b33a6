//! One search after another: session, options, clock.
//!
//! Here the engine is complete, but speaks no language: the front ends above translate. Nothing here prints
//! to standard output or knows UCI.

pub mod bench;
pub mod clock;
pub mod event;
pub mod handle;
pub mod logging;
pub mod options;
pub mod perft;
pub mod referee;
pub mod session;
pub mod strength;
pub mod thread_pool;
pub mod wdl_model;
mod worker;

pub use crate::engine::handle::SearchHandle;
pub use crate::engine::thread_pool::Threads;
pub use clock::{Clock, TimeControl};
pub use options::Options;
pub use session::Session;

use std::time::Duration;

/// How many of something there were in a second; 0 where no time has passed.
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
    fn rates() {
        assert_eq!(per_second(500, Duration::from_millis(250)), 2000);
        assert_eq!(per_second(500, Duration::ZERO), 0);
        assert_eq!(per_second(u64::MAX, Duration::from_micros(1)), u64::MAX);
    }
}
