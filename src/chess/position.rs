//! Position of the search: shakmaty's board and rules with incremental Zobrist keys and the checkers.
//!
//! Copy-make: a child is a clone with the move played (some 16 ns). Repetition needs the earlier positions,
//! which [`super::game::Game`] and the search's stack keep.

use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, EnPassantMode, Move, Piece, Position as _, Role, Square,
    zobrist::{Zobrist64, ZobristValue},
};

/// A legal position with its Zobrist keys and checkers.
#[derive(Clone, Debug)]
pub struct Position {
    chess: Chess,
    keys: Keys,
    checkers: Bitboard,
}

/// Zobrist keys of a position and of parts of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Keys {
    /// Pieces, turn, castling rights, en passant.
    whole: u64,
    /// The pawns of both colours.
    pawns: u64,
    /// King and pieces of each colour.
    pieces: [u64; 2],
}

impl Keys {
    fn of(chess: &Chess) -> Keys {
        let whole = chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
        let mut keys = Keys { whole: 0, pawns: 0, pieces: [0; 2] };
        for (square, piece) in chess.board().clone() {
            keys.toggle(square, piece.role, piece.color);
        }
        Keys { whole, ..keys }
    }

    /// Puts a piece on a square, or takes it away.
    fn toggle(&mut self, square: Square, role: Role, color: Color) {
        let key = Zobrist64::zobrist_for_piece(square, Piece { color, role }).0;
        self.whole ^= key;
        if role == Role::Pawn {
            self.pawns ^= key;
        } else {
            self.pieces[color as usize] ^= key;
        }
    }

    /// Updates the keys of the pieces for a move of `us`.
    fn apply(&mut self, m: Move, us: Color) {
        match m {
            Move::Normal { role, from, capture, to, promotion } => {
                self.toggle(from, role, us);
                self.toggle(to, promotion.unwrap_or(role), us);
                if let Some(captured) = capture {
                    self.toggle(to, captured, !us);
                }
            }
            Move::EnPassant { from, to } => {
                self.toggle(from, Role::Pawn, us);
                self.toggle(to, Role::Pawn, us);
                self.toggle(Square::from_coords(to.file(), from.rank()), Role::Pawn, !us);
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                self.toggle(king, Role::King, us);
                self.toggle(rook, Role::Rook, us);
                self.toggle(side.king_to(us), Role::King, us);
                self.toggle(side.rook_to(us), Role::Rook, us);
            }
            Move::Put { .. } => {}
        }
    }
}

impl Position {
    /// A position with keys and checkers computed from scratch; [`Position::play`] updates the keys.
    #[must_use]
    pub fn new(chess: Chess) -> Position {
        let keys = Keys::of(&chess);
        let checkers = chess.checkers();
        Position { chess, keys, checkers }
    }

    /// The position as shakmaty's type.
    #[must_use]
    pub fn chess(&self) -> &Chess {
        &self.chess
    }

    /// The pieces.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.chess.board()
    }

    /// Side to move.
    #[must_use]
    pub fn turn(&self) -> Color {
        self.chess.turn()
    }

    /// The Zobrist key: pieces, turn, castling rights, and en passant only where a capture is legal. So
    /// positions with the same moves have one key, as repetition demands (Laws of Chess, 9.2.3).
    #[must_use]
    pub fn key(&self) -> u64 {
        self.keys.whole
    }

    /// The Polyglot key, by which opening books are looked up. It differs from [`Position::key`] where a pawn
    /// stands ready to capture en passant and may not: the format counts en passant there.
    #[must_use]
    pub fn polyglot_key(&self) -> u64 {
        let legal = en_passant_key(self.chess.legal_ep_square());
        self.keys.whole ^ legal ^ en_passant_key(self.chess.pseudo_legal_ep_square())
    }

    /// The pawn key: a Zobrist key of the pawns of both colours alone.
    #[must_use]
    pub fn pawn_key(&self) -> u64 {
        self.keys.pawns
    }

    /// A Zobrist key of the king and the pieces of one colour, without its pawns.
    #[must_use]
    pub fn piece_key(&self, color: Color) -> u64 {
        self.keys.pieces[color as usize]
    }

    /// Pieces giving check to the side to move.
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// True if the side to move is in check.
    #[must_use]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// True unless the side to move is mated or stalemated.
    #[must_use]
    pub fn has_legal_moves(&self) -> bool {
        !self.chess.legal_moves().is_empty()
    }

    /// True if the side to move is mated.
    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_moves()
    }

    /// Plies since the last capture or pawn move.
    #[must_use]
    pub fn halfmoves(&self) -> u32 {
        self.chess.halfmoves()
    }

    /// Number of pieces of the side to move besides king and pawns.
    #[must_use]
    pub fn pieces_to_move(&self) -> usize {
        let board = self.board();
        (self.chess.us() & !(board.pawns() | board.kings())).count()
    }

    /// True in a dead position, a draw by insufficient material: no sequence of moves mates.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        self.board().occupied().count() <= 4 && self.chess.is_insufficient_material()
    }

    /// The position after a legal move.
    #[must_use]
    pub fn play(&self, m: Move) -> Position {
        self.play_with_key(m, |_| ())
    }

    /// The position after a legal move, for prefetching: `tell` gets its key before the move is made, so that
    /// table entries can be fetched meanwhile, and again where castling rights or en passant turn out to
    /// change it.
    #[must_use]
    pub fn play_with_key(&self, m: Move, tell: impl Fn(u64)) -> Position {
        let mut keys = self.keys;
        keys.apply(m, self.turn());
        keys.whole ^= turn_change(&self.chess);
        tell(keys.whole);
        let mut chess = self.chess.clone();
        chess.play_unchecked(m);
        let rest = castling_change(&self.chess, &chess) ^ en_passant_key(chess.legal_ep_square());
        if rest != 0 {
            keys.whole ^= rest;
            tell(keys.whole);
        }
        let checkers = chess.checkers();
        Position { chess, keys, checkers }
    }

    /// The key after a move other than castling and en passant, where castling rights stay and en passant is
    /// possible neither before nor after it, as with nearly all moves: good enough to prefetch what is stored
    /// under it, and cheaper than all keys.
    #[must_use]
    #[inline]
    pub fn likely_key_after(&self, m: Move) -> u64 {
        let us = self.turn();
        let key = |square, role, color| Zobrist64::zobrist_for_piece(square, Piece { color, role }).0;
        let mut whole = self.keys.whole ^ Zobrist64::zobrist_for_white_turn().0;
        if let Move::Normal { role, from, capture, to, promotion } = m {
            whole ^= key(from, role, us) ^ key(to, promotion.unwrap_or(role), us);
            if let Some(captured) = capture {
                whole ^= key(to, captured, !us);
            }
        }
        whole
    }

    /// The key after a null move.
    #[must_use]
    #[inline]
    pub fn key_after_null_move(&self) -> u64 {
        self.keys.whole ^ turn_change(&self.chess)
    }

    /// The position after a null move; `None` in check or if the position after it is not legal.
    #[must_use]
    pub fn null_move(&self) -> Option<Position> {
        if self.in_check() {
            return None;
        }
        let chess = self.chess.clone().swap_turn().ok()?;
        let keys = Keys { whole: self.key_after_null_move(), ..self.keys };
        Some(Position { chess, keys, checkers: Bitboard::EMPTY })
    }
}

/// Change of the Zobrist key by any move: the turn, and a capture en passant that was possible.
#[inline]
fn turn_change(before: &Chess) -> u64 {
    // Cheap where no pawn stands ready to capture, which is nearly everywhere: only then are captures
    // generated.
    Zobrist64::zobrist_for_white_turn().0 ^ en_passant_key(before.legal_ep_square())
}

/// Change of the Zobrist key by castling rights.
fn castling_change(before: &Chess, after: &Chess) -> u64 {
    let mut key = 0;
    if before.castles().castling_rights() != after.castles().castling_rights() {
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if before.castles().has(color, side) != after.castles().has(color, side) {
                    key ^= Zobrist64::zobrist_for_castling_right(color, side).0;
                }
            }
        }
    }
    key
}

/// The Zobrist key of an en passant square, 0 for none.
fn en_passant_key(square: Option<Square>) -> u64 {
    square.map_or(0, |square| Zobrist64::zobrist_for_en_passant_file(square.file()).0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays every line of `depth` plies and compares keys and checkers with those computed from scratch.
    fn walk(position: &Position, depth: u32) {
        let fresh = Position::new(position.chess().clone());
        assert_eq!(position.keys, fresh.keys, "{:?}", position.chess());
        assert_eq!(position.checkers, fresh.checkers);
        if let Some(after) = position.null_move() {
            let fresh = Position::new(after.chess().clone());
            assert_eq!(after.keys, fresh.keys);
            assert_eq!(position.key_after_null_move(), fresh.key());
        }
        if depth > 0 {
            for m in position.chess().legal_moves() {
                let after = position.play(m);
                let rest = castling_change(position.chess(), after.chess())
                    ^ en_passant_key(position.chess().legal_ep_square())
                    ^ en_passant_key(after.chess().legal_ep_square());
                let foreseen = matches!(m, Move::Normal { .. }) && rest == 0;
                assert_eq!(position.likely_key_after(m) == after.key(), foreseen);
                walk(&after, depth - 1);
            }
        }
    }

    #[test]
    fn the_start_has_the_polyglot_key() {
        assert_eq!(Position::new(Chess::default()).key(), 0x463b_9618_1691_fc9c);
    }

    /// The square where a pawn could capture en passant, and may not, is no part of the key: as a field of
    /// the FEN, and after the double push.
    #[test]
    fn the_key_counts_en_passant_only_where_the_capture_is_legal() {
        let read = |fen: &str| crate::chess::game::Game::parse_fen(fen).unwrap().position().clone();
        for (before, push, after, legal) in [
            // Both pawns would leave the rank of king and rook.
            ("8/4p3/8/K2P3r/8/8/8/7k b - - 0 1", "e7e5", "8/8/8/K2Pp2r/8/8/8/7k w - e6 0 1", false),
            // The capturing pawn is pinned to its king.
            ("3r3k/4p3/8/3P4/8/8/3K4/8 b - - 0 1", "e7e5", "3r3k/8/8/3Pp3/8/8/3K4/8 w - e6 0 1", false),
            // The double push uncovers a check, which the capture does not stop.
            ("7k/K3p2r/8/3P4/8/8/8/8 b - - 0 1", "e7e5", "7k/K6r/8/3Pp3/8/8/8/8 w - e6 0 1", false),
            ("8/4p3/8/3P4/8/8/8/K6k b - - 0 1", "e7e5", "8/8/8/3Pp3/8/8/8/K6k w - e6 0 1", true),
        ] {
            let with = read(after);
            let without = read(&after.replace(" e6 ", " - "));
            assert_eq!(with.key() != without.key(), legal, "{after}");
            assert_ne!(with.polyglot_key(), without.polyglot_key(), "{after}");
            assert_eq!(without.polyglot_key(), without.key(), "{after}");
            let before = read(before);
            let m = push.parse::<shakmaty::uci::UciMove>().unwrap().to_move(before.chess()).unwrap();
            assert_eq!(before.play(m).key(), with.key(), "{after}");
        }
    }

    #[test]
    fn incremental_keys_equal_keys_from_scratch() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/4p3/8/K2P3r/7b/8/8/7k b - - 0 1",
            "3r3k/4p3/8/3P4/8/8/3K4/8 b - - 0 1",
        ] {
            let chess = fen.parse::<shakmaty::fen::Fen>().unwrap();
            let chess = chess.into_position(shakmaty::CastlingMode::Standard).unwrap();
            walk(&Position::new(chess), 3);
        }
    }
}
