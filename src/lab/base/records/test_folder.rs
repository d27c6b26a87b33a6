//! A folder for the files of a test, which goes with its owner.

use std::ops::Deref;
use std::path::{Path, PathBuf};

/// A folder of its own for every test, gone afterwards.
pub(in crate::lab) struct TestFolder(PathBuf);

impl TestFolder {
    /// Makes it, empty. The name is one that no other test has.
    pub(in crate::lab) fn new(name: &str) -> TestFolder {
        let path = std::env::temp_dir().join(format!("plumb-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        TestFolder(path)
    }
}

impl Deref for TestFolder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
