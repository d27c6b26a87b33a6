//! The command `plumb train`: packs the games or resumes from a checkpoint, and trains to the end or to
//! Ctrl-C.

use super::arguments::{TargetSource, TrainArgs};
use super::corpus::{Corpus, Part, Sources};
use super::plan::{describe, first_weights, mean_with, plan, sources, teacher};
use super::sample::Sample;
use super::saving::{Saving, TrainingFolder, best_of, checkpoint_of, table};
use super::trainer::{News, Training, TrainingPlan};
use super::validator::Validator;
use super::{checkpoint, default_epochs, dry_run, validator};
use crate::lab::base::pages::table::count;
use crate::lab::base::records::identity::FileIdentity;
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::interrupted;
use crate::lab::base::terminal::progress::Progress;
use crate::lab::base::terminal::workers::jobs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Checkpoints are written so often, within epochs too, and at the end or on Ctrl-C.
const CHECKPOINTS: Duration = Duration::from_secs(120);

/// Batches between two steps of the progress bar.
const BATCHES: usize = 16;

/// Runs `plumb train`.
///
/// # Errors
/// If the arguments make no sense, a file cannot be used, or the folder belongs to another training.
pub fn run(arguments: &TrainArgs) -> Result<(), Failure> {
    check_inputs(arguments)?;
    let plan = plan(arguments)?;
    let teacher = teacher(arguments)?;
    let sources = sources(arguments, teacher.as_ref());
    if arguments.dry_run {
        return dry_run::run(&sources, &plan, jobs(arguments.jobs));
    }
    let locked = lock_folder(arguments)?;
    if arguments.pack {
        return pack_only(arguments, &sources);
    }
    let (first, start) = first_weights(&plan, arguments)?;
    let mean_with = mean_with(&plan, arguments)?;
    let description = describe(&plan, &start, teacher.as_ref(), arguments)?;
    let begun = Training::new(first, plan.factoriser);
    let Some((corpus, mut training)) = begin(arguments, &sources, begun, &description, plan.batch)? else {
        return Ok(());
    };
    announce(&plan, &corpus, &training)?;
    let validation = corpus.validation.read()?;
    let validator = validator_of(arguments, &plan, &validation);
    let digests = corpus.digests();
    let mut saving =
        Saving::new(&plan, &description, &locked, digests, &mean_with, validator.as_ref(), CHECKPOINTS);
    train(&plan, &corpus, &mut training, &mut saving, jobs(arguments.jobs))?;
    saving.save(&training)?;
    if training.curve.is_empty() {
        Ok(())
    } else {
        report(&training, &saving, validator.as_ref(), &validation)
    }
}

/// Files that cannot be read are named before the folder is made.
fn check_inputs(arguments: &TrainArgs) -> Result<(), Failure> {
    for path in arguments.files.iter().chain(&arguments.validation) {
        std::fs::File::open(path).map_err(|error| Failure::file("read", path.display(), &error))?;
    }
    Ok(())
}

/// Makes and locks the folder of the training. Its own network is neither a start nor a teacher.
fn lock_folder(arguments: &TrainArgs) -> Result<TrainingFolder<'_>, Failure> {
    let folder = &arguments.out;
    std::fs::create_dir_all(folder).map_err(|error| Failure::file("make", folder.display(), &error))?;
    let locked = TrainingFolder::lock(folder)?;
    let path = best_of(folder);
    let best = FileIdentity::of(&path);
    let networks = arguments.start.iter().chain(&arguments.mean_with).chain(&arguments.teacher);
    if networks.into_iter().any(|path| FileIdentity::of(path) == best) {
        let path = path.display();
        return Err(Failure::usage(format!("this training writes {path}; it cannot start or learn from it")));
    }
    Ok(locked)
}

/// Shows the numbers of samples, parameters, epochs and batches.
///
/// # Errors
/// If that is less than a batch, or there is nothing for validation.
fn announce(plan: &TrainingPlan, corpus: &Corpus, training: &Training) -> Result<(), Failure> {
    let batches = corpus.training.samples / plan.batch;
    if batches == 0 || corpus.validation.samples == 0 {
        let samples = numbers_of(corpus);
        return Err(Failure::new(format!("{samples}: too few for a batch and for validation")));
    }
    console::note(format!(
        "{}, {} parameters, {} epochs of {batches} batches of {}",
        numbers_of(corpus),
        count(training.model.parameters.len() as u64),
        plan.epochs,
        count(plan.batch as u64)
    ));
    if let Some(warning) = default_epochs::warning(batches, corpus.training.samples) {
        console::note(warning);
    }
    Ok(())
}

/// The numbers of samples in words.
fn numbers_of(corpus: &Corpus) -> String {
    let [learnt, judged] = [&corpus.training, &corpus.validation].map(|part| count(part.samples as u64));
    format!("{learnt} samples to learn from, {judged} for validation")
}

/// Validation of networks by the validation samples; none where material or the hand-crafted evaluation is
/// learnt, with which it compares.
fn validator_of(arguments: &TrainArgs, plan: &TrainingPlan, validation: &[Sample]) -> Option<Validator> {
    let validator = matches!(arguments.target, TargetSource::Games | TargetSource::Network)
        .then(|| Validator::new(validation, &plan.target))?;
    let loss = validator.hand_crafted_loss();
    console::note(format!("the hand-crafted evaluation has a loss of {loss:.6} on the validation samples"));
    Some(validator)
}

/// Prints the curve, and how good the best network is.
fn report(
    training: &Training,
    saving: &Saving<'_>,
    validator: Option<&Validator>,
    validation: &[Sample],
) -> Result<(), Failure> {
    let best = saving.best_network(training);
    console::note(format!(
        "quantised: off by {:.1} centipawns (root mean square over validation positions); an output of 1 is \
         {:.0} centipawns",
        validator::quantisation_error(&best, validation),
        best.scale
    ));
    console::out(&table(training).to_string())?;
    validator.map_or(Ok(()), |validator| console::out(&format!("\n{}", validator.by_pieces(&best))))
}

/// The corpus and the state to resume from: that of the checkpoint, or `begun`; `None` when interrupted.
fn begin(
    arguments: &TrainArgs,
    sources: &Sources<'_>,
    begun: Training,
    description: &str,
    batch: usize,
) -> Result<Option<(Corpus, Training)>, Failure> {
    let folder = &arguments.out;
    let checkpoint = checkpoint_of(folder);
    if checkpoint.exists() && !arguments.restart {
        return resume(folder, &begun, description, batch).map(Some);
    }
    Ok(pack(arguments, sources)?.map(|corpus| (corpus, begun)))
}

/// Packs the games into the folder; `None` when interrupted.
fn pack(arguments: &TrainArgs, sources: &Sources<'_>) -> Result<Option<Corpus>, Failure> {
    let checkpoint = checkpoint_of(&arguments.out);
    if checkpoint.exists() {
        // It belongs to the samples that are now replaced.
        std::fs::remove_file(&checkpoint)
            .map_err(|error| Failure::file("remove", checkpoint.display(), &error))?;
        let best = best_of(&arguments.out);
        if best.exists() {
            let best = best.display();
            console::note(format!(
                "{best} and the curve are those of the training before until the first epoch ends"
            ));
        }
    }
    console::note("packing the quiet positions of the games");
    let packed = Corpus::pack(sources, &arguments.out)?;
    if packed.is_none() {
        console::note("interrupted while packing: the same command begins anew");
    }
    Ok(packed)
}

/// Packs the games for another trainer.
///
/// # Errors
/// If the folder holds a training that has begun: it learns from the samples there.
fn pack_only(arguments: &TrainArgs, sources: &Sources<'_>) -> Result<(), Failure> {
    let checkpoint = checkpoint_of(&arguments.out);
    if checkpoint.exists() && !arguments.restart {
        let path = checkpoint.display();
        return Err(Failure::usage(format!("{path} belongs to the samples there; --restart packs anew")));
    }
    if let Some(corpus) = pack(arguments, sources)? {
        console::note(numbers_of(&corpus));
    }
    Ok(())
}

/// The corpus and the state that the folder holds.
fn resume(
    folder: &Path,
    begun: &Training,
    description: &str,
    batch: usize,
) -> Result<(Corpus, Training), Failure> {
    let path = checkpoint_of(folder);
    let checkpoint::Loaded { training, samples } = checkpoint::load(&path, description, begun)?;
    let [learnt, validation] = samples.map(Some);
    let corpus = Corpus {
        training: Part::open(folder.join("training.samples"), learnt)?,
        validation: Part::open(folder.join("validation.samples"), validation)?,
    };
    if !training.is_possible(corpus.training.samples / batch.max(1)) {
        let (epoch, batches, steps) = (training.epoch, training.batches, training.adam.steps);
        let counts = format!("{epoch} epochs, {batches} batches and {steps} steps do not go together");
        return Err(Failure::new(format!("{}: {counts}; --restart begins anew", path.display())));
    }
    Ok((corpus, training))
}

/// Trains to the end or to Ctrl-C, with progress, checkpoints and the curve.
fn train(
    plan: &TrainingPlan,
    corpus: &Corpus,
    training: &mut Training,
    saving: &mut Saving<'_>,
    threads: usize,
) -> Result<(), Failure> {
    let steps = corpus.training.samples / plan.batch / BATCHES * plan.epochs;
    let done = corpus.training.samples / plan.batch / BATCHES * training.epoch + training.batches / BATCHES;
    let mut progress = Progress::new("batches of sixteen", steps.max(1), done.min(steps));
    let began = Instant::now();
    let (mut samples, mut batches) = (0_u64, training.batches);
    let ended = training.run(plan, corpus, threads, |news| match news {
        News::Batch(training, size) => {
            samples += size as u64;
            batches += 1;
            if batches.is_multiple_of(BATCHES) {
                let rate = samples as f64 / began.elapsed().as_secs_f64();
                progress.note(format!("{} samples a second", count(rate as u64)));
                progress.step();
            }
            saving.save_if_due(training)
        }
        News::Epoch(training) => {
            batches = 0;
            let last = training.curve[training.curve.len() - 1];
            let line = format!(
                "epoch {}: loss {:.6}, validation {:.6}, averaged {:.6}",
                training.epoch, last.training, last.validation, last.averaged
            );
            progress.aside(|| console::note(line));
            saving.save_if_due(training)
        }
    });
    progress.finish();
    if interrupted() {
        console::note("interrupted: the same command resumes from here");
    }
    ended
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use crate::eval::network::TrainedNetwork;
    use crate::lab::base::records::fingerprint;
    use crate::lab::base::records::lock::Lock;
    use crate::lab::base::records::test_folder::TestFolder;
    use crate::lab::play::archive::format::{CERTAIN, Reader, ScoredMove, StoredGame};
    use crate::lab::play::training::corpus;
    use crate::lab::play::training::model::{Model, Scratch, sigmoid};
    use crate::lab::play::training::sample::NO_RESULT;
    use crate::random::SplitMix64;
    use clap::Parser as _;
    use shakmaty::{Color, Position as _};
    use std::path::PathBuf;

    #[derive(clap::Parser)]
    struct TrainLine {
        #[command(flatten)]
        train: TrainArgs,
    }

    /// Random games in a file, and a folder to work in.
    fn games(name: &str, games: usize) -> (PathBuf, TestFolder) {
        let folder = TestFolder::new(&format!("train-{name}"));
        let mut bytes = Vec::new();
        for number in 0..games {
            let mut random = SplitMix64::of_number(5, number);
            let opening = Game::new();
            let (mut now, mut plies) = (opening.clone(), Vec::new());
            for _ in 0..60 {
                let moves = now.position().chess().legal_moves();
                if moves.is_empty() {
                    break;
                }
                let played = moves[random.below(moves.len())];
                plies.push(ScoredMove { played, score: random.below(400) as i16 - 200 });
                now.play(played);
            }
            bytes.extend(StoredGame { opening, plies, winner: Some(Color::White), reason: None }.bytes());
        }
        let file = folder.join("games.vf");
        std::fs::write(&file, bytes).unwrap();
        (file, folder)
    }

    fn arguments(file: &Path, out: &Path, more: &[&str]) -> TrainArgs {
        let fixed = ["train", file.to_str().unwrap(), "--out", out.to_str().unwrap(), "--width", "32"];
        let batch = ["--batch", "512", "--memory", "1"];
        // Trainings that can be prolonged, unless a test asks for a cosine.
        let schedule = if more.contains(&"--last-rate") { &[][..] } else { &["--rate-decay", "0.9"] };
        let line = fixed.iter().chain(&batch).chain(schedule).chain(more);
        TrainLine::try_parse_from(line).unwrap().train
    }

    #[test]
    fn material_is_learnt_and_neither_threads_nor_breaks_change_a_bit() {
        let (file, folder) = games("material", 400);
        let train = |name: &str, more: &[&str]| {
            let out = folder.join(name);
            let material = ["--target", "material", "--rate", "0.01"];
            run(&arguments(&file, &out, &[&material, more].concat())).unwrap();
            std::fs::read(out.join("best.net")).unwrap()
        };
        let whole = train("one", &["--epochs", "4", "--jobs", "1"]);
        assert_eq!(train("two", &["--epochs", "4", "--jobs", "2"]), whole);
        train("broken", &["--epochs", "2", "--jobs", "2"]);
        assert_eq!(train("broken", &["--epochs", "4", "--jobs", "1"]), whole);
        let validation = validation(&folder.join("one"));
        assert!(validation[3] < validation[0] / 5.0, "{validation:?}");
    }

    /// The lesser loss on validation positions, of the last weights and the averaged ones, epoch by epoch.
    fn validation(out: &Path) -> Vec<f64> {
        let curve = std::fs::read_to_string(out.join("curve.csv")).unwrap();
        let numbers = |line: &str| line.split(',').skip(2).map(|loss| loss.parse().unwrap()).collect();
        let losses = curve.lines().skip(1).map(numbers);
        losses.map(|of: Vec<f64>| of[0].min(of[1])).collect()
    }

    #[test]
    fn a_training_starts_from_the_weights_of_a_network() {
        let (file, folder) = games("start", 400);
        let train = |name: &str, more: &[&str]| {
            run(&arguments(&file, &folder.join(name), &[&["--target", "material"], more].concat()))
        };
        train("first", &["--epochs", "4", "--rate", "0.01"]).unwrap();
        let tiny = ["--epochs", "1", "--rate", "1e-7"];
        train("random", &tiny).unwrap();
        let network = folder.join("first/best.net");
        let start = [&tiny[..], &["--start", network.to_str().unwrap()]].concat();
        train("tuned", &start).unwrap();
        let loss = |name| validation(&folder.join(name)).into_iter().fold(f64::INFINITY, f64::min);
        let (learnt, random, tuned) = (loss("first"), loss("random"), loss("tuned"));
        assert!((tuned - learnt).abs() < learnt / 100.0, "{tuned} {learnt}");
        assert!(random > 3.0 * tuned, "{random} {tuned}");
        let refused =
            |name: &str, more: &[&str]| train(name, more).unwrap_err().message().unwrap().to_owned();
        assert!(refused("tuned", &tiny).contains("another training"));
        let crelu = [&start[..], &["--activation", "crelu"]].concat();
        assert!(refused("crelu", &crelu).contains("another architecture"));
        let games = ["--start", file.to_str().unwrap()];
        assert!(refused("games", &games).contains("not a network"));
    }

    #[test]
    fn the_network_written_may_be_a_mean_with_others() {
        let (file, folder) = games("mean", 200);
        let train = |name: &str, more: &[&str]| {
            let material = ["--target", "material", "--epochs", "1"];
            run(&arguments(&file, &folder.join(name), &[&material, more].concat()))
        };
        let network = |name: &str| folder.join(name).join("best.net");
        let weights = |name: &str| TrainedNetwork::open(&network(name)).unwrap().parameters;
        train("one", &["--seed", "1"]).unwrap();
        train("two", &["--seed", "2"]).unwrap();
        let one = network("one");
        let mean_with_one = ["--seed", "2", "--mean-with", one.to_str().unwrap()];
        train("mean", &mean_with_one).unwrap();
        let pairs = weights("one").into_iter().zip(weights("two"));
        let mean: Vec<f32> = pairs.map(|(one, two)| 0.5 * two + 0.5 * one).collect();
        assert_eq!(weights("mean"), mean);
        train("two", &mean_with_one).unwrap();
        assert_eq!(weights("two"), mean, "a finished training can be averaged afterwards");
        let crelu = train("crelu", &[&mean_with_one[..], &["--activation", "crelu"]].concat()).unwrap_err();
        assert!(crelu.message().unwrap().contains("another architecture"), "{crelu:?}");
    }

    #[test]
    fn random_successors_are_learnt_where_the_lesson_can_score_them() {
        let (file, folder) = games("successors", 60);
        let samples = |name: &str, more: &[&str]| {
            let material = ["--target", "material", "--epochs", "1"];
            run(&arguments(&file, &folder.join(name), &[&material, more].concat())).unwrap();
            Part::open(folder.join(name).join("training.samples"), None).unwrap()
        };
        let (without, with) = (samples("without", &[]), samples("with", &["--successors", "8"]));
        assert!(with.samples > 3 * without.samples, "{} {}", with.samples, without.samples);
        let again = samples("again", &["--successors", "8"]);
        assert_eq!(again.read().unwrap(), with.read().unwrap(), "they follow from the games");
        for sample in with.read().unwrap() {
            assert_eq!(corpus::material(&sample.position().unwrap()), sample.score);
        }
        let games = run(&arguments(&file, &folder.join("games"), &["--successors", "8"])).unwrap_err();
        assert!(games.message().unwrap().contains("--successors needs"), "{games:?}");
    }

    /// A network of random weights in a file.
    fn random_network(folder: &TestFolder, file: &Path) -> (Model, PathBuf) {
        let architecture = plan(&arguments(file, folder, &[])).unwrap().architecture;
        let model = Model::random(architecture, 9);
        let network = TrainedNetwork { architecture, scale: 300.0, parameters: model.parameters.to_vec() };
        let path = folder.join("teacher.net");
        std::fs::write(&path, network.bytes()).unwrap();
        (model, path)
    }

    #[test]
    fn the_values_of_a_network_are_learnt_by_another_one() {
        let (file, folder) = games("teacher", 60);
        let (model, path) = random_network(&folder, &file);
        let network = ["--target", "network", "--teacher", path.to_str().unwrap(), "--epochs", "1"];
        let train = |name: &str, more: &[&str]| {
            run(&arguments(&file, &folder.join(name), &[&network, more].concat()))
        };
        train("pupil", &["--successors", "2"]).unwrap();
        let mut scratch = Scratch::new(&model.architecture);
        for sample in samples_of(&folder.join("pupil"), "training") {
            let output = model.output(&sample, &mut scratch);
            assert_eq!(f32::from(sample.score), (400.0 * output).round(), "in centipawns of the sigmoid");
        }
        // One that has the weights of its teacher has nothing to learn.
        train("itself", &["--start", path.to_str().unwrap(), "--rate", "1e-9"]).unwrap();
        assert!(validation(&folder.join("itself"))[0] < 1e-6);
        assert!(validation(&folder.join("pupil"))[0] > 1e-4);
    }

    /// The samples that a training has packed.
    fn samples_of(out: &Path, part: &str) -> Vec<Sample> {
        Part::open(out.join(format!("{part}.samples")), None).unwrap().read().unwrap()
    }

    #[test]
    fn a_teacher_scores_successors_beside_the_games() {
        let (file, folder) = games("beside", 60);
        let (model, path) = random_network(&folder, &file);
        let pack = |name: &str, more: &[&str]| {
            run(&arguments(&file, &folder.join(name), &[&["--pack"], more].concat())).unwrap();
            ["training", "validation"].map(|part| samples_of(&folder.join(name), part))
        };
        let games = pack("games", &[]);
        let both = pack("both", &["--teacher", path.to_str().unwrap(), "--successors", "4"]);
        let (of_games, of_teacher): (Vec<_>, Vec<_>) =
            both[0].iter().copied().partition(|sample| sample.result != NO_RESULT);
        assert_eq!([of_games, both[1].clone()], games, "what is judged by is of games alone");
        assert!(of_teacher.len() > games[0].len());
        let target = plan(&arguments(&file, &folder, &["--result", "0.5"])).unwrap().target;
        let mut scratch = Scratch::new(&model.architecture);
        for sample in of_teacher {
            let error = target.of(&sample) - sigmoid(model.output(&sample, &mut scratch));
            assert!(error.abs() < 0.001, "no result is blended in");
        }
    }

    #[test]
    fn a_teacher_and_its_target_go_together() {
        let (file, folder) = games("teachers", 60);
        let refused = |more: &[&str]| run(&arguments(&file, &folder.join("refused"), more)).unwrap_err();
        let without = refused(&["--target", "network"]);
        assert_eq!(without.message().unwrap(), "--target network needs --teacher");
        let unused = refused(&["--teacher", file.to_str().unwrap()]);
        let both = "--teacher needs --target network, or --successors that it scores";
        assert_eq!(unused.message().unwrap(), both);
        let foreign = refused(&["--target", "network", "--teacher", file.to_str().unwrap()]);
        assert!(foreign.message().unwrap().ends_with("games.vf: not a network of Plumb"), "{foreign:?}");
        assert!(!folder.join("refused").exists());
        // A network that the training writes itself would be gone after an epoch.
        let (_, path) = random_network(&folder, &file);
        std::fs::create_dir_all(folder.join("refused")).unwrap();
        std::fs::rename(path, folder.join("refused").join("best.net")).unwrap();
        let own = folder.join("refused").join("best.net");
        let own = refused(&["--target", "network", "--teacher", own.to_str().unwrap()]);
        assert!(own.message().unwrap().ends_with("it cannot start or learn from it"), "{own:?}");
    }

    #[test]
    fn samples_are_packed_without_a_training() {
        let (file, folder) = games("packed", 60);
        let samples = |name: &str| {
            let read = |part| std::fs::read(folder.join(name).join(part)).unwrap();
            ["training.samples", "validation.samples"].map(read)
        };
        run(&arguments(&file, &folder.join("trained"), &["--epochs", "1"])).unwrap();
        run(&arguments(&file, &folder.join("packed"), &["--pack"])).unwrap();
        assert_eq!(samples("packed"), samples("trained"));
        assert_eq!(std::fs::read_dir(folder.join("packed")).unwrap().count(), 2, "no network, no lock");
        let refused = run(&arguments(&file, &folder.join("trained"), &["--pack"])).unwrap_err();
        assert!(refused.message().unwrap().contains("--restart packs anew"), "{refused:?}");
    }

    #[test]
    fn with_lambda_1_the_results_of_the_games_are_learnt() {
        let (file, folder) = games("lambda", 60);
        run(&arguments(&file, &folder.join("x"), &["--td-lambda", "1", "--epochs", "1"])).unwrap();
        for sample in Part::open(folder.join("x/training.samples"), None).unwrap().read().unwrap() {
            assert_eq!(sample.score, if sample.result == 2 { CERTAIN } else { -CERTAIN });
        }
    }

    #[test]
    fn a_training_that_is_killed_within_an_epoch_goes_on_from_its_last_checkpoint() {
        let (file, folder) = games("killed", 200);
        let factoriser = ["--epochs", "2", "--king-buckets", "4", "--factoriser"];
        let of = |name: &str| arguments(&file, &folder.join(name), &factoriser);
        run(&of("whole")).unwrap();
        let killed = of("killed");
        std::fs::create_dir_all(&killed.out).unwrap();
        let (plan, sources) = (plan(&killed).unwrap(), sources(&killed, None));
        let (first, start) = first_weights(&plan, &killed).unwrap();
        let description = describe(&plan, &start, None, &killed).unwrap();
        let begun = Training::new(first, plan.factoriser);
        let (corpus, mut training) =
            begin(&killed, &sources, begun, &description, plan.batch).unwrap().unwrap();
        let digests = corpus.digests();
        let locked = TrainingFolder::lock(&killed.out).unwrap();
        let mut saving = Saving::new(&plan, &description, &locked, digests, &[], None, Duration::ZERO);
        let end = training.run(&plan, &corpus, 2, |news| match news {
            News::Batch(training, _) if training.batches < 6 => saving.save_if_due(training),
            _ => Err(Failure::interrupted()),
        });
        assert!(end.is_err());
        drop(locked);
        let random = Training::new(Model::random(plan.architecture, 1), plan.factoriser);
        let saved = checkpoint::load(&checkpoint_of(&killed.out), &description, &random).unwrap();
        let saved = saved.training;
        assert_eq!((saved.epoch, saved.batches), (0, 5));
        run(&killed).unwrap();
        let network = |name: &str| std::fs::read(folder.join(name).join("best.net")).unwrap();
        assert_eq!(network("killed"), network("whole"));
    }

    #[test]
    fn a_whole_file_of_games_may_serve_for_validation() {
        let (file, folder) = games("validation", 100);
        let bytes = std::fs::read(&file).unwrap();
        let (learnt, judged) = (folder.join("learnt.vf"), folder.join("judged.vf"));
        let mut reader = Reader::new(&bytes[..]);
        for _ in 0..80 {
            reader.next_game().unwrap();
        }
        let at = reader.at() as usize;
        std::fs::write(&learnt, &bytes[..at]).unwrap();
        std::fs::write(&judged, &bytes[at..]).unwrap();
        let out = folder.join("x");
        let more = ["--validation", judged.to_str().unwrap(), "--epochs", "1"];
        run(&arguments(&learnt, &out, &more)).unwrap();
        let part = |name| Part::open(out.join(name), None).unwrap().samples;
        let (learnt, validation) = (part("training.samples"), part("validation.samples"));
        assert!(validation * 3 < learnt && learnt < validation * 5, "{learnt} {validation}");
    }

    #[test]
    fn a_folder_of_another_training_is_refused() {
        let (file, folder) = games("refused", 60);
        let out = folder.join("x");
        run(&arguments(&file, &out, &["--epochs", "1"])).unwrap();
        let cosine = ["--epochs", "1", "--last-rate", "0.001"];
        for more in [&["--epochs", "1", "--seed", "7"][..], &cosine] {
            let other = run(&arguments(&file, &out, more)).unwrap_err();
            assert!(other.message().unwrap().contains("another training"), "{other:?}");
        }
        run(&arguments(&file, &out, &["--epochs", "1", "--seed", "7", "--restart"])).unwrap();
        let checkpoint = checkpoint_of(&out);
        let bytes = std::fs::read(&checkpoint).unwrap();
        std::fs::write(&checkpoint, &bytes[..bytes.len() - 3]).unwrap();
        let torn = run(&arguments(&file, &out, &["--epochs", "1", "--seed", "7"])).unwrap_err();
        assert!(torn.message().unwrap().contains("is damaged"), "{torn:?}");
        damaged_files_are_refused(&file, &out, &bytes);
        assert!(run(&arguments(&file, &out, &["--output-buckets", "3"])).is_err());
        let line = ["train", "x.vf", "--out", "x", "--epochs", "99999999999999"];
        assert!(
            TrainLine::try_parse_from(line).is_err(),
            "a progress bar of so many steps has no room in memory"
        );
    }

    #[test]
    fn a_training_by_a_cosine_cannot_be_prolonged() {
        let (file, folder) = games("cosine", 60);
        let out = folder.join("x");
        let train = |epochs| run(&arguments(&file, &out, &["--epochs", epochs, "--last-rate", "0.0001"]));
        train("1").unwrap();
        train("1").unwrap();
        let prolonged = train("2").unwrap_err();
        assert!(prolonged.message().unwrap().contains("another training"), "{prolonged:?}");
    }

    #[test]
    fn two_trainings_in_one_folder_are_refused() {
        let (file, folder) = games("locked", 60);
        let out = folder.join("x");
        std::fs::create_dir_all(&out).unwrap();
        let lock = Lock::of(&checkpoint_of(&out)).unwrap();
        let refused = run(&arguments(&file, &out, &["--epochs", "1"])).unwrap_err();
        assert!(refused.message().unwrap().contains("is being written by another plumb"), "{refused:?}");
        assert_eq!(std::fs::read_dir(&out).unwrap().count(), 1, "nothing but the lock");
        drop(lock);
        run(&arguments(&file, &out, &["--epochs", "1"])).unwrap();
        assert!(!out.join("checkpoint.lock").exists());
    }

    /// A flipped weight, an impossible count, and other samples, with a checkpoint of these bytes in the
    /// folder.
    fn damaged_files_are_refused(file: &Path, out: &Path, bytes: &[u8]) {
        let checkpoint = checkpoint_of(out);
        let refused = |bytes: &[u8], why: &str| {
            std::fs::write(&checkpoint, bytes).unwrap();
            let failure = run(&arguments(file, out, &["--epochs", "2", "--seed", "7"])).unwrap_err();
            assert!(failure.message().unwrap().contains(why), "{failure:?}");
        };
        let line = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for at in [line, line + 16 + 8, bytes.len() / 2, bytes.len() - 1] {
            let mut damaged = bytes.to_vec();
            damaged[at] ^= 1;
            refused(&damaged, "its checksum does not match");
        }
        // Numbers that cannot be, under a checksum that is right: epoch, batches, steps, ...
        for (at, why) in [(8 + 5, "batches and"), (16, "do not go together"), (0, "is damaged")] {
            let mut damaged = bytes[..bytes.len() - 8].to_vec();
            damaged[line + 16 + at] ^= 1 << 7;
            damaged.extend(fingerprint::digest(&damaged).to_le_bytes());
            refused(&damaged, why);
        }
        std::fs::write(&checkpoint, bytes).unwrap();
        run(&arguments(file, out, &["--epochs", "1", "--seed", "7"])).unwrap();
        let samples = out.join("training.samples");
        let good = std::fs::read(&samples).unwrap();
        std::fs::write(&samples, [&good[1..], &good[..1]].concat()).unwrap();
        refused(bytes, "training.samples is damaged");
        std::fs::write(&samples, &good).unwrap();
    }

    #[test]
    fn a_disk_that_fails_loses_no_checkpoint() {
        let (file, _folder) = games("failing", 60);
        let work = |folder: &Path| run(&arguments(&file, folder, &["--epochs", "1", "--target", "material"]));
        crate::lab::base::records::failing::survives("train", work, |_| ());
    }
}
