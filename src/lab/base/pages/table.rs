//! Plain-text tables that are Markdown as well.

use crate::legible;
use std::borrow::Cow;
use std::fmt;

/// A table: headings, and rows of as many cells. The first column is aligned to the left, the others to the
/// right unless they are words.
#[derive(Clone, Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
    words: usize,
}

impl Table {
    /// A table with headings; its first `words` columns are aligned to the left.
    pub fn new<S: Into<String>>(words: usize, headings: impl IntoIterator<Item = S>) -> Table {
        Table { rows: vec![headings.into_iter().map(Into::into).collect()], words }
    }

    /// Appends a row; missing cells are empty, superfluous ones are dropped.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let columns = self.rows[0].len();
        let mut row: Vec<String> = cells.into_iter().map(Into::into).collect();
        row.resize(columns, String::new());
        self.rows.push(row);
    }

    /// True if there are only headings.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.len() == 1
    }

    /// The headings, and after them the rows.
    #[must_use]
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// The table as Markdown without the spaces that align it: for long cells.
    #[must_use]
    pub fn compact(&self) -> String {
        let mut text = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            let cells: Vec<String> = row.iter().map(|cell| escaped(cell)).collect();
            text += &format!("| {} |\n", cells.join(" | "));
            if index == 0 {
                text += &format!("{}|\n", "|---".repeat(row.len()));
            }
        }
        text
    }

    /// The table in lines of at most `width` characters where that can be: one that is wider is broken into
    /// several, each with the first columns (words, or one), or the widest words into several lines.
    #[must_use]
    pub fn within(&self, width: usize) -> String {
        let widths = self.widths();
        let of = |columns: &[usize]| columns.iter().map(|&column| widths[column] + 3).sum::<usize>() + 1;
        let all: Vec<usize> = (0..widths.len()).collect();
        if of(&all) <= width {
            return self.to_string();
        }
        let (labels, numbers) = all.split_at(self.words.max(1).min(all.len()));
        if of(labels) + NARROWEST > width || numbers.is_empty() {
            return self.with_broken_words(width, &widths);
        }
        let mut parts = vec![labels.to_vec()];
        for &column in numbers {
            let last = parts.len() - 1;
            if parts[last].len() > labels.len() && of(&parts[last]) + widths[column] + 3 > width {
                parts.push(labels.to_vec());
            }
            if let Some(part) = parts.last_mut() {
                part.push(column);
            }
        }
        parts.iter().map(|part| self.columns(part).to_string()).collect::<Vec<_>>().join("\n")
    }

    /// Some of the columns.
    fn columns(&self, columns: &[usize]) -> Table {
        let row = |row: &Vec<String>| columns.iter().map(|&column| row[column].clone()).collect();
        Table { rows: self.rows.iter().map(row).collect(), words: self.words.min(columns.len()) }
    }

    /// The table with the widest column of words broken into lines, so that all columns fit; as it is where
    /// they do not.
    fn with_broken_words(&self, width: usize, widths: &[usize]) -> String {
        let widest = (0..self.words.min(widths.len())).max_by_key(|&column| widths[column]);
        let whole = widths.iter().map(|width| width + 3).sum::<usize>() + 1;
        let room =
            |column: usize| (widths[column] + width).checked_sub(whole).filter(|&room| room >= NARROWEST);
        let Some((widest, room)) = widest.and_then(|column| Some((column, room(column)?))) else {
            return self.to_string();
        };
        let mut rows = Vec::new();
        for row in &self.rows {
            for (index, line) in lines(&row[widest], room).into_iter().enumerate() {
                let mut broken = if index == 0 { row.clone() } else { vec![String::new(); row.len()] };
                broken[widest] = line;
                rows.push(broken);
            }
        }
        Table { rows, words: self.words }.to_string()
    }

    /// Characters of the widest cell of each column, as they are written.
    fn widths(&self) -> Vec<usize> {
        let written = |row: &Vec<String>, column: usize| written(&row[column]).chars().count();
        let width = |column| self.rows.iter().map(|row| written(row, column)).max().unwrap_or(0).max(3);
        (0..self.rows[0].len()).map(width).collect()
    }

    /// Number of columns, from the left, that are words and not numbers.
    #[must_use]
    pub fn words(&self) -> usize {
        self.words
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        for (index, row) in self.rows.iter().enumerate() {
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                let cell = written(cell);
                if column < self.words {
                    write!(f, "| {cell:<width$} ")?;
                } else {
                    write!(f, "| {cell:>width$} ")?;
                }
            }
            writeln!(f, "|")?;
            if index == 0 {
                for (column, &width) in widths.iter().enumerate() {
                    let dashes = "-".repeat(width + 1);
                    if column < self.words { write!(f, "|{dashes}-")? } else { write!(f, "|{dashes}:")? }
                }
                writeln!(f, "|")?;
            }
        }
        Ok(())
    }
}

/// Characters that a column has at least where a table is narrowed.
const NARROWEST: usize = 16;

/// Characters of a cell that are written in an aligned table; the rest is cut. Every row is filled up to the
/// widest cell, and the standard library fills up to 65,535 characters only.
const WIDEST: usize = 200;

/// A cell as an aligned table has it: in one line, and not longer than [`WIDEST`].
fn written(cell: &str) -> String {
    let cut = cell.char_indices().nth(WIDEST).map(|(end, _)| format!("{}…", &cell[..end]));
    escaped(&cut.map_or(Cow::Borrowed(cell), Cow::Owned))
}

/// A cell in one line, with its bars marked as text.
fn escaped(cell: &str) -> String {
    legible::line(cell).replace('|', "\\|")
}

/// A text in lines of at most `room` characters, broken between words.
fn lines(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if lines[last].is_empty() {
            lines[last].push_str(word);
        } else if lines[last].chars().count() + 1 + word.chars().count() <= room {
            lines[last] += &format!(" {word}");
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// A ratio as a percentage, one digit after the point below 1000.
#[must_use]
pub fn percent(ratio: f64) -> String {
    let value = ratio * 100.0;
    if !value.is_finite() {
        return "-".to_owned();
    }
    if value < 999.95 { format!("{value:.1}") } else { format!("{value:.0}") }
}

/// A count with its thousands set apart.
#[must_use]
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The least processor time that means something: clocks of some systems tick every few milliseconds.
pub const LEAST_CPU: std::time::Duration = std::time::Duration::from_millis(5);

/// Seconds of processor time, with three decimals below ten and one from there on; a dash below
/// [`LEAST_CPU`].
#[must_use]
pub fn seconds(duration: std::time::Duration) -> String {
    let seconds = duration.as_secs_f64();
    if duration < LEAST_CPU {
        return "-".to_owned();
    }
    if seconds < 10.0 { format!("{seconds:.3} s") } else { format!("{seconds:.1} s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(1, ["backend", "leaves"]);
        table.row(["MTD(f)", "98.0"]);
        table.row(["a|b"]);
        let wanted = "\
| backend | leaves |
|---------|-------:|
| MTD(f)  |   98.0 |
| a\\|b    |        |
";
        assert_eq!(table.to_string(), wanted);
        assert!(!table.is_empty());
    }

    #[test]
    fn a_cell_of_any_length_is_shown_and_a_long_one_is_cut() {
        for length in [WIDEST, WIDEST + 1, 65_535, 65_536, 1 << 20] {
            let mut table = Table::new(1, ["position", "line"]);
            table.row([&"é|".repeat(length / 2 + 1), "1"]);
            table.row(["short", "2"]);
            let text = table.to_string();
            assert_eq!(text.lines().count(), 4);
            assert!(text.lines().all(|line| line.chars().count() < 2 * WIDEST), "{length}");
            assert_eq!(text.matches('…').count(), 1, "{length}");
            assert!(table.within(80).lines().count() >= 4);
            assert!(
                table.compact().contains(&"é\\|".repeat(length / 2 + 1)),
                "whole where nothing is aligned"
            );
        }
    }

    #[test]
    fn a_cell_is_one_line_without_control_characters() {
        let mut table = Table::new(1, ["position", "line"]);
        table.row(["\u{1b}[31mred\r\nand\u{9b}2J", "1"]);
        for text in [table.to_string(), table.within(20), table.compact()] {
            assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
            assert!(text.lines().all(|line| line.starts_with('|') && line.ends_with('|')), "{text}");
        }
    }

    #[test]
    fn numbers_are_grouped_and_rounded() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(percent(0.98765), "98.8");
        assert_eq!(percent(23.456), "2346");
        assert_eq!(percent(f64::NAN), "-");
        assert_eq!(seconds(std::time::Duration::from_millis(1500)), "1.500 s");
        assert_eq!(seconds(std::time::Duration::from_millis(4)), "-", "clocks say nothing of so little");
    }

    #[test]
    fn a_wide_table_is_broken_into_lines_that_fit() {
        let mut table = Table::new(1, ["driver", "leaves", "total", "passes"]);
        table.row(["MTD(f)", "123,456", "1,234,567", "3.5"]);
        assert_eq!(table.within(80), table.to_string());
        let wanted = "\
| driver |  leaves |
|--------|--------:|
| MTD(f) | 123,456 |

| driver |     total |
|--------|----------:|
| MTD(f) | 1,234,567 |

| driver | passes |
|--------|-------:|
| MTD(f) |    3.5 |
";
        assert_eq!(table.within(26), wanted);
    }

    #[test]
    fn long_words_are_broken_into_lines() {
        let mut table = Table::new(2, ["name", "about", "units"]);
        table.row(["guess", "tree size against the error of the first guess", "80"]);
        let text = table.within(45);
        assert!(text.lines().all(|line| line.len() <= 45), "{text}");
        assert!(text.contains("| guess | tree size against the"), "{text}");
        assert!(text.contains("|       |"), "{text}");
        assert_eq!(text.split_whitespace().filter(|word| word.contains("guess")).count(), 2);
    }
}
