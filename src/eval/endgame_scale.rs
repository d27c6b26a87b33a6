//! Endgame scale factor and mop-up evaluation: drawish material, opposite-coloured bishops, the wrong bishop,
//! and mating a lone king.

use crate::chess::score::Value;
use crate::eval::relative_board::{
    BISHOP, FILES, KING, KNIGHT, PAWN, QUEEN, ROOK, RelativeBoard, file, from_edge, rank,
};
use shakmaty::{Bitboard, Square};

/// The scale of an advantage that counts in full.
pub(super) const FULL_SCALE: Value = 64;

/// Scale and mop-up bonus of an advantage, by the material of both sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndgameScale {
    /// Factor for the tapered evaluation, out of [`FULL_SCALE`].
    pub(super) scale: Value,
    /// Mop-up bonus for driving a lone king to where it is mated, in centipawns for White.
    pub(super) bonus: Value,
}

impl EndgameScale {
    /// Scale and bonus for an advantage of the side `strong` (0 White, 1 Black).
    pub(super) fn new(boards: &[RelativeBoard; 2], strong: usize) -> EndgameScale {
        let (us, them) = (&boards[strong], &boards[1 - strong]);
        let sign = if strong == 0 { 1 } else { -1 };
        let bonus = if them.all == them.own[KING] { sign * mop_up(us, them) } else { 0 };
        EndgameScale { scale: scale(us, them), bonus }
    }
}

/// The scale factor for an advantage of `us`, out of [`FULL_SCALE`].
fn scale(us: &RelativeBoard, them: &RelativeBoard) -> Value {
    let pawns = us.own[PAWN].count();
    if pawns == 0 {
        return without_pawns(us, them);
    }
    if us.pieces() == us.own[BISHOP] && corner_holds(us, them) {
        return 0;
    }
    let scale = FULL_SCALE.min(44 + 5 * pawns as Value);
    if opposite_bishops(us, them) {
        let bare = us.pieces() == us.own[BISHOP] && them.pieces() == them.own[BISHOP];
        return scale.min(if bare { 20 + 2 * pawns as Value } else { 52 });
    }
    scale
}

/// The scale factor without pawns to promote: a small advantage in pieces does not mate.
fn without_pawns(us: &RelativeBoard, them: &RelativeBoard) -> Value {
    let (ours, theirs) = (worth(us), worth(them));
    let minors = us.own[KNIGHT].count() + us.own[BISHOP].count();
    if ours <= 3 || (ours == 6 && us.own[KNIGHT].count() == 2) {
        0
    } else if ours - theirs > 3 {
        FULL_SCALE
    } else if ours == 6 && minors == 2 && theirs == 3 {
        // Two bishops win against a knight.
        if us.own[BISHOP].count() == 2 && them.own[KNIGHT].any() { FULL_SCALE / 2 } else { 4 }
    } else {
        10
    }
}

/// The wrong bishop: rook pawns whose corner the enemy king holds, with no bishop or only of the wrong
/// colour.
fn corner_holds(us: &RelativeBoard, them: &RelativeBoard) -> bool {
    let pawns = us.own[PAWN];
    let corner = if pawns.is_subset(FILES[0]) {
        Square::A8
    } else if pawns.is_subset(FILES[7]) {
        Square::H8
    } else {
        return false;
    };
    let of_corner = if Bitboard::DARK_SQUARES.contains(corner) {
        Bitboard::DARK_SQUARES
    } else {
        Bitboard::LIGHT_SQUARES
    };
    us.own[BISHOP].is_disjoint(of_corner) && them.king.flip_vertical().distance(corner) <= 1
}

/// Opposite-coloured bishops, one each. (A board turned over changes the colours of its squares.)
fn opposite_bishops(us: &RelativeBoard, them: &RelativeBoard) -> bool {
    us.own[BISHOP].count() == 1
        && them.own[BISHOP].count() == 1
        && us.own[BISHOP].intersects(Bitboard::DARK_SQUARES)
            == them.own[BISHOP].intersects(Bitboard::DARK_SQUARES)
}

/// Mop-up evaluation: drives a lone king to where it is mated, if `us` has the pieces to do it.
fn mop_up(us: &RelativeBoard, them: &RelativeBoard) -> Value {
    let (knights, bishops) = (us.own[KNIGHT].count(), us.own[BISHOP].count());
    let heavy = us.own[ROOK].any() || us.own[QUEEN].any();
    let both_colours = us.own[BISHOP].intersects(Bitboard::DARK_SQUARES)
        && us.own[BISHOP].intersects(Bitboard::LIGHT_SQUARES);
    if !(heavy || both_colours || (knights > 0 && bishops > 0) || knights > 2) {
        return 0;
    }
    let lone = them.king.flip_vertical();
    let near = 7 - lone.distance(us.king) as Value;
    let edge = if heavy || both_colours || bishops == 0 {
        let inwards = from_edge(file(lone)) + from_edge(rank(lone));
        20 * (6 - inwards as Value)
    } else {
        let corners = if us.own[BISHOP].intersects(Bitboard::DARK_SQUARES) {
            [Square::A1, Square::H8]
        } else {
            [Square::A8, Square::H1]
        };
        // Steps along the edges count, not those of a king across the board.
        let steps =
            corners.map(|corner| file(lone).abs_diff(file(corner)) + rank(lone).abs_diff(rank(corner)));
        30 * (7 - steps[0].min(steps[1]) as Value)
    };
    400 + edge + 15 * near
}

/// The pieces in units of a pawn, roughly.
fn worth(side: &RelativeBoard) -> Value {
    let count = |role: usize| side.own[role].count() as Value;
    3 * (count(KNIGHT) + count(BISHOP)) + 5 * count(ROOK) + 9 * count(QUEEN)
}
