//! Arguments of `plumb games`.

use clap::Args;
use std::path::PathBuf;

/// Arguments of `plumb games`.
#[derive(Clone, Debug, Args)]
pub struct GamesArgs {
    /// Where to write the positions, one a line; the same command goes on with what the file holds
    pub file: PathBuf,
    /// Begin the file anew
    #[arg(long)]
    pub restart: bool,
    /// Games in all
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub games: u64,
    /// Made moves a move
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Positions of a game, at most
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub per_game: u64,
    /// Openings (EPD or FEN), from which 4 to 8 random plies are played [default: 8 random plies, and those]
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Set an option of both players (repeatable)
    #[arg(long, value_name = "OPTION=VALUE")]
    pub set: Vec<String>,
    /// Seed of everything that is random
    #[arg(long, default_value_t = 1995)]
    pub seed: u64,
    /// Games played at a time [default: as many as there are cores]
    #[arg(long, value_name = "N", visible_alias = "concurrency", value_parser = clap::value_parser!(u64).range(1..=256))]
    pub jobs: Option<u64>,
}
