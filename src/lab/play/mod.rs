//! Games and their uses: the referee, matches, self-play, files of games, tuning, training and opening books.

pub mod archive;
pub mod books;
pub mod datagen;
pub mod matches;
pub mod referee;
pub mod training;
pub mod tuning;
