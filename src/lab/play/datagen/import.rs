//! Import of PGN: `plumb datagen import` reads games with a score in the comment behind every move, as match runners
//! write them, and writes them in the binary format. OpenBench returns the games that it had played from the openings
//! of `genfens` in this way. Scores are for the side that moved ([`CommentScore`]).

use crate::chess::Position;
use crate::chess::game::Game;
use crate::lab::base::formats::pgn::{self, CommentScore};
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::play::archive::format::{Saved, Scored, score};
use crate::lab::play::archive::game_file::GameFile;
use crate::lab::play::archive::store::Summary;
use crate::lab::play::datagen::arguments::ImportArgs;
use pgn_reader::{RawComment, RawTag, SanPlus, Visitor};
use shakmaty::{Color, Move};
use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;

/// Writes the games of all files.
///
/// # Errors
/// If a file cannot be read or written, holds a game that cannot be played, or no game that can be used.
pub fn run(arguments: &ImportArgs) -> Result<(), Failure> {
    let out = &arguments.out;
    let pawn = pgn::unit_of_scores(arguments.shown);
    let file = GameFile::create_new(out)?;
    let mut import = Import { pawn, file, summary: Summary::default(), left_out: 0, failed: None };
    let mut empty = None;
    for path in &arguments.files {
        let before = import.summary.games + import.left_out;
        let file = File::open(path).map_err(|error| Failure::file("read", path.display(), &error))?;
        let read = pgn::read_games(BufReader::new(file), &mut import);
        if let Some(failure) = import.failed {
            return Err(failure);
        }
        read.map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
        if import.summary.games + import.left_out == before {
            empty.get_or_insert(format!("{} holds no games", path.display()));
        }
    }
    if import.summary.games == 0 {
        // Nothing was written: the file is not left behind.
        let _ = std::fs::remove_file(out);
    }
    if let Some(empty) = empty {
        return Err(Failure::usage(empty));
    }
    if import.summary.games == 0 {
        let left_out = import.left_out;
        return Err(Failure::usage(format!("none of {left_out} games has a result and a score a move")));
    }
    import.file.finish()?;
    if import.left_out > 0 {
        console::warn(format!("left out for want of a result or a score a move: {} games", import.left_out));
    }
    console::out(&format!("{}", import.summary.table()))
}

/// Visitor that writes the games it is shown.
struct Import {
    /// The unit in which the files write scores, in units of evaluation.
    pawn: f64,
    file: GameFile,
    summary: Summary,
    left_out: usize,
    /// The failure to write a game.
    failed: Option<Failure>,
}

/// A game that is being read.
struct Moves {
    opening: Game,
    position: Position,
    result: Option<Option<Color>>,
    plies: Vec<Scored>,
    /// The last move and its side, until its score is read.
    last: Option<(Move, Color)>,
    /// True if a move has no score.
    gaps: bool,
}

impl Moves {
    /// Ends the last move: without a score by now it has none.
    fn close(&mut self) {
        self.gaps |= self.last.take().is_some();
    }
}

impl Visitor for Import {
    type Tags = pgn::Ends;
    type Movetext = Moves;
    type Output = Result<(), String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, pgn::Ends> {
        ControlFlow::Continue(pgn::Ends::default())
    }

    fn tag(&mut self, tags: &mut pgn::Ends, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        match tags.tag(name, &value.decode_utf8_lossy()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(Err(error)),
        }
    }

    fn begin_movetext(&mut self, tags: pgn::Ends) -> ControlFlow<Self::Output, Moves> {
        let pgn::Ends { start: opening, result } = tags;
        let position = opening.position().clone();
        let plies = Vec::new();
        ControlFlow::Continue(Moves { opening, position, result, plies, last: None, gaps: false })
    }

    fn san(&mut self, moves: &mut Moves, san: SanPlus) -> ControlFlow<Self::Output> {
        moves.close();
        match pgn::legal_move(&moves.position, &san) {
            Ok(m) => {
                moves.last = Some((m, moves.position.turn()));
                moves.position = moves.position.play(m);
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Err(error)),
        }
    }

    fn comment(&mut self, moves: &mut Moves, comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        if let Some(CommentScore { value, .. }) = CommentScore::read(comment.as_bytes(), self.pawn)
            && let Some((played, turn)) = moves.last.take()
        {
            moves.plies.push(Scored { played, score: score(value, turn) });
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, mut moves: Moves) -> Self::Output {
        moves.close();
        let Some(winner) = moves.result.filter(|_| !moves.gaps && !moves.plies.is_empty()) else {
            self.left_out += 1;
            return Ok(());
        };
        let game = Saved { opening: moves.opening, plies: moves.plies, winner, reason: None };
        self.summary.add(&game);
        self.file.append(&game).map_err(|failure| {
            let why = failure.message().unwrap_or_default().to_owned();
            self.failed = Some(failure);
            why
        })
    }
}
