//! The experiments of `plumb lab`, one a file: each repeats a table or figure of a paper.

pub mod real;
pub mod replacement;

use super::experiment::Experiment;

/// Every experiment, in the order of the report.
#[must_use]
pub fn all() -> Vec<&'static dyn Experiment> {
    vec![&real::Real, &replacement::Schemes]
}
