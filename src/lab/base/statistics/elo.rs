//! Elo difference from pairs of games (pentanomial model), and the sequential probability ratio test (SPRT),
//! which says when enough games are played. A pair is one opening with both colours; pairs are independent,
//! games are not.

/// Pairs by their result for the first player: 0, 1/2, 1, 3/2 and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs(pub [u64; 5]);

/// Points of a pair, per game.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Errors of the first and of the second kind of the SPRT.
const ERROR: f64 = 0.05;

/// Fewest pairs from which a variance is estimated.
pub const FEWEST: u64 = 10;

/// Count in the SPRT of a pair's score that never occurred, as in fishtest and fastchess.
const PSEUDO_COUNT: f64 = 1e-3;

impl Pairs {
    /// Number of pairs.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean score of a game, 0 to 1, and the variance of a pair's score.
    #[must_use]
    pub fn moments(&self) -> (f64, f64) {
        let n = self.count().max(1) as f64;
        let sum = |f: &dyn Fn(f64) -> f64| -> f64 {
            self.0.iter().zip(SCORES).map(|(&count, score)| count as f64 * f(score)).sum::<f64>() / n
        };
        let mean = sum(&|score| score);
        (mean, sum(&|score| (score - mean).powi(2)))
    }

    /// Elo of the mean score, infinite where one side took every point.
    #[must_use]
    pub fn elo(&self) -> f64 {
        elo(self.moments().0)
    }

    /// 95 % interval of Elo; `None` while it is not known, see `Pairs::deviation`.
    #[must_use]
    pub fn interval(&self) -> Option<(f64, f64)> {
        let margin = 1.959_964 * self.deviation()?;
        let mean = self.moments().0;
        Some((elo(mean - margin), elo(mean + margin)))
    }

    /// Half the 95 % interval of the mean score, 0 to 1; `None` while it is not known.
    #[must_use]
    pub fn score_margin(&self) -> Option<f64> {
        Some(1.959_964 * self.deviation()?)
    }

    /// Normalised Elo (nElo) with half its 95 % interval: the difference from an even score in standard
    /// deviations of a game, in units in which it is near logistic Elo where half of the games are drawn, as
    /// in fishtest and fastchess. It depends less on how many games are drawn. `None` while it is not known.
    #[must_use]
    pub fn normalized_elo(&self) -> Option<(f64, f64)> {
        let deviation = self.deviation()?;
        let (mean, variance) = self.moments();
        // A pair is two games: its score varies half as much as that of one.
        let of_a_game = (2.0 * variance).sqrt();
        let unit = 800.0 / std::f64::consts::LN_10 / of_a_game;
        Some(((mean - 0.5) * unit, 1.959_964 * deviation * unit))
    }

    /// Standard deviation of the mean score. `None` while it is not known: there are fewer than [`FEWEST`]
    /// pairs, or all pairs have the same score, from which no variance follows.
    fn deviation(&self) -> Option<f64> {
        let variance = self.moments().1;
        let known = self.count() >= FEWEST && variance > 0.0;
        known.then(|| (variance / self.count() as f64).sqrt())
    }

    /// Likelihood of superiority (LOS): that the first player is the stronger one, 0 to 1. `None` while it is
    /// not known, as with [`Pairs::interval`].
    #[must_use]
    pub fn superiority(&self) -> Option<f64> {
        Some(normal((self.moments().0 - 0.5) / self.deviation()?))
    }

    /// Logarithm of the likelihood ratio (LLR) of `elo1` to `elo0` (logistic Elo), after the generalised SPRT
    /// of Van den Bergh over five results. It estimates the variance, so that it is `None` while that is not
    /// known, as with [`Pairs::interval`].
    #[must_use]
    pub fn log_likelihood_ratio(&self, elo0: f64, elo1: f64) -> Option<f64> {
        self.deviation()?;
        let counts = self.0.map(|count| if count == 0 { PSEUDO_COUNT } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let found = counts.map(|count| count / total);
        let (p0, p1) = (most_likely(&found, score(elo0)), most_likely(&found, score(elo1)));
        Some((0..5).map(|i| counts[i] * (p1[i] / p0[i]).ln()).sum())
    }
}

/// The bounds of the SPRT: below the first `elo0` is accepted, above the second `elo1`.
#[must_use]
pub fn bounds() -> (f64, f64) {
    let upper = ((1.0 - ERROR) / ERROR).ln();
    (-upper, upper)
}

/// The distribution with mean `mean` under which the found one is most likely.
fn most_likely(found: &[f64; 5], mean: f64) -> [f64; 5] {
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..200 {
        let theta = (low + high) / 2.0;
        let slope: f64 =
            found.iter().zip(SCORES).map(|(p, a)| p * (a - mean) / (1.0 + theta * (a - mean))).sum();
        if slope > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
    }
    let theta = (low + high) / 2.0;
    std::array::from_fn(|i| found[i] / (1.0 + theta * (SCORES[i] - mean)))
}

/// The difference in Elo that a score between 0 and 1 stands for.
fn elo(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

fn score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The normal distribution function (Abramowitz and Stegun 7.1.26, to seven digits).
fn normal(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let terms = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let tail = terms.iter().fold(0.0, |sum, term| (sum + term) * t) * (-z * z).exp();
    if x < 0.0 { tail / 2.0 } else { 1.0 - tail / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, wanted: f64, error: f64) {
        assert!((found - wanted).abs() < error, "{found}, not {wanted}");
    }

    #[test]
    fn elo_of_scores() {
        near(elo(0.75), 190.848_5, 1e-3);
        near(elo(0.5), 0.0, 1e-9);
        assert!(elo(0.5).is_sign_positive(), "equal strength is printed as +0.0");
        near(score(100.0), 0.640_065, 1e-6);
        assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn variance_is_that_of_pairs() {
        // Two pairs 1 : 1, one 2 : 0, one 1.5 : 0.5: mean 0.6875, squares 2 * 0.1875^2 + 0.3125^2 + 0.0625^2.
        let (mean, variance) = Pairs([0, 0, 2, 1, 1]).moments();
        near(mean, 0.6875, 1e-12);
        near(variance, 0.171_875 / 4.0, 1e-12);
        near(normal(1.959_964), 0.975, 1e-6);
        near(normal(-1.0), 0.158_655, 1e-6);
    }

    #[test]
    fn nothing_is_known_from_few_pairs_or_equal_ones() {
        let unknown = |pairs: Pairs| {
            let ratio = pairs.log_likelihood_ratio(0.0, 5.0);
            pairs.interval().is_none() && pairs.superiority().is_none() && ratio.is_none()
        };
        for pairs in [[0; 5], [0, 0, 1, 0, 0], [0, 0, 0, 0, 1], [1, 2, 3, 2, 1], [0, 0, 500, 0, 0]] {
            assert!(unknown(Pairs(pairs)), "{pairs:?}");
        }
        assert_eq!((Pairs([0, 0, 1, 0, 0]).elo(), Pairs([0, 0, 0, 0, 1]).elo()), (0.0, f64::INFINITY));
        let known = Pairs([1, 2, 4, 2, 1]);
        assert!(!unknown(known));
        let (least, most) = known.interval().unwrap();
        near(least, -most, 1e-9);
        assert!(least < -50.0 && most > 50.0);
        near(known.superiority().unwrap(), 0.5, 1e-6);
    }

    #[test]
    fn normalized_elo_is_that_of_fastchess() {
        // Mean 0.52, variance of a pair's score 0.03835: 0.02 / sqrt(0.0767) * 347.436.
        let pairs = Pairs([10, 210, 500, 250, 30]);
        let (mean, variance) = pairs.moments();
        near(mean, 0.52, 1e-12);
        near(variance, 0.038_35, 1e-9);
        let (elo, margin) = pairs.normalized_elo().unwrap();
        near(elo, 0.02 / (2.0 * variance).sqrt() * 347.435_6, 1e-4);
        near(margin, 1.959_964 * 347.435_6 / 2000f64.sqrt(), 1e-3);
        near(pairs.score_margin().unwrap(), 1.959_964 * (variance / 1000.0).sqrt(), 1e-9);
        assert!(Pairs([0, 0, 500, 0, 0]).normalized_elo().is_none());
    }

    #[test]
    fn likelihoods_are_those_of_fastchess() {
        // From fastchess's own tests: order LL, LD, WL and DD, WD, WW.
        let ratio = |pairs, elo0, elo1| Pairs(pairs).log_likelihood_ratio(elo0, elo1).unwrap();
        near(ratio([223, 9863, 21279, 10037, 246], 0.5, 2.5), -3.07, 0.02);
        near(ratio([871, 26175, 55983, 26678, 821], 0.0, 2.0), -4.98, 0.03);
        near(bounds().1, 2.944_4, 1e-4);
    }
}
