//! Locks for work whose files are replaced as a whole, so that no lock on them lasts: FILE.lock is there, and locked,
//! while a program works on FILE.

use crate::lab::base::terminal::console::Failure;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often a lock is asked for, and how long it takes from one time to the next.
const ATTEMPTS: usize = 20;
const PAUSE: Duration = Duration::from_millis(10);

/// True if another program holds a lock that `attempt` asks for, and false if it is held now. It is asked for during 0.2
/// seconds: a process that is being started holds the open files of its parent, and so its locks, until its own program
/// begins. A file system that knows no locks is one where nobody holds any.
pub(super) fn is_held(attempt: impl Fn() -> Result<(), TryLockError>) -> bool {
    let refused = || matches!(attempt(), Err(TryLockError::WouldBlock));
    (0..ATTEMPTS).all(|number| {
        if number > 0 {
            std::thread::sleep(PAUSE);
        }
        refused()
    })
}

/// What is said of a file that another program writes.
pub(super) fn held_by_another(name: impl std::fmt::Display) -> Failure {
    Failure::new(format!("{name} is being written by another plumb"))
}

/// A lock that is held until it is dropped.
pub struct Lock {
    /// Locked while it is open.
    _file: File,
    path: PathBuf,
}

impl Lock {
    /// Locks a file, which need not exist, against other programs.
    ///
    /// # Errors
    /// If another program holds the lock, or the file beside it cannot be made.
    pub fn of(path: &Path) -> Result<Lock, Failure> {
        let mut name = path.as_os_str().to_owned();
        name.push(".lock");
        let name = PathBuf::from(name);
        loop {
            let file = OpenOptions::new().write(true).create(true).truncate(false).open(&name);
            let file = file.map_err(|error| Failure::file("write to", name.display(), &error))?;
            if is_held(|| file.try_lock()) {
                return Err(held_by_another(path.display()));
            }
            // Its last owner may have removed it between the two steps: then the lock is on a file without a name.
            if has_name(&file, &name) {
                return Ok(Lock { _file: file, path: name });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Before the file is closed: nobody else holds it then. What stays on a failure does no harm.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// True if an open file is the one of this name.
#[cfg(unix)]
fn has_name(file: &File, name: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let (open, named) = (file.metadata(), std::fs::metadata(name));
    open.is_ok_and(|open| named.is_ok_and(|named| (open.dev(), open.ino()) == (named.dev(), named.ino())))
}

#[cfg(not(unix))]
fn has_name(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_held_once_and_leaves_nothing() {
        let folder = std::env::temp_dir().join(format!("plumb-lock-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("state");
        // Left by a program that was killed.
        std::fs::write(folder.join("state.lock"), "").unwrap();
        let lock = Lock::of(&path).unwrap();
        let refused = Lock::of(&path).err().expect("held");
        assert!(
            refused.message().unwrap().contains("state is being written by another plumb"),
            "{refused:?}"
        );
        drop(lock);
        assert!(!folder.join("state.lock").exists());
        drop(Lock::of(&path).unwrap());
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_lock_that_is_held_for_a_moment_is_waited_for() {
        let attempts = std::cell::Cell::new(0);
        let free_from = |number: usize| {
            attempts.set(0);
            is_held(|| {
                attempts.set(attempts.get() + 1);
                if attempts.get() < number { Err(TryLockError::WouldBlock) } else { Ok(()) }
            })
        };
        assert!(!free_from(1) && attempts.get() == 1);
        assert!(!free_from(3) && attempts.get() == 3);
        assert!(free_from(usize::MAX) && attempts.get() == ATTEMPTS);
    }
}
