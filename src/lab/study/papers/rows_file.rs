//! Raw rows of an experiment on disk, as CSV: `DIR/NAME.csv`. A file begins with comment lines that name the
//! experiment, its scale and the program; every finished unit is appended at once. Shares of several machines
//! are joined here. The experiments define the meaning of the numbers, and check whether they can read a row.

use super::experiment::{AnyExperiment, Cells, Scale, Section, Unit};
use crate::lab::base::records::fingerprint;
use crate::lab::base::records::head::{Head, Mismatch, text_of};
use crate::lab::base::records::journal::{EARLIER, Journal, Refusal, RowInGroup, read_rows};
use crate::lab::base::terminal::console::Failure;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The first words of every file of raw rows.
pub const TITLE: &str = "# plumb lab";

/// The beginning of the line of the head that says which build has measured.
const PROGRAM: &str = "# program ";

/// The beginning of the comment lines that say when and where rows were measured.
const RUN: &str = "# run ";

/// A finished unit: its index, and its rows.
pub type Done = (usize, Vec<Cells>);

/// An experiment at a scale.
pub struct ExperimentPlan {
    /// The experiment.
    pub experiment: &'static dyn AnyExperiment,
    /// Scale of the protocol.
    pub scale: Scale,
    /// The units at this scale.
    pub units: Vec<Unit>,
}

/// Contents of a file of raw rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LedgerContents {
    /// The finished units, each once, in the order of the file.
    pub done: Vec<Done>,
    /// Date and machine of each run, a line each.
    pub runs: Vec<String>,
    /// The line of the head that says which build has measured; `None` for this one.
    build: Option<String>,
    /// Bytes up to the end of the last complete unit.
    complete: usize,
}

impl LedgerContents {
    /// All rows in the order of the units, whatever the order of the file.
    #[must_use]
    pub fn rows(&self) -> Vec<Cells> {
        let mut done: Vec<&Done> = self.done.iter().collect();
        done.sort_by_key(|(unit, _)| *unit);
        done.into_iter().flat_map(|(_, rows)| rows.clone()).collect()
    }

    /// True if a unit is finished.
    #[must_use]
    pub fn has(&self, unit: usize) -> bool {
        self.done.iter().any(|(done, _)| *done == unit)
    }
}

impl ExperimentPlan {
    /// The plan of an experiment at a scale.
    #[must_use]
    pub fn new(experiment: &'static dyn AnyExperiment, scale: Scale) -> ExperimentPlan {
        ExperimentPlan { experiment, scale, units: experiment.units(scale) }
    }

    /// The head of the file. A file with another head holds other numbers.
    pub(super) fn head(&self) -> Head {
        self.head_of(&format!("{PROGRAM}{:016x}", fingerprint::program()))
    }

    /// The head of a file that the build with this line has measured.
    fn head_of(&self, build: &str) -> Head {
        let names: Vec<&str> = self.units.iter().map(|unit| unit.name.as_str()).collect();
        let units = fingerprint::digest(names.join("\n").as_bytes());
        let columns = self.experiment.about().columns.iter().map(|column| column.replace(',', ";"));
        let columns: Vec<String> = columns.collect();
        let text = format!(
            "{TITLE} {}\n# version {}\n{build}\n# scale {}\n# {} units {units:016x}\n",
            self.experiment.about().name,
            env!("CARGO_PKG_VERSION"),
            self.scale.name(),
            self.units.len(),
        );
        Head::from_text(TITLE, text).with_columns(&format!("unit,left,{}", columns.join(",")))
    }

    /// The lines of a finished unit. In the second column is how many rows of the unit follow.
    fn entry(&self, (unit, rows): &Done) -> Result<String, Failure> {
        let (name, columns) = (&self.units[*unit].name, self.experiment.about().columns.len());
        let mut text = String::new();
        for (index, row) in rows.iter().enumerate() {
            let clean = |cell: &String| !cell.contains([',', '\n', '\r']);
            if row.len() != columns || !row.iter().all(clean) {
                let of = format!("experiment {}, unit {name}", self.experiment.about().name);
                return Err(Failure::new(format!("{of}: {row:?} is no row; this is an error in Plumb")));
            }
            let _ = writeln!(text, "{name},{},{}", rows.len() - 1 - index, row.join(","));
        }
        Ok(text)
    }

    /// Reads a file. With `any_build`, another build of the program may have written it, also an earlier one
    /// whose checksums leave out the head.
    fn read(&self, bytes: &[u8], any_build: bool) -> Result<LedgerContents, String> {
        let read = match self.read_with(&self.head(), bytes, any_build) {
            Err(Refusal::Earlier) if any_build => self.read_with(&self.head().uncovered(), bytes, any_build),
            read => read,
        };
        read.map_err(in_words)
    }

    fn read_with(&self, head: &Head, bytes: &[u8], any_build: bool) -> Result<LedgerContents, Refusal> {
        let (mut contents, mut rows) = (LedgerContents::default(), Vec::new());
        let same = |found: &str, wanted: &str| {
            found == wanted || (any_build && [found, wanted].iter().all(|line| line.starts_with(PROGRAM)))
        };
        contents.complete = read_rows(bytes, head, same, |line| {
            if let Some(run) = line.strip_prefix(RUN) {
                contents.runs.push(run.to_owned());
                // The beginning of a run closes a unit that an earlier one has left open.
                rows.clear();
                return Ok(RowInGroup::Last);
            }
            let (unit, left, row) = self.read_row(line)?;
            rows.push(row);
            if left > 0 {
                return Ok(RowInGroup::Inner);
            }
            let rows = std::mem::take(&mut rows);
            if !contents.has(unit) {
                contents.done.push((unit, rows));
            }
            Ok(RowInGroup::Last)
        })?;
        Ok(contents)
    }

    /// The unit of a line, how many rows of it follow, and its row.
    fn read_row(&self, line: &str) -> Result<(usize, usize, Cells), String> {
        let mut cells = line.split(',').map(str::to_owned);
        let (name, left) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default());
        let unit = self.units.iter().position(|unit| unit.name == name);
        let (Some(unit), Ok(left)) = (unit, left.parse()) else {
            return Err(format!("'{line}' is no row of experiment {}", self.experiment.about().name));
        };
        let row: Cells = cells.collect();
        self.experiment.check(&row).map_err(|why| format!("unit {name}: {why}"))?;
        Ok((unit, left, row))
    }
}

/// Reason for which the rows of a file are refused, in words.
fn in_words(refusal: Refusal) -> String {
    match refusal {
        Refusal::Head(Mismatch::Kind) => "is there already and holds no rows of plumb lab".to_owned(),
        Refusal::Head(Mismatch::Work { found, wanted }) => {
            let of_build = |line: &str| line.starts_with(PROGRAM.trim_start_matches("# "));
            if of_build(&found) && of_build(&wanted) {
                return "was begun by another build of plumb, which may count differently".to_owned();
            }
            format!("holds other numbers ('{found}', now '{wanted}')")
        }
        Refusal::Line(why) => why,
        Refusal::Earlier => EARLIER.to_owned(),
    }
}

/// The line of the head of a file that begins so.
fn head_line<'a>(text: &'a str, beginning: &str) -> Option<&'a str> {
    text.lines().take_while(|line| line.starts_with('#')).find(|line| line.starts_with(beginning))
}

/// The scale that a file says it holds.
fn scale_of(text: &str) -> Option<Scale> {
    let line = head_line(text, "# scale ")?;
    [Scale::Quick, Scale::Full].into_iter().find(|scale| line.ends_with(&format!(" {}", scale.name())))
}

/// An open file of raw rows.
pub struct RowsFile {
    journal: Journal,
}

impl RowsFile {
    /// Opens a file for a plan, and reads what it holds already; with `restart` that is dropped.
    pub fn open(
        path: &Path,
        plan: &ExperimentPlan,
        restart: bool,
    ) -> Result<(RowsFile, LedgerContents), Failure> {
        let (mut journal, bytes) = Journal::open(path, restart)?;
        let contents = plan.read(&bytes, false).map_err(|why| {
            Failure::new(format!(
                "{} {why}; --restart begins anew, --out names another folder",
                path.display()
            ))
        })?;
        journal.go_on(contents.complete, &plan.head())?;
        Ok((RowsFile { journal }, contents))
    }

    /// Notes when and where the rows that follow are measured.
    pub fn begin_run(&mut self, about: &str) -> Result<(), Failure> {
        self.journal.append_rows(&format!("{RUN}{about}\n"))
    }

    /// Appends a finished unit, all of it or none.
    pub fn append(&mut self, plan: &ExperimentPlan, done: &Done) -> Result<(), Failure> {
        self.journal.append_rows(&plan.entry(done)?)
    }
}

/// Reads the rows of an experiment from a file, written by any build of the program. `None` if there is no
/// such file.
pub fn read(
    path: &Path,
    experiment: &'static dyn AnyExperiment,
) -> Result<Option<(ExperimentPlan, LedgerContents)>, Failure> {
    // Reading a device may never end.
    if std::fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        return Err(Failure::new(format!("{} is no regular file", path.display())));
    }
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure::file("read", path.display(), &error)),
    };
    let Some(scale) = scale_of(text_of(&bytes)) else {
        return Err(Failure::new(format!("{} holds no rows of plumb lab", path.display())));
    };
    let plan = ExperimentPlan::new(experiment, scale);
    let contents = plan.read(&bytes, true);
    let mut contents = contents.map_err(|why| Failure::new(format!("{} {why}", path.display())))?;
    contents.build = head_line(text_of(&bytes), PROGRAM).map(str::to_owned);
    Ok(Some((plan, contents)))
}

/// Joins the rows of an experiment from several files. Of a unit that is in several, the first is taken.
/// `None` if there is no file.
///
/// # Errors
/// If a file cannot be read, or was measured at another scale or by another build than those before it:
/// builds may count differently, and the head names one.
pub fn join(
    paths: &[impl AsRef<Path>],
    experiment: &'static dyn AnyExperiment,
) -> Result<Option<(ExperimentPlan, LedgerContents)>, Failure> {
    let mut joined: Option<(ExperimentPlan, LedgerContents)> = None;
    for path in paths.iter().map(AsRef::as_ref) {
        let Some((plan, contents)) = read(path, experiment)? else { continue };
        let Some((first, all)) = &mut joined else {
            joined = Some((plan, contents));
            continue;
        };
        if plan.scale != first.scale {
            let (one, other) = (first.scale.name(), plan.scale.name());
            return Err(Failure::new(format!("{} is {other}, what came before is {one}", path.display())));
        }
        if contents.build != all.build {
            let why =
                "was measured by another build of plumb than what came before, which may count differently";
            return Err(Failure::new(format!("{} {why}", path.display())));
        }
        for done in contents.done {
            if !all.has(done.0) {
                all.done.push(done);
            }
        }
        let new: Vec<String> = contents.runs.into_iter().filter(|run| !all.runs.contains(run)).collect();
        all.runs.extend(new);
    }
    Ok(joined)
}

/// The text of a file that holds `contents`.
pub fn text(plan: &ExperimentPlan, contents: &LedgerContents) -> Result<String, Failure> {
    let mut lines: String = contents.runs.iter().map(|run| format!("{RUN}{run}\n")).collect();
    for done in &contents.done {
        lines.push_str(&plan.entry(done)?);
    }
    let head = contents.build.as_deref().map_or_else(|| plan.head(), |build| plan.head_of(build));
    Ok(head.text().to_owned() + &head.checksums().append_to(&lines))
}

/// Path of the raw rows of an experiment in a folder.
pub(super) fn rows_of(folder: &Path, experiment: &dyn AnyExperiment) -> PathBuf {
    folder.join(format!("{}.csv", experiment.about().name))
}

/// Section of the report on the rows of an experiment.
///
/// # Errors
/// If a row cannot be read.
pub(super) fn concluded(plan: &ExperimentPlan, contents: &LedgerContents) -> Result<Section, Failure> {
    let concluded = plan.experiment.conclude(plan.scale, &contents.rows());
    concluded.map_err(|why| Failure::new(format!("{}: {why}", plan.experiment.about().name)))
}

#[cfg(test)]
mod tests {
    use super::super::command::sample::Squares;
    use super::*;
    use crate::lab::base::records::failing::survives;
    use crate::lab::base::records::head::RowChecksum;
    use crate::lab::base::records::test_folder::TestFolder;

    fn plan() -> ExperimentPlan {
        ExperimentPlan::new(&Squares, Scale::Quick)
    }

    fn done(unit: usize) -> Done {
        (unit, Squares::rows(unit))
    }

    #[test]
    fn finished_units_are_read_back_and_a_run_goes_on() {
        let folder = TestFolder::new("rows_file-back");
        let path = folder.join("squares.csv");
        let (mut rows_file, contents) = RowsFile::open(&path, &plan(), false).unwrap();
        assert_eq!(contents.done, []);
        rows_file.begin_run("on paper").unwrap();
        rows_file.append(&plan(), &done(3)).unwrap();
        rows_file.append(&plan(), &done(0)).unwrap();
        drop(rows_file);
        let (mut rows_file, contents) = RowsFile::open(&path, &plan(), false).unwrap();
        assert_eq!(
            (contents.done.as_slice(), contents.runs[0].as_str()),
            (&[done(3), done(0)][..], "on paper")
        );
        assert_eq!(contents.rows(), [Squares::rows(0), Squares::rows(3)].concat());
        rows_file.append(&plan(), &done(1)).unwrap();
        drop(rows_file);
        let (_, contents) = read(&path, &Squares).unwrap().unwrap();
        assert_eq!(contents.done.len(), 3);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text(&plan(), &contents).unwrap());
        assert_eq!(RowsFile::open(&path, &plan(), true).unwrap().1.done, []);
    }

    #[test]
    fn a_unit_that_is_broken_off_is_dropped() {
        let folder = TestFolder::new("rows_file-torn");
        let path = folder.join("squares.csv");
        let (mut rows_file, _) = RowsFile::open(&path, &plan(), false).unwrap();
        rows_file.append(&plan(), &done(0)).unwrap();
        let whole = std::fs::read_to_string(&path).unwrap();
        // Unit 2 has several rows: it may be torn between them.
        rows_file.append(&plan(), &done(2)).unwrap();
        drop(rows_file);
        let longer = std::fs::read_to_string(&path).unwrap();
        for length in whole.len()..longer.len() {
            std::fs::write(&path, &longer[..length]).unwrap();
            let (_, contents) = RowsFile::open(&path, &plan(), false).unwrap();
            assert_eq!(contents.done, [done(0)]);
            assert_eq!(std::fs::read_to_string(&path).unwrap(), whole, "torn at {length}");
        }
    }

    #[test]
    fn an_incomplete_head_is_written_again() {
        let folder = TestFolder::new("rows_file-head");
        let path = folder.join("squares.csv");
        let head = plan().head().text().to_owned();
        for length in [0, 5, head.len() - 1] {
            std::fs::write(&path, &head[..length]).unwrap();
            RowsFile::open(&path, &plan(), false).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), head);
        }
    }

    #[test]
    fn other_files_are_refused_and_left_alone() {
        let folder = TestFolder::new("rows_file-other");
        let path = folder.join("squares.csv");
        let head = plan().head().text().to_owned();
        let program = format!("{:016x}", fingerprint::program());
        let summed = |rows: &str| plan().head().checksums().append_to(rows);
        let full = ExperimentPlan::new(&Squares, Scale::Full).head().checksums();
        let row = "unit 1,0,10,100\n";
        for (text, why) in [
            ("my diary\n".to_owned(), "no rows of plumb lab"),
            (head.replace("scale quick", "scale full"), "('scale full', now 'scale quick')"),
            (head.replace("version ", "version 9"), "now 'version "),
            (head.replace(",square", ",cube"), "holds other numbers"),
            (head.replace(&program, "0000000000000000"), "another build"),
            (format!("{head}{}", summed("no such unit,0,1,1\n")), "is no row of experiment squares"),
            (format!("{head}{}", summed("unit 0,left,1,1\n")), "line 7: 'unit 0,left,1,1' is no row"),
            (format!("{head}{}", summed("unit 0,0,1\n")), "line 7: unit unit 0: 1 cells instead of 2"),
            (format!("{head}{}", summed("unit 0,0,1,x\n")), "unit unit 0: square is 'x': invalid digit"),
            (format!("{head}{row}"), "is damaged: it does not end with its checksum"),
            (format!("{head}{}", full.append_to(row)), "is damaged: it does not end with its checksum"),
            (format!("{head}{}", RowChecksum::ALONE.append_to(row)), "was written by an earlier version"),
        ] {
            std::fs::write(&path, &text).unwrap();
            let failure = RowsFile::open(&path, &plan(), false).err().expect("refused");
            let message = failure.message().unwrap();
            assert!(message.contains(why) && message.contains("--restart"), "{message}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        // For a report it does not matter which build has measured, and an earlier version's checksums will
        // do.
        let other = head.replace(&program, "0000000000000000");
        for checksums in [RowChecksum::under(other.as_bytes()), RowChecksum::ALONE] {
            std::fs::write(&path, other.clone() + &checksums.append_to(row)).unwrap();
            let (_, contents) = read(&path, &Squares).unwrap().unwrap();
            assert_eq!(contents.done, [(1, vec![vec!["10".to_owned(), "100".to_owned()]])]);
        }
        let mixed = RowChecksum::ALONE.append_to(row) + &RowChecksum::under(other.as_bytes()).append_to(row);
        std::fs::write(&path, other + &mixed).unwrap();
        assert!(read(&path, &Squares).is_err());
    }

    #[test]
    fn an_open_ledger_is_locked() {
        let folder = TestFolder::new("rows_file-lock");
        let path = folder.join("squares.csv");
        let held = RowsFile::open(&path, &plan(), false).unwrap();
        let failure = RowsFile::open(&path, &plan(), true).err().expect("locked");
        assert!(failure.message().unwrap().contains("by another plumb"), "{failure:?}");
        drop(held);
        assert!(RowsFile::open(&path, &plan(), false).is_ok());
    }

    #[test]
    fn shares_are_joined() {
        let folder = TestFolder::new("rows_file-join");
        let paths = ["a.csv", "b.csv", "missing.csv"].map(|name| folder.join(name));
        for (path, units) in [(&paths[0], [0, 2].as_slice()), (&paths[1], &[2, 3, 1])] {
            let (mut rows_file, _) = RowsFile::open(path, &plan(), false).unwrap();
            rows_file.begin_run("somewhere").unwrap();
            units.iter().for_each(|&unit| rows_file.append(&plan(), &done(unit)).unwrap());
        }
        let (_, contents) = join(&paths, &Squares).unwrap().unwrap();
        assert_eq!(contents.rows(), (0..4).flat_map(Squares::rows).collect::<Vec<_>>());
        assert_eq!(contents.runs, ["somewhere"]);
        assert!(join(&paths[2..], &Squares).unwrap().is_none());
        std::fs::write(&paths[1], ExperimentPlan::new(&Squares, Scale::Full).head().text()).unwrap();
        let failure = join(&paths, &Squares).err().expect("scales differ");
        assert!(failure.message().unwrap().contains("is full, what came before is quick"), "{failure:?}");
        let other = plan().head_of("# program 0000000000000000");
        std::fs::write(
            &paths[1],
            other.text().to_owned() + &other.checksums().append_to("unit 1,0,10,100\n"),
        )
        .unwrap();
        let failure = join(&paths, &Squares).err().expect("builds differ");
        assert!(failure.message().unwrap().contains("by another build"), "{failure:?}");
        // Rows of another build keep its head when they are written again.
        let (plan, contents) = join(&paths[1..], &Squares).unwrap().unwrap();
        assert_eq!(text(&plan, &contents).unwrap(), std::fs::read_to_string(&paths[1]).unwrap());
    }

    #[test]
    fn rows_that_do_not_fit_are_an_error() {
        for row in [vec!["1".to_owned()], vec!["1,2".to_owned(), "4".to_owned()]] {
            assert!(plan().entry(&(0, vec![row])).is_err());
        }
    }

    #[test]
    fn a_disk_that_fails_loses_no_unit() {
        let work = |folder: &Path| {
            let (mut rows_file, contents) = RowsFile::open(&folder.join("squares.csv"), &plan(), false)?;
            if contents.runs.is_empty() {
                rows_file.begin_run("somewhere")?;
            }
            let ahead = (0..4).filter(|&unit| !contents.has(unit));
            ahead.map(done).try_for_each(|unit| rows_file.append(&plan(), &unit))
        };
        survives("rows_file", work, |_| ());
    }
}
