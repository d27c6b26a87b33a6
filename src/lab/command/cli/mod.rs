//! What the command line may say.

pub mod datagen;
pub mod training;

use crate::search::{Backend, Mode};
use clap::{Args, Parser, Subcommand};
use datagen::{DatagenArgs, GenfensArgs};
use std::path::PathBuf;
use training::TrainArgs;

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
    /// Run test suites: best moves, points, mates, perft; compare and join their results
    Epd(EpdArgs),
    /// Measure the papers' claims again, and write a report with tables and pictures
    Lab(LabArgs),
    /// Let two settings play each other
    Tournament(TournamentArgs),
    /// Play games against itself and write their quiet positions with the results, to tune an evaluation with
    Games(GamesArgs),
    /// Play against itself and keep whole games with a score a move, as training data for an evaluation
    Datagen(DatagenArgs),
    /// Print random openings, as OpenBench asks for them to make training data
    Genfens(GenfensArgs),
    /// Fit the weights of the evaluation to how games ended (Texel's method)
    Texel(TexelArgs),
    /// Train the network of the evaluation on the games of datagen
    Train(TrainArgs),
    /// Tune the numbers of the search by games against itself (SPSA)
    #[cfg(feature = "tuning")]
    Tune(TuneArgs),
    /// Draw, pass by pass, how the drivers' bounds close in on the value of a position
    Trace(TraceArgs),
    /// Opening books: make one from lines of play, look into one, merge several
    Book(BookArgs),
    /// Look positions up in Syzygy endgame tables
    Syzygy(SyzygyArgs),
    /// Fit the odds of winning, drawing and losing to the scores of games
    Wdl(WdlArgs),
    /// Print a script that completes command lines, for a shell to read
    Completions(CompletionsArgs),
    /// Print the manual page, for man to read
    Manual,
}

/// Arguments of `plumb completions`.
#[derive(Clone, Debug, Args)]
pub struct CompletionsArgs {
    /// Which shell
    pub shell: clap_complete::Shell,
}

/// Arguments of `plumb syzygy`.
#[derive(Clone, Debug, Args)]
pub struct SyzygyArgs {
    /// The folders with the tables, with : between them (on Windows ;)
    #[arg(long, value_name = "PATH")]
    pub path: String,
    /// Show every move too, best first
    #[arg(long)]
    pub moves: bool,
    /// The positions; without any, they are read from standard input, one a line
    #[arg(value_name = "FEN")]
    pub positions: Vec<String>,
}

/// Arguments of `plumb wdl`.
#[derive(Clone, Debug, Args)]
pub struct WdlArgs {
    /// Games in PGN with scores in comments, as in {+0.31/9 0.02s}
    #[arg(required = true, value_name = "PGN")]
    pub files: Vec<PathBuf>,
    /// The scores are as UCI shows them; otherwise they are evaluations, as plumb tournament writes them
    #[arg(long)]
    pub shown: bool,
    /// Only the moves of this player
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,
    /// Fit nothing: show how well the engine's own model predicts these games
    #[arg(long)]
    pub check: bool,
}

/// Arguments of `plumb trace`.
#[derive(Clone, Debug, Args)]
pub struct TraceArgs {
    /// The position [default: the start]
    pub fen: Option<String>,
    /// Iterations, in plies
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(i32).range(DEPTHS))]
    pub depth: i32,
    /// Backends to trace, separated by commas, or all
    #[arg(long, default_value = "mtdf,sss,dual,mtd-bi,negascout", value_name = "LIST")]
    pub backends: String,
    /// play, paper (full width) or strict (for proofs) [default: paper]
    #[arg(long)]
    pub mode: Option<Mode>,
    /// Set an option (repeatable); the grid is 1 unless set
    #[arg(long, value_name = "OPTION=VALUE")]
    pub set: Vec<String>,
    /// The page to write
    #[arg(short, long, value_name = "FILE", default_value = "trace.html")]
    pub output: PathBuf,
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
    /// Merge books; the weights of a move are added up, castling in either spelling where lines from the start lead
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

/// What `plumb epd --help` says below the options.
const EPD_HELP: &str = "\
A line of a suite is a position with operations: bm and am (moves to find, to avoid), dm N or bm #N (a mate of
exactly that length), c0 \"f5=10, Be5+=2\" or c8 with c9 (points, as in STS), D1 20 (perft), id. Damaged lines are
named with file and line, skipped, and make the exit code 1; everything else is run all the same.

The results are the same, and in the same order, for every number of jobs and shards, if --nodes or --depth is the
limit. Shares of several machines are joined with plumb epd merge:

  Slurm:         #SBATCH --array=1-8
                 plumb epd --nodes 1000000 --shard $SLURM_ARRAY_TASK_ID/8 --json part$SLURM_ARRAY_TASK_ID.json *.epd
  GNU parallel:  parallel plumb epd --nodes 1000000 --shard {}/8 --json part{}.json *.epd ::: 1 2 3 4 5 6 7 8
  then:          plumb epd merge part*.json --json whole.json --page failed.html

Ctrl-C ends a run early; what is finished is shown and written (exit code 130).";

/// Arguments of `plumb epd`.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, after_long_help = EPD_HELP)]
pub struct EpdArgs {
    /// What to do with results that are there already.
    #[command(subcommand)]
    pub command: Option<EpdCommand>,
    /// What to run.
    #[command(flatten)]
    pub run: EpdRun,
}

/// What to do with results of test suites.
#[derive(Clone, Debug, Subcommand)]
pub enum EpdCommand {
    /// Compare two result files: what one of them solved alone, sums, and whether the difference is chance
    Compare(EpdCompare),
    /// Join the result files of several shares (or suites) and report on the whole
    Merge {
        /// Files that `plumb epd --json` or `--csv` wrote
        #[arg(required = true, value_name = "RESULTS")]
        files: Vec<PathBuf>,
        /// Where to write what is joined.
        #[command(flatten)]
        output: EpdOutput,
    },
}

/// Arguments of `plumb epd compare`.
#[derive(Clone, Debug, Args)]
pub struct EpdCompare {
    /// Results of the first, JSON or CSV
    pub a: PathBuf,
    /// Results of the second; may be the same file with another backend
    pub b: PathBuf,
    /// The backend of each file, where a file holds several: one name for both, or A,B
    #[arg(long, visible_alias = "backend", value_name = "A[,B]", value_delimiter = ',')]
    pub backends: Vec<String>,
    /// Seed of the bootstrap
    #[arg(long, default_value_t = 1995)]
    pub seed: u64,
}

/// Where results of test suites go besides the report on standard output.
#[derive(Clone, Debug, Default, Args)]
pub struct EpdOutput {
    /// Write settings and results to FILE as JSON (- = standard output; the report then goes to standard error)
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write a row a result to FILE, each as soon as those before it are there (- = standard output)
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Draw the failed positions on a page for a browser: the moves wanted, the move played, the engine's line
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,
}

/// What `plumb epd` runs.
#[derive(Clone, Debug, Args)]
pub struct EpdRun {
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
    /// Table size in MiB, for each job [default: 64]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub hash: Option<u64>,
    /// Set an option (repeatable)
    #[arg(long, value_name = "OPTION=VALUE")]
    pub set: Vec<String>,
    /// Where the results go.
    #[command(flatten)]
    pub output: EpdOutput,
    /// Positions searched at a time, each on a thread with a table of its own
    #[arg(long, visible_alias = "threads", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    pub jobs: u64,
    /// Do only share I of N, for N machines; `plumb epd merge` joins them
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<Shard>,
    /// Run every perft of a line, however large
    #[arg(long)]
    pub full: bool,
    /// Print every position as soon as those before it are finished
    #[arg(long)]
    pub verbose: bool,
}

/// Arguments of `plumb lab`.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct LabArgs {
    /// What to do with what is measured already.
    #[command(subcommand)]
    pub command: Option<LabCommand>,
    /// Which experiments to run, or how to show them.
    #[command(flatten)]
    pub study: StudyArgs,
}

/// Which experiments to run, and how.
#[derive(Clone, Debug, Default, Args)]
pub struct StudyArgs {
    /// Names of experiments, or all
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Minutes instead of hours: enough to see the shape
    #[arg(long, conflicts_with = "full")]
    pub quick: bool,
    /// The papers' protocol, for hours; this is the default
    #[arg(long)]
    pub full: bool,
    /// Folder for the raw numbers, the pictures and the report
    #[arg(long, value_name = "DIR", default_value = "lab")]
    pub out: PathBuf,
    /// Pieces of work done at a time [default: as many as there are cores]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub jobs: Option<u64>,
    /// Do only share I of N, for N machines; `plumb lab merge` joins them
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<Shard>,
    /// Forget what the folder holds of these experiments instead of going on with it
    #[arg(long)]
    pub restart: bool,
    /// Show which experiments there are
    #[arg(long)]
    pub list: bool,
}

/// What to do with rows that are there already.
#[derive(Clone, Debug, Subcommand)]
pub enum LabCommand {
    /// Join the raw numbers of several folders into one, and draw its report
    Merge {
        /// Folders that `plumb lab --shard` wrote
        #[arg(required = true, value_name = "DIR")]
        folders: Vec<PathBuf>,
        /// Folder for what is joined
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Draw the report of a folder again, without measuring anything
    Report {
        /// A folder that `plumb lab` wrote
        #[arg(value_name = "DIR", default_value = "lab")]
        folder: PathBuf,
    },
}

/// A share of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which one, from 1.
    pub number: usize,
    /// Of how many.
    pub of: usize,
}

impl Shard {
    /// Everything.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// Whether a unit belongs to it.
    #[must_use]
    pub fn has(self, index: usize) -> bool {
        index % self.of == self.number - 1
    }
}

/// Reads a share, as in `2/3`.
pub(in crate::lab) fn shard(text: &str) -> Result<Shard, String> {
    let numbers =
        text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    match numbers {
        Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
        _ => Err("a share is I/N with I from 1 to N, as in 2/3".to_owned()),
    }
}

/// What `plumb tournament` and `plumb tune` are told alike about the games they play.
#[derive(Clone, Debug, Args)]
pub struct PlayArgs {
    /// Openings (EPD or FEN), used in turn [default: 8 random plies that leave the game balanced]
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Seed of the random openings
    #[arg(long, default_value_t = 1995)]
    pub seed: u64,
    /// Pairs played at a time [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=256))]
    pub concurrency: Option<u64>,
}

/// Arguments of `plumb tournament`.
#[derive(Clone, Debug, Args)]
#[command(group = clap::ArgGroup::new("limit").required(true).multiple(true).args(["nodes", "movetime", "depth"]))]
pub struct TournamentArgs {
    /// The first player, for example Backend=mtdf,Grid=8; default: the engine's defaults
    pub a: String,
    /// The second player
    pub b: String,
    /// Games, an even number: every opening is played with both colours
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub games: u64,
    /// Made moves a move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Milliseconds a move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub movetime: Option<u64>,
    /// Iterations a move, in plies
    #[arg(long, value_parser = clap::value_parser!(i32).range(DEPTHS))]
    pub depth: Option<i32>,
    /// How the games are opened, and how many are played at a time.
    #[command(flatten)]
    pub play: PlayArgs,
    /// Stop when one of two differences in logistic Elo is accepted (errors of 5 %)
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub sprt: Option<String>,
    /// Play until the rules end a game, or 400 plies
    #[arg(long)]
    pub to_the_end: bool,
    /// A side has won when both players say so by SCORE centipawns for MOVES moves; 0 moves: never
    #[arg(long, value_name = "SCORE,MOVES", default_value = "600,4", conflicts_with = "to_the_end")]
    pub resign: String,
    /// A draw when both players are within SCORE centipawns for MOVES moves, after AFTER moves; 0 moves: never
    #[arg(long, value_name = "SCORE,MOVES,AFTER", default_value = "10,8,40", conflicts_with = "to_the_end")]
    pub draw: String,
    /// Keep every finished pair in FILE; the same tournament goes on from there
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Begin the record anew
    #[arg(long, requires = "record")]
    pub restart: bool,
    /// Write the games to FILE
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Write the games with a score a move to FILE, in the binary format of plumb datagen
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
}

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

/// Arguments of `plumb texel`.
#[derive(Clone, Debug, Args)]
pub struct TexelArgs {
    /// Quiet positions with results, one a line, as plumb games writes them: FEN c9 "1-0"; ce 34; id "game"; or whole
    /// games, as plumb datagen writes them
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// How much the result counts in what is to be expected, 0 to 1; the rest is the search's score, where there is one
    #[arg(long, default_value_t = 0.7, value_parser = part)]
    pub lambda: f64,
    /// The length of a step, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 0.5, value_parser = above_zero)]
    pub rate: f64,
    /// How far a weight may be expected to move from where it is, in centipawns: less holds it back (L2)
    #[arg(long, value_name = "CP", default_value_t = 8.0, value_parser = above_zero)]
    pub spread: f64,
    /// Epochs at most
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub epochs: u64,
    /// Stop when the games kept aside have not been expected better for so many epochs
    #[arg(long, value_name = "EPOCHS", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub patience: u64,
    /// Part of the games that is kept aside, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=90))]
    pub keep: u64,
    /// Seed of the choice of these games
    #[arg(long, default_value_t = 1995)]
    pub seed: u64,
    /// Keep the state in FILE after every epoch; the same fit goes on from there
    #[arg(long, value_name = "FILE", default_value = "texel.state")]
    pub state: PathBuf,
    /// Begin the state anew
    #[arg(long)]
    pub restart: bool,
    /// Put the new weights into FILE (src/eval/weights.rs) instead of printing them
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
    /// Threads [default: as many as there are cores]
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

/// Arguments of `plumb tune`.
#[cfg(feature = "tuning")]
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
#[cfg(feature = "tuning")]
fn rate(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|&rate| rate > 0.0 && rate <= 1.0);
    number.ok_or_else(|| "not above 0 and at most 1".to_owned())
}

/// Reads a list of backends: names separated by commas, or `all` for the drivers of the node routine. Each is
/// taken once.
pub fn backends(list: &str) -> Result<Vec<Backend>, String> {
    if list.trim().eq_ignore_ascii_case("all") {
        return Ok(Backend::DRIVERS.to_vec());
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
    use crate::search::Driver;
    use clap::CommandFactory as _;

    #[test]
    fn the_definitions_are_consistent() {
        Line::command().debug_assert();
    }

    #[test]
    fn backends_are_listed_by_any_name() {
        assert_eq!(backends("all").unwrap().len(), Backend::DRIVERS.len());
        assert_eq!(
            backends("mtdf, MTD(f),NegaScout").unwrap(),
            [Backend::Driver(Driver::MtdF), Backend::Driver(Driver::NegaScout)]
        );
        assert!(backends("mtdf,fish").is_err() && backends(",").is_err());
    }

    #[test]
    fn shares_cover_everything_once() {
        for of in 1..6 {
            let shares: Vec<Shard> = (1..=of).map(|i| shard(&format!("{i}/{of}")).unwrap()).collect();
            for index in 0..20 {
                assert_eq!(shares.iter().filter(|share| share.has(index)).count(), 1);
            }
        }
        for wrong in ["", "1", "0/2", "3/2", "0/0", "a/b", "-1/2"] {
            assert!(shard(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_laboratory_has_names_or_a_command() {
        let read = |words: &[&str]| Line::try_parse_from([&["plumb", "lab"], words].concat());
        let Command::Lab(lab) = read(&["a", "b", "--quick", "--shard", "2/3"]).unwrap().command else {
            panic!()
        };
        assert_eq!(lab.study.names, ["a", "b"]);
        assert_eq!((lab.study.quick, lab.study.shard), (true, Some(Shard { number: 2, of: 3 })));
        let Command::Lab(lab) = read(&["merge", "x", "y", "--out", "z"]).unwrap().command else { panic!() };
        assert!(matches!(lab.command, Some(LabCommand::Merge { folders, .. }) if folders.len() == 2));
        assert!(read(&["merge", "x"]).is_err() && read(&["a", "--quick", "--full"]).is_err());
    }

    /// A flattened struct must not change what a command says of itself, and `tune` has a seed of its own.
    #[test]
    fn shared_options_keep_their_words() {
        let long = |name: &str| {
            let mut line = Line::command();
            let command = line.find_subcommand_mut(name).unwrap();
            command.render_help().to_string().split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let help = long("tournament");
        assert!(help.starts_with("Let two settings play each other "), "{help}");
        assert!(help.contains("--seed <SEED> Seed of the random openings [default: 1995]"), "{help}");
        if cfg!(feature = "tuning") {
            let help = long("tune");
            assert!(help.starts_with("Tune the numbers of the search by games"), "{help}");
            assert!(help.contains("Seed of the perturbations and of random openings"), "{help}");
        }
    }

    #[test]
    fn guesses_may_be_negative() {
        let line = ["plumb", "compare", "--verify", "--guesses", "-5,0,5", "x.epd"];
        let Command::Compare(arguments) = Line::try_parse_from(line).unwrap().command else { panic!() };
        assert_eq!(arguments.guesses, [-5, 0, 5]);
    }
}
