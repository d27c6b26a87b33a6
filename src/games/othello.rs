//! Othello on bitboards: the rules. What a position is worth stands in [`super::othello_eval`].
//!
//! A side that cannot turn a disc passes, and the pass is a move; the game is over when neither side can move.

use super::othello_eval;
use crate::minimax::Game;
use std::fmt;

/// All values lie within this, in hundredths of a disc: a final margin counts from [`FINAL`] on.
pub const LIMIT: i32 = 100_000;

/// What a won game is worth at least, beyond every static evaluation; the margin in hundredths is added.
pub const FINAL: i32 = 50_000;

/// A move: the square on which a disc is put (0 = a1, 7 = h1, 63 = h8), or [`PASS`].
pub type Square = u8;

/// No disc can be put, but the opponent can move.
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
const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// A position, seen from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Othello {
    /// Discs of the side to move.
    pub own: u64,
    /// Discs of the other side.
    pub foe: u64,
    /// Whether Black, who begins, is to move.
    pub black: bool,
}

/// One step of every disc in a direction.
const fn step(discs: u64, (shift, from): (i32, u64)) -> u64 {
    let discs = discs & from;
    if shift > 0 { discs << shift } else { discs >> -shift }
}

/// The squares on which `own` may put a disc.
#[must_use]
pub fn placements(own: u64, foe: u64) -> u64 {
    let empty = !(own | foe);
    DIRECTIONS.iter().fold(0, |found, &direction| {
        let mut run = step(own, direction) & foe;
        for _ in 0..5 {
            run |= step(run, direction) & foe;
        }
        found | step(run, direction) & empty
    })
}

/// The discs of `foe` that a disc of `own` on `square` turns.
fn turned(own: u64, foe: u64, square: u64) -> u64 {
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

    /// The ends of all sequences of `plies` moves from the start, one each (BFM: 244 after four plies).
    #[must_use]
    pub fn openings(plies: u32) -> Vec<Othello> {
        let mut openings = vec![Othello::start()];
        for _ in 0..plies {
            openings = openings
                .iter()
                .flat_map(|position| position.moves().into_iter().map(|m| position.play(m)))
                .collect();
        }
        openings
    }

    /// Discs of the side to move less those of the other.
    #[must_use]
    pub const fn margin(&self) -> i32 {
        self.own.count_ones() as i32 - self.foe.count_ones() as i32
    }

    /// Empty squares.
    #[must_use]
    pub const fn empties(&self) -> u32 {
        (self.own | self.foe).count_zeros()
    }

    fn is_over(&self) -> bool {
        placements(self.own, self.foe) == 0 && placements(self.foe, self.own) == 0
    }
}

impl Game for Othello {
    type Value = i32;
    type Move = Square;

    const LIMIT: i32 = LIMIT;
    const SLOTS: usize = 2 * 65;

    fn moves(&self) -> Vec<Square> {
        let mut squares = placements(self.own, self.foe);
        if squares == 0 {
            return if placements(self.foe, self.own) == 0 { Vec::new() } else { vec![PASS] };
        }
        let mut moves = Vec::with_capacity(squares.count_ones() as usize);
        while squares != 0 {
            moves.push(squares.trailing_zeros() as Square);
            squares &= squares - 1;
        }
        moves
    }

    fn play(&self, m: Square) -> Othello {
        let black = !self.black;
        if m >= PASS {
            return Othello { own: self.foe, foe: self.own, black };
        }
        let disc = 1 << m;
        let turned = turned(self.own, self.foe, disc);
        Othello { own: self.foe ^ turned, foe: self.own | turned | disc, black }
    }

    fn evaluate(&self) -> i32 {
        if self.is_over() {
            let margin = self.margin();
            return margin.signum() * FINAL + 100 * margin;
        }
        othello_eval::evaluate(self)
    }

    fn key(&self) -> u64 {
        let mixed = self.own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ self.foe.rotate_left(32);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ u64::from(self.black);
        let mixed = (mixed ^ mixed >> 32 ^ self.foe).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn slot(&self, m: Square) -> usize {
        usize::from(self.black) * 65 + usize::from(m.min(PASS))
    }
}

impl fmt::Display for Othello {
    /// The board from rank 8 down: `x` Black, `o` White, `.` empty.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (black, white) = if self.black { (self.own, self.foe) } else { (self.foe, self.own) };
        for rank in (0..8).rev() {
            for square in 8 * rank..8 * rank + 8 {
                let disc = |side: u64| side >> square & 1 == 1;
                f.write_str(if disc(black) {
                    "x"
                } else if disc(white) {
                    "o"
                } else {
                    "."
                })?;
            }
            writeln!(f)?;
        }
        write!(f, "{} to move", if self.black { "black" } else { "white" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn perft(position: &Othello, depth: u32) -> u64 {
        let moves = position.moves();
        match depth {
            0 => 1,
            // A finished game counts once, at whatever depth it ends.
            _ if moves.is_empty() => 1,
            1 => moves.len() as u64,
            _ => moves.iter().map(|&m| perft(&position.play(m), depth - 1)).sum(),
        }
    }

    #[test]
    fn perft_is_as_published() {
        let counts = [4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288];
        for (depth, &count) in (1..).zip(&counts) {
            assert_eq!(perft(&Othello::start(), depth), count, "depth {depth}");
        }
    }

    #[test]
    fn four_plies_have_244_ends() {
        assert_eq!(Othello::openings(4).len(), 244);
    }

    #[test]
    fn a_side_that_cannot_move_passes() {
        // White has a1 and b1; black's only disc on c1 ... and nothing to turn for white.
        let position = Othello { own: 0b10, foe: 0b1, black: false };
        assert_eq!(placements(position.own, position.foe), 0);
        assert_eq!(placements(position.foe, position.own), 0b100);
        assert_eq!(position.moves(), [PASS]);
        let passed = position.play(PASS);
        assert_eq!((passed.own, passed.foe, passed.black), (0b1, 0b10, true));
        assert_eq!(passed.play(2).margin(), -3);
        assert!(passed.play(2).moves().is_empty());
        assert_eq!(passed.play(2).evaluate(), -FINAL - 300);
    }

    #[test]
    fn different_positions_have_different_keys() {
        let mut keys = HashMap::new();
        for plies in 0..7 {
            for position in Othello::openings(plies) {
                let known = *keys.entry(position.key()).or_insert(position);
                assert_eq!(known, position);
            }
        }
        let passed = Othello { black: false, ..Othello::start() };
        assert!(!keys.contains_key(&passed.key()));
    }
}
