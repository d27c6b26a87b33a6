//! `plumb datagen`: self-play that makes training data for an evaluation. The engine plays itself with soft nodes
//! from random openings, and every game is kept whole, with a score a move, in a public binary format: positions can
//! be filtered and rescored later without playing again. `plumb train` reads it, and so do other trainers.
//!
//! | file | what it does |
//! |---|---|
//! | [`mod@format`] | games as bytes (viriformat) |
//! | [`opening`] | random openings, and the balance filter |
//! | [`generate`] | `plumb datagen`: the games |
//! | [`store`] | the file of games: written in order, continued after an interruption |
//! | [`game_file`] | files of games of tournaments, tuning and imports |
//! | [`marks`] | checksums of a file of games, beside it |
//! | [`game_workers`] | worker threads that play the games of a share |
//! | [`source`] | files of games, read as a stream; which positions are quiet |
//! | [`stats`] | `plumb datagen stats`: results, lengths, phases, scores, duplicates |
//! | [`export`] | `plumb datagen export`: positions as text |
//! | [`relabel`] | `plumb datagen relabel`: new scores for old games |
//! | [`endings`] | `plumb datagen endings`: games from a number of men on |
//! | [`import`] | `plumb datagen import`: games of match runners, with their scores |
//! | [`genfens`] | `plumb genfens`: openings for OpenBench |

pub mod arguments;
pub mod endings;
pub mod export;
pub mod format;
pub mod game_file;
pub mod game_workers;
pub mod generate;
pub mod genfens;
pub mod import;
pub mod marks;
pub mod opening;
pub mod relabel;
pub mod source;
pub mod stats;
pub mod store;

use crate::lab::datagen::arguments::{DatagenArgs, DatagenCommand};
use crate::lab::terminal::console::Failure;

/// Runs `plumb datagen` and its commands.
///
/// # Errors
/// If a file cannot be used, or holds something else.
pub fn run(arguments: &DatagenArgs) -> Result<(), Failure> {
    match &arguments.command {
        None => generate::run(&arguments.generate),
        Some(DatagenCommand::Stats(arguments)) => stats::run(arguments),
        Some(DatagenCommand::Export(arguments)) => export::run(arguments),
        Some(DatagenCommand::Endings(arguments)) => endings::run(arguments),
        Some(DatagenCommand::Import(arguments)) => import::run(arguments),
        Some(DatagenCommand::Relabel(arguments)) => relabel::run(arguments),
    }
}
