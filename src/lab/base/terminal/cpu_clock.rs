//! Processor time of a thread, by the system's clock of threads (`CLOCK_THREAD_CPUTIME_ID`).
//!
//! Other systems than Linux, macOS and FreeBSD give wall time in its place. A search of one thread waits for
//! nothing, so that the two differ only by what other programs take of the processor; and Windows counts the
//! processor time of a thread in steps of 15.6 ms, which is longer than most of what is measured here.

use std::marker::PhantomData;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Processor time of the thread that started it; it stays in that thread.
pub struct CpuClock {
    /// Processor time of the thread at the start, where the system tells it.
    thread: Option<Duration>,
    wall: Instant,
    /// Not `Send`: another thread has another clock.
    local: PhantomData<Rc<()>>,
}

impl CpuClock {
    /// Runs from now on.
    #[must_use]
    pub fn start() -> CpuClock {
        CpuClock { thread: thread_time(), wall: Instant::now(), local: PhantomData }
    }

    /// Time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        match (self.thread, thread_time()) {
            (Some(start), Some(now)) => now.saturating_sub(start),
            _ => self.wall.elapsed(),
        }
    }
}

/// Processor time of this thread so far.
#[cfg(any(target_os = "linux", target_os = "macos", target_os = "freebsd"))]
fn thread_time() -> Option<Duration> {
    Duration::try_from(rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime)).ok()
}

#[cfg(not(any(target_os = "linux", target_os = "macos", target_os = "freebsd")))]
fn thread_time() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Works for a while; returns what the thread's clock says of it.
    fn work() -> Duration {
        let clock = CpuClock::start();
        while clock.elapsed() < Duration::from_millis(50) {
            std::hint::spin_loop();
        }
        clock.elapsed()
    }

    #[test]
    fn the_work_of_a_thread_counts() {
        let clock = CpuClock::start();
        let worked = work();
        let counted = clock.elapsed();
        assert!(counted >= worked, "{counted:?} of {worked:?}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn neither_sleep_nor_the_work_of_another_thread_counts() {
        let clock = CpuClock::start();
        let worked = std::thread::scope(|scope| scope.spawn(work).join().unwrap());
        std::thread::sleep(worked);
        let counted = clock.elapsed();
        assert!(counted < worked, "{counted:?} of {worked:?}");
    }
}
