//! Games played, kept and learnt from: the referee, matches, self-play, tuning and training.

pub mod archive;
pub mod books;
pub mod datagen;
pub mod matches;
pub mod referee;
pub mod training;
pub mod tuning;
