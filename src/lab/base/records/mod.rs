//! Measurements on disk: rows that are appended as they are finished, from which a run resumes after an
//! interruption, distinguished by the work, the program and the machine that they come from.
//!
//! | file | what it does |
//! |---|---|
//! | [`journal`] | appending rows to a file; resuming it after an interruption |
//! | [`head`] | comment lines at the beginning of a file that say which work it holds |
//! | [`rows`] | rows as CSV (serde) |
//! | [`in_order`] | results of worker threads in the order of their numbers |
//! | [`json_file`] | a result as JSON |
//! | [`mod@file`] | files that are replaced as a whole |
//! | [`disk`] | file operations of the system; for tests, `failing`: a disk on which one fails |
//! | `test_folder` | for tests: a folder that goes with its test |
//! | [`lock`] | the lock of a file that is written, one for all commands |
//! | [`identity`] | which paths lead to one file |
//! | [`fingerprint`] | digests of contents and of the program |
//! | [`machine`] | processor, cores, date |
//!
//! The folder that writes rows defines their meaning.

pub mod disk;
#[cfg(test)]
pub(in crate::lab) mod failing;
pub mod file;
pub mod fingerprint;
pub mod head;
pub mod identity;
pub mod in_order;
pub mod journal;
pub mod json_file;
pub mod lock;
pub mod machine;
pub mod rows;
#[cfg(test)]
pub(in crate::lab) mod test_folder;
