//! Openings: positions of a file, the lines of the built-in book, or random moves that leave the game
//! balanced. The opening of a number is the same on every machine and in every run.

use crate::chess::game::Game;
use crate::lab::base::formats::epd::{self, Reading};
use crate::lab::base::formats::pgn::{LeftOut, tally::Tally};
use crate::lab::base::formats::san;
use crate::lab::base::records::fingerprint;
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::Stop;
use crate::random::SplitMix64;
use crate::search::{Limits, NoControl, Searcher, Settings};
use shakmaty::Move;
use std::collections::HashMap;
use std::path::Path;

/// Plies of a random opening.
const PLIES: usize = 8;

/// Depth in plies of the search that tells if a random opening is balanced.
const DEPTH: i32 = 5;

/// Largest score of a balanced opening, in units of evaluation.
const BALANCED: i32 = 60;

/// The lines of the built-in book, a table with the columns `eco`, `name` and `pgn`.
const LINES: &str = include_str!("../../../../book/lines.tsv");

/// Openings of a match by their numbers.
#[derive(Clone, Debug)]
pub struct Openings {
    source: Source,
    seed: u64,
    /// The moves that lead to them, by the FEN at their end, where a book or a game has them.
    lines: HashMap<String, Line>,
}

/// Moves from a first position.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The position before them.
    pub start: Game,
    /// The moves.
    pub moves: Vec<Move>,
}

/// Source of openings.
#[derive(Clone, Debug)]
enum Source {
    /// The positions of a file in an order that follows from the seed.
    File(Vec<Game>),
    /// The ends of the built-in book's lines in an order that follows from the seed, then random moves.
    Lines(Vec<Game>),
    /// Random moves.
    Random,
}

impl Openings {
    /// The positions of a file in an order that follows from `seed`, so that matches with other seeds play
    /// other games; without a file, random moves that follow from it.
    ///
    /// # Errors
    /// If the file cannot be read, or holds no position to play from.
    pub fn new(file: Option<&Path>, seed: u64) -> Result<Openings, Failure> {
        let mut lines = HashMap::new();
        let listed = file.map(|path| read_with_lines(path, &mut lines)).transpose()?;
        let source = listed.map_or(Source::Random, |games| Source::File(shuffled(games, seed)));
        Ok(Openings { source, seed, lines })
    }

    /// Openings of a match: the positions of a file, or with its name `random` random moves; without one,
    /// every line of the built-in book once, and random moves after them.
    ///
    /// # Errors
    /// If the file cannot be read, or holds no position to play from.
    pub fn for_match(file: Option<&Path>, seed: u64) -> Result<Openings, Failure> {
        match file {
            None => {
                let mut lines = HashMap::new();
                let source = Source::Lines(shuffled(own_lines(&mut lines)?, seed));
                Ok(Openings { source, seed, lines })
            }
            Some(name) if name.as_os_str() == "random" => Openings::new(None, seed),
            file => Openings::new(file, seed),
        }
    }

    /// The opening of a number; `None` when interrupted.
    ///
    /// # Errors
    /// If there is no memory to search with.
    pub fn get(&self, number: usize, stop: &Stop) -> Result<Option<Game>, Failure> {
        let listed = match &self.source {
            Source::File(listed) => listed.get(number % listed.len().max(1)),
            Source::Lines(listed) => listed.get(number),
            Source::Random => None,
        };
        listed.map_or_else(|| random(self.seed, number, stop), |opening| Ok(Some(opening.clone())))
    }

    /// The moves that lead to an opening, where a book or a game has them.
    #[must_use]
    pub fn line_to(&self, opening: &Game) -> Option<&Line> {
        self.lines.get(&opening.fen())
    }

    /// Number of openings after which they begin again; `None` if they never do.
    #[must_use]
    pub fn period(&self) -> Option<usize> {
        match &self.source {
            Source::File(listed) => Some(listed.len()),
            _ => None,
        }
    }

    /// Everything that decides the openings, in a line.
    #[must_use]
    pub fn describe(&self) -> String {
        let random = format!("{PLIES} random plies, seed {}", self.seed);
        let listed = |games: &[Game], what| {
            let fens: Vec<String> = games.iter().map(Game::fen).collect();
            format!("{} {what}, {:016x}", fens.len(), fingerprint::digest(fens.join("\n").as_bytes()))
        };
        match &self.source {
            Source::File(games) => listed(games, "from a file"),
            Source::Lines(games) => format!("{}, then {random}", listed(games, "lines of the built-in book")),
            Source::Random => random,
        }
    }
}

/// The positions at the ends of the built-in book's lines, without the history: a PGN begins at the position.
fn own_lines(lines: &mut HashMap<String, Line>) -> Result<Vec<Game>, Failure> {
    let mut games: Vec<Game> = Vec::new();
    for line in LINES.lines().skip(1) {
        let wrong = |what: String| Failure::new(format!("the built-in book: '{line}': {what}"));
        let moves = line.split('\t').nth(2).ok_or_else(|| wrong("no moves".to_owned()))?;
        let (mut game, mut line) = (Game::new(), Line::default());
        for san in moves.split_whitespace().filter(|word| !word.ends_with('.')) {
            let m = san::read(game.position().chess(), san).map_err(wrong)?;
            game.play(m);
            line.moves.push(m);
        }
        let end = Game::parse_fen(&game.fen()).map_err(|error| wrong(error.to_string()))?;
        if end.end().is_none() && !lines.contains_key(&end.fen()) {
            lines.insert(end.fen(), line);
            games.push(end);
        }
    }
    Ok(games)
}

/// Games in a random order that follows from the seed (Fisher-Yates).
fn shuffled(mut games: Vec<Game>, seed: u64) -> Vec<Game> {
    let mut random = SplitMix64::new(seed);
    for last in (1..games.len()).rev() {
        games.swap(last, random.below(last + 1));
    }
    games
}

/// The positions of a file from which a game can go on, at least one: those of an EPD file, or the ends of
/// the games of a PGN file, as match runners take them. Lines and games that cannot be read are named.
///
/// # Errors
/// If the file cannot be read, or holds no such position.
pub fn read(path: &Path) -> Result<Vec<Game>, Failure> {
    read_with_lines(path, &mut HashMap::new())
}

/// The same; `lines` takes the moves that lead to the positions.
fn read_with_lines(path: &Path, lines: &mut HashMap<String, Line>) -> Result<Vec<Game>, Failure> {
    let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
    let listed = if is_pgn { ends_of_games(path, lines)? } else { positions(path)? };
    if listed.is_empty() {
        return Err(Failure::new(format!("{} holds no opening to play from", path.display())));
    }
    Ok(listed)
}

fn positions(path: &Path) -> Result<Vec<Game>, Failure> {
    let suite = epd::read(path, Reading::Positions)?;
    suite.bad.iter().for_each(console::note);
    let games = suite.cases.into_iter().map(|case| case.game);
    Ok(games.filter(|game| game.end().is_none()).collect())
}

/// The positions at the ends of games, without the history: a PGN begins at the position.
fn ends_of_games(path: &Path, lines: &mut HashMap<String, Line>) -> Result<Vec<Game>, Failure> {
    let (mut listed, mut tally) = (Vec::new(), Tally::default());
    tally.games_of_file(path, &Stop::default(), |game| {
        let mut now = game.start.clone();
        game.moves.iter().for_each(|&m| now.play(m));
        if now.end().is_some() {
            return Ok(Some(LeftOut::Lacks("want of a move from its last position")));
        }
        let end = Game::parse_fen(&now.fen()).map_err(|error| Failure::new(error.to_string()))?;
        let line = || Line { start: game.start.clone(), moves: game.moves.clone() };
        lines.entry(end.fen()).or_insert_with(line);
        listed.push(end);
        Ok(None)
    })?;
    if tally.left_out() > 0 {
        tally.firsts().for_each(console::note);
        console::note(format!("{}: {tally}", path.display()));
    }
    Ok(listed)
}

/// Random moves from the start that leave the game balanced by the hand-crafted evaluation: the same for the
/// same seed and number, whatever network plays.
fn random(seed: u64, number: usize, stop: &Stop) -> Result<Option<Game>, Failure> {
    let mut random = SplitMix64::of_number(seed, number);
    let mut searcher = Searcher::with_own_table(1).map_err(|error| Failure::new(error.to_string()))?;
    let limits = Limits { depth: DEPTH, ..Limits::default() };
    while !stop.is_set() {
        let mut game = Game::new();
        for _ in 0..PLIES {
            let moves = game.legal_moves();
            if !moves.is_empty() {
                game.play(moves[random.below(moves.len())]);
            }
        }
        searcher.forget();
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
    use crate::lab::base::records::test_folder::TestFolder;

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
    fn a_match_opens_with_every_line_of_the_book_once() {
        let openings = |seed| Openings::for_match(None, seed).unwrap();
        let fens = |openings: &Openings, count: usize| -> Vec<String> {
            (0..count).map(|n| openings.get(n, &Stop::default()).unwrap().unwrap().fen()).collect()
        };
        let Source::Lines(lines) = openings(1).source else { panic!("not the lines") };
        let count = lines.len();
        for end in &lines {
            let first = openings(1);
            let line = first.line_to(end).unwrap();
            let mut now = line.start.clone();
            line.moves.iter().for_each(|&m| now.play(m));
            assert_eq!(now.fen(), end.fen());
        }
        assert!(count > 200, "{count}");
        let (mut first, mut other) = (fens(&openings(1), count), fens(&openings(2), count));
        assert_ne!(first, other, "the order follows from the seed");
        first.sort();
        other.sort();
        assert_eq!(first, other);
        first.dedup();
        assert_eq!(first.len(), count);
        let random = Openings::for_match(Some(Path::new("random")), 1).unwrap();
        let beyond = |openings: &Openings| openings.get(count, &Stop::default()).unwrap().unwrap().fen();
        assert_eq!(beyond(&openings(1)), beyond(&random), "behind the lines come random moves");
        assert!(random.describe().starts_with("8 random plies") && random.period().is_none());
    }

    #[test]
    fn another_seed_takes_the_openings_of_a_file_in_another_order() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("epd/games.epd");
        let fens = |seed| -> Vec<String> {
            let openings = Openings::new(Some(&file), seed).unwrap();
            let count = openings.period().unwrap();
            (0..count).map(|n| openings.get(n, &Stop::default()).unwrap().unwrap().fen()).collect()
        };
        let (mut first, mut other) = (fens(1), fens(2));
        assert!(first == fens(1) && first != other);
        first.sort();
        other.sort();
        assert_eq!(first, other, "every opening once");
    }

    #[test]
    fn games_are_openings_by_their_last_position() {
        let folder = TestFolder::new("openings");
        let path = folder.join("openings.PGN");
        std::fs::write(&path, "1. e4 e5 *\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. d4 Ke7 *\n\n1. Sf3 Sf6 2. g3 *\n")
            .unwrap();
        let fens: Vec<String> = read(&path).unwrap().iter().map(Game::fen).collect();
        std::fs::write(&path, "1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
        let none = read(&path);
        let wanted = [
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            "rnbqkb1r/pppppppp/5n2/8/8/5NP1/PPPPPP1P/RNBQKB1R b KQkq - 0 2",
        ];
        assert_eq!(fens, wanted);
        assert!(none.unwrap_err().message().unwrap().contains("no opening"));
    }

    #[test]
    fn a_stop_ends_the_search_for_an_opening() {
        let stop = Stop::default();
        stop.abandon();
        assert!(Openings::new(None, 1).unwrap().get(3, &stop).unwrap().is_none());
    }
}
