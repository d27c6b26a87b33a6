//! Syzygy tablebases: WDL (win, draw, loss) and DTZ (distance to zeroing, the plies to the next capture or
//! pawn move) of positions with few men.
//!
//! Only this module reads table files. A probe of a missing or damaged table is `None`, and the search does
//! without it; [`Tablebases::take_errors`] names the damage.

use super::Position;
use super::score::{self, DRAW, Value};
use crate::files;
use shakmaty::{Chess, Move, Position as _};
pub use shakmaty_syzygy::{AmbiguousWdl, Dtz, MaybeRounded, Wdl};
use shakmaty_syzygy::{Syzygy as _, SyzygyError, Tablebase};
use std::fmt;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Separator of the folders of a path.
pub const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

/// Tablebases from some folders, shared by all threads. A file is opened at its first probe.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    files: usize,
    /// Errors with folders and files; equal ones are kept once.
    errors: Mutex<TablebaseErrors>,
}

/// Errors, and the number of them that were reported.
#[derive(Default)]
struct TablebaseErrors {
    all: Vec<String>,
    reported: usize,
}

/// Error of a path without a usable table: the errors of its folders and files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoTables(Vec<String>);

impl fmt::Display for NoTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no Syzygy tables found")?;
        if self.0.is_empty() { Ok(()) } else { write!(f, " ({})", self.0.join("; ")) }
    }
}

impl std::error::Error for NoTables {}

impl fmt::Debug for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebases")
            .field("files", &self.files)
            .field("men", &self.men())
            .finish_non_exhaustive()
    }
}

/// Rank of a root move by the tablebases, from the mover's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rank {
    /// Outcome of the game after the move, with the fifty-move rule if it counts.
    pub outcome: AmbiguousWdl,
    /// Plies to the next capture or pawn move, this move included, as [`Dtz`] counts them; 0 if it is not
    /// known or does not matter.
    pub plies: i32,
}

impl Rank {
    /// Sort key, greater for better moves: the outcome, then the sooner win and the later loss.
    #[must_use]
    pub fn order(self) -> (AmbiguousWdl, i32) {
        (self.outcome, -self.plies)
    }

    /// Score of the rank at the root.
    #[must_use]
    pub fn value(self) -> Value {
        let distance = self.plies.unsigned_abs().min(score::MAX_PLY as u32) as usize;
        value(self.outcome.after_zeroing(), distance)
    }
}

/// The score of an outcome `ply` plies from the root. A cursed win, which the fifty-move rule makes a draw,
/// is one unit better than a draw.
#[must_use]
pub fn value(wdl: Wdl, ply: usize) -> Value {
    match wdl {
        Wdl::Win => score::tb_win_in(ply),
        Wdl::CursedWin => DRAW + 1,
        Wdl::Draw => DRAW,
        Wdl::BlessedLoss => DRAW - 1,
        Wdl::Loss => -score::tb_win_in(ply),
    }
}

/// The outcome without the fifty-move rule.
#[must_use]
pub fn without_fifty_moves(wdl: Wdl) -> Wdl {
    match wdl {
        Wdl::CursedWin => Wdl::Win,
        Wdl::BlessedLoss => Wdl::Loss,
        other => other,
    }
}

/// No files, for targets without a file system of their own (WebAssembly in a browser).
#[cfg(not(any(unix, windows)))]
mod no_files {
    use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile};
    use std::io::{self, ErrorKind};
    use std::path::{Path, PathBuf};

    pub(super) struct NoFiles;

    impl Filesystem for NoFiles {
        fn regular_file_size(&self, _: &Path) -> io::Result<u64> {
            Err(ErrorKind::Unsupported.into())
        }

        fn read_dir(&self, _: &Path) -> io::Result<Vec<PathBuf>> {
            Err(ErrorKind::Unsupported.into())
        }

        fn open(&self, _: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
            Err(ErrorKind::Unsupported.into())
        }
    }
}

impl Tablebases {
    /// The tables in the folders of a path, separated by [`SEPARATOR`]. Of the same table in two folders, the
    /// first is taken.
    ///
    /// # Errors
    /// If there is not one usable table. Single folders and files that cannot be used are
    /// [errors](Tablebases::take_errors).
    pub fn open(path: &str) -> Result<Tablebases, NoTables> {
        // Where there is no file system of the operating system's, the crate has no `new`, and no folder is
        // found.
        #[cfg(any(unix, windows))]
        let tables = Tablebase::new();
        #[cfg(not(any(unix, windows)))]
        let tables = Tablebase::with_filesystem(std::sync::Arc::new(no_files::NoFiles));
        let mut tables = Tablebases { tables, files: 0, errors: Mutex::new(TablebaseErrors::default()) };
        let folders = path.split(SEPARATOR).map(str::trim).filter(|folder| !folder.is_empty());
        // A later file takes the place of an earlier one.
        for folder in folders.collect::<Vec<_>>().into_iter().rev() {
            tables.add_folder(Path::new(folder));
        }
        if tables.files > 0 { Ok(tables) } else { Err(NoTables(tables.take_errors())) }
    }

    fn add_folder(&mut self, folder: &Path) {
        let files = match fs::read_dir(folder) {
            Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())),
            Err(error) => return self.note_error(format!("{}: {error}", folder.display())),
        };
        let mut files: Vec<PathBuf> = files.filter(|file| magic_of(file).is_some()).collect();
        files.sort();
        for file in files {
            let added = check_magic(&file)
                .and_then(|()| self.tables.add_file(&file).map_err(|error| error.to_string()));
            match added {
                Ok(()) => self.files += 1,
                Err(error) => self.note_error(format!("{}: {error}", file.display())),
            }
        }
    }

    /// Most men on the board for which there is a table.
    #[must_use]
    pub fn men(&self) -> usize {
        self.tables.max_pieces()
    }

    /// Number of usable table files.
    #[must_use]
    pub fn files(&self) -> usize {
        self.files
    }

    fn note_error(&self, text: String) {
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        if !errors.all.contains(&text) {
            errors.all.push(text);
        }
    }

    /// Errors since the last call; each is reported once.
    #[must_use]
    pub fn take_errors(&self) -> Vec<String> {
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let all = errors.all.len();
        let reported = std::mem::replace(&mut errors.reported, all);
        errors.all.iter().skip(reported).cloned().collect()
    }

    /// The result of a probe; a damaged table is an error, a missing one is not.
    fn found<T>(&self, probed: Result<T, SyzygyError>) -> Option<T> {
        if let Err(error @ SyzygyError::ProbeFailed { .. }) = &probed {
            self.note_error(error.to_string());
        }
        probed.ok()
    }

    /// True if a position can be probed: few enough men, no castling rights.
    #[must_use]
    pub fn covers(&self, position: &Position) -> bool {
        position.board().occupied().count() <= self.men() && !position.chess().castles().any()
    }

    /// WDL of a position, for the side to move, if the last move was a capture or a pawn move.
    #[must_use]
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        if !self.covers(position) {
            return None;
        }
        self.found(self.tables.probe_wdl_after_zeroing(position.chess()))
    }

    /// DTZ: plies to the next capture or pawn move with best play, positive if the side to move wins.
    #[must_use]
    pub fn dtz(&self, position: &Position) -> Option<MaybeRounded<Dtz>> {
        if !self.covers(position) {
            return None;
        }
        self.found(self.tables.probe_dtz(position.chess()))
    }

    /// Ranks of all legal moves by DTZ, or `None` if a table for one of them is missing. `key_history` holds
    /// the keys of the game's earlier positions, the root excluded.
    #[must_use]
    pub fn rank(&self, root: &Position, key_history: &[u64], fifty_moves: bool) -> Option<Vec<(Move, Rank)>> {
        if !self.covers(root) {
            return None;
        }
        let moves = root.chess().legal_moves();
        moves.iter().map(|&m| Some((m, self.rank_move(root, m, key_history, fifty_moves)?))).collect()
    }

    /// Ranks of all legal moves by WDL alone, which does not tell how to make progress.
    #[must_use]
    pub fn rank_by_wdl(&self, root: &Position, fifty_moves: bool) -> Option<Vec<(Move, Rank)>> {
        if !self.covers(root) {
            return None;
        }
        let moves = root.chess().legal_moves();
        let rank = |&m: &Move| {
            let wdl = -self.wdl(&root.play(m))?;
            let wdl = if fifty_moves { wdl } else { without_fifty_moves(wdl) };
            Some((m, Rank { outcome: wdl.into(), plies: 0 }))
        };
        moves.iter().map(rank).collect()
    }

    fn rank_move(&self, root: &Position, m: Move, key_history: &[u64], fifty_moves: bool) -> Option<Rank> {
        let child = root.play(m);
        if child.is_checkmate() {
            return Some(Rank { outcome: AmbiguousWdl::Win, plies: 1 });
        }
        let repeated = key_history.iter().rev().take(child.halfmoves() as usize);
        if child.is_dead() || repeated.filter(|&&key| key == child.key()).count() >= 2 {
            return Some(Rank { outcome: AmbiguousWdl::Draw, plies: 0 });
        }
        let dtz = if m.is_zeroing() {
            MaybeRounded::Precise(Dtz::before_zeroing(-self.wdl(&child)?))
        } else {
            self.dtz(&child)?.map(|dtz| -dtz).add_plies_saturating(1)
        };
        let counted = AmbiguousWdl::from_dtz_and_halfmoves(dtz, root.halfmoves());
        let outcome = if fifty_moves { counted } else { without_fifty_moves(counted.after_zeroing()).into() };
        Some(Rank { outcome, plies: dtz.ignore_rounding().0 })
    }
}

/// First bytes of a table file with this name; `None` if the name is not that of a table.
fn magic_of(file: &Path) -> Option<[u8; 4]> {
    let ending = file.extension()?.to_str()?;
    [Chess::TBW, Chess::TBZ].iter().find(|kind| kind.ext == ending).map(|kind| kind.magic)
}

fn check_magic(file: &Path) -> Result<(), String> {
    let mut begin = [0; 4];
    let read = files::open_regular(file).and_then(|mut file| file.read_exact(&mut begin));
    read.map_err(|error| error.to_string())?;
    if magic_of(file) == Some(begin) { Ok(()) } else { Err("not a Syzygy table".to_owned()) }
}

/// Real tablebases, for tests.
#[cfg(test)]
pub(crate) mod real {
    use super::Tablebases;
    use std::path::PathBuf;

    /// The folder with the three- and four-man tables, for tests that are run on request.
    pub(crate) fn folder() -> PathBuf {
        let named = std::env::var_os("PLUMB_SYZYGY").map(PathBuf::from);
        named.unwrap_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/syzygy")))
    }

    /// The tables in that folder.
    pub(crate) fn tables() -> Tablebases {
        Tablebases::open(folder().to_str().unwrap()).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;

    fn position(fen: &str) -> Position {
        Game::parse_fen(fen).unwrap().position().clone()
    }

    /// A new folder of a test, with a space in its name.
    fn scratch(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("plumb syzygy {name} {}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn the_error_names_every_unusable_folder_and_file() {
        let folder = scratch("junk");
        fs::write(folder.join("KQvK.rtbw"), [7; 80]).unwrap();
        fs::write(folder.join("KRvK.rtbz"), []).unwrap();
        fs::write(folder.join("notes.txt"), "no table").unwrap();
        let path = format!("/no such folder{SEPARATOR}{}", folder.display());
        let error = Tablebases::open(&path).unwrap_err().to_string();
        for named in ["no such folder", "KQvK.rtbw: not a Syzygy table", "KRvK.rtbz"] {
            assert!(error.contains(named), "{error}");
        }
        assert!(!error.contains("notes.txt"), "{error}");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    #[ignore = "needs Syzygy tables"]
    fn tables_are_read_from_several_folders_with_spaces_in_their_names() {
        let from = real::folder();
        let (queens, rooks) = (scratch("queens"), scratch("rooks"));
        for (folder, file) in [(&queens, "KQvK.rtbw"), (&queens, "KQvK.rtbz"), (&rooks, "KRvK.rtbw")] {
            fs::copy(from.join(file), folder.join(file)).unwrap();
        }
        let path = format!("{}{SEPARATOR}{SEPARATOR}{}", queens.display(), rooks.display());
        let tables = Tablebases::open(&path).unwrap();
        assert_eq!((tables.files(), tables.men(), tables.take_errors().len()), (3, 3, 0));
        let rook = position("8/8/8/8/8/2k5/8/K2R4 w - - 0 1");
        assert_eq!(tables.wdl(&position("8/8/8/8/8/2k5/8/K2Q4 w - - 0 1")), Some(Wdl::Win));
        assert_eq!((tables.wdl(&rook), tables.dtz(&rook).is_none()), (Some(Wdl::Win), true));
        assert_eq!(tables.wdl(&position("8/8/8/8/8/2k5/8/KB1R4 w - - 0 1")), None, "too many men");
        assert!(tables.rank(&rook, &[], true).is_none());
        assert_eq!(tables.rank_by_wdl(&rook, true).unwrap().len(), 15);
        assert!(tables.take_errors().is_empty(), "a missing table is no error");
        [queens, rooks].iter().for_each(|folder| fs::remove_dir_all(folder).unwrap());
    }

    #[test]
    #[ignore = "needs Syzygy tables"]
    fn a_probe_of_a_damaged_table_is_none_and_reported_once() {
        let from = real::folder();
        let bytes = fs::read(from.join("KRvKN.rtbw")).unwrap();
        let folder = scratch("damaged");
        let root = position("8/8/8/3n4/8/2k5/8/K2R4 b - - 0 1");
        for length in [16, 80, 144, 1040, bytes.len() / 128 * 64 + 16] {
            fs::write(folder.join("KRvKN.rtbw"), &bytes[..length]).unwrap();
            let tables = Tablebases::open(folder.to_str().unwrap()).unwrap();
            let known = tables.wdl(&root);
            assert!(known.is_some() != tables.take_errors().iter().any(|t| t.contains("KRvKN")), "{length}");
            assert!(tables.take_errors().is_empty(), "reported once");
        }
        for at in 4..bytes.len().min(600) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0xff;
            fs::write(folder.join("KRvKN.rtbw"), &damaged).unwrap();
            let tables = Tablebases::open(folder.to_str().unwrap()).unwrap();
            let _ = tables.wdl(&root);
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    #[ignore = "needs Syzygy tables"]
    fn root_moves_are_ranked_with_the_fifty_move_rule() {
        let tables = real::tables();
        let best = |fen: &str, fifty_moves| {
            let ranks = tables.rank(&position(fen), &[], fifty_moves).unwrap();
            ranks.into_iter().map(|(_, rank)| rank).max_by_key(|rank| rank.order()).unwrap()
        };
        let mate = best("k7/8/1K6/8/8/8/8/7R w - - 0 1", true);
        assert_eq!((mate.outcome, mate.plies), (AmbiguousWdl::Win, 1));
        assert!(score::is_decisive(mate.value()) && !score::is_mate(mate.value()));
        let long = "8/8/8/8/8/2k5/8/K2R4 w - -";
        assert_eq!(best(&format!("{long} 0 1"), true).outcome, AmbiguousWdl::Win);
        let late = best(&format!("{long} 95 90"), true);
        assert_eq!((late.outcome, late.value()), (AmbiguousWdl::CursedWin, DRAW + 1));
        assert_eq!(best(&format!("{long} 95 90"), false).outcome, AmbiguousWdl::Win);
        let held = best("8/8/8/8/8/2K5/8/k2r4 b - - 95 90", true);
        assert_eq!(held.outcome, AmbiguousWdl::CursedWin);
    }

    #[test]
    #[ignore = "needs Syzygy tables"]
    fn a_move_to_a_third_occurrence_is_ranked_as_a_draw() {
        let tables = real::tables();
        let root = position("8/8/8/8/8/2k5/8/K2Q4 w - - 20 40");
        let (m, rank) = tables.rank(&root, &[], true).unwrap()[0];
        let key = root.play(m).key();
        let of = |key_history: &[u64]| tables.rank(&root, key_history, true).unwrap()[0].1;
        assert_eq!(of(&[key, 1, 2, 3]), rank);
        assert_eq!(of(&[key, 1, key, 3]).outcome, AmbiguousWdl::Draw);
    }
}
