//! Searches studied: the papers' experiments, test suites, node counts, and pictures of searches.

pub mod chart;
pub mod counting;
pub mod papers;
pub mod suites;
pub mod trace;
pub mod tree;
