//! The root of a search: the tree that the drivers test. It counts passes, keeps the order of the root moves
//! and their lines, and tells the watch. The table never cuts the root.

use crate::chess::Position;
use crate::chess::score::{INFINITE, Value, centipawns};
use crate::chess::syzygy::Rank;
use crate::minimax::driver::Bracket;
use crate::minimax::mtd_best::Contest;
use crate::minimax::{Forest, Stopped, Tree, Window};
use crate::search::control::{Bound, Current, Pass, Report};
use crate::search::move_loop::ChildSearch;
use crate::search::reduction::LmrInput;
use crate::search::smp::Answer;
use crate::search::state::{ModeRules, Pv, Search};
use shakmaty::Move;
use std::marker::PhantomData;

/// A root move and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) m: Move,
    /// The line it began when it last failed high or was searched exactly.
    pub(super) line: Vec<Move>,
    /// Moves made below it in this iteration.
    pub(super) nodes: u64,
    /// What the endgame tables say of it.
    pub(super) rank: Option<Rank>,
}

/// A move that failed high in this iteration and so became the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rise {
    /// The value that it failed high with: a lower bound.
    pub(super) value: Value,
    pub(super) evidence: Evidence,
}

/// The evidence for a move that rose, against the move that was best before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
    /// The move that was best before was asked for the same bound, and failed low.
    OldMoveFailedLow,
    /// Nothing but its own value: the old move was not asked.
    Alone,
    /// Another thread has seen it rise; what it has seen of the old move is not known.
    AnotherThread,
}

/// A fail-high that another thread has seen changes the move down to this much below the last value.
const ANOTHER_THREADS_MARGIN: Value = centipawns(20);

impl Rise {
    /// Whether the move is to be played when the search is stopped before the bracket is closed, where the last
    /// iteration has `promised` a value for the old move. However low its bound is: where the old move failed
    /// low on the same bound, it is worth still less.
    pub(super) fn stands(self, promised: Value) -> bool {
        match self.evidence {
            Evidence::OldMoveFailedLow => true,
            Evidence::Alone => self.value > promised,
            Evidence::AnotherThread => self.value >= promised - ANOTHER_THREADS_MARGIN,
        }
    }
}

/// One iteration's root, over the root moves from `first` on (the earlier ones are better lines of MultiPV), as
/// far as the endgame tables rank them alike.
pub(super) struct Root<'s, 'a, R> {
    pub(super) search: &'s mut Search<'a>,
    pub(super) position: &'s Position,
    pub(super) moves: &'s mut [RootMove],
    pub(super) first: usize,
    /// Behind the last of them.
    pub(super) end: usize,
    pub(super) depth: i32,
    /// Passes of this iteration.
    passes: u32,
    /// What this iteration has proven.
    known: Bracket<Value>,
    /// The move that was best before this iteration.
    old: Move,
    /// MTD-best: where its candidate stands among `moves`.
    candidate: usize,
    /// The last fail-high of this iteration, unless a later answer has contradicted it.
    pub(super) rise: Option<Rise>,
    rules: PhantomData<R>,
}

/// The bracket before the first question. Every contradiction reopens it: it is for display and decides nothing.
fn nothing_known() -> Bracket<Value> {
    Bracket::new(-INFINITE, INFINITE, 0).reopened_by(u32::MAX)
}

impl<'s, 'a, R: ModeRules> Root<'s, 'a, R> {
    /// The root of one iteration, of which nothing is known yet. `first` is one of `moves`.
    pub(super) fn new(
        search: &'s mut Search<'a>,
        position: &'s Position,
        moves: &'s mut [RootMove],
        first: usize,
        depth: i32,
    ) -> Root<'s, 'a, R> {
        let (old, order) = (moves[first].m, moves[first].order());
        if R::SELECTIVE {
            search.set_up_root(position);
        }
        let alike = moves.iter().skip(first).take_while(|root_move| root_move.order() == order).count();
        Root {
            search,
            position,
            moves,
            first,
            end: first + alike,
            depth,
            passes: 0,
            known: nothing_known(),
            old,
            candidate: 0,
            rise: None,
            rules: PhantomData,
        }
    }

    /// Searches one root move, `number` in order (1 = first).
    fn search_move(&mut self, index: usize, number: usize, window: Window<Value>) -> Result<Value, Stopped> {
        let m = self.moves[index].m;
        self.search.control.current(Current { depth: self.depth, m, number });
        let before = self.search.stats.made_moves;
        let late = LmrInput { depth: self.depth, number, pv: true, cut: false, improving: true };
        let search = &self.search;
        let history = || search.history.of_quiet(self.position.turn(), m, &search.context(0));
        let reduction = search.reduction::<R>(m, &late, history);
        let plan = ChildSearch { depth: self.depth, number, reduction, extension: 0 };
        let value = self.search.search_child::<R, Pv>(self.position, m, window, &plan, 0);
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

    /// Counts a question that was begun after `made` moves, and its answer, and tells the watch. The question was
    /// about all moves, or `of` one.
    fn note(&mut self, window: Window<Value>, answer: Value, of: Option<Move>, made: u64) {
        let stats = &mut self.search.stats;
        let cost = stats.made_moves - made;
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
        self.tell(window, answer, of);
    }

    /// Tells the watch of a question and its answer.
    fn tell(&mut self, window: Window<Value>, answer: Value, of: Option<Move>) {
        self.passes += 1;
        self.known.learn(window, answer);
        if !self.known.failed_high {
            // A contradiction has refuted the move that rose.
            self.rise = None;
        }
        self.search.control.pass(&Pass {
            depth: self.depth,
            number: self.passes,
            line: self.first + 1,
            window: (window.alpha, window.beta),
            answer,
            of,
            bracket: (self.known.lower, self.known.upper),
            nodes: self.search.made_by_all(),
        });
    }

    /// Shows a question that failed high or low: a bound, with the line of the move at `index`.
    fn show_bound(&mut self, window: Window<Value>, answer: Value, index: usize) {
        let bound = match answer {
            _ if answer >= window.beta => Bound::Lower,
            _ if answer <= window.alpha => Bound::Upper,
            _ => return,
        };
        if self.moves[index].shown(answer) != answer {
            return;
        }
        self.search.control.report(&Report {
            depth: self.depth,
            selective_depth: self.search.deepest_of_all(),
            line: self.first + 1,
            value: answer,
            bound,
            finished: false,
            nodes: self.search.made_by_all(),
            hashfull: self.search.tt.hashfull(),
            tb_hits: self.search.tb_hits_of_all(),
            pv: self.moves[index].line.clone(),
        });
    }

    /// The move at `index` becomes the first of those searched here; the others keep their order.
    pub(super) fn promote(&mut self, index: usize) {
        self.moves[self.first..=index].rotate_right(1);
    }
}

impl<R: ModeRules> Tree<Value> for Root<'_, '_, R> {
    fn test(&mut self, window: Window<Value>) -> Result<Value, Stopped> {
        // The later lines of MultiPV leave out moves that other threads may not.
        let shared = self.first == 0;
        if let Some(answer) = shared.then(|| self.search.begin_question(self.depth, window)).flatten() {
            return Ok(self.take(window, answer));
        }
        let made = self.search.stats.made_moves;
        let best = match self.test_moves(window) {
            Ok(best) => best,
            Err(Stopped) => {
                let answer = self.search.answered_meanwhile().ok_or(Stopped)?;
                return Ok(self.take(window, answer));
            }
        };
        self.search.end_question(best, &self.moves[self.first].line);
        self.note(window, best, None, made);
        self.show_bound(window, best, self.first);
        Ok(best)
    }
}

impl<R: ModeRules> Root<'_, '_, R> {
    /// The value in a window: every root move until one fails high.
    fn test_moves(&mut self, window: Window<Value>) -> Result<Value, Stopped> {
        self.search.stats.interior += 1;
        let mut best = -INFINITE;
        let mut alpha = window.alpha;
        for (tried, index) in (self.first..self.end).enumerate() {
            let value = self.search_move(index, tried + 1, Window::new(alpha, window.beta))?;
            best = best.max(value);
            if value > alpha {
                alpha = value;
                self.rise = Some(Rise { value, evidence: self.evidence(index) });
                self.promote(index);
                if value >= window.beta {
                    self.search.stats.cutoff(self.depth, tried + 1);
                    break;
                }
            }
        }
        Ok(best)
    }

    /// What speaks for the move at `index`, which has just failed high: the moves before it failed low on the
    /// same bound. A move that rises again keeps what spoke for it.
    fn evidence(&self, index: usize) -> Evidence {
        let before = &self.moves[self.first..index];
        match self.rise {
            _ if before.iter().any(|root_move| root_move.m == self.old) => Evidence::OldMoveFailedLow,
            Some(rise) => rise.evidence,
            None => Evidence::Alone,
        }
    }

    /// MTD-best asks one move at a time: what speaks for its candidate, if it is a new one, follows from what is
    /// known of the old one, which stood first.
    pub(super) fn judge_rise(&mut self, contest: &Contest) {
        let (old, new) = (contest.brackets.first(), contest.brackets.get(contest.best));
        let risen = old.zip(new).filter(|(_, new)| contest.best > 0 && new.failed_high);
        self.rise = risen.map(|(old, new)| {
            let refuted = old.passes > 0 && old.upper < new.lower;
            let evidence = if refuted { Evidence::OldMoveFailedLow } else { Evidence::Alone };
            Rise { value: new.lower, evidence }
        });
    }

    /// At a stop: what another thread has seen rise, where it counts for more than what this one has.
    pub(super) fn hear_of_rise(&mut self, promised: Option<Value>) {
        let Some(answer) = self.search.risen_elsewhere(self.depth) else { return };
        let theirs = Rise { value: answer.value, evidence: Evidence::AnotherThread };
        let stands = promised.is_some_and(|promised| theirs.stands(promised));
        if stands && self.rise.is_none_or(|ours| ours.value < theirs.value) {
            self.take_rise(&answer);
        }
    }

    /// Takes over what another thread has answered.
    fn take(&mut self, window: Window<Value>, answer: Answer) -> Value {
        if answer.value > window.alpha {
            self.take_rise(&answer);
        }
        self.tell(window, answer.value, None);
        self.show_bound(window, answer.value, self.first);
        answer.value
    }

    /// The move that another thread has seen rise becomes the first.
    fn take_rise(&mut self, answer: &Answer) {
        let Some(&first) = answer.line.first() else { return };
        let mut alike = self.moves[self.first..self.end].iter();
        let Some(index) = alike.position(|root_move| root_move.m == first) else { return };
        self.promote(self.first + index);
        self.moves[self.first].line.clone_from(&answer.line);
        self.rise = Some(Rise { value: answer.value, evidence: Evidence::AnotherThread });
    }
}

impl<R: ModeRules> Forest for Root<'_, '_, R> {
    fn moves(&self) -> usize {
        self.end - self.first
    }

    fn conclude(&mut self, contest: &Contest) {
        self.judge_rise(contest);
        self.promote(self.first + contest.best);
    }

    fn test_move(&mut self, index: usize, bound: Value) -> Result<Value, Stopped> {
        self.search.stats.interior += 1;
        let (window, made) = (Window::at(bound), self.search.stats.made_moves);
        let number = if index == self.candidate { 1 } else { index.max(1) + 1 };
        let value = self.search_move(self.first + index, number, window)?;
        self.known = nothing_known();
        self.note(window, value, Some(self.moves[self.first + index].m), made);
        if value >= bound {
            self.candidate = index;
            self.show_bound(window, value, self.first + index);
        }
        Ok(value)
    }
}
