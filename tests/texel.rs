//! `plumb games` and `plumb texel`: positions for Texel tuning, resumed fits, and the weights written out.
#![cfg(feature = "lab")]

mod common;

use common::program::{Folder, run};

/// Small games, to be written to a file.
fn games(folder: &Folder, file: &str, number: &str, more: &[&str]) -> (String, String, i32) {
    let fixed = ["games", &folder.path(file), "--games", number, "--nodes", "200"];
    run(&[&fixed[..], more].concat())
}

/// Positions of 24 such games.
fn positions(folder: &Folder, file: &str) -> String {
    let (_, said, code) = games(folder, file, "24", &[]);
    assert_eq!(code, 0, "{said}");
    folder.text(file)
}

/// Cut in the middle of a line, played by one worker or by three: the same positions.
#[test]
fn resumed_games_have_the_same_positions() {
    let folder = Folder::new("go-on");
    let all = positions(&folder, "whole.epd");
    assert!(all.lines().count() > 100 && all.lines().all(|line| line.contains(" c9 \"")), "{all}");
    folder.file("broken.epd", &all[..all.len() / 2]);
    assert_eq!(games(&folder, "broken.epd", "24", &["--jobs", "3"]).2, 0);
    assert_eq!(folder.text("broken.epd"), all);
    // Finished games are not played again; a smaller number removes none, a larger one appends.
    assert_eq!(games(&folder, "broken.epd", "5", &[]).2, 0);
    assert_eq!(folder.text("broken.epd"), all);
    let (told, _, _) = games(&folder, "broken.epd", "24", &[]);
    assert!(told.contains(" of 24 games"), "{told}");
    assert_eq!(games(&folder, "broken.epd", "26", &[]).2, 0);
    assert!(folder.text("broken.epd").starts_with(&all));
}

#[test]
fn games_of_other_settings_are_refused() {
    let folder = Folder::new("mixed");
    assert_eq!(games(&folder, "a.epd", "2", &[]).2, 0);
    let before = folder.text("a.epd");
    for more in [&["--seed", "3"][..], &["--per-game", "3"], &["--set", "Backend=negascout"]] {
        let (_, said, code) = games(&folder, "a.epd", "2", more);
        assert!(code == 1 && said.contains("holds other games"), "{more:?}: {said}");
    }
    assert_eq!(folder.text("a.epd"), before);
    folder.file("a.epd", "a letter to a friend\n");
    assert!(games(&folder, "a.epd", "2", &[]).1.contains("is there already"));
    assert_eq!(folder.text("a.epd"), "a letter to a friend\n");
    assert_eq!(games(&folder, "a.epd", "2", &["--restart"]).2, 0);
    assert_eq!(folder.text("a.epd"), before);
}

/// The loss at the start of each epoch.
fn losses(said: &str) -> Vec<f64> {
    let number = |line: &str| line.split_once(": loss ")?.1.split(' ').next()?.parse().ok();
    said.lines().filter_map(number).collect()
}

/// Ended after three epochs and resumed: the state and the report of one fit of eight.
#[test]
fn a_fit_lowers_the_loss_and_resumes_to_the_same_weights() {
    let folder = Folder::new("fit");
    positions(&folder, "fit.epd");
    let fit = |state: &str, epochs: &str, jobs: &str| {
        let (data, state) = (folder.path("fit.epd"), folder.path(state));
        // Small steps, and a spread so wide that it holds no weight back.
        let small_steps = ["--keep", "30", "--rate", "0.1", "--spread", "1000"];
        let fixed = ["texel", &data, "--state", &state, "--epochs", epochs, "--jobs", jobs];
        let (out, said, code) = run(&[&fixed[..], &small_steps].concat());
        assert_eq!(code, 0, "{said}");
        (out, losses(&said))
    };
    let (whole, found) = fit("whole", "8", "1");
    assert!(found.len() == 8 && found.windows(2).all(|pair| pair[1] < pair[0]), "{found:?}");
    assert_eq!(fit("parts", "3", "2").1, found[..3]);
    assert_eq!(fit("parts", "8", "3"), (whole.clone(), found[3..].to_vec()));
    assert_eq!(folder.text("parts"), folder.text("whole"));
    assert!(whole.contains("validation") && whole.contains("static W: Weights = Weights {"), "{whole}");
}

/// The quiet positions of whole games, alone and beside lines of text.
#[test]
fn games_of_datagen_are_fitted() {
    let folder = Folder::new("datagen");
    let [games, state] = ["games.vf", "state"].map(|name| folder.path(name));
    let (_, said, code) = run(&["datagen", "--out", &games, "--games", "6", "--nodes", "200"]);
    assert_eq!(code, 0, "{said}");
    let (exported, _, _) = run(&["datagen", "export", &games]);
    let quiet = exported.lines().count();
    positions(&folder, "lines.epd");
    let lines = folder.text("lines.epd").lines().filter(|line| !line.starts_with('#')).count();
    let both = [games.clone(), folder.path("lines.epd")];
    for (files, all) in [(&both[..1], quiet), (&both[..], quiet + lines)] {
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let more = ["--state", &state, "--epochs", "2", "--keep", "30", "--result", "0.5", "--restart"];
        let (out, said, code) = run(&[&["texel"][..], &files, &more].concat());
        assert_eq!(code, 0, "{said}");
        let told = out.lines().next().unwrap_or_default().replace(',', "");
        assert!(told.contains(&format!(" {all} positions")), "{all}: {told}");
    }
    let mut bytes = std::fs::read(&games).unwrap();
    bytes.truncate(bytes.len() - 3);
    std::fs::write(&games, bytes).unwrap();
    let (_, said, code) = run(&["texel", &games, "--state", &state]);
    assert!(code == 1 && said.contains("games.vf: game 6 (from byte"), "{said}");
}

#[test]
fn the_new_weights_are_written_into_their_source() {
    let folder = Folder::new("write");
    positions(&folder, "write.epd");
    let fit = |more: &[&str]| {
        let [data, state] = ["write.epd", "state"].map(|name| folder.path(name));
        run(&[&["texel", &data, "--state", &state, "--epochs", "5", "--keep", "30", "--restart"], more]
            .concat())
    };
    let (printed, said, code) = fit(&[]);
    let table = printed.find("pub(super) static W").map(|at| &printed[at..]);
    assert_eq!(code, 0, "{said}");
    // Over another value.
    let original = include_str!("../src/eval/weights.rs").replacen("    tempo: s(", "    tempo: s(9", 1);
    let source = folder.file("weights.rs", &original);
    assert_eq!(fit(&["--write", &source]).2, 0);
    let new = folder.text("weights.rs");
    assert!(table.is_some_and(|table| new.contains(table) && !original.contains(table)), "{printed}");
    assert_eq!(new.lines().count(), original.lines().count());
    let source = folder.file("weights.rs", "fn main() {}\n");
    let (_, said, code) = fit(&["--write", &source]);
    assert!(code == 1 && said.contains("has no table of weights"), "{said}");
    assert_eq!(folder.text("weights.rs"), "fn main() {}\n");
}

#[test]
fn unusable_positions_and_states_are_refused() {
    let folder = Folder::new("refused");
    let all = positions(&folder, "good.epd");
    let good = all.lines().next().unwrap();
    let fit = |file: &str, more: &[&str]| {
        let (file, state) = (folder.path(file), folder.path("state"));
        run(&[&["texel", &file, "--state", &state, "--epochs", "1"], more].concat())
    };
    for (lines, word) in [
        (format!("{good}\n8/8/8/8 w - -\n"), "bad.epd:2"),
        (format!("{good}\n{}\n", good.replace("c9", "c8")), "bad.epd:2: there is no result"),
        (format!("{good}\n"), "too few"),
        (String::new(), "too few"),
    ] {
        folder.file("bad.epd", &lines);
        let (_, said, code) = fit("bad.epd", &[]);
        assert!(code == 1 && said.contains(word), "{lines}: {said}");
    }
    assert!(fit("no-such-file.epd", &[]).1.contains("no-such-file.epd"));
    assert_eq!(fit("good.epd", &["--result", "2"]).2, 2);
    // A state of other work, and one that is none.
    assert_eq!(fit("good.epd", &["--keep", "30"]).2, 0);
    assert!(fit("good.epd", &["--keep", "30", "--result", "0.5"]).1.contains("other work"));
    folder.file("state", "no state\n");
    assert!(fit("good.epd", &["--keep", "30"]).1.contains("is no state"));
}
