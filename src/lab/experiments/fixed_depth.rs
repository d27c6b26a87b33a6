//! Figures 11 to 14 of TR over any textbook game: the drivers of MT and their baselines by leaves, total and
//! processor time, relative to Aspiration NegaScout with its best window. Chess runs on the engine's own
//! search and has a room of its own ([`super::chess`]).

use super::searches::{
    Found, Quantity, Results, all, cell, few_passes, inverse, many_passes, saves, shown, within,
};
use crate::lab::chart::{Axis, Chart, Point, Series};
use crate::lab::experiment::{Claim, Experiment, Row, Scale, Section, Unit, Verdict};
use crate::lab::interrupted::Stop;
use crate::lab::measure::CpuClock;
use crate::lab::ratios::{Estimate, ratio};
use crate::lab::table::Table;
use crate::minimax::best::Strategy;
use crate::minimax::deepening::{Algorithm, Guess, deepen, iterate};
use crate::minimax::memory::{Crowded, Lossless};
use crate::minimax::mt::{Manner, Search};
use crate::minimax::replacement::Replacement;
use crate::minimax::{Game, Stopped};

/// How a game is measured at a scale.
#[derive(Clone, Copy, Debug)]
pub struct Protocol {
    /// Positions, consecutive ones of played games.
    pub positions: usize,
    /// Plies.
    pub depth: u32,
    /// The table has 2^bits entries.
    pub bits: u32,
    /// Windows of the baseline, in units of value to both sides of the guess.
    pub windows: &'static [i32],
    /// Strides of MTD-step, in units of value.
    pub stride: i32,
}

/// The comparison of TR on a game.
pub struct FixedDepth<G> {
    /// The experiment's name.
    pub name: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// The first positions to search.
    pub positions: fn(usize) -> Vec<G>,
    /// How much of it.
    pub protocol: fn(Scale) -> Protocol,
    /// The evaluation's unit.
    pub unit: &'static str,
    /// How many per cent less time MTD(f) takes, according to the papers.
    pub saved_time: u32,
}

/// Visits between two looks at the stop flag.
const POLL: u64 = 1 << 12;

/// Seed of the bootstrap intervals.
const SEED: u64 = 1995;

/// An algorithm under its label.
type Contender = (String, Algorithm);

fn aspiration(window: i32) -> Contender {
    (format!("AspNegaScout {window}"), Algorithm::AspirationNegaScout(window))
}

fn drivers(protocol: &Protocol) -> Vec<Contender> {
    [
        ("MTD(f)", Algorithm::MtdF),
        ("MTD-best", Algorithm::MtdBest(Strategy::ProveBest)),
        ("MTD-bi", Algorithm::MtdBi),
        ("MTD-step", Algorithm::MtdStep(protocol.stride)),
        ("SSS*", Algorithm::SssStar),
        ("DUAL*", Algorithm::DualStar),
        ("NegaScout", Algorithm::NegaScout),
        ("AlphaBeta", Algorithm::AlphaBeta),
    ]
    .map(|(label, algorithm)| (label.to_owned(), algorithm))
    .into()
}

fn contenders(protocol: &Protocol) -> Vec<Contender> {
    let mut all = drivers(protocol);
    all.extend(protocol.windows.iter().map(|&window| aspiration(window)));
    all
}

/// Plies that each side looks ahead while the games are played from which positions are taken.
const LOOKAHEAD: u32 = 3;

/// Positions of a game that are taken from it, four plies apart.
const A_GAME: usize = 10;

/// The first `count` positions of games that a shallow search plays against itself, from the opening of each
/// seed on, until they end or `enough` says so of a position and its ply.
pub fn played<G: Game<Value = i32>>(
    count: usize,
    opening: impl Fn(u64) -> G,
    enough: impl Fn(&G, usize) -> bool,
) -> Vec<G> {
    let mut found = Vec::new();
    for seed in 1.. {
        let mut position = opening(seed);
        let mut of_game = Vec::new();
        loop {
            let moves = position.moves();
            if moves.is_empty() || enough(&position, of_game.len()) {
                break;
            }
            of_game.push(position.clone());
            let mut search = Search::new(position.clone(), LOOKAHEAD, Lossless::new(), Manner::default());
            let best = iterate(&mut search, Algorithm::NegaScout, 0).ok().and_then(|found| found.1);
            position = position.play(moves[best.unwrap_or(0).min(moves.len() - 1)]);
        }
        found.extend(of_game.into_iter().step_by(4).take(A_GAME));
        if found.len() >= count {
            break;
        }
    }
    found.truncate(count);
    found
}

/// One contender's iterations on one position, from an empty table; counts and time are cumulative.
pub fn search<G: Game<Value = i32>>(
    (position, root): (usize, &G),
    (label, algorithm): &Contender,
    protocol: &Protocol,
    stop: &Stop,
) -> Result<Vec<Row>, Stopped> {
    let halt = |visits: u64| visits.is_multiple_of(POLL) && stop.is_set();
    let memory = Crowded::new(protocol.bits, Replacement::DepthAge);
    let mut search = Search::with_halt(root.clone(), 1, memory, Manner::default(), halt);
    let first = root.evaluate();
    let mut passes = 0;
    let mut rows = Vec::new();
    let clock = CpuClock::start();
    deepen(&mut search, *algorithm, 1..=protocol.depth, (Guess::Previous, first), |iteration| {
        passes += u64::from(iteration.passes);
        let found = Found {
            position,
            who: label.clone(),
            depth: iteration.depth,
            value: iteration.value,
            best: iteration.best.map_or("none".to_owned(), |index| index.to_string()),
            leaf: iteration.counts.leaf,
            interior: iteration.counts.interior,
            table: iteration.counts.table,
            passes,
            cpu: clock.elapsed().as_secs_f64(),
        };
        rows.push(found.row());
    })?;
    Ok(rows)
}

impl<G: Game<Value = i32>> Experiment for FixedDepth<G> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn title(&self) -> &'static str {
        self.title
    }

    fn columns(&self) -> &'static [&'static str] {
        Found::COLUMNS
    }

    fn units(&self, scale: Scale) -> Vec<Unit> {
        let name = |position| Unit { name: format!("position {}", position + 1), weight: 1.0 };
        (0..(self.protocol)(scale).positions).map(name).collect()
    }

    fn run(&self, scale: Scale, index: usize, stop: &Stop) -> Result<Vec<Row>, Stopped> {
        let protocol = (self.protocol)(scale);
        let positions = (self.positions)(protocol.positions);
        let Some(root) = positions.get(index) else { return Ok(Vec::new()) };
        let contenders = contenders(&protocol);
        let mut rows = Vec::new();
        for turn in 0..contenders.len() {
            // Nobody is always first: the processor's caches are warmer later on.
            let contender = &contenders[(index + turn) % contenders.len()];
            rows.extend(search((index, root), contender, &protocol, stop)?);
        }
        Ok(rows)
    }

    fn conclude(&self, scale: Scale, rows: &[Row]) -> Section {
        let view = View::new(self, (self.protocol)(scale), rows);
        Section {
            protocol: view.protocol(),
            claims: view.claims(),
            tables: view.tables(),
            charts: view.charts(),
        }
    }
}

/// Results with the baseline that was found best.
struct View<'a, G> {
    experiment: &'a FixedDepth<G>,
    protocol: Protocol,
    results: Results,
    base: String,
    depth: u32,
}

impl<'a, G: Game<Value = i32>> View<'a, G> {
    fn new(experiment: &'a FixedDepth<G>, protocol: Protocol, rows: &[Row]) -> View<'a, G> {
        let results = Results::new(rows);
        let depth = results.deepest();
        let leaves = |label: &String| results.sum(label, depth, Quantity::Leaves);
        let windows = protocol.windows.iter().map(|&window| aspiration(window).0);
        let searched = windows.clone().filter(|label| leaves(label) > 0.0);
        let best = searched.min_by(|a, b| leaves(a).total_cmp(&leaves(b)));
        let base = best.or_else(|| windows.clone().next()).unwrap_or_default();
        View { experiment, protocol, results, base, depth }
    }

    fn of(&self, who: &str, quantity: Quantity) -> Option<Estimate> {
        self.results.totals(who, &self.base, self.depth, quantity)
    }

    fn protocol(&self) -> Vec<String> {
        let Protocol { positions, depth, bits, stride, .. } = self.protocol;
        let windows: Vec<String> = self.protocol.windows.iter().map(i32::to_string).collect();
        let unit = self.experiment.unit;
        vec![
            format!(
                "{positions} positions from games that a shallow search played against itself, each searched by \
                 iterative deepening to {depth} plies from an empty table of 2^{bits} entries, with the table's \
                 move first and the history heuristic; all algorithms run on one node routine (MT). Everything \
                 is cumulative over the iterations."
            ),
            format!(
                "The baseline is Aspiration NegaScout with the window that evaluates the fewest leaves on these \
                 same positions, out of {} {unit} to both sides: {}. MTD-step goes in strides of {stride} {unit}. \
                 Intervals: 95 %, bootstrap over positions. The evaluation is our own, so that sign and shape \
                 compare with the papers, not digits.",
                windows.join(", "),
                self.base
            ),
        ]
    }

    fn claims(&self) -> Vec<Claim> {
        let mut claims = self.mtdf();
        claims.extend(self.extremes());
        claims.extend(self.others());
        claims
    }

    fn mtdf(&self) -> Vec<Claim> {
        let [leaves, total, cpu] =
            [Quantity::Leaves, Quantity::Total, Quantity::Cpu].map(|quantity| self.of("MTD(f)", quantity));
        let passes = self.results.passes("MTD(f)", self.depth);
        let widest = self.protocol.windows.last().map(|&window| aspiration(window).0).unwrap_or_default();
        let loose = self.of(&widest, Quantity::Leaves);
        let time = 1.0 - f64::from(self.experiment.saved_time) / 100.0;
        vec![
            Claim {
                source: "IJCAI 5.2, figure 5; TR figure 11",
                claim: "MTD(f) evaluates fewer leaves than Aspiration NegaScout.".into(),
                paper: "95 % or less".into(),
                ours: shown(leaves),
                verdict: saves(leaves, 0.95),
                why: format!("The baseline's window is tuned: {widest} would need {}.", shown(loose)),
            },
            Claim {
                source: "IJCAI 5.2, figure 6; TR figure 12",
                claim: "MTD(f) visits fewer nodes in total, revisits included.".into(),
                paper: "below 100 %".into(),
                ours: shown(total),
                verdict: saves(total, 1.0),
                why: "Every pass walks again over the nodes that the table answers.".into(),
            },
            Claim {
                source: "IJCAI 5.2, figure 7; TR figure 13 and section 5",
                claim: "MTD(f) takes less time than Aspiration NegaScout.".into(),
                paper: format!("{} % less", self.experiment.saved_time),
                ours: shown(cpu),
                verdict: saves(cpu, time),
                why: "Time follows leaves and total; leaves are cheap here.".into(),
            },
            Claim {
                source: "IJCAI 5.2; TR section 4.4",
                claim: "MTD(f) calls MT between three and four times an iteration.".into(),
                paper: "3 to 4".into(),
                ours: passes.map_or("-".into(), |passes| format!("{passes:.2}")),
                verdict: few_passes(passes),
                why: "A finer evaluation takes more passes; the least is two.".into(),
            },
        ]
    }

    /// SSS* and DUAL*, which begin with the worst possible guesses, and the baseline itself.
    fn extremes(&self) -> Vec<Claim> {
        let both = ["SSS*", "DUAL*"];
        let passes = both.map(|who| self.results.passes(who, self.depth));
        let written = |passes: Option<f64>| passes.map_or("-".into(), |passes| format!("{passes:.0}"));
        let totals = both.map(|who| self.of(who, Quantity::Total));
        let alpha_beta = self.of("AlphaBeta", Quantity::Total);
        vec![
            Claim {
                source: "TR section 4.4; IJCAI 5.2",
                claim: "SSS* and DUAL* take dozens to hundreds of passes an iteration.".into(),
                paper: "dozens to hundreds".into(),
                ours: format!("SSS* {}, DUAL* {}", written(passes[0]), written(passes[1])),
                verdict: all(passes.map(many_passes)),
                why: "On average over all depths; shallow iterations need fewer.".into(),
            },
            Claim {
                source: "TR figure 12; IJCAI 5.2",
                claim: "SSS* and DUAL* come out poorly when all nodes are counted.".into(),
                paper: "above 100 %".into(),
                ours: format!("SSS* {}, DUAL* {}", shown(totals[0]), shown(totals[1])),
                verdict: all(totals.map(|total| saves(total.map(inverse), 1.0))),
                why: "Their first bounds are the worst possible guesses: many passes, each from the root."
                    .into(),
            },
            self.dominance(),
            Claim {
                source: "TR section 4.4, figure 12",
                claim: "Aspiration NegaScout is a small improvement over Alpha-Beta.".into(),
                paper: "Alpha-Beta above 100 %".into(),
                ours: format!("{} of the total", shown(alpha_beta)),
                verdict: saves(alpha_beta.map(inverse), 1.0),
                why: "The null windows save little where the first move is nearly always best.".into(),
            },
        ]
    }

    /// IJCAI's fourth misconception: SSS* dominates Alpha-Beta.
    fn dominance(&self) -> Claim {
        let pairs = self.results.pairs("SSS*", "AlphaBeta", self.depth, Quantity::Leaves);
        let worse = pairs.iter().filter(|(sss, alpha_beta)| sss > alpha_beta).count();
        Claim {
            source: "IJCAI section 3; TR section 4.4",
            claim: "With iterative deepening SSS* sometimes evaluates more leaves than Alpha-Beta.".into(),
            paper: "sometimes; in checkers generally".into(),
            ours: format!("in {worse} of {} positions", pairs.len()),
            verdict: match (pairs.len(), worse) {
                (0, _) => Verdict::Open,
                (_, 0) => Verdict::Fails,
                _ => Verdict::Holds,
            },
            why: "Stockman's proof supposes a fixed order of moves and no transpositions.".into(),
        }
    }

    fn others(&self) -> Vec<Claim> {
        let family = ["AlphaBeta", "NegaScout", "SSS*", "DUAL*", "MTD(f)"];
        let leaves = family.map(|who| self.of(who, Quantity::Leaves));
        let listed: Vec<String> =
            family.iter().zip(leaves).map(|(who, leaves)| format!("{who} {}", shown(leaves))).collect();
        let apart = leaves.iter().filter(|&&leaves| within(leaves, 0.8, 1.2) != Verdict::Holds).count();
        let against = |who: &str, base: &str, quantity| {
            ratio(&self.results.pairs(who, base, self.depth, quantity), SEED).map(|ratio| ratio.totals)
        };
        let dual = against("DUAL*", "SSS*", Quantity::Total);
        let best = against("MTD-best", "MTD(f)", Quantity::Leaves);
        vec![
            Claim {
                source: "TR figures 11 and 12; IJCAI section 5",
                claim:
                    "With a table and iterative deepening all algorithms search trees of about the same size."
                        .into(),
                paper: "leaves within 20 %".into(),
                ours: listed.join(", "),
                verdict: match apart {
                    _ if leaves.iter().all(Option::is_none) => Verdict::Open,
                    0 => Verdict::Holds,
                    _ if apart < family.len() => Verdict::Partly,
                    _ => Verdict::Fails,
                },
                why: "All come near the minimal tree once moves are ordered.".into(),
            },
            Claim {
                source: "TR section 4.4",
                claim: "DUAL* is more efficient than SSS*.".into(),
                paper: "fewer nodes".into(),
                ours: format!("{} of SSS*'s total", shown(dual)),
                verdict: saves(dual, 1.0),
                why: "It proves from below: floor(d/2) against ceil(d/2) in the exponent at odd depth."
                    .into(),
            },
            Claim {
                source: "TR section 4.6, figure 14",
                claim: "MTD-best evaluates a few per cent fewer leaves than MTD(f).".into(),
                paper: "a few per cent".into(),
                ours: format!("{} of MTD(f)'s", shown(best)),
                verdict: saves(best, 0.99),
                why: "It never proves an upper bound on the best move.".into(),
            },
        ]
    }

    fn tables(&self) -> Vec<(String, Table)> {
        if self.depth == 0 {
            return Vec::new();
        }
        let mut table = Table::new(1, ["algorithm", "leaves", "total", "CPU time", "passes"]);
        for (who, _) in contenders(&self.protocol) {
            table.row([
                who.clone(),
                cell(self.of(&who, Quantity::Leaves)),
                cell(self.of(&who, Quantity::Total)),
                cell(self.of(&who, Quantity::Cpu)),
                self.results.passes(&who, self.depth).map_or("-".into(), |passes| format!("{passes:.2}")),
            ]);
        }
        vec![(format!("Depth {}, % of {}", self.depth, self.base), table)]
    }

    fn charts(&self) -> Vec<Chart> {
        if self.depth == 0 {
            return Vec::new();
        }
        [
            ("leaves", "leaf evaluations", Quantity::Leaves),
            ("total", "leaf + interior + table nodes", Quantity::Total),
            ("time", "CPU time", Quantity::Cpu),
        ]
        .map(|(name, what, quantity)| self.chart(name, what, quantity))
        .into()
    }

    fn chart(&self, name: &str, what: &str, quantity: Quantity) -> Chart {
        // The clock says nothing of searches of a few milliseconds.
        let first = if quantity == Quantity::Cpu { self.depth.saturating_sub(3).max(1) } else { 2 };
        let series = |(who, _): Contender| {
            let point = |depth: u32| {
                let found = self.results.totals(&who, &self.base, depth, quantity)?;
                let (low, high) = found.interval;
                let interval = Some((low * 100.0, high * 100.0));
                Some(Point { x: f64::from(depth), y: found.value * 100.0, interval })
            };
            let points = (first..=self.depth).filter_map(point).collect();
            Series { name: who.clone(), points, from_paper: false }
        };
        Chart {
            name: format!("{}-{name}", self.experiment.name),
            title: format!("Cumulative {what}, relative to {}", self.base),
            x: Axis { label: "search depth in plies".into(), logarithmic: false },
            y: Axis { label: format!("{what}, % of {}", self.base), logarithmic: false },
            series: drivers(&self.protocol).into_iter().map(series).collect(),
            level: Some(100.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::checkers::CHECKERS;
    use super::super::othello::OTHELLO;
    use super::*;

    fn check<G: Game<Value = i32>>(experiment: &FixedDepth<G>) {
        let protocol = Protocol { depth: 4, bits: 14, ..(experiment.protocol)(Scale::Quick) };
        let roots = (experiment.positions)(1);
        let mut rows = Vec::new();
        for contender in contenders(&protocol) {
            rows.extend(search((0, &roots[0]), &contender, &protocol, &Stop::default()).unwrap());
        }
        assert_eq!(rows.len(), 4 * contenders(&protocol).len());
        let results = Results::new(&rows);
        for (who, _) in contenders(&protocol).into_iter().filter(|(who, _)| who != "MTD-best") {
            let found = results.get(&who, 0, 4).unwrap();
            assert_eq!(found.value, results.get("AlphaBeta", 0, 4).unwrap().value, "{who}");
        }
        let section = experiment.conclude(Scale::Quick, &rows);
        assert!(section.claims.iter().all(|claim| !claim.ours.starts_with('-')), "{:?}", section.claims);
        assert_eq!((section.charts.len(), section.tables.len()), (3, 1));
    }

    #[test]
    fn a_position_is_measured_and_concluded_on() {
        check(&OTHELLO);
        check(&CHECKERS);
    }

    #[test]
    fn positions_are_the_same_in_every_run() {
        let found = (CHECKERS.positions)(20);
        assert_eq!(found, (CHECKERS.positions)(20));
        assert_eq!(found[..10], (CHECKERS.positions)(10));
    }

    #[test]
    fn nothing_is_concluded_from_nothing() {
        let section = OTHELLO.conclude(Scale::Full, &[]);
        assert!(section.tables.is_empty() && section.charts.is_empty());
        assert!(section.claims.iter().all(|claim| claim.verdict == Verdict::Open), "{:?}", section.claims);
    }
}
