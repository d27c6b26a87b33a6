//! Output of results: files, opened before the first search so that a wrong name is reported at once, and the
//! report, which goes to standard error if a file is standard output.

use super::results::{Results, Row};
use super::{page, report};
use crate::lab::base::records::file::{Kind, Output};
use crate::lab::base::records::identity::is_standard;
use crate::lab::base::records::{json_file, rows};
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::interrupted;
use crate::lab::base::terminal::paths::OutputFile;
use crate::lab::study::suites::arguments::EpdOutput;

/// All outputs of a command line.
pub struct Outputs {
    json: Option<Output>,
    csv: Option<Output>,
    page: Option<Output>,
    /// Rows written to the CSV file.
    rows: usize,
    /// True if one of the files is standard output, so that the report goes to standard error.
    taken: bool,
}

impl Outputs {
    /// Opens the files.
    ///
    /// # Errors
    /// If one cannot be created.
    pub fn open(paths: &EpdOutput) -> Result<Outputs, Failure> {
        let mut named = [&paths.json, &paths.csv, &paths.page].into_iter().flatten();
        let taken = named.any(|path| is_standard(path));
        let create = |path: &Option<OutputFile>| {
            path.as_deref().map(|path| Output::create(path, Kind::Text)).transpose()
        };
        let csv = paths.csv.as_deref().map(|path| Output::growing(path, Kind::Text)).transpose()?;
        let (json, page) = (create(&paths.json)?, create(&paths.page)?);
        Ok(Outputs { json, csv, page, rows: 0, taken })
    }

    /// Writes a row to the CSV file at once.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn row(&mut self, row: &Row) -> Result<(), Failure> {
        let Some(csv) = &mut self.csv else { return Ok(()) };
        csv.write(rows::write([row], self.rows == 0)?)?;
        self.rows += 1;
        Ok(())
    }

    /// Writes text to where the report goes.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn tell(&self, text: &str) -> Result<(), Failure> {
        if !self.taken {
            return console::out(text);
        }
        console::aside(text);
        Ok(())
    }

    /// Writes JSON and page, which need all rows, and the report. If one of them fails, the others are
    /// written all the same. Of a run that was interrupted before its first row the files stay as they were.
    ///
    /// # Errors
    /// The first failure.
    pub fn finish(mut self, results: &Results) -> Result<(), Failure> {
        if results.rows.is_empty() && interrupted() {
            [&mut self.json, &mut self.csv, &mut self.page].into_iter().for_each(Output::discard_file);
        }
        let told = self.tell(&report::report(results));
        let end = |file: Option<Output>, text: &dyn Fn() -> Result<String, Failure>| {
            let Some(mut file) = file else { return Ok(()) };
            file.write(text()?)?;
            file.finish()
        };
        let json = end(self.json, &|| json_file::text(results));
        let page = end(self.page, &|| Ok(page::page(results)));
        // The results of a share without positions can be merged too.
        let rows = self.rows;
        let names = || if rows == 0 { Ok(rows::names::<Row>()? + "\n") } else { Ok(String::new()) };
        let csv = end(self.csv, &names);
        json.and(page).and(csv).and(told)
    }
}
