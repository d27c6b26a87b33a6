//! Counts of one search, iteration by iteration.

use crate::chess::score::Value;
use crate::lab::base::formats::epd::Case;
use crate::lab::base::terminal::cpu_clock::CpuClock;
use crate::lab::base::terminal::interrupted::Stop;
use crate::lab::play::referee::Player;
use crate::search::{Limits, Progress, SearchControl, Settings, Stats};
use std::time::Duration;

/// Made moves between two polls of the stop flag.
const POLL: u64 = 8192;

/// Counts after an iteration, cumulative from depth 1.
#[derive(Clone, Debug, PartialEq)]
pub struct IterationRow {
    /// The depth completed, in plies.
    pub depth: i32,
    /// Value of the root.
    pub value: Value,
    /// Best move in UCI notation.
    pub best: String,
    /// Counts of the search.
    pub stats: Stats,
    /// Processor time of the searching thread.
    pub cpu: Duration,
}

/// A quantity that backends are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Leaf evaluations.
    Leaves,
    /// The papers' total: interior + leaf + table.
    Total,
    /// Quiescence positions, below the leaves.
    Quiescence,
    /// Made moves.
    Made,
    /// Processor time.
    Cpu,
}

impl Quantity {
    /// All, in the order of the tables.
    pub const ALL: [Quantity; 5] =
        [Quantity::Leaves, Quantity::Total, Quantity::Quiescence, Quantity::Made, Quantity::Cpu];

    /// The heading in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Quantity::Leaves => "leaves",
            Quantity::Total => "total",
            Quantity::Quiescence => "quiescence",
            Quantity::Made => "made moves",
            Quantity::Cpu => "CPU time",
        }
    }

    /// Its name in JSON.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Quantity::Leaves => "leaves",
            Quantity::Total => "total",
            Quantity::Quiescence => "quiescence",
            Quantity::Made => "made_moves",
            Quantity::Cpu => "cpu_time",
        }
    }

    /// Its amount in a row; processor time in seconds.
    #[must_use]
    pub fn of(self, row: &IterationRow) -> f64 {
        let stats = &row.stats;
        match self {
            Quantity::Leaves => stats.leaf as f64,
            Quantity::Total => stats.total() as f64,
            Quantity::Quiescence => stats.quiescence as f64,
            Quantity::Made => stats.made_moves as f64,
            Quantity::Cpu => row.cpu.as_secs_f64(),
        }
    }
}

/// Searches a case from an empty transposition table; a row for every iteration, or `None` when it was
/// stopped.
pub fn measure(
    player: &mut Player,
    case: &Case,
    settings: &Settings,
    limits: &Limits,
    stop: &Stop,
) -> Option<Vec<IterationRow>> {
    let mut recorder = IterationRecorder::new(case, stop);
    player.analyse(case.position(), settings, limits, &mut recorder);
    (!recorder.stopped).then_some(recorder.rows)
}

/// The search control that keeps a row for every iteration.
struct IterationRecorder<'a> {
    rows: Vec<IterationRow>,
    case: &'a Case,
    /// Runs from the first poll on, so that preparing the table is not charged to the search.
    clock: Option<CpuClock>,
    stop: &'a Stop,
    stopped: bool,
}

impl<'a> IterationRecorder<'a> {
    fn new(case: &'a Case, stop: &'a Stop) -> IterationRecorder<'a> {
        IterationRecorder { rows: Vec::new(), case, clock: None, stop, stopped: false }
    }
}

impl SearchControl for IterationRecorder<'_> {
    fn poll(&mut self, nodes: u64) -> Option<u64> {
        self.clock.get_or_insert_with(CpuClock::start);
        self.stopped |= self.stop.is_set();
        (!self.stopped).then_some(nodes + POLL)
    }

    fn iteration(&mut self, progress: &Progress<'_>) -> bool {
        // Searches of trees of their own are asked inside an iteration too, with the depth of the last one.
        if self.rows.last().is_some_and(|row| row.depth >= progress.depth) {
            return true;
        }
        self.rows.push(IterationRow {
            depth: progress.depth,
            value: progress.value,
            best: self.case.game.print_move(progress.best),
            stats: progress.stats.clone(),
            cpu: self.clock.as_ref().map_or(Duration::ZERO, CpuClock::elapsed),
        });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::formats::epd::{Reading, parse};
    use crate::search::{Backend, Mode};

    /// Informed NegaScout is polled inside its iterations; the line of a mate is longer than their depth.
    #[test]
    fn an_iteration_has_one_row_and_depths_rise() {
        let text = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - id \"x\";";
        let case = parse("mate.epd", text, Reading::Goals).cases.remove(0);
        let limits = Limits { depth: 4, ..Limits::default() };
        for backend in [Backend::Ins, Backend::Pns] {
            let settings = Settings { backend, mode: Mode::Paper, ..Settings::default() };
            let mut player = Player::new(Settings::default(), 16).unwrap();
            let rows = measure(&mut player, &case, &settings, &limits, &Stop::default()).unwrap();
            let depths: Vec<i32> = rows.iter().map(|row| row.depth).collect();
            assert_eq!(depths, [1, 2, 3, 4], "{backend}");
        }
    }
}
