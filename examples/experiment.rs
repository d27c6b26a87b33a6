//! A template of an experiment: leaves of MTD(f) against those of NegaScout on Othello, from the same first
//! guess.
//!
//! `cargo run --release --example experiment -- lab first-try --quick --out try` measures it and writes a
//! report; every option of `plumb lab` works. To make it a part of `plumb lab`, follow "Adding an experiment"
//! in CONTRIBUTING.md.

use plumb::games::othello::Othello;
use plumb::lab::base::{pages::table::Table, statistics::ratios::ratio};
use plumb::lab::study::papers::experiment::{
    Claim, Description, Experiment, Scale, Section, Unfinished, Unit, Work,
};
use plumb::minimax::mt::{MtOptions, Search};
use plumb::minimax::{deepening::iterate, drivers::Driver, memory::UnboundedTable};
use serde::{Deserialize, Serialize};

/// The experiment: what is measured, and what follows from the rows.
pub struct FirstTry;

/// A row: a cell for every field, in the order of the columns. A unit may have several.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Leaves {
    mtdf: u64,
    negascout: u64,
}

impl Experiment for FirstTry {
    type Row = Leaves;

    fn about(&self) -> Description {
        Description {
            name: "first-try",
            title: "Leaves of MTD(f) and NegaScout on Othello",
            is_own: false,
            columns: &["leaves of MTD(f)", "leaves of NegaScout"],
        }
    }
    /// Independent pieces of work, the same in every run: here a position each.
    fn units(&self, scale: Scale) -> Vec<Unit> {
        let positions = if scale == Scale::Quick { 4 } else { 40 };
        (1..=positions).map(|n| Unit { name: format!("position {n}"), weight: 1.0 }).collect()
    }
    /// Measures a unit. The stop flag is looked at within the search.
    fn run(&self, _: Scale, index: usize, work: &Work<'_>) -> Result<Vec<Leaves>, Unfinished> {
        let root = Othello::openings(4).into_iter().nth(index).ok_or(Unfinished::Empty)?;
        let leaves = |driver: Driver| {
            let halt = |visits: u64| visits.is_multiple_of(1024) && work.stop.is_set();
            let (table, options) = (UnboundedTable::new(), MtOptions::default());
            let mut search = Search::with_stop(root, 5, table, options, halt);
            iterate(&mut search, driver.exact(), 0).map(|_| search.counts.leaf)
        };
        Ok(vec![Leaves { mtdf: leaves(Driver::MtdF)?, negascout: leaves(Driver::NegaScout)? }])
    }
    /// Claims, tables and charts from the rows that there are, perhaps none.
    fn conclude(&self, _: Scale, rows: &[Leaves]) -> Section {
        let pairs: Vec<(f64, f64)> = rows.iter().map(|row| (row.mtdf as f64, row.negascout as f64)).collect();
        let found = ratio(&pairs, 1995).map(|ratio| ratio.totals);
        let claim = Claim {
            source: "IJCAI 5.2",
            why: "One search to depth 5 from a first guess of 0.".to_owned(),
            ..Claim::at_most("MTD(f) evaluates no more leaves than NegaScout.", 1.0, found)
        };
        let mut table = Table::new(0, self.about().columns.iter().copied());
        rows.iter().for_each(|row| table.row([row.mtdf, row.negascout].map(|leaves| leaves.to_string())));
        Section { claims: vec![claim], tables: vec![("Leaves".to_owned(), table)], ..Section::default() }
    }
}

fn main() -> std::process::ExitCode {
    plumb::lab::main_with(std::env::args().skip(1).collect(), &[&FirstTry])
}
