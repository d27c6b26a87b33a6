//! What an experiment of `plumb lab` is: independent units of work whose rows of numbers can be kept, split
//! over machines and put together again, and a conclusion drawn from whatever rows there are.

use crate::lab::command::interrupted::Stop;
use crate::lab::pages::chart::Chart;
use crate::lab::pages::table::Table;
use crate::minimax::Stopped;

/// How much of the protocol is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scale {
    /// Minutes: enough to see the shape.
    Quick,
    /// Hours: the papers' protocol as far as it is feasible.
    Full,
}

impl Scale {
    /// As files and reports show it.
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
    /// Says what it is, unique in the experiment and the same in every run; no commas.
    pub name: String,
    /// How long it takes relative to the others, for the time left.
    pub weight: f64,
}

/// Numbers of a finished unit, a row each: as many cells as the experiment has columns; no commas.
pub type Row = Vec<String>;

/// An experiment that re-measures claims of the papers.
pub trait Experiment: Sync {
    /// Its name on the command line and in file names.
    fn name(&self) -> &'static str;

    /// What it is about, in a few words.
    fn title(&self) -> &'static str;

    /// What the cells of a row are, with units.
    fn columns(&self) -> &'static [&'static str];

    /// The units, the same in every run at a scale; seeds are fixed.
    fn units(&self, scale: Scale) -> Vec<Unit>;

    /// Does unit number `index`. Looks at `stop` at least ten times a second. What is compared by time is
    /// measured in turn inside one unit.
    fn run(&self, scale: Scale, index: usize, stop: &Stop) -> Result<Vec<Row>, Stopped>;

    /// What the rows say; they may be incomplete (units missing, never parts of a unit), in any order.
    fn conclude(&self, scale: Scale, rows: &[Row]) -> Section;
}

/// Whether what a paper says shows here as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Holds,
    /// In sign or shape, not in size.
    Partly,
    /// It does not.
    Fails,
    /// The data cannot tell.
    Open,
}

impl Verdict {
    /// As tables show it.
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
    /// What it says, in a sentence.
    pub claim: String,
    /// The paper's figure.
    pub paper: String,
    /// Ours, with its interval where there is one.
    pub ours: String,
    /// Whether it holds.
    pub verdict: Verdict,
    /// Why, or why not; what differs from the paper's protocol.
    pub why: String,
}

/// A chapter of the report.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// The protocol, in paragraphs: what was measured on what, how often, and where it departs from the paper.
    pub protocol: Vec<String>,
    /// Claims and verdicts.
    pub claims: Vec<Claim>,
    /// Tables with their titles.
    pub tables: Vec<(String, Table)>,
    /// Pictures.
    pub charts: Vec<Chart>,
}
