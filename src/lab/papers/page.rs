//! The report as one page for a browser: no scripts, nothing from outside, readable on paper, by day and by night.

use super::experiment::{Claim, Verdict};
use super::findings::{Chapter, tally};
use crate::lab::pages::shell::{STYLE, escape, write_table};
use crate::lab::pages::svg::draw;
use std::fmt::Write as _;

/// What the page says of itself.
pub struct About {
    /// When it is drawn.
    pub date: String,
    /// On which machine.
    pub machine: String,
}

/// The whole page.
#[must_use]
pub fn page(chapters: &[Chapter], about: &About) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Plumb: the papers' claims, measured again</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    );
    header(&mut html, chapters, about);
    summary(&mut html, chapters);
    chapters.iter().for_each(|chapter| write_chapter(&mut html, chapter));
    html.push_str("</main>\n</body>\n</html>\n");
    html
}

fn header(html: &mut String, chapters: &[Chapter], about: &About) {
    let version = env!("CARGO_PKG_VERSION");
    let _ = write!(
        html,
        "<header>\n<h1>The papers’ claims, measured again</h1>\n\
         <p class=\"about\">Plumb {version} · report of {} · {}</p>\n</header>\n<main>\n\
         <nav aria-label=\"Experiments\">\n<ol>\n",
        escape(&about.date),
        escape(&about.machine)
    );
    for chapter in chapters {
        let (name, title, scale) = (escape(chapter.name), escape(chapter.title), chapter.scale.name());
        let units = format!("{scale}, {} of {} units", chapter.done, chapter.of);
        let _ =
            writeln!(html, "<li><a href=\"#{name}\">{title}</a> <span class=\"soft\">({units})</span></li>");
    }
    html.push_str("</ol>\n</nav>\n");
}

fn summary(html: &mut String, chapters: &[Chapter]) {
    let all = || chapters.iter().flat_map(|chapter| &chapter.section.claims);
    let _ = write!(
        html,
        "<section id=\"summary\">\n<h2>All claims</h2>\n<p>{}</p>\n<p class=\"soft\">A claim <em>holds</em> when it \
         shows here as in the paper, <em>partly</em> when sign or shape agree but not the size, <em>does not \
         hold</em> when our numbers contradict it, and stays <em>open</em> when they cannot tell. Numbers in square \
         brackets are 95 % intervals.</p>\n",
        escape(&tally(all()))
    );
    claims(html, chapters.iter().flat_map(|c| c.section.claims.iter().map(move |claim| (claim, Some(c)))));
    html.push_str("</section>\n");
}

fn write_chapter(html: &mut String, chapter: &Chapter) {
    let (name, title) = (escape(chapter.name), escape(chapter.title));
    let _ = writeln!(html, "<section class=\"chapter\" id=\"{name}\">\n<h2>{title}</h2>");
    if let Some(gap) = chapter.gap() {
        let _ = writeln!(html, "<p class=\"gap\">{}</p>", escape(&gap));
    }
    for paragraph in &chapter.section.protocol {
        let _ = writeln!(html, "<p>{}</p>", prose(paragraph));
    }
    if !chapter.section.claims.is_empty() {
        html.push_str("<h3>Claims</h3>\n");
        claims(html, chapter.section.claims.iter().map(|claim| (claim, None)));
    }
    for chart in &chapter.section.charts {
        let _ = writeln!(html, "<figure>\n{}</figure>", draw(chart));
    }
    for (title, table) in &chapter.section.tables {
        let _ = writeln!(html, "<h3>{}</h3>", escape(title));
        write_table(html, table);
    }
    let scale = chapter.scale.name();
    let _ = writeln!(
        html,
        "<p class=\"soft\">Raw rows: <a href=\"{name}.csv\">{name}.csv</a>, scale {scale}.</p>"
    );
    if !chapter.runs.is_empty() {
        html.push_str("<ul class=\"soft\">\n");
        for run in &chapter.runs {
            let _ = writeln!(html, "<li>Measured {}</li>", escape(run));
        }
        html.push_str("</ul>\n");
    }
    html.push_str("</section>\n");
}

/// A table of claims; those of several experiments say to which chapter they belong.
fn claims<'a>(html: &mut String, claims: impl Iterator<Item = (&'a Claim, Option<&'a Chapter>)>) {
    let mut claims = claims.peekable();
    if claims.peek().is_none() {
        html.push_str("<p>There is no claim yet.</p>\n");
        return;
    }
    html.push_str(
        "<div class=\"wide\"><table class=\"claims\">\n<thead><tr><th>Source</th><th>Claim</th><th>Paper</th>\
         <th>Ours</th><th>Verdict</th><th>Why</th></tr></thead>\n<tbody>\n",
    );
    let mut last = None;
    for (claim, chapter) in claims {
        if let Some(chapter) = chapter.filter(|chapter| last != Some(chapter.name)) {
            last = Some(chapter.name);
            let (name, title) = (escape(chapter.name), escape(chapter.title));
            let _ = writeln!(
                html,
                "<tr class=\"group\"><th colspan=\"6\"><a href=\"#{name}\">{title}</a></th></tr>"
            );
        }
        let source = escape(claim.source);
        let (class, mark) = look(claim.verdict);
        let verdict = format!("<span class=\"verdict {class}\">{mark}&nbsp;{}</span>", claim.verdict.name());
        let _ = writeln!(
            html,
            "<tr><td data-label=\"Source\">{source}</td><td data-label=\"Claim\">{}</td>\
             <td data-label=\"Paper\">{}</td><td data-label=\"Ours\">{}</td>\
             <td data-label=\"Verdict\">{verdict}</td><td data-label=\"Why\">{}</td></tr>",
            prose(&claim.claim),
            prose(&claim.paper),
            prose(&claim.ours),
            prose(&claim.why)
        );
    }
    html.push_str("</tbody></table></div>\n");
}

/// Text of sentences: a number keeps its per cent sign beside it, and what stands between backticks is a name that
/// can be typed.
fn prose(text: &str) -> String {
    let safe = escape(text).replace(" %", "&nbsp;%");
    let parts: Vec<&str> = safe.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return safe;
    }
    let piece = |(index, part): (usize, &&str)| {
        if !index.is_multiple_of(2) { format!("<code>{part}</code>") } else { (*part).to_owned() }
    };
    parts.iter().enumerate().map(piece).collect()
}

/// Class and mark of a verdict: colour is never the only sign.
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
    fn the_page_holds_everything() {
        let html = page(&[sample::chapter(2)], &about());
        for wanted in [
            "<h2>Squares of small numbers</h2>",
            "Incomplete: 2 of 4 units",
            "<a href=\"#squares\">Squares of small numbers</a></th>",
            "class=\"verdict holds\">✓&nbsp;holds<",
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
    fn nothing_comes_from_outside_and_nothing_runs() {
        let html = page(&[sample::chapter(4)], &about());
        let without_names = html.replace("http://www.w3.org/2000/svg", "");
        assert!(!without_names.contains("http") && !html.contains("<script") && !html.contains("@import"));
    }

    #[test]
    fn words_are_never_markup() {
        let mut chapter = sample::chapter(4);
        let evil = "<b onclick='x'>&\"".to_owned();
        chapter.runs.push(evil.clone());
        chapter.section.protocol.push(evil.clone());
        chapter.section.claims[0].claim = evil.clone();
        chapter.section.claims[0].why = evil.clone();
        chapter.section.tables[0].0 = evil.clone();
        chapter.section.tables[0].1.row([evil.clone(), evil]);
        let html = page(&[chapter], &about());
        assert!(
            !html.contains("<b ") && html.matches("&lt;b onclick=&#39;x&#39;&gt;&amp;&quot;").count() == 9
        );
    }

    #[test]
    fn per_cent_signs_stay_with_their_numbers_and_names_can_be_typed() {
        assert_eq!(prose("<5 % of `limit`"), "&lt;5&nbsp;% of <code>limit</code>");
        assert_eq!(prose("a lone ` stays"), "a lone ` stays");
    }

    #[test]
    fn an_empty_laboratory_has_a_page() {
        assert!(page(&[], &about()).contains("There is no claim yet."));
    }
}
