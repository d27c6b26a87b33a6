//! Files of games of tournaments, tuning and imports, which record their settings elsewhere. FILE.settings
//! beside one holds its checksums ([`super::prefix_digests`]) and nothing else.

use super::format::StoredGame;
use super::prefix_digests::{COLUMNS, PrefixDigest, settings_of};
use super::store::{Found, Store, bytes_of};
use crate::chess::game::Game;
use crate::lab::base::records::file::{self, Kind, Output};
use crate::lab::base::records::head::Head;
use crate::lab::base::records::journal::Journal;
use crate::lab::base::terminal::console::Failure;
use crate::lab::play::referee::FinishedGame;
use std::io::ErrorKind;
use std::path::Path;
use std::slice;

/// The first words of the settings.
const TITLE: &str = "# plumb games";

/// An open file of games.
pub struct GameFile(Games);

enum Games {
    /// Appended to the games of earlier runs.
    Appended(Store),
    /// Likewise, into a device or a pipe, which has no checksums.
    Device(Journal),
    /// A new file, which takes the place of an old one when it is finished.
    New(NewFile),
}

/// A new file and the digests that it gets.
struct NewFile {
    output: Output,
    end: PrefixDigest,
    digests: Vec<PrefixDigest>,
}

/// The head of the settings, the same for all files: no version, as the format of the games does not depend
/// on it.
fn head() -> Head {
    Head::from_text(TITLE, format!("{TITLE}: checksums of so many games from the beginning\n"))
        .with_columns(COLUMNS)
        .uncovered()
}

impl GameFile {
    /// Opens a file to append to its whole games.
    ///
    /// # Errors
    /// If the file cannot be used, is damaged, holds something else, or belongs to `plumb datagen`.
    pub fn append_to(path: &Path) -> Result<GameFile, Failure> {
        refuse_other_settings(path)?;
        if std::fs::metadata(path).is_ok_and(|about| !about.is_file()) {
            return Ok(GameFile(Games::Device(Journal::unread(path)?)));
        }
        if path.exists() && !settings_of(path).exists() {
            // A file that is refused gets no settings.
            Found::default().read(&mut Journal::unread(path)?, path)?;
        }
        Ok(GameFile(Games::Appended(Store::with_head(path, &head(), false)?)))
    }

    /// Begins a new file.
    ///
    /// # Errors
    /// If the file cannot be made, or belongs to `plumb datagen`.
    pub fn create(path: &Path) -> Result<GameFile, Failure> {
        refuse_other_settings(path)?;
        let output = Output::growing(path, Kind::Games)?;
        output.replaced().map_or(Ok(()), refuse_other_settings)?;
        Ok(GameFile(Games::New(NewFile { output, end: PrefixDigest::START, digests: Vec::new() })))
    }

    /// Begins a new file where there is none yet, or an empty one.
    ///
    /// # Errors
    /// If there is one, and as [`GameFile::create`].
    pub fn create_new(path: &Path) -> Result<GameFile, Failure> {
        if std::fs::metadata(path).is_ok_and(|about| about.len() > 0) {
            return Err(Failure::new(format!("{} is there already", path.display())));
        }
        GameFile::create(path)
    }

    /// Ends the file with a checksum behind the last game; a new one gets its name.
    ///
    /// # Errors
    /// If that fails.
    pub fn finish(self) -> Result<(), Failure> {
        match self.0 {
            Games::Appended(mut store) => store.finish(),
            Games::Device(_) => Ok(()),
            Games::New(new) => new.finish(),
        }
    }

    /// Ends a new file for which there are no games: nothing is left of it.
    pub fn discard(self) {
        if let Games::New(new) = self.0 {
            new.output.discard();
        }
    }

    /// Appends a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, game: &StoredGame) -> Result<(), Failure> {
        match &mut self.0 {
            Games::Appended(store) => store.append(slice::from_ref(game)),
            Games::Device(journal) => journal.append(&game.bytes()),
            Games::New(new) => new.append(&game.bytes()),
        }
    }

    /// Appends the games of several openings: all of them, or none.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn append_all<'g>(
        &mut self,
        played: impl IntoIterator<Item = (&'g Game, &'g [FinishedGame])>,
    ) -> Result<(), Failure> {
        let stored = |(opening, games): (&Game, &'g [FinishedGame])| {
            games.iter().map(|game| StoredGame::new(opening, game)).collect::<Vec<_>>()
        };
        let games: Vec<StoredGame> = played.into_iter().flat_map(stored).collect();
        match &mut self.0 {
            Games::Appended(store) => store.append(&games),
            Games::Device(journal) => journal.append(&bytes_of(&games)),
            Games::New(new) => games.iter().try_for_each(|game| new.append(&game.bytes())),
        }
    }
}

impl NewFile {
    fn append(&mut self, game: &[u8]) -> Result<(), Failure> {
        if self.end.is_due() {
            self.digests.push(self.end);
        }
        self.end.pass(game);
        self.output.write(game)
    }

    /// Between the old file and the new digests there are none: a break leaves no games beside the digests of
    /// others.
    fn finish(mut self) -> Result<(), Failure> {
        let Some(replaced) = self.output.replaced() else { return self.output.finish() };
        let settings = settings_of(replaced);
        match std::fs::remove_file(&settings) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(Failure::file("remove", settings.display(), &error));
            }
            _ => {}
        }
        self.output.finish()?;
        self.digests.push(self.end);
        let rows: String =
            self.digests.iter().map(|digest| head().checksums().append_to(&digest.row())).collect();
        file::write(&settings, head().text().to_owned() + &rows)
    }
}

/// Refuses a file with settings of other work: `plumb datagen` resumes its own.
fn refuse_other_settings(path: &Path) -> Result<(), Failure> {
    let settings = settings_of(path);
    match std::fs::read_to_string(&settings) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Ok(text) if text.starts_with(TITLE) || TITLE.starts_with(&text) => Ok(()),
        _ => {
            let (path, settings) = (path.display(), settings.display());
            let why = format!("{path} belongs to other work, which has its settings in {settings}");
            Err(Failure::new(format!("{why}; the games need another file")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::prefix_digests::STEP;
    use super::super::source;
    use super::super::store::tests::game;
    use super::*;
    use crate::lab::base::records::failing::survives;
    use crate::lab::base::records::test_folder::TestFolder;

    fn write(file: Result<GameFile, Failure>, games: usize) {
        let mut file = file.unwrap();
        (0..games).for_each(|number| file.append(&game(1 + number % 3)).unwrap());
        file.finish().unwrap();
    }

    /// Number of games that are read, or why the file is refused.
    fn read(path: &Path) -> Result<usize, String> {
        let said = |failure: Failure| failure.message().unwrap_or_default().to_owned();
        let mut source = source::open(path).map_err(said)?;
        let mut games = 0;
        while source.next_game().map_err(said)?.is_some() {
            games += 1;
        }
        Ok(games)
    }

    #[test]
    fn games_of_other_work_are_appended_or_begun_anew() {
        let folder = TestFolder::new("store-beside");
        let path = &folder.join("games.vf");
        let append = || write(GameFile::append_to(path), 1);
        append();
        let one = std::fs::read(path).unwrap();
        append();
        assert_eq!(std::fs::read(path).unwrap(), [&one[..], &one].concat());
        std::fs::write(path, [&one[..], &one, &one[..9]].concat()).unwrap();
        append();
        assert_eq!(std::fs::read(path).unwrap(), [&one[..], &one, &one].concat());
        let mut given_up = GameFile::create(path).unwrap();
        given_up.append(&game(2)).unwrap();
        drop(given_up);
        assert_eq!(std::fs::read(path).unwrap(), [&one[..], &one, &one].concat());
        assert_eq!(read(path), Ok(3));
        write(GameFile::create(path), 1);
        assert_eq!(std::fs::read(path).unwrap(), one);
    }

    #[test]
    fn files_of_other_kinds_are_refused_and_stay() {
        let folder = TestFolder::new("store-other-kinds");
        let path = &folder.join("games.vf");
        for diary in ["my diary is longer than thirty-two bytes", "my diary"] {
            std::fs::write(path, diary).unwrap();
            assert!(GameFile::append_to(path).is_err() && !settings_of(path).exists());
            assert_eq!(std::fs::read_to_string(path).unwrap(), diary);
            std::fs::remove_file(path).unwrap();
        }
        drop(Store::open(path, &["a".to_owned()], false).unwrap());
        for file in [GameFile::create(path), GameFile::append_to(path)] {
            assert!(file.err().unwrap().message().unwrap().contains("belongs to other work"));
        }
    }

    #[test]
    fn a_new_file_and_one_that_grew_have_the_same_checksums() {
        for games in [0, 1, STEP, 2 * STEP + 1] {
            let mut files = Vec::new();
            for name in ["new", "grown", "without"] {
                let folder = TestFolder::new(&format!("store-same-{name}-{games}"));
                let path = &folder.join("games.vf");
                match name {
                    "new" => write(GameFile::create(path), games),
                    _ => write(GameFile::append_to(path), games),
                }
                if name == "without" {
                    // As an older version left it.
                    std::fs::remove_file(settings_of(path)).unwrap();
                    write(GameFile::append_to(path), 0);
                }
                assert_eq!(read(path), Ok(games));
                files.push([path.to_owned(), settings_of(path)].map(|path| std::fs::read(path).unwrap()));
            }
            assert!(files[0] == files[1], "{games}");
            assert!(files[0][0] == files[2][0], "{games}");
        }
    }

    #[test]
    fn a_game_that_was_changed_is_refused() {
        let folder = TestFolder::new("store-changed");
        let path = &folder.join("games.vf");
        write(GameFile::create(path), STEP + 1);
        let good = std::fs::read(path).unwrap();
        for (byte, games) in [
            (34, format!("games 1 to {STEP}")),
            (good.len() - 5, format!("games {} to {}", STEP + 1, STEP + 1)),
        ] {
            let mut changed = good.clone();
            changed[byte] ^= 1;
            std::fs::write(path, &changed).unwrap();
            let why = format!("{games} are damaged: their checksum does not match");
            assert!(read(path).unwrap_err().ends_with(&why), "{:?}", read(path));
            assert!(GameFile::append_to(path).err().unwrap().message().unwrap().ends_with(&why));
        }
    }

    #[test]
    fn a_disk_that_fails_leaves_no_games_beside_other_checksums() {
        for growing in [false, true] {
            let work = |folder: &Path| {
                let path = folder.join("games.vf");
                let mut file = if growing { GameFile::append_to(&path)? } else { GameFile::create(&path)? };
                let there = if growing { read(&path).unwrap() } else { 0 };
                (there..STEP + 2).try_for_each(|number| file.append(&game(1 + number % 3)))?;
                file.finish()
            };
            survives(&format!("games-{growing}"), work, |folder| {
                let path = folder.join("games.vf");
                // The last game may be torn.
                let why = if path.exists() { read(&path).err() } else { None };
                assert!(why.is_none_or(|why| !why.contains("checksum")));
            });
        }
    }
}
