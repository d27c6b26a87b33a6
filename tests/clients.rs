//! UCI clients of the engine (python-chess, Polyglot, xboard, fastchess): the scripts of `tests/clients`, a
//! test each.
//!
//! They need the programs and python-chess: `cargo test --test clients -- --ignored`, or `.ci/run`, which
//! runs those whose programs are there.

use std::process::Command;

/// Runs a script of the folder on the built engine.
fn script(name: &str, words: &[&str]) {
    let path = format!("{}/tests/clients/{name}", env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new("python3");
    command.arg("-B").arg(path).arg(env!("CARGO_BIN_EXE_plumb")).args(words).env_remove("RUST_LOG");
    let run = command.output().expect("python3 is installed");
    let [said, complaint] = [&run.stdout, &run.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(run.status.success(), "{name} {words:?}: {}\n{said}\n{complaint}", run.status);
    eprintln!("{name}: {}", said.trim());
}

#[test]
#[ignore = "needs python-chess"]
fn python_chess_analyses_and_plays() {
    script("python_chess.py", &[]);
}

#[test]
#[ignore = "needs python-chess and Polyglot"]
fn polyglot_plays_a_whole_game() {
    script("polyglot.py", &[]);
}

#[test]
#[ignore = "needs python-chess and Polyglot"]
fn polyglot_and_python_chess_choose_the_same_book_moves() {
    script("books.py", &[]);
}

#[test]
#[ignore = "needs python-chess, xboard and Xvfb"]
fn xboard_plays_a_whole_game() {
    script("xboard.py", &[]);
}

#[test]
#[ignore = "needs python-chess and fastchess"]
fn fastchess_finds_the_engine_compliant() {
    script("fastchess.py", &["compliance"]);
}

/// A sample; `tests/clients/fastchess.py ./plumb chess960 500` plays many.
#[test]
#[ignore = "needs python-chess and fastchess"]
fn fastchess_plays_chess960_without_warnings() {
    script("fastchess.py", &["chess960", "6"]);
}

#[test]
#[ignore = "needs python-chess and fastchess"]
fn fastchess_sends_every_option_of_the_presets() {
    script("fastchess.py", &["presets"]);
}

#[test]
#[ignore = "needs python-chess and fastchess"]
fn fastchess_reads_the_games_of_a_tournament_as_openings() {
    script("fastchess.py", &["openings"]);
}
