//! Experiments and analyses: the papers' experiments, test suites, node counts, annotated games, and pictures
//! of searches.

#[cfg(feature = "lab")]
pub mod analyse;
#[cfg(feature = "lab")]
pub mod chart;
#[cfg(feature = "lab")]
pub mod counting;
#[cfg(feature = "lab")]
pub mod papers;
#[cfg(feature = "lab")]
pub mod suites;
pub mod trace;
pub mod tree;
