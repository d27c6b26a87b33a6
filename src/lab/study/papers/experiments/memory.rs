//! Transposition table size that the drivers need (TR sections 3.3 and 4.2, IJCAI section 3), and replacement
//! schemes of a table that is too small (REAL section 4.2), on chess.

use super::drivers::{DUAL, SSS};
use super::searches::{Found, Quantity, Results, aspiration, case, driver, search};
use crate::lab::base::pages::chart::{Axis, Chart, Series};
use crate::lab::base::pages::table::Table;
use crate::lab::base::statistics::ratios::Estimate;
use crate::lab::study::counting::report::Contender;
use crate::lab::study::papers::experiment::{
    Claim, Description, Experiment, Scale, Section, Unfinished, Unit, Verdict, Work, cell, point_in_per_cent,
    shown,
};
use crate::minimax::replacement::Replacement;
use crate::search::{Backend, Driver, Settings};

/// The experiment `memory`, as its files and the command line call it.
pub struct TableSize;

/// Window of the baseline: the best one of an earlier run of `chess`.
const WINDOW: i32 = 8;

/// A table is big enough when it costs at most this much more than the biggest.
const ENOUGH: f64 = 1.05;

/// Moves of an average chess position (TR section 4.4).
const WIDTH: f64 = 36.0;

struct TableSizeProtocol {
    positions: usize,
    depth: u32,
    /// Tables of 2^n entries.
    bits: &'static [u32],
    /// The table in which replacement schemes are compared.
    crowded: u32,
}

const fn protocol(scale: Scale) -> TableSizeProtocol {
    match scale {
        Scale::Quick => {
            TableSizeProtocol { positions: 6, depth: 5, bits: &[10, 12, 14, 16, 18, 20], crowded: 14 }
        }
        Scale::Full => {
            TableSizeProtocol { positions: 20, depth: 7, bits: &[10, 12, 14, 16, 18, 20, 22], crowded: 16 }
        }
    }
}

const DRIVERS: [Backend; 5] = [
    Backend::Driver(Driver::MtdF),
    Backend::Driver(Driver::MtdBi),
    Backend::Driver(Driver::SssStar),
    Backend::Driver(Driver::DualStar),
    Backend::Driver(Driver::AlphaBeta),
];

/// Those whose replacement schemes are compared, the baseline being the third.
const REPLACING: [Backend; 2] = [Backend::Driver(Driver::MtdBi), Backend::Driver(Driver::MtdF)];

/// Verdict on the claim that tables of 2^20 entries are enough for all drivers, of which the neediest takes
/// 2^`most`. Open if it still gains from the biggest table measured, where it is compared with itself.
fn comfortable(most: Option<u32>, biggest: u32) -> Verdict {
    match most {
        Some(most) if most < biggest && most <= 20 => Verdict::Holds,
        Some(_) if biggest > 20 => Verdict::Fails,
        _ => Verdict::Open,
    }
}

/// The label of a contender in a table of 2^`bits` entries.
fn label(who: &str, bits: u32) -> String {
    format!("{who} 2^{bits}")
}

/// A contender with another replacement scheme; the default scheme is not named in the label.
fn replacing(one: &Contender, replacement: Replacement) -> Contender {
    let label = if replacement == Replacement::default() {
        one.label.clone()
    } else {
        format!("{} {replacement}", one.label)
    };
    Contender { label, settings: Settings { replacement, ..one.settings.clone() } }
}

fn contenders(scale: Scale, bits: u32) -> Vec<Contender> {
    let mut all = vec![aspiration(WINDOW)];
    all.extend(DRIVERS.map(driver));
    if bits == protocol(scale).crowded {
        let others = Replacement::ALL.iter().filter(|&&scheme| scheme != Replacement::default());
        for &scheme in others {
            all.extend(REPLACING.map(|backend| replacing(&driver(backend), scheme)));
            all.push(replacing(&aspiration(WINDOW), scheme));
        }
    }
    all
}

impl Experiment for TableSize {
    type Row = Found;

    fn about(&self) -> Description {
        Description {
            name: "memory",
            title: "Memory and replacement schemes on chess (TR section 3.3, IJCAI section 3, REAL section \
            4.2)",
            is_own: false,
            columns: Found::COLUMNS,
        }
    }

    fn units(&self, scale: Scale) -> Vec<Unit> {
        let TableSizeProtocol { positions, bits, .. } = protocol(scale);
        let unit = |position: usize, bits: u32| Unit {
            name: format!("position {} table 2^{bits}", position + 1),
            // The smaller the table, the more is searched again.
            weight: 1.0 + f64::from(22_u32.saturating_sub(bits)) / 4.0,
        };
        (0..positions).flat_map(|position| bits.iter().map(move |&bits| unit(position, bits))).collect()
    }

    fn run(&self, scale: Scale, index: usize, work: &Work<'_>) -> Result<Vec<Found>, Unfinished> {
        let TableSizeProtocol { depth, bits: sizes, .. } = protocol(scale);
        let (position, bits) = (index / sizes.len(), sizes[index % sizes.len()]);
        let case = case(position)?;
        let mut player = work.player_with_entries(1 << bits)?;
        let mut rows = Vec::new();
        for contender in contenders(scale, bits) {
            let labelled = Contender { label: label(&contender.label, bits), ..contender };
            rows.extend(search(&mut player, (position, &case), &labelled, depth, work.stop)?);
        }
        Ok(rows)
    }

    fn conclude(&self, scale: Scale, rows: &[Found]) -> Section {
        let results = Results::new(rows);
        let view = TableSizeReport { scale, depth: results.deepest(), results };
        let mut section = Section { protocol: view.protocol(), ..Section::default() };
        section.claims = vec![view.fits(), view.no_more(), view.modest()];
        if view.depth > 0 {
            section.tables = vec![view.sizes(), view.replacements()];
            section.charts = vec![view.chart()];
        }
        section
    }
}

struct TableSizeReport {
    scale: Scale,
    depth: u32,
    results: Results,
}

impl TableSizeReport {
    fn protocol(&self) -> Vec<String> {
        let TableSizeProtocol { bits, crowded, .. } = protocol(self.scale);
        vec![
            format!(
                "Paper mode, grid 1, iterative deepening to depth {} on {} positions of real games, in \
                 tables of 2^n entries (16 bytes each, two bounds), n = {bits:?}, by default in buckets of \
                 four, in which the entry of least depth minus age is replaced. Counted is the total (leaf + \
                 interior + table), cumulative.",
                self.depth,
                self.results.positions().len()
            ),
            format!(
                "Replacement schemes are compared in the table of 2^{crowded} entries, as the engine uses \
                 it: with quiescence positions in it. Age has no effect, since a search begins with an empty \
                 table and has one time stamp. REAL's claims on its schemes are not measured here: its table \
                 held no quiescence positions, which *if newer* stores over deep entries. `replacement` \
                 measures them."
            ),
        ]
    }

    fn biggest(&self) -> u32 {
        protocol(self.scale).bits.iter().copied().max().unwrap_or(0)
    }

    /// Nodes of a driver in a table, relative to its nodes in the biggest.
    fn cost(&self, who: &str, bits: u32) -> Option<Estimate> {
        let base = label(who, self.biggest());
        self.results.totals(&label(who, bits), &base, self.depth, Quantity::Total)
    }

    /// The smallest table from which on a driver needs at most [`ENOUGH`] times its nodes in the biggest.
    fn enough(&self, who: &str) -> Option<u32> {
        let sizes = protocol(self.scale).bits.iter().rev().copied();
        let big = |&bits: &u32| self.cost(who, bits).is_some_and(|cost| cost.value <= ENOUGH);
        sizes.take_while(big).last()
    }

    fn drivers() -> Vec<String> {
        let mut all = vec![aspiration(WINDOW).label];
        all.extend(DRIVERS.map(|backend| backend.name().to_owned()));
        all
    }

    fn fits(&self) -> Claim {
        let every: Option<Vec<u32>> = Self::drivers().iter().map(|who| self.enough(who)).collect();
        let most = every.and_then(|needs| needs.into_iter().max());
        let needs: Vec<String> =
            Self::drivers().iter().filter_map(|who| Some(format!("{who} 2^{}", self.enough(who)?))).collect();
        Claim {
            source: "TR section 4.2",
            claim: "The solution trees of all algorithms fit in a table of 2^20 entries.".into(),
            paper: "2^20 (IJCAI: 2^21)".into(),
            ours: if needs.is_empty() { "-".into() } else { needs.join(", ") },
            verdict: comfortable(most, self.biggest()),
            why: format!(
                "Shown is the smallest table with at most 5 % more nodes than the biggest (2^{}) at depth \
                    {}; the papers search to depth 7 and 8.",
                self.biggest(),
                self.depth
            ),
            ..Claim::default()
        }
    }

    /// SSS* and DUAL* against the baseline.
    fn no_more(&self) -> Claim {
        let base = self.enough(&aspiration(WINDOW).label);
        let needs = [SSS, DUAL].map(|who| self.enough(who));
        let told = |bits: Option<u32>| bits.map_or("-".to_owned(), |bits| format!("2^{bits}"));
        let verdict = match (base, needs) {
            (Some(base), [Some(sss), Some(dual)]) if sss.max(dual) <= base => Verdict::Holds,
            (Some(base), [Some(sss), Some(dual)]) if sss.max(dual) <= base + 2 => Verdict::Partly,
            (Some(_), [Some(_), Some(_)]) => Verdict::Fails,
            _ => Verdict::Open,
        };
        let smallest = protocol(self.scale).bits.iter().copied().min().unwrap_or(0);
        let told_cost = |who: &str| shown(self.cost(who, smallest));
        Claim {
            source: "TR section 4.4; IJCAI section 3",
            claim: "SSS* and DUAL* need no more memory than Aspiration NegaScout.".into(),
            paper: "as much".into(),
            ours: format!("SSS* {}, DUAL* {}, baseline {}", told(needs[0]), told(needs[1]), told(base)),
            verdict,
            why: format!(
                "In a table of 2^{smallest} entries SSS* needs {} of its nodes in the biggest, DUAL* {}, \
                    the baseline {}: with more passes more entries are overwritten between them.",
                told_cost(SSS),
                told_cost(DUAL),
                told_cost(&aspiration(WINDOW).label)
            ),
            ..Claim::default()
        }
    }

    fn modest(&self) -> Claim {
        let feared = WIDTH.powi(self.depth.div_ceil(2) as i32).log2();
        let needed = self.enough(SSS);
        Claim {
            source: "TR section 3.3; IJCAI section 3",
            claim: "SSS* needs memory for at most one max solution tree, w^ceil(d/2) entries.".into(),
            paper: format!("36^{} = 2^{feared:.1} at depth {}", self.depth.div_ceil(2), self.depth),
            ours: needed.map_or("-".into(), |bits| format!("2^{bits}")),
            verdict: match needed {
                None => Verdict::Open,
                Some(bits) if f64::from(bits) <= feared + 1.0 => Verdict::Holds,
                Some(_) => Verdict::Fails,
            },
            why: "Entries of old solution trees are overwritten. The table also holds the best moves of \
                earlier iterations."
                .into(),
            ..Claim::default()
        }
    }

    /// One scheme against another, for one backend in the crowded table.
    fn scheme(&self, one: &Contender, scheme: Replacement, base: Replacement) -> Option<Estimate> {
        let bits = protocol(self.scale).crowded;
        let name = |scheme| label(&replacing(one, scheme).label, bits);
        self.results.totals(&name(scheme), &name(base), self.depth, Quantity::Total)
    }

    fn sizes(&self) -> (String, Table) {
        let bits = protocol(self.scale).bits;
        let headings = std::iter::once("contender".to_owned()).chain(bits.iter().map(|n| format!("2^{n}")));
        let mut table = Table::new(1, headings);
        for who in Self::drivers() {
            let costs: Vec<String> = bits.iter().map(|&bits| cell(self.cost(&who, bits))).collect();
            table.row(std::iter::once(who).chain(costs));
        }
        (format!("Total nodes at depth {}, % of the same in the biggest table", self.depth), table)
    }

    fn replacements(&self) -> (String, Table) {
        let mut contenders = REPLACING.map(driver).to_vec();
        contenders.push(aspiration(WINDOW));
        let names = contenders.iter().map(|one| one.label.clone());
        let mut table = Table::new(1, std::iter::once("scheme".to_owned()).chain(names));
        for &scheme in Replacement::ALL {
            let cells: Vec<String> =
                contenders.iter().map(|one| cell(self.scheme(one, scheme, Replacement::Newer))).collect();
            table.row(std::iter::once(scheme.name().to_owned()).chain(cells));
        }
        let bits = protocol(self.scale).crowded;
        (format!("Total nodes in a table of 2^{bits} entries, % of the same with *if newer*"), table)
    }

    fn chart(&self) -> Chart {
        let base = label(&aspiration(WINDOW).label, self.biggest());
        let series = |who: String| {
            let point = |&bits: &u32| {
                let found = self.results.totals(&label(&who, bits), &base, self.depth, Quantity::Total)?;
                Some(point_in_per_cent(bits, found))
            };
            let points = protocol(self.scale).bits.iter().filter_map(point).collect();
            Series::measured(who, points)
        };
        Chart {
            name: "memory-size".into(),
            title: format!("Total nodes by table size, depth {}", self.depth),
            x: Axis::linear("table size in entries, as a power of two"),
            y: Axis::logarithmic(format!("leaf + interior + table nodes, % of {base}")),
            series: Self::drivers().into_iter().map(series).collect(),
            level: Some(100.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::terminal::interrupted::Stop;
    use crate::lab::play::referee::Player;

    #[test]
    fn a_position_is_measured_and_concluded_on() {
        let TableSizeProtocol { bits: sizes, .. } = protocol(Scale::Quick);
        let case = case(0).unwrap();
        let mut rows = Vec::new();
        for &bits in sizes {
            let mut player = Player::with_entries(1 << bits).unwrap();
            for contender in contenders(Scale::Quick, bits) {
                let one = Contender { label: label(&contender.label, bits), ..contender };
                rows.extend(search(&mut player, (0, &case), &one, 3, &Stop::default()).unwrap());
            }
        }
        let section = TableSize.conclude(Scale::Quick, &rows);
        assert!(section.claims.iter().all(|claim| claim.ours != "-"), "{:?}", section.claims);
        assert_eq!(section.charts[0].series.len(), 6);
        assert!(section.charts[0].series.iter().all(|series| series.points.len() == sizes.len()));
        assert!(!section.tables[1].1.to_string().contains("| - "), "{}", section.tables[1].1);
    }

    #[test]
    fn a_table_compared_with_itself_proves_nothing() {
        assert_eq!(comfortable(Some(14), 20), Verdict::Holds);
        assert_eq!(comfortable(Some(20), 20), Verdict::Open);
        assert_eq!(comfortable(Some(20), 22), Verdict::Holds);
        assert_eq!(comfortable(Some(22), 22), Verdict::Fails);
        assert_eq!(comfortable(None, 22), Verdict::Open);
    }
}
