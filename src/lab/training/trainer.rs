//! Training: epochs of shuffled batches, a step of AdamW each, judged after every epoch by validation positions.
//!
//! The result depends on the seed, the samples and the plan, and not on the number of threads or on breaks.

use super::corpus::{Corpus, Part};
use super::model::{Model, Target};
use super::optimiser::{AdamW, Step};
use super::sample::Sample;
use super::workers::Workers;
use crate::eval::network::Architecture;
use crate::lab::command::console::Failure;
use crate::lab::command::interrupted::interrupted;

/// The part of the averaged parameters that a step replaces: an average over some thousand steps.
const AVERAGING: f32 = 0.001;

/// Bounds of the parameters: beyond, the network could not be quantised.
const CLIP: f32 = 1.97;

/// Architecture and numbers of a training.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingPlan {
    /// Widths and options.
    pub architecture: Architecture,
    /// The expected points.
    pub target: Target,
    /// Times that every sample is shown.
    pub epochs: usize,
    /// Samples of a step.
    pub batch: usize,
    /// Length of a step in the first epoch.
    pub rate: f32,
    /// Factor of the rate from epoch to epoch.
    pub rate_decay: f32,
    /// Weight decay of AdamW.
    pub weight_decay: f32,
    /// Seed of the first weights and of the order of samples.
    pub seed: u64,
    /// Samples that the memory may hold at a time.
    pub memory: usize,
}

/// The state of a training.
#[derive(Clone, Debug, PartialEq)]
pub struct Training {
    /// The network as the last step left it.
    pub model: Model,
    /// The state of the optimiser.
    pub adam: AdamW,
    /// The epoch that is under way, from 0.
    pub epoch: usize,
    /// Batches of it that are done.
    pub batches: usize,
    /// Loss of these batches before their steps, summed over samples.
    pub loss: f64,
    /// The finished epochs.
    pub curve: Vec<EpochLoss>,
    /// The parameters with the least loss on validation positions.
    pub best: Vec<f32>,
}

/// The losses of an epoch: mean squared errors of expected points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EpochLoss {
    /// On its own samples, while it learnt.
    pub training: f64,
    /// On validation positions, by the last parameters.
    pub validation: f64,
    /// The same by the averaged parameters.
    pub averaged: f64,
}

impl EpochLoss {
    /// The better of both on validation positions.
    #[must_use]
    pub fn best(&self) -> f64 {
        self.validation.min(self.averaged)
    }
}

impl Training {
    /// Before the first step, from the weights of `model`: random ones, or those of a network.
    #[must_use]
    pub fn new(model: Model) -> Training {
        let adam = AdamW::new(&model.parameters);
        let best = model.parameters.to_vec();
        Training { model, adam, epoch: 0, batches: 0, loss: 0.0, curve: Vec::new(), best }
    }

    /// True if so many epochs, batches and steps go together where an epoch has `batches` of them.
    #[must_use]
    pub fn is_possible(&self, batches: usize) -> bool {
        let steps = (self.epoch as u64).checked_mul(batches as u64);
        self.batches <= batches && steps.map(|steps| steps + self.batches as u64) == Some(self.adam.steps)
    }

    /// Goes on to the end of the plan or to Ctrl-C. `show` is told of every batch, with the number of its samples, and
    /// of every epoch.
    ///
    /// # Errors
    /// If samples cannot be read.
    pub fn run(
        &mut self,
        plan: &TrainingPlan,
        corpus: &Corpus,
        threads: usize,
        mut show: impl FnMut(News<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let validation = corpus.validation.read()?;
        let mut workers = Workers::new(&plan.architecture, threads);
        while self.epoch < plan.epochs {
            if !self.run_epoch(plan, &corpus.training, &mut workers, &mut show)? {
                return Ok(());
            }
            self.end_epoch(plan, &validation, &mut workers);
            show(News::Epoch(self))?;
        }
        Ok(())
    }

    /// The rest of an epoch; false when broken off.
    fn run_epoch(
        &mut self,
        plan: &TrainingPlan,
        training: &Part,
        workers: &mut Workers,
        show: &mut impl FnMut(News<'_>) -> Result<(), Failure>,
    ) -> Result<bool, Failure> {
        let mut epoch = training.epoch(plan.seed, self.epoch, plan.memory)?;
        for _ in 0..self.batches {
            if epoch.batch(plan.batch)?.is_none() {
                return Err(Failure::new("an epoch has fewer batches than are done of it"));
            }
        }
        let rate = plan.rate * plan.rate_decay.powi(self.epoch as i32);
        let step = Step { rate, decay: plan.weight_decay, averaging: AVERAGING, clip: CLIP };
        while let Some(batch) = epoch.batch(plan.batch)? {
            if interrupted() {
                return Ok(false);
            }
            self.loss += workers.gradient(&self.model, batch, &plan.target);
            workers.step(&mut self.adam, &mut self.model, batch.len(), &step);
            self.batches += 1;
            show(News::Batch(self, batch.len()))?;
        }
        Ok(true)
    }

    fn end_epoch(&mut self, plan: &TrainingPlan, validation: &[Sample], workers: &mut Workers) {
        let averaged = Model { architecture: plan.architecture, parameters: self.adam.averaged[..].into() };
        let losses = EpochLoss {
            training: self.loss / (self.batches * plan.batch).max(1) as f64,
            validation: workers.loss(&self.model, validation, &plan.target),
            averaged: workers.loss(&averaged, validation, &plan.target),
        };
        let best = self.curve.iter().map(EpochLoss::best).fold(f64::INFINITY, f64::min);
        if losses.best() < best {
            let last = losses.validation < losses.averaged;
            self.best = if last { self.model.parameters.to_vec() } else { averaged.parameters.to_vec() };
        }
        self.curve.push(losses);
        self.epoch += 1;
        self.batches = 0;
        self.loss = 0.0;
    }
}

/// Progress of [`Training::run`].
pub enum News<'a> {
    /// A batch of so many samples is done.
    Batch(&'a Training, usize),
    /// An epoch is done.
    Epoch(&'a Training),
}
