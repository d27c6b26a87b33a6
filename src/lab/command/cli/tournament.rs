//! Arguments of `plumb tournament`, and those about openings and threads that `plumb tune` shares.

use super::values::DEPTHS;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `plumb tournament`.
#[derive(Clone, Debug, Args)]
#[command(group = clap::ArgGroup::new("limit").required(true).multiple(true).args(["nodes", "movetime", "depth"]))]
pub struct TournamentArgs {
    /// The first player, for example Backend=mtdf,Grid=8; default: the engine's defaults
    pub a: String,
    /// The second player
    pub b: String,
    /// Games, an even number: every opening is played with both colours
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub games: u64,
    /// Made moves a move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Milliseconds a move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub movetime: Option<u64>,
    /// Iterations a move, in plies
    #[arg(long, value_parser = clap::value_parser!(i32).range(DEPTHS))]
    pub depth: Option<i32>,
    /// How the games are opened, and how many are played at a time.
    #[command(flatten)]
    pub play: PlayArgs,
    /// Stop when one of two differences in logistic Elo is accepted (errors of 5 %)
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub sprt: Option<String>,
    /// Play until the rules end a game, or 400 plies
    #[arg(long)]
    pub to_the_end: bool,
    /// A side has won when both players say so by SCORE centipawns for MOVES moves; 0 moves: never
    #[arg(long, value_name = "SCORE,MOVES", default_value = "600,4", conflicts_with = "to_the_end")]
    pub resign: String,
    /// A draw when both players are within SCORE centipawns for MOVES moves, after AFTER moves; 0 moves: never
    #[arg(long, value_name = "SCORE,MOVES,AFTER", default_value = "10,8,40", conflicts_with = "to_the_end")]
    pub draw: String,
    /// Keep every finished pair in FILE; the same tournament goes on from there
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Begin the record anew
    #[arg(long, requires = "record")]
    pub restart: bool,
    /// Write the games to FILE
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Write the games with a score a move to FILE, in the binary format of plumb datagen
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
}

/// What `plumb tournament` and `plumb tune` are told alike about the games they play.
#[derive(Clone, Debug, Args)]
pub struct PlayArgs {
    /// Openings (EPD or FEN), used in turn [default: 8 random plies that leave the game balanced]
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Seed of the random openings
    #[arg(long, default_value_t = 1995)]
    pub seed: u64,
    /// Pairs played at a time [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=256))]
    pub concurrency: Option<u64>,
}
