//! Ctrl-C: running searches stop, and finished results are shown. A second Ctrl-C ends the program at once.
//! SIGTERM, by which batch systems announce the end of a job's time, has the same effect.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Files that are to be removed where the program ends without returning from its functions.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file that a sudden end by Ctrl-C removes, as long as this is not dropped: a lock, an unfinished result.
#[derive(Debug)]
pub struct Temporary(PathBuf);

impl Temporary {
    /// Notes a file.
    #[must_use]
    pub fn new(path: &Path) -> Temporary {
        TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
        Temporary(path.to_owned())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut all = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = all.iter().position(|path| *path == self.0) {
            all.swap_remove(at);
        }
    }
}

/// Ends the program at once, without leaving locks and unfinished results behind.
fn end() -> ! {
    for path in TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        // A file that stays does no harm.
        let _ = std::fs::remove_file(path);
    }
    std::process::exit(130)
}

/// Installs the signal handler: from now on Ctrl-C sets a flag instead of ending the program.
pub fn listen() {
    let heard = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, SeqCst) {
            end();
        }
    });
    if let Err(error) = heard {
        super::console::note(format!("Ctrl-C will end the program without a table: {error}"));
    }
}

/// True if Ctrl-C was pressed.
#[must_use]
pub fn interrupted() -> bool {
    INTERRUPTED.load(SeqCst)
}

/// Time between two polls of the flag by the thread of [`end_within`].
const WATCH: Duration = Duration::from_millis(50);

/// Sets a deadline: from now on the program ends so long after Ctrl-C or SIGTERM at the latest, with exit
/// code 130, whatever it is doing. For commands that keep finished work on disk as they go.
pub fn end_within(patience: Duration) {
    let watch = move || {
        while !interrupted() {
            std::thread::sleep(WATCH);
        }
        std::thread::sleep(patience);
        end();
    };
    // If the thread cannot be started, the work ends when it polls the flag itself.
    let _ = std::thread::Builder::new().name("watch".to_owned()).spawn(watch);
}

/// Stop flag of worker threads: set by Ctrl-C, or by a failure of one of them.
#[derive(Debug, Default)]
pub struct Stop {
    abandoned: AtomicBool,
    /// True if Ctrl-C does not set it.
    ignores_ctrl_c: bool,
}

impl Stop {
    /// A flag that Ctrl-C does not set: for a report on the work that Ctrl-C has ended.
    #[must_use]
    pub fn of_report() -> Stop {
        Stop { ignores_ctrl_c: true, ..Stop::default() }
    }

    /// Stops all workers.
    pub fn abandon(&self) {
        self.abandoned.store(true, SeqCst);
    }

    /// True if workers should stop.
    #[must_use]
    pub fn is_set(&self) -> bool {
        !self.ignores_ctrl_c && interrupted() || self.abandoned.load(SeqCst)
    }
}
