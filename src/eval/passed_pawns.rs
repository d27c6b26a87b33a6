//! Passed pawns beyond their rank: kings near the path, blockers, safe path, rooks behind, unstoppable pawns.
//!
//! Which pawns are passed, and the bonus by rank, is part of the pawn structure (`pawns`).

use crate::eval::attack_maps::AttackMaps;
use crate::eval::relative_board::{FILES, ROOK, above, file, fill_south, north, rank, south};
use crate::eval::tapered::S;
use crate::eval::weight_source::WeightSource;
use shakmaty::{Bitboard, Square, attacks};

/// The worth of our passed pawns beyond their rank.
pub(super) fn score(maps: &AttackMaps<'_, impl WeightSource>) -> S {
    let &AttackMaps { w, us, pieces, foe, .. } = maps;
    let mut score = S::ZERO;
    let their_king = foe.board.king.flip_vertical();
    let bare = foe.board.pieces().is_empty();
    for square in maps.side.pawns.passed {
        let at = rank(square);
        let stop = north(Bitboard::from_square(square));
        let stop_at = stop.first().unwrap_or(square);
        score += w.passed_own_king[at] * us.king.distance(stop_at) as i32;
        score += w.passed_enemy_king[at] * their_king.distance(stop_at) as i32;
        if stop.intersects(us.occupied) {
            score += w.passed_blocked[at];
        }
        if stop.intersects(pieces.attacked) {
            score += w.passed_defended_stop;
        }
        let path = FILES[file(square)] & above(square);
        score += safe_path(maps, square, stop, path);
        if bare && path.is_disjoint(us.occupied) {
            let steps = (7 - at - usize::from(at == 1)) as u32;
            let goal = path.last().unwrap_or(square);
            // The rule of the square: their king comes too late.
            if their_king.distance(goal) > steps + u32::from(!maps.side.to_move) {
                score += w.unstoppable;
            }
        }
    }
    score
}

/// The worth of rooks behind a passed pawn, and of a stop square and a path that the enemy does not attack.
fn safe_path(maps: &AttackMaps<'_, impl WeightSource>, square: Square, stop: Bitboard, path: Bitboard) -> S {
    let &AttackMaps { w, us, .. } = maps;
    let at = rank(square);
    let behind = fill_south(south(Bitboard::from_square(square)));
    let rooks = behind & attacks::rook_attacks(square, us.occupied);
    let mut unsafe_squares = maps.enemy_attacks;
    let mut score = S::ZERO;
    if rooks.intersects(maps.enemy_of(ROOK)) {
        score += w.passed_enemy_rook_behind;
        unsafe_squares = Bitboard::FULL;
    } else if rooks.intersects(us.own[ROOK]) {
        score += w.passed_rook_behind;
    }
    if stop.is_disjoint(unsafe_squares) {
        score += w.passed_safe_stop[at];
        if path.is_disjoint(unsafe_squares | maps.enemy) {
            score += w.passed_safe_path[at];
        }
    }
    score
}
