//! The suites of our own in `epd/`: every line is read, no position is there twice, the positions of
//! `tactics.epd` and `positional.epd` occur in the games that they name as their source, and the figures of
//! docs/suites.md and docs/settings.md are those that are measured.

use crate::common::program::{Folder, conversation, run};
use plumb::chess::game::Game;
use plumb::lab::base::formats::epd::{Case, Reading, parse};
use plumb::lab::base::formats::san;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The suites that are made of games of the engine against itself.
const OWN: [&str; 2] = ["tactics", "positional"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("epd")
}

fn text_of(name: &str) -> String {
    std::fs::read_to_string(folder().join(format!("{name}.epd"))).unwrap()
}

/// The position of a FEN or of a line of a suite, without move counters and operations.
fn board(line: &str) -> String {
    line.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// The cases of a suite, all lines of which must be read.
fn cases(name: &str) -> Vec<Case> {
    let suite = parse(name, &text_of(name), Reading::Goals);
    assert!(suite.bad.is_empty(), "{:?}", suite.bad);
    suite.cases
}

/// The operand of an operation in quotes.
fn quoted<'t>(line: &'t str, code: &str) -> Option<&'t str> {
    line.split(&format!(" {code} \"")).nth(1)?.split('"').next()
}

#[test]
fn our_suites_have_fifty_lines_without_comments_and_with_their_goals() {
    for name in OWN {
        let (text, cases) = (text_of(name), cases(name));
        assert!(cases.len() >= 50, "{name}: {}", cases.len());
        assert_eq!(cases.len(), text.lines().count(), "{name}: match runners refuse comments");
        for (number, (line, case)) in (1..).zip(text.lines().zip(&cases)) {
            assert_eq!(case.name(), format!("plumb {name} {number:02}"));
            assert_eq!(case.best.len(), 1, "{line}");
            let most = case.worth(case.best.first().copied());
            assert_eq!(most, (name == "positional").then_some((10, 10)), "{line}");
            assert!(quoted(line, "c8").is_some(), "{line}");
        }
    }
}

#[test]
fn no_position_is_in_two_suites() {
    let mut seen: HashMap<String, String> = HashMap::new();
    for name in ["games", "mates"].into_iter().chain(OWN) {
        for case in cases(name) {
            let fen = case.game.fen();
            let board = board(&fen);
            if let Some(other) = seen.insert(board, case.place.clone()) {
                panic!("{} is {other}", case.place);
            }
        }
    }
}

/// The positions of a game, from the first one, without move counters.
fn positions(game: &str) -> Vec<(u32, String)> {
    let start = game.split("[FEN \"").nth(1).and_then(|rest| rest.split('"').next());
    let mut game_now = start.map_or_else(Game::new, |fen| Game::parse_fen(fen).unwrap());
    let moves = game.lines().filter(|line| !line.ends_with(']')).flat_map(str::split_whitespace);
    let is_move = |word: &&str| !word.ends_with('.') && !["1-0", "0-1", "1/2-1/2", "*"].contains(word);
    let mut all = Vec::new();
    for word in moves.filter(is_move) {
        let fen = game_now.fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        all.push((fields[5].parse().unwrap(), fields[..4].join(" ")));
        let played =
            san::read(game_now.position().chess(), word).unwrap_or_else(|why| panic!("{fen}: {why}"));
        game_now.play(played);
    }
    all
}

/// Position by "tactics.pgn, game 3, move 17 w".
fn sources(name: &str, pgn: &str) -> HashMap<String, String> {
    let games = pgn.split("[Event ").skip(1).map(positions);
    let source = |(number, (at, board)): (usize, (u32, String))| {
        let side = board.split(' ').nth(1).unwrap().to_owned();
        (format!("{name}.pgn, game {number}, move {at} {side}"), board)
    };
    (1..)
        .zip(games)
        .flat_map(|(number, all)| all.into_iter().map(move |one| (number, one)))
        .map(source)
        .collect()
}

#[test]
fn every_position_is_in_the_game_that_it_names() {
    for name in OWN {
        let path = folder().join("make").join(format!("{name}.pgn"));
        let Ok(pgn) = std::fs::read_to_string(&path) else {
            eprintln!("skipped: the package does not contain epd/make, with the games of {name}.epd");
            continue;
        };
        let sources = sources(name, &pgn);
        for (line, case) in text_of(name).lines().zip(cases(name)) {
            let source = quoted(line, "c8").unwrap();
            let board = sources.get(source).unwrap_or_else(|| panic!("{}: there is no {source}", case.place));
            assert_eq!(self::board(line), *board, "{source}");
        }
    }
}

/// Rows of `plumb epd` with the hand-crafted evaluation, in the fields of its JSON file.
fn measured(suites: &[&str], nodes: u64, more: &[&str]) -> Vec<serde_json::Value> {
    let folder = Folder::new(&format!("measured-{nodes}-{}", more.len()));
    let (nodes, json) = (nodes.to_string(), folder.path("rows.json"));
    let files: Vec<String> =
        suites.iter().map(|name| self::folder().join(format!("{name}.epd")).display().to_string()).collect();
    let fixed = ["epd", "--nodes", &nodes, "--set", "Evaluation=hand-crafted", "--json", &json];
    let files = files.iter().map(String::as_str);
    let (_, err, code) = run(&fixed.into_iter().chain(more.iter().copied()).chain(files).collect::<Vec<_>>());
    assert_eq!(code, 0, "{err}");
    let results: serde_json::Value = serde_json::from_str(&folder.text("rows.json")).unwrap();
    results["rows"].as_array().expect("rows").clone()
}

/// Rows of a suite for which something holds, and all of them.
fn share(
    rows: &[serde_json::Value],
    suite: &str,
    holds: impl Fn(&serde_json::Value) -> bool,
) -> (usize, usize) {
    let of = || rows.iter().filter(|row| row["suite"].as_str().is_some_and(|name| name.contains(suite)));
    (of().filter(|row| holds(row)).count(), of().count())
}

/// The table of what the suites of our own score, in rows of up to `most` nodes.
fn suites_table(most: u64) -> String {
    let mut text = "| nodes | tactics solved | positional points |\n|--:|--:|--:|\n".to_owned();
    let rows = [(1_000, "1,000"), (10_000, "10,000"), (100_000, "100,000")];
    for (nodes, name) in rows.into_iter().filter(|&(nodes, _)| nodes <= most) {
        let rows = measured(&OWN, nodes, &[]);
        let (solved, all) = share(&rows, "tactics", |row| row["solved"] == true);
        let sum = |field: &str| rows.iter().filter_map(|row| row[field].as_u64()).sum::<u64>();
        let (points, best) = (sum("points"), sum("points_of"));
        text += &format!("| {name} | {solved} of {all} | {points} of {best} |\n");
    }
    text
}

/// The table of the mates that are announced, in rows of up to `most` nodes.
fn mates_table(most: u64) -> String {
    let mut text = "| nodes | mates | with `MateShare=0` |\n|--:|--:|--:|\n".to_owned();
    let rows = [(20_000, "20,000"), (100_000, "100,000")];
    for (nodes, name) in rows.into_iter().filter(|&(nodes, _)| nodes <= most) {
        let cell = |more: &[&str]| {
            let rows = measured(&["mates"], nodes, more);
            assert_eq!(share(&rows, "mates", |row| row["mate_claim"] == "false").0, 0, "a false mate");
            let (exact, all) = share(&rows, "mates", |row| row["mate_claim"] == "exact");
            format!("{exact} of {all}")
        };
        text += &format!("| {name} | {} | {} |\n", cell(&[]), cell(&["--set", "MateShare=0"]));
    }
    text
}

/// The table of what a finer grid costs MTD(f), in per cent of Aspiration NegaScout.
fn grids_table() -> String {
    let mut text = "| grid | made moves | leaves | passes in an iteration |\n|---|---|---|---|\n".to_owned();
    for (grid, name) in [(16, "16 (games)"), (8, "8"), (4, "4"), (2, "2 (`AnalysisGrid`)"), (1, "1")] {
        let grid = format!("mtdf:Grid={grid}");
        let (depth, positions) = ("10", folder().join("games.epd").display().to_string());
        let fixed = ["compare", "--depth", depth, "--mode", "play", "--hash", "16", "--positions", "60"];
        let chosen = ["--backends", "mtdf", "--set-for", &grid, "--set", "Evaluation=hand-crafted"];
        let words = [&fixed[..], &chosen, &["--json", "-", &positions]].concat();
        let (told, err, code) = run(&words);
        assert_eq!(code, 0, "{err}");
        let results: serde_json::Value = serde_json::from_str(&told).unwrap();
        let last = results["depths"].as_array().and_then(|depths| depths.last()).expect("depths");
        let row = &last["backends"][0];
        assert_eq!((&row["backend"], &last["depth"]), (&"MTD(f)".into(), &10.into()));
        let ratio = |what: &str| {
            let totals = &row["ratios"][what]["totals"];
            let of = |part: &serde_json::Value| format!("{:.1}", 100.0 * part.as_f64().expect("a ratio"));
            let [value, low, high] =
                [&totals["value"], &totals["interval"][0], &totals["interval"][1]].map(of);
            format!("{value} [{low}, {high}]")
        };
        let passes = row["passes_per_iteration"].as_f64().expect("passes");
        text += &format!("| {name} | {} | {} | {passes:.1} |\n", ratio("made_moves"), ratio("leaves"));
    }
    text
}

/// The table of what five lines cost: the nodes of the last line of every search, added up. The rows are
/// NegaScout, which is the default in an analysis, and MTD(f) with grids from `least` up.
fn lines_table(least: u32) -> String {
    let mut text = "| backend | million nodes |\n|---|--:|\n".to_owned();
    let suite = text_of("games");
    let searches: String = suite
        .lines()
        .step_by(5)
        .map(|line| format!("ucinewgame\nposition fen {}\ngo depth 9\n", board(line)))
        .collect();
    let grids = [16, 4, 2, 1].into_iter().filter(|&grid| grid >= least);
    let kept = grids.map(|grid| (format!("MTD(f), `AnalysisGrid` {grid}"), "same", grid));
    for (name, backend, grid) in [("NegaScout".to_owned(), "auto", 2)].into_iter().chain(kept) {
        let grid = grid.to_string();
        let options = [("MultiPV", "5"), ("AnalysisBackend", backend), ("AnalysisGrid", &grid)];
        let options = options.into_iter().chain([("Evaluation", "hand-crafted")]);
        let options: Vec<String> =
            options.map(|(name, value)| format!("setoption name {name} value {value}\n")).collect();
        let told = conversation(&[&options.concat(), &searches]);
        let mut sum = 0;
        let mut last = 0;
        for line in told.lines() {
            if let Some((_, rest)) = line.split_once(" multipv 5 ") {
                let nodes = rest.split_once(" nodes ").and_then(|(_, rest)| rest.split(' ').next());
                last = nodes.and_then(|nodes| nodes.parse::<u64>().ok()).expect("nodes");
            } else if line.starts_with("bestmove") {
                sum += std::mem::take(&mut last);
            }
        }
        text += &format!("| {name} | {:.2} |\n", sum as f64 / 1e6);
    }
    text
}

/// Node counts are the same on every machine, so that the figures of a page are those of the program or
/// wrong. `PLUMB_DOCS=write cargo test --test lab figures_of` writes them; without it the rows that
/// take a minute are not measured.
#[test]
fn the_figures_of_the_docs_are_those_that_are_measured() {
    let writes = std::env::var("PLUMB_DOCS").is_ok_and(|wish| wish == "write");
    let most = if writes { 100_000 } else { 20_000 };
    compare("suites.md", &[("suites", suites_table(most)), ("mates", mates_table(most))], writes);
    let lines = lines_table(if writes { 1 } else { 16 });
    compare("settings.md", &[("grids", grids_table()), ("lines", lines)], writes);
}

/// Compares the tables of a page of the docs, each between two marks with its name, with what was measured:
/// as many rows as there are. Or writes them.
fn compare(name: &str, tables: &[(&str, String)], writes: bool) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
    let mut page = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    for (mark, table) in tables {
        let (before, rest) = page.split_once(&format!("<!-- {mark}: ")).expect("the mark before a table");
        let (command, rest) = rest.split_once(" -->\n").expect("its end");
        let (old, after) = rest.split_once(&format!("<!-- /{mark} -->")).expect("the mark behind a table");
        assert!(
            writes || old.starts_with(table),
            "docs/{name} has other figures than are measured:\n{table}"
        );
        page = format!("{before}<!-- {mark}: {command} -->\n{table}<!-- /{mark} -->{after}");
    }
    if writes {
        std::fs::write(&path, page).unwrap();
    }
}
