//! A template of an experiment: leaves of MTD(f) against those of NegaScout on Othello, from the same first guess.
//!
//! `cargo run --release --example experiment -- lab first-try --quick --out try` measures it and writes a report;
//! every option of `plumb lab` works. To make it a part of `plumb lab`, follow "Adding an experiment" in CONTRIBUTING.md.

use clap::Parser as _;
use plumb::games::othello::Othello;
use plumb::lab::command_line::{Command, CommandLine};
use plumb::lab::pages::table::{Table, percent};
use plumb::lab::papers::experiment::{Claim, Experiment, Row, Scale, Section, Unit, Verdict};
use plumb::lab::papers::study;
use plumb::lab::statistics::ratios::ratio;
use plumb::lab::terminal::{console::Failure, interrupted};
use plumb::minimax::drivers::Driver;
use plumb::minimax::{Stopped, deepening::iterate};
use plumb::minimax::{memory::UnboundedTable, mt::MtOptions, mt::Search};

/// The experiment: what is measured, and what follows from the rows.
pub struct FirstTry;

impl Experiment for FirstTry {
    fn name(&self) -> &'static str {
        "first-try"
    }
    fn title(&self) -> &'static str {
        "Leaves of MTD(f) and NegaScout on Othello"
    }
    fn columns(&self) -> &'static [&'static str] {
        &["position", "leaves of MTD(f)", "leaves of NegaScout"]
    }
    /// Independent pieces of work, the same in every run: here a position each.
    fn units(&self, scale: Scale) -> Vec<Unit> {
        let positions = if scale == Scale::Quick { 4 } else { 40 };
        (0..positions).map(|n| Unit { name: format!("position {}", n + 1), weight: 1.0 }).collect()
    }
    /// Measures a unit. `stop` is looked at within the search.
    fn run(&self, _: Scale, index: usize, stop: &interrupted::Stop) -> Result<Vec<Row>, Stopped> {
        let Some(root) = Othello::openings(4).into_iter().nth(index) else { return Ok(Vec::new()) };
        let mut row = vec![index.to_string()];
        for driver in [Driver::MtdF, Driver::NegaScout] {
            let halt = |visits: u64| visits.is_multiple_of(1024) && stop.is_set();
            let (table, options) = (UnboundedTable::new(), MtOptions::default());
            let mut search = Search::with_stop(root, 5, table, options, halt);
            iterate(&mut search, driver.exact(), 0)?;
            row.push(search.counts.leaf.to_string());
        }
        Ok(vec![row])
    }
    /// Claims, tables and charts from the rows that there are, perhaps none.
    fn conclude(&self, _: Scale, rows: &[Row]) -> Section {
        let pair = |row: &Row| Some((row.get(1)?.parse().ok()?, row.get(2)?.parse().ok()?));
        let pairs: Vec<(f64, f64)> = rows.iter().filter_map(pair).collect();
        let found = ratio(&pairs, 1995).map(|ratio| ratio.totals);
        let mut table = Table::new(0, self.columns().iter().copied());
        rows.iter().for_each(|row| table.row(row.iter().cloned()));
        let ours = |(low, high): (f64, f64)| format!("[{}, {}] %", percent(low), percent(high));
        let claim = Claim {
            source: "IJCAI 5.2",
            claim: "MTD(f) evaluates fewer leaves than NegaScout.".to_owned(),
            paper: "below 100 %".to_owned(),
            ours: found.map_or("-".to_owned(), |found| ours(found.interval)),
            verdict: match found.map(|found| found.interval) {
                Some((_, high)) if high < 1.0 => Verdict::Holds,
                Some((low, _)) if low > 1.0 => Verdict::Fails,
                _ => Verdict::Open,
            },
            why: "One search to depth 5 from a first guess of 0.".to_owned(),
            timed: false,
        };
        Section { claims: vec![claim], tables: vec![("Leaves".to_owned(), table)], ..Section::default() }
    }
}

fn main() -> std::process::ExitCode {
    interrupted::listen();
    let done = match CommandLine::parse().command {
        Command::Lab(arguments) => study::run(&arguments, &[&FirstTry]),
        _ => Err(Failure::usage("this program knows the command lab alone")),
    };
    done.map_or_else(
        |failure| {
            failure.tell();
            failure.code()
        },
        |()| std::process::ExitCode::SUCCESS,
    )
}
