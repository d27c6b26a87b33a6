//! Plain-text tables that are Markdown as well.

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
            let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            text += &format!("| {} |\n", cells.join(" | "));
            if index == 0 {
                text += &format!("{}|\n", "|---".repeat(row.len()));
            }
        }
        text
    }

    /// Number of columns, from the left, that are words and not numbers.
    #[must_use]
    pub fn words(&self) -> usize {
        self.words
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let escape = |cell: &String| cell.replace('|', "\\|");
        let rows: Vec<Vec<String>> = self.rows.iter().map(|row| row.iter().map(escape).collect()).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.rows[0].len()).map(|column| width(column).max(3)).collect();
        for (index, row) in rows.iter().enumerate() {
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
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

/// Seconds, with three decimals below ten and one from there on.
#[must_use]
pub fn seconds(duration: std::time::Duration) -> String {
    let seconds = duration.as_secs_f64();
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
    fn numbers_are_grouped_and_rounded() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(percent(0.98765), "98.8");
        assert_eq!(percent(23.456), "2346");
        assert_eq!(percent(f64::NAN), "-");
        assert_eq!(seconds(std::time::Duration::from_millis(1500)), "1.500 s");
    }
}
