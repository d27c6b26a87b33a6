//! Rows of docs/compatibility.md that are written by the tests which meet another program.
//!
//! A test says what it saw; its row in the table *Run by the tests* has to say the same, of the same version.
//! With `PLUMB_COMPATIBILITY=write` the test writes its row instead. Another version is told, and no failure:
//! the page says which one was seen.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// Observation of another program by a test.
pub(crate) struct Seen<'a> {
    pub(crate) program: &'a str,
    pub(crate) version: &'a str,
    /// writes, reads, plays or runs, as the page explains them.
    pub(crate) direction: &'a str,
    /// The commands or features that were run.
    pub(crate) run: &'a str,
    pub(crate) seen: &'a str,
}

impl Seen<'_> {
    /// Compares with the row of this test, or writes it. The test's name is that of its thread.
    pub(crate) fn is_in_the_docs(&self) {
        let thread = std::thread::current();
        let test = thread.name().expect("a test has a name").rsplit("::").next().unwrap_or_default();
        let Seen { program, version, direction, run, seen } = self;
        let row = format!("| {program} | {version} | {direction} | {run} | {seen} | `{test}` |");
        // Tests of one program run side by side.
        static PAGE: Mutex<()> = Mutex::new(());
        let _alone = PAGE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let page = page();
        let text = std::fs::read_to_string(&page).expect("docs/compatibility.md");
        let old = text.lines().find(|line| line.ends_with(&format!("| `{test}` |")));
        let old = old.unwrap_or_else(|| panic!("{}: no row of {test}: {row}", page.display())).to_owned();
        if std::env::var_os("PLUMB_COMPATIBILITY").is_some_and(|word| word == "write") {
            std::fs::write(&page, text.replace(&old, &row)).expect("docs/compatibility.md is writable");
        } else if old.contains(&format!("| {program} | {version} |")) {
            assert_eq!(old, row, "PLUMB_COMPATIBILITY=write writes the row");
        } else {
            eprintln!("another version than that of the page: {row}");
        }
    }
}

fn page() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors()
        .map(|folder| folder.join("docs/compatibility.md"))
        .find(|page| page.exists())
        .expect("docs")
}

/// The rows in the output of a script: lines that begin with `row | `, and five cells.
pub(crate) fn rows_are_in_the_docs(output: &str) {
    let rows = output.lines().filter_map(|line| line.strip_prefix("row | "));
    for row in rows {
        let cells: Vec<&str> = row.split(" | ").collect();
        let [program, version, direction, run, seen] = cells[..] else { panic!("five cells: {row}") };
        Seen { program, version, direction, run, seen }.is_in_the_docs();
    }
}

/// The first number of a version, as in 4.9.1, that a program prints.
pub(crate) fn version_of(program: &str, word: &str) -> String {
    let output =
        Command::new(program).arg(word).output().unwrap_or_else(|error| panic!("{program}: {error}"));
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let is_version =
        |word: &&str| word.contains('.') && word.starts_with(|first: char| first.is_ascii_digit());
    let mut words = said.split(|letter: char| letter.is_whitespace() || "()v,".contains(letter));
    words.find(is_version).unwrap_or_else(|| panic!("{program} {word}: {said}")).to_owned()
}
