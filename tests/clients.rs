//! The engine in the hands of the programs that people plug it into: the scripts of `tests/clients`.
//!
//! Each script is one test. It is skipped, and says so, where the program that it needs is not installed; with
//! `cargo test --test clients -- --nocapture` one sees which.

use std::process::Command;

/// The exit code of a script that lacks something.
const SKIPPED: i32 = 77;

/// Runs a script of the folder on the built engine.
fn script(name: &str, words: &[&str]) {
    let path = format!("{}/tests/clients/{name}", env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new("python3");
    command.arg("-B").arg(path).arg(env!("CARGO_BIN_EXE_plumb")).args(words).env_remove("RUST_LOG");
    let run = match command.output() {
        Ok(run) => run,
        Err(error) => return eprintln!("{name} is skipped: no python3 ({error})"),
    };
    let said = String::from_utf8_lossy(&run.stdout);
    if run.status.code() == Some(SKIPPED) {
        return eprintln!("{name} is skipped: {}", said.trim());
    }
    let complaint = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{name} {words:?}: {}\n{said}\n{complaint}", run.status);
    eprintln!("{name}: {}", said.trim());
}

#[test]
fn python_chess_analyses_and_plays() {
    script("python_chess.py", &[]);
}

#[test]
fn a_game_through_polyglot() {
    script("polyglot.py", &[]);
}

#[test]
fn a_game_in_xboard() {
    script("xboard.py", &[]);
}

#[test]
fn fastchess_finds_it_compliant() {
    script("fastchess.py", &["compliance"]);
}

/// A sample; `tests/clients/fastchess.py ./plumb chess960 500` plays many.
#[test]
fn fastchess_plays_chess960() {
    script("fastchess.py", &["chess960", "6"]);
}
