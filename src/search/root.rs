//! Root of the search: the tree that the drivers test. It counts passes, keeps the order of the root moves
//! and their lines, and reports to the search control. No table entry ends the search of the root.

use crate::chess::Position;
use crate::chess::score::{INFINITE, MATE_BAND, Value, centipawns};
use crate::chess::syzygy::Rank;
use crate::minimax::driver::Bracket;
use crate::minimax::mtd_best::BestMoveProof;
use crate::minimax::{RootMoves, Stopped, Tree, Window};
use crate::search::control::{Bound, Current, Pass, Report};
use crate::search::observer_calls::kind;
use crate::search::reduction::LmrInput;
use crate::search::smp::RootResult;
use crate::search::state::ChildSearch;
use crate::search::state::{ModeRules, Pv, Search};
use shakmaty::Move;
use std::marker::PhantomData;

/// A root move with its line, node count and tablebase rank.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) m: Move,
    /// Its line when it last failed high or was searched exactly.
    pub(super) line: Vec<Move>,
    /// Moves made below it in this iteration.
    pub(super) nodes: u64,
    /// Tablebase rank, where the tablebases know the root.
    pub(super) rank: Option<Rank>,
}

/// A move that failed high in this iteration and so became the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootFailHigh {
    /// The value of the fail-high: a lower bound.
    pub(super) value: Value,
    pub(super) basis: RootFailHighBasis,
}

/// The basis for believing that a move which failed high is better than the old best move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RootFailHighBasis {
    /// The old best move was searched with the same bound and failed low.
    OldMoveFailedLow,
    /// Its own value only: the old best move was not searched.
    ValueOnly,
    /// It failed high in another thread; the result of the old best move there is not known.
    AnotherThread,
}

/// A fail-high in another thread changes the move if it is at most this much below the last value.
const ANOTHER_THREAD_MARGIN: Value = centipawns(20);

impl RootFailHigh {
    /// True if the move is to be played when the search is stopped before the bracket is closed. `old_value`
    /// is the last iteration's value of the old best move. Where the old move failed low on the same bound,
    /// the new one is better however low the bound is.
    pub(super) fn stands(self, old_value: Value) -> bool {
        match self.basis {
            RootFailHighBasis::OldMoveFailedLow => true,
            RootFailHighBasis::ValueOnly => self.value > old_value,
            RootFailHighBasis::AnotherThread => self.value >= old_value - ANOTHER_THREAD_MARGIN,
        }
    }
}

impl Search<'_> {
    /// Reports the line at `index` to a control that takes reports, with the numbers of all threads.
    /// `finished` tells the result of an iteration from a pass before its end.
    pub(super) fn report(
        &mut self,
        depth: i32,
        index: usize,
        (value, bound): (Value, Bound),
        finished: bool,
        pv: &[Move],
    ) {
        if !self.control.takes_reports() {
            return;
        }
        self.control.report(&Report {
            depth,
            selective_depth: self.deepest_of_all().max(pv.len()),
            line: index + 1,
            value,
            bound,
            finished,
            nodes: self.made_by_all(),
            hashfull: self.tt.hashfull(),
            tb_hits: self.tb_hits_of_all(),
            pv: pv.to_vec(),
        });
    }
}

/// The root of one iteration: the root moves from `first` on (the earlier ones are better lines of MultiPV)
/// that have the same tablebase rank.
pub(super) struct Root<'s, 'a, R> {
    pub(super) search: &'s mut Search<'a>,
    pub(super) position: &'s Position,
    pub(super) moves: &'s mut [RootMove],
    pub(super) first: usize,
    /// Index after the last of them.
    pub(super) end: usize,
    pub(super) depth: i32,
    /// Passes of this iteration.
    passes: u32,
    /// Bounds proven in this iteration, of the root or of the move that was searched last.
    bracket: Bracket<Value>,
    /// MTD-best and BNS: bounds of each move, in their order.
    move_brackets: Vec<Bracket<Value>>,
    /// The best move of the last iteration.
    old_best: Move,
    /// MTD-best and BNS: index of the candidate among the moves searched here.
    candidate: usize,
    /// The last fail-high of this iteration, unless a later value has contradicted it.
    pub(super) fail_high: Option<RootFailHigh>,
    rules: PhantomData<R>,
}

/// The bracket before the first pass. Every contradiction reopens it: it is for reports and decides nothing.
fn open_bracket() -> Bracket<Value> {
    Bracket::new(-INFINITE, INFINITE, 0).reopened_by(u32::MAX)
}

impl<'s, 'a, R: ModeRules> Root<'s, 'a, R> {
    /// The root of one iteration before its first pass. `first` is an index of `moves`.
    pub(super) fn new(
        search: &'s mut Search<'a>,
        position: &'s Position,
        moves: &'s mut [RootMove],
        first: usize,
        depth: i32,
    ) -> Root<'s, 'a, R> {
        let (old_best, order) = (moves[first].m, moves[first].order());
        if R::SELECTIVE {
            search.set_up_root(position);
        }
        let same_rank = moves.iter().skip(first).take_while(|root_move| root_move.order() == order).count();
        Root {
            search,
            position,
            moves,
            first,
            end: first + same_rank,
            depth,
            passes: 0,
            bracket: open_bracket(),
            move_brackets: Vec::new(),
            old_best,
            candidate: 0,
            fail_high: None,
            rules: PhantomData,
        }
    }

    /// Searches one root move; `number` counts from 1.
    fn search_move(&mut self, index: usize, number: usize, window: Window<Value>) -> Result<Value, Stopped> {
        let m = self.moves[index].m;
        self.search.control.current(Current { depth: self.depth, m, number });
        let before = self.search.stats.made_moves;
        let lmr = LmrInput { depth: self.depth, number, pv: true, cut: false, improving: true };
        let search = &self.search;
        let history = || search.history.of_quiet(self.position.turn(), m, &search.context(0));
        let reduction = search.reduction::<R>(m, &lmr, history);
        let child_search = ChildSearch { depth: self.depth, number, reduction, extension: 0 };
        let value = self.search.search_child::<R, Pv>(self.position, m, window, &child_search, 0);
        self.moves[index].nodes += self.search.stats.made_moves - before;
        let value = value?;
        if value > window.alpha {
            let line = &mut self.moves[index].line;
            line.clear();
            line.push(m);
            line.extend_from_slice(self.search.pv_table.at(1));
        }
        Ok(value)
    }

    /// Counts and reports a pass that began after `made_before` moves. It searched all moves, or only the one
    /// of `of`.
    fn count_pass(&mut self, window: Window<Value>, answer: Value, of: Option<Move>, made_before: u64) {
        let stats = &mut self.search.stats;
        let cost = stats.made_moves - made_before;
        match (window.is_null(), answer >= window.beta) {
            (false, _) => stats.passes_open += 1,
            (true, true) => {
                stats.passes_high += 1;
                stats.made_moves_high += cost;
            }
            (true, false) => {
                stats.passes_low += 1;
                stats.made_moves_low += cost;
            }
        }
        self.report_pass(window, answer, of);
    }

    /// Reports a pass to the search control.
    fn report_pass(&mut self, window: Window<Value>, answer: Value, of: Option<Move>) {
        self.passes += 1;
        self.bracket.learn(window, answer);
        if !self.bracket.failed_high {
            // A contradiction has refuted the move that failed high.
            self.fail_high = None;
        }
        self.search.control.pass(&Pass {
            depth: self.depth,
            number: self.passes,
            line: self.first + 1,
            window: (window.alpha, window.beta),
            answer,
            of,
            bracket: (self.bracket.lower, self.bracket.upper),
            nodes: self.search.made_by_all(),
            leaf: self.search.stats.leaf,
            total: self.search.stats.total(),
        });
    }

    /// Reports the bound of a pass that failed high or low, with the line of the move at `index`.
    fn report_bound(&mut self, window: Window<Value>, answer: Value, index: usize) {
        let bound = match answer {
            _ if answer >= window.beta => Bound::Lower,
            _ if answer <= window.alpha => Bound::Upper,
            _ => return,
        };
        let is_mate_against = answer <= -MATE_BAND && self.search.overlooked_at_root;
        if self.moves[index].shown(answer) == answer && !is_mate_against {
            self.search.report(self.depth, self.first, (answer, bound), false, &self.moves[index].line);
        }
    }

    /// Makes the move at `index` the first of those searched here; the others keep their order.
    pub(super) fn promote(&mut self, index: usize) {
        self.moves[self.first..=index].rotate_right(1);
    }
}

impl<R: ModeRules> Tree<Value> for Root<'_, '_, R> {
    fn test(&mut self, window: Window<Value>) -> Result<Value, Stopped> {
        // The later lines of MultiPV exclude moves that other threads may search.
        let shared = self.first == 0;
        if let Some(result) = shared.then(|| self.search.begin_root_search(self.depth, window)).flatten() {
            return Ok(self.take_result(window, result));
        }
        let made_before = self.search.stats.made_moves;
        let best = match self.test_moves(window) {
            Ok(best) => best,
            Err(Stopped) => {
                let result = self.search.result_of_other_thread().ok_or(Stopped)?;
                return Ok(self.take_result(window, result));
            }
        };
        self.search.end_root_search(best, &self.moves[self.first].line);
        self.count_pass(window, best, None, made_before);
        self.report_bound(window, best, self.first);
        Ok(best)
    }
}

impl<R: ModeRules> Root<'_, '_, R> {
    /// Searches the root moves in a window until one fails high; returns the value.
    fn test_moves(&mut self, window: Window<Value>) -> Result<Value, Stopped> {
        self.search.stats.interior += 1;
        self.search.report_entry::<R>(self.position, window, self.depth, Some(kind::<Pv>()));
        let mut best = -INFINITE;
        let mut alpha = window.alpha;
        for (tried, index) in (self.first..self.end).enumerate() {
            let value = self.search_move(index, tried + 1, Window::new(alpha, window.beta))?;
            best = best.max(value);
            if value > alpha {
                alpha = value;
                self.fail_high = Some(RootFailHigh { value, basis: self.basis(index) });
                self.promote(index);
                if value >= window.beta {
                    self.search.stats.cutoff(self.depth, tried + 1);
                    break;
                }
            }
        }
        Ok(self.search.report_exit_of_searched::<R>(self.position, window, best))
    }

    /// The basis for the move at `index`, which has just failed high: the moves before it failed low on the
    /// same bound. A move that fails high again keeps its basis.
    fn basis(&self, index: usize) -> RootFailHighBasis {
        let before = &self.moves[self.first..index];
        match self.fail_high {
            _ if before.iter().any(|root_move| root_move.m == self.old_best) => {
                RootFailHighBasis::OldMoveFailedLow
            }
            Some(fail_high) => fail_high.basis,
            None => RootFailHighBasis::ValueOnly,
        }
    }

    /// The fail-high of MTD-best, which searches one move at a time: the basis for a new candidate follows
    /// from the bounds of the old best move, which was the first.
    pub(super) fn judge_root_fail_high(&mut self, proof: &BestMoveProof) {
        let (old, new) = (proof.brackets.first(), proof.brackets.get(proof.best));
        let failed_high = old.zip(new).filter(|(_, new)| proof.best > 0 && new.failed_high);
        self.fail_high = failed_high.map(|(old, new)| {
            let refuted = old.passes > 0 && old.upper < new.lower;
            let basis =
                if refuted { RootFailHighBasis::OldMoveFailedLow } else { RootFailHighBasis::ValueOnly };
            RootFailHigh { value: new.lower, basis }
        });
    }

    /// After a stop: takes over a fail-high of another thread, where its value is higher than that of this
    /// thread's.
    pub(super) fn take_root_fail_high_of_other_thread(&mut self, old_value: Option<Value>) {
        let Some(result) = self.search.fail_high_of_any_thread(self.depth) else { return };
        let theirs = RootFailHigh { value: result.value, basis: RootFailHighBasis::AnotherThread };
        let stands = old_value.is_some_and(|old_value| theirs.stands(old_value));
        if stands && self.fail_high.is_none_or(|ours| ours.value < theirs.value) {
            self.take_root_fail_high(&result);
        }
    }

    /// Takes over the result of another thread.
    fn take_result(&mut self, window: Window<Value>, result: RootResult) -> Value {
        if result.value > window.alpha {
            self.take_root_fail_high(&result);
        }
        self.report_pass(window, result.value, None);
        self.report_bound(window, result.value, self.first);
        result.value
    }

    /// Makes the move that failed high in another thread the first.
    fn take_root_fail_high(&mut self, result: &RootResult) {
        let Some(&first) = result.line.first() else { return };
        let mut moves = self.moves[self.first..self.end].iter();
        let Some(index) = moves.position(|root_move| root_move.m == first) else { return };
        self.promote(self.first + index);
        self.moves[self.first].line.clone_from(&result.line);
        self.fail_high = Some(RootFailHigh { value: result.value, basis: RootFailHighBasis::AnotherThread });
    }
}

impl<R: ModeRules> RootMoves for Root<'_, '_, R> {
    fn moves(&self) -> usize {
        self.end - self.first
    }

    fn conclude(&mut self, proof: &BestMoveProof) {
        self.judge_root_fail_high(proof);
        self.promote(self.first + proof.best);
    }

    fn test_move(&mut self, index: usize, bound: Value) -> Result<Value, Stopped> {
        self.search.stats.interior += 1;
        let (window, made_before) = (Window::at(bound), self.search.stats.made_moves);
        let number = if index == self.candidate { 1 } else { index.max(1) + 1 };
        self.search.report_entry::<R>(self.position, window, self.depth, Some(kind::<Pv>()));
        let value = self.search_move(self.first + index, number, window)?;
        self.search.report_exit_of_searched::<R>(self.position, window, value);
        let brackets = &mut self.move_brackets;
        brackets.resize_with(brackets.len().max(index + 1), open_bracket);
        self.bracket = brackets[index].clone();
        self.count_pass(window, value, Some(self.moves[self.first + index].m), made_before);
        self.move_brackets[index] = self.bracket.clone();
        if value >= bound {
            self.candidate = index;
            self.report_bound(window, value, self.first + index);
        }
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::Play;
    use super::super::{Driver, NoControl, Searcher, Settings, TranspositionTable};
    use super::*;
    use crate::chess::game::Game;
    use std::sync::Arc;

    /// Moves made below a2a3, searched as the last of twenty root moves, nine plies deep, after cut-offs by
    /// it or by e2e4.
    fn made_moves(cuts_off: bool) -> u64 {
        let mut searcher = Searcher::new(Arc::new(TranspositionTable::new(1).unwrap()));
        let (settings, mut control) = (Settings::default(), NoControl);
        let mut search = searcher.begin(Driver::MtdF, &[], &settings, &mut control);
        let game = Game::new();
        let root_move = |text: &str| {
            let m = game.parse_move(text).unwrap();
            RootMove { m, line: vec![m], nodes: 0, rank: None }
        };
        let mut moves = [root_move("e2e4"), root_move("a2a3")];
        let mut root = Root::<Play>::new(&mut search, game.position(), &mut moves, 0, 9);
        let context = root.search.context(0);
        let (best, other) = if cuts_off { (1, 0) } else { (0, 1) };
        let (best, other) = (root.moves[best].m, root.moves[other].m);
        for _ in 0..100 {
            root.search.history.reward(game.position().turn(), best, &[other], 1000, &context);
        }
        let value = root.search_move(1, 20, Window::at(200)).unwrap();
        assert!(value < 200, "the move fails low, so that it is searched once");
        root.moves[1].nodes
    }

    #[test]
    fn the_history_of_a_root_move_decides_how_much_it_is_reduced() {
        let (reduced_less, reduced_more) = (made_moves(true), made_moves(false));
        assert!(reduced_less > 3 * reduced_more, "{reduced_less} {reduced_more}");
    }
}
