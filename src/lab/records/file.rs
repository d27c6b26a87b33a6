//! Files that are written whole or not at all.

use crate::lab::command::console::Failure;
use std::path::{Path, PathBuf};

/// Writes a file whole or not at all: a full disk leaves the old one.
///
/// # Errors
/// Where it cannot be written.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    let written = std::fs::write(&new, contents).and_then(|()| std::fs::rename(&new, path));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&new);
        Failure::file("write", path.display(), &error)
    })
}
