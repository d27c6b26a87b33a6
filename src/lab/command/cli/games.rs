//! Arguments of `plumb games`.

use clap::Args;
use std::path::PathBuf;

/// Arguments of `plumb games`.
#[derive(Clone, Debug, Args)]
pub struct GamesArgs {
    /// Output file, one position per line; the same command continues an unfinished file
    pub file: PathBuf,
    /// Start the file from scratch
    #[arg(long)]
    pub restart: bool,
    /// Number of games
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub games: u64,
    /// Nodes (made moves) for each move
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Greatest number of positions taken from a game
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub per_game: u64,
    /// Openings (EPD or FEN), each followed by 4 to 8 random plies [default: 8 random plies, then those]
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Set an option of both players (repeatable)
    #[arg(long, value_name = "OPTION=VALUE")]
    pub set: Vec<String>,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1995)]
    pub seed: u64,
    /// Games played at the same time [default: number of cores]
    #[arg(long, value_name = "N", alias = "concurrency", value_parser = clap::value_parser!(u64).range(1..=256))]
    pub jobs: Option<u64>,
}
