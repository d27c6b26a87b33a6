//! Checksums of a file of games, in the settings beside it: the format of the games is public and has none. A
//! mark is a row `games,bytes,digest` of FILE.settings: the first `games` games take `bytes` bytes, whose
//! FNV-1a checksum is `digest`. Marks stand at fixed numbers of games, and one at the end of a
//! run. A file without marks, as older versions and other programs write it, is read as it is.

use super::format::Reader;
use crate::lab::base::records::file::SETTINGS;
use crate::lab::base::records::fingerprint;
use crate::lab::base::records::head::Seal;
use crate::lab::base::records::identity::beside;
use crate::lab::base::terminal::console::Failure;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Games from one fixed mark to the next.
pub const STEP: usize = if cfg!(test) { 4 } else { 64 };

/// Names of the columns of a mark.
pub const COLUMNS: &str = "games,bytes,digest";

/// A checksum of the first games of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Number of games.
    pub games: usize,
    /// Their bytes.
    pub bytes: u64,
    /// The checksum of these bytes.
    pub digest: u64,
}

impl Mark {
    /// The mark at the beginning of a file.
    pub const START: Mark = Mark { games: 0, bytes: 0, digest: fingerprint::EMPTY };

    /// The mark behind the games that were read.
    #[must_use]
    pub fn of<R: Read>(reader: &Reader<R>) -> Mark {
        Mark { games: reader.games() as usize, bytes: reader.at(), digest: reader.digest() }
    }

    /// Goes behind another game, of these bytes.
    pub fn pass(&mut self, game: &[u8]) {
        self.games += 1;
        self.bytes += game.len() as u64;
        self.digest = fingerprint::extend(self.digest, game);
    }

    /// True where every file has a mark.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.games.is_multiple_of(STEP)
    }

    /// The mark as a row.
    #[must_use]
    pub fn row(&self) -> String {
        format!("{},{},{:016x}", self.games, self.bytes, self.digest)
    }

    /// Reads a row.
    #[must_use]
    pub fn read(row: &str) -> Option<Mark> {
        let cells: Vec<&str> = row.split(',').collect();
        let &[games, bytes, digest] = cells.as_slice() else { return None };
        let (games, bytes) = (games.parse().ok()?, bytes.parse().ok()?);
        Some(Mark { games, bytes, digest: u64::from_str_radix(digest, 16).ok()? })
    }
}

/// The marks of a file, to be compared while its games are read.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    marks: Vec<Mark>,
    /// Number of marks that have been compared.
    compared: usize,
}

impl Marks {
    /// Marks in the order of the file.
    #[must_use]
    pub fn new(marks: Vec<Mark>) -> Marks {
        Marks { marks, compared: 0 }
    }

    /// The marks that stand beside a file; none if there are no settings. Their checksums may leave out the
    /// head, as earlier versions wrote them: a mark is compared with the games anyway.
    ///
    /// # Errors
    /// If the settings cannot be read, or one of their marks is damaged.
    pub fn beside(path: &Path) -> Result<Marks, Failure> {
        let path = settings_of(path);
        let text = match std::fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Marks::default()),
            bytes => bytes.map_err(|error| Failure::file("read", path.display(), &error))?,
        };
        let (mut marks, mut seal) = (Vec::new(), Seal::ALONE);
        // The last line may be torn, or is just being written.
        for bytes in text.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n")) {
            let Ok(line) = str::from_utf8(bytes).map(|line| line.trim_end_matches('\n')) else { continue };
            if line.starts_with('#') || line.starts_with(COLUMNS) {
                seal = seal.and(bytes);
                continue;
            }
            let mark = seal.open(line).or_else(|| Seal::ALONE.open(line)).and_then(Mark::read);
            let damaged = || Failure::new(format!("{}: '{line}' is damaged", path.display()));
            marks.push(mark.ok_or_else(damaged)?);
        }
        Ok(Marks::new(marks))
    }

    /// True if there is none: nothing can be said about the file.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// Compares with what has been read so far, after every game.
    ///
    /// # Errors
    /// Says which bytes are not those that were written.
    pub fn compare<R: Read>(&mut self, reader: &Reader<R>) -> Result<(), String> {
        while let Some(mark) = self.marks.get(self.compared).filter(|mark| mark.bytes <= reader.at()) {
            let first = self.compared.checked_sub(1).map_or(0, |before| self.marks[before].games) + 1;
            if *mark != Mark::of(reader) {
                let last = mark.games;
                return Err(format!("games {first} to {last} are damaged: their checksum does not match"));
            }
            self.compared += 1;
        }
        Ok(())
    }

    /// True if the byte `at` of a file of `length` bytes lies before a mark that has not been reached: it was
    /// written and has been on the disk.
    #[must_use]
    pub fn vouch_for(&self, at: u64, length: u64) -> bool {
        self.marks[self.compared..].iter().any(|mark| mark.bytes > at && mark.bytes <= length)
    }

    /// The marks that agree with the games.
    #[must_use]
    pub fn right(&self) -> &[Mark] {
        &self.marks[..self.compared]
    }
}

/// Path of the settings of a file of games, which hold its marks.
#[must_use]
pub fn settings_of(path: &Path) -> PathBuf {
    beside(path, SETTINGS)
}
