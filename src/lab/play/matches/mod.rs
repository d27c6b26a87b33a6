//! Matches between two settings of the engine, in one process, and against other engines. Games are played by
//! [`crate::lab::play::referee`].
//!
//! | file | what it does |
//! |---|---|
//! | [`tournament`] | `plumb tournament`: the command |
//! | [`player`] | the players by the words of the command line |
//! | [`uci_engine`] | a UCI engine in a process of its own |
//! | [`pair`] | two games of an opening, colours reversed |
//! | [`pair_record`] | finished pairs on disk |
//! | [`pgn_writer`] | the games as PGN |
//! | [`report`] | the result as text and JSON |

pub mod arguments;
pub mod pair;
pub mod pair_record;
pub mod pgn_writer;
pub mod player;
pub mod report;
pub mod tournament;
pub mod uci_engine;
