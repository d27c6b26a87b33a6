//! Files that are replaced as a whole: written under another name first, then renamed.

use crate::lab::command::console::Failure;
use std::io;
use std::path::{Path, PathBuf};

/// Writes a file whole or not at all: on a full disk the old one stays.
///
/// # Errors
/// If it cannot be written.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
    replace(path, contents).map_err(|error| Failure::file("write", path.display(), &error))
}

/// The same, with the error of the system.
///
/// # Errors
/// If it cannot be written.
pub fn replace(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    std::fs::write(&new, contents).and_then(|()| std::fs::rename(&new, path)).inspect_err(|_| {
        let _ = std::fs::remove_file(&new);
    })
}
