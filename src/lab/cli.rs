//! What the command line may say.

use crate::search::{Backend, Mode};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Depths a search can be asked for, in plies.
const DEPTHS: std::ops::RangeInclusive<i64> = 1..=crate::chess::score::MAX_PLY as i64 - 1;

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
    /// Run test suites: best moves, mates, perft
    Epd(EpdArgs),
    /// Opening books: make one from lines of play, look into one, merge several
    Book(BookArgs),
}

/// Arguments of `plumb book`.
#[derive(Clone, Debug, Args)]
pub struct BookArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: BookCommand,
}

/// What `plumb book` does.
#[derive(Clone, Debug, Subcommand)]
pub enum BookCommand {
    /// Make a book; a move weighs as much as lines pass through it
    Build {
        /// Games (.pgn), tables with a column pgn (.tsv), positions with best moves (.epd)
        #[arg(required = true, value_name = "FROM")]
        files: Vec<PathBuf>,
        /// The book to write
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Show the moves that a book has for a position
    Probe {
        /// The book
        file: PathBuf,
        /// The position [default: the start]
        fen: Option<String>,
    },
    /// Merge books; the weights of a move are added up
    Merge {
        /// The books
        #[arg(required = true, value_name = "BOOK")]
        files: Vec<PathBuf>,
        /// The book to write
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
}

/// Arguments of `plumb compare`.
#[derive(Clone, Debug, Args)]
pub struct CompareArgs {
    /// Files with a position a line (EPD or FEN)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Iterations, in plies
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(i32).range(DEPTHS))]
    pub depth: i32,
    /// play, paper (full width) or strict (for proofs) [default: paper; strict with --verify]
    #[arg(long)]
    pub mode: Option<Mode>,
    /// Backends to compare, separated by commas, or all
    #[arg(long, default_value = "all", value_name = "LIST")]
    pub backends: String,
    /// Set an option for every backend (repeatable)
    #[arg(long, value_name = "OPTION=VALUE")]
    pub set: Vec<String>,
    /// Set an option for one backend (repeatable), for example mtdf:Grid=4
    #[arg(long, value_name = "BACKEND:OPTION=VALUE")]
    pub set_for: Vec<String>,
    /// Table size in MiB; a list of sizes with --verify [default: 64]
    #[arg(long, value_name = "MIB", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub hash: Vec<u64>,
    /// Only the first K positions
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub positions: Option<u64>,
    /// Write the raw counts to FILE; a second run with the same parameters goes on where it stopped
    #[arg(long, value_name = "FILE", conflicts_with = "verify")]
    pub csv: Option<PathBuf>,
    /// Overwrite the file of --csv instead of going on with it
    #[arg(long, requires = "csv")]
    pub restart: bool,
    /// First find the best window of Aspiration NegaScout, then use it as the base
    #[arg(long, conflicts_with = "verify")]
    pub sweep_window: bool,
    /// Print every depth in full, not only the last
    #[arg(long)]
    pub all_depths: bool,
    /// Seed of the bootstrap
    #[arg(long, default_value_t = 1995)]
    pub seed: u64,
    /// Positions searched at a time; with more than one, times are less reliable
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    pub jobs: u64,
    /// Prove instead of measure: every backend must find Alpha-Beta's values from every first guess
    #[arg(long)]
    pub verify: bool,
    /// First guesses of --verify, as distances from the value, in units of evaluation
    #[arg(
        long,
        visible_alias = "guess-spread",
        value_name = "LIST",
        value_delimiter = ',',
        allow_hyphen_values = true,
        default_value = "-500,-200,-50,0,50,200,500"
    )]
    pub guesses: Vec<i32>,
}

/// Arguments of `plumb epd`.
#[derive(Clone, Debug, Args)]
pub struct EpdArgs {
    /// Test suites in EPD
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Backends to run, separated by commas, or all [default: the engine's default]
    #[arg(long, visible_alias = "backend", value_name = "LIST")]
    pub backends: Option<String>,
    /// Iterations, in plies; also the deepest perft
    #[arg(long, value_parser = clap::value_parser!(i32).range(DEPTHS))]
    pub depth: Option<i32>,
    /// Made moves a position
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Milliseconds a position [default: 1000 if no other limit is given]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub movetime: Option<u64>,
    /// play, paper (full width) or strict (for proofs) [default: play]
    #[arg(long)]
    pub mode: Option<Mode>,
    /// Table size in MiB [default: 64]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub hash: Option<u64>,
    /// Set an option (repeatable)
    #[arg(long, value_name = "OPTION=VALUE")]
    pub set: Vec<String>,
    /// Write a row a position to FILE
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Positions searched at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    pub jobs: u64,
    /// Run every perft of a line, however large
    #[arg(long)]
    pub full: bool,
    /// Print every position as it is finished
    #[arg(long)]
    pub verbose: bool,
}

/// Reads a list of backends: names separated by commas, or `all`. Each is taken once.
pub fn backends(list: &str) -> Result<Vec<Backend>, String> {
    if list.trim().eq_ignore_ascii_case("all") {
        return Ok(Backend::ALL.to_vec());
    }
    let mut found = Vec::new();
    for name in list.split(',').filter(|name| !name.trim().is_empty()) {
        let backend = name.parse()?;
        if !found.contains(&backend) {
            found.push(backend);
        }
    }
    if found.is_empty() { Err("no backend is named".to_owned()) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definitions_are_consistent() {
        Line::command().debug_assert();
    }

    #[test]
    fn backends_are_listed_by_any_name() {
        assert_eq!(backends("all").unwrap().len(), Backend::ALL.len());
        assert_eq!(backends("mtdf, MTD(f),NegaScout").unwrap(), [Backend::MtdF, Backend::NegaScout]);
        assert!(backends("mtdf,fish").is_err() && backends(",").is_err());
    }

    #[test]
    fn guesses_may_be_negative() {
        let line = ["plumb", "compare", "--verify", "--guesses", "-5,0,5", "x.epd"];
        let Command::Compare(arguments) = Line::try_parse_from(line).unwrap().command else { panic!() };
        assert_eq!(arguments.guesses, [-5, 0, 5]);
    }
}
