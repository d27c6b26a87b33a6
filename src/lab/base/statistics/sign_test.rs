//! Sign test of two contenders on the same tasks: only tasks count that one of them solved alone.

use super::ratios::Estimate;

/// Standard deviations to either side of a 95 % interval.
const DEVIATIONS: f64 = 1.959_964;

/// The two-sided exact sign test (McNemar's, where tasks are solved or not): the probability that two equal
/// contenders differ at least so much, when one was alone ahead `a` times and the other `b` times.
#[must_use]
pub fn probability(a: u64, b: u64) -> f64 {
    let (fewer, all) = (a.min(b), a + b);
    // The binomial terms as logarithms: powers of one half vanish in a long sum.
    let mut term = -(all as f64) * std::f64::consts::LN_2;
    let mut sum = 0.0;
    for k in 0..=fewer {
        sum += term.exp();
        term += ((all - k) as f64).ln() - ((k + 1) as f64).ln();
    }
    (2.0 * sum).min(1.0)
}

/// Growth of the share of solved tasks from the first contender to the second, of `tasks` of which the first
/// alone solved `a` and the second alone `b`; with the 95 % interval of Agresti and Min (2005), who add
/// half a task to each of the four outcomes.
#[must_use]
pub fn difference(a: u64, b: u64, tasks: u64) -> Estimate {
    let value = (b as f64 - a as f64) / tasks.max(1) as f64;
    let (a, b, tasks) = (a as f64 + 0.5, b as f64 + 0.5, tasks as f64 + 2.0);
    let middle = (b - a) / tasks;
    let error = DEVIATIONS * (a + b - (b - a).powi(2) / tasks).sqrt() / tasks;
    Estimate { value, interval: ((middle - error).max(-1.0), (middle + error).min(1.0)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-6, "{found}, not {wanted}");
    }

    #[test]
    fn probabilities_are_binomial() {
        near(probability(0, 0), 1.0);
        near(probability(0, 1), 1.0);
        near(probability(0, 5), 2.0 / 32.0);
        near(probability(5, 0), 2.0 / 32.0);
        near(probability(2, 8), 2.0 * (1.0 + 10.0 + 45.0) / 1024.0);
        near(probability(7, 7), 1.0);
        // 2 * P(X <= 450) of 1000 fair coins.
        near(probability(450, 550), 0.001_730_536);
    }

    #[test]
    fn intervals_hold_the_difference_and_zero_when_equal() {
        let equal = difference(10, 10, 100);
        assert!(equal.value == 0.0 && equal.interval.0 < 0.0 && equal.interval.1 > 0.0);
        let clear = difference(2, 30, 100);
        near(clear.value, 0.28);
        assert!(clear.interval.0 > 0.15 && clear.interval.1 < 0.40, "{clear:?}");
        let none = difference(0, 0, 0);
        assert!(none.value == 0.0 && none.interval.0 >= -1.0 && none.interval.1 <= 1.0);
    }
}
