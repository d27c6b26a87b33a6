//! History heuristics: butterfly history (Schaeffer's history heuristic, signed and with decay), continuation history,
//! capture history, and killer moves. What earlier cut-offs tell of moves; how moves are ordered by it is the business of
//! [`super::move_picker`].

use super::parameters::Parameters;
use crate::chess::movegen::encode;
use crate::search::state::StackEntry;
use shakmaty::{Bitboard, Color, Move, Role, Square};

/// Histories stay within `-HISTORY_LIMIT..=HISTORY_LIMIT`.
pub(super) const HISTORY_LIMIT: i32 = 16_384;

/// Rows of the continuation history: a piece (12) on a square (64), and one for "no move".
const CONTINUATIONS: usize = 12 * 64 + 1;

/// The row of the continuation history that stands for no move (the root, after a null move).
pub(super) const NO_CONTINUATION: usize = CONTINUATIONS - 1;

type ByPieceTo = [[i16; 64]; 6];

/// What the histories know a node by.
#[derive(Clone, Copy, Debug)]
pub(super) struct HistoryContext {
    /// The rows of the moves one and two plies ago.
    pub(super) continuations: [usize; 2],
    /// What the opponent attacks.
    pub(super) threats: Bitboard,
}

impl HistoryContext {
    /// Whether a move flees from an attack (1), goes into one (2), both (3) or neither (0).
    fn danger(&self, from: Square, to: Square) -> usize {
        usize::from(self.threats.contains(from)) + 2 * usize::from(self.threats.contains(to))
    }
}

/// What earlier cut-offs tell of moves (Schaeffer's history heuristic, signed and with decay), one per thread.
pub(super) struct History {
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
pub(super) fn continuation_index(color: Color, m: Move) -> usize {
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

impl History {
    pub(super) fn new() -> History {
        History {
            quiet: Box::new([[[[0; 64]; 64]; 4]; 2]),
            capture: Box::new([[[0; 6]; 64]; 6]),
            continuation: vec![[[0; 64]; 6]; CONTINUATIONS].into_boxed_slice(),
        }
    }

    pub(super) fn clear(&mut self) {
        *self = History::new();
    }

    /// What is known of a quiet move in a context, `-3 * HISTORY_LIMIT..=3 * HISTORY_LIMIT`.
    pub(super) fn of_quiet(&self, color: Color, m: Move, context: &HistoryContext) -> i32 {
        let (role, from, to) = (role_index(m.role()), m.from().unwrap_or(Square::A1), m.to());
        let danger = context.danger(from, to);
        let mut sum = i32::from(self.quiet[color as usize][danger][usize::from(from)][usize::from(to)]);
        for continuation in context.continuations {
            sum += i32::from(self.continuation[continuation][role][usize::from(to)]);
        }
        sum
    }

    pub(super) fn of_capture(&self, m: Move) -> i32 {
        let captured = m.capture().map_or(0, role_index);
        i32::from(self.capture[role_index(m.role())][usize::from(m.to())][captured])
    }

    /// A move cut off after `tried` others had not; `bonus` says how much that counts.
    pub(super) fn reward(
        &mut self,
        color: Color,
        best: Move,
        tried: &[Move],
        bonus: i32,
        context: &HistoryContext,
    ) {
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

    fn change_quiet(&mut self, color: Color, m: Move, context: &HistoryContext, bonus: i32) {
        let (role, from, to) = (role_index(m.role()), m.from().unwrap_or(Square::A1), m.to());
        let danger = context.danger(from, to);
        nudge(&mut self.quiet[color as usize][danger][usize::from(from)][usize::from(to)], bonus);
        for continuation in context.continuations {
            nudge(&mut self.continuation[continuation][role][usize::from(to)], bonus);
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

/// Remembers a quiet move that cut off at this ply.
pub(super) fn store_killer(entry_of_stack: &mut StackEntry, m: Move) {
    let bits = encode(m);
    if entry_of_stack.killers[0] != bits {
        entry_of_stack.killers = [bits, entry_of_stack.killers[0]];
    }
}
