//! Endings of games: `plumb datagen endings` writes every game from its first position with at most so many
//! men. Games of few nodes can then be learnt beside others that searched their openings with more: scores of
//! endings are as good with few nodes, those of openings are not (notebook/network-labels.md, *What a score
//! can teach*).

use crate::chess::game::Game;
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::interrupted;
use crate::lab::play::archive::format::StoredGame;
use crate::lab::play::archive::game_file::GameFile;
use crate::lab::play::archive::source;
use crate::lab::play::archive::store::Summary;
use crate::lab::play::datagen::arguments::EndingsArgs;

/// Writes the later parts of the games of all files.
///
/// # Errors
/// If a file cannot be read or written, is damaged, or no game has so few men; after Ctrl-C.
pub fn run(arguments: &EndingsArgs) -> Result<(), Failure> {
    let (out, men) = (&arguments.out, usize::from(arguments.men));
    let (mut file, mut summary) = (GameFile::create_new(out)?, Summary::default());
    source::for_each(&arguments.files, |game| {
        let Some(ending) = ending(game, men) else { return Ok(()) };
        summary.add(&ending);
        file.append(&ending)
    })?;
    if interrupted() {
        return Err(Failure::interrupted());
    }
    if summary.games == 0 {
        file.discard();
        return Err(Failure::new(format!("no game has a position with {men} men")));
    }
    file.finish()?;
    console::out(&format!("{}", summary.table()))
}

/// The game from its first position with at most so many men on; `None` if it ends before.
fn ending(game: &StoredGame, men: usize) -> Option<StoredGame> {
    let mut now = game.opening.clone();
    for (place, ply) in game.plies.iter().enumerate() {
        if now.position().board().occupied().count() <= men {
            let opening = Game::parse_fen(&now.fen()).ok()?;
            let plies = game.plies[place..].to_vec();
            return Some(StoredGame { opening, plies, winner: game.winner, reason: game.reason });
        }
        now.play(ply.played);
    }
    None
}
