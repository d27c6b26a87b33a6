//! Words of a line of input: splitting them off, and repeating them in error messages.

/// The first word, and everything behind it.
pub(super) fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

/// A word for an error message: at most 40 characters of it.
pub(super) fn shortened(word: &str) -> String {
    const MOST: usize = 40;
    if word.chars().count() <= MOST {
        word.to_owned()
    } else {
        word.chars().take(MOST).chain(['~']).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_shortened() {
        assert_eq!(shortened(&"\u{e9}".repeat(500)).chars().count(), 41);
    }
}
