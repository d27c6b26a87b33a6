//! The tables of MTD-opt, included from the data file `optimal_table.in`, whose head says how they were
//! computed.

use super::optimal::{CLASSES, ClassBounds, NUMBERS, OptimalTable};

/// The numbers of both tables, class by class.
const SOLVED: [[[i16; NUMBERS]; CLASSES]; 2] = include!("optimal_table.in");

/// Full-width search with bounds of one unit.
pub static PAPER: OptimalTable =
    OptimalTable { cell: 1, drift: -30, changes: [4, 19], classes: classes(&SOLVED[0]) };

/// Selective search on the grid.
pub static PLAY: OptimalTable =
    OptimalTable { cell: 16, drift: 0, changes: [5, 17], classes: classes(&SOLVED[1]) };

const fn classes([small, middling, great]: &[[i16; NUMBERS]; CLASSES]) -> [ClassBounds; CLASSES] {
    [ClassBounds::of(small), ClassBounds::of(middling), ClassBounds::of(great)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The checksums are those of the tables that the solver wrote as source text.
    #[test]
    fn the_tables_are_those_that_were_solved() {
        assert_eq!(format!("{PAPER:?}"), "OptimalTable(1 -30 [4, 19] f44be7d9)");
        assert_eq!(format!("{PLAY:?}"), "OptimalTable(16 0 [5, 17] 648643b3)");
    }

    #[test]
    fn the_numbers_of_a_class_are_read_in_the_order_in_which_they_are_listed() {
        for (table, solved) in [&PAPER, &PLAY].into_iter().zip(&SOLVED) {
            for (bounds, numbers) in table.classes.iter().zip(solved) {
                assert!(bounds.numbers().eq(numbers.iter().copied()));
            }
        }
    }
}
