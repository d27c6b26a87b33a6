//! The report of the experiment `optimal`: counts, the programme's answer, the model against the test half.

use super::arena::{Arena, BASELINE, CLAIRVOYANT, Half, MTD_OPT, MTDF, RIVALS, WALK};
use super::fit::{Class, Fit};
use super::model::{CONTEXT_NAMES, Held, Known, Mean, Model, STEPS};
use super::record::Record;
use crate::lab::base::pages::chart::{Axis, Chart, Point, Series};
use crate::lab::base::pages::table::Table;
use crate::lab::base::statistics::correlation::correlation;
use crate::lab::base::statistics::ratios::{Estimate, ratio};
use crate::lab::study::papers::experiment::{Claim, cell};
use std::collections::BTreeMap;

/// Seed of the bootstrap intervals.
const SEED: u64 = 1995;

/// The share of MTD(f)'s made moves at which a match is worth its time.
const WORTHWHILE: f64 = 0.95;

/// Quantities that are compared, in the order of the counts; passes come last.
const QUANTITIES: [&str; 4] = ["leaves", "total", "made moves", "passes"];

/// The test half of a game.
pub struct Tested {
    arena: &'static Arena,
    /// Greatest depth, and sums of the quantities over the iterations, by contender and position.
    sums: BTreeMap<String, BTreeMap<usize, (u32, [f64; 4])>>,
}

impl Tested {
    /// The test rows of a game.
    pub fn new(arena: &'static Arena, records: &[Record]) -> Tested {
        let mut tested = Tested { arena, sums: BTreeMap::new() };
        for record in records.iter().filter(|record| record.arena == arena.name && record.half == Half::Test)
        {
            let of = tested.sums.entry(record.who.clone()).or_default().entry(record.position).or_default();
            let iteration = &record.iteration;
            of.0 = of.0.max(iteration.depth);
            let [leaf, total, made] = iteration.cost;
            for (sum, count) in of.1.iter_mut().zip([leaf, total, made, iteration.passes]) {
                *sum += count as f64;
            }
        }
        tested
    }

    /// Ratio of totals of two contenders over the positions that both finished.
    pub fn ratio(&self, who: &str, base: &str, quantity: usize) -> Option<Estimate> {
        let (one, other) = (self.sums.get(who)?, self.sums.get(base)?);
        let pair = |(position, found): (&usize, &(u32, [f64; 4]))| {
            let base = other.get(position).filter(|base| base.0 == found.0)?;
            Some((found.1[quantity], base.1[quantity]))
        };
        let pairs: Vec<(f64, f64)> = one.iter().filter_map(pair).collect();
        ratio(&pairs, SEED).map(|ratio| ratio.totals)
    }

    /// Searches of the root an iteration.
    fn passes(&self, who: &str) -> Option<f64> {
        let found = self.sums.get(who)?.values();
        let (passes, depths) = found.fold((0.0, 0.0), |sum, of| (sum.0 + of.1[3], sum.1 + f64::from(of.0)));
        (depths > 0.0).then(|| passes / depths)
    }

    /// Number of positions that MTD-opt has searched.
    pub fn positions(&self) -> usize {
        self.sums.get(MTD_OPT).map_or(0, BTreeMap::len)
    }

    /// Everything measured on the test half.
    pub fn table(&self) -> Table {
        let heads = ["contender", "passes", "leaves", "total", "made moves", "cost to NegaScout's"];
        let mut table = Table::new(1, heads);
        let base = self.sums.keys().find(|label| label.starts_with(BASELINE)).map_or("", String::as_str);
        let walk = (self.arena.cell > 1).then_some(WALK);
        let ours = [MTD_OPT, MTDF].into_iter().chain(walk);
        let others =
            RIVALS.into_iter().chain([CLAIRVOYANT]).chain(Some(base).filter(|base| !base.is_empty()));
        for who in ours.chain(others) {
            let of = |quantity| cell(self.ratio(who, MTDF, quantity));
            table.row([
                who.to_owned(),
                self.passes(who).map_or("-".into(), |passes| format!("{passes:.2}")),
                of(0),
                of(1),
                if self.arena.cost == 2 { of(2) } else { "-".to_owned() },
                cell(self.ratio(who, base, self.arena.cost)),
            ]);
        }
        table
    }

    /// MTD-opt against MTD(f), in the quantity that the programme minimises.
    pub fn claims(&self) -> [Claim; 2] {
        let ours = self.ratio(MTD_OPT, MTDF, self.arena.cost);
        let told = self.ratio(CLAIRVOYANT, MTDF, self.arena.cost);
        let (name, what) = (self.arena.name, QUANTITIES[self.arena.cost]);
        [
            Claim {
                source: "TR figure 8, whose next bound is free to choose",
                paper: "-".into(),
                why: format!("Test half, {} positions.", self.positions()),
                ..Claim::at_most(
                    format!(
                        "{name}: the bounds of least expected cost need at most 95 % of MTD(f)'s {what}."
                    ),
                    WORTHWHILE,
                    ours,
                )
            },
            Claim {
                source: "TR figure 10; IJCAI figure 4",
                paper: "a better guess makes a smaller tree".into(),
                why: "Its two tests are a proof of the value: no policy over null windows knows more.".into(),
                ..Claim::at_most(
                    format!("{name}: MTD(f) that is told the value needs at most 95 % of MTD(f)'s {what}."),
                    WORTHWHILE,
                    told,
                )
            },
        ]
    }
}

/// The cells of a step of the doubling scale.
fn cells(step: usize) -> String {
    match step {
        0 | 1 => step.to_string(),
        _ if step + 1 == STEPS => format!("from {}", 1 << (step - 1)),
        _ => format!("{} to {}", 1 << (step - 1), (1 << step) - 1),
    }
}

/// Costs of a test as counted, in per cent of an average iteration.
pub fn costs(model: &Model) -> Table {
    let directions = [("high", 1), ("low", 0)];
    let costs = directions.map(|(word, _)| CONTEXT_NAMES.map(|name| format!("{word}; {name}")));
    let exact = directions.map(|(word, _)| format!("{word}: exact, %"));
    let heads =
        ["cells from the value".to_owned()].into_iter().chain(costs.into_iter().flatten()).chain(exact);
    let mut table = Table::new(0, heads);
    let shown = |mean: Mean, text: String| if mean.count > 0.0 { text } else { "-".to_owned() };
    for step in 0..STEPS {
        let mut row = vec![cells(step)];
        for mean in
            directions.iter().flat_map(|&(_, direction)| model.tally.cost[direction].map(|of| of[step]))
        {
            row.push(shown(mean, format!("{:.0} ({})", 100.0 * mean.value(), mean.count)));
        }
        let exact = directions.map(|(_, direction)| model.tally.exact[direction][step]);
        row.extend(exact.map(|mean| shown(mean, format!("{:.0}", 100.0 * mean.value()))));
        table.row(row);
    }
    table
}

/// The programme's answer in a few words: first bounds and steps.
pub fn answers(fit: &Fit) -> Table {
    let columns = [
        "class",
        "change before (units)",
        "share, %",
        "first bound",
        "after f- = 0",
        "f- = 16",
        "f- = 64",
        "after f+ = 0",
        "f+ = -16",
        "f+ = -64",
        "expected cost",
    ];
    let mut table = Table::new(0, columns);
    for (class, Class { share, solution }) in fit.classes.iter().enumerate() {
        let change = match class {
            0 => format!("up to {}", fit.model.changes[0]),
            _ => format!("above {}", fit.model.changes[class - 1]),
        };
        let brackets = [(None, None), (Some(0), None), (Some(16), None), (Some(64), None)];
        let below = [0, -16, -64].map(|upper| (None, Some(upper)));
        let bounds = brackets.into_iter().chain(below);
        let bounds = bounds.map(|(lower, upper)| format!("{:+}", solution.bound(lower, upper)));
        let first = [(class + 1).to_string(), change, format!("{:.0}", 100.0 * share)];
        table.row(first.into_iter().chain(bounds).chain([format!("{:.3}", solution.cost)]));
    }
    table
}

/// The model's cost of the searches of the test half beside their measured cost.
pub fn held(model: &Model, test: &[Known<'_>]) -> Option<Table> {
    let columns = [
        "driver",
        "iterations",
        "model: cost",
        "measured",
        "correlation",
        "contradicting answers, % of tests",
    ];
    let mut table = Table::new(1, columns);
    for who in [MTDF, MTD_OPT] {
        let of: Vec<&Known<'_>> = test.iter().filter(|known| known.record.who == who).collect();
        if of.is_empty() {
            return None;
        }
        let held: Vec<Held> = of.iter().map(|known| known.held(model)).collect();
        let pairs: Vec<(f64, f64)> = held.iter().map(|held| (held.model, held.measured)).collect();
        let contradictions: usize = held.iter().map(|held| held.contradictions).sum();
        let tests: usize = of.iter().map(|known| known.record.iteration.tests.len()).sum();
        table.row([
            who.to_owned(),
            of.len().to_string(),
            format!("{:.3}", mean(&pairs, |pair| pair.0)),
            format!("{:.3}", mean(&pairs, |pair| pair.1)),
            format!("{:.2}", correlation(&pairs)),
            format!("{:.1}", 100.0 * contradictions as f64 / tests.max(1) as f64),
        ]);
    }
    Some(table)
}

fn mean(pairs: &[(f64, f64)], pick: impl Fn(&(f64, f64)) -> f64) -> f64 {
    pairs.iter().map(pick).sum::<f64>() / pairs.len() as f64
}

/// The optimal bound as a function of the bracket.
pub fn chart(arena: &Arena, fit: &Fit) -> Chart {
    let reach = if arena.cell > 1 { 16 } else { 64 };
    let solution = &fit.classes[1].solution;
    let series = |name: &str, bound: &dyn Fn(i32) -> i32| {
        let point = |at: i32| Point { x: f64::from(at), y: f64::from(bound(at)), interval: None };
        Series { name: name.to_owned(), points: (-reach..=reach).map(point).collect(), from_paper: false }
    };
    let axis = |label: &str| Axis { label: label.to_owned(), logarithmic: false };
    let wide = reach / 2;
    Chart {
        name: format!("bound-{}", arena.alias),
        title: format!("{}: the bound of least expected cost", arena.name),
        x: axis("the end of the bracket that is known, in cells from the centre"),
        y: axis("next bound, in cells from the centre"),
        series: vec![
            series("f- known, f+ open", &|lower| solution.bound(Some(lower), None)),
            series("f+ known, f- open", &|upper| solution.bound(None, Some(upper))),
            series(&format!("f- known, f+ {wide} cells above"), &|lower| {
                solution.bound(Some(lower), Some(lower + wide))
            }),
        ],
        level: None,
    }
}
