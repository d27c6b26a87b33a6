//! Arguments of `plumb compare`.

use crate::lab::base::terminal::paths::{InputPath, OutputFile};
use crate::lab::base::terminal::values::DEPTHS;
use crate::search::Mode;
use clap::Args;

/// Arguments of `plumb compare`.
#[derive(Clone, Debug, Args)]
pub struct CompareArgs {
    /// Files with one position per line (EPD or FEN)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<InputPath>,
    /// Search depth in plies
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(i32).range(DEPTHS))]
    pub depth: i32,
    /// play, paper (full width) or strict (for proofs) [default: paper; strict with --verify]
    #[arg(long)]
    pub mode: Option<Mode>,
    /// Backends to compare, separated by commas, or all
    #[arg(long, default_value = "all", value_name = "LIST")]
    pub backends: String,
    /// Set an option for every backend (repeatable); in paper mode the grid is 1 unless set
    #[arg(long, value_name = "OPTION=VALUE")]
    pub set: Vec<String>,
    /// Set an option for one backend (repeatable), for example mtdf:Grid=4
    #[arg(long, value_name = "BACKEND:OPTION=VALUE")]
    pub set_for: Vec<String>,
    /// Transposition table in MiB; with --verify a list of sizes [default: 64]
    #[arg(long, value_name = "MIB", value_delimiter = ',',
        value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub hash: Vec<u64>,
    /// Only the first K positions
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub positions: Option<u64>,
    /// Write the counts of every search to FILE as CSV; the same command continues an unfinished file
    #[arg(long, value_name = "FILE", conflicts_with = "verify")]
    pub csv: Option<OutputFile>,
    /// Write the results of every depth to FILE as JSON (- = standard output; the tables then go to standard
    /// error)
    #[arg(long, value_name = "FILE", conflicts_with = "verify")]
    pub json: Option<OutputFile>,
    /// Overwrite the file of --csv instead of continuing it
    #[arg(long, requires = "csv")]
    pub restart: bool,
    /// First find the best window of Aspiration NegaScout, then use it as the base
    #[arg(long, conflicts_with = "verify")]
    pub sweep_window: bool,
    /// Print every depth in full, not only the last
    #[arg(long, conflicts_with = "verify")]
    pub all_depths: bool,
    /// Seed of the bootstrap intervals
    #[arg(long, default_value_t = 1995, conflicts_with = "verify")]
    pub seed: u64,
    /// Positions searched at the same time; above 1, times are less reliable
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    pub jobs: u64,
    /// Instead of measuring, check that every backend finds Alpha-Beta's values from every first guess
    #[arg(long)]
    pub verify: bool,
    /// First guesses of --verify, as distances from the value, in units of evaluation
    #[arg(
        long,
        visible_alias = "guess-spread",
        value_name = "LIST",
        value_delimiter = ',',
        allow_hyphen_values = true,
        requires = "verify",
        default_value = "-500,-200,-50,0,50,200,500"
    )]
    pub guesses: Vec<i32>,
}
