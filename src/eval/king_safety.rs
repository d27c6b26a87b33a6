//! King safety: the danger that the attack of one side brings to the enemy king.
//!
//! Danger is counted in a unit of its own. The middlegame half is clamped to 0..=[`MOST_DANGER`], squared and
//! divided by [`DANGER_UNIT`], which gives centipawns; the endgame half is in centipawns. The shelter of the
//! king is part of the pawn structure (`pawns`), attackers of the king ring are counted with the pieces
//! (`pieces`).

use crate::eval::attack_maps::AttackMaps;
use crate::eval::relative_board::{BISHOP, KING, KNIGHT, QUEEN, ROOK, file, flank, king_ring};
use crate::eval::tapered::{S, s};
use crate::eval::weight_source::WeightSource;
use shakmaty::{Bitboard, Square, attacks};

/// Divisor of the squared danger.
pub(super) const DANGER_UNIT: i32 = 4096;

/// Limit of the danger, before it is squared.
pub(super) const MOST_DANGER: i32 = 4000;

/// Divisor of the weight of the shelter in the danger.
pub(super) const SHELTER_UNIT: i32 = 16;

/// The danger to the enemy king, in its own unit, without the shelter.
pub(super) fn danger(maps: &AttackMaps<'_, impl WeightSource>) -> S {
    let &AttackMaps { w, us, pieces, foe, enemy_attacks, .. } = maps;
    let mut danger = w.danger_base + pieces.king_danger;
    danger += w.danger_crowd * (pieces.king_attackers * (pieces.king_attackers - 1) / 2);
    if maps.side.to_move {
        danger += w.danger_to_move;
    }
    if us.own[QUEEN].is_empty() {
        danger += w.danger_no_queen;
    }
    let by_their_queen = foe.pieces.attacks[QUEEN].flip_vertical();
    let by_their_king = foe.pieces.attacks[KING].flip_vertical();
    if (foe.pieces.attacks[KNIGHT].flip_vertical() & by_their_king).any() {
        danger += w.danger_knight_defender;
    }
    // Defended by nobody, or by king and queen alone.
    let weak =
        pieces.attacked & !maps.enemy_attacks_twice & (!enemy_attacks | by_their_king | by_their_queen);
    let ring = king_ring(foe.board).flip_vertical();
    danger += w.danger_weak_ring * (weak & ring).count() as i32;

    let king = foe.board.king.flip_vertical();
    let ranks = attacks::rook_attacks(king, us.occupied ^ maps.enemy_of(QUEEN));
    let diagonals = attacks::bishop_attacks(king, us.occupied ^ maps.enemy_of(QUEEN));
    let checks = [
        attacks::knight_attacks(king) & pieces.attacks[KNIGHT],
        diagonals & pieces.attacks[BISHOP],
        ranks & pieces.attacks[ROOK],
        (ranks | diagonals) & pieces.attacks[QUEEN] & !by_their_queen,
    ];
    danger + safe_checks(maps, checks, weak) + pins(maps, king, ranks, diagonals) + flank_attacks(maps, king)
}

/// The worth of a danger, with the enemy king's shelter taken into account.
pub(super) fn score(maps: &AttackMaps<'_, impl WeightSource>, danger: S) -> S {
    let shelter = maps.w.danger_shelter.mg() * maps.foe.pawns.shelter.mg() / SHELTER_UNIT;
    let mg = (danger.mg() + shelter).clamp(0, MOST_DANGER);
    s(mg * mg / DANGER_UNIT, danger.eg())
}

/// The danger of safe and unsafe checks on our next move, from the squares in `checks`: knight, bishop, rook,
/// queen.
fn safe_checks(maps: &AttackMaps<'_, impl WeightSource>, checks: [Bitboard; 4], weak: Bitboard) -> S {
    let &AttackMaps { w, us, pieces, enemy_attacks, .. } = maps;
    let safe = !us.all & (!enemy_attacks | (weak & pieces.attacked_twice));
    let mut danger = S::ZERO;
    let mut unsafe_checks = Bitboard::EMPTY;
    for (role, checks) in (KNIGHT..).zip(checks) {
        let good = checks & safe;
        if good.any() {
            danger += w.danger_safe_check[role] * (1 + i32::from(good.more_than_one()));
        } else {
            unsafe_checks |= checks;
        }
    }
    danger + w.danger_unsafe_check * unsafe_checks.count() as i32
}

/// The danger of pins: enemy pieces that stand first on a line from their king, with our slider behind them.
fn pins(maps: &AttackMaps<'_, impl WeightSource>, king: Square, ranks: Bitboard, diagonals: Bitboard) -> S {
    let own = &maps.us.own;
    let without_blockers = |line: Bitboard| maps.us.occupied & !(line & maps.enemy);
    let sliders = (attacks::rook_attacks(king, without_blockers(ranks)) & (own[ROOK] | own[QUEEN]))
        | (attacks::bishop_attacks(king, without_blockers(diagonals)) & (own[BISHOP] | own[QUEEN]));
    maps.w.danger_pinned * sliders.count() as i32
}

/// The danger of our attacks on the enemy king's flank (ranks four to eight) and of its defence there.
fn flank_attacks(maps: &AttackMaps<'_, impl WeightSource>, king: Square) -> S {
    let camp = flank(file(king)) & Bitboard(0xffff_ffff_ff00_0000);
    let attacked = maps.pieces.attacked & camp;
    let attacks = attacked.count() + (attacked & maps.pieces.attacked_twice).count();
    maps.w.danger_flank_attack * attacks as i32
        + maps.w.danger_flank_defence * (maps.enemy_attacks & camp).count() as i32
}
