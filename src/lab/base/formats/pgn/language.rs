//! Detection of the language of a game: the words are played as moves in one language after the other, and
//! the language is the one in which all of them are legal. A single word is ambiguous: R is the rook in
//! English and the king in French.

use super::super::piece_letters::{ENGLISH, LANGUAGES};
use super::super::san::{self, Spelling};
use super::LeftOut;
use shakmaty::{Chess, Move, Position as _};

/// A game played to its end.
pub(super) struct Replayed {
    /// Its moves.
    pub(super) moves: Vec<Move>,
    /// Its last position.
    pub(super) last: Chess,
    /// Spelling of its words.
    pub(super) spelling: Spelling,
    /// Signs of check or capture behind moves that are none.
    doubts: usize,
}

/// Plays the words as moves in one spelling.
///
/// # Errors
/// The number of words that could be read.
fn replay(start: &Chess, words: &[&str], spelling: Spelling) -> Result<Replayed, usize> {
    let (moves, last) = (Vec::with_capacity(words.len()), start.clone());
    let mut replayed = Replayed { moves, last, spelling, doubts: 0 };
    for (index, word) in words.iter().enumerate() {
        let meaning = san::meaning(&replayed.last, word, spelling).ok_or(index)?;
        replayed.last.play_unchecked(meaning.played);
        replayed.doubts += usize::from(meaning.no_capture);
        replayed.doubts += usize::from(meaning.says_check && !replayed.last.is_check());
        replayed.moves.push(meaning.played);
    }
    Ok(replayed)
}

/// Plays the words as moves in the language of the game. A game whose capitals are all English is an English
/// one; else its language is that which reads all words, with the fewest doubts, and alone. Small letters are
/// read as capitals where nothing else reads the game, and all of its letters are of one size.
pub(super) fn replay_in_its_language(start: &Chess, words: &[&str]) -> Result<Replayed, LeftOut> {
    let (mut read, mut furthest) = replay_in_one_of(start, words, false, has_foreign_capitals(words));
    if read.is_none() && is_folded(words) {
        let (folded, further) = replay_in_one_of(start, words, true, true);
        (read, furthest) = (folded, furthest.max(further));
    }
    match read {
        Some(read) => read,
        // One word is the first that no spelling reads.
        None => Err(LeftOut::illegal(words.get(furthest).unwrap_or(&""), furthest, start)),
    }
}

/// Plays the words in English, or in any language if `foreign`. Beside it, how many words could be read at
/// most.
fn replay_in_one_of(
    start: &Chess,
    words: &[&str],
    folded: bool,
    foreign: bool,
) -> (Option<Result<Replayed, LeftOut>>, usize) {
    let languages = if foreign { LANGUAGES } else { &LANGUAGES[..1] };
    let (mut best, mut certain, mut furthest) = (None::<Replayed>, true, 0);
    for letters in languages {
        let other = match replay(start, words, Spelling { letters, folded }) {
            Ok(other) => other,
            Err(read) => {
                furthest = furthest.max(read);
                continue;
            }
        };
        if other.doubts == 0 && std::ptr::eq(*letters, &ENGLISH) {
            return (Some(Ok(other)), furthest);
        }
        match &best {
            Some(known) if known.moves == other.moves || known.doubts < other.doubts => {}
            Some(known) if known.doubts == other.doubts => certain = false,
            _ => (best, certain) = (Some(other), true),
        }
    }
    (best.map(|read| if certain { Ok(read) } else { Err(LeftOut::Language) }), furthest)
}

/// True if a word has a capital that is no English piece (P among them), or a letter of another script.
fn has_foreign_capitals(words: &[&str]) -> bool {
    let english =
        |letter: char| !letter.is_alphabetic() || letter.is_ascii_lowercase() || "KQRBNOX".contains(letter);
    !words.iter().all(|word| word.chars().all(english))
}

/// True if all letters are small or all are capitals, castling aside, and one of them is no file: `nf3`,
/// `E4`.
fn is_folded(words: &[&str]) -> bool {
    let small = |word: &&str| !word.contains(|letter: char| letter.is_uppercase() && letter != 'O');
    let capital = |word: &&str| !word.contains(|letter: char| letter.is_lowercase() && letter != 'x');
    let piece = |word: &&str| {
        word.starts_with(|letter: char| letter.is_lowercase() && !('a'..='h').contains(&letter))
    };
    let square = |word: &&str| word.starts_with(|letter: char| ('A'..='H').contains(&letter));
    (words.iter().all(small) && words.iter().any(piece))
        || (words.iter().all(capital) && words.iter().any(square))
}
