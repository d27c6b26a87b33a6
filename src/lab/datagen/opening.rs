//! Random openings: seven to twelve uniformly random plies from the start position, kept if a short search finds
//! neither side far ahead. Random moves reach positions that good moves avoid, and a search evaluates those all the
//! time; lost positions teach nothing. On request no move loses more than so much by a short search, which gives
//! openings such as players reach. The openings follow from the random numbers that are handed in.

use crate::chess::game::Game;
use crate::chess::score::{Value, centipawns};
use crate::lab::referee::{Allowed, Player};
use crate::random::SplitMix64;
use shakmaty::Move;
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

/// The same where no move of the opening may lose much. A first iteration has some 30 nodes.
const ALLOWED_A_MOVE: Allowed = Allowed { soft_nodes: Some(30), ..ALLOWED };

/// What the openings are like.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kind<'a> {
    /// Positions that they begin from; the start position if there are none.
    pub starts: &'a [Game],
    /// What a move may lose at most by a short search; `None` for any move.
    pub most_loss: Option<Value>,
}

impl Kind<'_> {
    /// Everything that decides the openings, in a line.
    #[must_use]
    pub fn describe(&self) -> String {
        let (least, most) = (PLIES.start(), PLIES.end());
        let loss = |loss: Value| format!(", each of which loses at most {loss}");
        let loss = self.most_loss.map(loss).unwrap_or_default();
        format!("{least} to {most} random plies{loss}, within {BALANCED} after {NODES} nodes")
    }
}

/// An opening; `None` when broken off. Table and histories of `player` are emptied.
pub fn find(
    random: &mut SplitMix64,
    kind: Kind<'_>,
    player: &mut Player,
    stop: &dyn Fn() -> bool,
) -> Option<Game> {
    while !stop() {
        let start =
            if kind.starts.is_empty() { None } else { kind.starts.get(random.below(kind.starts.len())) };
        player.forget();
        let Some(game) = walk(start, kind.most_loss, random, player, stop) else { continue };
        player.forget();
        let ply = player.think(&game, ALLOWED, stop)?;
        if ply.value.abs() <= BALANCED {
            return Some(game);
        }
    }
    None
}

/// A position after random plies, without its history; `None` if they ended the game, or when broken off.
fn walk(
    start: Option<&Game>,
    most_loss: Option<Value>,
    random: &mut SplitMix64,
    player: &mut Player,
    stop: &dyn Fn() -> bool,
) -> Option<Game> {
    let mut game = start.cloned().unwrap_or_default();
    for _ in 0..PLIES.start() + random.below(PLIES.end() - PLIES.start() + 1) {
        game = match most_loss {
            None => any_move(&game, random)?,
            Some(most_loss) => good_move(&game, most_loss, random, player, stop)?,
        };
    }
    Game::parse_fen(&game.fen()).ok().filter(|game| game.end().is_none())
}

/// The game after a random move, if there is one.
fn any_move(game: &Game, random: &mut SplitMix64) -> Option<Game> {
    let moves = game.legal_moves();
    let played = (!moves.is_empty()).then(|| moves[random.below(moves.len())])?;
    Some(after(game, played))
}

/// The game after a random one of the moves that lose at most `most_loss`, if there is one that does not end it.
fn good_move(
    game: &Game,
    most_loss: Value,
    random: &mut SplitMix64,
    player: &mut Player,
    stop: &dyn Fn() -> bool,
) -> Option<Game> {
    let value = player.think(game, ALLOWED_A_MOVE, stop)?.value;
    let mut moves = game.legal_moves();
    while !moves.is_empty() {
        let next = after(game, moves.swap_remove(random.below(moves.len())));
        if next.end().is_none() && -player.think(&next, ALLOWED_A_MOVE, stop)?.value >= value - most_loss {
            return Some(next);
        }
    }
    None
}

/// The game after a move.
fn after(game: &Game, m: Move) -> Game {
    let mut next = game.clone();
    next.play(m);
    next
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
            let found =
                find(&mut SplitMix64::of_number(seed, number), Kind::default(), &mut player(), &|| false);
            found.map(|game| game.fen())
        };
        assert_eq!(fen(1, 3), fen(1, 3));
        assert_ne!(fen(1, 3), fen(1, 4));
        assert_ne!(fen(1, 3), fen(2, 3));
        assert_eq!(
            find(&mut SplitMix64::of_number(1, 3), Kind::default(), &mut player(), &|| true)
                .map(|game| game.fen()),
            None
        );
    }

    #[test]
    fn either_side_begins_and_scores_are_balanced() {
        let mut player = player();
        let mut begins = [0; 2];
        for number in 0..40 {
            let game =
                find(&mut SplitMix64::of_number(5, number), Kind::default(), &mut player, &|| false).unwrap();
            begins[usize::from(game.position().turn().is_black())] += 1;
            assert!(game.end().is_none() && game.key_history().is_empty());
            player.forget();
            assert!(player.think(&game, ALLOWED, &|| false).unwrap().value.abs() <= BALANCED);
        }
        assert!(begins.iter().all(|&games| games > 5), "{begins:?}");
    }

    #[test]
    fn openings_whose_moves_lose_little_are_more_level() {
        let mut player = player();
        let mut imbalance = |most_loss| {
            let kind = Kind { most_loss, ..Kind::default() };
            let mut value = |number| {
                let game = find(&mut SplitMix64::of_number(9, number), kind, &mut player, &|| false).unwrap();
                player.forget();
                player.think(&game, ALLOWED, &|| false).unwrap().value.abs()
            };
            (0..40).map(&mut value).sum::<Value>()
        };
        let (any, good) = (imbalance(None), imbalance(Some(centipawns(20))));
        assert!(2 * good < any, "{good} {any}");
    }

    #[test]
    fn no_opening_is_found_from_a_lost_position() {
        let lost = Game::parse_fen("qqq1k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        let kind = Kind { starts: &[lost], ..Kind::default() };
        let calls = std::cell::Cell::new(0);
        let stop = || {
            calls.set(calls.get() + 1);
            calls.get() > 2000
        };
        assert!(find(&mut SplitMix64::of_number(1, 1), kind, &mut player(), &stop).is_none());
    }
}
