//! A middlegame and an endgame score in one integer.

use crate::chess::score::Value;
use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// A pair of scores in centipawns: what a feature is worth in the middlegame and in the endgame.
///
/// Packed as `(mg << 16) + eg`, so that a sum of pairs is one addition; each half must stay within 16 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct S(i32);

/// Writes a pair.
#[must_use]
pub(super) const fn s(mg: i32, eg: i32) -> S {
    S((mg << 16) + eg)
}

impl S {
    /// Nothing in either phase.
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

    /// Addition where operators are not allowed yet.
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
    fn the_halves_do_not_touch() {
        for (mg, eg) in [(0, 0), (1, -1), (-1, 1), (-300, -7), (12_000, -12_000), (-12_000, 12_000)] {
            let pair = s(mg, eg);
            assert_eq!((pair.mg(), pair.eg()), (mg, eg));
            let less = (S::ZERO - pair) * 2;
            assert_eq!((less.mg(), less.eg()), (-2 * mg, -2 * eg));
        }
    }
}
