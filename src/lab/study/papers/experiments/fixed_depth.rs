//! The drivers of MT and their baselines over any textbook game (TR figures 11 to 14): leaves, total and
//! processor time, relative to Aspiration NegaScout with its best window. Chess runs on the engine's own
//! search and has a file of its own ([`super::chess`]).

use super::drivers::{ALPHA_BETA, DUAL, Expected, MTD_BEST, MTDF, SSS, Standing, widths};
use super::searches::{Found, Positions, Quantity, Results};
use crate::lab::base::pages::chart::Chart;
use crate::lab::base::pages::table::Table;
use crate::lab::base::terminal::cpu_clock::CpuClock;
use crate::lab::study::papers::experiment::{
    Claim, Description, Experiment, Scale, Section, Unfinished, Unit, Work, cell, shown,
};
use crate::minimax::deepening::{Guess, deepen, iterate};
use crate::minimax::drivers::{Algorithm, Driver};
use crate::minimax::memory::{FixedSizeTable, UnboundedTable};
use crate::minimax::mt::{MtOptions, Search};
use crate::minimax::mtd_best::Strategy;
use crate::minimax::replacement::Replacement;
use crate::minimax::{Game, StopCondition};

/// Positions, depths and table size of a game at a scale.
#[derive(Clone, Copy, Debug)]
pub struct FixedDepthPlan {
    /// Positions of played games, and their depth.
    pub searched: Positions,
    /// The table has 2^bits entries.
    pub bits: u32,
}

/// The comparison of TR on a game, with everything about the game that it needs.
pub struct FixedDepth<G> {
    /// The experiment's name.
    pub name: &'static str,
    /// The experiment's title.
    pub title: &'static str,
    /// The first positions to search.
    pub positions: fn(usize) -> Vec<G>,
    /// The evaluation's unit.
    pub unit: &'static str,
    /// Plan of a quick run (minutes) and of a full one (hours).
    pub plans: [FixedDepthPlan; 2],
    /// Windows of the baseline, in units of value to both sides of the guess; from too narrow to too wide, so
    /// that the best one lies between.
    pub windows: &'static [i32],
    /// Step of MTD-step, in units of value.
    pub stride: i32,
    /// The branching factor, according to TR section 4.4.
    pub branching: f64,
}

/// Visits between two polls of the stop flag.
const POLL: u64 = 1 << 12;

/// An algorithm under its label.
pub type Contender = (String, Algorithm<'static>);

/// Aspiration NegaScout with a window of `window` units to both sides of the guess.
pub fn aspiration(window: i32) -> Contender {
    (format!("AspNegaScout {window}"), Driver::NegaScout.with_window(window))
}

/// MTD(f).
pub fn mtdf() -> Contender {
    (MTDF.to_owned(), Driver::MtdF.exact())
}

fn drivers(stride: i32) -> Vec<Contender> {
    let others = [
        (MTD_BEST, Driver::MtdBest.with_strategy(Strategy::ProveBest)),
        ("MTD-bi", Driver::MtdBi.exact()),
        ("MTD-step", Driver::MtdStep.with_stride(stride)),
        (SSS, Driver::SssStar.exact()),
        (DUAL, Driver::DualStar.exact()),
        ("NegaScout", Driver::PlainNegaScout.exact()),
        (ALPHA_BETA, Driver::AlphaBeta.exact()),
    ]
    .map(|(label, algorithm)| (label.to_owned(), algorithm));
    std::iter::once(mtdf()).chain(others).collect()
}

impl<G> FixedDepth<G> {
    /// The plan of a scale.
    pub fn plan(&self, scale: Scale) -> FixedDepthPlan {
        let [quick, full] = self.plans;
        if scale == Scale::Quick { quick } else { full }
    }

    fn contenders(&self) -> Vec<Contender> {
        let mut all = drivers(self.stride);
        all.extend(self.windows.iter().map(|&window| aspiration(window)));
        all
    }
}

/// Plies that each side looks ahead while the games are played from which positions are taken.
const LOOKAHEAD: u32 = 3;

/// Positions of a game that are taken from it, four plies apart.
const A_GAME: usize = 10;

/// The first `count` positions of games that a shallow search plays against itself, from the opening of each
/// seed on, until they end or `enough` says so of a position and its ply.
pub fn played<G: Game<Value = i32>>(
    count: usize,
    opening: impl Fn(u64) -> G,
    enough: impl Fn(&G, usize) -> bool,
) -> Vec<G> {
    let mut found = Vec::new();
    for seed in 1.. {
        let mut position = opening(seed);
        let mut of_game = Vec::new();
        loop {
            let moves = position.moves();
            if moves.is_empty() || enough(&position, of_game.len()) {
                break;
            }
            of_game.push(position.clone());
            let mut search =
                Search::new(position.clone(), LOOKAHEAD, UnboundedTable::new(), MtOptions::default());
            let best = iterate(&mut search, Driver::PlainNegaScout.exact(), 0).ok().and_then(|found| found.1);
            position = position.play(moves[best.unwrap_or(0).min(moves.len() - 1)]);
        }
        found.extend(of_game.into_iter().step_by(4).take(A_GAME));
        if found.len() >= count {
            break;
        }
    }
    found.truncate(count);
    found
}

/// A search to a depth with an empty transposition table of 2^bits entries, which the stop flag ends.
pub(super) fn prepared<G: Game<Value = i32>>(
    root: G,
    depth: u32,
    bits: u32,
    work: &Work<'_>,
) -> Result<Search<G, FixedSizeTable<i32>, impl StopCondition>, Unfinished> {
    let halt = move |visits: u64| visits.is_multiple_of(POLL) && work.stop.is_set();
    let memory = work.table(bits, Replacement::DepthAge)?;
    Ok(Search::with_stop(root, depth, memory, MtOptions::default(), halt))
}

/// One contender's iterations on one position to a depth, from an empty transposition table of 2^bits
/// entries; counts and time are cumulative.
pub fn search<G: Game<Value = i32>>(
    (position, root): (usize, &G),
    (label, algorithm): &Contender,
    (depth, bits): (u32, u32),
    work: &Work<'_>,
) -> Result<Vec<Found>, Unfinished> {
    let mut search = prepared(root.clone(), 1, bits, work)?;
    let first = root.evaluate();
    let mut passes = 0;
    let mut all = Vec::new();
    let clock = CpuClock::start();
    deepen(&mut search, *algorithm, 1..=depth, (Guess::Previous, first), |iteration| {
        passes += u64::from(iteration.passes);
        all.push(Found {
            position,
            who: label.clone(),
            depth: iteration.depth,
            value: iteration.value,
            best: iteration.best.map_or("none".to_owned(), |index| index.to_string()),
            leaf: iteration.counts.leaf,
            interior: iteration.counts.interior,
            table: iteration.counts.table,
            passes,
            cpu: clock.elapsed().as_secs_f64(),
        });
    })?;
    Ok(all)
}

impl<G: Game<Value = i32>> Experiment for FixedDepth<G> {
    type Row = Found;

    fn about(&self) -> Description {
        Description { name: self.name, title: self.title, is_own: false, columns: Found::COLUMNS }
    }

    fn units(&self, scale: Scale) -> Vec<Unit> {
        self.plan(scale).searched.units()
    }

    fn run(&self, scale: Scale, index: usize, work: &Work<'_>) -> Result<Vec<Found>, Unfinished> {
        let FixedDepthPlan { searched, bits } = self.plan(scale);
        let positions = (self.positions)(searched.count);
        let root = positions.get(index).ok_or(Unfinished::Empty)?;
        let contenders = self.contenders();
        let size = (searched.depth, bits);
        let mut rows = Vec::new();
        // The order rotates, since caches are warmer for later contenders.
        for contender in contenders.iter().cycle().skip(index).take(contenders.len()) {
            rows.extend(search((index, root), contender, size, work)?);
        }
        Ok(rows)
    }

    fn conclude(&self, scale: Scale, rows: &[Found]) -> Section {
        let view = FixedDepthReport::new(self, self.plan(scale), rows);
        Section {
            protocol: view.protocol(),
            claims: view.claims(),
            tables: view.tables(),
            charts: view.charts(),
        }
    }
}

/// Results with the baseline that was found best.
struct FixedDepthReport<'a, G> {
    experiment: &'a FixedDepth<G>,
    plan: FixedDepthPlan,
    standing: Standing,
}

impl<'a, G: Game<Value = i32>> FixedDepthReport<'a, G> {
    fn new(experiment: &'a FixedDepth<G>, plan: FixedDepthPlan, rows: &[Found]) -> FixedDepthReport<'a, G> {
        let windows = experiment.windows.iter().map(|&window| aspiration(window).0);
        let standing = Standing::new(Results::new(rows), windows);
        FixedDepthReport { experiment, plan, standing }
    }

    fn protocol(&self) -> Vec<String> {
        let FixedDepthPlan { searched, bits } = self.plan;
        let windows: Vec<String> = self.experiment.windows.iter().map(i32::to_string).collect();
        let FixedDepth { unit, stride, .. } = self.experiment;
        vec![
            format!(
                "Positions from games that a shallow search played against itself, each searched by \
                 iterative deepening from an empty table of 2^{bits} entries, with the table's move first \
                 and the history heuristic; all algorithms run on one node routine (MT). The plan: {}; {}. \
                 Everything is cumulative over the iterations.",
                searched.words(),
                self.standing.results.reached(),
            ),
            format!(
                "The baseline is Aspiration NegaScout with the window that evaluates the fewest leaves on \
                 these same positions, out of {} {unit} to both sides: {}. The step of MTD-step is {stride} \
                 {unit}. Intervals: 95 %, bootstrap over positions. The evaluation is not the papers', so \
                 that signs and shapes can be compared with theirs, but not figures.",
                windows.join(", "),
                self.standing.base
            ),
        ]
    }

    fn claims(&self) -> Vec<Claim> {
        let widest = self.experiment.windows.last().map(|&window| aspiration(window).0).unwrap_or_default();
        let loose = self.standing.of(&widest, Quantity::Leaves);
        let expected = Expected {
            leaves: format!(
                "The baseline has its best window; {widest} needs {} of its leaves.",
                shown(loose)
            ),
            passes: "The minimum is two; the finer the evaluation, the more passes.".into(),
        };
        let mut claims = self.standing.mtdf(expected).to_vec();
        claims.extend(self.standing.extremes());
        claims.extend(self.standing.alike());
        claims.extend(self.standing.mtd_best());
        claims.extend(self.standing.branching(&self.widths(), self.experiment.branching));
        claims
    }

    /// Mean number of moves around each position that was searched.
    fn widths(&self) -> Vec<f64> {
        let count = self.standing.results.positions().last().map_or(0, |last| last + 1);
        if count == 0 { Vec::new() } else { widths(&(self.experiment.positions)(count)) }
    }

    fn tables(&self) -> Vec<(String, Table)> {
        if self.standing.depth == 0 {
            return Vec::new();
        }
        let mut table = Table::new(1, ["algorithm", "leaves", "total", "CPU time", "passes"]);
        for (who, _) in self.experiment.contenders() {
            table.row([
                who.clone(),
                cell(self.standing.of(&who, Quantity::Leaves)),
                cell(self.standing.of(&who, Quantity::Total)),
                cell(self.standing.of(&who, Quantity::Cpu)),
                self.standing.passes_told(&who),
            ]);
        }
        vec![(format!("Depth {}, % of {}", self.standing.depth, self.standing.base), table)]
    }

    fn charts(&self) -> Vec<Chart> {
        let drivers = drivers(self.experiment.stride);
        self.standing.charts(self.experiment.name, drivers.iter().map(|(who, _)| who.as_str()), 3)
    }
}

#[cfg(test)]
mod tests {
    use super::super::checkers::CHECKERS;
    use super::super::othello::OTHELLO;
    use super::*;
    use crate::lab::base::terminal::interrupted::Stop;

    fn check<G: Game<Value = i32>>(experiment: &FixedDepth<G>) {
        let (roots, stop) = ((experiment.positions)(1), Stop::default());
        let mut rows = Vec::new();
        for contender in experiment.contenders() {
            rows.extend(search((0, &roots[0]), &contender, (4, 14), &Work::new(&stop)).unwrap());
        }
        assert_eq!(rows.len(), 4 * experiment.contenders().len());
        let results = Results::new(&rows);
        for (who, _) in experiment.contenders().into_iter().filter(|(who, _)| who != "MTD-best") {
            let found = results.get(&who, 0, 4).unwrap();
            assert_eq!(found.value, results.get("AlphaBeta", 0, 4).unwrap().value, "{who}");
        }
        let section = experiment.conclude(Scale::Quick, &rows);
        let known = |claim: &Claim| !claim.ours.starts_with('-');
        assert!(section.claims.iter().all(known), "{:?}", section.claims);
        assert_eq!((section.charts.len(), section.tables.len()), (3, 1));
    }

    #[test]
    fn a_position_is_measured_and_concluded_on() {
        check(&OTHELLO);
        check(&CHECKERS);
    }

    #[test]
    fn positions_are_the_same_in_every_run() {
        let found = (CHECKERS.positions)(20);
        assert_eq!(found, (CHECKERS.positions)(20));
        assert_eq!(found[..10], (CHECKERS.positions)(10));
    }
}
