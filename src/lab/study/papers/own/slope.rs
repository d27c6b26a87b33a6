//! `slope`: games between MTD(f) and Aspiration NegaScout, both in play mode with their defaults, at several
//! numbers of nodes a move and at several equal depths. What MTD(f) wins or loses at equal nodes, set against
//! the logarithm of their number, has a slope: the Elo that every doubling of the time for a move brings or
//! costs it.

use crate::lab::base::pages::chart::{Axis, Chart, Point, Series};
use crate::lab::base::pages::table::{Table, percent};
use crate::lab::base::statistics::elo::Pairs;
use crate::lab::base::statistics::ratios::Estimate;
use crate::lab::play::referee::Allowed;
use crate::lab::study::papers::experiment::{
    Claim, Description, Experiment, Scale, Section, Unfinished, Unit, Verdict, Work,
};
use crate::lab::study::papers::points::{Points, counted, play_pairs};
use serde::{Deserialize, Serialize};

/// The experiment `slope`.
pub struct Slope;

/// The players, as `plumb tournament` names them; the first is the one whose Elo is told.
const PLAYERS: [&str; 2] = ["Backend=mtdf", "Backend=negascout"];

/// Seed of the openings: the lines of the built-in book in an order of its own, then random ones.
const SEED: u64 = 39;

/// Pairs of games in a unit of work.
const BATCH: usize = 5;

/// The limit of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    /// Made moves after which the search stops.
    Nodes(u64),
    /// Depth in plies.
    Depth(i32),
}

/// The limits of a run, and the number of pairs that are played under each.
fn matches(scale: Scale) -> &'static [(Limit, usize)] {
    use Limit::{Depth, Nodes};
    match scale {
        Scale::Quick => &[(Nodes(1_000), 100), (Nodes(4_000), 100), (Nodes(16_000), 100), (Depth(6), 100)],
        Scale::Full => &[
            (Nodes(2_000), 1_000),
            (Nodes(20_000), 1_000),
            (Nodes(160_000), 300),
            (Depth(4), 200),
            (Depth(6), 200),
            (Depth(8), 200),
            (Depth(10), 200),
        ],
    }
}

impl Limit {
    /// Kind and amount, as rows have them.
    fn words(self) -> (&'static str, u64) {
        match self {
            Limit::Nodes(nodes) => ("nodes", nodes),
            Limit::Depth(depth) => ("depth", u64::from(depth.unsigned_abs())),
        }
    }

    fn allowed(self) -> Allowed {
        match self {
            Limit::Nodes(nodes) => Allowed { nodes: Some(nodes), ..Allowed::default() },
            Limit::Depth(depth) => Allowed { depth: Some(depth), ..Allowed::default() },
        }
    }

    /// Cost of a game, relative to others.
    fn weight(self) -> f64 {
        match self {
            Limit::Nodes(nodes) => nodes as f64,
            Limit::Depth(depth) => 150.0 * 1.8_f64.powi(depth),
        }
    }
}

/// The units: a limit, and the number of its first pair.
fn batches(scale: Scale) -> Vec<(Limit, usize)> {
    let of = |&(limit, pairs): &(Limit, usize)| (0..pairs).step_by(BATCH).map(move |first| (limit, first));
    matches(scale).iter().flat_map(of).collect()
}

impl Experiment for Slope {
    type Row = PlayedPair;

    fn about(&self) -> Description {
        Description {
            name: "slope",
            title: "MTD(f) against NegaScout in games, by nodes and by depth",
            is_own: true,
            columns: &["limit", "amount", "pair", "half points as white", "half points as black"],
        }
    }

    fn units(&self, scale: Scale) -> Vec<Unit> {
        let unit = |(limit, first): (Limit, usize)| {
            let (kind, amount) = limit.words();
            Unit { name: format!("{kind} {amount} from pair {}", first + 1), weight: limit.weight() }
        };
        batches(scale).into_iter().map(unit).collect()
    }

    fn run(&self, scale: Scale, index: usize, work: &Work<'_>) -> Result<Vec<PlayedPair>, Unfinished> {
        let &(limit, first) = batches(scale).get(index).ok_or(Unfinished::Empty)?;
        let (kind, amount) = limit.words();
        let numbers = first..first + BATCH;
        let points = play_pairs(work, PLAYERS, SEED, limit.allowed(), numbers.clone())?;
        let pair = |(number, points)| PlayedPair { kind: kind.to_owned(), amount, number, points };
        Ok(numbers.zip(points).map(pair).collect())
    }

    fn conclude(&self, scale: Scale, rows: &[PlayedPair]) -> Section {
        let found: Vec<Match> = matches(scale).iter().map(|&(limit, _)| Match::of(limit, rows)).collect();
        Section {
            protocol: vec![protocol()],
            claims: claims(&found),
            tables: if rows.is_empty() { Vec::new() } else { vec![table(&found)] },
            charts: charts(&found),
        }
    }
}

fn protocol() -> String {
    format!(
        "Games of `{}` against `{}`, with the defaults otherwise, every opening with both colours; openings \
        from the built-in book, then random ones (seed {SEED}). Elo is logistic, with a 95 % interval from \
        pairs. The slope is that of the line of least squares through the matches at equal nodes, each \
        weighted by the inverse of its variance.",
        PLAYERS[0], PLAYERS[1]
    )
}

/// A row: the games of a pair.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayedPair {
    kind: String,
    amount: u64,
    number: usize,
    points: Points,
}

/// The games under a limit.
struct Match {
    limit: Limit,
    pairs: Pairs,
}

impl Match {
    fn of(limit: Limit, rows: &[PlayedPair]) -> Match {
        let under = rows.iter().filter(|row| limit.words() == (row.kind.as_str(), row.amount));
        Match { limit, pairs: counted(under.map(|row| row.points)) }
    }

    fn elo(&self) -> Option<Estimate> {
        Some(Estimate { value: self.pairs.elo(), interval: self.pairs.interval()? })
    }
}

/// The slope of weighted least squares through points (x, y), in y for each 1 of x; `None` for less than two.
fn slope(points: &[(f64, Estimate)]) -> Option<Estimate> {
    let weight = |y: &Estimate| (2.0 * 1.96 / (y.interval.1 - y.interval.0)).powi(2);
    let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        points.iter().map(|(x, y)| weight(y) * of(*x, y.value)).sum()
    };
    let total = sum(&|_, _| 1.0);
    let (x, y) = (sum(&|x, _| x) / total, sum(&|_, y| y) / total);
    let spread = sum(&|at, _| (at - x).powi(2));
    let value = sum(&|at, value| (at - x) * (value - y)) / spread;
    let margin = 1.96 / spread.sqrt();
    (value.is_finite() && margin.is_finite())
        .then_some(Estimate { value, interval: (value - margin, value + margin) })
}

/// Elo with its interval: `+15 [-3, +33]`.
fn told(elo: Option<Estimate>) -> String {
    elo.map_or("-".to_owned(), |Estimate { value, interval: (low, high) }| {
        format!("{value:+.0} [{low:+.0}, {high:+.0}]")
    })
}

/// Verdict on a claim that a number is above a limit.
fn above(found: Option<Estimate>, limit: f64) -> Verdict {
    match found {
        Some(Estimate { interval: (low, _), .. }) if low > limit => Verdict::Holds,
        Some(Estimate { interval: (_, high), .. }) if high < limit => Verdict::Fails,
        _ => Verdict::Open,
    }
}

/// Elo that a doubling of the nodes may cost before the driver is called one for short searches.
const DOUBLING: f64 = -5.0;
/// Elo within which two drivers of the same depth are called equal.
const EQUAL: f64 = -30.0;

fn claims(found: &[Match]) -> Vec<Claim> {
    let elo_of = |wanted: &dyn Fn(Limit) -> bool| {
        let greatest = found.iter().filter(|one| wanted(one.limit)).rfind(|one| one.elo().is_some());
        (greatest.map(|one| one.limit.words().1.to_string()), greatest.and_then(Match::elo))
    };
    let (nodes, long) = elo_of(&|limit| matches!(limit, Limit::Nodes(_)));
    let (depth, deep) = elo_of(&|limit| matches!(limit, Limit::Depth(_)));
    let slope = slope(&by_nodes(found));
    let at = |amount: Option<String>| amount.unwrap_or("-".to_owned());
    let claim = |text: &str, ours: String, found: Option<Estimate>, limit: f64, why: &str| Claim {
        source: "TR section 5; IJCAI 5.2",
        claim: text.to_owned(),
        paper: "better than NegaScout; no games".to_owned(),
        ours,
        why: why.to_owned(),
        ..Claim::judged([found], |[found]| above(found, limit))
    };
    vec![
        claim(
            "At the greatest number of nodes MTD(f) is stronger than NegaScout in games.",
            format!("{} Elo at {} nodes", told(long), at(nodes)),
            long,
            0.0,
            "In play mode the trees of both differ: null windows and open ones are pruned differently.",
        ),
        claim(
            "A doubling of the nodes costs MTD(f) less than 5 Elo against NegaScout.",
            slope.map_or("-".to_owned(), |slope| format!("{} Elo a doubling", tenths(slope))),
            slope,
            DOUBLING,
            "The verdict is on the lower end of the interval.",
        ),
        claim(
            "At equal depth MTD(f) is within 30 Elo of NegaScout.",
            format!("{} Elo at depth {}", told(deep), at(depth)),
            deep,
            EQUAL,
            "Its tree is smaller at the same depth: a depth of one is not a depth of the other.",
        ),
    ]
}

fn tenths(Estimate { value, interval: (low, high) }: Estimate) -> String {
    format!("{value:+.1} [{low:+.1}, {high:+.1}]")
}

/// The matches at equal nodes: the logarithm of the nodes to base 2, and Elo.
fn by_nodes(found: &[Match]) -> Vec<(f64, Estimate)> {
    let point = |one: &Match| match one.limit {
        Limit::Nodes(nodes) => Some(((nodes as f64).log2(), one.elo()?)),
        Limit::Depth(_) => None,
    };
    found.iter().filter_map(point).collect()
}

fn table(found: &[Match]) -> (String, Table) {
    let mut table = Table::new(1, ["limit", "amount", "games", "score, %", "Elo"]);
    for Match { limit, pairs } in found {
        let (kind, amount) = limit.words();
        let elo = Match { limit: *limit, pairs: *pairs }.elo();
        table.row([
            kind.to_owned(),
            amount.to_string(),
            (2 * pairs.count()).to_string(),
            percent(pairs.moments().0),
            told(elo),
        ]);
    }
    ("MTD(f) against NegaScout".to_owned(), table)
}

fn charts(found: &[Match]) -> Vec<Chart> {
    let chart = |name: &str, label: &str, logarithmic, amount: &dyn Fn(Limit) -> Option<f64>| {
        let point = |one: &Match| {
            let (x, elo) = (amount(one.limit)?, one.elo()?);
            Some(Point { x, y: elo.value, interval: Some(elo.interval) })
        };
        let points: Vec<Point> = found.iter().filter_map(point).collect();
        (!points.is_empty()).then(|| Chart {
            name: format!("slope-{name}"),
            title: format!("Elo of MTD(f) against NegaScout at equal {name}"),
            x: Axis { label: label.to_owned(), logarithmic },
            y: Axis { label: "Elo".to_owned(), logarithmic: false },
            series: vec![Series { name: "MTD(f)".to_owned(), points, from_paper: false }],
            level: Some(0.0),
        })
    };
    let nodes = |limit| if let Limit::Nodes(nodes) = limit { Some(nodes as f64) } else { None };
    let depth = |limit| if let Limit::Depth(depth) = limit { Some(f64::from(depth)) } else { None };
    let charts = [
        chart("nodes", "nodes a move", true, &nodes),
        chart("depth", "search depth in plies", false, &depth),
    ];
    charts.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::terminal::interrupted::Stop;

    fn rows(limit: Limit, points: &[[usize; 2]]) -> Vec<PlayedPair> {
        let (kind, amount) = limit.words();
        let row = |(number, &points): (usize, &[usize; 2])| PlayedPair {
            kind: kind.to_owned(),
            amount,
            number,
            points: Points::try_from(points).unwrap(),
        };
        points.iter().enumerate().map(row).collect()
    }

    #[test]
    fn a_unit_is_a_batch_of_pairs() {
        let units = Slope.units(Scale::Full);
        assert_eq!(units.len(), 3_100 / BATCH);
        assert_eq!(units[200].name, "nodes 20000 from pair 1");
        assert!(
            matches(Scale::Full).iter().chain(matches(Scale::Quick)).all(|(_, pairs)| pairs % BATCH == 0)
        );
        let stop = Stop::default();
        let played = Slope.run(Scale::Quick, 1, &Work::new(&stop)).unwrap();
        assert_eq!(played.len(), BATCH);
        let found = Match::of(Limit::Nodes(1_000), &played);
        assert_eq!(found.pairs.count(), BATCH as u64, "{played:?}");
        assert_eq!(played, Slope.run(Scale::Quick, 1, &Work::new(&stop)).unwrap());
    }

    #[test]
    fn the_slope_is_that_of_the_matches() {
        let at = |elo: f64| Estimate { value: elo, interval: (elo - 10.0, elo + 10.0) };
        let found = slope(&[(11.0, at(20.0)), (14.0, at(5.0)), (17.0, at(-10.0))]).unwrap();
        assert!(
            (found.value + 5.0).abs() < 1e-9 && found.interval.0 < -6.0 && found.interval.1 > -4.0,
            "{found:?}"
        );
        // The match that is known best counts most.
        let sure = Estimate { value: 0.0, interval: (-0.1, 0.1) };
        let found = slope(&[(0.0, sure), (1.0, sure), (2.0, at(100.0))]).unwrap();
        assert!(found.value < 1.0, "{found:?}");
        assert_eq!(slope(&[(11.0, at(20.0))]), None);
    }

    #[test]
    fn games_decide_the_claims() {
        let lost =
            [[0, 0], [0, 1], [1, 1], [0, 0], [2, 0], [0, 0], [0, 1], [1, 0], [0, 0], [0, 0], [1, 1], [0, 0]];
        let rows = [rows(Limit::Nodes(1_000), &lost), rows(Limit::Depth(6), &lost)].concat();
        let section = Slope.conclude(Scale::Quick, &rows);
        let verdicts: Vec<Verdict> = section.claims.iter().map(|claim| claim.verdict).collect();
        assert_eq!(verdicts, [Verdict::Fails, Verdict::Open, Verdict::Fails], "{:?}", section.claims);
        assert_eq!((section.tables.len(), section.charts.len()), (1, 2));
    }
}
