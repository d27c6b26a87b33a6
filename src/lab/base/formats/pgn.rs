//! PGN: the parts that every reader of games shares (results, tags, moves, scores in comments).

use crate::chess::Position;
use crate::chess::game::Game;
use crate::chess::score::{EVAL_LIMIT, MATE, MAX_PLY, UNITS_PER_PAWN, Value};
use crate::engine::wdl_model::MODEL;
use pgn_reader::{Reader, SanPlus, Visitor};
use shakmaty::{Color, Move, Position as _};
use std::io::Read;

/// The result as PGN writes it.
#[must_use]
pub fn result(winner: Option<Color>) -> &'static str {
    match winner {
        None => "1/2-1/2",
        Some(Color::White) => "1-0",
        Some(Color::Black) => "0-1",
    }
}

/// The winner by a result as PGN writes it; `None` if the game is not finished.
#[must_use]
pub fn winner(text: &str) -> Option<Option<Color>> {
    [Some(Color::White), Some(Color::Black), None].into_iter().find(|&winner| result(winner) == text)
}

/// Units of evaluation for a score of 1.00 in a file: those of a pawn, or, for scores as UCI shows them, those with
/// which every second game is won.
#[must_use]
pub fn unit_of_scores(shown: bool) -> f64 {
    if shown { MODEL.even[0] } else { f64::from(UNITS_PER_PAWN) }
}

/// First position and result of a game, from its tags.
#[derive(Default)]
pub struct Ends {
    /// The first position; the start position unless a tag says otherwise.
    pub start: Game,
    /// The winner (`None` for a draw), if the game is finished.
    pub result: Option<Option<Color>>,
}

impl Ends {
    /// Reads a tag; others than `FEN` and `Result` are ignored.
    ///
    /// # Errors
    /// If the position is not legal.
    pub fn tag(&mut self, name: &[u8], value: &str) -> Result<(), String> {
        match name {
            b"FEN" => self.start = Game::parse_fen(value).map_err(|error| error.to_string())?,
            b"Result" => self.result = winner(value),
            _ => {}
        }
        Ok(())
    }
}

/// Shows games to a visitor, up to the first that cannot be read.
///
/// # Errors
/// Names the game that cannot be read, and the reason.
pub fn read_games<V>(source: impl Read, visitor: &mut V) -> Result<(), String>
where
    V: Visitor<Output = Result<(), String>>,
{
    let mut reader = Reader::new(source);
    let mut number = 0;
    while let Some(read) = reader.read_game(visitor).map_err(|error| error.to_string())? {
        number += 1;
        read.map_err(|error| format!("game {number}: {error}"))?;
    }
    Ok(())
}

/// The legal move that a SAN means.
///
/// # Errors
/// If there is none.
pub fn legal_move(position: &Position, san: &SanPlus) -> Result<Move, String> {
    let m = san.san.to_move(position.chess()).ok().filter(|&m| position.chess().is_legal(m));
    m.ok_or_else(|| format!("'{san}' is no legal move"))
}

/// Score of a move, read from the comment behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommentScore {
    /// The score in units of evaluation, for the side that moved.
    pub value: Value,
    /// True if a slash follows at once, and behind it the depth, as in `+0.31/9`.
    pub with_depth: bool,
}

impl CommentScore {
    /// Reads the score that a comment begins with: pawns (`+0.31`) or moves to mate (`-M4`), ended by white space or
    /// a slash; what follows (depth, time, nodes) is not read. `pawn` is the file's unit ([`unit_of_scores`]). Scores
    /// are cut at the limit of evaluations.
    #[must_use]
    pub fn read(comment: &[u8], pawn: f64) -> Option<CommentScore> {
        let text = std::str::from_utf8(comment).ok()?;
        let word = text.split(|c: char| c.is_whitespace() || c == '/').find(|word| !word.is_empty())?;
        let rest = text.trim_start().strip_prefix(word);
        let with_depth = rest.is_some_and(|rest| rest.starts_with('/'));
        let (sign, number) = match word.strip_prefix('-') {
            Some(number) => (-1, number),
            None => (1, word.strip_prefix('+').unwrap_or(word)),
        };
        if number.starts_with(['+', '-']) {
            return None;
        }
        let value = match number.strip_prefix('M') {
            Some(moves) => {
                let plies =
                    moves.parse::<Value>().ok()?.checked_mul(2)?.checked_sub(Value::from(sign > 0))?;
                Some(MATE - plies).filter(|_| (0..=MAX_PLY as Value).contains(&plies))?
            }
            None => {
                let pawns = number.parse().ok().filter(|pawns: &f64| pawns.is_finite() && *pawns >= 0.0)?;
                (pawns * pawn).round().min(f64::from(EVAL_LIMIT)) as Value
            }
        };
        Some(CommentScore { value: sign * value, with_depth })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::score::MATE;

    #[test]
    fn scores_are_read_in_every_way_they_are_written() {
        let read = |text: &str, pawn| CommentScore::read(text.as_bytes(), pawn);
        let value = |text: &str, pawn| read(text, pawn).map(|score| score.value);
        for (text, expected) in [
            ("+0.31/9 0.02s", Some(31)),
            ("-1.20 10/22 105 5000", Some(-120)),
            ("0.00", Some(0)),
            (" +12", Some(1200)),
            ("+M1/3", Some(MATE - 1)),
            ("M3", Some(MATE - 5)),
            ("-M2 4/4 1 9", Some(4 - MATE)),
            ("-M0", Some(-MATE)),
            ("+99999.0", Some(EVAL_LIMIT)),
            ("book", None),
            ("", None),
            ("+M999999999999", None),
            ("+M2000000000", None),
            ("-M2000000000", None),
            ("+Minf", None),
            ("NaN/3", None),
            ("--1", None),
            ("-+1", None),
        ] {
            assert_eq!(value(text, 100.0), expected, "{text}");
        }
        assert_eq!(value("+1.00/9", 97.0), Some(97));
        for (text, with_depth) in
            [("+0.31/9 0.02s", true), (" -M2/4", true), ("0.31", false), ("0.31 /9", false), ("/5/3", false)]
        {
            assert_eq!(read(text, 100.0).map(|score| score.with_depth), Some(with_depth), "{text}");
        }
    }
}
