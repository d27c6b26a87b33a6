//! The network in floating point: parameters, output, loss and gradient.
//!
//! A parameter has one number in one flat vector, whose order is [`Layout`]'s. Optimiser, checkpoint and
//! averaging know no more than that. The loss is the squared error of the expected points:
//! `(sigmoid(output) - target)^2`.

use super::aligned::Aligned;
use super::first_layer_backward::{Block, GROUP, Group, add, blocks, blocks_mut};
use super::sample::{Inputs, NO_RESULT, Sample};
use crate::eval::network::architecture::{INPUTS, WIDTH_STEP};
use crate::eval::network::attack_inputs::{AttackCounts, COUNTS_OF_ONE};
use crate::eval::network::{Activation, Architecture, Layout, TrainedNetwork};
use crate::random::SplitMix64;

/// A network in floating point.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Widths and options.
    pub architecture: Architecture,
    /// The parameters, in the order of [`Layout`].
    pub parameters: Aligned,
}

/// Scratch memory of a thread.
#[derive(Debug)]
pub struct Scratch {
    /// The accumulators of a sample, side to move first.
    sums: Aligned,
    /// The sums of the attack neurons.
    attack_sums: Vec<f32>,
    group: Group,
}

impl Scratch {
    /// For an architecture.
    #[must_use]
    pub fn new(architecture: &Architecture) -> Scratch {
        let sums = Aligned::zeros(2 * architecture.width);
        let attack_sums = vec![0.0; architecture.attack_neurons];
        Scratch { sums, attack_sums, group: Group::new(architecture) }
    }
}

impl Model {
    /// The weights of a network file.
    #[must_use]
    pub fn of(network: &TrainedNetwork) -> Model {
        Model { architecture: network.architecture, parameters: network.parameters[..].into() }
    }

    /// A network that knows nothing: small random weights, the same for a seed on every machine.
    #[must_use]
    pub fn random(architecture: Architecture, seed: u64) -> Model {
        let layout = Layout::of(&architecture);
        let mut random = SplitMix64::new(seed);
        let mut uniform = |bound: f32| {
            let unit = (random.next() >> 40) as f32 / (1_u32 << 24) as f32;
            bound * (2.0 * unit - 1.0)
        };
        let mut parameters = Aligned::zeros(layout.len);
        // Some twenty inputs are set at a time; He's bound for the first layer, Glorot's for the second.
        let first = (1.0 / 20.0_f32).sqrt() * 0.5;
        let second = (1.0 / (2 * architecture.width) as f32).sqrt();
        let [weights, biases, output, _, of_attacks, attack_biases, attack_output] = layout.parts();
        parameters[weights].iter_mut().for_each(|weight| *weight = uniform(first));
        // Half of the clipped range: neurons begin where they have a slope.
        parameters[biases].iter_mut().for_each(|bias| *bias = 0.5 + uniform(first));
        parameters[output].iter_mut().for_each(|weight| *weight = uniform(second));
        // Some forty counts of two or so are set at a time.
        parameters[of_attacks].iter_mut().for_each(|weight| *weight = uniform(0.2));
        parameters[attack_biases].iter_mut().for_each(|bias| *bias = 0.5 + uniform(0.2));
        parameters[attack_output].iter_mut().for_each(|weight| *weight = uniform(second));
        Model { architecture, parameters }
    }

    /// The same network with the weights of the first king bucket in all of them: with a factoriser the
    /// buckets begin with what they share.
    #[must_use]
    pub fn with_equal_buckets(mut self) -> Model {
        let numbers = INPUTS * self.architecture.width;
        let (first, others) = self.parameters[Layout::of(&self.architecture).weights()].split_at_mut(numbers);
        others.chunks_mut(numbers).for_each(|bucket| bucket.copy_from_slice(first));
        self
    }

    /// The output for a sample, for the side to move, in units of the sigmoid's argument.
    #[must_use]
    pub fn output(&self, sample: &Sample, scratch: &mut Scratch) -> f32 {
        let layout = Layout::of(&self.architecture);
        let inputs = sample.inputs(&self.architecture);
        self.forward(&layout, &inputs, self.attack_counts(sample).as_ref(), scratch)
    }

    /// The output, and on the way the accumulators of both perspectives and the sums of the attack neurons.
    #[inline]
    fn forward(
        &self,
        layout: &Layout,
        inputs: &Inputs,
        counts: Option<&AttackCounts>,
        scratch: &mut Scratch,
    ) -> f32 {
        let (weights, biases) =
            (blocks(&self.parameters[layout.weights()]), blocks(&self.parameters[layout.biases()]));
        let sums = blocks_mut(&mut scratch.sums);
        for (perspective, sums) in inputs.perspectives().into_iter().zip(sums.chunks_exact_mut(biases.len()))
        {
            add_rows(sums, biases, weights, perspective);
        }
        let output = blocks(&self.parameters[layout.output(inputs.bucket)]);
        let value = match self.architecture.activation {
            Activation::SCRelu => dot(sums, output, |x| x * x),
            Activation::CRelu => dot(sums, output, |x| x),
        };
        let of_attacks =
            |counts| self.attack_forward(layout, inputs.bucket, counts, &mut scratch.attack_sums);
        value + self.parameters[layout.output_bias(inputs.bucket)] + counts.map_or(0.0, of_attacks)
    }

    /// The attack inputs of a sample; none for a network without them.
    fn attack_counts(&self, sample: &Sample) -> Option<AttackCounts> {
        (self.architecture.attack_neurons > 0).then(|| sample.attack_counts())
    }

    /// The output of the attack neurons, and on the way their sums.
    fn attack_forward(&self, layout: &Layout, bucket: usize, counts: &AttackCounts, sums: &mut [f32]) -> f32 {
        let neurons = sums.len();
        sums.copy_from_slice(&self.parameters[layout.attack_biases()]);
        let rows = self.parameters[layout.attack_weights()].chunks_exact(neurons);
        for (input, row) in set_rows(counts, rows) {
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += input * weight);
        }
        let output = &self.parameters[layout.attack_output(bucket)];
        sums.iter().zip(output).map(|(sum, weight)| sum.clamp(0.0, 1.0).powi(2) * weight).sum()
    }

    /// Adds the gradient of the attack neurons for one sample, whose output has the gradient `slope`.
    fn attack_backward(
        &self,
        layout: &Layout,
        slope: f32,
        (bucket, counts): (usize, &AttackCounts),
        gradient: &mut [f32],
        sums: &mut [f32],
    ) {
        let output = layout.attack_output(bucket);
        let weights = &self.parameters[output.clone()];
        for ((sum, weight), gradient) in sums.iter_mut().zip(weights).zip(&mut gradient[output]) {
            let clipped = sum.clamp(0.0, 1.0);
            *gradient += slope * clipped * clipped;
            // From here on the gradient of the sum.
            *sum = if *sum > 0.0 && *sum < 1.0 { slope * 2.0 * clipped * weight } else { 0.0 };
        }
        let biases = &mut gradient[layout.attack_biases()];
        biases.iter_mut().zip(&*sums).for_each(|(gradient, back)| *gradient += back);
        let rows = gradient[layout.attack_weights()].chunks_exact_mut(sums.len());
        for (input, row) in set_rows(counts, rows) {
            row.iter_mut().zip(&*sums).for_each(|(gradient, back)| *gradient += input * back);
        }
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
        for group in samples.chunks(GROUP) {
            scratch.group.clear();
            for sample in group {
                let inputs = sample.inputs(&self.architecture);
                let counts = self.attack_counts(sample);
                let counts = counts.as_ref();
                let expected = sigmoid(self.forward(&layout, &inputs, counts, scratch));
                let error = expected - target.of(sample);
                loss += f64::from(error * error);
                let slope = 2.0 * error * expected * (1.0 - expected);
                if let Some(counts) = counts {
                    let of_attacks = (inputs.bucket, counts);
                    self.attack_backward(&layout, slope, of_attacks, gradient, &mut scratch.attack_sums);
                }
                self.backward(&layout, slope, &inputs, gradient, scratch);
                scratch.group.push(inputs);
            }
            let (weights, biases) = gradient[..layout.biases().end].split_at_mut(layout.biases().start);
            scratch.group.add_to(blocks_mut(weights), blocks_mut(biases));
        }
        loss
    }

    /// Adds the gradient of the output layer for one sample, whose output has the gradient `slope`, and
    /// leaves those of its accumulators in the group.
    #[inline]
    fn backward(
        &self,
        layout: &Layout,
        slope: f32,
        inputs: &Inputs,
        gradient: &mut [f32],
        scratch: &mut Scratch,
    ) {
        gradient[layout.output_bias(inputs.bucket)] += slope;
        let output = layout.output(inputs.bucket);
        let (weights, of_output) =
            (blocks(&self.parameters[output.clone()]), blocks_mut(&mut gradient[output]));
        match self.architecture.activation {
            Activation::SCRelu => differentiate(scratch, weights, of_output, slope, |x| x * x, |x| 2.0 * x),
            Activation::CRelu => differentiate(scratch, weights, of_output, slope, |x| x, |_| 1.0),
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
        if sample.result == NO_RESULT {
            return score;
        }
        self.result * (f32::from(sample.result) / 2.0) + (1.0 - self.result) * score
    }
}

/// The logistic function.
#[must_use]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The attack inputs that are not 0, with their rows.
fn set_rows<R>(counts: &AttackCounts, rows: impl Iterator<Item = R>) -> impl Iterator<Item = (f32, R)> {
    let inputs = counts.iter().map(|&count| f32::from(count) / f32::from(COUNTS_OF_ONE));
    inputs.zip(rows).filter(|(input, _)| *input != 0.0)
}

/// The sums of the rows of some inputs and of the biases, block by block, so that a block stays in registers.
#[inline]
fn add_rows(sums: &mut [Block], biases: &[Block], weights: &[Block], inputs: &[u16]) {
    let width = biases.len();
    for (index, (block, bias)) in sums.iter_mut().zip(biases).enumerate() {
        let mut sum = *bias;
        for &input in inputs {
            add(&mut sum, &weights[usize::from(input) * width + index]);
        }
        *block = sum;
    }
}

/// Adds the gradient of the output weights, and leaves that of the accumulators in the group. The slope of
/// the activation is 0 where a sum is clipped.
#[inline]
fn differentiate(
    scratch: &mut Scratch,
    weights: &[Block],
    gradient: &mut [Block],
    slope: f32,
    activation: impl Fn(f32) -> f32,
    derivative: impl Fn(f32) -> f32,
) {
    let Scratch { sums, group, .. } = scratch;
    let sums = blocks(sums);
    let places = sums.len() / 2;
    for (index, ((sums, weights), gradient)) in sums.iter().zip(weights).zip(gradient).enumerate() {
        let back = group.next(usize::from(index >= places), index % places);
        for lane in 0..WIDTH_STEP {
            let sum = sums[lane];
            gradient[lane] += slope * activation(sum.clamp(0.0, 1.0));
            let linear = sum > 0.0 && sum < 1.0;
            back[lane] = if linear { slope * derivative(sum) * weights[lane] } else { 0.0 };
        }
    }
}

/// The sum of activations times weights, in sums of their own for every lane.
#[inline]
fn dot(sums: &[Block], weights: &[Block], activation: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0.0; WIDTH_STEP];
    for (sums, weights) in sums.iter().zip(weights) {
        for lane in 0..WIDTH_STEP {
            lanes[lane] += activation(sums[lane].clamp(0.0, 1.0)) * weights[lane];
        }
    }
    lanes.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use crate::eval::network::KingBuckets;
    use crate::eval::network::tests::architectures;
    use shakmaty::Position as _;

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

    /// Every layout of inputs and outputs, narrow so that it is quickly tested.
    fn layouts() -> impl Iterator<Item = Architecture> {
        let inputs = KingBuckets::ALL.iter().flat_map(|&buckets| [(buckets, false), (buckets, true)]);
        let outputs = [(Activation::SCRelu, 8, 32), (Activation::CRelu, 1, 0), (Activation::CRelu, 1, 64)];
        inputs.flat_map(move |(king_buckets, mirrored)| {
            outputs.map(|(activation, output_buckets, attack_neurons)| Architecture {
                width: 32,
                activation,
                king_buckets,
                mirrored,
                output_buckets,
                attack_neurons,
            })
        })
    }

    #[test]
    fn the_gradient_agrees_with_finite_differences_in_every_layout() {
        let target = Target { scale: 400.0, result: 0.3 };
        for architecture in layouts() {
            let mut model = Model::random(architecture, 7);
            let mut scratch = Scratch::new(&architecture);
            let mut gradient = vec![0.0; model.parameters.len()];
            let samples = samples();
            model.add_gradient(&samples, &target, &mut gradient, &mut scratch);
            let mut random = SplitMix64::new(3);
            let set: Vec<usize> = (0..gradient.len()).filter(|&at| gradient[at] != 0.0).collect();
            let mut checked = 0;
            for _ in 0..400 {
                let at = set[random.below(set.len())];
                let weight = model.parameters[at];
                let mut loss_at = |offset: f32| {
                    model.parameters[at] = weight + offset;
                    model.loss(&samples, &target, &mut scratch) * samples.len() as f64
                };
                let step = 1e-3;
                let [less, here, more] = [-step, 0.0, step].map(&mut loss_at);
                model.parameters[at] = weight;
                // No derivative where a neuron is clipped on one side of the difference only.
                if ((more - here) - (here - less)).abs() > 0.1 * (more - less).abs() + 1e-6 {
                    continue;
                }
                let difference = (more - less) / (2.0 * f64::from(step));
                let error = (difference - f64::from(gradient[at])).abs();
                assert!(
                    error < 2e-4 + 0.05 * difference.abs(),
                    "{architecture}: {difference} {}",
                    gradient[at]
                );
                checked += usize::from(difference.abs() > 1e-4);
            }
            assert!(checked > 40, "{architecture}: only {checked} gradients are large enough to be compared");
        }
    }

    #[test]
    fn equal_buckets_evaluate_alike_wherever_the_kings_stand() {
        let one = Architecture { width: 32, ..Architecture::default() };
        let four = Architecture { king_buckets: KingBuckets::Four, ..one };
        let equal = Model::random(four, 7).with_equal_buckets();
        let (old, new) = (Layout::of(&four), Layout::of(&one));
        let mut single = Model::random(one, 7);
        single.parameters[new.weights()].copy_from_slice(&equal.parameters[..new.weights().end]);
        single.parameters[new.weights().end..].copy_from_slice(&equal.parameters[old.weights().end..]);
        for sample in samples() {
            let output = |model: &Model| model.output(&sample, &mut Scratch::new(&model.architecture));
            assert_eq!(output(&equal), output(&single));
        }
    }

    #[test]
    fn the_gradient_of_many_samples_is_the_sum_of_theirs_in_every_architecture() {
        let mut random = SplitMix64::new(11);
        let mut game = Game::new();
        let mut samples = Vec::new();
        while samples.len() < 2 * GROUP + 7 {
            let moves = game.position().chess().legal_moves();
            if moves.is_empty() || game.position().board().occupied().count() < 4 {
                game = Game::new();
                continue;
            }
            game.play(moves[random.below(moves.len())]);
            samples.push(Sample::new(game.position(), random.below(800) as i16 - 400, None));
        }
        let target = Target { scale: 400.0, result: 0.2 };
        for architecture in architectures() {
            let model = Model::random(architecture, 5);
            let mut scratch = Scratch::new(&architecture);
            let mut whole = vec![0.0; model.parameters.len()];
            let mut single = whole.clone();
            let loss = model.add_gradient(&samples, &target, &mut whole, &mut scratch);
            let losses = samples
                .iter()
                .map(|sample| model.add_gradient(&[*sample], &target, &mut single, &mut scratch))
                .sum::<f64>();
            assert_eq!(whole, single, "{architecture}");
            assert!((loss - losses).abs() < 1e-9 * loss, "{architecture}: {loss} {losses}");
            let layout = Layout::of(&architecture);
            let rows = whole[layout.weights()].chunks(architecture.width);
            let set = rows.filter(|row| row.iter().any(|&slope| slope != 0.0)).count();
            assert!(set > 300, "{architecture}: only {set} inputs have a gradient");
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
