//! The drivers of MT on chess (TR figures 11 to 14, IJCAI figures 5 to 7): every driver over the same node
//! routine, by leaves, total and processor time, relative to Aspiration NegaScout with its best window.

use super::drivers::{Expected, MTDF, Standing, widths};
use super::searches::{Found, Positions, Quantity, Results, aspiration, case, driver, games, paper, search};
use crate::lab::base::formats::epd::Case;
use crate::lab::base::pages::chart::{Axis, Chart, Point, Series};
use crate::lab::base::pages::table::Table;
use crate::lab::base::statistics::ratios::{Estimate, ratio};
use crate::lab::study::counting::report::Contender;
use crate::lab::study::papers::experiment::{
    Claim, Description, Experiment, Scale, Section, Unfinished, Unit, Verdict, Work, cell, shown,
};
use crate::search::{Backend, ChessGame, Driver, FirstGuess, Settings};

/// The experiment `chess`.
pub struct Chess;

/// Windows of the baseline that are always tried: the one that was best before, and a wide one.
const TUNED: i32 = 8;
const WIDE: i32 = 100;

/// Moves of an average position (TR section 4.4).
const BRANCHING: f64 = 36.0;

/// A value that moves by less than this many units between iterations stays inside the tuned window.
const QUIET: i32 = TUNED;

/// Positions, table and windows at a scale.
pub struct ChessProtocol {
    /// Positions of `epd/games.epd`, and their depth.
    pub searched: Positions,
    /// Transposition table in MiB.
    pub hash: usize,
    /// Windows of the baseline, in units to both sides of the guess.
    pub windows: &'static [i32],
}

/// The protocol at a scale.
pub const fn protocol(scale: Scale) -> ChessProtocol {
    match scale {
        Scale::Quick => ChessProtocol {
            searched: Positions { count: 20, depth: 7 },
            hash: 16,
            windows: &[4, TUNED, 25, WIDE],
        },
        Scale::Full => ChessProtocol {
            searched: Positions { count: 100, depth: 8 },
            hash: 64,
            windows: &[4, TUNED, 12, 16, 20, 25, 35, 50, 75, WIDE],
        },
    }
}

/// MTD(f) from the value of two iterations before (IJCAI 5.2).
const TWO_BACK: &str = "MTD(f) two back";

/// The drivers beside the baseline.
fn drivers() -> Vec<Contender> {
    let others = Backend::DRIVERS.iter().filter(|&&backend| backend != Backend::Driver(Driver::NegaScout));
    others.map(|&backend| driver(backend)).collect()
}

fn contenders(scale: Scale) -> Vec<Contender> {
    let mut all = drivers();
    let settings = Settings { first_guess: FirstGuess::TwoBack, ..paper(Backend::Driver(Driver::MtdF)) };
    all.push(Contender { label: TWO_BACK.to_owned(), settings });
    all.extend(protocol(scale).windows.iter().map(|&window| aspiration(window)));
    all
}

impl Experiment for Chess {
    type Row = Found;

    fn about(&self) -> Description {
        Description {
            name: "chess",
            title: "The drivers of MT on chess (TR figures 11 to 14, IJCAI figures 5 to 7)",
            is_own: false,
            columns: Found::COLUMNS,
        }
    }

    fn units(&self, scale: Scale) -> Vec<Unit> {
        protocol(scale).searched.units()
    }

    fn run(&self, scale: Scale, index: usize, work: &Work<'_>) -> Result<Vec<Found>, Unfinished> {
        let ChessProtocol { searched, hash, .. } = protocol(scale);
        let case = case(index)?;
        let mut player = work.player(hash)?;
        let contenders = contenders(scale);
        let mut rows = Vec::new();
        // The order rotates, since caches are warmer for later contenders.
        for contender in contenders.iter().cycle().skip(index).take(contenders.len()) {
            rows.extend(search(&mut player, (index, &case), contender, searched.depth, work.stop)?);
        }
        Ok(rows)
    }

    fn conclude(&self, scale: Scale, rows: &[Found]) -> Section {
        let view = ChessReport::new(scale, rows);
        Section {
            protocol: view.protocol(),
            claims: view.claims(),
            tables: view.tables(),
            charts: view.charts(),
        }
    }
}

/// Results with the baseline that was found best.
struct ChessReport {
    scale: Scale,
    standing: Standing,
    wide: String,
}

impl ChessReport {
    fn new(scale: Scale, rows: &[Found]) -> ChessReport {
        let windows = protocol(scale).windows.iter().map(|&window| aspiration(window).label);
        ChessReport {
            scale,
            standing: Standing::new(Results::new(rows), windows),
            wide: aspiration(WIDE).label,
        }
    }

    fn protocol(&self) -> Vec<String> {
        let ChessProtocol { hash, windows, searched } = protocol(self.scale);
        vec![
            format!(
                "Paper mode: full width, iterative deepening, transposition table of {hash} MiB, history \
                 heuristic, no extensions and no pruning, quiescence as the leaf evaluation, grid 1. The \
                 plan: {}, runs of consecutive positions of real games; {}. Every search begins with an \
                 empty table. All counts are cumulative over the iterations and include every revisit.",
                searched.words(),
                self.standing.results.reached(),
            ),
            format!(
                "100 % is Aspiration NegaScout. The papers do not give its window; ours is tuned first by \
                 leaves, over {windows:?} units to both sides (a pawn is about 100): the best is {}. Ratios \
                 are of totals; intervals are 95 % from resampling positions, and somewhat too narrow, since \
                 neighbours in a game are alike and the window is chosen on the same positions.",
                self.standing.base
            ),
            "Differences from 1995: a table entry keeps two bounds, so that MTD-bi and MTD-step can be \
                measured too; the resolution of the evaluation is one unit."
                .to_owned(),
        ]
    }

    fn claims(&self) -> Vec<Claim> {
        let expected = Expected {
            leaves: self.because(),
            passes: "The minimum is two. The evaluation here has a resolution of a hundredth of a pawn; the \
                    papers do not give theirs."
                .into(),
        };
        let mut claims = self.standing.mtdf(expected).to_vec();
        claims.extend(self.standing.extremes());
        claims.extend(self.standing.alike());
        claims.extend(self.standing.mtd_best());
        claims.extend(self.standing.branching(&self.widths(), BRANCHING));
        claims.push(self.two_back());
        claims
    }

    /// Mean number of moves around each position that was searched.
    fn widths(&self) -> Vec<f64> {
        let count = self.standing.results.positions().last().map_or(0, |last| last + 1);
        let root = |case: &Case| ChessGame::new(case.position().clone());
        widths(&games(count).iter().map(root).collect::<Vec<_>>())
    }

    /// Mean change of the value since `back` iterations before, in units; `None` without iterations.
    fn swing(&self, back: u32) -> Option<f64> {
        let (mut sum, mut all) = (0.0, 0.0);
        for position in self.standing.results.positions() {
            for depth in 3..=self.standing.depth {
                let get = |depth| self.standing.results.get(MTDF, position, depth);
                if let (Some(now), Some(before)) = (get(depth), get(depth - back)) {
                    sum += f64::from((now.value - before.value).abs());
                    all += 1.0;
                }
            }
        }
        (all > 0.0).then(|| sum / all)
    }

    fn two_back(&self) -> Claim {
        let found = self.standing.between(TWO_BACK, MTDF, Quantity::Leaves);
        let (one, two) = (self.swing(1), self.swing(2));
        let told = |swing: Option<f64>| swing.map_or("-".to_owned(), |swing| format!("{swing:.0}"));
        let judge = |[found]: [Option<Estimate>; 1]| match found {
            Some(found) if found.interval.0 > 1.0 || found.interval.1 < 1.0 => {
                if (found.value < 1.0) == (two < one) { Verdict::Holds } else { Verdict::Fails }
            }
            _ => Verdict::level(1.0, found),
        };
        Claim {
            source: "IJCAI 5.2",
            claim:
                "Where values swing between odd and even depths, the value of two iterations before is the \
                    better first guess."
                    .into(),
            paper: "better with a pronounced swing".into(),
            ours: format!("{} of the leaves of MTD(f)", shown(found)),
            why: format!(
                "Mean change of the value here: {} units since the previous iteration, {} since the one \
                 before it. The claim holds if the guess that is closer needs fewer leaves.",
                told(one),
                told(two)
            ),
            ..Claim::judged([found], judge)
        }
    }

    /// Leaves of MTD(f) relative to the baseline, in the iterations whose value stayed near the last one
    /// (`quiet`) or in the others.
    fn moved(&self, quiet: bool) -> Option<Estimate> {
        let increment = |who: &str, position, depth| {
            let (now, before) = (
                self.standing.results.get(who, position, depth)?,
                self.standing.results.get(who, position, depth - 1)?,
            );
            Some((now.leaf.saturating_sub(before.leaf) as f64, (now.value - before.value).abs() <= QUIET))
        };
        let mut pairs = Vec::new();
        for position in self.standing.results.positions() {
            for depth in 2..=self.standing.depth {
                let one = increment(MTDF, position, depth);
                let other = increment(&self.standing.base, position, depth);
                if let (Some((leaves, near)), Some((base, _))) = (one, other)
                    && near == quiet
                {
                    pairs.push((leaves, base));
                }
            }
        }
        ratio(&pairs, 5).map(|ratio| ratio.totals)
    }

    /// Reason for the leaves that MTD(f) saves, in numbers.
    fn because(&self) -> String {
        format!(
            "The result depends on the baseline's window: against a window of {WIDE} MTD(f) needs {} of the \
                leaves. In iterations whose value changed by at most {QUIET} units it needs {} of the \
                leaves of the baseline with its best window, in the others {}.",
            shown(self.standing.between(MTDF, &self.wide, Quantity::Leaves)),
            shown(self.moved(true)),
            shown(self.moved(false)),
        )
    }

    fn tables(&self) -> Vec<(String, Table)> {
        if self.standing.depth == 0 {
            return Vec::new();
        }
        let mut table =
            Table::new(1, ["contender", "leaves", "leaves (geometric)", "total", "CPU time", "passes"]);
        for contender in contenders(self.scale) {
            let who = contender.label.as_str();
            let of = |quantity| {
                self.standing.results.ratio(who, &self.standing.base, self.standing.depth, quantity)
            };
            let leaves = of(Quantity::Leaves);
            table.row([
                who.to_owned(),
                cell(leaves.map(|ratio| ratio.totals)),
                cell(leaves.map(|ratio| ratio.geometric)),
                cell(of(Quantity::Total).map(|ratio| ratio.totals)),
                cell(of(Quantity::Cpu).map(|ratio| ratio.totals)),
                self.standing.passes_told(who),
            ]);
        }
        vec![(format!("Depth {}, % of {}", self.standing.depth, self.standing.base), table)]
    }

    fn charts(&self) -> Vec<Chart> {
        let drivers = drivers();
        let mut charts = self.standing.charts("chess", drivers.iter().map(|one| one.label.as_str()), 2);
        charts.extend((self.standing.depth > 0).then(|| self.windows()));
        charts
    }

    /// The sweep of the baseline's window, with MTD(f) beside it.
    fn windows(&self) -> Chart {
        let windows = protocol(self.scale).windows;
        let against = |who: &str| -> Vec<Point> {
            let point = |&window: &i32| {
                let label = if who.is_empty() { aspiration(window).label } else { who.to_owned() };
                let found = self.standing.of(&label, Quantity::Leaves)?;
                Some(Point { x: f64::from(window), y: found.value * 100.0, interval: None })
            };
            windows.iter().filter_map(point).collect()
        };
        let series = |name: &str, points| Series::measured(name, points);
        Chart {
            name: "chess-window".into(),
            title: format!("Leaves by the baseline's window, depth {}", self.standing.depth),
            x: Axis::logarithmic("window to both sides in units of evaluation"),
            y: Axis::linear(format!("leaves, % of {}", self.standing.base)),
            series: vec![
                series("Aspiration NegaScout", against("")),
                series("MTD(f)", against(Backend::Driver(Driver::MtdF).name())),
            ],
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
        let stop = Stop::default();
        let (cases, mut player) = (games(4), Player::new(Settings::default(), 1).unwrap());
        let mut rows = Vec::new();
        for (position, case) in cases.iter().enumerate() {
            for contender in contenders(Scale::Quick) {
                rows.extend(search(&mut player, (position, case), &contender, 3, &stop).unwrap());
            }
        }
        assert_eq!(rows.len(), contenders(Scale::Quick).len() * 3 * 4);
        let section = Chess.conclude(Scale::Quick, &rows);
        let known = |claim: &Claim| !claim.ours.contains('-');
        assert!(section.claims.iter().all(known), "{:?}", section.claims);
        assert_eq!(section.charts[0].series.len(), 10);
        assert_eq!(section.charts[0].series[0].points.len(), 2);
        assert!(section.tables[0].1.to_string().contains("| SSS*"));
    }
}
