//! Training samples: a position in 32 bytes, seen by the side to move, with its score and the result of its
//! game.

use crate::chess::Position;
use crate::eval::network::Architecture;
use crate::eval::network::attack_inputs::{AttackCounts, count_attacks};
use crate::lab::base::records::fingerprint;
use shakmaty::{Bitboard, CastlingMode, Color, Piece, Role, Setup, Square};

/// Bytes of a sample on disk and in memory.
pub const BYTES: usize = 32;

/// The result of a position that no game has reached: its score alone is learnt.
pub const NO_RESULT: u8 = 3;

/// The most pieces of a position.
pub const MOST_PIECES: usize = 32;

/// The half byte of the king of the side to move.
const KING: usize = 5;

/// A position and its target. White is the side to move: positions of black are turned over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Sample {
    occupied: u64,
    /// A piece a half byte, in the order of the squares: pawn 0 to king 5, + 8 for the other side.
    pieces: [u8; 16],
    /// Score for the side to move, in centipawns.
    pub score: i16,
    /// Result of the game for the side to move: 0 lost, 1 drawn, 2 won, or [`NO_RESULT`].
    pub result: u8,
}

/// The inputs that a sample sets in both perspectives, side to move first, and its output bucket.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inputs {
    /// Inputs of the side to move, and of the other side; as many are set as there are pieces.
    perspectives: [[u16; MOST_PIECES]; 2],
    pieces: usize,
    /// The output bucket.
    pub bucket: usize,
}

impl Inputs {
    /// The inputs of the side to move, and of the other side.
    #[inline]
    #[must_use]
    pub fn perspectives(&self) -> [&[u16]; 2] {
        let pieces = self.pieces.min(MOST_PIECES);
        [&self.perspectives[0][..pieces], &self.perspectives[1][..pieces]]
    }
}

impl Sample {
    /// A position with a score for the side to move in centipawns, and the winner of its game.
    #[must_use]
    pub fn new(position: &Position, score: i16, winner: Option<Color>) -> Sample {
        let (board, turn) = (position.board(), position.turn());
        let seen = |square: Square| if turn.is_white() { square } else { square.flip_vertical() };
        let occupied: Bitboard = board.occupied().into_iter().map(seen).collect();
        let mut pieces = [0; 16];
        for (index, square) in occupied.into_iter().enumerate() {
            // A square is its own image under the flip.
            let Some(piece) = board.piece_at(seen(square)) else { continue };
            let code = (piece.role as u8 - 1) | if piece.color == turn { 0 } else { 8 };
            if let Some(byte) = pieces.get_mut(index / 2) {
                *byte |= code << (4 * (index % 2));
            }
        }
        let result = winner.map_or(1, |winner| if winner == turn { 2 } else { 0 });
        Sample { occupied: occupied.0, pieces, score, result }
    }

    /// A digest of the position as the network sees it: castling rights, en passant and the colour to move
    /// make no difference.
    #[must_use]
    pub fn key(&self) -> u64 {
        fingerprint::extend(fingerprint::digest(&self.occupied.to_le_bytes()), &self.pieces)
    }

    /// The pieces with their squares; the side to move is white.
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        Bitboard(self.occupied).into_iter().take(MOST_PIECES).enumerate().map(|(index, square)| {
            let code = self.code(index);
            let role = Role::ALL[usize::from(code & 7).min(5)];
            (Piece { color: Color::from_white(code & 8 == 0), role }, square)
        })
    }

    /// The position, without castling rights and clocks; `None` if the bytes of the sample are no legal
    /// position.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        let mut setup = Setup::empty();
        for (piece, square) in self.pieces() {
            setup.board.set_piece_at(square, piece);
        }
        setup.position(CastlingMode::Standard).ok().map(Position::new)
    }

    /// The half byte of a piece.
    #[inline]
    fn code(&self, index: usize) -> u8 {
        self.pieces[index / 2 % 16] >> (4 * (index % 2)) & 15
    }

    /// The inputs that the position sets.
    #[must_use]
    pub fn inputs(&self, architecture: &Architecture) -> Inputs {
        let (mut codes, mut squares, mut pieces) = ([0; MOST_PIECES], [0; MOST_PIECES], 0);
        // The square of the last piece of every code: those of the kings are needed first.
        let mut last = [Square::A1; 16];
        for (index, square) in Bitboard(self.occupied).into_iter().take(MOST_PIECES).enumerate() {
            let code = self.code(index);
            (codes[index], squares[index]) = (u16::from(code), u16::from(square));
            last[usize::from(code)] = square;
            pieces = index + 1;
        }
        let own = architecture.perspective(Color::White, last[KING]);
        let other = architecture.perspective(Color::Black, last[KING | 8]);
        let mut perspectives = [[0; MOST_PIECES]; 2];
        let [of_own, of_other] = &mut perspectives;
        // All places, set or not: without a branch, so that many are computed at a time.
        for index in 0..MOST_PIECES {
            let (role, enemy, square) = ((codes[index] & 7).min(5), codes[index] & 8 != 0, squares[index]);
            of_own[index] = own.input_of(enemy, role, square);
            of_other[index] = other.input_of(!enemy, role, square);
        }
        Inputs { perspectives, pieces, bucket: architecture.output_bucket(pieces) }
    }

    /// The attack inputs of the position.
    #[must_use]
    pub fn attack_counts(&self) -> AttackCounts {
        let mut boards = [[Bitboard::EMPTY; 6]; 2];
        for (piece, square) in self.pieces() {
            boards[usize::from(piece.color.is_black())][piece.role as usize - 1].add(square);
        }
        count_attacks(boards)
    }

    /// The sample as bytes.
    #[must_use]
    pub fn bytes(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.pieces);
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26] = self.result;
        bytes
    }

    /// The inverse of [`Sample::bytes`].
    #[must_use]
    pub fn from_bytes(bytes: &[u8; BYTES]) -> Sample {
        let mut sample = Sample::default();
        let mut occupied = [0; 8];
        occupied.copy_from_slice(&bytes[..8]);
        sample.occupied = u64::from_le_bytes(occupied);
        sample.pieces.copy_from_slice(&bytes[8..24]);
        sample.score = i16::from_le_bytes([bytes[24], bytes[25]]);
        sample.result = bytes[26].min(NO_RESULT);
        sample
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use crate::eval::HandCrafted;
    use crate::eval::network::Pieces;
    use std::collections::HashSet;

    #[test]
    fn the_key_is_of_what_the_network_sees() {
        let key = |fen: &str| Sample::new(Game::parse_fen(fen).unwrap().position(), 7, None).key();
        let whole = key("r3k2r/8/8/8/8/8/P7/R3K2R w KQkq - 0 1");
        assert_eq!(whole, key("r3k2r/8/8/8/8/8/P7/R3K2R w kq - 5 9"));
        assert_eq!(whole, key("r3k2r/p7/8/8/8/8/8/R3K2R b KQkq - 0 1"), "the same with colours exchanged");
        assert_ne!(whole, key("r3k2r/8/8/8/8/8/P7/R3K2R b KQkq - 0 1"));
    }

    const POSITIONS: [&str; 4] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        "8/8/8/4k3/8/8/3Q4/K7 w - - 0 1",
    ];

    fn position(fen: &str) -> Position {
        Game::parse_fen(fen).unwrap().position().clone()
    }

    #[test]
    fn a_sample_comes_back_from_its_bytes() {
        for fen in POSITIONS {
            let position = position(fen);
            let sample = Sample::new(&position, -321, Some(Color::Black));
            assert_eq!(Sample::from_bytes(&sample.bytes()), sample);
            assert_eq!(sample.result, if position.turn().is_black() { 2 } else { 0 });
            assert_eq!(sample.pieces().count(), position.board().occupied().count());
            let (mut here, mut there) = (HandCrafted::new(), HandCrafted::new());
            let again = sample.position().unwrap();
            assert_eq!(here.evaluate(&again), there.evaluate(&position), "seen by the side to move");
        }
    }

    #[test]
    fn inputs_are_those_of_the_board() {
        for fen in POSITIONS {
            let position = position(fen);
            let architecture = Architecture::default();
            let sample = Sample::new(&position, 0, None);
            let counts = Pieces::of(position.board()).attack_counts(position.turn());
            assert_eq!(sample.attack_counts(), counts, "{fen}");
            let inputs = sample.inputs(&architecture);
            for (color, found) in [position.turn(), !position.turn()].into_iter().zip(inputs.perspectives()) {
                let king = position.board().king_of(color).unwrap();
                let perspective = architecture.perspective(color, king);
                let board = position.board().clone();
                let expected: HashSet<u16> = board
                    .into_iter()
                    .map(|(square, piece)| perspective.input(piece, square) as u16)
                    .collect();
                assert_eq!(found.iter().copied().collect::<HashSet<u16>>(), expected, "{fen}");
            }
        }
    }
}
