//! Arguments of `plumb texel`, `plumb wdl` and `plumb tune`.

use crate::lab::base::terminal::paths::{InputPath, OutputFile};
#[cfg(feature = "tuning")]
use crate::lab::play::matches::arguments::PlayArgs;
use clap::Args;

/// Arguments of `plumb texel`.
#[derive(Clone, Debug, Args)]
pub struct TexelArgs {
    /// Whole games, as plumb datagen writes them, or quiet positions with results, one a line: FEN c9 "1-0";
    /// ce 34; id "game";
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<InputPath>,
    /// Leave out positions of whole games whose hand-crafted evaluation changes by more than so many
    /// centipawns when captures are played out
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(i32).range(0..=10_000))]
    pub quiet: Option<i32>,
    /// Weight of the game result in the target, 0 to 1; the rest is the search score, where there is one
    #[arg(long, alias = "lambda", default_value_t = 0.7, value_parser = part)]
    pub result: f64,
    /// Learning rate: length of a step in centipawns
    #[arg(long, value_name = "CP", default_value_t = 0.5, value_parser = above_zero)]
    pub rate: f64,
    /// L2 regularisation: expected change of a weight in centipawns; smaller values hold the weights closer
    /// to the old ones
    #[arg(long, value_name = "CP", default_value_t = 8.0, value_parser = above_zero)]
    pub spread: f64,
    /// Greatest number of epochs
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub epochs: u64,
    /// Stop when the error on the validation games has not fallen for so many epochs
    #[arg(long, value_name = "EPOCHS", default_value_t = 50,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub patience: u64,
    /// Share of the games that serves for validation, in per cent
    #[arg(long, value_name = "PERCENT", default_value_t = 10,
        value_parser = clap::value_parser!(u64).range(1..=90))]
    pub keep: u64,
    /// Seed of the choice of validation games
    #[arg(long, default_value_t = 1995)]
    pub seed: u64,
    /// Save the state in FILE after every epoch; the same command continues from it
    #[arg(long, value_name = "FILE", default_value = "texel.state")]
    pub state: OutputFile,
    /// Start from scratch instead
    #[arg(long)]
    pub restart: bool,
    /// Write the new weights into FILE (src/eval/weights.rs) instead of printing them
    #[arg(long, value_name = "FILE")]
    pub write: Option<OutputFile>,
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

/// Arguments of `plumb wdl`.
#[derive(Clone, Debug, Args)]
pub struct WdlArgs {
    /// Games in PGN with scores in comments, as in {+0.31/9 0.02s}
    #[arg(required = true, value_name = "PGN")]
    pub files: Vec<InputPath>,
    /// Scores are normalised, as UCI shows them; otherwise they are evaluations, as plumb tournament writes
    /// them
    #[arg(long)]
    pub shown: bool,
    /// Only the moves of this player
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,
    /// Fit nothing; show how well the engine's own model predicts these games
    #[arg(long)]
    pub check: bool,
    /// End at the first game that cannot be read, instead of leaving it out
    #[arg(long)]
    pub strict: bool,
}

/// Arguments of `plumb tune`.
#[cfg(feature = "tuning")]
#[derive(Clone, Debug, Args)]
#[command(mut_arg("seed", |seed| seed.help("Seed of the perturbations and of random openings")))]
pub struct TuneArgs {
    /// Save every finished iteration in FILE; the same command continues from it
    #[arg(long, value_name = "FILE", default_value = "tune.log")]
    pub log: OutputFile,
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
    /// Learning rate: change of a parameter for a won game in the last iteration, in steps (a twentieth of
    /// its range)
    #[arg(long, default_value_t = 0.002, value_parser = rate)]
    pub rate: f64,
    /// Only these parameters, separated by commas [default: all but switches, which are 0 or 1]
    #[arg(long, default_value = "", value_name = "LIST")]
    pub only: String,
    /// Append the games of finished iterations to FILE, in the binary format of plumb datagen
    #[arg(long, value_name = "FILE")]
    pub data: Option<OutputFile>,
    /// Set an option of both players (repeatable); a parameter starts from the value set
    #[arg(long, value_name = "OPTION=VALUE")]
    pub set: Vec<String>,
    /// Openings of the games, and the number of games at a time.
    #[command(flatten)]
    pub play: PlayArgs,
}

/// Reads a rate: above 0, at most 1.
#[cfg(feature = "tuning")]
fn rate(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|&rate| rate > 0.0 && rate <= 1.0);
    number.ok_or_else(|| "not above 0 and at most 1".to_owned())
}
