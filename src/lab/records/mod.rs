//! Measurements on disk: kept as they come, taken up again after a break, and told apart by the program and the
//! machine that they come from.
//!
//! | file | what it does |
//! |---|---|
//! | [`journal`] | a file of lines that a broken-off run goes on from |
//! | [`mod@file`] | files that are written whole or not at all |
//! | [`fingerprint`] | which work and which program a file belongs to |
//! | [`machine`] | processor, cores, date |
//!
//! What the lines of a file mean is decided by the room that writes them.

pub mod file;
pub mod fingerprint;
pub mod journal;
pub mod machine;
