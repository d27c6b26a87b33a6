//! `plumb train` from the outside: the first network of the docs, dry runs, breaks while games are packed;
//! and the trainer in PyTorch.

use crate::common::compatibility::Seen;
use crate::common::program::{Folder, command, run};
use plumb::eval::network::TrainedNetwork;
use std::process::Command;

/// The lines of the first block of `sh` behind a heading of docs/tuning.md.
fn commands_below(heading: &str) -> Vec<String> {
    let page = include_str!("../../docs/tuning.md").replace("\r\n", "\n");
    let (_, section) = page.split_once(&format!("\n## {heading}\n")).expect("the heading");
    let (_, block) = section.split_once("```sh\n").expect("a block");
    let (block, _) = block.split_once("```").expect("its end");
    block.lines().map(str::to_owned).collect()
}

/// The same command with smaller numbers.
fn in_small(line: &str) -> String {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let games = if line.starts_with("plumb datagen") { "150" } else { "4" };
    for (limit, least) in [("--games", games), ("--nodes", "50")] {
        if let Some(at) = words.iter().position(|&word| word == limit) {
            words[at + 1] = least;
        }
    }
    words.join(" ")
}

/// The commands of the docs, word for word but for the amount of work.
#[cfg(unix)]
#[test]
fn the_first_network_of_the_docs_is_made_shown_and_played() {
    let folder = Folder::new("first");
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_plumb"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut said = Vec::new();
    for line in commands_below("Ten minutes to your first network") {
        let mut line = in_small(&line);
        if line.starts_with("plumb datagen") {
            line = line.replacen("plumb datagen", "plumb datagen --nodes 30", 1);
        }
        let mut shell = Command::new("sh");
        let output =
            shell.args(["-c", &line]).env("PATH", &path).current_dir(folder.join("")).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success() && !out.is_empty(), "{line}: {err}");
        if line.contains("--dry-run") {
            let left: Vec<_> =
                std::fs::read_dir(folder.join("")).unwrap().map(|f| f.unwrap().file_name()).collect();
            let wanted = if line.contains("train") { 2 } else { 0 };
            assert_eq!(left.len(), wanted, "{line} writes nothing: {left:?}");
        }
        said.push((line, out, err));
    }
    assert_eq!(said.len(), 6);
    assert!(said[0].1.contains("| games |") && said[0].1.contains("150"), "{:?}", said[0]);
    assert!(said[2].1.contains("| training ") && said[2].1.contains(" 256 |"), "{:?}", said[2]);
    assert!(said[3].2.contains("15 epochs of") && said[3].2.contains("batches of 256"), "{:?}", said[3]);
    assert!(said[4].1.contains("evaluation by network: width 128"), "{:?}", said[4]);
    assert!(said[4].1.contains("worth of each piece"), "{:?}", said[4]);
    assert!(said[5].1.contains("EvalFile=first/best.net"), "{:?}", said[5]);
}

/// A file of games in the folder.
fn games(folder: &Folder, number: &str) -> String {
    let file = folder.path("games.vf");
    let (_, err, code) = run(&["datagen", "--games", number, "--nodes", "30", "--out", &file]);
    assert_eq!(code, 0, "{err}");
    file
}

#[test]
fn an_epoch_of_few_steps_is_warned_of() {
    let folder = Folder::new("few");
    let file = games(&folder, "150");
    let train = |name: &str, batch: &str| {
        run(&[
            "train",
            &file,
            "--out",
            &folder.path(name),
            "--epochs",
            "1",
            "--batch",
            batch,
            "--width",
            "32",
        ])
    };
    let (_, err, code) = train("few", "4096");
    assert!(code == 0 && err.contains("an epoch has few steps") && err.contains("--batch 256"), "{err}");
    let (_, err, code) = train("enough", "64");
    assert!(code == 0 && !err.contains("few steps"), "{err}");
}

#[test]
fn a_dry_run_of_a_match_and_of_a_share_writes_nothing() {
    let folder = Folder::new("dry");
    let (out, record) = (folder.path("part.vf"), folder.path("match.record"));
    let (said, err, code) =
        run(&["datagen", "--games", "101", "--shard", "1/2", "--nodes", "20", "--out", &out, "--dry-run"]);
    assert!(code == 0 && said.contains("|    51 |"), "{said}{err}");
    let play = ["tournament", "default", "Grid=1", "--nodes", "20", "--games", "30", "--sprt", "0,5"];
    let (said, err, code) = run(&[&play[..], &["--record", &record, "--dry-run"]].concat());
    assert!(code == 0 && said.contains("|    30 |") && err.contains("sooner"), "{said}{err}");
    assert_eq!(std::fs::read_dir(folder.join("")).unwrap().count(), 0);
}

/// Successors make packing long: it tells its progress, and the first signal ends it without a trace.
#[cfg(unix)]
#[test]
fn the_first_signal_ends_packing() {
    use crate::common::program::interrupted_at_first_progress;
    use std::process::Stdio;
    let folder = Folder::new("packing");
    let file = games(&folder, "150");
    let before = std::fs::read_dir(folder.join("")).unwrap().count();
    for signal in ["-INT", "-TERM"] {
        let out = folder.path("net");
        let mut train =
            command(&["train", &file, "--out", &out, "--target", "material", "--successors", "1000"]);
        let child = train.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (said, err, code) = interrupted_at_first_progress(child, signal);
        assert_eq!((code, said.as_str()), (130, ""), "{err}");
        assert!(err.contains("percent packed") && err.contains("interrupted while packing"), "{err}");
        assert_eq!(std::fs::read_dir(folder.join("net")).unwrap().count(), 0, "half-packed samples");
        assert_eq!(std::fs::read_dir(folder.join("")).unwrap().count(), before + 1);
    }
}

/// The trainer of the folder `trainer`, on one thread.
fn trainer(words: &[&str]) -> Command {
    let mut command = Command::new("python3");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/trainer/train.py");
    command.args(["-B", script]).args(words).env("OMP_NUM_THREADS", "1");
    command
}

/// Standard error and exit code of a trainer that ends.
fn trained(words: &[&str]) -> (String, i32) {
    let output = trainer(words).output().expect("python3 is installed");
    (String::from_utf8_lossy(&output.stderr).into_owned(), output.status.code().expect("an exit code"))
}

/// Makes `games.vf` and the folder `packed`, with samples and a network of random weights; the samples to
/// learn from.
fn pack(folder: &Folder, king_buckets: &str) -> usize {
    let [others, out] = ["others.vf", "packed"].map(|name| folder.path(name));
    let (_, err, code) = run(&["datagen", "--games", "40", "--nodes", "30", "--seed", "7", "--out", &others]);
    assert_eq!(code, 0, "{err}");
    let words =
        ["--validation", &others, "--epochs", "1", "--batch", "64", "--width", "32", "--rate", "1e-7"];
    let file = games(folder, "40");
    let (_, err, code) =
        run(&[&["train", &file, "--out", &out, "--king-buckets", king_buckets], &words[..]].concat());
    assert_eq!(code, 0, "{err}");
    std::fs::metadata(folder.join("packed/training.samples")).unwrap().len() as usize / 32
}

/// The losses of every epoch: in training, in validation, and in validation by the averaged weights.
fn losses(folder: &Folder, curve: &str) -> Vec<f64> {
    let text = std::fs::read_to_string(folder.join(curve)).unwrap();
    let numbers = text.lines().skip(1).flat_map(|line| line.split(',').skip(1));
    numbers.map(|loss| loss.parse().unwrap()).collect()
}

/// The difference of two weights at the same place that all but so many of a thousand stay within.
fn apart(one: &[f32], other: &[f32], without: usize) -> f32 {
    let mut all: Vec<f32> = one.iter().zip(other).map(|(one, other)| (one - other).abs()).collect();
    all.sort_by(f32::total_cmp);
    all[all.len() - 1 - all.len() * without / 1000]
}

/// The difference of the weights that both trainers make, as a part of the learning rate. AdamW
/// divides a gradient by its size plus 1e-8, so that the last digits of tiny gradients count: 0.0005 were
/// measured.
const WEIGHTS_APART: f32 = 0.002;

/// The largest difference of losses, as a part of them: 0.000005 were measured.
const LOSSES_APART: f64 = 0.000_01;

/// Both trainers see all samples in every step, so that their order makes no difference.
#[test]
#[ignore = "needs PyTorch"]
fn the_trainer_in_pytorch_makes_the_steps_of_plumb_train() {
    for (king_buckets, factoriser) in [("1", &[][..]), ("4", &[]), ("4", &["--factoriser"])] {
        let folder = Folder::new(&format!("steps-{king_buckets}-{}", factoriser.len()));
        let batch = pack(&folder, king_buckets).to_string();
        let [games, others] = ["games.vf", "others.vf"].map(|name| folder.path(name));
        let [start, packed] = ["packed/best.net", "packed"].map(|name| folder.path(name));
        let first = TrainedNetwork::open(start.as_ref()).unwrap();
        let [quantised, same] = ["quantised.net", "same.net"].map(|name| folder.path(name));
        std::fs::write(&quantised, first.quantised_bytes(first.fingerprint())).unwrap();
        let (err, code) =
            trained(&[&packed, "--out", &same, "--start", &quantised, "--batch", &batch, "--rate", "1e-9"]);
        assert_eq!(code, 0, "{err}");
        let [whole, same] = [quantised, same].map(|path| TrainedNetwork::open(path.as_ref()).unwrap());
        assert!(apart(&whole.parameters, &same.parameters, 0) < 1e-6, "a quantised start");
        // The last step is so long that most weights are clipped.
        for (steps, rate) in [("1", "0.003"), ("8", "0.003"), ("1", "2")] {
            let name = format!("{steps}-{rate}");
            let (out, net) = (folder.path(&name), folder.path(&format!("{name}.net")));
            let same = ["--epochs", steps, "--batch", &batch, "--rate", rate, "--weight-decay", "0.01"];
            let same = [&same[..], &["--result", "0.3", "--start", &start], factoriser].concat();
            let cpu = ["train", &games, "--validation", &others, "--out", &out, "--width", "32"];
            let cpu = [&cpu[..], &["--king-buckets", king_buckets]].concat();
            let (_, err, code) = run(&[&cpu[..], &same].concat());
            assert_eq!(code, 0, "{err}");
            let (err, code) = trained(&[&[&packed[..], "--out", &net], &same[..]].concat());
            assert_eq!(code, 0, "{err}");

            let curves =
                [format!("{name}/curve.csv"), format!("{name}.csv")].map(|curve| losses(&folder, &curve));
            let [expected, found] = &curves;
            assert_eq!((expected.len(), found.len()), (3 * steps.parse::<usize>().unwrap(), expected.len()));
            let least = expected.iter().copied().fold(f64::INFINITY, f64::min);
            assert!(
                expected[expected.len() - 3..].contains(&least),
                "the last step makes the network: {curves:?}"
            );
            let losses =
                expected.iter().zip(found).map(|(one, other)| (one / other - 1.0).abs()).fold(0.0, f64::max);
            let nets = [folder.join(&format!("{name}/best.net")), net.into()];
            let [expected, found] = nets.map(|path| TrainedNetwork::open(&path).unwrap());
            assert_eq!(found.architecture, expected.architecture);
            let rate: f32 = rate.parse().unwrap();
            // The gradients that a factoriser adds can cancel each other: of 100,000 weights 23 have other
            // digits.
            let without = factoriser.len();
            let weights = apart(&expected.parameters, &found.parameters, without) / rate;
            let moved = apart(&expected.parameters, &first.parameters, 0) / rate;
            eprintln!(
                "{king_buckets} king buckets {factoriser:?}, {name}: weights {weights} of {moved} rates \
                apart, losses {losses:e}"
            );
            assert!(
                weights < WEIGHTS_APART && losses < LOSSES_APART && moved > 0.9,
                "{weights} {losses} {moved}"
            );
        }
    }
    let ask = ["-c", "import torch; print(torch.__version__)"];
    let version = Command::new("python3").args(ask).output().expect("python3 is installed").stdout;
    let version = String::from_utf8_lossy(&version);
    let seen = Seen {
        program: "PyTorch",
        version: version.trim(),
        direction: "reads, writes",
        run: "steps of AdamW on the samples of `plumb train`, with 1 and 4 king buckets and a factoriser",
        seen: &format!("weights within {WEIGHTS_APART} of the learning rate, losses within {LOSSES_APART}"),
    };
    seen.is_in_the_docs();
}

/// A wrong file is named in one sentence, nothing is written, and what was there stays.
#[test]
#[ignore = "needs PyTorch"]
fn the_trainer_in_pytorch_refuses_wrong_files() {
    let folder = Folder::new("wrong");
    pack(&folder, "1");
    let whole = std::fs::read(folder.join("packed/training.samples")).unwrap();
    let samples = |name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        std::fs::create_dir(folder.join(name)).unwrap();
        let mut bytes = whole.clone();
        change(&mut bytes);
        std::fs::write(folder.join(&format!("{name}/training.samples")), bytes).unwrap();
        std::fs::write(folder.join(&format!("{name}/validation.samples")), &whole).unwrap();
    };
    samples("cut", &|bytes| bytes.truncate(100));
    samples("empty", &Vec::clear);
    samples("kingless", &|bytes| bytes[40 * 32 + 8..40 * 32 + 24].fill(0));
    samples("undecided", &|bytes| bytes[26] = 3);
    let network = std::fs::read(folder.join("packed/best.net")).unwrap();
    let net = |name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = network.clone();
        change(&mut bytes);
        std::fs::write(folder.join(name), bytes).unwrap();
    };
    net("damaged.net", &|bytes| bytes[5000] ^= 1);
    net("short.net", &|bytes| bytes.truncate(5000));
    net("games.net", &|bytes| *bytes = std::fs::read(folder.join("games.vf")).unwrap());
    let cases: [(&str, &[&str], &str); 11] = [
        ("cut", &[], "100 bytes are no samples"),
        ("empty", &[], "0 bytes are no samples"),
        ("kingless", &[], "sample 40 is no position"),
        ("undecided", &[], "sample 0 is no position"),
        ("nowhere", &[], "No such file"),
        ("packed", &["--start", "damaged.net"], "damaged.net: damaged"),
        ("packed", &["--start", "short.net"], "do not fit a width of 32"),
        ("packed", &["--start", "games.net"], "games.net: no network"),
        ("packed", &["--start", "packed/best.net", "--width", "64"], "width 32"),
        ("packed", &["--batch", "1000000"], "too few for a batch"),
        ("packed", &["--factoriser"], "one bucket has nothing to share"),
    ];
    for (samples, more, sentence) in cases {
        let mut command = trainer(&[&[samples, "--out", "x.net"], more].concat());
        let output = command.current_dir(folder.join("")).output().expect("python3 is installed");
        let err = String::from_utf8_lossy(&output.stderr);
        let one = err.lines().count() == 1 && err.starts_with("train.py: ") && err.contains(sentence);
        assert!(one && output.status.code() == Some(1), "{samples} {more:?}: {err}");
        assert!(!folder.join("x.net").exists() && !folder.join("x.csv").exists(), "{samples} {more:?}");
    }
    let start = folder.path("packed/best.net");
    let (err, code) = trained(&[&folder.path("packed"), "--out", &start]);
    assert!(code == 1 && err.contains("exists already"), "{err}");
    assert_eq!(std::fs::read(folder.join("packed/best.net")).unwrap(), network);
}

/// Ctrl-C in a long training, once an epoch is done.
#[cfg(unix)]
#[test]
#[ignore = "needs PyTorch"]
fn the_trainer_in_pytorch_leaves_the_last_network_on_ctrl_c() {
    use crate::common::program::{signal, wait_until};
    use std::process::Stdio;
    let folder = Folder::new("broken");
    pack(&folder, "1");
    let [packed, net] = ["packed", "broken.net"].map(|name| folder.path(name));
    let words = [&packed, "--out", &net, "--batch", "64", "--width", "32", "--epochs", "10000"];
    let child = trainer(&words).stderr(Stdio::piped()).spawn().expect("python3 is installed");
    wait_until("the first epoch", || folder.join("broken.csv").exists());
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(130) && err.contains("interrupted"), "{err}");
    assert!(!err.contains("Traceback"), "{err}");
    assert_eq!(TrainedNetwork::open(&folder.join("broken.net")).unwrap().architecture.width, 32);
}

/// The script for a machine that is there for minutes, in small: games, networks of both widths, the match.
#[test]
#[ignore = "needs PyTorch"]
fn a_quarter_of_an_hour_leaves_networks_curves_and_a_table() {
    let folder = Folder::new("quarter");
    let out = folder.path("results");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/trainer/quarter_hour.py");
    let limits = ["--seconds", "100", "--epochs", "1", "--batch", "256", "--validation", "40", "--jobs", "2"];
    let games = ["--widths", "32,64", "--match-nodes", "50", "--match-games", "4", "--device", "cpu"];
    let mut command = Command::new("python3");
    command.args(["-B", script, "--plumb", env!("CARGO_BIN_EXE_plumb"), "--out", &out, "--nodes", "400"]);
    let run = command.args(limits).args(games).env("OMP_NUM_THREADS", "1").output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}");
    for width in [32, 64] {
        let network = TrainedNetwork::open(&folder.join(&format!("results/{width}.net"))).unwrap();
        assert_eq!(network.architecture.width, width, "{said}");
        assert!(losses(&folder, &format!("results/{width}.csv")).len() >= 3, "{said}");
        assert!(folder.text(&format!("results/{width}-losses.md")).contains("hand-crafted"), "{said}");
    }
    let table = folder.text("results/match.md");
    assert!(["inside", "w32", "w64"].iter().all(|player| table.contains(player)), "{table}");
    assert!(folder.text("results/match.pgn").contains("[White \"w64\"]"), "{said}");
    let again =
        Command::new("python3").args(["-B", script, "--plumb", "nowhere", "--out", &out]).output().unwrap();
    let told = String::from_utf8_lossy(&again.stderr);
    assert!(told.lines().count() == 1 && told.contains("exists already"), "{told}");
}
