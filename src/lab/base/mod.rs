//! Base of the laboratory: output, files, numbers, pages and the formats of others, which know nothing of matches or
//! experiments.

pub mod formats;
pub mod pages;
pub mod records;
pub mod statistics;
pub mod terminal;
