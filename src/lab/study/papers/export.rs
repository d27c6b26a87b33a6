//! `plumb lab export`: the raw rows and the claims of a folder as plain CSV for other programs (pandas, R, a
//! spreadsheet). The files of the folder itself are journals, with comment lines and rows in the order of
//! their measurement; here every file is a line of names and then data, in the order of the units. Columns:
//! `docs/data.md`.

use super::experiment::Cells;
use super::findings::Chapter;
use super::rows_file::{self, ExperimentPlan, LedgerContents};
use crate::lab::base::pages::table::Table;
use crate::lab::base::records::{file, rows};
use crate::lab::base::terminal::console::Failure;
use std::path::Path;

/// Columns that stand before those of an experiment.
const PLACE: [&str; 2] = ["scale", "unit"];

/// Columns of `experiments.csv`.
const EXPERIMENTS: [&str; 7] = ["experiment", "title", "scale", "units", "units of", "rows", "runs"];

/// Columns of `claims.csv`.
const CLAIMS: [&str; 8] = ["experiment", "scale", "source", "claim", "paper", "ours", "verdict", "why"];

/// Rows and conclusions of one experiment in a folder.
pub struct Exported {
    /// The experiment with its units and scale.
    pub plan: ExperimentPlan,
    /// The rows.
    pub contents: LedgerContents,
    /// The claims.
    pub chapter: Chapter,
}

/// Writes `NAME.csv` for every experiment, `experiments.csv` and `claims.csv` into a folder. Returns a table
/// of them.
///
/// # Errors
/// If a file cannot be written, or is a journal.
pub fn write(to: &Path, found: &[Exported]) -> Result<Table, Failure> {
    let mut files: Vec<(&str, Vec<&str>, Vec<Cells>)> = Vec::new();
    let (mut about, mut claims) = (Vec::new(), Vec::new());
    for Exported { plan, contents, chapter } in found {
        let rows = lines(plan, contents);
        about.push(summary(chapter, rows.len()));
        claims.extend(verdicts(chapter));
        files.push((chapter.name, [&PLACE[..], plan.experiment.about().columns].concat(), rows));
    }
    files.push(("experiments", EXPERIMENTS.to_vec(), about));
    files.push(("claims", CLAIMS.to_vec(), claims));
    let path = |name: &str| to.join(name).with_extension("csv");
    files.iter().try_for_each(|(name, ..)| refuse_journal(&path(name)))?;
    let mut shown = Table::new(1, ["file", "columns", "rows", "bytes"]);
    for (name, columns, lines) in &files {
        let text = rows::table(columns, lines)?;
        file::write(&path(name), &text)?;
        let counts = [columns.len(), lines.len(), text.len()].map(|count| count.to_string());
        shown.row([path(name).display().to_string()].into_iter().chain(counts));
    }
    Ok(shown)
}

/// Refuses to write over a file of rows that a run continues.
fn refuse_journal(path: &Path) -> Result<(), Failure> {
    let is_journal = std::fs::read(path).is_ok_and(|bytes| bytes.starts_with(rows_file::TITLE.as_bytes()));
    if is_journal {
        let why = "holds the raw rows of plumb lab; --csv names another folder";
        return Err(Failure::new(format!("{} {why}", path.display())));
    }
    Ok(())
}

/// The rows of an experiment in the order of its units, each with scale and unit.
fn lines(plan: &ExperimentPlan, contents: &LedgerContents) -> Vec<Cells> {
    let mut done: Vec<_> = contents.done.iter().collect();
    done.sort_by_key(|(unit, _)| *unit);
    let place = |unit: usize| vec![plan.scale.name().to_owned(), plan.units[unit].name.clone()];
    done.into_iter()
        .flat_map(|(unit, rows)| rows.iter().map(|row| [place(*unit), row.clone()].concat()))
        .collect()
}

/// The line of `experiments.csv`; of several runs, date and machine of each, separated by `; `.
fn summary(chapter: &Chapter, rows: usize) -> Cells {
    let texts = [chapter.name, chapter.title, chapter.scale.name()].map(str::to_owned);
    let counts = [chapter.done, chapter.of, rows].map(|count| count.to_string());
    texts.into_iter().chain(counts).chain([chapter.runs.join("; ")]).collect()
}

/// The lines of `claims.csv`.
fn verdicts(chapter: &Chapter) -> impl Iterator<Item = Cells> {
    chapter.section.claims.iter().map(|claim| {
        let verdict = claim.verdict.name();
        [
            chapter.name,
            chapter.scale.name(),
            claim.source,
            &claim.claim,
            &claim.paper,
            &claim.ours,
            verdict,
            &claim.why_told(),
        ]
        .map(str::to_owned)
        .to_vec()
    })
}

#[cfg(test)]
mod tests {
    use super::super::command::sample::{Squares, chapter};
    use super::*;
    use crate::lab::base::records::test_folder::TestFolder;
    use crate::lab::study::papers::all;
    use crate::lab::study::papers::experiment::{Scale, Verdict};

    /// Units 2 and 1, measured in this order.
    fn measured() -> Exported {
        let mut contents = LedgerContents::default();
        contents.done.extend([2, 1].map(|unit| (unit, Squares::rows(unit))));
        let chapter = Chapter { runs: vec!["today, one core".to_owned(), "later".to_owned()], ..chapter(2) };
        let plan = ExperimentPlan::new(&Squares, Scale::Quick);
        Exported { plan, contents, chapter }
    }

    #[test]
    fn the_files_hold_names_and_rows_in_the_order_of_the_units() {
        let to = TestFolder::new("export");
        let table = write(&to, &[measured()]).unwrap().to_string();
        assert!(table.contains("squares.csv") && table.contains("claims.csv"), "{table}");
        let text = |name: &str| std::fs::read_to_string(to.join(name)).unwrap();
        let rows = "quick,unit 1,10,100\nquick,unit 2,20,400\nquick,unit 2,21,401\n";
        assert_eq!(text("squares.csv"), format!("scale,unit,number,square\n{rows}"));
        let about = "squares,Squares of small numbers,quick,2,4,3,\"today, one core; later\"\n";
        assert_eq!(text("experiments.csv"), format!("{}\n{about}", EXPERIMENTS.join(",")));
        let claim = "squares,quick,TR fig. 0,Squares grow,100 %,2 rows,holds,they do\n";
        assert_eq!(text("claims.csv"), format!("{}\n{claim}", CLAIMS.join(",")));
        assert_eq!(std::fs::read_dir(&*to).unwrap().count(), 3);
        write(&to, &[measured()]).expect("an older export is replaced");
    }

    #[test]
    fn journals_are_not_overwritten() {
        let to = TestFolder::new("export-journal");
        let journal = to.join("squares.csv");
        std::fs::write(&journal, format!("{} squares\n", rows_file::TITLE)).unwrap();
        let failure = write(&to, &[measured()]).expect_err("refused");
        assert!(failure.message().unwrap().contains("raw rows"), "{failure:?}");
        assert_eq!(std::fs::read_dir(&*to).unwrap().count(), 1, "nothing is written");
    }

    /// The experiments of a heading `### chess, othello` in backquotes, with the columns of the table below
    /// it.
    fn documented(text: &str) -> Vec<(Vec<String>, Vec<String>)> {
        let names = |line: &str| line.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
        let mut found: Vec<(Vec<String>, Vec<String>)> = Vec::new();
        for line in text.lines() {
            if line.starts_with('#') {
                found.push((names(line), Vec::new()));
            } else if let (Some((_, columns)), true) = (found.last_mut(), line.starts_with("| `")) {
                columns.extend(names(line).into_iter().take(1));
            }
        }
        found
    }

    #[test]
    fn every_column_is_documented() {
        let text = include_str!("../../../../docs/data.md");
        let documented = documented(text);
        let of = |name: &str| documented.iter().find(|(names, _)| names.iter().any(|one| one == name));
        for one in all() {
            let (_, columns) =
                of(one.about().name).unwrap_or_else(|| panic!("{} is missing", one.about().name));
            assert_eq!(*columns, one.about().columns, "{}", one.about().name);
        }
        for (name, wanted) in [("experiments.csv", &EXPERIMENTS[..]), ("claims.csv", &CLAIMS)] {
            assert_eq!(of(name).unwrap().1, wanted, "{name}");
        }
    }

    #[test]
    fn every_verdict_is_documented() {
        let text = include_str!("../../../../docs/data.md");
        let row = text.lines().find(|line| line.starts_with("| `verdict` |")).expect("a row of claims.csv");
        for verdict in Verdict::ALL {
            assert!(row.contains(&format!("`{}`", verdict.name())), "{}", verdict.name());
        }
    }
}
