//! Every backend: mates of the right length, deterministic searches, legal lines, limits that hold, and
//! golden node counts, which show every change of a search.

use crate::common::program::conversation;
use crate::common::{Notes, fresh, game, lines_of_suite, plies, position, search, settings, suite, text};
use plumb::chess::game::{End, Game};
use plumb::chess::score::{MATE, MATE_BAND, Value, centipawns, mate_in_plies};
use plumb::engine::bench::{Bench, DEPTH, run};
use plumb::engine::handle::SearchHandle;
use plumb::eval::{EvalNoise, Network};
use plumb::minimax::replacement::Replacement;
use plumb::search::{
    Backend, Bound, Driver, HumanErrors, Limits, Mode, Outcome, OverlookedMoves, Report, SearchControl,
    Searcher, Settings, TranspositionTable,
};
use shakmaty::{Move, Position as _};
use std::sync::{Arc, Mutex};

/// Depth of the golden searches in each mode, in plies.
const GOLDEN_DEPTHS: [(Mode, i32); 3] = [(Mode::Play, 6), (Mode::Paper, 4), (Mode::Strict, 4)];

/// Their positions: an opening, two middle games, two endgames.
const GOLDEN_POSITIONS: [&str; 5] = [
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// Entries of the small table, and depth in plies: every store has to choose which entry it replaces.
const SMALL_TABLE: (usize, i32) = (256, 8);

/// The golden node counts, a line each: what is counted, a name, counts.
///
/// A change that is meant to change the search replaces them and says so; any other leaves them alone. A new
/// network changes its line of `bench by network` alone.
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt");

/// The command that replaces them.
const REPLACE: &str = "PLUMB_GOLDEN=write cargo test --test engine golden";

/// Compares counts, by name, with the lines of the file for `part`, or, if the caller wishes it, puts them
/// there.
fn compare(part: &str, found: impl Iterator<Item = (String, Vec<u64>)>) {
    // The tests of this file run at the same time.
    static FILE: Mutex<()> = Mutex::new(());
    let found: Vec<String> = found
        .map(|(name, counts)| {
            let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
            format!("{part}\t{name}\t{}", counts.join("\t"))
        })
        .collect();
    let guard = FILE.lock().expect("no test panics with it");
    let text = std::fs::read_to_string(GOLDEN).expect("tests/golden.txt");
    let is_of_part = |line: &&str| line.split_once('\t').is_some_and(|(first, _)| first == part);
    if std::env::var("PLUMB_GOLDEN").is_ok_and(|wish| wish == "write") {
        let others = text.lines().filter(|line| !is_of_part(line)).map(str::to_owned);
        let (notes, mut rows): (Vec<String>, Vec<String>) =
            others.chain(found).partition(|line| line.starts_with('#'));
        // Parts by name; the rows of a part as they were found.
        rows.sort_by(|one, other| one.split('\t').next().cmp(&other.split('\t').next()));
        std::fs::write(GOLDEN, notes.into_iter().chain(rows).map(|line| line + "\n").collect::<String>())
            .expect("tests/golden.txt can be written");
        return;
    }
    let expected: Vec<&str> = text.lines().filter(is_of_part).collect();
    drop(guard);
    assert_eq!(found, expected, "the searches have changed. If that was meant: {REPLACE}");
}

/// Made moves of a bench of the default depth on one thread.
fn bench(network: Option<Arc<Network>>) -> u64 {
    let (bench, handle) = (Bench { depth: DEPTH, threads: 1, network }, SearchHandle::new(false, false));
    run(&bench, &handle, |_, _, _| {}).expect("16 MiB and a thread").expect("nobody stops it").nodes
}

#[test]
fn golden_bench_by_hand_crafted_evaluation_is_unchanged() {
    compare("bench by hand-crafted evaluation", [("moves".to_owned(), vec![bench(None)])].into_iter());
}

#[test]
fn golden_bench_by_the_networks_of_the_repository_is_unchanged() {
    // The files and not the network inside the program, which may be another (EVALFILE).
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/networks")).expect("a folder");
    let mut files: Vec<_> = folder.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let counted = |file: &std::path::PathBuf| {
        let network = Network::open(file).expect("a network");
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (name, vec![bench(Some(Arc::new(network)))])
    };
    compare("bench by network", files.iter().map(counted));
}

/// Moves made over all golden positions, with the hand-crafted evaluation: in play, paper and strict mode.
#[test]
fn golden_node_counts_are_unchanged() {
    let counted =
        |backend: Backend| (backend.alias().to_owned(), GOLDEN_DEPTHS.map(|at| golden(backend, at)).to_vec());
    compare("play, paper and strict mode", Backend::DRIVERS.into_iter().map(counted));
}

fn golden(backend: Backend, (mode, depth): (Mode, i32)) -> u64 {
    let made =
        |fen: &&str| search(&position(fen), &settings(backend, mode), &plies(depth)).0.stats.made_moves;
    GOLDEN_POSITIONS.iter().map(made).sum()
}

/// Moves made by MTD(f) over all golden positions in play mode with a small table, by replacement scheme.
#[test]
fn golden_node_counts_with_a_small_table_are_unchanged() {
    let counted = |&scheme: &Replacement| (scheme.alias().to_owned(), vec![in_a_small_table(scheme)]);
    compare("small table", Replacement::ALL.iter().map(counted));
}

/// Two searches of each position with one table, so that entries of the first are old in the second.
fn in_a_small_table(replacement: Replacement) -> u64 {
    let (entries, depth) = SMALL_TABLE;
    let settings = Settings { replacement, ..settings(Backend::Driver(Driver::MtdF), Mode::Play) };
    let mut searcher = Searcher::new(Arc::new(TranspositionTable::with_entries(entries).expect("16 KiB")));
    let mut made = |fen: &str| {
        let outcome = searcher.search(&position(fen), &[], &settings, &plies(depth), &mut Notes::default());
        outcome.stats.made_moves
    };
    GOLDEN_POSITIONS.iter().flat_map(|fen| [fen, fen]).map(|fen| made(fen)).sum()
}

/// Mates in so many moves.
const MATES: &[(&str, u32)] = &[
    ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1),
    ("2k5/P1P5/2K5/8/8/8/8/8 w - - 0 1", 1),
    ("k7/8/1K6/8/8/8/8/6Q1 w - - 98 90", 1),
    ("r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1", 2),
    ("1rb4r/pkPp3p/1b1P3n/1Q6/N3Pp2/8/P1P3PP/7K w - - 1 1", 2),
    ("4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 1", 2),
    ("r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 1 1", 2),
    ("5rkr/pp2Rp2/1b1p1Pb1/3P2Q1/2n3P1/2p5/P4P2/4R1K1 w - - 1 1", 2),
    ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3),
    ("8/P5k1/5R2/5K2/8/8/8/8 w - - 0 1", 3),
    ("5r1k/7b/4B3/6K1/3R1N2/8/8/8 w - - 0 1", 4),
];

/// Value of a mate in so many moves.
fn mate_in(moves: u32) -> Value {
    MATE - (2 * moves as Value - 1)
}

/// Plies within which every mate must be found: selective search looks at some of its moves late.
const MATE_DEPTH: i32 = 12;

/// Made moves within which selective search must find most mates of the suite.
const MATE_NODES: u64 = 200_000;

/// Searches the root moves given (all, if none) until a mate in `moves` is found.
fn find_mate(game: &Game, backend: Backend, moves: u32, among: Vec<Move>) -> Outcome {
    let limits = Limits { mate: Some(moves), moves: among, ..plies(MATE_DEPTH) };
    search(game.position(), &settings(backend, Mode::Play), &limits).0
}

/// Plays a mating line and checks that it mates on time, or (where only its beginning is reported) that a
/// search of its end finds the rest.
fn check_mating_line(game: &Game, line: &[Move], moves: u32, whose: &str) {
    let mut end = game.clone();
    line.iter().for_each(|&m| end.play(m));
    let left = (2 * moves as i32 - 1) - line.len() as i32;
    assert!(left >= 0, "{whose}: the line is too long");
    assert_eq!(end.position().chess().is_checkmate(), left == 0, "{whose}");
    if left > 0 {
        let (rest, _) = search(
            end.position(),
            &settings(Backend::Driver(Driver::NegaScout), Mode::Play),
            &plies(MATE_DEPTH),
        );
        let value = if left % 2 == 1 { MATE - left } else { left - MATE };
        assert_eq!(rest.value, value, "{whose}: {left} plies are left");
    }
}

#[test]
fn every_backend_finds_the_mate_and_its_length() {
    for &(fen, moves) in MATES {
        let game = game(fen);
        for backend in Backend::DRIVERS {
            let outcome = find_mate(&game, backend, moves, Vec::new());
            let whose = format!("{backend}, mate in {moves} on {fen}: {}", text(&game, &outcome.pv));
            if backend.gives_value() {
                assert_eq!(outcome.value, mate_in(moves), "{whose}");
                check_mating_line(&game, &outcome.pv, moves, &whose);
            } else {
                // It proves the move, not the length: another backend finds the value of the move.
                let best = outcome.best.expect("a move");
                let alone = find_mate(&game, Backend::Driver(Driver::NegaScout), moves, vec![best]);
                assert_eq!(alone.value, mate_in(moves), "{whose}");
            }
        }
    }
}

/// The suite of mates, if present: those in at most three moves. Full width finds each at its own depth;
/// selective search may find up to a quarter later.
#[test]
fn most_mates_of_the_suite_are_found() {
    let (mut asked, mut late) = (0, Vec::new());
    for line in lines_of_suite("mates.epd") {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let fen = fields[..4].join(" ");
        let Some(moves) = announced_mate(&fields[4..]).filter(|&moves| moves <= 3) else { continue };
        let game = game(&fen);
        let (proven, _) =
            search(game.position(), &settings(Backend::default(), Mode::Paper), &plies(2 * moves as i32 - 1));
        let whose = format!("mate in {moves} on {fen}: {}", text(&game, &proven.pv));
        assert_eq!(proven.value, mate_in(moves), "{whose}");
        check_mating_line(&game, &proven.pv, moves, &whose);
        asked += 1;
        let limits = Limits { mate: Some(moves), nodes: Some(MATE_NODES), ..Limits::default() };
        let (found, _) = search(game.position(), &settings(Backend::default(), Mode::Play), &limits);
        if found.value != mate_in(moves) {
            late.push(fen);
        }
    }
    let most = asked / 4;
    assert!(late.len() <= most, "{} of {asked} mates not found in {MATE_NODES} nodes: {late:#?}", late.len());
}

/// The distance that an EPD line announces, as `dm 3` or as `bm #3`, if its side to move mates.
fn announced_mate(operations: &[&str]) -> Option<u32> {
    let pair = operations.windows(2).find(|pair| pair[0] == "dm" || pair[1].starts_with('#'))?;
    pair[1].trim_start_matches('#').trim_end_matches(';').parse().ok()
}

/// Cleared, a searcher and its table search the same nodes, whatever they searched before.
#[test]
fn a_cleared_search_repeats_itself_node_for_node() {
    let table = Arc::new(TranspositionTable::new(1).unwrap());
    let mut searcher = Searcher::new(Arc::clone(&table));
    for (mode, depth) in GOLDEN_DEPTHS {
        for backend in Backend::DRIVERS {
            for fen in &GOLDEN_POSITIONS[2..] {
                let mut once = || {
                    searcher.clear();
                    table.clear();
                    let mut notes = Notes::default();
                    let settings = settings(backend, mode);
                    let outcome = searcher.search(&position(fen), &[], &settings, &plies(depth), &mut notes);
                    (outcome.stats, outcome.value, outcome.pv, notes.iterations)
                };
                assert_eq!(once(), once(), "{backend} in {mode} mode on {fen}");
            }
        }
    }
}

/// Positions of the tests of lines: golden ones, mates, and positions near the end of a game.
fn line_positions() -> Vec<Game> {
    let ends = [
        // Rook against bishop with a hundred plies nearly over; a pawn that can be taken into a dead draw; a
        // stalemate at hand; a perpetual check.
        "8/8/3k4/3b4/8/3K4/3R4/8 w - - 95 120",
        "8/8/8/4k3/4p3/8/4K3/5B2 b - - 0 1",
        "k7/P7/8/1K6/8/8/8/8 w - - 3 60",
        "6k1/5p2/6p1/8/7q/5B2/5PK1/1Q6 b - - 0 1",
        "6k1/6pp/8/8/8/8/q4PPP/3Q2K1 w - - 0 1",
    ];
    let games = suite("games.epd", 40);
    let fens = GOLDEN_POSITIONS.iter().copied().chain(ends).map(str::to_owned).chain(games);
    let mut all: Vec<Game> = fens.map(|fen| game(&fen)).collect();
    // A game in which a position is about to stand for the third time.
    let mut shuffled = Game::new();
    for m in "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1".split(' ') {
        shuffled.play_text(m).unwrap();
    }
    all.push(shuffled);
    all.extend(MATES.iter().skip(4).step_by(3).map(|(fen, _)| game(fen)));
    all
}

/// Checks that a reported line is legal and ends where the game ends. Returns its end, and true if the last
/// position occurs on the line before.
fn check_line(root: &Game, pv: &[Move], whose: &str) -> (Game, bool) {
    let mut game = root.clone();
    let mut seen = vec![game.position().key()];
    let mut came_back = false;
    let line = text(&game, pv);
    assert!(!pv.is_empty(), "{whose}: no line");
    for (ply, &m) in pv.iter().enumerate() {
        assert!(
            ply == 0 || game.end().is_none(),
            "{whose}: {line} goes on at ply {ply} after {:?}",
            game.end()
        );
        assert!(game.legal_moves().contains(&m), "{whose}: {line} is illegal at ply {ply}");
        game.play(m);
        came_back = seen.contains(&game.position().key());
        seen.push(game.position().key());
    }
    (game, came_back)
}

/// Checks that the line of a completed iteration is also at least half as long as the search is deep, unless
/// the game ends before, or the line at a repetition.
fn check_final_line(root: &Game, report: &Report, whose: &str) {
    let (end, came_back) = check_line(root, &report.pv, whose);
    let long_enough = 2 * report.pv.len() as i32 >= report.depth;
    let over = end.end().is_some() || came_back;
    assert!(
        long_enough || over,
        "{whose}: {} is too short for depth {}",
        text(root, &report.pv),
        report.depth
    );
}

#[test]
fn reported_lines_are_legal_and_long_enough() {
    for root in line_positions() {
        for (mode, depth) in [(Mode::Play, 8), (Mode::Paper, 4), (Mode::Strict, 4)] {
            for backend in Backend::DRIVERS {
                // Alpha-Beta alone has no null windows: deep searches take it long.
                let depth = if backend == Backend::Driver(Driver::AlphaBeta) { depth.min(5) } else { depth };
                let mut notes = Notes::default();
                let settings = settings(backend, mode);
                let outcome =
                    fresh().search(root.position(), root.key_history(), &settings, &plies(depth), &mut notes);
                let whose = format!("{backend} in {mode} mode on {}", root.fen());
                assert_eq!(notes.finals.len() as i32, depth, "{whose}");
                notes.reports.iter().for_each(|report| drop(check_line(&root, &report.pv, &whose)));
                notes.finals.iter().for_each(|report| check_final_line(&root, report, &whose));
                let last = notes.finals.last().unwrap();
                assert_eq!((&outcome.pv, outcome.value), (&last.pv, last.value), "{whose}");
                assert_eq!(outcome.best, outcome.pv.first().copied(), "{whose}");
                assert_eq!(outcome.ponder, outcome.pv.get(1).copied(), "{whose}");
                assert_eq!(outcome.depth, depth, "{whose}");
            }
        }
    }
}

/// Won endings, played out by the engine against itself.
const WINS: [&str; 6] = [
    "8/8/8/3k4/8/8/1Q6/K7 w - - 0 1",
    "8/8/8/3k4/8/8/1R6/1R5K w - - 0 1",
    "4k3/8/8/8/8/2B5/2B5/4K3 w - - 0 1",
    "8/8/8/2K5/8/1Q6/8/k1n5 w - - 0 1",
    "6k1/5ppp/8/8/8/5PP1/q6P/1r1Q2K1 b - - 0 1",
    "3r2k1/pp3ppp/8/8/3q4/1B6/PP3QPP/3R2K1 w - - 0 1",
];

/// The mates that a backend announces in all games of [`WINS`], a few thousand moves at a time, with one
/// searcher for the whole game, as in a game by the clock: those with their line, and those that are bounds.
fn announced_mates(backend: Backend) -> (u32, u32) {
    let (mut exact, mut bounds) = (0, 0);
    for fen in WINS {
        let (mut game, mut searcher) = (game(fen), fresh());
        for _ in 0..80 {
            let (settings, mut notes) = (settings(backend, Mode::Play), Notes::default());
            let limits = Limits { nodes: Some(4000), ..Limits::default() };
            let outcome =
                searcher.search(game.position(), game.key_history(), &settings, &limits, &mut notes);
            let reported = notes.finals.iter().map(|report| (report.value, report.bound, &report.pv));
            // The answer too: it is shown where its move came after the last report.
            let answer = outcome.best.map(|_| (outcome.value, outcome.bound, &outcome.pv));
            let announced = reported.chain(answer).filter(|&(value, ..)| mate_in_plies(value).is_some());
            for (value, bound, pv) in announced {
                if bound == Bound::Exact {
                    check_announced_line(&game, value, pv, &format!("{backend} on {}", game.fen()));
                    exact += 1;
                } else {
                    bounds += 1;
                }
            }
            let Some(m) = outcome.best.filter(|_| game.end().is_none()) else { break };
            game.play(m);
        }
    }
    (exact, bounds)
}

#[test]
fn a_mate_is_announced_with_its_line_or_as_a_bound() {
    let drivers =
        [Driver::MtdF, Driver::NegaScout, Driver::MtdStep, Driver::PlainNegaScout, Driver::AlphaBeta];
    let found = drivers.map(|driver| announced_mates(Backend::Driver(driver)));
    let (exact, bounds) = found.into_iter().fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
    assert!(exact > 2000 && bounds * 20 < exact, "{exact} lines of mate, {bounds} bounds");
    for backend in [Backend::Ins, Backend::Pns, Backend::BestFirst, Backend::RecursiveBestFirst] {
        let (exact, bounds) = announced_mates(backend);
        assert!(exact > 20 && bounds < exact, "{backend}: {exact} lines of mate, {bounds} bounds");
    }
}

/// A control that wants no reports.
struct WithoutReports;

impl SearchControl for WithoutReports {
    fn poll(&mut self, _: u64) -> Option<u64> {
        Some(u64::MAX)
    }

    fn report(&mut self, report: &Report) {
        panic!("a report of depth {}", report.depth);
    }

    fn takes_reports(&self) -> bool {
        false
    }
}

#[test]
fn a_control_that_takes_no_reports_gets_none_and_the_same_answer() {
    for backend in Backend::DRIVERS {
        let (settings, root) = (settings(backend, Mode::Play), position(GOLDEN_POSITIONS[1]));
        let (expected, notes) = search(&root, &settings, &plies(6));
        assert!(notes.reports.len() >= 6, "{backend}");
        let found = fresh().search(&root, &[], &settings, &plies(6), &mut WithoutReports);
        assert_eq!(found.pv, expected.pv, "{backend}");
        assert_eq!(found.stats.made_moves, expected.stats.made_moves, "{backend}");
    }
}

/// The line of an announced mate is legal, as long as announced, and mates.
fn check_announced_line(root: &Game, value: Value, pv: &[Move], whose: &str) {
    let (end, _) = check_line(root, pv, whose);
    let line = text(root, pv);
    assert_eq!(end.end(), Some(End::Checkmate), "{whose}: {line}");
    assert_eq!(mate_in_plies(value), Some(pv.len() as Value), "{whose}: {line}");
}

/// Stopped after any number of polls, a search has a legal move and a line that begins with it.
#[test]
fn a_stop_leaves_a_legal_move() {
    for fen in [GOLDEN_POSITIONS[1], GOLDEN_POSITIONS[3], "7k/8/8/8/8/8/6q1/K7 w - - 0 1"] {
        let root = game(fen);
        for backend in Backend::DRIVERS {
            let mut searcher = fresh();
            for polls in 0..50 {
                let mut notes =
                    Notes { patience: Some((polls, 1 + u64::from(polls) * 7)), ..Notes::default() };
                let settings = settings(backend, Mode::Play);
                let outcome =
                    searcher.search(root.position(), &[], &settings, &Limits::default(), &mut notes);
                let whose = format!("{backend} stopped after {polls} polls on {fen}");
                let best = outcome.best.unwrap_or_else(|| panic!("{whose}: no move"));
                assert!(root.legal_moves().contains(&best), "{whose}: {best}");
                assert_eq!(outcome.pv.first(), Some(&best), "{whose}");
                let mut line = root.clone();
                for &m in &outcome.pv {
                    assert!(line.legal_moves().contains(&m), "{whose}: {}", text(&root, &outcome.pv));
                    line.play(m);
                }
                assert_eq!(outcome.depth, notes.iterations.len() as i32, "{whose}");
            }
        }
    }
}

/// The node routine by itself finds this mate late, if at all: in zugzwang every move of the defender loses,
/// and a null move does not.
#[test]
fn the_mate_search_proves_a_mate_by_zugzwang() {
    let root = game("8/5N2/6r1/7k/1P5N/5P2/1P1Q4/K7 b - - 0 1");
    let finds = |backend, mate_share, nodes| {
        let settings = Settings { mate_share, ..settings(backend, Mode::Play) };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let (outcome, _) = search(root.position(), &settings, &limits);
        assert!(outcome.stats.made_moves <= nodes, "{backend}: what the proof costs is counted");
        (outcome.value, outcome.pv.len()) == (6 - MATE, 6)
    };
    for backend in
        [Backend::Driver(Driver::MtdF), Backend::Driver(Driver::NegaScout), Backend::Driver(Driver::MtdBest)]
    {
        let needed = |share| (1..=10).map(|tens| tens * 20_000).find(|&nodes| finds(backend, share, nodes));
        let with = needed(10);
        assert!(with.is_some(), "{backend}");
        assert!(
            needed(0).is_none_or(|without| Some(without) > with),
            "{backend}: {with:?} nodes with the prover"
        );
    }
}

/// Positions in which the side to move can attack the queen, and no gain of material is near.
const ATTACKED_QUEENS: [&str; 3] = [
    "4rrk1/1p3pp1/p3n1bp/P1pp2q1/1P6/2PPP3/2N1B1PP/3RQRK1 w - - 0 24",
    "r3k2r/pbqp1pb1/1p2p2p/n1p2P1P/2P5/1PNB4/3PNPP1/R2Q1RK1 w kq - 1 17",
    "7r/2q1kpp1/Q2npn1p/1Pp5/2B5/4PN2/5PPP/3R2K1 w - - 1 25",
];

/// Late move pruning must not hide the moves of an attacked queen, which may be late ones.
#[test]
fn an_attacked_queen_moves_away_at_small_depths() {
    for fen in ATTACKED_QUEENS {
        for backend in Backend::DRIVERS {
            let (_, notes) = search(&position(fen), &settings(backend, Mode::Play), &plies(5));
            for report in &notes.finals {
                let whose = format!("{backend} at depth {} on {fen}", report.depth);
                assert!(report.value < centipawns(500), "{whose}: {}", report.value);
            }
        }
    }
}

#[test]
fn a_limit_of_nodes_is_kept_to_the_node() {
    for fen in [GOLDEN_POSITIONS[1], GOLDEN_POSITIONS[3]] {
        for backend in Backend::DRIVERS {
            for &mode in Mode::ALL {
                for nodes in [0, 1, 2, 50, 1_000, 4_097, 20_000] {
                    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                    let (outcome, _) = search(&position(fen), &settings(backend, mode), &limits);
                    assert_eq!(outcome.stats.made_moves, nodes, "{backend} in {mode} mode on {fen}");
                    assert!(outcome.best.is_some());
                }
            }
        }
    }
}

#[test]
fn a_search_keeps_to_the_moves_it_is_given() {
    let root = game(GOLDEN_POSITIONS[1]);
    let moves = vec![root.parse_move("a2a3").unwrap(), root.parse_move("e1d1").unwrap()];
    for backend in Backend::DRIVERS {
        let limits = Limits { moves: moves.clone(), ..plies(4) };
        let (outcome, notes) = search(root.position(), &settings(backend, Mode::Play), &limits);
        assert!(outcome.best.is_some_and(|best| moves.contains(&best)), "{backend}: {outcome:?}");
        assert!(notes.iterations.iter().all(|iteration| moves.contains(&iteration.best)), "{backend}");
    }
}

/// The lines of MultiPV: as many as asked for (or as there are moves), numbered, each with a move of its own,
/// the better the earlier.
#[test]
fn several_lines_are_distinct_and_in_order() {
    let few_moves = "7k/8/8/8/8/8/6q1/K7 w - - 0 1";
    for fen in GOLDEN_POSITIONS.into_iter().chain([few_moves]) {
        let root = game(fen);
        let wanted = root.legal_moves().len().min(4);
        for (mode, depth) in GOLDEN_DEPTHS {
            for backend in Backend::DRIVERS {
                let settings = Settings { multi_pv: 4, ..settings(backend, mode) };
                let (_, notes) = search(root.position(), &settings, &plies(depth.min(5)));
                for depth in 1..=depth.min(5) {
                    let reports: Vec<&Report> =
                        notes.finals.iter().filter(|report| report.depth == depth).collect();
                    let whose = format!("{backend} in {mode} mode at depth {depth} on {fen}");
                    let numbers: Vec<usize> = reports.iter().map(|report| report.line).collect();
                    assert_eq!(numbers, (1..=wanted).collect::<Vec<_>>(), "{whose}");
                    let first: std::collections::HashSet<Move> =
                        reports.iter().map(|report| report.pv[0]).collect();
                    assert_eq!(first.len(), wanted, "{whose}: a move twice");
                    let values: Vec<Value> = reports.iter().map(|report| report.value).collect();
                    assert!(values.is_sorted_by(|a, b| a >= b), "{whose}: {values:?}");
                    reports.iter().for_each(|report| check_final_line(&root, report, &whose));
                }
            }
        }
    }
}

/// Lines that mate are completed after they are sorted, and may mate sooner than was announced: here the last
/// of four does, at depth 5.
#[test]
fn several_lines_that_mate_are_in_order() {
    let told = conversation(&[
        "setoption name AnalysisBackend value same\nsetoption name MultiPV value 4\n",
        "setoption name Hash value 1\nposition fen Q7/7p/4p1p1/6k1/1p2B3/1P4P1/6KP/3R4 w - - 0 1\n",
        "go depth 9\n",
    ]);
    for depth in 5..=9 {
        let begin = format!("info depth {depth} ");
        let mates = told.lines().filter(|line| line.starts_with(&begin)).filter_map(|line| {
            let moves = line.split_once(" score mate ")?.1.split(' ').next()?;
            moves.parse::<i32>().ok().filter(|_| !line.contains("bound "))
        });
        let mates: Vec<i32> = mates.collect();
        assert!(mates.len() == 4 && mates.is_sorted() && mates[0] > 0, "{mates:?} at depth {depth}: {told}");
    }
}

/// A stop in the middle of an iteration: the lines that stand at the end have different first moves, and the
/// first is that of the answer.
#[test]
fn a_stop_leaves_no_move_in_two_lines() {
    let rare = "rn1qkb1r/ppp2ppp/5n2/4p3/2B1P3/1Q6/PPP2PPP/RNB1K2R b KQkq - 0 1";
    let mut changes = 0;
    for fen in GOLDEN_POSITIONS.into_iter().chain([rare]) {
        for nodes in (1_000..=40_000).step_by(3_000) {
            let settings = Settings { multi_pv: 3, ..settings(Backend::default(), Mode::Play) };
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let (outcome, notes) = search(&position(fen), &settings, &limits);
            let mut shown = std::collections::BTreeMap::new();
            for report in notes.reports.iter().filter(|report| report.depth == outcome.depth) {
                shown.insert(report.line, report.pv[0]);
            }
            let best = outcome.best.unwrap();
            changes += u32::from(shown.insert(1, best) != Some(best));
            let different: std::collections::HashSet<Move> = shown.values().copied().collect();
            assert_eq!(different.len(), shown.len(), "{nodes} nodes on {fen}: {shown:?}");
            // The lines of the last iteration move down.
            let last = notes.finals.iter().filter(|report| report.depth == outcome.depth);
            let others = last.map(|report| report.pv[0]).filter(|&m| m != best);
            let expected: Vec<Move> = std::iter::once(best).chain(others).take(shown.len()).collect();
            assert_eq!(shown.into_values().collect::<Vec<_>>(), expected, "{nodes} nodes on {fen}");
        }
    }
    assert!(changes > 0, "no answer was another move than that of the last iteration");
}

/// The same where a move that none of the lines began with becomes the best one.
#[test]
fn a_stop_drops_the_last_line_for_a_new_best_one() {
    for nodes in (17_000..=23_000).step_by(1_000) {
        let told = conversation(&[
            "setoption name AnalysisBackend value same\nsetoption name MultiPV value 3\n",
            "position fen rnb1kbnr/pppp1ppp/8/8/2B1Pp1q/8/PPPP2PP/RNBQ1KNR b kq - 0 1\n",
            &format!("go nodes {nodes}\n"),
        ]);
        let line = |told: &str| {
            let number = told.split_once(" multipv ")?.1.split(' ').next()?.parse::<usize>().ok()?;
            let first = told.split_once(" pv ")?.1.split(' ').next()?.to_owned();
            (!told.contains("bound ")).then_some((number, first))
        };
        let lines: Vec<(usize, String)> = told.lines().filter_map(line).collect();
        let is_iteration = |three: &[(usize, String)]| three.iter().map(|(number, _)| *number).eq(1..=3);
        let at = lines.windows(3).rposition(is_iteration).expect("an iteration");
        let shown = |wanted| lines.iter().rfind(|(number, _)| *number == wanted).map(|(_, first)| first);
        let best = told.lines().last().and_then(|line| line.split(' ').nth(1)).expect("an answer");
        let others = lines[at..at + 3].iter().map(|(_, first)| first).filter(|first| *first != best);
        let expected: Vec<&String> = others.take(2).collect();
        assert_eq!([shown(2), shown(3)], [Some(expected[0]), Some(expected[1])], "{best}: {told}");
    }
}

/// A search that completes no iteration tells what the position is worth: here two queens more.
#[test]
fn a_search_without_time_tells_no_invented_value() {
    let root = position("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1");
    let limits_of = |lines| (0..300).step_by(23).map(move |nodes| (lines, nodes));
    for backend in Backend::DRIVERS.into_iter().filter(|backend| backend.gives_value()) {
        for (multi_pv, nodes) in [1, 20].into_iter().flat_map(limits_of) {
            let settings = Settings { multi_pv, ..settings(backend, Mode::Play) };
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let (outcome, _) = search(&root, &settings, &limits);
            let whose = format!("{backend}, {multi_pv} lines, {nodes} nodes");
            assert!(outcome.value > centipawns(500) && outcome.best.is_some(), "{whose}: {outcome:?}");
        }
    }
}

/// MTD-best and Best Node Search: the bounds that are reported of a move only close in, in strict mode.
#[test]
fn the_bracket_of_a_move_is_kept_from_pass_to_pass() {
    let mut again = 0;
    for backend in [Backend::Driver(Driver::MtdBest), Backend::Driver(Driver::BestNode)] {
        for fen in GOLDEN_POSITIONS {
            let (_, notes) = search(&position(fen), &settings(backend, Mode::Strict), &plies(4));
            let mut known = std::collections::HashMap::new();
            for pass in &notes.passes {
                let (lower, upper) = pass.bracket;
                if let Some((before, above)) = known.insert((pass.depth, pass.of), pass.bracket) {
                    assert!(lower >= before && upper <= above, "{backend} on {fen}: {pass:?}");
                    again += 1;
                }
            }
        }
    }
    assert!(again > 0, "no move was searched twice");
}

/// A mate in the transposition table is none where the fifty-move rule comes first.
#[test]
fn a_mate_of_the_table_is_a_draw_near_to_fifty_moves() {
    let settings = Settings::default();
    let mut searcher = Searcher::with_own_table(1).expect("memory");
    for (clock, is_won) in [(0, true), (98, false)] {
        let root = position(&format!("k7/8/2K5/8/8/8/8/1R6 w - - {clock} 60"));
        for depth in if is_won { 6..=6 } else { 1..=2 } {
            let outcome = searcher.search(&root, &[], &settings, &plies(depth), &mut Notes::default());
            assert_eq!(mate_in_plies(outcome.value).is_some(), is_won, "{clock}, depth {depth}: {outcome:?}");
        }
    }
    // The same where the table still cuts: thirteen plies are left for a mate of fifteen.
    let mut searcher = Searcher::with_own_table(1).expect("memory");
    for (clock, depth, is_won) in [(10, 20, true), (87, 2, false)] {
        let root = position(&format!("8/8/8/3k4/8/8/1Q6/K7 w - - {clock} 90"));
        let outcome = searcher.search(&root, &[], &settings, &plies(depth), &mut Notes::default());
        assert_eq!(mate_in_plies(outcome.value).is_some(), is_won, "{clock}, depth {depth}: {outcome:?}");
    }
}

/// A rook threatens mate on the back rank; pawns and king avert it, and a player that overlooks all of their
/// moves is not mated.
#[test]
fn a_player_who_overlooked_moves_announces_no_mate_against_itself() {
    let root = position("4r1k1/5ppp/8/8/8/8/N4PPP/6K1 w - - 0 1");
    let mut searcher = Searcher::with_own_table(1).expect("memory");
    let mut blunders = 0;
    for seed in 0..4000 {
        let overlooked = OverlookedMoves { rate: 9000, seed };
        let errors = Some(HumanErrors { noise: EvalNoise { spread: 0, seed: 0 }, overlooked });
        let mut notes = Notes::default();
        let outcome =
            searcher.search(&root, &[], &Settings { errors, ..Settings::default() }, &plies(2), &mut notes);
        let values = notes.reports.iter().map(|report| report.value).chain([outcome.value]);
        assert!(values.min() > Some(-MATE_BAND), "seed {seed}: {outcome:?}");
        let after = root.play(outcome.best.expect("a move"));
        let reply = searcher.search(&after, &[], &Settings::default(), &plies(1), &mut Notes::default());
        blunders += u32::from(reply.value == MATE - 1);
        searcher.clear();
    }
    assert!(blunders > 0, "no seed overlooked every defence");
}

/// In strict mode, where the value is unique: no lower bound is above it, no upper bound below.
#[test]
fn reported_bounds_bracket_the_value() {
    let mut bounds = 0;
    for fen in GOLDEN_POSITIONS {
        let root = position(fen);
        let (_, measure) =
            search(&root, &settings(Backend::Driver(Driver::AlphaBeta), Mode::Strict), &plies(4));
        for backend in Backend::DRIVERS {
            let (_, notes) = search(&root, &settings(backend, Mode::Strict), &plies(4));
            for report in &notes.reports {
                let value = measure.iterations[report.depth as usize - 1].value;
                let whose = format!("{backend} on {fen}: {report:?}, value {value}");
                match report.bound {
                    Bound::Exact => assert_eq!(report.value, value, "{whose}"),
                    Bound::Lower => assert!(report.value <= value, "{whose}"),
                    Bound::Upper => assert!(report.value >= value, "{whose}"),
                }
                bounds += u32::from(report.bound != Bound::Exact);
            }
        }
    }
    assert!(bounds > 0, "no bound was reported");
}
