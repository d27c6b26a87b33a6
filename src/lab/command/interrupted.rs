//! Ctrl-C: running searches stop, and finished results are shown. A second Ctrl-C ends the program at once. SIGTERM,
//! by which batch systems announce the end of a job's time, has the same effect.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Installs the signal handler: from now on Ctrl-C sets a flag instead of ending the program.
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

/// True if Ctrl-C was pressed.
#[must_use]
pub fn interrupted() -> bool {
    INTERRUPTED.load(SeqCst)
}

/// Stop flag of worker threads: set by Ctrl-C, or by a failure of one of them.
#[derive(Debug, Default)]
pub struct Stop {
    abandoned: AtomicBool,
}

impl Stop {
    /// Stops all workers.
    pub fn abandon(&self) {
        self.abandoned.store(true, SeqCst);
    }

    /// True if workers should stop.
    #[must_use]
    pub fn is_set(&self) -> bool {
        interrupted() || self.abandoned.load(SeqCst)
    }
}
