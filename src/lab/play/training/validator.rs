//! Validation of a trained network: its loss on validation samples and that of the hand-crafted evaluation,
//! by the number of pieces and rescaled, and the error of quantisation.

use super::corpus;
use super::model::{Model, Scratch, Target, sigmoid};
use super::sample::Sample;
use crate::chess::score::UNITS_PER_PAWN;
use crate::eval::HandCrafted;
use crate::eval::network::architecture::OUTPUT_BUCKETS;
use crate::eval::network::file::SCALES;
use crate::eval::network::{Architecture, Network, Pieces, TrainedNetwork};
use crate::lab::base::pages::table::{Table, count};
use shakmaty::Color;

/// Positions over which the error of quantisation is measured.
const QUANTISED_SAMPLES: usize = 100_000;

/// Positions over which the scale is normalised.
const SCALED_SAMPLES: usize = 50_000;

/// Factors on the values of an evaluation that are tried: from 1 / `MOST_FACTOR` to `MOST_FACTOR`.
const MOST_FACTOR: f64 = 4.0;

/// Steps of the search for the best factor; each leaves two thirds of the range.
const FACTOR_STEPS: usize = 20;

/// The output of an evaluation for a sample, in units of the sigmoid's argument, and its target in expected
/// points.
type Prediction = (f32, f32);

/// Validation samples, with the predictions of the hand-crafted evaluation, with which a network is compared.
pub(super) struct Validator {
    samples: Vec<Sample>,
    hand_crafted: Vec<Prediction>,
}

impl Validator {
    /// Evaluates the samples that are legal positions.
    pub(super) fn new(samples: &[Sample], target: &Target) -> Validator {
        let mut evaluator = HandCrafted::new();
        let judged = |sample: &Sample| {
            let score = corpus::hand_crafted(&mut evaluator, &sample.position()?);
            Some((*sample, (f32::from(score) / target.scale, target.of(sample))))
        };
        let (samples, hand_crafted) = samples.iter().filter_map(judged).unzip();
        Validator { samples, hand_crafted }
    }

    /// The loss of the hand-crafted evaluation, the mean squared error of expected points: a network that is
    /// to play better needs a smaller one.
    pub(super) fn hand_crafted_loss(&self) -> f64 {
        loss(&self.hand_crafted, 1.0)
    }

    /// The scale of a network for its file: the centipawns that an output of 1 means, so that the median of
    /// its absolute values is that of the hand-crafted evaluation. The margins of the search are in
    /// centipawns of that evaluation; a target that makes larger values must not make every margin smaller.
    /// Between [`SCALES`].
    pub(super) fn normalised_scale(&self, trained: &TrainedNetwork) -> f32 {
        let model = Model::of(trained);
        let mut scratch = Scratch::new(&trained.architecture);
        let samples = &self.samples[..self.samples.len().min(SCALED_SAMPLES)];
        let of_network = median(samples.iter().map(|sample| model.output(sample, &mut scratch).abs()));
        let of_hand = median(self.hand_crafted.iter().take(samples.len()).map(|(output, _)| output.abs()));
        let scale = trained.scale * of_hand / of_network;
        if scale.is_finite() { scale.clamp(*SCALES.start(), *SCALES.end()) } else { trained.scale }
    }

    /// The losses by the number of pieces: a network that is better in endgames only does not show it in the
    /// whole. The last row has those of the best multiple of all values, with the factor: the order of moves
    /// and positions is what counts in play, not the scale. The scale of the network is that of the target.
    pub(super) fn by_pieces(&self, trained: &TrainedNetwork) -> Table {
        let network = self.predictions(trained);
        let mut groups = vec![(Vec::new(), Vec::new()); OUTPUT_BUCKETS];
        for ((sample, of_hand), of_network) in self.samples.iter().zip(&self.hand_crafted).zip(&network) {
            let group = &mut groups[Architecture::default().output_bucket(sample.pieces().count())];
            group.0.push(*of_hand);
            group.1.push(*of_network);
        }
        let mut table = Table::new(1, ["pieces", "validation", "hand-crafted", "network"]);
        let plain = |of: &[Prediction]| format!("{:.6}", loss(of, 1.0));
        for (group, (hand_crafted, network)) in groups.iter().enumerate() {
            if !network.is_empty() {
                let name = format!("{} to {}", (4 * group + 1).max(2), 4 * group + 4);
                table.row(row(name, hand_crafted, network, plain));
            }
        }
        table.row(row("all".to_owned(), &self.hand_crafted, &network, plain));
        table.row(row("all, rescaled".to_owned(), &self.hand_crafted, &network, |of| {
            let factor = best_factor(of);
            format!("{:.6} (by {factor:.2})", loss(of, factor))
        }));
        table
    }

    /// The predictions of a network.
    fn predictions(&self, trained: &TrainedNetwork) -> Vec<Prediction> {
        let model = Model::of(trained);
        let mut scratch = Scratch::new(&trained.architecture);
        let targets = self.hand_crafted.iter().map(|&(_, target)| target);
        self.samples.iter().map(|sample| model.output(sample, &mut scratch)).zip(targets).collect()
    }
}

/// The median; NaN if there is nothing.
fn median(numbers: impl Iterator<Item = f32>) -> f32 {
    let mut numbers: Vec<f32> = numbers.collect();
    numbers.sort_by(f32::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f32::NAN)
}

/// A row of the table: name, number of samples, and what `cell` says of both evaluations.
fn row(
    name: String,
    hand_crafted: &[Prediction],
    network: &[Prediction],
    cell: impl Fn(&[Prediction]) -> String,
) -> [String; 4] {
    [name, count(network.len() as u64), cell(hand_crafted), cell(network)]
}

/// The mean squared error of expected points with all outputs multiplied by a factor.
fn loss(predictions: &[Prediction], factor: f64) -> f64 {
    let square = |&(output, target): &Prediction| {
        let error = sigmoid(output * factor as f32) - target;
        f64::from(error * error)
    };
    predictions.iter().map(square).sum::<f64>() / predictions.len().max(1) as f64
}

/// The factor on all outputs that makes the loss least, by ternary search on a logarithmic scale.
fn best_factor(predictions: &[Prediction]) -> f64 {
    let (mut low, mut high) = (-MOST_FACTOR.ln(), MOST_FACTOR.ln());
    for _ in 0..FACTOR_STEPS {
        let third = (high - low) / 3.0;
        if loss(predictions, (low + third).exp()) < loss(predictions, (high - third).exp()) {
            high -= third;
        } else {
            low += third;
        }
    }
    f64::midpoint(low, high).exp()
}

/// The error of a network's values by its quantisation, in centipawns: root mean square over some samples.
pub(super) fn quantisation_error(trained: &TrainedNetwork, samples: &[Sample]) -> f64 {
    let TrainedNetwork { architecture, scale, ref parameters } = *trained;
    let model = Model { architecture, parameters: parameters[..].into() };
    let network = Network::quantise(trained);
    let mut scratch = Scratch::new(&architecture);
    let samples = &samples[..samples.len().min(QUANTISED_SAMPLES)];
    let square = |sample: &Sample| {
        let exact = f64::from(model.output(sample, &mut scratch) * scale);
        let value = network.evaluate(&Pieces::on_squares(sample.pieces()), Color::White);
        (f64::from(value) * 100.0 / f64::from(UNITS_PER_PAWN) - exact).powi(2)
    };
    (samples.iter().map(square).sum::<f64>() / samples.len().max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Outputs from -4 to 4, and targets that are those of the outputs times `factor`.
    fn predictions(factor: f32) -> Vec<Prediction> {
        (-40..=40).map(|number| number as f32 / 10.0).map(|x| (x, sigmoid(x * factor))).collect()
    }

    #[test]
    fn the_best_factor_is_found_and_leaves_no_loss() {
        for factor in [0.3, 1.0, 1.16, 3.5] {
            let predictions = predictions(factor);
            let found = best_factor(&predictions);
            assert!((found / f64::from(factor) - 1.0).abs() < 0.002, "{found} {factor}");
            assert!(loss(&predictions, found) < 1e-7);
        }
        let twice = predictions(2.0);
        assert!(loss(&twice, 1.0) > 1000.0 * loss(&twice, best_factor(&twice)));
    }
}
