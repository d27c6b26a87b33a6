//! Opening books through UCI: moves at once, `searchmoves`, analysis, bad files and the notation of castling.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// Output of the engine for some lines of input.
fn output_of(lines: &[&str]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_plumb"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let mut input = child.stdin.take().expect("the input is open");
    input.write_all(lines.join("\n").as_bytes()).expect("the engine listens");
    drop(input);
    let output = child.wait_with_output().expect("the engine ends");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("the engine speaks UTF-8")
}

/// Ten minutes of thinking: only a book answers before the test times out.
const LONG: &str = "go movetime 600000";

#[test]
fn a_book_move_is_answered_at_once() {
    let said = output_of(&["setoption name OwnBook value true", "setoption name BookMode value best", LONG]);
    assert!(said.contains("info string own book: e2e4 has "), "{said}");
    assert!(said.contains("bestmove e2e4") && !said.contains("score"), "{said}");
}

#[test]
fn searchmoves_restrict_the_book() {
    let own = "setoption name OwnBook value true";
    let said = output_of(&[own, &format!("{LONG} searchmoves c2c4")]);
    assert!(said.contains("own book") && said.contains("bestmove c2c4"), "{said}");
    let said = output_of(&[own, "go depth 1 searchmoves a2a4"]);
    assert!(!said.contains("own book") && said.contains("bestmove a2a4"), "{said}");
}

#[test]
fn analysis_plays_no_book_move() {
    let own = "setoption name OwnBook value true";
    let said = output_of(&[own, "setoption name UCI_AnalyseMode value true", "go depth 1"]);
    assert!(!said.contains("own book") && said.contains("score"), "{said}");
    let said = output_of(&[own, "go infinite", "stop"]);
    assert!(!said.contains("own book") && said.contains("bestmove"), "{said}");
    assert!(!output_of(&["go depth 1"]).contains("own book"));
}

#[test]
fn a_bad_book_file_leaves_the_old_book() {
    let own = "setoption name OwnBook value true";
    for file in ["there-is-no-such.bin", "Cargo.toml/none", "src"] {
        let said = output_of(&[own, &format!("setoption name BookFile value {file}"), LONG]);
        assert!(said.contains("the old one stays"), "{said}");
        assert!(said.contains("info string own book: ") && said.contains("bestmove"), "{said}");
    }
}

#[test]
fn castling_in_a_book_is_written_as_uci_chess960_demands() {
    let ruy = "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6";
    let lines = ["setoption name OwnBook value true", "setoption name BookMode value best", ruy];
    assert!(output_of(&[&lines[..], &[LONG]].concat()).contains("bestmove e1g1"));
    let written = [&lines[..], &["setoption name UCI_Chess960 value true", LONG]].concat();
    assert!(output_of(&written).contains("bestmove e1h1"));
}
