//! Disk interface: the file operations that journals and replaced files need, as traits. The program uses the
//! system's disk; tests put one in its place that fails on purpose (`failing`).

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

/// Operations on files by their names.
pub trait Disk {
    /// Opens a file.
    ///
    /// # Errors
    /// Those of the system.
    fn open(&self, path: &Path, options: &OpenOptions) -> io::Result<Box<dyn DiskFile>>;

    /// Gives a file another name; a file that had it is gone.
    ///
    /// # Errors
    /// Those of the system.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// Those of the system.
    fn remove(&self, path: &Path) -> io::Result<()>;
}

/// An open file.
pub trait DiskFile: Read + Write + Seek {
    /// Cuts the file to a length.
    ///
    /// # Errors
    /// Those of the system.
    fn set_len(&self, length: u64) -> io::Result<()>;

    /// Returns when all that was written is on the disk and survives a loss of power.
    ///
    /// # Errors
    /// Those of the system.
    fn sync_data(&self) -> io::Result<()>;

    /// Locks the file against other programs until it is closed.
    ///
    /// # Errors
    /// If another program holds the lock, or the file system knows no locks.
    fn try_lock(&self) -> Result<(), TryLockError>;

    /// False for a device or a pipe.
    fn is_regular(&self) -> bool;

    /// False if another file has this name, or none: the file was removed, or its folder, and what is written
    /// is lost. True where the system does not say.
    fn has_name(&self, path: &Path) -> bool;
}

/// The disk of the system.
pub struct SystemDisk;

impl Disk for SystemDisk {
    fn open(&self, path: &Path, options: &OpenOptions) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(options.open(path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }
}

impl DiskFile for File {
    fn set_len(&self, length: u64) -> io::Result<()> {
        File::set_len(self, length)
    }

    fn sync_data(&self) -> io::Result<()> {
        File::sync_data(self)
    }

    fn try_lock(&self) -> Result<(), TryLockError> {
        File::try_lock(self)
    }

    fn is_regular(&self) -> bool {
        self.metadata().is_ok_and(|about| about.is_file())
    }

    fn has_name(&self, path: &Path) -> bool {
        match (self.metadata(), std::fs::metadata(path)) {
            (Ok(this), Ok(named)) => is_same(&this, &named),
            (_, Err(error)) => error.kind() != io::ErrorKind::NotFound,
            _ => true,
        }
    }
}

/// True if both are of one file.
#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// An open file cannot be removed.
#[cfg(not(unix))]
fn is_same(_: &Metadata, _: &Metadata) -> bool {
    true
}

#[cfg(test)]
pub(super) use super::failing::with_disk;

/// Calls a function with the disk.
#[cfg(not(test))]
pub(super) fn with_disk<T>(work: impl FnOnce(&dyn Disk) -> T) -> T {
    work(&SystemDisk)
}
