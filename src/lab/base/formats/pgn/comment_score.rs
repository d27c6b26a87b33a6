//! Score of a move in the comment behind it, as match runners write it: `+0.31/9 0.02s`, `-M4/22`, `book`.

use super::reader::PgnGame;
use crate::chess::score::{EVAL_LIMIT, MATE, MAX_PLY, UNITS_PER_PAWN, Value};
use crate::engine::wdl_model::MODEL;

/// Units of evaluation for a score of 1.00 in a file: those of a pawn, or, for scores as UCI shows them,
/// those with which every second game is won.
#[must_use]
pub fn unit_of_scores(shown: bool) -> f64 {
    if shown { MODEL.even[0] } else { f64::from(UNITS_PER_PAWN) }
}

/// Unit of the number of a mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MateCount {
    /// Plies, as match runners and Plumb write them: the side that mates has an odd number, the other an even
    /// one.
    Plies,
    /// Moves, as UCI has them.
    Moves,
}

impl MateCount {
    /// The unit of the mates of a game: plies, unless one of them cannot be a number of plies.
    #[must_use]
    pub fn of(game: &PgnGame) -> MateCount {
        let has_mate = |comment: &&[u8]| comment.iter().take(4).any(|byte| matches!(byte, b'M' | b'#'));
        let mut mates = game.comments().filter(has_mate).filter_map(|comment| match Word::of(comment)? {
            Word::Mate { winning, number } => Some((winning, number)),
            _ => None,
        });
        let in_plies = mates.all(|(winning, number)| winning != number.is_multiple_of(2));
        if in_plies { MateCount::Plies } else { MateCount::Moves }
    }

    fn plies(self, winning: bool, number: u32) -> Value {
        let plies = match self {
            MateCount::Plies => number,
            MateCount::Moves => number.saturating_mul(2).saturating_sub(u32::from(winning)),
        };
        plies.min(MAX_PLY as u32) as Value
    }
}

/// The bytes before the first white space, slash, comma or semicolon, and the rest, which begins with it.
fn first_word(comment: &[u8]) -> (&[u8], &[u8]) {
    let comment = comment.trim_ascii_start();
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"/,;".contains(byte);
    comment.split_at(comment.iter().position(ends).unwrap_or(comment.len()))
}

/// The first word of a comment.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Word {
    Book,
    Mate { winning: bool, number: u32 },
    Pawns(f64),
}

impl Word {
    /// Reads the [`first_word`]: a byte behind it that is no UTF-8 does no harm.
    fn of(comment: &[u8]) -> Option<Word> {
        let word = std::str::from_utf8(first_word(comment).0).ok()?;
        if word.eq_ignore_ascii_case("book") || word.eq_ignore_ascii_case("(book)") {
            return Some(Word::Book);
        }
        let (winning, number) = match word.strip_prefix(['-', '\u{2212}']) {
            Some(number) => (false, number),
            None => (true, word.strip_prefix('+').unwrap_or(word)),
        };
        // `#` stands for M in some files. A second sign is none.
        match number.strip_prefix(['M', '#']) {
            Some(mate) => {
                let digits = mate.bytes().all(|byte| byte.is_ascii_digit());
                mate.parse().ok().filter(|_| digits).map(|number| Word::Mate { winning, number })
            }
            None if number.starts_with(|first: char| first.is_ascii_digit() || first == '.') => {
                let pawns = number.parse().ok().filter(|pawns: &f64| pawns.is_finite())?;
                Some(Word::Pawns(if winning { pawns } else { -pawns }))
            }
            None => None,
        }
    }
}

/// True if a comment says that its move is from a book, and was not searched.
#[must_use]
pub fn is_book(comment: &[u8]) -> bool {
    Word::of(comment) == Some(Word::Book)
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
    /// Reads the score that a comment begins with: pawns (`+0.31`) or a mate (`-M4`), ended by white space, a
    /// slash or a comma; what follows (depth, time, nodes) is not read. `pawn` is the file's unit
    /// ([`unit_of_scores`]). Scores are cut at the limit of evaluations, mates at the longest that a search
    /// announces. A score of nothing at depth 0 (`0.00/0`), by which match runners stand for none, is none.
    #[must_use]
    pub fn read(comment: &[u8], pawn: f64, mates: MateCount) -> Option<CommentScore> {
        let word = Word::of(comment)?;
        let depth = first_word(comment).1.strip_prefix(b"/");
        let value = match word {
            Word::Book => return None,
            Word::Mate { winning, number } => {
                let value = MATE - mates.plies(winning, number);
                if winning { value } else { -value }
            }
            Word::Pawns(pawns) => {
                let limit = f64::from(EVAL_LIMIT);
                (pawns * pawn).round().clamp(-limit, limit) as Value
            }
        };
        let digits = |depth: &[u8]| depth.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let unsearched = depth.is_some_and(|depth| digits(depth) == 1 && depth[0] == b'0');
        let is_score = !(unsearched && value == 0);
        is_score.then_some(CommentScore { value, with_depth: depth.is_some() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::reader::GameReader;
    use super::*;

    #[test]
    fn scores_are_read_in_every_way_they_are_written() {
        let read = |text: &str, pawn| CommentScore::read(text.as_bytes(), pawn, MateCount::Plies);
        let value = |text: &str, pawn| read(text, pawn).map(|score| score.value);
        for (text, expected) in [
            ("+0.31/9 0.02s", Some(31)),
            ("-1.20 10/22 105 5000", Some(-120)),
            ("0.00", Some(0)),
            ("0.00/7", Some(0)),
            (" +12", Some(1200)),
            ("+M1/3", Some(MATE - 1)),
            ("M5", Some(MATE - 5)),
            ("-M4 4/4 1 9", Some(4 - MATE)),
            ("-M0", Some(-MATE)),
            ("+M69/33 4.3s", Some(MATE - 69)),
            ("+M199/9", Some(MATE - MAX_PLY as Value)),
            ("-M2000000000", Some(MAX_PLY as Value - MATE)),
            ("+99999.0", Some(EVAL_LIMIT)),
            ("-99999.0/3", Some(-EVAL_LIMIT)),
            ("+0.1/9, White wins", Some(10)),
            ("book", None),
            ("Book, 0.0s", None),
            ("", None),
            ("/12 0.003s", None),
            ("/0 0.000s", None),
            ("0.00/0 0.0s", None),
            ("+M999999999999", None),
            ("+Minf", None),
            ("+M-3", None),
            ("NaN/3", None),
            ("inf/3", None),
            ("--1", None),
            ("-+1", None),
        ] {
            assert_eq!(value(text, 100.0), expected, "{text}");
        }
        assert_eq!(value("+1.00/9", 97.0), Some(97));
        assert_eq!(
            CommentScore::read(b"+0.1/9, Wei\xdf", 100.0, MateCount::Plies).map(|s| s.value),
            Some(10)
        );
        for (text, with_depth) in
            [("+0.31/9 0.02s", true), (" -M2/4", true), ("0.31", false), ("0.31 /9", false)]
        {
            assert_eq!(read(text, 100.0).map(|score| score.with_depth), Some(with_depth), "{text}");
        }
        assert!(is_book(b"book") && is_book(b" Book 0s") && !is_book(b"bookish") && !is_book(b"+0.1/9"));
    }

    /// A mate in two is three plies; where a number cannot be one of plies, all of the game's are moves.
    #[test]
    fn mates_count_plies_unless_a_number_cannot() {
        let counts = |scores: [&str; 2]| {
            let text = format!("1. e4 {{{}}} e5 {{{}}} *\n", scores[0], scores[1]);
            let (_, game) = GameReader::new(text.as_bytes()).next_game().unwrap().unwrap();
            MateCount::of(&game.unwrap())
        };
        assert_eq!(counts(["+M3/5", "-M2/5"]), MateCount::Plies);
        assert_eq!(counts(["+M3/5", "+0.1/5"]), MateCount::Plies);
        assert_eq!(counts(["+M3/5", "-M3/5"]), MateCount::Moves);
        assert_eq!(counts(["+M2/5", "-M2/5"]), MateCount::Moves);
        let read = |text: &str, mates| CommentScore::read(text.as_bytes(), 100.0, mates).map(|s| s.value);
        assert_eq!(read("+M3/5", MateCount::Moves), Some(MATE - 5));
        assert_eq!(read("-M2/5", MateCount::Moves), Some(4 - MATE));
        assert_eq!(read("-M0", MateCount::Moves), Some(-MATE));
    }
}
