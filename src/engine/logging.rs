//! Logging, to standard error or to the file of `Debug Log File`; never to standard output.
//!
//! `RUST_LOG` sets the log level, as usual; without it warnings are logged, and in a log file debug messages
//! too, among them all input and output of UCI.

use crate::{files, legible};
use log::LevelFilter;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, Once, PoisonError};

/// The log file; `None` is standard error.
static FILE: Mutex<Option<File>> = Mutex::new(None);

/// Writer to the log file, or to standard error.
struct Destination;

impl Write for Destination {
    /// Writes a line of the log, which the logger hands over whole; to the terminal without control
    /// characters.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        match FILE.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(file) => file.write(line),
            None => {
                let text = String::from_utf8_lossy(line);
                io::stderr().write_all(legible::lines(&text).as_bytes()).map(|()| line.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match FILE.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(file) => file.flush(),
            None => io::stderr().flush(),
        }
    }
}

/// True if `RUST_LOG` sets the log level.
fn is_chosen() -> bool {
    std::env::var_os("RUST_LOG").is_some()
}

/// Initializes the logger. Only the first call has an effect.
pub fn start() {
    static START: Once = Once::new();
    START.call_once(|| {
        let mut builder = env_logger::Builder::new();
        builder.filter_level(LevelFilter::Warn).filter_module("plumb", LevelFilter::Debug);
        builder.parse_default_env().target(env_logger::Target::Pipe(Box::new(Destination)));
        // A program that uses the library may have a logger already; it is kept.
        if builder.try_init().is_ok() && !is_chosen() {
            log::set_max_level(LevelFilter::Warn);
        }
    });
}

/// Opens a file to append to. A named pipe is refused, since it would block until somebody reads it, or for
/// ever; so is a file that is no log: a network, a book, or a record of the laboratory.
fn open(path: &Path) -> io::Result<File> {
    let refused = |why| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    #[cfg(unix)]
    if std::fs::metadata(path).is_ok_and(|about| std::os::unix::fs::FileTypeExt::is_fifo(&about.file_type()))
    {
        return refused("it is a pipe");
    }
    if std::fs::metadata(path).is_ok_and(|about| about.is_file()) && holds_something_else(path)? {
        return refused("it is no log");
    }
    let file = OpenOptions::new().create(true).append(true).open(path)?;
    // Several engines may share a log, and no command of the laboratory may replace it meanwhile. On Windows
    // a lock would keep its own holder from writing.
    #[cfg(unix)]
    if let Err(std::fs::TryLockError::WouldBlock) = file.try_lock_shared() {
        return refused("another program is writing it");
    }
    Ok(file)
}

/// True if a file begins as no log does.
fn holds_something_else(path: &Path) -> io::Result<bool> {
    let beginning = files::beginning(path)?;
    Ok(files::is_binary(&beginning) || files::is_record(&beginning))
}

/// Appends the log to a file, or with `None` writes it to standard error again.
///
/// # Errors
/// If the file cannot be opened for writing; the destination is then unchanged.
pub fn redirect(path: Option<&Path>) -> io::Result<()> {
    let file = path.map(open).transpose()?;
    if !is_chosen() {
        log::set_max_level(if file.is_some() { LevelFilter::Debug } else { LevelFilter::Warn });
    }
    *FILE.lock().unwrap_or_else(PoisonError::into_inner) = file;
    Ok(())
}
