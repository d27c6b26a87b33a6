//! Tapered evaluation: a middlegame and an endgame score in one integer, and the game phase between them.

use crate::chess::score::Value;
use shakmaty::Board;
use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// The phase of a full board.
pub(super) const FULL_PHASE: Value = 24;

/// The game phase: the weight of the middlegame, out of [`FULL_PHASE`]. Minor pieces count 1, rooks 2, queens
/// 4.
pub(super) fn phase(board: &Board) -> Value {
    let phase =
        (board.knights() | board.bishops()).count() + 2 * board.rooks().count() + 4 * board.queens().count();
    FULL_PHASE.min(phase as Value)
}

/// A pair of scores in centipawns, for the middlegame and for the endgame.
///
/// Packed as `(mg << 16) + eg`, so that a sum of pairs is one addition; each half must stay within 16 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct S(i32);

/// The pair of a middlegame and an endgame score.
#[must_use]
pub(super) const fn s(mg: i32, eg: i32) -> S {
    S((mg << 16) + eg)
}

impl S {
    /// Zero in both halves.
    pub(super) const ZERO: S = S(0);

    /// The middlegame half.
    #[must_use]
    pub(super) const fn mg(self) -> Value {
        (self.0 + 0x8000) >> 16
    }

    /// The endgame half.
    #[must_use]
    pub(super) const fn eg(self) -> Value {
        self.0 as i16 as Value
    }

    /// The score between both halves for a game phase, in centipawns.
    #[must_use]
    pub(super) const fn taper(self, phase: Value) -> Value {
        (self.mg() * phase + self.eg() * (FULL_PHASE - phase)) / FULL_PHASE
    }

    /// Addition in constants, where operators are not allowed.
    #[must_use]
    pub(super) const fn plus(self, other: S) -> S {
        S(self.0 + other.0)
    }
}

impl Add for S {
    type Output = S;
    fn add(self, other: S) -> S {
        S(self.0 + other.0)
    }
}

impl Sub for S {
    type Output = S;
    fn sub(self, other: S) -> S {
        S(self.0 - other.0)
    }
}

impl Mul<i32> for S {
    type Output = S;
    fn mul(self, times: i32) -> S {
        S(self.0 * times)
    }
}

impl AddAssign for S {
    fn add_assign(&mut self, other: S) {
        self.0 += other.0;
    }
}

impl SubAssign for S {
    fn sub_assign(&mut self, other: S) {
        self.0 -= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_do_not_carry_into_each_other() {
        for (mg, eg) in [(0, 0), (1, -1), (-1, 1), (-300, -7), (12_000, -12_000), (-12_000, 12_000)] {
            let pair = s(mg, eg);
            assert_eq!((pair.mg(), pair.eg()), (mg, eg));
            let less = (S::ZERO - pair) * 2;
            assert_eq!((less.mg(), less.eg()), (-2 * mg, -2 * eg));
        }
    }
}
