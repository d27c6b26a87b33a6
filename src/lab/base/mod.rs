//! Base of the laboratory: output, files, statistics, pages and file formats of other programs. Nothing here
//! depends on matches or experiments.

pub mod formats;
pub mod pages;
#[cfg(feature = "lab")]
pub mod records;
#[cfg(feature = "lab")]
pub mod statistics;
#[cfg(feature = "lab")]
pub mod terminal;
