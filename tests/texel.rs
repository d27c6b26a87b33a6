//! Conversations with `plumb games` and `plumb texel`.
#![cfg(feature = "lab")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn plumb(command: &str, files: &[&Path], more: &[&str]) -> Output {
    let mut plumb = Command::new(env!("CARGO_BIN_EXE_plumb"));
    plumb.arg(command).args(files).args(more).output().unwrap()
}

fn complaint(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A file of this test that does not exist yet.
fn fresh(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

/// Small games.
fn games(file: &Path, number: &str, more: &[&str]) -> Output {
    plumb("games", &[file], &[&["--games", number, "--nodes", "200"], more].concat())
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// Positions of some games, written once for all tests of a name.
fn positions(name: &str) -> PathBuf {
    let file = fresh(name);
    let output = games(&file, "24", &[]);
    assert!(output.status.success(), "{output:?}");
    file
}

/// Broken off in the middle of a line, played by one worker or by three: the same positions.
#[test]
fn games_go_on_where_they_were_broken_off() {
    let whole = positions("whole.epd");
    let all = text(&whole);
    assert!(all.lines().count() > 100 && all.lines().all(|line| line.contains(" c9 \"")), "{all}");
    let broken = fresh("broken.epd");
    std::fs::write(&broken, &all[..all.len() / 2]).unwrap();
    assert!(games(&broken, "24", &["--jobs", "3"]).status.success());
    assert_eq!(text(&broken), all);
    // Finished games are not played again, more of them are welcome.
    let again = games(&broken, "24", &[]);
    assert!(String::from_utf8_lossy(&again.stdout).contains(" of 24 games"), "{again:?}");
    assert!(games(&broken, "26", &[]).status.success() && text(&broken).starts_with(&all));
}

#[test]
fn other_games_are_not_mixed_in() {
    let file = fresh("mixed.epd");
    assert!(games(&file, "2", &[]).status.success());
    let before = text(&file);
    for more in [&["--seed", "3"][..], &["--per-game", "3"], &["--set", "Backend=negascout"]] {
        let (code, said) = complaint(&games(&file, "2", more));
        assert!(code == Some(1) && said.contains("holds other games"), "{more:?}: {said}");
    }
    assert_eq!(text(&file), before);
    std::fs::write(&file, "a letter to a friend\n").unwrap();
    assert!(complaint(&games(&file, "2", &[])).1.contains("is there already"));
    assert_eq!(text(&file), "a letter to a friend\n");
    assert!(games(&file, "2", &["--restart"]).status.success());
    assert_eq!(text(&file), before);
}

/// The losses that the epochs began with.
fn losses(output: &Output) -> Vec<f64> {
    let (_, said) = complaint(output);
    let number = |line: &str| line.split_once(": loss ")?.1.split(' ').next()?.parse().ok();
    said.lines().filter_map(number).collect()
}

/// Broken off after three epochs and gone on: the state and the report of a fit that was not.
#[test]
fn a_fit_lowers_the_loss_and_goes_on_to_the_same_weights() {
    let data = positions("fit.epd");
    let fit = |state: &Path, epochs: &str, jobs: &str| {
        let state = ["--state", state.to_str().unwrap(), "--epochs", epochs, "--jobs", jobs];
        plumb("texel", &[&data], &[&state[..], &["--keep", "30"]].concat())
    };
    let (at_once, in_parts) = (fresh("at_once.state"), fresh("in_parts.state"));
    let whole = fit(&at_once, "8", "1");
    assert!(whole.status.success(), "{whole:?}");
    let found = losses(&whole);
    assert!(found.len() == 8 && found.windows(2).all(|pair| pair[1] < pair[0]), "{found:?}");
    assert!(fit(&in_parts, "3", "2").status.success());
    let rest = fit(&in_parts, "8", "3");
    assert_eq!(losses(&rest), found[3..]);
    assert_eq!(text(&in_parts), text(&at_once));
    assert_eq!(rest.stdout, whole.stdout);
    let table = String::from_utf8_lossy(&whole.stdout).into_owned();
    assert!(table.contains("kept aside") && table.contains("static W: Weights = Weights {"), "{table}");
}

#[test]
fn the_new_weights_are_written_into_their_source() {
    let (data, state, source) = (positions("write.epd"), fresh("write.state"), fresh("weights.rs"));
    let fit = |source: &Path| {
        let files = ["--state", state.to_str().unwrap(), "--write", source.to_str().unwrap()];
        plumb("texel", &[&data], &[&files[..], &["--epochs", "5", "--restart"]].concat())
    };
    let original = include_str!("../src/eval/weights.rs");
    std::fs::write(&source, original).unwrap();
    let output = fit(&source);
    assert!(output.status.success(), "{output:?}");
    let (old, new) = (original.lines(), text(&source));
    assert!(new != original && new.lines().count() == old.count());
    std::fs::write(&source, "fn main() {}\n").unwrap();
    let (code, said) = complaint(&fit(&source));
    assert!(code == Some(1) && said.contains("has no table of weights"), "{said}");
    assert_eq!(text(&source), "fn main() {}\n");
}

#[test]
fn what_cannot_be_learnt_from_is_refused() {
    let (data, state) = (positions("refused.epd"), fresh("refused.state"));
    let bad = fresh("bad.epd");
    let good = text(&data).lines().next().unwrap().to_owned();
    let fit = |file: &Path, more: &[&str]| {
        let state = ["--state", state.to_str().unwrap(), "--epochs", "1"];
        complaint(&plumb("texel", &[file], &[&state[..], more].concat()))
    };
    for (lines, word) in [
        (format!("{good}\n8/8/8/8 w - -\n"), "bad.epd:2"),
        (format!("{good}\n{}\n", good.replace("c9", "c8")), "bad.epd:2: there is no result"),
        (format!("{good}\n"), "too few"),
        (String::new(), "too few"),
    ] {
        std::fs::write(&bad, &lines).unwrap();
        let (code, said) = fit(&bad, &[]);
        assert!(code == Some(1) && said.contains(word), "{lines}: {said}");
    }
    assert!(fit(Path::new("no-such-file.epd"), &[]).1.contains("no-such-file.epd"));
    assert_eq!(fit(&data, &["--lambda", "2"]).0, Some(2));
    // A state of other work, and one that is none.
    assert_eq!(fit(&data, &["--keep", "30"]).0, Some(0));
    assert!(fit(&data, &["--keep", "30", "--lambda", "0.5"]).1.contains("other work"));
    std::fs::write(&state, "no state\n").unwrap();
    assert!(fit(&data, &["--keep", "30"]).1.contains("is no state"));
}
