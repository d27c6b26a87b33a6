//! Claims of all experiments as the marked part of a Markdown file: `plumb lab report --markdown FILE`. The
//! text around the part is left as it is.

use super::experiment::{Claim, Verdict};
use super::findings::{Chapter, chapters_of, claims, tally};
use crate::lab::base::pages::table::Table;
use crate::lab::base::records::file::write;
use crate::lab::base::terminal::console::Failure;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

/// Lines before and after the part.
const BEGIN: &str = "<!-- claims -->";
const END: &str = "<!-- end of claims -->";

/// Number of the papers' claims by verdict, a table of the experiments, and a table of claims for each; after
/// them the same of the experiments of our own.
#[must_use]
pub fn part(chapters: &[Chapter]) -> String {
    let own = chapters_of(chapters, true);
    let mut given = BTreeSet::new();
    let mut text = group(&chapters_of(chapters, false), &mut given);
    if !own.is_empty() {
        text += "\n## Experiments of our own\n\nThey re-measure no paper. Their claims are not among those \
        above.\n\n";
        text += &group(&own, &mut given);
    }
    text
}

/// The tally, the table and the chapters of some experiments; `given` are the reasons that stand before them.
fn group(chapters: &[&Chapter], given: &mut BTreeSet<String>) -> String {
    let mut text = format!("{}\n\n", tally(chapters.iter().flat_map(|chapter| &chapter.section.claims)));
    text += &overview(chapters).compact();
    for chapter in chapters {
        let _ = writeln!(text, "\n### {}\n\n{}\n", chapter.title, measured(chapter));
        text += &claims(new_reasons(&chapter.section.claims, given).iter()).compact();
    }
    text
}

/// Claims whose reasons lack the sentences that were given before: experiments on several games have many in
/// common.
fn new_reasons(claims: &[Claim], given: &mut BTreeSet<String>) -> Vec<Claim> {
    let with_new = |claim: &Claim| {
        let why = claim.why.split_whitespace().collect::<Vec<_>>().join(" ");
        let sentences = why.split_inclusive(". ").filter(|sentence| given.insert(sentence.trim().to_owned()));
        Claim { why: sentences.collect(), ..claim.clone() }
    };
    claims.iter().map(with_new).collect()
}

/// A row for each experiment: its protocol, and its claims by verdict.
fn overview(chapters: &[&Chapter]) -> Table {
    let headings = ["experiment", "protocol", "claims"].into_iter().chain(Verdict::ALL.map(Verdict::name));
    let mut table = Table::new(2, headings);
    for chapter in chapters {
        let scale = if chapter.done == 0 { "not measured" } else { chapter.scale.name() };
        let verdicts = Verdict::ALL.map(|verdict| chapter.number_of(verdict).to_string());
        let number = chapter.section.claims.len().to_string();
        table.row([chapter.name.to_owned(), scale.to_owned(), number].into_iter().chain(verdicts));
    }
    table
}

/// Protocol, units, dates and machines of an experiment, in a sentence.
fn measured(chapter: &Chapter) -> String {
    let (name, scale, of) = (chapter.name, chapter.scale.name(), chapter.of);
    match chapter.done {
        0 => format!("Experiment `{name}`: not measured."),
        done => {
            let runs = chapter.runs.join("; ");
            format!("Experiment `{name}`, {scale} protocol, {done} of {of} units. Measured {runs}.")
        }
    }
}

/// Writes the part into a file, in place of the one that is between its marks; a file that is missing is
/// made.
///
/// # Errors
/// If the file cannot be read or written, or has no marks.
pub fn update(path: &Path, chapters: &[Chapter]) -> Result<(), Failure> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => spliced(&text, &part(chapters)).ok_or_else(|| {
            Failure::new(format!("{} has no lines '{BEGIN}' and '{END}' to write between", path.display()))
        })?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            format!("# The papers' claims\n\n{BEGIN}\n{}{END}\n", part(chapters))
        }
        Err(error) => return Err(Failure::file("read", path.display(), &error)),
    };
    write(path, text)
}

/// A text with a new part between its marks; `None` if it has none.
fn spliced(text: &str, part: &str) -> Option<String> {
    let (before, rest) = text.split_once(&format!("{BEGIN}\n"))?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{part}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::super::command::sample;
    use super::super::command::unmeasured;
    use super::super::experiment::Scale;
    use super::*;
    use crate::lab::base::records::test_folder::TestFolder;
    use crate::lab::study::papers::all;

    /// The claims of a Markdown text in their order, each with its experiment's heading.
    fn claims_of(markdown: &str) -> Vec<[String; 3]> {
        let (mut heading, mut found) = (String::new(), Vec::new());
        for line in markdown.lines() {
            if let Some(title) = line.strip_prefix("### ") {
                heading = title.to_owned();
            }
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            if let ([source, claim, _, _, verdict, _], false) = (cells.as_slice(), heading.is_empty())
                && *verdict != "verdict"
            {
                found.push([heading.clone(), (*source).to_owned(), (*claim).to_owned()]);
            }
        }
        found
    }

    #[test]
    fn the_part_is_replaced_and_the_text_around_it_stays() {
        let folder = TestFolder::new("claims-file");
        let path = folder.join("claims.md");
        let read = || std::fs::read_to_string(&path).unwrap();
        update(&path, &[sample::chapter(2)]).unwrap();
        assert!(
            read().starts_with("# The papers' claims\n\n<!-- claims -->\n1 claim: 1 holds"),
            "{}",
            read()
        );
        let own = read().replace("# The", "Before.\n\n# The") + "After.\n";
        std::fs::write(&path, &own).unwrap();
        update(&path, &[sample::chapter(2)]).unwrap();
        assert_eq!(read(), own, "the same rows give the same file");
        update(&path, &[sample::chapter(4)]).unwrap();
        assert_eq!(read(), own.replace("| 2 rows |", "| 7 rows |").replace("2 of 4 units", "4 of 4 units"));
        std::fs::write(&path, "no marks\n").unwrap();
        let failure = update(&path, &[sample::chapter(2)]).expect_err("nothing to write between");
        assert!(failure.message().unwrap().contains("<!-- claims -->"), "{failure:?}");
        assert_eq!(read(), "no marks\n");
    }

    #[test]
    fn a_sentence_of_a_reason_is_given_once() {
        let claim = |why: &str| Claim { why: why.to_owned(), ..sample::chapter(4).section.claims[0].clone() };
        let claims = [claim("One. Two."), claim("Two.\n Three."), claim("One."), claim("Two.  One.")];
        let found = new_reasons(&claims, &mut BTreeSet::from(["Three.".to_owned()]));
        let whys: Vec<&str> = found.iter().map(|claim| claim.why.trim()).collect();
        assert_eq!(whys, ["One. Two.", "", "", ""]);
    }

    #[test]
    fn every_claim_of_every_experiment_is_written_once() {
        let all = all();
        let chapters: Vec<Chapter> = all.iter().map(|&one| unmeasured(one).unwrap()).collect();
        let found = claims_of(&part(&chapters));
        let wanted: Vec<[String; 3]> = all
            .iter()
            .flat_map(|one| {
                let claims = one.conclude(Scale::Quick, &[]).unwrap().claims.into_iter();
                claims.map(|claim| [one.about().title.to_owned(), claim.source.to_owned(), claim.claim])
            })
            .collect();
        assert_eq!(found, wanted);
        let different: std::collections::BTreeSet<_> = found.iter().collect();
        assert_eq!(different.len(), found.len());
    }

    /// `plumb lab report DIR --markdown docs/claims.md` writes it.
    #[test]
    fn the_documentation_has_the_claims_of_the_code() {
        let text = include_str!("../../../../docs/claims.md");
        let chapters: Vec<Chapter> = all().iter().map(|&one| unmeasured(one).unwrap()).collect();
        let (_, rest) = text.split_once(&format!("{BEGIN}\n")).expect("a line to begin after");
        let (own, _) = rest.split_once(END).expect("a line to end before");
        let (written, wanted) = (claims_of(own), claims_of(&part(&chapters)));
        for (written, wanted) in written.iter().zip(&wanted) {
            assert_eq!(written, wanted, "write docs/claims.md anew");
        }
        assert_eq!(written.len(), wanted.len(), "write docs/claims.md anew");
        // The numbers of the first line are those of the papers' tables; experiments of our own stand apart.
        for part in own.split("\n## Experiments of our own\n") {
            let verdicts =
                |name: &str| part.lines().filter(|line| line.contains(&format!(" | {name} | "))).count();
            let (all, holds) = (claims_of(part).len(), verdicts("holds") - 1);
            let tally = format!("{all} claims: {holds} hold, ");
            assert!(part.lines().any(|line| line.starts_with(&tally)), "{tally}");
        }
    }
}
