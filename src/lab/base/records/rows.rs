//! Rows as lines of CSV or as cells, by serde: a column for every field, named after it.
//!
//! A cell of words that begins with `=`, `+`, `-`, `@`, a tab or a carriage return has an apostrophe before
//! it, since spreadsheets would take it for a formula (OWASP, CSV Injection): names come from files of
//! others. [`plain`] takes it off again. Numbers stay numbers.

use crate::lab::base::terminal::console::Failure;
use csv::StringRecord;
use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// The names of the columns, separated by commas.
///
/// # Errors
/// If a row cannot be written as a line.
pub fn names<T: Serialize + Default>() -> Result<String, Failure> {
    let text = write([&T::default()], true)?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

/// Rows as lines, with the line of names before them or without it.
///
/// # Errors
/// If a row cannot be written as a line.
pub fn write<'a, T: Serialize + 'a>(
    rows: impl IntoIterator<Item = &'a T>,
    names: bool,
) -> Result<String, Failure> {
    let text = serialized(rows, names)?;
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    joined(reader.records())
}

/// Rows as lines, the cells as they are.
fn serialized<'a, T: Serialize + 'a>(
    rows: impl IntoIterator<Item = &'a T>,
    names: bool,
) -> Result<String, Failure> {
    let mut writer = csv::WriterBuilder::new().has_headers(names).from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).map_err(failed)?;
    }
    String::from_utf8(writer.into_inner().map_err(failed)?).map_err(failed)
}

/// Records as lines, their cells safe for spreadsheets.
fn joined(records: impl IntoIterator<Item = csv::Result<StringRecord>>) -> Result<String, Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in records {
        writer
            .write_record(record.map_err(failed)?.iter().map(|cell| guarded(cell).into_owned()))
            .map_err(failed)?;
    }
    String::from_utf8(writer.into_inner().map_err(failed)?).map_err(failed)
}

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::new(format!("cannot write CSV: {error}"))
}

/// True for a cell that a spreadsheet would take for a formula, or that is one behind apostrophes.
fn is_formula(cell: &str) -> bool {
    let bare = cell.trim_start_matches('\'');
    bare.starts_with(['=', '+', '-', '@', '\t', '\r'])
        && (bare.len() < cell.len() || cell.parse::<f64>().is_err())
}

/// The cell as it is written.
fn guarded(cell: &str) -> Cow<'_, str> {
    if is_formula(cell) { Cow::Owned(format!("'{cell}")) } else { Cow::Borrowed(cell) }
}

/// The cell as it was before it was written.
#[must_use]
pub fn plain(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|_| is_formula(cell)).unwrap_or(cell)
}

/// Reads text whose first line has the names of the columns.
///
/// # Errors
/// If a row has another number of cells, or one that its column does not have.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<Vec<T>, csv::Error> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = reader.headers()?.clone();
    let read = |written: StringRecord| {
        let mut row: StringRecord = written.iter().map(plain).collect();
        row.set_position(written.position().cloned());
        row.deserialize(Some(&names))
    };
    reader.records().map(|row| row.and_then(read)).collect()
}

/// A line of names and a line for every row, for rows whose columns are known only when the program runs.
///
/// # Errors
/// If a row has another number of cells than there are names.
pub fn table(names: &[&str], rows: &[Vec<String>]) -> Result<String, Failure> {
    let rows = rows.iter().map(|row| StringRecord::from(row.as_slice()));
    joined(std::iter::once(StringRecord::from(names)).chain(rows).map(Ok))
}

/// The cells of rows.
///
/// # Errors
/// If a row cannot be written as a line.
pub fn cells<'a, T: Serialize + 'a>(
    rows: impl IntoIterator<Item = &'a T>,
) -> Result<Vec<Vec<String>>, Failure> {
    let text = serialized(rows, false)?;
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    reader.deserialize().collect::<Result<_, _>>().map_err(failed)
}

/// The row of such cells, in columns of these names.
///
/// # Errors
/// If they are no such row: the cell that cannot be read, and why.
pub fn from_cells<T: DeserializeOwned>(names: &[&str], cells: &[String]) -> Result<T, String> {
    if cells.len() != names.len() {
        return Err(format!("{} cells instead of {}", cells.len(), names.len()));
    }
    StringRecord::from(cells).deserialize(None).map_err(|error| match error.kind() {
        csv::ErrorKind::Deserialize { err, .. } => {
            let at = err.field().and_then(|field| usize::try_from(field).ok());
            let cell = at.and_then(|at| Some(format!("{} is '{}': ", names.get(at)?, cells.get(at)?)));
            cell.unwrap_or_else(|| format!("'{}': ", cells.join(","))) + &err.kind().to_string()
        }
        _ => error.to_string(),
    })
}

/// Reads a line of a file with columns of these names; `None` if it is no such row.
#[must_use]
pub fn read<T: DeserializeOwned>(names: &str, line: &str) -> Option<T> {
    let rows = parse(&format!("{names}\n{line}\n")).ok()?;
    rows.into_iter().next()
}

/// A number as rows have it, with so many digits behind the point (for `serialize_with`).
///
/// # Errors
/// Those of the serializer.
pub fn rounded<const DIGITS: usize, S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{number:.DIGITS$}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    struct Own {
        name: String,
        value: i32,
        count: u64,
    }

    #[test]
    fn words_that_a_spreadsheet_would_take_for_a_formula_have_an_apostrophe() {
        let names = names::<Own>().unwrap();
        for (cell, written) in [
            ("=1+1", "'=1+1"),
            ("+x", "'+x"),
            ("-", "'-"),
            ("@SUM(1)", "'@SUM(1)"),
            ("\tx", "'\tx"),
            ("'=x", "''=x"),
            ("'x", "'x"),
            ("a=b", "a=b"),
            ("-7", "-7"),
            ("+0.5e3", "+0.5e3"),
            ("=\"a\",b", "\"'=\"\"a\"\",b\""),
            ("\rx", "\"'\rx\""),
        ] {
            let row = Own { name: cell.to_owned(), value: -7, count: 3 };
            let line = write([&row], false).unwrap();
            assert_eq!(line, format!("{written},-7,3\n"), "{cell}");
            assert_eq!(
                table(&["a", "b"], &[vec![cell.to_owned(), "-7".to_owned()]]).unwrap(),
                format!("a,b\n{written},-7\n")
            );
            assert_eq!(read::<Own>(&names, line.trim_end()), Some(row));
        }
        let old = read::<Own>(&names, "=x,-7,3").unwrap();
        assert_eq!(old.name, "=x", "as files of older versions have it");
    }

    #[test]
    fn rows_are_read_as_they_were_written() {
        let names = names::<Own>().unwrap();
        assert_eq!(names, "name,value,count");
        let row = Own { name: "MTD(f)".to_owned(), value: -7, count: u64::MAX };
        let line = write([&row], false).unwrap();
        assert_eq!(line, format!("MTD(f),-7,{}\n", u64::MAX));
        assert_eq!(read::<Own>(&names, line.trim_end()), Some(row));
        for wrong in ["", "a", "a,1", "a,1,2,3", "a,1,-2", "a,b,2"] {
            assert_eq!(read::<Own>(&names, wrong), None, "{wrong}");
        }
    }

    #[test]
    fn cells_are_read_as_they_were_written_or_refused_with_the_column() {
        let rows = [("a, b", -7, 3), ("", 0, 0)].map(|(name, value, count)| Own {
            name: name.to_owned(),
            value,
            count,
        });
        let written = cells(&rows).unwrap();
        assert_eq!(written, [["a, b", "-7", "3"], ["", "0", "0"]]);
        let names = ["name", "value (units)", "count"];
        let read = |cells: &[&str]| {
            from_cells::<Own>(&names, &cells.iter().map(|&cell| cell.to_owned()).collect::<Vec<_>>())
        };
        for (row, cells) in rows.into_iter().zip(&written) {
            assert_eq!(from_cells(&names, cells), Ok(row));
        }
        for (wrong, why) in [
            (&["a", "x", "2"][..], "value (units) is 'x': invalid digit found in string"),
            (&["a", "1", "-2"], "count is '-2': invalid digit found in string"),
            (&["a", "1"], "2 cells instead of 3"),
            (&["a", "1", "2", "3"], "4 cells instead of 3"),
        ] {
            assert_eq!(read(wrong), Err(why.to_owned()));
        }
    }

    #[test]
    fn numbers_have_the_digits_of_their_column() {
        #[derive(Serialize)]
        struct Timed(
            #[serde(serialize_with = "rounded::<6, _>")] f64,
            #[serde(serialize_with = "rounded::<1, _>")] f64,
        );
        assert_eq!(cells(&[Timed(0.25, 7.06)]).unwrap(), [["0.250000", "7.1"]]);
    }
}
