//! PGN writer: tag pairs, and moves broken into lines. The caller decides what they contain.

/// Longest line of moves in letters, as the standard for export demands.
pub const WIDTH: usize = 80;

/// A tag pair as a line. Every value that was read from a file is read again as it is; the caller leaves out
/// control characters of other sources.
#[must_use]
pub fn tag(name: &str, value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{name} \"{value}\"]\n")
}

/// Moves, comments and the result, in lines.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    text: String,
    column: usize,
}

impl Lines {
    /// Appends a part, in the next line where it does not fit. A part is not divided.
    pub fn put(&mut self, part: &str) {
        let length = part.chars().count();
        if self.column > 0 && self.column + 1 + length > WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(part);
        self.column += length;
    }

    /// The lines, and an empty one that ends the game.
    #[must_use]
    pub fn finish(self) -> String {
        self.text + "\n\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_put_into_lines_that_are_as_long_as_they_may_be() {
        let mut lines = Lines::default();
        [40, 39, 1, 90, 2].iter().for_each(|&length| lines.put(&"x".repeat(length)));
        let text = lines.finish();
        let lengths: Vec<usize> = text.lines().map(str::len).collect();
        assert_eq!(lengths, [80, 1, 90, 2, 0]);
    }

    #[test]
    fn quotes_and_backslashes_of_a_value_are_escaped() {
        assert_eq!(tag("White", "A \"B\" \\ C"), "[White \"A \\\"B\\\" \\\\ C\"]\n");
    }
}
