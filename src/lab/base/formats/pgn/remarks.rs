//! Annotations (NAGs), marks behind moves, and variations: the parts of a game besides its main line, kept
//! for commands that write the games again. Comments are kept by the reader for every command; this is kept
//! on request ([`super::reader::GameReader::keeping_remarks`]), since it takes time and memory.

/// Most bytes of the variations of a game that are kept, and most annotations.
const MOST_BYTES: usize = 16 << 20;
const MOST_NAGS: usize = 100_000;

/// Annotations and variations of a game.
#[derive(Clone, Debug, Default)]
pub struct Remarks {
    nags: Vec<(usize, u8)>,
    variations: Vec<(usize, String)>,
    bytes: usize,
}

impl Remarks {
    /// Takes in an annotation behind so many moves.
    pub(super) fn nag(&mut self, moves: usize, number: u8) {
        if self.nags.len() < MOST_NAGS {
            self.nags.push((moves, number));
        }
    }

    /// Takes in the annotations that a word means by the marks behind its move: `Nf3!?`.
    pub(super) fn marks(&mut self, moves: usize, word: &str) {
        let at = self.nags.partition_point(|(behind, _)| *behind < moves);
        let numbers = nags_of(word).into_iter().take(MOST_NAGS - self.nags.len());
        self.nags.splice(at..at, numbers.map(|number| (moves, number)));
    }

    /// Takes in a whole variation, from its first parenthesis to its last.
    pub(super) fn variation(&mut self, moves: usize, text: String) {
        if self.bytes + text.len() <= MOST_BYTES {
            self.bytes += text.len();
            self.variations.push((moves, text));
        }
    }

    /// The numbers of the annotations behind so many moves: `$1` is 1, and so is the mark `!`.
    pub fn nags_behind(&self, moves: usize) -> impl Iterator<Item = u8> {
        let from = self.nags.partition_point(|(behind, _)| *behind < moves);
        self.nags[from..].iter().take_while(move |(behind, _)| *behind == moves).map(|(_, number)| *number)
    }

    /// The variations behind so many moves, with their parentheses; their words are as they were read, with
    /// one blank between two.
    pub fn variations_behind(&self, moves: usize) -> impl Iterator<Item = &str> {
        let from = self.variations.partition_point(|(behind, _)| *behind < moves);
        let rest = self.variations[from..].iter().take_while(move |(behind, _)| *behind == moves);
        rest.map(|(_, text)| text.as_str())
    }
}

/// Marks behind a move and the numbers of the annotations that they mean: those of the standard of PGN, and
/// 140, 142 and 146 as other programs have them. A mark that is the end of another one comes behind it.
const MARKS: [(&str, u8); 38] = [
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("!", 1),
    ("?", 2),
    ("‼", 3),
    ("⁇", 4),
    ("⁉", 5),
    ("⁈", 6),
    ("+/=", 14),
    ("=/+", 15),
    ("+/-", 16),
    ("-/+", 17),
    ("+=", 14),
    ("=+", 15),
    ("+-", 18),
    ("-+", 19),
    ("=/∞", 44),
    ("=", 10),
    ("∞", 13),
    ("⩲", 14),
    ("⩱", 15),
    ("±", 16),
    ("∓", 17),
    ("□", 7),
    ("⨀", 22),
    ("○", 26),
    ("⟳", 32),
    ("↑", 36),
    ("→", 40),
    ("⇆", 132),
    ("⊕", 138),
    ("∆", 140),
    ("△", 140),
    ("⌓", 142),
    ("TN", 146),
    ("N", 146),
];

/// The numbers of the annotations that the marks at the end of a word mean, in their order.
#[must_use]
pub fn nags_of(word: &str) -> Vec<u8> {
    let mut numbers = Vec::new();
    let mut rest = word;
    while let Some((mark, number)) = MARKS.into_iter().find(|(mark, _)| rest.ends_with(mark)) {
        let before = &rest[..rest.len() - mark.len()];
        if mark == "N" && !is_move(before.trim_end_matches(['!', '?'])) {
            break;
        }
        numbers.push(number);
        rest = before;
    }
    numbers.reverse();
    numbers
}

/// True if a word may be a whole move, so that `N` behind it is no piece that a pawn becomes.
fn is_move(word: &str) -> bool {
    let of_pawn = word.starts_with(|letter: char| letter.is_ascii_lowercase());
    let to_last_rank = word.ends_with(['1', '8']);
    word.ends_with(|last: char| last.is_ascii_digit() || "O0o+#".contains(last)) && !(of_pawn && to_last_rank)
}

/// A variation while its tokens are read.
#[derive(Debug, Default)]
pub(super) struct OpenVariation {
    text: String,
    /// True if a part of it was left out: it is none then.
    is_too_long: bool,
}

impl OpenVariation {
    /// Appends a word with a blank before it, but for the first word behind a parenthesis.
    pub(super) fn push(&mut self, word: &str) {
        if self.is_too_long || self.text.len() + word.len() >= MOST_BYTES {
            self.is_too_long = true;
            return;
        }
        if !self.text.is_empty() && !self.text.ends_with('(') && word != ")" {
            self.text.push(' ');
        }
        self.text.push_str(word);
    }

    /// Appends a comment in braces, which cannot stand in it themselves.
    pub(super) fn comment(&mut self, text: &str) {
        let text = text.replace(['{', '}'], " ");
        self.push(&format!("{{{}}}", text.trim()));
    }

    /// The text, which is then empty; `None` if it was too long.
    pub(super) fn take(&mut self) -> Option<String> {
        let OpenVariation { text, is_too_long } = std::mem::take(self);
        (!is_too_long).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::{MARKS, nags_of};
    use crate::lab::base::formats::san;

    /// A letter alone may be what is left of a move.
    #[test]
    fn every_mark_with_a_number_is_read_behind_a_move() {
        let unread = MARKS.into_iter().filter(|(mark, _)| *mark != "N" && !san::is_mark(mark));
        assert_eq!(unread.collect::<Vec<_>>(), []);
    }

    #[test]
    fn marks_behind_a_move_are_annotations_and_a_knight_is_none() {
        for (word, numbers) in [
            ("Nf3N", &[146][..]),
            ("Nxe4TN", &[146]),
            ("O-ON", &[146]),
            ("Nd2!N", &[1, 146]),
            ("Nf3!TN", &[1, 146]),
            ("e8N!", &[1]),
            ("e4!", &[1]),
            ("Nf3!?=", &[5, 10]),
            ("Nc6±", &[16]),
            ("Bb5+-", &[18]),
            ("Qh5+!", &[1]),
            ("a6+/=", &[14]),
            ("-+", &[19]),
            ("Qh5+", &[]),
            ("e8=N", &[]),
            ("e8N", &[]),
            ("e8=Q#", &[]),
            ("N", &[]),
        ] {
            assert_eq!(nags_of(word), numbers, "{word}");
        }
    }
}
