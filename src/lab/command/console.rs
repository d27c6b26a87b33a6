//! Words to people: standard output that survives a closed pipe, and failures that are one line.

use std::fmt::Display;
use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;

/// Why an experiment did not end well: one line for standard error, and the exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    message: Option<String>,
    code: u8,
}

impl Failure {
    /// Something went wrong: exit code 1.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure { message: Some(message.into()), code: 1 }
    }

    /// The command line makes no sense: exit code 2.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure { message: Some(message.into()), code: 2 }
    }

    /// The person pressed Ctrl-C: exit code 130.
    #[must_use]
    pub fn interrupted() -> Failure {
        Failure { message: None, code: 130 }
    }

    /// What is wrong is on the screen already: exit code 1 without a message.
    #[must_use]
    pub fn told() -> Failure {
        Failure { message: None, code: 1 }
    }

    /// An operation on a file that failed.
    pub fn file(doing: &str, path: impl Display, error: &std::io::Error) -> Failure {
        Failure::new(format!("cannot {doing} {path}: {error}"))
    }

    /// The message, if there is one to tell.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// Tells the message on standard error.
    pub fn tell(&self) {
        if let Some(message) = &self.message {
            warn(message);
        }
    }

    /// The exit code.
    #[must_use]
    pub fn code(&self) -> ExitCode {
        ExitCode::from(self.code)
    }
}

/// Writes to standard output. A reader who has left is no news to anybody: a failure without a message.
pub fn out(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::told(),
        _ => Failure::file("write to", "standard output", &error),
    })
}

/// One line on standard error; nothing can be done when even that fails.
pub fn warn(message: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "plumb: {message}");
}
