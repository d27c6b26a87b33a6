//! SPSA, simultaneous perturbation stochastic approximation (Spall 1992), as chess engines use it: all
//! parameters are moved at once, each up or down by chance, the two settings that result play each other, and
//! every parameter moves a little in the direction of the winner. The caller plays the games.

use crate::random::SplitMix64;

/// Spall's alpha: exponent by which the gain falls with the iterations.
const ALPHA: f64 = 0.602;

/// Spall's gamma: exponent by which the perturbation falls.
const GAMMA: f64 = 0.101;

/// Spall's A as a part of all iterations; it keeps the first steps small.
const STABILITY: f64 = 0.1;

/// Parameter to be tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct TunableParameter {
    /// Its name.
    pub name: String,
    /// The first value.
    pub start: f64,
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
    /// The perturbation in the last iteration; earlier ones are larger.
    pub step: f64,
}

/// SPSA with its parameters: the perturbations of an iteration follow from the seed and its number alone.
#[derive(Clone, Debug)]
pub struct Spsa {
    /// The parameters.
    pub knobs: Vec<TunableParameter>,
    /// Iterations in all.
    pub iterations: usize,
    /// Change of a parameter for a won game in the last iteration, in steps.
    pub rate: f64,
    /// Seed of the perturbations.
    pub seed: u64,
}

/// Two settings to be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// For each knob, 1 where the first setting has more, else -1.
    pub signs: Vec<f64>,
    /// The first setting.
    pub plus: Vec<i32>,
    /// The second one.
    pub minus: Vec<i32>,
}

impl Spsa {
    /// The perturbation of a knob in an iteration (from 0): Spall's c / (k + 1)^gamma.
    fn perturbation(&self, knob: &TunableParameter, iteration: usize) -> f64 {
        knob.step * (self.iterations as f64 / (iteration + 1) as f64).powf(GAMMA)
    }

    /// The gain of a knob in an iteration (from 0): Spall's a / (A + k + 1)^alpha.
    fn gain(&self, knob: &TunableParameter, iteration: usize) -> f64 {
        let all = self.iterations as f64;
        let fallen = (STABILITY * all + all) / (STABILITY * all + (iteration + 1) as f64);
        self.rate * knob.step * knob.step * fallen.powf(ALPHA)
    }

    /// The settings to be compared in an iteration around `values`. Values are rounded up or down by chance,
    /// with probabilities that keep their mean.
    #[must_use]
    pub fn trial(&self, values: &[f64], iteration: usize) -> Trial {
        let mut random = SplitMix64::of_number(self.seed, iteration);
        let mut trial = Trial { signs: Vec::new(), plus: Vec::new(), minus: Vec::new() };
        for (knob, value) in self.knobs.iter().zip(values) {
            let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
            let by = sign * self.perturbation(knob, iteration);
            let chance = random.below(1 << 20) as f64 / f64::from(1 << 20);
            let whole = |value: f64| (value + chance).floor().clamp(knob.min, knob.max) as i32;
            trial.signs.push(sign);
            trial.plus.push(whole(value + by));
            trial.minus.push(whole(value - by));
        }
        trial
    }

    /// Moves the values by the result of a trial: games won less games lost by its first setting.
    pub fn learn(&self, values: &mut [f64], iteration: usize, trial: &Trial, result: f64) {
        for ((knob, value), sign) in self.knobs.iter().zip(values).zip(&trial.signs) {
            let slope = result * sign / self.perturbation(knob, iteration);
            *value = (*value + self.gain(knob, iteration) * slope).clamp(knob.min, knob.max);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(iterations: usize) -> Spsa {
        let knob =
            |start, step| TunableParameter { name: "knob".to_owned(), start, min: 0.0, max: 200.0, step };
        Spsa {
            knobs: vec![knob(40.0, 6.0), knob(150.0, 10.0), knob(90.0, 4.0)],
            iterations,
            rate: 0.02,
            seed: 7,
        }
    }

    /// Strength falls with the squared distance from the best setting; games are won by chance.
    #[test]
    fn spsa_finds_the_best_setting_in_noise() {
        let (spsa, best) = (plan(2000), [100.0, 100.0, 100.0]);
        let away = |values: &[f64]| -> f64 {
            values.iter().zip(best).map(|(value, best)| (value - best).powi(2)).sum::<f64>()
        };
        let strength =
            |values: &[i32]| -away(&values.iter().map(|&n| f64::from(n)).collect::<Vec<_>>()) / 3000.0;
        let mut values: Vec<f64> = spsa.knobs.iter().map(|knob| knob.start).collect();
        let (before, mut luck) = (away(&values), SplitMix64::new(1));
        for iteration in 0..spsa.iterations {
            let trial = spsa.trial(&values, iteration);
            let chance = 1.0 / (1.0 + (strength(&trial.minus) - strength(&trial.plus)).exp());
            let won = (0..16).filter(|_| (luck.below(1 << 20) as f64) < chance * f64::from(1 << 20)).count();
            spsa.learn(&mut values, iteration, &trial, 2.0 * won as f64 - 16.0);
        }
        assert!(away(&values) < before / 20.0, "{before} to {}: {values:?}", away(&values));
    }

    #[test]
    fn steps_fall_to_what_was_asked_for() {
        let spsa = plan(100);
        let knob = &spsa.knobs[0];
        assert!((spsa.perturbation(knob, 99) - 6.0).abs() < 1e-12);
        assert!((spsa.gain(knob, 99) - 0.02 * 36.0).abs() < 1e-12);
        // c / 1^gamma against c / 100^gamma, and a / (10 + 1)^alpha against a / (10 + 100)^alpha.
        assert!((spsa.perturbation(knob, 0) / 6.0 - 100f64.powf(0.101)).abs() < 1e-9);
        assert!((spsa.gain(knob, 0) / spsa.gain(knob, 99) - 10f64.powf(0.602)).abs() < 1e-9);
    }

    #[test]
    fn trials_repeat_themselves_and_stay_in_range() {
        let spsa = plan(50);
        let values = [0.0, 200.0, 90.5];
        assert_eq!(spsa.trial(&values, 3), spsa.trial(&values, 3));
        assert!(
            (0..50).any(|iteration| spsa.trial(&values, iteration).signs != spsa.trial(&values, 3).signs)
        );
        for trial in (0..50).map(|iteration| spsa.trial(&values, iteration)) {
            assert!(trial.plus.iter().chain(&trial.minus).all(|value| (0..=200).contains(value)));
            assert!(trial.plus[2] != trial.minus[2]);
        }
        let mut moved = [0.0, 200.0, 90.5];
        spsa.learn(&mut moved, 3, &spsa.trial(&values, 3), 0.0);
        assert_eq!(moved, values);
    }
}
