//! Samples for `plumb texel`: positions with the result of their game and the features of their evaluation,
//! read from files of two kinds. Text files hold a position a line ([`crate::lab::base::formats::labelled`]),
//! binary files whole games ([`crate::lab::play::archive::format`]), of which the quiet positions are used.
//! [`Quiescence`] is a finer filter for those: the evaluation is fitted where playing out the captures
//! changes it little.

use crate::chess::Position;
use crate::chess::score::Value;
use crate::eval::features::{Features, Tracer};
use crate::lab::base::formats::labelled::Labelled;
use crate::lab::base::records::fingerprint;
use crate::lab::base::terminal::console::Failure;
use crate::lab::base::terminal::interrupted::Stop;
use crate::lab::base::terminal::paths::InputPath;
use crate::lab::base::terminal::progress::Progress;
use crate::lab::base::terminal::workers::spread_at;
use crate::lab::play::archive::format::StoredGame;
use crate::lab::play::archive::source::{self, is_quiet};
use crate::minimax::Game as _;
use crate::search::{ChessGame, SharedEvaluator};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Lines that a worker takes at a time.
const LINES: usize = 500;

/// Games that a worker takes at a time, of some ninety quiet positions each.
const GAMES: usize = 6;

/// A position to learn from.
pub struct Sample {
    /// The features of its evaluation.
    pub features: Features,
    /// The fingerprint of its game.
    pub game: u64,
    /// White's points in its game.
    pub result: f64,
    /// The score of a search in centipawns for White, if known.
    pub score: Option<f64>,
    /// The points that the evaluation is fitted to; at first the result.
    pub target: f64,
}

/// A file that was read.
pub struct Source {
    name: String,
    /// The fingerprint of its contents.
    pub digest: u64,
    contents: Contents,
}

enum Contents {
    /// A position a line.
    Text(String),
    Games(Vec<StoredGame>),
}

/// Reads the files. One with a zero byte in it holds games: each of them ends with four.
///
/// # Errors
/// If a file cannot be read, or one of its games is damaged.
pub fn open(files: &[InputPath]) -> Result<Vec<Source>, Failure> {
    files.iter().map(|path| Source::open(path)).collect()
}

/// Filter by quiescence: the most, in units of evaluation, by which playing out the captures may change the
/// hand-crafted evaluation of a position; `None` takes all quiet positions.
pub type Quiescence = Option<Value>;

/// The samples of all files, in their order; `None` when interrupted. `filter` is for whole games.
///
/// # Errors
/// Names the first line that cannot be read.
pub fn read(
    sources: &[Source],
    filter: Quiescence,
    jobs: usize,
    stop: &Stop,
) -> Result<Option<Vec<Sample>>, Failure> {
    let pieces: Vec<Piece<'_>> = sources.iter().flat_map(Source::pieces).collect();
    let tracer = Tracer::new();
    let mut progress = Progress::new(format!("pieces of some {LINES} positions"), pieces.len(), 0);
    let mut read: Vec<Option<Vec<Sample>>> = pieces.iter().map(|_| None).collect();
    let ended = spread_at(
        || Ok(()),
        pieces.len(),
        jobs,
        stop,
        |(), number, send| send((number, pieces[number].read(&tracer, filter))),
        |(number, samples): (usize, Result<Vec<Sample>, String>)| {
            read[number] = Some(samples.map_err(Failure::new)?);
            progress.step();
            Ok(())
        },
    );
    progress.finish();
    ended?;
    let all: Option<Vec<Vec<Sample>>> = read.into_iter().collect();
    Ok(all.map(|all| all.into_iter().flatten().collect()))
}

impl Source {
    fn open(path: &Path) -> Result<Source, Failure> {
        let unreadable = |error| Failure::file("read", path.display(), &error);
        let bytes = std::fs::read(path).map_err(unreadable)?;
        let (name, digest) = (path.display().to_string(), fingerprint::digest(&bytes));
        let contents = if bytes.contains(&0) {
            let mut source = source::Source::new(bytes.as_slice(), path)?;
            let games = std::iter::from_fn(|| source.next_game().transpose());
            Contents::Games(games.collect::<Result<_, _>>()?)
        } else {
            let text = String::from_utf8(bytes);
            Contents::Text(text.map_err(|error| unreadable(io::Error::new(ErrorKind::InvalidData, error)))?)
        };
        Ok(Source { name, digest, contents })
    }

    fn pieces(&self) -> Vec<Piece<'_>> {
        let file = &self.name;
        match &self.contents {
            Contents::Text(text) => {
                let lines: Vec<&str> = text.lines().collect();
                let pieces = lines.chunks(LINES).enumerate();
                pieces
                    .map(|(at, lines)| Piece::Lines { file, first: at * LINES, lines: lines.to_vec() })
                    .collect()
            }
            Contents::Games(games) => games.chunks(GAMES).map(Piece::Games).collect(),
        }
    }
}

/// A part of a file: lines from `first` on (counted from 0), or games.
enum Piece<'a> {
    Lines { file: &'a str, first: usize, lines: Vec<&'a str> },
    Games(&'a [StoredGame]),
}

impl Piece<'_> {
    /// The samples of this part.
    fn read(&self, tracer: &Tracer, filter: Quiescence) -> Result<Vec<Sample>, String> {
        match self {
            Piece::Lines { file, first, lines } => read_lines(file, *first, lines, tracer),
            Piece::Games(games) => Ok(games.iter().flat_map(|game| of_game(game, tracer, filter)).collect()),
        }
    }
}

/// Reads lines; blank ones and comments are passed over.
fn read_lines(file: &str, first: usize, lines: &[&str], tracer: &Tracer) -> Result<Vec<Sample>, String> {
    let read = |(index, line): (usize, &&str)| {
        let place = format!("{file}:{}", first + index + 1);
        let Labelled { position, result, score, game } =
            Labelled::read(line).map_err(|error| format!("{place}: {error}"))?;
        let game = fingerprint::digest(game.unwrap_or(place).as_bytes());
        Ok(Sample { features: tracer.features(&position), game, result, score, target: result })
    };
    let wanted = |(_, line): &(usize, &&str)| !line.trim().is_empty() && !line.starts_with('#');
    lines.iter().enumerate().filter(wanted).map(read).collect()
}

/// The quiet positions of a game.
fn of_game(game: &StoredGame, tracer: &Tracer, filter: Quiescence) -> Vec<Sample> {
    let result = f64::from(game.points());
    // The game itself, not its file and number: where a file lies must not decide which games are for
    // validation.
    let name = fingerprint::digest(&game.bytes());
    let mut samples = Vec::with_capacity(game.plies.len());
    let evaluator = SharedEvaluator::default();
    game.for_each(|position, ply| {
        if is_quiet(position, ply) && filter.is_none_or(|most| noise(position, &evaluator) <= most) {
            let (features, score) = (tracer.features(position), Some(f64::from(ply.score)));
            samples.push(Sample { features, game: name, result, score, target: result });
        }
    });
    samples
}

/// The difference that playing out the captures makes to the hand-crafted evaluation of a position.
fn noise(position: &Position, evaluator: &SharedEvaluator) -> Value {
    let resolved = ChessGame::with_evaluator(position.clone(), evaluator.clone()).evaluate();
    (resolved - evaluator.evaluate(position)).abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;

    #[test]
    fn captures_that_are_open_make_noise() {
        let noise = |fen: &str| {
            let game = Game::parse_fen(fen).unwrap();
            noise(game.position(), &SharedEvaluator::default())
        };
        assert!(noise("r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4") <= 20);
        // A queen hangs.
        assert!(noise("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1") > 500);
    }
}
