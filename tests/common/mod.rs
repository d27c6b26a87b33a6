//! Helpers of the tests. Here for the tests of the search: positions, and a search control that records
//! everything; in [`program`] for tests of the built program, in `browser` for tests of its pages, in
//! `cgroup` for tests of little memory, in [`compatibility`] for tests that meet another program.

#![allow(dead_code, reason = "every program uses its own part")]

#[cfg(feature = "lab")]
pub(crate) mod browser;
#[cfg(target_os = "linux")]
pub(crate) mod cgroup;
pub(crate) mod compatibility;
pub(crate) mod program;

use plumb::chess::Position;
use plumb::chess::game::Game;
use plumb::chess::score::Value;
use plumb::search::{
    Backend, Limits, Mode, Outcome, Pass, Progress, Report, SearchControl, Searcher, Settings,
    TranspositionTable,
};
use shakmaty::Move;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// All files below a folder.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

/// A game from a FEN or from the first four fields of an EPD line.
pub(crate) fn game(fen: &str) -> Game {
    Game::parse_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// A position from a FEN.
pub(crate) fn position(fen: &str) -> Position {
    game(fen).position().clone()
}

/// The moves of a line as text.
pub(crate) fn text(game: &Game, line: &[Move]) -> String {
    line.iter().map(|&m| game.print_move(m)).collect::<Vec<_>>().join(" ")
}

/// Settings of a backend in a mode; everything else as it comes.
pub(crate) fn settings(backend: Backend, mode: Mode) -> Settings {
    Settings { backend, mode, ..Settings::default() }
}

/// Limits of so many plies.
pub(crate) fn plies(depth: i32) -> Limits {
    Limits { depth, ..Limits::default() }
}

/// A new searcher over an empty table of 1 MiB.
pub(crate) fn fresh() -> Searcher {
    Searcher::new(Arc::new(TranspositionTable::new(1).expect("1 MiB of memory")))
}

/// Searches with a new searcher and without a game before the root.
pub(crate) fn search(root: &Position, settings: &Settings, limits: &Limits) -> (Outcome, Notes) {
    let mut notes = Notes::default();
    let outcome = fresh().search(root, &[], settings, limits, &mut notes);
    (outcome, notes)
}

/// Result of a completed iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Iteration {
    pub(crate) depth: i32,
    pub(crate) value: Value,
    pub(crate) best: Move,
    pub(crate) passes: u32,
}

/// Search control that records everything; stops the search after some polls if `patience` is set.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    pub(crate) iterations: Vec<Iteration>,
    pub(crate) passes: Vec<Pass>,
    /// All reports, bounds of open brackets among them.
    pub(crate) reports: Vec<Report>,
    /// Reports of completed iterations: one for each line.
    pub(crate) finals: Vec<Report>,
    /// Number of polls that let the search go on, and made moves until the next one; `None` never stops it.
    pub(crate) patience: Option<(u32, u64)>,
}

impl Notes {
    /// The passes of one iteration.
    pub(crate) fn passes_of(&self, depth: i32) -> Vec<&Pass> {
        self.passes.iter().filter(|pass| pass.depth == depth).collect()
    }
}

impl SearchControl for Notes {
    fn poll(&mut self, nodes: u64) -> Option<u64> {
        match &mut self.patience {
            None => Some(u64::MAX),
            Some((0, _)) => None,
            Some((left, step)) => {
                *left -= 1;
                Some(nodes + *step)
            }
        }
    }

    fn report(&mut self, report: &Report) {
        self.reports.push(report.clone());
    }

    fn pass(&mut self, pass: &Pass) {
        self.passes.push(pass.clone());
    }

    fn iteration(&mut self, progress: &Progress<'_>) -> bool {
        let &Progress { depth, value, best, passes, .. } = progress;
        self.iterations.push(Iteration { depth, value, best, passes });
        // The lines of an iteration are the last reports, in order.
        let lines = self.reports.last().map_or(0, |last| last.line);
        let from = self.reports.len() - lines;
        self.finals.extend_from_slice(&self.reports[from..]);
        true
    }
}

/// Every `nth` position of a suite in the repository's `epd` folder, as FENs of four fields; empty where the
/// suite is missing.
pub(crate) fn suite(name: &str, nth: usize) -> Vec<String> {
    lines_of_suite(name)
        .iter()
        .step_by(nth)
        .map(|line| line.split_whitespace().take(4).collect::<Vec<_>>().join(" "))
        .collect()
}

/// The lines of a suite in the repository's `epd` folder that hold a position.
pub(crate) fn lines_of_suite(name: &str) -> Vec<String> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("epd").join(name);
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let holds_position = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    text.lines().filter(holds_position).map(str::to_owned).collect()
}
