//! PGN: games of other programs, read whole or left out with the reason.
//!
//! | file | what it does |
//! |---|---|
//! | [`lexer`] | the tokens of a file, as a stream |
//! | [`reader`] | games: tags, moves in the language of the game, results that agree |
//! | [`remarks`] | annotations and variations, for commands that write the games again |
//! | [`writer`] | tag pairs and lines of moves; `matches` and `analyse` write their games with it |
//! | `language` | the language of a game, by all of its moves |
//! | [`tally`] | counts of the games of a source: read, and left out by reason |
//! | [`comment_score`] | the score of a move in the comment behind it |
//!
//! Every command that reads games reads them here: books, training data, the WDL model, openings.

pub mod comment_score;
mod language;
pub mod lexer;
pub mod reader;
pub mod remarks;
#[cfg(feature = "lab")]
pub mod tally;
pub mod writer;

use crate::legible;
use shakmaty::san::San;
use shakmaty::{Chess, Color, Position as _};
use std::fmt;

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

/// The result by which some files say that both players lost, which the standard of PGN does not know.
pub const BOTH_LOST: &str = "0-0";

/// True for [`BOTH_LOST`], with blanks and dashes as they may be.
#[must_use]
pub fn is_both_lost(text: &str) -> bool {
    text.split_whitespace().collect::<String>().replace(is_dash, "-") == BOTH_LOST
}

/// True for the dashes of Unicode, which some files have in place of a hyphen.
fn is_dash(letter: char) -> bool {
    matches!(letter, '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Null moves as analysis boards write them: no game has one.
const NULL_MOVES: [&str; 5] = ["--", "Z0", "Z1", "0000", "@@@@"];

/// Reason to leave a game out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// A word that is no legal move, with its number.
    Word(String),
    /// Its words are moves in more than one language, and not the same ones.
    Language,
    /// The number of a move that does not fit the moves before it.
    Number {
        /// The number.
        number: u32,
        /// Words before it.
        moves: usize,
    },
    /// The source, or the next game, begins in the middle of something.
    Cut(&'static str),
    /// More moves than any game has.
    TooLong,
    /// A tag that decides what is read, and is damaged or there twice.
    Tag(String),
    /// Another variant than chess and Chess960.
    Variant(String),
    /// A first position that cannot be played from.
    Position(String),
    /// Tag, marker and board do not agree on the result.
    Result(String),
    /// It lacks what the reader of the games needs.
    Lacks(&'static str),
}

impl LeftOut {
    /// A word that cannot be read.
    pub(super) fn word(word: &str) -> LeftOut {
        LeftOut::Word(format!("'{}' is no move", shown(word)))
    }

    /// A word that is no legal move after so many others.
    fn illegal(word: &str, moves: usize, start: &Chess) -> LeftOut {
        let black_begins = usize::from(start.turn().is_black());
        let ply = moves + black_begins;
        let number = start.fullmoves().get() as usize + ply / 2;
        let dots = if ply.is_multiple_of(2) { "." } else { "..." };
        // A word that is no move in any position is told apart from a move that is not legal.
        let what = if NULL_MOVES.contains(&word) {
            "is a null move, which is none of a game"
        } else if San::from_ascii(word.trim_end_matches(['+', '#', '!', '?']).as_bytes()).is_ok() {
            "is no legal move"
        } else {
            "is no move"
        };
        LeftOut::Word(format!("'{}' {what} ({number}{dots})", shown(word)))
    }

    fn cut(what: &'static str) -> LeftOut {
        LeftOut::Cut(what)
    }

    /// The kind of the reason, by which games are counted.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            LeftOut::Word(_) => "a word that is no legal move",
            LeftOut::Language => "an uncertain language",
            LeftOut::Number { .. } => "a number that does not fit",
            LeftOut::Cut(_) => "an end in the middle",
            LeftOut::TooLong => "too great a length",
            LeftOut::Tag(_) => "a damaged tag",
            LeftOut::Variant(_) => "another variant",
            LeftOut::Position(_) => "a position that cannot be played",
            LeftOut::Result(_) => "contradicting results",
            LeftOut::Lacks(what) => what,
        }
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LeftOut::Word(text) | LeftOut::Tag(text) => f.write_str(text),
            LeftOut::Language => write!(f, "its moves can be read in more than one language"),
            LeftOut::Number { number, moves } => write!(f, "number {number} after {moves} plies"),
            LeftOut::Cut(what) => write!(f, "{what} is cut off"),
            LeftOut::TooLong => write!(f, "it is too long"),
            LeftOut::Variant(variant) => write!(f, "the variant is '{}'", shown(variant)),
            LeftOut::Position(why) => write!(f, "the first position: {why}"),
            LeftOut::Result(what) => write!(f, "the results contradict each other: {what}"),
            LeftOut::Lacks(what) => f.write_str(what),
        }
    }
}

/// Foreign text for a message: without control characters, and not long.
fn shown(text: &str) -> String {
    const MOST: usize = 40;
    let mut shown: String = legible::line(text).chars().take(MOST).collect();
    if text.chars().count() > MOST {
        shown.push('…');
    }
    shown
}
