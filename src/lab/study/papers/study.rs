//! `plumb lab`: the papers' experiments. Units of work are spread over threads (and machines), finished ones are
//! kept at once in `DIR/NAME.csv`, and a report is drawn from the rows that there are: `DIR/report.html`,
//! `DIR/summary.md`, and an SVG file for each chart.

use super::claims_file;
use super::diff;
use super::experiment::{Experiment, Row, Scale};
use super::export::{self, Exported};
use super::findings::{Chapter, TERMINAL};
use super::ledger::{self, ExperimentPlan, Ledger, LedgerContents};
use super::page::{self, About};
use crate::lab::base::pages::svg;
use crate::lab::base::pages::table::Table;
use crate::lab::base::records::file::write;
use crate::lab::base::records::machine;
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::{self, Stop, interrupted};
use crate::lab::base::terminal::progress::Progress;
use crate::lab::base::terminal::values::Shard;
use crate::lab::base::terminal::workers;
use crate::lab::study::papers::arguments::{LabArgs, LabCommand, StudyArgs};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The experiments that there are.
type Experiments = [&'static dyn Experiment];

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
        let units = |scale| one.units(scale).len().to_string();
        table.row([one.name().to_owned(), one.title().to_owned(), units(Scale::Quick), units(Scale::Full)]);
    }
    table.within(TERMINAL)
}

/// The experiments of these names, in the order of the report.
fn choose(names: &[String], experiments: &Experiments) -> Result<Vec<&'static dyn Experiment>, Failure> {
    let known: Vec<&str> = experiments.iter().map(|one| one.name()).collect();
    let known = format!("known are: {}, all", known.join(", "));
    if names.is_empty() {
        return Err(Failure::usage(format!("plumb lab needs names of experiments; {known}")));
    }
    let is = |name: &str, one: &dyn Experiment| one.name().eq_ignore_ascii_case(name);
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

/// Time that a unit has to end after Ctrl-C or SIGTERM. Batch systems that announce the end of a job wait longer; what
/// takes longer here (a fit, a programme that is solved) is begun again by the next run.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Runs experiments one after the other; after each, the report is drawn again. An interrupted run draws nothing, since
/// a conclusion can take minutes: the rows of finished units are on disk.
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
    let mut drawn = Ok(());
    for one in chosen {
        let measured = measure(one, &setup, &Stop::default());
        if interrupted() {
            let folder = setup.folder.display();
            console::warn(format!(
                "interrupted: finished units are kept; plumb lab report {folder} shows them"
            ));
            return measured.and(drawn);
        }
        // Finished units are shown, however the measuring ended. What cannot be shown keeps nothing from measuring.
        drawn = drawn.and(show(setup.folder, experiments, &[one.name()]));
        if measured.is_err() {
            return measured.and(drawn);
        }
    }
    drawn?;
    console::warn(format!("the report is {}", setup.folder.join("report.html").display()));
    Ok(())
}

fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::file("make the folder", folder.display(), &error))
}

/// Path of the raw rows of an experiment in a folder.
pub(super) fn rows_of(folder: &Path, experiment: &dyn Experiment) -> PathBuf {
    folder.join(format!("{}.csv", experiment.name()))
}

/// Runs the missing units of an experiment, and keeps each unit as soon as it is finished.
fn measure(experiment: &dyn Experiment, setup: &StudySetup<'_>, stop: &Stop) -> Result<(), Failure> {
    let plan = ExperimentPlan::new(experiment, setup.scale);
    let (mut ledger, contents) = Ledger::open(&rows_of(setup.folder, experiment), &plan, setup.restart)?;
    let share = (0..plan.units.len()).filter(|&unit| setup.shard.has(unit));
    let (already, ahead): (Vec<usize>, Vec<usize>) = share.partition(|&unit| contents.has(unit));
    if ahead.is_empty() {
        return Ok(());
    }
    if !already.is_empty() {
        let (name, units) = (plan.name, already.len());
        console::warn(format!("{name}: {units} units are done already; --restart would begin anew"));
    }
    let jobs = setup.jobs.min(ahead.len());
    ledger.begin_run(&format!("{}, {jobs} at a time, {}", machine::now(), machine::describe()))?;
    let weights = |units: &[usize]| units.iter().map(|&unit| plan.units[unit].weight).collect::<Vec<_>>();
    let mut progress = Progress::weighted(plan.name, &weights(&ahead), &weights(&already));
    let mut stage = |units: &[usize], rows: Option<&[Row]>| {
        let work = |(): &mut (), item: usize, send: &dyn Fn((usize, Vec<Row>))| {
            let unit = units[item];
            let done = match rows {
                Some(rows) => experiment.run_after(setup.scale, unit, rows, stop),
                None => experiment.run(setup.scale, unit, stop),
            };
            if let Ok(rows) = done {
                send((unit, rows));
            }
        };
        let jobs = jobs.min(units.len());
        workers::spread_at(
            || Ok(()),
            units.len(),
            jobs,
            stop,
            work,
            |done| {
                ledger.append(&plan, &done)?;
                progress.step_of(plan.units[done.0].weight);
                Ok(())
            },
        )
    };
    let needs = |unit: &usize| experiment.needs(setup.scale, *unit);
    let mut ended = Ok(());
    for units in ahead.chunk_by(|one, other| needs(one) == needs(other)) {
        // Units that need what another share has are left out; the others go on.
        let done =
            needed_rows(experiment, setup, needs(&units[0])).and_then(|rows| stage(units, rows.as_deref()));
        ended = ended.and(done);
        if stop.is_set() || interrupted() {
            break;
        }
    }
    progress.finish();
    ended
}

/// The rows of the units that others need, all of which must be finished; `None` if nothing is needed.
fn needed_rows(
    experiment: &dyn Experiment,
    setup: &StudySetup<'_>,
    needed: Range<usize>,
) -> Result<Option<Vec<Row>>, Failure> {
    if needed.is_empty() {
        return Ok(None);
    }
    let path = rows_of(setup.folder, experiment);
    let contents = ledger::read(&path, experiment)?.map(|(_, contents)| contents).unwrap_or_default();
    if needed.clone().all(|unit| contents.has(unit)) {
        return Ok(Some(contents.rows_of(&needed)));
    }
    let name = experiment.name();
    Err(Failure::new(format!(
        "{name}: some units need the rows of units {} to {}; join the folders of all shares (plumb lab merge) and \
         run the command again in the joined folder",
        needed.start + 1,
        needed.end
    )))
}

/// Joins the rows of several folders, and draws the report.
fn merge(folders: &[impl AsRef<Path>], out: &Path, experiments: &Experiments) -> Result<(), Failure> {
    make_folder(out)?;
    let mut names = Vec::new();
    for one in experiments {
        let paths: Vec<PathBuf> = folders.iter().map(|folder| rows_of(folder.as_ref(), *one)).collect();
        let Some((plan, contents)) = ledger::join(&paths, *one)? else { continue };
        let (name, done, of) = (plan.name, contents.done.len(), plan.units.len());
        console::warn(format!("{name}: {done} of {of} units, from {} folders", folders.len()));
        write(&rows_of(out, *one), &ledger::text(&plan, &contents)?)?;
        names.push(name);
    }
    if names.is_empty() {
        return Err(Failure::new("none of these folders holds rows of an experiment"));
    }
    show(out, experiments, &names)
}

/// Draws the report of a folder, and writes the claims into a Markdown file if one is named.
fn report(folder: &Path, markdown: Option<&Path>, experiments: &Experiments) -> Result<(), Failure> {
    let names: Vec<&str> = experiments.iter().map(|one| one.name()).collect();
    if !experiments.iter().any(|one| rows_of(folder, *one).exists()) {
        return Err(Failure::new(format!("{} holds no rows of an experiment", folder.display())));
    }
    if let Some(path) = markdown {
        let chapters: Result<Vec<Chapter>, Failure> = experiments
            .iter()
            .map(|&one| Ok(chapter(&rows_of(folder, one), one)?.unwrap_or_else(|| unmeasured(one))))
            .collect();
        claims_file::update(path, &chapters?)?;
    }
    show(folder, experiments, &names)
}

/// Draws the report of a folder from all rows in it, and prints the chapters of these names. Where rows are damaged,
/// the old report stays.
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
fn chapter(path: &Path, experiment: &dyn Experiment) -> Result<Option<Chapter>, Failure> {
    let Some((plan, contents)) = ledger::read(path, experiment)? else { return Ok(None) };
    for (name, text) in experiment.files(plan.scale, &contents.rows()) {
        write(&path.with_file_name(name), text)?;
    }
    Ok(Some(concluded(experiment, &plan, &contents)))
}

/// The chapter of an experiment from its rows.
pub(super) fn concluded(
    experiment: &dyn Experiment,
    plan: &ExperimentPlan,
    contents: &LedgerContents,
) -> Chapter {
    let section = experiment.conclude(plan.scale, &contents.rows());
    let (done, of, title) = (contents.done.len(), plan.units.len(), experiment.title());
    let (name, scale, runs) = (plan.name, plan.scale, contents.runs.clone());
    let is_own = experiment.is_own();
    Chapter { name, title, is_own, scale, done, of, runs, section }
}

/// Writes the rows and the claims of a folder as plain CSV into another.
fn export(folder: &Path, to: &Path, experiments: &Experiments) -> Result<(), Failure> {
    let mut found = Vec::new();
    for &experiment in experiments {
        if let Some((plan, contents)) = ledger::read(&rows_of(folder, experiment), experiment)? {
            let chapter = concluded(experiment, &plan, &contents);
            found.push(Exported { columns: experiment.columns(), plan, contents, chapter });
        }
    }
    if found.is_empty() {
        return Err(Failure::new(format!("{} holds no rows of an experiment", folder.display())));
    }
    make_folder(to)?;
    console::out(&export::write(to, &found)?.to_string())
}

/// The chapter of an experiment without rows: every claim is open.
#[must_use]
pub fn unmeasured(experiment: &dyn Experiment) -> Chapter {
    let scale = Scale::Full;
    let (name, title) = (experiment.name(), experiment.title());
    let (done, of) = (0, experiment.units(scale).len());
    let (is_own, section) = (experiment.is_own(), experiment.conclude(scale, &[]));
    Chapter { name, title, is_own, scale, done, of, runs: Vec::new(), section }
}

#[cfg(test)]
pub mod sample {
    //! An experiment for tests: the squares of small numbers.

    use super::super::experiment::{Claim, Section, Unit, Verdict};
    use super::*;
    use crate::lab::base::pages::chart::{Axis, Chart, Point, Series};
    use crate::minimax::Stopped;

    /// A folder of its own for every test, gone afterwards.
    pub struct Folder(pub PathBuf);

    impl Folder {
        /// Makes it, empty.
        pub fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("plumb-{name}-{}", std::process::id()));
            let _ = std::fs::remove_dir_all(&path);
            std::fs::create_dir_all(&path).unwrap();
            Folder(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    /// Unit n has n rows, so unit 0 has none.
    pub struct Squares;

    impl Squares {
        /// The rows of a unit.
        pub fn rows(unit: usize) -> Vec<Row> {
            (0..unit)
                .map(|n| vec![(10 * unit + n).to_string(), (100 * unit * unit + n).to_string()])
                .collect()
        }
    }

    impl Experiment for Squares {
        fn name(&self) -> &'static str {
            "squares"
        }

        fn title(&self) -> &'static str {
            "Squares of small numbers"
        }

        fn columns(&self) -> &'static [&'static str] {
            &["number", "square"]
        }

        fn units(&self, scale: Scale) -> Vec<Unit> {
            let units = if scale == Scale::Quick { 4 } else { 9 };
            (0..units).map(|n| Unit { name: format!("unit {n}"), weight: n as f64 }).collect()
        }

        fn run(&self, _: Scale, index: usize, stop: &Stop) -> Result<Vec<Row>, Stopped> {
            if stop.is_set() { Err(Stopped) } else { Ok(Squares::rows(index)) }
        }

        fn conclude(&self, _: Scale, rows: &[Row]) -> Section {
            let mut table = Table::new(1, ["number", "square"]);
            rows.iter().for_each(|row| table.row(row.iter().cloned()));
            let point =
                |row: &Row| Some(Point { x: row[0].parse().ok()?, y: row[1].parse().ok()?, interval: None });
            let axis = |label: &str| Axis { label: label.to_owned(), logarithmic: false };
            let points = rows.iter().filter_map(point).collect();
            let series = vec![Series { name: "squares".to_owned(), points, from_paper: false }];
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
        let rows: Vec<Row> = (0..done).flat_map(Squares::rows).collect();
        Chapter {
            name: "squares",
            title: Squares.title(),
            is_own: false,
            scale: Scale::Quick,
            done,
            of: 4,
            runs: vec!["here".to_owned()],
            section: Squares.conclude(Scale::Quick, &rows),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sample::{Folder, Squares};
    use super::*;
    use crate::lab::study::papers::experiment::{Section, Unit};
    use crate::minimax::Stopped;

    const ALL: &Experiments = &[&Squares];

    fn setup(folder: &Folder) -> StudySetup<'_> {
        StudySetup { folder: &folder.0, scale: Scale::Quick, jobs: 2, shard: Shard::WHOLE, restart: false }
    }

    fn rows(folder: &Folder) -> Vec<Row> {
        ledger::read(&folder.0.join("squares.csv"), &Squares).unwrap().unwrap().1.rows()
    }

    fn whole() -> Vec<Row> {
        (0..4).flat_map(Squares::rows).collect()
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
        let (one, two, both) = (Folder::new("study-1"), Folder::new("study-2"), Folder::new("study-12"));
        for (number, folder) in [(1, &one), (2, &two)] {
            let setup = StudySetup { shard: Shard { number, of: 2 }, ..setup(folder) };
            measure(&Squares, &setup, &Stop::default()).unwrap();
            assert!(rows(folder).len() < whole().len());
        }
        merge(&[one.0.clone(), two.0.clone()], &both.0, ALL).unwrap();
        assert_eq!(rows(&both), whole());
        for name in ["squares.csv", "squares-growth.svg", "report.html", "summary.md"] {
            assert!(both.0.join(name).exists(), "{name}");
        }
        assert_eq!(std::fs::read_dir(&both.0).unwrap().count(), 4);
    }

    /// Squares that stop the run in a unit, or whose last unit counts the rows of the others.
    struct Altered {
        stops_in: Option<usize>,
        is_staged: bool,
    }

    const STOPPING: Altered = Altered { stops_in: Some(2), is_staged: false };

    const STAGED: Altered = Altered { stops_in: None, is_staged: true };

    impl Experiment for Altered {
        fn name(&self) -> &'static str {
            Squares.name()
        }

        fn title(&self) -> &'static str {
            Squares.title()
        }

        fn columns(&self) -> &'static [&'static str] {
            Squares.columns()
        }

        fn units(&self, scale: Scale) -> Vec<Unit> {
            Squares.units(scale)
        }

        fn needs(&self, _: Scale, index: usize) -> Range<usize> {
            if self.is_staged && index == 3 { 0..3 } else { 0..0 }
        }

        fn run(&self, scale: Scale, index: usize, stop: &Stop) -> Result<Vec<Row>, Stopped> {
            assert!(self.needs(scale, index).is_empty(), "it needs the others");
            if self.stops_in == Some(index) {
                stop.abandon();
            }
            Squares.run(scale, index, stop)
        }

        fn run_after(&self, _: Scale, index: usize, rows: &[Row], _: &Stop) -> Result<Vec<Row>, Stopped> {
            Ok(vec![vec![index.to_string(), rows.len().to_string()]])
        }

        fn conclude(&self, scale: Scale, rows: &[Row]) -> Section {
            Squares.conclude(scale, rows)
        }

        fn files(&self, _: Scale, rows: &[Row]) -> Vec<(String, String)> {
            let count = ("count.txt".to_owned(), rows.len().to_string());
            self.is_staged.then_some(count).into_iter().collect()
        }
    }

    #[test]
    fn an_interrupted_experiment_goes_on() {
        let folder = Folder::new("study-resume");
        let one = StudySetup { jobs: 1, ..setup(&folder) };
        measure(&STOPPING, &one, &Stop::default()).unwrap();
        assert_eq!(rows(&folder), Squares::rows(1), "units 0 and 1 are kept");
        measure(&Squares, &one, &Stop::default()).unwrap();
        assert_eq!(rows(&folder), whole());
        let before = std::fs::read_to_string(folder.0.join("squares.csv")).unwrap();
        assert_eq!(before.matches("# run ").count(), 2);
        measure(&STOPPING, &one, &Stop::default()).unwrap();
        assert_eq!(
            std::fs::read_to_string(folder.0.join("squares.csv")).unwrap(),
            before,
            "nothing is left to do"
        );
        measure(&STOPPING, &StudySetup { restart: true, ..one }, &Stop::default()).unwrap();
        assert_eq!(rows(&folder), Squares::rows(1), "begun anew");
    }

    #[test]
    fn a_unit_gets_the_rows_of_those_that_it_needs() {
        let staged = || {
            let mut rows: Vec<Row> = (0..3).flat_map(Squares::rows).collect();
            rows.push(vec!["3".to_owned(), "3".to_owned()]);
            rows
        };
        let folder = Folder::new("study-staged");
        measure(&STAGED, &setup(&folder), &Stop::default()).unwrap();
        assert_eq!(rows(&folder), staged());
        show(&folder.0, &[&STAGED], &[]).unwrap();
        assert_eq!(std::fs::read_to_string(folder.0.join("count.txt")).unwrap(), "4");

        let (one, two, both) = (Folder::new("staged-1"), Folder::new("staged-2"), Folder::new("staged-12"));
        let share = |number| Shard { number, of: 2 };
        measure(&STAGED, &StudySetup { shard: share(1), ..setup(&one) }, &Stop::default()).unwrap();
        let failure = measure(&STAGED, &StudySetup { shard: share(2), ..setup(&two) }, &Stop::default());
        let failure = failure.expect_err("unit 3 needs the other share");
        assert!(failure.message().unwrap().contains("rows of units 1 to 3"), "{failure:?}");
        merge(&[one.0.clone(), two.0.clone()], &both.0, &[&STAGED]).unwrap();
        measure(&STAGED, &setup(&both), &Stop::default()).unwrap();
        assert_eq!(rows(&both), staged());
    }

    #[test]
    fn a_report_is_drawn_from_incomplete_rows() {
        let folder = Folder::new("study-report");
        let failure = report(&folder.0, None, ALL).expect_err("there is nothing");
        assert!(failure.message().unwrap().contains("holds no rows"), "{failure:?}");
        measure(&STOPPING, &StudySetup { jobs: 1, ..setup(&folder) }, &Stop::default()).unwrap();
        report(&folder.0, None, ALL).unwrap();
        let html = std::fs::read_to_string(folder.0.join("report.html")).unwrap();
        assert!(html.contains("Incomplete: 2 of 4 units") && html.contains("1 at a time"));
        let path = folder.0.join("squares.csv");
        let damaged = std::fs::read_to_string(&path).unwrap().replace("unit 1,0,", "unit 1,0,0,");
        std::fs::write(&path, damaged).unwrap();
        let failure = report(&folder.0, None, ALL).expect_err("a row is damaged");
        assert!(failure.message().unwrap().contains("does not end with its checksum"), "{failure:?}");
        assert_eq!(std::fs::read_to_string(folder.0.join("report.html")).unwrap(), html);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn on_a_full_disk_writing_fails() {
        let folder = Folder::new("study-full");
        std::os::unix::fs::symlink("/dev/full", folder.0.join("squares.csv")).unwrap();
        let failure =
            measure(&Squares, &setup(&folder), &Stop::default()).expect_err("nothing can be written");
        assert!(failure.message().unwrap().contains("cannot write to"), "{failure:?}");
    }
}
