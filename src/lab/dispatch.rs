//! Command dispatch: runs the command that the command line names, and turns its result into an exit code.

use super::base::terminal::console::{self, Failure};
use super::base::terminal::interrupted;
use super::command_line::{self, CommandLine, ReadError};
use super::manual;
use super::play::{books, datagen, matches, training, tuning};
use super::study::counting::{compare, verify};
use super::study::papers::experiment::AnyExperiment;
use super::study::{analyse, chart, papers, suites, trace, tree};
use clap::CommandFactory as _;
use clap::error::ErrorKind;
use std::process::ExitCode;

/// True if a first argument names a command of the laboratory, by its name or another spelling of it.
#[must_use]
pub fn is_command(word: &str) -> bool {
    CommandLine::command().find_subcommand(word).is_some()
}

/// Runs a command; `arguments` are the program's without its own name.
#[must_use]
pub fn main(arguments: Vec<String>) -> ExitCode {
    main_with(arguments, &papers::all())
}

/// The same with other experiments for `plumb lab`: for programs with experiments of their own.
#[must_use]
pub fn main_with(arguments: Vec<String>, experiments: &[&'static dyn AnyExperiment]) -> ExitCode {
    let line = match command_line::read(std::iter::once("plumb".to_owned()).chain(arguments)) {
        Ok(line) => line,
        Err(ReadError::Files(failure)) => return conclude(Err(failure)),
        Err(ReadError::Clap(error)) if error.use_stderr() && error.kind() != NO_COMMAND => {
            return conclude(Err(Failure::usage(in_one_line(&error.to_string()))));
        }
        Err(ReadError::Clap(error)) => {
            // Help goes to standard output, except where it takes the place of a command; neither may panic
            // where it is closed.
            return match error.print() {
                _ if error.use_stderr() => ExitCode::from(2),
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => conclude(Err(console::unwritten(&error))),
            };
        }
    };
    interrupted::listen();
    let done = match line.command {
        command_line::Command::Compare(arguments) if arguments.verify => verify::run(&arguments),
        command_line::Command::Compare(arguments) => compare::run(&arguments),
        command_line::Command::Analyse(arguments) => analyse::command::run(&arguments),
        command_line::Command::Epd(arguments) => suites::run(&arguments),
        command_line::Command::Lab(arguments) => papers::command::run(&arguments, experiments),
        command_line::Command::Trace(arguments) if arguments.tree.is_some() => tree::command::run(&arguments),
        command_line::Command::Trace(arguments) => trace::command::run(&arguments),
        command_line::Command::Tournament(arguments) => matches::tournament::run(&arguments),
        command_line::Command::Datagen(arguments) => datagen::run(&arguments),
        command_line::Command::Genfens(arguments) => datagen::genfens::run(&arguments),
        command_line::Command::Texel(arguments) => tuning::texel::run(&arguments),
        command_line::Command::Train(arguments) => training::run(&arguments),
        #[cfg(feature = "tuning")]
        command_line::Command::Tune(arguments) => tuning::tune::run(&arguments),
        command_line::Command::Book(arguments) => books::book::run(&arguments),
        command_line::Command::Syzygy(arguments) => books::syzygy::run(&arguments),
        command_line::Command::Chart(arguments) => chart::run(&arguments),
        command_line::Command::Wdl(arguments) => tuning::wdl::run(&arguments),
        command_line::Command::Completions(arguments) => manual::completions(arguments.shell),
        command_line::Command::Manual => manual::show_page(),
    };
    conclude(done)
}

/// The error of a command line without the command that has to be there: it is answered by the help.
const NO_COMMAND: ErrorKind = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;

/// An error of clap in one line: what is wrong and what may have been meant, without the usage, which
/// `--help` shows. Of a word in the place of a number it says what is allowed.
fn in_one_line(error: &str) -> String {
    let lines = error.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let told = lines.filter(|line| !line.is_empty() && !line.starts_with("For more information"));
    let told = told.collect::<Vec<_>>().join(" ");
    told.trim_start_matches("error: ").replace("invalid digit found in string", "only digits are allowed")
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
