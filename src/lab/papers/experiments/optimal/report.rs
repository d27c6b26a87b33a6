//! The report of the experiment `optimal`: counts, the programme's answer, the model against the test half.

use super::arena::{Arena, CLAIRVOYANT, Contender, MTDF};
use super::conditions::{Condition, Conditions, PLAYED, Part, Worth};
use super::model::{CONTEXT_NAMES, Known, Model, STEPS};
use super::programme::Solved;
use super::record::Record;
use super::root_moves::SHARES;
use super::simulation::predict;
use super::{BY_NEAR, Fit, MTD_OPT};
use crate::lab::pages::chart::{Axis, Chart, Point, Series};
use crate::lab::pages::table::Table;
use crate::lab::papers::experiment::{Claim, Scale, Verdict};
use crate::lab::papers::experiments::searches::{cell, shown};
use crate::lab::statistics::ratios::{Estimate, ratio};
use std::collections::BTreeMap;

/// Seed of the bootstrap intervals.
const SEED: u64 = 1995;

/// The share of MTD(f)'s made moves at which a match is worth its time.
const WORTHWHILE: f64 = 0.95;

/// A quantity that is compared, as its place in the counts; passes come last.
const QUANTITIES: [&str; 4] = ["leaves", "total", "made moves", "passes"];

/// Sums over the iterations of a search.
type Sums = [f64; 4];

/// The test half of a game.
pub struct Tested {
    arena: Arena,
    /// Sums by contender and position.
    sums: BTreeMap<String, BTreeMap<usize, (u32, Sums)>>,
}

impl Tested {
    /// The test rows of a game, those of searches to the full depth.
    pub fn new(arena: Arena, records: &[Record]) -> Tested {
        let mut sums: BTreeMap<String, BTreeMap<usize, (u32, Sums)>> = BTreeMap::new();
        for record in records.iter().filter(|record| record.arena == arena.name() && record.test) {
            let of = sums.entry(record.who.clone()).or_default().entry(record.position).or_default();
            let iteration = &record.iteration;
            of.0 = of.0.max(iteration.depth);
            let [leaf, total, made] = iteration.cost;
            for (sum, count) in of.1.iter_mut().zip([leaf, total, made, iteration.passes]) {
                *sum += count as f64;
            }
        }
        Tested { arena, sums }
    }

    /// Ratio of totals of two contenders over the positions that both finished.
    pub fn ratio(&self, who: &str, base: &str, quantity: usize) -> Option<Estimate> {
        let (one, other) = (self.sums.get(who)?, self.sums.get(base)?);
        let pairs: Vec<(f64, f64)> = one
            .iter()
            .filter_map(|(position, found)| {
                let base = other.get(position).filter(|base| base.0 == found.0)?;
                Some((found.1[quantity], base.1[quantity]))
            })
            .collect();
        ratio(&pairs, SEED).map(|ratio| ratio.totals)
    }

    /// The quantity that the programme minimises.
    fn cost(&self) -> usize {
        if self.arena.counts_moves() { 2 } else { 1 }
    }

    /// Positions and searches of the root an iteration.
    fn passes(&self, who: &str) -> Option<f64> {
        let found = self.sums.get(who)?;
        let (passes, depths) =
            found.values().fold((0.0, 0.0), |sum, of| (sum.0 + of.1[3], sum.1 + f64::from(of.0)));
        (depths > 0.0).then(|| passes / depths)
    }

    /// Number of positions that MTD-opt has searched.
    pub fn positions(&self) -> usize {
        self.sums.get(MTD_OPT).map_or(0, BTreeMap::len)
    }

    /// The baseline among the contenders.
    fn baseline(&self) -> Option<&str> {
        self.sums.keys().map(String::as_str).find(|label| label.starts_with("AspNegaScout"))
    }

    /// Everything measured on the test half, beside what the model predicts.
    pub fn table(&self, scale: Scale, fit: &Fit) -> Table {
        let mut table = Table::new(
            1,
            [
                "contender",
                "passes",
                "leaves",
                "total",
                "made moves",
                "cost to NegaScout's",
                "model: cost",
                "model: passes",
            ],
        );
        let base = self.baseline().unwrap_or_default().to_owned();
        let reference = predict(&fit.model, &self.arena.reference()[0], false);
        let mut contenders = vec![Contender::optimal(MTD_OPT, &fit.solved.table)];
        contenders.extend(fit.near.iter().map(|tables| Contender::by_near(BY_NEAR, tables)));
        contenders.extend(self.arena.rivals(scale));
        contenders.push(Contender { label: CLAIRVOYANT.to_owned(), ..self.arena.reference()[0].clone() });
        contenders.extend(self.arena.windows(scale).into_iter().filter(|one| one.label == base));
        for contender in contenders {
            let who = contender.label.as_str();
            let of = |quantity| cell(self.ratio(who, MTDF, quantity));
            let null = !who.starts_with("AspNegaScout") && contender.by_near.is_none();
            let model = predict(&fit.model, &contender, who == CLAIRVOYANT).filter(|_| null).zip(reference);
            let made = if self.arena.counts_moves() { of(2) } else { "-".to_owned() };
            table.row([
                who.to_owned(),
                self.passes(who).map_or("-".into(), |passes| format!("{passes:.2}")),
                of(0),
                of(1),
                made,
                cell(self.ratio(who, &base, self.cost())),
                model.map_or("-".into(), |(one, base)| format!("{:.1}", 100.0 * one.cost / base.cost)),
                model.map_or("-".into(), |(one, _)| format!("{:.2}", one.passes)),
            ]);
        }
        table
    }

    /// MTD-opt against MTD(f), in the quantity that the programme minimises.
    pub fn claims(&self) -> [Claim; 2] {
        let ours = self.ratio(MTD_OPT, MTDF, self.cost());
        let told = self.ratio(CLAIRVOYANT, MTDF, self.cost());
        let what = QUANTITIES[self.cost()];
        [
            Claim {
                source: "TR figure 8, whose next bound is free to choose",
                claim: format!(
                    "{}: the bounds of least expected cost need at most 95 % of MTD(f)'s {what}.",
                    self.arena.name()
                ),
                paper: "-".into(),
                ours: shown(ours),
                verdict: below(ours, WORTHWHILE),
                why: format!("Test half, {} positions.", self.positions()),
            },
            Claim {
                source: "TR figure 10; IJCAI figure 4",
                claim: format!(
                    "{}: MTD(f) that is told the value needs at most 95 % of MTD(f)'s {what}.",
                    self.arena.name()
                ),
                paper: "a better guess makes a smaller tree".into(),
                ours: shown(told),
                verdict: below(told, WORTHWHILE),
                why: "Its two tests are a proof of the value: no policy over null windows knows more.".into(),
            },
        ]
    }
}

/// Verdict on the claim that a ratio is at most a limit.
fn below(estimate: Option<Estimate>, limit: f64) -> Verdict {
    match estimate {
        Some(Estimate { interval: (_, high), .. }) if high <= limit => Verdict::Holds,
        Some(Estimate { interval: (low, _), .. }) if low > limit => Verdict::Fails,
        _ => Verdict::Open,
    }
}

/// Distances of values from the guess by depth.
pub fn moved(model: &Model) -> Table {
    let mut table =
        Table::new(0, ["depth", "parity", "mean distance (units)", "mean change (units)", "iterations"]);
    for (depth, (size, signed)) in &model.moved {
        table.row([
            depth.to_string(),
            if depth % 2 == 0 { "even" } else { "odd" }.to_owned(),
            format!("{:.1}", size.value()),
            format!("{:+.1}", signed.value()),
            format!("{}", size.count),
        ]);
    }
    table
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
    let names = [1, 0].into_iter().flat_map(|direction| {
        let word = if direction == 1 { "high" } else { "low" };
        CONTEXT_NAMES.map(|name| format!("{word}; {name}"))
    });
    let heads = std::iter::once("cells from the value".to_owned()).chain(names);
    let mut table = Table::new(
        0,
        heads.chain(["high: exact, %".to_owned(), "low: exact, %".to_owned()]).collect::<Vec<_>>(),
    );
    for step in 0..STEPS {
        let mut row = vec![cells(step)];
        for direction in [1, 0] {
            for context in 0..CONTEXT_NAMES.len() {
                let mean = model.tally.cost[direction][context][step];
                let text = format!("{:.0} ({})", 100.0 * mean.value(), mean.count);
                row.push(if mean.count > 0.0 { text } else { "-".to_owned() });
            }
        }
        row.extend([1, 0].map(|direction| {
            let mean = model.tally.exact[direction][step];
            if mean.count > 0.0 { format!("{:.0}", 100.0 * mean.value()) } else { "-".to_owned() }
        }));
        table.row(row);
    }
    table
}

/// The programme's answer in a few words: first bounds and steps.
pub fn answers(solved: &Solved, model: &Model) -> Table {
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
    for (class, solution) in solved.solutions.iter().enumerate() {
        let change = match class {
            0 => format!("up to {}", model.changes[0]),
            _ => format!("above {}", model.changes[class - 1]),
        };
        let up = |lower: i32| format!("{:+}", solution.bound(Some(lower), None));
        let down = |upper: i32| format!("{:+}", solution.bound(None, Some(upper)));
        table.row([
            (class + 1).to_string(),
            change,
            format!("{:.0}", 100.0 * model.share[class]),
            format!("{:+}", solution.bound(None, None)),
            up(0),
            up(16),
            up(64),
            down(0),
            down(-16),
            down(-64),
            format!("{:.3}", solution.cost),
        ]);
    }
    table
}

/// Expected costs in the model, in average iterations of the training half.
pub fn expected(fit: &Fit) -> Table {
    let [optimum, table, one_class] = fit.solved.expected;
    let mut rows = Table::new(1, ["bounds", "expected cost"]);
    for (name, cost) in [
        ("the optimum", optimum),
        ("its table at the knots", table),
        ("the optimum that does not know the change before", one_class),
    ] {
        rows.row([name.to_owned(), format!("{cost:.3}")]);
    }
    rows
}

/// Expected costs with conditions and without, on both halves, and the measured cost of the bounds that were played.
pub fn conditions(
    fit: &Fit,
    conditions: &Conditions,
    halves: &[Vec<Known<'_>>; 2],
    tested: &Tested,
) -> Table {
    let columns = [
        "known before",
        "by class",
        "iterations by class, %",
        "without",
        "with",
        "saved, %",
        "test half: without",
        "with",
        "saved, %",
        "measured, % of MTD-opt",
    ];
    let mut table = Table::new(2, columns);
    for told in &conditions.told {
        let mut row = vec![
            match told.condition {
                Condition::Change => "change of the value".to_owned(),
                Condition::Near(share) => format!("root moves with 1/{} of the best's visits", SHARES[share]),
                Condition::Lot => "nothing: classes by lot".to_owned(),
            },
            if told.part == Part::Values { "values" } else { "values, costs" }.to_owned(),
        ];
        for (half, records) in halves.iter().enumerate() {
            let worth = told.worth(&conditions.all, &fit.model, records);
            let show = |number: &dyn Fn(&Worth) -> String| worth.as_ref().map_or("-".to_owned(), number);
            if half == 0 {
                row.push(show(&|worth| worth.share.map(|share| format!("{:.0}", 100.0 * share)).join(", ")));
            }
            row.push(show(&|worth| format!("{:.3}", worth.without)));
            row.push(show(&|worth| format!("{:.3}", worth.with)));
            row.push(show(&|worth| format!("{:.1}", 100.0 * (1.0 - worth.with / worth.without))));
        }
        let played = Some(tested).filter(|_| (told.condition, told.part) == PLAYED);
        row.push(played.map_or("-".to_owned(), |tested| cell(tested.ratio(BY_NEAR, MTD_OPT, tested.cost()))));
        table.row(row);
    }
    table
}

/// The model's cost of the searches of the test half beside their measured cost.
pub fn held(arena: Arena, model: &Model, records: &[Record]) -> Option<Table> {
    let of_arena = records.iter().filter(|record| record.arena == arena.name());
    let depth = of_arena.map(|record| record.iteration.depth).max()?;
    let held = model.held(arena, depth, records);
    let mut table = Table::new(
        1,
        [
            "driver",
            "iterations",
            "model: cost",
            "measured",
            "correlation",
            "contradicting answers, % of tests",
        ],
    );
    for who in [MTDF, MTD_OPT] {
        let of: Vec<_> = held.iter().filter(|held| held.who == who).collect();
        if of.is_empty() {
            return None;
        }
        let pairs: Vec<(f64, f64)> = of.iter().map(|held| (held.model, held.measured)).collect();
        let contradictions: usize = of.iter().map(|held| held.contradictions).sum();
        let tests: usize = of.iter().map(|held| held.tests).sum();
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

/// Pearson's correlation of pairs.
fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let (x, y) = (mean(pairs, |pair| pair.0), mean(pairs, |pair| pair.1));
    let product = mean(pairs, |pair| (pair.0 - x) * (pair.1 - y));
    let spreads = mean(pairs, |pair| (pair.0 - x).powi(2)) * mean(pairs, |pair| (pair.1 - y).powi(2));
    if spreads > 0.0 { product / spreads.sqrt() } else { 0.0 }
}

/// The optimal bound as a function of the bracket.
pub fn chart(arena: Arena, solved: &Solved) -> Chart {
    let reach = if arena == Arena::Play { 16 } else { 64 };
    let solution = &solved.solutions[1];
    let series = |name: &str, bound: &dyn Fn(i32) -> Option<i32>| {
        let point = |at: i32| {
            let y = bound(at)?;
            Some(Point { x: f64::from(at), y: f64::from(y), interval: None })
        };
        Series {
            name: name.to_owned(),
            points: (-reach..=reach).filter_map(point).collect(),
            from_paper: false,
        }
    };
    let wide = reach / 2;
    Chart {
        name: format!("bound-{}", arena.alias()),
        title: format!("{}: the bound of least expected cost", arena.name()),
        x: Axis {
            label: "the end of the bracket that is known, in cells from the centre".into(),
            logarithmic: false,
        },
        y: Axis { label: "next bound, in cells from the centre".into(), logarithmic: false },
        series: vec![
            series("f- known, f+ open", &|lower| Some(solution.bound(Some(lower), None))),
            series("f+ known, f- open", &|upper| Some(solution.bound(None, Some(upper)))),
            series(&format!("f- known, f+ {wide} cells above"), &|lower| {
                Some(solution.bound(Some(lower), Some(lower + wide)))
            }),
        ],
        level: None,
    }
}
