//! `plumb train` from the outside: the first network of the docs, dry runs, breaks while games are packed.

#![cfg(feature = "lab")]

mod common;

use common::program::{Folder, command, run};
use std::process::Command;

/// The lines of the first block of `sh` behind a heading of docs/tuning.md.
fn commands_below(heading: &str) -> Vec<String> {
    let page = include_str!("../docs/tuning.md").replace("\r\n", "\n");
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
    use common::program::interrupted_at_first_progress;
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
