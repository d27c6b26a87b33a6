//! Search of give-away checkers with a real-valued evaluation (REAL sections 4 and 5, figure 2a).

use crate::games::checkers::GiveAway;
use crate::lab::base::pages::chart::{Axis, Chart, Point, Series};
use crate::lab::base::pages::table::{Table, percent};
use crate::lab::base::records::rows::rounded;
use crate::lab::base::statistics::ratios::{Estimate, ratio};
use crate::lab::base::terminal::cpu_clock::CpuClock;
use crate::lab::study::papers::experiment::{
    Claim, Description, Experiment, Scale, Section, Unfinished, Unit, Verdict, Work, cell, ratio_of_times,
};
use crate::minimax::Memory as _;
use crate::minimax::mt::{Counts, MtOptions, Search};
use crate::minimax::real::{RealAlgorithm, find};
use crate::minimax::replacement::Replacement;
use serde::{Deserialize, Serialize};

/// TTHH against realMTD(f), MTD-bi and MTD-step(f).
#[derive(Clone, Copy, Debug)]
pub struct Real;

/// First guess of MTD-step(f) and realMTD(f).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guess {
    /// 0, since nothing is known.
    Zero,
    /// The value of a search two plies less deep, which is not counted.
    Shallower,
}

/// MTD-step(f)'s first step; twice to a quarter of it cost much the same.
const STEP: f64 = 2.0;

const CONTENDERS: [(&str, RealAlgorithm, Guess); 6] = [
    ("TTHH", RealAlgorithm::Tthh, Guess::Zero),
    ("MTD-bi", RealAlgorithm::MtdBi, Guess::Zero),
    ("MTD-step(f)", RealAlgorithm::MtdStep(STEP), Guess::Shallower),
    ("MTD-step(0)", RealAlgorithm::MtdStep(STEP), Guess::Zero),
    ("realMTD(f)", RealAlgorithm::MtdF, Guess::Shallower),
    ("realMTD(0)", RealAlgorithm::MtdF, Guess::Zero),
];

const PLIES: usize = 40;
const TABLE_BITS: u32 = 20;

/// A row: one search.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Searched {
    game: u64,
    state: usize,
    depth: u32,
    who: String,
    leaves: u64,
    interior: u64,
    table: u64,
    #[serde(serialize_with = "rounded::<7, _>")]
    seconds: f64,
    passes: u32,
}

/// A quantity of a search, and whether it is a time.
#[derive(Clone, Copy)]
struct Quantity {
    of: fn(&Searched) -> f64,
    is_time: bool,
}

const LEAVES: Quantity = Quantity { of: |row| row.leaves as f64, is_time: false };
const INTERIOR: Quantity = Quantity { of: |row| row.interior as f64, is_time: false };
const TABLE: Quantity = Quantity { of: |row| row.table as f64, is_time: false };
const SECONDS: Quantity = Quantity { of: |row| row.seconds, is_time: true };
const PASSES: Quantity = Quantity { of: |row| f64::from(row.passes), is_time: false };

/// Number of games, step from one searched state to the next, first and last depth in plies, and the last
/// depth of realMTD(0).
const fn protocol(scale: Scale) -> (u64, usize, [u32; 2], u32) {
    match scale {
        Scale::Quick => (4, 4, [6, 12], 9),
        Scale::Full => (25, 1, [6, 13], 10),
    }
}

/// Game and depth of every unit.
fn plan(scale: Scale) -> Vec<(u64, u32)> {
    let (games, _, [first, last], _) = protocol(scale);
    (0..games).flat_map(|game| (first..=last).map(move |depth| (game, depth))).collect()
}

impl Experiment for Real {
    type Row = Searched;

    fn about(&self) -> Description {
        Description {
            name: "real",
            title: "Real values: give-away checkers",
            is_own: false,
            columns: &[
                "game",
                "state",
                "depth (plies)",
                "algorithm",
                "leaves",
                "interior",
                "table",
                "time (s)",
                "passes",
            ],
        }
    }

    fn units(&self, scale: Scale) -> Vec<Unit> {
        let unit = |(game, depth): (u64, u32)| Unit {
            name: format!("game {} depth {depth}", game + 1),
            weight: 2.2_f64.powi(depth as i32),
        };
        plan(scale).into_iter().map(unit).collect()
    }

    fn run(&self, scale: Scale, index: usize, work: &Work<'_>) -> Result<Vec<Searched>, Unfinished> {
        let plan = plan(scale);
        let &(game, depth) = plan.get(index).ok_or(Unfinished::Empty)?;
        let (_, every, _, creeps_to) = protocol(scale);
        let states: Vec<GiveAway> = GiveAway::random_game(PLIES, game);
        let halt = |visits: u64| visits.is_multiple_of(1024) && work.stop.is_set();
        let search = |_| {
            let (table, options) = (work.table(TABLE_BITS, Replacement::Newer)?, MtOptions::default());
            Ok(Search::with_stop(GiveAway::start(), depth, table, options, halt))
        };
        let mut searches: Vec<_> = CONTENDERS.iter().map(search).collect::<Result<_, Unfinished>>()?;
        let mut rows = Vec::new();
        for (number, state) in states.into_iter().enumerate().step_by(every) {
            let shallow = work.table(14, Replacement::Newer)?;
            let mut probe = Search::with_stop(state, depth - 2, shallow, MtOptions::default(), halt);
            let shallower = find(&mut probe, RealAlgorithm::MtdBi, 0.0)?.value();
            for ((who, algorithm, guess), search) in CONTENDERS.iter().zip(&mut searches) {
                if *who == "realMTD(0)" && depth > creeps_to {
                    continue;
                }
                search.set_root(state, depth);
                search.memory.age();
                search.counts = Counts::default();
                let guess = if *guess == Guess::Zero { 0.0 } else { shallower };
                let begun = CpuClock::start();
                let passes = find(search, *algorithm, guess)?.passes;
                let seconds = begun.elapsed().as_secs_f64();
                let Counts { leaf: leaves, interior, table, .. } = search.counts;
                let (state, who) = (number, (*who).to_owned());
                rows.push(Searched { game, state, depth, who, leaves, interior, table, seconds, passes });
            }
        }
        Ok(rows)
    }

    fn conclude(&self, scale: Scale, rows: &[Searched]) -> Section {
        let data = Data(rows);
        let (_, every, [first, last], _) = protocol(scale);
        let depths: Vec<u32> = (first..=last).filter(|&depth| !data.of("TTHH", depth).is_empty()).collect();
        let deepest = depths.last().copied().unwrap_or(last);
        Section {
            protocol: vec![format!(
                "Positions of random games of 40 plies (REAL: 25 games, 1000 positions; here {} positions at \
                 the greatest depth, {deepest} plies; one of every {every} positions of a game). Every \
                 algorithm keeps a table of 2^20 entries (if newer) and its history through a game and \
                 searches a fixed depth without deepening. Values lie in (-100, 100), epsilon is 0.01; the \
                 evaluation is our own. (f): the first guess is the value of a search two plies shallower, \
                 whose cost is not counted; (0): it is 0. The first step of MTD-step is {STEP}.",
                data.of("TTHH", deepest).len()
            )],
            claims: claims(&data, &depths, deepest),
            tables: vec![("Relative to TTHH (%), and passes".to_owned(), table(&data, &depths))],
            charts: vec![chart(&data, &depths)],
        }
    }
}

/// Rows, with sums and ratios over them.
struct Data<'a>(&'a [Searched]);

impl Data<'_> {
    fn of(&self, who: &str, depth: u32) -> Vec<&Searched> {
        self.0.iter().filter(|row| row.who == who && row.depth == depth).collect()
    }

    fn numbers(&self, who: &str, depth: u32, quantity: Quantity) -> Vec<f64> {
        self.of(who, depth).into_iter().map(|row| (quantity.of)(row)).collect()
    }

    fn mean(&self, who: &str, depth: u32, quantity: Quantity) -> Option<f64> {
        let numbers = self.numbers(who, depth, quantity);
        (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
    }

    /// Sum over sum relative to TTHH, over the same positions; of times that are too short, none.
    fn ratio(&self, who: &str, depth: u32, quantity: Quantity) -> Option<Estimate> {
        let base = self.of("TTHH", depth);
        let pair = |row: &Searched| {
            let base = base.iter().find(|base| (base.game, base.state) == (row.game, row.state))?;
            Some(((quantity.of)(row), (quantity.of)(base)))
        };
        let pairs: Vec<(f64, f64)> = self.of(who, depth).into_iter().filter_map(pair).collect();
        let found = if quantity.is_time { ratio_of_times(&pairs, 1) } else { ratio(&pairs, 1) };
        found.map(|ratio| ratio.totals)
    }
}

/// A saving that the interval shows holds if the paper's number is in the interval or ours is greater; else
/// partly.
fn saving(found: Option<Estimate>, paper: f64) -> Verdict {
    match found {
        None => Verdict::Open,
        Some(e) if e.interval.1 < 1.0 => {
            if e.interval.0 <= paper {
                Verdict::Holds
            } else {
                Verdict::Partly
            }
        }
        Some(e) if e.interval.0 >= 1.0 => Verdict::Fails,
        Some(_) => Verdict::Open,
    }
}

fn claims(data: &Data, depths: &[u32], deepest: u32) -> Vec<Claim> {
    let mut claims = Vec::new();
    for (quantity, what, paper) in [
        (SECONDS, "less time", 0.61),
        (LEAVES, "fewer leaves", 0.58),
        (INTERIOR, "fewer interior nodes", 0.63),
    ] {
        let found = data.ratio("MTD-bi", deepest, quantity);
        claims.push(Claim {
            timed: quantity.is_time,
            source: "REAL figure 2a and section 5",
            claim: format!("MTD-bi needs {what} than TTHH (depth 13)."),
            paper: format!("{} % of TTHH", percent(paper)),
            ours: format!("{} % at depth {deepest}", cell(found)),
            why: "Sums over positions. The paper's evaluation is unpublished, ours is another.".to_owned(),
            ..Claim::judged([found], |[found]| saving(found, paper))
        });
    }
    claims.push(passes_claim(data, depths, deepest));
    claims.push(transpositions_claim(data, deepest));
    let creeping = depths.iter().rev().find_map(|&d| Some((d, data.ratio("realMTD(0)", d, SECONDS)?)));
    claims.push(Claim {
        timed: true,
        source: "REAL sections 3 and 5",
        claim: "realMTD(f) takes very many passes and is far slower than TTHH.".to_owned(),
        paper: "up to 752 passes; 10 times as slow there".to_owned(),
        ours: creeping.map_or("-".to_owned(), |(depth, e)| {
            let passes = data.numbers("realMTD(0)", depth, PASSES).into_iter().fold(0.0, f64::max);
            format!("first guess 0: {} % of the time at depth {depth}, up to {passes} passes", cell(Some(e)))
        }),
        why: format!(
            "With the value of a search two plies shallower as first guess: {} % of the time at depth \
                {deepest}. The number of passes depends on the guess.",
            cell(data.ratio("realMTD(f)", deepest, SECONDS))
        ),
        ..Claim::judged([creeping.map(|(_, times)| times)], |[times]| match times {
            Some(e) if e.interval.0 > 1.0 => Verdict::Holds,
            Some(e) if e.interval.1 < 1.0 => Verdict::Fails,
            _ => Verdict::Open,
        })
    });
    claims.push(step_claim(data, deepest));
    claims
}

fn passes_claim(data: &Data, depths: &[u32], deepest: u32) -> Claim {
    let mean = |depth| data.mean("MTD-bi", depth, PASSES);
    let passes = || depths.iter().flat_map(|&depth| data.numbers("MTD-bi", depth, PASSES));
    let (least, most) = (passes().reduce(f64::min), passes().reduce(f64::max));
    let whole = |number: Option<f64>| number.map_or("-".to_owned(), |number| number.to_string());
    let text = |mean: Option<f64>| mean.map_or("-".to_owned(), |mean| format!("{mean:.1}"));
    Claim {
        source: "REAL section 5",
        claim: "MTD-bi takes 3 to 14 passes, slightly more at greater depths.".to_owned(),
        paper: "7.5 at depth 8, 10.7 at depth 13, at most 14".to_owned(),
        ours: format!(
            "{} at depth 8, {} at depth {deepest}, from {} to {}",
            text(mean(8)),
            text(mean(deepest)),
            whole(least),
            whole(most)
        ),
        verdict: match (most, mean(8), mean(deepest)) {
            (Some(most), Some(at_8), Some(at_end)) if deepest > 8 => {
                let close = (at_8 - 7.5).abs() < 1.5 && at_8 < at_end && at_end < 12.2;
                if least.is_some_and(|least| least >= 3.0) && most <= 14.0 && close {
                    Verdict::Holds
                } else if most <= 15.0 {
                    Verdict::Partly
                } else {
                    Verdict::Fails
                }
            }
            _ => Verdict::Open,
        },
        why: "Bisection of (-100, 100) to a precision of 0.01 takes at most 15.".to_owned(),
        ..Claim::default()
    }
}

fn transpositions_claim(data: &Data, deepest: u32) -> Claim {
    let share = |who| Some(data.mean(who, deepest, TABLE)? / data.mean(who, deepest, INTERIOR)?);
    let found = share("MTD-bi").zip(share("TTHH"));
    Claim {
        source: "REAL section 5",
        claim: "MTD-bi has about as many transpositions per interior node as TTHH.".to_owned(),
        paper: "0.180 and 0.187".to_owned(),
        ours: found.map_or("-".to_owned(), |(bi, tthh)| format!("{bi:.3} and {tthh:.3} at depth {deepest}")),
        verdict: match found {
            None => Verdict::Open,
            Some((bi, tthh)) if (bi / tthh - 1.0).abs() < 0.1 => Verdict::Holds,
            Some((bi, tthh)) if (bi / tthh - 1.0).abs() < 0.3 => Verdict::Partly,
            Some(_) => Verdict::Fails,
        },
        why: "Transpositions are counted as visits answered by the table. The verdict is on the quotient of \
            both ratios."
            .to_owned(),
        ..Claim::default()
    }
}

/// MTD-step(f) against MTD-bi, both relative to TTHH.
fn step_claim(data: &Data, deepest: u32) -> Claim {
    let (step, bi) = (data.ratio("MTD-step(f)", deepest, LEAVES), data.ratio("MTD-bi", deepest, LEAVES));
    Claim {
        source: "REAL section 3",
        claim: "With a good first guess and step size MTD-step(f) outperforms MTD-bi.".to_owned(),
        paper: "no figure".to_owned(),
        ours: format!("leaves {} % against {} % of TTHH at depth {deepest}", cell(step), cell(bi)),
        verdict: match step.zip(bi) {
            Some((step, bi)) if step.interval.1 < bi.interval.0 => Verdict::Holds,
            Some((step, bi)) if step.interval.0 > bi.interval.1 => Verdict::Fails,
            _ => Verdict::Open,
        },
        why: format!(
            "The claim holds if the intervals do not overlap. With a first guess of 0: {} %.",
            cell(data.ratio("MTD-step(0)", deepest, LEAVES))
        ),
        ..Claim::default()
    }
}

fn table(data: &Data, depths: &[u32]) -> Table {
    let mut table =
        Table::new(1, ["algorithm", "depth", "time", "leaves", "interior", "passes", "most passes"]);
    for &depth in depths {
        for (who, ..) in CONTENDERS {
            let Some(passes) = data.mean(who, depth, PASSES) else { continue };
            let most = data.numbers(who, depth, PASSES).into_iter().fold(0.0, f64::max);
            let [time, leaves, interior] =
                [SECONDS, LEAVES, INTERIOR].map(|quantity| cell(data.ratio(who, depth, quantity)));
            let passes = format!("{passes:.1}");
            table.row([who.to_owned(), depth.to_string(), time, leaves, interior, passes, most.to_string()]);
        }
    }
    table
}

/// Figure 2a: seconds a move by depth.
fn chart(data: &Data, depths: &[u32]) -> Chart {
    let line = |(who, ..): (&str, RealAlgorithm, Guess)| {
        let point = |&depth: &u32| {
            let y = data.mean(who, depth, SECONDS)?;
            Some(Point { x: f64::from(depth), y, interval: None })
        };
        Series::measured(who, depths.iter().filter_map(point).collect())
    };
    Chart {
        name: "real-time".to_owned(),
        title: "Give-away checkers: time a move".to_owned(),
        x: Axis::linear("search depth in plies"),
        y: Axis::logarithmic("seconds a move"),
        series: CONTENDERS.into_iter().map(line).filter(|line| !line.points.is_empty()).collect(),
        level: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::terminal::interrupted::Stop;

    #[test]
    fn the_smallest_unit_runs_and_concludes() {
        let rows = Real.run(Scale::Quick, 0, &Work::new(&Stop::default())).unwrap();
        assert_eq!(rows.len(), 10 * CONTENDERS.len());
        let section = Real.conclude(Scale::Quick, &rows);
        assert_eq!(section.claims.len(), 7);
        assert_eq!(section.charts[0].series.len(), CONTENDERS.len());
        assert_eq!(section.claims[3].verdict, Verdict::Open, "no depth 8 yet");
    }
}
