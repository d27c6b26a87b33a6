//! `plumb texel`: Texel's tuning method, the weights of the evaluation fitted to the results of games. The
//! regression is in [`crate::lab::base::statistics::logistic`], the evaluation as a function of its weights
//! in [`crate::eval::features`], the positions are read by [`super::texel_samples`], and the state after
//! every epoch is kept by [`super::texel_state`].

use super::texel_samples::{self, Sample};
use super::texel_state::{Best, TexelState};
use crate::chess::score::centipawns;
use crate::eval::weight_list;
use crate::lab::base::pages::table::{Table, count};
use crate::lab::base::records::file::{self, Kind};
use crate::lab::base::records::fingerprint;
use crate::lab::base::records::lock::Lock;
use crate::lab::base::statistics::logistic::{self, Adam};
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::{self, Stop};
use crate::lab::base::terminal::progress::Progress;
use crate::lab::base::terminal::workers::{jobs, spread_at};
use crate::lab::play::tuning::arguments::TexelArgs;
use crate::random::SplitMix64;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// Parts in which positions are summed, for any number of jobs: floating-point sums depend on their order.
const PARTS: usize = 32;

/// Weights that the report lists: those that changed most.
const TOLD: usize = 20;

/// Time for the report on the epochs so far after Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Samples and parameters of a fit.
struct TexelPlan {
    learnt: Vec<Sample>,
    validation: Vec<Sample>,
    games: usize,
    /// The weights in use.
    start: Vec<f64>,
    /// The steepness K that fits the weights in use.
    k: f64,
    /// L2 regularization: the price of moving a weight by one centipawn, in squared error a position. It
    /// corresponds to a normal prior around the weight in use with the standard deviation `--spread`, against
    /// which the positions of a game count as one, since they share its result.
    pull: f64,
    /// The change of each weight that makes a centipawn.
    units: Vec<f64>,
    /// The length of a step of each weight.
    rates: Vec<f64>,
    patience: usize,
    epochs: usize,
    jobs: usize,
    /// Parameters for the head of the state: everything that decides the outcome.
    work: Vec<String>,
}

/// Fits the weights and prints losses and changes.
///
/// # Errors
/// If a file cannot be used, or the games are too few.
pub fn run(arguments: &TexelArgs) -> Result<(), Failure> {
    // The state is on disk after every epoch. Many samples take longer to read, or to report on: then the
    // state is all.
    interrupted::end_within(PATIENCE);
    let source = arguments.write.as_deref().map(read_source).transpose()?;
    let lock = Lock::of(&arguments.state)?;
    if let Some(path) = &arguments.write {
        file::check_writable(path, Kind::Text)?;
    }
    let stop = Stop::default();
    let Some(plan) = TexelPlan::new(arguments, &stop)? else { return Ok(()) };
    let mut state = TexelState::open(&arguments.state, &plan.work, &weight_list::names(), arguments.restart)?
        .map_or_else(|| plan.begin(&stop), |state| Ok(Some(state)))?;
    if let Some(state) = &mut state {
        plan.learn(state, &lock, &stop)?;
        let best = rounded(&state.best.values);
        if let Some(report) = plan.report(state, &best, &Stop::of_report())? {
            console::out(&report)?;
        }
        match (&arguments.write, source) {
            (Some(path), _) if stop.is_set() => {
                let (path, state) = (path.display(), arguments.state.display());
                console::note(format!(
                    "interrupted: {path} is unchanged; the same command goes on from {state}"
                ));
            }
            (Some(path), Some(source)) => write_source(path, &source, &best)?,
            _ => console::out(&format!("\n{}", weight_list::table(&best)))?,
        }
    }
    Ok(())
}

fn rounded(values: &[f64]) -> Vec<f64> {
    // Zero has no sign.
    values.iter().map(|value| value.round() + 0.0).collect()
}

/// The source file of the weights, which must contain their table.
fn read_source(path: &Path) -> Result<String, Failure> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| Failure::file("read", path.display(), &error))?;
    if weight_list::rewrite(&text, &weight_list::in_use()).is_none() {
        return Err(Failure::new(format!("{} has no table of weights", path.display())));
    }
    Ok(text)
}

fn write_source(path: &Path, source: &str, values: &[f64]) -> Result<(), Failure> {
    let text = weight_list::rewrite(source, values).unwrap_or_default();
    file::write(path, text)
}

impl TexelPlan {
    /// Reads the files and prepares; `None` when interrupted.
    fn new(arguments: &TexelArgs, stop: &Stop) -> Result<Option<TexelPlan>, Failure> {
        let sources = texel_samples::open(&arguments.files)?;
        let jobs = jobs(arguments.jobs);
        let Some(samples) = texel_samples::read(&sources, arguments.quiet.map(centipawns), jobs, stop)?
        else {
            return Ok(None);
        };
        let TexelArgs { result, rate, spread, keep, seed, .. } = *arguments;
        let all = games(&samples);
        let validation = |sample: &Sample| SplitMix64::new(sample.game ^ seed).below(100) < keep as usize;
        let (mut validation, mut learnt): (Vec<Sample>, Vec<Sample>) =
            samples.into_iter().partition(validation);
        if learnt.is_empty() || validation.is_empty() {
            return Err(Failure::new(format!(
                "{all} games are too few to learn from some and validate by others"
            )));
        }
        let (start, units) = (weight_list::in_use(), weight_list::units());
        let k = fit_k(&learnt, &start);
        for sample in learnt.iter_mut().chain(&mut validation) {
            let said = sample.score.map_or(sample.result, |score| logistic::expected(k, score));
            sample.target = result * sample.result + (1.0 - result) * said;
        }
        let quiet = arguments.quiet.map(|most| format!(", quiet {most}")).unwrap_or_default();
        let contents: Vec<u64> = sources.iter().map(|source| source.digest).collect();
        let error = mean(&learnt, |sample| sample.error(k, &start, sample.target));
        Ok(Some(TexelPlan {
            pull: error / (games(&learnt) as f64 * spread * spread),
            work: vec![
                format!("positions {:016x}, weights {:016x}", digest_of(&contents), digest_of(&start)),
                format!("lambda {result}, rate {rate}, spread {spread}, keep {keep}, seed {seed}{quiet}"),
            ],
            learnt,
            validation,
            games: all,
            start,
            k,
            rates: units.iter().map(|unit| rate * unit).collect(),
            units,
            patience: arguments.patience as usize,
            epochs: arguments.epochs as usize,
            jobs,
        }))
    }

    /// The state before the first epoch; `None` when interrupted.
    fn begin(&self, stop: &Stop) -> Result<Option<TexelState>, Failure> {
        let Some((loss, _)) = self.measure(&self.validation, &self.start, false, stop)? else {
            return Ok(None);
        };
        let best = Best { epoch: 0, loss, values: self.start.clone() };
        let adam = Adam::new(self.start.len());
        Ok(Some(TexelState { epoch: 0, values: self.start.clone(), adam, best }))
    }

    /// Runs epochs until the loss on the validation games has not fallen for `patience` epochs.
    fn learn(&self, state: &mut TexelState, file: &Lock, stop: &Stop) -> Result<(), Failure> {
        let mut progress = Progress::new("epochs", self.epochs.max(state.epoch), state.epoch);
        while state.epoch < self.epochs && state.epoch < state.best.epoch + self.patience {
            let Some(line) = self.epoch(state, stop)? else { break };
            state.write(file, &self.work, &weight_list::names())?;
            progress.aside(|| console::note(line));
            progress.step();
        }
        progress.finish();
        Ok(())
    }

    /// One step with all positions that are learnt from, and the validation loss; `None` when interrupted,
    /// with the state unchanged.
    fn epoch(&self, state: &mut TexelState, stop: &Stop) -> Result<Option<String>, Failure> {
        let Some((loss, mut gradient)) = self.measure(&self.learnt, &state.values, true, stop)? else {
            return Ok(None);
        };
        let moved = state.values.iter().zip(&self.start).map(|(value, start)| value - start);
        for ((slope, moved), unit) in gradient.iter_mut().zip(moved).zip(&self.units) {
            *slope += 2.0 * self.pull * moved / (unit * unit);
        }
        let mut next = state.clone();
        next.epoch += 1;
        next.adam.step(next.epoch, &self.rates, &mut next.values, &gradient);
        let Some((validation, _)) = self.measure(&self.validation, &next.values, false, stop)? else {
            return Ok(None);
        };
        if validation < next.best.loss {
            next.best = Best { epoch: next.epoch, loss: validation, values: next.values.clone() };
        }
        *state = next;
        let (epoch, best) = (state.epoch, &state.best);
        Ok(Some(format!(
            "epoch {epoch}: loss {loss:.6} before it, validation {validation:.6} after it (best {:.6}, epoch \
            {})",
            best.loss, best.epoch
        )))
    }

    /// The loss of some samples, with its gradient if that is `wanted`; `None` when interrupted.
    fn measure(
        &self,
        samples: &[Sample],
        values: &[f64],
        wanted: bool,
        stop: &Stop,
    ) -> Result<Option<(f64, Vec<f64>)>, Failure> {
        let parts: Vec<&[Sample]> = samples.chunks(samples.len().div_ceil(PARTS).max(1)).collect();
        let mut sums: Vec<Option<(f64, Vec<f64>)>> = parts.iter().map(|_| None).collect();
        let work = |(): &mut (), part: usize, send: &dyn Fn((usize, f64, Vec<f64>))| {
            let mut gradient = vec![0.0; if wanted { values.len() } else { 0 }];
            let loss = parts[part].iter().map(|sample| sample.learn(self.k, values, &mut gradient)).sum();
            send((part, loss, gradient));
        };
        spread_at(
            || Ok(()),
            parts.len(),
            self.jobs,
            stop,
            work,
            |(part, loss, gradient)| {
                sums[part] = Some((loss, gradient));
                Ok(())
            },
        )?;
        let Some(sums) = sums.into_iter().collect::<Option<Vec<_>>>() else { return Ok(None) };
        let (mut loss, mut gradient) = (0.0, vec![0.0; values.len()]);
        for (part_loss, part) in sums {
            loss += part_loss;
            gradient.iter_mut().zip(part).for_each(|(sum, slope)| *sum += slope);
        }
        let all = samples.len() as f64;
        gradient.iter_mut().for_each(|slope| *slope /= all);
        Ok(Some((loss / all, gradient)))
    }

    /// Losses and weights before and after; `None` when interrupted.
    fn report(&self, state: &TexelState, best: &[f64], stop: &Stop) -> Result<Option<String>, Failure> {
        let (learnt, validation) = (self.learnt.len(), self.validation.len());
        let mut text = format!(
            "# Texel: {} positions of {} games, K {:.4}\n\n",
            count((learnt + validation) as u64),
            count(self.games as u64),
            self.k
        );
        let mut losses = Table::new(1, ["mean squared error", "positions", "before", "after"]);
        for (name, samples) in [("learnt from", &self.learnt), ("validation", &self.validation)] {
            let mut cells = vec![name.to_owned(), count(samples.len() as u64)];
            for values in [self.start.as_slice(), best] {
                let Some((loss, _)) = self.measure(samples, values, false, stop)? else { return Ok(None) };
                cells.push(format!("{loss:.6}"));
            }
            losses.row(cells);
        }
        let alone = |values: &[f64]| {
            let loss = mean(&self.validation, |sample| sample.error(self.k, values, sample.result));
            format!("{loss:.6}")
        };
        losses.row([
            "validation, results alone".to_owned(),
            count(validation as u64),
            alone(&self.start),
            alone(best),
        ]);
        let (epoch, all, k) = (state.best.epoch, state.epoch, fit_k(&self.learnt, best));
        let _ =
            writeln!(text, "{losses}\nThe weights of epoch {epoch} of {all}; K fitted to them is {k:.4}.\n");
        let _ = write!(text, "{}", self.changes(best));
        Ok(Some(text))
    }

    /// The weights that changed most.
    fn changes(&self, best: &[f64]) -> Table {
        let names = weight_list::names();
        let mut all: Vec<(&String, f64, f64)> =
            names.iter().zip(&self.start).zip(best).map(|((name, &old), &new)| (name, old, new)).collect();
        all.sort_by(|a, b| (b.2 - b.1).abs().total_cmp(&(a.2 - a.1).abs()));
        let mut table = Table::new(1, ["weight", "before", "after", "change"]);
        for (name, old, new) in all.into_iter().take(TOLD).filter(|(_, old, new)| old != new) {
            table.row([name.clone(), old.to_string(), new.to_string(), format!("{:+}", new - old)]);
        }
        table
    }
}

impl Sample {
    /// The squared error against the points of `target`.
    fn error(&self, k: f64, values: &[f64], target: f64) -> f64 {
        (logistic::expected(k, self.features.value(values)) - target).powi(2)
    }

    /// The squared error; its gradient is added to `gradient` unless that is empty.
    fn learn(&self, k: f64, values: &[f64], gradient: &mut [f64]) -> f64 {
        let value = self.features.value(values);
        let miss = logistic::expected(k, value) - self.target;
        if !gradient.is_empty() {
            self.features.add_gradient(values, 2.0 * miss * logistic::slope(k, value), gradient);
        }
        miss * miss
    }
}

/// Number of games that the samples are from.
fn games(samples: &[Sample]) -> usize {
    samples.iter().map(|sample| sample.game).collect::<HashSet<_>>().len()
}

/// The K that fits the evaluation with these weights to the results.
fn fit_k(samples: &[Sample], values: &[f64]) -> f64 {
    let pairs: Vec<(f64, f64)> =
        samples.iter().map(|sample| (sample.features.value(values), sample.result)).collect();
    logistic::fit(&pairs)
}

fn digest_of<T: std::fmt::Debug>(what: &[T]) -> u64 {
    fingerprint::digest(format!("{what:?}").as_bytes())
}

fn mean(samples: &[Sample], of: impl Fn(&Sample) -> f64) -> f64 {
    samples.iter().map(of).sum::<f64>() / samples.len().max(1) as f64
}
