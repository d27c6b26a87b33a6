//! Files of games read as a stream, one game at a time: a file may be larger than the memory. Also the filter
//! for quiet positions, which export, statistics and tuning share.

use super::format::{CERTAIN, Reader, ScoredMove, StoredGame};
use super::prefix_digests::PrefixDigests;
use crate::chess::Position;
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted;
use crate::lab::base::terminal::paths::InputPath;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Bytes read at a time.
const BUFFER: usize = 1 << 18;

/// A file of games that is read.
pub struct Source<R> {
    reader: Reader<R>,
    path: PathBuf,
    digests: PrefixDigests,
}

/// Opens a file of games.
///
/// # Errors
/// If it cannot be read.
pub fn open(path: &Path) -> Result<Source<BufReader<File>>, Failure> {
    let file = File::open(path).map_err(|error| Failure::file("read", path.display(), &error))?;
    Source::new(BufReader::with_capacity(BUFFER, file), path)
}

impl<R: Read> Source<R> {
    /// The games of a file with this name, whose bytes come from `source`.
    ///
    /// # Errors
    /// If its checksums cannot be read.
    pub fn new(source: R, path: &Path) -> Result<Source<R>, Failure> {
        Ok(Source {
            reader: Reader::new(source),
            path: path.to_owned(),
            digests: PrefixDigests::beside(path)?,
        })
    }

    /// Bytes of the games that were read: the offset of the next one.
    #[must_use]
    pub fn at(&self) -> u64 {
        self.reader.at()
    }

    /// The next game; `None` at the end of the file. A file that ends behind fewer games than its settings
    /// have checksums for is read as it is: a message says so.
    ///
    /// # Errors
    /// Says which game is damaged, and how.
    pub fn next_game(&mut self) -> Result<Option<StoredGame>, Failure> {
        let game = self.read_game()?;
        if game.is_none()
            && let Some(why) = self.what_is_missing()
            && is_new(&self.path)
        {
            console::note(format!("{}: {why}", self.path.display()));
        }
        Ok(game)
    }

    /// At the end of the file: how many games are missing, in words; `None` if none is.
    fn what_is_missing(&self) -> Option<String> {
        let (games, written) = (self.reader.games(), self.digests.unreached()?);
        Some(format!("it ends behind game {games}, and its settings tell of {written}: the rest is cut off"))
    }

    fn read_game(&mut self) -> Result<Option<StoredGame>, Failure> {
        let (number, at) = (self.reader.games() + 1, self.reader.at());
        let of_game = |damage: &dyn Display| format!("game {number} (from byte {at}) is damaged: {damage}");
        let before = self.digests.compare(&self.reader);
        let game = before.and_then(|()| self.reader.next_game().map_err(|damage| of_game(&damage)));
        let checked = game.and_then(|game| {
            self.digests.compare(&self.reader)?;
            // Other programs may mean something else by the byte that holds the reason.
            let ours = game.as_ref().filter(|_| !self.digests.is_empty());
            match ours.and_then(StoredGame::contradiction) {
                Some(contradiction) => Err(of_game(&contradiction)),
                None => Ok(game),
            }
        });
        checked.map_err(|why| Failure::new(format!("{}: {why}", self.path.display())))
    }
}

/// True once for every file: training reads a file several times.
fn is_new(path: &Path) -> bool {
    static TOLD: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    TOLD.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned())
}

/// Shows every game of some files, up to Ctrl-C.
///
/// # Errors
/// If a file cannot be read, is damaged, or all of them are empty.
pub fn for_each(
    paths: &[InputPath],
    mut show: impl FnMut(&StoredGame) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for_each_sized(paths, |game, _| show(game))
}

/// [`for_each`] with the bytes that each game takes in its file, for progress.
///
/// # Errors
/// As [`for_each`].
pub fn for_each_sized(
    paths: &[InputPath],
    mut show: impl FnMut(&StoredGame, u64) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut empty = true;
    for path in paths {
        let mut source = open(path)?;
        let mut before = source.at();
        while let Some(game) = source.next_game()? {
            if interrupted::interrupted() {
                return Ok(());
            }
            empty = false;
            show(&game, source.at() - before)?;
            before = source.at();
        }
    }
    match paths {
        [path] if empty => Err(Failure::new(format!("{} holds no games", path.display()))),
        _ if empty => Err(Failure::new("these files hold no games")),
        _ => Ok(()),
    }
}

/// True if a position is quiet, so that a static evaluation should know its value: the side to move is not in
/// check, the move that was played neither captures nor promotes, and its score is no mate or tablebase
/// score.
#[must_use]
pub fn is_quiet(position: &Position, ply: ScoredMove) -> bool {
    let noisy = position.in_check() || ply.played.is_capture() || ply.played.promotion().is_some();
    !noisy && ply.score.unsigned_abs() <= CERTAIN.unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::super::game_file::GameFile;
    use super::super::prefix_digests::STEP;
    use super::super::store::tests::game;
    use super::*;
    use crate::chess::game::Game;
    use crate::lab::base::records::test_folder::TestFolder;

    #[test]
    fn a_file_that_was_cut_behind_a_game_tells_what_is_missing() {
        let folder = TestFolder::new("source-cut");
        let path = &folder.join("games.vf");
        let games = 2 * STEP + 1;
        let mut file = GameFile::create(path).unwrap();
        (0..games).for_each(|number| file.append(&game(1 + number % 3)).unwrap());
        file.finish().unwrap();
        let whole = std::fs::read(path).unwrap();
        let mut bytes = 0;
        for left in 0..=games {
            std::fs::write(path, &whole[..bytes]).unwrap();
            let mut source = open(path).unwrap();
            let read = std::iter::from_fn(|| source.next_game().unwrap()).count();
            let missing = source.what_is_missing();
            assert_eq!((read, missing.is_some()), (left, left < games), "{missing:?}");
            let wanted = format!("it ends behind game {left}, and its settings tell of {games}");
            assert!(missing.is_none_or(|why| why.starts_with(&wanted)), "{left}");
            bytes += if left < games { game(1 + left % 3).bytes().len() } else { 0 };
        }
    }

    #[test]
    fn checks_captures_promotions_and_mate_scores_are_not_quiet() {
        let quiet = |fen: &str, m: &str, score: i16| {
            let game = Game::parse_fen(fen).unwrap();
            is_quiet(game.position(), ScoredMove { played: game.parse_move(m).unwrap(), score })
        };
        let open = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4";
        assert!(quiet(open, "f1e2", 10) && quiet(open, "f1e2", -CERTAIN));
        assert!(!quiet(open, "f1e2", CERTAIN + 1) && !quiet(open, "f1e2", i16::MIN));
        assert!(!quiet(open, "f3e5", 10));
        assert!(!quiet("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 10));
        assert!(!quiet("4k3/8/8/4pP2/8/8/8/4K3 w - e6 0 1", "f5e6", 10));
        assert!(!quiet("4k3/8/8/8/8/8/8/q3K3 w - - 0 1", "e1e2", 10));
    }
}
