//! The laboratory: commands for researchers and testers, whose product is a table of numbers, a page or a file of
//! games.
//!
//! | room | what it does |
//! |---|---|
//! | [`manual`] | help, the manual page, completions for shells |
//! | [`counting`] | `plumb compare`: every backend over the same positions |
//! | [`suites`] | `plumb epd`: test suites (best moves, points, mates, perft), joined, compared, drawn |
//! | [`mod@matches`] | `plumb tournament`: two settings play each other, Elo and SPRT |
//! | [`datagen`] | `plumb datagen`: self-play that makes training data |
//! | [`tuning`] | `plumb texel`, `tune`, `wdl`: weights, parameters and the WDL model, fitted to games |
//! | [`training`] | `plumb train`: the network of the evaluation, trained on such games |
//! | [`papers`] | `plumb lab`: the papers' experiments and the report on their claims |
//! | [`trace`] | `plumb trace`: one search, pass by pass, drawn on a page |
//! | [`tree`] | `plumb trace --tree`: the searches of a small tree, visit by visit, stepped through on a page |
//! | [`books`] | `plumb book`, `plumb syzygy` |
//! | [`chart`] | `plumb chart`: the numbers of a CSV file, drawn |
//! | [`formats`] | EPD, SAN, PGN |
//! | [`pages`] | tables, charts, boards, the frame of a page |
//! | [`statistics`] | ratios with intervals, the sign test, Elo, SPRT |
//! | [`records`] | rows on disk, and going on after a break |
//! | [`command`] | the command line, progress, Ctrl-C, worker threads |
//!
//! A room uses those below it in this table, never those above.
//!
//! Tables go to standard output, everything else to standard error. Exit codes: 0 done, 1 a failure (or a failed
//! proof), 2 a wrong command line, 130 interrupted (finished results are shown).

pub mod books;
pub mod chart;
pub mod command;
pub mod counting;
pub mod datagen;
pub mod formats;
pub mod manual;
pub mod matches;
pub mod pages;
pub mod papers;
pub mod records;
pub mod statistics;
pub mod suites;
pub mod trace;
pub mod training;
pub mod tree;
pub mod tuning;

use clap::error::ErrorKind;
use clap::{Parser as _, Subcommand as _};
use command::console::{self, Failure};
use command::{cli, interrupted};
use counting::{compare, verify};
use std::process::ExitCode;

/// True if a first argument names a command of the laboratory.
#[must_use]
pub fn is_command(word: &str) -> bool {
    cli::Command::has_subcommand(word)
}

/// Runs a command; `arguments` are the program's without its own name.
#[must_use]
pub fn main(arguments: Vec<String>) -> ExitCode {
    let line = match cli::CommandLine::try_parse_from(std::iter::once("plumb".to_owned()).chain(arguments)) {
        Ok(line) => line,
        Err(error) if error.use_stderr() && error.kind() != NO_COMMAND => {
            return conclude(Err(Failure::usage(in_one_line(&error.to_string()))));
        }
        Err(error) => {
            // Help goes to standard output, except where it takes the place of a command; neither may panic where it
            // is closed.
            return match error.print() {
                _ if error.use_stderr() => ExitCode::from(2),
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => conclude(Err(console::unwritten(&error))),
            };
        }
    };
    interrupted::listen();
    let done = match line.command {
        cli::Command::Compare(arguments) if arguments.verify => verify::run(&arguments),
        cli::Command::Compare(arguments) => compare::run(&arguments),
        cli::Command::Epd(arguments) => suites::run(&arguments),
        cli::Command::Lab(arguments) => papers::study::run(&arguments, &papers::all()),
        cli::Command::Trace(arguments) if arguments.tree.is_some() => tree::run(&arguments),
        cli::Command::Trace(arguments) => trace::run(&arguments),
        cli::Command::Tournament(arguments) => matches::tournament::run(&arguments),
        cli::Command::Datagen(arguments) => datagen::run(&arguments),
        cli::Command::Genfens(arguments) => datagen::genfens::run(&arguments),
        cli::Command::Texel(arguments) => tuning::texel::run(&arguments),
        cli::Command::Train(arguments) => training::run(&arguments),
        #[cfg(feature = "tuning")]
        cli::Command::Tune(arguments) => tuning::tune::run(&arguments),
        cli::Command::Book(arguments) => books::book::run(&arguments),
        cli::Command::Syzygy(arguments) => books::syzygy::run(&arguments),
        cli::Command::Chart(arguments) => chart::run(&arguments),
        cli::Command::Wdl(arguments) => tuning::wdl::run(&arguments),
        cli::Command::Completions(arguments) => manual::completions(&arguments),
        cli::Command::Manual => manual::show_page(),
    };
    conclude(done)
}

/// The error of a command line without the command that has to be there: it is answered by the help.
const NO_COMMAND: ErrorKind = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;

/// An error of clap in one line: what is wrong and what may have been meant, without the usage, which `--help` shows.
fn in_one_line(error: &str) -> String {
    let lines = error.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let told = lines.filter(|line| !line.is_empty() && !line.starts_with("For more information"));
    told.collect::<Vec<_>>().join(" ").trim_start_matches("error: ").to_owned()
}

/// Prints the list of commands, or the help of the one that `names` names, such as `epd` or `epd merge`.
#[must_use]
pub fn help(names: &[String]) -> ExitCode {
    match names.first() {
        None => conclude(manual::show_help()),
        Some(name) if is_command(name) => main([names, &["--help".to_owned()]].concat()),
        Some(name) => conclude(match names.get(1) {
            Some(word) => Err(Failure::usage(format!("help: '{word}' means nothing here"))),
            None => manual::show_help_of(name),
        }),
    }
}

fn conclude(done: Result<(), Failure>) -> ExitCode {
    match done {
        Ok(()) if interrupted::interrupted() => Failure::interrupted().code(),
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.tell();
            failure.code()
        }
    }
}
