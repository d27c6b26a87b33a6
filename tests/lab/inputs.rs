//! Property tests of every input from outside ([`kinds`]): random bytes, and the seeds in `tests/seeds` with
//! bytes changed, cut out and put in. The fuzz targets in `fuzz/` go on where these end.

#[path = "../common/inputs.rs"]
mod kinds;

use kinds::KINDS;
use proptest::collection::vec;
use proptest::prelude::{Strategy, any};
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestRunner};
use std::path::Path;

/// The seeds of a kind.
fn seeds(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seeds").join(name);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// A change of some bytes: another byte, a bit, a piece taken away, doubled, or put in.
fn change(bytes: &mut Vec<u8>, at: Index, how: u8, byte: u8, length: usize) {
    if bytes.is_empty() {
        return bytes.push(byte);
    }
    let at = at.index(bytes.len());
    let end = (at + length).min(bytes.len());
    match how {
        0 => bytes[at] = byte,
        1 => bytes[at] ^= 1 << (byte % 8),
        2 => drop(bytes.drain(at..end)),
        3 => {
            let piece = bytes[at..end].to_vec();
            bytes.splice(at..at, piece);
        }
        _ => bytes.insert(at, byte),
    }
}

/// Seeds that were changed some times.
fn changed(name: &str) -> impl Strategy<Value = Vec<u8>> {
    let changes = vec((any::<Index>(), 0..5_u8, any::<u8>(), 1..40_usize), 0..6);
    (select(seeds(name)), changes).prop_map(|(mut bytes, changes)| {
        for (at, how, byte, length) in changes {
            change(&mut bytes, at, how, byte, length);
        }
        bytes
    })
}

/// Checks a kind on its seeds, on changed seeds, and on bytes from anywhere.
fn check(name: &str, cases: u32) {
    let (_, input) = KINDS.iter().find(|(known, _)| *known == name).unwrap();
    seeds(name).iter().for_each(|seed| input(seed));
    let runner = || TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let near = runner().run(&changed(name), |bytes| {
        input(&bytes);
        Ok(())
    });
    near.unwrap_or_else(|failure| panic!("{name}: {failure}"));
    let far = runner().run(&vec(any::<u8>(), 0..200), |bytes| {
        input(&bytes);
        Ok(())
    });
    far.unwrap_or_else(|failure| panic!("{name}: {failure}"));
}

#[test]
fn every_kind_of_input_has_seeds_and_a_fuzz_target() {
    let targets = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/fuzz_targets");
    for (name, _) in KINDS {
        assert!(!seeds(name).is_empty(), "{name}");
        // The package in the registry has no fuzz targets.
        assert!(!targets.is_dir() || targets.join(format!("{name}.rs")).is_file(), "{name}");
    }
}

#[test]
fn uci_lines_of_any_bytes() {
    check("uci", 20_000);
}

#[test]
fn conversations_of_any_lines() {
    check("conversation", 60);
}

#[test]
fn fens_of_any_bytes() {
    check("fen", 3_000);
}

#[test]
fn epd_files_of_any_bytes() {
    check("epd", 2_000);
}

#[test]
fn pgn_files_of_any_bytes() {
    check("pgn", 2_000);
}

#[test]
fn labels_of_any_bytes() {
    check("labels", 3_000);
}

#[test]
fn polyglot_books_of_any_bytes() {
    check("polyglot", 2_000);
}

#[test]
fn syzygy_tables_of_any_bytes() {
    check("syzygy", 300);
}

#[test]
fn networks_of_any_bytes() {
    check("network", 300);
}

#[test]
fn data_files_of_any_bytes() {
    check("data", 5_000);
}

#[test]
fn records_of_any_bytes() {
    check("record", 1_500);
}

/// What is not read cannot be changed into much that is.
#[test]
fn the_seeds_of_records_are_read() {
    for seed in seeds("record") {
        let held = kinds::records::read(&seed);
        assert!(held.is_some_and(|held| held > 0), "{held:?}: {}", String::from_utf8_lossy(&seed));
    }
}
