//! HTML page: document, head, style sheet, header, main part and tables, written with maud, which escapes
//! text by itself. A page is complete in itself: it loads nothing, and only the page of `plumb trace --tree`
//! runs a script, its own.

use super::table::Table;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Colours of pages, charts and boards as CSS variables, on a light and on a dark background: the classes
/// `c0` to `c9` set the colour `--c` of a series.
pub const PALETTE: &str = include_str!("palette.css");

/// Style sheet of cards, each with a board and what is said of it, and of their legend (`key`).
pub const CARDS: &str = include_str!("cards.css");

/// Style sheet of every page: screen and paper.
const STYLE: &str = include_str!("page.css");

/// A page around its content.
pub struct PageFrame<'a> {
    /// Title of the browser's window.
    pub title: &'a str,
    /// Heading of the page.
    pub heading: &'a str,
    /// Line below the heading: program, date, machine.
    pub about: &'a str,
    /// Style sheets that this page needs besides the common one.
    pub styles: &'a [&'a str],
}

impl PageFrame<'_> {
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
                    style {
                        (PreEscaped(PALETTE)) (PreEscaped(STYLE))
                        @for style in self.styles { (PreEscaped(style)) }
                    }
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
                        tr {
                            @for (column, text) in row.iter().enumerate() {
                                th class=[word(column)] { (text) }
                            }
                        }
                    }
                }
                tbody {
                    @for row in rows {
                        tr {
                            @for (column, text) in row.iter().enumerate() {
                                td class=[word(column)] { (text) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Checks that hold for every page.
#[cfg(test)]
pub mod checks {
    use std::collections::BTreeSet;

    /// The values of an attribute.
    fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
        let mark = format!(" {attribute}=\"");
        html.split(mark.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).collect()
    }

    /// Elements are closed, ids are unique, links inside the page lead somewhere, every picture has words for
    /// screen readers, and nothing is loaded or run.
    ///
    /// # Panics
    /// If one of these fails.
    pub fn sound(html: &str) {
        for tag in [
            "a", "article", "dd", "div", "dl", "figure", "g", "h2", "h3", "li", "nav", "ol", "p", "section",
            "span",
        ]
        .into_iter()
        .chain(["svg", "table", "tbody", "td", "text", "th", "thead", "title", "tr", "ul"])
        {
            let opened =
                html.matches(&format!("<{tag}>")).count() + html.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, html.matches(&format!("</{tag}>")).count(), "{tag} in {html}");
        }
        let ids = values(html, "id");
        let different: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), different.len(), "{ids:?}");
        for target in values(html, "href").iter().filter_map(|target| target.strip_prefix('#')) {
            assert!(different.contains(target), "#{target} leads nowhere");
        }
        for picture in html.split("<svg ").skip(1) {
            let (head, rest) = picture.split_once('>').unwrap();
            let titled =
                rest.trim_start().starts_with("<title>") && !rest.trim_start().starts_with("<title></");
            let labelled = values(head, "aria-label").iter().any(|label| !label.is_empty());
            let decoration = head.contains("aria-hidden=\"true\"");
            assert!(decoration || head.contains("role=\"img\"") && (titled || labelled), "{head}");
        }
        for wrong in ["NaN", "<script", "<link", " src=", "@import", "url("] {
            assert!(!html.contains(wrong), "{wrong}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_style_sheets_are_not() {
        let page_frame = PageFrame { title: "<t>", heading: "<h>", about: "a & b", styles: &["b > i {}"] };
        let page = page_frame.document(&html! { p { "<p>" } });
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
