//! Ctrl-C: the running search stops, what is finished is shown. A second one ends the program at once. The signal
//! with which a batch system announces the end of a job's time (SIGTERM) is heard in the same way.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From here on Ctrl-C sets the flag instead of ending the program.
pub fn listen() {
    let heard = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, SeqCst) {
            std::process::exit(130);
        }
    });
    if let Err(error) = heard {
        super::console::warn(format!("Ctrl-C will end the program without a table: {error}"));
    }
}

/// Whether Ctrl-C was pressed.
#[must_use]
pub fn interrupted() -> bool {
    INTERRUPTED.load(SeqCst)
}

/// Why workers should stop: Ctrl-C, or an experiment that has failed.
#[derive(Debug, Default)]
pub struct Stop {
    abandoned: AtomicBool,
}

impl Stop {
    /// Nobody need go on.
    pub fn abandon(&self) {
        self.abandoned.store(true, SeqCst);
    }

    /// Whether to stop.
    #[must_use]
    pub fn is_set(&self) -> bool {
        interrupted() || self.abandoned.load(SeqCst)
    }
}
