//! Positions of the command line: a FEN or `startpos`, either with `moves` and moves in coordinate notation
//! behind it, as the commands of the engine take them.

use crate::chess::game::Game;

/// Reads a position.
///
/// # Errors
/// Says what cannot be read, or which move is not legal.
pub fn read(text: &str) -> Result<Game, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let end = words.iter().position(|word| word.eq_ignore_ascii_case("moves")).unwrap_or(words.len());
    let (position, moves) = words.split_at(end);
    let mut game = match position {
        [word] if word.eq_ignore_ascii_case("startpos") => Game::new(),
        fen => Game::parse_fen(&fen.join(" ")).map_err(|error| error.to_string())?,
    };
    for word in moves.iter().skip(1) {
        game.play_text(word).map_err(|error| error.to_string())?;
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_a_fen_or_the_start_with_moves_behind_it() {
        let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let start = Game::new().fen();
        let texts = ["startpos moves e2e4", " StartPos  moves\te2e4", after, &format!("{start} moves e2e4")];
        for text in texts {
            assert_eq!(read(text).map(|game| game.fen()), Ok(after.to_owned()), "{text}");
        }
        assert_eq!(read("startpos").map(|game| game.fen()), Ok(start));
        for wrong in ["", "foo", "startpos e2e4", "startpos moves e2e5", "moves e2e4"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
