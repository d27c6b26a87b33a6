//! Fingerprints of contents and of the program, which tell whether two files hold the same work.

pub use crate::digest::{EMPTY, digest, extend};

use once_cell::sync::Lazy;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;

/// Fingerprint of the contents of a file, which is read piece by piece.
///
/// # Errors
/// If it cannot be read.
pub fn of_file(path: impl AsRef<Path>) -> io::Result<u64> {
    let (mut file, mut digest) = (BufReader::new(File::open(path)?), EMPTY);
    loop {
        let bytes = file.fill_buf()?;
        if bytes.is_empty() {
            return Ok(digest);
        }
        digest = extend(digest, bytes);
        let length = bytes.len();
        file.consume(length);
    }
}

/// Fingerprint of this program's file, because another build may count differently; 0 if it cannot be read.
/// The file is read once.
#[must_use]
pub fn program() -> u64 {
    static PROGRAM: Lazy<u64> = Lazy::new(|| std::env::current_exe().and_then(of_file).unwrap_or(0));
    *PROGRAM
}
