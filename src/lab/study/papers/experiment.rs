//! An experiment of `plumb lab`: independent units of work whose rows of numbers can be kept, split over
//! machines and joined, and a conclusion drawn from the rows that there are.

use crate::lab::base::pages::chart::{Chart, Point};
use crate::lab::base::pages::table::{LEAST_CPU, Table, percent};
use crate::lab::base::records::rows;
use crate::lab::base::statistics::ratios::{Estimate, Ratio, ratio};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use super::work::{Unfinished, Work};

/// Scale of an experiment: the part of the protocol that is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scale {
    /// Minutes: enough to see the shape.
    Quick,
    /// Hours: the papers' protocol as far as it is feasible.
    Full,
}

impl Scale {
    /// Name in files and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Scale::Quick => "quick",
            Scale::Full => "full",
        }
    }
}

/// A piece of work that is done whole or not at all.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// Name, unique in the experiment and the same in every run; no commas.
    pub name: String,
    /// Duration relative to the others, for the estimate of the time left.
    pub weight: f64,
}

/// A row of a finished unit as files have it: as many cells as the experiment has columns; no commas.
pub type Cells = Vec<String>;

/// Name and title of an experiment, and the columns of its rows.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// Its name on the command line and in file names.
    pub name: &'static str,
    /// Title, in a few words.
    pub title: &'static str,
    /// True if it re-measures no paper.
    pub is_own: bool,
    /// Names of the cells of a row, with units.
    pub columns: &'static [&'static str],
}

/// An experiment: of the papers, whose claims it re-measures, or of our own.
pub trait Experiment: Sync {
    /// The numbers of a row, a cell for every field in the order of the columns.
    type Row: Default + Serialize + DeserializeOwned;

    /// Its name and the names of its columns, the same in every run.
    fn about(&self) -> Description;

    /// The units, the same in every run at a scale; seeds are fixed.
    fn units(&self, scale: Scale) -> Vec<Unit>;

    /// Does unit number `index`. Looks at `work.stop` at least ten times a second. Contenders compared by
    /// time are measured in turn inside one unit.
    ///
    /// # Errors
    /// If the unit is stopped or fails; nothing of it is kept.
    fn run(&self, scale: Scale, index: usize, work: &Work<'_>) -> Result<Vec<Self::Row>, Unfinished>;

    /// Claims, tables and charts from rows that may be incomplete (units missing, never parts of a unit) and
    /// in any order.
    fn conclude(&self, scale: Scale, rows: &[Self::Row]) -> Section;
}

/// An [`Experiment`] whatever the type of its rows: they are the cells of files. A row that is none is an
/// error.
pub trait AnyExperiment: Sync {
    /// [`Experiment::about`].
    fn about(&self) -> Description;
    /// [`Experiment::units`].
    fn units(&self, scale: Scale) -> Vec<Unit>;

    /// Does a unit.
    ///
    /// # Errors
    /// If the unit is stopped or fails.
    fn run(&self, scale: Scale, index: usize, work: &Work<'_>) -> Result<Vec<Cells>, Unfinished>;

    /// Reads a row and drops it.
    ///
    /// # Errors
    /// Why it is no row of this experiment.
    fn check(&self, row: &Cells) -> Result<(), String>;

    /// [`Experiment::conclude`].
    ///
    /// # Errors
    /// Why a row is none of this experiment.
    fn conclude(&self, scale: Scale, rows: &[Cells]) -> Result<Section, String>;

    /// The cells of an empty row.
    #[cfg(test)]
    fn empty_row(&self) -> Cells;
}

impl<E: Experiment> AnyExperiment for E {
    fn about(&self) -> Description {
        Experiment::about(self)
    }

    fn units(&self, scale: Scale) -> Vec<Unit> {
        Experiment::units(self, scale)
    }

    fn run(&self, scale: Scale, index: usize, work: &Work<'_>) -> Result<Vec<Cells>, Unfinished> {
        let rows = Experiment::run(self, scale, index, work)?;
        if rows.is_empty() { Err(Unfinished::Empty) } else { Ok(rows::cells(&rows)?) }
    }

    fn check(&self, row: &Cells) -> Result<(), String> {
        rows::from_cells::<E::Row>(Experiment::about(self).columns, row).map(drop)
    }

    fn conclude(&self, scale: Scale, rows: &[Cells]) -> Result<Section, String> {
        let columns = Experiment::about(self).columns;
        let rows: Result<Vec<E::Row>, String> =
            rows.iter().map(|row| rows::from_cells(columns, row)).collect();
        Ok(Experiment::conclude(self, scale, &rows?))
    }

    #[cfg(test)]
    fn empty_row(&self) -> Cells {
        rows::cells(&[E::Row::default()]).expect("cells").remove(0)
    }
}

/// Result for a claim of a paper, measured again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// The claim shows here as well.
    Holds,
    /// Sign or shape agree, the size does not.
    Partly,
    /// Both sides are the same but for [`LEVEL`].
    Level,
    /// The data contradict it.
    Fails,
    /// The data cannot tell.
    #[default]
    Open,
}

impl Verdict {
    /// Every verdict, in the order of reports.
    pub const ALL: [Verdict; 5] =
        [Verdict::Holds, Verdict::Partly, Verdict::Level, Verdict::Fails, Verdict::Open];

    /// Name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Partly => "partly",
            Verdict::Level => "level",
            Verdict::Fails => "does not hold",
            Verdict::Open => "open",
        }
    }

    /// Verdict on a claim that a ratio is at most a limit: the whole interval decides.
    #[must_use]
    pub fn at_most(limit: f64, found: Option<Estimate>) -> Verdict {
        match found {
            Some(Estimate { interval: (_, high), .. }) if high <= limit => Verdict::Holds,
            Some(Estimate { interval: (low, _), .. }) if low > limit => Verdict::Fails,
            _ => Verdict::level(limit, found),
        }
    }

    /// Verdict on a claim that a number is at least a limit, in the same way.
    #[must_use]
    pub fn at_least(limit: f64, found: Option<Estimate>) -> Verdict {
        match found {
            Some(Estimate { interval: (low, _), .. }) if low >= limit => Verdict::Holds,
            Some(Estimate { interval: (_, high), .. }) if high < limit => Verdict::Fails,
            _ => Verdict::level(limit, found),
        }
    }

    /// The verdict where an interval holds the limit: *level* if no end of it is further away than [`LEVEL`],
    /// and open else. No number of positions decides on a figure that is the limit itself.
    #[must_use]
    pub fn level(limit: f64, found: Option<Estimate>) -> Verdict {
        let near = |end: f64| (end / limit - 1.0).abs() <= LEVEL;
        match found {
            Some(Estimate { interval: (low, high), .. }) if near(low) && near(high) => Verdict::Level,
            _ => Verdict::Open,
        }
    }
}

/// A difference of this part is none: the papers report none that is smaller (5 % in checkers and Othello,
/// IJCAI 5.2).
pub const LEVEL: f64 = 0.05;

/// The ratio of times in seconds, a pair (contender, base) a position; `None` where all of one side are too
/// little to be measured ([`LEAST_CPU`]).
#[must_use]
pub fn ratio_of_times(pairs: &[(f64, f64)], seed: u64) -> Option<Ratio> {
    let sums = pairs.iter().fold((0.0_f64, 0.0_f64), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    (sums.0.min(sums.1) >= LEAST_CPU.as_secs_f64()).then(|| ratio(pairs, seed)).flatten()
}

/// A ratio as a claim shows it: `98.0 % [96.1, 99.6]`.
#[must_use]
pub fn shown(estimate: Option<Estimate>) -> String {
    in_per_cent(estimate, " %")
}

/// A ratio as a table shows it: `98.0 [96.1, 99.6]`.
#[must_use]
pub fn cell(estimate: Option<Estimate>) -> String {
    in_per_cent(estimate, "")
}

/// A ratio as a point of a chart, in per cent.
pub fn point_in_per_cent(x: impl Into<f64>, ratio: Estimate) -> Point {
    let (low, high) = ratio.interval;
    Point { x: x.into(), y: 100.0 * ratio.value, interval: Some((100.0 * low, 100.0 * high)) }
}

fn in_per_cent(estimate: Option<Estimate>, unit: &str) -> String {
    estimate.map_or("-".to_owned(), |estimate| estimate.told(unit, percent))
}

/// A claim of a paper beside what was measured.
#[derive(Clone, Debug, Default)]
pub struct Claim {
    /// Paper and figure.
    pub source: &'static str,
    /// The claim, in a sentence.
    pub claim: String,
    /// The paper's figure.
    pub paper: String,
    /// Ours, with its interval where there is one.
    pub ours: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Reasons, and what differs from the paper's protocol.
    pub why: String,
    /// True if the figure is a time: it depends on the machine and on what else runs there.
    pub timed: bool,
    /// For a claim that is open for lack of data: how many times as much would decide it if the figures
    /// stayed what they are; infinite if a hundred times as much would not.
    pub takes: Option<f64>,
}

/// Largest factor that [`Claim::takes`] can have.
const MOST_TIMES: f64 = 100.0;

impl Claim {
    /// A claim that a contender needs at most `limit` (1.0: as much) of the base's amount. Source and reasons
    /// are still to be given.
    #[must_use]
    pub fn at_most(claim: impl Into<String>, limit: f64, found: Option<Estimate>) -> Claim {
        Claim {
            source: "-",
            claim: claim.into(),
            paper: format!("at most {} %", percent(limit)),
            ours: shown(found),
            ..Claim::judged([found], |[found]| Verdict::at_most(limit, found))
        }
    }

    /// A claim that these estimates decide: verdict, and what another verdict than *open* would take. Its
    /// words are still to be given.
    #[must_use]
    pub fn judged<const N: usize>(
        found: [Option<Estimate>; N],
        judge: impl Fn([Option<Estimate>; N]) -> Verdict,
    ) -> Claim {
        let verdict = judge(found);
        let decides = |times: f64| {
            judge(found.map(|one| one.map(|estimate| estimate.narrowed(times)))) != Verdict::Open
        };
        let mut tried = std::iter::successors(Some(1.1), |times| Some(times * 1.1))
            .take_while(|&times| times <= MOST_TIMES);
        let measured =
            found.iter().all(|one| one.is_some_and(|estimate| estimate.known_interval().is_some()));
        let open = verdict == Verdict::Open && measured;
        let takes = open.then(|| tried.find(|&times| decides(times)).unwrap_or(f64::INFINITY));
        Claim { verdict, takes, ..Claim::default() }
    }

    /// The reasons, for reports: an open claim says what would decide it.
    #[must_use]
    pub fn why_told(&self) -> String {
        let Claim { why, takes, .. } = self;
        match *takes {
            None => why.clone(),
            Some(times) if times > MOST_TIMES => {
                format!("{why} {MOST_TIMES} times the data would not decide.")
            }
            Some(times) if times < 10.0 => {
                format!("{why} About {times:.1} times the data would decide, if the figure stayed.")
            }
            Some(times) => {
                format!("{why} About {times:.0} times the data would decide, if the figure stayed.")
            }
        }
    }

    /// Our figure, for reports: a time says that it depends on the load of the machine.
    #[must_use]
    pub fn ours_marked(&self) -> String {
        let known = self.ours.contains(|letter: char| letter.is_ascii_digit());
        let mark = if self.timed && known { TIMED } else { "" };
        format!("{}{mark}", self.ours)
    }
}

/// The mark behind figures that are times.
const TIMED: &str = " (a time: it depends on the load of the machine)";

/// A chapter of the report.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// The protocol, in paragraphs: positions, searches, counts, and departures from the paper.
    pub protocol: Vec<String>,
    /// Claims and verdicts.
    pub claims: Vec<Claim>,
    /// Tables with their titles.
    pub tables: Vec<(String, Table)>,
    /// Pictures.
    pub charts: Vec<Chart>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_is_too_short_has_no_ratio() {
        assert_eq!(ratio_of_times(&[(0.001, 2.0), (0.002, 2.0)], 1), None);
        assert_eq!(ratio_of_times(&[(2.0, 0.004)], 1), None);
        let found = ratio_of_times(&[(0.004, 0.002), (0.004, 0.004)], 1).unwrap();
        assert!((found.totals.value - 8.0 / 6.0).abs() < 1e-9);
    }

    #[test]
    fn the_whole_interval_decides_on_a_limit() {
        let at = |low: f64, high: f64| Some(Estimate { value: (low + high) / 2.0, interval: (low, high) });
        assert_eq!(Verdict::at_most(1.0, at(0.8, 0.99)), Verdict::Holds);
        assert_eq!(Verdict::at_most(1.0, at(1.01, 1.2)), Verdict::Fails);
        assert_eq!(Verdict::at_most(1.0, at(0.8, 1.2)), Verdict::Open);
        assert_eq!(Verdict::at_most(1.0, None), Verdict::Open);
        assert_eq!(Verdict::at_most(1.0, at(0.96, 1.04)), Verdict::Level);
        assert_eq!(Verdict::at_most(0.5, at(0.47, 0.52)), Verdict::Open);
        assert_eq!(Claim::at_most("less", 1.0, at(0.8, 0.99)).takes, None);
        let claim = Claim::at_most("less", 0.95, at(0.8, 0.9));
        assert_eq!((claim.paper.as_str(), claim.ours.as_str()), ("at most 95.0 %", "85.0 % [80.0, 90.0]"));
    }

    #[test]
    fn an_open_claim_says_what_would_decide_it() {
        let at = |low: f64, value: f64, high: f64| Some(Estimate { value, interval: (low, high) });
        let below = |found| Claim::judged([found], |[found]| Verdict::at_most(1.0, found));
        // The interval has to become half as wide on that side: four times the positions.
        let takes = below(at(0.8, 0.95, 1.05)).takes.unwrap();
        assert!((4.0..4.5).contains(&takes), "{takes}");
        let takes = below(at(0.98, 1.04, 1.1)).takes.unwrap();
        assert!((2.2..2.6).contains(&takes), "{takes}");
        // A figure that is the limit itself is level as soon as its interval is small enough.
        let takes = below(at(0.9, 1.0 + 1e-9, 1.1)).takes.unwrap();
        assert!((4.0..4.5).contains(&takes), "{takes}");
        let near = below(at(0.2, 1.0 + 1e-9, 1.8));
        assert!(
            near.takes == Some(f64::INFINITY) && near.why_told().contains("would not decide"),
            "{near:?}"
        );
        assert_eq!((below(None).takes, below(None).why_told()), (None, String::new()));
    }
}
