//! `plumb epd`: the same results with any number of jobs and shards, JSON and CSV files, comparisons, the
//! page, and the results of interrupted runs.

use crate::common::program::{self, Folder, output_of};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Hand-written tactics and mates.
const TACTICS: &str = "\
6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"back rank\"; dm 1;
4k3/8/8/3q4/4P3/8/8/4K3 w - - bm exd5; id \"take; it\";
4k3/8/8/3q4/4P3/8/8/4K3 w - - am exd5; id \"must fail\";
6k1/8/6K1/8/8/8/8/7Q w - - dm 1; id \"mate\";
7k/8/5K2/8/8/8/8/6Q1 w - - bm #1;
";

/// Points in both notations of STS, and one best move that no engine will choose.
const POINTS: &str = "\
4k3/8/8/3q4/4P3/8/8/4K3 w - - bm exd5; id \"old way\"; c0 \"exd5=10, Ke2=3\";
4k3/8/8/3q4/4P3/8/8/4K3 w - - id \"new way\"; c7 \"exd5 Ke2\"; c8 \"10 3\"; c9 \"e4d5 e1e2\";
4k3/8/8/3q4/4P3/8/8/4K3 w - - id \"second best\"; c0 \"Ke2=10, exd5=4\";
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400
";

fn command(arguments: &[&str]) -> Command {
    program::command(&[&["epd"], arguments].concat())
}

/// Standard output, standard error and exit code of `plumb epd`.
fn run(arguments: &[&str]) -> (String, String, i32) {
    output_of(&command(arguments).output().unwrap())
}

/// Runs two suites at fixed nodes.
fn fixed(suites: &[&str], more: &[&str]) -> String {
    let (out, err, code) = run(&[&["--nodes", "2000", "--hash", "1"], suites, more].concat());
    assert_eq!(code, 0, "{out}{err}");
    out
}

/// The rows of a JSON file without times, which differ in every run.
fn rows(text: &str) -> Vec<serde_json::Value> {
    let whole: serde_json::Value = serde_json::from_str(text).unwrap();
    let mut rows = whole["rows"].as_array().unwrap().clone();
    for row in &mut rows {
        let row = row.as_object_mut().unwrap();
        assert!(row.remove("milliseconds").is_some() && row.remove("solution_milliseconds").is_some());
    }
    rows
}

#[test]
fn results_do_not_depend_on_jobs_or_shards() {
    let folder = Folder::new("jobs");
    let (one, two) = (folder.file("one.epd", TACTICS), folder.file("two.epd", POINTS));
    let (suites, json) = ([one.as_str(), two.as_str()], |name: &str| folder.path(name));
    let out = fixed(&suites, &["--json", &json("whole.json")]);
    assert!(out.contains("| all together | MTD(f)  |"), "{out}");
    fixed(&suites, &["--threads", "4", "--json", &json("jobs.json")]);
    let whole = rows(&folder.text("whole.json"));
    assert_eq!(whole.len(), 5 + 3 + 2);
    assert_eq!(rows(&folder.text("jobs.json")), whole);
    let parts: Vec<String> = (1..=3).map(|number| json(&format!("part{number}.json"))).collect();
    for (number, part) in (1..=3).zip(&parts) {
        fixed(&suites, &["--shard", &format!("{number}/3"), "--json", part]);
    }
    let merged = run(&["merge", &parts[1], &parts[2], &parts[0], "--json", &json("merged.json")]);
    assert_eq!(rows(&folder.text("merged.json")), whole);
    assert!(merged.0.contains("| all together | MTD(f)  |") && merged.2 == 0, "{merged:?}");
    assert!(!merged.0.contains("Incomplete"), "{merged:?}");
    let (out, _, code) = run(&["merge", &parts[0], &parts[2]]);
    assert!(out.contains("Incomplete: 7 of 10 results") && code == 0, "{out}");
    let (_, err, code) = run(&["merge", &parts[0], &parts[2], &parts[0]]);
    assert!(err.contains("both hold one.epd:1 (MTD(f))") && code == 1, "{err}");
    // A share beyond the positions is a part too.
    let few = folder.file("few.epd", TACTICS.lines().next().unwrap());
    let shares = ["1/2", "2/2"].map(|share| {
        let csv = folder.path(&format!("{}.csv", &share[..1]));
        fixed(&[&few], &["--shard", share, "--csv", &csv]);
        csv
    });
    let (out, err, code) = run(&["merge", &shares[0], &shares[1]]);
    assert!(code == 0 && out.contains("few.epd"), "{out}{err}");
}

#[test]
fn points_of_moves_are_added_up() {
    let folder = Folder::new("points");
    let file = folder.file("sts.epd", POINTS);
    let out = fixed(&[&file], &["--verbose"]);
    assert!(out.contains("| sts.epd | MTD(f)  |    2/3 | 66.7 |") && out.contains("|  24/30 |"), "{out}");
    assert!(out.contains("second best MTD(f): exd5") && out.contains("4 of 10 points"), "{out}");
}

#[test]
fn results_can_be_written_to_standard_output() {
    let folder = Folder::new("stdout");
    let file = folder.file("one.epd", TACTICS);
    let (out, err, code) = run(&["--nodes", "500", "--hash", "1", "--json", "-", &file]);
    assert!(rows(&out).len() == 5 && err.contains("| one.epd | MTD(f)") && code == 0, "{err}");
    let (out, err, code) = run(&["--nodes", "500", "--hash", "1", "--verbose", "--csv", "-", &file]);
    assert!(out.starts_with("suite,line,position,fen,backend,") && out.lines().count() == 6, "{out}");
    assert!(err.contains("back rank MTD(f): Ra8#") && code == 0, "{err}");
    let (_, err, code) = run(&["--csv", "-", "--json", "-", &file]);
    assert!(err.contains("cannot both be standard output") && code == 2, "{err}");
}

#[test]
fn two_results_are_compared() {
    let folder = Folder::new("compare");
    let (file, a, b) = (folder.file("one.epd", TACTICS), folder.path("a.json"), folder.path("b.csv"));
    fixed(&[&file], &["--json", &a]);
    fixed(&[&file], &["--backends", "negascout,sss", "--csv", &b]);
    let (out, err, code) = run(&["compare", &a, &b, "--backends", "mtdf,negascout"]);
    assert!(code == 0 && out.contains("B = ") && out.contains("b.csv: NegaScout"), "{out}{err}");
    assert!(out.contains("| solved ") && out.contains("p: probability of at least this difference"), "{out}");
    let (_, err, code) = run(&["compare", &a, &b]);
    assert!(err.contains("say which with --backends") && code == 2, "{err}");
    let (_, err, code) = run(&["compare", &a, &file]);
    assert!(err.contains("one.epd holds no results") && code == 1, "{err}");
}

#[test]
fn the_page_shows_the_failed_positions() {
    let folder = Folder::new("page");
    let (file, page) = (folder.file("one.epd", TACTICS), folder.path("failed.html"));
    fixed(&[&file], &["--page", &page]);
    let html = folder.text("failed.html");
    assert_eq!(html.matches("<svg class=\"board\"").count(), 1, "only what must fail");
    assert!(html.contains("must fail") && html.contains("White to move, MTD(f), one.epd:3"));
}

#[test]
fn unreadable_lines_are_reported_and_the_rest_is_run() {
    let folder = Folder::new("damage");
    let damaged = folder
        .file("damaged.epd", &format!("{TACTICS}4k3/8/8/8/8/8/8/4K3 w - - c0 \"Kd1=10, Kd9=3\";\n8/8 w\n"));
    let json = folder.path("out.json");
    let (out, err, code) = run(&["--nodes", "500", "--hash", "1", "--json", &json, &damaged]);
    assert!(err.contains("damaged.epd:6: c0: 'Kd9' is no legal move here (skipped)"), "{err}");
    assert!(err.contains("damaged.epd:7: ") && err.contains("2 lines could not be read"), "{err}");
    assert!(out.contains("| damaged.epd | MTD(f)  |    4/5 |") && code == 1, "{out}");
    assert_eq!(rows(&folder.text("out.json")).len(), 5);
    for (arguments, wanted, code) in [
        (&["--json", &folder.path("no/such/folder.json"), &damaged][..], "cannot write to", 1),
        (&["--shard", "4/3", &damaged], "a share is I/N", 2),
        (&["merge", &json, &folder.path("missing.json")], "cannot read", 1),
        (&["merge"], "required", 2),
        (&["compare", &json], "required", 2),
    ] {
        let (_, err, found) = run(arguments);
        assert!(err.contains(wanted) && found == code, "{arguments:?}: {err}");
    }
}

#[test]
fn files_of_the_same_name_are_kept_apart() {
    let folder = Folder::new("names");
    std::fs::create_dir(folder.join("sub")).unwrap();
    let (one, two) = (folder.file("one.epd", TACTICS), folder.file("sub/one.epd", TACTICS));
    let (json, csv) = (folder.path("out.json"), folder.path("out.csv"));
    let (out, err, code) = run(&["--depth", "2", "--json", &json, "--csv", &csv, &one, &two, &one]);
    assert!(err.contains("one.epd is named twice (run once)") && code == 0, "{err}");
    assert!(out.contains("| one.epd ") && out.contains("sub/one.epd "), "{out}");
    assert_eq!(rows(&folder.text("out.json")).len(), 10);
    let (_, err, code) = run(&["merge", &csv, "--csv", &folder.path("again.csv")]);
    assert_eq!((code, folder.text("again.csv")), (0, folder.text("out.csv")), "{err}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_the_finished_results() {
    let folder = Folder::new("interrupted");
    let suite = folder.file("suite.epd", &TACTICS.repeat(50));
    for signal in ["-INT", "-TERM"] {
        let (json, csv, page) = (folder.path("out.json"), folder.path("out.csv"), folder.path("out.html"));
        let limits = ["--movetime", "100", "--hash", "1", "--jobs", "2"];
        let mut child =
            command(&[&limits[..], &["--json", &json, "--csv", &csv, "--page", &page, &suite]].concat());
        let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The third search fails.
        let (began, partial) = (Instant::now(), folder.join("out.csv.partial"));
        let rows_so_far = || std::fs::read_to_string(&partial).map_or(0, |text| text.lines().count());
        while rows_so_far() < 4 && began.elapsed() < Duration::from_secs(120) {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let (out, err, code) = output_of(&child.wait_with_output().unwrap());
        let kept = rows(&folder.text("out.json"));
        assert!((1..250).contains(&kept.len()), "{}", kept.len());
        assert_eq!(folder.text("out.csv").lines().count(), kept.len() + 1);
        assert!(
            out.contains(&format!("Incomplete: {} of 250 results", kept.len())) && code == 130,
            "{out}{err}"
        );
        assert!(folder.text("out.html").contains("searches failed."));
    }
}

/// What a file says of itself is shown as text: none of it commands the terminal, breaks a table, or is a
/// formula.
#[test]
fn names_of_any_length_and_with_any_character_are_shown_and_written() {
    let folder = Folder::new("odd-names");
    let position = "4k3/8/8/3q4/4P3/8/8/4K3 w - - am exd5; id";
    let names = ["x".repeat(65_536), "=1+\u{1b}[31m\u{9b}2J\u{202e}red|".to_owned(), "-a".to_owned()];
    let text: String = names.iter().map(|name| format!("{position} \"{name}\";\n")).collect();
    let (suite, csv, json) = (folder.file("own.epd", &text), folder.path("own.csv"), folder.path("own.json"));
    let (out, err, code) =
        run(&["--depth", "1", "--hash", "1", "--verbose", "--csv", &csv, "--json", &json, &suite]);
    assert_eq!(code, 0, "{err}");
    for said in [&out, &err] {
        let obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\t') || c == '\u{202e}';
        assert!(!said.contains(obeyed), "{said:?}");
    }
    let missed = out.split_once("Missed").unwrap().1;
    assert!(missed.lines().all(|line| line.chars().count() < 400), "{missed}");
    assert!(missed.contains("xxx…") && missed.contains("| =1+ [31m 2J red\\| "), "{missed}");
    let written = folder.text("own.csv");
    assert!(written.contains(",'=1+\u{1b}[31m") && written.contains(",'-a,"), "{written:?}");
    let (_, err, code) = run(&["merge", &csv, "--json", &folder.path("again.json")]);
    assert_eq!(code, 0, "{err}");
    let position = |row: &serde_json::Value| row["position"].as_str().unwrap_or_default().to_owned();
    let read = |name: &str| rows(&folder.text(name)).iter().map(position).collect::<Vec<_>>();
    assert_eq!((read("own.json"), read("again.json")), (names.to_vec(), names.to_vec()));
}

#[test]
fn a_file_of_positions_alone_is_refused_with_its_use() {
    let folder = Folder::new("openings");
    let openings = folder.file("openings.epd", "4k3/8/8/3q4/4P3/8/8/4K3 w - - id \"a\"; sm Ke2;\n");
    let (out, err, code) = run(&[&openings]);
    assert_eq!((out.as_str(), err.lines().count(), code), ("", 1, 2), "{err}");
    for word in ["openings.epd", "bm", "plumb compare", "plumb tournament --openings"] {
        assert!(err.contains(word), "{word}: {err}");
    }
    // Beside a suite they are skipped, and named.
    let tactics = folder.file("tactics.epd", TACTICS);
    let (_, err, code) = run(&["--nodes", "100", "--hash", "1", &openings, &tactics]);
    assert!(err.contains("openings.epd: 1 position with nothing to find") && code == 0, "{err}");
}

/// A pipe and a device as outputs are written, and stay what they are.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_written_directly() {
    let folder = Folder::new("pipes");
    let suite = folder.file("one.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#;\n");
    let pipe = folder.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read_to_string(pipe).unwrap()
    });
    let (_, said, code) = run(&[&suite, "--depth", "3", "--json", &pipe, "--csv", "/dev/null"]);
    assert_eq!(code, 0, "{said}");
    assert!(reader.join().unwrap().contains("Ra8#"));
    assert!(
        !std::fs::metadata(&pipe).unwrap().is_file() && !std::fs::metadata("/dev/null").unwrap().is_file()
    );
    let chart = ["chart", concat!(env!("CARGO_MANIFEST_DIR"), "/docs/slope.csv"), "--x", "nodes"];
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read_to_string(pipe).unwrap()
    });
    let (_, said, code) = program::run(&[&chart[..], &["--y", "elo", "-o", &pipe]].concat());
    assert_eq!(code, 0, "{said}");
    assert!(reader.join().unwrap().contains("<svg") && !std::fs::metadata(&pipe).unwrap().is_file());
}
