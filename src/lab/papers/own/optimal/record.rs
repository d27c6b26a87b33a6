//! Rows of the experiment `optimal`: an iteration of a search each, with its tests.

use super::root_moves::Near;
use crate::lab::papers::experiment::Row;
use crate::minimax::Window;

/// Counts of a search: leaves, the papers' total, made moves (chess only).
pub type Counts = [u64; 3];

/// A null-window search of the root.
#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration {
    /// Depth in plies.
    pub depth: u32,
    /// Its value in units.
    pub value: i32,
    /// Its counts.
    pub cost: Counts,
    /// Searches of the root.
    pub passes: u64,
    /// Root moves that are near the best at its end.
    pub near: Near,
    /// Its null-window searches, where all of its searches were such.
    pub tests: Vec<Test>,
}

/// A row: an iteration, and the search that it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Name of the game.
    pub arena: String,
    /// True of the test half.
    pub test: bool,
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
        "moves near (half)",
        "moves near (tenth)",
        "tests (bound:answer:leaves:total:made moves)",
    ];

    /// As a row of the raw data. Tests are written on request: they are long.
    pub fn row(&self, with_tests: bool) -> Row {
        let Iteration {
            depth,
            value,
            cost: [leaf, total, made],
            passes,
            near: [near_half, near_tenth],
            tests,
        } = &self.iteration;
        let tests: Vec<String> = tests.iter().filter(|_| with_tests).map(Test::text).collect();
        vec![
            self.arena.clone(),
            if self.test { "test" } else { "training" }.to_owned(),
            self.position.to_string(),
            self.who.clone(),
            depth.to_string(),
            value.to_string(),
            leaf.to_string(),
            total.to_string(),
            made.to_string(),
            passes.to_string(),
            near_half.to_string(),
            near_tenth.to_string(),
            if tests.is_empty() { "-".to_owned() } else { tests.join(" ") },
        ]
    }

    /// Reads a row back.
    pub fn from_row(row: &Row) -> Option<Record> {
        let [
            arena,
            half,
            position,
            who,
            depth,
            value,
            leaf,
            total,
            made,
            passes,
            near_half,
            near_tenth,
            tests,
        ] = row.as_slice()
        else {
            return None;
        };
        let tests: Option<Vec<Test>> = match tests.as_str() {
            "-" => Some(Vec::new()),
            tests => tests.split(' ').map(Test::parse).collect(),
        };
        let iteration = Iteration {
            depth: depth.parse().ok()?,
            value: value.parse().ok()?,
            cost: [leaf.parse().ok()?, total.parse().ok()?, made.parse().ok()?],
            passes: passes.parse().ok()?,
            near: [near_half.parse().ok()?, near_tenth.parse().ok()?],
            tests: tests?,
        };
        let (arena, who) = (arena.clone(), who.clone());
        Some(Record { arena, test: half == "test", position: position.parse().ok()?, who, iteration })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_were_written() {
        let tests = vec![
            Test { bound: -3, answer: 12, cost: [1, 2, 3] },
            Test { bound: 13, answer: 12, cost: [4, 5, 6] },
        ];
        let iteration = Iteration { depth: 4, value: 12, cost: [5, 7, 9], passes: 2, near: [1, 3], tests };
        let record = Record {
            arena: "chess play".to_owned(),
            test: true,
            position: 8,
            who: "SSS*".to_owned(),
            iteration,
        };
        assert_eq!(record.row(true).len(), Record::COLUMNS.len());
        assert_eq!(Record::from_row(&record.row(true)), Some(record.clone()));
        let short = Record::from_row(&record.row(false)).unwrap();
        assert!(short.iteration.tests.is_empty());
        assert_eq!(Record::from_row(&vec!["broken".to_owned()]), None);
    }
}
