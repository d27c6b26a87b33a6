//! `plumb train --dry-run`: the time and the bytes that a training takes. Some games are packed in memory and
//! some batches are learnt, on this machine; nothing is written.

use super::corpus::Sources;
use super::default_epochs;
use super::model::Model;
use super::sample::{self, Sample};
use super::trainer::{Training, TrainingPlan};
use super::workers::Workers;
use crate::lab::base::pages::table::{Table, count};
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::interrupted;
use crate::lab::base::terminal::trial::{bytes, duration};
use crate::lab::play::archive::source;
use std::time::{Duration, Instant};

/// Time for the games that are packed, and again for the batches that are learnt.
const LENGTH: Duration = Duration::from_secs(2);

/// The most samples that are packed: successors make many.
const MOST_SAMPLES: usize = 1 << 20;

/// Prints a table of the time and the bytes of a training on `threads`.
///
/// # Errors
/// If a file cannot be read, holds no games, or Ctrl-C was pressed.
pub(super) fn run(sources: &Sources<'_>, plan: &TrainingPlan, threads: usize) -> Result<(), Failure> {
    console::note("a dry run: some games are packed and some batches are learnt, and nothing is written");
    let packed = Packed::some(sources)?;
    let [learnt, judged] = sources.bytes()?;
    let files = (learnt + judged) as f64;
    let a_byte = packed.samples.len() as f64 / packed.bytes.max(1) as f64;
    let samples = learnt as f64 * a_byte;
    let packing = sources.work()? as f64 * packed.seconds / (packed.bytes.max(1) * sources.weight()) as f64;
    let rate = rate(plan, &packed.samples, threads)?;
    let learning = samples * plan.epochs as f64 / rate;
    let steps = (samples as usize) / plan.batch;
    let parameters = Model::random(plan.architecture, plan.seed).parameters.len();
    let mut table = Table::new(1, ["estimate", ""]);
    table.row(["samples", &about(samples)]);
    table.row(["epochs", &count(plan.epochs as u64)]);
    table.row(["steps of an epoch", &count(steps as u64)]);
    table.row(["samples of a step", &count(plan.batch as u64)]);
    table.row(["samples a second", &about(rate)]);
    table.row(["packing", &duration(packing)]);
    table.row(["training", &duration(learning)]);
    table.row(["samples on disk", &bytes(files * a_byte * sample::BYTES as f64)]);
    table.row(["checkpoint and network", &bytes(CHECKPOINT_FACTOR * 4.0 * parameters as f64)]);
    console::out(&table.to_string())?;
    if let Some(warning) = default_epochs::warning(steps, samples as usize) {
        console::note(warning);
    }
    Ok(())
}

/// Vectors of parameters on disk: the model, two moments of the optimiser, the average, the best, and the
/// network.
const CHECKPOINT_FACTOR: f64 = 6.0;

/// A number with two digits and zeros: a dry run knows no more.
fn about(number: f64) -> String {
    let unit = 10_f64.powf((number.max(1.0).log10().floor() - 1.0).max(0.0));
    format!("about {}", count(((number / unit).round() * unit) as u64))
}

/// Games that were packed in memory.
struct Packed {
    samples: Vec<Sample>,
    /// Bytes of these games in their files.
    bytes: u64,
    /// Time that it took.
    seconds: f64,
}

impl Packed {
    /// The first games of the files, for some seconds. Scores are left as they are.
    fn some(sources: &Sources<'_>) -> Result<Packed, Failure> {
        let mut packed = Packed { samples: Vec::new(), bytes: 0, seconds: 0.0 };
        let began = Instant::now();
        'files: for file in sources.files {
            let mut games = source::open(file)?;
            let before = packed.bytes;
            while let Some(game) = games.next_game()? {
                if interrupted() {
                    return Err(Failure::interrupted());
                }
                sources.for_each_sample(&game, sources.scale, sources.successors, |position, score| {
                    packed.samples.push(Sample::new(position, score.unwrap_or(0), game.winner));
                });
                packed.bytes = before + games.at();
                if began.elapsed() >= LENGTH || packed.samples.len() >= MOST_SAMPLES {
                    break 'files;
                }
            }
        }
        packed.seconds = began.elapsed().as_secs_f64();
        if packed.samples.is_empty() {
            return Err(Failure::new("the files hold no quiet positions to learn from"));
        }
        Ok(packed)
    }
}

/// Samples a second in batches of these, on `threads`.
fn rate(plan: &TrainingPlan, samples: &[Sample], threads: usize) -> Result<f64, Failure> {
    let mut training = Training::new(Model::random(plan.architecture, plan.seed), plan.factoriser);
    let mut workers = Workers::new(&plan.architecture, threads);
    let batch: Vec<Sample> = samples.iter().cycle().take(plan.batch).copied().collect();
    let (mut began, mut learnt) = (Instant::now(), 0);
    while began.elapsed() < LENGTH || learnt == 0 {
        if interrupted() {
            return Err(Failure::interrupted());
        }
        let first = training.adam.steps == 0;
        training.learn(plan, &batch, &mut workers, 1);
        if first {
            // It waits for memory that the others have.
            began = Instant::now();
        } else {
            learnt += batch.len();
        }
    }
    Ok(learnt as f64 / began.elapsed().as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_have_two_digits() {
        assert_eq!(
            [0.0, 7.0, 96.0, 1_234.0, 987_654.0].map(about),
            ["about 0", "about 7", "about 96", "about 1,200", "about 990,000"]
        );
    }
}
