//! The hand-crafted evaluation (to be written).

use crate::chess::{Position, score::Value};
use shakmaty::{Color, Role};

/// Evaluates positions; keeps a cache of pawn structures.
#[derive(Default)]
pub struct Evaluator {}

impl Evaluator {
    /// A fresh one.
    #[must_use]
    pub fn new() -> Evaluator {
        Evaluator {}
    }

    /// The position's worth for the side to move, within `-EVAL_LIMIT..=EVAL_LIMIT`.
    pub fn evaluate(&mut self, position: &Position) -> Value {
        let board = position.board();
        let count = |color: Color| {
            let of = |role: Role| board.by_piece(role.of(color)).count() as Value;
            of(Role::Pawn) * 100
                + of(Role::Knight) * 320
                + of(Role::Bishop) * 330
                + of(Role::Rook) * 500
                + of(Role::Queen) * 950
        };
        count(position.turn()) - count(!position.turn())
    }
}
