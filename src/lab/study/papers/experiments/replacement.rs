//! Replacement schemes of the transposition table in give-away checkers (REAL figure 2b).

use crate::games::checkers::GiveAway;
use crate::lab::base::pages::table::{Table, percent};
use crate::lab::base::statistics::ratios::{Estimate, ratio};
use crate::lab::base::terminal::cpu_clock::CpuClock;
use crate::lab::base::terminal::interrupted::Stop;
use crate::lab::study::papers::experiment::{
    Claim, Experiment, Row, Scale, Section, Unit, Verdict, cell, ratio_of_times,
};
use crate::minimax::memory::FixedSizeTable;
use crate::minimax::mt::{Counts, MtOptions, Search};
use crate::minimax::real::{RealAlgorithm, find};
use crate::minimax::replacement::Replacement;
use crate::minimax::{Memory as _, Stopped};

/// Every scheme of REAL and ours, with TTHH and MTD-bi.
#[derive(Clone, Copy, Debug)]
pub struct Schemes;

const CONTENDERS: [(&str, RealAlgorithm); 2] =
    [("TTHH", RealAlgorithm::Tthh), ("MTD-bi", RealAlgorithm::MtdBi)];
/// Table sizes as powers of two: one that is too small for our depths, and the paper's.
const BITS: [u32; 2] = [12, 20];
const PLIES: usize = 40;

/// Columns of a row.
const GAME: usize = 0;
const STATE: usize = 1;
const SIZE: usize = 2;
const WHO: usize = 3;
const SCHEME: usize = 4;
const LEAVES: usize = 5;
const SECONDS: usize = 6;

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
    fn name(&self) -> &'static str {
        "replacement"
    }

    fn title(&self) -> &'static str {
        "Replacement schemes: give-away checkers"
    }

    fn columns(&self) -> &'static [&'static str] {
        &["game", "state", "table (2^n entries)", "algorithm", "scheme", "leaves", "time (s)"]
    }

    fn units(&self, scale: Scale) -> Vec<Unit> {
        let unit = |(game, bits)| Unit { name: format!("game {} table 2^{bits}", game + 1), weight: 1.0 };
        plan(scale).into_iter().map(unit).collect()
    }

    fn run(&self, scale: Scale, index: usize, stop: &Stop) -> Result<Vec<Row>, Stopped> {
        let plan = plan(scale);
        let Some(&(game, bits)) = plan.get(index) else { return Ok(Vec::new()) };
        let (_, every, depth) = protocol(scale);
        let halt = |visits: u64| visits.is_multiple_of(1024) && stop.is_set();
        let states: Vec<GiveAway> = GiveAway::random_game(PLIES, game);
        let mut rows = Vec::new();
        for (who, algorithm) in CONTENDERS {
            let search = |&scheme: &Replacement| {
                let table = FixedSizeTable::new(bits, scheme);
                (scheme, Search::with_stop(GiveAway::start(), depth, table, MtOptions::default(), halt))
            };
            let mut searches: Vec<_> = Replacement::ALL.iter().map(search).collect();
            for (number, state) in states.iter().enumerate().step_by(every) {
                for (scheme, search) in &mut searches {
                    search.set_root(*state, depth);
                    search.memory.age();
                    search.counts = Counts::default();
                    let begun = CpuClock::start();
                    find(search, algorithm, 0.0)?;
                    let seconds = begun.elapsed().as_secs_f64();
                    let numbers = [game.to_string(), number.to_string(), bits.to_string()];
                    let counted = [search.counts.leaf.to_string(), format!("{seconds:.7}")];
                    let names = [who.to_owned(), scheme.to_string()];
                    rows.push(numbers.into_iter().chain(names).chain(counted).collect());
                }
            }
        }
        Ok(rows)
    }

    fn conclude(&self, scale: Scale, rows: &[Row]) -> Section {
        let (_, every, depth) = protocol(scale);
        Section {
            protocol: vec![format!(
                "Give-away checkers at a fixed depth of {depth} plies (REAL: 13), positions of random games \
                    of \
                 40 plies, one of every {every}; a table of 2^20 entries as in REAL, which is large for this depth, and one of 2^12, which is too small. Relative to `newer` with the same algorithm and table. Time \
                 stamps count searches (REAL: stores)."
            )],
            claims: claims(rows),
            tables: vec![("Relative to newer (%)".to_owned(), table(rows))],
            charts: Vec::new(),
        }
    }
}

/// Sum of a column relative to a base (algorithm and scheme), over the same positions; of times that are too short, none.
fn relative(
    rows: &[Row],
    bits: u32,
    new: (&str, Replacement),
    base: (&str, Replacement),
    column: usize,
) -> Option<Estimate> {
    let bits = bits.to_string();
    let of = |(who, scheme): (&str, Replacement)| {
        let (who, scheme) = (who.to_owned(), scheme.to_string());
        let bits = bits.clone();
        rows.iter().filter(move |row| {
            row.len() > SECONDS && row[SIZE] == bits && row[WHO] == who && row[SCHEME] == scheme
        })
    };
    let bases: Vec<&Row> = of(base).collect();
    let pair = |row: &Row| {
        let base = bases.iter().find(|base| base[GAME] == row[GAME] && base[STATE] == row[STATE])?;
        Some((row[column].parse().ok()?, base[column].parse().ok()?))
    };
    let pairs: Vec<(f64, f64)> = of(new).filter_map(pair).collect();
    let found = if column == SECONDS { ratio_of_times(&pairs, 1) } else { ratio(&pairs, 1) };
    found.map(|ratio| ratio.totals)
}

fn claims(rows: &[Row]) -> Vec<Claim> {
    use Replacement::{Deeper, DeeperOrOlder, Newer, SharplyDeeper};
    let mut claims = Vec::new();
    for (who, column, what, paper) in [
        ("TTHH", SECONDS, "time", 1.13),
        ("TTHH", LEAVES, "leaves", 1.17),
        ("MTD-bi", SECONDS, "time", 1.09),
        ("MTD-bi", LEAVES, "leaves", 1.12),
    ] {
        let found = BITS.map(|bits| relative(rows, bits, (who, Deeper), (who, Newer), column));
        let worse = |e: Estimate| if e.interval.0 > 1.0 { Verdict::Holds } else { even(e, 0.0) };
        let text = format!("*If deeper* needs more {what} than *if newer* ({who}).");
        claims.push(Claim { timed: column == SECONDS, ..claim(text, paper, found, worse) });
    }
    let found = BITS.map(|bits| relative(rows, bits, ("MTD-bi", DeeperOrOlder), ("MTD-bi", Newer), SECONDS));
    claims.push(claim(
        "*Deeper + timestamp* is as fast as *if newer* (MTD-bi).".to_owned(),
        1.0,
        found,
        |e| {
            if (e.value - 1.0).abs() < 0.05 { Verdict::Holds } else { even(e, 1.0) }
        },
    ));
    let tthh = ("TTHH", Newer);
    let found = BITS.map(|bits| relative(rows, bits, ("MTD-bi", SharplyDeeper), tthh, SECONDS));
    let lost = |e: Estimate| if e.interval.1 >= 0.95 { Verdict::Holds } else { Verdict::Fails };
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

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new(2, ["algorithm", "scheme", "table", "leaves", "time"]);
    for bits in BITS {
        for (who, _) in CONTENDERS {
            for &scheme in Replacement::ALL {
                let of =
                    |column| cell(relative(rows, bits, (who, scheme), (who, Replacement::Newer), column));
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

    #[test]
    fn a_unit_runs_and_concludes() {
        let rows = Schemes.run(Scale::Quick, 0, &Stop::default()).unwrap();
        assert_eq!(rows.len(), 10 * CONTENDERS.len() * Replacement::ALL.len());
        assert!(rows.iter().all(|row| row.len() == Schemes.columns().len()));
        let section = Schemes.conclude(Scale::Quick, &rows);
        assert_eq!(section.claims.len(), 6);
        assert!(section.claims.iter().all(|claim| claim.ours.contains('[')));
    }

    #[test]
    fn without_rows_every_claim_is_open() {
        let section = Schemes.conclude(Scale::Quick, &[]);
        assert!(section.claims.iter().all(|claim| claim.verdict == Verdict::Open));
    }
}
