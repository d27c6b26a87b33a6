//! UCI clients of the engine (python-chess, Polyglot, xboard, fastchess): the scripts of `tests/clients`, a
//! test each; and Ordo, which rates players by their games.
//!
//! They need the programs, most of them python-chess: `cargo test --test engine clients:: -- --ignored`, or
//! `.ci/run`, which runs those whose programs are there.

use crate::common::compatibility::rows_are_in_the_docs;
#[cfg(feature = "lab")]
use crate::common::compatibility::{Seen, version_of};
use std::process::Command;

/// Runs a script of the folder on the built engine.
fn script(name: &str, words: &[&str]) {
    let path = format!("{}/tests/clients/{name}", env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new("python3");
    command.arg("-B").arg(path).arg(env!("CARGO_BIN_EXE_plumb")).args(words).env_remove("RUST_LOG");
    let run = command.output().expect("python3 is installed");
    let [said, complaint] = [&run.stdout, &run.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(run.status.success(), "{name} {words:?}: {}\n{said}\n{complaint}", run.status);
    rows_are_in_the_docs(&said);
    eprintln!("{name}: {}", said.trim());
}

#[test]
#[ignore = "needs python-chess"]
fn python_chess_analyses_and_plays() {
    script("python_chess.py", &[]);
}

#[cfg(feature = "lab")]
#[test]
#[ignore = "needs python-chess"]
fn python_chess_reads_annotated_games_as_they_are_meant() {
    script("analyse.py", &[]);
}

#[test]
#[ignore = "needs python-chess and Polyglot"]
fn polyglot_plays_a_whole_game() {
    script("polyglot.py", &[]);
}

#[test]
#[ignore = "needs python-chess and Polyglot"]
fn polyglot_and_python_chess_choose_the_same_book_moves() {
    script("books.py", &[]);
}

#[test]
#[ignore = "needs python-chess, xboard and Xvfb"]
fn xboard_plays_a_whole_game() {
    script("xboard.py", &[]);
}

#[test]
#[ignore = "needs python-chess and fastchess"]
fn fastchess_finds_the_engine_compliant() {
    script("fastchess.py", &["compliance"]);
}

/// A sample; `tests/clients/fastchess.py ./plumb chess960 500` plays many.
#[test]
#[ignore = "needs python-chess and fastchess"]
fn fastchess_plays_chess960_without_warnings() {
    script("fastchess.py", &["chess960", "6"]);
}

#[test]
#[ignore = "needs python-chess and fastchess"]
fn fastchess_sends_every_option_of_the_presets() {
    script("fastchess.py", &["presets"]);
}

#[test]
#[ignore = "needs python-chess and fastchess"]
fn fastchess_reads_the_games_of_a_tournament_as_openings() {
    script("fastchess.py", &["openings"]);
}

/// The names and ratings of a table in CSV, by the columns that hold them.
#[cfg(feature = "lab")]
fn rated(table: &str, name: usize, rating: usize) -> Vec<(String, f64)> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').map(|cell| cell.trim_matches('"')).collect();
        (cells[name].to_owned(), cells[rating].parse().expect(line))
    };
    let mut rows: Vec<_> = table.lines().skip(1).map(row).collect();
    rows.sort_by(|a: &(String, f64), b| a.0.cmp(&b.0));
    rows
}

/// The program, which the environment variable ORDO may name.
#[cfg(feature = "lab")]
fn ordo() -> String {
    std::env::var("ORDO").unwrap_or_else(|_| "ordo".to_owned())
}

/// The scale of Ordo is set to that of logistic Elo, on which 200.24 is a score of 76 %.
#[cfg(feature = "lab")]
#[test]
#[ignore = "needs Ordo"]
fn ordo_gives_the_players_of_a_tournament_the_same_ratings() {
    let folder = std::env::temp_dir().join(format!("plumb-ordo-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = |name: &str| folder.join(name).display().to_string();
    let players = ["Backend=mtdf,name=a", "Backend=negascout,name=b", "Backend=sss,name=c", "Grid=1,name=d"];
    for (kind, anchor) in [(&[][..], None), (&["--gauntlet", "--anchor", "c"], Some("c"))] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
        command.arg("tournament").args(players).args(kind).args(["--nodes", "100", "--games", "24"]);
        let files = ["--pgn", &path("games.pgn"), "--csv", &path("own.csv"), "--overwrite"];
        let run = command.args(files).output().expect("the program runs");
        assert!(run.status.success(), "{run:?}");
        let mut command = Command::new(ordo());
        command
            .args(["-q", "-z", "200.241", "-N", "2", "-a", "0"])
            .args(anchor.map(|name| format!("-A{name}")));
        let run = command.args(["-p", &path("games.pgn"), "-c", &path("ordo.csv")]).output();
        assert!(run.as_ref().is_ok_and(|run| run.status.success()), "{run:?}");
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect(name);
        let (own, theirs) = (rated(&read("own.csv"), 1, 2), rated(&read("ordo.csv"), 1, 2));
        assert_eq!(own.len(), 4);
        for ((name, rating), (other, theirs)) in own.iter().zip(&theirs) {
            assert!(name == other && (rating - theirs).abs() < 0.1, "{name} {rating}, {other} {theirs}");
        }
        eprintln!("{own:?}\n{theirs:?}");
    }
    let seen = Seen {
        program: "Ordo",
        version: &version_of(&ordo(), "--version"),
        direction: "writes",
        run: "the games of a round robin and of a gauntlet, with `-z 200.24`",
        seen: "the ratings of `plumb tournament`, to 0.1 Elo",
    };
    seen.is_in_the_docs();
    std::fs::remove_dir_all(folder).expect("the folder goes");
}
