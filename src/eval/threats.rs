//! Threats: attacks on enemy pieces that are weak or worth more than the attacker.

use crate::eval::attack_maps::AttackMaps;
use crate::eval::relative_board::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, north, pawn_attacks};
use crate::eval::tapered::S;
use crate::eval::weight_source::WeightSource;
use shakmaty::{Bitboard, attacks};

/// The threats of our pieces and pawns.
pub(super) fn score(maps: &AttackMaps<'_, impl WeightSource>) -> S {
    let &AttackMaps { w, us, pieces, enemy, enemy_attacks, .. } = maps;
    let mut score = S::ZERO;
    // Defended by a pawn, or twice while we attack at most once.
    let strongly_held = maps.enemy_pawn_attacks | (maps.enemy_attacks_twice & !pieces.attacked_twice);
    let weak = enemy & !strongly_held & pieces.attacked;
    let enemy_pieces = enemy & !maps.enemy_of(PAWN);

    let by_minors = pieces.attacks[KNIGHT] | pieces.attacks[BISHOP];
    let minor_targets = (weak | enemy_pieces) & by_minors;
    let rook_targets = weak & pieces.attacks[ROOK];
    for role in PAWN..=QUEEN {
        let theirs = maps.enemy_of(role);
        score += w.threat_by_minor[role] * (minor_targets & theirs).count() as i32;
        score += w.threat_by_rook[role] * (rook_targets & theirs).count() as i32;
    }
    if weak.intersects(pieces.attacks[KING]) {
        score += w.threat_by_king;
    }
    let hanging = weak & (!enemy_attacks | (enemy_pieces & pieces.attacked_twice));
    score += w.hanging * hanging.count() as i32;
    score += w.restricted * (enemy_attacks & !strongly_held & pieces.attacked).count() as i32;

    let safe = !enemy_attacks | pieces.attacked;
    let safe_pawns = us.own[PAWN] & safe;
    score += w.threat_by_pawn * (pawn_attacks(safe_pawns) & enemy_pieces).count() as i32;
    let step = north(us.own[PAWN]) & !us.occupied;
    let pushes = step | (north(step & Bitboard(0x00ff_0000)) & !us.occupied);
    let pushes = pushes & safe & !maps.enemy_pawn_attacks;
    score += w.threat_by_push * (pawn_attacks(pushes) & enemy_pieces).count() as i32;
    score + on_queen(maps, !us.all & !strongly_held)
}

/// Squares in `safe` from which our minor pieces and rooks could attack a single enemy queen with their next
/// move.
fn on_queen(maps: &AttackMaps<'_, impl WeightSource>, safe: Bitboard) -> S {
    let &AttackMaps { w, us, pieces, .. } = maps;
    let Some(queen) = maps.enemy_of(QUEEN).single_square() else { return S::ZERO };
    let by_knight = attacks::knight_attacks(queen) & pieces.attacks[KNIGHT] & safe;
    let by_slider = (attacks::bishop_attacks(queen, us.occupied) & pieces.attacks[BISHOP])
        | (attacks::rook_attacks(queen, us.occupied) & pieces.attacks[ROOK]);
    w.queen_hit_by_knight * by_knight.count() as i32
        + w.queen_hit_by_slider * (by_slider & safe & pieces.attacked_twice).count() as i32
}
