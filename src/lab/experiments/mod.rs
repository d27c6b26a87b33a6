//! The experiments of `plumb lab`, one a file: each repeats a table or figure of a paper.

use super::experiment::Experiment;

pub mod trees;

/// Every experiment, in the order of the report.
#[must_use]
pub fn all() -> Vec<&'static dyn Experiment> {
    vec![&trees::Trees]
}
