//! The network (NNUE): an evaluation learnt from the engine's own games.

pub mod architecture;

pub use architecture::{Activation, Architecture, KingBuckets, View};
