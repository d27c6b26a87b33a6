//! Arguments of `plumb genfens`.

use clap::Args;

/// Arguments of `plumb genfens`.
#[derive(Clone, Debug, Args)]
#[command(override_usage = "plumb genfens N seed S [book FILE|None]")]
pub struct GenfensArgs {
    /// How many, seed S, and book FILE: positions to begin from (EPD or FEN), or None
    #[arg(required = true, value_name = "WORD")]
    pub words: Vec<String>,
}
