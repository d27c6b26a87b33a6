//! Rows of the experiment `optimal`: an iteration of a search each, with its tests.

use super::arena::Half;
use crate::minimax::Window;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// Counts of a search: leaves, the papers' total, made moves (chess only).
pub type Counts = [u64; 3];

/// A null-window search of the root.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Test {
    /// It asked whether the value is at least this, in units.
    pub bound: i32,
    /// The value returned, fail-soft.
    pub answer: i32,
    /// Its counts.
    pub cost: Counts,
}

impl Test {
    /// The test of a window; `None` if the window is open.
    pub fn new(window: Window<i32>, answer: i32, cost: Counts) -> Option<Test> {
        window.is_null().then_some(Test { bound: window.beta, answer, cost })
    }

    /// True if it failed high.
    pub fn high(&self) -> bool {
        self.answer >= self.bound
    }

    fn text(&self) -> String {
        let [leaf, total, made] = self.cost;
        format!("{}:{}:{leaf}:{total}:{made}", self.bound, self.answer)
    }

    fn parse(text: &str) -> Option<Test> {
        let cells: Vec<&str> = text.split(':').collect();
        let [bound, answer, leaf, total, made] = cells.as_slice() else { return None };
        let cost = [leaf.parse().ok()?, total.parse().ok()?, made.parse().ok()?];
        Some(Test { bound: bound.parse().ok()?, answer: answer.parse().ok()?, cost })
    }
}

/// A completed iteration of one search; counts are its own.
#[derive(Clone, Debug, Default, PartialEq, Hash, Serialize, Deserialize)]
pub struct Iteration {
    /// Depth in plies.
    pub depth: u32,
    /// Its value in units.
    pub value: i32,
    /// Its counts.
    pub cost: Counts,
    /// Searches of the root.
    pub passes: u64,
    /// Its null-window searches, where all of its searches were such.
    #[serde(serialize_with = "joined", deserialize_with = "split")]
    pub tests: Vec<Test>,
}

/// Tests in one cell, with a space between them; `-` for none.
fn joined<S: Serializer>(tests: &[Test], serializer: S) -> Result<S::Ok, S::Error> {
    let texts: Vec<String> = tests.iter().map(Test::text).collect();
    let cell = if texts.is_empty() { "-".to_owned() } else { texts.join(" ") };
    serializer.serialize_str(&cell)
}

fn split<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Test>, D::Error> {
    let cell = String::deserialize(deserializer)?;
    let tests = cell.split(' ').filter(|text| *text != "-").map(Test::parse);
    tests.collect::<Option<_>>().ok_or_else(|| D::Error::custom("a test has five numbers"))
}

/// A row: an iteration, and the search that it belongs to.
#[derive(Clone, Debug, Default, PartialEq, Hash, Serialize, Deserialize)]
pub struct Record {
    /// Name of the game.
    pub arena: String,
    /// The half of the positions that it belongs to.
    pub half: Half,
    /// Number of the position in its half.
    pub position: usize,
    /// Label of the contender.
    pub who: String,
    /// The iteration.
    pub iteration: Iteration,
}

impl Record {
    /// The cells of a row.
    pub const COLUMNS: &'static [&'static str] = &[
        "game",
        "half",
        "position",
        "contender",
        "depth (plies)",
        "value (units)",
        "leaves",
        "total",
        "made moves",
        "passes",
        "tests (bound:answer:leaves:total:made moves)",
    ];

    /// As a row of the raw data. Tests are written on request: they are long.
    #[must_use]
    pub fn row(mut self, with_tests: bool) -> Record {
        if !with_tests {
            self.iteration.tests.clear();
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::records::rows::{cells, from_cells};

    #[test]
    fn rows_are_read_as_they_were_written() {
        let tests = vec![
            Test { bound: -3, answer: 12, cost: [1, 2, 3] },
            Test { bound: 13, answer: 12, cost: [4, 5, 6] },
        ];
        let iteration = Iteration { depth: 4, value: 12, cost: [5, 7, 9], passes: 2, tests };
        let record = Record {
            arena: "chess play".to_owned(),
            half: Half::Test,
            position: 8,
            who: "SSS*".to_owned(),
            iteration,
        };
        let read = |record: &Record| from_cells(Record::COLUMNS, &cells([record]).unwrap()[0]);
        assert_eq!(read(&record), Ok(record.clone()));
        let short = read(&record.row(false)).unwrap();
        assert!(short.iteration.tests.is_empty());
        let mut broken = cells([&short]).unwrap().remove(0);
        broken[10] = "-3:12:1:2".to_owned();
        let refused = from_cells::<Record>(Record::COLUMNS, &broken).unwrap_err();
        assert!(refused.contains("a test has five numbers"), "{refused}");
    }
}
