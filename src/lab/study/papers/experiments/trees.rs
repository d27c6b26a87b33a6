//! Informed search (PNS, INS) on uniform trees (INFO figures 4 and 5): its leaves and those of Alpha-Beta,
//! NegaScout and SSS* relative to the minimal tree, on random and on strongly ordered trees; and the time of
//! a visit.

use crate::games::random_tree::{ChildOrder, RandomTree, Shape, Values};
use crate::lab::base::pages::chart::{Axis, Chart, Point, Series};
use crate::lab::base::pages::table::Table;
use crate::lab::base::records::rows::rounded;
use crate::lab::base::statistics::ratios::{Estimate, ratio};
use crate::lab::base::terminal::interrupted::Stop;
use crate::lab::study::papers::experiment::{
    Claim, Description, Experiment, Scale, Section, Unfinished, Unit, Verdict, Work, ratio_of_times,
};
use crate::minimax::alpha_beta::alpha_beta;
use crate::minimax::ins::Ins;
use crate::minimax::nega_scout::nega_scout;
use crate::minimax::stockman_sss::{Variant, stockman};
use crate::minimax::traversal::Traversal;
use crate::minimax::{Game, Stopped, Window};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// The experiment.
#[derive(Debug)]
pub struct Trees;

/// In the order of the paper's legend.
const ALGORITHMS: [&str; 5] = ["AB", "NS", "PNS", "INS", "SSS*"];

/// Trees of a point, as in the paper.
const RUNS: u64 = 20;

/// Class of trees, a point of the figures: width, percentage of best first children (0 = random tree), depth
/// in plies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct TreeClass {
    width: u16,
    percent: u8,
    depth: u32,
}

impl TreeClass {
    /// Leaves of the minimal tree (Knuth and Moore 1975).
    fn minimal(self) -> f64 {
        let power = |exponent: u32| f64::from(self.width).powi(exponent as i32);
        power(self.depth.div_ceil(2)) + power(self.depth / 2) - 1.0
    }

    fn tree(self, seed: u64) -> RandomTree {
        let order = if self.percent == 0 { ChildOrder::Random } else { ChildOrder::Ordered(self.percent) };
        let shape = Shape { width: self.width, depth: self.depth, order, values: Values::Distinct };
        RandomTree::new(shape, seed)
    }

    fn kind(percent: u8) -> &'static str {
        if percent == 0 { "random" } else { "strongly ordered" }
    }
}

/// A unit: a class of trees and its seeds. Large trees are a unit each.
struct TreeUnit {
    class: TreeClass,
    seeds: std::ops::Range<u64>,
}

fn tree_units(scale: Scale) -> Vec<TreeUnit> {
    let mut all = Vec::new();
    for width in [5, 20] {
        let deepest = if width == 20 && scale == Scale::Quick { 5 } else { 8 };
        for percent in [0, 60] {
            for depth in 1..=deepest {
                let class = TreeClass { width, percent, depth };
                let step = match depth {
                    6.. if width == 20 => 1,
                    5 if width == 20 => 5,
                    _ => RUNS,
                };
                let starts = (0..RUNS).step_by(step as usize);
                all.extend(starts.map(|start| TreeUnit { class, seeds: start..start + step }));
            }
        }
    }
    all
}

/// Cost of one run of one algorithm.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Cost {
    leaves: u64,
    visits: u64,
}

/// The cost of a search, and the nodes saved at a time: INS and PNS in their map, SSS* in OPEN.
fn search(algorithm: &str, root: &RandomTree, depth: u32, stop: &Stop) -> Result<(Cost, usize), Stopped> {
    let window = Window::new(-RandomTree::LIMIT, RandomTree::LIMIT);
    let halt = |_: u64| stop.is_set();
    let mut traversal = Traversal::with_stop(halt);
    let mut saved = 0;
    match algorithm {
        "AB" => {
            alpha_beta(&mut traversal, root, window, depth)?;
        }
        "NS" => {
            nega_scout(&mut traversal, root, window, depth)?;
        }
        "PNS" | "INS" => {
            let new = if algorithm == "PNS" { Ins::pns } else { Ins::with_stop };
            let mut ins = new(halt, usize::MAX);
            ins.search(root, depth, window)?;
            (traversal, saved) = (ins.traversal, ins.peak);
        }
        _ => saved = stockman(&mut traversal, root, depth, Variant::Sss)?.peak,
    }
    Ok((Cost { leaves: traversal.counts.leaf, visits: traversal.counts.total() }, saved))
}

/// SSS* and INS ran out of memory in the paper from depth 7 on at width 20. Here SSS* would take too long for
/// a unit on random trees of depth 8.
fn feasible(class: TreeClass, algorithm: &str) -> bool {
    algorithm != "SSS*" || class.width < 20 || class.depth < 8 || class.percent > 0
}

/// A row: one search of a tree.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TreeRun {
    class: TreeClass,
    seed: u64,
    algorithm: String,
    cost: Cost,
    #[serde(serialize_with = "rounded::<1, _>")]
    microseconds: f64,
    saved: usize,
}

impl Experiment for Trees {
    type Row = TreeRun;

    fn about(&self) -> Description {
        Description {
            name: "trees",
            title: "Informed search on uniform trees (INFO figures 4 and 5)",
            is_own: false,
            columns: &[
                "width",
                "best first in %",
                "depth in plies",
                "seed",
                "algorithm",
                "leaves",
                "visits",
                "time in microseconds",
                "saved nodes",
            ],
        }
    }

    fn units(&self, scale: Scale) -> Vec<Unit> {
        let unit = |TreeUnit { class: TreeClass { width, percent, depth }, seeds }| Unit {
            name: format!("w{width} p{percent} d{depth} from {}", seeds.start),
            weight: f64::from(width).powf(0.75 * f64::from(depth)) * seeds.count() as f64,
        };
        tree_units(scale).into_iter().map(unit).collect()
    }

    fn run(&self, scale: Scale, index: usize, work: &Work<'_>) -> Result<Vec<TreeRun>, Unfinished> {
        let all = tree_units(scale);
        let TreeUnit { class, seeds } = all.get(index).ok_or(Unfinished::Empty)?;
        let mut rows = Vec::new();
        for seed in seeds.clone() {
            let root = class.tree(seed);
            for algorithm in ALGORITHMS.into_iter().filter(|algorithm| feasible(*class, algorithm)) {
                let begun = Instant::now();
                let (cost, saved) = search(algorithm, &root, class.depth, work.stop)?;
                let microseconds = begun.elapsed().as_secs_f64() * 1e6;
                let algorithm = algorithm.to_owned();
                rows.push(TreeRun { class: *class, seed, algorithm, cost, microseconds, saved });
            }
        }
        Ok(rows)
    }

    fn conclude(&self, _scale: Scale, rows: &[TreeRun]) -> Section {
        let runs = TreeRuns::new(rows);
        let mut section = Section { protocol: protocol(), claims: claims(&runs), ..Section::default() };
        for (number, width) in [(4, 5), (5, 20)] {
            for percent in [0, 60] {
                section.tables.extend(table(&runs, width, percent));
                section.charts.extend(chart(&runs, number, width, percent));
            }
        }
        section.tables.push((
            "Storage: greatest number of nodes saved at a time, mean over \
            trees"
                .to_owned(),
            storage(&runs),
        ));
        section
    }
}

fn protocol() -> Vec<String> {
    vec![
        "Uniform trees of width 5 and 20, to depth 8 (quick: to depth 5 at width 20), 20 trees a point, each \
         searched by every algorithm. Leaves are counted with every revisit and divided by those of the \
         minimal tree, w^ceil(d/2) + w^floor(d/2) - 1. The leaves of random trees are uniformly distributed \
         and distinct. In strongly ordered trees the values are given from the root down: one child has the \
         value of its parent, the others are worse by a random margin; the best child is the first with \
         probability 0.6, otherwise one of the others with equal probability. The paper does not say how \
         its ordered trees were made."
            .to_owned(),
        "SSS* is Stockman's, with an OPEN list in a balanced tree. PNS keeps the bounds of the children of a \
         subtree's root, and the principal variation; the paper leaves open how near to the root bounds are \
         kept. SSS* is not run on random trees of width 20, depth 8. Times are wall time, the algorithms in \
         turn on each tree."
            .to_owned(),
    ]
}

/// All runs.
struct TreeRuns<'r> {
    runs: &'r [TreeRun],
    classes: Vec<TreeClass>,
}

impl TreeRuns<'_> {
    fn new(runs: &[TreeRun]) -> TreeRuns<'_> {
        let mut classes: Vec<TreeClass> = Vec::new();
        for run in runs {
            if !classes.contains(&run.class) {
                classes.push(run.class);
            }
        }
        classes.sort_by_key(|class| (class.width, class.percent, class.depth));
        TreeRuns { runs, classes }
    }

    fn of(&self, class: TreeClass, algorithm: &str) -> impl Iterator<Item = &TreeRun> {
        self.runs.iter().filter(move |run| run.class == class && run.algorithm == algorithm)
    }

    /// Leaves relative to the minimal tree at a point.
    fn relative(&self, class: TreeClass, algorithm: &str) -> Option<Estimate> {
        let pairs: Vec<_> =
            self.of(class, algorithm).map(|run| (run.cost.leaves as f64, class.minimal())).collect();
        ratio(&pairs, 1).map(|ratio| ratio.totals)
    }

    /// Measures of two algorithms on the same trees of some classes, as pairs.
    fn pairs(
        &self,
        (a, b): (&str, &str),
        classes: impl Fn(TreeClass) -> bool,
        measure: impl Fn(&TreeRun) -> f64,
    ) -> Vec<(f64, f64)> {
        let mut pairs = Vec::new();
        for &class in self.classes.iter().filter(|&&class| classes(class)) {
            for run in self.of(class, a) {
                let other = self.of(class, b).find(|other| other.seed == run.seed);
                pairs.extend(other.map(|other| (measure(run), measure(other))));
            }
        }
        pairs
    }

    /// Number of points at which the mean of `a` is below that of `b` (with `equal` also equal to it), and of
    /// all points.
    fn points(
        &self,
        (a, b): (&str, &str),
        equal: bool,
        classes: impl Fn(TreeClass) -> bool,
    ) -> (usize, usize) {
        let means = self
            .classes
            .iter()
            .filter(|&&class| classes(class))
            .filter_map(|&class| Some((self.relative(class, a)?.value, self.relative(class, b)?.value)));
        means.fold((0, 0), |(won, all), (a, b)| (won + usize::from(a < b || equal && a == b), all + 1))
    }
}

fn table(runs: &TreeRuns<'_>, width: u16, percent: u8) -> Option<(String, Table)> {
    let mut table = Table::new(0, ["depth"].into_iter().chain(ALGORITHMS));
    for &class in runs.classes.iter().filter(|class| (class.width, class.percent) == (width, percent)) {
        let cell = |algorithm| {
            runs.relative(class, algorithm).map_or("-".to_owned(), |mean| format!("{:.2}", mean.value))
        };
        table.row([class.depth.to_string()].into_iter().chain(ALGORITHMS.map(cell)));
    }
    let title = format!("Leaves / minimal tree, w = {width}, {} trees", TreeClass::kind(percent));
    (!table.is_empty()).then_some((title, table))
}

fn storage(runs: &TreeRuns<'_>) -> Table {
    let mut table = Table::new(1, ["trees", "depth", "PNS", "INS", "SSS*"]);
    for &class in runs.classes.iter().filter(|class| class.depth >= 3) {
        let mean = |algorithm| {
            let (sum, count) =
                runs.of(class, algorithm).fold((0, 0), |(sum, count), run| (sum + run.saved, count + 1));
            if count == 0 { "-".to_owned() } else { format!("{:.0}", sum as f64 / f64::from(count)) }
        };
        let trees = format!("w = {}, {}", class.width, TreeClass::kind(class.percent));
        table.row([trees, class.depth.to_string(), mean("PNS"), mean("INS"), mean("SSS*")]);
    }
    table
}

fn chart(runs: &TreeRuns<'_>, number: u32, width: u16, percent: u8) -> Option<Chart> {
    let line = |algorithm: &str| {
        let classes = runs.classes.iter().filter(|class| (class.width, class.percent) == (width, percent));
        let point = |&class: &TreeClass| {
            let Estimate { value, interval } = runs.relative(class, algorithm)?;
            Some(Point { x: f64::from(class.depth), y: value, interval: Some(interval) })
        };
        Series::measured(algorithm, classes.filter_map(point).collect())
    };
    let series: Vec<Series> =
        ALGORITHMS.map(line).into_iter().filter(|line| !line.points.is_empty()).collect();
    (!series.is_empty()).then(|| Chart {
        name: format!("w{width}-p{percent}"),
        title: format!("INFO figure {number}: w = {width}, {} trees", TreeClass::kind(percent)),
        x: Axis::linear("search depth in plies"),
        y: Axis::linear("leaves / leaves of the minimal tree"),
        series,
        level: Some(1.0),
    })
}

/// All points: it holds; more than half: partly.
fn verdict((won, all): (usize, usize)) -> Verdict {
    match won {
        _ if all == 0 => Verdict::Open,
        _ if won == all => Verdict::Holds,
        _ if won * 2 > all => Verdict::Partly,
        _ => Verdict::Fails,
    }
}

fn interval(estimate: Estimate) -> String {
    let [low, high] = estimate.ends(|end| format!("{end:.2}"));
    format!("{:.2} ({low} to {high})", estimate.value)
}

/// A claim that one algorithm visits fewer leaves than another on some classes of trees.
fn fewer(
    runs: &TreeRuns<'_>,
    (a, b): (&str, &str),
    equal: bool,
    text: &str,
    classes: impl Fn(TreeClass) -> bool + Copy,
) -> Claim {
    let classes = |class: TreeClass| class.depth >= 3 && classes(class);
    let points = runs.points((a, b), equal, classes);
    let ratio = ratio(&runs.pairs((a, b), classes, |run| run.cost.leaves as f64), 2);
    let size = ratio.map_or("no data".to_owned(), |ratio| interval(ratio.geometric));
    Claim {
        source: "INFO section 4, figures 4 and 5",
        claim: text.to_owned(),
        paper: format!("{a} below {b} in the figures (no numbers given)"),
        ours: format!("{} of {} points; {a} / {b} = {size}", points.0, points.1),
        verdict: verdict(points),
        why:
            "Means of a point (width, order, depth from 3 on) are compared; the ratio is the geometric mean \
              over trees. The paper's own ordered trees are not known."
                .to_owned(),
        ..Claim::default()
    }
}

fn claims(runs: &TreeRuns<'_>) -> Vec<Claim> {
    let even = |class: TreeClass| class.depth.is_multiple_of(2);
    let odd = |class: TreeClass| !class.depth.is_multiple_of(2);
    let mut claims = vec![
        fewer(runs, ("SSS*", "INS"), false, "At even depths SSS* visits fewer leaves than INS.", even),
        usually(fewer(runs, ("INS", "SSS*"), true, "At odd depths INS is usually better than SSS*.", odd)),
        fewer(
            runs,
            ("PNS", "SSS*"),
            false,
            "On strongly ordered trees even PNS outperforms SSS* at odd depths.",
            |class| class.percent > 0 && odd(class),
        ),
        fewer(runs, ("INS", "PNS"), true, "INS searches no larger trees than PNS.", |_| true),
        fewer(runs, ("PNS", "NS"), true, "PNS searches no larger trees than NegaScout.", |_| true),
        oscillation(runs),
    ];
    claims.extend(times(runs));
    claims
}

/// The claim is "usually": more than half of the points will do.
fn usually(mut claim: Claim) -> Claim {
    if claim.verdict == Verdict::Partly {
        claim.verdict = Verdict::Holds;
    }
    claim.why.push_str(" \"Usually\" is taken as more than half of the points.");
    claim
}

/// Oscillation of a curve: the mean factor from depth to depth, as a logarithm.
fn swing(runs: &TreeRuns<'_>, width: u16, percent: u8, algorithm: &str) -> Option<f64> {
    let steps: Vec<f64> = (3..8)
        .filter_map(|depth| {
            let at = |depth| Some(runs.relative(TreeClass { width, percent, depth }, algorithm)?.value.ln());
            Some((at(depth + 1)? - at(depth)?).abs())
        })
        .collect();
    (!steps.is_empty()).then(|| steps.iter().sum::<f64>() / steps.len() as f64)
}

fn oscillation(runs: &TreeRuns<'_>) -> Claim {
    let (mut won, mut all) = (0, 0);
    let mut ours = Vec::new();
    for (width, percent) in [(5, 0), (5, 60), (20, 0), (20, 60)] {
        let swings = ALGORITHMS.map(|algorithm| swing(runs, width, percent, algorithm));
        let [Some(ab), Some(ns), Some(pns), Some(ins), Some(sss)] = swings else { continue };
        all += 1;
        won += usize::from(sss < ab.min(ns).min(pns).min(ins));
        let factors = [ab, ns, pns, ins, sss].map(|swing| format!("{:.2}", swing.exp()));
        ours.push(format!("w = {width}, {}: {}", TreeClass::kind(percent), factors.join(" ")));
    }
    Claim {
        source: "INFO section 4, figures 4 and 5",
        claim: "The curves oscillate between even and odd depths, that of SSS* least.".to_owned(),
        paper: "SSS* varies least".to_owned(),
        ours: if ours.is_empty() { "no data".to_owned() } else { ours.join("; ") },
        verdict: verdict((won, all)),
        why: format!(
            "Mean factor between neighbouring depths from 3 on, in the order {}.",
            ALGORITHMS.join(", ")
        ),
        ..Claim::default()
    }
}

/// Two claims about time, over trees that take long enough to be timed.
fn times(runs: &TreeRuns<'_>) -> [Claim; 2] {
    let long = |class: TreeClass| class.minimal() >= 200.0;
    let call = |run: &TreeRun| run.microseconds / run.cost.visits.max(1) as f64;
    let calls = ratio(&runs.pairs(("INS", "AB"), long, call), 3).map(|ratio| ratio.geometric);
    let whole = ratio_of_times(&runs.pairs(("SSS*", "INS"), long, |run| run.microseconds / 1e6), 4)
        .map(|ratio| ratio.totals);
    let claim =
        |text: &str, paper: &str, ours: Option<Estimate>, fits: std::ops::Range<f64>, why: &str| Claim {
            timed: true,
            source: "INFO section 4",
            claim: text.to_owned(),
            paper: paper.to_owned(),
            ours: ours.map_or("no data".to_owned(), interval),
            why: why.to_owned(),
            ..Claim::judged([ours], |[ours]| match ours {
                Some(found) if found.interval.0 > 1.0 && fits.contains(&found.value) => Verdict::Holds,
                Some(found) if found.interval.0 > 1.0 => Verdict::Partly,
                Some(found) if found.interval.1 < 1.0 => Verdict::Fails,
                _ => Verdict::Open,
            })
        };
    [
        claim(
            "A call of INS is about twice as expensive as one of Alpha-Beta.",
            "about 2",
            calls,
            1.5..2.5,
            "Time a visited node, geometric mean over trees. Making and evaluating a node of these trees is \
             cheap; in a game the difference would be less.",
        ),
        claim(
            "SSS* takes ten times as long as INS.",
            "10",
            whole,
            5.0..20.0,
            "Time for the whole tree, sum over sum. Our OPEN list is a balanced tree, in 1985 it was a \
                sorted list; descendants to be purged are found by their path.",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_units_can_be_concluded_from() {
        let stop = Stop::default();
        let units = Trees.units(Scale::Quick);
        let wanted = ["w5 p0 d3 from 0", "w5 p0 d4 from 0", "w5 p60 d3 from 0"];
        let mut rows = Vec::new();
        for (index, unit) in units.iter().enumerate() {
            if wanted.contains(&unit.name.as_str()) {
                rows.extend(Trees.run(Scale::Quick, index, &Work::new(&stop)).unwrap());
            }
        }
        assert_eq!(rows.len(), 3 * 20 * ALGORITHMS.len());
        assert!(rows.iter().all(|run| run.cost.leaves as f64 >= run.class.minimal()));
        let section = Trees.conclude(Scale::Quick, &rows);
        assert_eq!((section.claims.len(), section.charts.len(), section.tables.len()), (8, 2, 3));
        assert!(section.claims[0].ours.contains(" of 1 points"), "{}", section.claims[0].ours);
    }
}
