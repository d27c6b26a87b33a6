//! Arguments of `plumb wdl`.

use clap::Args;
use std::path::PathBuf;

/// Arguments of `plumb wdl`.
#[derive(Clone, Debug, Args)]
pub struct WdlArgs {
    /// Games in PGN with scores in comments, as in {+0.31/9 0.02s}
    #[arg(required = true, value_name = "PGN")]
    pub files: Vec<PathBuf>,
    /// Scores are normalised, as UCI shows them; otherwise they are evaluations, as plumb tournament writes them
    #[arg(long)]
    pub shown: bool,
    /// Only the moves of this player
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,
    /// Fit nothing; show how well the engine's own model predicts these games
    #[arg(long)]
    pub check: bool,
}
