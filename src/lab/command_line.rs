//! The command line: every command, read by clap. The arguments of a command are in `arguments.rs` of its folder.

use super::manual::CompletionsArgs;
use super::play::books::arguments::{BookArgs, SyzygyArgs};
use super::play::datagen::arguments::{DatagenArgs, GenfensArgs};
use super::play::matches::arguments::TournamentArgs;
use super::play::training::arguments::TrainArgs;
#[cfg(feature = "tuning")]
use super::play::tuning::arguments::TuneArgs;
use super::play::tuning::arguments::{TexelArgs, WdlArgs};
use super::study::chart::arguments::ChartArgs;
use super::study::counting::arguments::CompareArgs;
use super::study::papers::arguments::LabArgs;
use super::study::suites::arguments::EpdArgs;
use super::study::tree::arguments::TraceArgs;
use clap::{Parser, Subcommand};

/// The laboratory's part of the command line.
#[derive(Debug, Parser)]
#[command(name = "plumb", about = "Experiments with search algorithms", disable_help_subcommand = true)]
pub struct CommandLine {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// A command of the laboratory.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compare nodes and time of the search algorithms, relative to Aspiration NegaScout
    Compare(CompareArgs),
    /// Run test suites (best moves, points, mates, perft); compare and merge results
    Epd(EpdArgs),
    /// Repeat the experiments of the papers and write a report with tables and charts
    Lab(LabArgs),
    /// Play a match between two settings, or against another engine: Elo, SPRT, PGN
    Tournament(TournamentArgs),
    /// Self-play: write whole games with the score of every move, for tuning and training
    Datagen(DatagenArgs),
    /// Print random openings in the form that OpenBench's data generation asks for
    Genfens(GenfensArgs),
    /// Fit the weights of the evaluation to game results (Texel's method)
    Texel(TexelArgs),
    /// Train an evaluation network on the games of datagen
    Train(TrainArgs),
    /// Tune the parameters of the search by games against itself (SPSA)
    #[cfg(feature = "tuning")]
    Tune(TuneArgs),
    /// Draw the passes of a search: how the drivers' bounds converge on the value of a position
    Trace(TraceArgs),
    /// Opening books: build one, look a position up, merge several
    Book(BookArgs),
    /// Look positions up in Syzygy tablebases
    Syzygy(SyzygyArgs),
    /// Draw a line chart (SVG) of the numbers in a CSV file
    Chart(ChartArgs),
    /// Fit the win/draw/loss model to games with scores
    Wdl(WdlArgs),
    /// Print a script for completing the command line in a shell
    Completions(CompletionsArgs),
    /// Print the manual page (for man)
    Manual,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::terminal::values::Shard;
    use crate::lab::study::papers::arguments::LabCommand;
    use clap::CommandFactory as _;

    #[test]
    fn clap_finds_no_error_in_the_definitions() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn the_laboratory_has_names_or_a_command() {
        let read = |words: &[&str]| CommandLine::try_parse_from([&["plumb", "lab"], words].concat());
        let Command::Lab(lab) = read(&["a", "b", "--quick", "--shard", "2/3"]).unwrap().command else {
            panic!()
        };
        assert_eq!(lab.study.names, ["a", "b"]);
        assert_eq!((lab.study.quick, lab.study.shard), (true, Some(Shard { number: 2, of: 3 })));
        let Command::Lab(lab) = read(&["merge", "x", "y", "--out", "z"]).unwrap().command else { panic!() };
        assert!(matches!(lab.command, Some(LabCommand::Merge { folders, .. }) if folders.len() == 2));
        let Command::Lab(lab) = read(&["export", "--csv", "z"]).unwrap().command else { panic!() };
        assert!(
            matches!(lab.command, Some(LabCommand::Export { folder, .. }) if folder.as_os_str() == "lab")
        );
        assert!(read(&["merge", "x"]).is_err() && read(&["a", "--quick", "--full"]).is_err());
    }

    /// A flattened struct must not change the help of a command, and `tune` has a seed of its own.
    #[test]
    fn shared_options_keep_their_words() {
        let long = |name: &str| {
            let mut line = CommandLine::command();
            let command = line.find_subcommand_mut(name).unwrap();
            command.render_help().to_string().split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let help = long("tournament");
        assert!(help.starts_with("Play a match between two settings, or"), "{help}");
        let seed = "--seed <SEED> Seed of the order of openings and of random ones [default: 1995]";
        assert!(help.contains(seed), "{help}");
        assert!(help.contains("[default: the lines of the built-in book, then random]"), "{help}");
        if cfg!(feature = "tuning") {
            let help = long("tune");
            assert!(help.starts_with("Tune the parameters of the search by games"), "{help}");
            assert!(help.contains("Seed of the perturbations and of random openings"), "{help}");
        }
    }

    #[test]
    fn a_command_takes_its_former_words() {
        for words in [
            "datagen --out x --concurrency 2",
            "tournament Grid=8 Grid=4 --nodes 100 --concurrency 2",
            "epd x.epd --threads 2",
            "texel x --lambda 0.5",
            "train x --out y --lesson material --lambda 0.5 --threads 2",
        ] {
            let line = CommandLine::try_parse_from(["plumb"].into_iter().chain(words.split(' ')));
            assert!(line.is_ok(), "{words}: {:?}", line.err());
        }
    }

    #[test]
    fn guesses_may_be_negative() {
        let line = ["plumb", "compare", "--verify", "--guesses", "-5,0,5", "x.epd"];
        let Command::Compare(arguments) = CommandLine::try_parse_from(line).unwrap().command else {
            panic!()
        };
        assert_eq!(arguments.guesses, [-5, 0, 5]);
    }
}
