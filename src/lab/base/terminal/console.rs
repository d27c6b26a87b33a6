//! Output to the terminal: standard output that survives a closed pipe, and failures of one line. Output
//! repeats text of files and of other engines, so that control characters are blanked here, in one place for
//! all commands.

use crate::legible;
use crate::search::transposition::TableError;
use std::fmt::Display;
use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;

/// Failure of a command: one line for standard error, and the exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    message: Option<String>,
    code: u8,
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::new(error.to_string())
    }
}

impl Failure {
    /// A failure with exit code 1.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure { message: Some(message.into()), code: 1 }
    }

    /// A wrong command line: exit code 2.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure { message: Some(message.into()), code: 2 }
    }

    /// Ctrl-C was pressed: exit code 130.
    #[must_use]
    pub fn interrupted() -> Failure {
        Failure { message: None, code: 130 }
    }

    /// A failure that has been shown already: exit code 1 without a message.
    #[must_use]
    pub fn told() -> Failure {
        Failure { message: None, code: 1 }
    }

    /// An operation on a file that failed.
    pub fn file(doing: &str, path: impl Display, error: &std::io::Error) -> Failure {
        Failure::new(format!("cannot {doing} {path}: {error}"))
    }

    /// The message, if there is one.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// Writes the message to standard error.
    pub fn tell(&self) {
        if let Some(message) = &self.message {
            note(message);
        }
    }

    /// The exit code.
    #[must_use]
    pub fn code(&self) -> ExitCode {
        ExitCode::from(self.code)
    }
}

/// Writes text to standard output, control characters blanked. A pipe that its reader has closed is a failure
/// without a message.
///
/// # Errors
/// If it cannot be written.
pub fn out(text: &str) -> Result<(), Failure> {
    out_bytes(legible::lines(text).as_bytes())
}

/// Writes text to standard error in the same way. A failure is ignored: there is nowhere left to report it.
pub fn aside(text: &str) {
    let _ = std::io::stderr().lock().write_all(legible::lines(text).as_bytes());
}

/// Writes bytes to standard output as they are: files, whose contents are exact.
///
/// # Errors
/// If they cannot be written.
pub fn out_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(|error| unwritten(&error))
}

/// The failure of a write to standard output; the reader that closed a pipe needs no message.
#[must_use]
pub fn unwritten(error: &std::io::Error) -> Failure {
    match error.kind() {
        ErrorKind::BrokenPipe => Failure::told(),
        _ => Failure::file("write to", "standard output", error),
    }
}

/// Writes a line to standard error. A failure is ignored: there is nowhere left to report it.
pub fn note(message: impl Display) {
    aside(&format!("plumb: {message}\n"));
}
