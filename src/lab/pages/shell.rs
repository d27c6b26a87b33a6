//! HTML page: document, head, style sheet, header, main part and tables, written with maud, which escapes text by
//! itself. A page is complete in itself: it runs no scripts and loads nothing.

use super::table::Table;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Style sheet of every page: light and dark, screen and paper.
const STYLE: &str = include_str!("page.css");

/// A page around its content.
pub struct Shell<'a> {
    /// Title of the browser's window.
    pub title: &'a str,
    /// Heading of the page.
    pub heading: &'a str,
    /// Line below the heading: program, date, machine.
    pub about: &'a str,
    /// Style sheets that this page needs besides the common one.
    pub styles: &'a [&'a str],
}

impl Shell<'_> {
    /// The document with `content` as its main part.
    #[must_use]
    pub fn document(&self, content: &Markup) -> String {
        let document = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) }
                    style { (PreEscaped(STYLE)) @for style in self.styles { (PreEscaped(style)) } }
                }
                body {
                    header { h1 { (self.heading) } p.about { (self.about) } }
                    main { (content) }
                }
            }
        };
        document.into_string() + "\n"
    }
}

/// A table; its columns of words are aligned to the left.
#[must_use]
pub fn table(table: &Table) -> Markup {
    let word = |column: usize| (column < table.words()).then_some("word");
    let (headings, rows) = table.rows().split_at(1);
    html! {
        div.wide {
            table.numbers {
                thead {
                    @for row in headings {
                        tr { @for (column, text) in row.iter().enumerate() { th class=[word(column)] { (text) } } }
                    }
                }
                tbody {
                    @for row in rows {
                        tr { @for (column, text) in row.iter().enumerate() { td class=[word(column)] { (text) } } }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_style_sheets_are_not() {
        let shell = Shell { title: "<t>", heading: "<h>", about: "a & b", styles: &["b > i {}"] };
        let page = shell.document(&html! { p { "<p>" } });
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{page}");
        for wanted in
            ["<title>&lt;t&gt;<", "<h1>&lt;h&gt;<", ">a &amp; b<", "b > i {}</style>", "<p>&lt;p&gt;<"]
        {
            assert!(page.contains(wanted), "'{wanted}' is missing in\n{page}");
        }
    }

    #[test]
    fn columns_of_words_are_marked() {
        let mut own = Table::new(1, ["name", "a<b"]);
        own.row(["x&y", "1"]);
        let markup = table(&own).into_string();
        assert!(markup.contains("<tr><th class=\"word\">name</th><th>a&lt;b</th></tr></thead>"), "{markup}");
        assert!(markup.contains("<tbody><tr><td class=\"word\">x&amp;y</td><td>1</td></tr>"), "{markup}");
    }
}
