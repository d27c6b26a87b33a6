//! One search, pass by pass: the record of a driver's passes, a table of several of them, and a page of
//! pictures. A library for `plumb trace` and for other pages.
//!
//! | file | what it does |
//! |---|---|
//! | [`mod@record`] | a search with every pass of every iteration |
//! | [`mod@page`] | the page |
//! | `drawing` | its pictures: bounds and moves made by pass |
//! | [`mod@root`] | the root of a recorded search |
//! | [`error`] | errors of recording a search, also by [`tree`](super::tree) |
//! | `command` | `plumb trace` itself |
//!
//! Only the command prints, reads files or handles Ctrl-C: the caller of a recording says when to stop.

#[cfg(feature = "lab")]
pub mod arguments;
#[cfg(feature = "lab")]
pub mod command;
mod drawing;
pub mod error;
pub mod page;
pub mod record;
pub mod root;

use crate::lab::base::pages::table::{Table, count};
use record::{Trace, pawns};

/// A row for each driver.
#[must_use]
pub fn table(traces: &[Trace]) -> Table {
    let mut table = Table::new(1, ["backend", "value", "move", "passes", "moves made", "last iteration"]);
    for trace in traces {
        table.row([
            trace.backend.to_string(),
            pawns(trace.value),
            trace.line.first().cloned().unwrap_or_default(),
            trace.last_iteration().len().to_string(),
            count(trace.passes.last().map_or(0, |pass| pass.nodes)),
            count(trace.nodes_by_pass().iter().sum()),
        ]);
    }
    table
}
