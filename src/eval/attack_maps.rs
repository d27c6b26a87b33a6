//! Attack maps of both sides, seen by one of them: the input of the terms for threats, king safety, passed
//! pawns and space.

use crate::eval::pieces::Pieces;
use crate::eval::relative_board::{PAWN, RelativeBoard};
use crate::eval::side::Side;
use crate::eval::weight_source::WeightSource;
use shakmaty::Bitboard;

/// Attack maps of both sides on the board of `us`, whose pawns go up.
pub(super) struct AttackMaps<'a, W> {
    pub(super) w: W,
    pub(super) us: &'a RelativeBoard,
    pub(super) pieces: &'a Pieces,
    pub(super) side: &'a Side<'a>,
    pub(super) foe: &'a Side<'a>,
    /// All enemy pieces.
    pub(super) enemy: Bitboard,
    /// Squares that the enemy attacks at all, at least twice, and with pawns.
    pub(super) enemy_attacks: Bitboard,
    pub(super) enemy_attacks_twice: Bitboard,
    pub(super) enemy_pawn_attacks: Bitboard,
}

impl<'a, W: WeightSource> AttackMaps<'a, W> {
    /// The maps of a position for `side`.
    pub(super) fn new(w: W, side: &'a Side, foe: &'a Side) -> AttackMaps<'a, W> {
        AttackMaps {
            w,
            us: side.board,
            pieces: &side.pieces,
            side,
            foe,
            enemy: foe.board.all.flip_vertical(),
            enemy_attacks: foe.pieces.attacked.flip_vertical(),
            enemy_attacks_twice: foe.pieces.attacked_twice.flip_vertical(),
            enemy_pawn_attacks: foe.pieces.attacks[PAWN].flip_vertical(),
        }
    }

    /// Enemy pieces of a role.
    pub(super) fn enemy_of(&self, role: usize) -> Bitboard {
        self.foe.board.own[role].flip_vertical()
    }
}
