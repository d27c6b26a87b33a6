//! Arguments of `plumb tune`.

use super::tournament::PlayArgs;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `plumb tune`.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("seed", |seed| seed.help("Seed of the perturbations and of random openings")))]
pub struct TuneArgs {
    /// Save every finished iteration in FILE; the same command continues from it
    #[arg(long, value_name = "FILE", default_value = "tune.log")]
    pub log: PathBuf,
    /// Start the log from scratch
    #[arg(long)]
    pub restart: bool,
    /// Iterations; each compares two settings
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub iterations: u64,
    /// Pairs of games in each iteration
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub pairs: u64,
    /// Nodes (made moves) for each move
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Learning rate: change of a parameter for a won game in the last iteration, in steps (a twentieth of its range)
    #[arg(long, default_value_t = 0.002, value_parser = rate)]
    pub rate: f64,
    /// Only these parameters, separated by commas [default: all]
    #[arg(long, default_value = "", value_name = "LIST")]
    pub only: String,
    /// Append the games of finished iterations to FILE, in the binary format of plumb datagen
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// Set an option of both players (repeatable); a parameter starts from the value set
    #[arg(long, value_name = "OPTION=VALUE")]
    pub set: Vec<String>,
    /// Openings of the games, and the number of games at a time.
    #[command(flatten)]
    pub play: PlayArgs,
}

/// Reads a rate: above 0, at most 1.
fn rate(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|&rate| rate > 0.0 && rate <= 1.0);
    number.ok_or_else(|| "not above 0 and at most 1".to_owned())
}
