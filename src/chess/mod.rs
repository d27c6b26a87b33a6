//! The rules of chess, and what a search needs to know of them at every node.
//!
//! shakmaty supplies board and rules; here stand the incremental key, the staged generator, the exchange
//! evaluation, the scale of scores, opening books and endgame tables. Nothing here knows that there is a search.

pub mod book;
pub mod game;
pub mod movegen;
pub mod position;
pub mod score;
pub mod see;
pub mod syzygy;

pub use position::Position;
