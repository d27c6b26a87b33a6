//! Fingerprints of contents and of the program, which tell whether two files hold the same work.

pub use crate::digest::{EMPTY, digest, extend};

use once_cell::sync::Lazy;

/// Fingerprint of this program's file, because another build may count differently; 0 if it cannot be read.
/// The file is read once.
#[must_use]
pub fn program() -> u64 {
    static PROGRAM: Lazy<u64> = Lazy::new(|| {
        let bytes = std::env::current_exe().and_then(std::fs::read);
        bytes.map_or(0, |bytes| digest(&bytes))
    });
    *PROGRAM
}
