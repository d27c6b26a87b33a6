//! Random openings: seven to twelve uniformly random plies from the start position, kept if a short search
//! finds neither side far ahead. Random moves reach positions that good moves avoid, and a search evaluates
//! those all the time; lost positions are of no use for training. On request no move loses more than so much
//! by a short search, which gives openings such as players reach. The openings follow from the random numbers
//! that are handed in.

use crate::chess::game::Game;
use crate::chess::score::{Value, centipawns};
use crate::lab::play::datagen::game_workers::within;
use crate::lab::play::referee::Player;
use crate::random::SplitMix64;
use shakmaty::Move;
use std::ops::RangeInclusive;

/// Random plies: as often an odd number as an even one, so that either side has the first move of the game.
/// Openings of different lengths have more different positions and pawn structures than those of one length.
const PLIES: RangeInclusive<usize> = 7..=12;

/// Largest score of an opening for either side: at 600 centipawns some games are still drawn or lost.
const BALANCED: Value = centipawns(600);

/// Soft limit of the search for that score, in nodes: enough to see hanging pieces. A game of fifty nodes a
/// move has some five thousand in all.
const NODES: u64 = 100;

/// Soft limit of the searches of moves that may not lose much: a first iteration has some 30 nodes.
const MOVE_NODES: u64 = 30;

/// Rules of random openings: where they begin, and which moves may be played.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kind<'a> {
    /// Positions that they begin from; the start position if there are none.
    pub starts: &'a [Game],
    /// Limit on the loss of a move by a search of 30 nodes; `None` for any move.
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

/// An opening; `None` when interrupted. Table and histories of `player` are emptied.
pub fn find(
    random: &mut SplitMix64,
    kind: Kind<'_>,
    player: &mut Player,
    stop: &dyn Fn() -> bool,
) -> Option<Game> {
    while !stop() {
        let start =
            if kind.starts.is_empty() { None } else { kind.starts.get(random.below(kind.starts.len())) };
        let walked = match kind.most_loss {
            None => walk(start, random, any_move),
            Some(most_loss) => {
                player.forget();
                walk(start, random, |game, random| good_move(game, most_loss, random, player, stop))
            }
        };
        let Some(game) = walked else { continue };
        player.forget();
        let ply = player.think(&game, within(NODES), stop)?;
        if ply.value.is_some_and(|value| value.abs() <= BALANCED) {
            return Some(game);
        }
    }
    None
}

/// A position after random plies, without its history; `None` if there was no move to play.
fn walk(
    start: Option<&Game>,
    random: &mut SplitMix64,
    mut choose: impl FnMut(&Game, &mut SplitMix64) -> Option<Move>,
) -> Option<Game> {
    let mut game = start.cloned().unwrap_or_default();
    for _ in 0..PLIES.start() + random.below(PLIES.end() - PLIES.start() + 1) {
        game.play(choose(&game, random)?);
    }
    Game::parse_fen(&game.fen()).ok().filter(|game| game.end().is_none())
}

/// A random move, if there is one.
fn any_move(game: &Game, random: &mut SplitMix64) -> Option<Move> {
    let moves = game.legal_moves();
    (!moves.is_empty()).then(|| moves[random.below(moves.len())])
}

/// A random one of the moves that lose at most `most_loss` and do not end the game; `None` without one, or
/// when interrupted.
fn good_move(
    game: &Game,
    most_loss: Value,
    random: &mut SplitMix64,
    player: &mut Player,
    stop: &dyn Fn() -> bool,
) -> Option<Move> {
    let value = player.think(game, within(MOVE_NODES), stop)?.value;
    let mut moves = game.legal_moves();
    while !moves.is_empty() {
        let m = moves.swap_remove(random.below(moves.len()));
        let mut next = game.clone();
        next.play(m);
        if next.end().is_none()
            && let (Some(before), Some(after)) = (value, player.think(&next, within(MOVE_NODES), stop)?.value)
            && -after >= before - most_loss
        {
            return Some(m);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Settings;

    fn player() -> Player {
        Player::new(Settings::default(), 1).unwrap()
    }

    fn found(seed: u64, number: usize, kind: Kind<'_>, player: &mut Player) -> Game {
        find(&mut SplitMix64::of_number(seed, number), kind, player, &|| false).unwrap()
    }

    #[test]
    fn openings_follow_from_seed_and_number() {
        let fen = |seed, number| found(seed, number, Kind::default(), &mut player()).fen();
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
            let game = found(5, number, Kind::default(), &mut player);
            begins[usize::from(game.position().turn().is_black())] += 1;
            assert!(game.end().is_none() && game.key_history().is_empty());
            player.forget();
            assert!(player.think(&game, within(NODES), &|| false).unwrap().value.unwrap().abs() <= BALANCED);
        }
        assert!(begins.iter().all(|&games| games > 5), "{begins:?}");
    }

    #[test]
    fn openings_whose_moves_lose_little_are_more_level() {
        let mut player = player();
        let mut imbalance = |most_loss| {
            let kind = Kind { most_loss, ..Kind::default() };
            let mut value = |number| {
                let game = found(9, number, kind, &mut player);
                player.forget();
                player.think(&game, within(NODES), &|| false).unwrap().value.unwrap().abs()
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
