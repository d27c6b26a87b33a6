//! Checkpoints: the state of a training on disk, to the last bit.
//!
//! A file is a line of text that says what it holds, numbers in little-endian bytes behind it, and at the end
//! a checksum of all that (FNV-1a). It is written whole or not at all. A checkpoint belongs to one plan and
//! one corpus, whose checksums it has: with others it is refused.

use super::model::Model;
use super::optimiser::{AdamW, SharedRows};
use super::trainer::{EpochLoss, Training};
use crate::eval::network::Layout;
use crate::lab::base::records::file;
use crate::lab::base::records::fingerprint::digest;
use crate::lab::base::records::lock::Lock;
use crate::lab::base::terminal::console::Failure;
use std::path::Path;

/// The first words of a checkpoint.
const CHECKPOINT: &str = "plumb training checkpoint 3";

/// The state that a checkpoint holds.
#[derive(Debug)]
pub struct Loaded {
    /// The state of the training.
    pub training: Training,
    /// Checksums of the samples to learn from and of those for validation.
    pub samples: [u64; 2],
}

/// Writes the state of a training of `plan`, with samples that have these checksums.
///
/// # Errors
/// If it cannot be written.
pub fn save(lock: &Lock, plan: &str, training: &Training, samples: [u64; 2]) -> Result<(), Failure> {
    let mut bytes = format!("{CHECKPOINT}: {plan}\n").into_bytes();
    samples.iter().for_each(|sum| bytes.extend(sum.to_le_bytes()));
    for number in
        [training.epoch as u64, training.batches as u64, training.adam.steps, training.curve.len() as u64]
    {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(training.loss.to_le_bytes());
    for losses in &training.curve {
        for loss in [losses.training, losses.validation, losses.averaged] {
            bytes.extend(loss.to_le_bytes());
        }
    }
    let Training { model, adam, best, .. } = training;
    for numbers in [&model.parameters[..], &adam.mean, &adam.square, &adam.averaged, best] {
        numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    }
    if let Some(SharedRows { mean, square, .. }) = &adam.shared {
        [mean, square].into_iter().flatten().for_each(|number| bytes.extend(number.to_le_bytes()));
    }
    bytes.extend(digest(&bytes).to_le_bytes());
    file::write_locked(lock, &bytes)
}

/// Reads the state of a training of `plan`; `begun` is the state before its first step.
///
/// # Errors
/// If the file cannot be read, is damaged, or belongs to another plan.
pub fn load(path: &Path, plan: &str, begun: &Training) -> Result<Loaded, Failure> {
    let bytes = std::fs::read(path).map_err(|error| Failure::file("read", path.display(), &error))?;
    let wrong = |why: &str| Failure::new(format!("{} {why}; --restart begins anew", path.display()));
    let other = || wrong("belongs to another training");
    let (whole, sum) = bytes.split_last_chunk().ok_or_else(other)?;
    let mut rest = after_line(whole, &format!("{CHECKPOINT}: {plan}")).ok_or_else(other)?;
    if digest(whole) != u64::from_le_bytes(*sum) {
        return Err(wrong("is damaged: its checksum does not match"));
    }
    let loaded = read(&mut rest, begun).filter(|_| rest.is_empty());
    loaded.ok_or_else(|| wrong("is damaged"))
}

/// Reads the numbers between the first line and the checksum.
fn read(rest: &mut &[u8], begun: &Training) -> Option<Loaded> {
    let mut number = || Some(u64::from_le_bytes(take(rest)?));
    let samples = [number()?, number()?];
    let (epoch, batches, steps, epochs) = (number()?, number()?, number()?, number()?);
    let loss = f64::from_le_bytes(take(rest)?);
    let mut curve = Vec::new();
    for _ in 0..epochs.min(100_000) {
        let mut loss = || Some(f64::from_le_bytes(take(rest)?));
        curve.push(EpochLoss { training: loss()?, validation: loss()?, averaged: loss()? });
    }
    let architecture = begun.model.architecture;
    let len = Layout::of(&architecture).len;
    let mut numbers = |len| floats(rest, len);
    let (parameters, mean, square) = (numbers(len)?, numbers(len)?, numbers(len)?);
    let (averaged, best) = (numbers(len)?, numbers(len)?);
    let mut shared = begun.adam.shared.clone();
    if let Some(shared) = &mut shared {
        shared.mean = numbers(shared.mean.len())?;
        shared.square = numbers(shared.square.len())?;
    }
    let finite = loss.is_finite() && curve.iter().all(|of| of.training.is_finite() && of.best().is_finite());
    let training = Training {
        model: Model { architecture, parameters: parameters[..].into() },
        adam: AdamW { mean, square, averaged, shared, steps },
        epoch: epoch as usize,
        batches: batches as usize,
        loss,
        curve,
        best,
    };
    (finite && epoch == epochs).then_some(Loaded { training, samples })
}

/// The bytes behind a line that has to be there.
fn after_line<'a>(bytes: &'a [u8], line: &str) -> Option<&'a [u8]> {
    bytes.strip_prefix(line.as_bytes())?.strip_prefix(b"\n")
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (first, others) = rest.split_first_chunk()?;
    *rest = others;
    Some(*first)
}

fn floats(rest: &mut &[u8], count: usize) -> Option<Vec<f32>> {
    let (first, others) = rest.split_at_checked(count.checked_mul(4)?)?;
    *rest = others;
    let numbers: Vec<f32> = first.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
    numbers.iter().all(|number| number.is_finite()).then_some(numbers)
}
