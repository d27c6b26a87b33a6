//! The experiments of `plumb lab`, one per file: each repeats a table or figure of a paper. `drivers`,
//! `fixed_depth` and `searches` are what several of them share: claims on the drivers, searches of textbook
//! games to a depth, and rows of searches with their ratios.

pub mod best_first;
pub mod best_node;
pub mod checkers;
pub mod chess;
pub mod drivers;
pub mod fixed_depth;
pub mod guess;
pub mod limit;
pub mod memory;
pub mod ordering;
pub mod othello;
pub mod real;
pub mod replacement;
pub mod searches;
pub mod times;
pub mod trees;

use super::experiment::AnyExperiment;

/// Every experiment of the papers, in the order of the report.
#[must_use]
pub fn all() -> Vec<&'static dyn AnyExperiment> {
    vec![
        &chess::Chess,
        &othello::OTHELLO,
        &checkers::CHECKERS,
        &times::Times,
        &guess::Guess,
        &ordering::Ordering,
        &memory::TableSize,
        &replacement::Schemes,
        &trees::Trees,
        &best_first::BestFirstMatches,
        &best_node::BestNode,
        &real::Real,
        &limit::MinimalGraphs,
    ]
}
