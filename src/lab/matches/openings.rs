//! Openings: positions of a file, or random moves that leave the game balanced. The opening of a number is the same
//! on every machine and in every run.

use crate::chess::game::Game;
use crate::lab::command::console::{self, Failure};
use crate::lab::command::interrupted::Stop;
use crate::lab::formats::epd::{self, Reading};
use crate::lab::records::fingerprint;
use crate::random::SplitMix64;
use crate::search::{Limits, NoControl, Searcher, Settings, TranspositionTable};
use std::path::Path;
use std::sync::Arc;

/// Plies of a random opening.
const PLIES: usize = 8;

/// Depth in plies of the search that tells if a random opening is balanced.
const DEPTH: i32 = 5;

/// Largest score of a balanced opening, in units of evaluation.
const BALANCED: i32 = 60;

/// Openings of a match by their numbers.
#[derive(Clone, Debug)]
pub struct Openings {
    /// The positions of the file; empty without one.
    listed: Vec<Game>,
    seed: u64,
}

impl Openings {
    /// The positions of a file, used in turn; without one, random moves that follow from `seed`.
    ///
    /// # Errors
    /// If the file cannot be read, or holds no position to play from.
    pub fn new(file: Option<&Path>, seed: u64) -> Result<Openings, Failure> {
        Ok(Openings { listed: file.map(read).transpose()?.unwrap_or_default(), seed })
    }

    /// The opening of a number; `None` when broken off.
    ///
    /// # Errors
    /// If there is no memory to search with.
    pub fn get(&self, number: usize, stop: &Stop) -> Result<Option<Game>, Failure> {
        match self.listed.get(number % self.listed.len().max(1)) {
            Some(opening) => Ok(Some(opening.clone())),
            None => random(self.seed, number, stop),
        }
    }

    /// Everything that decides the openings, in a line.
    #[must_use]
    pub fn describe(&self) -> String {
        if self.listed.is_empty() {
            return format!("{PLIES} random plies, seed {}", self.seed);
        }
        let fens: Vec<String> = self.listed.iter().map(Game::fen).collect();
        format!("{} from a file, {:016x}", fens.len(), fingerprint::digest(fens.join("\n").as_bytes()))
    }
}

/// The positions of a file from which a game can go on, at least one; lines that cannot be read are named.
///
/// # Errors
/// If the file cannot be read, or holds no such position.
pub fn read(path: &Path) -> Result<Vec<Game>, Failure> {
    let suite = epd::read(path, Reading::Positions)?;
    suite.bad.iter().for_each(console::warn);
    let games = suite.cases.into_iter().map(|case| case.game);
    let listed: Vec<Game> = games.filter(|game| game.end().is_none()).collect();
    if listed.is_empty() {
        return Err(Failure::new(format!("{} holds no opening to play from", path.display())));
    }
    Ok(listed)
}

/// Random moves from the start that leave the game balanced: the same for the same seed and number.
fn random(seed: u64, number: usize, stop: &Stop) -> Result<Option<Game>, Failure> {
    let mut random = SplitMix64::of_number(seed, number);
    let table = Arc::new(TranspositionTable::new(1).map_err(|error| Failure::new(error.to_string()))?);
    let limits = Limits { depth: DEPTH, ..Limits::default() };
    while !stop.is_set() {
        let mut game = Game::new();
        for _ in 0..PLIES {
            let moves = game.legal_moves();
            if !moves.is_empty() {
                game.play(moves[random.below(moves.len())]);
            }
        }
        table.clear();
        let mut searcher = Searcher::new(Arc::clone(&table));
        let found = searcher.search(game.position(), &[], &Settings::default(), &limits, &mut NoControl);
        if game.end().is_none() && found.value.abs() <= BALANCED {
            // Without the history: a PGN begins at the position.
            return Game::parse_fen(&game.fen()).map(Some).map_err(|error| Failure::new(error.to_string()));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_follow_from_seed_and_number() {
        let fen = |seed, number| {
            let openings = Openings::new(None, seed).unwrap();
            openings.get(number, &Stop::default()).unwrap().unwrap().fen()
        };
        assert_eq!(fen(1, 3), fen(1, 3));
        assert_ne!(fen(1, 3), fen(1, 4));
        assert_ne!(fen(1, 3), fen(2, 3));
    }

    #[test]
    fn a_stop_ends_the_search_for_an_opening() {
        let stop = Stop::default();
        stop.abandon();
        assert!(Openings::new(None, 1).unwrap().get(3, &stop).unwrap().is_none());
    }
}
