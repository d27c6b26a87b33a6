//! Arguments of `plumb genfens`.

use clap::Args;

/// Arguments of `plumb genfens`.
#[derive(Clone, Debug, Args)]
#[command(override_usage = "plumb genfens N seed S [book FILE|None]")]
pub struct GenfensArgs {
    /// Number of openings, the word seed and a number, and optionally the word book and a file of positions (EPD or
    /// FEN) or None
    #[arg(required = true, value_name = "WORD")]
    pub words: Vec<String>,
}
