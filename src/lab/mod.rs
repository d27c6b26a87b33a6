//! The laboratory: commands for researchers and testers, whose product is a table of numbers, a page or a file of
//! games.
//!
//! | folder | contents |
//! |---|---|
//! | [`manual`] | help, the manual page, completions for shells |
//! | [`study::papers`] | `plumb lab`: the papers' experiments and the report on their claims |
//! | [`study::suites`] | `plumb epd`: test suites (best moves, points, mates, perft), joined, compared, drawn |
//! | [`study::counting`] | `plumb compare`: every backend over the same positions |
//! | [`study::trace`] | `plumb trace`: one search, pass by pass, drawn on a page |
//! | [`study::tree`] | `plumb trace --tree`: the searches of a small tree, visit by visit, stepped through on a page |
//! | [`study::chart`] | `plumb chart`: the numbers of a CSV file, drawn |
//! | [`play::training`] | `plumb train`: the network of the evaluation, trained on games of the archive |
//! | [`play::tuning`] | `plumb texel`, `tune`, `wdl`: weights, parameters and the WDL model, fitted to games |
//! | [`play::matches`](mod@play::matches) | `plumb tournament`: two settings play each other, Elo and SPRT |
//! | [`play::datagen`] | `plumb datagen`: self-play that makes training data |
//! | [`play::archive`] | files of games: format, checksums, reading and writing |
//! | [`play::books`] | `plumb book`, `plumb syzygy` |
//! | [`play::referee`] | players, the games between them, clocks and adjudication |
//! | [`base::formats`] | EPD, SAN, PGN, openings |
//! | [`base::pages`] | tables, charts, boards, the frame of a page |
//! | [`base::statistics`] | ratios with intervals, the sign test, Elo, SPRT |
//! | [`base::records`] | rows on disk, and going on after a break |
//! | [`base::terminal`] | output, progress, Ctrl-C, options as words of the command line, worker threads |
//!
//! A folder uses those below it in this table, never those above: [`study`] uses [`play`], and both use [`base`].
//! `arguments.rs` of a folder reads the words of its commands; [`command_line`] knows them all.
//!
//! Tables go to standard output, everything else to standard error. Exit codes: 0 done, 1 a failure (or a failed
//! proof), 2 a wrong command line, 130 interrupted (finished results are shown).

pub mod base;
pub mod command_line;
pub mod manual;
pub mod play;
pub mod study;

use base::terminal::console::{self, Failure};
use base::terminal::interrupted;
use clap::Subcommand as _;
use clap::error::ErrorKind;
use command_line::ReadError;
use play::{books, datagen, matches, training, tuning};
use std::process::ExitCode;
use study::counting::{compare, verify};
use study::papers::experiment::AnyExperiment;
use study::{chart, papers, suites, trace, tree};

/// True if a first argument names a command of the laboratory.
#[must_use]
pub fn is_command(word: &str) -> bool {
    command_line::Command::has_subcommand(word)
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
        command_line::Command::Compare(arguments) if arguments.verify => verify::run(&arguments),
        command_line::Command::Compare(arguments) => compare::run(&arguments),
        command_line::Command::Epd(arguments) => suites::run(&arguments),
        command_line::Command::Lab(arguments) => papers::study::run(&arguments, experiments),
        command_line::Command::Trace(arguments) if arguments.tree.is_some() => tree::run(&arguments),
        command_line::Command::Trace(arguments) => trace::run(&arguments),
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
        command_line::Command::Completions(arguments) => manual::completions(&arguments),
        command_line::Command::Manual => manual::show_page(),
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

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    /// The source files of the laboratory, without their tests: path below `src/lab`, and text.
    fn sources() -> Vec<(String, String)> {
        fn files(folder: &Path) -> Vec<PathBuf> {
            let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lab");
        let is_rust = |path: &PathBuf| {
            path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs")
        };
        let named = |path: PathBuf| {
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
            (name, text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned())
        };
        files(&root).into_iter().filter(is_rust).map(named).collect()
    }

    #[test]
    fn a_folder_uses_only_those_below_it_in_the_table() {
        let table = include_str!("mod.rs").lines().filter_map(|line| line.strip_prefix("//! | [`"));
        let folders: Vec<&str> = table.filter_map(|row| row.split('`').next()).collect();
        let wings =
            folders.iter().filter_map(|folder| folder.split("::").next().filter(|wing| wing != folder));
        let mut wings: Vec<&str> = wings.collect();
        wings.dedup();
        assert!(folders.len() > 18 && wings == ["study", "play", "base"], "{folders:?}");
        for (file, text) in sources() {
            let Some(place) = folders.iter().position(|known| file.starts_with(&known.replace("::", "/")))
            else {
                assert!(file.split('/').count() <= 2, "{file} is in no folder of the table");
                continue;
            };
            for above in &folders[..place] {
                let import = format!("lab::{above}::");
                assert!(!text.contains(&import), "{file} uses {above}");
            }
        }
    }

    #[test]
    fn only_the_command_line_knows_clap() {
        for (file, text) in sources() {
            let reads_words = file.ends_with("arguments.rs")
                || ["mod.rs", "command_line.rs", "manual.rs"].contains(&file.as_str());
            assert!(reads_words || !text.contains("clap"), "{file}");
        }
    }
}
