//! Workers: the games of a share, several at a time, each on a thread with a searcher and a small table of its own.
//! Table and histories are emptied before every game, so that a game does not depend on who plays it and on what was
//! played before. What is done with a game's number is the caller's.

use super::format::Saved;
use super::store::Store;
use crate::engine::options::Options;
use crate::engine::referee::{Allowed, Player};
use crate::lab::command::cli::Shard;
use crate::lab::command::cli::datagen::WorkArgs;
use crate::lab::command::console::{self, Failure};
use crate::lab::command::interrupted::Stop;
use crate::lab::command::progress::Progress;
use crate::lab::command::settings;
use crate::lab::command::workers::{jobs, spread_at};
use crate::lab::pages::table::count;
use crate::lab::records::fingerprint;
use std::time::Instant;

/// Table size if none is asked for, in MiB: a game at some thousand nodes a move fits, and emptying it costs little.
const HASH: usize = 8;

/// A search that runs away (one iteration can be many times the one before) is ended at so many times its soft nodes.
const HARD_FACTOR: u64 = 10;

/// Who works, and on which games.
pub struct GameWorkers {
    options: Options,
    allowed: Allowed,
    shard: Shard,
    jobs: usize,
}

impl GameWorkers {
    /// Reads how games are to be searched.
    ///
    /// # Errors
    /// Where an option cannot be set.
    pub fn new(arguments: &WorkArgs) -> Result<GameWorkers, Failure> {
        let mut options = Options { hash: HASH, ..Options::default() };
        for text in &arguments.set {
            settings::set(&mut options, text, &["MultiPV"])?;
        }
        Ok(GameWorkers {
            options,
            allowed: Allowed {
                nodes: Some(HARD_FACTOR * arguments.nodes),
                soft_nodes: Some(arguments.nodes),
                ..Allowed::default()
            },
            shard: arguments.shard.unwrap_or(Shard::WHOLE),
            jobs: jobs(arguments.concurrency),
        })
    }

    /// What a move may take.
    #[must_use]
    pub fn allowed(&self) -> Allowed {
        self.allowed
    }

    /// What decides the games, in lines. The number of jobs does not.
    #[must_use]
    pub fn describe(&self) -> Vec<String> {
        let (soft, hard) = (self.allowed.soft_nodes.unwrap_or(0), self.allowed.nodes.unwrap_or(0));
        vec![
            format!("program {:016x}", fingerprint::program()),
            format!("settings: {}", settings::describe_player(&self.options)),
            format!("soft nodes {soft}, hard nodes {hard}"),
            format!("share {}/{}", self.shard.number, self.shard.of),
        ]
    }

    /// Fills a store with those games of `total` that are in the share and not yet in the file. `work` makes the game
    /// of a number (from 0, over all shares); `None` when broken off.
    ///
    /// # Errors
    /// The first that comes up.
    pub fn fill(
        &self,
        store: &mut Store,
        total: usize,
        work: impl Fn(&mut Player, usize, &dyn Fn() -> bool) -> Result<Option<Saved>, Failure> + Sync,
    ) -> Result<(), Failure> {
        let first = store.summary().games;
        let ours = (total + self.shard.of - self.shard.number) / self.shard.of;
        let (stop, began, before) = (Stop::default(), Instant::now(), store.summary().positions);
        let mut progress = Progress::new("games", ours.max(first), first);
        let ended = spread_at(
            || self.player(),
            ours.saturating_sub(first),
            self.jobs,
            &stop,
            |player, item, send| {
                let number = (first + item) * self.shard.of + self.shard.number - 1;
                let made = work(player, number, &|| stop.is_set());
                send(made.map(|game| game.map(|game| (first + item, game))));
            },
            |made: Result<Option<(usize, Saved)>, Failure>| {
                let Some((place, game)) = made? else { return Ok(()) };
                store.take(place, game)?;
                progress.note(rate(store.summary().positions, before, began));
                progress.step();
                Ok(())
            },
        );
        progress.finish();
        if store.summary().games > first {
            console::warn(rate(store.summary().positions, before, began));
        }
        ended
    }

    fn player(&self) -> Result<Player, Failure> {
        let player = Player::new(self.options.settings.clone(), self.options.hash);
        player.map_err(|error| Failure::new(error.to_string()))
    }
}

/// Positions in the file, and how fast they come.
fn rate(positions: u64, before: u64, began: Instant) -> String {
    let seconds = began.elapsed().as_secs_f64().max(0.001);
    let a_second = (positions - before) as f64 / seconds;
    format!("{} positions, {a_second:.1} a second", count(positions))
}
