//! Minimal graph of chess, the smallest that proves the value: the distance of the drivers from it (TR
//! section 4.4: all algorithms converge on the minimal tree), and the gain of enhanced transposition cut-offs
//! (ETC).
//!
//! Both sides of a ratio search the same textbook game with the same leaf evaluation, in a memory that loses
//! nothing.

use super::searches::case;
use crate::lab::base::pages::chart::{Axis, Chart, Point, Series};
use crate::lab::base::pages::table::{Table, count};
use crate::lab::base::statistics::ratios::{Estimate, ratio};
use crate::lab::base::terminal::interrupted::Stop;
use crate::lab::study::papers::experiment::{
    Claim, Description, Experiment, Scale, Section, Unfinished, Unit, Verdict, Work, shown,
};
use crate::minimax::deepening::iterate;
use crate::minimax::drivers::{Algorithm, Driver};
use crate::minimax::memory::UnboundedTable;
use crate::minimax::minimal_graph::{MinimalGraph, Size};
use crate::minimax::mt::{MtOptions, Search};
use crate::minimax::{Memory as _, Stopped};
use crate::search::textbook::chess_game::ChessGame;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The experiment `limit`.
pub struct MinimalGraphs;

const LEFT: &str = "left-first minimal graph";
const REAL: &str = "approximate real minimal graph";
const BASE: &str = "AspNegaScout";

/// Window of the baseline: the best one of an earlier run of `chess`.
const WINDOW: i32 = 8;

/// Remaining depth from which on transposition cut-offs are tried.
const CUTOFFS: u32 = 2;

struct LimitProtocol {
    positions: usize,
    depth: u32,
    /// Remaining depth up to which the costs of all refutations are measured.
    weighed: u32,
    /// The deepest approximate real graph: measuring costs visits nearly every position.
    real: u32,
}

const fn protocol(scale: Scale) -> LimitProtocol {
    match scale {
        Scale::Quick => LimitProtocol { positions: 6, depth: 5, weighed: 2, real: 4 },
        Scale::Full => LimitProtocol { positions: 20, depth: 7, weighed: 2, real: 5 },
    }
}

/// MTD(f) is first: the graph is built from its moves.
const DRIVERS: [(&str, Algorithm<'_>); 6] = [
    ("MTD(f)", Driver::MtdF.exact()),
    (BASE, Driver::NegaScout.with_window(WINDOW)),
    ("NegaScout", Driver::PlainNegaScout.exact()),
    ("AlphaBeta", Driver::AlphaBeta.exact()),
    ("SSS*", Driver::SssStar.exact()),
    ("DUAL*", Driver::DualStar.exact()),
];

fn with_cutoffs(name: &str) -> String {
    format!("{name} + ETC")
}

impl Experiment for MinimalGraphs {
    type Row = Measured;

    fn about(&self) -> Description {
        Description {
            name: "limit",
            title: "Searched nodes and the minimal graph of chess (TR section 4.4)",
            is_own: false,
            columns: &["position", "what", "depth (plies)", "leaves", "different nodes"],
        }
    }

    fn units(&self, scale: Scale) -> Vec<Unit> {
        let unit = |position: usize, driver: &str| Unit {
            name: format!("position {} {driver}", position + 1),
            // The first also builds the graphs.
            weight: if driver == DRIVERS[0].0 { 3.0 } else { 1.0 },
        };
        let drivers = |position| DRIVERS.iter().map(move |(driver, _)| unit(position, driver));
        (0..protocol(scale).positions).flat_map(drivers).collect()
    }

    fn run(&self, scale: Scale, index: usize, work: &Work<'_>) -> Result<Vec<Measured>, Unfinished> {
        let plan = protocol(scale);
        let (position, driver) = (index / DRIVERS.len(), index % DRIVERS.len());
        let root = case(position)?.position().clone();
        Ok(measured((position, &ChessGame::with_equal_mates(root)), driver, &plan, work.stop)?)
    }

    fn conclude(&self, scale: Scale, rows: &[Measured]) -> Section {
        let view = LimitReport::new(rows);
        Section {
            protocol: view.protocol(scale),
            claims: view.claims(),
            tables: view.tables(),
            charts: view.charts(),
        }
    }
}

/// A row: one iteration of a driver, or one graph.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Measured {
    position: usize,
    what: String,
    depth: u32,
    leaves: u64,
    nodes: u64,
}

/// A driver with and without transposition cut-offs at every depth, and with the first driver the graphs.
fn measured(
    (position, root): (usize, &ChessGame),
    driver: usize,
    plan: &LimitProtocol,
    stop: &Stop,
) -> Result<Vec<Measured>, Stopped> {
    let (name, algorithm) = DRIVERS[driver];
    let mut all = Vec::new();
    for enhanced_cutoffs in [0, CUTOFFS] {
        let what = if enhanced_cutoffs == 0 { name.to_owned() } else { with_cutoffs(name) };
        let options = MtOptions { enhanced_cutoffs, ..MtOptions::default() };
        let halt = |visits: u64| visits.is_multiple_of(64) && stop.is_set();
        let mut search = Search::with_stop(root.clone(), 1, UnboundedTable::new(), options, halt);
        let mut guess = 0;
        for depth in 1..=plan.depth {
            // Every iteration proves its value by itself, as the graph does; the best moves stay.
            search.memory.forget_bounds();
            search.depth = depth;
            let before = search.counts.leaf;
            (guess, _, _) = iterate(&mut search, algorithm, guess)?;
            let (leaves, nodes) = (search.counts.leaf - before, search.memory.len() as u64);
            all.push(Measured { position, what: what.clone(), depth, leaves, nodes });
            if driver == 0 && enhanced_cutoffs == 0 {
                let best = |key| search.memory.best(key);
                let graphs = graphs(root, (depth, guess), plan, &best, stop)?.into_iter();
                all.extend(graphs.map(|(what, Size { leaves, nodes })| Measured {
                    position,
                    what: what.to_owned(),
                    depth,
                    leaves,
                    nodes,
                }));
            }
        }
    }
    Ok(all)
}

/// Both graphs at one depth.
fn graphs(
    root: &ChessGame,
    (depth, value): (u32, i32),
    plan: &LimitProtocol,
    best: &dyn Fn(u64) -> Option<u16>,
    stop: &Stop,
) -> Result<Vec<(&'static str, Size)>, Stopped> {
    let halt = |visits: u64| visits.is_multiple_of(64) && stop.is_set();
    let mut graph = MinimalGraph::new(root.clone(), depth, value, halt);
    let left = graph.left_first(best)?;
    let real = if depth <= plan.real { graph.approximately_real(plan.weighed, best)? } else { None };
    Ok([(LEFT, left), (REAL, real)].into_iter().filter_map(|(what, size)| Some((what, size?))).collect())
}

/// Sizes by name of driver or graph, depth and position.
struct LimitReport {
    depth: u32,
    found: BTreeMap<(String, u32), BTreeMap<usize, Size>>,
}

impl LimitReport {
    fn new(rows: &[Measured]) -> LimitReport {
        let mut view = LimitReport { depth: 0, found: BTreeMap::new() };
        for &Measured { position, ref what, depth, leaves, nodes } in rows {
            view.depth = view.depth.max(depth);
            let of = view.found.entry((what.clone(), depth)).or_default();
            of.insert(position, Size { leaves, nodes });
        }
        view
    }

    fn sizes(&self, what: &str, depth: u32) -> Option<&BTreeMap<usize, Size>> {
        self.found.get(&(what.to_owned(), depth))
    }

    /// Different nodes of a driver or graph relative to those of another.
    fn ratio(&self, what: &str, base: &str, depth: u32) -> Option<Estimate> {
        let (one, other) = (self.sizes(what, depth)?, self.sizes(base, depth)?);
        let pair =
            |(position, size): (&usize, &Size)| Some((size.nodes as f64, other.get(position)?.nodes as f64));
        let pairs: Vec<_> = one.iter().filter_map(pair).collect();
        ratio(&pairs, 8).map(|ratio| ratio.totals)
    }

    fn protocol(&self, scale: Scale) -> Vec<String> {
        let positions = self.sizes(LEFT, self.depth).map_or(0, BTreeMap::len);
        vec![
            format!(
                "Chess as a textbook game on {positions} positions of real games, depths 1 to {}: full \
                 width, captures resolved at the leaves, mates all worth the same, so that a value depends \
                 on position and depth alone. The drivers deepen iteratively in an unbounded table, with the \
                 table's move first, then by history; before every iteration the bounds are forgotten, so \
                 that its different nodes (position and remaining depth) can be compared with a graph's.",
                self.depth
            ),
            format!(
                "The left-first graph proves v >= f and v < f + 1 with one refutation at every cut node, \
                    the one that MTD(f) found; the search is repeated until the graph no longer shrinks. It \
                    is no lower bound: with other refutations a driver can search fewer nodes. The \
                    approximate real minimal graph prefers moves into positions that are proven already and \
                    compares all refutations up to {} plies above the leaves. \
                 ETC: transposition cut-offs tried on all children from {CUTOFFS} plies of remaining depth.",
                protocol(scale).weighed
            ),
        ]
    }

    fn claims(&self) -> Vec<Claim> {
        vec![self.convergence(), self.smaller(), self.cutoffs()]
    }

    fn convergence(&self) -> Claim {
        let distances: Vec<(&str, Estimate)> = DRIVERS
            .iter()
            .filter_map(|(name, _)| Some((*name, self.ratio(name, LEFT, self.depth)?)))
            .collect();
        let told: Vec<String> =
            distances.iter().map(|(name, found)| format!("{name} {}", shown(Some(*found)))).collect();
        let (least, most) = distances.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), (_, found)| {
            (low.min(found.value), high.max(found.value))
        });
        Claim {
            source: "TR section 4.4",
            claim: "With good move ordering all algorithms search little more than the minimal tree.".into(),
            paper: "no figure; taken here as within 50 % of it and 20 % of each other".into(),
            ours: if told.is_empty() { "-".into() } else { told.join(", ") },
            verdict: match most {
                _ if distances.is_empty() => Verdict::Open,
                most if most <= 1.5 && most <= 1.2 * least => Verdict::Holds,
                most if most <= 1.5 || most <= 1.2 * least => Verdict::Partly,
                _ => Verdict::Fails,
            },
            why: format!(
                "Different nodes of the iteration to depth {}, relative to the left-first minimal graph. \
                    The excess are moves at cut nodes that do not cause a cut-off.",
                self.depth
            ),
            ..Claim::default()
        }
    }

    fn smaller(&self) -> Claim {
        let depth = (1..=self.depth).rev().find(|&depth| self.sizes(REAL, depth).is_some()).unwrap_or(0);
        let found = self.ratio(REAL, LEFT, depth);
        Claim {
            source: "AAAI-96",
            claim: "The left-first minimal graph is not the smallest: other refutations lead to fewer \
                nodes."
                .into(),
            paper: "fewer (no figure known)".into(),
            ours: format!("{} of the left-first one at depth {depth}", shown(found)),
            why: "An upper bound of the real minimal graph: refutations are compared near the leaves \
                only."
                .into(),
            ..Claim::judged([found], |[found]| match found {
                Some(found) if found.interval.1 < 1.0 => Verdict::Holds,
                Some(found) if found.interval.0 >= 1.0 => Verdict::Fails,
                _ => Verdict::Open,
            })
        }
    }

    fn cutoffs(&self) -> Claim {
        let found = self.ratio(&with_cutoffs("MTD(f)"), "MTD(f)", self.depth);
        let base = self.ratio(&with_cutoffs(BASE), BASE, self.depth);
        let is_smaller = |estimate: Estimate| estimate.interval.1 < 1.0;
        let verdict = match (found, base) {
            (Some(one), Some(other)) => match [is_smaller(one), is_smaller(other)] {
                [true, true] => Verdict::Holds,
                [false, false] if one.interval.0 >= 1.0 && other.interval.0 >= 1.0 => Verdict::Fails,
                [false, false] => Verdict::Open,
                _ => Verdict::Partly,
            },
            _ => Verdict::Open,
        };
        Claim {
            source: "AAAI-96",
            claim: "Enhanced transposition cut-offs (ETC) make the searched graph smaller.".into(),
            paper: "fewer (no figure known)".into(),
            ours: format!("MTD(f) {}, {BASE} {} of the nodes without", shown(found), shown(base)),
            verdict,
            why: "ETC needs a child that was reached by other moves before; up to depth 4 there are hardly \
                    any."
                .into(),
            ..Claim::default()
        }
    }

    fn tables(&self) -> Vec<(String, Table)> {
        if self.depth == 0 {
            return Vec::new();
        }
        let headings = ["driver or graph", "leaves", "different nodes", "times the left-first graph"];
        let mut table = Table::new(1, headings);
        let mut names = vec![LEFT.to_owned(), REAL.to_owned()];
        names.extend(DRIVERS.iter().flat_map(|(name, _)| [(*name).to_owned(), with_cutoffs(name)]));
        for name in names {
            let Some(sizes) = self.sizes(&name, self.depth) else { continue };
            let sum = |part: fn(&Size) -> u64| count(sizes.values().map(part).sum());
            let (leaves, nodes) = (sum(|size| size.leaves), sum(|size| size.nodes));
            let distance = self.ratio(&name, LEFT, self.depth);
            let distance =
                distance.map_or("-".into(), |found| found.told("", |number| format!("{number:.2}")));
            table.row([name, leaves, nodes, distance]);
        }
        vec![(format!("Depth {}, sums over the positions", self.depth), table)]
    }

    fn charts(&self) -> Vec<Chart> {
        if self.depth == 0 {
            return Vec::new();
        }
        let series = |name: String| {
            let point = |depth: u32| {
                let found = self.ratio(&name, LEFT, depth)?;
                Some(Point { x: f64::from(depth), y: found.value, interval: found.known_interval() })
            };
            let points = (2..=self.depth).filter_map(point).collect();
            Series::measured(name, points)
        };
        let mut names = vec![REAL.to_owned()];
        names.extend(DRIVERS.iter().map(|(name, _)| (*name).to_owned()));
        names.extend(["MTD(f)", BASE].map(with_cutoffs));
        vec![Chart {
            name: "limit-distance".into(),
            title: "Different nodes relative to the left-first minimal graph".into(),
            x: Axis::linear("search depth in plies"),
            y: Axis::linear("times the left-first minimal graph"),
            series: names.into_iter().map(series).collect(),
            level: Some(1.0),
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::study::papers::experiments::searches::games;

    #[test]
    fn no_driver_is_below_the_graph() {
        let cases = games(7);
        let mut rows = Vec::new();
        for (position, case) in cases.iter().enumerate().step_by(6) {
            let root = ChessGame::with_equal_mates(case.position().clone());
            for driver in 0..DRIVERS.len() {
                let plan = LimitProtocol { positions: 1, depth: 3, weighed: 2, real: 2 };
                let found = measured((position, &root), driver, &plan, &Stop::default()).unwrap();
                // Every depth twice, and with the first driver the graphs.
                assert_eq!(found.len(), if driver == 0 { 2 * 3 + 3 + 2 } else { 2 * 3 });
                rows.extend(found);
            }
        }
        let view = LimitReport::new(&rows);
        // The graph is made of MTD(f)'s moves: it cannot be larger. Others may have found cheaper ones.
        let distance = view.ratio(DRIVERS[0].0, LEFT, 3).unwrap().value;
        assert!((1.0..1.5).contains(&distance), "{distance}");
        let section = MinimalGraphs.conclude(Scale::Quick, &rows);
        assert!(section.claims.iter().all(|claim| claim.ours != "-"), "{:?}", section.claims);
        assert_eq!((section.tables.len(), section.charts.len()), (1, 1));
    }
}
