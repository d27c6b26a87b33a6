//! Iterative deepening: a bracket for every depth, closed by the driver, and the move to play after a stop in
//! the middle of an iteration.

use super::Outcome;
use super::root::{Root, RootFailHigh, RootMove};
use super::settings::{FirstGuess, Limits};
use crate::chess::Position;
use crate::chess::score::{self, DECISIVE_BAND, DRAW, INFINITE, Value};
use crate::minimax::Stopped;
use crate::minimax::driver::Bracket;
use crate::minimax::drivers::{DriverParameters, DriverSettings};
use crate::search::control::{Bound, Progress};
use crate::search::move_picker::MovePicker;
use crate::search::state::{ModeRules, Search, StackEntry};
use shakmaty::Move;

/// The result of one line of an iteration.
#[derive(Clone, Copy)]
struct LineResult {
    value: Value,
    bound: Bound,
    passes: u32,
}

/// One search from depth 1 on.
pub(super) struct Deepening<'s, 'a> {
    search: &'s mut Search<'a>,
    root: &'s Position,
    limits: &'s Limits,
    moves: Vec<RootMove>,
    /// Values of the last two iterations, for each line of MultiPV.
    values: Vec<[Option<Value>; 2]>,
    /// The lines of the last completed iteration, best first, with value and bound.
    completed: Vec<(Vec<Move>, Value, Bound)>,
    depth: i32,
}

impl<'s, 'a> Deepening<'s, 'a> {
    /// Prepares to search `root`.
    pub(super) fn new(
        search: &'s mut Search<'a>,
        root: &'s Position,
        limits: &'s Limits,
    ) -> Deepening<'s, 'a> {
        let mut moves = root_moves(search, root, limits);
        search.rank_root(root, limits, &mut moves);
        let lines = search.settings.multi_pv.clamp(1, moves.len().max(1));
        Deepening {
            search,
            root,
            limits,
            moves,
            values: vec![[None; 2]; lines],
            completed: Vec::new(),
            depth: 0,
        }
    }

    /// Searches depth after depth until a limit is reached or the search control says stop.
    pub(super) fn run<R: ModeRules>(mut self) -> Outcome {
        if self.moves.is_empty() {
            let value = if self.root.in_check() { score::mated_in(0) } else { DRAW };
            return Outcome { value, stats: self.search.stats.clone(), ..Outcome::default() };
        }
        let mut iterations_stable = 0;
        for depth in 1..=self.limits.depth {
            let before = self.completed.first().map(|(line, ..)| line[0]);
            let made = self.search.stats.made_moves;
            let Ok(passes) = self.iteration::<R>(depth) else { break };
            let spent = (self.search.stats.made_moves - made).max(1) as f64;
            let best_move_share = (self.moves[0].nodes as f64 / spent).min(1.0);
            let stopped = self.look_for_mate::<R>().is_err();
            let (line, value, _) = &self.completed[0];
            let (best, value, proven) = (line[0], *value, self.proven_mate().is_some());
            iterations_stable = if before == Some(best) { iterations_stable + 1 } else { 1 };
            let stats = &self.search.stats;
            let progress =
                Progress { depth, value, proven, best, iterations_stable, best_move_share, passes, stats };
            if !self.search.control.iteration(&progress) || stopped || self.mate_found(value) {
                break;
            }
        }
        self.outcome()
    }

    fn mate_found(&self, value: Value) -> bool {
        let wanted = self.limits.mate.map(|moves| moves as Value);
        wanted.is_some_and(|most| score::mate_in_moves(value).is_some_and(|n| n > 0 && n <= most))
    }

    /// The shortest mate at this root, where one is proven: its line and its value.
    fn proven_mate(&self) -> Option<&(Vec<Move>, Value)> {
        self.search.mate_search.as_ref()?.found.as_ref()
    }

    /// True if all moves of the root compete for one line: no MultiPV, no `searchmoves`, no tablebase ranks.
    fn all_compete(&self) -> bool {
        self.values.len() == 1 && self.limits.moves.is_empty() && self.moves[0].rank.is_none()
    }

    /// Looks for a mate by proof-number search beside the search, in play mode.
    fn look_for_mate<R: ModeRules>(&mut self) -> Result<(), Stopped> {
        let full_strength = R::SELECTIVE && self.search.settings.errors.is_none();
        let (_, value, _) = self.completed[0];
        let asked = self.all_compete() && full_strength && self.search.is_main_thread();
        if asked && self.search.look_for_mate(self.root, value, self.limits.mate.is_some())? {
            self.adopt_proven_mate();
            self.report(0);
        }
        Ok(())
    }

    /// The proven mate takes the place of the line that was found.
    fn adopt_proven_mate(&mut self) {
        if let Some((line, value)) = self.proven_mate().cloned() {
            self.completed[0] = (line, value, Bound::Exact);
        }
    }

    /// One iteration: every line of MultiPV at one depth; returns the passes it took. On a stop `completed`
    /// holds the best that is known.
    fn iteration<R: ModeRules>(&mut self, depth: i32) -> Result<u32, Stopped> {
        self.search.root_depth = depth;
        self.search.reset_deepest();
        for root_move in &mut self.moves {
            root_move.nodes = 0;
        }
        let mut results = Vec::with_capacity(self.values.len());
        for line in 0..self.values.len() {
            let guess = self.guess(line, depth);
            match self.line::<R>(line, depth, guess) {
                Ok(closing) => results.push(closing),
                Err(Stopped) => {
                    self.keep_first_line(results.first());
                    return Err(Stopped);
                }
            }
        }
        self.depth = depth;
        self.search.stats.iterations += 1;
        let passes = results.iter().map(|result| result.passes).sum();
        self.complete::<R>(&mut results);
        Ok(passes)
    }

    /// One line: the driver closes a bracket over the root moves from `first` on.
    fn line<R: ModeRules>(&mut self, first: usize, depth: i32, guess: Value) -> Result<LineResult, Stopped> {
        let before = self.moves[first].m;
        let last_value = self.completed.first().map(|&(_, value, _)| value);
        let change = self.change(first);
        let mut root = Root::<R>::new(self.search, self.root, &mut self.moves, first, depth);
        let (closed, result) = close_bracket::<R>(&mut root, guess, change);
        if closed.is_err() && first == 0 {
            root.take_root_fail_high_of_other_thread(last_value);
            let fail_high = root.fail_high;
            self.unfinished(before, fail_high);
        }
        closed.map(|()| result)
    }

    /// A stop in the middle of a bracket: the new first move replaces that of the last iteration, `before`,
    /// if the basis for it is good enough.
    fn unfinished(&mut self, before: Move, fail_high: Option<RootFailHigh>) {
        let Some(&(_, last_value, _)) = self.completed.first() else { return };
        let new = &self.moves[0];
        if let Some(fail_high) = fail_high
            && new.m != before
            && self.proven_mate().is_none()
            && fail_high.stands(last_value)
        {
            let bound = if new.rank.is_some() { Bound::Exact } else { Bound::Lower };
            let (line, value) = (new.line.clone(), new.shown(fail_high.value));
            self.replace_first(line, value, bound);
        }
    }

    /// The value that is told of a line. Where a player of limited strength overlooked moves of its own no
    /// mate against it is certain, and it tells the static evaluation.
    fn admitted(&mut self, value: Value) -> Value {
        let is_certain = !self.search.overlooked_at_root || value > -score::MATE_BAND;
        if is_certain { value } else { self.search.evaluator.evaluate(self.root, 0) }
    }

    /// A line of an iteration that was stopped becomes the first one. The lines before its place of the last
    /// iteration move down, and are reported there: no move is shown in two lines of MultiPV. A new move
    /// takes the place of the last line. In the first iteration there is no other line.
    fn replace_first(&mut self, line: Vec<Move>, value: Value, bound: Bound) {
        let value = self.admitted(value);
        let place = self.completed.iter().position(|(other, ..)| other.first() == line.first());
        let place = place.unwrap_or(self.completed.len().saturating_sub(1));
        if let Some(lines) = self.completed.get_mut(..=place) {
            lines.rotate_right(1);
            lines[0] = (line, value, bound);
        } else {
            self.completed.push((line, value, bound));
        }
        (1..=place).for_each(|index| self.report(index));
    }

    /// A stop in a later line of MultiPV: the first line, where it is closed, counts.
    fn keep_first_line(&mut self, closed: Option<&LineResult>) {
        let Some(closing) = closed else { return };
        if self.proven_mate().is_some() || self.moves[0].rank.is_some() {
            return;
        }
        // Its line is not completed: a mate is at least as soon as it says.
        let bound = match closing.value {
            value if !score::is_mate(value) => closing.bound,
            value if value > DRAW => Bound::Lower,
            _ => Bound::Upper,
        };
        let (line, value) = (self.moves[0].line.clone(), closing.value);
        self.replace_first(line, value, bound);
    }

    /// The first guess of a bracket, below every certain win.
    fn guess(&mut self, line: usize, depth: i32) -> Value {
        let [last, before] = self.values[line];
        let remembered = match self.search.settings.first_guess {
            FirstGuess::Previous => last,
            FirstGuess::TwoBack => before.filter(|_| depth > 2).or(last),
        };
        let guess = self.limits.guess.or(remembered).unwrap_or_else(|| {
            if self.root.in_check() { DRAW } else { self.search.evaluator.evaluate(self.root, 0) }
        });
        guess.clamp(1 - DECISIVE_BAND, DECISIVE_BAND - 1)
    }

    /// The change of a line's value in the last iteration; 0 before there are two values, and about mates.
    fn change(&self, line: usize) -> Value {
        let [last, before] = self.values[line].map(|value| value.filter(|&value| !score::is_decisive(value)));
        last.zip(before).map_or(0, |(last, before)| last - before)
    }

    /// A later line of MultiPV can come out better than an earlier one (grid and selectivity allow it): the
    /// better is shown first.
    fn sort_lines(&mut self, results: &mut [LineResult]) {
        let mut lines: Vec<_> = results.iter().copied().zip(self.moves.iter().cloned()).collect();
        lines.sort_by_key(|(result, root_move)| std::cmp::Reverse((root_move.order(), result.value)));
        for (index, (result, root_move)) in lines.into_iter().enumerate() {
            (results[index], self.moves[index]) = (result, root_move);
        }
    }

    /// Takes an iteration's results in and reports them.
    fn complete<R: ModeRules>(&mut self, results: &mut [LineResult]) {
        self.sort_lines(results);
        let mut lines = Vec::with_capacity(results.len());
        for (index, result) in results.iter().enumerate() {
            let root_move = &self.moves[index];
            let bound = if root_move.rank.is_some() { Bound::Exact } else { result.bound };
            let (line, value) = (root_move.line.clone(), root_move.shown(result.value));
            lines.push((line, self.admitted(value), bound));
        }
        for (values, result) in self.values.iter_mut().zip(results) {
            *values = [Some(result.value), values[0]];
        }
        if self.proven_mate().is_none() {
            let free = self.all_compete();
            for (line, value, bound) in &mut lines {
                *line = self.search.complete_line::<R>(self.root, (line, free), self.depth, (value, bound));
            }
        }
        self.set_completed(lines);
        self.adopt_proven_mate();
        (0..self.completed.len()).for_each(|index| self.report(index));
    }

    /// Takes the completed lines, best first: completion may have found that a later line mates sooner. Root
    /// moves and values go with their lines.
    fn set_completed(&mut self, lines: Vec<(Vec<Move>, Value, Bound)>) {
        let mut sorted: Vec<_> = lines.into_iter().enumerate().collect();
        sorted.sort_by_key(|(index, (_, value, _))| std::cmp::Reverse((self.moves[*index].order(), *value)));
        if !sorted.is_sorted_by_key(|(index, _)| *index) {
            let (moves, values) = (self.moves.clone(), self.values.clone());
            for (place, (index, _)) in sorted.iter().enumerate() {
                self.moves[place].clone_from(&moves[*index]);
                self.values[place] = values[*index];
            }
        }
        self.completed = sorted.into_iter().map(|(_, line)| line).collect();
    }

    /// Reports one line of the last completed iteration.
    fn report(&mut self, index: usize) {
        let (line, value, bound) = &self.completed[index];
        self.search.report(self.depth, index, (*value, *bound), true, line);
    }

    /// The first move of the order, for a search that completed no line: with the value of its tablebase
    /// rank, or else the static evaluation. That estimates the value itself: no bound was proven.
    fn unsearched_line(&mut self) -> (Vec<Move>, Value, Bound) {
        let estimate = self.search.evaluator.evaluate(self.root, 0);
        let first = &self.moves[0];
        (vec![first.m], first.shown(estimate), Bound::Exact)
    }

    fn outcome(mut self) -> Outcome {
        let (stats, proven) = (self.search.stats.clone(), self.proven_mate().is_some());
        let completed = std::mem::take(&mut self.completed).into_iter().next();
        let (pv, value, bound) = completed.unwrap_or_else(|| self.unsearched_line());
        let (best, ponder) = (pv.first().copied(), pv.get(1).copied());
        Outcome { best, ponder, value, bound, proven, depth: self.depth, pv, stats }
    }
}

/// Closes the bracket of a root with the driver of the search.
fn close_bracket<R: ModeRules>(
    root: &mut Root<'_, '_, R>,
    guess: Value,
    change: Value,
) -> (Result<(), Stopped>, LineResult) {
    let (settings, driver) = (root.search.settings, root.search.driver);
    let parameters = DriverParameters {
        settings: DriverSettings { grid: settings.grid(root.depth), ..settings.drivers },
        exempt: DECISIVE_BAND,
        optimal: settings.optimal_table(),
        change,
        thread_id: root.search.thread_id(),
    };
    let mut bracket = Bracket::new(-INFINITE, INFINITE, guess).reopened_by(settings.mode.reopenings());
    let closed = driver.close(root, &parameters, &mut bracket);
    root.search.stats.crossings += u64::from(bracket.crossings);
    let open_at = if bracket.failed_high { Bound::Lower } else { Bound::Upper };
    let bound = if closed.is_ok() && driver.gives_value() { Bound::Exact } else { open_at };
    (closed, LineResult { value: bracket.value(), bound, passes: bracket.passes })
}

/// The moves to search at the root, in the node routine's order.
fn root_moves(search: &mut Search<'_>, root: &Position, limits: &Limits) -> Vec<RootMove> {
    let table_move = search.tt.probe(root.key()).map_or(0, |entry| entry.best);
    let context = search.context(0);
    let mut picker = MovePicker::new(root, table_move, &StackEntry::EMPTY, context);
    let wanted = |m: &Move| limits.moves.is_empty() || limits.moves.contains(m);
    let moves: Vec<Move> =
        std::iter::from_fn(|| picker.next(search.history, search.tt)).filter(wanted).collect();
    let seen: Vec<Move> = moves.iter().copied().filter(|&m| !search.overlooks(root, m)).collect();
    // If every move is overlooked, all are searched: one has to be played.
    search.overlooked_at_root = !seen.is_empty() && seen.len() < moves.len();
    let moves = if seen.is_empty() { moves } else { seen };
    moves.into_iter().map(|m| RootMove { m, line: vec![m], nodes: 0, rank: None }).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Driver, NoControl, Searcher, Settings, TranspositionTable};
    use super::*;
    use crate::chess::game::Game;
    use std::sync::Arc;

    const TWO_QUEENS: &str = "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1";

    /// Does something with a search of a position before its first iteration.
    fn begun<T>(fen: &str, then: impl FnOnce(&Game, Deepening<'_, '_>) -> T) -> T {
        let mut searcher = Searcher::new(Arc::new(TranspositionTable::new(1).unwrap()));
        let (settings, limits, mut control) = (Settings::default(), Limits::default(), NoControl);
        let game = Game::parse_fen(fen).unwrap();
        let mut search = searcher.begin(Driver::MtdF, &[], &settings, &mut control);
        then(&game, Deepening::new(&mut search, game.position(), &limits))
    }

    /// First moves of the lines after a stop that makes the line of `new` the first one of `known`.
    fn lines_after(known: &[&str], new: &str) -> Vec<String> {
        begun("4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1", |game, mut deepening| {
            let line = |text: &str| vec![game.parse_move(text).unwrap()];
            deepening.completed = known.iter().map(|text| (line(text), 10, Bound::Exact)).collect();
            deepening.replace_first(line(new), 30, Bound::Lower);
            assert_eq!((deepening.completed[0].1, deepening.completed[0].2), (30, Bound::Lower));
            deepening.completed.iter().map(|(line, ..)| game.print_move(line[0])).collect()
        })
    }

    #[test]
    fn the_lines_before_a_new_first_one_move_down() {
        assert_eq!(lines_after(&["a2a3", "b2b3", "c2c3"], "b2b3"), ["b2b3", "a2a3", "c2c3"]);
        assert_eq!(lines_after(&["a2a3", "b2b3", "c2c3"], "d2d3"), ["d2d3", "a2a3", "b2b3"]);
        assert_eq!(lines_after(&["a2a3"], "d2d3"), ["d2d3"]);
    }

    #[test]
    fn a_line_that_is_closed_in_the_first_iteration_is_kept() {
        assert_eq!(lines_after(&[], "d2d3"), ["d2d3"]);
    }

    #[test]
    fn a_search_that_completed_nothing_tells_the_static_evaluation() {
        begun(TWO_QUEENS, |_, deepening| {
            let estimate = deepening.search.evaluator.evaluate(deepening.root, 0);
            let outcome = deepening.outcome();
            assert_eq!((outcome.value, outcome.depth), (estimate, 0));
            assert!(outcome.best.is_some() && estimate > 500, "{estimate}");
        });
    }
}
