//! The files of an analysis, written game by game; the parts of the page are kept until the end.

use super::annotated::Annotated;
use super::arguments::AnalyseArgs;
use super::page::Sections;
use super::summary::Summary;
use super::{json, writer};
use crate::lab::base::records::file::{Kind, Output};
use crate::lab::base::records::identity::is_standard;
use crate::lab::base::terminal::console::Failure;
use std::path::{Path, PathBuf};

/// Open files, and the games so far.
pub struct Outputs {
    pgn: Option<Output>,
    page: Option<(Output, Sections)>,
    json: Option<Output>,
    /// True if the list of games in the JSON file has an element.
    in_list: bool,
    settings: Vec<String>,
    marks: [f64; 3],
    /// The games so far, counted.
    pub summary: Summary,
}

impl Outputs {
    /// Opens the files; old ones stay until the new ones are complete. The games go to standard output if no
    /// file is asked for.
    ///
    /// # Errors
    /// If one cannot be made.
    pub fn open(arguments: &AnalyseArgs, settings: Vec<String>, marks: [f64; 3]) -> Result<Outputs, Failure> {
        let nothing = arguments.output.is_none() && arguments.page.is_none() && arguments.json.is_none();
        let standard = nothing.then(|| Path::new("-"));
        let create = |path: Option<&Path>| path.map(|path| Output::create(path, Kind::Text)).transpose();
        let pgn = create(arguments.output.as_deref().or(standard))?;
        let page = create(arguments.page.as_deref())?.map(|file| (file, Sections::default()));
        let mut json = create(arguments.json.as_deref())?;
        if let Some(json) = &mut json {
            json.write(json::head(&settings, marks)?)?;
        }
        let summary = Summary::default();
        Ok(Outputs { pgn, page, json, in_list: false, settings, marks, summary })
    }

    /// True if a file goes to standard output.
    #[must_use]
    pub fn use_stdout(&self) -> bool {
        let all = [&self.pgn, &self.json].into_iter().flatten();
        all.chain(self.page.as_ref().map(|(file, _)| file)).any(Output::is_stdout)
    }

    /// Writes a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn game(&mut self, annotated: &Annotated) -> Result<(), Failure> {
        self.summary.add(annotated);
        if let Some(pgn) = &mut self.pgn {
            pgn.write(writer::write(annotated))?;
        }
        if let Some((_, sections)) = &mut self.page {
            sections.add(annotated);
        }
        if self.json.is_some() { self.element(&json::game(annotated)?) } else { Ok(()) }
    }

    /// Counts a game that could not be read.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn left_out(&mut self, number: usize, why: &str) -> Result<(), Failure> {
        self.summary.left_out += 1;
        if self.json.is_some() { self.element(&json::left_out(number, why)?) } else { Ok(()) }
    }

    fn element(&mut self, text: &str) -> Result<(), Failure> {
        let gap = if std::mem::replace(&mut self.in_list, true) { ",\n" } else { "\n" };
        self.json.as_mut().map_or(Ok(()), |json| json.write(format!("{gap}{text}")))
    }

    /// Completes the files.
    ///
    /// # Errors
    /// If that fails.
    pub fn finish(mut self, complete: bool) -> Result<(), Failure> {
        if let Some(json) = &mut self.json {
            json.write(json::foot(complete))?;
        }
        if let Some((file, sections)) = &mut self.page {
            file.write(sections.page(&self.summary, &self.settings.join(" · "), self.marks))?;
        }
        let files = [self.pgn, self.page.map(|(file, _)| file), self.json];
        files.into_iter().flatten().try_for_each(Output::finish)
    }
}

/// The record beside the first file of the output; `None` where all are standard output, devices or pipes.
#[must_use]
pub fn record_beside(arguments: &AnalyseArgs) -> Option<PathBuf> {
    let files = [&arguments.output, &arguments.page, &arguments.json];
    let is_file =
        |path: &&Path| !is_standard(path) && !std::fs::metadata(path).is_ok_and(|about| !about.is_file());
    let first = files.into_iter().flatten().map(|path| -> &Path { path }).find(is_file)?;
    Some(crate::lab::base::records::identity::beside(first, ".record"))
}
