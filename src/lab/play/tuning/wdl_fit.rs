//! Fit of the WDL model by maximum likelihood: Newton's method, damped as Levenberg (1944) does it, over
//! positions that are counted by material and score.
//!
//! With p(s) = 1 / (1 + exp((a - s) / b)), a win has the probability p(s), a loss p(-s), and a draw the rest,
//! which is (exp(2 a / b) - 1) p(s) p(-s). The logarithm of each is a sum of ln p(s), ln p(-s) and a term of
//! a / b alone: so a position adds to the counts of s or -s, a draw to both, and one material has one number
//! of draws. The derivatives by a and b are those of softplus, ln (1 + exp z), at z = (a - s) / b.

use super::wdl_counts::{Counts, Results};
use crate::chess::score::Value;
use crate::engine::wdl_model::{MATERIAL, Model, REFERENCE};
use std::collections::BTreeMap;

/// The numbers of a model in one row: four coefficients of a, and four of b.
type Numbers = [f64; 8];

/// Start of the fit: a and b the same for all material.
const START: Numbers = [100.0, 0.0, 0.0, 0.0, 60.0, 0.0, 0.0, 0.0];

/// Steps at most; some twenty are usual.
const MOST_STEPS: u32 = 500;

/// The rise of the log-likelihood, as a part of it, with which the fit ends.
const LEAST_RISE: f64 = 1e-13;

/// Damping at the beginning, and from where on no step is tried any more.
const DAMPING: (f64, f64) = (1e-3, 1e12);

/// Positions of games, as the likelihood counts them.
pub(super) struct Classes(Vec<Class>);

/// Positions with the same material.
struct Class {
    material: u32,
    drawn: f64,
    /// Scores s, and the number of times that ln p(s) is in the log-likelihood.
    terms: Vec<(f64, f64)>,
}

impl Classes {
    pub(super) fn new(counts: &Counts) -> Classes {
        let mut classes: BTreeMap<u32, (u64, BTreeMap<Value, u64>)> = BTreeMap::new();
        for (&(material, score), &Results { won, drawn, lost }) in counts {
            let (draws, terms) = classes.entry(material).or_default();
            *draws += drawn;
            for (score, count) in [(score, won + drawn), (-score, lost + drawn)] {
                *terms.entry(score).or_default() += count;
            }
        }
        let class = |(material, (drawn, terms)): (u32, (u64, BTreeMap<Value, u64>))| Class {
            material,
            drawn: drawn as f64,
            terms: terms.into_iter().map(|(score, count)| (score.into(), count as f64)).collect(),
        };
        Classes(classes.into_iter().map(class).collect())
    }

    /// Log-likelihood of a model: the logarithm of the probability that it gives to the results. Minus
    /// infinity for a model with a spread or a mean that is not positive.
    pub(super) fn likelihood(&self, model: &Model) -> f64 {
        let sound = MATERIAL.into_iter().all(|material| {
            let (even, spread) = model.at(material);
            even > 0.0 && spread > 0.0
        });
        if !sound {
            return f64::NEG_INFINITY;
        }
        let of = |class: &Class| {
            let (even, spread) = model.at(class.material);
            let terms = class.terms.iter().map(|(score, count)| count * softplus((even - score) / spread));
            let w = 2.0 * even / spread;
            // ln (exp w - 1), without overflow.
            let draws = if class.drawn > 0.0 { class.drawn * (w + (-(-w).exp_m1()).ln()) } else { 0.0 };
            draws - terms.sum::<f64>()
        };
        self.0.iter().map(of).sum()
    }

    /// Slope and curvature (its second derivatives, negated) of the log-likelihood at a model.
    fn derivatives(&self, model: &Model) -> (Numbers, [Numbers; 8]) {
        let (mut slope, mut curvature) = (Numbers::default(), [Numbers::default(); 8]);
        for class in &self.0 {
            let (first, second) = class.derivatives(model.at(class.material));
            let x = f64::from(class.material) / f64::from(REFERENCE) - 1.0;
            // Of a, then of b, each by its four coefficients.
            let power = |index: usize| x.powi(index as i32 % 4);
            for row in 0..8 {
                slope[row] += first[row / 4] * power(row);
                for column in 0..8 {
                    curvature[row][column] -= second[row / 4 + column / 4] * power(row) * power(column);
                }
            }
        }
        (slope, curvature)
    }
}

impl Class {
    /// Derivatives of the log-likelihood by a and b, and by aa, ab and bb.
    fn derivatives(&self, (even, spread): (f64, f64)) -> ([f64; 2], [f64; 3]) {
        let (mut a, mut b, mut aa, mut ab, mut bb) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for &(score, count) in &self.terms {
            let z = (even - score) / spread;
            let rise = 1.0 / (1.0 + (-z).exp());
            let bend = rise * (1.0 - rise);
            a -= count * rise;
            b += count * rise * z;
            aa -= count * bend;
            ab += count * (bend * z + rise);
            bb -= count * z * (bend * z + 2.0 * rise);
        }
        if self.drawn > 0.0 {
            let w = 2.0 * even / spread;
            let rise = self.drawn / -(-w).exp_m1();
            let bend = -rise / w.exp_m1();
            a += 2.0 * rise;
            b -= w * rise;
            aa += 4.0 * bend;
            ab -= 2.0 * (bend * w + rise);
            bb += w * (bend * w + 2.0 * rise);
        }
        ([a / spread, b / spread], [aa, ab, bb].map(|second| second / spread.powi(2)))
    }
}

/// ln (1 + exp z), without overflow.
fn softplus(z: f64) -> f64 {
    z.max(0.0) + (-z.abs()).exp().ln_1p()
}

/// The model of maximum likelihood.
pub(super) fn fit(classes: &Classes) -> Model {
    let model = |numbers: &Numbers| {
        let [a, b, c, d, e, f, g, h] = *numbers;
        Model { even: [a, b, c, d], spread: [e, f, g, h] }
    };
    let (mut best, mut damping) = (START, DAMPING.0);
    let mut highest = classes.likelihood(&model(&best));
    let mut at_best = classes.derivatives(&model(&best));
    for _ in 0..MOST_STEPS {
        let step = damped_step(&at_best, damping);
        let other: Option<Numbers> = step.map(|step| std::array::from_fn(|index| best[index] + step[index]));
        let height = other.map_or(f64::NEG_INFINITY, |other| classes.likelihood(&model(&other)));
        let Some(other) = other.filter(|_| height > highest) else {
            damping *= 10.0;
            if damping > DAMPING.1 {
                break;
            }
            continue;
        };
        let rise = height - highest;
        (best, highest, damping) = (other, height, damping / 10.0);
        if rise < LEAST_RISE * highest.abs() {
            break;
        }
        at_best = classes.derivatives(&model(&best));
    }
    model(&best)
}

/// The step up a slope over a curvature whose diagonal is raised by a part of it; `None` where there is no
/// summit in that direction. By Cholesky's decomposition.
fn damped_step((slope, curvature): &(Numbers, [Numbers; 8]), damping: f64) -> Option<Numbers> {
    let mut lower = [Numbers::default(); 8];
    let mut step = *slope;
    for row in 0..8 {
        for column in 0..=row {
            let known: f64 = (0..column).map(|index| lower[row][index] * lower[column][index]).sum();
            let mut left = curvature[row][column] - known;
            if row == column {
                // A number that changes nothing has no curvature.
                left += damping * curvature[row][row].abs() + f64::MIN_POSITIVE;
                lower[row][row] = Some(left.sqrt()).filter(|root| *root > 0.0)?;
            } else {
                left /= lower[column][column];
                lower[row][column] = left;
            }
        }
        let known: f64 = (0..row).map(|index| lower[row][index] * step[index]).sum();
        step[row] = (step[row] - known) / lower[row][row];
    }
    for row in (0..8).rev() {
        let known: f64 = (row + 1..8).map(|index| lower[index][row] * step[index]).sum();
        step[row] = (step[row] - known) / lower[row][row];
    }
    step.iter().all(|number| number.is_finite()).then_some(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts of games that a model would make, with this many positions of each material and score.
    fn made_by(truth: &Model, positions: f64) -> Counts {
        let mut counts = Counts::new();
        for material in MATERIAL {
            for score in (-400..=400).step_by(20) {
                let [won, lost] = [score, -score].map(|score| truth.win(score.into(), material));
                let count = |chance: f64| (positions * chance).round() as u64;
                let results = Results { won: count(won), drawn: count(1.0 - won - lost), lost: count(lost) };
                counts.insert((material, score), results);
            }
        }
        counts
    }

    const TRUTH: Model = Model { even: [140.0, 40.0, 50.0, -30.0], spread: [70.0, -15.0, 20.0, 25.0] };

    #[test]
    fn the_fit_finds_the_model_that_made_the_games() {
        let found = fit(&Classes::new(&made_by(&TRUTH, 1e5)));
        for (found, truth) in [(found.even, TRUTH.even), (found.spread, TRUTH.spread)] {
            let near = found.iter().zip(truth).all(|(found, truth)| (found - truth).abs() < 0.2);
            assert!(near, "{found:?} for {truth:?}");
        }
    }

    #[test]
    fn grouped_counts_have_the_likelihood_of_single_positions() {
        let counts = made_by(&TRUTH, 30.0);
        let mut sum = 0.0;
        for (&(material, score), results) in &counts {
            let (win, loss) = (TRUTH.win(score.into(), material), TRUTH.win((-score).into(), material));
            for (count, chance) in
                [(results.won, win), (results.drawn, 1.0 - win - loss), (results.lost, loss)]
            {
                sum += (0..count).map(|_| chance.ln()).sum::<f64>();
            }
        }
        let grouped = Classes::new(&counts).likelihood(&TRUTH);
        assert!((grouped / sum - 1.0).abs() < 1e-9, "{grouped} for {sum}");
        let wrong = Model { even: [140.0, 0.0, 0.0, 1e5], ..TRUTH };
        assert_eq!(Classes::new(&counts).likelihood(&wrong), f64::NEG_INFINITY);
    }

    #[test]
    fn slope_and_curvature_are_those_of_the_likelihood() {
        let classes = Classes::new(&made_by(&TRUTH, 30.0));
        let at = [120.0, 30.0, 20.0, -40.0, 80.0, -5.0, 10.0, 5.0];
        let model = |n: Numbers| Model { even: [n[0], n[1], n[2], n[3]], spread: [n[4], n[5], n[6], n[7]] };
        let moved = |index: usize, by: f64| {
            let mut other = at;
            other[index] += by;
            model(other)
        };
        let (slope, curvature) = classes.derivatives(&model(at));
        for index in 0..8 {
            let (up, down) = (moved(index, 1e-3), moved(index, -1e-3));
            let rise = (classes.likelihood(&up) - classes.likelihood(&down)) / 2e-3;
            assert!(
                (rise - slope[index]).abs() < 1e-4 * slope[index].abs().max(1.0),
                "{index}: {rise} {slope:?}"
            );
            let (up, down) = (classes.derivatives(&up).0, classes.derivatives(&down).0);
            for other in 0..8 {
                let bend = (down[other] - up[other]) / 2e-3;
                let found = curvature[index][other];
                assert!(
                    (bend - found).abs() < 1e-4 * found.abs().max(1.0),
                    "{index} {other}: {bend} {found}"
                );
            }
        }
    }

    #[test]
    fn no_step_from_the_fit_gains_anything() {
        let classes = Classes::new(&made_by(&TRUTH, 30.0));
        let found = fit(&classes);
        let (even, spread) = (found.even, found.spread);
        let at = |index: usize, by: f64| {
            let mut numbers = [even, spread].concat();
            numbers[index] += by;
            Model {
                even: std::array::from_fn(|i| numbers[i]),
                spread: std::array::from_fn(|i| numbers[4 + i]),
            }
        };
        let highest = classes.likelihood(&found);
        for (index, by) in (0..8).flat_map(|index| [0.05, -0.05].map(|by| (index, by))) {
            assert!(classes.likelihood(&at(index, by)) < highest, "number {index}, {by}");
        }
    }

    #[test]
    fn games_that_decide_nothing_have_a_fit_too() {
        let all = |results: Results| Counts::from([((58, 0), results), ((17, 600), results)]);
        for results in [
            Results { won: 1, ..Results::default() },
            Results { drawn: 1_000_000, ..Results::default() },
            Results { won: 5, drawn: 0, lost: 5 },
        ] {
            let classes = Classes::new(&all(results));
            let found = fit(&classes);
            assert!(classes.likelihood(&found).is_finite(), "{results:?}: {found:?}");
        }
    }
}
