//! Reader of the input games, on a thread of its own: while it waits for a pipe, finished games are written.
//! It reads no faster than games are written, so that the number of games in memory is bounded.

use crate::lab::base::formats::pgn::LeftOut;
use crate::lab::base::formats::pgn::reader::{GameReader, PgnGame};
use crate::lab::base::records::identity::is_standard;
use crate::lab::base::terminal::console::Failure;
use crate::lab::base::terminal::interrupted::Stop;
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A game of the input.
pub struct Task {
    /// Its number among all games of the input, from 0.
    pub number: usize,
    /// The source and its number there, for messages.
    pub place: String,
    /// The game, or the reason why it cannot be read.
    pub game: Result<PgnGame, LeftOut>,
}

/// The games of the input, as they are read.
pub struct Source {
    /// The games in order; a failure is the last.
    pub tasks: Receiver<Result<Task, Failure>>,
    taken: Receiver<()>,
}

impl Source {
    /// Begins to read. At most `ahead` games are under way that are not [`Source::done`].
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn read(files: Vec<PathBuf>, ahead: usize) -> Result<Source, Failure> {
        let ((send, tasks), (take, taken)) = (unbounded(), bounded(ahead));
        let reader = GameFileReader { send, take };
        let thread = std::thread::Builder::new().name("reader".to_owned());
        let started = thread.spawn(move || reader.read_all(&files));
        started.map_err(|error| Failure::new(format!("cannot start a thread: {error}")))?;
        Ok(Source { tasks, taken })
    }

    /// A game has been written: another one may be read.
    pub fn done(&self) {
        let _ = self.taken.try_recv();
    }
}

/// The reading thread: it ends with the input, or when nobody takes its games any more.
struct GameFileReader {
    send: Sender<Result<Task, Failure>>,
    take: Sender<()>,
}

impl GameFileReader {
    fn read_all(&self, files: &[PathBuf]) -> Option<()> {
        let mut number = 0;
        for path in files {
            if let Err(failure) = self.read_file(path, &mut number)? {
                return self.send.send(Err(failure)).ok();
            }
        }
        Some(())
    }

    /// Reads the games of a file; `None` if nobody takes them.
    fn read_file(&self, path: &Path, number: &mut usize) -> Option<Result<(), Failure>> {
        let name = name_of(path);
        let failed = |error: &io::Error| Failure::file("read", &name, error);
        let mut reader = match open(path) {
            Ok(file) => GameReader::new(file).keeping_remarks(),
            Err(error) => return Some(Err(failed(&error))),
        };
        loop {
            let (of_file, game) = match reader.next_game() {
                Ok(Some(game)) => game,
                Ok(None) => return Some(Ok(())),
                Err(error) => return Some(Err(failed(&error))),
            };
            self.take.send(()).ok()?;
            let place = place(&name, of_file);
            self.send.send(Ok(Task { number: *number, place, game })).ok()?;
            *number += 1;
        }
    }
}

/// The place of a game, for messages.
fn place(name: &str, number: u64) -> String {
    format!("{name}: game {number}")
}

fn name_of(path: &Path) -> String {
    if is_standard(path) { "standard input".to_owned() } else { path.display().to_string() }
}

fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    Ok(if is_standard(path) { Box::new(io::stdin().lock()) } else { Box::new(File::open(path)?) })
}

/// Size of the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Games, also those that cannot be read.
    pub games: usize,
    /// Positions of the games that can be read.
    pub positions: usize,
}

/// Counts games and positions; `None` if a file is a pipe or a device, which is read once. With `strict` a
/// game that cannot be read is a failure, before anything is searched.
///
/// # Errors
/// If a file cannot be read.
pub fn count(files: &[PathBuf], strict: bool, stop: &Stop) -> Result<Option<Work>, Failure> {
    let mut work = Work::default();
    for path in files {
        let failed = |error: io::Error| Failure::file("read", name_of(path), &error);
        if is_standard(path) || !std::fs::metadata(path).map_err(failed)?.is_file() {
            return Ok(None);
        }
        let mut reader = GameReader::new(File::open(path).map_err(failed)?);
        while !stop.is_set()
            && let Some((number, game)) = reader.next_game().map_err(failed)?
        {
            work.games += 1;
            match game {
                Ok(game) => work.positions += game.moves.len() + 1,
                Err(why) if strict => {
                    return Err(Failure::new(format!("{}: {why}", place(&name_of(path), number))));
                }
                Err(_) => {}
            }
        }
    }
    Ok(Some(work))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn in_a_file(name: &str, text: &str, test: impl FnOnce(PathBuf)) {
        let path = std::env::temp_dir().join(format!("plumb-source-{name}-{}.pgn", std::process::id()));
        std::fs::write(&path, text).unwrap();
        test(path.clone());
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn no_more_games_are_read_than_may_be_under_way() {
        in_a_file("ahead", &"1. e4 e5 *\n\n".repeat(50), |path| {
            let source = Source::read(vec![path.clone(), path], 3).unwrap();
            let next = || source.tasks.recv_timeout(Duration::from_secs(5)).map(|task| task.unwrap().number);
            let all: Vec<usize> = (0..3).map(|_| next().unwrap()).collect();
            assert_eq!(all, [0, 1, 2]);
            assert!(source.tasks.recv_timeout(Duration::from_millis(50)).is_err(), "a fourth one");
            for number in 3..100 {
                source.done();
                assert_eq!(next(), Ok(number));
            }
            assert!(next().is_err());
        });
    }

    #[test]
    fn damaged_games_have_a_place_and_files_that_are_missing_are_a_failure() {
        in_a_file("damaged", "1. e4 e5 *\n\n1. e4 Ke3 *\n", |path| {
            let source = Source::read(vec![path.clone(), PathBuf::from("no such file")], 9).unwrap();
            let [good, bad] = [0, 1].map(|_| source.tasks.recv().unwrap().unwrap());
            assert!(good.game.is_ok() && bad.game.is_err());
            assert!(bad.place.ends_with(".pgn: game 2"), "{}", bad.place);
            let failed = source.tasks.recv().unwrap().err().unwrap();
            assert!(failed.message().unwrap().starts_with("cannot read no such file"), "{failed:?}");
            let count = |path: PathBuf, strict| count(&[path], strict, &Stop::default());
            assert_eq!(count(path.clone(), false), Ok(Some(Work { games: 2, positions: 3 })));
            let strict = count(path, true).unwrap_err();
            assert!(strict.message().unwrap().contains("game 2: 'Ke3' is no legal move"), "{strict:?}");
            assert!(count(PathBuf::from("no such file"), false).is_err());
            assert_eq!(count(PathBuf::from("-"), true), Ok(None));
        });
    }
}
