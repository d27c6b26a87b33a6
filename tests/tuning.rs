//! A build for tuning: `plumb tune` (SPSA), and values of parameters that turn a technique off.

mod common;

use common::program::{Folder, output_of, plumb};
use std::path::Path;
use std::process::Output;

fn tune(log: &Path, more: &[&str]) -> Output {
    let fixed = ["tune", "--iterations", "4", "--pairs", "2", "--nodes", "100", "--rate", "0.05"];
    let log = ["--log", log.to_str().unwrap()];
    plumb(&[&fixed[..], &log, more].concat())
}

/// Cut in the middle of a line: the resumed log and table are those of an uninterrupted tuning.
#[test]
fn a_resumed_tuning_has_the_same_values() {
    let folder = Folder::new("resumed");
    let (whole, broken) = (folder.join("whole.tune"), folder.join("broken.tune"));
    let [data, rest] = ["whole.vf", "rest.vf"].map(|name| folder.path(name));
    let at_once = tune(&whole, &["--jobs", "1", "--data", &data]);
    assert!(at_once.status.success(), "{at_once:?}");
    let text = std::fs::read_to_string(&whole).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let part = lines[..lines.len() - 2].join("\n") + "\n" + &lines[lines.len() - 2][..5];
    std::fs::write(&broken, part).unwrap();
    let resumed = tune(&broken, &["--jobs", "2", "--data", &rest]);
    assert!(resumed.status.success(), "{resumed:?}");
    assert_eq!(std::fs::read_to_string(&broken).unwrap(), text);
    assert_eq!(resumed.stdout, at_once.stdout);
    // Games are written as data once their iteration is finished: those of the second half are the rest.
    for file in [&data, &rest] {
        let (_, said, code) = output_of(&plumb(&["datagen", "stats", file]));
        assert!(code == 0 && Path::new(&format!("{file}.settings")).exists(), "{said}");
    }
    let [data, rest] = [data, rest].map(|file| std::fs::read(file).unwrap());
    assert!(data.ends_with(&rest) && !rest.is_empty() && rest.len() < data.len());
}

#[test]
fn the_log_of_another_tuning_is_refused() {
    let folder = Folder::new("refused");
    let log = folder.join("refused.tune");
    assert!(tune(&log, &["--only", "delta"]).status.success());
    let before = std::fs::read(&log).unwrap();
    for (more, code, word) in [
        (&["--only", "delta,futility_base"][..], 1, "something else"),
        (&["--only", "delta", "--set", "Grid=4"], 1, "something else"),
        (&["--only", "no_such_number"], 2, "no_such_number"),
        (&["--only", "delta", "--set", "delta=100000"], 2, "beside its range"),
        (&["--rate", "0"], 2, "rate"),
    ] {
        let (_, text, found) = output_of(&tune(&log, more));
        assert_eq!(found, code, "{more:?}: {text}");
        assert!(text.contains(word), "{more:?}: {text}");
    }
    assert_eq!(std::fs::read(&log).unwrap(), before);
}

/// The record of a search in play mode with a setting.
fn record(folder: &Folder, backend: &str, setting: &str) -> String {
    const FEN: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    let [json, page] = ["record.json", "record.html"].map(|name| folder.path(name));
    let search =
        ["--tree", FEN, "--mode", "play", "--depth", "8", "--backends", backend, "--visits", "200000"];
    let written =
        plumb(&[&["trace"], &search[..], &["--set", setting, "--json", &json, "--output", &page]].concat());
    assert!(written.status.success(), "{setting}: {written:?}");
    std::fs::read_to_string(json).unwrap()
}

#[test]
fn a_technique_that_is_off_is_not_seen_in_a_search() {
    let folder = Folder::new("off");
    let whole = record(&folder, "negascout", "Hash=16");
    for (setting, technique) in [
        ("reverse_futility_depth=0", "reverse-futility"),
        ("null_move_depth=1000", "null-move"),
        ("futility_depth=0", "futility"),
        ("late_moves_depth=0", "late-move"),
        ("exchange_depth=0", "see"),
        ("delta=100000", "delta"),
        ("reduction_depth=1000", "reduced"),
        ("singular_depth=1000", "singular"),
    ] {
        let name = format!("\"{technique}\"");
        assert!(whole.contains(&name), "{technique} is on by default");
        assert!(!record(&folder, "negascout", setting).contains(&name), "{setting}");
    }
    // These leave no name in a record: the search changes.
    for setting in [
        "iir_depth=1000",
        "reduction_history=1000000000",
        "correction_rate=0",
        "double_extension_margin=100000",
    ] {
        assert!(record(&folder, "negascout", setting) != whole, "{setting}");
    }
    // Alpha-Beta searches no move again as a PV node but with the switch.
    for (setting, again) in [("Hash=16", false), ("verified_fail_highs=1", true)] {
        assert_eq!(record(&folder, "alphabeta", setting).contains("\"research\""), again, "{setting}");
    }
}
