//! One side of a position as the evaluation sees it: bitboards, pawn structure, attacks.

use crate::eval::pawns::Pawns;
use crate::eval::pieces::Pieces;
use crate::eval::relative_board::RelativeBoard;

/// One side, with what the terms of both sides need of it.
pub(super) struct Side<'a> {
    pub(super) board: &'a RelativeBoard,
    pub(super) pawns: &'a Pawns,
    pub(super) pieces: Pieces,
    /// True if this side is to move.
    pub(super) to_move: bool,
}
