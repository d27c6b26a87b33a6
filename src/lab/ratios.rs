//! Ratios with honest error bars: totals, geometric means, and bootstrap intervals over positions.

/// Resamples of a bootstrap.
const RESAMPLES: usize = 1000;

/// How much one contender needs of what the base needs, over a set of positions. 1.0 = as much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// Sum over sum: large positions weigh most.
    pub totals: f64,
    /// Geometric mean of the ratios per position: every position weighs the same.
    pub geometric: f64,
    /// The 95 % interval of the geometric mean, from resampling positions.
    pub interval: (f64, f64),
}

/// Compares pairs (contender, base), one a position. Pairs with a count of zero have no ratio and are left out
/// of the mean; `None` when nothing is left or the base's total is zero.
#[must_use]
pub fn ratio(pairs: &[(f64, f64)], seed: u64) -> Option<Ratio> {
    let (sum, base) = pairs.iter().fold((0.0, 0.0), |(a, b), pair| (a + pair.0, b + pair.1));
    let logarithms: Vec<f64> =
        pairs.iter().filter(|(a, b)| *a > 0.0 && *b > 0.0).map(|(a, b)| (a / b).ln()).collect();
    if logarithms.is_empty() || base <= 0.0 {
        return None;
    }
    let (low, high) = bootstrap(&logarithms, seed);
    Some(Ratio { totals: sum / base, geometric: mean(&logarithms).exp(), interval: (low.exp(), high.exp()) })
}

/// The 95 % percentile interval of the mean of `values` (which are not empty).
fn bootstrap(values: &[f64], seed: u64) -> (f64, f64) {
    let mut random = SplitMix64::new(seed);
    let mut resample = || {
        let sum: f64 = values.iter().map(|_| values[random.below(values.len())]).sum();
        sum / values.len() as f64
    };
    let mut means: Vec<f64> = (0..RESAMPLES).map(|_| resample()).collect();
    means.sort_by(f64::total_cmp);
    let outside = RESAMPLES / 40;
    (means[outside], means[RESAMPLES - 1 - outside])
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Steele, Lea and Flood's small generator: the same numbers on every machine.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Starts from a seed.
    #[must_use]
    pub const fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    /// The next 64 bits.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number from 0 to `limit` - 1; `limit` must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }
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
    fn totals_and_means_differ_as_they_should() {
        let found = ratio(&[(50.0, 100.0), (2.0, 1.0)], 1).unwrap();
        assert!(close(found.totals, 52.0 / 101.0));
        assert!(close(found.geometric, 1.0));
    }

    #[test]
    fn equal_ratios_have_no_spread() {
        let found = ratio(&[(9.0, 10.0), (90.0, 100.0), (0.9, 1.0)], 5).unwrap();
        assert!(close(found.geometric, 0.9));
        assert!(close(found.interval.0, 0.9) && close(found.interval.1, 0.9));
    }

    #[test]
    fn the_interval_holds_the_mean_and_narrows_with_more_positions() {
        let pairs = |n: u64| -> Vec<(f64, f64)> {
            let mut random = SplitMix64::new(n);
            (0..n).map(|_| (80.0 + random.below(40) as f64, 100.0)).collect()
        };
        let width = |n| {
            let found = ratio(&pairs(n), 3).unwrap();
            assert!(found.interval.0 <= found.geometric && found.geometric <= found.interval.1);
            found.interval.1 - found.interval.0
        };
        assert!(width(1000) < width(20) / 3.0);
    }

    #[test]
    fn the_same_seed_gives_the_same_interval() {
        let pairs: Vec<_> = (1..30).map(|i| (f64::from(i * i % 17 + 1), 5.0)).collect();
        assert_eq!(ratio(&pairs, 9), ratio(&pairs, 9));
    }

    #[test]
    fn zeros_have_no_ratio() {
        assert_eq!(ratio(&[], 1), None);
        assert_eq!(ratio(&[(0.0, 0.0)], 1), None);
        assert_eq!(ratio(&[(3.0, 0.0)], 1), None);
        assert_eq!(ratio(&[(0.0, 4.0)], 1), None);
        let found = ratio(&[(0.0, 4.0), (2.0, 4.0)], 1).unwrap();
        assert!(close(found.totals, 0.25) && close(found.geometric, 0.5));
    }
}
