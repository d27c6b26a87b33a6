//! Import of PGN: `plumb datagen import` reads games with a score in the comment behind a move, as match
//! runners write them, and writes them in the binary format. OpenBench returns the games that it had played
//! from the openings of `genfens` in this way. Scores are for the side that moved ([`CommentScore`]).
//!
//! Moves at the beginning that are marked as book are the opening: the game begins behind them. A later move
//! without a score stays in the game as [`UNSCORED`], and is no training position.

use crate::chess::game::Game;
use crate::lab::base::formats::pgn::LeftOut;
use crate::lab::base::formats::pgn::comment_score::{CommentScore, MateCount, is_book, unit_of_scores};
use crate::lab::base::formats::pgn::reader::PgnGame;
use crate::lab::base::formats::pgn::tally::Tally;
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::{Stop, interrupted};
use crate::lab::play::archive::format::{ScoredMove, StoredGame, UNSCORED, score};
use crate::lab::play::archive::game_file::GameFile;
use crate::lab::play::archive::store::Summary;
use crate::lab::play::datagen::arguments::ImportArgs;

/// Writes the games of all files.
///
/// # Errors
/// If a file cannot be read or written, or holds no game that can be used.
pub fn run(arguments: &ImportArgs) -> Result<(), Failure> {
    let pawn = unit_of_scores(arguments.shown);
    let mut file = GameFile::create_new(&arguments.out)?;
    let (mut tally, mut summary) = (Tally::new(arguments.strict), Summary::default());
    let read = read_files(arguments, &mut tally, |game| match saved(game, pawn) {
        Err(why) => Ok(Some(why)),
        Ok(game) => {
            summary.add(&game);
            file.append(&game).map(|()| None)
        }
    });
    if summary.games == 0 {
        file.discard();
        return read.and_then(|()| Err(Failure::usage(tally.nothing())));
    }
    // A part of the games would look like all of them.
    if interrupted() {
        file.discard();
        return Err(Failure::interrupted());
    }
    read?;
    tally.firsts().for_each(console::note);
    file.finish()?;
    console::out(&format!("{}\n{tally}\n", summary.table()))
}

/// Shows the games of all files to `each`.
fn read_files(
    arguments: &ImportArgs,
    tally: &mut Tally,
    mut each: impl FnMut(&PgnGame) -> Result<Option<LeftOut>, Failure>,
) -> Result<(), Failure> {
    let stop = Stop::default();
    for path in &arguments.files {
        let before = tally.games();
        tally.games_of_file(path, &stop, &mut each)?;
        if tally.games() == before && !stop.is_set() {
            return Err(Failure::usage(format!("{} holds no games", path.display())));
        }
    }
    Ok(())
}

/// A game with its scores, behind the moves of the book.
fn saved(game: &PgnGame, pawn: f64) -> Result<StoredGame, LeftOut> {
    let winner = game.result.ok_or(LeftOut::Lacks("want of a result"))?;
    let mates = MateCount::of(game);
    let book =
        game.commented_moves().map_while(|(_, mut comments)| comments.any(is_book).then_some(())).count();
    let opening = behind(game, book)?;
    let mut turn = opening.position().turn();
    let mut plies = Vec::with_capacity(game.moves.len() - book);
    for (played, mut comments) in game.commented_moves().skip(book) {
        let read = comments.find_map(|comment| CommentScore::read(comment, pawn, mates));
        plies.push(ScoredMove { played, score: score(read.map(|read| read.value), turn) });
        turn = !turn;
    }
    if plies.iter().all(|ply| ply.score == UNSCORED) {
        return Err(LeftOut::Lacks("want of scores"));
    }
    Ok(StoredGame { opening, plies, winner, reason: None })
}

/// The position behind so many moves of a game, as its first: the file holds no history before it.
fn behind(game: &PgnGame, moves: usize) -> Result<Game, LeftOut> {
    if moves == 0 {
        return Ok(game.start.clone());
    }
    let mut now = game.start.clone();
    game.moves[..moves].iter().for_each(|&m| now.play(m));
    Game::parse_fen(&now.fen()).map_err(|error| LeftOut::Position(error.to_string()))
}
