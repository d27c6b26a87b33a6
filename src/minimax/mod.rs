//! Values and bounds, no chess: the drivers of the papers over anything that can answer a test.

pub mod replacement;
