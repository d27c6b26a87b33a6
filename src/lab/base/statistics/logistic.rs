//! Logistic regression of game results on scores, as Texel's tuning method (Österlund) uses it: the expected
//! points of a score, the steepness K that fits scores to points, and gradient descent by Adam.

/// Decay of Adam's mean of gradients (Kingma and Ba's beta 1).
const FIRST_DECAY: f64 = 0.9;

/// Decay of Adam's mean of squared gradients (beta 2).
const SECOND_DECAY: f64 = 0.999;

/// Adam's epsilon, which prevents division by zero; small against the gradients of a mean over many
/// positions.
const EPSILON: f64 = 1e-12;

/// Least and greatest steepness of the search.
const STEEPNESS: (f64, f64) = (0.01, 10.0);

/// Golden section: the part of the interval that each step of the search keeps.
const GOLDEN: f64 = 0.618_033_988_749_895;

/// Points, 0 to 1, expected from a score in centipawns: 1 / (1 + 10^(-k score / 400)).
#[must_use]
pub fn expected(k: f64, score: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-k * score / 400.0))
}

/// Derivative of the expected points by the score, for a centipawn.
#[must_use]
pub fn slope(k: f64, score: f64) -> f64 {
    let points = expected(k, score);
    points * (1.0 - points) * k * std::f64::consts::LN_10 / 400.0
}

/// The K with the least mean squared error, for pairs of a score and the points of the game.
#[must_use]
pub fn fit(pairs: &[(f64, f64)]) -> f64 {
    best_steepness(|k| pairs.iter().map(|&(score, points)| (expected(k, score) - points).powi(2)).sum())
}

/// The K with the least error, by golden section on a logarithmic scale.
#[must_use]
pub fn best_steepness(error_of: impl Fn(f64) -> f64) -> f64 {
    let error = |log_k: f64| error_of(log_k.exp());
    let (mut least, mut most) = (STEEPNESS.0.ln(), STEEPNESS.1.ln());
    while most - least > 1e-6 {
        let (left, right) = (most - GOLDEN * (most - least), least + GOLDEN * (most - least));
        if error(left) < error(right) {
            most = right;
        } else {
            least = left;
        }
    }
    (least / 2.0 + most / 2.0).exp()
}

/// Adam (Kingma and Ba 2015): gradient descent in which every number takes steps of about the same length,
/// longer ones while its gradient keeps its sign.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// The decaying mean of the gradients, for each number.
    pub first: Vec<f64>,
    /// The decaying mean of their squares.
    pub second: Vec<f64>,
}

impl Adam {
    /// The state before the first step, for so many numbers.
    #[must_use]
    pub fn new(numbers: usize) -> Adam {
        Adam { first: vec![0.0; numbers], second: vec![0.0; numbers] }
    }

    /// Takes step `number` (from 1) down a gradient; `rates` are about its length for each value.
    pub fn step(&mut self, number: usize, rates: &[f64], values: &mut [f64], gradient: &[f64]) {
        let unbiased = |decay: f64| 1.0 - decay.powf(number as f64);
        let (first_part, second_part) = (unbiased(FIRST_DECAY), unbiased(SECOND_DECAY));
        let memory = self.first.iter_mut().zip(&mut self.second);
        let numbers = values.iter_mut().zip(rates).zip(gradient);
        for (((value, rate), &slope), (first, second)) in numbers.zip(memory) {
            *first = FIRST_DECAY * *first + (1.0 - FIRST_DECAY) * slope;
            *second = SECOND_DECAY * *second + (1.0 - SECOND_DECAY) * slope * slope;
            *value -= rate * (*first / first_part) / ((*second / second_part).sqrt() + EPSILON);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    #[test]
    fn the_steepness_is_found() {
        let mut random = SplitMix64::new(5);
        for k in [0.4, 1.0, 2.3] {
            let mut chance =
                |score: f64| f64::from(random.below(1 << 20) as u32) < expected(k, score) * 1048576.0;
            let pairs: Vec<(f64, f64)> = (0..40_000)
                .map(|index| f64::from(index % 800 - 400))
                .map(|score| (score, if chance(score) { 1.0 } else { 0.0 }))
                .collect();
            let found = fit(&pairs);
            assert!((found / k - 1.0).abs() < 0.05, "{found} for {k}");
        }
        // Without chance it is exact.
        let pairs: Vec<(f64, f64)> =
            (-300..300).map(|score| (f64::from(score), expected(1.7, f64::from(score)))).collect();
        assert!((fit(&pairs) - 1.7).abs() < 1e-4);
    }

    #[test]
    fn the_slope_is_the_derivative() {
        for score in [-310.0, -20.0, 0.0, 150.0] {
            let wanted = (expected(1.3, score + 1e-3) - expected(1.3, score - 1e-3)) / 2e-3;
            assert!((slope(1.3, score) - wanted).abs() < 1e-9);
        }
    }

    #[test]
    fn adam_finds_the_minimum() {
        let best = [30.0, -7.0, 0.5];
        let (mut values, mut adam) = (vec![0.0; 3], Adam::new(3));
        for number in 1..400 {
            // The axes differ in steepness by a factor of a hundred.
            let gradient: Vec<f64> = (0..3).map(|i| (values[i] - best[i]) * [1.0, 0.1, 10.0][i]).collect();
            adam.step(number, &[0.5; 3], &mut values, &gradient);
        }
        assert!(values.iter().zip(best).all(|(value, best)| (value - best).abs() < 0.2), "{values:?}");
    }
}
