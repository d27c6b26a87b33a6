//! The quantised network: weights of 16 bits ([`rounding`](super::rounding)), sums that are the same on every
//! machine.

use super::architecture::{ATTACK_STEP, Activation, Architecture, Perspective, WIDTH_STEP};
use super::attack_inputs::{ATTACK_INPUTS, AttackCounts};
use super::file::{self, TrainedNetwork};
use super::pieces::{Difference, Pieces, PlacedPiece};
use super::rounding::{ATTACK_UNIT, QA, QB, Rounding};
use super::simd::{
    LANES, Lanes, PairedRows, add_sub, add_sub_many, add_sub_sub, products, squared_products, vectors,
};
use crate::chess::score::{EVAL_LIMIT, UNITS_PER_PAWN, Value};
use bytemuck::must_cast_ref;
use shakmaty::Color;
use std::fmt;
use std::path::{Path, PathBuf};
use wide::i32x16;

/// The unit of the first layer's output by clipped ReLU: a neuron times an output weight.
const UNIT: i64 = QA as i64 * QB as i64;

/// Parts of a unit in which the scale is kept, so that it need not be whole.
const SCALE_PARTS: i64 = 1024;

// A perspective is whole vectors; a block of attack neurons is one.
const _: () = assert!(WIDTH_STEP == LANES && ATTACK_STEP == LANES);

/// Pairs of attack inputs.
const PAIRS: usize = ATTACK_INPUTS / 2;

/// A network ready for evaluation.
#[derive(Clone, PartialEq)]
pub struct Network {
    /// Widths and options.
    pub architecture: Architecture,
    /// The file that it was read from; `None` for another source.
    pub file: Option<PathBuf>,
    /// Fingerprint of the weights in floating point.
    pub fingerprint: u64,
    /// The first layer, a row of the width for every input.
    weights: Vec<Lanes>,
    biases: Vec<Lanes>,
    /// A row of twice the width for every output bucket, the side to move first.
    output: Vec<Lanes>,
    /// In [`QA`] * [`QB`].
    output_biases: Vec<i32>,
    /// The layer of the attack inputs, in blocks of neurons.
    attack_weights: Vec<PairedRows<PAIRS>>,
    attack_biases: Vec<[i32x16; 2]>,
    /// Its output weights: the blocks of every output bucket.
    attack_output: Vec<[i32x16; 2]>,
    /// Units that an output of 1 means, in [`SCALE_PARTS`].
    scale: i64,
}

impl Network {
    /// Quantises a trained network.
    #[must_use]
    pub fn quantise(trained: &TrainedNetwork) -> Network {
        Network::with_fingerprint(trained, trained.fingerprint())
    }

    /// Quantises a network whose fingerprint is known.
    fn with_fingerprint(trained: &TrainedNetwork, fingerprint: u64) -> Network {
        let mut parts = Rounding::of_parts(&trained.architecture).map(|(part, rounding)| {
            trained.parameters[part].iter().map(|&parameter| rounding.quantised(parameter)).collect()
        });
        let mut next = || -> Vec<i32> { parts.next().unwrap_or_default() };
        let [weights, biases, output] = [next(), next(), next()].map(|numbers| vectors(&words(&numbers)));
        let output_biases = next();
        let [of_attacks, attack_biases, attack_output] = [next(), next(), next()];
        let neurons = trained.architecture.attack_neurons;
        let block = |block: usize| {
            PairedRows::new(|input, neuron| of_attacks[input * neurons + block * ATTACK_STEP + neuron] as i16)
        };
        let units = f64::from(trained.scale) * f64::from(UNITS_PER_PAWN) / 100.0;
        Network {
            architecture: trained.architecture,
            file: None,
            fingerprint,
            weights,
            biases,
            output,
            output_biases,
            attack_weights: (0..neurons / ATTACK_STEP).map(block).collect(),
            attack_biases: in_blocks(&attack_biases),
            attack_output: in_blocks(&attack_output),
            scale: (units * SCALE_PARTS as f64).round() as i64,
        }
    }

    /// The network of the bytes of a file.
    ///
    /// # Errors
    /// Says why it cannot be used.
    pub fn parse(bytes: &[u8]) -> Result<Network, String> {
        let (trained, fingerprint) = file::parse(bytes)?;
        Ok(Network::with_fingerprint(&trained, fingerprint))
    }

    /// The network of a file.
    ///
    /// # Errors
    /// Says why it cannot be used.
    pub fn open(path: &Path) -> Result<Network, String> {
        Ok(Network { file: Some(path.to_owned()), ..Network::parse(&file::read(path)?)? })
    }

    /// Vectors of a perspective.
    pub(super) fn vectors(&self) -> usize {
        self.biases.len()
    }

    /// The biases of the first layer: the accumulator of an empty board.
    pub(super) fn biases(&self) -> &[Lanes] {
        &self.biases
    }

    /// Adds and subtracts the rows of pieces, from one accumulator into another.
    pub(super) fn update_into(
        &self,
        from: &[Lanes],
        to: &mut [Lanes],
        difference: &Difference,
        perspective: Perspective,
    ) {
        let row = |piece: &PlacedPiece| self.row(piece.input(perspective));
        match (difference.added.as_slice(), difference.removed.as_slice()) {
            ([added], [removed]) => add_sub(from, to, row(added), row(removed)),
            ([added], [one, other]) => add_sub_sub(from, to, row(added), [row(one), row(other)]),
            (added, removed) => add_sub_many(from, to, added.iter().map(row), removed.iter().map(row)),
        }
    }

    /// The weights of an input.
    fn row(&self, input: usize) -> &[Lanes] {
        &self.weights[input * self.vectors()..][..self.vectors()]
    }

    /// The value of a board in units, from the accumulators of the side to move and of the other side.
    pub(super) fn value(&self, sums: [&[Lanes]; 2], pieces: &Pieces, turn: Color) -> Value {
        let bucket = self.architecture.output_bucket(pieces.count());
        let weights = &self.output[2 * self.vectors() * bucket..][..2 * self.vectors()];
        let weights = weights.split_at(self.vectors()).into();
        let bias = i64::from(self.output_biases[bucket]);
        let attacks = match self.architecture.attack_neurons {
            0 => 0,
            _ => self.attack_output(&pieces.attack_counts(turn), bucket),
        };
        // The units are constants here, so that no division is computed.
        match self.architecture.activation {
            Activation::SCRelu => {
                let sum = squared_products(sums, weights, QA) + bias * i64::from(QA);
                self.in_units::<{ UNIT * QA as i64 }>(sum, attacks)
            }
            Activation::CRelu => self.in_units::<UNIT>(products(sums, weights, QA) + bias, attacks),
        }
    }

    /// The value in units of the outputs of both layers: of the first one in parts of `UNIT`, of the attack
    /// neurons in parts of [`ATTACK_OUTPUT_UNIT`].
    #[inline]
    fn in_units<const UNIT: i64>(&self, sum: i64, attacks: i64) -> Value {
        let sum = sum + attacks * UNIT / ATTACK_OUTPUT_UNIT;
        let limit = i64::from(EVAL_LIMIT);
        round_half_away(sum * self.scale, UNIT * SCALE_PARTS).clamp(-limit, limit) as Value
    }

    /// The output of the attack neurons, in [`ATTACK_OUTPUT_UNIT`].
    fn attack_output(&self, counts: &AttackCounts, bucket: usize) -> i64 {
        let output = &self.attack_output[bucket * self.attack_biases.len()..];
        let blocks = self.attack_biases.iter().zip(&self.attack_weights).zip(output);
        let pairs = must_cast_ref(counts);
        blocks.map(|((biases, rows), output)| activated(rows.sums(pairs, biases), output)).sum()
    }

    /// The value of a board for the side to move, from scratch.
    #[must_use]
    pub fn evaluate(&self, pieces: &Pieces, turn: Color) -> Value {
        let mut difference = Difference::default();
        pieces.difference(&Pieces::EMPTY, &mut difference);
        let sums = [turn, !turn].map(|side| {
            let mut sums = vec![Lanes::default(); self.vectors()];
            let perspective = pieces.perspective(&self.architecture, side);
            self.update_into(&self.biases, &mut sums, &difference, perspective);
            sums
        });
        self.value([&sums[0], &sums[1]], pieces, turn)
    }
}

/// Numbers that fit 16 bits.
fn words(numbers: &[i32]) -> Vec<i16> {
    numbers.iter().map(|&number| number as i16).collect()
}

/// Numbers of attack neurons in blocks.
fn in_blocks(numbers: &[i32]) -> Vec<[i32x16; 2]> {
    let halves = numbers.as_chunks().0.as_chunks().0.iter();
    halves.map(|halves| halves.map(i32x16::new)).collect()
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

/// The output of a block of attack neurons, activated by squared clipped ReLU.
#[inline]
fn activated(sums: [i32x16; 2], output: &[i32x16; 2]) -> i64 {
    let (zero, most) = (i32x16::splat(0), i32x16::splat(ATTACK_UNIT.into()));
    let weighed = |(sums, &weights): (i32x16, &i32x16)| {
        let clipped = sums.max(zero).min(most);
        ((clipped * clipped) >> ATTACK_UNIT.ilog2()) * weights
    };
    let products = sums.into_iter().zip(output).map(weighed);
    i64::from(products.fold(zero, |sum, products| sum + products).to_array().into_iter().sum::<i32>())
}

/// Quotient rounded to the nearest whole number, halves away from 0: the same for both sides.
#[inline]
fn round_half_away(number: i64, unit: i64) -> i64 {
    (number.abs() + unit / 2) / unit * number.signum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use crate::eval::network::layout::Layout;
    use crate::eval::network::tests::{FENS, architectures, random};

    /// A number of an array of vectors.
    fn number(vectors: &[Lanes], at: usize) -> f64 {
        f64::from(vectors[at / LANES].to_array()[at % LANES])
    }

    /// The value by the quantised weights in floating point.
    fn dequantised(network: &Network, pieces: &Pieces, turn: Color) -> f64 {
        let width = network.architecture.width;
        let bucket = network.architecture.output_bucket(pieces.count());
        let mut output = f64::from(network.output_biases[bucket]) / (f64::from(QA) * f64::from(QB));
        let mut difference = Difference::default();
        pieces.difference(&Pieces::EMPTY, &mut difference);
        for (part, side) in [turn, !turn].into_iter().enumerate() {
            let perspective = pieces.perspective(&network.architecture, side);
            let inputs: Vec<usize> = difference.added.iter().map(|piece| piece.input(perspective)).collect();
            for neuron in 0..width {
                let weight = |input: &usize| number(&network.weights, input * width + neuron);
                let sum = number(&network.biases, neuron) + inputs.iter().map(weight).sum::<f64>();
                let clipped = (sum / f64::from(QA)).clamp(0.0, 1.0);
                let active = match network.architecture.activation {
                    Activation::SCRelu => clipped * clipped,
                    Activation::CRelu => clipped,
                };
                let weight = number(&network.output, 2 * width * bucket + part * width + neuron);
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
            let of_half = |halves: &[i32x16; 2]| f64::from(halves[lane / 16].to_array()[lane % 16]);
            let weight = |input: usize| f64::from(network.attack_weights[block].weight(input, lane));
            let products = counts.iter().enumerate().map(|(input, &count)| weight(input) * f64::from(count));
            let sum = of_half(&network.attack_biases[block]) + products.sum::<f64>();
            let weight = of_half(&network.attack_output[bucket * blocks + block]);
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
    fn a_quantised_file_holds_the_same_network() {
        for architecture in architectures() {
            let trained = random(architecture, 6);
            let [floating, whole] = [trained.bytes(), trained.quantised_bytes(trained.fingerprint())];
            let networks = [&floating, &whole].map(|bytes| Network::parse(bytes).unwrap());
            assert!(networks == [Network::quantise(&trained), Network::quantise(&trained)]);
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
