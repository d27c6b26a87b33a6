//! Random openings: seven to twelve uniformly random plies from the start position, kept if a short search finds
//! neither side far ahead. Random moves reach positions that good moves avoid, and a search evaluates those all the
//! time; lost positions teach nothing. The openings follow from the random numbers that are handed in.

use crate::chess::game::Game;
use crate::chess::score::{Value, centipawns};
use crate::lab::referee::{Allowed, Player};
use crate::random::SplitMix64;
use std::ops::RangeInclusive;

/// Random plies: as often an odd number as an even one, so that either side has the first move of the game. Openings of
/// different lengths have more different positions and pawn structures than those of one length.
const PLIES: RangeInclusive<usize> = 7..=12;

/// Largest score of an opening for either side: at 600 centipawns some games are still drawn or lost.
const BALANCED: Value = centipawns(600);

/// Soft limit of the search for that score, in nodes: enough to see hanging pieces. A game of fifty nodes a move has some
/// five thousand in all.
const NODES: u64 = 100;

/// Hard limit: a first iteration that does not end has no score, and would call every position level.
const MOST_NODES: u64 = 1000;

/// The limits of the search.
const ALLOWED: Allowed =
    Allowed { nodes: Some(MOST_NODES), soft_nodes: Some(NODES), clock: None, time: None, depth: None };

/// Everything that decides the openings, in a line.
#[must_use]
pub fn describe() -> String {
    let (least, most) = (PLIES.start(), PLIES.end());
    format!("{least} to {most} random plies, within {BALANCED} after {NODES} nodes")
}

/// An opening from one of `starts` (the start position if there are none); `None` when broken off. Table and
/// histories of `player` are emptied.
pub fn find(
    random: &mut SplitMix64,
    starts: &[Game],
    player: &mut Player,
    stop: &dyn Fn() -> bool,
) -> Option<Game> {
    while !stop() {
        let start = if starts.is_empty() { None } else { starts.get(random.below(starts.len())) };
        let Some(game) = walk(start, random) else { continue };
        player.forget();
        let ply = player.think(&game, ALLOWED, stop)?;
        if ply.value.abs() <= BALANCED {
            return Some(game);
        }
    }
    None
}

/// A position after random plies, without its history; `None` if they ended the game.
fn walk(start: Option<&Game>, random: &mut SplitMix64) -> Option<Game> {
    let mut game = start.cloned().unwrap_or_default();
    for _ in 0..PLIES.start() + random.below(PLIES.end() - PLIES.start() + 1) {
        let moves = game.legal_moves();
        if moves.is_empty() {
            return None;
        }
        game.play(moves[random.below(moves.len())]);
    }
    Game::parse_fen(&game.fen()).ok().filter(|game| game.end().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Settings;

    fn player() -> Player {
        Player::new(Settings::default(), 1).unwrap()
    }

    #[test]
    fn openings_follow_from_seed_and_number() {
        let fen = |seed, number| {
            let found = find(&mut SplitMix64::of_number(seed, number), &[], &mut player(), &|| false);
            found.map(|game| game.fen())
        };
        assert_eq!(fen(1, 3), fen(1, 3));
        assert_ne!(fen(1, 3), fen(1, 4));
        assert_ne!(fen(1, 3), fen(2, 3));
        assert_eq!(
            find(&mut SplitMix64::of_number(1, 3), &[], &mut player(), &|| true).map(|game| game.fen()),
            None
        );
    }

    #[test]
    fn either_side_begins_and_scores_are_balanced() {
        let mut player = player();
        let mut begins = [0; 2];
        for number in 0..40 {
            let game = find(&mut SplitMix64::of_number(5, number), &[], &mut player, &|| false).unwrap();
            begins[usize::from(game.position().turn().is_black())] += 1;
            assert!(game.end().is_none() && game.key_history().is_empty());
            player.forget();
            assert!(player.think(&game, ALLOWED, &|| false).unwrap().value.abs() <= BALANCED);
        }
        assert!(begins.iter().all(|&games| games > 5), "{begins:?}");
    }

    #[test]
    fn no_opening_is_found_from_a_lost_position() {
        let lost = Game::parse_fen("qqq1k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        let calls = std::cell::Cell::new(0);
        let stop = || {
            calls.set(calls.get() + 1);
            calls.get() > 2000
        };
        assert!(find(&mut SplitMix64::of_number(1, 1), &[lost], &mut player(), &stop).is_none());
    }
}
