//! Journals: files of rows that are appended as soon as they are finished, so that a run that was interrupted
//! resumes where it stopped. Every row ends with a checksum ([`RowChecksum`]). A row, or a group of rows that
//! belong together, is appended whole or not at all; a tail that a break has torn is cut off, and damage
//! before the tail is refused. The owner of the journal reads and writes the rows.

use super::disk::{DiskFile, with_disk};
use super::head::{Head, Mismatch, RowChecksum, text_of};
use super::lock::{Lock, held_by_another, is_held};
use crate::lab::base::terminal::console::Failure;
use std::fs::OpenOptions;
use std::io::{self, BufRead as _, BufReader, Read, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Longest time until an appended row is on the disk, while rows are appended.
const SYNC: Duration = if cfg!(test) { Duration::ZERO } else { Duration::from_secs(5) };

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
    /// An earlier version has written it, whose checksums leave out the head.
    Earlier,
}

impl Refusal {
    /// The failure for a file of rows whose head is not `head`; `other` names any other work of the kind.
    fn of(self, path: &Path, head: &Head, other: &str) -> Failure {
        let why = match self {
            Refusal::Head(Mismatch::Kind) => {
                format!("is there already and is no record of {}", head.kind())
            }
            Refusal::Head(Mismatch::Work { found, wanted }) => {
                format!("holds {other} ('{found}', now '{wanted}')")
            }
            Refusal::Line(why) => why,
            Refusal::Earlier => EARLIER.to_owned(),
        };
        refused(path, &why)
    }
}

/// Reason for which the rows of an earlier version are not resumed, for messages.
pub const EARLIER: &str = "was written by an earlier version, whose checksums leave out the head of the file";

/// Reads a file with this head: its rows go to `read` one by one, without their checksums, which says where
/// groups of rows end. Returns the bytes up to the end of the last complete group, 0 if the head is not
/// complete. A torn tail is passed over: a last line without an end, or bytes that are no text and have no
/// row behind them. `same` compares lines of the head ([`Head::length`]).
///
/// # Errors
/// If the file has another head, a row is damaged or of a file with another head, or `read` refuses it.
pub fn read_rows(
    bytes: &[u8],
    head: &Head,
    same: impl Fn(&str, &str) -> bool,
    mut read: impl FnMut(&str) -> Result<RowInGroup, String>,
) -> Result<usize, Refusal> {
    let Some(mut rows) = RowReader::behind(bytes, head, same)? else { return Ok(0) };
    for line in bytes[rows.at..].split_inclusive(|&byte| byte == b'\n') {
        rows.line(line, &mut read)?;
    }
    Ok(rows.complete)
}

/// Reads the lines behind a head, one after the other.
struct RowReader {
    checksums: RowChecksum,
    /// The number of the next line, from 1.
    number: usize,
    /// Bytes before the next line.
    at: usize,
    /// Bytes up to the end of the last complete group.
    complete: usize,
    /// Byte at which the first torn line begins.
    torn: Option<usize>,
}

impl RowReader {
    /// A reader of the lines behind a head; `None` if the head is not complete. `bytes` are those of the file
    /// or of its beginning.
    fn behind(
        bytes: &[u8],
        head: &Head,
        same: impl Fn(&str, &str) -> bool,
    ) -> Result<Option<RowReader>, Refusal> {
        let mismatch = |mismatch| if ends_in_crlf(bytes) { windows() } else { Refusal::Head(mismatch) };
        let Some(at) = head.length(bytes, same).map_err(mismatch)? else { return Ok(None) };
        let (checksums, number) = (head.checksums_under(&bytes[..at]), head.text().lines().count() + 1);
        Ok(Some(RowReader { checksums, number, at, complete: at, torn: None }))
    }

    /// Reads a line with its end.
    fn line(
        &mut self,
        line: &[u8],
        read: &mut impl FnMut(&str) -> Result<RowInGroup, String>,
    ) -> Result<(), Refusal> {
        let (begin, number) = (self.at, self.number);
        self.at += line.len();
        self.number += 1;
        let text = line.strip_suffix(b"\n").filter(|line| text_of(line).len() == line.len()).map(text_of);
        let Some(text) = text else {
            self.torn = self.torn.or(Some(begin));
            return Ok(());
        };
        let row = self.checksums.verified(text);
        if let Some(torn) = self.torn {
            return match row {
                Some(_) => {
                    Err(Refusal::Line(format!("is damaged from byte {torn} on, and has rows behind it")))
                }
                None => Ok(()),
            };
        }
        let refused = |why: String| Refusal::Line(format!("line {number}: {why}"));
        let row = row.ok_or_else(|| match RowChecksum::ALONE.verified(text) {
            Some(_) => Refusal::Earlier,
            None if text.ends_with('\r') => windows(),
            None => refused(format!("'{}' is damaged: {NO_CHECKSUM}", beginning(text))),
        })?;
        if read(row).map_err(refused)? == RowInGroup::Last {
            self.complete = self.at;
        }
        Ok(())
    }
}

/// The refusal of lines that end in CR LF.
fn windows() -> Refusal {
    Refusal::Line(CARRIAGE_RETURNS.to_owned())
}

/// Message on lines that end in CR LF, in which a person sees no difference.
const CARRIAGE_RETURNS: &str = "has lines that end in CR LF, as editors on Windows write them, and not in \
LF, as this program does; converted back, it can be used again";

/// True if the first line ends in CR LF.
fn ends_in_crlf(bytes: &[u8]) -> bool {
    bytes.split(|&byte| byte == b'\n').next().is_some_and(|line| line.ends_with(b"\r"))
}

/// Message on a line without a checksum.
const NO_CHECKSUM: &str = "it does not end with its checksum";

/// The first letters of a line, for messages.
fn beginning(line: &str) -> String {
    line.chars().take(40).collect()
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
    /// Held while the file is open, if it was asked for.
    lock: Option<Lock>,
    /// The checksums of its rows.
    checksums: RowChecksum,
    /// The time when all that was written was on the disk; `None` if nothing was written since.
    unsynced: Option<Instant>,
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
        Ok(Journal { path: path.to_owned(), file, lock: None, checksums: RowChecksum::ALONE, unsynced: None })
    }

    /// Opens or creates a file, locks it, and then reads it, so that all is read that another program
    /// appended before it ended; with `restart` there is nothing to read.
    ///
    /// # Errors
    /// If it cannot be opened or read, or another program holds the lock.
    pub fn open(path: &Path, restart: bool) -> Result<(Journal, Vec<u8>), Failure> {
        let mut journal = Journal::unread(path)?;
        journal.lock()?;
        let mut bytes = Vec::new();
        if !restart {
            let read = journal.rest().read_to_end(&mut bytes);
            read.map_err(|error| Failure::file("read", path.display(), &error))?;
        }
        Ok((journal, bytes))
    }

    /// The rest of the file, to be read; nothing if it is no regular file (a device, a pipe).
    pub fn rest(&mut self) -> Box<dyn Read + '_> {
        if self.file.is_regular() { Box::new(&mut self.file) } else { Box::new(io::empty()) }
    }

    /// Opens the journal of a piece of work: a new one, or an old one with the same head, whose rows go to
    /// `read` ([`read_rows`]). A torn last group is cut off; another file is refused and stays as it is,
    /// unless `restart` overwrites it. `other` names any other work of the kind: "another experiment".
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
        let (mut journal, bytes) = Journal::open(path, restart)?;
        let same = |found: &str, wanted: &str| found == wanted;
        let complete = read_rows(&bytes, head, same, |line| {
            read(line).map_err(|why| format!("'{}' {why}", beginning(line)))
        });
        let complete = complete.map_err(|refusal| refusal.of(path, head, other))?;
        journal.go_on(complete, head)?;
        Ok(journal)
    }

    /// The same for a file of any length, of which one row at a time is in memory. `read` gets the place of
    /// each line in the file too, in bytes.
    ///
    /// # Errors
    /// As [`Journal::resume`].
    pub fn resume_streamed(
        path: &Path,
        head: &Head,
        other: &str,
        restart: bool,
        mut read: impl FnMut(&str, u64) -> Result<RowInGroup, &'static str>,
    ) -> Result<Journal, Failure> {
        let mut journal = Journal::unread(path)?;
        journal.lock()?;
        let complete = if restart { Ok(Ok(0)) } else { journal.stream(head, &mut read) };
        let complete = complete.map_err(|error| Failure::file("read", path.display(), &error))?;
        let complete = complete.map_err(|refusal| refusal.of(path, head, other))?;
        journal.go_on(complete, head)?;
        Ok(journal)
    }

    /// Reads the rows of the file line by line; the bytes up to the end of the last complete group.
    fn stream(
        &mut self,
        head: &Head,
        read: &mut impl FnMut(&str, u64) -> Result<RowInGroup, &'static str>,
    ) -> io::Result<Result<usize, Refusal>> {
        /// Bytes behind the head that are looked at with it: enough for a line of another head.
        const BEHIND: usize = 1 << 16;
        let mut file = BufReader::new(self.rest());
        let mut first = Vec::new();
        (&mut file).take((head.text().len() + BEHIND) as u64).read_to_end(&mut first)?;
        let mut rows = match RowReader::behind(&first, head, |found, wanted| found == wanted) {
            Ok(Some(rows)) => rows,
            Ok(None) => return Ok(Ok(0)),
            Err(refusal) => return Ok(Err(refusal)),
        };
        let mut lines = (&first[rows.at..]).chain(file);
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line)? > 0 {
            let at = rows.at as u64;
            let mut read = |row: &str| read(row, at).map_err(|why| format!("'{}' {why}", beginning(row)));
            if let Err(refusal) = rows.line(&line, &mut read) {
                return Ok(Err(refusal));
            }
            line.clear();
        }
        Ok(Ok(rows.complete))
    }

    /// Cuts off what follows the first `complete` bytes, and writes the head where nothing is left.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn go_on(&mut self, complete: usize, head: &Head) -> Result<(), Failure> {
        self.checksums = head.checksums();
        self.cut(complete as u64)?;
        if complete == 0 { self.append(head.text()) } else { Ok(()) }
    }

    /// Locks the file against other programs until it is closed; a device or a pipe may be written by
    /// several.
    ///
    /// # Errors
    /// If another program holds the lock.
    pub fn lock(&mut self) -> Result<(), Failure> {
        self.lock = Some(Lock::of(&self.path)?);
        // The file itself too: a hard link to it has another name, and so another lock.
        let held = self.file.is_regular() && is_held(|| self.file.try_lock());
        if held { Err(held_by_another(self.path.display())) } else { Ok(()) }
    }

    /// Writes rows that belong together at the end, a line each, with their checksums: all or none.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn append_rows(&mut self, lines: &str) -> Result<(), Failure> {
        self.append(&self.checksums.append_to(lines))
    }

    /// Writes at the end; after a failure the file is cut to its old length, as far as that is possible. What
    /// was written is on the disk after some seconds.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, entry: &(impl AsRef<[u8]> + ?Sized)) -> Result<(), Failure> {
        let before = self.file.stream_position().unwrap_or(0);
        let written = self.file.write_all(entry.as_ref()).and_then(|()| self.file.flush());
        let since = *self.unsynced.get_or_insert_with(Instant::now);
        let written = written.and_then(|()| self.is_there());
        let written = written.and_then(|()| if since.elapsed() >= SYNC { self.sync_data() } else { Ok(()) });
        written.map_err(|error| {
            let _ = self.file.set_len(before);
            let _ = self.file.seek(SeekFrom::Start(before));
            self.failed(&error)
        })
    }

    /// Returns when all that was appended is on the disk.
    ///
    /// # Errors
    /// If that fails.
    pub fn sync(&mut self) -> Result<(), Failure> {
        self.sync_data().and_then(|()| self.is_there()).map_err(|error| self.failed(&error))
    }

    /// The file still has its name. Writing to one that was removed succeeds, and leaves nothing.
    fn is_there(&self) -> io::Result<()> {
        if !self.file.is_regular() || self.file.has_name(&self.path) {
            return Ok(());
        }
        let why = "it was removed or replaced while this program was writing it";
        Err(io::Error::new(io::ErrorKind::NotFound, why))
    }

    fn sync_data(&mut self) -> io::Result<()> {
        // A device or a pipe is no disk.
        if self.unsynced.is_some() && self.file.is_regular() {
            self.file.sync_data()?;
        }
        self.unsynced = None;
        Ok(())
    }

    /// Shortens the file to `length` bytes and goes to its end.
    ///
    /// # Errors
    /// If that fails.
    pub fn cut(&mut self, length: u64) -> Result<(), Failure> {
        // A device or a pipe cannot be shortened, and need not be.
        if !self.file.is_regular() {
            return Ok(());
        }
        let cut = self.file.set_len(length).and_then(|()| self.file.seek(SeekFrom::Start(length)));
        cut.map(drop).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &io::Error) -> Failure {
        Failure::file("write to", self.path.display(), error)
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // Nobody is left who could be told.
        let _ = self.sync_data();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::records::test_folder::TestFolder;

    /// The device that is always full takes nothing.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_a_failure_that_names_the_file() {
        let (mut journal, bytes) = Journal::open(Path::new("/dev/full"), false).unwrap();
        assert!(bytes.is_empty());
        let failed = journal.append("a row\n").unwrap_err();
        assert!(failed.message().is_some_and(|said| said.contains("write to /dev/full")), "{failed:?}");
    }

    fn head() -> Head {
        Head::new("# plumb own", &["depth 3".to_owned()]).with_columns("a,b")
    }

    /// The rows of a file, and the bytes that are kept of it.
    fn read(bytes: &[u8]) -> Result<(Vec<String>, usize), Refusal> {
        let mut rows = Vec::new();
        let same = |found: &str, wanted: &str| found == wanted;
        let complete = read_rows(bytes, &head(), same, |row| {
            rows.push(row.to_owned());
            Ok(RowInGroup::Last)
        })?;
        Ok((rows, complete))
    }

    #[test]
    fn lines_that_windows_has_ended_are_named() {
        let whole = head().text().to_owned() + &head().checksums().append_to("1,2\n3,4\n");
        let rows =
            head().text().to_owned() + &head().checksums().append_to("1,2\n3,4\n").replace('\n', "\r\n");
        for text in [whole.replace('\n', "\r\n"), rows] {
            assert_eq!(read(text.as_bytes()), Err(Refusal::Line(CARRIAGE_RETURNS.to_owned())));
            assert!(read(text.replace('\r', "").as_bytes()).is_ok());
        }
    }

    /// Writing to a file that was removed succeeds on the system's side, and leaves nothing.
    #[test]
    #[cfg(unix)]
    fn a_file_that_vanishes_is_a_failure_that_names_it() {
        let folder = TestFolder::new("vanished");
        for replaced in [false, true] {
            std::fs::create_dir_all(&*folder).unwrap();
            let path = folder.join("rows");
            let mut journal = Journal::unread(&path).unwrap();
            journal.append("a row\n").unwrap();
            std::fs::remove_dir_all(&*folder).unwrap();
            if replaced {
                std::fs::create_dir_all(&*folder).unwrap();
                std::fs::write(&path, "mine\n").unwrap();
            }
            for failed in [journal.append("a row\n"), journal.sync()] {
                let said = failed.unwrap_err().message().unwrap_or_default().to_owned();
                assert!(said.contains("rows: it was removed or replaced while"), "{said}");
            }
            assert_eq!(std::fs::read_to_string(&path).ok(), replaced.then(|| "mine\n".to_owned()));
        }
    }

    #[test]
    fn any_damaged_tail_is_cut_off() {
        let whole = head().text().to_owned() + &head().checksums().append_to("1,2\n3,4\n");
        let rows = vec!["1,2".to_owned(), "3,4".to_owned()];
        let tails: [&[u8]; 7] =
            [b"", b"5,6", b"\0\0\0\0", &[0; 300], b"\xff\xfe", b"5,6\0\0\n\0", b"\xff\n\xfe\n"];
        for tail in tails {
            let bytes = [whole.as_bytes(), tail].concat();
            assert_eq!(read(&bytes), Ok((rows.clone(), whole.len())), "{tail:?}");
            // A tail of the head: the file is begun anew.
            let torn = [&head().text().as_bytes()[..20], tail].concat();
            if !tail.contains(&b'5') {
                assert_eq!(read(&torn), Ok((Vec::new(), 0)), "{tail:?}");
            }
        }
    }

    #[test]
    fn a_file_that_is_read_line_by_line_is_read_as_a_whole_one_is() {
        let folder = TestFolder::new("streamed");
        let path = folder.join("rows");
        let whole = head().text().to_owned() + &head().checksums().append_to("1,2\n3,4\n5,6\n");
        let damaged = whole.replacen("3,4", "3,5", 1);
        let other = whole.replacen("depth 3", "depth 4", 1);
        for text in [&whole, &damaged, &other, "", "my diary\n", &whole[..20], &whole[..whole.len() - 3]] {
            let mut read = [Vec::new(), Vec::new()];
            std::fs::write(&path, text).unwrap();
            let streamed = Journal::resume_streamed(&path, &head(), "another", false, |row, at| {
                assert!(text[at as usize..].starts_with(row));
                read[0].push(row.to_owned());
                Ok(RowInGroup::Last)
            });
            let streamed = (streamed.map(drop), std::fs::read(&path).unwrap());
            std::fs::write(&path, text).unwrap();
            let at_once = Journal::resume(&path, &head(), "another", false, |row| {
                read[1].push(row.to_owned());
                Ok(RowInGroup::Last)
            });
            assert_eq!(streamed, (at_once.map(drop), std::fs::read(&path).unwrap()), "{text}");
            assert_eq!(read[0], read[1], "{text}");
        }
    }

    /// A run that is ending appends its last row while the next one waits for its lock.
    #[test]
    fn a_row_that_comes_before_the_lock_is_free_is_read() {
        let folder = TestFolder::new("appended");
        let path = folder.join("rows");
        let (begun, wait) = std::sync::mpsc::channel();
        let resume = || {
            let mut rows = Vec::new();
            let journal = Journal::resume(&path, &head(), "another", false, |row| {
                rows.push(row.to_owned());
                Ok(RowInGroup::Last)
            });
            journal.map(|journal| (journal, rows))
        };
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let (mut journal, _) = resume().unwrap();
                begun.send(()).unwrap();
                std::thread::sleep(std::time::Duration::from_millis(20));
                journal.append_rows("1,2\n").unwrap();
            });
            wait.recv().unwrap();
            // A machine that does other work may not free the lock in time.
            let mut attempts = std::iter::repeat_with(resume).take(100);
            let rows = attempts.find_map(Result::ok).map(|(_, rows)| rows);
            assert_eq!(rows, Some(vec!["1,2".to_owned()]));
        });
    }

    #[test]
    fn no_flipped_bit_is_overlooked() {
        let whole = head().text().to_owned() + &head().checksums().append_to("1,2\n3,4\n5,6\n");
        let first = head().text().len();
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut bytes = whole.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                // In the last row the damage may look like a torn tail: then the row is cut off.
                match read(&bytes) {
                    Ok((rows, complete)) => {
                        let kept = whole.len() - complete;
                        assert!(at >= first && at >= complete && rows.len() < 3, "{at} {bit} {kept}");
                    }
                    Err(Refusal::Head(_)) => assert!(at < first, "{at} {bit}"),
                    Err(Refusal::Line(_)) => assert!(at >= first, "{at} {bit}"),
                    Err(Refusal::Earlier) => panic!("{at} {bit}"),
                }
            }
        }
    }

    #[test]
    fn bytes_that_are_no_text_between_rows_are_refused() {
        let (rows, head) = (head().checksums().append_to("1,2\n"), head());
        let bytes = [head.text().as_bytes(), rows.as_bytes(), b"\0\0\n", rows.as_bytes()].concat();
        let refused = read(&bytes).expect_err("damaged in the middle");
        assert!(matches!(&refused, Refusal::Line(why) if why.contains("rows behind it")), "{refused:?}");
    }

    #[test]
    fn rows_of_other_work_under_this_head_are_refused() {
        let other = Head::new("# plumb own", &["depth 4".to_owned()]).with_columns("a,b");
        let with = |rows: &str| {
            read((head().text().to_owned() + &head().checksums().append_to("1,2\n") + rows).as_bytes())
        };
        let refused = with(&other.checksums().append_to("3,4\n")).expect_err("of another depth");
        assert!(matches!(&refused, Refusal::Line(why) if why.starts_with("line 5: '3,4,")), "{refused:?}");
        assert_eq!(with(&RowChecksum::ALONE.append_to("3,4\n")), Err(Refusal::Earlier));
    }
}
