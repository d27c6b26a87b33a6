//! The network in floating point: parameters, output, loss and gradient.
//!
//! A parameter has one number in one flat vector, whose order is [`Layout`]'s. Optimiser, checkpoint and averaging know
//! no more than that. The loss is the squared error of the expected points: `(sigmoid(output) - target)^2`.

use super::sample::{Inputs, Sample};
use crate::eval::network::architecture::WIDTH_STEP;
use crate::eval::network::{Activation, Architecture, Layout};
use crate::random::SplitMix64;

/// Lanes of a sum: enough for two vector registers of eight, in an order that no compiler may change.
const LANES: usize = 16;

/// A network in floating point.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Widths and options.
    pub architecture: Architecture,
    /// The parameters, in the order of [`Layout`].
    pub parameters: Vec<f32>,
}

/// Scratch memory of a thread.
pub struct Scratch {
    inputs: Inputs,
    /// The accumulators of both views, then their gradients.
    sums: [Vec<f32>; 2],
    active: Vec<f32>,
    back: Vec<f32>,
}

impl Scratch {
    /// For an architecture.
    #[must_use]
    pub fn new(architecture: &Architecture) -> Scratch {
        let width = architecture.width;
        Scratch {
            inputs: Inputs::default(),
            sums: [vec![0.0; width], vec![0.0; width]],
            active: vec![0.0; 2 * width],
            back: vec![0.0; 2 * width],
        }
    }
}

impl Model {
    /// A network that knows nothing: small random weights, the same for a seed on every machine.
    #[must_use]
    pub fn random(architecture: Architecture, seed: u64) -> Model {
        let layout = Layout::of(&architecture);
        let mut random = SplitMix64::new(seed);
        let mut uniform = |bound: f32| {
            let unit = (random.next() >> 40) as f32 / (1_u32 << 24) as f32;
            bound * (2.0 * unit - 1.0)
        };
        let mut parameters = vec![0.0; layout.len];
        // Some twenty inputs are set at a time; He's bound for the first layer, Glorot's for the second.
        let first = (1.0 / 20.0_f32).sqrt() * 0.5;
        let second = (1.0 / (2 * architecture.width) as f32).sqrt();
        let [(_, weights), (_, biases), (_, output), _] = layout.parts();
        parameters[weights].iter_mut().for_each(|weight| *weight = uniform(first));
        // Half of the clipped range: neurons begin where they have a slope.
        parameters[biases].iter_mut().for_each(|bias| *bias = 0.5 + uniform(first));
        parameters[output].iter_mut().for_each(|weight| *weight = uniform(second));
        Model { architecture, parameters }
    }

    /// The output for a sample, for the side to move, in units of the sigmoid's argument.
    #[must_use]
    pub fn output(&self, sample: &Sample, scratch: &mut Scratch) -> f32 {
        let layout = Layout::of(&self.architecture);
        sample.inputs(&self.architecture, &mut scratch.inputs);
        self.forward(&layout, scratch)
    }

    fn forward(&self, layout: &Layout, scratch: &mut Scratch) -> f32 {
        let Scratch { inputs, sums, active, .. } = scratch;
        for ((view, sum), active) in
            inputs.views.iter().zip(sums.iter_mut()).zip(active.chunks_mut(self.architecture.width))
        {
            sum.copy_from_slice(&self.parameters[layout.biases()]);
            add_rows(sum, &self.parameters[layout.weights()], view);
            match self.architecture.activation {
                Activation::SCRelu => activate(active, sum, |x| {
                    let x = x.clamp(0.0, 1.0);
                    x * x
                }),
                Activation::CRelu => activate(active, sum, |x| x.clamp(0.0, 1.0)),
            }
        }
        let bucket = inputs.bucket;
        dot(active, &self.parameters[layout.output(bucket)]) + self.parameters[layout.output_bias(bucket)]
    }

    /// Adds the gradient of the loss over some samples to `gradient`, and returns the loss, both summed.
    pub fn add_gradient(
        &self,
        samples: &[Sample],
        target: &Target,
        gradient: &mut [f32],
        scratch: &mut Scratch,
    ) -> f64 {
        let layout = Layout::of(&self.architecture);
        let mut loss = 0.0;
        for sample in samples {
            sample.inputs(&self.architecture, &mut scratch.inputs);
            let expected = sigmoid(self.forward(&layout, scratch));
            let error = expected - target.of(sample);
            loss += f64::from(error * error);
            self.backward(&layout, 2.0 * error * expected * (1.0 - expected), gradient, scratch);
        }
        loss
    }

    /// Adds the gradient of one sample, whose output has the gradient `slope`.
    fn backward(&self, layout: &Layout, slope: f32, gradient: &mut [f32], scratch: &mut Scratch) {
        let Scratch { inputs, sums, active, back } = scratch;
        let output = layout.output(inputs.bucket);
        gradient[layout.output_bias(inputs.bucket)] += slope;
        for (sum, active) in gradient[output.clone()].iter_mut().zip(active.iter()) {
            *sum += slope * active;
        }
        let weights = self.parameters[output].chunks(self.architecture.width);
        for ((back, weights), sums) in back.chunks_mut(self.architecture.width).zip(weights).zip(sums.iter())
        {
            match self.architecture.activation {
                Activation::SCRelu => differentiate(back, weights, sums, |sum| 2.0 * slope * sum),
                Activation::CRelu => differentiate(back, weights, sums, |_| slope),
            }
        }
        for (view, back) in inputs.views.iter().zip(back.chunks(self.architecture.width)) {
            add(&mut gradient[layout.biases()], back);
            add_to_rows(&mut gradient[layout.weights()], back, view);
        }
    }

    /// The mean loss over samples.
    #[must_use]
    pub fn loss(&self, samples: &[Sample], target: &Target, scratch: &mut Scratch) -> f64 {
        let error = |sample: &Sample| {
            let error = sigmoid(self.output(sample, scratch)) - target.of(sample);
            f64::from(error * error)
        };
        samples.iter().map(error).sum::<f64>() / samples.len().max(1) as f64
    }
}

/// The expected points of a sample, from 0 to 1: a blend of score and result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Centipawns that the sigmoid's argument counts as 1.
    pub scale: f32,
    /// The part of the game's result, 0 to 1; the rest is the search's score.
    pub result: f32,
}

impl Target {
    /// The expected points that a sample asks for.
    #[must_use]
    pub fn of(&self, sample: &Sample) -> f32 {
        let score = sigmoid(f32::from(sample.score) / self.scale);
        self.result * (f32::from(sample.result) / 2.0) + (1.0 - self.result) * score
    }
}

/// The logistic function.
#[must_use]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[inline]
fn add(sum: &mut [f32], row: &[f32]) {
    for (sum, weight) in sum.iter_mut().zip(row) {
        *sum += weight;
    }
}

/// Adds the rows of some inputs, block by block, so that a block of sums stays in registers.
fn add_rows(sums: &mut [f32], weights: &[f32], inputs: &[u32]) {
    let width = sums.len();
    for (index, block) in sums.as_chunks_mut::<WIDTH_STEP>().0.iter_mut().enumerate() {
        let mut sum = *block;
        for &input in inputs {
            let first = input as usize * width + index * WIDTH_STEP;
            let Some(row) = weights[first..].first_chunk::<WIDTH_STEP>() else { continue };
            for lane in 0..WIDTH_STEP {
                sum[lane] += row[lane];
            }
        }
        *block = sum;
    }
}

/// Adds a gradient to the rows of some inputs, in the same blocks: faster than row by row.
fn add_to_rows(gradient: &mut [f32], back: &[f32], inputs: &[u32]) {
    let width = back.len();
    for (index, block) in back.as_chunks::<WIDTH_STEP>().0.iter().enumerate() {
        for &input in inputs {
            let first = input as usize * width + index * WIDTH_STEP;
            let Some(row) = gradient[first..].first_chunk_mut::<WIDTH_STEP>() else { continue };
            for lane in 0..WIDTH_STEP {
                row[lane] += block[lane];
            }
        }
    }
}

#[inline]
fn activate(active: &mut [f32], sums: &[f32], function: impl Fn(f32) -> f32) {
    for (active, &sum) in active.iter_mut().zip(sums) {
        *active = function(sum);
    }
}

/// The gradient of the accumulator: the slope of the activation, 0 where the sum is clipped, times the output weight.
#[inline]
fn differentiate(back: &mut [f32], weights: &[f32], sums: &[f32], slope: impl Fn(f32) -> f32) {
    for ((back, &weight), &sum) in back.iter_mut().zip(weights).zip(sums) {
        *back = if sum > 0.0 && sum < 1.0 { slope(sum) * weight } else { 0.0 };
    }
}

/// The sum of products, in [`LANES`] sums of their own.
#[inline]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    lanes.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use crate::eval::network::KingBuckets;

    fn samples() -> Vec<Sample> {
        let fens = [
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 120),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1", -40),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", 10),
        ];
        let sample = |(fen, score)| {
            let game = Game::parse_fen(fen).unwrap();
            Sample::new(game.position(), score, Some(shakmaty::Color::White))
        };
        fens.into_iter().map(sample).collect()
    }

    #[test]
    fn the_gradient_agrees_with_finite_differences() {
        let target = Target { scale: 400.0, result: 0.3 };
        for &activation in Activation::ALL {
            let architecture = Architecture {
                width: 32,
                activation,
                king_buckets: KingBuckets::Four,
                ..Architecture::default()
            };
            let model = Model::random(architecture, 7);
            let mut scratch = Scratch::new(&architecture);
            let mut gradient = vec![0.0; model.parameters.len()];
            let samples = samples();
            model.add_gradient(&samples, &target, &mut gradient, &mut scratch);
            let mut random = SplitMix64::new(3);
            let set: Vec<usize> = (0..gradient.len()).filter(|&at| gradient[at] != 0.0).collect();
            let mut checked = 0;
            for _ in 0..400 {
                let at = set[random.below(set.len())];
                let at_offset = |offset: f32, scratch: &mut Scratch| {
                    let mut moved = model.clone();
                    moved.parameters[at] += offset;
                    moved.loss(&samples, &target, scratch) * samples.len() as f64
                };
                // Small, so that no neuron is clipped on one side of the difference only.
                let step = 1e-3;
                let difference = (at_offset(step, &mut scratch) - at_offset(-step, &mut scratch))
                    / (2.0 * f64::from(step));
                let error = (difference - f64::from(gradient[at])).abs();
                assert!(
                    error < 2e-4 + 0.05 * difference.abs(),
                    "{activation}: {difference} {}",
                    gradient[at]
                );
                checked += usize::from(difference.abs() > 1e-4);
            }
            assert!(checked > 40, "{activation}: only {checked} gradients are large enough to be compared");
        }
    }

    #[test]
    fn a_seed_gives_the_same_network() {
        let architecture = Architecture::default();
        assert_eq!(Model::random(architecture, 1), Model::random(architecture, 1));
        assert_ne!(Model::random(architecture, 1), Model::random(architecture, 2));
    }

    #[test]
    fn the_target_blends_score_and_result() {
        let mut sample = Sample::default();
        sample.score = 400;
        let score = sigmoid(1.0);
        assert_eq!(Target { scale: 400.0, result: 0.0 }.of(&sample), score);
        assert_eq!(Target { scale: 400.0, result: 1.0 }.of(&sample), 0.0);
        assert_eq!(Target { scale: 400.0, result: 0.5 }.of(&sample), 0.5 * score);
    }
}
