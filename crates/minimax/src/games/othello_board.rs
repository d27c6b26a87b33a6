//! Othello on bitboards: the position, the squares on which a disc can be put, and the discs that it flips.

/// A move: the square on which a disc is put (0 = a1, 7 = h1, 63 = h8), or [`PASS`].
pub type Square = u8;

/// The move of a side that cannot put a disc while the opponent can.
pub const PASS: Square = 64;

/// The eight directions as shifts, with the squares from which a step does not wrap around the board.
const DIRECTIONS: [(i32, u64); 8] = [
    (1, NOT_H),
    (-1, NOT_A),
    (8, u64::MAX),
    (-8, u64::MAX),
    (9, NOT_H),
    (7, NOT_A),
    (-7, NOT_H),
    (-9, NOT_A),
];
/// All files but the a-file, and all but the h-file: discs that can step to the west, or to the east.
pub(super) const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
pub(super) const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// A position, seen from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Othello {
    /// Discs of the side to move.
    pub own: u64,
    /// Discs of the other side.
    pub foe: u64,
    /// True if Black, who begins, is to move.
    pub black: bool,
}

/// One step of every disc in a direction.
const fn step(discs: u64, (shift, from): (i32, u64)) -> u64 {
    let discs = discs & from;
    if shift > 0 { discs << shift } else { discs >> -shift }
}

/// The squares on which `own` may put a disc.
#[must_use]
pub(super) fn legal_squares(own: u64, foe: u64) -> u64 {
    let empty = !(own | foe);
    DIRECTIONS.iter().fold(0, |found, &direction| {
        let mut run = step(own, direction) & foe;
        for _ in 0..5 {
            run |= step(run, direction) & foe;
        }
        found | step(run, direction) & empty
    })
}

/// The discs of `foe` that a disc of `own` on `square` flips.
pub(super) fn flipped(own: u64, foe: u64, square: u64) -> u64 {
    DIRECTIONS.iter().fold(0, |all, &direction| {
        let mut run = 0;
        let mut next = step(square, direction);
        while next & foe != 0 {
            run |= next;
            next = step(next, direction);
        }
        if next & own == 0 { all } else { all | run }
    })
}

impl Othello {
    /// The start: Black to move, four discs.
    #[must_use]
    pub const fn start() -> Othello {
        Othello { own: 1 << 28 | 1 << 35, foe: 1 << 27 | 1 << 36, black: true }
    }

    /// Discs of the side to move less those of the other.
    #[must_use]
    pub const fn disc_difference(&self) -> i32 {
        self.own.count_ones() as i32 - self.foe.count_ones() as i32
    }

    /// Empty squares.
    #[must_use]
    pub const fn empties(&self) -> u32 {
        (self.own | self.foe).count_zeros()
    }

    /// True if neither side can put a disc.
    pub(super) fn is_over(&self) -> bool {
        legal_squares(self.own, self.foe) == 0 && legal_squares(self.foe, self.own) == 0
    }
}
