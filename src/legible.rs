//! Sanitised output: in text of files and of other engines, characters that move the cursor, change colours
//! or turn the direction of writing become spaces. A terminal would carry them out.

use std::borrow::Cow;

/// A text for one line: without control characters, ends of lines and tabs among them.
pub(crate) fn line(text: &str) -> Cow<'_, str> {
    without(text, commands)
}

/// A text of several lines: as [`line`], but ends of lines and tabs stay.
pub(crate) fn lines(text: &str) -> Cow<'_, str> {
    without(text, |letter| commands(letter) && !matches!(letter, '\n' | '\t'))
}

/// True for control characters (C0, DEL, C1), for separators of lines and for marks that turn the direction
/// of writing, behind which a text reads as another one.
fn commands(letter: char) -> bool {
    let turns = matches!(letter, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}');
    let separates = matches!(letter, '\u{2028}'..='\u{2029}');
    letter.is_control() || turns || separates || matches!(letter, '\u{2066}'..='\u{2069}')
}

fn without(text: &str, commands: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.contains(&commands) { Cow::Owned(text.replace(commands, " ")) } else { Cow::Borrowed(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_that_a_terminal_would_obey() {
        let all: String = (0..=0x2100).filter_map(char::from_u32).collect();
        let (one, several) = (line(&all), lines(&all));
        for text in [&one, &several] {
            assert_eq!(text.chars().count(), all.chars().count());
            assert!(!text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t')));
            assert!(!text.contains(['\u{202e}', '\u{2066}', '\u{2028}', '\u{9b}']));
        }
        assert!(!one.contains(['\n', '\t']) && several.contains('\n') && several.contains('\t'));
        assert_eq!(line("\u{1b}]0;title\u{7}"), " ]0;title ");
        assert!(matches!(lines("Kasparov – Topalov, 1–0\n"), Cow::Borrowed(_)));
    }
}
