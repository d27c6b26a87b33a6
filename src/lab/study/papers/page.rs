//! HTML page of the report: the number of claims by verdict, the experiments with a mark for each claim, a
//! chapter for each experiment with its claims, charts and tables, and the bibliography. Every claim is on it
//! once.

use super::bibliography::{PAPERS, citations};
use super::experiment::{Claim, Verdict};
use super::findings::{Chapter, chapters_of, tally};
use crate::lab::base::pages::page_frame::{PageFrame, table};
use crate::lab::base::pages::svg;
use maud::{Markup, PreEscaped, html};

/// Style sheet of the report.
const STYLE: &str = include_str!("report.css");

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
        (summary(chapters))
        @for one in chapters { (chapter(one)) }
        (bibliography())
    };
    let page_frame = PageFrame {
        title: "Plumb: the papers' claims, measured again",
        heading: "The papers’ claims, measured again",
        about: &format!("Plumb {version} · report of {} · {}", about.date, about.machine),
        styles: &[svg::STYLE, STYLE],
    };
    page_frame.document(&content)
}

fn link(chapter: &Chapter) -> Markup {
    html! { a href={ "#" (chapter.name) } { (chapter.title) } }
}

/// Id of a claim, from 1.
fn anchor(chapter: &Chapter, number: usize) -> String {
    format!("{}-{number}", chapter.name)
}

/// Claims by verdict as a bar, and the experiments with a link to each claim.
fn summary(chapters: &[Chapter]) -> Markup {
    let (papers, own) = (chapters_of(chapters, false), chapters_of(chapters, true));
    let number = |verdict| papers.iter().map(|chapter| chapter.number_of(verdict)).sum::<usize>();
    let numbers = Verdict::ALL.map(|verdict| (verdict, number(verdict)));
    let tally = tally(papers.iter().flat_map(|chapter| &chapter.section.claims));
    html! {
        section #summary {
            h2 { "Summary" }
            p { (tally) }
            @if numbers.iter().all(|(_, number)| *number == 0) { p { "There is no claim yet." } } @else {
                div.verdicts role="img" aria-label=(tally) {
                    @for (verdict, number) in numbers.iter().filter(|(_, number)| *number > 0) {
                        span class=(look(*verdict).0) style={ "flex-grow:" (number) } { (number) }
                    }
                }
                ul.key {
                    @for (verdict, text) in Verdict::ALL.into_iter().zip(MEANING) {
                        @let (class, mark) = look(verdict);
                        li {
                            span class={ "verdict " (class) } { (mark) (NO_BREAK) (verdict.name()) }
                            ": " (text)
                        }
                    }
                }
                p.soft { "Numbers in square brackets are 95 % intervals." }
            }
            (overview("Experiments of the papers", &papers))
            (overview("Experiments of our own: they re-measure no paper", &own))
            p { a href="#references" { "References" } }
        }
    }
}

/// Meaning of the verdicts, in the order of [`Verdict::ALL`].
const MEANING: [&str; 5] = [
    "measured here as in the paper",
    "sign or shape agree, the size does not",
    "the same within 5 % on both sides of the claim's limit",
    "the measurements contradict it",
    "the measurements cannot tell",
];

/// The experiments as a table of contents: protocol, and a mark for each claim that leads to it.
fn overview(heading: &str, chapters: &[&Chapter]) -> Markup {
    html! {
        @if !chapters.is_empty() {
            nav aria-label=(heading) style="max-width:none" {
                table.overview {
                    thead { tr { th { (heading) } th { "Claims" } th { "Protocol" } } }
                    tbody { @for chapter in chapters { (overview_row(chapter)) } }
                }
            }
        }
    }
}

fn overview_row(chapter: &Chapter) -> Markup {
    html! {
        tr {
            td { (link(chapter)) }
            td.marks {
                @for (index, claim) in chapter.section.claims.iter().enumerate() {
                    (mark(chapter, index + 1, claim))
                }
            }
            td.soft { (chapter.scale.name()) ", " (chapter.done) " of " (chapter.of) " units" }
        }
    }
}

/// The mark of a claim's verdict, as a link to the claim.
fn mark(chapter: &Chapter, number: usize, claim: &Claim) -> Markup {
    let (class, mark) = look(claim.verdict);
    let text = format!("{}: {}", claim.verdict.name(), claim.claim);
    html! { a class=(class) href={ "#" (anchor(chapter, number)) } title=(text) aria-label=(text) { (mark) } }
}

/// The papers under their short names.
fn bibliography() -> Markup {
    html! {
        section #references {
            h2 { "References" }
            dl.references {
                @for paper in &PAPERS {
                    dt id={ "ref-" (paper.short) } { (paper.short) }
                    dd { (paper.authors) ": " em { (paper.title) } ". " (paper.published) "." }
                }
            }
        }
    }
}

/// The source of a claim, its short names linked to the bibliography.
fn source(text: &str) -> Markup {
    html! {
        @for (index, part) in citations(text).iter().enumerate() {
            @if index > 0 { "; " }
            @if let Some(paper) = part.paper { a href={ "#ref-" (paper.short) } { (paper.short) } }
            (part.rest)
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
            @if !section.claims.is_empty() { (claim_table(chapter)) }
            @if !section.charts.is_empty() {
                div.charts {
                    @for chart in &section.charts { figure { (PreEscaped(svg::embedded(chart))) } }
                }
            }
            div.tables {
                @for (title, rows) in section.tables.iter().filter(|(_, rows)| !rows.is_empty()) {
                    div { h3 { (title) } (table(rows)) }
                }
            }
            p.soft { "Raw rows: " a href=(file) { (file) } ", scale " (chapter.scale.name()) "." }
            @if !chapter.runs.is_empty() {
                ul.soft { @for run in &chapter.runs { li { "Measured " (run) } } }
            }
        }
    }
}

/// The claims of an experiment.
fn claim_table(chapter: &Chapter) -> Markup {
    html! {
        div.wide {
            table.claims {
                thead {
                    tr {
                        th { "Source" } th { "Claim" } th { "Paper" }
                        th { "Ours" } th { "Verdict" } th { "Why" }
                    }
                }
                tbody {
                    @for (index, claim) in chapter.section.claims.iter().enumerate() {
                        (claim_row(&anchor(chapter, index + 1), claim))
                    }
                }
            }
        }
    }
}

/// A claim as a row. On a narrow screen every cell shows its `data-label` in place of the heading.
fn claim_row(id: &str, claim: &Claim) -> Markup {
    let (class, mark) = look(claim.verdict);
    html! {
        tr id=(id) {
            td data-label="Source" { (source(claim.source)) }
            td data-label="Claim" { (prose(&claim.claim)) }
            td data-label="Paper" { (prose(&claim.paper)) }
            td data-label="Ours" { (prose(&claim.ours_marked())) }
            td data-label="Verdict" {
                span class={ "verdict " (class) } { (mark) (NO_BREAK) (claim.verdict.name()) }
            }
            td data-label="Why" { (prose(&claim.why_told())) }
        }
    }
}

/// Space at which a line is not broken.
const NO_BREAK: char = '\u{a0}';

/// Text of sentences: a per cent sign stays on the line of its number, text between backticks becomes code,
/// and the names of replacement schemes between asterisks are emphasised.
fn prose(text: &str) -> Markup {
    let text = text.replace(" %", &format!("{NO_BREAK}%"));
    html! {
        @for (index, part) in pairs(&text, '`').into_iter().enumerate() {
            @if index % 2 == 1 { code { (part) } } @else {
                @for (index, part) in emphases(part).into_iter().enumerate() {
                    @if index % 2 == 1 { em { (part) } } @else { (part) }
                }
            }
        }
    }
}

/// The parts of a text between pairs of a mark: those at odd places are inside. A mark without a partner
/// stays.
fn pairs(text: &str, mark: char) -> Vec<&str> {
    let parts: Vec<&str> = text.split(mark).collect();
    if parts.len() % 2 == 1 { parts } else { vec![text] }
}

/// The same for asterisks, which also belong to names such as SSS*: one that begins an emphasis follows a
/// space or begins the text, and a letter comes next.
fn emphases(text: &str) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), text);
    let begins = |text: &str, at: usize| {
        let before = text[..at].chars().next_back();
        before.is_none_or(char::is_whitespace) && text[at + 1..].starts_with(char::is_alphabetic)
    };
    while let Some(start) = rest.match_indices('*').map(|(at, _)| at).find(|&at| begins(rest, at)) {
        let Some(length) = rest[start + 1..].find('*') else { break };
        parts.extend([&rest[..start], &rest[start + 1..start + 1 + length]]);
        rest = &rest[start + length + 2..];
    }
    parts.push(rest);
    parts
}

/// Class and mark of a verdict. The mark is for those who do not see the colours.
const fn look(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Holds => ("holds", "✓"),
        Verdict::Partly => ("partly", "≈"),
        Verdict::Level => ("level", "="),
        Verdict::Fails => ("fails", "✗"),
        Verdict::Open => ("open", "?"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::sample;
    use super::*;
    use crate::lab::base::pages::page_frame::checks;

    fn about() -> About {
        About { date: "2026-01-01".to_owned(), machine: "<a & b>".to_owned() }
    }

    #[test]
    fn a_page_shows_chapters_claims_charts_and_machine() {
        let html = page(&[sample::chapter(2)], &about());
        for wanted in [
            "<h2>Squares of small numbers</h2>",
            "Incomplete: 2 of 4 units",
            "<td><a href=\"#squares\">Squares of small numbers</a></td>",
            "class=\"verdict holds\">✓\u{a0}holds<",
            "<svg ",
            "<a href=\"squares.csv\">",
            "1 claim: 1 holds, 0 partly, 0 level, 0 do not hold, 0 open.",
            "&lt;a &amp; b&gt;",
        ] {
            assert!(html.contains(wanted), "'{wanted}' is missing in\n{html}");
        }
        checks::sound(&html);
    }

    #[test]
    fn a_claim_is_on_the_page_once_and_the_summary_leads_to_it() {
        let mut chapter = sample::chapter(4);
        chapter.section.claims.push(Claim { verdict: Verdict::Fails, ..chapter.section.claims[0].clone() });
        chapter.section.claims[1].claim = "Squares shrink".to_owned();
        let html = page(&[chapter], &about());
        checks::sound(&html);
        for (id, claim, class) in
            [("squares-1", "Squares grow", "holds"), ("squares-2", "Squares shrink", "fails")]
        {
            assert_eq!(html.matches(&format!("<td data-label=\"Claim\">{claim}</td>")).count(), 1, "{html}");
            assert_eq!(html.matches(&format!("<tr id=\"{id}\">")).count(), 1);
            assert!(html.contains(&format!("<a class=\"{class}\" href=\"#{id}\" title=\"")), "{html}");
        }
        let bar = "<div class=\"verdicts\" role=\"img\" \
                   aria-label=\"2 claims: 1 holds, 0 partly, 0 level, 1 does not hold, 0 open.\">\
                   <span class=\"holds\" style=\"flex-grow:1\">1</span>\
                   <span class=\"fails\" style=\"flex-grow:1\">1</span></div>";
        assert!(html.contains(bar), "{html}");
    }

    #[test]
    fn claims_of_our_own_stand_apart_and_are_not_counted() {
        let own = Chapter { is_own: true, name: "cubes", ..sample::chapter(4) };
        let html = page(&[sample::chapter(4), own], &about());
        checks::sound(&html);
        assert!(html.contains("1 claim: 1 holds, 0 partly"), "{html}");
        let (papers, ours) = html.split_once("Experiments of our own").expect("a heading");
        assert!(papers.contains("href=\"#squares-1\"") && !papers.contains("href=\"#cubes-1\""));
        assert!(ours.contains("href=\"#cubes-1\""));
    }

    #[test]
    fn sources_lead_to_the_bibliography() {
        assert_eq!(
            source("IJCAI 5.2, figure 5; TR <11>").into_string(),
            "<a href=\"#ref-IJCAI\">IJCAI</a> 5.2, figure 5; <a href=\"#ref-TR\">TR</a> &lt;11&gt;"
        );
        let html = page(&[sample::chapter(4)], &about());
        for paper in &PAPERS {
            assert!(html.contains(&format!("<dt id=\"ref-{}\">", paper.short)), "{}", paper.short);
        }
    }

    /// Every experiment, without rows.
    #[test]
    fn the_page_of_all_experiments_is_sound() {
        let all = crate::lab::study::papers::all();
        let chapters: Vec<Chapter> =
            all.iter().map(|&one| crate::lab::study::papers::command::unmeasured(one).unwrap()).collect();
        let html = page(&chapters, &about());
        checks::sound(&html);
        let claims: usize = chapters.iter().map(|chapter| chapter.section.claims.len()).sum();
        assert_eq!(html.matches("data-label=\"Claim\"").count(), claims);
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
        assert_eq!(
            prose("*If newer* of SSS* and DUAL*, `a*b*`, *deeper*.").into_string(),
            "<em>If newer</em> of SSS* and DUAL*, <code>a*b*</code>, <em>deeper</em>."
        );
        assert_eq!(prose("SSS* 5, DUAL* 6; a *lone").into_string(), "SSS* 5, DUAL* 6; a *lone");
    }

    #[test]
    fn a_page_without_chapters_says_that_there_is_no_claim() {
        assert!(page(&[], &about()).contains("There is no claim yet."));
    }
}
