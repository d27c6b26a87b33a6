//! `plumb trace --tree`: the drivers' searches of one small tree, visit by visit: a page that steps through them, and the
//! record behind it as JSON.
//!
//! | file | what it does |
//! |---|---|
//! | [`mod@record`] | the record: nodes, events, counts (docs/tree.md) |
//! | `recorder` | the observer of a search that writes it |
//! | `textbook`, `chess` | searches of textbook games, and of chess by the engine |
//! | `games` | the games by name |
//! | `page` | the page; `tree.js` and `tree.css` are part of it |

pub mod arguments;
mod chess;
mod games;
mod page;
pub mod record;
mod recorder;
mod textbook;

use crate::chess::game::Game as ChessGame;
use crate::lab::base::pages::table::{Table, count};
use crate::lab::base::records::file::{self, Kind};
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::settings;
use crate::lab::base::terminal::values::backends;
use crate::lab::study::tree::arguments::TraceArgs;
use crate::search::Driver;
use games::GameName;
use record::{GameInfo, Nodes, Record, Run, VERSION};

/// Drivers without `--backends`.
const DRIVERS: &str = "mtdf,sss,negascout";

/// Drivers, depth and limits of a recorded search.
struct Plan {
    drivers: Vec<Driver>,
    /// In plies.
    depth: i32,
    /// The first guess; without one the static value, or the engine's own.
    guess: Option<i32>,
    /// Half the first window of Aspiration NegaScout.
    window: Option<i32>,
    /// Most visits of a driver.
    visits: usize,
}

impl Record {
    fn new(game: GameInfo, nodes: Nodes, runs: Vec<Run>) -> Record {
        let program = concat!("Plumb ", env!("CARGO_PKG_VERSION")).to_owned();
        Record { format: "plumb tree", version: VERSION, program, game, nodes, runs }
    }
}

/// Runs the searches, prints the table and writes the page, and the record where it is asked for.
///
/// # Errors
/// If the game cannot be read, a search is too large, or a file cannot be written.
pub fn run(arguments: &TraceArgs) -> Result<(), Failure> {
    for path in arguments.json.iter().chain([&arguments.output]) {
        file::check_writable(path, Kind::Text)?;
    }
    let record = record(arguments)?;
    let json = serde_json::to_string(&record)
        .map_err(|error| Failure::new(format!("the record cannot be written: {error}")))?;
    console::out(&table(&record).to_string())?;
    if let Some(path) = &arguments.json {
        file::write(path, format!("{json}\n"))?;
        console::warn(format!("the record is {}", path.display()));
    }
    let output = &arguments.output;
    file::write(output, page::page(&record, &json))?;
    console::warn(format!("the page is {}", output.display()));
    Ok(())
}

/// The searches of the command line.
fn record(arguments: &TraceArgs) -> Result<Record, Failure> {
    let game = GameName::parse(arguments.tree.as_deref().unwrap_or("report"))?;
    let plan = Plan {
        drivers: drivers(arguments.backends.as_deref().unwrap_or(DRIVERS))?,
        depth: arguments.depth.unwrap_or(game.usual_depth()),
        guess: arguments.guess,
        window: arguments.window,
        visits: arguments.visits as usize,
    };
    let position = arguments.fen.as_deref();
    if !matches!(game, GameName::Chess(_)) && (arguments.mode.is_some() || !arguments.set.is_empty()) {
        return Err(Failure::usage("--mode and --set belong to chess"));
    }
    let random = [
        ("--width", arguments.width.is_some()),
        ("--ordered", arguments.ordered.is_some()),
        ("--seed", arguments.seed.is_some()),
    ];
    if let Some((name, _)) = random.iter().find(|(_, given)| *given && !matches!(game, GameName::Random)) {
        return Err(Failure::usage(format!("{name} belongs to --tree random")));
    }
    if position.is_some() && matches!(game, GameName::Report | GameName::Random | GameName::Drawn(_)) {
        return Err(Failure::usage("this tree has no other position"));
    }
    match &game {
        GameName::Report => games::explicit(None, plan.depth).record(&plan),
        GameName::Drawn(branch) => games::explicit(Some(branch), plan.depth).record(&plan),
        GameName::Random => games::random(arguments, plan.depth).record(&plan),
        GameName::Othello => games::othello(position, plan.depth)?.record(&plan),
        GameName::Checkers => games::checkers(position, plan.depth)?.record(&plan),
        GameName::Chess(fen) => record_chess(arguments, fen.as_deref().or(position), &plan),
    }
}

/// The searches of a chess position.
fn record_chess(arguments: &TraceArgs, fen: Option<&str>, plan: &Plan) -> Result<Record, Failure> {
    let game = match fen {
        Some(fen) => ChessGame::parse_fen(fen).map_err(|error| Failure::usage(error.to_string()))?,
        None => ChessGame::new(),
    };
    if shakmaty::Position::legal_moves(game.position().chess()).is_empty() {
        return Err(Failure::new("there is no move in this position"));
    }
    let mut options = settings::of_shown_search(&arguments.set, arguments.mode)?;
    if let Some(window) = arguments.window {
        options.settings.drivers.aspiration_window = window;
    }
    chess::record(&game, &options.settings, options.hash, plan)
}

/// The drivers named. A backend that is no driver is an error: it searches without passes.
fn drivers(list: &str) -> Result<Vec<Driver>, Failure> {
    let backends = backends(list).map_err(Failure::usage)?;
    let driver = |backend: &crate::search::Backend| {
        backend.driver().ok_or_else(|| {
            Failure::usage(format!("{backend} searches without passes: there is nothing to trace"))
        })
    };
    backends.iter().map(driver).collect()
}

/// The failure of a search that is too large for a page.
fn too_many(driver: Driver, visits: usize) -> Failure {
    Failure::new(format!(
        "{driver} makes more than {visits} visits; a smaller --depth makes fewer, --visits allows more"
    ))
}

/// A row for each driver.
fn table(record: &Record) -> Table {
    let headings =
        ["driver", "value", "move", "passes", "visits", "interior", "leaves", "quiescence", "table"];
    let mut table = Table::new(1, headings);
    for run in &record.runs {
        let counts = &run.counts;
        table.row([
            run.driver.clone(),
            record.game.text(run.value),
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

#[cfg(test)]
mod tests;
