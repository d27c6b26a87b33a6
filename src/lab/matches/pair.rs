//! Two games from one opening with colours exchanged: what varies independently in a tournament. Here a pair is
//! played; who plays, and what the results mean, is decided above.

use super::openings::Openings;
use crate::chess::game::Game;
use crate::engine::referee::{Adjudication, Allowed, Played, Player, play};
use crate::lab::command::console::Failure;
use crate::lab::command::interrupted::Stop;
use crate::search::Settings;
use shakmaty::Color;

/// Both games of an opening: the first player is white, then black.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Where both games begin.
    pub opening: Game,
    /// The games.
    pub games: [Played; 2],
}

/// The first player's colour in the games of a pair.
pub const COLOURS: [Color; 2] = [Color::White, Color::Black];

impl Pair {
    /// The first player's half points in each game.
    #[must_use]
    pub fn half_points(&self) -> [usize; 2] {
        let of = |game: &Played, colour: Color| match game.winner {
            None => 1,
            Some(winner) => 2 * usize::from(winner == colour),
        };
        [of(&self.games[0], COLOURS[0]), of(&self.games[1], COLOURS[1])]
    }
}

/// Under which conditions pairs are played.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// Where games begin.
    pub openings: Openings,
    /// What a move may take.
    pub allowed: Allowed,
    /// When a game ends early.
    pub rules: Adjudication,
}

/// What a worker plays with: two seats that are used again for every pair. A seat forgets everything before a
/// game, so that it does not matter which worker plays a pair.
pub struct Desk([Player; 2]);

impl Desk {
    /// A desk with tables of so many MiB.
    ///
    /// # Errors
    /// Where the tables cannot be had.
    pub fn new(hashes: [usize; 2]) -> Result<Desk, Failure> {
        let player = |mebibytes| {
            Player::new(Settings::default(), mebibytes).map_err(|error| Failure::new(error.to_string()))
        };
        Ok(Desk([player(hashes[0])?, player(hashes[1])?]))
    }

    /// Both games of a pair; `None` when broken off.
    ///
    /// # Errors
    /// Where there is no memory to find an opening.
    pub fn play(
        &mut self,
        players: [&Settings; 2],
        conditions: &Conditions,
        number: usize,
        stop: &Stop,
    ) -> Result<Option<Pair>, Failure> {
        let [a, b] = &mut self.0;
        a.set(players[0]);
        b.set(players[1]);
        let Some(opening) = conditions.openings.get(number, stop)? else { return Ok(None) };
        let broken = || stop.is_set();
        let game = |players: [&mut Player; 2]| {
            play(&opening, players, conditions.allowed, &conditions.rules, &broken)
        };
        let Some(first) = game([&mut *a, &mut *b]) else { return Ok(None) };
        let Some(second) = game([b, a]) else { return Ok(None) };
        Ok(Some(Pair { opening, games: [first, second] }))
    }
}
