//! Positions as text: `plumb datagen export` writes a line a position, `FEN | score | result`, as trainers
//! read it. Score (centipawns) and result (1.0, 0.5, 0.0) are for white. Positions keep their order; only
//! quiet ones are written, unless `--all` is given.

use crate::lab::base::records::file::{Kind, Output};
use crate::lab::base::terminal::console::Failure;
use crate::lab::base::terminal::interrupted::interrupted;
use crate::lab::play::archive::format::{StoredGame, UNSCORED};
use crate::lab::play::archive::source::{self, is_quiet};
use crate::lab::play::datagen::arguments::ExportArgs;
use shakmaty::{Color, EnPassantMode, fen::Fen};
use std::fmt::Write as _;
use std::path::Path;

/// Bytes written at a time.
const BUFFER: usize = 1 << 16;

/// Writes the positions of all games.
///
/// # Errors
/// If a file cannot be read or written, or is damaged; on standard output are the positions before the damage
/// then.
pub fn run(arguments: &ExportArgs) -> Result<(), Failure> {
    let path = arguments.out.as_deref().unwrap_or(Path::new("-"));
    let (mut output, mut text) = (Output::create(path, Kind::Text)?, String::new());
    let read = source::for_each(&arguments.files, |game| {
        lines(game, arguments.all, &mut text);
        if text.len() < BUFFER {
            return Ok(());
        }
        let written = output.write(&text);
        text.clear();
        written
    });
    if read.is_ok() || output.is_stdout() {
        output.write(&text)?;
    }
    read?;
    if interrupted() && !output.is_stdout() {
        return Err(Failure::interrupted());
    }
    output.finish()
}

/// The positions of a game, one a line.
fn lines(game: &StoredGame, all: bool, text: &mut String) {
    let result = match game.winner {
        Some(Color::White) => "1.0",
        None => "0.5",
        Some(Color::Black) => "0.0",
    };
    game.for_each(|position, ply| {
        if is_quiet(position, ply) || (all && ply.score != UNSCORED) {
            let fen = Fen::from_position(position.chess(), EnPassantMode::Legal);
            let _ = writeln!(text, "{fen} | {} | {result}", ply.score);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;

    #[test]
    fn scores_are_for_white_whoever_moves() {
        let opening = Game::parse_fen("4k3/8/8/3p4/4P3/8/8/4K3 b - - 0 9").unwrap();
        let moves = [("e8e7", -40), ("e4d5", 150)];
        let game = StoredGame::of_moves(opening, moves, Some(Color::White), None);
        let written = |all| {
            let mut text = String::new();
            lines(&game, all, &mut text);
            text
        };
        let quiet = "4k3/8/8/3p4/4P3/8/8/4K3 b - - 0 9 | -40 | 1.0\n";
        assert_eq!(written(false), quiet);
        assert_eq!(written(true), format!("{quiet}8/4k3/8/3p4/4P3/8/8/4K3 w - - 1 10 | 150 | 1.0\n"));
    }
}
