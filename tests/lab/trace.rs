//! `plumb trace`: the page and its errors.

use crate::common::browser::Browser;
use crate::common::program::{Folder, plumb, run};

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

#[test]
#[ignore = "needs Chromium with chromedriver"]
fn no_column_lies_outside_the_page_in_a_browser() {
    let folder = Folder::new("columns");
    let output = plumb(&["trace", "--depth", "4", "--backends", "all", "-o", &folder.path("trace.html")]);
    assert!(output.status.success(), "{output:?}");
    let browser = Browser::start(1280, 900);
    for width in [1280, 1160, 1100, 900] {
        browser.show_as(width, 900, false);
        browser.open(&folder.join("trace.html"), "");
        let wide = browser.value("document.documentElement.scrollWidth").as_u64().unwrap();
        assert!(wide <= u64::from(width), "{wide} pixels in a window of {width}");
        let hidden = "[...document.querySelectorAll('.wide')].filter(part => part.scrollWidth > \
        part.clientWidth).length";
        assert_eq!(browser.value(hidden), 0, "tables with columns outside a window of {width}");
        let beyond = "Math.max(...[...document.querySelectorAll('td')].map(cell => \
        cell.getBoundingClientRect().right))";
        assert!(browser.value(beyond).as_f64().unwrap() <= f64::from(width), "a window of {width}");
        browser.screenshot(&format!("trace-{width}"));
    }
}
