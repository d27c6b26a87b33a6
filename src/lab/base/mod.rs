//! Base of the laboratory: output, files, numbers, pages and the formats of others, which know nothing of
//! matches or experiments.

pub mod formats;
pub mod pages;
#[cfg(feature = "lab")]
pub mod records;
#[cfg(feature = "lab")]
pub mod statistics;
#[cfg(feature = "lab")]
pub mod terminal;
