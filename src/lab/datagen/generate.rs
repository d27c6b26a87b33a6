//! Self-play: `plumb datagen` plays the engine against itself, one thread a game, with soft nodes (the iteration under
//! way is finished, so that every score is one of a whole iteration). A game follows from the seed, its number, the
//! settings and the program alone. How games are kept is decided in [`super::store`], where they begin in
//! [`super::opening`].

use super::format::Saved;
use super::game_workers::GameWorkers;
use super::opening;
use super::store::Store;
use crate::chess::score::centipawns;
use crate::engine::referee::{Adjudication, play_alone};
use crate::lab::command::cli::datagen::GenerateArgs;
use crate::lab::command::console::{self, Failure};
use crate::random::SplitMix64;

/// When a game ends before the rules end it. What is decided or dead would fill the file with positions that teach
/// nothing, and costs as much to play as the rest.
const RULES: Adjudication = Adjudication {
    // Fifteen pawns for two moves of each side: more than a queen, and agreed upon, is hardly ever thrown away.
    win_score: centipawns(1500),
    win_moves: 2,
    // Five moves of each side within eight centipawns: with the default grid of 16, all of them as good as 0.
    draw_score: centipawns(8),
    draw_moves: 5,
    // Openings and middlegames can be level for long and still be decided; so can endgames in which pawns move.
    draw_after: 40,
    draw_halfmoves: 20,
    // A game that neither rule ends: some two hundred moves a side hardly ever come to a win any more.
    longest: 400,
};

/// Plays the games.
///
/// # Errors
/// Where the file cannot be used or holds other games.
pub fn run(arguments: &GenerateArgs) -> Result<(), Failure> {
    let Some(out) = &arguments.out else { return Err(Failure::usage("--out FILE says where the games go")) };
    let workers = GameWorkers::new(&arguments.work)?;
    let mut lines = workers.describe();
    lines.push(format!("openings: {}, seed {}", opening::describe(), arguments.seed));
    lines.push(format!("ends: {RULES:?}"));
    let mut store = Store::open(out, &lines, arguments.work.restart)?;
    workers.fill(&mut store, arguments.games as usize, |player, number, stop| {
        let mut random = SplitMix64::of_number(arguments.seed, number);
        let Some(opening) = opening::find(&mut random, &[], player, stop) else { return Ok(None) };
        let played = play_alone(&opening, player, workers.allowed(), &RULES, stop);
        Ok(played.map(|played| Saved::new(&opening, &played)))
    })?;
    console::out(&format!("{}", store.summary().table()))
}
