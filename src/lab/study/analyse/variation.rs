//! Variations of the input in standard SAN, with their numbers, comments and annotations. One that cannot be
//! played (a null move, letters of another language than the game's) cannot be written for other programs.

use crate::lab::base::formats::pgn::lexer::{Lexer, Token};
use crate::lab::base::formats::pgn::remarks::nags_of;
use crate::lab::base::formats::san::{self, Spelling};
use shakmaty::{Chess, Move, Position as _};
use std::fmt::Write as _;

/// A variation that can be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// Its first move.
    pub first: Move,
    /// Its text with parentheses.
    pub text: String,
    /// True if it is as this command writes the better lines: behind the first move a score and [`BETTER`],
    /// and nothing else beside the moves; where that move ends the game, there is no score.
    pub is_better_line: bool,
}

/// Word behind the score of a better line: by it the line is known when the game is annotated again.
pub const BETTER: &str = "better";

/// True for the comment behind the first move of a better line.
fn is_of_better_line(comment: &str) -> bool {
    let behind = comment.strip_prefix("[%eval ").and_then(|rest| rest.split_once(']'));
    behind.is_some_and(|(_, word)| word.trim() == BETTER)
}

/// Reads a variation of the moves that follow `before`; `None` if a word of it is no legal move, in this
/// spelling or in English, or there is none.
#[must_use]
pub fn read(before: &Chess, text: &str, spelling: Spelling) -> Option<Variation> {
    let mut lexer = Lexer::new(text.as_bytes());
    let mut writer = Writer::new(spelling);
    loop {
        let mut comment = Vec::new();
        // The text is in memory, and can be read.
        match lexer.next_token(&mut comment).ok()? {
            Token::Open => writer.open(before)?,
            Token::Close => writer.close()?,
            Token::Comment => writer.comment(&String::from_utf8_lossy(&comment)),
            Token::Nag if lexer.text.is_empty() => {}
            Token::Nag => writer.remark(&format!("${}", String::from_utf8_lossy(&lexer.text))),
            Token::Word { .. } => writer.word(&String::from_utf8_lossy(&lexer.text))?,
            Token::End => break,
            Token::Tag { .. } | Token::OpenComment => return None,
        }
    }
    let Writer { text, lines, first, plies, scores, words, has_remarks, .. } = writer;
    let is_better_line = !has_remarks && matches!((scores, words, plies), (1, 0, _) | (0, 1, 1));
    first.filter(|_| lines.is_empty()).map(|first| Variation { first, text, is_better_line })
}

/// The line that is being played, and the position before its last move.
struct Line {
    now: Chess,
    before: Option<Chess>,
}

struct Writer {
    text: String,
    lines: Vec<Line>,
    first: Option<Move>,
    /// True if the last thing written was a move, behind which Black's needs no number.
    behind_move: bool,
    plies: usize,
    /// Comments of a better line behind the first move, with a score.
    scores: usize,
    /// The same without one.
    words: usize,
    /// True if there are other comments, annotations or variations.
    has_remarks: bool,
    spelling: Spelling,
}

impl Writer {
    fn new(spelling: Spelling) -> Writer {
        let (text, lines, first, behind_move) = (String::new(), Vec::new(), None, false);
        Writer {
            text,
            lines,
            first,
            behind_move,
            plies: 0,
            scores: 0,
            words: 0,
            has_remarks: false,
            spelling,
        }
    }

    fn put(&mut self, word: &str) {
        if !self.text.is_empty() && !self.text.ends_with('(') && word != ")" {
            self.text.push(' ');
        }
        self.text.push_str(word);
        self.behind_move = false;
    }

    /// Writes what is no move.
    fn remark(&mut self, word: &str) {
        self.has_remarks = true;
        self.put(word);
    }

    fn open(&mut self, before: &Chess) -> Option<()> {
        let now = match self.lines.last() {
            None if self.text.is_empty() => before.clone(),
            None => return None,
            Some(line) => line.before.clone()?,
        };
        self.has_remarks |= !self.lines.is_empty();
        self.lines.push(Line { now, before: None });
        self.put("(");
        Some(())
    }

    fn close(&mut self) -> Option<()> {
        self.lines.pop()?;
        self.put(")");
        Some(())
    }

    fn comment(&mut self, text: &str) {
        let text = text.trim();
        let is_behind_first = self.plies == 1;
        let (has_score, is_word) =
            (is_behind_first && is_of_better_line(text), is_behind_first && text == BETTER);
        self.scores += usize::from(has_score);
        self.words += usize::from(is_word);
        self.has_remarks |= !has_score && !is_word;
        self.put(&format!("{{{}}}", text.replace(['{', '}'], " ")));
    }

    fn word(&mut self, word: &str) -> Option<()> {
        let digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let rest = if digits.is_empty() || digits.starts_with('.') { digits } else { word };
        let rest = rest.trim_start_matches(['.', '…']);
        let plain = rest.trim_end_matches(['!', '?']);
        if !plain.is_empty() && !is_end(plain) && !san::is_mark(plain) {
            self.played(plain)?;
        }
        for nag in nags_of(rest) {
            self.remark(&format!("${nag}"));
        }
        Some(())
    }

    fn played(&mut self, word: &str) -> Option<()> {
        let line = self.lines.last_mut()?;
        let in_its_language = san::meaning(&line.now, word, self.spelling).map(|meaning| meaning.played);
        let m = in_its_language.or_else(|| san::read(&line.now, word).ok())?;
        let (turn, number) = (line.now.turn(), line.now.fullmoves());
        let san = san::write(&line.now, m);
        line.before = Some(line.now.clone());
        line.now.play_unchecked(m);
        self.first.get_or_insert(m);
        self.plies += 1;
        match turn.is_white() {
            true => self.put(&format!("{number}. {san}")),
            false if self.behind_move => self.put(&san),
            false => self.put(&format!("{number}... {san}")),
        }
        self.behind_move = true;
        Some(())
    }
}

/// True for a result, which ends a variation in some files.
fn is_end(word: &str) -> bool {
    ["*", "1-0", "0-1", "1/2-1/2"].contains(&word)
}

/// A line of play with its numbers: `12... Nf6 13. O-O`.
#[must_use]
pub fn in_san(before: &Chess, moves: &[Move]) -> String {
    let mut now = before.clone();
    let mut text = String::new();
    for (index, &m) in moves.iter().enumerate() {
        let gap = if index > 0 { " " } else { "" };
        let (number, san) = (now.fullmoves(), san::write(&now, m));
        let _ = match (now.turn().is_white(), index) {
            (true, _) => write!(text, "{gap}{number}. {san}"),
            (false, 0) => write!(text, "{number}... {san}"),
            (false, _) => write!(text, "{gap}{san}"),
        };
        now.play_unchecked(m);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str) -> Option<String> {
        read(&Chess::default(), text, Spelling::STANDARD).map(|variation| variation.text)
    }

    #[test]
    fn a_variation_is_written_in_standard_san_with_all_that_is_in_it() {
        for (text, written) in [
            ("(1. d4 d5 2. c4)", "(1. d4 d5 2. c4)"),
            ("(1.d4! {good} d5 $10 2.♘f3)", "(1. d4 $1 {good} 1... d5 $10 2. Nf3)"),
            ("(d4 (1. c4 e5 (1... c5)) 1... Nf6 2. 0-0-0??)", ""),
            (
                "(1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6?! =)",
                "(1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 $6 $10)",
            ),
            ("(d4 (1. c4 e5 (1... c5)) 1... Nf6 1-0)", "(1. d4 (1. c4 e5 (1... c5)) 1... Nf6)"),
            ("(1. --)", ""),
            ("(1. Sf3)", ""),
            ("()", ""),
            ("((1. e4))", ""),
            ("(1. e4) (1. d4)", ""),
            ("(1. e4", ""),
        ] {
            assert_eq!(rewritten(text).unwrap_or_default(), written, "{text}");
        }
    }

    #[test]
    fn the_lines_of_an_earlier_run_are_known() {
        for (text, is_one) in [
            ("(1. d4 { [%eval 0.30] better } 1... d5 2. c4)", true),
            ("(1. d4 {[%eval #3] better})", true),
            ("(1. d4 { better })", true),
            ("(1. d4 {better} {better})", false),
            ("(1. d4 {[%eval 0.30] better} {better})", false),
            ("(1. d4 d5)", false),
            ("(1. d4 {better} 1... d5)", false),
            ("(1. d4 {[%eval 0.30]} 1... d5)", false),
            ("(1. d4 {[%eval 0.30] better} 1... d5 {[%eval 0.20] better})", false),
            ("(1. d4 d5 {[%eval 0.30] better})", false),
            ("(1. d4 $1 {[%eval 0.30] better} 1... d5)", false),
            ("(1. d4 {[%eval 0.30] better} 1... d5 (1... f5))", false),
        ] {
            let read = read(&Chess::default(), text, Spelling::STANDARD).unwrap();
            assert_eq!(read.is_better_line, is_one, "{text}");
        }
    }

    #[test]
    fn lines_have_a_number_before_the_first_move_of_each_side() {
        let chess = Chess::default();
        let [e4, e5] = ["e4", "e5"];
        let first = san::read(&chess, e4).unwrap();
        let after = chess.clone().play(first).unwrap();
        let second = san::read(&after, e5).unwrap();
        assert_eq!(in_san(&chess, &[first, second]), "1. e4 e5");
        assert_eq!((in_san(&after, &[second]), in_san(&after, &[])), ("1... e5".to_owned(), String::new()));
    }
}
