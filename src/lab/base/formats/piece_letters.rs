//! Letters of the pieces in the languages in which games are written down, and the figurines, which are the
//! same in all.
//!
//! The letters of one language are other pieces in the next (R is the rook in English, the king in French,
//! the knight in Finnish), so that a language is never chosen for one move: [`super::pgn`] chooses it by all
//! moves of a game.

use shakmaty::Role;

/// The letters of the pieces in a language.
#[derive(Debug, PartialEq, Eq)]
pub struct PieceLetters {
    /// The languages, for messages.
    pub language: &'static str,
    /// King, queen, rook, bishop, knight. The pawn has no letter in games, where it would be a piece of the
    /// next language.
    letters: &'static [(&'static str, Role)],
}

macro_rules! letters {
    ($language:literal: $king:literal $queen:literal $rook:literal $bishop:literal $knight:literal
        $($pawn:literal)?) => {
        PieceLetters {
            language: $language,
            letters: &[
                ($king, Role::King),
                ($queen, Role::Queen),
                ($rook, Role::Rook),
                ($bishop, Role::Bishop),
                ($knight, Role::Knight),
                $(($pawn, Role::Pawn),)?
            ],
        }
    };
}

/// English, in which PGN is written by its standard.
pub static ENGLISH: PieceLetters = letters!("English": "K" "Q" "R" "B" "N");

/// English with P for the pawn, as the standard allows it. In Dutch P is the knight.
pub static ENGLISH_WITH_PAWNS: PieceLetters = letters!("English with P": "K" "Q" "R" "B" "N" "P");

/// Russian, whose knight has one letter or two.
static RUSSIAN: PieceLetters = PieceLetters {
    language: "Russian",
    letters: &[
        ("Кр", Role::King),
        ("Ф", Role::Queen),
        ("Л", Role::Rook),
        ("С", Role::Bishop),
        ("Кн", Role::Knight),
        ("К", Role::Knight),
    ],
};

/// The languages, English first.
pub static LANGUAGES: &[&PieceLetters] = &[
    &ENGLISH,
    &ENGLISH_WITH_PAWNS,
    &letters!("German, Danish, Norwegian or Swedish": "K" "D" "T" "L" "S"),
    &letters!("French": "R" "D" "T" "F" "C"),
    &letters!("Spanish, Italian or Catalan": "R" "D" "T" "A" "C"),
    &letters!("Dutch": "K" "D" "T" "L" "P"),
    &letters!("Portuguese": "R" "D" "T" "B" "C"),
    &RUSSIAN,
    &letters!("Polish": "K" "H" "W" "G" "S"),
    &letters!("Czech or Slovak": "K" "D" "V" "S" "J"),
    &letters!("Hungarian": "K" "V" "B" "F" "H"),
    &letters!("Croatian, Serbian or Slovene": "K" "D" "T" "L" "S"),
    &letters!("Romanian": "R" "D" "T" "N" "C"),
    &letters!("Finnish": "K" "D" "T" "L" "R"),
    &letters!("Estonian": "K" "L" "V" "O" "R"),
    &letters!("Latvian": "K" "D" "T" "L" "Z"),
    &letters!("Lithuanian": "K" "V" "B" "R" "Ž"),
    &letters!("Icelandic": "K" "D" "H" "B" "R"),
    &letters!("Turkish": "Ş" "V" "K" "F" "A"),
    &letters!("Ukrainian": "Кр" "Ф" "Т" "С" "К"),
    &letters!("Bulgarian": "Ц" "Д" "Т" "О" "К"),
    &letters!("Serbian or Macedonian": "К" "Д" "Т" "Л" "С"),
    &letters!("Greek": "Ρ" "Β" "Π" "Α" "Ι"),
    &letters!("Indonesian": "R" "M" "B" "G" "K"),
    &letters!("Esperanto": "R" "D" "T" "K" "Ĉ"),
];

/// The pieces in the order of the figurines in Unicode, which has those of White first.
const FIGURINES: [Role; 6] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// The piece of a figurine, of either colour.
fn figurine(letter: char) -> Option<Role> {
    let place = "♔♕♖♗♘♙♚♛♜♝♞♟".chars().position(|figurine| figurine == letter)?;
    Some(FIGURINES[place % FIGURINES.len()])
}

/// A sign behind a figurine that asks for text in place of a picture.
const AS_TEXT: char = '\u{fe0e}';

impl PieceLetters {
    /// The piece at the beginning of a text, and what follows it. `folded`: small letters are read as
    /// capitals.
    #[must_use]
    pub fn split<'t>(&self, text: &'t str, folded: bool) -> Option<(Role, &'t str)> {
        let first = text.chars().next()?;
        if let Some(role) = figurine(first) {
            return Some((role, text[first.len_utf8()..].trim_start_matches(AS_TEXT)));
        }
        self.letters.iter().find_map(|&(letters, role)| {
            let rest = strip(text, letters, folded)?;
            Some((role, rest))
        })
    }
}

/// The rest of a text that begins with `letters`.
fn strip<'t>(text: &'t str, letters: &str, folded: bool) -> Option<&'t str> {
    if !folded {
        return text.strip_prefix(letters);
    }
    let mut rest = text.chars();
    for letter in letters.chars() {
        let found = rest.next()?;
        if found != letter && !found.to_uppercase().eq(letter.to_uppercase()) {
            return None;
        }
    }
    Some(rest.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_language_has_one_letter_for_two_pieces() {
        for language in LANGUAGES {
            for (index, (letters, _)) in language.letters.iter().enumerate() {
                for (other, _) in &language.letters[..index] {
                    // A longer one that begins alike has to stand first.
                    assert!(!letters.starts_with(other), "{}: {letters}", language.language);
                }
            }
        }
    }

    #[test]
    fn letters_are_pieces_by_language() {
        let split = |language: usize, text| LANGUAGES[language].split(text, false);
        assert_eq!(split(0, "Rd1"), Some((Role::Rook, "d1")));
        assert_eq!(split(3, "Rd1"), Some((Role::King, "d1")));
        assert_eq!(split(7, "Крd1"), Some((Role::King, "d1")));
        assert_eq!(split(7, "Кd4"), Some((Role::Knight, "d4")));
        assert_eq!(split(2, "♞f6"), Some((Role::Knight, "f6")));
        assert_eq!(split(0, "♘\u{fe0e}f3"), Some((Role::Knight, "f3")));
        assert_eq!(split(0, "Sf3"), None);
        assert_eq!(split(0, "nf3"), None);
        assert_eq!(ENGLISH.split("nf3", true), Some((Role::Knight, "f3")));
    }
}
