//! The files of a training: checkpoint, best network, and the curve of its losses as numbers and as a
//! picture.

use super::checkpoint;
use super::trainer::{EpochLoss, Training, TrainingPlan};
use super::validator::Validator;
use crate::eval::network::TrainedNetwork;
use crate::lab::base::pages::chart::{Axis, Chart, Point, Series};
use crate::lab::base::pages::svg;
use crate::lab::base::pages::table::Table;
use crate::lab::base::records::file;
use crate::lab::base::records::lock::Lock;
use crate::lab::base::terminal::console::Failure;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Path of the checkpoint.
pub(super) fn checkpoint_of(folder: &Path) -> PathBuf {
    folder.join("checkpoint")
}

/// Path of the best network.
pub(super) fn best_of(folder: &Path) -> PathBuf {
    folder.join("best.net")
}

/// The folder of a training, which no other program writes meanwhile.
pub(super) struct TrainingFolder<'a> {
    path: &'a Path,
    checkpoint: Lock,
}

impl TrainingFolder<'_> {
    /// Locks a folder.
    pub(super) fn lock(path: &Path) -> Result<TrainingFolder<'_>, Failure> {
        Ok(TrainingFolder { path, checkpoint: Lock::of(&checkpoint_of(path))? })
    }
}

/// The files of a training, written from time to time.
pub(super) struct Saving<'a> {
    plan: &'a TrainingPlan,
    description: &'a str,
    folder: &'a TrainingFolder<'a>,
    /// Checksums of the samples.
    samples: [u64; 2],
    /// Weights of the networks of which best.net is a mean with the learnt one.
    mean_with: &'a [Vec<f32>],
    validator: Option<&'a Validator>,
    every: Duration,
    last: Instant,
}

impl Saving<'_> {
    pub(super) fn new<'a>(
        plan: &'a TrainingPlan,
        description: &'a str,
        folder: &'a TrainingFolder<'a>,
        samples: [u64; 2],
        mean_with: &'a [Vec<f32>],
        validator: Option<&'a Validator>,
        every: Duration,
    ) -> Saving<'a> {
        Saving { plan, description, folder, samples, mean_with, validator, every, last: Instant::now() }
    }

    /// Writes them if the last time is long enough ago.
    pub(super) fn save_if_due(&mut self, training: &Training) -> Result<(), Failure> {
        if self.last.elapsed() < self.every {
            return Ok(());
        }
        self.save(training)?;
        self.last = Instant::now();
        Ok(())
    }

    /// The network with the least loss on validation positions, averaged with the weights of others. Its
    /// scale is normalised if there is a validator of it.
    ///
    /// Networks that have learnt different games from one start lie close enough together that the mean of
    /// their weights is better than each (Wortsman et al., "Model soups", ICML 2022).
    pub(super) fn best_network(&self, training: &Training) -> TrainedNetwork {
        let (architecture, scale) = (self.plan.architecture, self.plan.target.scale);
        let part = 1.0 / (1 + self.mean_with.len()) as f32;
        let mean = |(index, &learnt): (usize, &f32)| {
            self.mean_with.iter().fold(learnt * part, |sum, other| sum + other[index] * part)
        };
        let parameters = training.best.iter().enumerate().map(mean).collect();
        let mut network = TrainedNetwork { architecture, scale, parameters };
        network.scale = self.validator.map_or(scale, |validator| validator.normalised_scale(&network));
        network
    }

    /// Writes checkpoint, best network and curve.
    pub(super) fn save(&self, training: &Training) -> Result<(), Failure> {
        checkpoint::save(&self.folder.checkpoint, self.description, training, self.samples)?;
        if training.curve.is_empty() {
            return Ok(());
        }
        let best = self.best_network(training);
        file::write(&best_of(self.folder.path), best.bytes())?;
        let mut rows = "epoch,training,validation,averaged\n".to_owned();
        for (index, losses) in training.curve.iter().enumerate() {
            let _ =
                writeln!(rows, "{},{},{},{}", index + 1, losses.training, losses.validation, losses.averaged);
        }
        file::write(&self.folder.path.join("curve.csv"), &rows)?;
        file::write(&self.folder.path.join("curve.svg"), svg::draw(&chart(training)))
    }
}

/// The losses by epoch, as a table.
pub(super) fn table(training: &Training) -> Table {
    let mut table = Table::new(0, ["epoch", "training", "validation", "averaged"]);
    for (index, losses) in training.curve.iter().enumerate() {
        let loss = |loss: f64| format!("{loss:.6}");
        table.row([
            (index + 1).to_string(),
            loss(losses.training),
            loss(losses.validation),
            loss(losses.averaged),
        ]);
    }
    table
}

/// The losses by epoch.
fn chart(training: &Training) -> Chart {
    let series = |name: &str, of: fn(&EpochLoss) -> f64| {
        let epochs = (1..).zip(&training.curve);
        let point = |(epoch, losses)| Point { x: f64::from(epoch), y: of(losses), interval: None };
        Series::measured(name, epochs.map(point).collect())
    };
    Chart {
        name: "curve".to_owned(),
        title: "Squared error of expected points".to_owned(),
        x: Axis::linear("epoch"),
        y: Axis::linear("mean squared error"),
        series: vec![
            series("training", |losses| losses.training),
            series("validation", |losses| losses.validation),
            series("validation, averaged weights", |losses| losses.averaged),
        ],
        level: None,
    }
}
