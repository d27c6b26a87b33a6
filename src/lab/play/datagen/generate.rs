//! Self-play: `plumb datagen` plays the engine against itself, one thread a game, with soft nodes (the
//! iteration under way is finished, so that every score is one of a whole iteration). A game follows from the
//! seed, its number, the settings and the program alone. Games begin in [`super::opening`] and are written by
//! [`crate::lab::play::archive::store`].

use super::game_workers::GameWorkers;
use super::opening;
use crate::chess::score::centipawns;
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::play::archive::format::StoredGame;
use crate::lab::play::archive::store::Store;
use crate::lab::play::datagen::arguments::GenerateArgs;
use crate::lab::play::referee::{Adjudication, Player, play_alone};
use crate::random::SplitMix64;

/// Default soft limit in nodes: many positions with rough scores teach a network more than the fewer that
/// more nodes make in the same time (notebook/network-targets.md, *Cheap games with temporal
/// differences*).
const NODES: u64 = 50;

/// Adjudication: games end early when they are decided or drawn. Their further positions would teach nothing
/// and cost as much to play as the others.
const RULES: Adjudication = Adjudication {
    // Fifteen pawns for two moves of each side: an advantage of more than a queen that both see is hardly
    // ever lost.
    win_score: centipawns(1500),
    win_moves: 2,
    // With few men much that looks won is not: pawnless endings, wrong bishops, rook endings. They are played
    // out.
    win_men: 11,
    // Five moves of each side within eight centipawns: with the default grid of 16, all of them as good as 0.
    draw_score: centipawns(8),
    draw_moves: 5,
    // A level opening or middlegame can still be decided, and so can an endgame in which pawns move.
    draw_after: 40,
    draw_halfmoves: 20,
    // Plies. A game of some two hundred moves a side is hardly ever won any more.
    longest: 400,
};

/// Plays the games.
///
/// # Errors
/// If the file cannot be used or holds other games.
pub fn run(arguments: &GenerateArgs) -> Result<(), Failure> {
    let Some(out) = &arguments.out else { return Err(Failure::usage("--out FILE says where the games go")) };
    let workers = GameWorkers::new(&arguments.work, NODES)?;
    let most_loss = arguments.opening_loss.map(|loss| centipawns(loss.into()));
    let openings = opening::Kind { most_loss, ..opening::Kind::default() };
    let work = |player: &mut Player, number: usize, stop: &dyn Fn() -> bool| {
        let mut random = SplitMix64::of_number(arguments.seed, number);
        let Some(opening) = opening::find(&mut random, openings, player, stop) else { return Ok(None) };
        let played = play_alone(&opening, player, |game| workers.allowed(game), &RULES, stop);
        Ok(played.map(|played| StoredGame::new(&opening, &played)))
    };
    if arguments.dry_run {
        return workers.dry_run(arguments.games as usize, work);
    }
    let mut lines = workers.describe();
    lines.push(format!("openings: {}, seed {}", openings.describe(), arguments.seed));
    lines.push(format!("ends: {RULES:?}"));
    let mut store = Store::open(out, &lines, arguments.work.restart)?;
    workers.fill(&mut store, arguments.games as usize, work)?;
    console::out(&format!("{}", store.summary().table()))
}
