//! The laboratory: experiments whose product is a table of numbers.
//!
//! | room | what it does |
//! |---|---|
//! | [`cli`] | what the command line may say |
//! | [`compare`] | `plumb compare`: every backend over the same positions, relative to Aspiration NegaScout |
//! | [`verify`] | `plumb compare --verify`: every backend must find Alpha-Beta's value from every first guess |
//! | [`epd`] | `plumb epd`: test suites (best moves, points, mates, perft), joined, compared, drawn |
//! | [`tournament`], [`elo`] | `plumb tournament`: two settings play each other, and by how much one is stronger |
//! | [`openings`], [`pair`] | where games begin, and the two games of an opening |
//! | [`pgn`], [`pair_record`] | such games as text: for other programs, and to go on after a break |
//! | [`games`], [`labelled`] | `plumb games`: own games as quiet positions with results, to tune an evaluation with |
//! | [`datagen`] | `plumb datagen`: self-play that makes training data, whole games with a score a move |
//! | [`texel`], [`texel_samples`], [`texel_state`], [`logistic`] | `plumb texel`: the weights of the evaluation, fitted to results |
//! | `tune` (feature `tuning`), [`spsa`] | `plumb tune`: the numbers of the search, tuned by games |
//! | [`book`] | `plumb book`: makes, shows and merges opening books |
//! | [`wdl`] | `plumb wdl`: the odds behind scores, fitted to games |
//! | [`trace`], [`trace_page`] | `plumb trace`: one search as a page of pictures |
//! | [`suite`], [`points`], [`notation`] | EPD files, points for moves, and moves as people write them |
//! | [`study`] | `plumb lab`: the papers' experiments, run, joined and reported |
//! | [`experiment`], [`experiments`] | what an experiment is, and which there are |
//! | [`runner`], [`measure`], [`goals`] | searches on worker threads, what they counted, what they solved |
//! | [`progress`], [`interrupted`] | the time left, Ctrl-C |
//! | [`journal`], [`record`], [`ledger`] | raw numbers on disk, and taking up where a run was broken off |
//! | [`fingerprint`], [`machine`] | which program and which machine they come from |
//! | [`report`], [`ratios`], [`table`] | from raw counts to ratios with intervals to readable tables |
//! | [`sign_test`] | whether two contenders differ on the same tasks |
//! | [`findings`], [`page`] | what experiments say, for a terminal and as a page for a browser |
//! | [`chart`], [`axis`], [`svg`] | pictures |
//! | [`manual`] | help, the manual page, completions for shells |
//!
//! Tables go to standard output, everything else to standard error. Exit codes: 0 done, 1 something went
//! wrong (or a proof failed), 2 the command line makes no sense, 130 interrupted (what was finished is shown).

pub mod axis;
pub mod book;
pub mod chart;
pub mod cli;
pub mod compare;
pub mod console;
pub mod datagen;
pub mod elo;
pub mod epd;
pub mod experiment;
pub mod experiments;
pub mod findings;
pub mod fingerprint;
pub mod games;
pub mod goals;
pub mod interrupted;
pub mod journal;
pub mod labelled;
pub mod ledger;
pub mod logistic;
pub mod machine;
pub mod manual;
pub mod measure;
pub mod notation;
pub mod openings;
pub mod page;
pub mod pair;
pub mod pair_record;
pub mod pgn;
pub mod points;
pub mod progress;
pub mod ratios;
pub mod record;
pub mod report;
pub mod runner;
pub mod settings;
pub mod sign_test;
pub mod spsa;
pub mod study;
pub mod suite;
pub mod svg;
pub mod syzygy;
pub mod table;
pub mod texel;
pub mod texel_samples;
pub mod texel_state;
pub mod tournament;
pub mod trace;
pub mod trace_page;
#[cfg(feature = "tuning")]
pub mod tune;
pub mod verify;
pub mod wdl;

use clap::{Parser as _, Subcommand as _};
use console::Failure;
use std::process::ExitCode;

/// Whether a first argument names an experiment of the laboratory.
#[must_use]
pub fn is_command(word: &str) -> bool {
    cli::Command::has_subcommand(word)
}

/// Runs an experiment; `arguments` are the program's without its own name.
#[must_use]
pub fn main(arguments: Vec<String>) -> ExitCode {
    let line = match cli::Line::try_parse_from(std::iter::once("plumb".to_owned()).chain(arguments)) {
        Ok(line) => line,
        Err(error) => {
            // Help goes to standard output, complaints to standard error; neither must panic when it cannot.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    interrupted::listen();
    let done = match line.command {
        cli::Command::Compare(arguments) if arguments.verify => verify::run(&arguments),
        cli::Command::Compare(arguments) => compare::run(&arguments),
        cli::Command::Epd(arguments) => epd::run(&arguments),
        cli::Command::Lab(arguments) => study::run(&arguments, &experiments::all()),
        cli::Command::Trace(arguments) => trace::run(&arguments),
        cli::Command::Tournament(arguments) => tournament::run(&arguments),
        cli::Command::Games(arguments) => games::run(&arguments),
        cli::Command::Datagen(arguments) => datagen::run(&arguments),
        cli::Command::Genfens(arguments) => datagen::genfens::run(&arguments),
        cli::Command::Texel(arguments) => texel::run(&arguments),
        #[cfg(feature = "tuning")]
        cli::Command::Tune(arguments) => tune::run(&arguments),
        cli::Command::Book(arguments) => book::run(&arguments),
        cli::Command::Syzygy(arguments) => syzygy::run(&arguments),
        cli::Command::Wdl(arguments) => wdl::run(&arguments),
        cli::Command::Completions(arguments) => manual::completions(&arguments),
        cli::Command::Manual => manual::show_page(),
    };
    conclude(done)
}

/// Prints which commands there are.
#[must_use]
pub fn help() -> ExitCode {
    conclude(manual::show_help())
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
