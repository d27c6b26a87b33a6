//! Checkpoints: the state of a training on disk, to the last bit.
//!
//! A file is a line of text that says what it holds, and numbers in little-endian bytes behind it. It is written whole or
//! not at all. A checkpoint belongs to one plan and one corpus: with others it is refused.

use super::model::Model;
use super::optimiser::AdamW;
use super::trainer::{EpochLoss, Training};
use crate::eval::network::{Architecture, Layout};
use crate::lab::command::console::Failure;
use crate::lab::records::file;
use std::path::Path;

/// The first words of a checkpoint.
const CHECKPOINT: &str = "plumb training checkpoint 1";

/// Writes the state of a training of `plan`.
///
/// # Errors
/// If it cannot be written.
pub fn save(path: &Path, plan: &str, training: &Training) -> Result<(), Failure> {
    let mut bytes = format!("{CHECKPOINT}: {plan}\n").into_bytes();
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
    file::write(path, &bytes)
}

/// Reads the state of a training of `plan`.
///
/// # Errors
/// If the file cannot be read, is damaged, or belongs to another plan.
pub fn load(path: &Path, plan: &str, architecture: Architecture) -> Result<Training, Failure> {
    let bytes = std::fs::read(path).map_err(|error| Failure::file("read", path.display(), &error))?;
    let wrong = |why: &str| Failure::new(format!("{} {why}; --restart begins anew", path.display()));
    let mut rest = after_line(&bytes, &format!("{CHECKPOINT}: {plan}"))
        .ok_or_else(|| wrong("belongs to another training"))?;
    let read = |rest: &mut &[u8]| -> Option<Training> {
        let mut number = || Some(u64::from_le_bytes(take(rest)?));
        let (epoch, batches, steps, epochs) = (number()?, number()?, number()?, number()?);
        let loss = f64::from_le_bytes(take(rest)?);
        let mut curve = Vec::new();
        for _ in 0..epochs.min(100_000) {
            let mut loss = || Some(f64::from_le_bytes(take(rest)?));
            curve.push(EpochLoss { training: loss()?, validation: loss()?, averaged: loss()? });
        }
        let len = Layout::of(&architecture).len;
        let mut numbers = || floats(rest, len);
        let (parameters, mean, square) = (numbers()?, numbers()?, numbers()?);
        let (averaged, best) = (numbers()?, numbers()?);
        Some(Training {
            model: Model { architecture, parameters: parameters[..].into() },
            adam: AdamW { mean, square, averaged, steps },
            epoch: epoch as usize,
            batches: batches as usize,
            loss,
            curve,
            best,
        })
    };
    read(&mut rest).filter(|_| rest.is_empty()).ok_or_else(|| wrong("is damaged"))
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
