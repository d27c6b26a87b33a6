//! Searches of all positions of a game, from the last to the first, with one transposition table: the earlier
//! positions use the results of the later ones. Table and histories are empty before every game, so that no
//! game depends on another.

use super::positions::{Evaluated, MOST_LINE, Positions};
use crate::chess::game::End;
use crate::chess::score::{DRAW, Value, mated_in};
use crate::engine::options::Options;
use crate::lab::base::terminal::interrupted::Stop;
use crate::search::transposition::TableError;
use crate::search::{Limits, Progress, SearchControl, Searcher, Settings};
use std::time::{Duration, Instant};

/// Limits of the searches; all that are given hold.
#[derive(Clone, Debug, Default)]
pub struct SearchLimits {
    /// Nodes for each position.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<i32>,
    /// Time for each position.
    pub time: Option<Duration>,
    /// Time for each game, in equal parts for its positions.
    pub game_time: Option<Duration>,
}

impl SearchLimits {
    /// Time for one of so many positions.
    fn time_of(&self, positions: usize) -> Option<Duration> {
        let part = |time: Duration| time / u32::try_from(positions.max(1)).unwrap_or(u32::MAX);
        self.time.into_iter().chain(self.game_time.map(part)).min()
    }
}

/// A searcher of games: one thread, a transposition table of its own, settings and limits.
pub struct GameSearcher {
    searcher: Searcher,
    settings: Settings,
    allowed: SearchLimits,
}

impl GameSearcher {
    /// A searcher with the settings and the transposition table of some options.
    ///
    /// # Errors
    /// If the transposition table cannot be allocated.
    pub fn new(options: &Options, allowed: &SearchLimits) -> Result<GameSearcher, TableError> {
        let searcher = Searcher::with_own_table(options.hash)?;
        Ok(GameSearcher { searcher, settings: options.settings.clone(), allowed: allowed.clone() })
    }

    /// Results of the searches of all positions, in the order of the game; `None` when interrupted. `tick` is
    /// called behind every search.
    pub fn evaluate(
        &mut self,
        positions: &Positions,
        stop: &Stop,
        tick: &dyn Fn(),
    ) -> Option<Vec<Evaluated>> {
        self.searcher.forget();
        let mut evaluated = Vec::with_capacity(positions.all().len());
        for index in (0..positions.all().len()).rev() {
            evaluated.push(match positions.end_at(index) {
                Some(end) => Evaluated { value: Some(value_of(end)), ..Evaluated::default() },
                None => self.search(positions, index, stop)?,
            });
            tick();
        }
        evaluated.reverse();
        Some(evaluated)
    }

    /// Searches a position; `None` when interrupted.
    fn search(&mut self, positions: &Positions, index: usize, stop: &Stop) -> Option<Evaluated> {
        let SearchLimits { nodes, depth, .. } = self.allowed;
        let mut limits = Limits { nodes, ..Limits::default() };
        limits.depth = depth.unwrap_or(limits.depth);
        let time = self.allowed.time_of(positions.all().len());
        let mut control = Control { stop, until: time.map(|time| Instant::now() + time) };
        let (root, history) = (&positions.all()[index], positions.history(index));
        let outcome = self.searcher.search(root, history, &self.settings, &limits, &mut control);
        if stop.is_set() {
            return None;
        }
        let mut line = outcome.pv;
        if line.is_empty() {
            line.extend(outcome.best);
        }
        line.truncate(MOST_LINE);
        let value = (outcome.depth > 0 || outcome.proven).then_some(outcome.value);
        Some(Evaluated { value, depth: outcome.depth, nodes: outcome.stats.made_moves, line })
    }
}

/// The value of a position in which a rule ends the game, for the side to move.
fn value_of(end: End) -> Value {
    match end {
        End::Checkmate => mated_in(0),
        End::Stalemate | End::FiftyMoves | End::Repetition | End::DeadPosition => DRAW,
    }
}

/// Search control: the stop of all work, and the end of the time for a position.
struct Control<'a> {
    stop: &'a Stop,
    until: Option<Instant>,
}

impl Control<'_> {
    fn goes_on(&self) -> bool {
        !self.stop.is_set() && self.until.is_none_or(|until| Instant::now() < until)
    }
}

impl SearchControl for Control<'_> {
    fn poll(&mut self, nodes: u64) -> Option<u64> {
        /// Made moves between two polls of the clock: less than a millisecond.
        const LOOK: u64 = 256;
        self.goes_on().then_some(nodes + LOOK)
    }

    fn takes_reports(&self) -> bool {
        false
    }

    fn iteration(&mut self, _: &Progress<'_>) -> bool {
        self.goes_on()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::score::MATE;
    use crate::lab::base::formats::pgn::reader::GameReader;

    fn positions(text: &str) -> Positions {
        let game = GameReader::new(text.as_bytes()).next_game().unwrap().unwrap().1.unwrap();
        Positions::of(&game)
    }

    fn searcher(allowed: SearchLimits) -> GameSearcher {
        GameSearcher::new(&Options { hash: 1, ..Options::default() }, &allowed).unwrap()
    }

    #[test]
    fn a_mate_is_seen_before_it_is_played_and_a_game_depends_on_no_other() {
        let mate = positions("1. f3 e5 2. g4 Qh4# 0-1");
        let mut searcher = searcher(SearchLimits { nodes: Some(2000), ..SearchLimits::default() });
        let mut evaluate =
            |positions: &Positions| searcher.evaluate(positions, &Stop::default(), &|| ()).unwrap();
        let first = evaluate(&mate);
        let values: Vec<Value> = first.iter().map(|one| one.value.unwrap()).collect();
        assert_eq!(values[3..], [MATE - 1, -MATE]);
        assert_eq!((first[3].line.len(), first[4].line.len()), (1, 0));
        evaluate(&positions("1. e4 e5 *"));
        assert_eq!(evaluate(&mate), first);
    }

    #[test]
    fn a_game_that_a_rule_ends_has_the_value_of_that_end() {
        let allowed = SearchLimits { depth: Some(1), ..SearchLimits::default() };
        let drawn = positions("[FEN \"7k/8/6Q1/8/8/8/8/K7 w - - 0 1\"]\n\n1. Qf7 1/2-1/2");
        let found = searcher(allowed).evaluate(&drawn, &Stop::default(), &|| ()).unwrap();
        assert_eq!(found[1], Evaluated { value: Some(DRAW), ..Evaluated::default() });
    }

    #[test]
    fn the_time_of_a_game_is_divided_among_its_positions() {
        let (second, game_time) = (Duration::from_secs(1), Some(Duration::from_secs(50)));
        let both = SearchLimits { time: Some(second), game_time, ..SearchLimits::default() };
        assert_eq!((both.time_of(10), both.time_of(100)), (Some(second), Some(second / 2)));
        assert_eq!(SearchLimits::default().time_of(10), None);
    }

    #[test]
    fn work_that_is_stopped_has_no_result() {
        let stop = Stop::default();
        stop.abandon();
        assert!(searcher(SearchLimits::default()).evaluate(&positions("1. e4 *"), &stop, &|| ()).is_none());
    }
}
