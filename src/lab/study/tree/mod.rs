//! The drivers' searches of one small tree, visit by visit: the record, and a page that steps through it. A
//! library for `plumb trace --tree` and for other pages.
//!
//! | file | what it does |
//! |---|---|
//! | [`mod@record`] | the record: nodes, events, counts (docs/tree.md) |
//! | `recorder` | the observer of a search that writes it |
//! | `textbook`, `chess` | searches of textbook games, and of chess by the engine |
//! | `games` | the games by name |
//! | [`code`] | the pseudocode of each backend |
//! | [`mod@page`] | the page, with `tree.js`, `questions.js`, `tree.css` and `board.js` of `base/pages` |
//! | `command` | `plumb trace --tree` itself |
//!
//! Only the command prints, reads files or handles Ctrl-C: the caller of a recording says when to stop.
//!
//! ```
//! use plumb::lab::study::tree::{GameName, RandomTreeShape, Request, page};
//! use plumb::search::{Backend, Driver, Settings};
//!
//! let request = Request {
//!     game: GameName::parse("((3 5) (2 9))").unwrap(),
//!     position: None,
//!     backends: vec![Driver::SssStar.into(), Driver::NegaScout.into(), Backend::Ins],
//!     depth: 2,
//!     guess: None,
//!     window: None,
//!     visits: 1000,
//!     random: RandomTreeShape::default(),
//!     settings: Settings::default(),
//!     hash: 1, // MiB
//! };
//! let record = request.record(&|| false).unwrap();
//! assert!(record.runs.iter().all(|run| run.value == 3));
//! assert!(page::page(&record, &record.json().unwrap()).contains("SSS*"));
//! ```

mod chess;
pub mod code;
#[cfg(feature = "lab")]
pub mod command;
mod games;
pub mod page;
pub mod record;
mod recorder;
mod textbook;

use super::trace::error::RecordError;
use crate::lab::base::pages::table::{Table, count};
use crate::search::{Backend, Settings};
pub use games::{GameName, RandomTreeShape};
use record::{GameInfo, Nodes, Record, Relation, Run, VERSION};

/// Searches to be recorded.
#[derive(Clone, Debug)]
pub struct Request {
    /// The game.
    pub game: GameName,
    /// Its root: a FEN, a board of checkers, moves of Othello; `None` for the start. Other trees have one
    /// root only.
    pub position: Option<String>,
    /// The backends, in the order of the record: drivers, and outside chess INS.
    pub backends: Vec<Backend>,
    /// Depth in plies, 1 or more; textbook games are searched to 60 plies at most.
    pub depth: i32,
    /// The first guess, in the units of the record; `None` for the static value, in chess the engine's own.
    pub guess: Option<i32>,
    /// Half the first window of Aspiration NegaScout, in the units of the record; `None` for what suits the
    /// game, in chess that of the settings.
    pub window: Option<i32>,
    /// Most visits of a backend.
    pub visits: usize,
    /// The random tree, where that is the game.
    pub random: RandomTreeShape,
    /// Settings of the engine, for chess; the backends replace its own.
    pub settings: Settings,
    /// Size of the transposition table in MiB, for chess.
    pub hash: usize,
}

impl Request {
    /// Searches with every backend, each from an empty table. `stop` is asked every few hundred visits.
    ///
    /// # Errors
    /// If the root cannot be read or has no move, a backend cannot be recorded or makes too many visits,
    /// `stop` said so, or there is no memory for the transposition table.
    pub fn record(&self, stop: &dyn Fn() -> bool) -> Result<Record, RecordError> {
        let position = self.position.as_deref();
        if position.is_some() && !self.game.has_positions() {
            return Err(RecordError::Unreadable("this tree has no other position".to_owned()));
        }
        match &self.game {
            GameName::Report => games::explicit(None, self.depth).record(self, stop),
            GameName::Drawn(branch) => games::explicit(Some(branch), self.depth).record(self, stop),
            GameName::Random => games::random(&self.random, self.depth).record(self, stop),
            GameName::Othello => games::othello(position, self.depth)?.record(self, stop),
            GameName::Checkers => games::checkers(position, self.depth)?.record(self, stop),
            GameName::Chess(fen) => chess::record(fen.as_deref().or(position), self, stop),
        }
    }
}

/// The backends of a list of names, separated by commas, or `all` for the drivers.
///
/// # Errors
/// If a name is no backend, or that of one whose searches are not recorded.
pub fn backends(list: &str) -> Result<Vec<Backend>, RecordError> {
    let backends = Backend::list(list).map_err(RecordError::Unreadable)?;
    match backends.iter().find(|backend| !backend.is_driver() && **backend != Backend::Ins) {
        Some(&backend) => Err(unrecorded(backend)),
        None => Ok(backends),
    }
}

/// The error of a backend whose searches are not recorded.
fn unrecorded(backend: Backend) -> RecordError {
    RecordError::Unreadable(format!("{backend} searches without passes: the drivers and INS can be recorded"))
}

impl Record {
    fn new(game: GameInfo, nodes: Nodes, runs: Vec<Run>) -> Record {
        let program = concat!("Plumb ", env!("CARGO_PKG_VERSION")).to_owned();
        let reasons = Record::reasons(&runs);
        Record { format: "plumb tree", version: VERSION, program, game, nodes, reasons, runs }
    }
}

/// A row for each driver.
#[must_use]
pub fn table(record: &Record) -> Table {
    let headings =
        ["driver", "value", "move", "passes", "visits", "interior", "leaves", "quiescence", "table"];
    let mut table = Table::new(1, headings);
    for run in &record.runs {
        let counts = &run.counts;
        table.row([
            run.driver.clone(),
            record.game.result(run, Relation::sign),
            run.best.clone(),
            count(counts.passes),
            count(counts.visits()),
            count(counts.interior),
            count(counts.leaf),
            count(counts.quiescence),
            count(counts.table),
        ]);
    }
    table
}

impl GameInfo {
    /// The value that a run has found; where it is a bound, with its sign.
    fn result(&self, run: &Run, sign: fn(Relation) -> &'static str) -> String {
        let value = self.text(run.value);
        if run.relation == Relation::Exact { value } else { format!("{} {value}", sign(run.relation)) }
    }

    /// A value in the unit of the game.
    fn text(&self, value: i32) -> String {
        match self.mate {
            Some(mate) if value.abs() > mate - 256 => {
                let moves = (mate - value.abs() + 1) / 2;
                format!("mate {}", moves * value.signum())
            }
            _ if self.unit == 1 => value.to_string(),
            _ => format!("{:+.2}", f64::from(value) / f64::from(self.unit)),
        }
    }
}

#[cfg(all(test, feature = "lab"))]
mod tests;
