//! Arguments of `plumb tournament`, and those about openings and threads that `plumb tune` shares.

use crate::lab::base::terminal::paths::{InputPath, OutputFile};
use crate::lab::base::terminal::values::DEPTHS;
use clap::Args;

/// Help of `--openings` of a match.
const OPENINGS: &str = "Openings (EPD, FEN, or the ends of the games of a PGN), in an order by --seed, or \
the word random: 8 random plies that leave the game balanced [default: the lines of the built-in book, then \
random]";

/// Help of `--jobs` of a match.
const JOBS: &str = "Pairs of games played at the same time [default: number of cores, divided by the most \
Threads of a player]";

/// Arguments of `plumb tournament`.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("openings", |openings| openings.help(OPENINGS)))]
#[command(mut_arg("seed", |seed| seed.help("Seed of the order of openings and of random ones")))]
#[command(mut_arg("jobs", |jobs| jobs.help(JOBS)))]
#[command(group = clap::ArgGroup::new("limit").required(true).multiple(true)
    .args(["tc", "nodes", "movetime", "depth"]))]
pub struct TournamentArgs {
    /// The first player: options separated by commas, as in Backend=mtdf,Threads=2, or the word default, or
    /// another engine with its options, as in cmd=/usr/games/stockfish,Hash=16; name=NAME is its name in
    /// reports and games
    pub a: String,
    /// The second player, in the same form
    pub b: String,
    /// More players: every two of all players meet, in the same openings (a round robin)
    pub more: Vec<String>,
    /// With three players or more: the first meets all others, and they do not meet each other
    #[arg(long)]
    pub gauntlet: bool,
    /// With three players or more: the player whose rating is 0, by its name or its letter (A is the first)
    /// [default: the mean of all is 0]
    #[arg(long, value_name = "PLAYER")]
    pub anchor: Option<String>,
    /// Number of games of every two players, even: every opening is played twice, with colours reversed
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub games: u64,
    /// Clocks: [MOVES/]SECONDS[+INCREMENT] for each side, as in 8+0.08 or 40/60+0.6; the engine's own time
    /// management plays, and a side without time loses. On a machine that does other work as well the results
    /// are noisy: set --jobs below the number of free cores
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub tc: Option<String>,
    /// Nodes (made moves) for each move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Time for each move in milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub movetime: Option<u64>,
    /// Depth of each move in plies
    #[arg(long, value_parser = clap::value_parser!(i32).range(DEPTHS))]
    pub depth: Option<i32>,
    /// Openings of the games, and the number of games at a time.
    #[command(flatten)]
    pub play: PlayArgs,
    /// With two players: stop as soon as the SPRT accepts one of two differences in logistic Elo (error rates
    /// 5 %)
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub sprt: Option<String>,
    /// Write nothing: say how many hours the games take, by pairs of some seconds on this machine
    #[arg(long)]
    pub dry_run: bool,
    /// No adjudication: play until the rules end a game, at most 400 plies
    #[arg(long)]
    pub to_the_end: bool,
    /// A game is won when the scores of both players say so by at least SCORE centipawns for MOVES moves; 0
    /// moves: never
    #[arg(long, value_name = "SCORE,MOVES", default_value = "600,4", conflicts_with = "to_the_end")]
    pub resign: String,
    /// A game is drawn when both scores are within SCORE centipawns for MOVES moves, after move AFTER; 0
    /// moves: never
    #[arg(long, value_name = "SCORE,MOVES,AFTER", default_value = "10,8,40", conflicts_with = "to_the_end")]
    pub draw: String,
    /// Save every finished pair of games in FILE; the same command continues from it
    #[arg(long, value_name = "FILE")]
    pub record: Option<OutputFile>,
    /// Start the record from scratch
    #[arg(long, requires = "record")]
    pub restart: bool,
    /// Replace the files of --pgn, --data, --json and --csv where they are there already; without it that is
    /// an error, unless the match resumes from its --record
    #[arg(long)]
    pub overwrite: bool,
    /// Write the result to FILE as JSON (- = standard output; the report then goes to standard error)
    #[arg(long, value_name = "FILE")]
    pub json: Option<OutputFile>,
    /// Write the standings and the points of each against each to FILE as CSV (- = standard output)
    #[arg(long, value_name = "FILE")]
    pub csv: Option<OutputFile>,
    /// Write the games to FILE in PGN
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<OutputFile>,
    /// Write the games with the score of every move to FILE, in the binary format of plumb datagen
    #[arg(long, value_name = "FILE")]
    pub data: Option<OutputFile>,
}

impl TournamentArgs {
    /// The words of all players, in their order.
    #[must_use]
    pub fn players(&self) -> Vec<&str> {
        [&self.a, &self.b].into_iter().chain(&self.more).map(String::as_str).collect()
    }
}

/// Arguments on games that `plumb tournament` and `plumb tune` share.
#[derive(Clone, Debug, Args)]
pub struct PlayArgs {
    /// Openings (EPD, FEN, or the ends of the games of a PGN), in an order by --seed [default: 8 random plies
    /// that leave the game balanced]
    #[arg(long, value_name = "FILE")]
    pub openings: Option<InputPath>,
    /// Seed of the random openings
    #[arg(long, default_value_t = 1995)]
    pub seed: u64,
    /// Pairs of games played at the same time [default: number of cores]
    #[arg(long, value_name = "N", alias = "concurrency",
        value_parser = clap::value_parser!(u64).range(1..=256))]
    pub jobs: Option<u64>,
}
