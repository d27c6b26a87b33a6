//! Drivers in the model: the cost of an iteration that the model predicts for any driver, from drawn values.

use super::arena::Contender;
use super::model::{CELLS, Ends, FAR, Model};
use crate::minimax::driver::Bracket;
use crate::minimax::drivers::DriverParameters;
use crate::minimax::{Forest, Stopped, Tree, Window};
use crate::random::SplitMix64;

/// Iterations that are drawn.
const DRAWS: usize = 4000;

/// No value is as great.
const LIMIT: i32 = 30_000;

/// Expected cost and tests of an iteration.
#[derive(Clone, Copy, Debug)]
pub struct Predicted {
    /// In iterations of MTD(f).
    pub cost: f64,
    /// Searches of the root.
    pub passes: f64,
}

/// A root whose value and costs are drawn from the model.
struct Drawn<'m> {
    model: &'m Model,
    value: i32,
    random: SplitMix64,
    ends: Ends,
    cost: f64,
}

impl Tree<i32> for Drawn<'_> {
    fn test(&mut self, window: Window<i32>) -> Result<i32, Stopped> {
        let (cell, bound) = (self.model.cell, window.beta);
        let high = self.value >= bound;
        let (at, value) = (bound.div_euclid(cell), self.value.div_euclid(cell));
        let distance = if high { value - at } else { (at - 1 - value).max(0) };
        let context = self.ends.context(high, at, cell);
        self.cost += self.model.cost(high, context, distance);
        let exact = unit(&mut self.random) < self.model.exact(high, distance);
        let answer = match (exact, high) {
            (true, _) => self.value,
            (false, true) => bound,
            (false, false) => bound - 1,
        };
        self.ends.learn(high, answer.div_euclid(cell));
        Ok(answer)
    }
}

impl Forest for Drawn<'_> {
    fn moves(&self) -> usize {
        0
    }

    fn test_move(&mut self, _: usize, _: i32) -> Result<i32, Stopped> {
        Err(Stopped)
    }
}

/// A number from 0.0 to 1.0.
fn unit(random: &mut SplitMix64) -> f64 {
    random.below(1 << 24) as f64 / f64::from(1 << 24)
}

/// A number of a list of chances.
fn drawn(chances: &[f64], random: &mut SplitMix64) -> usize {
    let mut left = unit(random);
    let mut number = 0;
    while number + 1 < chances.len() && left >= chances[number] {
        left -= chances[number];
        number += 1;
    }
    number
}

/// The cost of a driver in the model; `clairvoyant`: its guess is the value.
pub fn predict(model: &Model, contender: &Contender<'_>, clairvoyant: bool) -> Option<Predicted> {
    let mut random = SplitMix64::new(1995);
    let (mut cost, mut passes) = (0.0, 0.0);
    for _ in 0..DRAWS {
        let class = drawn(&model.share, &mut random);
        let change = if class == 0 { 0 } else { model.changes[class - 1] + 1 };
        let offset = drawn(&model.chance[class], &mut random).min(CELLS - 1) as i32 - FAR;
        let within = |random: &mut SplitMix64| random.below(model.cell as usize) as i32;
        let value = offset * model.cell + within(&mut random);
        let guess = within(&mut random) - model.drift * change / 100;
        let parameters = DriverParameters { grid: model.cell, change, ..contender.algorithm.parameters };
        let seed = random.next();
        let mut root =
            Drawn { model, value, random: SplitMix64::new(seed), ends: Ends::default(), cost: 0.0 };
        let mut bracket = Bracket::new(-LIMIT, LIMIT, if clairvoyant { value } else { guess });
        contender.algorithm.driver.close(&mut root, &parameters, &mut bracket).ok()?;
        cost += root.cost;
        passes += f64::from(bracket.passes);
    }
    Some(Predicted { cost: cost / DRAWS as f64, passes: passes / DRAWS as f64 })
}
