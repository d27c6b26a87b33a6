//! Tables of ratios from raw counts, relative to the base, which is Aspiration NegaScout.

use super::measure::{IterationRow, Quantity};
use super::record::SearchRun;
use crate::lab::base::pages::table::{LEAST_CPU, Table, count, percent, seconds};
use crate::lab::base::statistics::ratios::{Estimate, Ratio, ratio};
use crate::search::{Backend, Settings, Stats};
use serde::Serialize;
use std::fmt::Write as _;
use std::time::Duration;

/// A backend with its settings.
#[derive(Clone, Debug)]
pub struct Contender {
    /// Its name in tables and records.
    pub label: String,
    /// Settings of its search, the backend among them.
    pub settings: Settings,
}

impl Contender {
    /// Its search algorithm.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.settings.backend
    }
}

/// The finished searches, by contender and position.
#[derive(Clone, Debug)]
pub struct Results {
    runs: Vec<Vec<Option<Vec<IterationRow>>>>,
}

impl Results {
    /// Nothing finished yet.
    #[must_use]
    pub fn new(contenders: usize, positions: usize) -> Results {
        Results { runs: vec![vec![None; positions]; contenders] }
    }

    /// Enters a finished search.
    pub fn enter(&mut self, run: SearchRun) {
        self.runs[run.contender][run.position] = Some(run.rows);
    }

    /// True if a search is finished.
    #[must_use]
    pub fn has(&self, contender: usize, position: usize) -> bool {
        self.runs[contender][position].is_some()
    }

    /// The state after `depth` plies of one search.
    fn row(&self, contender: usize, position: usize, depth: i32) -> Option<&IterationRow> {
        self.runs[contender][position].as_ref()?.iter().find(|row| row.depth == depth)
    }

    /// Positions in which every contender of a set has completed `depth`.
    fn common(&self, contenders: &[usize], depth: i32) -> Vec<usize> {
        let positions = 0..self.runs.first().map_or(0, Vec::len);
        positions.filter(|&p| contenders.iter().all(|&c| self.row(c, p, depth).is_some())).collect()
    }
}

/// Results of some of the contenders, one of them the base.
pub struct Report<'a> {
    /// All contenders that have results.
    pub contenders: &'a [Contender],
    /// Their results.
    pub results: &'a Results,
    /// Those to show, the base among them.
    pub shown: &'a [usize],
    /// The base, which is 100 %.
    pub base: usize,
    /// Seed of the bootstrap.
    pub seed: u64,
}

/// One depth of a report: the rows of all shown contenders over the same positions.
pub(super) struct At<'a> {
    report: &'a Report<'a>,
    pub(super) positions: Vec<usize>,
    pub(super) depth: i32,
}

/// Sums and ratios of a contender over all positions; `None` (`-`, `null`) where the backend does
/// not count it, or where there is nothing to count. Shares are 0 to 1.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Searches {
    /// Positions with the value of the base.
    same_value: Option<f64>,
    /// Positions with the best move of the base.
    same_move: f64,
    /// Searches of the root in an iteration.
    passes_per_iteration: Option<f64>,
    /// Passes that failed high, of all passes.
    fail_high_share: Option<f64>,
    /// Made moves of a pass that failed high, relative to one that failed low.
    fail_high_to_fail_low: Option<f64>,
    /// Passes that contradicted an earlier one, in an iteration.
    crossings_per_iteration: Option<f64>,
    /// Fail-highs of interior nodes on the first move.
    first_move_share: Option<f64>,
    /// Moves searched at such a node until the fail-high.
    moves_per_cutoff: Option<f64>,
}

/// The columns of the tables, explained.
pub const LEGEND: &str = "\
Columns

- leaves: evaluations at the depth limit, each the start of a quiescence search (the papers' NBP)
- total: interior nodes, leaves and transposition-table cut-offs together, as the papers count
- quiescence: positions of the quiescence search below the leaves
- made moves: moves made on the board, the nodes of UCI; of INS, PNS and the best-first searches, visits of \
nodes
- CPU time: processor time of the searching thread
- [95 % interval]: bootstrap over the positions
- ratio of totals: positions with large trees weigh more; geometric mean: every position weighs the same
- same value %, same move %: positions with the same value, or best move, as the base
- passes/iteration: searches of the root in an iteration
- fail-highs %: null-window searches of the root that failed high, of all of them
- fail-high : fail-low: made moves of a pass that failed high, relative to one that failed low
- crossings/1000 it.: passes that contradicted an earlier one (f- above f+), in a thousand iterations
- first-move cut-offs %: fail-highs of interior nodes on the first move
- moves/cut-off: moves searched at such a node until it failed high
- d1, d2 ...: the same ratio after that many plies
- a dash: the backend does not count this, or there was nothing to count
";

impl Report<'_> {
    pub(super) fn at(&self, depth: i32) -> At<'_> {
        At { report: self, positions: self.results.common(self.shown, depth), depth }
    }

    /// The greatest depth up to `deepest` that all shown contenders have completed in some position.
    #[must_use]
    pub fn deepest(&self, deepest: i32) -> Option<i32> {
        (1..=deepest).rev().find(|&depth| !self.at(depth).positions.is_empty())
    }

    /// All tables of one depth.
    #[must_use]
    pub fn full(&self, depth: i32) -> String {
        let at = self.at(depth);
        if at.positions.is_empty() {
            return format!("## Depth {depth}: no position is finished\n\n");
        }
        let mut text = String::new();
        let places = if at.positions.len() == 1 { "position" } else { "positions" };
        let _ =
            writeln!(text, "## Depth {depth}, cumulative from depth 1, {} {places}\n", at.positions.len());
        let _ = writeln!(text, "100 % = {}: {}\n", self.contenders[self.base].label, at.absolute());
        let _ = writeln!(text, "Ratio of totals, % [95 % interval]\n\n{}", at.ratios(|ratio| ratio.totals));
        let _ = writeln!(
            text,
            "Geometric mean of the ratios per position, % [95 % interval]\n\n{}",
            at.ratios(|ratio| ratio.geometric)
        );
        let _ = writeln!(text, "Searches\n\n{}", at.searches());
        text
    }

    /// Growth of the main quantities with depth, as geometric means.
    #[must_use]
    pub fn growth(&self, deepest: i32) -> String {
        let depths: Vec<At<'_>> =
            (1..=deepest).map(|depth| self.at(depth)).filter(|at| !at.positions.is_empty()).collect();
        let mut text = String::new();
        for quantity in [Quantity::Leaves, Quantity::Total, Quantity::Cpu] {
            let headings = depths.iter().map(|at| format!("d{}", at.depth));
            let mut table = Table::new(1, std::iter::once("backend".to_owned()).chain(headings));
            for &contender in self.shown {
                let cells = depths.iter().map(|at| mean(at.ratio(contender, quantity)));
                table.row(std::iter::once(self.contenders[contender].label.clone()).chain(cells));
            }
            let _ = writeln!(text, "By depth: {}, geometric mean, %\n\n{table}", quantity.name());
        }
        text
    }
}

impl At<'_> {
    /// The rows of a contender, one a position.
    fn rows(&self, contender: usize) -> impl Iterator<Item = &IterationRow> {
        self.positions
            .iter()
            .filter_map(move |&position| self.report.results.row(contender, position, self.depth))
    }

    pub(super) fn sum(&self, contender: usize) -> Stats {
        let mut sum = Stats::default();
        self.rows(contender).for_each(|row| sum += &row.stats);
        sum
    }

    /// The ratio to the base. Of processor time there is none where it is too little to be measured.
    pub(super) fn ratio(&self, contender: usize, quantity: Quantity) -> Option<Ratio> {
        let timed = [contender, self.report.base].iter().all(|&who| self.cpu(who) >= LEAST_CPU);
        if quantity == Quantity::Cpu && !timed {
            return None;
        }
        let base = self.rows(self.report.base);
        let pairs: Vec<_> =
            self.rows(contender).zip(base).map(|(row, base)| (quantity.of(row), quantity.of(base))).collect();
        ratio(&pairs, self.report.seed)
    }

    /// Processor time of a contender.
    pub(super) fn cpu(&self, contender: usize) -> Duration {
        self.rows(contender).map(|row| row.cpu).sum()
    }

    /// The share of positions in which a contender agrees with the base.
    fn agreement<T: PartialEq>(&self, contender: usize, of: impl Fn(&IterationRow) -> T) -> f64 {
        let same =
            self.rows(contender).zip(self.rows(self.report.base)).filter(|(a, b)| of(a) == of(b)).count();
        same as f64 / self.positions.len() as f64
    }

    /// The columns that are no ratio to the base. A search that is no driver has no passes, no table and no
    /// cut-offs that are counted.
    pub(super) fn searches_of(&self, contender: usize) -> Searches {
        let sum = self.sum(contender);
        let backend = self.report.contenders[contender].backend();
        let iterations = Some(sum.iterations).filter(|&n| backend.is_driver() && n > 0);
        let per_iteration = |count: u64| iterations.map(|iterations| count as f64 / iterations as f64);
        let tests = sum.passes_high + sum.passes_low > 0;
        let cut = sum.cutoffs.iter().sum::<u64>() > 0;
        Searches {
            same_value: backend.gives_value().then(|| self.agreement(contender, |row| row.value)),
            same_move: self.agreement(contender, |row| row.best.clone()),
            passes_per_iteration: per_iteration(sum.passes()),
            fail_high_share: tests.then(|| sum.fail_high_share()),
            fail_high_to_fail_low: sum.high_to_low(),
            crossings_per_iteration: per_iteration(sum.crossings),
            first_move_share: cut.then(|| sum.first_move_share()),
            moves_per_cutoff: cut.then(|| sum.moves_per_cutoff()),
        }
    }

    /// The base's own counts.
    fn absolute(&self) -> String {
        let sum = self.sum(self.report.base);
        let cpu = self.cpu(self.report.base);
        format!(
            "{} leaves, {} total, {} quiescence, {} made moves, {}",
            count(sum.leaf),
            count(sum.total()),
            count(sum.quiescence),
            count(sum.made_moves),
            seconds(cpu)
        )
    }

    fn label(&self, contender: usize) -> String {
        self.report.contenders[contender].label.clone()
    }

    /// One kind of ratio, for every contender and quantity.
    fn ratios(&self, which: impl Fn(Ratio) -> Estimate) -> Table {
        let mut table = Table::new(1, std::iter::once("backend").chain(Quantity::ALL.map(Quantity::name)));
        for &contender in self.report.shown {
            let cell = |quantity| estimate(self.ratio(contender, quantity).map(&which));
            table.row(std::iter::once(self.label(contender)).chain(Quantity::ALL.map(cell)));
        }
        table
    }

    /// Columns that are no ratio to the base.
    fn searches(&self) -> Table {
        let mut table = Table::new(
            1,
            [
                "backend",
                "same value %",
                "same move %",
                "passes/iteration",
                "fail-highs %",
                "fail-high : fail-low",
                "crossings/1000 it.",
                "first-move cut-offs %",
                "moves/cut-off",
            ],
        );
        let number = |number: Option<f64>, digits: usize| {
            number.map_or("-".to_owned(), |number| format!("{number:.digits$}"))
        };
        for &contender in self.report.shown {
            let of = self.searches_of(contender);
            table.row([
                self.label(contender),
                of.same_value.map_or("-".to_owned(), percent),
                percent(of.same_move),
                number(of.passes_per_iteration, 2),
                of.fail_high_share.map_or("-".to_owned(), percent),
                number(of.fail_high_to_fail_low, 2),
                number(of.crossings_per_iteration.map(|crossings| crossings * 1000.0), 1),
                of.first_move_share.map_or("-".to_owned(), percent),
                number(of.moves_per_cutoff, 3),
            ]);
        }
        table
    }
}

fn mean(ratio: Option<Ratio>) -> String {
    ratio.map_or("-".to_owned(), |ratio| percent(ratio.geometric.value))
}

fn estimate(estimate: Option<Estimate>) -> String {
    estimate.map_or("-".to_owned(), |estimate| estimate.told("", percent))
}

/// Sweep of the aspiration window: every window in absolute numbers, over the positions that all have
/// finished.
pub struct Sweep<'a> {
    /// All contenders that have results.
    pub contenders: &'a [Contender],
    /// Their results.
    pub results: &'a Results,
    /// The contenders of the sweep.
    pub windows: &'a [usize],
    /// Nominal depth in plies.
    pub depth: i32,
}

impl Sweep<'_> {
    fn rows(&self, contender: usize) -> Vec<&IterationRow> {
        let positions = self.results.common(self.windows, self.depth);
        positions
            .into_iter()
            .filter_map(|position| self.results.row(contender, position, self.depth))
            .collect()
    }

    fn total(&self, contender: usize, quantity: Quantity) -> f64 {
        self.rows(contender).iter().map(|row| quantity.of(row)).sum()
    }

    /// The window with the fewest leaves in total; of equals the faster one. `None` when nothing is finished.
    #[must_use]
    pub fn best(&self) -> Option<usize> {
        let cost = |contender: usize| {
            (self.total(contender, Quantity::Leaves), self.total(contender, Quantity::Cpu))
        };
        let finished = !self.results.common(self.windows, self.depth).is_empty();
        let by_cost = |a: &usize, b: &usize| {
            let (a, b) = (cost(*a), cost(*b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        };
        self.windows.iter().copied().filter(|_| finished).min_by(by_cost)
    }

    /// The table of the sweep, with the best window named.
    #[must_use]
    pub fn table(&self) -> String {
        let positions = self.results.common(self.windows, self.depth).len();
        let Some(best) = self.best() else {
            return "## Windows of Aspiration NegaScout: no position is finished\n\n".to_owned();
        };
        let mut table =
            Table::new(0, ["window", "leaves", "leaves %", "total", "made moves", "CPU time", "CPU %"]);
        let relative =
            |contender, quantity| percent(self.total(contender, quantity) / self.total(best, quantity));
        let cpu = |contender: usize| -> Duration { self.rows(contender).iter().map(|row| row.cpu).sum() };
        for &contender in self.windows {
            let whole = |quantity| count(self.total(contender, quantity) as u64);
            table.row([
                self.contenders[contender].settings.drivers.aspiration_window.to_string(),
                whole(Quantity::Leaves),
                relative(contender, Quantity::Leaves),
                whole(Quantity::Total),
                whole(Quantity::Made),
                seconds(cpu(contender)),
                if [contender, best].iter().all(|&who| cpu(who) >= LEAST_CPU) {
                    relative(contender, Quantity::Cpu)
                } else {
                    "-".to_owned()
                },
            ]);
        }
        let window = self.contenders[best].settings.drivers.aspiration_window;
        format!(
            "## Windows of Aspiration NegaScout, depth {}, {positions} positions\n\n{table}\n\
             Best window: {window} (fewest leaves in total; of equals the faster one)\n\n",
            self.depth
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Driver;

    fn row(depth: i32, leaf: u64, value: i32) -> IterationRow {
        let stats =
            Stats { leaf, made_moves: leaf, iterations: depth as u64, passes_low: 2, ..Stats::default() };
        IterationRow { depth, value, best: "e2e4".to_owned(), stats, cpu: Duration::from_millis(leaf) }
    }

    fn contender(backend: Backend, window: i32) -> Contender {
        let mut settings = Settings { backend, ..Settings::default() };
        settings.drivers.aspiration_window = window;
        Contender { label: backend.name().to_owned(), settings }
    }

    fn results(leaves: &[&[u64]]) -> Results {
        let mut results = Results::new(leaves.len(), leaves[0].len());
        for (contender, positions) in leaves.iter().enumerate() {
            for (position, &leaf) in positions.iter().enumerate() {
                let rows = vec![row(1, leaf / 2, 5), row(2, leaf, contender as i32)];
                results.enter(SearchRun { contender, position, rows });
            }
        }
        results
    }

    #[test]
    fn the_base_is_100_per_cent() {
        let contenders =
            [contender(Backend::Driver(Driver::NegaScout), 12), contender(Backend::Driver(Driver::MtdF), 12)];
        let results = results(&[&[100, 1000], &[50, 2000]]);
        let report = Report { contenders: &contenders, results: &results, shown: &[0, 1], base: 0, seed: 1 };
        let text = report.full(2);
        assert!(text.contains("| MTD(f)    |  186.4 [50.0, 200.0] |"), "{text}");
        assert!(text.contains("| NegaScout | 100.0 [100.0, 100.0] |"), "{text}");
        assert!(text.contains("| MTD(f)    |          0.0 |       100.0 |"), "{text}");
        assert!(report.growth(2).contains("| backend   |    d1 |    d2 |"), "{}", report.growth(2));
        assert_eq!(report.deepest(9), Some(2));
    }

    #[test]
    fn what_a_backend_does_not_count_is_a_dash() {
        let contenders = [contender(Backend::Driver(Driver::NegaScout), 12), contender(Backend::Ins, 12)];
        let results = results(&[&[100, 1000], &[50, 2000]]);
        let report = Report { contenders: &contenders, results: &results, shown: &[0, 1], base: 0, seed: 1 };
        let text = report.full(2);
        let row = text.lines().rfind(|line| line.starts_with("| INS ")).unwrap();
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        assert_eq!(cells[2..], ["-", "100.0", "-", "0.0", "-", "-", "-", "-", ""], "{text}");
        // Every heading of the tables is explained.
        let headings = Quantity::ALL.map(Quantity::name);
        let table = report.at(2).searches();
        for heading in headings.iter().copied().chain(table.rows()[0][1..].iter().map(String::as_str)) {
            assert!(LEGEND.contains(heading), "{heading}");
        }
    }

    #[test]
    fn only_common_positions_count() {
        let contenders =
            [contender(Backend::Driver(Driver::NegaScout), 12), contender(Backend::Driver(Driver::MtdF), 12)];
        let mut results = results(&[&[100, 1000], &[50, 2000]]);
        results.runs[1][1] = None;
        let report = Report { contenders: &contenders, results: &results, shown: &[0, 1], base: 0, seed: 1 };
        assert!(report.full(2).contains(" 50.0 [-, -] |"), "one position shows no spread");
        assert!(report.full(3).contains("no position is finished"));
    }

    #[test]
    fn the_sweep_takes_the_fewest_leaves_then_the_fastest() {
        let contenders = [5, 10, 15].map(|window| contender(Backend::Driver(Driver::NegaScout), window));
        let mut results = results(&[&[100], &[90], &[90]]);
        results.runs[1][0].as_mut().unwrap()[1].cpu = Duration::from_secs(9);
        let sweep = Sweep { contenders: &contenders, results: &results, windows: &[0, 1, 2], depth: 2 };
        assert_eq!(sweep.best(), Some(2));
        assert!(sweep.table().contains("Best window: 15"));
        assert_eq!(Sweep { depth: 7, ..sweep }.best(), None);
    }
}
