//! Matches between two settings of the engine, in one process. Games are played by [`crate::engine::referee`].
//!
//! | file | what it does |
//! |---|---|
//! | [`tournament`] | `plumb tournament`: the command |
//! | [`pair`] | two games of an opening, colours reversed |
//! | [`pair_record`] | finished pairs on disk |
//! | [`report`] | the result as text and JSON |
//! | [`openings`] | positions from which games begin |

pub mod openings;
pub mod pair;
pub mod pair_record;
pub mod report;
pub mod tournament;
