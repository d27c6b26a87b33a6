//! Text formats that other programs write and read: EPD, SAN, PGN, and positions with results for tuning.
//!
//! | file | what it does |
//! |---|---|
//! | [`epd`] | EPD: positions with operations |
//! | [`points`] | points for moves, as the Strategic Test Suite gives them |
//! | [`san`] | moves in SAN, with its dialects |
//! | [`pgn`] | PGN: games |
//! | [`labelled`] | quiet positions with the result of their game |
//!
//! Readers accept common deviations and never panic; writers keep to the standard.

pub mod epd;
pub mod labelled;
pub mod pgn;
pub mod points;
pub mod san;
