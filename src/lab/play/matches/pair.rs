//! Pairs of games: two games from one opening with colours reversed. The pair is the independent sample of a
//! match, since both games depend on the opening.

use super::player::PlayerSpec;
use super::uci_engine::UciEngine;
use crate::chess::game::Game;
use crate::engine::strength::Handicap;
use crate::lab::base::formats::openings::Openings;
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::Stop;
use crate::lab::play::referee::{Adjudication, FinishedGame, GamePlayer, MoveLimits, Player, play};
use crate::random::SplitMix64;
use crate::search::Settings;
use shakmaty::Color;
use std::time::{Duration, Instant};

/// Both games of an opening: the first player is white, then black.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The first position of both games.
    pub opening: Game,
    /// The games.
    pub games: [FinishedGame; 2],
}

/// The first player's colour in the games of a pair.
pub const COLOURS: [Color; 2] = [Color::White, Color::Black];

impl Pair {
    /// The first player's half points in each game.
    #[must_use]
    pub fn half_points(&self) -> [usize; 2] {
        let of = |game: &FinishedGame, colour: Color| match game.winner {
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
    pub allowed: MoveLimits,
    /// Adjudication: when a game ends early.
    pub rules: Adjudication,
}

/// Time from which on a start that has failed is told, before the engine is started again.
const LONG_START: Duration = Duration::from_secs(1);

/// A side of the pairs that a worker thread plays.
enum Side {
    /// This engine, and the Elo of its limited strength.
    Plumb(Box<Player>, Option<i64>),
    /// Another one.
    Engine(Box<UciEngine>),
}

impl Side {
    /// Starts one of the players of a match.
    fn new(all: &[PlayerSpec], number: usize, stop: &Stop) -> Result<Side, Failure> {
        Ok(match &all[number] {
            PlayerSpec::Plumb(options) => {
                let mut player = Player::of(options).map_err(|error| Failure::new(error.to_string()))?;
                player.shows_scores = PlayerSpec::any_program(all);
                Side::Plumb(Box::new(player), options.limited_elo())
            }
            PlayerSpec::Engine(spec) => {
                let failed = |why| if stop.is_set() { Failure::interrupted() } else { Failure::new(why) };
                let start = || UciEngine::start(spec, &|| stop.is_set());
                // One start of thousands that fails, on a busy machine, does not end a tournament.
                let begun = Instant::now();
                let again = |why: String| {
                    if stop.is_set() {
                        return Err(why);
                    }
                    if begun.elapsed() > LONG_START {
                        console::note(format!("{why}; it is started again"));
                    }
                    start()
                };
                let engine = start().or_else(again).or_else(again).map_err(failed)?;
                Side::Engine(Box::new(engine))
            }
        })
    }

    /// Prepares for a game: the evaluation noise of limited strength is that of its seed.
    fn contestant(&mut self, seed: u64) -> &mut dyn GamePlayer {
        match self {
            Side::Plumb(player, elo) => {
                player.limit(elo.map(|elo| Handicap::of(elo, seed)));
                &mut **player
            }
            Side::Engine(engine) => &mut **engine,
        }
    }
}

/// The two players of a worker thread, used again for every pair. Table and histories are emptied before
/// every game, so that a pair does not depend on the thread that plays it.
pub struct PairPlayers([Side; 2]);

impl PairPlayers {
    /// Two players in this process with transposition tables of so many MiB.
    ///
    /// # Errors
    /// If there is no memory for the tables.
    pub fn new(hashes: [usize; 2]) -> Result<PairPlayers, Failure> {
        let side = |mebibytes| {
            let player = Player::new(Settings::default(), mebibytes);
            player
                .map(|player| Side::Plumb(Box::new(player), None))
                .map_err(|error| Failure::new(error.to_string()))
        };
        Ok(PairPlayers([side(hashes[0])?, side(hashes[1])?]))
    }

    /// The players of a match; `stop` ends the wait for an engine that does not answer.
    ///
    /// # Errors
    /// If there is no memory or no thread for one, or an engine cannot be started.
    pub fn of(players: &[PlayerSpec; 2], stop: &Stop) -> Result<PairPlayers, Failure> {
        Ok(PairPlayers([Side::new(players, 0, stop)?, Side::new(players, 1, stop)?]))
    }

    /// Both games of a pair between two settings; `None` when interrupted.
    ///
    /// # Errors
    /// If there is no memory to search for an opening.
    pub fn play_settings(
        &mut self,
        settings: [&Settings; 2],
        conditions: &Conditions,
        number: usize,
        stop: &Stop,
    ) -> Result<Option<Pair>, Failure> {
        for (side, settings) in self.0.iter_mut().zip(settings) {
            if let Side::Plumb(player, _) = side {
                player.set(settings);
            }
        }
        self.play(conditions, number, stop)
    }

    /// Both games of a pair; `None` when interrupted.
    ///
    /// # Errors
    /// If there is no memory to search for an opening, or an engine can be started no more.
    pub fn play(
        &mut self,
        conditions: &Conditions,
        number: usize,
        stop: &Stop,
    ) -> Result<Option<Pair>, Failure> {
        let [a, b] = &mut self.0;
        play_both([a, b], conditions, number, stop)
    }
}

/// Both games of a pair; `None` when interrupted.
fn play_both(
    [a, b]: [&mut Side; 2],
    conditions: &Conditions,
    number: usize,
    stop: &Stop,
) -> Result<Option<Pair>, Failure> {
    let Some(opening) = conditions.openings.get(number, stop)? else { return Ok(None) };
    let broken = || stop.is_set();
    let mut seeds = SplitMix64::of_number(NOISE, number);
    let mut game = |white: &mut Side, black: &mut Side| {
        let players = [white.contestant(seeds.next()), black.contestant(seeds.next())];
        play(&opening, players, conditions.allowed, &conditions.rules, &broken)
    };
    let Some(first) = game(a, b).map_err(Failure::new)? else { return Ok(None) };
    let Some(second) = game(b, a).map_err(Failure::new)? else { return Ok(None) };
    Ok(Some(Pair { opening, games: [first, second] }))
}

/// The player in a slot, which is started if the slot is empty.
fn started<'a>(
    slot: &'a mut Option<(usize, Side)>,
    player: usize,
    all: &[PlayerSpec],
    stop: &Stop,
) -> Result<&'a mut Side, Failure> {
    match slot {
        Some((_, side)) => Ok(side),
        None => Ok(&mut slot.insert((player, Side::new(all, player, stop)?)).1),
    }
}

/// The two players of a worker thread that are started, among all of a tournament: memory is taken, and
/// programs run, for two at a time. A player that is in the next pair too is kept.
pub struct StartedPlayers<'a> {
    all: &'a [PlayerSpec],
    /// The players that are started, with their places among all.
    started: [Option<(usize, Side)>; 2],
}

impl<'a> StartedPlayers<'a> {
    /// No player is started yet.
    #[must_use]
    pub fn new(all: &'a [PlayerSpec]) -> StartedPlayers<'a> {
        StartedPlayers { all, started: [None, None] }
    }

    /// Starts two different players, by their places among all, unless they are running.
    fn start(&mut self, wanted: [usize; 2], stop: &Stop) -> Result<[&mut Side; 2], Failure> {
        let holds = |slot: &Option<(usize, Side)>, player| slot.as_ref().is_some_and(|(at, _)| *at == player);
        if holds(&self.started[0], wanted[1]) || holds(&self.started[1], wanted[0]) {
            self.started.swap(0, 1);
        }
        for (slot, player) in self.started.iter_mut().zip(wanted) {
            // The memory of the former player is freed first.
            if !holds(slot, player) {
                *slot = None;
            }
        }
        let [first, second] = &mut self.started;
        Ok([started(first, wanted[0], self.all, stop)?, started(second, wanted[1], self.all, stop)?])
    }

    /// Starts every player once: fails for one that cannot be started.
    ///
    /// # Errors
    /// If there is no memory or no thread for two at a time, or an engine cannot be started.
    pub fn try_all(all: &[PlayerSpec], stop: &Stop) -> Result<(), Failure> {
        let mut players = StartedPlayers::new(all);
        (1..all.len()).try_for_each(|other| players.start([0, other], stop).map(drop))
    }

    /// Both games of a pair of two players, by their places, from the opening of a number; `None` when
    /// interrupted.
    ///
    /// # Errors
    /// As [`PairPlayers::of`] and [`PairPlayers::play`].
    pub fn play(
        &mut self,
        players: [usize; 2],
        conditions: &Conditions,
        number: usize,
        stop: &Stop,
    ) -> Result<Option<Pair>, Failure> {
        let sides = match self.start(players, stop) {
            // The wait for an engine is broken off.
            Err(_) if stop.is_set() => return Ok(None),
            sides => sides?,
        };
        play_both(sides, conditions, number, stop)
    }
}

/// Seed of the evaluation noise of limited strength, which follows from the number of the pair.
const NOISE: u64 = 1995;
