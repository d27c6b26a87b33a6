//! `plumb lab diff A B`: what two runs of the experiments do not agree in: units whose rows differ, and
//! claims whose verdict or figure changed. Times differ from run to run and from machine to machine: cells of
//! rows that are times are not compared, and a claim about time counts only where its verdict changed.

use super::experiment::{AnyExperiment, Claim};
use super::findings::{TERMINAL, wrapped};
use super::rows_file::{self, Done, ExperimentPlan, LedgerContents, concluded, rows_of};
use crate::lab::base::pages::table::Table;
use crate::lab::base::terminal::console::{self, Failure};
use std::fmt::Write as _;
use std::path::Path;

/// An experiment in both folders.
struct Compared {
    name: &'static str,
    /// Units that both have, and those of them whose rows differ.
    both: usize,
    different: usize,
    /// Units that one folder alone has.
    missing: [usize; 2],
    /// Claims that differ, of the first folder and of the second.
    claims: Vec<[Claim; 2]>,
    /// Claims about time whose figure alone differs.
    times: usize,
}

/// Compares two folders and prints what differs.
///
/// # Errors
/// If a folder cannot be read or nothing is in both; exit code 1 without a message if something differs.
pub(super) fn run(a: &Path, b: &Path, experiments: &[&'static dyn AnyExperiment]) -> Result<(), Failure> {
    let mut found = Vec::new();
    for &experiment in experiments {
        let read = |folder: &Path| {
            rows_file::read(&rows_of(folder, experiment), experiment)
                .map_err(|failure| Failure::usage(failure.message().unwrap_or_default()))
        };
        match (read(a)?, read(b)?) {
            (Some(a), Some(b)) => found.push(compare(&a, &b)?),
            (None, None) => {}
            (one, _) => {
                let folder = if one.is_some() { a } else { b };
                console::note(format!("{} is in {} alone", experiment.about().name, folder.display()));
            }
        }
    }
    if found.is_empty() {
        let (a, b) = (a.display(), b.display());
        return Err(Failure::usage(format!("{a} and {b} hold no rows of the same experiment")));
    }
    console::out(&text(&found))?;
    if found.iter().any(Compared::differs) { Err(Failure::told()) } else { Ok(()) }
}

/// The plan and the rows of an experiment, as a file has them.
type Rows = (ExperimentPlan, LedgerContents);

fn compare(a: &Rows, b: &Rows) -> Result<Compared, Failure> {
    let experiment = a.0.experiment;
    let name = experiment.about().name;
    if a.0.scale != b.0.scale {
        let (a, b) = (a.0.scale.name(), b.0.scale.name());
        return Err(Failure::usage(format!("{name}: one run is {a}, the other {b}")));
    }
    let counted: Vec<bool> = experiment.about().columns.iter().map(|column| !is_time(column)).collect();
    let of = |contents: &'_ LedgerContents, unit: usize| -> Option<Vec<Vec<String>>> {
        let (_, rows): &Done = contents.done.iter().find(|(done, _)| *done == unit)?;
        Some(rows.iter().map(|row| kept_of(row, &counted)).collect())
    };
    let mut compared =
        Compared { name, both: 0, different: 0, missing: [0, 0], claims: Vec::new(), times: 0 };
    for unit in 0..a.0.units.len() {
        match (of(&a.1, unit), of(&b.1, unit)) {
            (Some(a), Some(b)) => {
                compared.both += 1;
                compared.different += usize::from(a != b);
            }
            (Some(_), None) => compared.missing[1] += 1,
            (None, Some(_)) => compared.missing[0] += 1,
            (None, None) => {}
        }
    }
    let claims = |(plan, contents): &Rows| Ok::<_, Failure>(concluded(plan, contents)?.claims);
    let (a, b) = (claims(a)?, claims(b)?);
    for (a, b) in a.into_iter().zip(b) {
        let same = a.ours == b.ours;
        if a.verdict == b.verdict && a.timed && !same {
            compared.times += 1;
        } else if a.verdict != b.verdict || !same {
            compared.claims.push([a, b]);
        }
    }
    Ok(compared)
}

/// The cells of a row that are kept.
fn kept_of(row: &[String], kept: &[bool]) -> Vec<String> {
    row.iter().zip(kept).filter(|(_, kept)| **kept).map(|(cell, _)| cell.clone()).collect()
}

/// True for a column of times, by the unit in its name.
fn is_time(column: &str) -> bool {
    column.ends_with("(s)") || column.ends_with("seconds")
}

impl Compared {
    fn differs(&self) -> bool {
        self.different > 0 || !self.claims.is_empty()
    }
}

/// The table of experiments, and the claims that differ as a list.
fn text(found: &[Compared]) -> String {
    let headings = ["experiment", "units", "different", "in B alone", "in A alone", "claims", "times"];
    let mut table = Table::new(1, headings);
    for one in found {
        let [a, b] = one.missing;
        let numbers = [one.both, one.different, a, b, one.claims.len(), one.times].map(|n| n.to_string());
        table.row(std::iter::once(one.name.to_owned()).chain(numbers));
    }
    let mut text = table.within(TERMINAL);
    for one in found.iter().filter(|one| !one.claims.is_empty()) {
        let _ = writeln!(text, "\n## {}\n", one.name);
        for [a, b] in &one.claims {
            text += &wrapped("- ", &a.claim, "  ");
            for (name, claim) in [("A", a), ("B", b)] {
                let found = format!("{name}: {}, {}", claim.verdict.name(), claim.ours_marked());
                text += &wrapped("  - ", &found, "    ");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::study::papers::command::sample::Squares;
    use crate::lab::study::papers::experiment::Scale;

    fn rows(units: &[usize]) -> Rows {
        let plan = ExperimentPlan::new(&Squares, Scale::Quick);
        let mut contents = LedgerContents::default();
        contents.done = units.iter().map(|&unit| (unit, Squares::rows(unit))).collect();
        (plan, contents)
    }

    #[test]
    fn units_and_claims_that_differ_are_found() {
        let same = compare(&rows(&[1, 2]), &rows(&[2, 1])).unwrap();
        assert!(!same.differs() && same.both == 2);
        let fewer = compare(&rows(&[1, 2]), &rows(&[2])).unwrap();
        assert_eq!((fewer.both, fewer.different, fewer.missing), (1, 0, [0, 1]));
        assert!(fewer.differs(), "the claim is about the number of rows");
        let mut other = rows(&[1, 2]);
        other.1.done[1].1[0][1] = "7".to_owned();
        let changed = compare(&rows(&[1, 2]), &other).unwrap();
        assert_eq!((changed.both, changed.different, changed.claims.len()), (2, 1, 0));
        let text = text(&[fewer, changed]);
        assert!(text.contains("- Squares grow\n  - A: holds, 3 rows\n  - B: holds, 2 rows\n"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= TERMINAL), "{text}");
    }

    #[test]
    fn runs_of_different_scales_are_not_compared() {
        let (_, contents) = rows(&[1]);
        let full = (ExperimentPlan::new(&Squares, Scale::Full), contents);
        assert!(compare(&rows(&[1]), &full).is_err());
    }

    /// By the names of all columns that there are.
    #[test]
    fn columns_of_times_are_known_by_their_names() {
        let all = crate::lab::study::papers::all();
        let times =
            |one: &&dyn AnyExperiment| one.about().columns.iter().filter(|column| is_time(column)).count();
        let timed: Vec<&str> =
            all.iter().copied().filter(|one| times(one) == 1).map(|one| one.about().name).collect();
        for name in ["chess", "othello", "checkers", "replacement", "trees", "real"] {
            assert!(timed.contains(&name), "{name} has a column of times: {timed:?}");
        }
        for name in ["guess", "ordering", "limit", "best-first"] {
            assert!(!timed.contains(&name), "{name} has none: {timed:?}");
        }
        assert!(!is_time("saved nodes at a time") && !is_time("depth (plies)"));
    }
}
