//! `plumb epd`: runs test suites (best moves, moves to avoid, points, mates of a known length, perft), joins and
//! compares their results.
//!
//! | file | what it does |
//! |---|---|
//! | [`plan`] | suites, backends and limits become tasks, a task becomes a row |
//! | [`goals`] | what a position asks for, and whether a search has found it |
//! | [`results`] | the rows: written as JSON and CSV, read, joined |
//! | [`report`] | the rows as tables |
//! | [`output`] | files, standard output |
//! | [`versus`] | two result files against each other |
//! | [`page`] | the failed positions as pictures |
//!
//! Results come in the order of the files, whoever finishes first: a run says the same with any number of jobs.

pub mod goals;
pub mod output;
pub mod page;
pub mod plan;
pub mod report;
pub mod results;
pub mod versus;

use crate::lab::command::cli::{EpdArgs, EpdCommand, EpdOutput, EpdRun};
use crate::lab::command::console::Failure;
use crate::lab::command::interrupted::{Stop, interrupted};
use crate::lab::command::progress::Progress;
use crate::lab::command::workers::{Desk, spread};
use crate::lab::records::in_order::InOrder;
use crate::lab::records::machine;
use output::Outputs;
use plan::Plan;
use results::{Results, Row};
use std::path::PathBuf;

/// Does what the command line says.
pub fn run(arguments: &EpdArgs) -> Result<(), Failure> {
    match &arguments.command {
        None => measure(&arguments.run),
        Some(EpdCommand::Compare(compare)) => versus::run(compare),
        Some(EpdCommand::Merge { files, output }) => merge(files, output),
    }
}

/// Runs the suites, and shows and writes what came of it.
fn measure(arguments: &EpdRun) -> Result<(), Failure> {
    let plan = Plan::new(arguments)?;
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
    let work = |desk: &mut Desk, task: usize, send: &dyn Fn((usize, Row))| {
        if let Some(row) = plan.perform(desk, tasks[task], &stop) {
            send((task, row));
        }
    };
    let ended = spread(tasks.len(), arguments.jobs as usize, plan.hash(), &stop, work, |(task, row)| {
        progress.step();
        waiting.add(task, row);
        std::iter::from_fn(|| waiting.take()).try_for_each(|(_, row)| take(row, &progress))
    });
    // What was broken off leaves gaps; what is behind them counts all the same.
    let rest = waiting.take_rest().try_for_each(|(_, row)| take(row, &progress));
    progress.finish();
    results.date = machine::now();
    outputs.finish(&results).and(ended).and(rest)?;
    verdict(&results)
}

/// Joins result files.
fn merge(files: &[PathBuf], output: &EpdOutput) -> Result<(), Failure> {
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

/// The exit code: wrong perfts and lines that could not be read are failures, missed positions are not.
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
