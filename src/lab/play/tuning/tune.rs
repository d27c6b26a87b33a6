//! `plumb tune`: parameters of the search, tuned by SPSA ([`super::spsa`]) in games of the engine against
//! itself. A log keeps the values after every iteration, and a run that was interrupted resumes from it.

use super::spsa::{Spsa, Trial, TunableParameter};
use crate::engine::options::Options;
use crate::lab::base::formats::openings::Openings;
use crate::lab::base::records::fingerprint;
use crate::lab::base::records::head::Head;
use crate::lab::base::records::journal::{Journal, RowInGroup};
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::Stop;
use crate::lab::base::terminal::progress::Progress;
use crate::lab::base::terminal::settings;
use crate::lab::base::terminal::workers::jobs;
use crate::lab::base::terminal::workers::spread_at;
use crate::lab::play::archive::game_file::GameFile;
use crate::lab::play::matches::pair::{Conditions, Pair, PairPlayers};
use crate::lab::play::referee::{Adjudication, MoveLimits};
use crate::lab::play::tuning::arguments::TuneArgs;
use crate::search::{Parameter, Settings, tunable_parameters};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The first words of every log.
const TITLE: &str = "# plumb tune";

/// Perturbation in the last iteration, as a part of a parameter's range.
const STEP: f64 = 1.0 / 20.0;

/// Least perturbation: with a smaller one whole numbers would often not change.
const LEAST_STEP: f64 = 0.5;

/// Parameters and conditions of a tuning.
struct TuningPlan {
    options: Options,
    parameters: Vec<&'static Parameter>,
    spsa: Spsa,
    conditions: Conditions,
    /// Pairs of games an iteration.
    pairs: usize,
    jobs: usize,
}

/// Values after an iteration.
struct TuningState {
    /// Iterations that are done.
    done: usize,
    values: Vec<f64>,
}

/// Tunes and prints the table of values.
///
/// # Errors
/// If an option is wrong, a file cannot be used, or there is no memory.
pub fn run(arguments: &TuneArgs) -> Result<(), Failure> {
    let plan = TuningPlan::new(arguments)?;
    let (mut journal, mut state) = plan.open(arguments)?;
    let mut data = arguments.data.as_deref().map(GameFile::append_to).transpose()?;
    let (stop, all) = (Stop::default(), plan.spsa.iterations);
    let mut progress = Progress::new("iterations", all, state.done);
    while state.done < all {
        let trial = plan.spsa.trial(&state.values, state.done);
        let Some(pairs) = plan.play(&trial, state.done, &stop)? else { break };
        if let Some(data) = &mut data {
            data.append_all(pairs.values().map(|pair| (&pair.opening, &pair.games[..])))?;
        }
        let result = result(&pairs);
        plan.spsa.learn(&mut state.values, state.done, &trial, result as f64);
        state.done += 1;
        journal.append_rows(&line(&state, result))?;
        progress.note(plan.moved(&state));
        progress.step();
    }
    progress.finish();
    let finished = data.map_or(Ok(()), GameFile::finish);
    console::out(&plan.report(&state)).and(finished)
}

/// Games won less games lost by the first setting of a trial.
fn result(pairs: &BTreeMap<usize, Pair>) -> i64 {
    pairs.values().flat_map(Pair::half_points).map(|half| half as i64 - 1).sum()
}

/// A line of the log: iterations done, games won less lost in the last one, the values.
fn line(state: &TuningState, result: i64) -> String {
    let values: Vec<String> = state.values.iter().map(f64::to_string).collect();
    format!("{},{result},{}\n", state.done, values.join(","))
}

impl TuningPlan {
    fn new(arguments: &TuneArgs) -> Result<TuningPlan, Failure> {
        let mut options = Options::default();
        for text in &arguments.set {
            settings::set(&mut options, text, &["MultiPV"])?;
        }
        let mut parameters = chosen(&arguments.only)?;
        // One that is set beside its range turns its technique off: it stays so, and is not tuned.
        let is_off = |parameter: &&Parameter| {
            let value = parameter.get(&options.settings.parameters);
            !(parameter.min..=parameter.max).contains(&value)
        };
        if !arguments.only.is_empty()
            && let Some(off) = parameters.iter().find(|parameter| is_off(parameter))
        {
            return Err(Failure::usage(format!("{} is set beside its range, so it is not tuned", off.name)));
        }
        parameters.retain(|parameter| !is_off(parameter));
        let knob = |parameter: &&Parameter| {
            let (min, max) = (f64::from(parameter.min), f64::from(parameter.max));
            let start = f64::from(parameter.get(&options.settings.parameters));
            let step = ((max - min) * STEP).max(LEAST_STEP);
            TunableParameter { name: parameter.name.to_owned(), start, min, max, step }
        };
        Ok(TuningPlan {
            spsa: Spsa {
                knobs: parameters.iter().map(knob).collect(),
                iterations: arguments.iterations as usize,
                rate: arguments.rate,
                seed: arguments.play.seed,
            },
            options,
            parameters,
            conditions: Conditions {
                openings: Openings::new(arguments.play.openings.as_deref(), arguments.play.seed)?,
                allowed: MoveLimits { nodes: Some(arguments.nodes), ..MoveLimits::default() },
                rules: Adjudication::default(),
            },
            pairs: arguments.pairs as usize,
            jobs: jobs(arguments.play.jobs),
        })
    }

    /// Opens a new log, or one with the iterations that it holds.
    fn open(&self, arguments: &TuneArgs) -> Result<(Journal, TuningState), Failure> {
        let mut state =
            TuningState { done: 0, values: self.spsa.knobs.iter().map(|knob| knob.start).collect() };
        let journal =
            Journal::resume(&arguments.log, &self.head(), "something else", arguments.restart, |line| {
                let next = self.read(line).filter(|next| next.done == state.done + 1);
                state = next.ok_or("is no next iteration of this tuning")?;
                Ok(RowInGroup::Last)
            })?;
        Ok((journal, state))
    }

    /// The head of the log: everything that decides the games. The number of threads does not.
    fn head(&self) -> Head {
        let Spsa { iterations, rate, seed, .. } = self.spsa;
        let nodes = self.conditions.allowed.nodes.unwrap_or(0);
        let parameters = [
            format!("program {:016x}", fingerprint::program()),
            format!("settings: {}", settings::describe_player(&self.options)),
            format!("iterations {iterations}, pairs {}, rate {rate}, seed {seed}", self.pairs),
            format!("nodes {nodes}, openings: {}", self.conditions.openings.describe()),
        ];
        let names: Vec<&str> = self.spsa.knobs.iter().map(|knob| knob.name.as_str()).collect();
        Head::new(TITLE, &parameters).with_columns(&format!("iteration,result,{}", names.join(",")))
    }

    fn read(&self, line: &str) -> Option<TuningState> {
        let mut fields = line.split(',');
        let done = fields.next()?.parse().ok()?;
        fields.next()?.parse::<i64>().ok()?;
        let values: Vec<f64> = fields.map(|field| field.parse().ok()).collect::<Option<_>>()?;
        let fits = |(value, knob): (&f64, &TunableParameter)| (knob.min..=knob.max).contains(value);
        let fit = values.len() == self.spsa.knobs.len() && values.iter().zip(&self.spsa.knobs).all(fits);
        (fit && done <= self.spsa.iterations).then_some(TuningState { done, values })
    }

    fn settings(&self, values: &[i32]) -> Settings {
        let mut settings = self.options.settings.clone();
        for (parameter, &value) in self.parameters.iter().zip(values) {
            parameter.set(&mut settings.parameters, value);
        }
        settings
    }

    /// The pairs of games of a trial by their numbers; `None` when interrupted.
    fn play(
        &self,
        trial: &Trial,
        iteration: usize,
        stop: &Stop,
    ) -> Result<Option<BTreeMap<usize, Pair>>, Failure> {
        let players = [self.settings(&trial.plus), self.settings(&trial.minus)];
        let mut finished = BTreeMap::new();
        spread_at(
            || PairPlayers::new([self.options.hash; 2]),
            self.pairs,
            self.jobs,
            stop,
            |desk, item, send| {
                let number = iteration * self.pairs + item;
                let pair = desk.play_settings([&players[0], &players[1]], &self.conditions, number, stop);
                send(pair.map(|pair| pair.map(|pair| (number, pair))));
            },
            |pair: Result<Option<(usize, Pair)>, Failure>| {
                finished.extend(pair?);
                Ok(())
            },
        )?;
        Ok((finished.len() == self.pairs).then_some(finished))
    }

    /// The three parameters that have moved most, measured in steps.
    fn moved(&self, state: &TuningState) -> String {
        let mut all: Vec<(&TunableParameter, f64)> =
            self.spsa.knobs.iter().zip(state.values.iter().copied()).collect();
        let way = |(knob, value): &(&TunableParameter, f64)| ((value - knob.start) / knob.step).abs();
        all.sort_by(|a, b| way(b).total_cmp(&way(a)));
        let text =
            |(knob, value): &(&TunableParameter, f64)| format!("{} {} -> {value:.1}", knob.name, knob.start);
        all.iter().take(3).map(text).collect::<Vec<_>>().join(", ")
    }

    fn report(&self, state: &TuningState) -> String {
        let (done, all) = (state.done, self.spsa.iterations);
        let games = 2 * self.pairs * done;
        let mut text = format!("# Tuning: {done} of {all} iterations, {games} games\n\n");
        let _ = writeln!(text, "| parameter | before | after | change | range |");
        let _ = writeln!(text, "|---|--:|--:|--:|--:|");
        let mut setting = Vec::new();
        for (knob, value) in self.spsa.knobs.iter().zip(&state.values) {
            let TunableParameter { name, start, min, max, .. } = knob;
            let _ =
                writeln!(text, "| {name} | {start} | {value:.1} | {:+.1} | {min} to {max} |", value - start);
            setting.push(format!("{name}={}", value.round()));
        }
        let _ = writeln!(text, "\nAs a player of plumb tournament: {}", setting.join(","));
        text
    }
}

/// The parameters of a list of names separated by commas; without one all but switches, whose values are 0
/// and 1: SPSA follows a slope.
fn chosen(only: &str) -> Result<Vec<&'static Parameter>, Failure> {
    let names: Vec<&str> = only.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    let known: Vec<&str> = tunable_parameters().map(|parameter| parameter.name).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        return Err(Failure::usage(format!("no parameter '{unknown}' (known: {})", known.join(", "))));
    }
    let wanted = |parameter: &&Parameter| match names.is_empty() {
        true => (parameter.min, parameter.max) != (0, 1),
        false => names.contains(&parameter.name),
    };
    Ok(tunable_parameters().filter(wanted).collect())
}
