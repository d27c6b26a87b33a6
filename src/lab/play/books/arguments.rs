//! Arguments of `plumb book` and `plumb syzygy`.

use crate::choice;
use crate::lab::base::terminal::paths::{InputPath, OutputFile};
use clap::{Args, Subcommand};

/// Arguments of `plumb book`.
#[derive(Clone, Debug, Args)]
pub struct BookArgs {
    /// The command.
    #[command(subcommand)]
    pub command: BookCommand,
}

choice! {
    /// Weight of a move in a book that is built from games.
    Weight {
        /// The games in which it was played.
        #[default]
        Games = "games",
        /// The half points of the side that played it: two a win, one a draw. Games without a result are left
        /// out.
        Results = "results",
    }
}

/// Commands on opening books.
#[derive(Clone, Debug, Subcommand)]
pub enum BookCommand {
    /// Build a book; the weight of a move is the number of lines through it, or the points that they brought
    Build {
        /// Games (.pgn), tables with a column pgn (.tsv), positions with best moves (.epd)
        #[arg(required = true, value_name = "FROM")]
        files: Vec<InputPath>,
        /// End at the first game that cannot be read, instead of leaving it out
        #[arg(long)]
        strict: bool,
        /// Unit of a weight: games of a move, or results (the points that it brought)
        #[arg(long, value_name = "WHAT", default_value = "games")]
        by: Weight,
        /// The book to write
        #[arg(short, long, value_name = "FILE")]
        output: OutputFile,
    },
    /// Show the moves that a book has for a position
    Probe {
        /// The book
        file: InputPath,
        /// The position [default: the start]
        fen: Option<String>,
    },
    /// Merge books: the weights of a move are added; both notations of castling become one
    Merge {
        /// The books
        #[arg(required = true, value_name = "BOOK")]
        files: Vec<InputPath>,
        /// The book to write
        #[arg(short, long, value_name = "FILE")]
        output: OutputFile,
    },
    /// Write openings for matches (EPD): different positions after random moves that leave the game balanced
    Openings {
        /// Number of openings
        #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
        count: u32,
        /// Seed of the random moves
        #[arg(long, default_value_t = 1995)]
        seed: u64,
        /// The file to write
        #[arg(short, long, value_name = "FILE")]
        output: OutputFile,
    },
}

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
