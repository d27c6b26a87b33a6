//! Networks through UCI: loading a file, refusing one that is damaged or foreign, choosing the evaluation.

use crate::common::program::conversation;
use plumb::chess::game::{End, Game};
use plumb::engine::session::Go;
use plumb::engine::{Options, Session};
use plumb::eval::network::{Architecture, Layout, Network, TrainedNetwork, embedded};
use plumb::search::Limits;
use std::path::PathBuf;

/// Material on the board, as a network: a neuron for each kind of piece of each view.
fn material() -> TrainedNetwork {
    let architecture = Architecture { width: 32, output_buckets: 1, ..Architecture::default() };
    let layout = Layout::of(&architecture);
    let mut parameters = vec![0.0; layout.len];
    let output = layout.output(0).start;
    for (role, pawns) in [1.0, 3.0, 3.0, 5.0, 9.0].into_iter().enumerate() {
        // A tenth for every own piece; squared by the activation, which is near enough for a comparison of
        // sides.
        for square in 0..64 {
            parameters[(role * 64 + square) * 32 + role] = 0.1;
        }
        parameters[output + role] = pawns / 10.0;
        parameters[output + 32 + role] = -pawns / 10.0;
    }
    TrainedNetwork { architecture, scale: 400.0, parameters }
}

/// A file of this test.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = std::env::temp_dir().join(format!("plumb-network-{}-{name}", std::process::id()));
    std::fs::write(&path, bytes).expect("a file can be written");
    path
}

fn load(path: &std::path::Path) -> String {
    format!("setoption name EvalFile value {}", path.display())
}

const QUEEN_UP: &str = "position fen 4k3/4p3/8/8/8/8/4P3/Q3K3 w - - 0 1";

#[test]
fn a_network_is_loaded_shown_and_left_again() {
    let path = file("whole.net", &material().bytes());
    let hand = "setoption name Evaluation value hand-crafted";
    let said = conversation(&[&load(&path), QUEEN_UP, "eval", hand, "eval"]);
    assert!(said.contains("info string evaluation by network: width 32, activation screlu"), "{said}");
    assert!(
        said.contains("worth of each piece for White") && said.contains("info string hand-crafted"),
        "{said}"
    );
    // 400 centipawns times 9 tenths times a tenth squared.
    assert!(said.contains("evaluation: 4 centipawns for white"), "{said}");
    assert!(said.contains("Mobility"), "the second table has the terms: {said}");
    std::fs::remove_file(path).expect("the file goes");
}

#[test]
fn damaged_and_foreign_files_leave_the_old_network() {
    let bytes = material().bytes();
    let whole = file("old.net", &bytes);
    let cut = file("cut.net", &bytes[..bytes.len() / 2]);
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 1;
    let flipped = file("flipped.net", &flipped);
    let foreign = file("foreign.net", b"CCRLNNUE and so on\n");
    let missing = PathBuf::from("there-is-no-such.net");
    for bad in [&cut, &flipped, &foreign, &missing] {
        let said = conversation(&[&load(&whole), &load(bad), QUEEN_UP, "eval", "go depth 1"]);
        assert!(said.contains("option EvalFile: ") && said.contains("cannot be used: "), "{said}");
        assert!(said.contains("evaluation: 4 centipawns") && said.contains("bestmove"), "{said}");
    }
    for path in [whole, cut, flipped, foreign] {
        std::fs::remove_file(path).expect("the file goes");
    }
}

#[test]
fn the_network_inside_the_program_is_the_default_and_comes_back() {
    let path = file("other.net", &material().bytes());
    let [hand, network] =
        ["hand-crafted", "network"].map(|kind| format!("setoption name Evaluation value {kind}"));
    let empty = "setoption name EvalFile value <empty>";
    let own = match embedded() {
        Some(network) => format!("info string evaluation by network: {network}"),
        None => "info string no network is loaded: hand-crafted evaluation".to_owned(),
    };
    let said = conversation(&[&load(&path), empty, &hand, &network]);
    let told: Vec<&str> = said.lines().filter(|line| line.contains("evaluation")).collect();
    assert_eq!(told[1..], [&own, "info string hand-crafted evaluation", &own], "{said}");
    let table = |lines: &[&str]| conversation(lines).replace(&format!("{own}\n"), "");
    assert_eq!(table(&[QUEEN_UP, "eval"]), table(&[&network, QUEEN_UP, "eval"]));
    let worths_are_shown = |lines: &[&str]| conversation(lines).contains("worth of each piece");
    assert!(!worths_are_shown(&[QUEEN_UP, &hand, "eval"]));
    assert_eq!(worths_are_shown(&[QUEEN_UP, "eval"]), embedded().is_some());
    std::fs::remove_file(path).expect("the file goes");
}

#[test]
fn the_networks_of_the_folder_are_named_by_their_page_and_can_be_read() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/networks.md")).expect("the page");
    let mut attacks = Vec::new();
    for entry in std::fs::read_dir(root.join("networks")).expect("the folder") {
        let path = entry.expect("an entry").path();
        let network = Network::open(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        assert!(page.contains(&format!("`{:016x}`", network.fingerprint)), "{network}");
        attacks.push(network.architecture.attack_neurons > 0);
    }
    assert!(attacks.contains(&true) && attacks.contains(&false), "one of either kind: {attacks:?}");
}

/// In a build with a network and in one without: what is built says which it is.
#[test]
fn the_program_has_a_network_unless_it_was_built_without() {
    let without = option_env!("EVALFILE").is_some_and(|file| file == "none");
    assert_eq!(embedded().is_none(), without);
}

#[test]
fn another_evaluation_finds_nothing_of_the_one_before_in_the_table() {
    let path = file("fresh.net", &material().bytes());
    let go = ["position startpos moves e2e4 e7e5", "go depth 7"];
    let last = |said: &str| said.lines().rfind(|line| line.contains("depth 7 ")).map(without_time);
    let fresh = conversation(&[&load(&path), go[0], go[1]]);
    let after = conversation(&[go[0], go[1], "isready", &load(&path), go[1]]);
    assert!(last(&fresh).is_some());
    assert_eq!(last(&fresh), last(&after));
    std::fs::remove_file(path).expect("the file goes");
}

#[test]
fn another_mode_finds_nothing_of_the_one_before_in_the_table() {
    let fen = "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let last = |said: &str| said.lines().rfind(|line| line.contains("depth 3 ")).map(without_time);
    for mode in ["strict", "paper"] {
        let mode = format!("setoption name Mode value {mode}");
        let fresh = conversation(&[&mode, fen, "go depth 3"]);
        let after = conversation(&[fen, "go depth 8", "isready", &mode, "go depth 3"]);
        assert!(last(&fresh).is_some());
        assert_eq!(last(&fresh), last(&after));
    }
}

/// A line of `info` without its times.
fn without_time(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let timed = |at: usize| ["time", "nps", "hashfull"].iter().any(|&word| words[at] == word);
    (0..words.len())
        .filter(|&at| !timed(at) && (at == 0 || !timed(at - 1)))
        .map(|at| words[at])
        .collect::<Vec<_>>()
        .join(" ")
}

/// Both sides play with 2,000 nodes a move; the fifty-move rule would end the game in time.
#[test]
fn the_program_mates_with_a_rook_against_a_bare_king() {
    let mut game = Game::parse_fen("8/8/1K6/3k4/7r/8/8/8 b - - 0 1").unwrap();
    let mut session = Session::new(Options { hash: 1, ..Options::default() }).unwrap();
    while game.end().is_none() {
        session.set_game(game.clone());
        let limits = Limits { nodes: Some(2000), ..Limits::default() };
        let best = session.search(Go { limits, ..Go::default() }).outcome.best;
        game.play(best.expect("a legal move"));
    }
    assert_eq!(game.end(), Some(End::Checkmate), "{}", game.fen());
}
