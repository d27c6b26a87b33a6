//! One search after another: session, options, clock.
//!
//! Here the engine is complete, but speaks no language: the front ends above translate. Nothing here prints
//! to standard output or knows UCI.

pub mod bench;
pub mod clock;
pub mod control;
pub mod logging;
pub mod options;
pub mod perft;
pub mod session;

pub use clock::{Clock, TimeControl};
pub use control::Control;
pub use options::Options;
pub use session::Session;

use std::time::Duration;

/// How many of something there were in a second; 0 where no time has passed.
#[must_use]
pub fn per_second(count: u64, time: Duration) -> u64 {
    let micros = time.as_micros();
    if micros == 0 { 0 } else { u64::try_from(u128::from(count) * 1_000_000 / micros).unwrap_or(u64::MAX) }
}
