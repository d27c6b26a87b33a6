//! File of games, continued after an interruption. Games are appended whole and in the order of their
//! numbers, so that the file is the same for any number of workers; a later run continues after the last
//! whole game, and a torn one is cut off. A second file, FILE.settings, names the program and the settings of
//! the games in a few lines of text, and holds checksums ([`super::prefix_digests`]); a run with other
//! settings is refused, and so is a file that was damaged.

use super::format::{Damage, Reader, StoredGame};
use super::prefix_digests::{COLUMNS, PrefixDigest, PrefixDigests, settings_of};
use super::source::is_quiet;
use crate::lab::base::pages::table::{Table, count};
use crate::lab::base::records::head::Head;
use crate::lab::base::records::in_order::InOrder;
use crate::lab::base::records::journal::{Journal, RowInGroup};
use crate::lab::base::terminal::console::Failure;
use shakmaty::Color;
use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::slice;

/// The first words of the settings.
const TITLE: &str = "# plumb datagen";

/// Numbers of games and positions in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Whole games.
    pub games: usize,
    /// Games won by white, drawn, won by black.
    pub results: [u64; 3],
    /// Positions, each with its move and score.
    pub positions: u64,
    /// Those of them that are quiet.
    pub quiet: u64,
}

impl Summary {
    /// Counts a game.
    pub fn add(&mut self, game: &StoredGame) {
        self.games += 1;
        self.results[match game.winner {
            Some(Color::White) => 0,
            None => 1,
            Some(Color::Black) => 2,
        }] += 1;
        self.positions += game.plies.len() as u64;
        game.for_each(|position, ply| self.quiet += u64::from(is_quiet(position, ply)));
    }

    /// The numbers as a table of one row.
    #[must_use]
    pub fn table(&self) -> Table {
        let headings = ["games", "white won", "drawn", "black won", "positions", "quiet", "a game"];
        let mut table = Table::new(0, headings);
        let [won, drawn, lost] = self.results.map(count);
        let mean = format!("{:.1}", self.positions as f64 / self.games.max(1) as f64);
        let [games, positions, quiet] = [self.games as u64, self.positions, self.quiet].map(count);
        table.row([games, won, drawn, lost, positions, quiet, mean]);
        table
    }
}

/// An open file of games.
pub struct Store {
    games: Journal,
    /// Settings and digests; locked while the file is open.
    settings: Journal,
    /// Games that are finished before an earlier one.
    waiting: InOrder<StoredGame>,
    summary: Summary,
    /// The end of the games in the file.
    end: PrefixDigest,
    /// The last digest that was written.
    written_digest: Option<PrefixDigest>,
}

impl Store {
    /// Opens a file for the games that `settings` describe (lines without a comment mark): a new one, or one
    /// with games of the same settings, behind which it resumes. `restart` overwrites.
    ///
    /// # Errors
    /// If the file cannot be used, is no file of games, is damaged, or holds other games.
    pub fn open(path: &Path, settings: &[String], restart: bool) -> Result<Store, Failure> {
        let beside = settings_of(path);
        let length = |path: &Path| std::fs::metadata(path).map_or(0, |about| about.len());
        if !restart && length(path) > 0 && length(&beside) == 0 {
            let (path, beside) = (path.display(), beside.display());
            let why = format!("{path} is there already, and no {beside} says what it holds");
            return Err(Failure::new(format!("{why}; --restart overwrites it")));
        }
        Store::with_head(path, &Head::new(TITLE, settings).with_columns(COLUMNS), restart)
    }

    /// Opens a file whose settings have this head; games without settings get them.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub(super) fn with_head(path: &Path, head: &Head, restart: bool) -> Result<Store, Failure> {
        let open = || {
            let mut games = Journal::unread(path)?;
            games.lock()?;
            Ok(games)
        };
        // Old games go before their settings: a break in between must not leave them under new ones.
        let emptied =
            restart.then(|| open().and_then(|mut games| games.cut(0).map(|()| games))).transpose()?;
        let mut digests = Vec::new();
        let mut about = Journal::resume(&settings_of(path), head, "other games", restart, |row| {
            digests.push(PrefixDigest::read(row).ok_or("says nothing about these games")?);
            Ok(RowInGroup::Last)
        })?;
        let mut games = emptied.map_or_else(open, Ok)?;
        let mut found = Found { digests: PrefixDigests::new(digests), ..Found::default() };
        found.read(&mut games, path)?;
        games.cut(found.end.bytes)?;
        // A digest at the end of an earlier run is in no other file of these games.
        let fixed = found.digests.right().iter().filter(|digest| digest.is_due()).copied();
        let rows: Vec<String> =
            fixed.clone().map(|digest| head.checksums().append_to(&digest.row())).collect();
        about.cut((head.text().len() + rows.concat().len()) as u64)?;
        let written_digest = fixed.clone().next_back();
        let (waiting, Found { summary, end, .. }) = (InOrder::new(found.summary.games), found);
        let mut store = Store { games, settings: about, waiting, summary, end, written_digest };
        store.write_digest_if_due()?;
        Ok(store)
    }

    /// Numbers of games and positions in the file.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Adds the game of a number, counted from 0 in this file; it is written as soon as those before it are.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn take(&mut self, number: usize, game: StoredGame) -> Result<(), Failure> {
        self.waiting.add(number, game);
        while let Some((_, game)) = self.waiting.take() {
            self.append(slice::from_ref(&game))?;
        }
        Ok(())
    }

    /// Writes games behind the others: all of them, or none.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn append(&mut self, games: &[StoredGame]) -> Result<(), Failure> {
        self.games.append(&bytes_of(games))?;
        games.iter().try_for_each(|game| {
            self.end.pass(&game.bytes());
            self.summary.add(game);
            self.write_digest_if_due()
        })
    }

    /// Ends a run with a digest behind the last game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(&mut self) -> Result<(), Failure> {
        self.write_digest()
    }

    /// A digest at every fixed number of games.
    fn write_digest_if_due(&mut self) -> Result<(), Failure> {
        if self.end.is_due() { self.write_digest() } else { Ok(()) }
    }

    /// Writes a digest, unless the last one is here; the games before it are on the disk then.
    fn write_digest(&mut self) -> Result<(), Failure> {
        if self.written_digest == Some(self.end) {
            return Ok(());
        }
        self.games.sync()?;
        self.settings.append_rows(&self.end.row())?;
        self.settings.sync()?;
        self.written_digest = Some(self.end);
        Ok(())
    }
}

/// The bytes of games, one behind the other.
pub(super) fn bytes_of(games: &[StoredGame]) -> Vec<u8> {
    games.iter().flat_map(StoredGame::bytes).collect()
}

/// The whole games at the beginning of a file.
pub(super) struct Found {
    summary: Summary,
    digests: PrefixDigests,
    end: PrefixDigest,
}

impl Default for Found {
    fn default() -> Found {
        Found { summary: Summary::default(), digests: PrefixDigests::default(), end: PrefixDigest::START }
    }
}

impl Found {
    /// Reads a file up to a tail that was never whole. Where nothing is known of the file, a tail is a torn
    /// game or zeros: other damage may be in its middle.
    pub(super) fn read(&mut self, games: &mut Journal, path: &Path) -> Result<(), Failure> {
        let length = std::fs::metadata(path).map_or(0, |about| about.len());
        let ours = !self.digests.is_empty();
        let mut reader = Reader::new(BufReader::with_capacity(1 << 18, games.rest()));
        let failed = |why: String| Failure::new(format!("{}: {why}", path.display()));
        loop {
            let (number, at) = (reader.games() + 1, reader.at());
            self.digests.compare(&reader).map_err(failed)?;
            let read = reader.next_game();
            self.digests.compare(&reader).map_err(failed)?;
            let damage = match read {
                Ok(None) => return Ok(()),
                Ok(Some(game)) => match game.contradiction().filter(|_| ours) {
                    Some(contradiction) => contradiction,
                    None => {
                        self.summary.add(&game);
                        self.end = PrefixDigest::of(&reader);
                        continue;
                    }
                },
                Err(Damage::Unreadable(error)) => return Err(Failure::file("read", path.display(), &error)),
                // Without a whole game, and with nothing known of it, it may be a file of another kind.
                Err(Damage::Torn) if (ours || at > 0) && !self.digests.vouch_for(at, length) => return Ok(()),
                Err(damage) => damage.to_string(),
            };
            let tail = if ours { !self.digests.vouch_for(at, length) } else { is_zero_from(path, at) };
            if tail {
                return Ok(());
            }
            return Err(failed(format!("game {number} (from byte {at}) is damaged: {damage}")));
        }
    }
}

/// True if a file has nothing but zeros behind a byte, as a loss of power leaves it.
fn is_zero_from(path: &Path, at: u64) -> bool {
    let zeros = || -> io::Result<bool> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(at))?;
        let mut rest = BufReader::new(file).bytes();
        rest.try_fold(true, |zeros, byte| byte.map(|byte| zeros && byte == 0))
    };
    zeros().unwrap_or(false)
}

#[cfg(test)]
pub(in crate::lab::play::archive) mod tests {
    use super::super::prefix_digests::STEP;
    use super::*;
    use crate::chess::game::Game;
    use crate::lab::base::records::failing::survives;
    use crate::lab::base::records::test_folder::TestFolder;

    /// Games of one, two, three, ... plies.
    pub(in crate::lab::play::archive) fn game(plies: usize) -> StoredGame {
        let moves = ["e2e4", "e7e5", "g1f3"][..plies].iter().map(|&text| (text, 10));
        StoredGame::of_moves(Game::new(), moves, Some(Color::Black), None)
    }

    fn open(path: &Path, line: &str) -> Result<Store, Failure> {
        Store::open(path, &[line.to_owned()], false)
    }

    #[test]
    fn games_are_written_in_their_order() {
        let folder = TestFolder::new("store-order");
        let path = &folder.join("games.vf");
        let mut store = open(path, "a").unwrap();
        store.take(2, game(3)).unwrap();
        store.take(1, game(2)).unwrap();
        assert!(std::fs::read(path).unwrap().is_empty());
        store.take(0, game(1)).unwrap();
        assert_eq!(std::fs::read(path).unwrap(), [game(1), game(2), game(3)].map(|g| g.bytes()).concat());
        let wanted = Summary { games: 3, results: [0, 0, 3], positions: 6, quiet: 6 };
        assert_eq!(store.summary(), &wanted);
        drop(store);
        assert_eq!(open(path, "a").unwrap().summary(), &wanted);
    }

    #[test]
    fn a_torn_game_is_cut_off() {
        let folder = TestFolder::new("store-torn");
        let path = &folder.join("games.vf");
        drop(open(path, "a").unwrap());
        let whole = game(2).bytes();
        let torn = [1, 31, 32, 33, 40, 43].map(|length| game(2).bytes()[..length].to_vec());
        for tail in torn.into_iter().chain([vec![0; 300], vec![255; 60], b"\xff\xfe".to_vec()]) {
            std::fs::write(path, [&whole[..], &tail].concat()).unwrap();
            assert_eq!(open(path, "a").unwrap().summary().games, 1);
            assert_eq!(std::fs::read(path).unwrap(), whole);
        }
    }

    /// Digests stand at fixed numbers of games, and at the end: the settings do not tell how often a run was
    /// interrupted.
    #[test]
    fn a_broken_run_leaves_the_digests_of_a_whole_one() {
        let (mut files, many) = (Vec::new(), 2 * STEP + 3);
        for stops in [&[][..], &[3, STEP, STEP + 1], &[1, 2 * STEP + 2]] {
            let folder = TestFolder::new(&format!("store-digests-{}", stops.len()));
            let path = &folder.join("games.vf");
            for &stop in stops.iter().chain([&many]) {
                let mut store = open(path, "a").unwrap();
                for number in store.summary().games..stop {
                    store.take(number, game(1 + number % 3)).unwrap();
                }
                store.finish().unwrap();
            }
            let digests = PrefixDigests::beside(path).unwrap();
            assert!(digests.vouch_for(0, u64::MAX) && !digests.is_empty());
            files.push([path, &settings_of(path)].map(|path| std::fs::read(path).unwrap()));
        }
        assert_eq!(files[0][1].iter().filter(|&&byte| byte == b'\n').count(), 3 + 4);
        assert!(files[1] == files[0] && files[2] == files[0]);
    }

    #[test]
    fn other_files_are_refused_and_stay() {
        let folder = TestFolder::new("store-other");
        let path = &folder.join("games.vf");
        let refused = |line: &str, bytes: &[u8], why: &str| {
            let failure = open(path, line).err().expect("refused");
            assert!(failure.message().unwrap().contains(why), "{failure:?}");
            assert_eq!(std::fs::read(path).unwrap(), bytes);
        };
        std::fs::write(path, "my diary").unwrap();
        refused("a", b"my diary", "is there already");
        std::fs::remove_file(path).unwrap();
        let mut store = open(path, "a").unwrap();
        store.take(0, game(1)).unwrap();
        store.finish().unwrap();
        drop(store);
        let bytes = game(1).bytes();
        refused("b", &bytes, "holds other games ('a', now 'b')");
        for at in [28, 34] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            std::fs::write(path, &damaged).unwrap();
            refused("a", &damaged, "games 1 to 1 are damaged: their checksum does not match");
        }
        let mut damaged = bytes.clone();
        damaged[8] = 255;
        std::fs::write(path, &damaged).unwrap();
        refused("a", &damaged, "game 1 (from byte 0) is damaged: there is no such piece");
        std::fs::write(path, &bytes).unwrap();
        let held = Store::open(path, &["a".to_owned()], true).unwrap();
        assert_eq!((held.summary().games, std::fs::read(path).unwrap().len()), (0, 0));
        let failure = open(path, "a").err().expect("locked");
        assert!(failure.message().unwrap().contains("another plumb"), "{failure:?}");
    }

    #[test]
    fn a_disk_that_fails_loses_no_game() {
        let work = |folder: &Path| {
            let mut store = open(&folder.join("games.vf"), "a")?;
            for number in store.summary().games..STEP + 2 {
                store.take(number, game(1 + number % 3))?;
            }
            store.finish()
        };
        survives("store", work, |folder| {
            let games = folder.join("games.vf");
            if std::fs::metadata(&games).is_ok_and(|about| about.len() > 0) {
                let mut source = super::super::source::open(&games).unwrap();
                while let Ok(Some(_)) = source.next_game() {}
            }
        });
    }
}
