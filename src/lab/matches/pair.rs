//! Pairs of games: two games from one opening with colours reversed. The pair is the independent sample of a match,
//! since both games depend on the opening.

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
    /// The first position of both games.
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

/// Conditions of a match.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The openings.
    pub openings: Openings,
    /// Limits of a move.
    pub allowed: Allowed,
    /// Adjudication: when a game ends early.
    pub rules: Adjudication,
}

/// The two players of a worker thread, used again for every pair. Table and histories are emptied before every game,
/// so that a pair does not depend on the thread that plays it.
pub struct PairPlayers([Player; 2]);

impl PairPlayers {
    /// Players with transposition tables of so many MiB.
    ///
    /// # Errors
    /// If there is no memory for the tables.
    pub fn new(hashes: [usize; 2]) -> Result<PairPlayers, Failure> {
        let player = |mebibytes| {
            Player::new(Settings::default(), mebibytes).map_err(|error| Failure::new(error.to_string()))
        };
        Ok(PairPlayers([player(hashes[0])?, player(hashes[1])?]))
    }

    /// Both games of a pair; `None` when broken off.
    ///
    /// # Errors
    /// If there is no memory to search for an opening.
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
