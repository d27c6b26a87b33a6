//! The frame of an HTML page: its style, escaping, and tables. Pages stand alone: no scripts, nothing from outside.

use super::table::Table;
use std::fmt::Write as _;

/// How a page looks.
pub const STYLE: &str = include_str!("page.css");

/// Text that cannot be mistaken for markup.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // Other control characters may not occur in XML at all.
            control if control.is_control() && control != '\n' => safe.push(' '),
            other => safe.push(other),
        }
    }
    safe
}

/// Writes a table; its columns of words are aligned to the left.
pub fn write_table(html: &mut String, table: &Table) {
    html.push_str("<div class=\"wide\"><table class=\"numbers\">\n");
    for (index, row) in table.rows().iter().enumerate() {
        let cell = if index == 0 { "th" } else { "td" };
        html.push_str(if index == 0 { "<thead><tr>" } else { "<tr>" });
        for (column, text) in row.iter().enumerate() {
            let class = if column < table.words() { " class=\"word\"" } else { "" };
            let _ = write!(html, "<{cell}{class}>{}</{cell}>", escape(text));
        }
        html.push_str(if index == 0 { "</tr></thead>\n<tbody>\n" } else { "</tr>\n" });
    }
    html.push_str("</tbody></table></div>\n");
}
