//! `plumb trace`: the page and its errors.
#![cfg(feature = "lab")]

mod common;

use common::program::{Folder, plumb, run};

#[test]
fn a_trace_is_written_as_an_html_page() {
    let folder = Folder::new("page");
    let output = plumb(&["trace", "--depth", "3", "--backends", "all", "-o", &folder.path("trace.html")]);
    assert!(output.status.success(), "{output:?}");
    let html = folder.text("trace.html");
    assert!(html.starts_with("<!DOCTYPE html>") && html.trim_end().ends_with("</html>"));
    assert!(
        html.contains("<a href=\"#driver-mtd-f\">MTD(f)</a>") && html.contains("lichess.org/analysis/rnbq")
    );
    assert!(String::from_utf8_lossy(&output.stdout).contains("| MTD(f) "), "{output:?}");
}

#[test]
fn untraceable_requests_are_errors_with_a_reason() {
    for (arguments, code, word) in [
        (&["trace", "no such position"][..], 2, "plumb:"),
        (&["trace", "--backends", "ins"], 2, "INS"),
        (&["trace", "--depth", "0"], 2, "0"),
        (&["trace", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], 1, "no move"),
        (&["trace", "--depth", "1", "-o", "/no/such/folder/trace.html"], 1, "/no/such/folder"),
    ] {
        let (_, text, found) = run(arguments);
        assert_eq!(found, code, "{arguments:?}: {text}");
        assert!(text.contains(word), "{arguments:?}: {text}");
    }
}
