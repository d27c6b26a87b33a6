//! `plumb compare`: what the backends count (leaves, nodes, passes, moves made) over the same positions, relative to
//! Aspiration NegaScout.
//!
//! | file | what it does |
//! |---|---|
//! | [`compare`] | the command |
//! | [`verify`] | `plumb compare --verify`: every backend must find Alpha-Beta's value from every first guess |
//! | [`measure`] | one search and what it counted, iteration by iteration |
//! | [`record`] | raw counts on disk |
//! | [`report`] | from raw counts to tables of ratios |

pub mod compare;
pub mod measure;
pub mod record;
pub mod report;
pub mod verify;
