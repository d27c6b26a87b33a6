//! The pieces of a board as the network sees them: bitboards, and the inputs in which two boards differ.

use super::architecture::{Architecture, Perspective};
use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

/// The pieces of a board as bitboards: pawns to kings of both sides, then the pieces of White and those of Black.
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

    /// The square of a side's king; a1 where it has none.
    pub(super) fn king(&self, color: Color) -> Square {
        Bitboard(self.0[KINGS] & self.0[side(color)]).first().unwrap_or(Square::A1)
    }

    /// The perspective of a side; of a board without its king, that of a king on a1.
    pub(super) fn perspective(&self, architecture: &Architecture, side: Color) -> Perspective {
        architecture.perspective(side, self.king(side))
    }

    /// The inputs that these pieces set.
    pub(super) fn inputs(&self, perspective: Perspective) -> Inputs {
        let mut difference = Difference::default();
        self.difference(&Pieces::EMPTY, perspective, &mut difference);
        difference.added
    }

    /// Adds the inputs in which these pieces differ from those of a board before. Into lists of the caller: returned
    /// ones would be copied whole.
    pub(super) fn difference(&self, before: &Pieces, perspective: Perspective, to: &mut Difference) {
        for square in self.changed(before) {
            self.push_input(square, perspective, &mut to.added);
            before.push_input(square, perspective, &mut to.removed);
        }
    }

    /// The squares on which two boards differ.
    pub(super) fn changed(&self, other: &Pieces) -> Bitboard {
        Bitboard(self.0.iter().zip(&other.0).fold(0, |changed, (set, other)| changed | (set ^ other)))
    }

    /// Adds the input of the piece on a square, if there is one.
    fn push_input(&self, square: Square, perspective: Perspective, inputs: &mut Inputs) {
        let bit = |set: usize| self.0[set] >> u32::from(square) & 1;
        if bit(WHITE) | bit(BLACK) == 0 {
            return;
        }
        // Computed without a branch: which kind of piece it is cannot be predicted.
        let role = (1..=KINGS).map(|role| role as u64 * bit(role)).sum::<u64>();
        let enemy = bit(side(perspective.side)) == 0;
        // Never full: it has room for every square.
        let _ = inputs.try_push(u32::from(perspective.input_of(enemy, role as u16, u16::from(square))));
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

/// Inputs of a perspective: at most one a square.
pub(super) type Inputs = ArrayVec<u32, 64>;

/// The inputs that a board sets and one before did not, and those that only the one before set.
#[derive(Default)]
pub(super) struct Difference {
    pub(super) added: Inputs,
    pub(super) removed: Inputs,
}
