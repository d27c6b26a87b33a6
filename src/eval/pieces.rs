//! One side's pieces: what they are worth where they stand, and what they attack.

use crate::eval::explain::{Term, Trace};
use crate::eval::hand_crafted::Camp;
use crate::eval::perspective::{
    BISHOP, CENTRE_FILES, FILES, KING, KNIGHT, PAWN, QUEEN, ROOK, View, east, file, king_ring, north,
    pawn_attacks, south, west,
};
use crate::eval::tapered::S;
use crate::eval::weight_source::WeightSource;
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

/// What the terms of one side's pieces have come to.
struct Worth {
    placement: S,
    mobility: S,
    pieces: S,
}

/// The board as one side's pieces see it: what they are for, and what is in their way.
struct Field<'a, N> {
    w: N,
    us: &'a View,
    enemy_pawns: Bitboard,
    enemy_queens: Bitboard,
    /// Where a piece is not in reach of a pawn, nor in its own pawns' or king's way.
    open: Bitboard,
    /// Squares that no enemy pawn can ever challenge and an own pawn defends.
    outposts: Bitboard,
    /// The enemy king's wider and nearer surroundings.
    ring: Bitboard,
    around_king: Bitboard,
}

impl<'a, N: WeightSource> Field<'a, N> {
    fn new(w: N, us: &'a View, foe: &Camp, by_pawns: Bitboard) -> Field<'a, N> {
        let them = foe.view;
        let by_enemy_pawns = pawn_attacks(them.own[PAWN]).flip_vertical();
        Field {
            w,
            us,
            enemy_pawns: them.own[PAWN].flip_vertical(),
            enemy_queens: them.own[QUEEN].flip_vertical(),
            open: !(by_enemy_pawns | us.own[PAWN] | us.own[KING]),
            outposts: OUTPOST_RANKS & by_pawns & !foe.pawns.span.flip_vertical(),
            ring: king_ring(them).flip_vertical(),
            around_king: them.around_king.flip_vertical(),
        }
    }

    /// How many squares of a reach are of use.
    fn mobility(&self, reach: Bitboard) -> usize {
        (reach & self.open).count()
    }

    /// Bishops and pawns, knights and rooks: what they are worth together.
    fn imbalance(&self) -> S {
        let (w, own) = (self.w, &self.us.own);
        let more_pawns = own[PAWN].count() as i32 - 5;
        let pair = if own[BISHOP].more_than_one() { w.bishop_pair } else { S::ZERO };
        pair + w.knight_pawns * (own[KNIGHT].count() as i32 * more_pawns)
            + w.rook_pawns * (own[ROOK].count() as i32 * more_pawns)
    }
}

impl Army {
    /// Goes through the pieces of `us`, once each, and sums what they are worth.
    pub(super) fn muster(
        w: impl WeightSource,
        us: &View,
        foe: &Camp,
        side: usize,
        trace: &mut impl Trace,
    ) -> (Army, S) {
        let pawns = us.own[PAWN];
        let by_pawns = pawn_attacks(pawns);
        let by_king = attacks::king_attacks(us.king);
        let mut army = Army {
            attacks: [by_pawns, Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY, by_king],
            attacked: by_pawns | by_king,
            twice: (by_pawns & by_king) | (east(north(pawns)) & west(north(pawns))),
            danger: S::ZERO,
            attackers: 0,
        };
        let mut worth =
            Worth { placement: w.piece_square(KING, us.king), mobility: S::ZERO, pieces: S::ZERO };
        let field = Field::new(w, us, foe, by_pawns);
        army.knights(&field, &mut worth);
        army.bishops(&field, &mut worth);
        army.rooks(&field, &mut worth);
        army.queens(&field, &mut worth);
        let imbalance = field.imbalance();
        trace.note(Term::Placement, side, worth.placement);
        trace.note(Term::Mobility, side, worth.mobility);
        trace.note(Term::Pieces, side, worth.pieces);
        trace.note(Term::Imbalance, side, imbalance);
        (army, worth.placement + worth.mobility + worth.pieces + imbalance)
    }

    #[inline]
    fn knights(&mut self, field: &Field<'_, impl WeightSource>, worth: &mut Worth) {
        let w = field.w;
        for square in field.us.own[KNIGHT] {
            let reach = attacks::knight_attacks(square);
            self.join(KNIGHT, reach, field);
            worth.placement += w.piece_square(KNIGHT, square);
            worth.mobility += w.knight_mobility[field.mobility(reach)];
            if field.outposts.contains(square) {
                worth.pieces += w.outpost[0];
            } else if (reach & field.outposts & !field.us.all).any() {
                worth.pieces += w.outpost_reachable;
            }
        }
    }

    /// Bishops, which see through their own queen; and what holds for both minor pieces.
    #[inline]
    fn bishops(&mut self, field: &Field<'_, impl WeightSource>, worth: &mut Worth) {
        let (w, us) = (field.w, field.us);
        let pawns = us.own[PAWN];
        let through = us.occupied ^ us.own[QUEEN];
        for square in us.own[BISHOP] {
            let reach = attacks::bishop_attacks(square, through);
            self.join(BISHOP, reach, field);
            worth.placement += w.piece_square(BISHOP, square);
            worth.mobility += w.bishop_mobility[field.mobility(reach)];
            if field.outposts.contains(square) {
                worth.pieces += w.outpost[1];
            }
            let dark = Bitboard::DARK_SQUARES.contains(square);
            let of_colour = if dark { Bitboard::DARK_SQUARES } else { Bitboard::LIGHT_SQUARES };
            let bad = (pawns & of_colour).count() as i32;
            let blocked = (pawns & CENTRE_FILES & south(us.occupied)).count() as i32;
            worth.pieces += w.bishop_pawns * bad + w.bishop_blocked_centre * (bad * blocked);
            if (attacks::bishop_attacks(square, pawns | field.enemy_pawns) & CENTRE).more_than_one() {
                worth.pieces += w.long_diagonal;
            }
        }
        let minors = us.own[KNIGHT] | us.own[BISHOP];
        worth.pieces += w.minor_behind_pawn * (minors & south(pawns | field.enemy_pawns)).count() as i32;
    }

    /// Rooks, which see through their own queen and each other.
    #[inline]
    fn rooks(&mut self, field: &Field<'_, impl WeightSource>, worth: &mut Worth) {
        let (w, us) = (field.w, field.us);
        let pawns = us.own[PAWN];
        let through = us.occupied ^ us.own[QUEEN] ^ us.own[ROOK];
        for square in us.own[ROOK] {
            let reach = attacks::rook_attacks(square, through);
            self.join(ROOK, reach, field);
            worth.placement += w.piece_square(ROOK, square);
            worth.mobility += w.rook_mobility[field.mobility(reach)];
            let on_file = FILES[file(square)];
            if pawns.is_disjoint(on_file) {
                let open = field.enemy_pawns.is_disjoint(on_file);
                worth.pieces += if open { w.rook_open_file } else { w.rook_half_open_file };
            } else if (pawns & on_file & south(us.occupied)).any() {
                worth.pieces += w.rook_closed_file;
            }
            if field.enemy_queens.intersects(on_file) {
                worth.pieces += w.rook_on_queen_file;
            }
        }
    }

    #[inline]
    fn queens(&mut self, field: &Field<'_, impl WeightSource>, worth: &mut Worth) {
        let w = field.w;
        for square in field.us.own[QUEEN] {
            let reach = attacks::queen_attacks(square, field.us.occupied);
            self.join(QUEEN, reach, field);
            worth.placement += w.piece_square(QUEEN, square);
            worth.mobility += w.queen_mobility[field.mobility(reach)];
        }
    }

    /// A piece adds what it attacks.
    #[inline]
    fn join(&mut self, role: usize, reach: Bitboard, field: &Field<'_, impl WeightSource>) {
        self.attacks[role] |= reach;
        self.twice |= self.attacked & reach;
        self.attacked |= reach;
        if reach.intersects(field.ring) {
            self.attackers += 1;
            self.danger += field.w.danger_attacker[role]
                + field.w.danger_ring * (reach & field.around_king).count() as i32;
        }
    }
}
