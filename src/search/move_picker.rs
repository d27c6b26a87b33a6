//! In which order moves are tried: the table's move, captures that pay, killers, quiet moves by what
//! history tells of them, captures that lose. Staged: what a cut-off makes superfluous is never generated.

use super::node::Frame;
use super::parameters::Parameters;
use crate::chess::movegen::{self, Checks, Generator, decode, encode};
use crate::chess::{Position, score::Value, see};
use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, Move, MoveList, Role, Square};

/// Histories stay within `-HISTORY_LIMIT..=HISTORY_LIMIT`.
pub(super) const HISTORY_LIMIT: i32 = 16_384;

/// Rows of the continuation history: a piece (12) on a square (64), and one for "no move".
const ROWS: usize = 12 * 64 + 1;

/// The row of the continuation history that stands for no move (the root, after a null move).
pub(super) const NO_ROW: usize = ROWS - 1;

/// More losing captures than this in one position are tried with the good ones.
const BAD_CAPTURES: usize = 48;

type ByPieceTo = [[i16; 64]; 6];

/// What the histories know a node by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    /// The rows of the moves one and two plies ago.
    pub(super) rows: [usize; 2],
    /// What the opponent attacks.
    pub(super) threats: Bitboard,
}

impl Context {
    /// Whether a move flees from an attack (1), goes into one (2), both (3) or neither (0).
    fn danger(&self, from: Square, to: Square) -> usize {
        usize::from(self.threats.contains(from)) + 2 * usize::from(self.threats.contains(to))
    }
}

/// What earlier cut-offs tell of moves (Schaeffer's history heuristic, signed and with decay), one per thread.
pub(super) struct Histories {
    /// Quiet moves by colour, whether they flee from an attack and go into one, from, to.
    quiet: Box<[[[[i16; 64]; 64]; 4]; 2]>,
    /// Captures by piece, to, captured piece.
    capture: Box<[[[i16; 6]; 64]; 6]>,
    /// Quiet moves as answers to, or continuations of, an earlier move.
    continuation: Box<[ByPieceTo]>,
}

/// Moves a history value towards the limit of a bonus's sign, the slower the nearer it is.
fn nudge(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
}

/// The row of a move in the continuation history.
pub(super) fn row(color: Color, m: Move) -> usize {
    (role_index(m.role()) + 6 * usize::from(color.is_black())) * 64 + usize::from(m.to())
}

fn role_index(role: Role) -> usize {
    role as usize - 1
}

impl Parameters {
    /// How much a cut-off at a depth counts.
    pub(super) fn history_bonus(&self, depth: i32) -> i32 {
        (16 * depth * depth + self.history_slope() * depth).min(self.history_most())
    }
}

impl Histories {
    pub(super) fn new() -> Histories {
        Histories {
            quiet: Box::new([[[[0; 64]; 64]; 4]; 2]),
            capture: Box::new([[[0; 6]; 64]; 6]),
            continuation: vec![[[0; 64]; 6]; ROWS].into_boxed_slice(),
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Histories::new();
    }

    /// What is known of a quiet move in a context, `-3 * HISTORY_LIMIT..=3 * HISTORY_LIMIT`.
    pub(super) fn of_quiet(&self, color: Color, m: Move, context: &Context) -> i32 {
        let (role, from, to) = (role_index(m.role()), m.from().unwrap_or(Square::A1), m.to());
        let danger = context.danger(from, to);
        let mut sum = i32::from(self.quiet[color as usize][danger][usize::from(from)][usize::from(to)]);
        for row in context.rows {
            sum += i32::from(self.continuation[row][role][usize::from(to)]);
        }
        sum
    }

    fn of_capture(&self, m: Move) -> i32 {
        let captured = m.capture().map_or(0, role_index);
        i32::from(self.capture[role_index(m.role())][usize::from(m.to())][captured])
    }

    /// A move cut off after `tried` others had not; `bonus` says how much that counts.
    pub(super) fn reward(&mut self, color: Color, best: Move, tried: &[Move], bonus: i32, context: &Context) {
        if is_quiet(best) {
            self.change_quiet(color, best, context, bonus);
        } else {
            self.change_capture(best, bonus);
        }
        for &m in tried {
            if !is_quiet(m) {
                self.change_capture(m, -bonus);
            } else if is_quiet(best) {
                self.change_quiet(color, m, context, -bonus);
            }
        }
    }

    fn change_quiet(&mut self, color: Color, m: Move, context: &Context, bonus: i32) {
        let (role, from, to) = (role_index(m.role()), m.from().unwrap_or(Square::A1), m.to());
        let danger = context.danger(from, to);
        nudge(&mut self.quiet[color as usize][danger][usize::from(from)][usize::from(to)], bonus);
        for row in context.rows {
            nudge(&mut self.continuation[row][role][usize::from(to)], bonus);
        }
    }

    fn change_capture(&mut self, m: Move, bonus: i32) {
        let captured = m.capture().map_or(0, role_index);
        nudge(&mut self.capture[role_index(m.role())][usize::from(m.to())][captured], bonus);
    }
}

/// Whether a move changes no material: neither a capture nor a promotion to a queen.
pub(super) fn is_quiet(m: Move) -> bool {
    !m.is_capture() && m.promotion() != Some(Role::Queen)
}

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
pub(super) struct Picker<'p> {
    position: &'p Position,
    generator: Generator<'p>,
    stage: Stage,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    context: Context,
    moves: MoveList,
    scores: ArrayVec<i32, 270>,
    next: usize,
    bad: ArrayVec<Move, BAD_CAPTURES>,
    noisy_only: bool,
    /// Of the quiet moves only these checks are wanted.
    quiet_checks: Option<Checks>,
}

impl<'p> Picker<'p> {
    /// All legal moves. `table_move` in 16 bits, 0 = none.
    pub(super) fn new(
        position: &'p Position,
        table_move: u16,
        frame: &Frame,
        context: Context,
    ) -> Picker<'p> {
        Picker::with(position, table_move, frame.killers, context, false)
    }

    /// The moves of quiescence: captures and promotions that do not lose, or every evasion of a check.
    pub(super) fn noisy(position: &'p Position, table_move: u16, context: Context) -> Picker<'p> {
        Picker::with(position, table_move, [0; 2], context, true)
    }

    fn with(
        position: &'p Position,
        table_move: u16,
        killers: [u16; 2],
        context: Context,
        noisy_only: bool,
    ) -> Picker<'p> {
        let generator = Generator::new(position);
        // What quiescence would not try by itself it does not try because the table names it: its value would
        // depend on the table.
        let pays = |m: Move| !is_quiet(m) && see::gains(position, m, 0);
        let wanted = |m: &Move| !noisy_only || position.in_check() || pays(*m);
        let table_move =
            decode(position, table_move).filter(|m| wanted(m)).filter(|&m| generator.is_legal(m));
        let killers = killers.map(|bits| decode(position, bits).filter(|&m| is_quiet(m)));
        Picker {
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
    pub(super) fn next(&mut self, histories: &Histories) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    let evades = self.position.in_check();
                    self.stage = if evades { Stage::GenerateEvasions } else { Stage::GenerateNoisy };
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateNoisy => self.generate_noisy(histories),
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
                Stage::GenerateQuiet => self.generate_quiet(histories),
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
                Stage::GenerateEvasions => self.generate_evasions(histories),
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

    fn generate_noisy(&mut self, histories: &Histories) {
        self.begin(Stage::Noisy);
        self.generator.noisy(&mut self.moves);
        for &m in &self.moves {
            self.scores.push(noisy_score(histories, m));
        }
    }

    fn generate_quiet(&mut self, histories: &Histories) {
        self.begin(Stage::Quiet);
        self.generator.quiet(&mut self.moves);
        for &m in &self.moves {
            self.scores.push(histories.of_quiet(self.position.turn(), m, &self.context));
        }
    }

    fn generate_evasions(&mut self, histories: &Histories) {
        self.begin(Stage::Evasions);
        movegen::all(self.position, &mut self.moves);
        for &m in &self.moves {
            self.scores.push(if is_quiet(m) {
                histories.of_quiet(self.position.turn(), m, &self.context)
            } else {
                4 * HISTORY_LIMIT + noisy_score(histories, m)
            });
        }
    }

    /// Sets a capture that loses material aside; quiescence drops it.
    fn is_bad(&mut self, m: Move) -> bool {
        if see::gains(self.position, m, 0) {
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
fn noisy_score(histories: &Histories, m: Move) -> Value {
    let taken = m.capture().map_or(0, see::exchange_value) + m.promotion().map_or(0, see::exchange_value);
    taken * 32 - see::exchange_value(m.role()) + histories.of_capture(m)
}

/// Remembers a quiet move that cut off at this ply.
pub(super) fn remember_killer(frame: &mut Frame, m: Move) {
    let bits = encode(m);
    if frame.killers[0] != bits {
        frame.killers = [bits, frame.killers[0]];
    }
}
