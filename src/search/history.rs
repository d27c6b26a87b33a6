//! History heuristics: butterfly history, continuation history, capture history, and killer moves. The first
//! is Schaeffer's history heuristic, signed and with decay. They are updated at cut-offs and read by
//! [`super::move_picker`] and by late move reductions.

use super::parameters::{Parameters, parameters};
use crate::chess::movegen::encode;
use crate::search::prefetch::prefetch_numbers;
use shakmaty::{Bitboard, Color, Move, Role, Square};

parameters! {
    /// Histories: bonus by depth.
    history_slope: 87 in 0..=160;
    /// Histories: the largest bonus.
    history_max: 914 in 600..=3200;
}

/// History entries stay within `-HISTORY_LIMIT..=HISTORY_LIMIT`.
pub(super) const HISTORY_LIMIT: i32 = 16_384;

/// Indices of the continuation history: a piece (12) on a square (64), and one for "no move".
const CONTINUATIONS: usize = 12 * 64 + 1;

/// The continuation-history index of no move (at the root, after a null move).
pub(super) const NO_CONTINUATION: usize = CONTINUATIONS - 1;

type ByPieceTo = [[i16; 64]; 6];

/// The part of a node that history entries are indexed by.
#[derive(Clone, Copy, Debug)]
pub(super) struct HistoryContext {
    /// Continuation-history indices of the moves one and two plies ago.
    pub(super) continuations: [usize; 2],
    /// Squares that the opponent attacks.
    pub(super) threats: Bitboard,
}

impl HistoryContext {
    /// Index by threats: a move away from an attacked square (1), to one (2), both (3) or neither (0).
    fn threat_index(&self, from: Square, to: Square) -> usize {
        usize::from(self.threats.contains(from)) + 2 * usize::from(self.threats.contains(to))
    }
}

/// Butterfly, capture and continuation history of one thread.
pub(super) struct History {
    /// Butterfly history: quiet moves by colour, threats ([`HistoryContext::threat_index`]), from, to.
    quiet: Box<[[[[i16; 64]; 64]; 4]; 2]>,
    /// Capture history: by piece, to, captured piece.
    capture: Box<[[[i16; 6]; 64]; 6]>,
    /// Continuation history: quiet moves by an earlier move, piece, to.
    continuation: Box<[ByPieceTo]>,
}

/// History gravity: adds a bonus, and takes off a part of the old value so that the entry stays within the
/// limit.
fn add_bonus(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
}

/// The continuation-history index of a move.
pub(super) fn continuation_index(color: Color, m: Move) -> usize {
    (role_index(m.role()) + 6 * usize::from(color.is_black())) * 64 + usize::from(m.to())
}

fn role_index(role: Role) -> usize {
    role as usize - 1
}

impl Parameters {
    /// The history bonus of a cut-off at a depth in plies.
    pub(super) fn history_bonus(&self, depth: i32) -> i32 {
        (16 * depth * depth + self.history_slope() * depth).min(self.history_max())
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

    /// Sets all values to 0, in place: self-play at 50 nodes a move begins some hundred games a second.
    pub(super) fn clear(&mut self) {
        self.quiet.as_flattened_mut().as_flattened_mut().as_flattened_mut().fill(0);
        self.capture.as_flattened_mut().as_flattened_mut().fill(0);
        self.continuation.as_flattened_mut().as_flattened_mut().fill(0);
    }

    /// Prefetches the continuation history of the last move, before the quiet moves are generated that it
    /// scores. That of the move before is in the cache, since all replies to it have read it.
    #[inline]
    pub(super) fn prefetch(&self, context: &HistoryContext) {
        prefetch_numbers(self.continuation[context.continuations[0]].as_flattened());
    }

    /// Butterfly and continuation history of a quiet move, `-3 * HISTORY_LIMIT..=3 * HISTORY_LIMIT`.
    pub(super) fn of_quiet(&self, color: Color, m: Move, context: &HistoryContext) -> i32 {
        self.quiet_scores(color, context)(m)
    }

    /// The same for many moves: what they have in common is looked up once.
    #[inline]
    pub(super) fn quiet_scores(
        &self,
        color: Color,
        context: &HistoryContext,
    ) -> impl Fn(Move) -> i32 + use<'_> {
        let butterfly = &self.quiet[color as usize];
        let continuations = context.continuations.map(|index| &self.continuation[index]);
        let context = *context;
        move |m| {
            let (role, from, to) = (role_index(m.role()), m.from().unwrap_or(Square::A1), m.to());
            let threat = context.threat_index(from, to);
            let by_threat = i32::from(butterfly[threat][usize::from(from)][usize::from(to)]);
            continuations
                .iter()
                .fold(by_threat, |sum, by_piece| sum + i32::from(by_piece[role][usize::from(to)]))
        }
    }

    /// Capture history of a capture or promotion.
    pub(super) fn of_capture(&self, m: Move) -> i32 {
        let captured = m.capture().map_or(0, role_index);
        i32::from(self.capture[role_index(m.role())][usize::from(m.to())][captured])
    }

    /// Rewards the move that cut off with a bonus and punishes the moves tried before it with the same malus.
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

    /// Adds a bonus to butterfly and continuation history.
    fn change_quiet(&mut self, color: Color, m: Move, context: &HistoryContext, bonus: i32) {
        let (role, from, to) = (role_index(m.role()), m.from().unwrap_or(Square::A1), m.to());
        let threat = context.threat_index(from, to);
        add_bonus(&mut self.quiet[color as usize][threat][usize::from(from)][usize::from(to)], bonus);
        for continuation in context.continuations {
            add_bonus(&mut self.continuation[continuation][role][usize::from(to)], bonus);
        }
    }

    /// Adds a bonus to capture history.
    fn change_capture(&mut self, m: Move, bonus: i32) {
        let captured = m.capture().map_or(0, role_index);
        add_bonus(&mut self.capture[role_index(m.role())][usize::from(m.to())][captured], bonus);
    }
}

/// True for a quiet move: neither a capture nor a promotion to a queen.
pub(super) fn is_quiet(m: Move) -> bool {
    !m.is_capture() && m.promotion() != Some(Role::Queen)
}

/// Stores a quiet move that cut off as the first killer move of its ply.
pub(super) fn store_killer(killers: &mut [u16; 2], m: Move) {
    let bits = encode(m);
    if killers[0] != bits {
        *killers = [bits, killers[0]];
    }
}
