//! `plumb analyse`: games annotated with scores, marks and better lines, as PGN, JSON and a page.
//!
//! | file | what it does |
//! |---|---|
//! | [`command`] | the run: read, search, write in order, resume after an interruption |
//! | [`source`] | the games of the input, on a thread of its own |
//! | [`positions`] | the positions of a game, and the result of a search of one |
//! | [`search`] | the searches of a game, from its end to its beginning |
//! | [`marks`] | judgement of moves: losses, marks, accuracy |
//! | [`openings`] | names of openings, and where the book ends |
//! | [`annotated`] | a game with its annotations |
//! | [`record`] | finished games on disk |
//! | [`output`] | the files |
//! | [`writer`], [`variation`] | PGN |
//! | [`json`] | JSON |
//! | [`page`], [`curve`] | the page, and the curve of a game on it |
//! | [`summary`] | tables of games and players |
//!
//! In memory are the games under way, four for every job, and a bounded number of rows and sections of the
//! page, however many games there are.

pub mod annotated;
pub mod arguments;
pub mod command;
pub mod curve;
pub mod json;
pub mod marks;
pub mod openings;
pub mod output;
pub mod page;
pub mod positions;
pub mod record;
#[cfg(test)]
mod sample;
pub mod search;
pub mod source;
pub mod summary;
pub mod variation;
pub mod writer;
