//! HTML page of the report: all claims with their verdicts, then a chapter for each experiment with its charts and
//! tables.

use super::experiment::{Claim, Verdict};
use super::findings::{Chapter, tally};
use crate::lab::pages::shell::{Shell, table};
use crate::lab::pages::svg::draw;
use maud::{Markup, PreEscaped, html};

/// Origin of a report, for the line below its heading.
pub struct About {
    /// Date and time at which it is drawn.
    pub date: String,
    /// Machine that draws it.
    pub machine: String,
}

/// The whole page.
#[must_use]
pub fn page(chapters: &[Chapter], about: &About) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let content = html! {
        (contents(chapters))
        (summary(chapters))
        @for one in chapters { (chapter(one)) }
    };
    let shell = Shell {
        title: "Plumb: the papers' claims, measured again",
        heading: "The papers’ claims, measured again",
        about: &format!("Plumb {version} · report of {} · {}", about.date, about.machine),
        styles: &[],
    };
    shell.document(&content)
}

/// Links to the chapters.
fn contents(chapters: &[Chapter]) -> Markup {
    html! {
        nav aria-label="Experiments" {
            ol {
                @for chapter in chapters {
                    li {
                        (link(chapter)) " "
                        span.soft { "(" (chapter.scale.name()) ", " (chapter.done) " of " (chapter.of) " units)" }
                    }
                }
            }
        }
    }
}

fn link(chapter: &Chapter) -> Markup {
    html! { a href={ "#" (chapter.name) } { (chapter.title) } }
}

/// The claims of all experiments in one table.
fn summary(chapters: &[Chapter]) -> Markup {
    let claims = || chapters.iter().flat_map(|chapter| &chapter.section.claims);
    html! {
        section #summary {
            h2 { "All claims" }
            p { (tally(claims())) }
            p.soft {
                "A claim " em { "holds" } " when it shows here as in the paper, " em { "partly" }
                " when sign or shape agree but not the size, " em { "does not hold" }
                " when our numbers contradict it, and stays " em { "open" }
                " when they cannot tell. Numbers in square brackets are 95 % intervals."
            }
            @if claims().next().is_none() { (no_claim()) } @else {
                (claim_table(html! {
                    @for chapter in chapters.iter().filter(|chapter| !chapter.section.claims.is_empty()) {
                        tr.group { th colspan="6" { (link(chapter)) } }
                        @for claim in &chapter.section.claims { (claim_row(claim)) }
                    }
                }))
            }
        }
    }
}

/// One experiment: its protocol, claims, charts, tables and runs.
fn chapter(chapter: &Chapter) -> Markup {
    let (section, file) = (&chapter.section, format!("{}.csv", chapter.name));
    html! {
        section.chapter id=(chapter.name) {
            h2 { (chapter.title) }
            @if let Some(gap) = chapter.gap() { p.gap { (gap) } }
            @for paragraph in &section.protocol { p { (prose(paragraph)) } }
            @if !section.claims.is_empty() {
                h3 { "Claims" }
                (claim_table(html! { @for claim in &section.claims { (claim_row(claim)) } }))
            }
            @for chart in &section.charts { figure { (PreEscaped(draw(chart))) } }
            @for (title, rows) in &section.tables {
                h3 { (title) }
                (table(rows))
            }
            p.soft { "Raw rows: " a href=(file) { (file) } ", scale " (chapter.scale.name()) "." }
            @if !chapter.runs.is_empty() {
                ul.soft { @for run in &chapter.runs { li { "Measured " (run) } } }
            }
        }
    }
}

fn no_claim() -> Markup {
    html! { p { "There is no claim yet." } }
}

fn claim_table(rows: Markup) -> Markup {
    html! {
        div.wide {
            table.claims {
                thead {
                    tr { th { "Source" } th { "Claim" } th { "Paper" } th { "Ours" } th { "Verdict" } th { "Why" } }
                }
                tbody { (rows) }
            }
        }
    }
}

/// A claim as a row. On a narrow screen every cell shows its `data-label` in place of the heading.
fn claim_row(claim: &Claim) -> Markup {
    let (class, mark) = look(claim.verdict);
    html! {
        tr {
            td data-label="Source" { (claim.source) }
            td data-label="Claim" { (prose(&claim.claim)) }
            td data-label="Paper" { (prose(&claim.paper)) }
            td data-label="Ours" { (prose(&claim.ours)) }
            td data-label="Verdict" {
                span class={ "verdict " (class) } { (mark) (NO_BREAK) (claim.verdict.name()) }
            }
            td data-label="Why" { (prose(&claim.why)) }
        }
    }
}

/// Space at which a line is not broken.
const NO_BREAK: char = '\u{a0}';

/// Text of sentences: a per cent sign stays on the line of its number, and text between backticks becomes code.
fn prose(text: &str) -> Markup {
    let text = text.replace(" %", &format!("{NO_BREAK}%"));
    let parts: Vec<&str> = text.split('`').collect();
    // An even number of parts has a backtick without a partner.
    if parts.len().is_multiple_of(2) {
        return html! { (text) };
    }
    html! {
        @for (index, part) in parts.iter().enumerate() {
            @if index.is_multiple_of(2) { (part) } @else { code { (part) } }
        }
    }
}

/// Class and mark of a verdict. The mark is for those who do not see the colours.
const fn look(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Holds => ("holds", "✓"),
        Verdict::Partly => ("partly", "≈"),
        Verdict::Fails => ("fails", "✗"),
        Verdict::Open => ("open", "?"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::study::sample;
    use super::*;

    fn about() -> About {
        About { date: "2026-01-01".to_owned(), machine: "<a & b>".to_owned() }
    }

    #[test]
    fn a_page_shows_chapters_claims_charts_and_machine() {
        let html = page(&[sample::chapter(2)], &about());
        for wanted in [
            "<h2>Squares of small numbers</h2>",
            "Incomplete: 2 of 4 units",
            "<a href=\"#squares\">Squares of small numbers</a></th>",
            "class=\"verdict holds\">✓\u{a0}holds<",
            "<svg ",
            "<a href=\"squares.csv\">",
            "1 claim: 1 holds, 0 partly, 0 do not hold, 0 open.",
            "&lt;a &amp; b&gt;",
        ] {
            assert!(html.contains(wanted), "'{wanted}' is missing in\n{html}");
        }
        for tag in ["section", "table", "tbody", "div", "svg", "figure", "p", "td", "tr"] {
            let opened =
                html.matches(&format!("<{tag}>")).count() + html.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, html.matches(&format!("</{tag}>")).count(), "{tag}");
        }
    }

    #[test]
    fn a_page_has_no_scripts_and_loads_nothing() {
        let html = page(&[sample::chapter(4)], &about());
        let without_names = html.replace("http://www.w3.org/2000/svg", "");
        assert!(!without_names.contains("http") && !html.contains("<script") && !html.contains("@import"));
    }

    #[test]
    fn text_is_escaped() {
        let mut chapter = sample::chapter(4);
        let evil = "<b onclick='x'>&\"".to_owned();
        chapter.runs.push(evil.clone());
        chapter.section.protocol.push(evil.clone());
        chapter.section.claims[0].claim = evil.clone();
        chapter.section.claims[0].why = evil.clone();
        chapter.section.tables[0].0 = evil.clone();
        chapter.section.tables[0].1.row([evil.clone(), evil]);
        let html = page(&[chapter], &about());
        assert!(!html.contains("<b ") && html.matches("&lt;b onclick='x'&gt;&amp;&quot;").count() == 9);
    }

    #[test]
    fn a_per_cent_sign_stays_with_its_number_and_backticks_become_code() {
        assert_eq!(prose("<5 % of `limit`").into_string(), "&lt;5\u{a0}% of <code>limit</code>");
        assert_eq!(prose("a lone ` stays").into_string(), "a lone ` stays");
    }

    #[test]
    fn a_page_without_chapters_says_that_there_is_no_claim() {
        assert!(page(&[], &about()).contains("There is no claim yet."));
    }
}
