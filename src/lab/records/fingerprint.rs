//! Fingerprints of contents and of the program, which tell whether two files hold the same work.

pub use crate::digest::{EMPTY, digest, extend};

/// Fingerprint of this program's file, because another build may count differently; 0 if it cannot be read.
#[must_use]
pub fn program() -> u64 {
    let bytes = std::env::current_exe().and_then(std::fs::read);
    bytes.map_or(0, |bytes| digest(&bytes))
}
