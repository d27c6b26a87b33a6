//! Text formats that other programs write and read: EPD, SAN, PGN, positions with results for tuning, and
//! openings.
//!
//! | file | what it does |
//! |---|---|
//! | [`epd`] | EPD: positions with operations |
//! | [`points`] | points for moves, as the Strategic Test Suite gives them |
//! | [`san`] | moves in SAN, with its dialects |
//! | [`piece_letters`] | the letters of the pieces by language |
//! | [`pgn`] | PGN: games |
//! | [`openings`] | openings of matches: from such files, the built-in book, or random moves |
//! | [`position`] | positions of the command line |
//! | [`labelled`] | quiet positions with the result of their game |
//!
//! Readers accept common deviations and never panic.

pub mod epd;
#[cfg(feature = "lab")]
pub mod labelled;
#[cfg(feature = "lab")]
pub mod openings;
pub mod pgn;
pub mod piece_letters;
pub mod points;
pub mod position;
pub mod san;
