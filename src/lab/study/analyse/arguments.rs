//! Arguments of `plumb analyse`.

use crate::lab::base::terminal::paths::{InputPath, OutputFile};
use crate::lab::base::terminal::values::DEPTHS;
use clap::Args;

/// Text below the options in `plumb analyse --help`.
const HELP: &str = "\
Every move gets its score behind it ([%eval 0.31], pawns from White's side, or [%eval #-3]), and a mark where
it loses expected points: ?! (10 % of a point and more), ? (20 %), ?? (30 %); --marks sets other limits. Where
a move is marked, the best line stands as a variation. Clocks, comments and variations of the input stay; its
marks only with --keep-marks. Moves of the built-in book have no mark.

With --nodes or --depth the files are the same bytes for any --jobs, on every run, and however often the work
was interrupted: finished games are kept in FILE.record beside the first output file, from which the same
command resumes; the record is removed when all is done. A game that cannot be read is named and left out, the
others are annotated, and the exit code is 1.

Files that are there already are an error without --overwrite, unless this command wrote them and its record
says so. Ctrl-C writes the games that are finished, but never over a file that is complete.

  plumb analyse games.pgn --nodes 200000 -o annotated.pgn --page games.html
  plumb analyse - --movetime 500 --jobs 2 < games.pgn > annotated.pgn";

/// Arguments of `plumb analyse`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = HELP)]
pub struct AnalyseArgs {
    /// Games in PGN (- = standard input)
    #[arg(required = true, value_name = "PGN")]
    pub files: Vec<InputPath>,
    /// Write the annotated games to FILE (- = standard output) [default: standard output, if no other file is
    /// asked for]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<OutputFile>,
    /// Write a page for the browser: the course of every game, its turning points, a table of all games
    #[arg(long, value_name = "FILE")]
    pub page: Option<OutputFile>,
    /// Write scores, losses and marks of all moves to FILE as JSON (- = standard output)
    #[arg(long, value_name = "FILE")]
    pub json: Option<OutputFile>,
    /// Nodes (made moves) for each position [default: 100000 if no other limit is given]
    #[arg(long, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Search depth in plies
    #[arg(long, allow_negative_numbers = true, value_parser = clap::value_parser!(i32).range(DEPTHS))]
    pub depth: Option<i32>,
    /// Time for each position in milliseconds
    #[arg(long, value_name = "MS", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(1..))]
    pub movetime: Option<u64>,
    /// Time for each game in milliseconds, in equal parts for its positions
    #[arg(long, value_name = "MS", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(1..))]
    pub gametime: Option<u64>,
    /// Backend [default: that of the engine's analysis, Aspiration NegaScout]
    #[arg(long, value_name = "NAME")]
    pub backend: Option<String>,
    /// Transposition table in MiB, for each job
    #[arg(long, value_name = "MIB", default_value_t = 64, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub hash: u64,
    /// Set an option of the search (repeatable; for threads see --jobs)
    #[arg(long, value_name = "OPTION=VALUE")]
    pub set: Vec<String>,
    /// Least losses of expected points for ?!, ? and ??, in per cent of a point
    #[arg(long, value_name = "A,B,C", default_value = "10,20,30")]
    pub marks: String,
    /// Keep the marks of the input (!, ?, !?, ...); a move that has one gets no other
    #[arg(long)]
    pub keep_marks: bool,
    /// End at the first game that cannot be read, instead of leaving it out
    #[arg(long)]
    pub strict: bool,
    /// Names of openings: tab-separated tables with the columns eco, name and pgn, behind the games [default:
    /// the families of the built-in book's lines]
    #[arg(long, value_name = "TSV", num_args = 1..)]
    pub openings: Vec<InputPath>,
    /// Games analysed at the same time, each on a thread with a transposition table of its own [default:
    /// number of cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(1..=256))]
    pub jobs: Option<u64>,
    /// Keep finished games in FILE, also when all is done [default: FILE.record beside the first output file,
    /// removed when all is done]
    #[arg(long, value_name = "FILE")]
    pub record: Option<OutputFile>,
    /// Start the record from scratch; includes --overwrite
    #[arg(long)]
    pub restart: bool,
    /// Replace the files of --output, --page and --json where they are there already, as soon as the new ones
    /// are complete
    #[arg(long)]
    pub overwrite: bool,
}
