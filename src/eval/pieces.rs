//! Pieces of one side: piece-square values, mobility, outposts, bad bishops, rooks on open files, imbalance;
//! and the squares that they attack.

use crate::eval::explain::{Term, Trace};
use crate::eval::mobility::MobilityArea;
use crate::eval::relative_board::{
    BISHOP, CENTRE_FILES, FILES, KING, KNIGHT, PAWN, QUEEN, ROOK, RelativeBoard, east, file, king_ring,
    north, pawn_attacks, south, west,
};
use crate::eval::tapered::S;
use crate::eval::weight_source::WeightSource;
use shakmaty::{Bitboard, attacks};

/// Ranks four to six.
const OUTPOST_RANKS: Bitboard = Bitboard(0x0000_ffff_ff00_0000);

/// The four squares in the middle of the board.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// Attacks of one side's pieces, pawns and king.
#[derive(Clone, Copy, Default)]
pub(super) struct Pieces {
    /// Squares attacked, by role.
    pub(super) attacks: [Bitboard; 6],
    /// Squares attacked at all.
    pub(super) attacked: Bitboard,
    /// Squares attacked at least twice.
    pub(super) attacked_twice: Bitboard,
    /// Danger to the enemy king from the pieces that attack its ring.
    pub(super) king_danger: S,
    /// Pieces that attack the enemy king's ring.
    pub(super) king_attackers: i32,
}

/// Sums of the terms of one side's pieces.
struct Sums {
    piece_square: S,
    mobility: S,
    pieces: S,
}

/// The board as the terms of one side's pieces need it.
struct PieceContext<'a, W> {
    w: W,
    us: &'a RelativeBoard,
    enemy_pawns: Bitboard,
    enemy_queens: Bitboard,
    mobility: MobilityArea,
    /// Squares on ranks four to six that an own pawn defends and no enemy pawn can ever attack.
    outposts: Bitboard,
    /// The enemy king's ring, always nine squares.
    king_ring: Bitboard,
    /// The enemy king's square and those beside it.
    around_king: Bitboard,
}

impl<'a, W: WeightSource> PieceContext<'a, W> {
    /// The context of the pieces of `us`; `their_pawn_span` as in [`Pieces::evaluate`].
    fn new(
        w: W,
        us: &'a RelativeBoard,
        them: &RelativeBoard,
        their_pawn_span: Bitboard,
    ) -> PieceContext<'a, W> {
        let enemy_pawn_attacks = pawn_attacks(them.own[PAWN]).flip_vertical();
        PieceContext {
            w,
            us,
            enemy_pawns: them.own[PAWN].flip_vertical(),
            enemy_queens: them.own[QUEEN].flip_vertical(),
            mobility: MobilityArea::new(us, enemy_pawn_attacks),
            outposts: OUTPOST_RANKS & pawn_attacks(us.own[PAWN]) & !their_pawn_span.flip_vertical(),
            king_ring: king_ring(them).flip_vertical(),
            around_king: them.around_king.flip_vertical(),
        }
    }

    /// Material imbalance: the bishop pair, and knights and rooks by the number of own pawns.
    fn imbalance(&self) -> S {
        let (w, own) = (self.w, &self.us.own);
        let more_pawns = own[PAWN].count() as i32 - 5;
        let pair = if own[BISHOP].more_than_one() { w.bishop_pair } else { S::ZERO };
        pair + w.knight_pawns * (own[KNIGHT].count() as i32 * more_pawns)
            + w.rook_pawns * (own[ROOK].count() as i32 * more_pawns)
    }
}

impl Pieces {
    /// The attacks of the pieces of `us`, and the sum of their terms. `their_pawn_span` holds, seen by
    /// `them`, the squares that enemy pawns attack or may attack later.
    pub(super) fn evaluate(
        w: impl WeightSource,
        us: &RelativeBoard,
        them: &RelativeBoard,
        their_pawn_span: Bitboard,
        side: usize,
        trace: &mut impl Trace,
    ) -> (Pieces, S) {
        let pawns = us.own[PAWN];
        let by_pawns = pawn_attacks(pawns);
        let by_king = attacks::king_attacks(us.king);
        let mut found = Pieces {
            attacks: [by_pawns, Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY, by_king],
            attacked: by_pawns | by_king,
            attacked_twice: (by_pawns & by_king) | (east(north(pawns)) & west(north(pawns))),
            king_danger: S::ZERO,
            king_attackers: 0,
        };
        let king = w.piece_square(KING, us.king);
        let mut sums = Sums { piece_square: king, mobility: S::ZERO, pieces: S::ZERO };
        let context = PieceContext::new(w, us, them, their_pawn_span);
        found.knights(&context, &mut sums);
        found.bishops(&context, &mut sums);
        found.rooks(&context, &mut sums);
        found.queens(&context, &mut sums);
        let imbalance = context.imbalance();
        trace.note(Term::Placement, side, sums.piece_square);
        trace.note(Term::Mobility, side, sums.mobility);
        trace.note(Term::Pieces, side, sums.pieces);
        trace.note(Term::Imbalance, side, imbalance);
        (found, sums.piece_square + sums.mobility + sums.pieces + imbalance)
    }

    /// Knights: mobility and outposts.
    #[inline]
    fn knights(&mut self, context: &PieceContext<'_, impl WeightSource>, sums: &mut Sums) {
        let w = context.w;
        for square in context.us.own[KNIGHT] {
            let reach = attacks::knight_attacks(square);
            self.add_attacks(KNIGHT, reach, context);
            sums.piece_square += w.piece_square(KNIGHT, square);
            sums.mobility += context.mobility.score(&w.knight_mobility, reach);
            if context.outposts.contains(square) {
                sums.pieces += w.outpost[0];
            } else if (reach & context.outposts & !context.us.all).any() {
                sums.pieces += w.outpost_reachable;
            }
        }
    }

    /// Bishops: mobility, outposts, bad bishops, long diagonals; their attacks go through their own queen.
    /// And minor pieces behind a pawn.
    #[inline]
    fn bishops(&mut self, context: &PieceContext<'_, impl WeightSource>, sums: &mut Sums) {
        let (w, us) = (context.w, context.us);
        let pawns = us.own[PAWN];
        let through = us.occupied ^ us.own[QUEEN];
        for square in us.own[BISHOP] {
            let reach = attacks::bishop_attacks(square, through);
            self.add_attacks(BISHOP, reach, context);
            sums.piece_square += w.piece_square(BISHOP, square);
            sums.mobility += context.mobility.score(&w.bishop_mobility, reach);
            if context.outposts.contains(square) {
                sums.pieces += w.outpost[1];
            }
            let dark = Bitboard::DARK_SQUARES.contains(square);
            let of_colour = if dark { Bitboard::DARK_SQUARES } else { Bitboard::LIGHT_SQUARES };
            let bad = (pawns & of_colour).count() as i32;
            let blocked = (pawns & CENTRE_FILES & south(us.occupied)).count() as i32;
            sums.pieces += w.bishop_pawns * bad + w.bishop_blocked_centre * (bad * blocked);
            if (attacks::bishop_attacks(square, pawns | context.enemy_pawns) & CENTRE).more_than_one() {
                sums.pieces += w.long_diagonal;
            }
        }
        let minors = us.own[KNIGHT] | us.own[BISHOP];
        sums.pieces += w.minor_behind_pawn * (minors & south(pawns | context.enemy_pawns)).count() as i32;
    }

    /// Rooks: mobility, open files; their attacks go through their own queen and each other.
    #[inline]
    fn rooks(&mut self, context: &PieceContext<'_, impl WeightSource>, sums: &mut Sums) {
        let (w, us) = (context.w, context.us);
        let pawns = us.own[PAWN];
        let through = us.occupied ^ us.own[QUEEN] ^ us.own[ROOK];
        for square in us.own[ROOK] {
            let reach = attacks::rook_attacks(square, through);
            self.add_attacks(ROOK, reach, context);
            sums.piece_square += w.piece_square(ROOK, square);
            sums.mobility += context.mobility.score(&w.rook_mobility, reach);
            let on_file = FILES[file(square)];
            if pawns.is_disjoint(on_file) {
                let open = context.enemy_pawns.is_disjoint(on_file);
                sums.pieces += if open { w.rook_open_file } else { w.rook_half_open_file };
            } else if (pawns & on_file & south(us.occupied)).any() {
                sums.pieces += w.rook_closed_file;
            }
            if context.enemy_queens.intersects(on_file) {
                sums.pieces += w.rook_on_queen_file;
            }
        }
    }

    /// Queens: mobility.
    #[inline]
    fn queens(&mut self, context: &PieceContext<'_, impl WeightSource>, sums: &mut Sums) {
        let w = context.w;
        for square in context.us.own[QUEEN] {
            let reach = attacks::queen_attacks(square, context.us.occupied);
            self.add_attacks(QUEEN, reach, context);
            sums.piece_square += w.piece_square(QUEEN, square);
            sums.mobility += context.mobility.score(&w.queen_mobility, reach);
        }
    }

    /// Adds the squares that a piece attacks, and the danger to the enemy king from them.
    #[inline]
    fn add_attacks(&mut self, role: usize, attacks: Bitboard, context: &PieceContext<'_, impl WeightSource>) {
        self.attacks[role] |= attacks;
        self.attacked_twice |= self.attacked & attacks;
        self.attacked |= attacks;
        if attacks.intersects(context.king_ring) {
            self.king_attackers += 1;
            self.king_danger += context.w.danger_attacker[role]
                + context.w.danger_ring * (attacks & context.around_king).count() as i32;
        }
    }
}
