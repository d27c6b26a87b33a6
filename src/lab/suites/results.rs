//! What came of a run of test suites: a row for every search and perft, written and read as JSON or CSV, and
//! the shares of several machines joined. Nothing here searches, and nothing here is shown to a person.

use crate::chess::score::Value;
use crate::lab::command::console::Failure;
use crate::lab::suites::goals::MateClaim;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The backend's name in the row of a perft.
const PERFT: &str = "perft";

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
    /// Who searched, or `perft`.
    pub backend: String,
    /// What is asked, in words; of a perft, the right number.
    pub expected: String,
    /// The move chosen; of a perft, the number counted.
    pub got: String,
    /// Whether it is what is asked.
    pub solved: bool,
    /// Points for the move chosen, where the suite gives points.
    pub points: Option<u32>,
    /// Points for the best move.
    pub points_of: Option<u32>,
    /// Score in centipawns, from the side to move.
    pub score: Option<Value>,
    /// The mate that the score announces, in moves; negative: the side to move is mated.
    pub mate: Option<i32>,
    /// What that is, where the suite knows of a mate.
    pub mate_claim: Option<MateClaim>,
    /// Iterations completed, or the depth of a perft, in plies.
    pub depth: i32,
    /// Made moves; of a perft, the move sequences.
    pub nodes: u64,
    /// Time by the wall.
    pub milliseconds: f64,
    /// Since when the answer was right to the end.
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
    /// A row of a perft: what it is named after.
    #[must_use]
    pub fn perft(self) -> Row {
        Row { backend: PERFT.to_owned(), ..self }
    }

    /// Whether it is that of a perft.
    #[must_use]
    pub fn is_perft(&self) -> bool {
        self.backend == PERFT
    }

    /// Where the position stands: `name.epd:12`.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}:{}", self.suite, self.line)
    }

    /// Whether a person should look at it: not solved, or a mate announced that cannot be.
    #[must_use]
    pub fn failed(&self) -> bool {
        !self.solved || self.mate_claim == Some(MateClaim::False)
    }

    /// What no two rows of a run have in common.
    fn key(&self) -> (&str, usize, &str, i32) {
        (&self.suite, self.line, &self.backend, if self.is_perft() { self.depth } else { 0 })
    }
}

/// One suite of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Its name.
    pub name: String,
    /// How many rows it has when all shares are done.
    pub rows: usize,
    /// Lines of the file that could not be read.
    pub unread: usize,
}

/// A run, whole or in part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// The program and its version; empty where a file does not tell (CSV).
    pub program: String,
    /// A fingerprint of its binary.
    pub build: String,
    /// Limits and options, in words.
    pub settings: String,
    /// The machine.
    pub machine: String,
    /// When it ended, in Universal Time.
    pub date: String,
    /// The share of the work, as in `2/3`.
    pub shard: String,
    /// The suites in the order of the command line.
    pub suites: Vec<About>,
    /// The backends in the order of the command line.
    pub backends: Vec<String>,
    /// The rows in the order of the files.
    pub rows: Vec<Row>,
}

impl Results {
    /// Reads a file, JSON or CSV.
    pub fn read(path: &Path) -> Result<Results, Failure> {
        let name = path.display();
        let bytes = std::fs::read(path).map_err(|error| Failure::file("read", &name, &error))?;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let read = if text.starts_with('{') { from_json(text) } else { from_csv(text) };
        let results = read.map_err(|error| Failure::new(format!("{name} holds no results: {error}")))?;
        // A share of more machines than positions is empty, and knows so.
        if results.rows.is_empty() && results.suites.is_empty() {
            return Err(Failure::new(format!("{name} holds no results")));
        }
        Ok(results)
    }

    /// The whole as JSON.
    pub fn json(&self) -> Result<String, Failure> {
        let text = serde_json::to_string_pretty(self);
        text.map(|text| text + "\n").map_err(|error| Failure::new(format!("cannot write JSON: {error}")))
    }

    /// How many rows there are to be.
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

/// A CSV file tells its rows alone; suites and backends are those that occur, as far as they are finished.
fn from_csv(text: &str) -> Result<Results, String> {
    let mut results = Results::default();
    for row in csv::Reader::from_reader(text.as_bytes()).deserialize() {
        let row: Row = row.map_err(|error| error.to_string())?;
        match results.suites.iter_mut().find(|suite| suite.name == row.suite) {
            Some(suite) => suite.rows += 1,
            None => results.suites.push(About { name: row.suite.clone(), rows: 1, unread: 0 }),
        }
        if !row.is_perft() && !results.backends.contains(&row.backend) {
            results.backends.push(row.backend.clone());
        }
        results.rows.push(row);
    }
    Ok(results)
}

/// Joins the shares of a run, or runs of different suites. What was measured differently is not joined, nor is
/// anything counted twice.
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

/// Whether two files were measured in the same way.
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

/// Adds the suites of a part to those known. A CSV file knows only what it holds, so its numbers add up.
fn suites(known: &mut Vec<About>, name: &str, part: &Results) -> Result<(), Failure> {
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

/// Nothing may occur twice.
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

/// Rows to test with.
#[cfg(test)]
pub mod sample {
    use super::*;
    use crate::lab::records::rows::write;

    /// A search: name of the position, whether it is solved after how many made moves, points of ten.
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
    use crate::lab::records::rows::write;

    fn mixed() -> Vec<Row> {
        let mate =
            Row { mate: Some(-2), mate_claim: Some(MateClaim::False), ..row(2, "SSS*", None, Some(3)) };
        let perft = Row { depth: 2, nodes: 400, ..row(3, "", Some(1), None).perft() };
        vec![row(1, "MTD(f)", Some(8), None), mate, perft]
    }

    #[test]
    fn json_and_csv_say_the_same() {
        let wanted = results(mixed());
        assert_eq!(from_json(&wanted.json().unwrap()).unwrap(), wanted);
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
    fn what_was_measured_differently_is_not_joined() {
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
    fn what_holds_no_results_is_refused() {
        let folder = std::env::temp_dir().join(format!("plumb-results-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (name, text) in
            [("empty", ""), ("json", "{\"rows\": 3}"), ("words", "a,b\n1,2\n"), ("half", "{\"pro")]
        {
            let path = folder.join(name);
            std::fs::write(&path, text).unwrap();
            let error = Results::read(&path).unwrap_err();
            assert!(error.message().unwrap().contains(" holds no results"), "{name}: {error:?}");
        }
        assert!(
            Results::read(&folder.join("missing")).unwrap_err().message().unwrap().contains("cannot read")
        );
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
