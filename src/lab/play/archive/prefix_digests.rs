//! Checksums of a file of games, in the settings beside it: the format of the games is public and has none. A
//! row `games,bytes,digest` of FILE.settings says that the first `games` games take `bytes` bytes, whose
//! FNV-1a checksum is `digest`. Rows stand at fixed numbers of games, and at the end of a run. A file without
//! them, as older versions and other programs write it, is read as it is.

use super::format::Reader;
use crate::lab::base::records::file::SETTINGS;
use crate::lab::base::records::fingerprint;
use crate::lab::base::records::head::RowChecksum;
use crate::lab::base::records::identity::beside;
use crate::lab::base::terminal::console::Failure;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Games from one fixed digest to the next.
pub const STEP: usize = if cfg!(test) { 4 } else { 64 };

/// Names of the columns of a digest.
pub const COLUMNS: &str = "games,bytes,digest";

/// A checksum of the first games of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrefixDigest {
    /// Number of games.
    pub games: usize,
    /// Their bytes.
    pub bytes: u64,
    /// The checksum of these bytes.
    pub digest: u64,
}

impl PrefixDigest {
    /// The digest at the beginning of a file.
    pub const START: PrefixDigest = PrefixDigest { games: 0, bytes: 0, digest: fingerprint::EMPTY };

    /// The digest behind the games that were read.
    #[must_use]
    pub fn of<R: Read>(reader: &Reader<R>) -> PrefixDigest {
        PrefixDigest { games: reader.games() as usize, bytes: reader.at(), digest: reader.digest() }
    }

    /// Goes behind another game, of these bytes.
    pub fn pass(&mut self, game: &[u8]) {
        self.games += 1;
        self.bytes += game.len() as u64;
        self.digest = fingerprint::extend(self.digest, game);
    }

    /// True where every file has a digest.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.games.is_multiple_of(STEP)
    }

    /// The digest as a row.
    #[must_use]
    pub fn row(&self) -> String {
        format!("{},{},{:016x}", self.games, self.bytes, self.digest)
    }

    /// Reads a row.
    #[must_use]
    pub fn read(row: &str) -> Option<PrefixDigest> {
        let cells: Vec<&str> = row.split(',').collect();
        let &[games, bytes, digest] = cells.as_slice() else { return None };
        let (games, bytes) = (games.parse().ok()?, bytes.parse().ok()?);
        Some(PrefixDigest { games, bytes, digest: u64::from_str_radix(digest, 16).ok()? })
    }
}

/// The digests of a file, to be compared while its games are read.
#[derive(Clone, Debug, Default)]
pub struct PrefixDigests {
    digests: Vec<PrefixDigest>,
    /// Number of digests that have been compared.
    compared: usize,
}

impl PrefixDigests {
    /// Digests in the order of the file.
    #[must_use]
    pub fn new(digests: Vec<PrefixDigest>) -> PrefixDigests {
        PrefixDigests { digests, compared: 0 }
    }

    /// The digests that stand beside a file; none if there are no settings. Their checksums may leave out the
    /// head, as earlier versions wrote them: a digest is compared with the games anyway.
    ///
    /// # Errors
    /// If the settings cannot be read, or one of their digests is damaged.
    pub fn beside(path: &Path) -> Result<PrefixDigests, Failure> {
        let path = settings_of(path);
        let text = match std::fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(PrefixDigests::default()),
            bytes => bytes.map_err(|error| Failure::file("read", path.display(), &error))?,
        };
        let (mut digests, mut checksums) = (Vec::new(), RowChecksum::ALONE);
        // The last line may be torn, or is just being written.
        for bytes in text.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n")) {
            let Ok(line) = str::from_utf8(bytes).map(|line| line.trim_end_matches('\n')) else { continue };
            if line.starts_with('#') || line.starts_with(COLUMNS) {
                checksums = checksums.with_line(bytes);
                continue;
            }
            let digest = checksums
                .verified(line)
                .or_else(|| RowChecksum::ALONE.verified(line))
                .and_then(PrefixDigest::read);
            let damaged = || Failure::new(format!("{}: '{line}' is damaged", path.display()));
            digests.push(digest.ok_or_else(damaged)?);
        }
        Ok(PrefixDigests::new(digests))
    }

    /// True if there is none: nothing can be said about the file.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.digests.is_empty()
    }

    /// Compares with what has been read so far, after every game.
    ///
    /// # Errors
    /// Says which bytes are not those that were written.
    pub fn compare<R: Read>(&mut self, reader: &Reader<R>) -> Result<(), String> {
        while let Some(digest) = self.digests.get(self.compared).filter(|digest| digest.bytes <= reader.at())
        {
            let first = self.compared.checked_sub(1).map_or(0, |before| self.digests[before].games) + 1;
            if *digest != PrefixDigest::of(reader) {
                let last = digest.games;
                return Err(format!("games {first} to {last} are damaged: their checksum does not match"));
            }
            self.compared += 1;
        }
        Ok(())
    }

    /// True if the byte `at` of a file of `length` bytes lies before a digest that has not been reached: it
    /// was written and has been on the disk.
    #[must_use]
    pub fn vouch_for(&self, at: u64, length: u64) -> bool {
        self.digests[self.compared..].iter().any(|digest| digest.bytes > at && digest.bytes <= length)
    }

    /// Games that were written, where those that have been read are fewer: of a digest that was not reached.
    #[must_use]
    pub fn unreached(&self) -> Option<usize> {
        self.digests[self.compared..].last().map(|digest| digest.games)
    }

    /// The digests that agree with the games.
    #[must_use]
    pub fn right(&self) -> &[PrefixDigest] {
        &self.digests[..self.compared]
    }
}

/// Path of the settings of a file of games, which hold its digests.
#[must_use]
pub fn settings_of(path: &Path) -> PathBuf {
    beside(path, SETTINGS)
}
