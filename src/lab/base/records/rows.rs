//! Rows as lines of CSV, by serde: a column for every field, named after it.

use crate::lab::base::terminal::console::Failure;
use serde::Serialize;
use serde::de::DeserializeOwned;

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
    let failed = |error: String| Failure::new(format!("cannot write CSV: {error}"));
    let mut writer = csv::WriterBuilder::new().has_headers(names).from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).map_err(|error| failed(error.to_string()))?;
    }
    let bytes = writer.into_inner().map_err(|error| failed(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| failed(error.to_string()))
}

/// A line of names and a line for every row, for rows whose columns are known only when the program runs.
///
/// # Errors
/// If a row has another number of cells than there are names.
pub fn table(names: &[&str], rows: &[Vec<String>]) -> Result<String, Failure> {
    let failed = |error: String| Failure::new(format!("cannot write CSV: {error}"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(names).map_err(|error| failed(error.to_string()))?;
    for row in rows {
        writer.write_record(row).map_err(|error| failed(error.to_string()))?;
    }
    let bytes = writer.into_inner().map_err(|error| failed(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| failed(error.to_string()))
}

/// The cells of a row in the order of its fields, for columns with names of their own; none if it cannot be written.
#[must_use]
pub fn cells<T: Serialize>(row: &T) -> Vec<String> {
    let line = write([row], false).unwrap_or_default();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
    let cells = reader.records().next().and_then(Result::ok).unwrap_or_default();
    cells.iter().map(str::to_owned).collect()
}

/// The row of such cells; `None` if they are none.
#[must_use]
pub fn from_cells<T: DeserializeOwned>(cells: &[String]) -> Option<T> {
    csv::StringRecord::from(cells).deserialize(None).ok()
}

/// Reads a line of a file with columns of these names; `None` if it is no such row.
#[must_use]
pub fn read<T: DeserializeOwned>(names: &str, line: &str) -> Option<T> {
    let text = format!("{names}\n{line}\n");
    csv::Reader::from_reader(text.as_bytes()).deserialize().next()?.ok()
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
    fn rows_are_read_as_they_were_written() {
        let names = names::<Own>().unwrap();
        assert_eq!(names, "name,value,count");
        let row = Own { name: "MTD(f)".to_owned(), value: -7, count: u64::MAX };
        let line = write([&row], false).unwrap();
        assert_eq!(line, format!("MTD(f),-7,{}\n", u64::MAX));
        assert_eq!(read::<Own>(&names, line.trim_end()), Some(row));
        let row = Own { name: "a, b".to_owned(), value: -7, count: 3 };
        assert_eq!(cells(&row), ["a, b", "-7", "3"]);
        assert_eq!(from_cells::<Own>(&cells(&row)), Some(row));
        assert_eq!(from_cells::<Own>(&["a".to_owned(), "b".to_owned()]), None);
        for wrong in ["", "a", "a,1", "a,1,2,3", "a,1,-2", "a,b,2"] {
            assert_eq!(read::<Own>(&names, wrong), None, "{wrong}");
        }
    }
}
