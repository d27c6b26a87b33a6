//! One side's pieces: what they are worth where they stand, and what they attack.

use super::{
    explain::{Term, Trace},
    hand_crafted::Camp,
    placement::placed,
    tapered::S,
    view::{
        BISHOP, CENTRE_FILES, FILES, KING, KNIGHT, PAWN, QUEEN, ROOK, View, east, file, king_ring, north,
        pawn_attacks, south, west,
    },
    weights::W,
};
use shakmaty::{Bitboard, attacks};

/// Ranks four to six.
const OUTPOST_RANKS: Bitboard = Bitboard(0x0000_ffff_ff00_0000);

/// The four squares in the middle of the board.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// What one side attacks.
#[derive(Clone, Copy, Default)]
pub(super) struct Army {
    /// Squares attacked, by role.
    pub(super) attacks: [Bitboard; 6],
    /// Squares attacked at all.
    pub(super) attacked: Bitboard,
    /// Squares attacked at least twice.
    pub(super) twice: Bitboard,
    /// Danger that the pieces bring to the enemy king by themselves.
    pub(super) danger: S,
    /// Pieces that aim at the enemy king.
    pub(super) attackers: i32,
}

impl Army {
    /// Goes through the pieces of `us`, once each, and sums what they are worth.
    pub(super) fn muster(us: &View, foe: &Camp, side: usize, trace: &mut impl Trace) -> (Army, S) {
        let them = foe.view;
        let pawns = us.own[PAWN];
        let by_pawns = pawn_attacks(pawns);
        let enemy_pawns = them.own[PAWN].flip_vertical();
        let by_enemy_pawns = pawn_attacks(them.own[PAWN]).flip_vertical();
        let enemy_span = foe.pawns.span.flip_vertical();
        let ring = king_ring(them).flip_vertical();
        let around_king = them.around_king.flip_vertical();
        let open_to_pieces = !(by_enemy_pawns | pawns | us.own[KING]);
        let by_king = attacks::king_attacks(us.king);

        let mut army = Army {
            attacks: [by_pawns, Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY, by_king],
            attacked: by_pawns | by_king,
            twice: (by_pawns & by_king) | (east(north(pawns)) & west(north(pawns))),
            danger: S::ZERO,
            attackers: 0,
        };
        let mut placement = placed(KING, us.king);
        let mut mobility = S::ZERO;
        let mut pieces = S::ZERO;

        let outposts = OUTPOST_RANKS & by_pawns & !enemy_span;
        for square in us.own[KNIGHT] {
            let reach = attacks::knight_attacks(square);
            army.join(KNIGHT, reach, ring, around_king);
            placement += placed(KNIGHT, square);
            mobility += W.knight_mobility[(reach & open_to_pieces).count()];
            if outposts.contains(square) {
                pieces += W.outpost[0];
            } else if (reach & outposts & !us.all).any() {
                pieces += W.outpost_reachable;
            }
        }
        let through = us.occupied ^ us.own[QUEEN];
        for square in us.own[BISHOP] {
            let reach = attacks::bishop_attacks(square, through);
            army.join(BISHOP, reach, ring, around_king);
            placement += placed(BISHOP, square);
            mobility += W.bishop_mobility[(reach & open_to_pieces).count()];
            if outposts.contains(square) {
                pieces += W.outpost[1];
            }
            let of_colour = if Bitboard::DARK_SQUARES.contains(square) {
                Bitboard::DARK_SQUARES
            } else {
                Bitboard::LIGHT_SQUARES
            };
            let bad = (pawns & of_colour).count() as i32;
            let blocked = (pawns & CENTRE_FILES & south(us.occupied)).count() as i32;
            pieces += W.bishop_pawns * bad + W.bishop_blocked_centre * (bad * blocked);
            if (attacks::bishop_attacks(square, pawns | enemy_pawns) & CENTRE).more_than_one() {
                pieces += W.long_diagonal;
            }
        }
        let minors = us.own[KNIGHT] | us.own[BISHOP];
        pieces += W.minor_behind_pawn * (minors & south(pawns | enemy_pawns)).count() as i32;
        let through = through ^ us.own[ROOK];
        for square in us.own[ROOK] {
            let reach = attacks::rook_attacks(square, through);
            army.join(ROOK, reach, ring, around_king);
            placement += placed(ROOK, square);
            mobility += W.rook_mobility[(reach & open_to_pieces).count()];
            let on_file = FILES[file(square)];
            if pawns.is_disjoint(on_file) {
                pieces +=
                    if enemy_pawns.is_disjoint(on_file) { W.rook_open_file } else { W.rook_half_open_file };
            } else if (pawns & on_file & south(us.occupied)).any() {
                pieces += W.rook_closed_file;
            }
            if them.own[QUEEN].flip_vertical().intersects(on_file) {
                pieces += W.rook_on_queen_file;
            }
        }
        for square in us.own[QUEEN] {
            let reach = attacks::queen_attacks(square, us.occupied);
            army.join(QUEEN, reach, ring, around_king);
            placement += placed(QUEEN, square);
            mobility += W.queen_mobility[(reach & open_to_pieces).count()];
        }

        let mut imbalance = S::ZERO;
        if us.own[BISHOP].more_than_one() {
            imbalance += W.bishop_pair;
        }
        let more_pawns = pawns.count() as i32 - 5;
        imbalance += W.knight_pawns * (us.own[KNIGHT].count() as i32 * more_pawns);
        imbalance += W.rook_pawns * (us.own[ROOK].count() as i32 * more_pawns);

        trace.note(Term::Placement, side, placement);
        trace.note(Term::Mobility, side, mobility);
        trace.note(Term::Pieces, side, pieces);
        trace.note(Term::Imbalance, side, imbalance);
        (army, placement + mobility + pieces + imbalance)
    }

    /// A piece adds what it attacks.
    fn join(&mut self, role: usize, reach: Bitboard, ring: Bitboard, around_king: Bitboard) {
        self.attacks[role] |= reach;
        self.twice |= self.attacked & reach;
        self.attacked |= reach;
        if reach.intersects(ring) {
            self.attackers += 1;
            self.danger += W.danger_attacker[role] + W.danger_ring * (reach & around_king).count() as i32;
        }
    }
}
