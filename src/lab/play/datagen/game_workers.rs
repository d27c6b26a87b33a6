//! Worker threads that make the games of a share (`--shard`), several at a time, each with a searcher and a
//! small transposition table of its own. The caller plays or rescores game number n; table and
//! histories should be emptied before every game, so that it does not depend on the thread and on earlier
//! games.

use crate::chess::game::Game;
use crate::engine::options::Options;
use crate::lab::base::pages::table::{Table, count};
use crate::lab::base::records::fingerprint;
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::Stop;
use crate::lab::base::terminal::progress::Progress;
use crate::lab::base::terminal::settings;
use crate::lab::base::terminal::trial::{self, Trial};
use crate::lab::base::terminal::values::Shard;
use crate::lab::base::terminal::workers::{jobs, spread_at};
use crate::lab::play::archive::format::StoredGame;
use crate::lab::play::archive::store::{Store, Summary};
use crate::lab::play::datagen::arguments::WorkArgs;
use crate::lab::play::referee::{MoveLimits, Player};
use crate::search::{Backend, Driver};
use std::time::Instant;

/// Default size of the transposition table in MiB: games of some hundred nodes a move fit, emptying is cheap,
/// and it stays in the caches of the processor.
const HASH: usize = 1;

/// Default backend. Its scores are exact, not multiples of a grid, and at a thousand nodes it beats MTD(f)
/// with a grid of 1, whose scores are exact too, by hundreds of Elo (notebook/network-labels.md, *The
/// setting that plays the games*).
const BACKEND: Backend = Backend::Driver(Driver::NegaScout);

/// Hard node limit as a multiple of the soft one, for an iteration that is many times the one before.
const HARD_FACTOR: u64 = 10;

/// The least hard limit in nodes: a first iteration that ends has a score, with the captures of forty moves
/// too.
const LEAST_HARD: u64 = 1000;

/// Men on the board above which a position is searched with `--early-nodes`. Few pieces have been exchanged
/// then, and what decides the game lies far beyond a short search (notebook/network-labels.md, *What
/// a score can teach*).
const EARLY_MEN: usize = 20;

/// Settings of the worker threads, and the share of the games that they make.
pub struct GameWorkers {
    options: Options,
    /// Limits of a search with more than [`EARLY_MEN`] men on the board.
    early: MoveLimits,
    /// Limits of the other searches.
    late: MoveLimits,
    shard: Shard,
    jobs: usize,
}

impl GameWorkers {
    /// Reads the settings from the command line, which may leave the number of nodes to its command.
    ///
    /// # Errors
    /// If an option cannot be set.
    pub fn new(arguments: &WorkArgs, default_nodes: u64) -> Result<GameWorkers, Failure> {
        let mut options = Options { hash: HASH, ..Options::default() };
        options.settings.backend = BACKEND;
        for text in &arguments.set {
            settings::set(&mut options, text, &["MultiPV"])?;
        }
        let nodes = arguments.nodes.unwrap_or(default_nodes);
        Ok(GameWorkers {
            options,
            early: within(arguments.early_nodes.unwrap_or(nodes)),
            late: within(nodes),
            shard: arguments.shard.unwrap_or(Shard::WHOLE),
            jobs: jobs(arguments.jobs),
        })
    }

    /// Limits of the search of a position.
    #[must_use]
    pub fn allowed(&self, game: &Game) -> MoveLimits {
        if game.position().board().occupied().count() > EARLY_MEN { self.early } else { self.late }
    }

    /// Lines with everything that decides the games. The number of jobs does not.
    #[must_use]
    pub fn describe(&self) -> Vec<String> {
        let limits = |allowed: &MoveLimits| {
            let (soft, hard) = (allowed.soft_nodes.unwrap_or(0), allowed.nodes.unwrap_or(0));
            format!("soft nodes {soft}, hard nodes {hard}")
        };
        let mut lines = vec![
            format!("program {:016x}", fingerprint::program()),
            format!("settings: {}", settings::describe_player(&self.options)),
            limits(&self.late),
            format!("share {}/{}", self.shard.number, self.shard.of),
        ];
        if self.early != self.late {
            lines.push(format!("with more than {EARLY_MEN} men: {}", limits(&self.early)));
        }
        lines
    }

    /// Fills a store with those games of `total` that are in the share and not yet in the file. `work` makes
    /// the game of a number (from 0, over all shares); `None` when interrupted.
    ///
    /// # Errors
    /// The first failure of `work` or of writing.
    pub fn fill(
        &self,
        store: &mut Store,
        total: usize,
        work: impl Fn(&mut Player, usize, &dyn Fn() -> bool) -> Result<Option<StoredGame>, Failure> + Sync,
    ) -> Result<(), Failure> {
        let first = store.summary().games;
        let ours = self.share_of(total);
        if first > ours {
            console::note(format!("the file holds {first} games already, more than {ours}: none is added"));
        }
        let (stop, began, before) = (Stop::default(), Instant::now(), store.summary().positions);
        let mut progress = Progress::new("games", ours.max(first), first);
        let ended = spread_at(
            || self.player(),
            ours.saturating_sub(first),
            self.jobs,
            &stop,
            |player, item, send| {
                let made = work(player, self.number(first + item), &|| stop.is_set());
                send(made.map(|game| game.map(|game| (first + item, game))));
            },
            |made: Result<Option<(usize, StoredGame)>, Failure>| {
                let Some((place, game)) = made? else { return Ok(()) };
                store.take(place, game)?;
                progress.note(rate(store.summary().positions, before, began));
                progress.step();
                Ok(())
            },
        );
        progress.finish();
        let ended = ended.and(store.finish());
        if store.summary().games > first {
            console::note(rate(store.summary().positions, before, began));
        }
        ended
    }

    /// Makes games for some seconds, writes none, and prints the time and the bytes that all of them take.
    ///
    /// # Errors
    /// The first failure of `work`, or Ctrl-C.
    pub fn dry_run(
        &self,
        total: usize,
        work: impl Fn(&mut Player, usize, &dyn Fn() -> bool) -> Result<Option<StoredGame>, Failure> + Sync,
    ) -> Result<(), Failure> {
        let ours = self.share_of(total);
        console::note("a dry run: games are played for some seconds, and nothing is written");
        let (mut sample, mut bytes) = (Summary::default(), 0);
        let trial = Trial::run(
            || self.player(),
            ours,
            self.jobs,
            |player, item, stop| work(player, self.number(item), &|| stop.is_set()),
            |game: StoredGame| {
                sample.add(&game);
                bytes += game.bytes().len();
            },
        )?;
        let whole = |part: f64| part * ours as f64 / trial.pieces().max(1) as f64;
        let mut table = Table::new(0, ["games", "positions", "quiet", "bytes", "time", "games at a time"]);
        table.row([
            count(ours as u64),
            count(whole(sample.positions as f64) as u64),
            count(whole(sample.quiet as f64) as u64),
            trial::bytes(whole(bytes as f64)),
            trial.time_for(ours),
            trial.jobs().to_string(),
        ]);
        console::out(&table.to_string())?;
        console::note(trial::basis(&count(trial.pieces() as u64)));
        Ok(())
    }

    /// The games of `total` that are in the share.
    fn share_of(&self, total: usize) -> usize {
        (total + self.shard.of - self.shard.number) / self.shard.of
    }

    /// The number, over all shares, of a game of this share (from 0).
    fn number(&self, place: usize) -> usize {
        place * self.shard.of + self.shard.number - 1
    }

    fn player(&self) -> Result<Player, Failure> {
        let player = Player::new(self.options.settings.clone(), self.options.hash);
        player.map_err(|error| Failure::new(error.to_string()))
    }
}

/// Limits of a search with so many soft nodes.
#[must_use]
pub fn within(nodes: u64) -> MoveLimits {
    let hard = (HARD_FACTOR * nodes).max(LEAST_HARD);
    MoveLimits { nodes: Some(hard), soft_nodes: Some(nodes), ..MoveLimits::default() }
}

/// Positions in the file, and positions a second since `began`.
fn rate(positions: u64, before: u64, began: Instant) -> String {
    let seconds = began.elapsed().as_secs_f64().max(0.001);
    let a_second = (positions - before) as f64 / seconds;
    format!("{} positions, {a_second:.1} a second", count(positions))
}
