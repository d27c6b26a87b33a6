//! Bench: a search of fixed positions, whose node count is the engine's signature. A change that is not meant
//! to change the search must not change it.

use crate::chess::game::Game;
use crate::engine::handle::SearchHandle;
use crate::engine::thread_pool::ThreadPool;
use crate::eval::Network;
use crate::search::transposition::TableError;
use crate::search::{Limits, Outcome, SearchControl, Settings, Task, TranspositionTable};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Default depth in plies.
pub const DEPTH: i32 = 9;

/// Size of the bench's own transposition table in MiB.
const HASH: usize = 16;

/// Made moves between two checks for a stop.
const POLL_NODES: u64 = 4096;

/// The positions: openings, middle games, endgames, mates, stalemates, a fortress.
pub const POSITIONS: &[&str] = &[
    // The start, and openings.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP3PPP/R1BQKB1R w KQ - 2 6",
    "rnbqkb1r/pp3ppp/4pn2/2pp4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 0 5",
    "rnb1kb1r/pp3ppp/1q2pn2/2pp4/3P1B2/2P1PN2/PP3PPP/RN1QKB1R w KQkq - 1 6",
    // The perft positions, with every kind of special move.
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    // Middle games from the Bratko-Kopec test.
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
    "rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq - 0 1",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1",
    "2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - - 0 1",
    "1nk1r1r1/pp2n1pp/4p3/q2pPp1N/b1pP1P2/B1P2R2/2P1B1PP/R2Q2K1 w - - 0 1",
    "4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - 0 1",
    "2kr1bnr/pbpq4/2n1pp2/3p3p/3P1P1B/2N2N1Q/PPP3PP/2KR1B1R w - - 0 1",
    "3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - 0 1",
    "2r1nrk1/p2q1ppp/bp1p4/n1pPp3/P1P1P3/2PBB1N1/4QPPP/R4RK1 w - - 0 1",
    "r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - - 0 1",
    "r2q1rk1/4bppp/p2p4/2pP4/3pP3/3Q4/PP1B1PPP/R3R1K1 w - - 0 1",
    "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1",
    // Attacks and mates.
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1",
    // Endgames.
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "8/pp2r1k1/2p1p3/3pP2p/1P1P1P1P/P5KR/8/8 w - - 0 1",
    "8/3p3B/5p2/5P2/p7/PP5b/k7/6K1 w - - 0 1",
    "8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1",
    "8/R7/2q5/8/6k1/8/1P5p/K6R w - - 0 124",
    "6k1/6p1/6Pp/ppp5/3pn2P/1P3K2/1PP2P2/3N4 b - - 0 1",
    "3b4/5kp1/1p1p1p1p/pP1PpP1P/P1P1P3/3KN3/8/8 w - - 0 1",
    // A stalemate, a wrong bishop, and a mate at hand.
    "8/8/8/8/8/6k1/6p1/6K1 w - - 0 1",
    "7k/8/6K1/7P/8/3B4/8/8 w - - 0 1",
    "5k2/5P2/4K3/8/8/8/8/6R1 w - - 0 1",
];

/// Depth, threads and evaluation of a bench.
#[derive(Clone, Debug)]
pub struct Bench {
    /// Depth in plies.
    pub depth: i32,
    /// Search threads.
    pub threads: usize,
    /// The network; `None` for the hand-crafted evaluation.
    pub network: Option<Arc<Network>>,
}

/// Result of a bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    /// Made moves.
    pub nodes: u64,
    /// Time of the searches.
    pub time: Duration,
}

impl Total {
    /// Made moves per second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        super::per_second(self.nodes, self.time)
    }
}

/// Search control that stops when a handle is stopped, and at nothing else.
struct Stop<'a>(&'a SearchHandle);

impl SearchControl for Stop<'_> {
    fn poll(&mut self, nodes: u64) -> Option<u64> {
        (!self.0.is_stopped()).then_some(nodes + POLL_NODES)
    }
}

/// Error of starting a bench.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BenchError {
    /// The transposition table cannot be allocated.
    Table(TableError),
    /// The threads cannot be started; the system's message.
    Threads(String),
}

impl fmt::Display for BenchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BenchError::Table(error) => write!(f, "{error}"),
            BenchError::Threads(error) => write!(f, "no thread can be started to search: {error}"),
        }
    }
}

impl std::error::Error for BenchError {}

/// Searches every position with the default settings and a transposition table of its own, cleared before
/// each; `each` is called after every position with its time. `Ok(None)` if `handle` stopped it. With more
/// than one thread the count is no signature, since it is not reproducible.
///
/// # Errors
/// If the transposition table cannot be allocated, or the threads cannot be started.
pub fn run(
    bench: &Bench,
    handle: &SearchHandle,
    mut each: impl FnMut(usize, &Outcome, Duration),
) -> Result<Option<Total>, BenchError> {
    let table = Arc::new(TranspositionTable::new(HASH).map_err(BenchError::Table)?);
    let refused = |error: std::io::Error| BenchError::Threads(error.to_string());
    let mut threads = ThreadPool::with_threads(bench.threads, Arc::clone(&table)).map_err(refused)?;
    let limits = Limits { depth: bench.depth, ..Limits::default() };
    let settings = Settings { loaded_network: bench.network.clone(), ..Settings::default() };
    let mut total = Total { nodes: 0, time: Duration::ZERO };
    for (index, game) in POSITIONS.iter().filter_map(|fen| Game::parse_fen(fen).ok()).enumerate() {
        threads.wait_for_helpers();
        threads.clear();
        table.clear();
        let root = game.position().clone();
        let task = Task { root, key_history: Vec::new(), settings: settings.clone(), limits: limits.clone() };
        let start = Instant::now();
        let outcome = threads.search(task, &mut Stop(handle));
        let time = start.elapsed();
        if handle.is_stopped() {
            return Ok(None);
        }
        total.nodes += outcome.stats.made_moves;
        total.time += time;
        each(index, &outcome, time);
    }
    Ok(Some(total))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BENCH: Bench = Bench { depth: 2, threads: 1, network: None };

    #[test]
    fn every_position_is_legal_and_all_but_one_have_moves() {
        for fen in POSITIONS {
            let game = Game::parse_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert!(fen.starts_with("8/8/8/8/8/6k1/6p1") || !game.legal_moves().is_empty(), "{fen}");
        }
    }

    #[test]
    fn the_node_count_of_one_thread_is_reproducible() {
        let handle = SearchHandle::new(false, false);
        let nodes = || run(&BENCH, &handle, |_, _, _| {}).unwrap().unwrap().nodes;
        assert_eq!(nodes(), nodes());
    }

    #[test]
    fn a_stop_ends_the_bench() {
        let handle = SearchHandle::new(false, false);
        handle.stop();
        assert_eq!(run(&BENCH, &handle, |_, _, _| {}), Ok(None));
    }
}
