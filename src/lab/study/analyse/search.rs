//! Searches of all positions of a game, from the last to the first, with one transposition table: the earlier
//! positions use the results of the later ones. Table and histories are empty before every game, so that no
//! game depends on another.
//!
//! A search that contradicts that of the next position ([`contradict`]) has not seen enough, and is repeated
//! with larger limits, at most twice. Where time is a limit it stands, since no more was asked
//! for.

use super::marks::contradict;
use super::positions::{Evaluated, MOST_LINE, Positions};
use crate::chess::game::End;
use crate::chess::score::{DRAW, MAX_PLY, Value, mated_in};
use crate::engine::options::Options;
use crate::lab::base::terminal::interrupted::Stop;
use crate::search::transposition::TableError;
use crate::search::{Limits, Progress, SearchControl, Searcher, Settings};
use shakmaty::Move;
use std::time::{Duration, Instant};

/// Most repetitions of a search.
const MOST_REPEATS: usize = 2;

/// Factor of the nodes of a search that is repeated, and plies by which it is deeper.
const MORE: u64 = 4;
const DEEPER: i32 = 2;

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
    /// The limits of a search that is repeated; `None` where time is limited.
    fn larger(&self) -> Option<SearchLimits> {
        let nodes = self.nodes.map(|nodes| nodes.saturating_mul(MORE));
        let depth = self.depth.map(|depth| (depth + DEEPER).min(MAX_PLY as i32 - 1));
        let timed = self.time.is_some() || self.game_time.is_some();
        (!timed).then_some(SearchLimits { nodes, depth, ..SearchLimits::default() })
    }

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

    /// Results of the searches of all positions of the game with these moves, in its order; `None` when
    /// interrupted. `tick` is called behind every position.
    pub fn evaluate(
        &mut self,
        (positions, moves): (&Positions, &[Move]),
        stop: &Stop,
        tick: &dyn Fn(),
    ) -> Option<Vec<Evaluated>> {
        self.searcher.forget();
        let mut evaluated: Vec<Evaluated> = Vec::with_capacity(positions.all().len());
        for index in (0..positions.all().len()).rev() {
            evaluated.push(match positions.end_at(index) {
                Some(end) => Evaluated { value: Some(value_of(end)), ..Evaluated::default() },
                None => {
                    let next = moves.get(index).copied().zip(evaluated.last());
                    self.search_enough((positions, index), next, stop)?
                }
            });
            tick();
        }
        evaluated.reverse();
        Some(evaluated)
    }

    /// Searches a position, again with larger limits where the result contradicts what was found behind the
    /// move that was played; `None` when interrupted.
    fn search_enough(
        &mut self,
        (positions, index): (&Positions, usize),
        next: Option<(Move, &Evaluated)>,
        stop: &Stop,
    ) -> Option<Evaluated> {
        let mut allowed = self.allowed.clone();
        let mut found = self.search((positions, index), &allowed, stop)?;
        let Some((played, after)) = next else { return Some(found) };
        for _ in 0..MOST_REPEATS {
            match allowed.larger().filter(|_| contradict(&positions.all()[index], &found, played, after)) {
                Some(larger) => allowed = larger,
                None => break,
            }
            found = self.search((positions, index), &allowed, stop)?;
        }
        Some(found)
    }

    /// Searches a position within limits; `None` when interrupted.
    fn search(
        &mut self,
        (positions, index): (&Positions, usize),
        allowed: &SearchLimits,
        stop: &Stop,
    ) -> Option<Evaluated> {
        let SearchLimits { nodes, depth, .. } = *allowed;
        let mut limits = Limits { nodes, ..Limits::default() };
        limits.depth = depth.unwrap_or(limits.depth);
        let time = allowed.time_of(positions.all().len());
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

    fn positions(text: &str) -> (Positions, Vec<Move>) {
        let game = GameReader::new(text.as_bytes()).next_game().unwrap().unwrap().1.unwrap();
        (Positions::of(&game), game.moves)
    }

    fn searcher(allowed: SearchLimits) -> GameSearcher {
        GameSearcher::new(&Options { hash: 1, ..Options::default() }, &allowed).unwrap()
    }

    #[test]
    fn a_mate_is_seen_before_it_is_played_and_a_game_depends_on_no_other() {
        let mate = positions("1. f3 e5 2. g4 Qh4# 0-1");
        let mut searcher = searcher(SearchLimits { nodes: Some(2000), ..SearchLimits::default() });
        let mut evaluate = |game: &(Positions, Vec<Move>)| {
            searcher.evaluate((&game.0, &game.1), &Stop::default(), &|| ()).unwrap()
        };
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
        let found = searcher(allowed).evaluate((&drawn.0, &drawn.1), &Stop::default(), &|| ()).unwrap();
        assert_eq!(found[1], Evaluated { value: Some(DRAW), ..Evaluated::default() });
    }

    /// Few nodes do not see the mate of this game before it is on the board.
    #[test]
    fn a_search_that_contradicts_the_next_one_is_repeated_with_larger_limits() {
        let (positions, moves) = positions(
            "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 \
             9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 \
             15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0",
        );
        let mut repeated = 0;
        for nodes in [200, 400, 1000] {
            let mut searcher = searcher(SearchLimits { nodes: Some(nodes), ..SearchLimits::default() });
            let found = searcher.evaluate((&positions, &moves), &Stop::default(), &|| ()).unwrap();
            for (index, &played) in moves.iter().enumerate() {
                let contradicts =
                    contradict(&positions.all()[index], &found[index], played, &found[index + 1]);
                let used = found[index].nodes;
                assert!(!contradicts || used > nodes * MORE, "{index}: {found:?}");
                assert!(used < nodes * (MORE * MORE + 1), "{index}: {used}");
                repeated += usize::from(used > 2 * nodes);
            }
        }
        assert!(repeated > 0);
    }

    #[test]
    fn larger_limits_are_of_nodes_and_depth_and_never_of_time() {
        let limits =
            SearchLimits { nodes: Some(100), depth: Some(MAX_PLY as i32 - 2), ..SearchLimits::default() };
        let larger = limits.larger().unwrap();
        assert_eq!((larger.nodes, larger.depth), (Some(400), Some(MAX_PLY as i32 - 1)));
        let second = Some(Duration::from_secs(1));
        assert!(SearchLimits { time: second, ..limits.clone() }.larger().is_none());
        assert!(SearchLimits { game_time: second, ..limits }.larger().is_none());
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
        let (positions, moves) = positions("1. e4 *");
        let mut searcher = searcher(SearchLimits::default());
        assert!(searcher.evaluate((&positions, &moves), &stop, &|| ()).is_none());
    }
}
