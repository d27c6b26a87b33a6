//! The experiments of `plumb lab`, one a file: each repeats a table or figure of a paper.

pub mod best_first;

use super::experiment::Experiment;

/// Every experiment, in the order of the report.
#[must_use]
pub fn all() -> Vec<&'static dyn Experiment> {
    vec![&best_first::BestFirstMatches]
}
