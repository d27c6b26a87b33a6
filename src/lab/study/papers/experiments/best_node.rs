//! Best Node Search (D. Rutko, *Fuzzified Algorithm for Game Tree Search with Statistical and Analytical
//! Evaluation*, 2011) beside MTD(f): visits of chess in paper and in strict mode, of Othello and of random
//! trees, and games in play mode at equal nodes. The paper has its counts from random trees of a known range,
//! and begins with a bound from the statistics of such trees: here both drivers begin at the mean value of
//! other trees, and the first range of Best Node Search is their standard deviation.

use super::fixed_depth;
use super::othello::OTHELLO;
use super::searches::{self, Found, case, driver, saves};
use crate::games::random_tree::{ChildOrder, RandomTree, Shape, Values};
use crate::lab::base::pages::table::{Table, percent};
use crate::lab::base::statistics::elo::Pairs;
use crate::lab::base::statistics::ratios::{Estimate, Ratio, ratio};
use crate::lab::play::referee::MoveLimits;
use crate::lab::study::papers::experiment::{
    Claim, Description, Experiment, Scale, Section, Unfinished, Unit, Verdict, Work, cell, shown,
};
use crate::lab::study::papers::points::{Points, counted, play_pairs};
use crate::minimax::deepening::iterate;
use crate::minimax::drivers::{Algorithm, Driver};
use crate::minimax::mt::Counts;
use crate::search::Mode;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The experiment `best-node`.
pub struct BestNode;

/// The drivers in the order of the columns.
const DRIVERS: [Driver; 2] = [Driver::MtdF, Driver::BestNode];

/// The players, as `plumb tournament` names them; the first is the one whose Elo is reported.
const PLAYERS: [&str; 2] = ["Backend=bns", "Backend=mtdf"];

/// Seed of the openings and of the bootstrap intervals.
const SEED: u64 = 2011;

/// Entries of the table of the searches in chess, in MiB.
const HASH: usize = 16;

/// Pairs of games in a unit of work.
const BATCH: usize = 5;

/// Random trees in a unit of work, which share the search of the other trees.
const TREES: usize = 25;

/// Leaves of the random trees have so many values, each as likely as the others.
const LEAF_VALUES: u16 = 1000;

/// Other trees, whose values tell where the first bound of a random tree lies.
const OTHER_TREES: u64 = 30;

/// The table of a search of a random tree has 2^bits entries.
const TREE_BITS: u32 = 18;

/// Part of the comparison: a game in a mode of search, random trees, or games played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ground {
    Paper,
    Strict,
    Othello,
    NarrowTrees,
    WideTrees,
    Games,
}

/// Numbers of positions and pairs, depths in plies, and nodes a move.
struct Protocol {
    positions: usize,
    paper: u32,
    strict: u32,
    othello: u32,
    narrow: u32,
    wide: u32,
    pairs: usize,
    nodes: u64,
}

const fn protocol(scale: Scale) -> Protocol {
    match scale {
        Scale::Quick => Protocol {
            positions: 12,
            paper: 5,
            strict: 4,
            othello: 7,
            narrow: 6,
            wide: 3,
            pairs: 50,
            nodes: 1_000,
        },
        Scale::Full => Protocol {
            positions: 100,
            paper: 7,
            strict: 5,
            othello: 9,
            narrow: 9,
            wide: 5,
            pairs: 500,
            nodes: 8_000,
        },
    }
}

impl Ground {
    const ALL: [Ground; 6] = [
        Ground::Paper,
        Ground::Strict,
        Ground::Othello,
        Ground::NarrowTrees,
        Ground::WideTrees,
        Ground::Games,
    ];

    /// Its name in rows.
    const fn name(self) -> &'static str {
        match self {
            Ground::Paper => "chess in paper mode",
            Ground::Strict => "chess in strict mode",
            Ground::Othello => "Othello",
            Ground::NarrowTrees => "random trees of 5 moves",
            Ground::WideTrees => "random trees of 20 moves",
            Ground::Games => "games",
        }
    }

    /// Its units: number of the first position or pair, and their weight relative to the others.
    fn units(self, protocol: &Protocol) -> Vec<(usize, f64)> {
        let Protocol { positions, pairs, nodes, .. } = *protocol;
        match self {
            Ground::Games => (0..pairs).step_by(BATCH).map(|first| (first, nodes as f64 / 500.0)).collect(),
            Ground::Paper => (0..positions).map(|number| (number, 4.0)).collect(),
            Ground::Strict | Ground::Othello => (0..positions).map(|number| (number, 1.0)).collect(),
            Ground::NarrowTrees | Ground::WideTrees => {
                (0..positions).step_by(TREES).map(|first| (first, TREES as f64)).collect()
            }
        }
    }
}

/// All units of a scale.
fn units(scale: Scale) -> Vec<(Ground, usize, f64)> {
    let of = |ground: Ground| {
        let units = ground.units(&protocol(scale)).into_iter();
        units.map(move |(number, weight)| (ground, number, weight))
    };
    Ground::ALL.into_iter().flat_map(of).collect()
}

/// A row: the visits of both drivers in a position, or the games of a pair; the other is zero.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    ground: String,
    number: usize,
    /// Leaves, and leaves, interior visits and those answered by the table: of MTD(f), then of BNS.
    leaves: [u64; 2],
    visits: [u64; 2],
    points: Points,
}

impl Row {
    /// The row of a position or a tree.
    fn of_counts(ground: Ground, number: usize, leaves: [u64; 2], visits: [u64; 2]) -> Row {
        Row { ground: ground.name().to_owned(), number, leaves, visits, ..Row::default() }
    }

    /// The row of a position, from the last iterations of both searches.
    fn of_searches(ground: Ground, number: usize, found: [Vec<Found>; 2]) -> Result<Row, Unfinished> {
        let [Some(mtdf), Some(bns)] = found.each_ref().map(|rows| rows.last()) else {
            return Err(Unfinished::Empty);
        };
        let visits = |found: &Found| found.leaf + found.interior + found.table;
        Ok(Row::of_counts(ground, number, [mtdf.leaf, bns.leaf], [visits(mtdf), visits(bns)]))
    }
}

fn search_chess(ground: Ground, number: usize, depth: u32, work: &Work<'_>) -> Result<Row, Unfinished> {
    let case = case(number)?;
    let mut player = work.player(HASH)?;
    let mut search = |of: Driver| {
        let mut contender = driver(of.into());
        contender.settings.mode = if ground == Ground::Strict { Mode::Strict } else { Mode::Paper };
        searches::search(&mut player, (number, &case), &contender, depth, work.stop)
    };
    let [mtdf, bns] = DRIVERS.map(&mut search);
    Row::of_searches(ground, number, [mtdf?, bns?])
}

fn search_othello(number: usize, depth: u32, work: &Work<'_>) -> Result<Row, Unfinished> {
    let positions = (OTHELLO.positions)(number + 1);
    let root = positions.get(number).ok_or(Unfinished::Empty)?;
    let bits = OTHELLO.plan(Scale::Quick).bits;
    let search = |of: Driver| {
        let contender = (of.name().to_owned(), of.exact());
        fixed_depth::search((number, root), &contender, (depth, bits), work)
    };
    let [mtdf, bns] = DRIVERS.map(search);
    Row::of_searches(Ground::Othello, number, [mtdf?, bns?])
}

/// A tree of random leaves: no move is known to be better than another.
fn random_tree(width: u16, depth: u32, seed: u64) -> RandomTree {
    let values = Values::Repeated(LEAF_VALUES);
    RandomTree::new(Shape { width, depth, order: ChildOrder::Random, values }, seed)
}

/// Searches a tree to its leaves from a guess, with an empty table: value and counts.
fn search_tree(
    root: RandomTree,
    depth: u32,
    (algorithm, guess): (Algorithm<'static>, i32),
    work: &Work<'_>,
) -> Result<(i32, Counts), Unfinished> {
    let mut search = fixed_depth::prepared(root, depth, TREE_BITS, work)?;
    let (value, ..) = iterate(&mut search, algorithm, guess)?;
    Ok((value, search.counts))
}

/// Mean and standard deviation of the values of other trees of a shape, which have the seeds before the
/// first.
fn expected(width: u16, depth: u32, work: &Work<'_>) -> Result<(f64, f64), Unfinished> {
    let value = |number: u64| {
        let root = random_tree(width, depth, SEED - 1 - number);
        Ok(f64::from(search_tree(root, depth, (Driver::MtdF.exact(), 0), work)?.0))
    };
    let values: Vec<f64> = (0..OTHER_TREES).map(value).collect::<Result<_, Unfinished>>()?;
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64;
    Ok((mean, variance.sqrt()))
}

fn search_trees(
    ground: Ground,
    numbers: Range<usize>,
    depth: u32,
    work: &Work<'_>,
) -> Result<Vec<Row>, Unfinished> {
    let width = if ground == Ground::NarrowTrees { 5 } else { 20 };
    let (mean, deviation) = expected(width, depth, work)?;
    let (guess, range) = (mean.round() as i32, deviation.round().max(1.0) as i32);
    let row = |number: usize| {
        let root = random_tree(width, depth, SEED + number as u64);
        let counts = |driver: Driver| -> Result<Counts, Unfinished> {
            Ok(search_tree(root, depth, (driver.with_window(range), guess), work)?.1)
        };
        let [mtdf, bns] = DRIVERS.map(counts);
        let counts = [mtdf?, bns?];
        let leaves = counts.each_ref().map(|counts| counts.leaf);
        Ok(Row::of_counts(ground, number, leaves, counts.each_ref().map(Counts::total)))
    };
    numbers.map(row).collect()
}

fn play(first: usize, nodes: u64, work: &Work<'_>) -> Result<Vec<Row>, Unfinished> {
    let allowed = MoveLimits { nodes: Some(nodes), ..MoveLimits::default() };
    let numbers = first..first + BATCH;
    let points = play_pairs(work, PLAYERS, SEED, allowed, numbers.clone())?;
    let row =
        |(number, points)| Row { ground: Ground::Games.name().to_owned(), number, points, ..Row::default() };
    Ok(numbers.zip(points).map(row).collect())
}

impl Experiment for BestNode {
    type Row = Row;

    fn about(&self) -> Description {
        Description {
            name: "best-node",
            title: "Best Node Search beside MTD(f)",
            is_own: false,
            columns: &[
                "ground",
                "number",
                "leaves of MTD(f)",
                "leaves of BNS",
                "visits of MTD(f)",
                "visits of BNS",
                "half points of BNS as white",
                "half points of BNS as black",
            ],
        }
    }

    fn units(&self, scale: Scale) -> Vec<Unit> {
        let unit = |(ground, number, weight): (Ground, usize, f64)| {
            let what = match ground {
                Ground::Games => "pair",
                Ground::NarrowTrees | Ground::WideTrees => "tree",
                Ground::Paper | Ground::Strict | Ground::Othello => "position",
            };
            Unit { name: format!("{} from {what} {}", ground.name(), number + 1), weight }
        };
        units(scale).into_iter().map(unit).collect()
    }

    fn run(&self, scale: Scale, index: usize, work: &Work<'_>) -> Result<Vec<Row>, Unfinished> {
        let &(ground, number, _) = units(scale).get(index).ok_or(Unfinished::Empty)?;
        let protocol = protocol(scale);
        let trees = number..(number + TREES).min(protocol.positions);
        match ground {
            Ground::Paper => Ok(vec![search_chess(ground, number, protocol.paper, work)?]),
            Ground::Strict => Ok(vec![search_chess(ground, number, protocol.strict, work)?]),
            Ground::Othello => Ok(vec![search_othello(number, protocol.othello, work)?]),
            Ground::NarrowTrees => search_trees(ground, trees, protocol.narrow, work),
            Ground::WideTrees => search_trees(ground, trees, protocol.wide, work),
            Ground::Games => play(number, protocol.nodes, work),
        }
    }

    fn conclude(&self, scale: Scale, rows: &[Row]) -> Section {
        let found = Results::new(rows);
        Section {
            protocol: vec![told(&protocol(scale))],
            claims: found.claims(),
            tables: if rows.is_empty() { Vec::new() } else { vec![found.table()] },
            charts: Vec::new(),
        }
    }
}

fn told(protocol: &Protocol) -> String {
    let Protocol { positions, paper, strict, othello, narrow, wide, pairs, nodes } = protocol;
    format!(
        "{positions} positions of real games to {paper} plies in paper mode and to {strict} in strict mode, \
         as many of Othello to {othello}, by iterative deepening from an empty table: visits of all \
         iterations, BNS relative to MTD(f), which gets the guess of the iteration before as BNS does. As \
         many trees of 5 moves and {narrow} plies and of 20 moves and {wide} plies, with {LEAF_VALUES} \
         values of leaves, each searched once from an empty table: both begin at the mean value of \
         {OTHER_TREES} other trees, and the first range of BNS is their standard deviation. {} games of \
         `{}` against `{}` at {nodes} nodes a move, every opening with both colours, openings from the \
         built-in book, then random ones (seed {SEED}). Intervals: 95 %, bootstrap over positions, and \
         from pairs.",
        2 * pairs,
        PLAYERS[0],
        PLAYERS[1]
    )
}

/// Everything found.
struct Results<'r> {
    rows: &'r [Row],
    pairs: Pairs,
}

impl Results<'_> {
    fn new(rows: &[Row]) -> Results<'_> {
        let games = rows.iter().filter(|row| row.ground == Ground::Games.name());
        Results { rows, pairs: counted(games.map(|row| row.points)) }
    }

    /// Amounts of BNS relative to MTD(f)'s.
    fn ratio(&self, ground: Ground, amounts: fn(&Row) -> [u64; 2]) -> Option<Ratio> {
        let of_ground = self.rows.iter().filter(|row| row.ground == ground.name());
        let pairs: Vec<(f64, f64)> = of_ground
            .map(|row| {
                let [mtdf, bns] = amounts(row);
                (bns as f64, mtdf as f64)
            })
            .collect();
        ratio(&pairs, SEED)
    }

    fn visits(&self, ground: Ground) -> Option<Estimate> {
        self.ratio(ground, |row| row.visits).map(|ratio| ratio.totals)
    }

    fn claims(&self) -> Vec<Claim> {
        let fewer = |ground: Ground| {
            let found = self.visits(ground);
            Claim {
                source: "BNS",
                claim: format!("Best Node Search visits fewer nodes than MTD(f): {}.", ground.name()),
                paper: "fewer, in random trees".to_owned(),
                ours: format!("{} of MTD(f)'s visits", shown(found)),
                ..Claim::judged([found], |[found]| saves(found, 0.99))
            }
        };
        let mean = self.pairs.moments().0;
        let score = self.pairs.score_margin();
        let score = score.map(|margin| Estimate { value: mean, interval: (mean - margin, mean + margin) });
        let stronger = Claim {
            source: "BNS",
            claim: "Best Node Search plays at least as well as MTD(f) at equal nodes.".to_owned(),
            paper: "no games".to_owned(),
            ours: format!("{} of the points", shown(score)),
            why: "It proves which move is best, not how good it is: the next iteration begins with a bound."
                .to_owned(),
            ..Claim::judged([score], |[score]| Verdict::at_least(0.5, score))
        };
        let counted = Ground::ALL.into_iter().filter(|ground| *ground != Ground::Games);
        let counts = counted.map(fewer);
        counts.chain(std::iter::once(stronger)).collect()
    }

    fn table(&self) -> (String, Table) {
        let mut table =
            Table::new(1, ["ground", "positions, trees or games", "leaves, %", "visits, %", "points, %"]);
        for ground in Ground::ALL {
            let count = self.rows.iter().filter(|row| row.ground == ground.name()).count();
            let of_games = ground == Ground::Games;
            let leaves = self.ratio(ground, |row| row.leaves).map(|ratio| ratio.totals);
            table.row([
                ground.name().to_owned(),
                (if of_games { 2 * count } else { count }).to_string(),
                if of_games { "-".to_owned() } else { cell(leaves) },
                if of_games { "-".to_owned() } else { cell(self.visits(ground)) },
                if of_games { percent(self.pairs.moments().0) } else { "-".to_owned() },
            ]);
        }
        ("Best Node Search relative to MTD(f)".to_owned(), table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::terminal::interrupted::Stop;

    fn position(ground: Ground, number: usize, visits: [u64; 2]) -> Row {
        Row::of_counts(ground, number, visits, visits)
    }

    #[test]
    fn every_ground_is_measured_and_the_same_in_every_run() {
        let stop = Stop::default();
        let units = units(Scale::Quick);
        for ground in Ground::ALL {
            let index = units.iter().position(|unit| unit.0 == ground).unwrap();
            let rows = BestNode.run(Scale::Quick, index, &Work::new(&stop)).unwrap();
            assert_eq!(rows, BestNode.run(Scale::Quick, index, &Work::new(&stop)).unwrap());
            assert!(rows.iter().all(|row| row.ground == ground.name()));
            let counts = rows[0].visits.iter().all(|&visits| visits > 0);
            let expected = match ground {
                Ground::Games => (BATCH, false),
                Ground::NarrowTrees | Ground::WideTrees => (protocol(Scale::Quick).positions, true),
                Ground::Paper | Ground::Strict | Ground::Othello => (1, true),
            };
            assert_eq!((rows.len(), counts), expected);
        }
    }

    #[test]
    fn visits_and_points_decide_the_claims() {
        let mut rows = Vec::new();
        for number in 0..20 {
            rows.push(position(Ground::Paper, number, [1000, 900]));
            rows.push(position(Ground::Strict, number, [1000, 1100]));
            rows.push(position(Ground::Othello, number, [1000, 1000]));
            rows.push(position(Ground::NarrowTrees, number, [1000, 800]));
            rows.push(position(Ground::WideTrees, number, [1000, 1200]));
            let points = Points::try_from([number % 2, 0]).unwrap();
            rows.push(Row { ground: Ground::Games.name().to_owned(), number, points, ..Row::default() });
        }
        let section = BestNode.conclude(Scale::Quick, &rows);
        let verdicts: Vec<Verdict> = section.claims.iter().map(|claim| claim.verdict).collect();
        use Verdict::{Fails, Holds};
        let decided = [0, 1, 3, 4, 5].map(|claim| verdicts[claim]);
        assert_eq!(decided, [Holds, Fails, Holds, Fails, Fails], "{:?}", section.claims);
        assert_ne!(verdicts[2], Holds);
        assert!(section.claims[0].ours.contains("90.0 %") && section.claims[5].ours.contains("12.5 %"));
    }
}
