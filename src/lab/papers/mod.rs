//! `plumb lab`: the papers' experiments, measured again, and the report on their claims.
//!
//! | file | what it does |
//! |---|---|
//! | [`study`] | the command: run, join, report |
//! | [`experiment`] | what an experiment is: units of work, rows, claims, verdicts |
//! | [`experiments`] | the experiments, one a file |
//! | [`ledger`] | rows on disk, an experiment a file |
//! | [`findings`] | what the rows say, as text |
//! | [`page`] | the same as a page for a browser |

pub mod experiment;
pub mod experiments;
pub mod findings;
pub mod ledger;
pub mod page;
pub mod study;
