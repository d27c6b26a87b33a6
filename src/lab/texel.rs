//! `plumb texel`: the weights of the evaluation, fitted to how games ended. The method is in [`super::logistic`], the
//! evaluation as a function of its weights in [`crate::eval::features`]; here positions are read, epochs are counted,
//! and a state is kept from which a broken-off fit goes on.

use super::cli::TexelArgs;
use super::console::{self, Failure};
use super::fingerprint;
use super::interrupted::Stop;
use super::labelled::Labelled;
use super::logistic::{self, Adam};
use super::progress::Progress;
use super::runner::spread_at;
use super::table::{Table, count};
use super::texel_state::{Best, State};
use super::tournament::jobs;
use crate::eval::catalogue;
use crate::eval::features::{Features, Tracer};
use crate::random::SplitMix64;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;

/// Lines that a worker takes at a time.
const LINES: usize = 500;

/// The positions are summed in so many parts, whatever the number of jobs: sums of fractions depend on their order.
const PARTS: usize = 32;

/// Numbers of which the report tells: those that changed most.
const TOLD: usize = 20;

/// A position to learn from.
struct Sample {
    features: Features,
    /// White's points in its game.
    result: f64,
    /// What a search said, in centipawns for White.
    score: Option<f64>,
    /// The points that the evaluation should expect.
    target: f64,
}

/// What is learnt from, and how.
struct Plan {
    learnt: Vec<Sample>,
    kept_aside: Vec<Sample>,
    games: usize,
    /// The numbers in use.
    start: Vec<f64>,
    /// The steepness that fits the numbers in use.
    k: f64,
    /// The price of moving a number by one centipawn, in squared error a position.
    pull: f64,
    rate: f64,
    patience: usize,
    epochs: usize,
    jobs: usize,
    /// What decides the outcome, a line each.
    work: Vec<String>,
}

/// Fits the weights and prints what has become of them.
pub fn run(arguments: &TexelArgs) -> Result<(), Failure> {
    let source = arguments.write.as_deref().map(read_source).transpose()?;
    let stop = Stop::default();
    let Some(plan) = Plan::new(arguments, &stop)? else { return Ok(()) };
    let mut state = State::open(&arguments.state, &plan.work, &catalogue::names(), arguments.restart)?
        .map_or_else(|| plan.begin(&stop), |state| Ok(Some(state)))?;
    if let Some(state) = &mut state {
        plan.learn(state, &arguments.state, &stop)?;
        let best = rounded(&state.best.values);
        if let Some(report) = plan.report(state, &best, &Stop::default())? {
            console::out(&report)?;
        }
        match (&arguments.write, source) {
            (Some(path), Some(source)) => write_source(path, &source, &best)?,
            _ => console::out(&format!("\n{}", catalogue::table(&best)))?,
        }
    }
    Ok(())
}

fn rounded(values: &[f64]) -> Vec<f64> {
    values.iter().map(|value| value.round()).collect()
}

/// The source of the weights, which must have their table.
fn read_source(path: &Path) -> Result<String, Failure> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| Failure::file("read", path.display(), &error))?;
    if catalogue::rewrite(&text, &catalogue::in_use()).is_none() {
        return Err(Failure::new(format!("{} has no table of weights", path.display())));
    }
    Ok(text)
}

fn write_source(path: &Path, source: &str, values: &[f64]) -> Result<(), Failure> {
    let text = catalogue::rewrite(source, values).unwrap_or_default();
    std::fs::write(path, text).map_err(|error| Failure::file("write to", path.display(), &error))
}

/// What was read of a piece of a file.
struct Piece {
    number: usize,
    /// The samples, each with the fingerprint of its game.
    samples: Result<Vec<(u64, Sample)>, String>,
}

/// Reads the lines of a piece, from `first` on (counted from 0).
fn read_lines(
    tracer: &Tracer,
    file: &str,
    first: usize,
    lines: &[&str],
) -> Result<Vec<(u64, Sample)>, String> {
    let read = |(index, line): (usize, &&str)| {
        let place = format!("{file}:{}", first + index + 1);
        let Labelled { position, result, score, game } =
            Labelled::read(line).map_err(|error| format!("{place}: {error}"))?;
        let game = fingerprint::digest(game.unwrap_or(place).as_bytes());
        Ok((game, Sample { features: tracer.features(&position), result, score, target: result }))
    };
    let wanted = |(_, line): &(usize, &&str)| !line.trim().is_empty() && !line.starts_with('#');
    lines.iter().enumerate().filter(wanted).map(read).collect()
}

/// The samples of all files, in their order; `None` when broken off.
fn read_files(arguments: &TexelArgs, stop: &Stop) -> Result<Option<(Vec<(u64, Sample)>, u64)>, Failure> {
    let mut texts = Vec::new();
    for path in &arguments.files {
        let text = std::fs::read_to_string(path);
        texts.push((
            path.display().to_string(),
            text.map_err(|error| Failure::file("read", path.display(), &error))?,
        ));
    }
    let lines: Vec<(&str, Vec<&str>)> =
        texts.iter().map(|(name, text)| (name.as_str(), text.lines().collect())).collect();
    let pieces: Vec<(&str, usize, &[&str])> = lines
        .iter()
        .flat_map(|(name, lines)| {
            lines.chunks(LINES).enumerate().map(|(at, piece)| (*name, at * LINES, piece))
        })
        .collect();
    let tracer = Tracer::new();
    let mut progress = Progress::new(format!("pieces of {LINES} positions"), pieces.len(), 0);
    let mut read: Vec<Option<Vec<(u64, Sample)>>> = pieces.iter().map(|_| None).collect();
    let ended = spread_at(
        || Ok(()),
        pieces.len(),
        jobs(arguments.jobs),
        stop,
        |(), number, send| {
            let (name, first, lines) = pieces[number];
            send(Piece { number, samples: read_lines(&tracer, name, first, lines) });
        },
        |piece: Piece| {
            read[piece.number] = Some(piece.samples.map_err(Failure::new)?);
            progress.step();
            Ok(())
        },
    );
    progress.finish();
    ended?;
    let all: Option<Vec<Vec<_>>> = read.into_iter().collect();
    let digests: Vec<u8> =
        texts.iter().flat_map(|(_, text)| fingerprint::digest(text.as_bytes()).to_le_bytes()).collect();
    Ok(all.map(|all| (all.into_iter().flatten().collect(), fingerprint::digest(&digests))))
}

impl Plan {
    /// Reads the files and prepares; `None` when broken off.
    fn new(arguments: &TexelArgs, stop: &Stop) -> Result<Option<Plan>, Failure> {
        let Some((samples, digest)) = read_files(arguments, stop)? else { return Ok(None) };
        let games = samples.iter().map(|(game, _)| game).collect::<HashSet<_>>().len();
        let aside = |game: u64| SplitMix64::new(game ^ arguments.seed).below(100) < arguments.keep as usize;
        let (kept_aside, learnt): (Vec<_>, Vec<_>) = samples.into_iter().partition(|&(game, _)| aside(game));
        let own = |samples: Vec<(u64, Sample)>| samples.into_iter().map(|(_, sample)| sample).collect();
        let (mut learnt, mut kept_aside): (Vec<Sample>, Vec<Sample>) = (own(learnt), own(kept_aside));
        if learnt.is_empty() || kept_aside.is_empty() {
            return Err(Failure::new(format!(
                "{games} games are too few to learn from some and keep others aside"
            )));
        }
        let start = catalogue::in_use();
        let pairs: Vec<(f64, f64)> =
            learnt.iter().map(|sample| (sample.features.value(&start), sample.result)).collect();
        let k = logistic::fit(&pairs);
        for sample in learnt.iter_mut().chain(&mut kept_aside) {
            let said = sample.score.map_or(sample.result, |score| logistic::expected(k, score));
            sample.target = arguments.lambda * sample.result + (1.0 - arguments.lambda) * said;
        }
        let error = mean(&learnt, |sample| sample.error(k, &start, sample.target));
        let numbers: Vec<u8> = start.iter().flat_map(|value| value.to_le_bytes()).collect();
        let TexelArgs { lambda, rate, spread, keep, seed, .. } = *arguments;
        Ok(Some(Plan {
            pull: error / (learnt.len() as f64 * spread * spread),
            work: vec![
                format!("positions {digest:016x}, weights {:016x}", fingerprint::digest(&numbers)),
                format!("lambda {lambda}, rate {rate}, spread {spread}, keep {keep}, seed {seed}"),
            ],
            learnt,
            kept_aside,
            games,
            start,
            k,
            rate,
            patience: arguments.patience as usize,
            epochs: arguments.epochs as usize,
            jobs: jobs(arguments.jobs),
        }))
    }

    /// Before the first epoch; `None` when broken off.
    fn begin(&self, stop: &Stop) -> Result<Option<State>, Failure> {
        let Some((loss, _)) = self.measure(&self.kept_aside, &self.start, false, stop)? else {
            return Ok(None);
        };
        let best = Best { epoch: 0, loss, values: self.start.clone() };
        let adam = Adam::new(self.start.len());
        Ok(Some(State { epoch: 0, values: self.start.clone(), adam, best }))
    }

    /// Goes through epochs until the games kept aside say that it is enough.
    fn learn(&self, state: &mut State, file: &Path, stop: &Stop) -> Result<(), Failure> {
        let mut progress = Progress::new("epochs", self.epochs.max(state.epoch), state.epoch);
        while state.epoch < self.epochs && state.epoch < state.best.epoch + self.patience {
            let Some(line) = self.epoch(state, stop)? else { break };
            state.write(file, &self.work, &catalogue::names())?;
            progress.aside(|| console::warn(line));
            progress.step();
        }
        progress.finish();
        Ok(())
    }

    /// One step with all positions that are learnt from, and what the others say to it; `None` when broken off, with
    /// the state as it was.
    fn epoch(&self, state: &mut State, stop: &Stop) -> Result<Option<String>, Failure> {
        let Some((loss, mut gradient)) = self.measure(&self.learnt, &state.values, true, stop)? else {
            return Ok(None);
        };
        for (slope, (value, start)) in gradient.iter_mut().zip(state.values.iter().zip(&self.start)) {
            *slope += 2.0 * self.pull * (value - start);
        }
        let mut next = state.clone();
        next.epoch += 1;
        next.adam.step(next.epoch, self.rate, &mut next.values, &gradient);
        let Some((aside, _)) = self.measure(&self.kept_aside, &next.values, false, stop)? else {
            return Ok(None);
        };
        if aside < next.best.loss {
            next.best = Best { epoch: next.epoch, loss: aside, values: next.values.clone() };
        }
        *state = next;
        let (epoch, best) = (state.epoch, &state.best);
        Ok(Some(format!(
            "epoch {epoch}: loss {loss:.6} before it, kept aside {aside:.6} after it (best {:.6}, epoch {})",
            best.loss, best.epoch
        )))
    }

    /// The loss of some samples, with its gradient if that is `wanted`; `None` when broken off.
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

    /// What has become of the losses and of the numbers; `None` when broken off.
    fn report(&self, state: &State, best: &[f64], stop: &Stop) -> Result<Option<String>, Failure> {
        let (learnt, aside) = (self.learnt.len(), self.kept_aside.len());
        let mut text = format!(
            "# Texel: {} positions of {} games, K {:.4}\n\n",
            count((learnt + aside) as u64),
            count(self.games as u64),
            self.k
        );
        let mut losses = Table::new(1, ["mean squared error", "positions", "before", "after"]);
        for (name, samples) in [("learnt from", &self.learnt), ("kept aside", &self.kept_aside)] {
            let mut cells = vec![name.to_owned(), count(samples.len() as u64)];
            for values in [self.start.as_slice(), best] {
                let Some((loss, _)) = self.measure(samples, values, false, stop)? else { return Ok(None) };
                cells.push(format!("{loss:.6}"));
            }
            losses.row(cells);
        }
        let alone = |values: &[f64]| {
            let loss = mean(&self.kept_aside, |sample| sample.error(self.k, values, sample.result));
            format!("{loss:.6}")
        };
        losses.row([
            "kept aside, results alone".to_owned(),
            count(aside as u64),
            alone(&self.start),
            alone(best),
        ]);
        let _ = writeln!(text, "{losses}\nThe weights of epoch {} of {}.\n", state.best.epoch, state.epoch);
        let _ = write!(text, "{}", self.changes(best));
        Ok(Some(text))
    }

    /// The numbers that changed most.
    fn changes(&self, best: &[f64]) -> Table {
        let names = catalogue::names();
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

    /// The squared error, and its gradient added to one that is not empty.
    fn learn(&self, k: f64, values: &[f64], gradient: &mut [f64]) -> f64 {
        let value = self.features.value(values);
        let miss = logistic::expected(k, value) - self.target;
        if !gradient.is_empty() {
            self.features.slope(values, 2.0 * miss * logistic::steepness(k, value), gradient);
        }
        miss * miss
    }
}

fn mean(samples: &[Sample], of: impl Fn(&Sample) -> f64) -> f64 {
    samples.iter().map(of).sum::<f64>() / samples.len().max(1) as f64
}
