//! Arguments of `plumb texel`.

use clap::Args;
use std::path::PathBuf;

/// Arguments of `plumb texel`.
#[derive(Clone, Debug, Args)]
pub struct TexelArgs {
    /// Whole games, as plumb datagen writes them, or quiet positions with results, one a line: FEN c9 "1-0"; ce 34; id
    /// "game";
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Leave out positions of whole games whose hand-crafted evaluation changes by more than so many centipawns when
    /// captures are played out
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(i32).range(0..=10_000))]
    pub quiet: Option<i32>,
    /// Weight of the game result in the target, 0 to 1; the rest is the search score, where there is one
    #[arg(long, alias = "lambda", default_value_t = 0.7, value_parser = part)]
    pub result: f64,
    /// Learning rate: length of a step in centipawns
    #[arg(long, value_name = "CP", default_value_t = 0.5, value_parser = above_zero)]
    pub rate: f64,
    /// L2 regularisation: expected change of a weight in centipawns; smaller values hold the weights closer to the
    /// old ones
    #[arg(long, value_name = "CP", default_value_t = 8.0, value_parser = above_zero)]
    pub spread: f64,
    /// Greatest number of epochs
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub epochs: u64,
    /// Stop when the error on the validation games has not fallen for so many epochs
    #[arg(long, value_name = "EPOCHS", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub patience: u64,
    /// Share of the games that serves for validation, in per cent
    #[arg(long, value_name = "PERCENT", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=90))]
    pub keep: u64,
    /// Seed of the choice of validation games
    #[arg(long, default_value_t = 1995)]
    pub seed: u64,
    /// Save the state in FILE after every epoch; the same command continues from it
    #[arg(long, value_name = "FILE", default_value = "texel.state")]
    pub state: PathBuf,
    /// Start from scratch instead
    #[arg(long)]
    pub restart: bool,
    /// Write the new weights into FILE (src/eval/weights.rs) instead of printing them
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
    /// Threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=256))]
    pub jobs: Option<u64>,
}

/// Reads a part of one: from 0 to 1.
fn part(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|part| (0.0..=1.0).contains(part));
    number.ok_or_else(|| "not from 0 to 1".to_owned())
}

/// Reads a number above zero, at most 1000.
fn above_zero(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|&number| number > 0.0 && number <= 1000.0);
    number.ok_or_else(|| "not above 0 and at most 1000".to_owned())
}
