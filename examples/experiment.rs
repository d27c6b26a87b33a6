//! A template of an experiment: leaves of MTD(f) against those of NegaScout on Othello, from the same first guess.
//!
//! `cargo run --release --example experiment -- lab first-try --quick --out try` measures it and writes a report;
//! every option of `plumb lab` works. To make it a part of `plumb lab`, follow "Adding an experiment" in CONTRIBUTING.md.

use plumb::games::othello::Othello;
use plumb::lab::base::{pages::table::Table, statistics::ratios::ratio, terminal::interrupted::Stop};
use plumb::lab::study::papers::experiment::{Claim, Experiment, Row, Scale, Section, Unit};
use plumb::minimax::mt::{MtOptions, Search};
use plumb::minimax::{Stopped, deepening::iterate, drivers::Driver, memory::UnboundedTable};

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
        (1..=positions).map(|n| Unit { name: format!("position {n}"), weight: 1.0 }).collect()
    }
    /// Measures a unit. `stop` is looked at within the search.
    fn run(&self, _: Scale, index: usize, stop: &Stop) -> Result<Vec<Row>, Stopped> {
        let Some(root) = Othello::openings(4).into_iter().nth(index) else { return Ok(Vec::new()) };
        let leaves = |driver: Driver| {
            let halt = |visits: u64| visits.is_multiple_of(1024) && stop.is_set();
            let (table, options) = (UnboundedTable::new(), MtOptions::default());
            let mut search = Search::with_stop(root, 5, table, options, halt);
            iterate(&mut search, driver.exact(), 0).map(|_| search.counts.leaf.to_string())
        };
        Ok(vec![vec![index.to_string(), leaves(Driver::MtdF)?, leaves(Driver::NegaScout)?]])
    }
    /// Claims, tables and charts from the rows that there are, perhaps none.
    fn conclude(&self, _: Scale, rows: &[Row]) -> Section {
        let pair = |row: &Row| Some((row.get(1)?.parse().ok()?, row.get(2)?.parse().ok()?));
        let pairs: Vec<(f64, f64)> = rows.iter().filter_map(pair).collect();
        let found = ratio(&pairs, 1995).map(|ratio| ratio.totals);
        let claim = Claim {
            source: "IJCAI 5.2",
            why: "One search to depth 5 from a first guess of 0.".to_owned(),
            ..Claim::at_most("MTD(f) evaluates no more leaves than NegaScout.", 1.0, found)
        };
        let mut table = Table::new(0, self.columns().iter().copied());
        rows.iter().for_each(|row| table.row(row.iter().cloned()));
        Section { claims: vec![claim], tables: vec![("Leaves".to_owned(), table)], ..Section::default() }
    }
}

fn main() -> std::process::ExitCode {
    plumb::lab::main_with(std::env::args().skip(1).collect(), &[&FirstTry])
}
