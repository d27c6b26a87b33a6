//! The laboratory: commands for researchers and testers, whose product is a table of numbers, a page or a file of
//! games.
//!
//! | room | what it does |
//! |---|---|
//! | [`manual`] | help, the manual page, completions for shells |
//! | [`papers`] | `plumb lab`: the papers' experiments and the report on their claims |
//! | [`suites`] | `plumb epd`: test suites (best moves, points, mates, perft), joined, compared, drawn |
//! | [`counting`] | `plumb compare`: every backend over the same positions |
//! | [`training`] | `plumb train`: the network of the evaluation, trained on such games |
//! | [`tuning`] | `plumb texel`, `tune`, `wdl`: weights, parameters and the WDL model, fitted to games |
//! | [`matches`](mod@matches) | `plumb tournament`: two settings play each other, Elo and SPRT |
//! | [`datagen`] | `plumb datagen`: self-play that makes training data |
//! | [`trace`] | `plumb trace`: one search, pass by pass, drawn on a page |
//! | [`tree`] | `plumb trace --tree`: the searches of a small tree, visit by visit, stepped through on a page |
//! | [`books`] | `plumb book`, `plumb syzygy` |
//! | [`chart`] | `plumb chart`: the numbers of a CSV file, drawn |
//! | [`formats`] | EPD, SAN, PGN, openings |
//! | [`referee`] | players, the games between them, clocks and adjudication |
//! | [`pages`] | tables, charts, boards, the frame of a page |
//! | [`statistics`] | ratios with intervals, the sign test, Elo, SPRT |
//! | [`records`] | rows on disk, and going on after a break |
//! | [`terminal`] | output, progress, Ctrl-C, options as words of the command line, worker threads |
//!
//! A room uses those below it in this table, never those above. `arguments.rs` of a room reads the words of its commands;
//! [`command_line`] knows them all.
//!
//! Tables go to standard output, everything else to standard error. Exit codes: 0 done, 1 a failure (or a failed
//! proof), 2 a wrong command line, 130 interrupted (finished results are shown).

pub mod books;
pub mod chart;
pub mod command_line;
pub mod counting;
pub mod datagen;
pub mod formats;
pub mod manual;
pub mod matches;
pub mod pages;
pub mod papers;
pub mod records;
pub mod referee;
pub mod statistics;
pub mod suites;
pub mod terminal;
pub mod trace;
pub mod training;
pub mod tree;
pub mod tuning;

use clap::error::ErrorKind;
use clap::{Parser as _, Subcommand as _};
use counting::{compare, verify};
use papers::experiment::Experiment;
use std::process::ExitCode;
use terminal::console::{self, Failure};
use terminal::interrupted;

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
pub fn main_with(arguments: Vec<String>, experiments: &[&'static dyn Experiment]) -> ExitCode {
    let line =
        match command_line::CommandLine::try_parse_from(std::iter::once("plumb".to_owned()).chain(arguments))
        {
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
    fn a_room_uses_only_those_below_it_in_the_table() {
        let table = include_str!("mod.rs").lines().filter_map(|line| line.strip_prefix("//! | [`"));
        let rooms: Vec<&str> = table.filter_map(|row| row.split('`').next()).collect();
        assert!(rooms.len() > 15, "{rooms:?}");
        for (file, text) in sources() {
            let room = file.split('/').next().unwrap().trim_end_matches(".rs");
            let Some(place) = rooms.iter().position(|known| *known == room) else { continue };
            for above in &rooms[..place] {
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
