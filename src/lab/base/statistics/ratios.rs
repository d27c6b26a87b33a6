//! Ratios of counts: ratio of totals and geometric mean, with bootstrap intervals over positions.

use crate::random::SplitMix64;

/// Resamples of a bootstrap.
const RESAMPLES: usize = 1000;

/// A number with its 95 % interval from resampling positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Lower and upper end of the interval; 0 and infinity where one position is all there is, which shows no
    /// spread.
    pub interval: (f64, f64),
}

impl Estimate {
    /// The interval, where something is known of it.
    #[must_use]
    pub fn known_interval(&self) -> Option<(f64, f64)> {
        Some(self.interval).filter(|(_, high)| high.is_finite())
    }

    /// The ends of the interval as `show` writes them; `-` where they are not known.
    pub fn ends(&self, show: impl Fn(f64) -> String) -> [String; 2] {
        let known = self.known_interval();
        known.map_or_else(|| ["-"; 2].map(str::to_owned), |(low, high)| [low, high].map(show))
    }

    /// The number and the ends of its interval as `show` writes them, with a unit behind the number:
    /// `98.0 % [96.1, 99.6]`.
    pub fn told(&self, unit: &str, show: impl Fn(f64) -> String) -> String {
        let [low, high] = self.ends(&show);
        format!("{}{unit} [{low}, {high}]", show(self.value))
    }

    /// Estimate from `times` as much data, if the value stayed: the interval shrinks with the root of their
    /// number.
    #[must_use]
    pub fn narrowed(self, times: f64) -> Estimate {
        let Estimate { value, interval: (low, high) } = self;
        let end = |end: f64| value + (end - value) / times.sqrt();
        Estimate { value, interval: (end(low), end(high)) }
    }
}

/// Amount that a contender needs relative to the base, over a set of positions. 1.0 = as much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// Sum over sum: large positions weigh most.
    pub totals: Estimate,
    /// Geometric mean of the ratios per position: every position weighs the same.
    pub geometric: Estimate,
}

/// Compares pairs (contender, base), one a position. Pairs with a count of zero have no ratio and are left
/// out; `None` when nothing is left.
#[must_use]
pub fn ratio(pairs: &[(f64, f64)], seed: u64) -> Option<Ratio> {
    let pairs: Vec<_> = pairs.iter().copied().filter(|(a, b)| *a > 0.0 && *b > 0.0).collect();
    if pairs.is_empty() {
        return None;
    }
    let totals = |sample: &[(f64, f64)]| {
        let (sum, base) = sample.iter().fold((0.0, 0.0), |(a, b), pair| (a + pair.0, b + pair.1));
        sum / base
    };
    let geometric = |sample: &[(f64, f64)]| {
        let sum: f64 = sample.iter().map(|(a, b)| (a / b).ln()).sum();
        (sum / sample.len() as f64).exp()
    };
    Some(Ratio { totals: bootstrap(&pairs, totals, seed), geometric: bootstrap(&pairs, geometric, seed) })
}

/// A statistic of a sample (which is not empty), and its percentile interval over resamples.
fn bootstrap<T: Copy>(sample: &[T], statistic: impl Fn(&[T]) -> f64, seed: u64) -> Estimate {
    if sample.len() < 2 {
        return Estimate { value: statistic(sample), interval: (0.0, f64::INFINITY) };
    }
    let mut random = SplitMix64::new(seed);
    let mut drawn = sample.to_vec();
    let mut values = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        drawn.fill_with(|| sample[random.below(sample.len())]);
        values.push(statistic(&drawn));
    }
    values.sort_by(f64::total_cmp);
    let outside = RESAMPLES / 40;
    Estimate { value: statistic(sample), interval: (values[outside], values[RESAMPLES - 1 - outside]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn the_generator_is_the_published_one() {
        let mut random = SplitMix64::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
        assert_eq!(random.next(), 9_817_491_932_198_370_423);
    }

    #[test]
    fn totals_weigh_large_positions_and_means_do_not() {
        let found = ratio(&[(50.0, 100.0), (2.0, 1.0)], 1).unwrap();
        assert!(close(found.totals.value, 52.0 / 101.0));
        assert!(close(found.geometric.value, 1.0));
    }

    #[test]
    fn equal_ratios_have_no_spread() {
        let found = ratio(&[(9.0, 10.0), (90.0, 100.0), (0.9, 1.0)], 5).unwrap();
        for estimate in [found.totals, found.geometric] {
            assert!(
                [estimate.value, estimate.interval.0, estimate.interval.1].iter().all(|&n| close(n, 0.9))
            );
        }
    }

    #[test]
    fn the_interval_holds_the_value_and_narrows_with_more_positions() {
        let pairs = |n: u64| -> Vec<(f64, f64)> {
            let mut random = SplitMix64::new(n);
            (0..n).map(|_| (80.0 + random.below(40) as f64, 100.0)).collect()
        };
        let widths = |n| {
            let found = ratio(&pairs(n), 3).unwrap();
            [found.totals, found.geometric].map(|Estimate { value, interval: (low, high) }| {
                assert!(low <= value && value <= high);
                high - low
            })
        };
        let (wide, narrow) = (widths(20), widths(1000));
        assert!(narrow[0] < wide[0] / 3.0 && narrow[1] < wide[1] / 3.0);
    }

    #[test]
    fn the_same_seed_gives_the_same_interval() {
        let pairs: Vec<_> = (1..30).map(|i| (f64::from(i * i % 17 + 1), 5.0)).collect();
        assert_eq!(ratio(&pairs, 9), ratio(&pairs, 9));
    }

    #[test]
    fn zeros_have_no_ratio() {
        for pairs in [&[][..], &[(0.0, 0.0)], &[(3.0, 0.0)], &[(0.0, 4.0)]] {
            assert_eq!(ratio(pairs, 1), None);
        }
        let found = ratio(&[(0.0, 4.0), (2.0, 4.0)], 1).unwrap();
        assert!(close(found.totals.value, 0.5) && close(found.geometric.value, 0.5));
        assert_eq!(found.totals.known_interval(), None, "one position shows no spread");
    }
}
