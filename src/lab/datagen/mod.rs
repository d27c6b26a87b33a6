//! `plumb datagen`: self-play that makes training data for an evaluation. The engine plays itself with soft nodes
//! from random openings, and every game is kept whole, with a score a move, in a public binary format: positions can
//! then be chosen, filtered and scored anew without playing again.
//!
//! | file | what it does |
//! |---|---|
//! | [`mod@format`] | games as bytes (viriformat) |
//! | [`opening`] | random openings, and the balance filter |
//! | [`generate`] | `plumb datagen`: the games |
//! | [`store`] | the file that games go to, in order, and going on after a break |
//! | [`game_workers`] | the games of a share, played at a time |
//! | [`source`] | files of games, read as a stream; which positions are quiet |
//! | [`stats`] | `plumb datagen stats`: what is in files |
//! | [`export`] | `plumb datagen export`: positions as text |
//! | [`relabel`] | `plumb datagen relabel`: new scores for old games |
//! | [`import`] | `plumb datagen import`: games of match runners, with their scores |
//! | [`genfens`] | `plumb genfens`: openings for OpenBench |
//!
//! What learns from the data is no part of it.

pub mod export;
pub mod format;
pub mod game_workers;
pub mod generate;
pub mod genfens;
pub mod import;
pub mod opening;
pub mod relabel;
pub mod source;
pub mod stats;
pub mod store;

use crate::lab::command::cli::datagen::{DatagenArgs, DatagenCommand};
use crate::lab::command::console::Failure;

/// Runs `plumb datagen` and its commands.
///
/// # Errors
/// Where a file cannot be used, or holds something else.
pub fn run(arguments: &DatagenArgs) -> Result<(), Failure> {
    match &arguments.command {
        None => generate::run(&arguments.generate),
        Some(DatagenCommand::Stats(arguments)) => stats::run(arguments),
        Some(DatagenCommand::Export(arguments)) => export::run(arguments),
        Some(DatagenCommand::Import(arguments)) => import::run(arguments),
        Some(DatagenCommand::Relabel(arguments)) => relabel::run(arguments),
    }
}
