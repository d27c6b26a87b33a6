//! The plan of a training, its first weights, its sources, and the line that describes it in its folder: all
//! made from the command line of `plumb train`.

use super::arguments::{TargetSource, TrainArgs};
use super::corpus::Sources;
use super::model::{Model, Target};
use super::trainer::{Schedule, TrainingPlan};
use super::{default_epochs, grow, sample};
use crate::eval::network::{Architecture, TrainedNetwork};
use crate::lab::base::records::fingerprint;
use crate::lab::base::terminal::console::Failure;
use crate::lab::base::terminal::paths::InputPath;
use std::fmt::Write as _;
use std::path::Path;

/// The plan that the command line asks for.
pub(super) fn plan(arguments: &TrainArgs) -> Result<TrainingPlan, Failure> {
    let architecture = Architecture {
        width: arguments.width,
        activation: arguments.activation,
        king_buckets: arguments.king_buckets,
        mirrored: !arguments.no_mirror,
        output_buckets: arguments.output_buckets,
        attack_neurons: arguments.attack_neurons,
    };
    architecture.check().map_err(Failure::usage)?;
    let scored = arguments.target != TargetSource::Games || arguments.teacher.is_some();
    if arguments.successors > 0 && !scored {
        let why = "games do not score them; --teacher does, or another --target";
        return Err(Failure::usage(format!("--successors needs more: {why}")));
    }
    if arguments.factoriser && architecture.king_buckets.count() == 1 {
        return Err(Failure::usage("--factoriser needs --king-buckets 4: one bucket has nothing to share"));
    }
    let [bytes, _] = sources(arguments, None).bytes()?;
    let samples = default_epochs::samples(bytes, arguments.successors);
    let first = arguments.rate;
    let schedule = match arguments.rate_decay {
        Some(factor) => Schedule::Decay { first, factor },
        None => Schedule::Cosine { first, last: arguments.last_rate.min(first) },
    };
    Ok(TrainingPlan {
        architecture,
        target: Target { scale: arguments.scale, result: result(arguments) },
        epochs: arguments.epochs.unwrap_or_else(|| default_epochs::epochs(samples)),
        batch: arguments.batch.unwrap_or_else(|| default_epochs::batch(samples)),
        schedule,
        factoriser: arguments.factoriser,
        weight_decay: arguments.weight_decay,
        seed: arguments.seed,
        memory: (arguments.memory << 20) / sample::BYTES,
    })
}

/// The weights to start from, random or those of the file `--start`, and words that tell such a file from
/// others.
pub(super) fn first_weights(plan: &TrainingPlan, arguments: &TrainArgs) -> Result<(Model, String), Failure> {
    let Some(path) = &arguments.start else {
        let random = Model::random(plan.architecture, plan.seed);
        let first = if plan.factoriser { random.with_equal_buckets() } else { random };
        return Ok((first, String::new()));
    };
    let network = open(path)?;
    let mark = format!(", start {:016x}", network.fingerprint());
    // Its scale has no meaning here: outputs are arguments of the sigmoid.
    let wanted = plan.architecture;
    let first = grow::grown(&Model::of(&network), wanted, plan.seed);
    Ok((first.ok_or_else(|| another_architecture(path, network.architecture, wanted))?, mark))
}

/// The network whose values are learnt, of all positions or of successors alone; none where they are not.
pub(super) fn teacher(arguments: &TrainArgs) -> Result<Option<TrainedNetwork>, Failure> {
    match (arguments.target, &arguments.teacher) {
        (TargetSource::Network, None) => Err(Failure::usage("--target network needs --teacher")),
        (TargetSource::Games, Some(_)) if arguments.successors == 0 => {
            Err(Failure::usage("--teacher needs --target network, or --successors that it scores"))
        }
        (TargetSource::Network | TargetSource::Games, Some(path)) => open(path).map(Some),
        (TargetSource::Material | TargetSource::HandCrafted, Some(_)) => {
            Err(Failure::usage("--teacher needs --target network or games"))
        }
        (_, None) => Ok(None),
    }
}

/// Reads a network that the command line names.
fn open(path: &Path) -> Result<TrainedNetwork, Failure> {
    TrainedNetwork::open(path).map_err(|why| Failure::new(format!("{}: {why}", path.display())))
}

/// A network does not have the architecture that the command line asks for.
fn another_architecture(path: &Path, architecture: Architecture, wanted: Architecture) -> Failure {
    let path = path.display();
    Failure::new(format!("{path}: the network has another architecture: {architecture}; not {wanted}"))
}

/// The weights of the networks of `--mean-with`, which have the architecture of the plan.
pub(super) fn mean_with(plan: &TrainingPlan, arguments: &TrainArgs) -> Result<Vec<Vec<f32>>, Failure> {
    let parameters = |path: &InputPath| {
        let network = open(path)?;
        let same = network.architecture == plan.architecture;
        same.then_some(network.parameters)
            .ok_or_else(|| another_architecture(path, network.architecture, plan.architecture))
    };
    arguments.mean_with.iter().map(parameters).collect()
}

/// A line that says which training this is: plan, network to start from, and files. The number of epochs is a
/// part of it where the schedule depends on it; other trainings may be prolonged.
pub(super) fn describe(
    plan: &TrainingPlan,
    start: &str,
    teacher: Option<&TrainedNetwork>,
    arguments: &TrainArgs,
) -> Result<String, Failure> {
    let mut text = plan.architecture.to_string();
    let TrainingPlan { target, epochs, batch, factoriser, weight_decay, seed, memory, .. } = plan;
    let rate = match plan.schedule {
        Schedule::Cosine { first, last } => format!("{first} to {last} in {epochs} epochs"),
        Schedule::Decay { first, factor } => format!("{first} times {factor} an epoch"),
    };
    let teacher =
        teacher.map_or_else(String::new, |network| format!(", teacher {:016x}", network.fingerprint()));
    let _ = write!(
        text,
        ", scale {}, result {}, batch {batch}, rate {rate}, weight decay {weight_decay}, factoriser \
        {factoriser}, seed {seed}, samples in memory {memory}, target {}, successors {}, lambda {}, fit \
        {}{start}{teacher}, files",
        target.scale,
        target.result,
        arguments.target,
        arguments.successors,
        td_lambda(arguments),
        fits(arguments)
    );
    describe_files(&mut text, &arguments.files)?;
    if !arguments.validation.is_empty() {
        text.push_str(", validation");
        describe_files(&mut text, &arguments.validation)?;
    }
    Ok(text)
}

/// Names, as digests, and lengths of files.
fn describe_files(text: &mut String, files: &[InputPath]) -> Result<(), Failure> {
    for path in files {
        let length =
            std::fs::metadata(path).map_err(|error| Failure::file("read", path.display(), &error))?.len();
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let _ = write!(text, " {}:{length}", fingerprint::digest(name.as_bytes()));
    }
    Ok(())
}

/// Weight of the result in the target of games where the command line does not give one; with it and the
/// default λ scores of 50 and 100 nodes teach most (notebook/network-targets.md, *Cheap games
/// with temporal differences*).
const RESULT: f32 = 0.1;

/// The weight of the result in the target. What is known of a board alone has nothing to do with results.
fn result(arguments: &TrainArgs) -> f32 {
    let default = if arguments.target == TargetSource::Games { RESULT } else { 0.0 };
    arguments.result.unwrap_or(default)
}

/// Lambda of temporal differences: 0 where no scores of games are learnt.
fn td_lambda(arguments: &TrainArgs) -> f32 {
    if arguments.target == TargetSource::Games { arguments.td_lambda } else { 0.0 }
}

/// True if the unit of the scores is fitted to the results: where both are blended.
fn fits(arguments: &TrainArgs) -> bool {
    let blended = result(arguments) > 0.0 || td_lambda(arguments) > 0.0;
    arguments.target == TargetSource::Games && blended && !arguments.no_fit
}

/// The games of a training, and what is learnt from them.
pub(super) fn sources<'a>(arguments: &'a TrainArgs, teacher: Option<&'a TrainedNetwork>) -> Sources<'a> {
    let TrainArgs { files, validation, target, successors, scale, .. } = arguments;
    Sources {
        files,
        validation,
        target: *target,
        teacher,
        successors: *successors,
        td_lambda: td_lambda(arguments),
        scale: *scale,
        fit: fits(arguments),
    }
}
