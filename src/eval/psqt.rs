//! Piece-square tables (PSQT): material and square of each piece, in one table.
//!
//! The weights hold the left half of the board (files a to d) and the material apart; the tables for the
//! weights in use are built when the program is compiled.

use crate::eval::relative_board::from_edge;
use crate::eval::tapered::S;
use crate::eval::weights::{W, Weights};
use shakmaty::Square;

/// Piece-square tables of the weights in use, by role and square, for the side going up.
static PIECE_SQUARE: [[S; 64]; 6] = {
    let mut table = [[S::ZERO; 64]; 6];
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            table[role][square] = piece_square(&W, role, square);
            square += 1;
        }
        role += 1;
    }
    table
};

/// Material and piece-square value of a piece, with any weights.
pub(super) const fn piece_square(w: &Weights, role: usize, square: usize) -> S {
    let on_square = w.squares[role][square >> 3][from_edge(square & 7)];
    if role < 5 { on_square.plus(w.material[role]) } else { on_square }
}

/// Material and piece-square value of a piece, with the weights in use.
pub(super) fn in_use(role: usize, square: Square) -> S {
    PIECE_SQUARE[role][square.to_usize()]
}
