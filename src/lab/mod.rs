//! The laboratory.

use std::process::ExitCode;

/// Whether a word of the command line belongs to the laboratory.
#[must_use]
pub fn is_command(_word: &str) -> bool {
    false
}

/// Runs a laboratory command (to be written).
#[must_use]
pub fn main(_words: Vec<String>) -> ExitCode {
    ExitCode::FAILURE
}
