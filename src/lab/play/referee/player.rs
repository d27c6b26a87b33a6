//! A player: this engine in this process, with settings, transposition table and threads of its own. It plays
//! games, and it searches single positions for the experiments.

use super::{GamePlayer, MoveLimits, Ply, Termination, Turn};
use crate::chess::Position;
use crate::chess::game::Game;
use crate::engine::bench::BenchError;
use crate::engine::clock::{Clock, TimeControl};
use crate::engine::handle::SearchHandle;
use crate::engine::options::Options;
use crate::engine::strength::Handicap;
use crate::engine::thread_pool::{BusyHelpers, ThreadPool};
use crate::engine::wdl_model::normalized;
use crate::lab::base::terminal::console::Failure;
use crate::lab::base::terminal::interrupted::Stop;
use crate::lab::base::terminal::workers::spread_at;
use crate::search::transposition::TableError;
use crate::search::{Limits, Outcome, Progress, SearchControl, Settings, Task, TranspositionTable};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Player: its settings, with histories and a transposition table of its own.
pub struct Player {
    settings: Settings,
    /// Limited strength, in this game.
    handicap: Option<Handicap>,
    /// Time kept back on every move of a game with clocks.
    move_overhead: Duration,
    /// True if its scores are those that it shows as a UCI engine (100 = an even chance to win), false if
    /// they are units of evaluation.
    pub shows_scores: bool,
    table: Arc<TranspositionTable>,
    threads: ThreadPool,
}

impl Player {
    /// A player with a transposition table of `mebibytes` MiB.
    ///
    /// # Errors
    /// If the transposition table cannot be had.
    pub fn new(settings: Settings, mebibytes: usize) -> Result<Player, TableError> {
        let table = Arc::new(TranspositionTable::new(mebibytes)?);
        Ok(Player::with_table(settings, table))
    }

    /// A player with a transposition table of `entries` entries, for experiments.
    ///
    /// # Errors
    /// If the transposition table cannot be had.
    pub fn with_entries(entries: usize) -> Result<Player, TableError> {
        TranspositionTable::with_entries(entries)
            .map(|table| Player::with_table(Settings::default(), Arc::new(table)))
    }

    fn with_table(settings: Settings, table: Arc<TranspositionTable>) -> Player {
        let threads = ThreadPool::new(Arc::clone(&table), BusyHelpers::default());
        Player { settings, handicap: None, move_overhead: OVERHEAD, shows_scores: false, table, threads }
    }

    /// A player with the transposition table, the threads, the settings and the move overhead of some
    /// options.
    ///
    /// # Errors
    /// If the transposition table cannot be allocated, or the threads cannot be started.
    pub fn of(options: &Options) -> Result<Player, BenchError> {
        let mut player = Player::new(options.settings.clone(), options.hash).map_err(BenchError::Table)?;
        player.threads = ThreadPool::with_threads(options.threads, Arc::clone(&player.table))
            .map_err(|error| BenchError::Threads(error.to_string()))?;
        player.move_overhead = options.move_overhead;
        Ok(player)
    }

    /// Limits the strength from now on, or no longer; the noise of the evaluation follows from its seed.
    pub fn limit(&mut self, handicap: Option<Handicap>) {
        self.handicap = handicap;
    }

    /// Sets other settings; the transposition table keeps its size.
    pub fn set(&mut self, settings: &Settings) {
        self.settings = settings.clone();
    }

    /// Clears histories and transposition table before a game, so that it does not depend on earlier ones.
    pub fn forget(&mut self) {
        self.threads.wait_for_helpers();
        self.table.clear();
        self.threads.clear();
    }

    /// Searches a position with these settings instead of the player's, with an empty transposition table and
    /// empty histories: the result does not depend on earlier searches.
    pub fn analyse(
        &mut self,
        position: &Position,
        settings: &Settings,
        limits: &Limits,
        control: &mut dyn SearchControl,
    ) -> Outcome {
        self.forget();
        let (root, key_history) = (position.clone(), Vec::new());
        let task = Task { root, key_history, settings: settings.clone(), limits: limits.clone() };
        self.threads.search(task, control)
    }

    /// Searches a move; `None` if `stop` interrupted it, or if there is no legal move.
    pub fn think(&mut self, game: &Game, allowed: MoveLimits, stop: &dyn Fn() -> bool) -> Option<Ply> {
        let time = TimeControl { movetime: allowed.time, ..TimeControl::default() };
        self.think_within(game, allowed, time, stop)
    }

    /// Searches a move within `time`, by the engine's own time management if that is a clock.
    fn think_within(
        &mut self,
        game: &Game,
        allowed: MoveLimits,
        time: TimeControl,
        stop: &dyn Fn() -> bool,
    ) -> Option<Ply> {
        let start = Instant::now();
        let on_clock = time.remaining.is_some();
        let overhead = if on_clock { self.move_overhead } else { Duration::ZERO };
        let limits = time.limits(overhead, false);
        let mut clock = Clock::new(Arc::new(SearchHandle::new(false, false)), start, limits);
        clock.forced = on_clock && game.legal_moves().len() == 1;
        let nodes = allowed.nodes.into_iter().chain(self.handicap.map(|handicap| handicap.nodes)).min();
        let mut limits = Limits { nodes, ..Limits::default() };
        limits.depth = allowed.depth.unwrap_or(limits.depth);
        let soft_nodes = allowed.soft_nodes.unwrap_or(u64::MAX);
        let mut control = MoveControl { clock, soft_nodes, stop };
        let mut settings = self.settings.clone();
        if let Some(handicap) = self.handicap {
            handicap.weaken(&mut settings);
        }
        let (root, key_history) = (game.position().clone(), game.key_history().to_vec());
        let task = Task { root, key_history, settings, limits };
        let outcome = self.threads.search(task, &mut control);
        // No game is counted in which a search failed: the match ends with this message.
        if let Some(fault) = outcome.fault(game.position(), &[]).filter(|_| !stop()) {
            panic!("{fault} ({})", game.fen());
        }
        let (depth, nodes) = (outcome.depth, outcome.stats.made_moves);
        let shown = if self.shows_scores { normalized(outcome.value) } else { outcome.value };
        let value = (depth > 0 || outcome.proven).then_some(shown);
        let played = outcome.best.filter(|_| !stop())?;
        Some(Ply { played, value, depth, nodes, time: start.elapsed() })
    }
}

impl GamePlayer for Player {
    fn begin(&mut self, _: &dyn Fn() -> bool) -> Result<(), String> {
        self.forget();
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>, stop: &dyn Fn() -> bool) -> Option<Result<Ply, Termination>> {
        let clock = turn.clocks.map(|clocks| clocks[turn.side()]);
        let time = TimeControl { movetime: turn.allowed.time, ..clock.unwrap_or_default() };
        self.think_within(turn.game, turn.allowed, time, stop).map(Ok)
    }
}

/// Move overhead of a player on a clock, unless it is set: that of the engine in other people's matches.
const OVERHEAD: Duration = Duration::from_millis(10);

/// Search control of a move: its clock, soft nodes, and a stop of the whole game.
struct MoveControl<'a> {
    clock: Clock,
    soft_nodes: u64,
    stop: &'a dyn Fn() -> bool,
}

impl SearchControl for MoveControl<'_> {
    fn poll(&mut self, nodes: u64) -> Option<u64> {
        if (self.stop)() { None } else { self.clock.poll(nodes) }
    }

    fn takes_reports(&self) -> bool {
        false
    }

    fn iteration(&mut self, progress: &Progress<'_>) -> bool {
        !(self.stop)() && progress.stats.made_moves < self.soft_nodes && self.clock.iteration(progress)
    }
}

/// Does `work` for the items 0 .. `items` on `jobs` threads ([`spread_at`]), each with a player whose table
/// has `hash` MiB.
///
/// # Errors
/// The first failure.
pub fn spread<T: Send>(
    items: usize,
    jobs: usize,
    hash: usize,
    stop: &Stop,
    work: impl Fn(&mut Player, usize, &dyn Fn(T)) + Sync,
    collect: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    spread_at(|| Ok(Player::new(Settings::default(), hash)?), items, jobs, stop, work, collect)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::NoControl;

    #[test]
    fn soft_nodes_finish_the_iteration_under_way() {
        let game = Game::new();
        let think = |allowed| {
            let mut player = Player::new(Settings::default(), 1).unwrap();
            player.think(&game, allowed, &|| false).unwrap()
        };
        let soft = think(MoveLimits { soft_nodes: Some(2000), ..MoveLimits::default() });
        let depth = think(MoveLimits { depth: Some(soft.depth), ..MoveLimits::default() });
        assert!(soft.nodes >= 2000);
        assert_eq!((soft.played, soft.value, soft.nodes), (depth.played, depth.value, depth.nodes));
        let shallower = think(MoveLimits { depth: Some(soft.depth - 1), ..MoveLimits::default() });
        assert!(shallower.nodes < 2000, "{shallower:?}");
    }

    #[test]
    fn an_analysis_does_not_depend_on_earlier_ones() {
        let mut player = Player::new(Settings::default(), 1).unwrap();
        let limits = Limits { depth: 6, ..Limits::default() };
        let mut nodes = |game: &Game| {
            player.analyse(game.position(), &Settings::default(), &limits, &mut NoControl).stats.made_moves
        };
        let other = Game::parse_fen("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1").unwrap();
        let (first, _, again) = (nodes(&Game::new()), nodes(&other), nodes(&Game::new()));
        assert_eq!(first, again);
    }
}
