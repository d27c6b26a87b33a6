//! A result as JSON in a file, opened before the work begins so that a wrong name is reported at once.

use super::file::{Kind, Output};
use crate::lab::base::terminal::console::{self, Failure};
use serde::Serialize;
use std::path::Path;

/// A file for one JSON document, or standard output.
pub struct JsonFile(Output);

impl JsonFile {
    /// Begins a file; `-` is standard output. An old file stays until the document is written.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn create(path: &Path) -> Result<JsonFile, Failure> {
        Ok(JsonFile(Output::create(path, Kind::Text)?))
    }

    /// True if it is standard output.
    #[must_use]
    pub fn is_stdout(&self) -> bool {
        self.0.is_stdout()
    }

    /// Writes the document.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(mut self, document: &impl Serialize) -> Result<(), Failure> {
        self.0.write(text(document)?)?;
        self.0.finish()
    }
}

/// A document as it is in the file.
///
/// # Errors
/// If it cannot be written as JSON.
pub fn text(document: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(document);
    text.map(|text| text + "\n").map_err(|error| Failure::new(format!("cannot write JSON: {error}")))
}

/// Shows a report: on standard output, or on standard error where the JSON document goes to standard output.
///
/// # Errors
/// If standard output cannot be written.
pub fn show_report(text: &str, json: Option<&JsonFile>) -> Result<(), Failure> {
    if json.is_some_and(JsonFile::is_stdout) {
        console::aside(text);
        return Ok(());
    }
    console::out(text)
}
