//! Replacement schemes of the transposition table in give-away checkers (REAL figure 2b).

use super::searches::within;
use crate::games::checkers::GiveAway;
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

/// Every scheme of REAL and ours, with TTHH and MTD-bi.
#[derive(Clone, Copy, Debug)]
pub struct Schemes;

const CONTENDERS: [(&str, RealAlgorithm); 2] =
    [("TTHH", RealAlgorithm::Tthh), ("MTD-bi", RealAlgorithm::MtdBi)];
/// Table sizes as powers of two: one that is too small for our depths, and the paper's.
const BITS: [u32; 2] = [12, 20];
const PLIES: usize = 40;

/// A row: one search.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Searched {
    game: u64,
    state: usize,
    bits: u32,
    who: String,
    scheme: String,
    leaves: u64,
    #[serde(serialize_with = "rounded::<7, _>")]
    seconds: f64,
}

/// A quantity of a search, and whether it is a time.
#[derive(Clone, Copy)]
struct Quantity {
    of: fn(&Searched) -> f64,
    is_time: bool,
}

const LEAVES: Quantity = Quantity { of: |row| row.leaves as f64, is_time: false };
const SECONDS: Quantity = Quantity { of: |row| row.seconds, is_time: true };

/// Number of games, step from one searched state to the next, depth in plies.
const fn protocol(scale: Scale) -> (u64, usize, u32) {
    match scale {
        Scale::Quick => (4, 4, 10),
        Scale::Full => (25, 1, 13),
    }
}

fn plan(scale: Scale) -> Vec<(u64, u32)> {
    (0..protocol(scale).0).flat_map(|game| BITS.map(|bits| (game, bits))).collect()
}

impl Experiment for Schemes {
    type Row = Searched;

    fn about(&self) -> Description {
        Description {
            name: "replacement",
            title: "Replacement schemes: give-away checkers",
            is_own: false,
            columns: &["game", "state", "table (2^n entries)", "algorithm", "scheme", "leaves", "time (s)"],
        }
    }

    fn units(&self, scale: Scale) -> Vec<Unit> {
        let unit = |(game, bits)| Unit { name: format!("game {} table 2^{bits}", game + 1), weight: 1.0 };
        plan(scale).into_iter().map(unit).collect()
    }

    fn run(&self, scale: Scale, index: usize, work: &Work<'_>) -> Result<Vec<Searched>, Unfinished> {
        let plan = plan(scale);
        let &(game, bits) = plan.get(index).ok_or(Unfinished::Empty)?;
        let (_, every, depth) = protocol(scale);
        let halt = |visits: u64| visits.is_multiple_of(1024) && work.stop.is_set();
        let states: Vec<GiveAway> = GiveAway::random_game(PLIES, game);
        let mut rows = Vec::new();
        for (who, algorithm) in CONTENDERS {
            let search = |&scheme: &Replacement| {
                let (table, options) = (work.table(bits, scheme)?, MtOptions::default());
                Ok((scheme, Search::with_stop(GiveAway::start(), depth, table, options, halt)))
            };
            let mut searches: Vec<_> =
                Replacement::ALL.iter().map(search).collect::<Result<_, Unfinished>>()?;
            for (number, state) in states.iter().enumerate().step_by(every) {
                for (scheme, search) in &mut searches {
                    search.set_root(*state, depth);
                    search.memory.age();
                    search.counts = Counts::default();
                    let begun = CpuClock::start();
                    find(search, algorithm, 0.0)?;
                    let (leaves, seconds) = (search.counts.leaf, begun.elapsed().as_secs_f64());
                    let (who, scheme) = (who.to_owned(), scheme.to_string());
                    rows.push(Searched { game, state: number, bits, who, scheme, leaves, seconds });
                }
            }
        }
        Ok(rows)
    }

    fn conclude(&self, scale: Scale, rows: &[Searched]) -> Section {
        let (_, every, depth) = protocol(scale);
        Section {
            protocol: vec![format!(
                "Give-away checkers at a fixed depth of {depth} plies (REAL: 13), positions of random games \
                 of 40 plies, one of every {every}; a table of 2^20 entries as in REAL, which is large for \
                 this depth, and one of 2^12, which is too small. Relative to `newer` with the same \
                 algorithm and table. Time stamps count searches (REAL: stores)."
            )],
            claims: claims(rows),
            tables: vec![("Relative to newer (%)".to_owned(), table(rows))],
            charts: Vec::new(),
        }
    }
}

/// Sum of a quantity relative to a base (algorithm and scheme), over the same positions; of times that are
/// too short, none.
fn relative(
    rows: &[Searched],
    bits: u32,
    new: (&'static str, Replacement),
    base: (&'static str, Replacement),
    quantity: Quantity,
) -> Option<Estimate> {
    let of = |(who, scheme): (&'static str, Replacement)| {
        let scheme = scheme.to_string();
        rows.iter().filter(move |row| row.bits == bits && row.who == who && row.scheme == scheme)
    };
    let bases: Vec<&Searched> = of(base).collect();
    let pair = |row: &Searched| {
        let base = bases.iter().find(|base| (base.game, base.state) == (row.game, row.state))?;
        Some(((quantity.of)(row), (quantity.of)(base)))
    };
    let pairs: Vec<(f64, f64)> = of(new).filter_map(pair).collect();
    let found = if quantity.is_time { ratio_of_times(&pairs, 1) } else { ratio(&pairs, 1) };
    found.map(|ratio| ratio.totals)
}

fn claims(rows: &[Searched]) -> Vec<Claim> {
    use Replacement::{Deeper, DeeperOrOlder, Newer, SharplyDeeper};
    let mut claims = Vec::new();
    for (who, quantity, what, paper) in [
        ("TTHH", SECONDS, "time", 1.13),
        ("TTHH", LEAVES, "leaves", 1.17),
        ("MTD-bi", SECONDS, "time", 1.09),
        ("MTD-bi", LEAVES, "leaves", 1.12),
    ] {
        let found = BITS.map(|bits| relative(rows, bits, (who, Deeper), (who, Newer), quantity));
        let worse = |e: Estimate| if e.interval.0 > 1.0 { Verdict::Holds } else { even(e, 0.0) };
        let text = format!("*If deeper* needs more {what} than *if newer* ({who}).");
        claims.push(Claim { timed: quantity.is_time, ..claim(text, paper, found, worse) });
    }
    let found = BITS.map(|bits| relative(rows, bits, ("MTD-bi", DeeperOrOlder), ("MTD-bi", Newer), SECONDS));
    claims.push(claim(
        "*Deeper + timestamp* is as fast as *if newer* (MTD-bi).".to_owned(),
        1.0,
        found,
        |e| if within(Some(e), 0.95, 1.05) == Verdict::Holds { Verdict::Holds } else { even(e, 1.0) },
    ));
    let tthh = ("TTHH", Newer);
    let found = BITS.map(|bits| relative(rows, bits, ("MTD-bi", SharplyDeeper), tthh, SECONDS));
    let lost = |e: Estimate| Verdict::at_least(0.95, Some(e));
    let text = "With *sharply deeper* MTD-bi is as slow as TTHH with *if newer*.";
    claims.push(claim(text.to_owned(), 1.0, found, lost));
    claims
}

/// Neither better nor worse as far as the interval tells, or on the wrong side of 1.
fn even(e: Estimate, tolerance: f64) -> Verdict {
    if e.interval.0 <= 1.0 && e.interval.1 >= 1.0 {
        Verdict::Open
    } else if (e.value - 1.0).abs() < 0.1 * tolerance {
        Verdict::Partly
    } else {
        Verdict::Fails
    }
}

/// A claim about time. The small table decides; the large one is shown beside it.
fn claim(
    text: String,
    paper: f64,
    found: [Option<Estimate>; 2],
    judge: impl Fn(Estimate) -> Verdict,
) -> Claim {
    Claim {
        timed: true,
        source: "REAL figure 2b and section 5",
        claim: text,
        paper: format!("{} %", percent(paper)),
        ours: format!("{} % (2^{}), {} % (2^{})", cell(found[0]), BITS[0], cell(found[1]), BITS[1]),
        why: "The verdict is on the small table; in the large one few entries are replaced.".to_owned(),
        ..Claim::judged([found[0]], |[small]| small.map_or(Verdict::Open, &judge))
    }
}

fn table(rows: &[Searched]) -> Table {
    let mut table = Table::new(2, ["algorithm", "scheme", "table", "leaves", "time"]);
    for bits in BITS {
        for (who, _) in CONTENDERS {
            for &scheme in Replacement::ALL {
                let of =
                    |quantity| cell(relative(rows, bits, (who, scheme), (who, Replacement::Newer), quantity));
                let (leaves, time) = (of(LEAVES), of(SECONDS));
                table.row([who.to_owned(), scheme.to_string(), format!("2^{bits}"), leaves, time]);
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::terminal::interrupted::Stop;

    #[test]
    fn a_unit_runs_and_concludes() {
        let rows = Schemes.run(Scale::Quick, 0, &Work::new(&Stop::default())).unwrap();
        assert_eq!(rows.len(), 10 * CONTENDERS.len() * Replacement::ALL.len());
        let section = Schemes.conclude(Scale::Quick, &rows);
        assert_eq!(section.claims.len(), 6);
        assert!(section.claims.iter().all(|claim| claim.ours.contains('[')));
    }
}
