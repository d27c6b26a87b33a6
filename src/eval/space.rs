//! Space: squares of the centre files on ranks two to four that no enemy pawn attacks; those behind our own
//! pawns that no enemy attacks at all count twice.

use crate::eval::attack_maps::AttackMaps;
use crate::eval::relative_board::{CENTRE_FILES, PAWN, fill_south, south};
use crate::eval::tapered::S;
use crate::eval::weight_source::WeightSource;
use shakmaty::Bitboard;

/// Ranks two to four.
const OWN_RANKS: Bitboard = Bitboard(0xffff_ff00);

/// The worth of our space, in proportion to the pieces that can use it.
pub(super) fn score(maps: &AttackMaps<'_, impl WeightSource>) -> S {
    let us = maps.us;
    let pawns = us.own[PAWN];
    let room = CENTRE_FILES & OWN_RANKS & !pawns & !maps.enemy_pawn_attacks;
    let behind = fill_south(south(pawns)) & room & !maps.enemy_attacks;
    let squares = room.count() + behind.count();
    maps.w.space * (squares * us.pieces().count() / 8) as i32
}
