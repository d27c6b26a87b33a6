//! What the general terms do not know of endgames: what cannot be won, and how to mate a lone king.

use crate::chess::score::Value;
use crate::eval::perspective::{BISHOP, FILES, KNIGHT, PAWN, QUEEN, ROOK, View, file, from_edge, rank};
use shakmaty::{Bitboard, Square};

/// A whole advantage in the unit of [`scale`].
pub(super) const FULL: Value = 64;

/// How much of an advantage of `us` can be believed, out of [`FULL`].
pub(super) fn scale(us: &View, them: &View) -> Value {
    let pawns = us.own[PAWN].count();
    if pawns == 0 {
        return without_pawns(us, them);
    }
    if us.pieces() == us.own[BISHOP] && corner_holds(us, them) {
        return 0;
    }
    let believed = FULL.min(44 + 5 * pawns as Value);
    if opposite_bishops(us, them) {
        let bare = us.pieces() == us.own[BISHOP] && them.pieces() == them.own[BISHOP];
        return believed.min(if bare { 20 + 2 * pawns as Value } else { 52 });
    }
    believed
}

/// Nothing to promote: a small advantage in pieces does not mate.
fn without_pawns(us: &View, them: &View) -> Value {
    let (ours, theirs) = (worth(us), worth(them));
    let minors = us.own[KNIGHT].count() + us.own[BISHOP].count();
    if ours <= 3 || (ours == 6 && us.own[KNIGHT].count() == 2) {
        0
    } else if ours - theirs > 3 {
        FULL
    } else if ours == 6 && minors == 2 && theirs == 3 {
        // Two bishops win against a knight.
        if us.own[BISHOP].count() == 2 && them.own[KNIGHT].any() { FULL / 2 } else { 4 }
    } else {
        10
    }
}

/// Rook pawns whose corner the enemy king holds: no bishop at all, or only of the wrong colour.
fn corner_holds(us: &View, them: &View) -> bool {
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

/// One bishop each, on different colours. (A board turned over changes the colours of its squares.)
fn opposite_bishops(us: &View, them: &View) -> bool {
    us.own[BISHOP].count() == 1
        && them.own[BISHOP].count() == 1
        && us.own[BISHOP].intersects(Bitboard::DARK_SQUARES)
            == them.own[BISHOP].intersects(Bitboard::DARK_SQUARES)
}

/// The worth of driving a lone king to where it is mated, for `us` with the pieces to do it.
pub(super) fn mop_up(us: &View, them: &View) -> Value {
    let (knights, bishops) = (us.own[KNIGHT].count(), us.own[BISHOP].count());
    let heavy = us.own[ROOK].any() || us.own[QUEEN].any();
    let both_colours = us.own[BISHOP].intersects(Bitboard::DARK_SQUARES)
        && us.own[BISHOP].intersects(Bitboard::LIGHT_SQUARES);
    if !(heavy || both_colours || (knights > 0 && bishops > 0) || knights > 2) {
        return 0;
    }
    let prey = them.king.flip_vertical();
    let near = 7 - prey.distance(us.king) as Value;
    let edge = if heavy || both_colours || bishops == 0 {
        let inwards = from_edge(file(prey)) + from_edge(rank(prey));
        20 * (6 - inwards as Value)
    } else {
        let corners = if us.own[BISHOP].intersects(Bitboard::DARK_SQUARES) {
            [Square::A1, Square::H8]
        } else {
            [Square::A8, Square::H1]
        };
        // Steps along the edges count, not those of a king across the board.
        let steps =
            corners.map(|corner| file(prey).abs_diff(file(corner)) + rank(prey).abs_diff(rank(corner)));
        30 * (7 - steps[0].min(steps[1]) as Value)
    };
    400 + edge + 15 * near
}

/// The pieces in pawns, roughly.
fn worth(view: &View) -> Value {
    let count = |role: usize| view.own[role].count() as Value;
    3 * (count(KNIGHT) + count(BISHOP)) + 5 * count(ROOK) + 9 * count(QUEEN)
}
