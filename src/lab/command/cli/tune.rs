//! Arguments of `plumb tune`.

use super::tournament::PlayArgs;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `plumb tune`.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("seed", |seed| seed.help("Seed of the perturbations and of random openings")))]
pub struct TuneArgs {
    /// Keep every finished iteration in FILE; the same tuning goes on from there
    #[arg(long, value_name = "FILE", default_value = "tune.log")]
    pub log: PathBuf,
    /// Begin the log anew
    #[arg(long)]
    pub restart: bool,
    /// Iterations: settings that are compared
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub iterations: u64,
    /// Pairs of games an iteration
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub pairs: u64,
    /// Made moves a move
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// How far a won game moves a number in the last iteration, in steps (a twentieth of its range)
    #[arg(long, default_value_t = 0.002, value_parser = rate)]
    pub rate: f64,
    /// Only these numbers, separated by commas [default: all]
    #[arg(long, default_value = "", value_name = "LIST")]
    pub only: String,
    /// Append the games of finished iterations to FILE, in the binary format of plumb datagen
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// Set an option of both players (repeatable); a number starts from what is set
    #[arg(long, value_name = "OPTION=VALUE")]
    pub set: Vec<String>,
    /// How the games are opened, and how many are played at a time.
    #[command(flatten)]
    pub play: PlayArgs,
}

/// Reads a rate: above 0, at most 1.
fn rate(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|&rate| rate > 0.0 && rate <= 1.0);
    number.ok_or_else(|| "not above 0 and at most 1".to_owned())
}
