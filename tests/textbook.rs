//! The backends that search trees of their own: legal moves, limits, memory.

mod common;

use common::{Notes, fresh, game, plies, position, search, settings};
use plumb::chess::game::Game;
use plumb::chess::score;
use plumb::search::{Backend, Limits, Mode, Searcher, Table};
use shakmaty::Position as _;
use std::sync::Arc;

const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn backends() -> impl Iterator<Item = Backend> {
    Backend::ALL.into_iter().filter(|backend| !backend.is_driver())
}

fn nodes(most: u64) -> Limits {
    Limits { nodes: Some(most), ..Limits::default() }
}

#[test]
fn stopped_at_once_they_still_move() {
    let root = position(MIDDLEGAME);
    for backend in backends() {
        for patience in [0, 1, 2, 5] {
            let mut notes = Notes { patience: Some((patience, 1)), ..Notes::default() };
            let settings = settings(backend, Mode::Play);
            let outcome = fresh().search(&root, &[], &settings, &Limits::default(), &mut notes);
            assert!(root.chess().legal_moves().contains(&outcome.best.unwrap()), "{backend} {patience}");
            // Between two looks lie at most some hundred positions.
            assert!(outcome.stats.made <= 256 * 6, "{backend} {patience}: {}", outcome.stats.made);
        }
    }
}

#[test]
fn limits_are_kept() {
    let game = game(MIDDLEGAME);
    let wanted: Vec<_> = ["a2a3", "e1g1"].iter().map(|text| game.parse_move(text).unwrap()).collect();
    for backend in backends() {
        let settings = settings(backend, Mode::Play);
        let (outcome, _) = search(game.position(), &settings, &nodes(5000));
        assert_eq!(outcome.stats.made, 5000, "{backend}");
        let limits = Limits { moves: wanted.clone(), ..nodes(3000) };
        let (outcome, notes) = search(game.position(), &settings, &limits);
        assert!(wanted.contains(&outcome.best.unwrap()), "{backend}");
        assert!(notes.reports.iter().all(|report| wanted.contains(&report.pv[0])), "{backend}");
        let (outcome, _) = search(game.position(), &settings, &plies(3));
        assert_eq!(outcome.depth, 3, "{backend}");
    }
}

#[test]
fn lines_can_be_played() {
    let root = position(MIDDLEGAME);
    for backend in backends() {
        let (_, notes) = search(&root, &settings(backend, Mode::Play), &nodes(20_000));
        assert!(!notes.reports.is_empty(), "{backend}");
        for report in &notes.reports {
            let mut position = root.clone();
            for &m in &report.pv {
                assert!(position.chess().legal_moves().contains(&m), "{backend}: {:?}", report.pv);
                position = position.play(m);
            }
        }
    }
}

#[test]
fn mates_are_found() {
    for (fen, best, moves) in
        [("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", 1), ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "", 2)]
    {
        let game = game(fen);
        for backend in backends() {
            let limits = Limits { mate: Some(moves), ..nodes(400_000) };
            let (outcome, _) = search(game.position(), &settings(backend, Mode::Play), &limits);
            let found = score::mate_in_moves(outcome.value);
            assert!(found.is_some_and(|n| n > 0), "{backend} {fen}: {}", outcome.value);
            let told = game.print_move(outcome.best.unwrap());
            assert!(best.is_empty() || told == best, "{backend} {fen}: {told}");
        }
    }
}

/// A game of a backend against itself, with a tree that is kept and outgrows its memory.
#[test]
fn games_are_played_on_little_memory() {
    for backend in backends() {
        let mut searcher = Searcher::new(Arc::new(Table::new(1).unwrap()));
        let mut game = Game::new();
        let settings = settings(backend, Mode::Play);
        for ply in 0..16 {
            let most = if ply == 0 { 60_000 } else { 4000 };
            let mut notes = Notes::default();
            let outcome =
                searcher.search(game.position(), game.earlier(), &settings, &nodes(most), &mut notes);
            let best = outcome.best.unwrap();
            assert!(game.legal_moves().contains(&best), "{backend} ply {ply}");
            assert!(notes.reports.iter().all(|report| report.hashfull <= 1000), "{backend} ply {ply}");
            game.play(best);
        }
        assert_eq!(game.end(), None, "{backend}");
    }
}
