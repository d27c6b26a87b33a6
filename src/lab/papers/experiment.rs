//! An experiment of `plumb lab`: independent units of work whose rows of numbers can be kept, split over machines
//! and joined, and a conclusion drawn from the rows that there are.

use crate::lab::pages::chart::Chart;
use crate::lab::pages::table::Table;
use crate::lab::terminal::interrupted::Stop;
use crate::minimax::Stopped;
use std::ops::Range;

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

/// Numbers of a finished unit, a row each: as many cells as the experiment has columns; no commas.
pub type Row = Vec<String>;

/// An experiment: of the papers, whose claims it re-measures, or of our own.
pub trait Experiment: Sync {
    /// Its name on the command line and in file names.
    fn name(&self) -> &'static str;

    /// Title, in a few words.
    fn title(&self) -> &'static str;

    /// True if it re-measures no paper.
    fn is_own(&self) -> bool {
        false
    }

    /// Names of the cells of a row, with units.
    fn columns(&self) -> &'static [&'static str];

    /// The units, the same in every run at a scale; seeds are fixed.
    fn units(&self, scale: Scale) -> Vec<Unit>;

    /// Does unit number `index`. Looks at `stop` at least ten times a second. Contenders compared by time
    /// are measured in turn inside one unit.
    fn run(&self, scale: Scale, index: usize, stop: &Stop) -> Result<Vec<Row>, Stopped>;

    /// The earlier units whose rows unit number `index` needs; none for most experiments.
    fn needs(&self, _scale: Scale, _index: usize) -> Range<usize> {
        0..0
    }

    /// Does a unit that needs others; `rows` are theirs, in the order of the units.
    fn run_after(&self, scale: Scale, index: usize, _rows: &[Row], stop: &Stop) -> Result<Vec<Row>, Stopped> {
        self.run(scale, index, stop)
    }

    /// Claims, tables and charts from rows that may be incomplete (units missing, never parts of a unit) and in any
    /// order.
    fn conclude(&self, scale: Scale, rows: &[Row]) -> Section;

    /// Other files for the folder of the report, from the same rows: names and texts.
    fn files(&self, _scale: Scale, _rows: &[Row]) -> Vec<(String, String)> {
        Vec::new()
    }
}

/// Result for a claim of a paper, measured again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The claim shows here as well.
    Holds,
    /// Sign or shape agree, the size does not.
    Partly,
    /// The data contradict it.
    Fails,
    /// The data cannot tell.
    Open,
}

impl Verdict {
    /// Every verdict, in the order of reports.
    pub const ALL: [Verdict; 4] = [Verdict::Holds, Verdict::Partly, Verdict::Fails, Verdict::Open];

    /// Name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Partly => "partly",
            Verdict::Fails => "does not hold",
            Verdict::Open => "open",
        }
    }
}

/// A claim of a paper beside what was measured.
#[derive(Clone, Debug)]
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
}

impl Claim {
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
