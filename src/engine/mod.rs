//! One search after another: session, options, clock.
//!
//! Here the engine is complete, but speaks no language: the front ends above translate. Nothing here prints
//! to standard output or knows UCI.

pub mod options;

pub use options::Options;
