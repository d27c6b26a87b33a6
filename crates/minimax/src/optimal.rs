//! MTD-opt: the null windows of least expected cost, read from a table that a dynamic programme has solved.
//!
//! From measured frequencies of value changes between iterations, and costs of tests by direction and
//! distance, the dynamic programme computes the bound of least expected cost for every bracket. It is not
//! part of this crate, which has the solved tables ([`super::optimal_table`]). Distances are in steps of the
//! grid for which the table was solved; a bracket without a multiple of that grid inside is closed.

use super::driver::{Bracket, MtdF, Policy};
use std::fmt;

/// Distances, in grid steps, at which the table has entries.
pub const KNOTS: [i32; 9] = [0, 1, 2, 4, 8, 16, 32, 64, 128];

/// Entries for a signed distance: those of [`KNOTS`] and their negatives.
pub const PLACES: usize = 2 * KNOTS.len() - 1;

/// Entries for the width of a bracket: that of one grid step needs no further test.
pub const WIDTHS: usize = KNOTS.len() - 1;

/// Classes of iterations, by how far the last one moved.
pub const CLASSES: usize = 3;

/// Numbers of a class: the first bound, two steps a place, and two bounds a place and width.
pub const NUMBERS: usize = 1 + 2 * PLACES + 2 * PLACES * WIDTHS;

/// Steps of a thousandth: the unit of bounds inside a bracket.
const WHOLE: i64 = 1000;

/// The bounds for one class of iterations. Places are distances from the centre, as [`place`] numbers them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ClassBounds {
    /// The first bound: grid steps above the centre.
    pub first: i16,
    /// By the place of f-, while nothing has failed low: grid steps from f- up to the next bound, at least 1.
    pub up: [i16; PLACES],
    /// By the place of f+, while nothing has failed high: grid steps from f+ down to the next bound, at least
    /// 0.
    pub down: [i16; PLACES],
    /// By the place of f- and the width, where f- is the end of the bracket nearer to the centre: the bound
    /// between the lowest possible one (0) and the highest (1000).
    pub from_lower: [[i16; WIDTHS]; PLACES],
    /// The same by the place of f+, where that is the nearer end.
    pub from_upper: [[i16; WIDTHS]; PLACES],
}

/// Solution of the dynamic programme: the next bound for every bracket.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct OptimalTable {
    /// Width of a grid step in units of value.
    pub cell: i32,
    /// The centre: the guess, plus so many per cent of the change of the last iteration.
    pub drift: i32,
    /// The greatest change of the last iteration, in units, of every class but the last.
    pub changes: [i32; CLASSES - 1],
    /// The bounds of every class.
    pub classes: [ClassBounds; CLASSES],
}

impl fmt::Debug for OptimalTable {
    /// A checksum in place of all numbers: settings are written into the heads of files.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = self.classes.iter().flat_map(ClassBounds::numbers);
        let sum = numbers.fold(0_u32, |sum, number| sum.wrapping_mul(31).wrapping_add(number as u32));
        write!(f, "OptimalTable({} {} {:?} {sum:08x})", self.cell, self.drift, self.changes)
    }
}

/// The number of the place nearest to a signed distance in grid steps.
#[must_use]
pub fn place(distance: i32) -> usize {
    let (middle, knot) = (KNOTS.len() - 1, knot(distance.unsigned_abs()));
    if distance < 0 { middle - knot } else { middle + knot }
}

/// The number of the knot nearest to a distance.
fn knot(distance: u32) -> usize {
    let nearer = |pair: &[i32]| 2 * u64::from(distance) > (pair[0] + pair[1]) as u64;
    KNOTS.windows(2).take_while(|pair| nearer(pair)).count()
}

impl ClassBounds {
    /// The same bounds everywhere: the first one and both distances in grid steps, the share of a bracket in
    /// thousandths.
    #[must_use]
    pub const fn uniform(first: i16, up: i16, down: i16, share: i16) -> ClassBounds {
        ClassBounds {
            first,
            up: [up; PLACES],
            down: [down; PLACES],
            from_lower: [[share; WIDTHS]; PLACES],
            from_upper: [[share; WIDTHS]; PLACES],
        }
    }

    /// The bounds with these entries, in the order of [`ClassBounds::numbers`].
    #[must_use]
    pub const fn of(numbers: &[i16; NUMBERS]) -> ClassBounds {
        let mut bounds = ClassBounds::uniform(numbers[0], 0, 0, 0);
        let mut place = 0;
        while place < PLACES {
            bounds.up[place] = numbers[1 + place];
            bounds.down[place] = numbers[1 + PLACES + place];
            let mut width = 0;
            while width < WIDTHS {
                let at = 1 + 2 * PLACES + place * WIDTHS + width;
                bounds.from_lower[place][width] = numbers[at];
                bounds.from_upper[place][width] = numbers[at + PLACES * WIDTHS];
                width += 1;
            }
            place += 1;
        }
        bounds
    }

    /// The entries in one order.
    pub fn numbers(&self) -> impl Iterator<Item = i16> {
        let inside = self.from_lower.iter().chain(&self.from_upper).flatten();
        std::iter::once(&self.first).chain(&self.up).chain(&self.down).chain(inside).copied()
    }

    /// The next bound in grid steps above the centre. `lower` and `upper` are those of f- and f+ as far as
    /// they were found by a test, `lower < upper`.
    #[must_use]
    pub fn next(&self, lower: Option<i32>, upper: Option<i32>) -> i32 {
        match (lower, upper) {
            (None, None) => i32::from(self.first),
            (Some(lower), None) => lower + farther(self.up[place(lower)], lower).max(1),
            (None, Some(upper)) => upper - farther(self.down[place(upper)], upper).max(0),
            (Some(lower), Some(upper)) => self.inside(lower, upper),
        }
    }

    fn inside(&self, lower: i32, upper: i32) -> i32 {
        let width = upper - lower;
        let column = knot(width.unsigned_abs()).clamp(1, WIDTHS) - 1;
        let share = if lower.abs() <= upper.abs() {
            self.from_lower[place(lower)][column]
        } else {
            self.from_upper[place(upper)][column]
        };
        let cells = (i64::from(share) * i64::from(width - 1) + WHOLE / 2) / WHOLE;
        lower + 1 + cells.clamp(0, i64::from(width - 1)) as i32
    }
}

/// A step at a distance from the centre. Beyond the last place it grows with the distance, of which it is at
/// least half, so that a mate is reached in a few tests.
fn farther(step: i16, distance: i32) -> i32 {
    let (last, distance) = (KNOTS[KNOTS.len() - 1], distance.abs());
    let step = i32::from(step);
    if distance > last { (step.saturating_mul(distance) / last).max(distance / 2) } else { step }
}

impl OptimalTable {
    /// The same bounds everywhere: the first one and both distances in grid steps, the share of a bracket in
    /// thousandths.
    #[must_use]
    pub const fn uniform(cell: i32, first: i16, step: i16, share: i16) -> OptimalTable {
        let bounds = ClassBounds::uniform(first, step, step, share);
        OptimalTable { cell, drift: 0, changes: [0; CLASSES - 1], classes: [bounds; CLASSES] }
    }

    /// The bounds for an iteration after one that changed by `change` units.
    #[must_use]
    pub fn class(&self, change: i32) -> usize {
        self.changes.iter().take_while(|&&most| change.abs() > most).count()
    }

    /// The value about which the bounds are arranged, in units.
    #[must_use]
    pub fn centre(&self, guess: i32, change: i32) -> i32 {
        let drift = (i64::from(self.drift) * i64::from(change) / 100).clamp(-10_000, 10_000);
        guess.saturating_add(drift as i32)
    }
}

/// MTD-opt: the next bound is the one of least expected cost.
#[derive(Clone, Copy, Debug)]
pub struct Optimal<'t> {
    /// The table.
    pub table: &'t OptimalTable,
    /// The change of the value in the last iteration, in units.
    pub change: i32,
}

impl Policy<i32> for Optimal<'_> {
    fn next(&self, b: &Bracket<i32>) -> Option<i32> {
        let fallback = MtdF.next(b)?;
        let cell = self.table.cell.max(1);
        let middle = self.table.centre(b.guess, self.change).div_euclid(cell);
        let from_middle = |value: i32| value.div_euclid(cell) - middle;
        let found = (b.found_lower(), b.found_upper());
        let (lower, upper) = (found.0.map(from_middle), found.1.map(from_middle));
        if lower.is_some() && lower == upper {
            return Some(fallback);
        }
        let bound = self.table.classes[self.table.class(self.change)].next(lower, upper);
        let bound = bound.saturating_add(middle).saturating_mul(cell);
        Some(bound.clamp(b.lower + 1, b.upper))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_belongs_to_the_nearest_place() {
        let knots = [0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 96, 97, 9999].map(knot);
        assert_eq!(knots, [0, 1, 2, 2, 3, 3, 3, 4, 4, 5, 7, 8, 8]);
        assert_eq!([-128, -1, 0, 1, 128].map(place), [0, 7, 8, 9, 16]);
    }

    #[test]
    fn every_bound_lies_within_its_bracket() {
        for bounds in [ClassBounds::uniform(3, 0, -4, 2000), ClassBounds::uniform(-3, 9, 700, -5)] {
            for lower in (-700..700).step_by(13) {
                assert!(bounds.next(Some(lower), None) > lower);
                assert!(bounds.next(None, Some(lower)) <= lower);
                for width in [1, 2, 3, 10, 99, 2000] {
                    let bound = bounds.next(Some(lower), Some(lower + width));
                    assert!(lower < bound && bound <= lower + width, "{lower} {width}: {bound}");
                }
            }
        }
    }

    #[test]
    fn far_from_the_centre_steps_grow() {
        let bounds = ClassBounds::uniform(0, 1, 1, 0);
        assert_eq!(bounds.next(Some(100), None), 101);
        assert_eq!(bounds.next(Some(5000), None), 7500);
        assert_eq!(bounds.next(None, Some(-5000)), -7500);
    }

    #[test]
    fn the_last_change_chooses_the_class_and_moves_the_centre() {
        let table = OptimalTable { drift: -50, changes: [10, 40], ..OptimalTable::uniform(1, 0, 1, 0) };
        assert_eq!([0, 10, -11, 40, 41, -900].map(|change| table.class(change)), [0, 0, 1, 1, 2, 2]);
        assert_eq!((table.centre(30, 20), table.centre(30, -20)), (20, 40));
    }
}
