//! `plumb texel`: fits to games and to labelled positions, resumed fits, and the weights written out.

use crate::common::program::{Folder, run};
use std::fmt::Write as _;

/// Plays small games; the path of their file.
fn games(folder: &Folder, file: &str, number: &str) -> String {
    let path = folder.path(file);
    let (_, said, code) = run(&["datagen", "--out", &path, "--games", number, "--nodes", "200"]);
    assert_eq!(code, 0, "{said}");
    path
}

/// The quiet positions of 24 such games as lines of text, with results and scores, in pieces of twenty that
/// have a name each.
fn positions(folder: &Folder, file: &str) -> String {
    let (exported, said, code) = run(&["datagen", "export", &games(folder, "games.vf", "24")]);
    assert_eq!(code, 0, "{said}");
    let mut text = String::new();
    for (index, line) in exported.lines().enumerate() {
        let [fen, score, result] = line.split(" | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        let score = score.parse::<i32>().unwrap() * if fen.contains(" w ") { 1 } else { -1 };
        let result = [("1.0", "1-0"), ("0.5", "1/2-1/2"), ("0.0", "0-1")].iter().find(|of| of.0 == result);
        let _ = writeln!(text, "{fen} c9 \"{}\"; ce {score}; id \"{}\";", result.unwrap().1, index / 20);
    }
    folder.file(file, &text);
    text
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
    let (games, state) = (games(&folder, "six.vf", "6"), folder.path("state"));
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
    let fixed = ["texel", &games, "--state", &state, "--epochs", "1", "--keep", "30", "--restart"];
    let (out, said, code) = run(&[&fixed[..], &["--quiet", "20"]].concat());
    let told: String = out.chars().skip(9).take_while(|c| *c != ' ').filter(char::is_ascii_digit).collect();
    let fewer: usize = told.parse().unwrap_or_else(|_| panic!("{out}{said}"));
    assert!(code == 0 && fewer < quiet && fewer > quiet / 5, "{fewer} of {quiet}");
    let mut bytes = std::fs::read(&games).unwrap();
    bytes.truncate(bytes.len() - 3);
    std::fs::write(&games, bytes).unwrap();
    let (_, said, code) = run(&["texel", &games, "--state", &state]);
    assert!(code == 1 && said.contains("six.vf: game 6 (from byte"), "{said}");
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
    let original = include_str!("../../src/eval/weights.rs").replacen("    tempo: s(", "    tempo: s(9", 1);
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

#[test]
fn two_fits_of_one_state_are_refused() {
    let folder = Folder::new("locked");
    let (games, state) = (games(&folder, "games.vf", "6"), folder.path("state"));
    let lock = std::fs::File::create(folder.join("state.lock")).unwrap();
    lock.lock().unwrap();
    let fit = || run(&["texel", &games, "--state", &state, "--epochs", "1", "--keep", "30"]);
    let (out, said, code) = fit();
    assert!(code == 1 && said.contains("state is being written by another plumb"), "{said}");
    assert!(out.is_empty() && !folder.join("state").exists());
    drop(lock);
    assert_eq!(fit().2, 0);
    assert!(!folder.join("state.lock").exists());
}

/// `plumb datagen` makes what the tuning reads; the command that made lines of text for it is gone.
#[test]
fn games_for_tuning_come_from_datagen_alone() {
    let (_, said, code) = run(&["help", "games"]);
    assert!(code == 2 && said.contains("there is no command 'games'"), "{said}");
}
