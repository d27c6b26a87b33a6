//! Conversations with `plumb trace`.
#![cfg(feature = "lab")]

use std::path::PathBuf;
use std::process::{Command, Output};

fn plumb(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_plumb")).args(arguments).output().unwrap()
}

fn complaint(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_page_is_written() {
    let page = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("trace.html");
    let output = plumb(&["trace", "--depth", "3", "--backends", "all", "-o", page.to_str().unwrap()]);
    assert!(output.status.success(), "{output:?}");
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.trim_end().ends_with("</html>"));
    assert!(String::from_utf8_lossy(&output.stdout).contains("| MTD(f) "), "{output:?}");
}

#[test]
fn what_cannot_be_traced_is_said() {
    for (arguments, code, word) in [
        (&["trace", "no such position"][..], 2, "plumb:"),
        (&["trace", "--backends", "ins"], 2, "INS"),
        (&["trace", "--depth", "0"], 2, "0"),
        (&["trace", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], 1, "no move"),
        (&["trace", "--depth", "1", "-o", "/no/such/folder/trace.html"], 1, "/no/such/folder"),
    ] {
        let (found, text) = complaint(&plumb(arguments));
        assert_eq!(found, Some(code), "{arguments:?}: {text}");
        assert!(text.contains(word), "{arguments:?}: {text}");
    }
}
