//! Labelled positions for tuning, one a line: a FEN, followed by EPD operations that tuning programs share.
//! `c9 "1-0"` is the result of the game, `ce 34` the search's score in centipawns for the side to move, `id`
//! the name of the game, by which positions of one game are kept together.

use super::{epd, pgn};
use crate::chess::Position;
use shakmaty::Color;

/// A position with its labels.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The position.
    pub position: Position,
    /// White's points in the game it is from: 0, 1/2, 1.
    pub result: f64,
    /// Score of a search in centipawns for White, if the file gives one.
    pub score: Option<f64>,
    /// The name of the game, if the file gives one.
    pub game: Option<String>,
}

impl Labelled {
    /// Reads a line.
    ///
    /// # Errors
    /// If there is no position, no result, or a score that is no number.
    pub fn read(line: &str) -> Result<Labelled, String> {
        let (game, [result, score, id]) = epd::labels(line, ["c9", "ce", "id"])?;
        let position = game.position().clone();
        let result = result.ok_or("there is no result (c9 \"1-0\", \"1/2-1/2\" or \"0-1\")")?;
        let result = match pgn::winner(&result) {
            Some(Some(Color::White)) => 1.0,
            Some(None) => 0.5,
            Some(Some(Color::Black)) => 0.0,
            None => return Err(format!("c9 \"{result}\" is no result of a game")),
        };
        let sign = if position.turn().is_white() { 1.0 } else { -1.0 };
        let read = |text: String| match text.parse::<i32>() {
            Ok(score) => Ok(sign * f64::from(score)),
            Err(_) => Err(format!("ce {text} is no score")),
        };
        Ok(Labelled { position, result, score: score.map(read).transpose()?, game: id })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 4 4";

    #[test]
    fn result_score_and_name_are_read() {
        for (result, points) in [("1-0", 1.0), ("1/2-1/2", 0.5), ("0-1", 0.0)] {
            let read = Labelled::read(&format!("{FEN} c9 \"{result}\"; ce 34; id \"a:7\";")).unwrap();
            // Black is to move.
            assert_eq!((read.result, read.score, read.game.as_deref()), (points, Some(-34.0), Some("a:7")));
        }
    }

    #[test]
    fn score_and_name_may_be_missing() {
        let read = Labelled::read("8/8/4k3/8/8/3QK3/8/8 w - - c9 \"1-0\";").unwrap();
        assert_eq!((read.result, read.score, read.game), (1.0, None, None));
    }

    #[test]
    fn damage_is_named() {
        for (line, word) in [
            (format!("{FEN} ce 3;"), "no result"),
            (format!("{FEN} c9 \"2-0\";"), "2-0"),
            (format!("{FEN} c9 \"1-0\"; ce much;"), "much"),
            ("8/8/8/8 w - - c9 \"1-0\";".to_owned(), ""),
        ] {
            let error = Labelled::read(&line).unwrap_err();
            assert!(error.contains(word), "{line}: {error}");
        }
    }
}
