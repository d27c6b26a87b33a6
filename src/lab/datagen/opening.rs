//! Random openings: eight or nine uniformly random plies from the start position, kept where a short search finds
//! neither side far ahead. Random moves reach positions that good moves avoid, and an evaluation is asked about those
//! all the time; what is lost already teaches nothing. All of it follows from the random numbers that are handed in.

use crate::chess::game::Game;
use crate::chess::score::{Value, centipawns};
use crate::engine::referee::{Allowed, Player};
use crate::random::SplitMix64;

/// Random plies at least; one more in every second opening, so that either side has the first move of its own.
const PLIES: usize = 8;

/// Neither side is ahead by more than this: at 600 centipawns some games are still drawn or lost.
const BALANCED: Value = centipawns(600);

/// Made moves of the search that says so: enough to see what hangs, and less than a single move of the game.
const NODES: u64 = 1000;

/// What decides the openings, in a line.
#[must_use]
pub fn describe() -> String {
    format!("{PLIES} or {} random plies, within {BALANCED} after {NODES} nodes", PLIES + 1)
}

/// An opening from one of `starts` (the start position where there are none); `None` when broken off. `player` forgets
/// what it knew.
pub fn find(
    random: &mut SplitMix64,
    starts: &[Game],
    player: &mut Player,
    stop: &dyn Fn() -> bool,
) -> Option<Game> {
    let allowed = Allowed { nodes: Some(NODES), ..Allowed::default() };
    while !stop() {
        let start = if starts.is_empty() { None } else { starts.get(random.below(starts.len())) };
        let Some(game) = walk(start, random) else { continue };
        player.forget();
        let ply = player.think(&game, allowed, stop)?;
        if ply.value.abs() <= BALANCED {
            return Some(game);
        }
    }
    None
}

/// Random plies; `None` where they ended the game. What led here is no part of the game: the file begins with the
/// position.
fn walk(start: Option<&Game>, random: &mut SplitMix64) -> Option<Game> {
    let mut game = start.cloned().unwrap_or_default();
    for _ in 0..PLIES + random.below(2) {
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
    fn they_follow_from_seed_and_number() {
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
    fn either_side_begins_and_nobody_is_lost() {
        let mut player = player();
        let mut begins = [0; 2];
        for number in 0..40 {
            let game = find(&mut SplitMix64::of_number(5, number), &[], &mut player, &|| false).unwrap();
            begins[usize::from(game.position().turn().is_black())] += 1;
            assert!(game.end().is_none() && game.earlier().is_empty());
            player.forget();
            let allowed = Allowed { nodes: Some(NODES), ..Allowed::default() };
            assert!(player.think(&game, allowed, &|| false).unwrap().value.abs() <= BALANCED);
        }
        assert!(begins.iter().all(|&games| games > 5), "{begins:?}");
    }

    /// From a position that is lost nothing balanced is found; one that is won back is no accident of the filter.
    #[test]
    fn the_filter_drops_what_is_decided() {
        let lost = Game::parse_fen("qqq1k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        let calls = std::cell::Cell::new(0);
        let stop = || {
            calls.set(calls.get() + 1);
            calls.get() > 2000
        };
        assert!(find(&mut SplitMix64::of_number(1, 1), &[lost], &mut player(), &stop).is_none());
    }
}
