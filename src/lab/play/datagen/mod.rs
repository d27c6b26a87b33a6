//! `plumb datagen`: self-play that makes training data for an evaluation. The engine plays itself with soft
//! nodes from random openings, and every game is kept whole, with a score for every move, in the
//! [archive](super::archive): positions can be filtered and rescored later without playing again.
//! `plumb train` reads it, and so do other trainers.
//!
//! | file | what it does |
//! |---|---|
//! | [`opening`] | random openings, and the balance filter |
//! | [`generate`] | `plumb datagen`: the games |
//! | [`game_workers`] | worker threads that play the games of a share |
//! | [`stats`] | `plumb datagen stats`: results, lengths, phases, scores, duplicates |
//! | [`export`] | `plumb datagen export`: positions as text |
//! | [`relabel`] | `plumb datagen relabel`: new scores for old games |
//! | [`endings`] | `plumb datagen endings`: games from a number of men on |
//! | [`import`] | `plumb datagen import`: games of match runners, with their scores |
//! | [`genfens`] | `plumb genfens`: openings for OpenBench |

pub mod arguments;
pub mod endings;
pub mod export;
pub mod game_workers;
pub mod generate;
pub mod genfens;
pub mod import;
pub mod opening;
pub mod relabel;
pub mod stats;

use crate::lab::base::terminal::console::Failure;
use crate::lab::play::datagen::arguments::{DatagenArgs, DatagenCommand};

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
