//! The log: to standard error, or to a file while somebody asks for one. Standard output is not its business.
//!
//! `RUST_LOG` chooses what is logged, as everywhere; without it warnings are, and in a log file everything
//! down to the conversation itself.

use log::LevelFilter;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, Once, PoisonError};

/// Where lines go instead of standard error.
static FILE: Mutex<Option<File>> = Mutex::new(None);

/// Writes where lines go at the moment.
struct Destination;

impl Destination {
    fn with<T>(act: impl FnOnce(&mut dyn Write) -> T) -> T {
        match FILE.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(file) => act(file),
            None => act(&mut io::stderr()),
        }
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Destination::with(|out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Destination::with(|out| out.flush())
    }
}

/// Whether `RUST_LOG` decides what is logged.
fn is_chosen() -> bool {
    std::env::var_os("RUST_LOG").is_some()
}

/// Makes the log ready. Only the first call has an effect.
pub fn start() {
    static START: Once = Once::new();
    START.call_once(|| {
        let mut builder = env_logger::Builder::new();
        builder.filter_level(LevelFilter::Warn).filter_module("plumb", LevelFilter::Debug);
        builder.parse_default_env().target(env_logger::Target::Pipe(Box::new(Destination)));
        // A library's user may have a logger already; then it stays.
        if builder.try_init().is_ok() && !is_chosen() {
            log::set_max_level(LevelFilter::Warn);
        }
    });
}

/// Sends the log to the end of a file, or back to standard error.
///
/// # Errors
/// Where the file cannot be opened for writing; the log then goes where it went before.
pub fn redirect(path: Option<&Path>) -> io::Result<()> {
    let file = path.map(|path| OpenOptions::new().create(true).append(true).open(path)).transpose()?;
    if !is_chosen() {
        log::set_max_level(if file.is_some() { LevelFilter::Debug } else { LevelFilter::Warn });
    }
    *FILE.lock().unwrap_or_else(PoisonError::into_inner) = file;
    Ok(())
}
