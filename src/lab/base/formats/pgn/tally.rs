//! Counts of the games of a source: read, and left out by reason.

use super::LeftOut;
use super::reader::{GameReader, PgnGame};
use crate::lab::base::terminal::console::Failure;
use crate::lab::base::terminal::interrupted::Stop;
use std::fmt::{self, Write as _};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Games that were read and left out.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    strict: bool,
    read: u64,
    /// For each reason: how many, and the first with its place.
    left_out: Vec<(&'static str, u64, String)>,
}

impl Tally {
    /// No games yet. `strict`: the first game that is left out is a failure.
    #[must_use]
    pub fn new(strict: bool) -> Tally {
        Tally { strict, ..Tally::default() }
    }

    /// Games that were read.
    #[must_use]
    pub fn read(&self) -> u64 {
        self.read
    }

    /// Games that were left out.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.left_out.iter().map(|(_, count, _)| count).sum()
    }

    /// All games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.read + self.left_out()
    }

    /// The first game of each reason, with its place.
    pub fn firsts(&self) -> impl Iterator<Item = &str> {
        self.left_out.iter().map(|(_, _, first)| first.as_str())
    }

    /// For a command that could use none of the games: the first of each reason, and the counts, in one line.
    #[must_use]
    pub fn nothing(&self) -> String {
        let firsts: Vec<&str> = self.firsts().collect();
        let gap = if firsts.is_empty() { "" } else { "; " };
        format!("{}{gap}{self}", firsts.join("; "))
    }

    /// Shows the games of a source to `each`, which may leave out more. `name` is the source's, for messages.
    ///
    /// # Errors
    /// If the source cannot be read, `each` fails, or a game is left out and this is strict.
    pub fn games_of(
        &mut self,
        name: &str,
        source: impl Read,
        stop: &Stop,
        mut each: impl FnMut(&PgnGame) -> Result<Option<LeftOut>, Failure>,
    ) -> Result<(), Failure> {
        let mut reader = GameReader::new(source);
        let unread = |error: std::io::Error| Failure::file("read", name, &error);
        while !stop.is_set()
            && let Some((number, game)) = reader.next_game().map_err(unread)?
        {
            let why = match game {
                Ok(game) => each(&game)?,
                Err(why) => Some(why),
            };
            match why {
                None => self.read += 1,
                Some(why) => self.leave_out(format!("{name}: game {number}: {why}"), &why)?,
            }
        }
        Ok(())
    }

    /// Shows the games of a file, which the messages name.
    ///
    /// # Errors
    /// As [`Tally::games_of`].
    pub fn games_of_file(
        &mut self,
        path: &Path,
        stop: &Stop,
        each: impl FnMut(&PgnGame) -> Result<Option<LeftOut>, Failure>,
    ) -> Result<(), Failure> {
        let file = File::open(path).map_err(|error| Failure::file("read", path.display(), &error))?;
        self.games_of(&path.display().to_string(), file, stop, each)
    }

    fn leave_out(&mut self, first: String, why: &LeftOut) -> Result<(), Failure> {
        if self.strict {
            return Err(Failure::new(first));
        }
        match self.left_out.iter_mut().find(|(kind, ..)| *kind == why.kind()) {
            Some((_, count, _)) => *count += 1,
            None => self.left_out.push((why.kind(), 1, first)),
        }
        Ok(())
    }
}

/// One line: `games: 12 read, 3 left out (2 for contradicting results, 1 for another variant)`.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "games: {} read, {} left out", self.read, self.left_out())?;
        let mut reasons = String::new();
        for (kind, count, _) in &self.left_out {
            let _ = write!(reasons, "{}{count} for {kind}", if reasons.is_empty() { "" } else { ", " });
        }
        if reasons.is_empty() { Ok(()) } else { write!(f, " ({reasons})") }
    }
}
