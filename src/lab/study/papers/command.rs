//! `plumb lab`: the papers' experiments. Units of work are spread over threads (and machines), finished ones
//! are kept at once in `DIR/NAME.csv`, and a report is drawn from the rows that there are: `DIR/report.html`,
//! `DIR/summary.md`, and an SVG file for each chart.

use super::claims_file;
use super::diff;
use super::experiment::{AnyExperiment, Cells, Description, Scale, Unfinished, Work};
use super::export::{self, Exported};
use super::findings::{Chapter, TERMINAL};
use super::page::{self, About};
use super::rows_file::{self, ExperimentPlan, LedgerContents, RowsFile, concluded, rows_of};
use crate::lab::base::pages::svg;
use crate::lab::base::pages::table::Table;
use crate::lab::base::records::file::{write, write_locked};
use crate::lab::base::records::lock::Lock;
use crate::lab::base::records::machine;
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::{self, Stop, interrupted};
use crate::lab::base::terminal::progress::Progress;
use crate::lab::base::terminal::values::Shard;
use crate::lab::base::terminal::workers;
use crate::lab::study::papers::arguments::{LabArgs, LabCommand, StudyArgs};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The experiments that there are.
type Experiments = [&'static dyn AnyExperiment];

/// Runs `plumb lab` as its command line says.
pub fn run(arguments: &LabArgs, experiments: &Experiments) -> Result<(), Failure> {
    // Rows are on disk as soon as they are finished, and other files are written whole.
    interrupted::end_within(PATIENCE);
    match &arguments.command {
        Some(LabCommand::Merge { folders, out }) => merge(folders, out, experiments),
        Some(LabCommand::Report { folder, markdown }) => report(folder, markdown.as_deref(), experiments),
        Some(LabCommand::Export { folder, csv }) => export(folder, csv, experiments),
        Some(LabCommand::Diff { a, b }) => diff::run(a, b, experiments),
        None if arguments.study.list => console::out(&list(experiments)),
        None => study(&arguments.study, experiments),
    }
}

/// Table of the experiments.
fn list(experiments: &Experiments) -> String {
    let mut table = Table::new(2, ["name", "about", "units, quick", "units, full"]);
    for one in experiments {
        let Description { name, title, .. } = one.about();
        let units = |scale| one.units(scale).len().to_string();
        table.row([name.to_owned(), title.to_owned(), units(Scale::Quick), units(Scale::Full)]);
    }
    table.within(TERMINAL)
}

/// The experiments of these names, in the order of the report.
fn choose(names: &[String], experiments: &Experiments) -> Result<Vec<&'static dyn AnyExperiment>, Failure> {
    let known: Vec<&str> = experiments.iter().map(|one| one.about().name).collect();
    let known = format!("known are: {}, all", known.join(", "));
    if names.is_empty() {
        return Err(Failure::usage(format!("plumb lab needs names of experiments; {known}")));
    }
    let is = |name: &str, one: &dyn AnyExperiment| one.about().name.eq_ignore_ascii_case(name);
    let all = |name: &String| name.eq_ignore_ascii_case("all");
    if let Some(wrong) = names.iter().find(|name| !all(name) && !experiments.iter().any(|one| is(name, *one)))
    {
        return Err(Failure::usage(format!("there is no experiment '{wrong}'; {known}")));
    }
    let chosen = experiments.iter().filter(|one| names.iter().any(|name| all(name) || is(name, **one)));
    Ok(chosen.copied().collect())
}

/// Folder, scale, threads and share of a run.
struct StudySetup<'a> {
    folder: &'a Path,
    scale: Scale,
    jobs: usize,
    shard: Shard,
    restart: bool,
}

/// Time that a unit has to end after Ctrl-C or SIGTERM. Batch systems that announce the end of a job wait
/// longer; what takes longer here (a report from many rows) is begun again by the next run.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Runs experiments one after the other; after each, the report is drawn again. What fails is reported at
/// once and keeps nothing else from being measured. An interrupted run draws nothing, since a conclusion can
/// take minutes: the rows of finished units are on disk.
fn study(arguments: &StudyArgs, experiments: &Experiments) -> Result<(), Failure> {
    let chosen = choose(&arguments.names, experiments)?;
    let setup = StudySetup {
        folder: &arguments.out,
        scale: if arguments.quick { Scale::Quick } else { Scale::Full },
        jobs: arguments.jobs.map_or_else(machine::cores, |jobs| usize::try_from(jobs).unwrap_or(1)),
        shard: arguments.shard.unwrap_or(Shard::WHOLE),
        restart: arguments.restart,
    };
    make_folder(setup.folder)?;
    let mut ended = Ok(());
    let mut tell = |done: Result<(), Failure>| {
        if let Err(failure) = done {
            failure.tell();
            ended = Err(Failure::told());
        }
    };
    for one in chosen {
        tell(measure(one, &setup, &Work::new(&Stop::default())));
        if interrupted() {
            let folder = setup.folder.display();
            console::note(format!(
                "interrupted: finished units are kept; plumb lab report {folder} shows them"
            ));
            return ended;
        }
        tell(show(setup.folder, experiments, &[one.about().name]));
    }
    if ended.is_ok() {
        console::note(format!("the report is {}", setup.folder.join("report.html").display()));
    }
    ended
}

fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::file("make the folder", folder.display(), &error))
}

/// Runs the missing units of an experiment, and keeps each unit as soon as it is finished. A unit that fails
/// keeps no other from being measured.
fn measure(
    experiment: &'static dyn AnyExperiment,
    setup: &StudySetup<'_>,
    work: &Work<'_>,
) -> Result<(), Failure> {
    let plan = ExperimentPlan::new(experiment, setup.scale);
    let (mut rows_file, contents) = RowsFile::open(&rows_of(setup.folder, experiment), &plan, setup.restart)?;
    let share = (0..plan.units.len()).filter(|&unit| setup.shard.has(unit));
    let (already, ahead): (Vec<usize>, Vec<usize>) = share.partition(|&unit| contents.has(unit));
    if ahead.is_empty() {
        return Ok(());
    }
    let name = experiment.about().name;
    if !already.is_empty() {
        let units = already.len();
        console::note(format!("{name}: {units} units are done already; --restart would begin anew"));
    }
    let jobs = setup.jobs.min(ahead.len());
    rows_file.begin_run(&format!("{}, {jobs} at a time, {}", machine::now(), machine::describe()))?;
    let weights = |units: &[usize]| units.iter().map(|&unit| plan.units[unit].weight).collect::<Vec<_>>();
    let progress = Progress::weighted(name, &weights(&ahead), &weights(&already));
    let mut run = Run { plan: &plan, rows_file, progress, failed: Vec::new() };
    let ended = run.units(&ahead, jobs, work);
    let failed = run.failure();
    run.progress.finish();
    match (ended, failed) {
        (Err(ended), Some(failed)) => {
            ended.tell();
            Err(failed)
        }
        (ended, failed) => ended.and(failed.map_or(Ok(()), Err)),
    }
}

/// The number of a unit, and its rows or why it has none.
type Ended = (usize, Result<Vec<Cells>, Unfinished>);

/// A run of units.
struct Run<'p> {
    plan: &'p ExperimentPlan,
    rows_file: RowsFile,
    progress: Progress,
    /// Units that failed.
    failed: Vec<(usize, Unfinished)>,
}

impl Run<'_> {
    /// Does units, several at a time.
    fn units(&mut self, units: &[usize], jobs: usize, work: &Work<'_>) -> Result<(), Failure> {
        let ExperimentPlan { experiment, scale, units: all } = self.plan;
        let unit = |(): &mut (), item: usize, send: &dyn Fn(Ended)| {
            let run = || experiment.run(*scale, units[item], work);
            let done = catch_unwind(AssertUnwindSafe(run)).unwrap_or(Err(Unfinished::Panicked));
            send((units[item], done));
        };
        workers::spread_at(
            || Ok(()),
            units.len(),
            jobs,
            work.stop,
            unit,
            |(unit, done)| {
                match done {
                    Ok(rows) => {
                        self.rows_file.append(self.plan, &(unit, rows))?;
                        self.progress.step_of(all[unit].weight);
                    }
                    Err(Unfinished::Stopped) if work.stop.is_set() => {}
                    Err(why) => self.failed.push((unit, why)),
                }
                Ok(())
            },
        )
    }

    /// The failure of the units that failed, if some did.
    fn failure(&self) -> Option<Failure> {
        let (unit, why) = self.failed.iter().min_by_key(|(unit, _)| *unit)?;
        let (name, unit) = (self.plan.experiment.about().name, &self.plan.units[*unit].name);
        let mut text = format!("{name}: unit {unit} failed: {why}");
        if self.failed.len() > 1 {
            text += &format!("; units that failed too: {}", self.failed.len() - 1);
        }
        Some(Failure::new(text + "; finished units are kept, and the same command does the others"))
    }
}

/// Joins the rows of several folders with those that `out` holds already, and draws the report.
fn merge(folders: &[impl AsRef<Path>], out: &Path, experiments: &Experiments) -> Result<(), Failure> {
    make_folder(out)?;
    let mut names = Vec::new();
    for one in experiments {
        // Before the rows are read: a run that appends to them is not overwritten by what was read.
        let target = rows_of(out, *one);
        let lock = Lock::of(&target)?;
        let folders = folders.iter().map(AsRef::as_ref).chain([out]);
        let paths: Vec<PathBuf> = folders.map(|folder| rows_of(folder, *one)).collect();
        let Some((plan, contents)) = rows_file::join(&paths, *one)? else { continue };
        let (name, done, of) = (one.about().name, contents.done.len(), plan.units.len());
        console::note(format!("{name}: {done} of {of} units"));
        write_locked(&lock, rows_file::text(&plan, &contents)?)?;
        names.push(name);
    }
    if names.is_empty() {
        return Err(Failure::new("none of these folders holds rows of an experiment"));
    }
    show(out, experiments, &names)
}

/// Draws the report of a folder, and writes the claims into a Markdown file if one is named.
fn report(folder: &Path, markdown: Option<&Path>, experiments: &Experiments) -> Result<(), Failure> {
    let names: Vec<&str> = experiments.iter().map(|one| one.about().name).collect();
    if !experiments.iter().any(|one| rows_of(folder, *one).exists()) {
        return Err(Failure::new(format!("{} holds no rows of an experiment", folder.display())));
    }
    if let Some(path) = markdown {
        let chapters: Result<Vec<Chapter>, Failure> = experiments
            .iter()
            .map(|&one| chapter(&rows_of(folder, one), one)?.map_or_else(|| unmeasured(one), Ok))
            .collect();
        claims_file::update(path, &chapters?)?;
    }
    show(folder, experiments, &names)
}

/// Draws the report of a folder from all rows in it, and prints the chapters of these names. Where rows are
/// damaged, the old report stays.
fn show(folder: &Path, experiments: &Experiments, names: &[&str]) -> Result<(), Failure> {
    let chapters: Result<Vec<Option<Chapter>>, Failure> =
        experiments.iter().map(|one| chapter(&rows_of(folder, *one), *one)).collect();
    let chapters: Vec<Chapter> = chapters?.into_iter().flatten().collect();
    for chapter in &chapters {
        for chart in &chapter.section.charts {
            let name = format!("{}-{}.svg", chapter.name, chart.name);
            write(&folder.join(name), svg::draw(chart))?;
        }
    }
    let about = About { date: machine::now(), machine: machine::describe() };
    write(&folder.join("report.html"), page::page(&chapters, &about))?;
    write(&folder.join("summary.md"), claims_file::part(&chapters))?;
    let shown = chapters.iter().filter(|chapter| names.contains(&chapter.name));
    console::out(&shown.map(Chapter::markdown).collect::<String>())
}

/// The chapter of an experiment from the rows in a file, if there is one.
fn chapter(path: &Path, experiment: &'static dyn AnyExperiment) -> Result<Option<Chapter>, Failure> {
    let Some((plan, contents)) = rows_file::read(path, experiment)? else { return Ok(None) };
    let section = concluded(&plan, &contents)?;
    Ok(Some(Chapter::new(&plan, &contents, section)))
}

/// Writes the rows and the claims of a folder as plain CSV into another.
fn export(folder: &Path, to: &Path, experiments: &Experiments) -> Result<(), Failure> {
    let mut found = Vec::new();
    for &experiment in experiments {
        if let Some((plan, contents)) = rows_file::read(&rows_of(folder, experiment), experiment)? {
            let chapter = Chapter::new(&plan, &contents, concluded(&plan, &contents)?);
            found.push(Exported { plan, contents, chapter });
        }
    }
    if found.is_empty() {
        return Err(Failure::new(format!("{} holds no rows of an experiment", folder.display())));
    }
    make_folder(to)?;
    console::out(&export::write(to, &found)?.to_string())
}

/// The chapter of an experiment without rows: every claim is open.
///
/// # Errors
/// As every conclusion; there is no row that could not be read.
pub fn unmeasured(experiment: &'static dyn AnyExperiment) -> Result<Chapter, Failure> {
    let (plan, contents) = (ExperimentPlan::new(experiment, Scale::Full), LedgerContents::default());
    let section = concluded(&plan, &contents)?;
    Ok(Chapter::new(&plan, &contents, section))
}

#[cfg(test)]
mod faults;

#[cfg(test)]
pub mod sample {
    //! An experiment for tests: the squares of small numbers.

    use super::super::experiment::{Claim, Experiment, Section, Unit, Verdict};
    use super::*;
    use crate::lab::base::pages::chart::{Axis, Chart, Point, Series};
    use serde::{Deserialize, Serialize};

    /// Unit n has n rows, but unit 0 has one too.
    pub struct Squares;

    /// A number and its square, for a number of the unit.
    #[derive(Default, Serialize, Deserialize)]
    pub struct Square(pub usize, pub usize);

    impl Squares {
        /// The rows of a unit.
        pub fn squares(unit: usize) -> Vec<Square> {
            (0..unit.max(1)).map(|n| Square(10 * unit + n, 100 * unit * unit + n)).collect()
        }

        /// Their cells.
        pub fn rows(unit: usize) -> Vec<Cells> {
            Squares::squares(unit).iter().map(|row| vec![row.0.to_string(), row.1.to_string()]).collect()
        }
    }

    impl Experiment for Squares {
        type Row = Square;

        fn about(&self) -> Description {
            Description {
                name: "squares",
                title: "Squares of small numbers",
                is_own: false,
                columns: &["number", "square"],
            }
        }

        fn units(&self, scale: Scale) -> Vec<Unit> {
            let units = if scale == Scale::Quick { 4 } else { 9 };
            (0..units).map(|n| Unit { name: format!("unit {n}"), weight: n as f64 }).collect()
        }

        fn run(&self, _: Scale, index: usize, work: &Work<'_>) -> Result<Vec<Square>, Unfinished> {
            if work.stop.is_set() { Err(Unfinished::Stopped) } else { Ok(Squares::squares(index)) }
        }

        fn conclude(&self, _: Scale, rows: &[Square]) -> Section {
            let mut table = Table::new(1, ["number", "square"]);
            rows.iter().for_each(|row| table.row([row.0, row.1].map(|n| n.to_string())));
            let point = |row: &Square| Point { x: row.0 as f64, y: row.1 as f64, interval: None };
            let axis = |label: &str| Axis::linear(label);
            let points = rows.iter().map(point).collect();
            let series = vec![Series::measured("squares", points)];
            let (x, y, title) = (axis("number"), axis("square"), "Squares".to_owned());
            Section {
                protocol: vec!["Numbers are squared.".to_owned()],
                claims: vec![Claim {
                    source: "TR fig. 0",
                    claim: "Squares grow".to_owned(),
                    paper: "100 %".to_owned(),
                    ours: format!("{} rows", rows.len()),
                    verdict: Verdict::Holds,
                    why: "they do".to_owned(),
                    ..Claim::default()
                }],
                tables: vec![("All squares".to_owned(), table)],
                charts: vec![Chart { name: "growth".to_owned(), title, x, y, series, level: None }],
            }
        }
    }

    /// A chapter of which `done` units are done.
    pub fn chapter(done: usize) -> Chapter {
        let plan = ExperimentPlan::new(&Squares, Scale::Quick);
        let mut contents = LedgerContents::default();
        contents.runs.push("here".to_owned());
        contents.done.extend((0..done).map(|unit| (unit, Squares::rows(unit))));
        Chapter::new(&plan, &contents, concluded(&plan, &contents).unwrap())
    }
}

#[cfg(test)]
mod tests {
    use super::sample::{Square, Squares};
    use super::*;
    use crate::lab::base::records::test_folder::TestFolder;
    use crate::lab::study::papers::experiment::{Experiment, Section, Unit};

    const ALL: &Experiments = &[&Squares];

    fn setup(folder: &TestFolder) -> StudySetup<'_> {
        StudySetup { folder, scale: Scale::Quick, jobs: 2, shard: Shard::WHOLE, restart: false }
    }

    fn measured(experiment: &'static dyn AnyExperiment, setup: &StudySetup<'_>) -> Result<(), Failure> {
        measure(experiment, setup, &Work::new(&Stop::default()))
    }

    fn rows(folder: &TestFolder) -> Vec<Cells> {
        rows_file::read(&folder.join("squares.csv"), &Squares).unwrap().unwrap().1.rows()
    }

    /// The rows of the first units.
    fn first(units: usize) -> Vec<Cells> {
        (0..units).flat_map(Squares::rows).collect()
    }

    #[test]
    fn experiments_are_chosen_by_name() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        for good in [&["squares"][..], &["ALL"], &["all", "Squares"]] {
            assert_eq!(choose(&names(good), ALL).unwrap().len(), 1);
        }
        for (bad, why) in
            [(&["cubes"][..], "no experiment 'cubes'; known are: squares, all"), (&[], "needs names")]
        {
            let failure = choose(&names(bad), ALL).err().expect("refused");
            assert!(failure.message().unwrap().contains(why), "{failure:?}");
        }
        assert!(list(ALL).contains("| squares | Squares of small numbers |            4 |           9 |"));
    }

    #[test]
    fn joined_shares_hold_all_rows() {
        let (one, two, both) =
            (TestFolder::new("study-1"), TestFolder::new("study-2"), TestFolder::new("study-12"));
        for (number, folder) in [(1, &one), (2, &two)] {
            let setup = StudySetup { shard: Shard { number, of: 2 }, ..setup(folder) };
            measured(&Squares, &setup).unwrap();
            assert!(rows(folder).len() < first(4).len());
        }
        merge(&[&*one, &*two], &both, ALL).unwrap();
        assert_eq!(rows(&both), first(4));
        for name in ["squares.csv", "squares-growth.svg", "report.html", "summary.md"] {
            assert!(both.join(name).exists(), "{name}");
        }
        assert_eq!(std::fs::read_dir(&*both).unwrap().count(), 4);
    }

    /// End of a unit.
    #[derive(Clone, Copy, PartialEq)]
    enum End {
        /// The run is stopped.
        Stop,
        /// There is no memory.
        Memory,
        /// It says that it was stopped.
        Claimed,
        /// It has no rows.
        Empty,
        Panic,
    }

    /// Squares that end otherwise in a unit, the third.
    struct Altered(End);

    const STOPPING: Altered = Altered(End::Stop);

    impl Experiment for Altered {
        type Row = Square;

        fn about(&self) -> Description {
            Experiment::about(&Squares)
        }

        fn units(&self, scale: Scale) -> Vec<Unit> {
            Experiment::units(&Squares, scale)
        }

        fn run(&self, scale: Scale, index: usize, work: &Work<'_>) -> Result<Vec<Square>, Unfinished> {
            match Some(self.0).filter(|_| index == 2) {
                Some(End::Stop) => work.stop.abandon(),
                Some(End::Memory) => return Err(Unfinished::Memory("there is no memory".to_owned())),
                Some(End::Claimed) => return Err(Unfinished::Stopped),
                Some(End::Empty) => return Ok(Vec::new()),
                Some(End::Panic) => panic!("on purpose"),
                None => {}
            }
            Experiment::run(&Squares, scale, index, work)
        }

        fn conclude(&self, scale: Scale, rows: &[Square]) -> Section {
            Experiment::conclude(&Squares, scale, rows)
        }
    }

    #[test]
    fn an_interrupted_experiment_goes_on() {
        let folder = TestFolder::new("study-resume");
        let one = StudySetup { jobs: 1, ..setup(&folder) };
        measured(&STOPPING, &one).unwrap();
        assert_eq!(rows(&folder), first(2), "units 0 and 1 are kept");
        measured(&Squares, &one).unwrap();
        assert_eq!(rows(&folder), first(4));
        let before = std::fs::read_to_string(folder.join("squares.csv")).unwrap();
        assert_eq!(before.matches("# run ").count(), 2);
        measured(&STOPPING, &one).unwrap();
        assert_eq!(
            std::fs::read_to_string(folder.join("squares.csv")).unwrap(),
            before,
            "nothing is left to do"
        );
        measured(&STOPPING, &StudySetup { restart: true, ..one }).unwrap();
        assert_eq!(rows(&folder), first(2), "begun anew");
    }

    #[test]
    fn a_unit_that_fails_is_named_and_done_by_the_next_run() {
        static ENDINGS: [(Altered, &str); 4] = [
            (Altered(End::Memory), "there is no memory"),
            (Altered(End::Claimed), "stopped by itself"),
            (Altered(End::Empty), "nothing to measure"),
            (Altered(End::Panic), "the search failed"),
        ];
        for (number, (altered, why)) in ENDINGS.iter().enumerate() {
            let folder = TestFolder::new(&format!("study-failing-{number}"));
            let failure = measured(altered, &setup(&folder)).expect_err(why);
            let told = failure.message().unwrap();
            assert!(told.starts_with("squares: unit unit 2 failed: ") && told.contains(why), "{told}");
            assert_eq!(rows(&folder), [first(2), Squares::rows(3)].concat(), "the others are kept: {why}");
            measured(&Squares, &setup(&folder)).unwrap();
            assert_eq!(rows(&folder), first(4));
        }
    }

    #[test]
    fn a_report_is_drawn_from_incomplete_rows() {
        let folder = TestFolder::new("study-report");
        let failure = report(&folder, None, ALL).expect_err("there is nothing");
        assert!(failure.message().unwrap().contains("holds no rows"), "{failure:?}");
        measured(&STOPPING, &StudySetup { jobs: 1, ..setup(&folder) }).unwrap();
        report(&folder, None, ALL).unwrap();
        let html = std::fs::read_to_string(folder.join("report.html")).unwrap();
        assert!(html.contains("Incomplete: 2 of 4 units") && html.contains("1 at a time"));
        let path = folder.join("squares.csv");
        let damaged = std::fs::read_to_string(&path).unwrap().replace("unit 1,0,", "unit 1,0,0,");
        std::fs::write(&path, damaged).unwrap();
        let failure = report(&folder, None, ALL).expect_err("a row is damaged");
        assert!(failure.message().unwrap().contains("does not end with its checksum"), "{failure:?}");
        assert_eq!(std::fs::read_to_string(folder.join("report.html")).unwrap(), html);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn on_a_full_disk_writing_fails() {
        let folder = TestFolder::new("study-full");
        std::os::unix::fs::symlink("/dev/full", folder.join("squares.csv")).unwrap();
        let failure = measured(&Squares, &setup(&folder)).expect_err("nothing can be written");
        assert!(failure.message().unwrap().contains("cannot write to"), "{failure:?}");
    }
}
