//! Trace of a search: every pass of every iteration of a driver, and the numbers that follow from them.

use super::error::RecordError;
use crate::chess::game::Game;
use crate::chess::score::{self, Value};
use crate::lab::base::formats::san;
use crate::search::{Backend, Limits, Pass, SearchControl, Searcher, Settings};

/// Made moves between two polls of the stop flag.
const POLL: u64 = 8192;

/// A search by one driver.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The driver.
    pub backend: Backend,
    /// Value of the last iteration; of MTD-best a bound.
    pub value: Value,
    /// The principal variation in SAN.
    pub line: Vec<String>,
    /// Every pass of every iteration.
    pub passes: Vec<Pass>,
}

impl Trace {
    /// Searches a position to a depth by the driver of the settings, with every iteration, and without what
    /// the searcher knows of earlier searches. `stop` is asked every few thousand made moves.
    ///
    /// # Errors
    /// [`RecordError::Stopped`] if `stop` said so.
    pub fn record(
        searcher: &mut Searcher,
        game: &Game,
        settings: &Settings,
        depth: i32,
        stop: &dyn Fn() -> bool,
    ) -> Result<Trace, RecordError> {
        let mut recorder = PassRecorder { passes: Vec::new(), stop, stopped: false };
        let limits = Limits { depth, ..Limits::default() };
        searcher.forget();
        let outcome = searcher.search(game.position(), &[], settings, &limits, &mut recorder);
        if recorder.stopped {
            return Err(RecordError::Stopped);
        }
        let line = san::line(game.position().chess(), &outcome.pv);
        Ok(Trace { backend: settings.backend, value: outcome.value, line, passes: recorder.passes })
    }

    /// The passes of the last iteration, in order.
    #[must_use]
    pub fn last_iteration(&self) -> &[Pass] {
        let depth = self.passes.last().map_or(0, |pass| pass.depth);
        let first = self.passes.iter().position(|pass| pass.depth == depth).unwrap_or(0);
        &self.passes[first..]
    }

    /// Moves made up to the end of an iteration.
    #[must_use]
    pub fn nodes(&self, depth: i32) -> Option<u64> {
        self.passes.iter().rev().find(|pass| pass.depth == depth).map(|pass| pass.nodes)
    }

    /// Moves made by each pass of the last iteration.
    #[must_use]
    pub fn nodes_by_pass(&self) -> Vec<u64> {
        let last = self.last_iteration();
        let before = self.passes.len() - last.len();
        let mut seen = before.checked_sub(1).map_or(0, |at| self.passes[at].nodes);
        last.iter()
            .map(|pass| {
                let own = pass.nodes.saturating_sub(seen);
                seen = pass.nodes;
                own
            })
            .collect()
    }
}

/// The search control that keeps every pass.
struct PassRecorder<'s> {
    passes: Vec<Pass>,
    stop: &'s dyn Fn() -> bool,
    stopped: bool,
}

impl SearchControl for PassRecorder<'_> {
    fn poll(&mut self, nodes: u64) -> Option<u64> {
        self.stopped |= (self.stop)();
        (!self.stopped).then_some(nodes + POLL)
    }

    fn pass(&mut self, pass: &Pass) {
        self.passes.push(pass.clone());
    }
}

/// A value in pawns, a mate in moves.
#[must_use]
pub fn pawns(value: Value) -> String {
    match score::mate_in_moves(value) {
        Some(moves) => format!("mate {moves}"),
        None => format!("{:+.2}", f64::from(value) / f64::from(score::UNITS_PER_PAWN)),
    }
}

#[cfg(test)]
pub mod sample {
    //! Traces for tests.

    use super::*;
    use crate::search::Mode;

    /// The drivers from the start position, three plies deep.
    pub fn traces() -> Vec<Trace> {
        let mut searcher = Searcher::with_own_table(1).unwrap();
        let mut paper = Settings { mode: Mode::Paper, ..Settings::default() };
        paper.drivers.grid = 1;
        let trace = |&backend: &Backend| {
            let settings = Settings { backend, ..paper.clone() };
            Trace::record(&mut searcher, &Game::new(), &settings, 3, &|| false).unwrap()
        };
        Backend::DRIVERS.iter().map(trace).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Driver;

    #[test]
    fn lower_and_upper_bound_meet() {
        let gives_value =
            |backend: Backend| !matches!(backend, Backend::Driver(driver) if !driver.gives_value());
        for trace in sample::traces().iter().filter(|trace| gives_value(trace.backend)) {
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
}
