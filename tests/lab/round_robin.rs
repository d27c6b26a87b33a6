//! `plumb tournament` with three players or more: round robins, gauntlets, their tables, files and records.

use crate::common::program::{Folder, command, run, wait_until};
use std::process::Stdio;

/// Three backends at a few nodes.
const THREE: [&str; 4] = ["tournament", "Backend=mtdf", "Backend=negascout,name=scout", "Backend=sss"];

/// The tournament of [`THREE`] with other words behind it; standard output, and that it ended well.
fn three(more: &[&str]) -> String {
    let fixed = ["--nodes", "200", "--seed", "5"];
    let (out, err, code) = run(&[&THREE[..], &fixed, more].concat());
    assert_eq!(code, 0, "{more:?}: {err}");
    out
}

/// The games of a PGN file: without the times of the moves, which are the words that end in `s`.
fn games(text: &str) -> Vec<String> {
    let untimed = |game: &str| {
        let is_time = |word: &&str| word.strip_suffix('s').is_some_and(|time| time.parse::<f64>().is_ok());
        game.split_whitespace().filter(|word| !is_time(word)).collect::<Vec<_>>().join(" ")
    };
    text.split("[Event ").skip(1).map(untimed).collect()
}

/// The value of a tag of a game.
fn tag<'a>(game: &'a str, name: &str) -> &'a str {
    let (_, rest) = game.split_once(&format!("[{name} \"")).unwrap_or_else(|| panic!("no {name} in {game}"));
    rest.split('"').next().unwrap_or_default()
}

/// The start of a game: its position, and the moves of the book.
fn opening(game: &str) -> String {
    let fen = if game.contains("[FEN ") { tag(game, "FEN") } else { "" };
    let moves = game.rsplit_once(']').expect("tags").1;
    let book = moves.rsplit_once("{book}").map_or("", |(book, _)| book);
    format!("{fen} {book}")
}

#[test]
fn every_two_of_three_backends_play_the_same_openings_whatever_the_number_of_jobs() {
    let folder = Folder::new("jobs");
    let play = |jobs: &str| {
        let [pgn, csv, json] = ["pgn", "csv", "json"].map(|kind| folder.path(&format!("{jobs}.{kind}")));
        let files = ["--pgn", &pgn, "--csv", &csv, "--json", &json];
        let out = three(&[&["--games", "6", "--jobs", jobs][..], &files].concat());
        let text = |kind: &str| folder.text(&format!("{jobs}.{kind}"));
        (out, games(&text("pgn")), text("csv"), text("json"))
    };
    let alone = play("1");
    assert!(alone == play("3"), "three threads play another tournament than one");
    let (out, games, csv, json) = alone;
    assert!(out.starts_with("# Tournament: round robin of 3 players, with adjudication"), "{out}");
    assert_eq!(games.len(), 3 * 6);
    let names = ["A (Backend=mtdf)", "scout", "C (Backend=sss)"];
    let mut meetings = Vec::new();
    for (round, of_round) in games.chunks(6).enumerate() {
        let openings: Vec<String> = of_round.iter().map(|game| opening(game)).collect();
        assert!(openings.iter().all(|one| *one == openings[0]), "round {round}: {openings:?}");
        assert!(of_round.iter().all(|game| tag(game, "Round") == (round + 1).to_string()), "{of_round:?}");
        for two in of_round.chunks(2) {
            let [first, second] = [&two[0], &two[1]].map(|game| [tag(game, "White"), tag(game, "Black")]);
            assert_eq!(first, [second[1], second[0]], "colours are reversed");
            meetings.push(first.map(|name| names.iter().position(|one| *one == name).expect("a player")));
        }
    }
    assert_eq!(meetings, [[0, 1], [0, 2], [1, 2]].repeat(3));
    assert_ne!(opening(&games[0]), opening(&games[6]));
    // The points of the table are those of the games.
    let mut points = [0.0; 3];
    for game in &games {
        let (white, black) = tag(game, "Result").split_once('-').unwrap();
        for (name, result) in [(tag(game, "White"), white), (tag(game, "Black"), black)] {
            let player = names.iter().position(|one| *one == name).unwrap();
            points[player] += if result == "1/2" { 0.5 } else { result.parse::<f64>().unwrap() };
        }
    }
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    for (name, points) in names.iter().zip(points) {
        let mut players = json["players"].as_array().unwrap().iter();
        let told = players.find(|player| player["name"] == *name).unwrap();
        assert_eq!(told["points"], points, "{told}");
        let line = csv.lines().find(|line| line.contains(name) && !line.starts_with("rank")).unwrap();
        assert_eq!(line.split(',').nth(8), Some(points.to_string().as_str()), "{csv}");
    }
    assert_eq!((&json["kind"], &json["pairs_played"]), (&"round robin".into(), &9.into()));
}

#[test]
fn in_a_gauntlet_the_first_player_plays_all_others_alone() {
    let folder = Folder::new("gauntlet");
    let (pgn, csv) = (folder.path("g.pgn"), folder.path("g.csv"));
    let out = three(&["--games", "4", "--gauntlet", "--anchor", "scout", "--pgn", &pgn, "--csv", &csv]);
    assert!(out.starts_with("# Tournament: gauntlet of 3 players"), "{out}");
    let games = games(&folder.text("g.pgn"));
    assert_eq!(games.len(), 2 * 4);
    for game in games {
        let players = [tag(&game, "White"), tag(&game, "Black")];
        assert_eq!(players.iter().filter(|name| **name == "A (Backend=mtdf)").count(), 1, "{players:?}");
    }
    // The table on standard output is the same, and the report goes to standard error.
    let (table, err, code) = run(&[
        &THREE[..],
        &["--nodes", "200", "--seed", "5", "--games", "4", "--gauntlet"],
        &["--anchor", "b", "--csv", "-"],
    ]
    .concat());
    assert_eq!((table, code), (folder.text("g.csv"), 0), "{err}");
    assert!(err.contains("# Tournament: gauntlet of 3 players"), "{err}");
}

/// Killed in the middle and begun again: nothing that the program writes tells the difference.
#[cfg(unix)]
#[test]
fn a_round_robin_that_was_killed_goes_on_to_the_same_bytes() {
    let folder = Folder::new("killed");
    let files = |name: &str| {
        ["record", "pgn", "csv", "json"]
            .map(|kind| (format!("--{kind}"), folder.path(&format!("{name}.{kind}"))))
    };
    let words =
        |name: &str| files(name).into_iter().flat_map(|(option, path)| [option, path]).collect::<Vec<_>>();
    let line = |name: &str, jobs: &str| {
        let fixed = ["--nodes", "200", "--seed", "5", "--games", "40", "--jobs", jobs];
        let fixed = THREE.into_iter().chain(fixed).map(str::to_owned);
        fixed.chain(words(name)).collect::<Vec<String>>()
    };
    let refs = |line: &[String]| run(&line.iter().map(String::as_str).collect::<Vec<_>>());
    let (whole, err, code) = refs(&line("whole", "2"));
    assert_eq!(code, 0, "{err}");
    let long = line("broken", "2");
    let long: Vec<&str> = long.iter().map(String::as_str).collect();
    let rows = || {
        let text = std::fs::read_to_string(folder.join("broken.record")).unwrap_or_default();
        text.lines().filter(|line| !line.starts_with('#')).count()
    };
    // On a busy machine the kill may come when all is done: then again.
    let killed_in_the_middle = || {
        files("broken").iter().for_each(|(_, path)| drop(std::fs::remove_file(path)));
        let mut child = command(&long).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_until("some pairs", || rows() >= 4);
        child.kill().unwrap();
        child.wait().unwrap();
        rows() < 60
    };
    assert!((0..10).any(|_| killed_in_the_middle()));
    let (resumed, err, code) = refs(&line("broken", "3"));
    assert_eq!((resumed.as_str(), code), (whole.as_str(), 0), "{err}");
    for kind in ["csv", "json"] {
        assert!(folder.text(&format!("whole.{kind}")) == folder.text(&format!("broken.{kind}")), "{kind}");
    }
    let [whole, broken] = ["whole.pgn", "broken.pgn"].map(|name| games(&folder.text(name)));
    assert_eq!((whole.len(), whole == broken), (120, true));
    // From the record alone every byte is the same, times included.
    let before = folder.text("broken.pgn");
    assert_eq!(refs(&line("broken", "1")).0, resumed);
    assert!(folder.text("broken.pgn") == before);
}

#[test]
fn a_record_of_other_players_or_another_schedule_is_refused() {
    let folder = Folder::new("record");
    let record = folder.path("a.record");
    three(&["--games", "2", "--record", &record]);
    let before = folder.text("a.record");
    let refused = |words: &[&str], named: &str| {
        let fixed = ["--nodes", "200", "--seed", "5", "--games", "2", "--record", &record];
        let (_, err, code) = run(&[words, &fixed].concat());
        assert!(code == 1 && err.contains("something else") && err.contains(named), "{words:?}: {err}");
    };
    refused(&[&THREE[..], &["--gauntlet"]].concat(), "gauntlet of 3 players");
    refused(&[&THREE[..], &["Grid=4"]].concat(), "round robin of 4 players");
    refused(&THREE[..3], "round robin of 3 players");
    refused(&["tournament", THREE[2], THREE[1], THREE[3]], "Backend");
    assert_eq!(folder.text("a.record"), before);
    // More games go on with it.
    let out = three(&["--games", "4", "--record", &record]);
    assert!(out.contains("/4 "), "{out}");
    let rows = folder.text("a.record").lines().filter(|line| !line.starts_with('#')).count();
    assert_eq!(rows, 6);
}

#[cfg(unix)]
#[test]
fn an_interrupted_round_robin_keeps_the_finished_pairs() {
    let folder = Folder::new("interrupted");
    let record = folder.path("a.record");
    let more = ["--nodes", "2000", "--games", "2000", "--jobs", "2", "--record", &record];
    let line = [&THREE[..], &more].concat();
    let child = command(&line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let rows = || {
        let text = std::fs::read_to_string(&record).unwrap_or_default();
        text.split_inclusive('\n').filter(|line| !line.starts_with('#') && line.ends_with('\n')).count()
    };
    wait_until("a pair", || rows() > 0);
    crate::common::program::signal(&child, "-INT");
    let (out, err, code) = crate::common::program::output_of(&child.wait_with_output().unwrap());
    assert_eq!(code, 130, "{err}");
    assert!(out.contains(&format!("Interrupted after {} of 3000 pairs", rows())), "{out}");
}

#[test]
fn what_means_nothing_with_so_many_players_is_refused_in_one_line() {
    for (words, named) in [
        (&[&THREE[..], &["--sprt", "0,5"]].concat()[..], "--sprt tests the difference between two players"),
        (&[&THREE[..], &["--anchor", "D"]].concat(), "players are A (Backend=mtdf), scout, C (Backend=sss)"),
        (&[&THREE[..], &["--games", "1000000", "", "", "", "", ""]].concat(), "more than 10000000 games"),
        (&[&THREE[..3], &["name=scout"]].concat(), "two players have the name 'scout'"),
        (&[&THREE[..3], &["--gauntlet"]].concat(), "--gauntlet needs three players"),
        (&[&THREE[..3], &["--anchor", "A"]].concat(), "--anchor needs three players"),
        (&[&THREE[..], &["Backend=fish"]].concat(), "fish"),
    ] {
        let (out, err, code) = run(&[words, &["--nodes", "50"]].concat());
        assert_eq!((out.as_str(), code, err.lines().count()), ("", 2, 1), "{words:?}: {err}");
        assert!(err.contains(named), "{words:?}: {err}");
    }
}

/// A program is started for a trial, and again for its games; while it meets one after the other it stays.
#[cfg(unix)]
#[test]
fn an_engine_that_is_in_the_next_pair_too_is_not_started_again() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new("starts");
    let (path, mark) = (folder.join("engine"), folder.path("started"));
    let script = format!("#!/bin/sh\necho x >> '{mark}'\nexec '{}'\n", env!("CARGO_BIN_EXE_plumb"));
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let engine = format!("cmd={},name=Counted", path.display());
    let limits = ["--nodes", "50", "--games", "6", "--jobs", "1", "--gauntlet"];
    let (out, err, code) =
        run(&[&["tournament", &engine, "Hash=1", "Hash=2", "Hash=3"][..], &limits].concat());
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("| Counted ") && !out.contains("crash"), "{out}");
    assert_eq!(folder.text("started").lines().count(), 2);
}
