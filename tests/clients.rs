//! UCI clients of the engine (python-chess, Polyglot, xboard, fastchess): the scripts of `tests/clients`.
//!
//! Each script is one test. It is skipped where the program that it needs is not installed;
//! `cargo test --test clients -- --nocapture` shows which are.

use std::process::Command;

/// Exit code of a script whose program is not installed.
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
fn polyglot_plays_a_whole_game() {
    script("polyglot.py", &[]);
}

#[test]
fn xboard_plays_a_whole_game() {
    script("xboard.py", &[]);
}

#[test]
fn fastchess_finds_the_engine_compliant() {
    script("fastchess.py", &["compliance"]);
}

/// A sample; `tests/clients/fastchess.py ./plumb chess960 500` plays many.
#[test]
fn fastchess_plays_chess960_without_warnings() {
    script("fastchess.py", &["chess960", "6"]);
}
