//! `plumb lab`: the papers' experiments, measured again, and the report on their claims.
//!
//! | file | what it does |
//! |---|---|
//! | [`command`] | the command: run, join, report |
//! | [`experiment`] | an experiment: units of work, rows, claims, verdicts |
//! | [`work`] | resources of a unit, and the reasons for which it ends without rows |
//! | [`experiments`] | the papers' experiments, one per file |
//! | [`rows_file`] | rows on disk, one file per experiment |
//! | [`findings`] | claims and tables as Markdown |
//! | [`claims_file`] | all claims as the marked part of a Markdown file |
//! | [`bibliography`] | the papers and their short names |
//! | [`export`] | rows and claims as plain CSV |
//! | [`diff`] | the claims of two folders that differ |
//! | [`page`] | the report as an HTML page |

pub mod arguments;
pub mod bibliography;
pub mod claims_file;
pub mod command;
pub mod diff;
pub mod experiment;
pub mod experiments;
pub mod export;
pub mod findings;
pub mod page;
pub mod points;
pub mod rows_file;
pub mod work;

pub use experiments::all;
