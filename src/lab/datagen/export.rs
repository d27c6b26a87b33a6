//! Positions as text: `plumb datagen export` writes a line a position, `FEN | score | result`, as trainers read it.
//! Score (centipawns) and result (1.0, 0.5, 0.0) are for white. Positions keep their order; only quiet ones are
//! written, unless `--all` is given.

use super::format::Saved;
use super::source::{self, is_quiet};
use crate::lab::command::cli::datagen::ExportArgs;
use crate::lab::command::console::{self, Failure};
use shakmaty::{Color, EnPassantMode, fen::Fen};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

/// Bytes written at a time.
const BUFFER: usize = 1 << 16;

/// Writes the positions of all games.
///
/// # Errors
/// If a file cannot be read or written, or is damaged; the positions before the damage are written.
pub fn run(arguments: &ExportArgs) -> Result<(), Failure> {
    let mut target = Target::new(arguments)?;
    let read = source::for_each(&arguments.files, |game| {
        lines(game, arguments.all, &mut target.text);
        if target.text.len() >= BUFFER { target.flush() } else { Ok(()) }
    });
    target.flush()?;
    read
}

/// Output file, or standard output, with the text that is not yet written.
struct Target<'a> {
    file: Option<(File, &'a Path)>,
    text: String,
}

impl<'a> Target<'a> {
    fn new(arguments: &'a ExportArgs) -> Result<Target<'a>, Failure> {
        let Some(path) = arguments.out.as_deref() else {
            return Ok(Target { file: None, text: String::new() });
        };
        if arguments.files.iter().any(|file| source::same_file(file, path)) {
            return Err(Failure::usage("the positions need a file of their own"));
        }
        let file = File::create(path).map_err(|error| Failure::file("write to", path.display(), &error))?;
        Ok(Target { file: Some((file, path)), text: String::new() })
    }

    fn flush(&mut self) -> Result<(), Failure> {
        match &mut self.file {
            None => console::out(&self.text)?,
            Some((file, path)) => {
                let written = file.write_all(self.text.as_bytes());
                written.map_err(|error| Failure::file("write to", path.display(), &error))?;
            }
        }
        self.text.clear();
        Ok(())
    }
}

/// The positions of a game, one a line.
fn lines(game: &Saved, all: bool, text: &mut String) {
    let result = match game.winner {
        Some(Color::White) => "1.0",
        None => "0.5",
        Some(Color::Black) => "0.0",
    };
    game.for_each(|position, ply| {
        if all || is_quiet(position, ply) {
            let fen = Fen::from_position(position.chess(), EnPassantMode::Legal);
            let _ = writeln!(text, "{fen} | {} | {result}", ply.score);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use crate::lab::datagen::format::Scored;

    #[test]
    fn scores_are_for_white_whoever_moves() {
        let opening = Game::parse_fen("4k3/8/8/3p4/4P3/8/8/4K3 b - - 0 9").unwrap();
        let mut now = opening.clone();
        let mut plies = Vec::new();
        for (text, score) in [("e8e7", -40), ("e4d5", 150)] {
            let played = now.parse_move(text).unwrap();
            plies.push(Scored { played, score });
            now.play(played);
        }
        let game = Saved { opening, plies, winner: Some(Color::White), reason: None };
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
