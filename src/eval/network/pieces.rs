//! The pieces of a board as the network sees them: bitboards, and the inputs in which two boards differ.

use super::architecture::{Architecture, View};
use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

/// The pieces of a board as bitboards: pawn to king of White, then of Black.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pieces([u64; 12]);

impl Pieces {
    /// The pieces of a board.
    #[must_use]
    pub fn of(board: &Board) -> Pieces {
        let mut pieces = [0; 12];
        for (side, pieces) in Color::ALL.into_iter().zip(pieces.as_chunks_mut::<6>().0) {
            for (role, pieces) in Role::ALL.into_iter().zip(pieces) {
                *pieces = (board.by_color(side) & board.by_role(role)).0;
            }
        }
        Pieces(pieces)
    }

    /// Pieces on squares; later ones on the same square are added, not put in the place of the first.
    #[must_use]
    pub fn on_squares(placed: impl IntoIterator<Item = (Piece, Square)>) -> Pieces {
        let mut pieces = [0; 12];
        for (piece, square) in placed {
            pieces[index(piece)] |= Bitboard::from_square(square).0;
        }
        Pieces(pieces)
    }

    /// The number of pieces, kings counted.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.iter().map(|pieces| pieces.count_ones() as usize).sum()
    }

    /// The square of a side's king; a1 where it has none.
    pub(super) fn king(&self, side: Color) -> Square {
        Bitboard(self.0[index(Piece { color: side, role: Role::King })]).first().unwrap_or(Square::A1)
    }

    /// The view of a side; of a board without its king, that of a king on a1.
    pub(super) fn view(&self, architecture: &Architecture, side: Color) -> View {
        architecture.view(side, self.king(side))
    }

    /// The inputs that these pieces set.
    pub(super) fn inputs(&self, view: View) -> Inputs {
        self.difference(&Pieces::default(), view).0
    }

    /// The inputs that these pieces set and another board's do not, and those that only the other's set.
    pub(super) fn difference(&self, other: &Pieces, view: View) -> (Inputs, Inputs) {
        let (mut added, mut removed) = (Inputs::new(), Inputs::new());
        for (piece, (&pieces, &others)) in PIECES.into_iter().zip(self.0.iter().zip(&other.0)) {
            if pieces != others {
                push(&mut added, pieces & !others, piece, view);
                push(&mut removed, others & !pieces, piece, view);
            }
        }
        (added, removed)
    }

    /// The number of pieces on squares that only one of two boards has.
    pub(super) fn distance(&self, other: &Pieces) -> u32 {
        self.0.iter().zip(&other.0).map(|(pieces, others)| (pieces ^ others).count_ones()).sum()
    }
}

/// Adds the inputs of a piece on some squares.
fn push(inputs: &mut Inputs, squares: u64, piece: Piece, view: View) {
    for square in Bitboard(squares) {
        // Two pieces on a square are on no board; they are left out.
        let _ = inputs.try_push(view.input(piece, square) as u32);
    }
}

/// Inputs of a view that are set, or that differ: at most one a square.
pub(super) type Inputs = ArrayVec<u32, 64>;

/// All pieces in the order of [`Pieces`].
const PIECES: [Piece; 12] = {
    let mut pieces = [Piece { color: Color::White, role: Role::Pawn }; 12];
    let mut index = 0;
    while index < 12 {
        let color = if index < 6 { Color::White } else { Color::Black };
        pieces[index] = Piece { color, role: Role::ALL[index % 6] };
        index += 1;
    }
    pieces
};

/// Place of a piece in [`Pieces`].
fn index(piece: Piece) -> usize {
    6 * usize::from(piece.color.is_black()) + piece.role as usize - 1
}
