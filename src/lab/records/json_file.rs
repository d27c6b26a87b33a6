//! A result as JSON in a file, opened before the work begins so that a wrong name is reported at once.

use crate::lab::command::console::{self, Failure};
use serde::Serialize;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

/// A file for one JSON document, or standard output.
pub struct JsonFile {
    /// The file and its name; `None` is standard output.
    file: Option<(File, String)>,
}

impl JsonFile {
    /// Creates a file; `-` is standard output.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create(path: &Path) -> Result<JsonFile, Failure> {
        if path.as_os_str() == "-" {
            return Ok(JsonFile { file: None });
        }
        let name = path.display().to_string();
        let file = File::create(path).map_err(|error| Failure::file("write to", &name, &error))?;
        Ok(JsonFile { file: Some((file, name)) })
    }

    /// Writes the document.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(self, document: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(document)
            .map_err(|error| Failure::new(format!("cannot write JSON: {error}")))?
            + "\n";
        match self.file {
            None => console::out(&text),
            Some((mut file, name)) => {
                let written = file.write_all(text.as_bytes()).and_then(|()| file.flush());
                written.map_err(|error| Failure::file("write to", &name, &error))
            }
        }
    }
}

/// Shows a report: on standard output, or on standard error where the JSON document goes to standard output.
///
/// # Errors
/// If standard output cannot be written.
pub fn show_report(text: &str, json: Option<&JsonFile>) -> Result<(), Failure> {
    if json.is_some_and(|json| json.file.is_none()) {
        // A failure of standard error is ignored: there is nowhere left to report it.
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
        return Ok(());
    }
    console::out(text)
}
