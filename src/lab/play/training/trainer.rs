//! Training: epochs of shuffled batches, a step of AdamW each, judged after every epoch by validation
//! positions.
//!
//! The result depends on the seed, the samples and the plan, and not on the number of threads or on breaks.

use super::corpus::{Corpus, Part};
use super::model::{Model, Target};
use super::optimiser::{AdamW, SharedRows, Step};
use super::sample::Sample;
use super::workers::Workers;
use crate::eval::network::Architecture;
use crate::eval::network::architecture::INPUTS;
use crate::lab::base::terminal::console::Failure;
use crate::lab::base::terminal::interrupted::interrupted;

/// The averaged parameters are a mean of the last twentieth of the training, roughly.
const AVERAGED_SHARE: f32 = 0.05;

/// Bounds of the part of the averaged parameters that a step replaces: an average over ten thousand steps to
/// fifty.
const AVERAGING: std::ops::RangeInclusive<f32> = 0.0001..=0.02;

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
    /// The learning rate, from the first step to the last.
    pub schedule: Schedule,
    /// True where king buckets share rows of the first layer ([`SharedRows`]).
    pub factoriser: bool,
    /// Weight decay of AdamW.
    pub weight_decay: f32,
    /// Seed of the first weights and of the order of samples.
    pub seed: u64,
    /// Samples that the memory may hold at a time.
    pub memory: usize,
}

/// The schedule of the learning rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Schedule {
    /// Half a cosine from the first rate to the last, step by step (Loshchilov and Hutter, "SGDR", ICLR
    /// 2017). It depends on the number of epochs.
    Cosine {
        /// The rate of the first step.
        first: f32,
        /// The rate of the last step.
        last: f32,
    },
    /// A factor from epoch to epoch. A training with it can be prolonged.
    Decay {
        /// The rate of the first epoch.
        first: f32,
        /// The factor.
        factor: f32,
    },
}

impl Schedule {
    /// The rate of a step, of the batch with this number (from 0) of `batches` in an epoch (from 0) of
    /// `epochs`.
    #[must_use]
    pub fn rate(&self, epoch: usize, epochs: usize, batch: usize, batches: usize) -> f32 {
        match *self {
            Schedule::Cosine { first, last } => {
                let steps = (epochs * batches).saturating_sub(1).max(1);
                let done = ((epoch * batches + batch) as f64 / steps as f64).min(1.0);
                let part = 0.5 * (1.0 + (std::f64::consts::PI * done).cos());
                last + (first - last) * part as f32
            }
            Schedule::Decay { first, factor } => first * factor.powi(epoch as i32),
        }
    }
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
    /// Before the first step, from the weights of `model`: random ones, or those of a network. With a
    /// factoriser the king buckets share rows.
    #[must_use]
    pub fn new(model: Model, factoriser: bool) -> Training {
        let Architecture { width, king_buckets, .. } = model.architecture;
        let shared = factoriser.then(|| SharedRows::new(INPUTS * width, king_buckets.count()));
        let adam = AdamW { shared, ..AdamW::new(&model.parameters) };
        let best = model.parameters.to_vec();
        Training { model, adam, epoch: 0, batches: 0, loss: 0.0, curve: Vec::new(), best }
    }

    /// True if so many epochs, batches and steps go together where an epoch has `batches` of them.
    #[must_use]
    pub fn is_possible(&self, batches: usize) -> bool {
        let before = (self.epoch as u64).checked_mul(batches as u64);
        let steps = before.and_then(|steps| steps.checked_add(self.batches as u64));
        self.batches <= batches && steps == Some(self.adam.steps)
    }

    /// Goes on to the end of the plan or to Ctrl-C. `show` is told of every batch, with the number of its
    /// samples, and of every epoch.
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

    /// The rest of an epoch; false when interrupted.
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
        let batches = (training.samples / plan.batch.max(1)).max(1);
        while let Some(batch) = epoch.batch(plan.batch)? {
            if interrupted() {
                return Ok(false);
            }
            self.learn(plan, batch, workers, batches);
            show(News::Batch(self, batch.len()))?;
        }
        Ok(true)
    }

    /// A step by a batch; an epoch has `batches` of them.
    pub(super) fn learn(
        &mut self,
        plan: &TrainingPlan,
        batch: &[Sample],
        workers: &mut Workers,
        batches: usize,
    ) {
        let part = 1.0 / (AVERAGED_SHARE * (plan.epochs * batches) as f32);
        let averaging = part.clamp(*AVERAGING.start(), *AVERAGING.end());
        let rate = plan.schedule.rate(self.epoch, plan.epochs, self.batches, batches);
        let step = Step { rate, decay: plan.weight_decay, averaging, clip: CLIP };
        self.loss += workers.gradient(&self.model, batch, &plan.target);
        workers.step(&mut self.adam, &mut self.model, batch.len(), &step);
        self.batches += 1;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cosine_goes_from_the_first_rate_to_the_last() {
        let schedule = Schedule::Cosine { first: 0.004, last: 0.000_01 };
        let rates: Vec<f32> = (0..300).map(|step| schedule.rate(step / 100, 3, step % 100, 100)).collect();
        assert_eq!(rates[0], 0.004);
        assert!((rates[299] - 0.000_01).abs() < 1e-9, "{}", rates[299]);
        assert!(rates.windows(2).all(|pair| pair[1] <= pair[0]));
        assert!((rates[149] + rates[150] - 0.004_01).abs() < 1e-6, "half of it is over half way");
    }

    #[test]
    fn a_decay_changes_the_rate_from_epoch_to_epoch_alone() {
        let schedule = Schedule::Decay { first: 0.004, factor: 0.5 };
        assert_eq!(schedule.rate(0, 9, 0, 10), schedule.rate(0, 90, 9, 10));
        assert_eq!(schedule.rate(2, 9, 3, 10), 0.001);
    }
}
