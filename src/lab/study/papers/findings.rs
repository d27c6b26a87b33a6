//! Claims, verdicts and tables of the experiments as Markdown, for a terminal and a README.

use super::experiment::{Claim, Description, Scale, Section, Verdict};
use super::rows_file::{ExperimentPlan, LedgerContents};
use crate::lab::base::pages::table::Table;
use std::fmt::Write as _;

/// Results of one experiment, from the rows that there are.
#[derive(Clone, Debug)]
pub struct Chapter {
    /// The experiment's name.
    pub name: &'static str,
    /// The experiment's title.
    pub title: &'static str,
    /// True if the experiment re-measures no paper.
    pub is_own: bool,
    /// Scale at which it was run.
    pub scale: Scale,
    /// Finished units.
    pub done: usize,
    /// All units at this scale.
    pub of: usize,
    /// Date and machine of each run, a line each.
    pub runs: Vec<String>,
    /// Claims, tables and pictures.
    pub section: Section,
}

impl Chapter {
    /// The chapter of an experiment from what there is of it, and what was concluded from that.
    #[must_use]
    pub fn new(plan: &ExperimentPlan, contents: &LedgerContents, section: Section) -> Chapter {
        let (experiment, scale, runs) = (plan.experiment, plan.scale, contents.runs.clone());
        let (done, of) = (contents.done.len(), plan.units.len());
        let Description { name, title, is_own, .. } = experiment.about();
        Chapter { name, title, is_own, scale, done, of, runs, section }
    }

    /// Note on missing units, if there are any.
    #[must_use]
    pub fn gap(&self) -> Option<String> {
        let (done, of) = (self.done, self.of);
        (done < of).then(|| format!("Incomplete: {done} of {of} units of work are done."))
    }

    /// Number of claims with a verdict.
    #[must_use]
    pub fn number_of(&self, verdict: Verdict) -> usize {
        self.section.claims.iter().filter(|claim| claim.verdict == verdict).count()
    }

    /// The chapter for a terminal, in Markdown: the claims as a list, and no line is wider than a terminal.
    #[must_use]
    pub fn markdown(&self) -> String {
        let heading = format!("{} ({}, {})", self.title, self.name, self.scale.name());
        let mut text = wrapped("# ", &heading, "  ") + "\n";
        if let Some(gap) = self.gap() {
            let _ = writeln!(text, "{gap}\n");
        }
        for claim in &self.section.claims {
            text += &listed(claim);
            text.push('\n');
        }
        for (title, table) in &self.section.tables {
            let _ = writeln!(text, "{}\n{}", wrapped("## ", title, "   "), table.within(TERMINAL));
        }
        text
    }
}

/// Columns of a narrow terminal.
pub const TERMINAL: usize = 80;

/// A claim as an item of a list.
fn listed(claim: &Claim) -> String {
    let mut text = wrapped("- ", &format!("{}: {}", claim.verdict.name(), claim.claim), "  ");
    for (name, value) in [
        ("source", claim.source),
        ("paper", &claim.paper),
        ("ours", &claim.ours_marked()),
        ("why", &claim.why_told()),
    ] {
        text += &wrapped("  - ", &format!("{name}: {value}"), "    ");
    }
    text
}

/// A paragraph of lines as wide as a terminal: `first` begins the first one, `others` the others.
pub(super) fn wrapped(first: &str, text: &str, others: &str) -> String {
    let (mut lines, mut line, mut empty) = (String::new(), first.to_owned(), true);
    for word in text.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > TERMINAL {
            let _ = writeln!(lines, "{line}");
            (line, empty) = (others.to_owned(), true);
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    lines + &line + "\n"
}

/// The chapters of the papers' experiments, or those of our own.
pub fn chapters_of(chapters: &[Chapter], own: bool) -> Vec<&Chapter> {
    chapters.iter().filter(|chapter| chapter.is_own == own).collect()
}

/// Number of claims by verdict, in a sentence.
#[must_use]
pub fn tally<'a>(claims: impl Iterator<Item = &'a Claim>) -> String {
    let verdicts: Vec<Verdict> = claims.map(|claim| claim.verdict).collect();
    let of = |verdict| verdicts.iter().filter(|&&other| other == verdict).count();
    let [holds, partly, level, fails, open] = Verdict::ALL.map(of);
    let all = verdicts.len();
    let noun = if all == 1 { "claim" } else { "claims" };
    let do_not = if fails == 1 { "does" } else { "do" };
    let hold = if holds == 1 { "holds" } else { "hold" };
    format!(
        "{all} {noun}: {holds} {hold}, {partly} partly, {level} level, {fails} {do_not} not hold, {open} \
        open."
    )
}

/// Claims as a table.
#[must_use]
pub fn claims<'a>(claims: impl Iterator<Item = &'a Claim>) -> Table {
    let mut table = Table::new(6, ["source", "claim", "paper", "ours", "verdict", "why"]);
    for claim in claims {
        let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (said, paper, ours) = (line(&claim.claim), line(&claim.paper), line(&claim.ours_marked()));
        table.row([
            claim.source.to_owned(),
            said,
            paper,
            ours,
            claim.verdict.name().to_owned(),
            line(&claim.why_told()),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::command::sample;
    use super::*;

    #[test]
    fn a_chapter_is_markdown() {
        let text = sample::chapter(2).markdown();
        assert!(
            text.starts_with("# Squares of small numbers (squares, quick)\n\nIncomplete: 2 of 4 units"),
            "{text}"
        );
        let claim = "- holds: Squares grow\n  - source: TR fig. 0\n  - paper: 100 %\n  - ours: 2 rows\n";
        assert!(text.contains(claim) && text.contains("## All squares\n\n| number |"), "{text}");
        assert!(!sample::chapter(4).markdown().contains("Incomplete"));
    }

    #[test]
    fn a_chapter_is_no_wider_than_a_terminal() {
        let mut chapter = sample::chapter(4);
        chapter.section.claims[0].why = "because they are multiplied by themselves, ".repeat(9);
        let mut wide = Table::new(1, (0..20).map(|n| format!("quantity {n}")));
        wide.row((0..20).map(|n| (n * n).to_string()));
        chapter.section.tables.push(("A title of many words ".repeat(9), wide));
        let text = chapter.markdown();
        let longest = text.lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(TERMINAL), "{text}");
        assert!(text.contains("quantity 19 |") && text.contains(" 361 |"), "nothing is cut off: {text}");
    }

    #[test]
    fn a_figure_that_is_a_time_says_so() {
        let claim = Claim { timed: true, ..sample::chapter(4).section.claims[0].clone() };
        assert!(claims([&claim].into_iter()).to_string().contains("depends on the load"));
        assert!(listed(&claim).contains("a time"));
        let unmeasured = Claim { ours: "-".to_owned(), ..claim };
        assert_eq!(unmeasured.ours_marked(), "-");
    }

    #[test]
    fn verdicts_are_counted() {
        let chapters = [sample::chapter(4), sample::chapter(2)];
        let text = tally(chapters.iter().flat_map(|chapter| &chapter.section.claims));
        assert_eq!(text, "2 claims: 2 hold, 0 partly, 0 level, 0 do not hold, 0 open.");
        assert_eq!(Verdict::ALL.map(|verdict| chapters[0].number_of(verdict)), [1, 0, 0, 0, 0]);
    }
}
