//! The gradient of a batch on several threads.
//!
//! It is computed in `SHARDS` parts that are added in their order, so that the number of threads does not
//! change a bit.

use super::aligned::Aligned;
use super::model::{Model, Scratch, Target};
use super::optimiser::{AdamW, Step};
use super::sample::Sample;
use super::threads::on_threads;
use crate::eval::network::Architecture;

/// Parts of a batch whose gradients are summed by themselves.
const SHARDS: usize = 8;

/// Threads with their gradients and scratch memory.
#[derive(Debug)]
pub struct Workers {
    threads: usize,
    /// A gradient for every part of a batch.
    shards: Vec<Aligned>,
    scratch: Vec<Scratch>,
}

impl Workers {
    /// For an architecture; more than `SHARDS` threads have no use.
    #[must_use]
    pub fn new(architecture: &Architecture, threads: usize) -> Workers {
        let threads = threads.clamp(1, SHARDS);
        let parameters = crate::eval::network::Layout::of(architecture).len;
        Workers {
            threads,
            shards: vec![Aligned::zeros(parameters); SHARDS],
            scratch: (0..threads).map(|_| Scratch::new(architecture)).collect(),
        }
    }

    /// Adds the gradient of a batch to the shards, and returns its loss, summed over samples.
    pub fn gradient(&mut self, model: &Model, batch: &[Sample], target: &Target) -> f64 {
        let size = batch.len().div_ceil(SHARDS).max(1);
        let parts: Vec<&[Sample]> = batch.chunks(size).collect();
        let share = SHARDS.div_ceil(self.threads);
        let shares = self.shards.chunks_mut(share).zip(parts.chunks(share)).zip(&mut self.scratch);
        let losses = on_threads(shares, |((shards, parts), scratch)| {
            let work = shards.iter_mut().zip(parts);
            work.map(|(shard, part)| model.add_gradient(part, target, shard, scratch)).collect::<Vec<f64>>()
        });
        losses.into_iter().flatten().sum()
    }

    /// A step of the optimiser by the gradient of a batch of so many samples.
    pub fn step(&mut self, adam: &mut AdamW, model: &mut Model, samples: usize, step: &Step) {
        adam.step(&mut model.parameters, &mut self.shards, samples, step, self.threads);
    }

    /// The mean loss over samples.
    pub fn loss(&mut self, model: &Model, samples: &[Sample], target: &Target) -> f64 {
        let size = samples.len().div_ceil(SHARDS).max(1);
        let parts: Vec<&[Sample]> = samples.chunks(size).collect();
        let share = SHARDS.div_ceil(self.threads);
        let losses = on_threads(parts.chunks(share).zip(&mut self.scratch), |(parts, scratch)| {
            let loss = |part: &&[Sample]| model.loss(part, target, scratch) * part.len() as f64;
            parts.iter().map(loss).collect::<Vec<f64>>()
        });
        losses.into_iter().flatten().sum::<f64>() / samples.len().max(1) as f64
    }
}
