//! A piece on its square: material and place.

use crate::eval::perspective::from_edge;
use crate::eval::tapered::S;
use crate::eval::weights::{W, Weights};
use shakmaty::Square;

/// By role and square, for the side going up.
static PLACED: [[S; 64]; 6] = {
    let mut table = [[S::ZERO; 64]; 6];
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            table[role][square] = weigh(&W, role, square);
            square += 1;
        }
        role += 1;
    }
    table
};

/// Material and place of a piece, by any weights.
pub(super) const fn weigh(w: &Weights, role: usize, square: usize) -> S {
    let place = w.squares[role][square >> 3][from_edge(square & 7)];
    if role < 5 { place.plus(w.material[role]) } else { place }
}

/// Material and place of a piece, by the weights in use.
pub(super) fn placed(role: usize, square: Square) -> S {
    PLACED[role][square.to_usize()]
}
