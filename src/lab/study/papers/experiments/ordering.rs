//! Move ordering at cut nodes (TR section 4.4): the share of them that the first move refutes, and the moves
//! searched, by distance from the root.

use super::searches::{self, Positions, aspiration, case, driver, iterations};
use crate::lab::base::pages::chart::{Axis, Chart, Point, Series};
use crate::lab::base::pages::table::{Table, count};
use crate::lab::base::statistics::ratios::{Estimate, ratio};
use crate::lab::study::counting::measure::IterationRow;
use crate::lab::study::counting::report::Contender;
use crate::lab::study::papers::experiment::{
    Claim, Description, Experiment, Scale, Section, Unfinished, Unit, Verdict, Work,
};
use crate::search::{Backend, Driver};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The experiment `ordering`.
pub struct Ordering;

/// Window of the baseline: the best one of an earlier run of `chess`.
const WINDOW: i32 = 8;

/// Plies that the paper calls low: those that iterative deepening has seen before.
const LOW: u32 = 4;

struct OrderingProtocol {
    searched: Positions,
    hash: usize,
}

const fn protocol(scale: Scale) -> OrderingProtocol {
    match scale {
        Scale::Quick => OrderingProtocol { searched: Positions { count: 20, depth: 6 }, hash: 16 },
        Scale::Full => OrderingProtocol { searched: Positions { count: 50, depth: 9 }, hash: 64 },
    }
}

fn contenders() -> [Contender; 2] {
    [aspiration(WINDOW), driver(Backend::Driver(Driver::MtdF))]
}

impl Experiment for Ordering {
    type Row = CutNodesOfPly;

    fn about(&self) -> Description {
        Description {
            name: "ordering",
            title: "Move ordering at cut nodes (TR section 4.4)",
            is_own: false,
            columns: &[
                "position",
                "contender",
                "depth (plies)",
                "ply",
                "cut nodes",
                "cut by the first move",
                "moves searched",
            ],
        }
    }

    fn units(&self, scale: Scale) -> Vec<Unit> {
        protocol(scale).searched.units()
    }

    fn run(&self, scale: Scale, index: usize, work: &Work<'_>) -> Result<Vec<CutNodesOfPly>, Unfinished> {
        let OrderingProtocol { searched, hash } = protocol(scale);
        let case = case(index)?;
        let mut player = work.player(hash)?;
        let mut rows = Vec::new();
        for contender in contenders() {
            let found = iterations(&mut player, &case, &contender.settings, searched.depth, work.stop)?;
            rows.extend(last_iteration(index, &contender.label, &found));
        }
        Ok(rows)
    }

    fn conclude(&self, scale: Scale, rows: &[CutNodesOfPly]) -> Section {
        let nodes = CutNodes::new(rows);
        Section {
            protocol: nodes.protocol(scale),
            claims: nodes.claims(),
            tables: nodes.tables(),
            charts: nodes.charts(),
        }
    }
}

/// A row: cut nodes of one search on one ply.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CutNodesOfPly {
    position: usize,
    who: String,
    depth: u32,
    ply: u32,
    cut: u64,
    first: u64,
    moves: u64,
}

/// Cut nodes of the deepest iteration, a row for every ply that has some.
fn last_iteration(position: usize, who: &str, searched: &[IterationRow]) -> Vec<CutNodesOfPly> {
    let [.., before, last] = searched else { return Vec::new() };
    let done = &last.stats - &before.stats;
    let plies = usize::try_from(last.depth).unwrap_or(0);
    let row = |remaining: usize| {
        let counts = [&done.cutoffs, &done.first_move_cutoffs, &done.moves_at_cutoffs];
        let [cut, first, moves] = counts.map(|by_depth| by_depth.get(remaining).copied().unwrap_or(0));
        let (depth, ply) = (plies as u32, (plies - remaining) as u32);
        let row = CutNodesOfPly { position, who: who.to_owned(), depth, ply, cut, first, moves };
        (cut > 0).then_some(row)
    };
    (1..=plies).rev().filter_map(row).collect()
}

/// Cut nodes of one position on one ply.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    cut: f64,
    first: f64,
    moves: f64,
}

/// Everything found, by contender, ply and position.
struct CutNodes {
    depth: u32,
    found: BTreeMap<String, BTreeMap<(u32, usize), Count>>,
}

impl CutNodes {
    fn new(rows: &[CutNodesOfPly]) -> CutNodes {
        let mut nodes = CutNodes { depth: 0, found: BTreeMap::new() };
        for row in rows {
            let count = Count { cut: row.cut as f64, first: row.first as f64, moves: row.moves as f64 };
            nodes.depth = nodes.depth.max(row.depth);
            nodes.found.entry(row.who.clone()).or_default().insert((row.ply, row.position), count);
        }
        nodes
    }

    /// A share of the cut nodes on some plies, with its interval over positions.
    fn share(&self, who: &str, plies: impl Fn(u32) -> bool, part: fn(&Count) -> f64) -> Option<Estimate> {
        let mut positions: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for ((ply, position), count) in self.found.get(who)? {
            if plies(*ply) {
                let sum = positions.entry(*position).or_default();
                *sum = (sum.0 + part(count), sum.1 + count.cut);
            }
        }
        let pairs: Vec<_> = positions.into_values().collect();
        ratio(&pairs, 4).map(|ratio| ratio.totals)
    }

    fn positions(&self) -> usize {
        let all = self.found.values().flat_map(BTreeMap::keys).map(|&(_, position)| position);
        all.collect::<std::collections::BTreeSet<_>>().len()
    }

    fn protocol(&self, scale: Scale) -> Vec<String> {
        vec![format!(
            "The last iteration (depth {}) of searches in paper mode on {} positions of real games, {} MiB \
             of table, two backends. A cut node is an interior node that failed high; counted are the moves \
             it searched, the refuting one included. Plies count from the root; the last one is next to the \
             leaves. Intervals are 95 % from resampling positions.",
            self.depth,
            self.positions(),
            protocol(scale).hash
        )]
    }

    fn claims(&self) -> Vec<Claim> {
        let first: fn(&Count) -> f64 = |count| count.first;
        let bottom = self.depth.saturating_sub(1);
        vec![
            self.claim(
                (
                    "Cut nodes search 1.2 moves on average.",
                    "about 1.2",
                    "With perfect ordering it would be \
                    1.0.",
                ),
                |_| true,
                |count| count.moves,
                |moves, _| Verdict::at_most(1.25, moves),
            ),
            self.claim(
                (
                    "At over 95 % of the cut nodes the first move causes the cut-off.",
                    "over 95 %",
                    "Moves are ordered by the transposition table, then captures, then the history \
                        heuristic.",
                ),
                |_| true,
                first,
                |share, _| Verdict::at_least(0.95, share),
            ),
            self.claim(
                (
                    "Near the root, where the table has the best move of the last iteration, ordering is \
                        best.",
                    "97 to 98 %",
                    "Plies 0 to 4 from the root.",
                ),
                |ply| ply <= LOW,
                first,
                |share, others| {
                    let best = others.map_or(Verdict::Open, |others| Verdict::at_least(others.value, share));
                    searches::all([Verdict::at_least(0.965, share), best])
                },
            ),
            self.claim(
                (
                    "Next to the leaves, where the table seldom has a move, the first move still causes the \
                        cut-off.",
                    "over 90 %",
                    "The last ply before the leaves.",
                ),
                move |ply| ply == bottom,
                first,
                |share, _| Verdict::at_least(0.90, share),
            ),
        ]
    }

    /// A claim that both backends are held to; `words` are claim, the paper's figure, why. `judge` has a
    /// share and that of all other plies.
    fn claim(
        &self,
        words: (&str, &str, &str),
        plies: impl Fn(u32) -> bool + Copy,
        part: fn(&Count) -> f64,
        judge: impl Fn(Option<Estimate>, Option<Estimate>) -> Verdict,
    ) -> Claim {
        let found = contenders().map(|who| {
            let share = self.share(&who.label, plies, part);
            (share, self.share(&who.label, |ply| !plies(ply), part), who.label)
        });
        let shown = |share: Estimate| share.told("", |number| format!("{number:.3}"));
        let told = found.iter().filter_map(|(share, others, who)| {
            let others = others.map_or(String::new(), |others| format!(", other plies {:.3}", others.value));
            Some(format!("{who}: {}{others}", shown((*share)?)))
        });
        let told: Vec<String> = told.collect();
        Claim {
            source: "TR section 4.4",
            claim: words.0.into(),
            paper: words.1.into(),
            ours: if told.is_empty() { "-".into() } else { told.join("; ") },
            verdict: searches::all(found.map(|(share, others, _)| judge(share, others))),
            why: words.2.into(),
            ..Claim::default()
        }
    }

    fn tables(&self) -> Vec<(String, Table)> {
        let mut tables = Vec::new();
        for who in self.found.keys() {
            let mut table = Table::new(1, ["ply", "cut nodes", "first move, %", "moves searched"]);
            for ply in 0..self.depth {
                let on = |at| at == ply;
                let (first, moves) = (self.share(who, on, |c| c.first), self.share(who, on, |c| c.moves));
                let nodes: f64 = self.found[who]
                    .iter()
                    .filter(|((at, _), _)| *at == ply)
                    .map(|(_, count)| count.cut)
                    .sum();
                if let (Some(first), Some(moves)) = (first, moves) {
                    let cells = [format!("{:.1}", first.value * 100.0), format!("{:.3}", moves.value)];
                    let [first, moves] = cells;
                    table.row([ply.to_string(), count(nodes as u64), first, moves]);
                }
            }
            tables.push((format!("{who}, iteration {}", self.depth), table));
        }
        tables
    }

    fn charts(&self) -> Vec<Chart> {
        if self.found.is_empty() {
            return Vec::new();
        }
        let first = |count: &Count| 100.0 * count.first;
        vec![
            self.chart("success", "cut-offs by the first move, % of the cut nodes", first, Some(95.0)),
            self.chart("moves", "moves searched at a cut node", |count| count.moves, Some(1.0)),
        ]
    }

    fn chart(&self, name: &str, what: &str, part: fn(&Count) -> f64, level: Option<f64>) -> Chart {
        let series = |who: &String| {
            let point = |ply: u32| {
                let share = self.share(who, |at| at == ply, part)?;
                Some(Point { x: f64::from(ply), y: share.value, interval: share.known_interval() })
            };
            let points = (1..self.depth).filter_map(point).collect();
            Series::measured(who.clone(), points)
        };
        Chart {
            name: format!("ordering-{name}"),
            title: format!("{what}, by ply"),
            x: Axis::linear("distance from the root in plies"),
            y: Axis::linear(what),
            series: self.found.keys().map(series).collect(),
            level,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::terminal::interrupted::Stop;
    use crate::lab::play::referee::Player;
    use crate::search::Settings;

    #[test]
    fn positions_are_measured_and_concluded_on() {
        let mut player = Player::new(Settings::default(), 1).unwrap();
        let mut rows = Vec::new();
        for position in 0..6 {
            let case = case(position).unwrap();
            for contender in contenders() {
                let searched = iterations(&mut player, &case, &contender.settings, 4, &Stop::default());
                rows.extend(last_iteration(position, &contender.label, &searched.unwrap()));
            }
        }
        let nodes = CutNodes::new(&rows);
        for (_, counts) in nodes.found.values().flatten() {
            assert!(counts.first <= counts.cut && counts.cut <= counts.moves);
        }
        let section = Ordering.conclude(Scale::Quick, &rows);
        let verdicts =
            |section: &Section| section.claims.iter().map(|claim| claim.verdict).collect::<Vec<_>>();
        assert!(verdicts(&section)[..2].iter().all(|&verdict| verdict != Verdict::Open), "{section:?}");
        // One position has no interval, and decides nothing.
        rows.retain(|row| row.position == 0);
        assert_eq!(verdicts(&Ordering.conclude(Scale::Quick, &rows)), [Verdict::Open; 4]);
        assert_eq!((section.tables.len(), section.charts.len()), (2, 2));
    }

    #[test]
    fn shares_are_of_the_plies_asked_for() {
        let row = |ply, cut, first| {
            let who = "MTD(f)".to_owned();
            CutNodesOfPly { position: 0, who, depth: 3, ply, cut, first, moves: 20 }
        };
        let nodes = CutNodes::new(&[row(1, 10, 10), row(2, 10, 5)]);
        let share = |plies: fn(u32) -> bool| nodes.share("MTD(f)", plies, |c| c.first).unwrap().value;
        assert_eq!((share(|_| true), share(|ply| ply == 2)), (0.75, 0.5));
        assert!(nodes.share("SSS*", |_| true, |c| c.first).is_none());
    }
}
