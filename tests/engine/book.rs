//! Opening books through UCI: moves at once, `searchmoves`, analysis, bad files and the notation of castling.

use crate::common::program::conversation;
#[cfg(feature = "lab")]
use crate::common::program::{Folder, run};
#[cfg(all(target_os = "linux", feature = "lab"))]
use crate::common::program::{command, output_of, signal, wait_for_handler, wait_for_work};

/// Ten minutes of thinking: only a book answers before the test times out.
const LONG: &str = "go movetime 600000";

#[test]
fn a_book_move_is_answered_at_once() {
    let said =
        conversation(&["setoption name OwnBook value true", "setoption name BookMode value best", LONG]);
    assert!(said.contains("info string own book: e2e4 has "), "{said}");
    assert!(said.contains("bestmove e2e4") && !said.contains("score"), "{said}");
}

#[test]
fn searchmoves_restrict_the_book() {
    let own = "setoption name OwnBook value true";
    let said = conversation(&[own, &format!("{LONG} searchmoves c2c4")]);
    assert!(said.contains("own book") && said.contains("bestmove c2c4"), "{said}");
    let said = conversation(&[own, "go depth 1 searchmoves a2a4"]);
    assert!(!said.contains("own book") && said.contains("bestmove a2a4"), "{said}");
}

#[test]
fn analysis_plays_no_book_move() {
    let own = "setoption name OwnBook value true";
    let said = conversation(&[own, "setoption name UCI_AnalyseMode value true", "go depth 1"]);
    assert!(!said.contains("own book") && said.contains("score"), "{said}");
    let said = conversation(&[own, "go infinite", "stop"]);
    assert!(!said.contains("own book") && said.contains("bestmove"), "{said}");
    let said = conversation(&[own, "setoption name MultiPV value 2", "go depth 1"]);
    assert!(!said.contains("own book") && said.contains("multipv 2"), "{said}");
    assert!(!conversation(&["go depth 1"]).contains("own book"));
}

#[test]
fn a_bad_book_file_leaves_the_old_book() {
    let own = "setoption name OwnBook value true";
    for file in ["there-is-no-such.bin", "Cargo.toml/none", "src"] {
        let said = conversation(&[own, &format!("setoption name BookFile value {file}"), LONG]);
        assert!(said.contains("the old one stays"), "{said}");
        assert!(said.contains("info string own book: ") && said.contains("bestmove"), "{said}");
    }
}

#[test]
fn castling_in_a_book_is_written_as_uci_chess960_demands() {
    let ruy = "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6";
    let lines = ["setoption name OwnBook value true", "setoption name BookMode value best", ruy];
    assert!(conversation(&[&lines[..], &[LONG]].concat()).contains("bestmove e1g1"));
    let written = [&lines[..], &["setoption name UCI_Chess960 value true", LONG]].concat();
    assert!(conversation(&written).contains("bestmove e1h1"));
}

#[cfg(all(target_os = "linux", feature = "lab"))]
#[test]
fn building_a_book_from_an_endless_file_ends_after_a_signal() {
    use std::process::Stdio;
    let folder = Folder::new("endless-book");
    let (games, book) = (folder.path("endless.pgn"), folder.path("book.bin"));
    std::os::unix::fs::symlink("/dev/zero", &games).unwrap();
    let mut build = command(&["book", "build", &games, "--output", &book]);
    let child = build.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for_handler(&child);
    wait_for_work(&child);
    signal(&child, "-TERM");
    let (_, err, code) = output_of(&child.wait_with_output().unwrap());
    assert_eq!(code, 130, "{err}");
    assert!(!std::path::Path::new(&book).exists());
}

#[cfg(feature = "lab")]
#[test]
fn openings_for_matches_are_different_positions_that_follow_from_the_seed() {
    let folder = Folder::new("openings");
    let written = |name: &str, seed: &str| {
        let file = folder.path(name);
        let (out, err, code) = run(&["book", "openings", "12", "--seed", seed, "--output", &file]);
        assert!(code == 0 && out.contains("12 openings, 8 random plies"), "{out}{err}");
        std::fs::read_to_string(file).unwrap()
    };
    let openings = written("a.epd", "7");
    let lines: std::collections::HashSet<&str> = openings.lines().collect();
    assert_eq!((lines.len(), openings.lines().count()), (12, 12), "{openings}");
    assert!(lines.iter().all(|line| line.split(' ').count() == 4), "{openings}");
    assert_eq!(openings, written("b.epd", "7"));
    assert_ne!(openings, written("c.epd", "8"));
}
