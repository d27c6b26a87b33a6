//! Results of a run of test suites: a row for every search and perft, written and read as JSON or CSV, and
//! joining the shares of several machines.

use crate::chess::score::Value;
use crate::files;
use crate::lab::base::records::rows;
use crate::lab::base::terminal::console::Failure;
use crate::lab::study::suites::goals::MateClaim;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The backend's name in the row of a perft.
const PERFT: &str = "perft";

/// Bytes of a file of results at most: some million rows.
const MOST_BYTES: u64 = 1 << 30;

/// A position searched by one backend, or one perft. Moves are in SAN where a person reads them (`expected`,
/// `got`) and in UCI notation where a program does.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The suite's name.
    pub suite: String,
    /// The line of its file, from 1.
    pub line: usize,
    /// The position's name: its id, or file and line.
    pub position: String,
    /// The position.
    pub fen: String,
    /// The backend, or `perft`.
    pub backend: String,
    /// The goals as text; of a perft, the right number.
    pub expected: String,
    /// The move chosen; of a perft, the number counted.
    pub got: String,
    /// True if the goals are met.
    pub solved: bool,
    /// Points for the move chosen, where the suite gives points.
    pub points: Option<u32>,
    /// Points for the best move.
    pub points_of: Option<u32>,
    /// Score in centipawns for the side to move.
    pub score: Option<Value>,
    /// The mate that the score announces, in moves; negative: the side to move is mated.
    pub mate: Option<i32>,
    /// Verdict on that mate, where the suite knows its length.
    pub mate_claim: Option<MateClaim>,
    /// Iterations completed, or the depth of a perft, in plies.
    pub depth: i32,
    /// Made moves; of a perft, the move sequences.
    pub nodes: u64,
    /// Wall-clock time.
    pub milliseconds: f64,
    /// Time since when the answer was right to the end.
    pub solution_milliseconds: Option<f64>,
    /// The same in made moves.
    pub solution_nodes: Option<u64>,
    /// Moves of which one should be found, in UCI notation.
    pub wanted: String,
    /// Moves that should not be chosen.
    pub avoided: String,
    /// The move chosen.
    pub played: String,
    /// The principal variation.
    pub pv: String,
}

impl Row {
    /// The row as that of a perft.
    #[must_use]
    pub fn perft(self) -> Row {
        Row { backend: PERFT.to_owned(), ..self }
    }

    /// True for the row of a perft.
    #[must_use]
    pub fn is_perft(&self) -> bool {
        self.backend == PERFT
    }

    /// File and line of the position: `name.epd:12`.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}:{}", self.suite, self.line)
    }

    /// True if the position is not solved, or the mate announced is wrong.
    #[must_use]
    pub fn failed(&self) -> bool {
        !self.solved || self.mate_claim == Some(MateClaim::False)
    }

    /// Key that is unique among the rows of a run.
    fn key(&self) -> (&str, usize, &str, i32) {
        (&self.suite, self.line, &self.backend, if self.is_perft() { self.depth } else { 0 })
    }
}

/// Suite of a run: name and numbers of rows and of bad lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuiteSummary {
    /// Its name.
    pub name: String,
    /// Number of rows when all shares are done.
    pub rows: usize,
    /// Lines of the file that could not be read.
    pub unread: usize,
}

/// Results of a run, whole or in part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// The program and its version; empty if read from CSV.
    pub program: String,
    /// Fingerprint of the program file.
    pub build: String,
    /// Limits and options, in words.
    pub settings: String,
    /// The machine.
    pub machine: String,
    /// The time when it ended, in UTC.
    pub date: String,
    /// The share of the work, as in `2/3`.
    pub shard: String,
    /// The suites in the order of the command line.
    pub suites: Vec<SuiteSummary>,
    /// The backends in the order of the command line.
    pub backends: Vec<String>,
    /// The rows in the order of the files.
    pub rows: Vec<Row>,
}

impl Results {
    /// Reads a file, JSON or CSV.
    ///
    /// # Errors
    /// If it cannot be read or holds no results.
    pub fn read(path: &Path) -> Result<Results, Failure> {
        let name = path.display();
        let bytes =
            files::read_any(path, MOST_BYTES).map_err(|error| Failure::file("read", &name, &error))?;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let read = if text.starts_with('{') { from_json(text) } else { from_csv(text) };
        let results = read.map_err(|error| Failure::new(format!("{name} holds no results: {error}")))?;
        // With more shares than positions, a share has suites, or names of columns, but no rows.
        let is_share = !results.suites.is_empty() || text.trim_end() == rows::names::<Row>()?;
        if results.rows.is_empty() && !is_share {
            return Err(Failure::new(format!("{name} holds no results")));
        }
        Ok(results)
    }

    /// Number of rows when all shares are done.
    #[must_use]
    pub fn planned(&self) -> usize {
        self.suites.iter().map(|suite| suite.rows).sum()
    }

    /// Puts the rows in order: by suite, line, and backend; perfts after searches.
    fn sort(&mut self) {
        let suites: BTreeMap<&str, usize> =
            self.suites.iter().enumerate().map(|(at, suite)| (suite.name.as_str(), at)).collect();
        let backends: BTreeMap<&str, usize> =
            self.backends.iter().enumerate().map(|(at, backend)| (backend.as_str(), at)).collect();
        let place =
            |names: &BTreeMap<&str, usize>, name: &str| names.get(name).copied().unwrap_or(usize::MAX);
        self.rows.sort_by_key(|row| {
            let suite = place(&suites, &row.suite);
            (suite, row.line, row.is_perft(), place(&backends, &row.backend), row.key().3)
        });
    }
}

fn from_json(text: &str) -> Result<Results, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// Reads CSV, which holds rows alone; suites and backends are those that occur in them.
fn from_csv(text: &str) -> Result<Results, String> {
    let mut results = Results::default();
    for row in rows::parse::<Row>(text).map_err(|error| error.to_string())? {
        match results.suites.iter_mut().find(|suite| suite.name == row.suite) {
            Some(suite) => suite.rows += 1,
            None => results.suites.push(SuiteSummary { name: row.suite.clone(), rows: 1, unread: 0 }),
        }
        if !row.is_perft() && !results.backends.contains(&row.backend) {
            results.backends.push(row.backend.clone());
        }
        results.rows.push(row);
    }
    Ok(results)
}

/// Joins the shares of a run, or runs of different suites.
///
/// # Errors
/// If settings, program or suites differ, or a row is in two parts.
pub fn merge(parts: Vec<(String, Results)>) -> Result<Results, Failure> {
    let mut parts = parts.into_iter();
    let Some((first, mut whole)) = parts.next() else {
        return Err(Failure::new("there is nothing to merge"));
    };
    let mut owners: Vec<String> = vec![first.clone(); whole.rows.len()];
    for (name, part) in parts {
        alike(&first, &whole, &name, &part)?;
        suites(&mut whole.suites, &name, &part)?;
        whole.backends.extend(
            part.backends.iter().filter(|one| !whole.backends.contains(one)).cloned().collect::<Vec<_>>(),
        );
        for (field, other) in [
            (&mut whole.machine, &part.machine),
            (&mut whole.date, &part.date),
            (&mut whole.shard, &part.shard),
        ] {
            if !field.split("; ").any(|one| one == other) {
                *field = format!("{field}; {other}");
            }
        }
        owners.extend(part.rows.iter().map(|_| name.clone()));
        whole.rows.extend(part.rows);
    }
    once(&whole.rows, &owners)?;
    whole.sort();
    Ok(whole)
}

/// Compares settings, program and build of two files.
fn alike(first: &str, whole: &Results, name: &str, part: &Results) -> Result<(), Failure> {
    for (what, a, b) in [
        ("settings", &whole.settings, &part.settings),
        ("programs", &whole.program, &part.program),
        ("builds of the program", &whole.build, &part.build),
    ] {
        if a != b {
            return Err(Failure::new(format!(
                "{first} and {name} come from different {what}: '{a}' and '{b}'"
            )));
        }
    }
    Ok(())
}

/// Adds the suites of a part to those known. Suites of CSV files count only the rows of the file, so these
/// are added.
fn suites(known: &mut Vec<SuiteSummary>, name: &str, part: &Results) -> Result<(), Failure> {
    for suite in &part.suites {
        match known.iter_mut().find(|one| one.name == suite.name) {
            None => known.push(suite.clone()),
            Some(one) if part.program.is_empty() => one.rows += suite.rows,
            Some(one) if one == suite => {}
            Some(_) => {
                let suite = &suite.name;
                return Err(Failure::new(format!("{name} was measured with another version of {suite}")));
            }
        }
    }
    Ok(())
}

/// Checks that no row occurs twice.
fn once(rows: &[Row], owners: &[String]) -> Result<(), Failure> {
    let mut seen = BTreeMap::new();
    for (row, owner) in rows.iter().zip(owners) {
        if let Some(other) = seen.insert(row.key(), owner) {
            let (place, backend) = (row.place(), &row.backend);
            return Err(Failure::new(format!("{other} and {owner} both hold {place} ({backend})")));
        }
    }
    Ok(())
}

/// Rows for tests.
#[cfg(test)]
pub mod sample {
    use super::*;
    use crate::lab::base::records::rows::write;

    /// Row of a search: line, backend, made moves to solution if solved, points of ten.
    #[must_use]
    pub fn row(line: usize, backend: &str, solved: Option<u64>, points: Option<u32>) -> Row {
        Row {
            suite: "own.epd".to_owned(),
            line,
            position: format!("say \"x\", {line}"),
            fen: "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1".to_owned(),
            backend: backend.to_owned(),
            expected: "bm Ra8#".to_owned(),
            got: "Kd1".to_owned(),
            solved: solved.is_some(),
            points,
            points_of: points.map(|_| 10),
            score: Some(-12),
            depth: 3,
            nodes: 1000,
            milliseconds: 12.5,
            solution_milliseconds: solved.map(|nodes| nodes as f64 / 8.0),
            solution_nodes: solved,
            wanted: "a1a8".to_owned(),
            played: "e1d1".to_owned(),
            pv: "e1d1 g8f8".to_owned(),
            ..Row::default()
        }
    }

    /// A run of these rows.
    #[must_use]
    pub fn results(rows: Vec<Row>) -> Results {
        let mut results = from_csv(&write(&rows, true).unwrap()).unwrap();
        (results.program, results.settings) = ("Plumb".to_owned(), "1000 nodes".to_owned());
        results
    }
}

#[cfg(test)]
mod tests {
    use super::sample::{results, row};
    use super::*;
    use crate::lab::base::records::json_file;
    use crate::lab::base::records::rows::write;
    use crate::lab::base::records::test_folder::TestFolder;

    fn mixed() -> Vec<Row> {
        let mate =
            Row { mate: Some(-2), mate_claim: Some(MateClaim::False), ..row(2, "SSS*", None, Some(3)) };
        let perft = Row { depth: 2, nodes: 400, ..row(3, "", Some(1), None).perft() };
        vec![row(1, "MTD(f)", Some(8), None), mate, perft]
    }

    #[test]
    fn json_and_csv_hold_the_same_rows() {
        let wanted = results(mixed());
        assert_eq!(from_json(&json_file::text(&wanted).unwrap()).unwrap(), wanted);
        assert_eq!(from_csv(&write(&wanted.rows, true).unwrap()).unwrap().rows, wanted.rows);
        assert_eq!(wanted.backends, ["MTD(f)", "SSS*"]);
        assert!(wanted.rows[2].is_perft() && wanted.rows[1].failed() && !wanted.rows[0].failed());
    }

    #[test]
    fn csv_grows_row_by_row() {
        let rows = mixed();
        let pieces: String =
            rows.iter().enumerate().map(|(at, row)| write([row], at == 0).unwrap()).collect();
        assert_eq!(pieces, write(&rows, true).unwrap());
    }

    #[test]
    fn shares_are_joined_in_the_order_of_the_files() {
        let whole = results((1..=7).map(|line| row(line, "MTD(f)", None, None)).collect());
        let share = |number: usize| {
            let rows = whole.rows.iter().filter(|row| row.line % 3 == number).cloned().collect();
            (format!("{number}.json"), Results { rows, ..whole.clone() })
        };
        let merged = merge(vec![share(2), share(0), share(1)]).unwrap();
        assert_eq!((merged.rows, merged.suites), (whole.rows.clone(), whole.suites.clone()));
        let error = merge(vec![share(2), share(0), share(2)]).unwrap_err();
        assert_eq!(error.message(), Some("2.json and 2.json both hold own.epd:2 (MTD(f))"));
    }

    #[test]
    fn results_of_other_settings_or_suites_are_not_joined() {
        let one = results(vec![row(1, "MTD(f)", None, None)]);
        let two = results(vec![row(2, "MTD(f)", None, None)]);
        let other = Results { settings: "9 nodes".to_owned(), ..two.clone() };
        let join = |other: &Results| {
            let parts = vec![("a".to_owned(), one.clone()), ("b".to_owned(), other.clone())];
            merge(parts).unwrap_err().message().unwrap_or_default().to_owned()
        };
        assert_eq!(join(&other), "a and b come from different settings: '1000 nodes' and '9 nodes'");
        let mut longer = two;
        longer.suites[0].rows = 5;
        assert_eq!(join(&longer), "b was measured with another version of own.epd");
    }

    #[test]
    fn files_without_results_are_refused() {
        let folder = TestFolder::new("results");
        for (name, text) in
            [("empty", ""), ("json", "{\"rows\": 3}"), ("words", "a,b\n1,2\n"), ("half", "{\"pro")]
        {
            let path = folder.join(name);
            std::fs::write(&path, text).unwrap();
            let error = Results::read(&path).unwrap_err();
            assert!(error.message().unwrap().contains(" holds no results"), "{name}: {error:?}");
        }
        // A share without positions has the names of the columns.
        let path = folder.join("names");
        std::fs::write(&path, rows::names::<Row>().unwrap() + "\n").unwrap();
        assert_eq!(Results::read(&path).unwrap(), Results::default());
        assert!(
            Results::read(&folder.join("missing")).unwrap_err().message().unwrap().contains("cannot read")
        );
    }
}
