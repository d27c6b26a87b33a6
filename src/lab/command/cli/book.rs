//! Arguments of `plumb book` and its commands.

use clap::{Args, Subcommand};
use std::path::PathBuf;

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
