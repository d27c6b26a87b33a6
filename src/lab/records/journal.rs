//! Files that only grow: what is finished is appended at once, whole or not at all, and a later run goes on
//! after the last complete entry. What an entry is, the owner of the journal knows.

use crate::lab::command::console::Failure;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// Where a line stands in its entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// Others of the same entry follow.
    Inner,
    /// The entry ends with it.
    Last,
}

/// The piece of work that a journal keeps.
#[derive(Clone, Copy, Debug)]
pub struct Work<'a> {
    /// The line that every journal of its kind begins with.
    pub title: &'a str,
    /// The lines that describe it, the title among them.
    pub head: &'a str,
    /// What any other work of its kind is called: "another experiment".
    pub other: &'a str,
}

/// An open journal.
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens or creates a file without looking into it.
    pub fn unread(path: &Path) -> Result<Journal, Failure> {
        let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = open.map_err(|error| Failure::file("open", path.display(), &error))?;
        Ok(Journal { path: path.to_owned(), file })
    }

    /// Opens or creates a file, and reads what it holds; `restart` is not interested in that.
    pub fn open(path: &Path, restart: bool) -> Result<(Journal, String), Failure> {
        let mut journal = Journal::unread(path)?;
        let mut text = String::new();
        if !restart && journal.is_regular() {
            let read = journal.file.read_to_string(&mut text);
            read.map_err(|error| Failure::file("read", path.display(), &error))?;
        }
        Ok((journal, text))
    }

    /// What stands in the file from where it was left off; nothing where it is no regular file (a device, a pipe),
    /// which holds nothing to go on with.
    pub fn rest(&self) -> Box<dyn Read + '_> {
        if self.is_regular() { Box::new(&self.file) } else { Box::new(std::io::empty()) }
    }

    fn is_regular(&self) -> bool {
        self.file.metadata().is_ok_and(|about| about.is_file())
    }

    /// Opens the journal of a piece of work: a new one, or an old one of the same work, whose lines after the head
    /// go to `read` one by one; it says where entries end. A torn last entry is cut off; anything else is refused
    /// and stays as it is, unless `restart` overwrites it.
    pub fn resume(
        path: &Path,
        work: Work<'_>,
        restart: bool,
        mut read: impl FnMut(&str) -> Result<Line, &'static str>,
    ) -> Result<Journal, Failure> {
        let head = work.head;
        let (mut journal, text) = Journal::open(path, restart)?;
        journal.lock()?;
        let (mut kept, mut at) = (0, head.len());
        if !head.starts_with(&text) {
            let refused =
                |why: String| Failure::new(format!("{}: {why}; --restart overwrites it", path.display()));
            let body = same_work(&text, work).map_err(refused)?;
            kept = head.len();
            for line in body.split_inclusive('\n') {
                let Some(entry) = line.strip_suffix('\n') else { break };
                let start: String = entry.chars().take(40).collect();
                let place = read(entry).map_err(|why| refused(format!("'{start}' {why}")))?;
                at += line.len();
                if place == Line::Last {
                    kept = at;
                }
            }
        }
        journal.cut(kept as u64)?;
        if kept == 0 {
            journal.append(head)?;
        }
        Ok(journal)
    }

    /// Keeps other programs from writing the same journal, until this one is closed.
    pub fn lock(&self) -> Result<(), Failure> {
        match self.file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                Err(Failure::new(format!("{} is being written by another plumb", self.path.display())))
            }
            // Not every file system knows locks.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
        }
    }

    /// Writes at the end; on failure takes back what was written of it, as far as that is possible.
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
    pub fn cut(&mut self, length: u64) -> Result<(), Failure> {
        // What is no regular file cannot be shortened, and need not be.
        let regular = self.is_regular();
        let cut = if regular { self.file.set_len(length) } else { Ok(()) };
        let cut = cut
            .and_then(|()| if regular { self.file.seek(SeekFrom::Start(length)).map(drop) } else { Ok(()) });
        cut.map_err(|error| Failure::file("write to", self.path.display(), &error))
    }
}

/// What follows the head, if the file holds the same work.
fn same_work<'a>(text: &'a str, Work { title, head, other }: Work<'_>) -> Result<&'a str, String> {
    if let Some(body) = text.strip_prefix(head) {
        return Ok(body);
    }
    let plain = |line: &str| line.trim_start_matches("# ").to_owned();
    if !text.starts_with(title) {
        return Err(format!("is there already and is no record of {}", plain(title)));
    }
    let differ = text.lines().zip(head.lines()).find(|(old, new)| old != new);
    let (old, new) = differ.unwrap_or(("", ""));
    Err(format!("holds {other} ('{}', now '{}')", plain(old), plain(new)))
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
