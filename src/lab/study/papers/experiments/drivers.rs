//! Claims of TR and IJCAI on the drivers of MT against Aspiration NegaScout, the same for chess, Othello and
//! checkers. Games, protocols and searches are elsewhere; claims on one game alone are in the file of that
//! game.

use super::searches::{Quantity, Results, all, few_passes, inverse, many_passes, saves, within};
use crate::lab::base::pages::chart::{Axis, Chart, Series};
use crate::lab::base::pages::table::percent;
use crate::lab::base::statistics::ratios::{Estimate, ratio};
use crate::lab::study::papers::experiment::{Claim, Verdict, point_in_per_cent, shown};
use crate::minimax::Game;

/// Alpha-Beta. These names stand in the rows of every game.
pub const ALPHA_BETA: &str = "AlphaBeta";
/// SSS* as MTD(+inf).
pub const SSS: &str = "SSS*";
/// DUAL* as MTD(-inf).
pub const DUAL: &str = "DUAL*";
/// MTD(f).
pub const MTDF: &str = "MTD(f)";
/// MTD-best.
pub const MTD_BEST: &str = "MTD-best";

/// Algorithms that TR figures 11 and 12 compare with the baseline.
const FAMILY: [&str; 4] = [ALPHA_BETA, SSS, DUAL, MTDF];

/// Seed of the bootstrap intervals.
const SEED: u64 = 1995;

/// Results with the baseline that was found best, at the greatest depth.
pub struct Standing {
    /// Everything found.
    pub results: Results,
    /// Aspiration NegaScout with its best window.
    pub base: String,
    /// The greatest depth in plies; 0 = nothing was searched.
    pub depth: u32,
}

/// Parts of the claims on MTD(f) that differ from game to game.
pub struct Expected {
    /// Reason for its number of leaves.
    pub leaves: String,
    /// Reason for its number of passes.
    pub passes: String,
}

impl Standing {
    /// Takes the window whose searches needed the fewest leaves; the first one where there are none.
    pub fn new(results: Results, windows: impl Iterator<Item = String>) -> Standing {
        let depth = results.deepest();
        let leaves = |label: &String| results.sum(label, depth, Quantity::Leaves);
        let windows: Vec<String> = windows.collect();
        let searched = windows.iter().filter(|label| leaves(label) > 0.0);
        let best = searched.min_by(|a, b| leaves(a).total_cmp(&leaves(b)));
        let base = best.or(windows.first()).cloned().unwrap_or_default();
        Standing { results, base, depth }
    }

    /// Ratio of a driver to the baseline.
    pub fn of(&self, who: &str, quantity: Quantity) -> Option<Estimate> {
        self.between(who, &self.base, quantity)
    }

    /// Ratio of a driver to another.
    pub fn between(&self, who: &str, other: &str, quantity: Quantity) -> Option<Estimate> {
        self.results.totals(who, other, self.depth, quantity)
    }

    /// Searches of the root an iteration, on average, as tables and claims show them.
    pub fn passes_told(&self, who: &str) -> String {
        let passes = self.results.passes(who, self.depth);
        passes.map_or("-".to_owned(), |passes| format!("{passes:.2}"))
    }

    /// Leaves, total and processor time of some contenders by depth, relative to the baseline; `name` is that
    /// of the experiment. Times of a few milliseconds are too short to be compared: they are drawn for the
    /// deepest iteration and for `timed` before it.
    pub fn charts<'w>(
        &self,
        name: &str,
        contenders: impl Iterator<Item = &'w str> + Clone,
        timed: u32,
    ) -> Vec<Chart> {
        if self.depth == 0 {
            return Vec::new();
        }
        let chart = |(part, what, quantity)| {
            let first = if quantity == Quantity::Cpu { self.depth.saturating_sub(timed).max(1) } else { 2 };
            let series = |who: &str| {
                let found = |depth| self.results.totals(who, &self.base, depth, quantity);
                let point = |depth| Some(point_in_per_cent(depth, found(depth)?));
                Series::measured(who, (first..=self.depth).filter_map(point).collect())
            };
            Chart {
                name: format!("{name}-{part}"),
                title: format!("Cumulative {what}, relative to {}", self.base),
                x: Axis::linear("search depth in plies"),
                y: Axis::linear(format!("{what}, % of {}", self.base)),
                series: contenders.clone().map(series).collect(),
                level: Some(100.0),
            }
        };
        [
            ("leaves", "leaf evaluations", Quantity::Leaves),
            ("total", "leaf + interior + table nodes", Quantity::Total),
            ("time", "CPU time", Quantity::Cpu),
        ]
        .map(chart)
        .into()
    }

    /// Leaves, total and passes of MTD(f). Its time is an experiment of its own ([`super::times`]).
    pub fn mtdf(&self, expected: Expected) -> [Claim; 3] {
        let of = |quantity| self.of(MTDF, quantity);
        let [leaves, total] = [Quantity::Leaves, Quantity::Total].map(of);
        let passes = self.results.passes(MTDF, self.depth);
        [
            Claim {
                source: "IJCAI 5.2, figure 5; TR figure 11",
                claim: "MTD(f) evaluates fewer leaves than Aspiration NegaScout.".into(),
                paper: "95 % or less".into(),
                ours: shown(leaves),
                why: expected.leaves,
                ..Claim::judged([leaves], |[leaves]| saves(leaves, 0.95))
            },
            Claim {
                source: "IJCAI 5.2, figure 6; TR figure 12",
                claim: "MTD(f) visits fewer nodes in total, revisits included.".into(),
                paper: "below 100 %".into(),
                ours: shown(total),
                why: "Every pass visits again the nodes that the table answers.".into(),
                ..Claim::judged([total], |[total]| saves(total, 1.0))
            },
            Claim {
                source: "IJCAI 5.2; TR section 4.4",
                claim: "MTD(f) calls MT between three and four times an iteration.".into(),
                paper: "3 to 4".into(),
                ours: self.passes_told(MTDF),
                verdict: few_passes(passes),
                why: expected.passes,
                ..Claim::default()
            },
        ]
    }

    /// SSS* and DUAL*, which begin with the worst possible guesses.
    pub fn extremes(&self) -> [Claim; 4] {
        let passes = [SSS, DUAL].map(|who| self.results.passes(who, self.depth));
        let written = |passes: Option<f64>| passes.map_or("-".into(), |passes| format!("{passes:.0}"));
        let [sss, dual] = [SSS, DUAL].map(|who| self.of(who, Quantity::Total));
        let against = self.between(DUAL, SSS, Quantity::Total);
        [
            Claim {
                source: "TR section 4.4; IJCAI 5.2",
                claim: "SSS* and DUAL* take dozens to hundreds of passes an iteration.".into(),
                paper: "dozens to hundreds".into(),
                ours: format!("SSS* {}, DUAL* {}", written(passes[0]), written(passes[1])),
                verdict: all(passes.map(many_passes)),
                why: "On average over all depths; shallow iterations need fewer.".into(),
                ..Claim::default()
            },
            Claim {
                source: "TR figure 12; IJCAI 5.2, figure 6",
                claim: "SSS* and DUAL* visit more nodes in total than Aspiration NegaScout.".into(),
                paper: "above 100 %".into(),
                ours: format!("SSS* {}, DUAL* {}", shown(sss), shown(dual)),
                why: "They begin with an infinite bound and take many passes, each from the root.".into(),
                ..Claim::judged([sss, dual], |totals| all(totals.map(|total| saves(total.map(inverse), 1.0))))
            },
            Claim {
                source: "TR section 4.4",
                claim: "DUAL* is more efficient than SSS*.".into(),
                paper: "fewer nodes".into(),
                ours: format!("{} of SSS*'s total", shown(against)),
                why: "The min solution tree that DUAL* builds has w^floor(d/2) leaves, the max solution \
                    tree of SSS* has w^ceil(d/2): fewer at odd depths."
                    .into(),
                ..Claim::judged([against], |[against]| saves(against, 1.0))
            },
            self.dominance(),
        ]
    }

    /// IJCAI's fourth misconception: SSS* dominates Alpha-Beta.
    fn dominance(&self) -> Claim {
        let pairs = self.results.pairs(SSS, ALPHA_BETA, self.depth, Quantity::Leaves);
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
            why: "Stockman's proof that SSS* never evaluates more leaves assumes a fixed move order and no \
                transpositions."
                .into(),
            ..Claim::default()
        }
    }

    /// All algorithms come out alike, and the baseline barely better than Alpha-Beta.
    pub fn alike(&self) -> [Claim; 2] {
        let leaves = FAMILY.map(|who| self.of(who, Quantity::Leaves));
        let listed: Vec<String> =
            FAMILY.iter().zip(leaves).map(|(who, leaves)| format!("{who} {}", shown(leaves))).collect();
        let base = self.of(ALPHA_BETA, Quantity::Total);
        [
            Claim {
                source: "TR figures 11 and 12; IJCAI section 5",
                claim:
                    "With iterative deepening and a table all algorithms search trees of about the same size."
                        .into(),
                paper: "leaves within 20 %".into(),
                ours: listed.join(", "),
                why:
                    "With good move ordering all come close to the minimal tree; see `ordering` and `limit`."
                        .into(),
                ..Claim::judged(leaves, |leaves| all(leaves.map(|leaves| within(leaves, 0.8, 1.2))))
            },
            Claim {
                source: "TR section 4.4, figure 12",
                claim: "Aspiration NegaScout is a small improvement over Alpha-Beta.".into(),
                paper: "Alpha-Beta above 100 %".into(),
                ours: format!("{} of the total", shown(base)),
                why: "The null windows save little where the first move is nearly always best.".into(),
                ..Claim::judged([base], |[base]| saves(base.map(inverse), 1.0))
            },
        ]
    }

    /// MTD-best against MTD(f), and how often it proves the move it starts with.
    pub fn mtd_best(&self) -> [Claim; 2] {
        let best = self.between(MTD_BEST, MTDF, Quantity::Leaves);
        let saving = Claim {
            source: "TR section 4.6, figure 14",
            claim: "MTD-best evaluates a few per cent fewer leaves than MTD(f).".into(),
            paper: "a few per cent".into(),
            ours: format!("{} of MTD(f)'s", shown(best)),
            why: "MTD-best does not prove an upper bound on the value of the best move.".into(),
            ..Claim::judged([best], |[best]| saves(best, 0.99))
        };
        [saving, self.candidates()]
    }

    fn candidates(&self) -> Claim {
        let (mut kept, mut all) = (0_u32, 0_u32);
        for position in self.results.positions() {
            for depth in 2..=self.depth {
                let now = self.results.get(MTD_BEST, position, depth);
                let before = self.results.get(MTD_BEST, position, depth - 1);
                if let (Some(now), Some(before)) = (now, before) {
                    kept += u32::from(now.best == before.best);
                    all += 1;
                }
            }
        }
        let share = f64::from(kept) / f64::from(all);
        Claim {
            source: "TR section 4.6",
            claim: "In about half of the iterations MTD-best proves the move that it tries first.".into(),
            paper: "about half".into(),
            ours: format!("{} % of {all} iterations", percent(share)),
            verdict: match share {
                share if share.is_nan() => Verdict::Open,
                0.4..=0.6 => Verdict::Holds,
                0.6.. => Verdict::Partly,
                _ => Verdict::Fails,
            },
            why: "Counted are the iterations whose best move is that of the previous iteration. MTD-best \
                saves more the more there are."
                .into(),
            ..Claim::default()
        }
    }

    /// The branching factor, and its effect on SSS*. `widths` are the positions' mean numbers of moves, by
    /// number; `paper` is TR's branching factor of the game.
    pub fn branching(&self, widths: &[f64], paper: f64) -> [Claim; 2] {
        let places: Vec<usize> =
            self.results.positions().into_iter().filter(|&place| place < widths.len()).collect();
        let mean = places.iter().map(|&place| widths[place]).sum::<f64>() / places.len() as f64;
        let size = Claim {
            source: "TR section 4.4",
            claim: "The branching factor is about 3 in checkers, 10 in Othello and 36 in chess.".into(),
            paper: format!("{paper:.0}"),
            ours: if places.is_empty() { "-".into() } else { format!("{mean:.1}") },
            verdict: match mean / paper {
                times if times.is_nan() => Verdict::Open,
                0.75..=1.33 => Verdict::Holds,
                0.5..=2.0 => Verdict::Partly,
                _ => Verdict::Fails,
            },
            why: "Mean number of legal moves of all positions up to two plies below the root, over the \
                    roots. A quotient of 0.75 to 1.33 with the paper's figure counts as holds, one of 0.5 \
                    to 2 as partly."
                .into(),
            ..Claim::default()
        };
        [size, self.effect_of_width(widths, places)]
    }

    /// SSS* against Alpha-Beta, in positions with few moves and in positions with many.
    fn effect_of_width(&self, widths: &[f64], mut places: Vec<usize>) -> Claim {
        places.retain(|&place| self.results.get(SSS, place, self.depth).is_some());
        places.sort_by(|&a, &b| widths[a].total_cmp(&widths[b]));
        let (few, many) = places.split_at(places.len() / 2);
        let [few, many] = [few, many].map(|half| {
            let leaves = |who: &str, place| Some(self.results.get(who, place, self.depth)?.leaf as f64);
            let pair = |&place: &usize| Some((leaves(SSS, place)?, leaves(ALPHA_BETA, place)?));
            ratio(&half.iter().filter_map(pair).collect::<Vec<_>>(), SEED).map(|ratio| ratio.totals)
        });
        Claim {
            source: "TR section 4.4",
            claim: "The larger the branching factor, the better SSS* performs.".into(),
            paper: "better on chess than on checkers".into(),
            ours: format!(
                "positions with few moves: {}, with many: {} of AlphaBeta's leaves",
                shown(few),
                shown(many)
            ),
            why: "Compared are the half of the positions with fewer moves and the half with more, in this \
                game. The chapters of the other games have the leaves of SSS* there."
                .into(),
            ..Claim::judged([few, many], |halves| match halves {
                [Some(few), Some(many)] if many.interval.1 < few.interval.0 => Verdict::Holds,
                [Some(few), Some(many)] if few.interval.1 < many.interval.0 => Verdict::Fails,
                _ => Verdict::Open,
            })
        }
    }
}

/// The mean number of moves of all positions up to two plies below each root.
pub fn widths<G: Game>(roots: &[G]) -> Vec<f64> {
    let below = |games: &[G]| -> Vec<G> {
        games
            .iter()
            .flat_map(|game| game.moves().into_iter().map(|m| game.play(m)).collect::<Vec<_>>())
            .collect()
    };
    let width = |root: &G| {
        let first = below(std::slice::from_ref(root));
        let second = below(&first);
        let (inner, edge) = (1 + first.len(), second.len());
        let moves: usize = second.iter().map(|game| game.moves().len()).sum();
        (first.len() + edge + moves) as f64 / (inner + edge) as f64
    };
    roots.iter().map(width).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::random_tree::{ChildOrder, RandomTree, Shape, Values};
    use crate::lab::study::papers::experiments::searches::Found;

    fn row(position: usize, who: &str, depth: u32, best: &str, leaves: u64) -> Found {
        let (who, best) = (who.to_owned(), best.to_owned());
        let found = Found { position, who, depth, best, leaf: leaves, ..Found::default() };
        Found { interior: leaves, passes: 3, cpu: 0.1, ..found }
    }

    fn standing(rows: &[Found]) -> Standing {
        Standing::new(Results::new(rows), ["wide", "narrow"].map(str::to_owned).into_iter())
    }

    #[test]
    fn the_base_is_the_window_of_the_fewest_leaves() {
        let rows = [row(0, "wide", 2, "a", 20), row(0, "narrow", 2, "a", 10), row(0, MTDF, 2, "a", 9)];
        let found = standing(&rows);
        assert_eq!((found.base.as_str(), found.depth), ("narrow", 2));
        assert_eq!(found.of(MTDF, Quantity::Leaves).map(|leaves| leaves.value), Some(0.9));
        assert_eq!(standing(&[]).base, "wide");
    }

    /// Fewer positions reach the greatest depth: ratios at that depth are over these, shares of iterations
    /// over all.
    #[test]
    fn depths_may_hold_different_positions() {
        let mut rows = Vec::new();
        for position in 0..4 {
            for depth in 1..=if position == 0 { 3 } else { 2 } {
                for (who, leaves) in [("narrow", 10), (MTDF, 8), (SSS, 12), (ALPHA_BETA, 11), (MTD_BEST, 8)] {
                    rows.push(row(position, who, depth, if depth == 3 { "b" } else { "a" }, leaves));
                }
            }
        }
        let found = standing(&rows);
        assert_eq!(found.results.pairs(MTDF, "narrow", 3, Quantity::Leaves).len(), 1);
        assert_eq!(found.results.reached(), "searched are 3 to 2 plies and 1 to 3 plies");
        assert_eq!(found.results.passes(MTDF, 3), Some(1.0));
        assert_eq!(found.extremes()[3].ours, "in 1 of 1 positions");
        assert_eq!(found.mtd_best()[1].ours, "80.0 % of 5 iterations");
    }

    #[test]
    fn wide_positions_are_told_from_narrow_ones() {
        let mut rows = Vec::new();
        for position in 0..6 {
            // SSS* saves half in positions with many moves.
            rows.push(row(position, SSS, 1, "a", if position % 2 == 0 { 20 } else { 5 }));
            rows.push(row(position, ALPHA_BETA, 1, "a", 10));
        }
        let [size, effect] = standing(&rows).branching(&[2.0, 9.0, 3.0, 8.0, 2.5, 8.5], 36.0);
        assert_eq!((size.ours.as_str(), size.verdict), ("5.5", Verdict::Fails));
        assert_eq!(effect.verdict, Verdict::Holds, "{effect:?}");
        let [size, effect] = standing(&[]).branching(&[], 3.0);
        assert_eq!((size.verdict, effect.verdict), (Verdict::Open, Verdict::Open));
    }

    #[test]
    fn the_width_of_a_uniform_tree_is_that_of_its_nodes() {
        let shape = Shape { width: 5, depth: 4, order: ChildOrder::Random, values: Values::Distinct };
        assert_eq!(widths(&[RandomTree::new(shape, 1)]), [5.0]);
    }
}
