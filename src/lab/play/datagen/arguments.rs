//! Arguments of `plumb datagen`, its commands, and `plumb genfens`.

use crate::lab::base::terminal::paths::{InputPath, OutputFile};
use crate::lab::base::terminal::values::{Shard, shard};
use clap::{Args, Subcommand};

/// Text below the options in `plumb datagen --help`.
const HELP: &str = "\
The file holds whole games in viriformat; beside it, FILE.settings says how they were played. The file is \
the same
for any --jobs and however often it was interrupted. The shares of several machines are plain files:

  plumb datagen --games 1000000 --shard 1/2 --out part1.vf      (on one machine)
  plumb datagen --games 1000000 --shard 2/2 --out part2.vf      (on the other)
  cat part1.vf part2.vf > whole.vf";

/// Arguments of `plumb datagen`.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, after_long_help = HELP)]
pub struct DatagenArgs {
    /// Command on games that are there already.
    #[command(subcommand)]
    pub command: Option<DatagenCommand>,
    /// Games to be played.
    #[command(flatten)]
    pub generate: GenerateArgs,
}

/// Commands on games that are there already.
#[derive(Clone, Debug, Subcommand)]
pub enum DatagenCommand {
    /// Show statistics of files of games: results, lengths, phases, duplicates, scores
    Stats(StatsArgs),
    /// Write the positions of games as text: FEN | score in centipawns for White | result 1.0, 0.5 or 0.0
    Export(ExportArgs),
    /// Score the moves of games again with this program and write a new file
    Relabel(RelabelArgs),
    /// Write games from their first position with few men on, without the openings
    Endings(EndingsArgs),
    /// Convert games in PGN with a score after every move, as match runners and OpenBench write them
    Import(ImportArgs),
}

/// Searches, threads and seed of self-play.
#[derive(Clone, Debug, Args)]
pub struct WorkArgs {
    /// Soft limit of a search in nodes (made moves): no iteration begins beyond it; the hard limit is ten
    /// times as many, and 1000 at least [default: 50, of relabel 1000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub nodes: Option<u64>,
    /// The same while there are more than 20 men on the board, where a short search sees little of what
    /// decides the game [default: that of --nodes]
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub early_nodes: Option<u64>,
    /// Set an option of the search (repeatable); the defaults are Backend=NegaScout and Hash=1
    #[arg(long, value_name = "OPTION=VALUE")]
    pub set: Vec<String>,
    /// Do only share I of N, for N machines; join the files with cat
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<Shard>,
    /// Games played at the same time [default: number of cores]
    #[arg(long, value_name = "N", alias = "concurrency",
        value_parser = clap::value_parser!(u64).range(1..=256))]
    pub jobs: Option<u64>,
    /// Start the file from scratch
    #[arg(long)]
    pub restart: bool,
}

/// Games that `plumb datagen` plays.
#[derive(Clone, Debug, Args)]
pub struct GenerateArgs {
    /// Output file; the same command continues an unfinished file
    #[arg(short, long, value_name = "FILE", required = true)]
    pub out: Option<OutputFile>,
    /// Number of games, of all shares together
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub games: u64,
    /// Seed of the openings; seed and number determine a game
    #[arg(long, default_value_t = 1995)]
    pub seed: u64,
    /// Limit on the loss of a random opening move by a short search, in centipawns [default: any move is
    /// played]
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub opening_loss: Option<u16>,
    /// Write nothing: say how many hours and bytes the games take, by games of some seconds on this machine
    #[arg(long)]
    pub dry_run: bool,
    /// Searches and threads.
    #[command(flatten)]
    pub work: WorkArgs,
}

/// Arguments of `plumb datagen stats`.
#[derive(Clone, Debug, Args)]
pub struct StatsArgs {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<InputPath>,
}

/// Arguments of `plumb datagen export`.
#[derive(Clone, Debug, Args)]
pub struct ExportArgs {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<InputPath>,
    /// Every position, not only the quiet ones (no check, the move takes and promotes nothing, no mate score)
    #[arg(long)]
    pub all: bool,
    /// File for the positions [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<OutputFile>,
}

/// Arguments of `plumb datagen endings`.
#[derive(Clone, Debug, Args)]
pub struct EndingsArgs {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<InputPath>,
    /// Men on the board from which on a game is written
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u8).range(2..=32))]
    pub men: u8,
    /// File for the games
    #[arg(short, long, value_name = "FILE")]
    pub out: OutputFile,
}

/// Arguments of `plumb datagen import`.
#[derive(Clone, Debug, Args)]
pub struct ImportArgs {
    /// Games in PGN with scores in comments, as in {+0.31/9 0.02s}
    #[arg(required = true, value_name = "PGN")]
    pub files: Vec<InputPath>,
    /// File for the games
    #[arg(short, long, value_name = "FILE")]
    pub out: OutputFile,
    /// Scores are normalised, as UCI shows them; otherwise they are evaluations, as plumb tournament writes
    /// them
    #[arg(long)]
    pub shown: bool,
    /// End at the first game that cannot be used, instead of leaving it out
    #[arg(long)]
    pub strict: bool,
}

/// Arguments of `plumb datagen relabel`.
#[derive(Clone, Debug, Args)]
pub struct RelabelArgs {
    /// A file of games
    pub file: InputPath,
    /// Output file; the same command continues an unfinished file
    #[arg(short, long, value_name = "FILE")]
    pub out: OutputFile,
    /// Searches and threads.
    #[command(flatten)]
    pub work: WorkArgs,
}

/// Arguments of `plumb genfens`.
#[derive(Clone, Debug, Args)]
#[command(override_usage = "plumb genfens N seed S [book FILE|None]")]
pub struct GenfensArgs {
    /// Number of openings, the word seed and a number, and optionally the word book and a file of positions
    /// (EPD or FEN) or None
    #[arg(required = true, value_name = "WORD")]
    pub words: Vec<String>,
}
