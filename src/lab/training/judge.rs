//! Judgement of a trained network on samples kept aside: its loss and that of the hand-crafted evaluation, by the number
//! of pieces and rescaled, and the error of quantisation.

use super::corpus;
use super::model::{Model, Scratch, Target, sigmoid};
use super::sample::Sample;
use crate::chess::score::UNITS_PER_PAWN;
use crate::eval::HandCrafted;
use crate::eval::network::{Network, Pieces, TrainedNetwork};
use crate::lab::pages::table::{Table, count};
use shakmaty::Color;

/// Positions over which the error of quantisation is measured.
const QUANTISED_SAMPLES: usize = 100_000;

/// Factors on the values of an evaluation that are tried: from 1 / `MOST_FACTOR` to `MOST_FACTOR`.
const MOST_FACTOR: f64 = 4.0;

/// Steps of the search for the best factor; each leaves two thirds of the range.
const FACTOR_STEPS: usize = 20;

/// Samples kept aside, with the values of the hand-crafted evaluation, which are the yardstick of a network.
pub(super) struct Judge {
    samples: Vec<Judged>,
    scale: f32,
}

/// A sample with its target in expected points and the output of the hand-crafted evaluation.
struct Judged {
    sample: Sample,
    target: f32,
    hand_crafted: f32,
}

/// The output of an evaluation for a sample, in units of the sigmoid's argument, and its target in expected points.
type Prediction = (f32, f32);

impl Judge {
    /// Evaluates the samples that are legal positions.
    pub(super) fn new(samples: &[Sample], target: &Target) -> Judge {
        let mut evaluator = HandCrafted::new();
        let judged = |sample: &Sample| {
            let score = corpus::hand_crafted(&mut evaluator, &sample.position()?);
            let hand_crafted = f32::from(score) / target.scale;
            Some(Judged { sample: *sample, target: target.of(sample), hand_crafted })
        };
        Judge { samples: samples.iter().filter_map(judged).collect(), scale: target.scale }
    }

    /// The loss of the hand-crafted evaluation, the mean squared error of expected points: a network that is to play
    /// better needs a smaller one.
    pub(super) fn hand_crafted_loss(&self) -> f64 {
        loss(&self.samples.iter().map(|judged| (judged.hand_crafted, judged.target)).collect::<Vec<_>>(), 1.0)
    }

    /// The losses by the number of pieces: a network that is better in endgames only does not show it in the whole. The
    /// last row has those of the best multiple of all values, with the factor: the order of moves and positions is what
    /// counts in play, not the scale.
    pub(super) fn by_pieces(&self, trained: &TrainedNetwork) -> Table {
        let (hand_crafted, network) = self.predictions(trained);
        let mut table = Table::new(1, ["pieces", "kept aside", "hand-crafted", "network"]);
        for first in (1..=29).step_by(4) {
            let pieces = first..=first + 3;
            let is_in = |judged: &Judged| pieces.contains(&judged.sample.pieces().count());
            let of = |all: &[Prediction]| -> Vec<Prediction> {
                let some = self.samples.iter().zip(all).filter(|(judged, _)| is_in(judged));
                some.map(|(_, prediction)| *prediction).collect()
            };
            let (hand_crafted, network) = (of(&hand_crafted), of(&network));
            if !network.is_empty() {
                let name = format!("{} to {}", first.max(2), first + 3);
                table.row(row(name, &hand_crafted, &network, |of| format!("{:.6}", loss(of, 1.0))));
            }
        }
        table.row(row("all".to_owned(), &hand_crafted, &network, |of| format!("{:.6}", loss(of, 1.0))));
        table.row(row("all, rescaled".to_owned(), &hand_crafted, &network, |of| {
            let factor = best_factor(of);
            format!("{:.6} (by {factor:.2})", loss(of, factor))
        }));
        table
    }

    /// The predictions of the hand-crafted evaluation and of a network.
    fn predictions(&self, trained: &TrainedNetwork) -> (Vec<Prediction>, Vec<Prediction>) {
        let model = Model { architecture: trained.architecture, parameters: trained.parameters[..].into() };
        let mut scratch = Scratch::new(&trained.architecture);
        let factor = trained.scale / self.scale;
        let both = self.samples.iter().map(|judged| {
            let output = model.output(&judged.sample, &mut scratch) * factor;
            ((judged.hand_crafted, judged.target), (output, judged.target))
        });
        both.unzip()
    }
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
