//! Searches of the experiments on chess: positions of real games, one contender's search of one of them as
//! rows of numbers, and sums and ratios over the rows. Protocols and claims are in the experiments.

use crate::lab::base::formats::epd::{Case, Reading, parse};
use crate::lab::base::records::rows::rounded;
use crate::lab::base::statistics::ratios::{Estimate, Ratio, ratio};
use crate::lab::base::terminal::interrupted::Stop;
use crate::lab::play::referee::Player;
use crate::lab::study::counting::measure::{IterationRow, measure};
use crate::lab::study::counting::report::Contender;
use crate::lab::study::papers::experiment::{Unfinished, Unit, Verdict, ratio_of_times};
use crate::minimax::Stopped;
use crate::search::{Backend, Driver, Limits, Mode, Settings};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Seed of the bootstrap intervals.
const SEED: u64 = 1995;

/// The first `count` positions of the games that come with the program: runs of consecutive positions, the
/// three phases in turn (TR section 4.2 asks for move sequences of real games).
pub fn games(count: usize) -> Vec<Case> {
    let mut cases =
        parse("games.epd", include_str!("../../../../../epd/games.epd"), Reading::Positions).cases;
    cases.truncate(count);
    cases
}

/// The position of a number, from 0, among them.
pub fn case(number: usize) -> Result<Case, Unfinished> {
    games(number + 1).into_iter().nth(number).ok_or(Unfinished::Empty)
}

/// A backend in paper mode with grid 1: the papers' setting.
pub fn paper(backend: Backend) -> Settings {
    let mut settings = Settings { backend, mode: Mode::Paper, ..Settings::default() };
    settings.drivers.grid = 1;
    settings
}

/// A backend in the papers' setting, under its name.
pub fn driver(backend: Backend) -> Contender {
    Contender { label: backend.name().to_owned(), settings: paper(backend) }
}

/// Positions of an experiment, a unit of work each.
#[derive(Clone, Copy, Debug)]
pub struct Positions {
    /// Number of positions.
    pub count: usize,
    /// Depth in plies to which each is searched.
    pub depth: u32,
}

impl Positions {
    /// The units.
    pub fn units(self) -> Vec<Unit> {
        let unit = |position| Unit { name: format!("position {}", position + 1), weight: 1.0 };
        (0..self.count).map(unit).collect()
    }

    /// In words: `100 positions to 8 plies`.
    pub fn words(self) -> String {
        format!("{} positions to {} plies", self.count, self.depth)
    }
}

/// Aspiration NegaScout with a window of `window` units to both sides of the guess.
pub fn aspiration(window: i32) -> Contender {
    let mut settings = paper(Backend::Driver(Driver::NegaScout));
    settings.drivers.aspiration_window = window;
    Contender { label: format!("AspNegaScout {window}"), settings }
}

/// A quantity that contenders are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Leaf evaluations.
    Leaves,
    /// Leaf + interior + table.
    Total,
    /// Processor time.
    Cpu,
    /// Searches of the root.
    Passes,
}

/// A completed iteration of one search. Counts are cumulative from depth 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// Number of the position.
    pub position: usize,
    /// Label of the contender.
    pub who: String,
    /// Depth in plies.
    pub depth: u32,
    /// Its value in units; of MTD-best a bound.
    pub value: i32,
    /// Its move.
    pub best: String,
    /// Leaf evaluations.
    pub leaf: u64,
    /// Visits that searched moves.
    pub interior: u64,
    /// Visits answered by the table.
    pub table: u64,
    /// Searches of the root.
    pub passes: u64,
    /// Processor time in seconds.
    #[serde(serialize_with = "rounded::<6, _>")]
    pub cpu: f64,
}

impl Found {
    /// The cells of its row.
    pub const COLUMNS: &'static [&'static str] = &[
        "position",
        "contender",
        "depth (plies)",
        "value (units)",
        "move",
        "leaves",
        "interior",
        "table",
        "passes",
        "CPU (s)",
    ];

    /// Amount of a quantity; time in seconds.
    pub fn needed(&self, quantity: Quantity) -> f64 {
        match quantity {
            Quantity::Leaves => self.leaf as f64,
            Quantity::Total => (self.leaf + self.interior + self.table) as f64,
            Quantity::Cpu => self.cpu,
            Quantity::Passes => self.passes as f64,
        }
    }
}

/// Searches a position from an empty transposition table; a row for each iteration.
pub fn iterations(
    player: &mut Player,
    case: &Case,
    settings: &Settings,
    depth: u32,
    stop: &Stop,
) -> Result<Vec<IterationRow>, Unfinished> {
    let limits = Limits { depth: depth as i32, ..Limits::default() };
    let rows = measure(player, case, settings, &limits, stop).ok_or(Stopped)?;
    if rows.is_empty() { Err(Unfinished::Empty) } else { Ok(rows) }
}

/// A contender's search of a position: every iteration, with counts cumulative from depth 1.
pub fn search(
    player: &mut Player,
    (position, case): (usize, &Case),
    contender: &Contender,
    depth: u32,
    stop: &Stop,
) -> Result<Vec<Found>, Unfinished> {
    let rows = iterations(player, case, &contender.settings, depth, stop)?;
    let of = |row: IterationRow| Found {
        position,
        who: contender.label.clone(),
        depth: row.depth as u32,
        value: row.value,
        best: row.best,
        leaf: row.stats.leaf,
        interior: row.stats.interior,
        table: row.stats.table,
        passes: row.stats.passes(),
        cpu: row.cpu.as_secs_f64(),
    };
    Ok(rows.into_iter().map(of).collect())
}

/// Everything found, by contender, position and depth.
#[derive(Clone, Debug, Default)]
pub struct Results {
    found: BTreeMap<String, BTreeMap<(usize, u32), Found>>,
}

impl Results {
    /// The results of some rows.
    pub fn new(rows: &[Found]) -> Results {
        let mut results = Results::default();
        for found in rows {
            let of = results.found.entry(found.who.clone()).or_default();
            of.insert((found.position, found.depth), found.clone());
        }
        results
    }

    /// One iteration of one contender.
    pub fn get(&self, who: &str, position: usize, depth: u32) -> Option<&Found> {
        self.found.get(who)?.get(&(position, depth))
    }

    /// The greatest depth that anything was searched to; 0 = nothing.
    pub fn deepest(&self) -> u32 {
        self.found.values().flat_map(BTreeMap::keys).map(|&(_, depth)| depth).max().unwrap_or(0)
    }

    /// Depths reached and the number of positions at each, in words:
    /// `searched are 60 to 7 plies and 40 to 8`.
    pub fn reached(&self) -> String {
        let mut deepest: BTreeMap<usize, u32> = BTreeMap::new();
        for &(position, depth) in self.found.values().flat_map(BTreeMap::keys) {
            let known = deepest.entry(position).or_default();
            *known = depth.max(*known);
        }
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        deepest.values().for_each(|&depth| *counts.entry(depth).or_default() += 1);
        if counts.is_empty() {
            return "nothing is searched yet".to_owned();
        }
        let told: Vec<String> =
            counts.iter().map(|(depth, positions)| format!("{positions} to {depth} plies")).collect();
        format!("searched are {}", told.join(" and "))
    }

    /// The positions that any contender searched.
    pub fn positions(&self) -> BTreeSet<usize> {
        self.found.values().flat_map(BTreeMap::keys).map(|&(position, _)| position).collect()
    }

    /// Amounts of both contenders, a pair for each position.
    pub fn pairs(&self, who: &str, base: &str, depth: u32, quantity: Quantity) -> Vec<(f64, f64)> {
        let pair = |position| {
            let (one, other) = (self.get(who, position, depth)?, self.get(base, position, depth)?);
            Some((one.needed(quantity), other.needed(quantity)))
        };
        self.positions().into_iter().filter_map(pair).collect()
    }

    /// Ratios of a contender to the base, cumulative to a depth. Of processor time there are none where it is
    /// too little to be measured.
    pub fn ratio(&self, who: &str, base: &str, depth: u32, quantity: Quantity) -> Option<Ratio> {
        let pairs = self.pairs(who, base, depth, quantity);
        if quantity == Quantity::Cpu { ratio_of_times(&pairs, SEED) } else { ratio(&pairs, SEED) }
    }

    /// The same as the ratio of totals, in which large trees weigh most.
    pub fn totals(&self, who: &str, base: &str, depth: u32, quantity: Quantity) -> Option<Estimate> {
        self.ratio(who, base, depth, quantity).map(|ratio| ratio.totals)
    }

    /// The sum of a quantity over all positions, for one contender to a depth.
    pub fn sum(&self, who: &str, depth: u32, quantity: Quantity) -> f64 {
        let found = self.positions().into_iter().filter_map(|position| self.get(who, position, depth));
        found.map(|found| found.needed(quantity)).sum()
    }

    /// Searches of the root an iteration, on average; `None` without iterations.
    pub fn passes(&self, who: &str, depth: u32) -> Option<f64> {
        let searched = self.positions().into_iter().filter(|&p| self.get(who, p, depth).is_some()).count();
        let passes = self.sum(who, depth, Quantity::Passes);
        (searched > 0).then(|| passes / (searched as f64 * f64::from(depth)))
    }
}

/// Verdict on a paper's claim that a contender needs at most `limit` (less than 1.0) of the base's amount.
pub fn saves(estimate: Option<Estimate>, limit: f64) -> Verdict {
    match estimate {
        None => Verdict::Open,
        Some(Estimate { interval: (_, high), .. }) if high <= limit => Verdict::Holds,
        Some(Estimate { value, interval: (_, high) }) if high < 1.0 && value <= limit => Verdict::Holds,
        Some(Estimate { interval: (_, high), .. }) if high < 1.0 => Verdict::Partly,
        Some(Estimate { interval: (low, _), .. }) if low >= 1.0 => Verdict::Fails,
        Some(_) => Verdict::level(1.0, estimate),
    }
}

/// Verdict on a claim that a ratio lies within bounds; open if the interval cannot tell.
pub fn within(estimate: Option<Estimate>, low: f64, high: f64) -> Verdict {
    match estimate {
        Some(Estimate { interval, .. }) if low <= interval.0 && interval.1 <= high => Verdict::Holds,
        Some(Estimate { interval, .. }) if interval.0 > high || interval.1 < low => Verdict::Fails,
        _ => Verdict::Open,
    }
}

/// The ratio of the base to the contender.
pub fn inverse(estimate: Estimate) -> Estimate {
    let (low, high) = estimate.interval;
    Estimate { value: 1.0 / estimate.value, interval: (1.0 / high, 1.0 / low) }
}

/// A claim on several: it holds when it holds for all.
pub fn all<const N: usize>(verdicts: [Verdict; N]) -> Verdict {
    let has = |wanted| verdicts.contains(&wanted);
    if !verdicts.iter().any(|&verdict| verdict != Verdict::Holds) {
        Verdict::Holds
    } else if has(Verdict::Open) && !has(Verdict::Fails) {
        Verdict::Open
    } else if has(Verdict::Holds) || has(Verdict::Partly) {
        Verdict::Partly
    } else if has(Verdict::Fails) {
        Verdict::Fails
    } else {
        Verdict::Level
    }
}

/// Verdict on the claim that calls of MT an iteration are "between 3 and 4 times on average" (TR section 4.4,
/// IJCAI 5.2). Outside of that the claim holds at most partly: in its sense, that there are few calls, up to
/// twice the papers' greatest.
pub fn few_passes(passes: Option<f64>) -> Verdict {
    match passes {
        None => Verdict::Open,
        Some(3.0..=4.0) => Verdict::Holds,
        Some(passes) if passes <= 8.0 => Verdict::Partly,
        Some(_) => Verdict::Fails,
    }
}

/// Verdict on the claim that an algorithm takes dozens of calls of MT an iteration: at least one dozen (TR
/// section 4.4, IJCAI 5.2).
pub fn many_passes(passes: Option<f64>) -> Verdict {
    passes.map_or(Verdict::Open, |passes| if passes >= 12.0 { Verdict::Holds } else { Verdict::Fails })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_are_counted_from_the_first() {
        let found = Found {
            position: 3,
            who: "SSS*".to_owned(),
            depth: 5,
            value: -17,
            best: "e2e4".to_owned(),
            leaf: 10,
            interior: 4,
            table: 6,
            passes: 9,
            cpu: 0.25,
        };
        assert_eq!((found.needed(Quantity::Total), found.needed(Quantity::Cpu)), (20.0, 0.25));
        let results = Results::new(&[found]);
        assert_eq!(results.deepest(), 5);
        assert_eq!(results.passes("SSS*", 5), Some(9.0 / 5.0));
        assert_eq!(results.passes("SSS*", 4), None);
    }

    #[test]
    fn verdicts_follow_the_interval() {
        let at = |low, value, high| Some(Estimate { value, interval: (low, high) });
        assert_eq!(saves(at(0.90, 0.94, 0.97), 0.95), Verdict::Holds);
        assert_eq!(saves(at(0.96, 0.98, 0.99), 0.95), Verdict::Partly);
        assert_eq!(saves(at(0.90, 0.98, 1.05), 0.95), Verdict::Open);
        assert_eq!(saves(at(1.01, 1.02, 1.05), 0.95), Verdict::Fails);
        assert_eq!(saves(None, 0.95), Verdict::Open);
        assert_eq!(saves(at(0.96, 0.999, 1.04), 0.95), Verdict::Level);
        assert_eq!(saves(at(0.96, 1.001, 1.09), 0.95), Verdict::Open);
        assert_eq!(within(at(0.9, 1.1, 1.2), 0.8, 1.2), Verdict::Holds);
        assert_eq!(within(at(1.0, 1.1, 1.3), 0.8, 1.2), Verdict::Open);
        assert_eq!(within(at(1.1, 1.3, 1.4), 0.8, 1.2), Verdict::Open);
        assert_eq!(within(at(1.3, 1.5, 1.6), 0.8, 1.2), Verdict::Fails);
    }

    #[test]
    fn passes_are_judged_by_the_papers_words() {
        let few = [2.5, 3.0, 4.0, 4.01, 8.0, 8.1].map(|passes| few_passes(Some(passes)));
        use Verdict::{Fails, Holds, Partly};
        assert_eq!(few, [Partly, Holds, Holds, Partly, Partly, Fails]);
        assert_eq!([11.9, 12.0].map(|passes| many_passes(Some(passes))), [Fails, Holds]);
        assert_eq!((few_passes(None), many_passes(None)), (Verdict::Open, Verdict::Open));
    }

    #[test]
    fn there_are_enough_positions() {
        assert_eq!(games(100).len(), 100);
        assert!(games(1000).len() >= 150);
    }
}
