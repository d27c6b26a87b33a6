//! `plumb trace`: one position, searched by several drivers; a table of their passes, and a page of pictures.
//!
//! | file | what it does |
//! |---|---|
//! | [`record`] | a search with every pass of every iteration |
//! | `page` | the page |
//! | `drawing` | its pictures: bounds and moves made by pass |

mod drawing;
mod page;
pub mod record;

use crate::chess::game::Game;
use crate::lab::base::pages::table::{Table, count};
use crate::lab::base::records::file::{self, Kind};
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::interrupted;
use crate::lab::base::terminal::settings;
use crate::lab::base::terminal::values::backends;
use crate::lab::play::referee::Player;
use crate::lab::study::tree::arguments::TraceArgs;
use crate::search::{Backend, Settings};
use record::{Trace, pawns};

/// Iterations without `--depth`, in plies.
const DEPTH: i32 = 6;

/// Backends without `--backends`.
const BACKENDS: &str = "mtdf,sss,dual,mtd-bi,negascout";

/// Runs the searches, prints the table and writes the page.
pub fn run(arguments: &TraceArgs) -> Result<(), Failure> {
    let game = position(arguments)?;
    let backends = drivers(arguments.backends.as_deref().unwrap_or(BACKENDS))?;
    let depth = arguments.depth.unwrap_or(DEPTH);
    let (common, hash) = common(arguments)?;
    file::check_writable(&arguments.output, Kind::Text)?;
    let mut player = Player::new(Settings::default(), hash)?;
    let mut traces = Vec::new();
    for backend in backends {
        let settings = Settings { backend, ..common.clone() };
        match Trace::record(&mut player, &game, &settings, depth) {
            Some(trace) => traces.push(trace),
            None => break,
        }
    }
    if interrupted() && traces.is_empty() {
        return Ok(());
    }
    console::out(&table(&traces).to_string())?;
    file::write(&arguments.output, page::page(&game, &traces, depth, common.mode))?;
    console::warn(format!("the page is {}", arguments.output.display()));
    Ok(())
}

/// The position of the command line; one without a legal move is an error.
fn position(arguments: &TraceArgs) -> Result<Game, Failure> {
    let game = match &arguments.fen {
        Some(fen) => Game::parse_fen(fen).map_err(|error| Failure::usage(error.to_string()))?,
        None => Game::new(),
    };
    if shakmaty::Position::legal_moves(game.position().chess()).is_empty() {
        return Err(Failure::new("there is no move in this position"));
    }
    Ok(game)
}

/// The backends named. One that is no driver is an error: it searches without passes.
fn drivers(list: &str) -> Result<Vec<Backend>, Failure> {
    let backends = backends(list).map_err(Failure::usage)?;
    match backends.iter().find(|backend| !backend.is_driver()) {
        Some(other) => {
            Err(Failure::usage(format!("{other} searches without passes: there is nothing to trace")))
        }
        None => Ok(backends),
    }
}

/// Settings that all drivers share, and the size of the transposition table in MiB.
fn common(arguments: &TraceArgs) -> Result<(Settings, usize), Failure> {
    let options = settings::of_shown_search(&arguments.set, arguments.mode)?;
    Ok((options.settings, options.hash))
}

/// A row for each driver.
fn table(traces: &[Trace]) -> Table {
    let mut table = Table::new(1, ["backend", "value", "move", "passes", "moves made", "last iteration"]);
    for trace in traces {
        table.row([
            trace.backend.to_string(),
            pawns(trace.value),
            trace.line.first().cloned().unwrap_or_default(),
            trace.last_iteration().len().to_string(),
            count(trace.passes.last().map_or(0, |pass| pass.nodes)),
            count(trace.nodes_by_pass().iter().sum()),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backend_that_makes_no_passes_is_refused() {
        assert_eq!(drivers("all").unwrap().len(), Backend::DRIVERS.len());
        assert!(drivers("mtdf,ins").unwrap_err().message().unwrap().contains("INS"));
        assert!(drivers("fish").is_err());
    }
}
