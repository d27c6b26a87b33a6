//! The quantised network: weights of 16 bits, sums that are the same on every machine.
//!
//! A neuron's value of 1 is [`QA`] and an output weight of 1 is [`QB`]. Quantisation clips the weights, so that no sum
//! overflows: an accumulator adds a bias and at most 64 pieces, each within `MOST_WEIGHT`, and the product of a neuron
//! and an output weight stays within 16 bits. The sums of the attack neurons saturate: [`ATTACK_UNIT`] is their value of 1,
//! and far beyond it nothing changes.

use super::architecture::{ATTACK_STEP, Activation, Architecture, Perspective, WIDTH_STEP};
use super::attack_inputs::{ATTACK_INPUTS, AttackCounts, COUNTS_OF_ONE};
use super::file::TrainedNetwork;
use super::layout::Layout;
use super::pieces::{Difference, Pieces};
use crate::chess::score::{EVAL_LIMIT, UNITS_PER_PAWN, Value};
use crate::digest::digest;
use shakmaty::Color;
use std::fmt;
use std::path::{Path, PathBuf};

/// The quantised value of a neuron that is fully on.
pub const QA: i16 = 255;

/// The quantised value of an output weight of 1.
pub const QB: i16 = 64;

/// The largest quantised weight or bias of the first layer: 65 of them fit 16 bits.
const MOST_WEIGHT: f32 = 504.0;

/// The largest quantised output weight: [`QA`] times as much fits 16 bits.
const MOST_OUTPUT: f32 = 127.0;

/// The quantised value of an attack neuron that is fully on, and of an output weight of 1 behind it.
pub const ATTACK_UNIT: i16 = 1024;

/// The largest quantised weight of an attack input: above what training allows, and a count of 100 times as much fits 16
/// bits. Larger counts need more queens than games have; their product wraps.
const MOST_ATTACK_WEIGHT: f32 = 300.0;

/// The largest quantised bias of an attack neuron, and output weight behind it.
const MOST_ATTACK_NUMBER: f32 = 32_000.0;

/// The largest quantised output bias, in [`QA`] * [`QB`]: far beyond every evaluation.
const MOST_BIAS: f32 = 1e6;

/// Parts of a unit in which the scale is kept, so that it need not be whole.
const SCALE_PARTS: i64 = 1024;

/// Products that are added in 32 bits: a loop of known length, which compilers turn into vector instructions well.
const BLOCK: usize = 128;

/// A network ready for evaluation.
#[derive(Clone, PartialEq)]
pub struct Network {
    /// Widths and options.
    pub architecture: Architecture,
    /// The file that it was read from; `None` for another source.
    pub file: Option<PathBuf>,
    /// Fingerprint of the weights.
    pub fingerprint: u64,
    /// The first layer, a row of the width for every input.
    weights: Vec<i16>,
    biases: Vec<i16>,
    /// A row of twice the width for every output bucket, the side to move first.
    output: Vec<i16>,
    /// In [`QA`] * [`QB`].
    output_biases: Vec<i32>,
    /// The layer of the attack inputs: for every block of neurons a row for every input.
    attack_weights: Vec<[[i16; ATTACK_STEP]; ATTACK_INPUTS]>,
    attack_biases: Vec<[i16; ATTACK_STEP]>,
    /// Its output weights: the blocks of every output bucket.
    attack_output: Vec<[i16; ATTACK_STEP]>,
    /// Units that an output of 1 means, in [`SCALE_PARTS`].
    scale: i64,
}

impl Network {
    /// Quantises a trained network.
    #[must_use]
    pub fn quantise(trained: &TrainedNetwork) -> Network {
        let layout = Layout::of(&trained.architecture);
        let parts = layout.parts().map(|part| &trained.parameters[part]);
        let [weights, biases, output, output_biases, attack_weights, attack_biases, attack_output] = parts;
        let rounded = |numbers: &[f32], unit: i16, most: f32| -> Vec<i16> {
            let quantised = |number: &f32| (number * f32::from(unit)).round().clamp(-most, most) as i16;
            numbers.iter().map(quantised).collect()
        };
        let bias = |number: &f32| {
            (number * f32::from(QA) * f32::from(QB)).round().clamp(-MOST_BIAS, MOST_BIAS) as i32
        };
        let of_attacks = rounded(attack_weights, ATTACK_UNIT / COUNTS_OF_ONE, MOST_ATTACK_WEIGHT);
        let blocks = trained.architecture.attack_neurons / ATTACK_STEP;
        let rows = of_attacks.as_chunks::<ATTACK_STEP>().0;
        let block = |block: usize| std::array::from_fn(|input| rows[input * blocks + block]);
        let in_blocks = |numbers: &[f32]| -> Vec<[i16; ATTACK_STEP]> {
            rounded(numbers, ATTACK_UNIT, MOST_ATTACK_NUMBER).as_chunks().0.to_vec()
        };
        let units = f64::from(trained.scale) * f64::from(UNITS_PER_PAWN) / 100.0;
        Network {
            architecture: trained.architecture,
            file: None,
            fingerprint: digest(&trained.bytes()),
            weights: rounded(weights, QA, MOST_WEIGHT),
            biases: rounded(biases, QA, MOST_WEIGHT),
            output: rounded(output, QB, MOST_OUTPUT),
            output_biases: output_biases.iter().map(bias).collect(),
            attack_weights: (0..blocks).map(block).collect(),
            attack_biases: in_blocks(attack_biases),
            attack_output: in_blocks(attack_output),
            scale: (units * SCALE_PARTS as f64).round() as i64,
        }
    }

    /// Reads and quantises a network file.
    ///
    /// # Errors
    /// Says why it cannot be used.
    pub fn open(path: &Path) -> Result<Network, String> {
        let trained = TrainedNetwork::open(path)?;
        Ok(Network { file: Some(path.to_owned()), ..Network::quantise(&trained) })
    }

    /// Neurons of a perspective.
    #[must_use]
    pub fn width(&self) -> usize {
        self.architecture.width
    }

    /// The biases of the first layer: the accumulator of an empty board.
    pub(super) fn biases(&self) -> &[i16] {
        &self.biases
    }

    /// Adds and subtracts rows of the first layer, from one accumulator into another. What overflows on the way comes
    /// back. One block of neurons after the other, so that it stays in registers for all rows.
    pub(super) fn update_into(
        &self,
        from: &[i16],
        to: &mut [i16],
        difference: &Difference,
        perspective: Perspective,
    ) {
        let (blocks, rest) = from.as_chunks::<BLOCK>();
        let (to_blocks, to_rest) = to.as_chunks_mut::<BLOCK>();
        for (block, (from, to)) in blocks.iter().zip(to_blocks).enumerate() {
            *to = self.updated(*from, block * BLOCK, difference, perspective);
        }
        let done = from.len() - rest.len();
        let (steps, _) = rest.as_chunks::<WIDTH_STEP>();
        let (to_steps, _) = to_rest.as_chunks_mut::<WIDTH_STEP>();
        for (step, (from, to)) in steps.iter().zip(to_steps).enumerate() {
            *to = self.updated(*from, done + step * WIDTH_STEP, difference, perspective);
        }
    }

    /// The sums of `N` neurons from `first` on after a difference.
    #[inline]
    fn updated<const N: usize>(
        &self,
        mut sums: [i16; N],
        first: usize,
        difference: &Difference,
        perspective: Perspective,
    ) -> [i16; N] {
        for added in &difference.added {
            let weights = &self.row(added.input(perspective))[first..][..N];
            sums.iter_mut().zip(weights).for_each(|(sum, &weight)| *sum = sum.wrapping_add(weight));
        }
        for removed in &difference.removed {
            let weights = &self.row(removed.input(perspective))[first..][..N];
            sums.iter_mut().zip(weights).for_each(|(sum, &weight)| *sum = sum.wrapping_sub(weight));
        }
        sums
    }

    /// The weights of an input.
    fn row(&self, input: usize) -> &[i16] {
        &self.weights[input * self.width()..][..self.width()]
    }

    /// The value of a board in units, from the accumulators of the side to move and of the other side.
    pub(super) fn value(&self, sums: [&[i16]; 2], pieces: &Pieces, turn: Color) -> Value {
        let bucket = self.architecture.output_bucket(pieces.count());
        let weights = &self.output[2 * self.width() * bucket..][..2 * self.width()];
        let (own, enemy) = weights.split_at(self.width());
        let bias = i64::from(self.output_biases[bucket]);
        let unit = i64::from(QA) * i64::from(QB);
        let (sum, unit) = match self.architecture.activation {
            Activation::SCRelu => {
                let sum = squared_products(sums[0], own) + squared_products(sums[1], enemy);
                (sum + bias * i64::from(QA), unit * i64::from(QA))
            }
            Activation::CRelu => (products(sums[0], own) + products(sums[1], enemy) + bias, unit),
        };
        let attacks = match self.architecture.attack_neurons {
            0 => 0,
            _ => self.attack_output(&pieces.attack_counts(turn), bucket) * unit / ATTACK_OUTPUT_UNIT,
        };
        let limit = i64::from(EVAL_LIMIT);
        round_half_away((sum + attacks) * self.scale, unit * SCALE_PARTS).clamp(-limit, limit) as Value
    }

    /// The output of the attack neurons, in [`ATTACK_OUTPUT_UNIT`].
    fn attack_output(&self, counts: &AttackCounts, bucket: usize) -> i64 {
        let output = &self.attack_output[bucket * self.attack_biases.len()..];
        let blocks = self.attack_biases.iter().zip(&self.attack_weights).zip(output);
        blocks.map(|((biases, rows), output)| block_output(counts, biases, rows, output)).sum()
    }

    /// The value of a board for the side to move, from scratch.
    #[must_use]
    pub fn evaluate(&self, pieces: &Pieces, turn: Color) -> Value {
        let mut difference = Difference::default();
        pieces.difference(&Pieces::EMPTY, &mut difference);
        let sums = [turn, !turn].map(|side| {
            let mut sums = vec![0; self.width()];
            let perspective = pieces.perspective(&self.architecture, side);
            self.update_into(&self.biases, &mut sums, &difference, perspective);
            sums
        });
        self.value([&sums[0], &sums[1]], pieces, turn)
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, fingerprint {:016x}", self.architecture, self.fingerprint)?;
        self.file.as_ref().map_or(Ok(()), |path| write!(f, ", of {}", path.display()))
    }
}

impl fmt::Debug for Network {
    /// Without the weights.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({self})")
    }
}

/// The unit of the attack neurons' output: a neuron times an output weight.
const ATTACK_OUTPUT_UNIT: i64 = (ATTACK_UNIT as i64).pow(2);

/// Sums that are kept side by side in a block of attack neurons, so that an addition need not wait for the one before.
const PARTS: usize = 2;

/// The output of a block of attack neurons, activated by squared clipped ReLU.
#[inline]
fn block_output(
    counts: &AttackCounts,
    biases: &[i16; ATTACK_STEP],
    rows: &[[i16; ATTACK_STEP]; ATTACK_INPUTS],
    output: &[i16; ATTACK_STEP],
) -> i64 {
    let mut parts = [[0; ATTACK_STEP]; PARTS];
    for (counts, rows) in counts.as_chunks::<PARTS>().0.iter().zip(rows.as_chunks::<PARTS>().0) {
        for ((&count, row), part) in counts.iter().zip(rows).zip(&mut parts) {
            for (sum, weight) in part.iter_mut().zip(row) {
                *sum = i16::saturating_add(*sum, weight.wrapping_mul(count));
            }
        }
    }
    let mut sums = *biases;
    for part in &parts {
        sums.iter_mut().zip(part).for_each(|(sum, &part)| *sum = sum.saturating_add(part));
    }
    let squared = sums.map(|sum| {
        let clipped = i32::from(sum.clamp(0, ATTACK_UNIT));
        (clipped * clipped / i32::from(ATTACK_UNIT)) as i16
    });
    let products = squared.iter().zip(output).map(|(&neuron, &weight)| i32::from(neuron) * i32::from(weight));
    i64::from(products.sum::<i32>())
}

/// Quotient rounded to the nearest whole number, halves away from 0: the same for both sides.
fn round_half_away(number: i64, unit: i64) -> i64 {
    (number.abs() + unit / 2) / unit * number.signum()
}

/// The sum of clipped neurons times weights.
fn products(sums: &[i16], weights: &[i16]) -> i64 {
    dot(sums, weights, |neuron, weight| i32::from(neuron) * i32::from(weight))
}

/// The sum of squared clipped neurons times weights.
fn squared_products(sums: &[i16], weights: &[i16]) -> i64 {
    // 255 * 127 fits 16 bits, in which products are faster.
    dot(sums, weights, |neuron, weight| i32::from(neuron) * i32::from(neuron.wrapping_mul(weight)))
}

/// The sum of a product over neurons, clipped to 0..=[`QA`], and weights.
#[inline]
fn dot(sums: &[i16], weights: &[i16], product: impl Fn(i16, i16) -> i32) -> i64 {
    let (blocks, rest) = sums.as_chunks::<BLOCK>();
    let (block_weights, rest_weights) = weights.as_chunks::<BLOCK>();
    let add = |sum: i32, (&neuron, &weight): (&i16, &i16)| sum + product(neuron.clamp(0, QA), weight);
    let mut sum = i64::from(rest.iter().zip(rest_weights).fold(0, add));
    for (block, weights) in blocks.iter().zip(block_weights) {
        // In 32 bits: 128 products of at most 255 * 255 * 127.
        sum += i64::from(block.iter().zip(weights).fold(0, add));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use crate::eval::network::tests::{FENS, architectures, random};

    /// The value by the quantised weights in floating point.
    fn dequantised(network: &Network, pieces: &Pieces, turn: Color) -> f64 {
        let width = network.width();
        let bucket = network.architecture.output_bucket(pieces.count());
        let mut output = f64::from(network.output_biases[bucket]) / (f64::from(QA) * f64::from(QB));
        let mut difference = Difference::default();
        pieces.difference(&Pieces::EMPTY, &mut difference);
        for (part, side) in [turn, !turn].into_iter().enumerate() {
            let perspective = pieces.perspective(&network.architecture, side);
            let inputs: Vec<usize> = difference.added.iter().map(|piece| piece.input(perspective)).collect();
            for neuron in 0..width {
                let weight = |input: &usize| f64::from(network.weights[input * width + neuron]);
                let sum = f64::from(network.biases[neuron]) + inputs.iter().map(weight).sum::<f64>();
                let clipped = (sum / f64::from(QA)).clamp(0.0, 1.0);
                let active = match network.architecture.activation {
                    Activation::SCRelu => clipped * clipped,
                    Activation::CRelu => clipped,
                };
                let weight = f64::from(network.output[2 * width * bucket + part * width + neuron]);
                output += active * weight / f64::from(QB);
            }
        }
        if !network.attack_biases.is_empty() {
            output += attacks_dequantised(network, &pieces.attack_counts(turn), bucket);
        }
        output * network.scale as f64 / SCALE_PARTS as f64
    }

    /// The output of the attack neurons by the quantised weights in floating point.
    fn attacks_dequantised(network: &Network, counts: &AttackCounts, bucket: usize) -> f64 {
        let unit = f64::from(ATTACK_UNIT);
        let blocks = network.attack_biases.len();
        let neuron = |block: usize, lane: usize| {
            let weights = network.attack_weights[block].iter().map(|row| f64::from(row[lane]));
            let products = weights.zip(counts).map(|(weight, &count)| weight * f64::from(count));
            let sum = f64::from(network.attack_biases[block][lane]) + products.sum::<f64>();
            let weight = f64::from(network.attack_output[bucket * blocks + block][lane]);
            (sum / unit).clamp(0.0, 1.0).powi(2) * weight / unit
        };
        (0..blocks * ATTACK_STEP).map(|number| neuron(number / ATTACK_STEP, number % ATTACK_STEP)).sum()
    }

    #[test]
    fn whole_numbers_agree_with_floating_point_within_a_unit() {
        for architecture in architectures() {
            let network = Network::quantise(&random(architecture, 9));
            for fen in FENS {
                let game = Game::parse_fen(fen).unwrap();
                let (pieces, turn) = (Pieces::of(game.position().board()), game.position().turn());
                let value = network.evaluate(&pieces, turn);
                let exact = dequantised(&network, &pieces, turn);
                assert!((f64::from(value) - exact).abs() < 1.0, "{value} {exact} {fen}");
            }
        }
    }

    #[test]
    fn the_largest_weights_on_a_full_board_overflow_nothing() {
        for sign in [1.0, -1.0] {
            for activation in [Activation::SCRelu, Activation::CRelu] {
                let architecture = Architecture { width: 2048, activation, ..Architecture::default() };
                let mut trained = random(architecture, 1);
                trained.parameters.fill(1e9);
                let layout = Layout::of(&architecture);
                let output = layout.output(0).start..layout.len;
                trained.parameters[output].fill(sign * 1e9);
                let network = Network::quantise(&trained);
                let pieces = Pieces::on_squares(shakmaty::Square::ALL.map(|square| {
                    let color = Color::from_white(u32::from(square) % 2 == 0);
                    (shakmaty::Piece { color, role: shakmaty::Role::Queen }, square)
                }));
                assert_eq!(network.evaluate(&pieces, Color::White), sign as Value * EVAL_LIMIT);
            }
        }
    }

    #[test]
    fn both_colours_and_reflected_boards_have_the_same_value() {
        for architecture in architectures() {
            let network = Network::quantise(&random(architecture, 4));
            for fen in FENS {
                let game = Game::parse_fen(fen).unwrap();
                let (board, turn) = (game.position().board(), game.position().turn());
                let value = network.evaluate(&Pieces::of(board), turn);
                let mut turned = board.clone();
                turned.flip_vertical();
                turned.swap_colors();
                assert_eq!(network.evaluate(&Pieces::of(&turned), !turn), value, "{fen}");
                if architecture.mirrored {
                    let mut reflected = board.clone();
                    reflected.flip_horizontal();
                    assert_eq!(network.evaluate(&Pieces::of(&reflected), turn), value, "{fen}");
                }
            }
        }
    }
}
