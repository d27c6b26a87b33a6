//! Arguments of `plumb train`.

use crate::choice;
use crate::eval::network::file::SCALES;
use crate::eval::network::{Activation, KingBuckets};
use crate::lab::base::terminal::paths::{InputPath, OutputFolder};
use clap::Args;

choice! {
    /// The source of the training target: games, or what can score any position by itself.
    TargetSource {
        /// The scores and results of games.
        #[default]
        Games = "games",
        /// The material on the board (1, 3, 3, 5, 9 pawns): the first rung, which any network learns.
        Material = "material",
        /// The hand-crafted evaluation: the second rung.
        HandCrafted = "hand-crafted",
        /// The values of another network (knowledge distillation, Hinton et al., 2015).
        Network = "network",
    }
}

/// Arguments of `plumb train`.
#[derive(Clone, Debug, Args)]
pub struct TrainArgs {
    /// Games of `plumb datagen` (viriformat)
    #[arg(required = true)]
    pub files: Vec<InputPath>,
    /// Folder for checkpoint, network and curve; the same command resumes from what it holds
    #[arg(short, long, value_name = "DIR")]
    pub out: OutputFolder,
    /// Training target: games, network (the values of --teacher), or for tests material or hand-crafted (the
    /// evaluation)
    #[arg(long, alias = "lesson", default_value_t)]
    pub target: TargetSource,
    /// The network whose values are learnt (knowledge distillation): those of all positions with --target
    /// network, of the successors with --target games
    #[arg(long, value_name = "FILE")]
    pub teacher: Option<InputPath>,
    /// Validation games, to judge by [default: 2 % of the others]
    #[arg(long, value_name = "FILES", num_args = 1..)]
    pub validation: Vec<InputPath>,
    /// Random successors of each position to be learnt as well; with --target games the --teacher scores them
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = successors)]
    pub successors: usize,
    /// Neurons of the first layer, a multiple of 32
    #[arg(long, value_name = "N", default_value_t = 128)]
    pub width: usize,
    /// Activation: screlu or crelu
    #[arg(long, default_value_t)]
    pub activation: Activation,
    /// King buckets: 1 or 4
    #[arg(long, default_value_t)]
    pub king_buckets: KingBuckets,
    /// Let king buckets share what is the same in all of them (factoriser)
    #[arg(long)]
    pub factoriser: bool,
    /// Do not mirror the board where the king stands on the files e to h
    #[arg(long)]
    pub no_mirror: bool,
    /// Output buckets by piece count: 1 or 8
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub output_buckets: usize,
    /// Neurons of the layer behind the attack inputs, a multiple of 32 up to 128; 0 for a network without
    /// them
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub attack_neurons: usize,
    /// Weight of the game result in the target, 0 to 1; the rest is the search score [default: 0.1, or 0 for
    /// every --target but games]
    #[arg(long, value_name = "PART", value_parser = part)]
    pub result: Option<f32>,
    /// Lambda of temporal differences, 0 to 1: how much of the score to be learnt comes from later positions
    /// of the game
    #[arg(long, alias = "lambda", value_name = "PART", default_value_t = 0.7, value_parser = part)]
    pub td_lambda: f32,
    /// Scale of the sigmoid in centipawns, from 1 to 10000
    #[arg(long, value_name = "CP", default_value_t = 400.0, value_parser = scale)]
    pub scale: f32,
    /// Do not fit the steepness of each file's scores to its results before both are blended
    #[arg(long)]
    pub no_fit: bool,
    /// Number of epochs [default: 30, or 15 where there are less than some 1.6 million samples]
    #[arg(long, value_name = "N", value_parser = epochs)]
    pub epochs: Option<usize>,
    /// Samples of a batch [default: 8192, or fewer, so that an epoch has some 200 steps]
    #[arg(long, value_name = "N", value_parser = batch)]
    pub batch: Option<usize>,
    /// Learning rate of AdamW at the beginning
    #[arg(long, default_value_t = 0.004, value_parser = positive)]
    pub rate: f32,
    /// Learning rate at the end, reached by half a cosine
    #[arg(long, value_name = "RATE", default_value_t = 0.000_01, value_parser = positive)]
    pub last_rate: f32,
    /// Instead of a cosine, a factor on the learning rate from epoch to epoch: such a training can be
    /// prolonged
    #[arg(long, value_name = "FACTOR", conflicts_with = "last_rate", value_parser = positive)]
    pub rate_decay: Option<f32>,
    /// Weight decay of AdamW
    #[arg(long, value_name = "PART", default_value_t = 0.0, value_parser = part)]
    pub weight_decay: f32,
    /// Start from the weights of a network of the same architecture, or a smaller one, instead of random ones
    #[arg(long, value_name = "FILE")]
    pub start: Option<InputPath>,
    /// Networks whose weights are averaged with the learnt ones, all in equal parts, in the network that is
    /// written: most useful are the one of --start and others that started from it
    #[arg(long, value_name = "FILES", num_args = 1..)]
    pub mean_with: Vec<InputPath>,
    /// Seed of the first weights and of the order of samples
    #[arg(long, default_value_t = 1995)]
    pub seed: u64,
    /// Memory for samples in MiB; larger data are read in blocks
    #[arg(long, value_name = "MIB", default_value_t = 2048, value_parser = memory)]
    pub memory: usize,
    /// Threads [default: number of cores]; the result does not depend on them
    #[arg(long, value_name = "N", alias = "threads", value_parser = clap::value_parser!(u64).range(1..=256))]
    pub jobs: Option<u64>,
    /// Start from scratch
    #[arg(long)]
    pub restart: bool,
    /// Train nothing: say how many hours and bytes it takes, by a sample of some seconds on this machine
    #[arg(long)]
    pub dry_run: bool,
    /// Train nothing: pack the samples into the folder, for a trainer on a graphics card
    #[arg(long, conflicts_with = "dry_run")]
    pub pack: bool,
}

/// Reads a number within a range.
fn within(text: &str, least: usize, most: usize) -> Result<usize, String> {
    let number = text.parse::<usize>().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("not a number from {least} to {most}"))
}

/// Reads a number of epochs.
fn epochs(text: &str) -> Result<usize, String> {
    within(text, 1, 10_000)
}

/// Reads the samples of a batch.
fn batch(text: &str) -> Result<usize, String> {
    within(text, 1, 1 << 24)
}

/// Reads MiB of memory, up to 16 TiB.
fn memory(text: &str) -> Result<usize, String> {
    within(text, 1, 1 << 24)
}

/// Reads a number of successors: no position of a game has more than 218.
fn successors(text: &str) -> Result<usize, String> {
    within(text, 0, 1000)
}

/// Reads a part: 0 to 1.
fn part(text: &str) -> Result<f32, String> {
    let number = text.parse::<f32>().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "not a number from 0 to 1".to_owned())
}

/// Reads a number above 0.
fn scale(text: &str) -> Result<f32, String> {
    let (least, most) = (SCALES.start(), SCALES.end());
    let number = text.parse::<f32>().ok().filter(|number| SCALES.contains(number));
    number.ok_or_else(|| format!("not a number from {least} to {most}"))
}

fn positive(text: &str) -> Result<f32, String> {
    let number = text.parse::<f32>().ok().filter(|number| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "not a number above 0".to_owned())
}
