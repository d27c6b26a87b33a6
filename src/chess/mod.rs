//! Chess rules for a search: positions with Zobrist keys, staged move generation, SEE, the scale of scores,
//! opening books, Syzygy tablebases.
//!
//! shakmaty supplies board and rules. Nothing here depends on the search.

pub mod book;
pub mod game;
pub mod movegen;
pub mod position;
pub mod score;
pub mod see;
pub mod syzygy;

pub use position::Position;
