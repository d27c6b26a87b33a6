//! `plumb compare`: leaves, nodes, passes and moves made by every backend over the same positions, relative
//! to Aspiration NegaScout.
//!
//! | file | what it does |
//! |---|---|
//! | [`compare`] | the command |
//! | [`verify`] | `plumb compare --verify`: every backend must find Alpha-Beta's value from any guess |
//! | [`measure`] | counts of one search, iteration by iteration |
//! | [`record`] | raw counts on disk |
//! | [`report`] | tables of ratios |
//! | [`json`] | the same as JSON |

pub mod arguments;
pub mod compare;
pub mod json;
pub mod measure;
pub mod record;
pub mod report;
pub mod verify;
