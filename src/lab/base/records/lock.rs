//! The lock of a file that is written: FILE.lock is there, and locked, while a program writes FILE. Every
//! command takes it for every kind of file, since a lock on a file itself does not outlast its replacement.

use super::disk::DiskFile as _;
use super::identity::{beside, real_path};
use crate::lab::base::terminal::console::Failure;
use crate::lab::base::terminal::interrupted::Temporary;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Attempts to get a lock, those where its holder will soon have written a file, and the pause between two.
const ATTEMPTS: usize = 20;
const PATIENT_ATTEMPTS: usize = 200;
const PAUSE: Duration = Duration::from_millis(10);

/// True if another program holds a lock that `attempt` asks for, and false if it is held now. It is asked for
/// during 0.2 seconds: a process that is being started holds the open files of its parent, and so its locks,
/// until its own program begins. A file system that knows no locks is one where nobody holds any.
pub(super) fn is_held(attempt: impl Fn() -> Result<(), TryLockError>) -> bool {
    is_held_through(ATTEMPTS, attempt)
}

fn is_held_through(attempts: usize, attempt: impl Fn() -> Result<(), TryLockError>) -> bool {
    let refused = || matches!(attempt(), Err(TryLockError::WouldBlock));
    (0..attempts).all(|number| {
        if number > 0 {
            std::thread::sleep(PAUSE);
        }
        refused()
    })
}

/// The failure for a file that another program is writing.
pub(super) fn held_by_another(name: impl std::fmt::Display) -> Failure {
    Failure::new(format!("{name} is being written by another plumb"))
}

/// A lock that is held until it is dropped.
pub struct Lock {
    target: PathBuf,
    /// Locked while it is open, and its path. `None` for a device or a pipe, which several programs may
    /// write.
    held: Option<(File, PathBuf)>,
    _temporary: Option<Temporary>,
}

impl Lock {
    /// Locks a file, which need not exist, against other programs. All paths to the file have one lock.
    ///
    /// # Errors
    /// If another program holds the lock, or the file beside it cannot be made.
    pub fn of(path: &Path) -> Result<Lock, Failure> {
        Lock::within(path, ATTEMPTS)
    }

    /// The same for a file that is written at once: waits two seconds for others who do that.
    ///
    /// # Errors
    /// As [`Lock::of`].
    pub(super) fn awaited(path: &Path) -> Result<Lock, Failure> {
        Lock::within(path, PATIENT_ATTEMPTS)
    }

    fn within(path: &Path, attempts: usize) -> Result<Lock, Failure> {
        let target = real_path(path);
        if std::fs::metadata(&target).is_ok_and(|about| !about.is_file()) {
            return Ok(Lock { target, held: None, _temporary: None });
        }
        let name = beside(&target, ".lock");
        loop {
            let file = OpenOptions::new().write(true).create(true).truncate(false).open(&name);
            let file = file.map_err(|error| Failure::file("write to", path.display(), &error))?;
            // A log has a lock of its own, see `Debug Log File`; so has a record with a second name (a hard
            // link).
            if is_held_through(attempts, || file.try_lock()) || is_locked(&target) {
                return Err(held_by_another(path.display()));
            }
            // Its last owner may have removed it between the two steps: then the lock is on a file without a
            // name.
            if file.has_name(&name) {
                let temporary = Temporary::new(&name);
                return Ok(Lock { target, held: Some((file, name)), _temporary: Some(temporary) });
            }
        }
    }

    /// The path of the file without links.
    pub(super) fn target(&self) -> &Path {
        &self.target
    }
}

/// True if another program has a lock on the file itself.
fn is_locked(target: &Path) -> bool {
    File::open(target).is_ok_and(|file| is_held(|| file.try_lock()))
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Before the file is closed: nobody else holds it then. What stays on a failure does no harm.
        if let Some((_, name)) = &self.held {
            let _ = std::fs::remove_file(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::records::test_folder::TestFolder;

    #[test]
    fn a_lock_is_held_once_and_leaves_nothing() {
        let folder = TestFolder::new("lock");
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
