//! In which order moves are tried: the table's move, captures that pay, killers, quiet moves by what
//! history tells of them, captures that lose. Staged: what a cut-off makes superfluous is never generated.

use crate::chess::movegen::{self, Checks, Generator, decode};
use crate::chess::{Position, score::Value, see};
use crate::search::history::{HISTORY_LIMIT, History, HistoryContext, is_quiet};
use crate::search::state::StackEntry;
use arrayvec::ArrayVec;
use shakmaty::{Move, MoveList};

/// More losing captures than this in one position are tried with the good ones.
const BAD_CAPTURES: usize = 48;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    GenerateNoisy,
    Noisy,
    FirstKiller,
    SecondKiller,
    GenerateQuiet,
    Quiet,
    Bad,
    GenerateEvasions,
    Evasions,
    Done,
}

/// Hands out a position's moves, best first.
pub(super) struct MovePicker<'p> {
    position: &'p Position,
    generator: Generator<'p>,
    stage: Stage,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    context: HistoryContext,
    moves: MoveList,
    scores: ArrayVec<i32, 270>,
    next: usize,
    bad: ArrayVec<Move, BAD_CAPTURES>,
    noisy_only: bool,
    /// Of the quiet moves only these checks are wanted.
    quiet_checks: Option<Checks>,
}

impl<'p> MovePicker<'p> {
    /// All legal moves. `table_move` in 16 bits, 0 = none.
    pub(super) fn new(
        position: &'p Position,
        table_move: u16,
        entry_of_stack: &StackEntry,
        context: HistoryContext,
    ) -> MovePicker<'p> {
        MovePicker::with(position, table_move, entry_of_stack.killers, context, false)
    }

    /// The moves of quiescence: captures and promotions that do not lose, or every evasion of a check.
    pub(super) fn noisy(position: &'p Position, table_move: u16, context: HistoryContext) -> MovePicker<'p> {
        MovePicker::with(position, table_move, [0; 2], context, true)
    }

    fn with(
        position: &'p Position,
        table_move: u16,
        killers: [u16; 2],
        context: HistoryContext,
        noisy_only: bool,
    ) -> MovePicker<'p> {
        let generator = Generator::new(position);
        // What quiescence would not try by itself it does not try because the table names it: its value would
        // depend on the table.
        let pays = |m: Move| !is_quiet(m) && see::see_ge(position, m, 0);
        let wanted = |m: &Move| !noisy_only || position.in_check() || pays(*m);
        let table_move =
            decode(position, table_move).filter(|m| wanted(m)).filter(|&m| generator.is_legal(m));
        let killers = killers.map(|bits| decode(position, bits).filter(|&m| is_quiet(m)));
        MovePicker {
            position,
            generator,
            stage: Stage::Table,
            table_move,
            killers,
            context,
            moves: MoveList::new(),
            scores: ArrayVec::new(),
            next: 0,
            bad: ArrayVec::new(),
            noisy_only,
            quiet_checks: None,
        }
    }

    /// From now on only moves that change material (what is left quiet is hopeless), and, where they are
    /// given, quiet moves that give check.
    pub(super) fn skip_quiets(&mut self, but: Option<Checks>) {
        self.quiet_checks = but;
        let at_quiets = matches!(
            self.stage,
            Stage::FirstKiller | Stage::SecondKiller | Stage::GenerateQuiet | Stage::Quiet
        );
        if but.is_none() && at_quiets {
            self.begin_bad();
        }
    }

    /// Whether a quiet move is still wanted.
    fn is_wanted(&self, m: Move) -> bool {
        self.quiet_checks.is_none_or(|checks| checks.given_by(m))
    }

    /// The next move to try.
    pub(super) fn next(&mut self, history: &History) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    let evades = self.position.in_check();
                    self.stage = if evades { Stage::GenerateEvasions } else { Stage::GenerateNoisy };
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateNoisy => self.generate_noisy(history),
                Stage::Noisy => match self.pick() {
                    Some(m) if self.is_bad(m) => {}
                    Some(m) => return Some(m),
                    None => self.end_noisy(),
                },
                Stage::FirstKiller => {
                    self.stage = Stage::SecondKiller;
                    if let Some(m) = self.killer(0) {
                        return Some(m);
                    }
                }
                Stage::SecondKiller => {
                    self.stage = Stage::GenerateQuiet;
                    if let Some(m) = self.killer(1) {
                        return Some(m);
                    }
                }
                Stage::GenerateQuiet => self.generate_quiet(history),
                Stage::Quiet => match self.pick() {
                    Some(m) if self.killers.contains(&Some(m)) || !self.is_wanted(m) => {}
                    Some(m) => return Some(m),
                    None => self.begin_bad(),
                },
                Stage::Bad => {
                    let m = self.bad.get(self.next).copied();
                    self.next += 1;
                    if m.is_none() {
                        self.stage = Stage::Done;
                    }
                    return m;
                }
                Stage::GenerateEvasions => self.generate_evasions(history),
                Stage::Evasions => return self.pick(),
                Stage::Done => return None,
            }
        }
    }

    /// The best of the moves that are left, the table's move aside.
    fn pick(&mut self) -> Option<Move> {
        while self.next < self.moves.len() {
            let left = &self.scores[self.next..];
            let (mut best, mut highest) = (0, left[0]);
            for (i, &score) in left.iter().enumerate() {
                if score > highest {
                    (best, highest) = (i, score);
                }
            }
            self.moves.swap(self.next, self.next + best);
            self.scores.swap(self.next, self.next + best);
            let m = self.moves[self.next];
            self.next += 1;
            if Some(m) != self.table_move {
                return Some(m);
            }
        }
        None
    }

    fn begin(&mut self, stage: Stage) {
        self.stage = stage;
        self.next = 0;
        self.moves.clear();
        self.scores.clear();
    }

    fn generate_noisy(&mut self, history: &History) {
        self.begin(Stage::Noisy);
        self.generator.noisy(&mut self.moves);
        for &m in &self.moves {
            self.scores.push(noisy_score(history, m));
        }
    }

    fn generate_quiet(&mut self, history: &History) {
        self.begin(Stage::Quiet);
        self.generator.quiet(&mut self.moves);
        for &m in &self.moves {
            self.scores.push(history.of_quiet(self.position.turn(), m, &self.context));
        }
    }

    fn generate_evasions(&mut self, history: &History) {
        self.begin(Stage::Evasions);
        movegen::all(self.position, &mut self.moves);
        for &m in &self.moves {
            self.scores.push(if is_quiet(m) {
                history.of_quiet(self.position.turn(), m, &self.context)
            } else {
                4 * HISTORY_LIMIT + noisy_score(history, m)
            });
        }
    }

    /// Sets a capture that loses material aside; quiescence drops it.
    fn is_bad(&mut self, m: Move) -> bool {
        if see::see_ge(self.position, m, 0) {
            return false;
        }
        self.noisy_only || self.bad.try_push(m).is_ok()
    }

    fn end_noisy(&mut self) {
        if self.noisy_only {
            self.begin_bad();
        } else {
            self.stage = Stage::FirstKiller;
        }
    }

    fn begin_bad(&mut self) {
        self.begin(Stage::Bad);
    }

    fn killer(&mut self, index: usize) -> Option<Move> {
        let m = self.killers[index]
            .filter(|&m| Some(m) != self.table_move && self.generator.is_legal(m) && !m.is_capture());
        self.killers[index] = m;
        m
    }
}

/// Captures by what they take, then by what took least, with history.
fn noisy_score(history: &History, m: Move) -> Value {
    let taken = m.capture().map_or(0, see::exchange_value) + m.promotion().map_or(0, see::exchange_value);
    taken * 32 - see::exchange_value(m.role()) + history.of_capture(m)
}
