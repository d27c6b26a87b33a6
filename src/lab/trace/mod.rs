//! `plumb trace`: one position, searched by several drivers, pass by pass. The searches and the table; the
//! page is [`super::page`].

use crate::lab::command::cli::{self, TraceArgs};
use crate::lab::command::console::{self, Failure};
use crate::lab::command::interrupted::{Stop, interrupted};
use crate::lab::command::settings;
use crate::lab::command::workers::Desk;
use crate::lab::formats::san;
use crate::lab::pages::table::{Table, count};
use crate::lab::records::file;
mod page;
pub mod record;

use crate::chess::game::Game;
use crate::engine::options::Options;
use crate::search::{Backend, Limits, Mode, Pass, SearchControl, Settings};
use record::{Trace, pawns};

/// Made moves between two looks at the stop flag.
const POLL: u64 = 8192;

/// Runs the searches, prints the table and writes the page.
pub fn run(arguments: &TraceArgs) -> Result<(), Failure> {
    let game = position(arguments)?;
    let backends = drivers(&arguments.backends)?;
    let (common, hash) = common(arguments)?;
    let mut desk = Desk::new(hash)?;
    let mut traces = Vec::new();
    for backend in backends {
        let settings = Settings { backend, ..common.clone() };
        match trace(&mut desk, &game, &settings, arguments.depth) {
            Some(trace) => traces.push(trace),
            None => break,
        }
    }
    if interrupted() && traces.is_empty() {
        return Ok(());
    }
    console::out(&table(&traces).to_string())?;
    file::write(&arguments.output, &page::page(&game, &traces, arguments.depth, common.mode))?;
    console::warn(format!("the page is {}", arguments.output.display()));
    Ok(())
}

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

/// The backends named, all of them drivers: the others ask no questions.
fn drivers(list: &str) -> Result<Vec<Backend>, Failure> {
    let backends = cli::backends(list).map_err(Failure::usage)?;
    match backends.iter().find(|backend| !backend.is_driver()) {
        Some(other) => {
            Err(Failure::usage(format!("{other} searches without passes: there is nothing to trace")))
        }
        None => Ok(backends),
    }
}

fn common(arguments: &TraceArgs) -> Result<(Settings, usize), Failure> {
    let mut options = Options::default();
    options.settings.mode = Mode::Paper;
    options.settings.grid = 1;
    for text in &arguments.set {
        settings::set(&mut options, text, &["Backend", "MultiPV"])?;
    }
    options.settings.mode = arguments.mode.unwrap_or(options.settings.mode);
    Ok((options.settings, options.hash))
}

/// One driver's search from an empty table; `None` when it was stopped.
fn trace(desk: &mut Desk, game: &Game, settings: &Settings, depth: i32) -> Option<Trace> {
    let mut recorder = Recorder { passes: Vec::new(), stop: Stop::default(), stopped: false };
    let limits = Limits { depth, ..Limits::default() };
    let outcome = desk.search(game.position(), settings, &limits, &mut recorder);
    if recorder.stopped {
        return None;
    }
    let mut chess = game.position().chess().clone();
    let san = |m: &shakmaty::Move| {
        let text = san::write(&chess, *m);
        shakmaty::Position::play_unchecked(&mut chess, *m);
        text
    };
    let line = outcome.pv.iter().map(san).collect();
    Some(Trace { backend: settings.backend, value: outcome.value, line, passes: recorder.passes })
}

/// Keeps every pass.
struct Recorder {
    passes: Vec<Pass>,
    stop: Stop,
    stopped: bool,
}

impl SearchControl for Recorder {
    fn poll(&mut self, nodes: u64) -> Option<u64> {
        self.stopped |= self.stop.is_set();
        (!self.stopped).then_some(nodes + POLL)
    }

    fn pass(&mut self, pass: &Pass) {
        self.passes.push(pass.clone());
    }
}

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
pub mod sample {
    //! Traces for tests.

    use super::*;

    /// The drivers from the start position, three plies deep.
    pub fn traces() -> Vec<Trace> {
        let mut desk = Desk::new(1).unwrap();
        let paper = Settings { mode: Mode::Paper, grid: 1, ..Settings::default() };
        let of = |&backend: &Backend| {
            trace(&mut desk, &Game::new(), &Settings { backend, ..paper.clone() }, 3).unwrap()
        };
        Backend::DRIVERS.iter().map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Driver;

    #[test]
    fn brackets_close() {
        for trace in sample::traces().iter().filter(|trace| trace.backend != Backend::Driver(Driver::MtdBest))
        {
            let last = trace.last_iteration();
            assert!(last.iter().all(|pass| pass.depth == 3) && !last.is_empty(), "{}", trace.backend);
            let (lower, upper) = last[last.len() - 1].bracket;
            let open = trace.backend == Backend::Driver(Driver::NegaScout) || trace.passes.len() == 3;
            assert!(open || lower >= upper, "{}: {lower} {upper}", trace.backend);
            assert_eq!(trace.nodes_by_pass().len(), last.len());
            assert!(trace.nodes(2) < trace.nodes(3));
            assert!(!trace.line.is_empty());
        }
    }

    #[test]
    fn what_makes_no_passes_is_refused() {
        assert_eq!(drivers("all").unwrap().len(), Backend::DRIVERS.len());
        assert!(drivers("mtdf,ins").unwrap_err().message().unwrap().contains("INS"));
        assert!(drivers("fish").is_err());
    }
}
