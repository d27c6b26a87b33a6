//! Mobility: the number of squares that a piece attacks within the mobility area.

use crate::eval::relative_board::{KING, PAWN, RelativeBoard};
use crate::eval::tapered::S;
use shakmaty::Bitboard;

/// Mobility area of one side: all squares but those that enemy pawns attack and those of its own pawns and
/// king.
#[derive(Clone, Copy)]
pub(super) struct MobilityArea(Bitboard);

impl MobilityArea {
    /// The area of `us`, on whose board enemy pawns attack `enemy_pawn_attacks`.
    pub(super) fn new(us: &RelativeBoard, enemy_pawn_attacks: Bitboard) -> MobilityArea {
        MobilityArea(!(enemy_pawn_attacks | us.own[PAWN] | us.own[KING]))
    }

    /// The worth of a piece's mobility, from the table of its role by number of squares.
    #[inline]
    pub(super) fn score<const N: usize>(self, by_squares: &[S; N], attacks: Bitboard) -> S {
        by_squares[(attacks & self.0).count()]
    }
}
