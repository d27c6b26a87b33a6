//! The solved tables as source text, for `crates/minimax/src/optimal_table.rs`.

use crate::minimax::optimal::{ClassBounds, OptimalTable};
use std::fmt::Write as _;

/// The head of the file.
const HEAD: &str = "//! The tables of MTD-opt, as `plumb lab optimal` has solved them (`optimal_table.rs` in its folder).\n\n\
                    use super::optimal::{ClassBounds, OptimalTable};\n";

/// The source of tables, each with its name and its first line of documentation.
pub fn source(tables: &[(&str, &str, &OptimalTable)]) -> String {
    let mut text = HEAD.to_owned();
    for (name, about, table) in tables {
        let OptimalTable { cell, drift, changes, classes } = table;
        let _ = write!(
            text,
            "\n/// {about}\n#[rustfmt::skip]\npub static {name}: OptimalTable = OptimalTable {{\n    \
             cell: {cell},\n    drift: {drift},\n    changes: {changes:?},\n    classes: [\n"
        );
        classes.iter().for_each(|bounds| text += &class(bounds));
        text += "    ],\n};\n";
    }
    text
}

fn class(bounds: &ClassBounds) -> String {
    let ClassBounds { first, up, down, from_lower, from_upper } = bounds;
    let rows = |rows: &[[i16; crate::minimax::optimal::WIDTHS]]| -> String {
        rows.iter().map(|row| format!("                {row:?},\n")).collect()
    };
    format!(
        "        ClassBounds {{\n            first: {first},\n            up: {up:?},\n            down: {down:?},\n            \
         from_lower: [\n{}            ],\n            from_upper: [\n{}            ],\n        }},\n",
        rows(from_lower),
        rows(from_upper)
    )
}
