//! Connect Four for minimax.

use super::{Board, COLUMNS, ROWS};
use crate::look;
use minimax::{Evaluation, Evaluator, Game, Winner};

pub(crate) struct Rules;

impl Game for Rules {
    type S = Board;
    type M = u8;

    fn generate_moves(board: &Board, moves: &mut Vec<u8>) -> Option<Winner> {
        let winner = Rules::get_winner(board);
        if winner.is_none() {
            moves.extend(board.columns());
        }
        winner
    }

    fn apply(board: &mut Board, column: u8) -> Option<Board> {
        Some(board.with(column))
    }

    fn get_winner(board: &Board) -> Option<Winner> {
        look();
        if board.is_lost() {
            return Some(Winner::PlayerJustMoved);
        }
        (board.men() == COLUMNS * ROWS).then_some(Winner::Draw)
    }

    fn zobrist_hash(board: &Board) -> u64 {
        crate::mixed(board.number())
    }

    fn table_index(column: u8) -> u16 {
        column.into()
    }

    fn max_table_index() -> u16 {
        COLUMNS as u16 - 1
    }
}

#[derive(Default)]
pub(crate) struct Nothing;

impl Evaluator for Nothing {
    type G = Rules;

    fn evaluate(&self, _: &Board) -> Evaluation {
        0
    }
}
