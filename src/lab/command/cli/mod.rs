//! The command line: every command and its arguments, read by clap.
//!
//! The arguments of a command are in the file of its name; `values` reads those that several commands take. Doc
//! comments of arguments are the help texts that users see.

mod book;
mod compare;
mod completions;
pub mod datagen;
mod epd;
mod games;
mod genfens;
mod lab;
mod syzygy;
mod texel;
mod tournament;
mod trace;
pub mod train;
#[cfg(feature = "tuning")]
mod tune;
mod values;
mod wdl;

pub use book::{BookArgs, BookCommand};
pub use compare::CompareArgs;
pub use completions::CompletionsArgs;
pub use epd::{EpdArgs, EpdCommand, EpdCompare, EpdOutput, EpdRun};
pub use games::GamesArgs;
pub use genfens::GenfensArgs;
pub use lab::{LabArgs, LabCommand, StudyArgs};
pub use syzygy::SyzygyArgs;
pub use texel::TexelArgs;
pub use tournament::{PlayArgs, TournamentArgs};
pub use trace::TraceArgs;
pub use train::TrainArgs;
#[cfg(feature = "tuning")]
pub use tune::TuneArgs;
pub use values::{Shard, backends};
pub use wdl::WdlArgs;

use clap::{Parser, Subcommand};
use datagen::DatagenArgs;

/// The laboratory's part of the command line.
#[derive(Debug, Parser)]
#[command(name = "plumb", about = "Experiments with search algorithms", disable_help_subcommand = true)]
pub struct Line {
    /// Which experiment.
    #[command(subcommand)]
    pub command: Command,
}

/// An experiment.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compare search algorithms by what they count, relative to Aspiration NegaScout
    Compare(CompareArgs),
    /// Run test suites: best moves, points, mates, perft; compare and join their results
    Epd(EpdArgs),
    /// Measure the papers' claims again, and write a report with tables and pictures
    Lab(LabArgs),
    /// Let two settings play each other
    Tournament(TournamentArgs),
    /// Play games against itself and write their quiet positions with the results, to tune an evaluation with
    Games(GamesArgs),
    /// Play against itself and keep whole games with a score a move, as training data for an evaluation
    Datagen(DatagenArgs),
    /// Print random openings, as OpenBench asks for them to make training data
    Genfens(GenfensArgs),
    /// Fit the weights of the evaluation to how games ended (Texel's method)
    Texel(TexelArgs),
    /// Train the network of the evaluation on the games of datagen
    Train(TrainArgs),
    /// Tune the numbers of the search by games against itself (SPSA)
    #[cfg(feature = "tuning")]
    Tune(TuneArgs),
    /// Draw, pass by pass, how the drivers' bounds close in on the value of a position
    Trace(TraceArgs),
    /// Opening books: make one from lines of play, look into one, merge several
    Book(BookArgs),
    /// Look positions up in Syzygy endgame tables
    Syzygy(SyzygyArgs),
    /// Fit the odds of winning, drawing and losing to the scores of games
    Wdl(WdlArgs),
    /// Print a script that completes command lines, for a shell to read
    Completions(CompletionsArgs),
    /// Print the manual page, for man to read
    Manual,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn clap_finds_no_error_in_the_definitions() {
        Line::command().debug_assert();
    }

    #[test]
    fn the_laboratory_has_names_or_a_command() {
        let read = |words: &[&str]| Line::try_parse_from([&["plumb", "lab"], words].concat());
        let Command::Lab(lab) = read(&["a", "b", "--quick", "--shard", "2/3"]).unwrap().command else {
            panic!()
        };
        assert_eq!(lab.study.names, ["a", "b"]);
        assert_eq!((lab.study.quick, lab.study.shard), (true, Some(Shard { number: 2, of: 3 })));
        let Command::Lab(lab) = read(&["merge", "x", "y", "--out", "z"]).unwrap().command else { panic!() };
        assert!(matches!(lab.command, Some(LabCommand::Merge { folders, .. }) if folders.len() == 2));
        assert!(read(&["merge", "x"]).is_err() && read(&["a", "--quick", "--full"]).is_err());
    }

    /// A flattened struct must not change the help of a command, and `tune` has a seed of its own.
    #[test]
    fn shared_options_keep_their_words() {
        let long = |name: &str| {
            let mut line = Line::command();
            let command = line.find_subcommand_mut(name).unwrap();
            command.render_help().to_string().split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let help = long("tournament");
        assert!(help.starts_with("Let two settings play each other "), "{help}");
        assert!(help.contains("--seed <SEED> Seed of the random openings [default: 1995]"), "{help}");
        if cfg!(feature = "tuning") {
            let help = long("tune");
            assert!(help.starts_with("Tune the numbers of the search by games"), "{help}");
            assert!(help.contains("Seed of the perturbations and of random openings"), "{help}");
        }
    }

    #[test]
    fn guesses_may_be_negative() {
        let line = ["plumb", "compare", "--verify", "--guesses", "-5,0,5", "x.epd"];
        let Command::Compare(arguments) = Line::try_parse_from(line).unwrap().command else { panic!() };
        assert_eq!(arguments.guesses, [-5, 0, 5]);
    }
}
