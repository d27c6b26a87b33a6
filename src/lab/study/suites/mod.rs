//! `plumb epd`: runs test suites (best moves, moves to avoid, points, mates of a known length, perft), joins
//! and compares their results.
//!
//! | file | what it does |
//! |---|---|
//! | [`plan`] | suites, backends and limits become tasks, a task becomes a row |
//! | [`goals`] | goals of a position, and the time when a search has met them |
//! | [`results`] | rows, written as JSON and CSV, read, joined |
//! | [`report`] | rows as tables |
//! | [`output`] | files, standard output |
//! | [`versus`] | `plumb epd compare`: two result files |
//! | [`page`] | failed positions, drawn |
//!
//! Results are in the order of the files and do not depend on the number of jobs.

pub mod arguments;
pub mod goals;
pub mod output;
pub mod page;
pub mod plan;
pub mod report;
pub mod results;
pub mod versus;

use crate::lab::base::records::in_order::InOrder;
use crate::lab::base::records::machine;
use crate::lab::base::terminal::console::Failure;
use crate::lab::base::terminal::interrupted::{self, Stop, interrupted};
use crate::lab::base::terminal::paths::InputPath;
use crate::lab::base::terminal::progress::Progress;
use crate::lab::play::referee::{Player, spread};
use crate::lab::study::suites::arguments::{EpdArgs, EpdCommand, EpdOutput, EpdRun};
use output::Outputs;
use plan::SuitePlan;
use results::{Results, Row};
use std::time::Duration;

/// Time for reading and joining results to end after Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(500);

/// Runs `plumb epd` and its commands.
///
/// # Errors
/// If a file cannot be used, or a perft is wrong.
pub fn run(arguments: &EpdArgs) -> Result<(), Failure> {
    if arguments.command.is_some() {
        // Nothing is measured, and a file is written whole.
        interrupted::end_within(PATIENCE);
    }
    match &arguments.command {
        None => measure(&arguments.run),
        Some(EpdCommand::Compare(compare)) => versus::run(compare),
        Some(EpdCommand::Merge { files, output }) => merge(files, output),
    }
}

/// Runs the suites, shows and writes the results.
fn measure(arguments: &EpdRun) -> Result<(), Failure> {
    let plan = SuitePlan::new(arguments)?;
    let tasks = plan.tasks();
    let mut results = plan.results();
    if results.planned() == 0 {
        return Err(Failure::new("there is nothing to run"));
    }
    let mut outputs = Outputs::open(&arguments.output)?;
    let mut progress = Progress::new("positions", tasks.len(), 0);
    let mut waiting = InOrder::default();
    let stop = Stop::default();
    let mut take = |row: Row, progress: &Progress| {
        let written = outputs.row(&row);
        let told =
            if arguments.verbose { progress.aside(|| outputs.tell(&report::line(&row))) } else { Ok(()) };
        results.rows.push(row);
        written.and(told)
    };
    let work = |player: &mut Player, task: usize, send: &dyn Fn((usize, Row))| {
        if let Some(row) = plan.perform(player, tasks[task], &stop) {
            send((task, row));
        }
    };
    let ended = spread(tasks.len(), arguments.jobs as usize, plan.hash(), &stop, work, |(task, row)| {
        progress.step();
        waiting.add(task, row);
        std::iter::from_fn(|| waiting.take()).try_for_each(|(_, row)| take(row, &progress))
    });
    // A run that was interrupted has gaps; results behind them count too.
    let rest = waiting.take_rest().try_for_each(|(_, row)| take(row, &progress));
    progress.finish();
    results.date = machine::now();
    outputs.finish(&results).and(ended).and(rest)?;
    verdict(&results)
}

/// Joins result files.
fn merge(files: &[InputPath], output: &EpdOutput) -> Result<(), Failure> {
    let mut parts = Vec::new();
    for path in files {
        parts.push((path.display().to_string(), Results::read(path)?));
    }
    let results = results::merge(parts)?;
    let mut outputs = Outputs::open(output)?;
    results.rows.iter().try_for_each(|row| outputs.row(row))?;
    outputs.finish(&results)?;
    verdict(&results)
}

/// Failure of a run, for the exit code: wrong perfts and lines that could not be read, but not missed
/// positions.
fn verdict(results: &Results) -> Result<(), Failure> {
    if interrupted() {
        return Err(Failure::interrupted());
    }
    let unread: usize = results.suites.iter().map(|suite| suite.unread).sum();
    if unread > 0 {
        let lines = if unread == 1 { "line" } else { "lines" };
        return Err(Failure::new(format!("{unread} {lines} could not be read, the rest was run")));
    }
    let wrong = results.rows.iter().any(|row| row.is_perft() && !row.solved);
    if wrong { Err(Failure::told()) } else { Ok(()) }
}
