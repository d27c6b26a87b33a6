//! The pieces of a board as the network sees them: bitboards, and the inputs in which two boards differ.

use super::architecture::{Architecture, Perspective};
use super::attack_inputs::{AttackCounts, count_attacks};
use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

/// The pieces of a board as bitboards: pawns to kings of both sides, then the pieces of White and those of
/// Black.
///
/// In this order, which is that of shakmaty's boards, two boards are compared without a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces([u64; 8]);

impl Pieces {
    /// An empty board.
    pub(super) const EMPTY: Pieces = Pieces([0; 8]);

    /// The pieces of a board.
    #[must_use]
    pub fn of(board: &Board) -> Pieces {
        let roles = Role::ALL.map(|role| board.by_role(role).0);
        let [pawns, knights, bishops, rooks, queens, kings] = roles;
        Pieces([pawns, knights, bishops, rooks, queens, kings, board.white().0, board.black().0])
    }

    /// Pieces on squares; a later one takes the place of an earlier one on the same square.
    #[must_use]
    pub fn on_squares(placed: impl IntoIterator<Item = (Piece, Square)>) -> Pieces {
        let mut pieces = Pieces::EMPTY;
        for (piece, square) in placed {
            let square = Bitboard::from_square(square).0;
            pieces.0.iter_mut().for_each(|set| *set &= !square);
            pieces.0[piece.role as usize - 1] |= square;
            pieces.0[side(piece.color)] |= square;
        }
        pieces
    }

    /// The number of pieces, kings counted.
    #[must_use]
    pub fn count(&self) -> usize {
        (self.0[WHITE] | self.0[BLACK]).count_ones() as usize
    }

    /// The attack inputs, seen by a side.
    #[must_use]
    pub fn attack_counts(&self, turn: Color) -> AttackCounts {
        count_attacks([turn, !turn].map(|color| {
            std::array::from_fn(|role| {
                let pieces = Bitboard(self.0[role] & self.0[side(color)]);
                if turn.is_white() { pieces } else { pieces.flip_vertical() }
            })
        }))
    }

    /// The square of a side's king; a1 where it has none.
    pub(super) fn king(&self, color: Color) -> Square {
        Bitboard(self.0[KINGS] & self.0[side(color)]).first().unwrap_or(Square::A1)
    }

    /// The perspective of a side; of a board without its king, that of a king on a1.
    pub(super) fn perspective(&self, architecture: &Architecture, side: Color) -> Perspective {
        architecture.perspective(side, self.king(side))
    }

    /// Adds the pieces in which this board differs from one before. Into lists of the caller: returned ones
    /// would be copied whole.
    pub(super) fn difference(&self, before: &Pieces, to: &mut Difference) {
        let changed = self.changed(before).0;
        self.push_pieces(changed, &mut to.added);
        before.push_pieces(changed, &mut to.removed);
    }

    /// The squares on which two boards differ.
    pub(super) fn changed(&self, other: &Pieces) -> Bitboard {
        Bitboard(self.0.iter().zip(&other.0).fold(0, |changed, (set, other)| changed | (set ^ other)))
    }

    /// Adds the pieces on some squares. Which of the squares are empty is not asked one by one: of the two
    /// squares of a move either may come first, which cannot be predicted.
    fn push_pieces(&self, squares: u64, pieces: &mut PlacedPieces) {
        for square in Bitboard(squares & (self.0[WHITE] | self.0[BLACK])) {
            let bit = |set: usize| self.0[set] >> u32::from(square) & 1;
            // Computed without a branch: which kind of piece it is cannot be predicted.
            let role = (1..=KINGS).map(|role| role as u64 * bit(role)).sum::<u64>();
            let piece = PlacedPiece { black: bit(BLACK) != 0, role: role as u16, square: u16::from(square) };
            // Never full: it has room for every square.
            let _ = pieces.try_push(piece);
        }
    }
}

/// Places of bitboards in [`Pieces`]; those of the roles stand in the order of their numbers.
const KINGS: usize = 5;
const WHITE: usize = 6;
const BLACK: usize = 7;

/// Place of a side's pieces in [`Pieces`].
fn side(color: Color) -> usize {
    if color.is_white() { WHITE } else { BLACK }
}

/// A piece on a square by numbers: pawn 0 to king 5, a1 0 to h8 63.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedPiece {
    black: bool,
    role: u16,
    square: u16,
}

impl PlacedPiece {
    /// The input that it sets.
    pub(super) fn input(self, perspective: Perspective) -> usize {
        let enemy = self.black != perspective.side.is_black();
        usize::from(perspective.input_of(enemy, self.role, self.square))
    }
}

/// Pieces of a board: at most one a square.
pub(super) type PlacedPieces = ArrayVec<PlacedPiece, 64>;

/// The pieces that stand on a board and did not on one before, and those that only stood on the one before.
/// The same for both perspectives.
#[derive(Default)]
pub(super) struct Difference {
    pub(super) added: PlacedPieces,
    pub(super) removed: PlacedPieces,
}

impl Difference {
    pub(super) fn clear(&mut self) {
        self.added.clear();
        self.removed.clear();
    }
}
