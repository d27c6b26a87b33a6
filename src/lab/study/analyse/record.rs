//! Finished games on disk, from which an analysis resumes after an interruption. Every game is a line,
//! appended as soon as it is finished: its number, a fingerprint of its moves, and for each position
//! `value/depth/nodes/line` with a hyphen for a value that was not reported. A checksum ends the line.
//!
//! Other lines, `wrote`, `part` or `whole`, and a checksum, tell of the outputs, so that a file is known
//! again that the same analysis has written.
//!
//! Only the places of the lines are in memory, some 40 bytes a game.

use super::positions::{Evaluated, Positions};
use crate::lab::base::formats::pgn::reader::PgnGame;
use crate::lab::base::records::fingerprint;
use crate::lab::base::records::head::{Head, RowChecksum};
use crate::lab::base::records::journal::{Journal, RowInGroup, refused};
use crate::lab::base::terminal::console::Failure;
use shakmaty::uci::UciMove;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The first words of every record.
const TITLE: &str = "# plumb analyse";

/// In place of a value that was not reported.
const UNTOLD: &str = "-";

/// The first word of a line of an output, and the second by what it holds.
const WROTE: &str = "wrote";

/// Extent of an output: a part of the games, or all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The games that were finished before an interruption.
    Part,
    /// All games.
    Whole,
}

impl Extent {
    fn word(self) -> &'static str {
        match self {
            Extent::Part => "part",
            Extent::Whole => "whole",
        }
    }
}

/// An open record.
pub struct GameRecord {
    journal: Journal,
    path: PathBuf,
    checksums: RowChecksum,
    /// Offsets of the lines that were there when the record was opened, by the numbers of their games.
    places: Arc<BTreeMap<usize, u64>>,
    /// Outputs that the analysis has written, by their checksums.
    outputs: BTreeMap<u64, Extent>,
    /// True if a game was appended.
    grown: bool,
}

impl GameRecord {
    /// Opens the record of an analysis that `parameters` describe: a new one, or an old one of the same
    /// analysis. `restart` overwrites.
    ///
    /// # Errors
    /// If the file cannot be used, is no record, or is of another analysis.
    pub fn open(path: &Path, parameters: &[String], restart: bool) -> Result<GameRecord, Failure> {
        let head = Head::new(TITLE, parameters);
        let (mut places, mut outputs) = (BTreeMap::new(), BTreeMap::new());
        let journal = Journal::resume_streamed(path, &head, "another analysis", restart, |line, at| {
            if let Some((digest, extent)) = output_of(line) {
                outputs.insert(digest, extent);
                return Ok(RowInGroup::Last);
            }
            let number = line.split('\t').next().and_then(|number| number.parse().ok());
            places.insert(number.ok_or("is no line of a game")?, at);
            Ok(RowInGroup::Last)
        })?;
        let (path, checksums) = (path.to_owned(), head.checksums());
        Ok(GameRecord { journal, path, checksums, places: Arc::new(places), outputs, grown: false })
    }

    /// The extent of a file that this analysis wrote, known by its bytes; `None` for any other file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn extent_of(&self, path: &Path) -> io::Result<Option<Extent>> {
        if self.outputs.is_empty() {
            return Ok(None);
        }
        Ok(self.outputs.get(&fingerprint::of_file(path)?).copied())
    }

    /// Notes an output by the checksum of its bytes, before it is completed.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn wrote(&mut self, digest: u64, extent: Extent) -> Result<(), Failure> {
        self.journal.append_rows(&format!("{WROTE}\t{}\t{digest:016x}\n", extent.word()))
    }

    /// The numbers of the games that were there when it was opened.
    #[must_use]
    pub fn known(&self) -> Arc<BTreeMap<usize, u64>> {
        Arc::clone(&self.places)
    }

    /// True if it holds no game.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty() && !self.grown
    }

    /// Appends a finished game, all of it or nothing.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(
        &mut self,
        number: usize,
        (game, positions): (&PgnGame, &Positions),
        evaluated: &[Evaluated],
    ) -> Result<(), Failure> {
        self.grown = true;
        self.journal.append_rows(&line(number, game, positions, evaluated))
    }

    /// Search results of a game that was there when the record was opened.
    ///
    /// # Errors
    /// If it cannot be read, or is of a game with other moves.
    pub fn fetch(
        &self,
        number: usize,
        game: &PgnGame,
        positions: &Positions,
    ) -> Result<Vec<Evaluated>, Failure> {
        let at = self.places.get(&number).copied().unwrap_or_default();
        let line = line_at(&self.path, at);
        let line = line.map_err(|error| Failure::file("read", self.path.display(), &error))?;
        let row = self.checksums.verified(line.trim_end_matches('\n'));
        let row = row.ok_or_else(|| refused(&self.path, "was changed while it was read"))?;
        read_line(row, game, positions).ok_or_else(|| {
            let why = format!("game {} is another one than that which was analysed", number + 1);
            refused(&self.path, &why)
        })
    }

    /// Removes the file: everything is done.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn remove(self) -> Result<(), Failure> {
        std::fs::remove_file(&self.path).map_err(|error| Failure::file("remove", self.path.display(), &error))
    }

    /// Returns when everything is on the disk.
    ///
    /// # Errors
    /// If that fails.
    pub fn sync(&mut self) -> Result<(), Failure> {
        self.journal.sync()
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Reads a line of an output: its checksum, and what it holds.
fn output_of(line: &str) -> Option<(u64, Extent)> {
    let (extent, digest) = line.strip_prefix(WROTE)?.strip_prefix('\t')?.split_once('\t')?;
    let extent = [Extent::Part, Extent::Whole].into_iter().find(|known| known.word() == extent)?;
    Some((u64::from_str_radix(digest, 16).ok()?, extent))
}

fn line_at(path: &Path, at: u64) -> io::Result<String> {
    let mut file = BufReader::new(File::open(path)?);
    file.seek(SeekFrom::Start(at))?;
    let mut line = String::new();
    file.read_line(&mut line)?;
    Ok(line)
}

/// Fingerprint of a game: its first position and its moves.
fn fingerprint_of(game: &PgnGame, positions: &Positions) -> u64 {
    let mut text = game.start.fen();
    for m in &game.moves {
        let _ = write!(text, " {}", m.to_uci(positions.castling));
    }
    fingerprint::digest(text.as_bytes())
}

fn line(number: usize, game: &PgnGame, positions: &Positions, evaluated: &[Evaluated]) -> String {
    let mut text = format!("{number}\t{:016x}\t", fingerprint_of(game, positions));
    for (index, one) in evaluated.iter().enumerate() {
        let gap = if index > 0 { " " } else { "" };
        let value = one.value.map_or_else(|| UNTOLD.to_owned(), |value| value.to_string());
        let line: Vec<String> = one.line.iter().map(|m| m.to_uci(positions.castling).to_string()).collect();
        let _ = write!(text, "{gap}{value}/{}/{}/{}", one.depth, one.nodes, line.join("_"));
    }
    text + "\n"
}

/// Reads a line for a game; `None` if it is of another one.
fn read_line(line: &str, game: &PgnGame, positions: &Positions) -> Option<Vec<Evaluated>> {
    let mut fields = line.split('\t').skip(1);
    let (print, rest) = (fields.next()?, fields.next()?);
    if print != format!("{:016x}", fingerprint_of(game, positions)) {
        return None;
    }
    let words = rest.split(' ').enumerate();
    let evaluated: Option<Vec<Evaluated>> =
        words.map(|(index, word)| read_position(word, positions, index)).collect();
    evaluated.filter(|evaluated| evaluated.len() == positions.all().len())
}

fn read_position(word: &str, positions: &Positions, index: usize) -> Option<Evaluated> {
    let parts: Vec<&str> = word.split('/').collect();
    let &[value, depth, nodes, moves] = parts.as_slice() else { return None };
    let mut position = positions.all().get(index)?.clone();
    let mut line = Vec::new();
    for text in moves.split('_').filter(|text| !text.is_empty()) {
        let m = text.parse::<UciMove>().ok()?.to_move(position.chess()).ok()?;
        position = position.play(m);
        line.push(m);
    }
    Some(Evaluated {
        value: if value == UNTOLD { None } else { Some(value.parse().ok()?) },
        depth: depth.parse().ok()?,
        nodes: nodes.parse().ok()?,
        line,
    })
}

#[cfg(test)]
mod tests {
    use super::super::sample::annotated;
    use super::*;
    use crate::lab::base::records::failing::survives;
    use crate::lab::base::records::test_folder::TestFolder;

    const GAME: &str = "1. f3 e5 2. g4 Qh4# 0-1";
    const CHESS960: &str = "[FEN \"1r2k1r1/1p4p1/8/8/8/8/1P4P1/1R2K1R1 w GBgb - 0 1\"]\n\n1. O-O O-O-O *";

    fn parameters() -> Vec<String> {
        vec!["nodes 100".to_owned()]
    }

    #[test]
    fn games_are_read_as_they_were_written() {
        let folder = TestFolder::new("analyse-record");
        let path = folder.join("games.record");
        let mate = annotated(GAME, &[0, 40, -60, 31_999, -32_000], &["e2e4", "", "e2e3 f8c5", "d8h4"]);
        let mut castled = annotated(CHESS960, &[0, 5, -7], &["e1g1 e8c8"]);
        castled.evaluated[1].value = None;
        let mut record = GameRecord::open(&path, &parameters(), true).unwrap();
        assert!(record.is_empty());
        for (number, one) in [(7, &castled), (2, &mate)] {
            record.append(number, (&one.game, &one.positions), &one.evaluated).unwrap();
        }
        let output = folder.join("games.pgn");
        std::fs::write(&output, "1. e4 *\n").unwrap();
        assert_eq!(record.extent_of(&output).unwrap(), None);
        record.wrote(fingerprint::digest(b"1. e4 *\n"), Extent::Part).unwrap();
        drop(record);
        let record = GameRecord::open(&path, &parameters(), false).unwrap();
        assert_eq!(record.extent_of(&output).unwrap(), Some(Extent::Part));
        std::fs::write(&output, "1. e4 {mine} *\n").unwrap();
        assert_eq!(record.extent_of(&output).unwrap(), None);
        assert_eq!(record.known().keys().copied().collect::<Vec<_>>(), [2, 7]);
        for (number, one) in [(2, &mate), (7, &castled)] {
            assert_eq!(record.fetch(number, &one.game, &one.positions), Ok(one.evaluated.clone()));
        }
        let other = record.fetch(7, &mate.game, &mate.positions).unwrap_err();
        assert!(other.message().unwrap().contains("game 8 is another one"), "{other:?}");
        drop(record);
        let other = GameRecord::open(&path, &["nodes 200".to_owned()], false).err().unwrap();
        assert!(other.message().unwrap().contains("holds another analysis ('nodes 100'"), "{other:?}");
        GameRecord::open(&path, &parameters(), true).unwrap().remove().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn a_disk_that_fails_leaves_games_that_can_be_read() {
        let one = annotated(GAME, &[0, 40, -60, 31_999, -32_000], &["e2e4"]);
        let work = |folder: &Path| {
            let mut record = GameRecord::open(&folder.join("a"), &parameters(), false)?;
            let known = record.known();
            let mut rest = (0..3).filter(|number| !known.contains_key(number));
            rest.try_for_each(|number| record.append(number, (&one.game, &one.positions), &one.evaluated))
        };
        survives("analyse", work, |folder| {
            let path = folder.join("a");
            let record = GameRecord::open(&path, &parameters(), false).unwrap();
            for &number in record.known().keys() {
                assert_eq!(record.fetch(number, &one.game, &one.positions), Ok(one.evaluated.clone()));
            }
        });
    }
}
