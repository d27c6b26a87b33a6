//! Arguments of `plumb trace`.

use super::values::DEPTHS;
use crate::search::Mode;
use clap::Args;
use std::path::PathBuf;

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
    /// Output file (HTML)
    #[arg(short, long, value_name = "FILE", default_value = "trace.html")]
    pub output: PathBuf,
}
