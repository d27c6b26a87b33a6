//! The tables of MTD-opt, as `plumb lab optimal` has solved them.

use super::optimal::{CLASSES, ClassBounds, OptimalTable};

/// Full-width search with bounds of one unit.
pub static PAPER: OptimalTable = OptimalTable {
    cell: 1,
    drift: 0,
    changes: [10, 40],
    classes: [ClassBounds::uniform(0, 1, 0, 0); CLASSES],
};

/// Selective search on a grid.
pub static PLAY: OptimalTable = OptimalTable {
    cell: 16,
    drift: 0,
    changes: [10, 40],
    classes: [ClassBounds::uniform(0, 1, 0, 0); CLASSES],
};
