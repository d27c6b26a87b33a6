//! Syzygy tablebases through UCI. Tests that need real tablebases are run on request (`--ignored`, or
//! `.ci/run`): those of the folder that `PLUMB_SYZYGY` names, else of `../shared/syzygy`.

use crate::common::program::{command, run, signal, wait_for_handler};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Output of the engine for some lines of input.
fn talk(lines: &str) -> String {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_plumb"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    engine.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    String::from_utf8(engine.wait_with_output().unwrap().stdout).unwrap()
}

fn folder() -> String {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/syzygy");
    std::env::var_os("PLUMB_SYZYGY").map_or_else(beside, PathBuf::from).display().to_string()
}

#[test]
fn a_missing_folder_is_reported_and_the_search_goes_on() {
    let said = talk("setoption name SyzygyPath value /no such folder\ngo depth 2\n");
    assert!(said.contains("info string no Syzygy tables found (/no such folder: "), "{said}");
    assert!(said.contains("bestmove ") && !said.contains("tbhits"), "{said}");
    assert!(talk("setoption name SyzygyPath value <empty>\n").is_empty());
}

#[test]
#[ignore = "needs Syzygy tables"]
fn tablebases_are_probed_and_stay_when_another_folder_is_missing() {
    let folder = folder();
    let said = talk(&format!(
        "setoption name SyzygyPath value {folder}\nsetoption name SyzygyPath value /no such folder\n\
         setoption name MultiPV value 3\nposition fen k7/8/1K6/8/8/8/8/7R w - - 0 1\ngo depth 3\n"
    ));
    assert!(said.contains("Syzygy tables with up to ") && said.contains("nothing changes"), "{said}");
    assert!(said.contains("tbhits") && said.contains("bestmove h1h8"), "{said}");
    let only = talk(&format!(
        "setoption name SyzygyPath value {folder}\nposition fen k7/8/1K6/8/8/8/8/7R w - - 0 1\n\
         go depth 3 searchmoves h1h2 b6c6\n"
    ));
    assert!(only.contains("bestmove h1h2") && only.contains("score cp 314"), "{only}");
    let at_once = talk(&format!(
        "setoption name SyzygyPath value {folder}\nposition fen 8/8/8/8/8/2k5/8/K2R4 w - - 0 1\ngo nodes 1\n"
    ));
    assert!(at_once.contains("score cp 314"), "{at_once}");
}

#[test]
#[ignore = "needs Syzygy tables"]
fn the_command_reads_positions_until_ctrl_c() {
    let mut child = command(&["syzygy", "--path", &folder()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    // Kept: its end would end the command.
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"\n  \nk7/8/1K6/8/8/8/8/7R w - - 0 1\n").unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "wdl 2 dtz 1 k7/8/1K6/8/8/8/8/7R w - - 0 1\n", "blank lines are passed over");
    wait_for_handler(&child);
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130), "it waits for more, and ends");
    drop(input);
    let fens = ["8/8/8/8/8/4k3/8/R3K3 w Q - 0 1", "8/8/8/8/1qqqk3/8/5PPP/R3K3 w - - 0 1"];
    let (told, notes, code) = run(&["syzygy", "--path", &folder(), fens[0], fens[1]]);
    assert!(code == 0 && told.matches("wdl ? dtz ? ").count() == 2, "{told}");
    assert!(
        notes.contains("castling rights are in no table") && notes.contains("no usable table"),
        "{notes}"
    );
}

#[test]
#[ignore = "needs Syzygy tables and python-chess"]
fn probes_equal_those_of_python_chess_and_games_keep_their_wdl_values() {
    let folder = folder();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/syzygy.py");
    let words = [script, env!("CARGO_BIN_EXE_plumb"), &folder, "10000", "30"];
    let run = Command::new("python3").args(words).output().expect("python3 is installed");
    let [said, complaint] = [&run.stdout, &run.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(run.status.success(), "{said}{complaint}");
    crate::common::compatibility::rows_are_in_the_docs(&said);
}
