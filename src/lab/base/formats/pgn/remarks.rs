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
        let move_ends = word.trim_end_matches(['!', '?']).len();
        if let Some(number) = nag_of(&word[move_ends..]).filter(|_| self.nags.len() < MOST_NAGS) {
            let at = self.nags.partition_point(|(behind, _)| *behind < moves);
            self.nags.insert(at, (moves, number));
        }
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

/// The number of the annotation that a mark behind a move means, as the standard of PGN has it.
#[must_use]
pub fn nag_of(mark: &str) -> Option<u8> {
    let place = ["!", "?", "!!", "??", "!?", "?!"].iter().position(|&known| known == mark)?;
    u8::try_from(place + 1).ok()
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
