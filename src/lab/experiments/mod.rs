//! The experiments of `plumb lab`, one a file: each repeats a table or figure of a paper.

pub mod chess;
pub mod limit;
pub mod memory;
pub mod ordering;
pub mod searches;

use super::experiment::Experiment;

/// Every experiment, in the order of the report.
#[must_use]
pub fn all() -> Vec<&'static dyn Experiment> {
    vec![&chess::Chess, &ordering::Ordering, &memory::Memory, &limit::Limit]
}
