//! Arguments of `plumb epd` and its commands.

use crate::lab::base::terminal::paths::{InputPath, OutputFile};
use crate::lab::base::terminal::values::{DEPTHS, Shard, shard};
use crate::search::Mode;
use clap::{Args, Subcommand};

/// Text below the options in `plumb epd --help`.
const EPD_HELP: &str = "\
A line of a suite is a position with operations: bm and am (moves to find, to avoid), dm N or bm #N (a mate of
exactly that length), c0 \"f5=10, Be5+=2\" or c8 with c9 (points, as in STS), D1 20 (perft), id. Damaged \
lines are
reported with file and line and skipped, everything else is run, and the exit code is 1.

With --nodes or --depth as the limit, results and their order do not depend on the number of jobs and \
shards. The
shares of several machines are merged with plumb epd merge:

  Slurm:         #SBATCH --array=1-8
                 plumb epd --nodes 1000000 --shard $SLURM_ARRAY_TASK_ID/8 --json \
                 part$SLURM_ARRAY_TASK_ID.json *.epd
  GNU parallel:  parallel plumb epd --nodes 1000000 --shard {}/8 --json part{}.json *.epd ::: 1 2 3 4 5 6 7 8
  then:          plumb epd merge part*.json --json whole.json --page failed.html

Ctrl-C ends a run early; finished results are shown and written (exit code 130).";

/// Arguments of `plumb epd`.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, after_long_help = EPD_HELP)]
pub struct EpdArgs {
    /// Command on results that are there already.
    #[command(subcommand)]
    pub command: Option<EpdCommand>,
    /// Suites, backends and limits.
    #[command(flatten)]
    pub run: EpdRun,
}

/// Commands on results of test suites.
#[derive(Clone, Debug, Subcommand)]
pub enum EpdCommand {
    /// Compare two result files: positions that only one solved, sums, and the significance of the difference
    Compare(EpdCompare),
    /// Merge the result files of several shares (or suites) and report on the whole
    Merge {
        /// Files that `plumb epd --json` or `--csv` wrote
        #[arg(required = true, value_name = "RESULTS")]
        files: Vec<InputPath>,
        /// Files for the joined results.
        #[command(flatten)]
        output: EpdOutput,
    },
}

/// Arguments of `plumb epd compare`.
#[derive(Clone, Debug, Args)]
pub struct EpdCompare {
    /// First result file, JSON or CSV
    pub a: InputPath,
    /// Second result file; may be the first one again, with another backend
    pub b: InputPath,
    /// The backend of each file, where a file holds several: one name for both, or A,B
    #[arg(long, visible_alias = "backend", value_name = "A[,B]", value_delimiter = ',')]
    pub backends: Vec<String>,
    /// Seed of the bootstrap
    #[arg(long, default_value_t = 1995)]
    pub seed: u64,
}

/// Files for results of test suites, besides the report on standard output.
#[derive(Clone, Debug, Default, Args)]
pub struct EpdOutput {
    /// Write settings and results to FILE as JSON (- = standard output; the report then goes to standard
    /// error)
    #[arg(long, value_name = "FILE")]
    pub json: Option<OutputFile>,
    /// Write the results to FILE as CSV, a row for each, while the run goes on (- = standard output)
    #[arg(long, value_name = "FILE")]
    pub csv: Option<OutputFile>,
    /// Write a page for the browser with the failed positions: the expected moves, the move played, the
    /// engine's line
    #[arg(long, value_name = "FILE")]
    pub page: Option<OutputFile>,
}

/// Suites, backends and limits of `plumb epd`.
#[derive(Clone, Debug, Args)]
pub struct EpdRun {
    /// Test suites in EPD
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<InputPath>,
    /// Backends to run, separated by commas, or all [default: the engine's default]
    #[arg(long, visible_alias = "backend", value_name = "LIST")]
    pub backends: Option<String>,
    /// Search depth in plies; also the greatest depth of perft counts
    #[arg(long, value_parser = clap::value_parser!(i32).range(DEPTHS))]
    pub depth: Option<i32>,
    /// Nodes (made moves) for each position
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Time for each position in milliseconds [default: 1000 if no other limit is given]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub movetime: Option<u64>,
    /// play, paper (full width) or strict (for proofs) [default: play]
    #[arg(long)]
    pub mode: Option<Mode>,
    /// Transposition table in MiB, for each job [default: 64]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub hash: Option<u64>,
    /// Set an option (repeatable)
    #[arg(long, value_name = "OPTION=VALUE")]
    pub set: Vec<String>,
    /// Files for the results.
    #[command(flatten)]
    pub output: EpdOutput,
    /// Positions searched at the same time, each on a thread with a transposition table of its own
    #[arg(long, alias = "threads", default_value_t = 1,
        value_parser = clap::value_parser!(u64).range(1..=256))]
    pub jobs: u64,
    /// Do only share I of N, for N machines; merge the results with `plumb epd merge`
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<Shard>,
    /// Run every perft count of a line, also the large ones
    #[arg(long)]
    pub full: bool,
    /// Print the result of every position, in their order
    #[arg(long)]
    pub verbose: bool,
}
