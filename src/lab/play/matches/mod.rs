//! Matches between settings of the engine, in one process, and against other engines; round robins and
//! gauntlets of several. Games are played by [`crate::lab::play::referee`].
//!
//! | file | what it does |
//! |---|---|
//! | [`tournament`] | `plumb tournament`: the command |
//! | [`plan`] | players, schedule, conditions and length by the words of the command line |
//! | [`schedule`] | the two players of every pair of games, and its opening |
//! | [`tally`] | the results so far, and the files that they go to |
//! | [`player`] | the players by the words of the command line |
//! | [`uci_engine`] | a UCI engine in a process of its own |
//! | [`pair`] | two games of an opening, colours reversed |
//! | [`pair_record`] | finished pairs on disk |
//! | [`pgn_writer`] | the games as PGN |
//! | [`report`] | the result of a match as text and JSON |
//! | [`cross_report`] | that of more players: standings, ratings, cross table |

pub mod arguments;
pub mod cross_report;
pub mod pair;
pub mod pair_record;
pub mod pgn_writer;
pub mod plan;
pub mod player;
pub mod report;
pub mod schedule;
pub mod tally;
pub mod tournament;
pub mod uci_engine;
