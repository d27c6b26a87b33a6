//! The files of an analysis, written game by game; the parts of the page are kept until the end.

use super::annotated::Annotated;
use super::arguments::AnalyseArgs;
use super::page::Sections;
use super::record::{Extent, GameRecord};
use super::summary::Summary;
use super::{json, writer};
use crate::lab::base::records::file::{Kind, Output};
use crate::lab::base::records::fingerprint;
use crate::lab::base::records::identity::is_standard;
use crate::lab::base::terminal::console::{self, Failure};
use std::path::{Path, PathBuf};

/// The file that had the name of an output before the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Old {
    /// Nothing, or what an interruption of this analysis has left: the finished games replace it, also if
    /// they are not all.
    Replaceable,
    /// Something that only a complete file replaces.
    Kept,
}

/// A file that is being written.
struct Target {
    file: Output,
    /// The checksum of what was written.
    digest: u64,
    old: Old,
}

impl Target {
    /// Begins a file. One that is there already was written by the analysis of this record, or `overwrite`
    /// allows to replace it.
    fn create(path: &Path, record: Option<&GameRecord>, overwrite: bool) -> Result<Target, Failure> {
        let file = Output::create(path, Kind::Text)?;
        let is_there = |path: &&Path| std::fs::metadata(path).is_ok_and(|about| about.len() > 0);
        let old = match file.replaced().filter(is_there) {
            None => Old::Replaceable,
            Some(replaced) => {
                let known = record.map_or(Ok(None), |record| record.extent_of(replaced));
                match known.map_err(|error| Failure::file("read", path.display(), &error))? {
                    Some(Extent::Part) => Old::Replaceable,
                    Some(Extent::Whole) => Old::Kept,
                    None if overwrite => Old::Kept,
                    None => {
                        let path = path.display();
                        let why = format!("{path} is there already; --overwrite replaces it");
                        return Err(Failure::usage(why));
                    }
                }
            }
        };
        Ok(Target { file, digest: fingerprint::EMPTY, old })
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.digest = fingerprint::extend(self.digest, text.as_bytes());
        self.file.write(text)
    }

    /// Completes the file, unless it holds a part of the games and what is there is to be kept.
    fn finish(self, extent: Extent, record: Option<&mut GameRecord>) -> Result<(), Failure> {
        let Some(replaced) = self.file.replaced() else { return self.file.finish() };
        if extent == Extent::Part && self.old == Old::Kept {
            let path = replaced.display();
            console::note(format!("{path} stays as it was, since the new file is not complete"));
            self.file.discard();
            return Ok(());
        }
        record.map_or(Ok(()), |record| record.wrote(self.digest, extent))?;
        self.file.finish()
    }
}

/// Open files, and the games so far.
pub struct Outputs {
    pgn: Option<Target>,
    page: Option<(Target, Sections)>,
    json: Option<Target>,
    keep_marks: bool,
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
    /// If one cannot be made, or is there already and is not to be replaced.
    pub fn open(
        arguments: &AnalyseArgs,
        (settings, marks): (Vec<String>, [f64; 3]),
        record: Option<&GameRecord>,
    ) -> Result<Outputs, Failure> {
        let overwrite = arguments.overwrite || arguments.restart;
        let nothing = arguments.output.is_none() && arguments.page.is_none() && arguments.json.is_none();
        let standard = nothing.then(|| Path::new("-"));
        let create =
            |path: Option<&Path>| path.map(|path| Target::create(path, record, overwrite)).transpose();
        let pgn = create(arguments.output.as_deref().or(standard))?;
        let page = create(arguments.page.as_deref())?.map(|file| (file, Sections::default()));
        let mut json = create(arguments.json.as_deref())?;
        if let Some(json) = &mut json {
            json.write(&json::head(&settings, marks)?)?;
        }
        let (keep_marks, summary) = (arguments.keep_marks, Summary::default());
        Ok(Outputs { pgn, page, json, keep_marks, in_list: false, settings, marks, summary })
    }

    /// True if a file goes to standard output.
    #[must_use]
    pub fn use_stdout(&self) -> bool {
        let all = [&self.pgn, &self.json].into_iter().flatten();
        all.chain(self.page.as_ref().map(|(file, _)| file)).any(|target| target.file.is_stdout())
    }

    /// Writes a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn game(&mut self, annotated: &Annotated) -> Result<(), Failure> {
        self.summary.add(annotated);
        if let Some(pgn) = &mut self.pgn {
            pgn.write(&writer::write(annotated, self.keep_marks))?;
        }
        if let Some((_, sections)) = &mut self.page {
            sections.add(annotated);
        }
        if self.json.is_some() { self.element(&json::game(annotated)?) } else { Ok(()) }
    }

    /// Writes that a game could not be read.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn left_out(&mut self, number: usize, why: &str) -> Result<(), Failure> {
        if self.json.is_some() { self.element(&json::left_out(number, why)?) } else { Ok(()) }
    }

    fn element(&mut self, text: &str) -> Result<(), Failure> {
        let gap = if std::mem::replace(&mut self.in_list, true) { ",\n" } else { "\n" };
        self.json.as_mut().map_or(Ok(()), |json| json.write(&format!("{gap}{text}")))
    }

    /// Completes the files, and notes them in the record.
    ///
    /// # Errors
    /// If that fails.
    pub fn finish(mut self, extent: Extent, mut record: Option<&mut GameRecord>) -> Result<(), Failure> {
        if let Some(json) = &mut self.json {
            json.write(&json::foot(extent == Extent::Whole))?;
        }
        if let Some((file, sections)) = &mut self.page {
            file.write(&sections.page(&self.summary, (&self.settings, self.marks), extent))?;
        }
        let files = [self.pgn, self.page.map(|(file, _)| file), self.json];
        files.into_iter().flatten().try_for_each(|file| file.finish(extent, record.as_deref_mut()))
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
