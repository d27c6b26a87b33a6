//! Bitboards of one side's pieces with its pawns going up, and shifts, fills, files and ranks for them.
//!
//! Every term is written once, for the side whose pawns go north; for Black the board is turned upside down,
//! so that the two colours cannot differ by accident.

use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

/// The `a` to `h` files.
pub(super) const FILES: [Bitboard; 8] = {
    let mut files = [Bitboard::EMPTY; 8];
    let mut file = 0;
    while file < 8 {
        files[file] = Bitboard(0x0101_0101_0101_0101 << file);
        file += 1;
    }
    files
};

/// The files beside each file.
pub(super) const BESIDE: [Bitboard; 8] = {
    let mut neighbours = [Bitboard::EMPTY; 8];
    let mut file = 0;
    while file < 8 {
        neighbours[file] = beside(FILES[file]);
        file += 1;
    }
    neighbours
};

/// All squares on the ranks above that of a square.
pub(super) const fn above(square: Square) -> Bitboard {
    Bitboard((u64::MAX << (square.to_u32() & 56)) << 8)
}

/// One step up.
pub(super) const fn north(b: Bitboard) -> Bitboard {
    Bitboard(b.0 << 8)
}

/// One step down.
pub(super) const fn south(b: Bitboard) -> Bitboard {
    Bitboard(b.0 >> 8)
}

/// One step to the right.
pub(super) const fn east(b: Bitboard) -> Bitboard {
    Bitboard((b.0 << 1) & 0xfefe_fefe_fefe_fefe)
}

/// One step to the left.
pub(super) const fn west(b: Bitboard) -> Bitboard {
    Bitboard((b.0 >> 1) & 0x7f7f_7f7f_7f7f_7f7f)
}

/// One step to either side.
pub(super) const fn beside(b: Bitboard) -> Bitboard {
    Bitboard(east(b).0 | west(b).0)
}

/// These squares and all above them on their files.
pub(super) const fn fill_north(b: Bitboard) -> Bitboard {
    let b = b.0 | b.0 << 8;
    let b = b | b << 16;
    Bitboard(b | b << 32)
}

/// These squares and all below them on their files.
pub(super) const fn fill_south(b: Bitboard) -> Bitboard {
    let b = b.0 | b.0 >> 8;
    let b = b | b >> 16;
    Bitboard(b | b >> 32)
}

/// Squares that pawns going up attack.
pub(super) const fn pawn_attacks(pawns: Bitboard) -> Bitboard {
    beside(north(pawns))
}

/// File of a square as an index.
pub(super) const fn file(square: Square) -> usize {
    square.to_usize() & 7
}

/// Rank of a square as an index.
pub(super) const fn rank(square: Square) -> usize {
    square.to_usize() >> 3
}

/// Distance of a file from the edge of the board, 0 to 3.
pub(super) const fn from_edge(file: usize) -> usize {
    if file < 4 { file } else { 7 - file }
}

/// The files c to f.
pub(super) const CENTRE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);

/// The king flank: four files on the wing of a king, or in the centre.
pub(super) const fn flank(file: usize) -> Bitboard {
    match file {
        0..=2 => Bitboard(0x0f0f_0f0f_0f0f_0f0f),
        3..=4 => CENTRE_FILES,
        _ => Bitboard(0xf0f0_f0f0_f0f0_f0f0),
    }
}

/// The king ring: the king's square and those around it, moved in from the edge so that there are always
/// nine.
pub(super) fn king_ring(us: &RelativeBoard) -> Bitboard {
    let (file, rank) = (file(us.king).clamp(1, 6), rank(us.king).clamp(1, 6));
    Bitboard(0x0007_0707 << (8 * (rank - 1) + file - 1))
}

/// The bitboards of one side, with the side going up.
#[derive(Clone, Copy)]
pub(super) struct RelativeBoard {
    /// By role, pawn to king.
    pub(super) own: [Bitboard; 6],
    /// All own pieces.
    pub(super) all: Bitboard,
    /// All pieces of both sides.
    pub(super) occupied: Bitboard,
    /// The own king's square.
    pub(super) king: Square,
    /// The king's square and those around it.
    pub(super) around_king: Bitboard,
}

impl RelativeBoard {
    /// The board from the side of a colour.
    pub(super) fn new(board: &Board, color: Color) -> RelativeBoard {
        let turned = |b: Bitboard| if color.is_white() { b } else { b.flip_vertical() };
        let side = board.by_color(color);
        let own = Role::ALL.map(|role| turned(board.by_role(role) & side));
        let king = own[5].first().unwrap_or(Square::A1);
        RelativeBoard {
            own,
            all: turned(side),
            occupied: turned(board.occupied()),
            king,
            around_king: attacks::king_attacks(king) | own[5],
        }
    }

    /// Pieces other than pawns and king.
    pub(super) fn pieces(&self) -> Bitboard {
        self.all ^ self.own[PAWN] ^ self.own[KING]
    }
}

/// Roles as indices.
pub(super) const PAWN: usize = 0;
pub(super) const KNIGHT: usize = 1;
pub(super) const BISHOP: usize = 2;
pub(super) const ROOK: usize = 3;
pub(super) const QUEEN: usize = 4;
pub(super) const KING: usize = 5;
