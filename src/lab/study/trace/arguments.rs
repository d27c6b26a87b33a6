//! Arguments of `plumb trace`.

use crate::lab::base::terminal::paths::OutputFile;
use crate::lab::base::terminal::values::DEPTHS;
use crate::search::Mode;
use clap::Args;

/// Arguments of `plumb trace`.
#[derive(Clone, Debug, Args)]
pub struct TraceArgs {
    /// The position [default: the start]; with --tree a FEN, a board of checkers, or moves of Othello
    pub fen: Option<String>,
    /// Depth in plies [default: 6; with --tree 4, Othello and chess 3]
    #[arg(long, value_parser = clap::value_parser!(i32).range(DEPTHS))]
    pub depth: Option<i32>,
    /// Backends to trace, separated by commas, or all [default: mtdf,sss,dual,mtd-bi,negascout; with --tree
    /// mtdf,sss,negascout]
    #[arg(long, value_name = "LIST")]
    pub backends: Option<String>,
    /// play, paper (full width) or strict (for proofs) [default: paper]
    #[arg(long)]
    pub mode: Option<Mode>,
    /// Set an option (repeatable); the grid is 1 unless set
    #[arg(long, value_name = "OPTION=VALUE")]
    pub set: Vec<String>,
    /// Output file (HTML)
    #[arg(short, long, value_name = "FILE", default_value = "trace.html")]
    pub output: OutputFile,
    /// Draw the searches of a small tree, visit by visit: report (the tree of the 1995 report), random,
    /// othello, checkers, chess, a FEN, or a tree as in "((3 5) (2 9))" [default: report]
    #[arg(long, num_args = 0..=1, default_missing_value = "report", value_name = "GAME")]
    pub tree: Option<String>,
    /// With --tree: write the record behind the page as JSON
    #[arg(long, value_name = "FILE", requires = "tree")]
    pub json: Option<OutputFile>,
    /// With --tree: the first guess, in the units of the record [default: the static value; in chess the
    /// engine's]
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true, requires = "tree")]
    pub guess: Option<i32>,
    /// With --tree: half the first window of Aspiration NegaScout, in the units of the record
    #[arg(long, value_name = "WIDTH", requires = "tree",
        value_parser = clap::value_parser!(i32).range(1..=30_000))]
    pub window: Option<i32>,
    /// With --tree random: children of a node [default: 3]
    #[arg(long, requires = "tree", value_parser = clap::value_parser!(u16).range(1..=100))]
    pub width: Option<u16>,
    /// With --tree random: per cent of nodes whose first child is best [default: no order]
    #[arg(long, value_name = "PERCENT", requires = "tree",
        value_parser = clap::value_parser!(u8).range(0..=100))]
    pub ordered: Option<u8>,
    /// With --tree random: seed of the tree [default: 1]
    #[arg(long, requires = "tree")]
    pub seed: Option<u64>,
    /// With --tree: most visits of a driver
    #[arg(long, default_value_t = 20_000, value_name = "N", requires = "tree",
        value_parser = clap::value_parser!(u32).range(1..=500_000))]
    pub visits: u32,
}
