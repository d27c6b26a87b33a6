//! Arguments of `plumb syzygy`.

use clap::Args;

/// Arguments of `plumb syzygy`.
#[derive(Clone, Debug, Args)]
pub struct SyzygyArgs {
    /// The folders with the tables, with : between them (on Windows ;)
    #[arg(long, value_name = "PATH")]
    pub path: String,
    /// Also show every move, best first
    #[arg(long)]
    pub moves: bool,
    /// The positions; without any, they are read from standard input, one a line
    #[arg(value_name = "FEN")]
    pub positions: Vec<String>,
}
