//! Staged move generation on shakmaty's public attack tables: noisy moves (captures, promotions), then quiet
//! moves, so that a node with an early cutoff never generates its quiet moves.
//!
//! Together the two stages are exactly the legal moves. In check there is one stage, shakmaty's own
//! generator. Moves are encoded in 16 bits for the transposition table.

use super::Position;
use shakmaty::{
    Bitboard, Board, CastlingSide, Color, File, Move, MoveList, Position as _, Rank, Role, Square, attacks,
};

/// Underpromotions; those that capture nothing are quiet moves.
const UNDERPROMOTIONS: [Role; 3] = [Role::Knight, Role::Rook, Role::Bishop];

/// Staged move generator of one position, with the pins that all stages need.
pub struct Generator<'a> {
    position: &'a Position,
    king: Square,
    pinned: Bitboard,
}

impl<'a> Generator<'a> {
    /// A generator for a position; finds its pinned pieces.
    #[must_use]
    pub fn new(position: &'a Position) -> Generator<'a> {
        let king = king_of(position, position.turn());
        Generator { position, king, pinned: pinned(position, king) }
    }

    /// Appends the noisy moves: captures, en passant, promotions to a queen. Not to be called in check.
    pub fn noisy(&self, moves: &mut MoveList) {
        debug_assert!(!self.position.in_check());
        let them = self.position.chess().them();
        self.piece_moves(them, |to| self.position.board().role_at(to), moves);
        self.king_steps(them, moves);
        self.pawn_captures(moves);
        let queening = self.pawn_pushes() & Bitboard::BACKRANKS;
        for to in queening {
            self.push_pawn(to, Some(Role::Queen), moves);
        }
        if self.position.chess().maybe_ep_square().is_some() {
            moves.extend(self.position.chess().en_passant_moves());
        }
    }

    /// Appends the quiet moves: all that [`Generator::noisy`] leaves out. Not to be called in check.
    pub fn quiet(&self, moves: &mut MoveList) {
        debug_assert!(!self.position.in_check());
        let empty = !self.position.board().occupied();
        self.piece_moves(empty, |_| None, moves);
        self.king_steps(empty, moves);
        let pushes = self.pawn_pushes();
        for to in pushes & Bitboard::BACKRANKS {
            for role in UNDERPROMOTIONS {
                self.push_pawn(to, Some(role), moves);
            }
        }
        for to in pushes & !Bitboard::BACKRANKS {
            self.push_pawn(to, None, moves);
        }
        let us = self.position.turn();
        let start = us.fold_wb(Rank::Third, Rank::Sixth);
        let doubles = forward(pushes & Bitboard::from_rank(start), us) & empty;
        for to in doubles {
            let from = Square::new(if us.is_white() { u32::from(to) - 16 } else { u32::from(to) + 16 });
            self.push(from, Role::Pawn, to, None, None, moves);
        }
        if self.position.chess().castles().has_color(us) {
            for side in CastlingSide::ALL {
                moves.extend(self.position.chess().castling_moves(side));
            }
        }
    }

    /// True if a pseudo-legal move as [`decode`] returns it is legal here. Several times cheaper than
    /// generating all moves.
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        match m {
            Move::Normal { role: Role::King, from, to, .. } => {
                attacks::king_attacks(from).contains(to) && self.is_safe(to)
            }
            Move::Normal { to, .. } if !self.ends_check(to) => false,
            Move::Normal { role: Role::Pawn, from, to, capture, promotion } => {
                self.keeps_pin(from, to)
                    && promotion.is_some() == Bitboard::BACKRANKS.contains(to)
                    && self.pawn_reaches(from, to, capture.is_some())
            }
            Move::Normal { role, from, to, .. } => {
                self.keeps_pin(from, to) && self.attacks(role, from).contains(to)
            }
            Move::EnPassant { .. } => self.position.chess().en_passant_moves().contains(&m),
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                self.position.chess().castling_moves(side).contains(&m)
            }
            Move::Put { .. } => false,
        }
    }

    fn attacks(&self, role: Role, from: Square) -> Bitboard {
        attacks::attacks(from, role.of(self.position.turn()), self.position.board().occupied())
    }

    fn keeps_pin(&self, from: Square, to: Square) -> bool {
        !self.pinned.contains(from) || attacks::ray(self.king, from).contains(to)
    }

    /// True if a piece other than the king, arriving on a square, leaves the king out of check: there is no
    /// check, or it captures the only checker or stands in its way.
    fn ends_check(&self, to: Square) -> bool {
        let checkers = self.position.checkers();
        match checkers.first() {
            None => true,
            Some(checker) => {
                let answers = attacks::between(self.king, checker).with(checker);
                !checkers.more_than_one() && answers.contains(to)
            }
        }
    }

    fn is_safe(&self, to: Square) -> bool {
        let occupied = self.position.board().occupied().without(self.king);
        self.position.board().attacks_to(to, !self.position.turn(), occupied).is_empty()
    }

    fn push(
        &self,
        from: Square,
        role: Role,
        to: Square,
        capture: Option<Role>,
        promotion: Option<Role>,
        moves: &mut MoveList,
    ) {
        if self.keeps_pin(from, to) {
            moves.push(Move::Normal { role, from, capture, to, promotion });
        }
    }

    /// Moves of knights, bishops, rooks and queens to `targets`, where `captured` stands.
    #[inline]
    fn piece_moves(
        &self,
        targets: Bitboard,
        captured: impl Fn(Square) -> Option<Role> + Copy,
        moves: &mut MoveList,
    ) {
        let occupied = self.position.board().occupied();
        let diagonal = |from| attacks::bishop_attacks(from, occupied) & targets;
        let straight = |from| attacks::rook_attacks(from, occupied) & targets;
        self.moves_of(Role::Knight, |from| attacks::knight_attacks(from) & targets, captured, moves);
        self.moves_of(Role::Bishop, diagonal, captured, moves);
        self.moves_of(Role::Rook, straight, captured, moves);
        self.moves_of(Role::Queen, |from| diagonal(from) | straight(from), captured, moves);
    }

    #[inline]
    fn moves_of(
        &self,
        role: Role,
        reached_from: impl Fn(Square) -> Bitboard,
        captured: impl Fn(Square) -> Option<Role>,
        moves: &mut MoveList,
    ) {
        for from in self.position.chess().our(role) {
            let mut reached = reached_from(from);
            if self.pinned.contains(from) {
                reached &= attacks::ray(self.king, from);
            }
            for to in reached {
                moves.push(Move::Normal { role, from, capture: captured(to), to, promotion: None });
            }
        }
    }

    fn king_steps(&self, targets: Bitboard, moves: &mut MoveList) {
        for to in attacks::king_attacks(self.king) & targets {
            if self.is_safe(to) {
                let capture = self.position.board().role_at(to);
                moves.push(Move::Normal { role: Role::King, from: self.king, capture, to, promotion: None });
            }
        }
    }

    fn pawn_captures(&self, moves: &mut MoveList) {
        let us = self.position.turn();
        let them = self.position.chess().them();
        for from in self.position.chess().our(Role::Pawn) {
            for to in attacks::pawn_attacks(us, from) & them {
                let capture = self.position.board().role_at(to);
                if Bitboard::BACKRANKS.contains(to) {
                    self.push(from, Role::Pawn, to, capture, Some(Role::Queen), moves);
                    for role in UNDERPROMOTIONS {
                        self.push(from, Role::Pawn, to, capture, Some(role), moves);
                    }
                } else {
                    self.push(from, Role::Pawn, to, capture, None, moves);
                }
            }
        }
    }

    /// Squares that a pawn can step to.
    fn pawn_pushes(&self) -> Bitboard {
        let pawns = self.position.chess().our(Role::Pawn);
        forward(pawns, self.position.turn()) & !self.position.board().occupied()
    }

    fn push_pawn(&self, to: Square, promotion: Option<Role>, moves: &mut MoveList) {
        let back = if self.position.turn().is_white() { u32::from(to) - 8 } else { u32::from(to) + 8 };
        self.push(Square::new(back), Role::Pawn, to, None, promotion, moves);
    }

    fn pawn_reaches(&self, from: Square, to: Square, captures: bool) -> bool {
        let us = self.position.turn();
        if captures {
            return attacks::pawn_attacks(us, from).contains(to);
        }
        let empty = !self.position.board().occupied();
        let single = forward(Bitboard::from_square(from), us) & empty;
        let start = us.fold_wb(Rank::Third, Rank::Sixth);
        let double = forward(single & Bitboard::from_rank(start), us) & empty;
        (single | double).contains(to)
    }
}

/// Check squares: squares from which the side to move gives direct check. Discovered checks are not included.
#[derive(Clone, Copy, Debug)]
pub struct Checks([Bitboard; 5]);

impl Checks {
    /// The check squares of each role, pawn to queen.
    #[must_use]
    pub fn of(position: &Position) -> Checks {
        let us = position.turn();
        let king = king_of(position, !us);
        let occupied = position.board().occupied();
        let straight = attacks::rook_attacks(king, occupied);
        let diagonal = attacks::bishop_attacks(king, occupied);
        let knight = attacks::knight_attacks(king);
        Checks([attacks::pawn_attacks(!us, king), knight, diagonal, straight, straight | diagonal])
    }

    /// True if a move that is not a promotion arrives on a check square of its piece.
    #[must_use]
    pub fn given_by(&self, m: Move) -> bool {
        !m.is_castle() && self.0.get(m.role() as usize - 1).is_some_and(|squares| squares.contains(m.to()))
    }
}

/// All squares that a side attacks.
#[must_use]
pub fn attacked(board: &Board, by: Color) -> Bitboard {
    let own = board.by_color(by);
    let pawns = board.pawns() & own;
    let up = if by.is_white() { 8 } else { -8 };
    let left = (pawns & !Bitboard::from(File::A)).shift(up - 1);
    let right = (pawns & !Bitboard::from(File::H)).shift(up + 1);
    let occupied = board.occupied();
    let mut all = left | right;
    for from in board.knights() & own {
        all |= attacks::knight_attacks(from);
    }
    for from in board.bishops_and_queens() & own {
        all |= attacks::bishop_attacks(from, occupied);
    }
    for from in board.rooks_and_queens() & own {
        all |= attacks::rook_attacks(from, occupied);
    }
    for from in board.kings() & own {
        all |= attacks::king_attacks(from);
    }
    all
}

/// Appends every legal move.
pub fn all(position: &Position, moves: &mut MoveList) {
    if position.in_check() {
        moves.extend(position.chess().legal_moves());
    } else {
        let generator = Generator::new(position);
        generator.noisy(moves);
        generator.quiet(moves);
    }
}

/// The square of a king; a legal position has one of each colour.
#[must_use]
pub fn king_of(position: &Position, color: Color) -> Square {
    position.board().king_of(color).unwrap_or(Square::A1)
}

/// One step towards the eighth rank for `us`.
fn forward(squares: Bitboard, us: Color) -> Bitboard {
    if us.is_white() { Bitboard(squares.0 << 8) } else { Bitboard(squares.0 >> 8) }
}

/// Pinned pieces of the side to move.
fn pinned(position: &Position, king: Square) -> Bitboard {
    let board = position.board();
    let straight = attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens();
    let diagonal = attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens();
    let mut pinned = Bitboard::EMPTY;
    for sniper in (straight | diagonal) & position.chess().them() {
        let between = attacks::between(king, sniper) & board.occupied();
        if between.count() == 1 {
            pinned |= between & position.chess().us();
        }
    }
    pinned
}

/// A move in 16 bits: from (6), to (6; for castling the rook's square), promotion (4). 0 is no move.
#[must_use]
pub fn encode(m: Move) -> u16 {
    let from = m.from().map_or(0, u32::from);
    let promotion = m.promotion().map_or(0, |role| role as u32);
    (from | u32::from(m.to()) << 6 | promotion << 12) as u16
}

/// The move that [`encode`] wrote, if a piece of the side to move stands on its first square; it may still be
/// illegal, see [`Generator::is_legal`].
#[must_use]
pub fn decode(position: &Position, bits: u16) -> Option<Move> {
    if bits == 0 {
        return None;
    }
    let from = Square::new(u32::from(bits & 63));
    let to = Square::new(u32::from(bits >> 6 & 63));
    let promotion = match bits >> 12 {
        0 => None,
        role => Some(Role::try_from(u32::from(role)).ok()?),
    };
    let board = position.board();
    if !position.chess().us().contains(from) {
        return None;
    }
    let role = board.role_at(from)?;
    if promotion.is_some_and(|p| role != Role::Pawn || matches!(p, Role::Pawn | Role::King)) {
        return None;
    }
    if position.chess().us().contains(to) {
        let castles = role == Role::King && board.rooks().contains(to);
        return castles.then_some(Move::Castle { king: from, rook: to });
    }
    let capture = board.role_at(to);
    if role == Role::Pawn && capture.is_none() && from.file() != to.file() {
        return promotion.is_none().then_some(Move::EnPassant { from, to });
    }
    (capture != Some(Role::King)).then_some(Move::Normal { role, from, capture, to, promotion })
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, Chess, fen::Fen};
    use std::collections::HashSet;

    fn check(position: &Position) {
        let legal: HashSet<Move> = position.chess().legal_moves().into_iter().collect();
        let mut moves = MoveList::new();
        all(position, &mut moves);
        assert_eq!(moves.len(), legal.len(), "{:?}", position.chess());
        assert_eq!(moves.iter().copied().collect::<HashSet<_>>(), legal);
        let generator = Generator::new(position);
        for bits in 1..=u16::MAX {
            let decoded = decode(position, bits).filter(|&m| generator.is_legal(m));
            if let Some(m) = decoded {
                assert!(legal.contains(&m), "{m:?} in {:?}", position.chess());
                assert_eq!(encode(m), bits);
            }
        }
        for m in legal {
            assert_eq!(decode(position, encode(m)), Some(m));
            assert!(generator.is_legal(m));
        }
    }

    #[test]
    fn check_squares_find_every_direct_check() {
        let fen = "4k3/8/8/8/2N1P3/B6Q/8/4K2R w K - 0 1";
        let chess: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let position = Position::new(chess);
        let checks = Checks::of(&position);
        let found = position.chess().legal_moves().into_iter().filter(|&m| checks.given_by(m)).count();
        let given =
            position.chess().legal_moves().into_iter().filter(|&m| position.play(m).in_check()).count();
        assert!(given > 4 && found == given, "{found} found, {given} given");
    }

    #[test]
    fn in_check_exactly_the_evasions_are_legal() {
        for (fen, checkers) in [
            // The king's knight is pinned; the queen and both rooks may stand in the way or take.
            ("4r1k1/8/8/8/1b6/8/3N1Q2/R3K2R w KQ - 0 1", 1),
            ("4r1k1/8/8/8/1b6/8/5Q2/R3K2R w KQ - 0 1", 2),
            // The pawn that gives check may be taken en passant.
            ("4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 1", 1),
            ("4k3/1P6/8/8/8/3n4/2P5/4K2R w K - 0 1", 1),
        ] {
            let setup = fen.parse::<Fen>().unwrap();
            let position = Position::new(setup.into_position::<Chess>(CastlingMode::Standard).unwrap());
            assert_eq!(position.checkers().count(), checkers, "{fen}");
            check(&position);
        }
    }

    #[test]
    fn both_stages_together_are_the_legal_moves_on_random_walks() {
        let mut seed = 1u64;
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            let setup = fen.parse::<Fen>().unwrap();
            let mut position = Position::new(setup.into_position::<Chess>(CastlingMode::Standard).unwrap());
            for _ in 0..60 {
                check(&position);
                let moves = position.chess().legal_moves();
                if moves.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                position = position.play(moves[(seed >> 33) as usize % moves.len()]);
            }
        }
    }
}
