//! Journals: files of rows that are appended as soon as they are finished, so that a run that was broken off goes on
//! where it stopped. A row, or a group of rows that belong together, is appended whole or not at all; what a break
//! has torn is cut off. The owner of the journal reads and writes the rows.

use super::disk::{DiskFile, with_disk};
use super::head::{Head, Mismatch};
use crate::lab::command::console::Failure;
use std::fs::{OpenOptions, TryLockError};
use std::io::{Read, SeekFrom};
use std::path::{Path, PathBuf};

/// Place of a line in its group of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowInGroup {
    /// Others of the same group follow.
    Inner,
    /// The group ends with it.
    Last,
}

/// Reason why a file is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It has another head.
    Head(Mismatch),
    /// A line is no row of this work, for the reason given.
    Line(String),
}

/// Reads a file with this head: its lines after the head go to `read` one by one, which says where groups of rows
/// end. Returns the bytes up to the end of the last complete group, 0 if the head is not complete. A torn last line
/// is passed over. `same` compares lines of the head ([`Head::rows`]).
///
/// # Errors
/// If the file has another head, or `read` refuses a line.
pub fn read_rows(
    text: &str,
    head: &Head,
    same: impl Fn(&str, &str) -> bool,
    mut read: impl FnMut(&str) -> Result<RowInGroup, String>,
) -> Result<usize, Refusal> {
    let Some(rows) = head.rows(text, same).map_err(Refusal::Head)? else { return Ok(0) };
    let mut at = text.len() - rows.len();
    let mut complete = at;
    for line in rows.split_inclusive('\n') {
        at += line.len();
        let Some(line) = line.strip_suffix('\n') else { break };
        if read(line).map_err(Refusal::Line)? == RowInGroup::Last {
            complete = at;
        }
    }
    Ok(complete)
}

/// The failure for a file that holds something else, which only `--restart` overwrites.
#[must_use]
pub fn refused(path: &Path, why: &str) -> Failure {
    Failure::new(format!("{}: {why}; --restart overwrites it", path.display()))
}

/// An open journal.
pub struct Journal {
    path: PathBuf,
    file: Box<dyn DiskFile>,
}

impl Journal {
    /// Opens or creates a file without reading it.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn unread(path: &Path) -> Result<Journal, Failure> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = with_disk(|disk| disk.open(path, &options));
        let file = file.map_err(|error| Failure::file("open", path.display(), &error))?;
        Ok(Journal { path: path.to_owned(), file })
    }

    /// Opens or creates a file and reads it; with `restart` the text is empty.
    ///
    /// # Errors
    /// If it cannot be opened or read.
    pub fn open(path: &Path, restart: bool) -> Result<(Journal, String), Failure> {
        let mut journal = Journal::unread(path)?;
        let mut text = String::new();
        if !restart && journal.file.is_regular() {
            let read = journal.file.read_to_string(&mut text);
            read.map_err(|error| Failure::file("read", path.display(), &error))?;
        }
        Ok((journal, text))
    }

    /// The rest of the file, to be read; nothing if it is no regular file (a device, a pipe).
    pub fn rest(&mut self) -> Box<dyn Read + '_> {
        if self.file.is_regular() { Box::new(&mut self.file) } else { Box::new(std::io::empty()) }
    }

    /// Opens the journal of a piece of work: a new one, or an old one with the same head, whose rows go to `read`
    /// ([`read_rows`]). A torn last group is cut off; another file is refused and stays as it is, unless `restart`
    /// overwrites it. `other` names any other work of the kind: "another experiment".
    ///
    /// # Errors
    /// If the file cannot be used, is locked by another program, or is refused.
    pub fn resume(
        path: &Path,
        head: &Head,
        other: &str,
        restart: bool,
        mut read: impl FnMut(&str) -> Result<RowInGroup, &'static str>,
    ) -> Result<Journal, Failure> {
        let (mut journal, text) = Journal::open(path, restart)?;
        journal.lock()?;
        let same = |found: &str, wanted: &str| found == wanted;
        let complete = read_rows(&text, head, same, |line| {
            let start: String = line.chars().take(40).collect();
            read(line).map_err(|why| format!("'{start}' {why}"))
        });
        let complete = complete.map_err(|refusal| {
            let why = match refusal {
                Refusal::Head(Mismatch::Kind) => {
                    format!("is there already and is no record of {}", head.kind())
                }
                Refusal::Head(Mismatch::Work { found, wanted }) => {
                    format!("holds {other} ('{found}', now '{wanted}')")
                }
                Refusal::Line(why) => why,
            };
            refused(path, &why)
        })?;
        journal.go_on(complete, head)?;
        Ok(journal)
    }

    /// Cuts off what follows the first `complete` bytes, and writes the head where nothing is left.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn go_on(&mut self, complete: usize, head: &Head) -> Result<(), Failure> {
        self.cut(complete as u64)?;
        if complete == 0 { self.append(head.text()) } else { Ok(()) }
    }

    /// Locks the file against other programs until it is closed.
    ///
    /// # Errors
    /// If another program holds the lock.
    pub fn lock(&self) -> Result<(), Failure> {
        match self.file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                Err(Failure::new(format!("{} is being written by another plumb", self.path.display())))
            }
            // Not every file system knows locks.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
        }
    }

    /// Writes at the end; after a failure the file is cut to its old length, as far as that is possible.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, entry: &(impl AsRef<[u8]> + ?Sized)) -> Result<(), Failure> {
        let before = self.file.stream_position().unwrap_or(0);
        let written = self.file.write_all(entry.as_ref()).and_then(|()| self.file.flush());
        written.map_err(|error| {
            let _ = self.file.set_len(before);
            let _ = self.file.seek(SeekFrom::Start(before));
            Failure::file("write to", self.path.display(), &error)
        })
    }

    /// Shortens the file to `length` bytes and goes to its end.
    ///
    /// # Errors
    /// If that fails.
    pub fn cut(&mut self, length: u64) -> Result<(), Failure> {
        // A device or a pipe cannot be shortened, and need not be.
        let regular = self.file.is_regular();
        let cut = if regular { self.file.set_len(length) } else { Ok(()) };
        let cut = cut
            .and_then(|()| if regular { self.file.seek(SeekFrom::Start(length)).map(drop) } else { Ok(()) });
        cut.map_err(|error| Failure::file("write to", self.path.display(), &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The device that is always full takes nothing.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_a_failure_that_names_the_file() {
        let (mut journal, text) = Journal::open(Path::new("/dev/full"), false).unwrap();
        assert_eq!(text, "");
        let failed = journal.append("a row\n").unwrap_err();
        assert!(failed.message().is_some_and(|said| said.contains("write to /dev/full")), "{failed:?}");
    }
}
