//! Experiments of our own: questions that the papers leave open. They re-measure no paper, and their claims
//! are counted apart.

pub mod slope;

use super::experiment::AnyExperiment;

/// Every experiment of our own, in the order of the report.
#[must_use]
pub fn all() -> Vec<&'static dyn AnyExperiment> {
    vec![&slope::Slope]
}
