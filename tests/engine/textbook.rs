//! The textbook backends (INS, PNS, best-first minimax): legal moves, limits, memory, draws.

use crate::common::{Notes, fresh, game, plies, position, search, settings, text};
use plumb::chess::game::{End, Game};
use plumb::chess::score::{self, centipawns};
use plumb::eval::Network;
use plumb::eval::network::{Architecture, Layout, TrainedNetwork};
use plumb::minimax::Game as _;
use plumb::search::{
    Backend, ChessGame, Limits, Mode, Outcome, Report, Searcher, Settings, TranspositionTable,
};
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
fn a_search_stopped_at_once_has_a_legal_move() {
    let root = position(MIDDLEGAME);
    for backend in backends() {
        for patience in [0, 1, 2, 5] {
            let mut notes = Notes { patience: Some((patience, 1)), ..Notes::default() };
            let settings = settings(backend, Mode::Play);
            let outcome = fresh().search(&root, &[], &settings, &Limits::default(), &mut notes);
            assert!(root.chess().legal_moves().contains(&outcome.best.unwrap()), "{backend} {patience}");
            // Between two polls lie at most some hundred positions.
            assert!(
                outcome.stats.made_moves <= 256 * 6,
                "{backend} {patience}: {}",
                outcome.stats.made_moves
            );
        }
    }
}

#[test]
fn limits_of_nodes_moves_and_depth_hold() {
    let game = game(MIDDLEGAME);
    let wanted: Vec<_> = ["a2a3", "e1g1"].iter().map(|text| game.parse_move(text).unwrap()).collect();
    for backend in backends() {
        let settings = settings(backend, Mode::Play);
        let (outcome, _) = search(game.position(), &settings, &nodes(5000));
        assert_eq!(outcome.stats.made_moves, 5000, "{backend}");
        let limits = Limits { moves: wanted.clone(), ..nodes(3000) };
        let (outcome, notes) = search(game.position(), &settings, &limits);
        assert!(wanted.contains(&outcome.best.unwrap()), "{backend}");
        assert!(notes.reports.iter().all(|report| wanted.contains(&report.pv[0])), "{backend}");
        let (outcome, _) = search(game.position(), &settings, &plies(3));
        assert_eq!(outcome.depth, 3, "{backend}");
    }
}

#[test]
fn reported_lines_are_legal() {
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
fn mates_in_one_and_two_are_found() {
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
fn moves_are_legal_when_the_tree_outgrows_its_memory() {
    for backend in backends() {
        let mut searcher = Searcher::new(Arc::new(TranspositionTable::new(1).unwrap()));
        let mut game = Game::new();
        let settings = settings(backend, Mode::Play);
        for ply in 0..16 {
            let most = if ply == 0 { 60_000 } else { 4000 };
            let mut notes = Notes::default();
            let outcome =
                searcher.search(game.position(), game.key_history(), &settings, &nodes(most), &mut notes);
            let best = outcome.best.unwrap();
            assert!(game.legal_moves().contains(&best), "{backend} ply {ply}");
            assert!(notes.reports.iter().all(|report| report.hashfull <= 1000), "{backend} ply {ply}");
            game.play(best);
        }
        assert_eq!(game.end(), None, "{backend}");
    }
}

const BEST_FIRST: [Backend; 3] =
    [Backend::BestFirst, Backend::RecursiveBestFirst, Backend::BestFirstExtension];

fn after(fen: &str, moves: &str) -> Game {
    let mut game = game(fen);
    moves.split_whitespace().for_each(|text| game.play_text(text).unwrap());
    game
}

/// A search as part of a game.
fn think(searcher: &mut Searcher, game: &Game, backend: Backend, most: u64) -> (Outcome, Notes) {
    let mut notes = Notes::default();
    let settings = settings(backend, Mode::Play);
    let outcome = searcher.search(game.position(), game.key_history(), &settings, &nodes(most), &mut notes);
    (outcome, notes)
}

/// Checks that a line is legal and goes on neither after the end of the game nor after a repetition.
fn check_line(game: &Game, report: &Report, name: &str) {
    let mut ahead = game.clone();
    let mut keys = vec![ahead.position().key()];
    for &m in &report.pv {
        let line = text(game, &report.pv);
        assert!(keys.len() == 1 || ahead.end().is_none(), "{name}: {:?} in {line}", ahead.end());
        let before = &keys[..keys.len() - 1];
        assert!(!before.contains(&ahead.position().key()), "{name}: {line} goes round");
        assert!(ahead.legal_moves().contains(&m), "{name}: {line}");
        ahead.play(m);
        keys.push(ahead.position().key());
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Here best-first minimax once followed repetitions to the deepest ply, and reported the value of a blunder.
#[test]
fn lines_after_the_ruy_lopez_repeat_no_position() {
    let game = after(START, "e2e4 e7e5 g1f3 b8c6 f1b5");
    for backend in BEST_FIRST {
        let most = if backend == Backend::RecursiveBestFirst { 30_000 } else { 101_000 };
        let mut searcher = Searcher::new(Arc::new(TranspositionTable::new(16).unwrap()));
        let (outcome, notes) = think(&mut searcher, &game, backend, most);
        assert!(outcome.value.abs() < centipawns(100), "{backend}: {}", outcome.value);
        // The value of a line after few nodes may be off by a piece.
        for report in notes.reports.iter().filter(|report| report.nodes > 20_000) {
            check_line(&game, report, &backend.to_string());
            let Report { value, depth, .. } = *report;
            assert!(value.abs() < centipawns(200) && depth < 100, "{backend}: {value} at depth {depth}");
        }
    }
}

/// Endings in which nothing but repetitions is left, on trees kept from move to move.
#[test]
fn lines_in_drawn_games_end_at_the_draw() {
    for backend in backends() {
        for fen in ["3rk3/8/8/8/8/8/8/4KR2 w - - 0 1", "4k3/p1p2pp1/1p5p/8/8/1P5P/P1P2PP1/4K3 w - - 88 60"] {
            let mut searcher = Searcher::new(Arc::new(TranspositionTable::new(1).unwrap()));
            let mut game = game(fen);
            for _ in 0..24 {
                if game.end().is_some() {
                    break;
                }
                let (outcome, notes) = think(&mut searcher, &game, backend, 1500);
                let name = format!("{backend} {}", game.fen());
                notes.reports.iter().for_each(|report| check_line(&game, report, &name));
                game.play(outcome.best.unwrap());
            }
        }
    }
}

/// A queen ahead with the fifty moves nearly over, or with every retreat a repetition: another move has to be
/// found.
#[test]
fn a_won_position_is_not_drawn_by_repetition_or_fifty_moves() {
    // The pawn has to move within two moves, and after it there is time again.
    let late = game("7k/5ppp/8/8/8/8/P2Q4/K7 w - - 97 120");
    // 4.Qd2 Kh8 would be the third time.
    let repeated = after("7k/5ppp/8/8/8/8/P2Q4/K7 w - - 0 1", "d2d1 h8g8 d1d2 g8h8 d2d1 h8g8");
    for backend in backends() {
        for game in [&late, &repeated] {
            let (outcome, notes) = think(&mut fresh(), game, backend, 30_000);
            let name = format!("{backend} {}", game.fen());
            assert!(outcome.value > centipawns(300), "{name}: {}", outcome.value);
            notes.reports.iter().for_each(|report| check_line(game, report, &name));
        }
    }
}

/// A network that finds every position level: a search by it sees no advantage, and one by hand-crafted terms
/// does.
#[test]
fn chess_games_are_evaluated_by_hand_crafted_terms_after_a_search_by_a_network() {
    let architecture = Architecture { width: 32, ..Architecture::default() };
    let parameters = vec![0.0; Layout::of(&architecture).len];
    let network = Network::quantise(&TrainedNetwork { architecture, scale: 400.0, parameters });
    let root = position("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1");
    let before = ChessGame::new(root.clone()).evaluate();
    assert!(before > centipawns(300), "{before}");
    let loaded_network = Some(Arc::new(network));
    for backend in backends() {
        let by_network = Settings { loaded_network: loaded_network.clone(), ..settings(backend, Mode::Play) };
        assert_eq!(search(&root, &by_network, &plies(2)).0.value, 0, "{backend}");
        assert_eq!(ChessGame::new(root.clone()).evaluate(), before, "{backend}");
    }
}

/// The hundredth ply mates, and a mate comes before the fifty-move rule.
#[test]
fn a_mate_on_the_hundredth_ply_precedes_the_fifty_move_rule() {
    let game = game("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 99 90");
    for backend in backends() {
        let (outcome, _) = think(&mut fresh(), &game, backend, 3000);
        assert_eq!(score::mate_in_moves(outcome.value), Some(1), "{backend}");
    }
}

/// Every move is a draw by the fifty-move rule: the search ends, or reports draws until it is stopped.
#[test]
fn a_position_whose_moves_all_draw_is_a_draw() {
    let game = game("3rk3/8/8/8/8/8/8/4KR2 w - - 99 90");
    for backend in backends() {
        let (outcome, notes) = think(&mut fresh(), &game, backend, 20_000);
        assert!(outcome.best.is_some(), "{backend}");
        notes.reports.iter().for_each(|report| check_line(&game, report, &backend.to_string()));
        let mut game = game.clone();
        game.play(outcome.best.unwrap());
        assert_eq!((outcome.value, game.end()), (score::DRAW, Some(End::FiftyMoves)), "{backend}");
    }
}

/// Roots at which the game is over or nearly so, and what their value has to be.
fn last_positions() -> Vec<(Game, Option<i32>)> {
    let (draw, mated) = (Some(score::DRAW), Some(score::mated_in(0)));
    let shuffle = "d2d1 h8g8 d1d2 g8h8 d2d1 h8g8 d1d2 g8h8";
    vec![
        // Dead: no series of moves mates. The second is reached by a capture, the third is the other side's.
        (game("8/4k3/6B1/8/8/8/8/K7 w - - 0 1"), draw),
        (after("8/8/4k3/6n1/7K/8/8/8 w - - 7 1", "h4g5"), draw),
        (game("8/4k3/6n1/8/8/8/8/K7 w - - 12 60"), draw),
        (game("8/8/8/4k3/8/8/8/K7 b - - 0 1"), draw),
        (game("8/4kb2/8/8/8/8/8/KB6 w - - 99 80"), draw),
        // The only move leads to a dead position.
        (game("7k/8/8/8/8/8/1q6/K7 w - - 0 1"), draw),
        // Fifty moves are over at the root, or after the next move.
        (game("3rk3/8/8/8/8/8/8/4KR2 w - - 100 90"), draw),
        (game("3rk3/8/8/8/8/8/8/4KR2 b - - 99 90"), draw),
        (game("3rk3/8/8/8/8/8/8/4KR2 w - - 150 120"), draw),
        // The root stands on the board for the third time, and for the fifth.
        (after("7k/5ppp/8/8/8/8/P2Q4/K7 w - - 0 1", shuffle), None),
        (after("7k/5ppp/8/8/8/8/P2Q4/K7 w - - 0 1", &[shuffle, shuffle].join(" ")), None),
        // Stalemate and mate.
        (game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), draw),
        (game("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"), mated),
        (game("R5k1/5ppp/8/8/8/8/8/K7 b - - 100 90"), mated),
    ]
}

#[test]
fn a_root_at_which_the_game_is_over_has_its_value_and_a_legal_move_where_there_is_one() {
    for (game, value) in last_positions() {
        for (backend, mode) in
            Backend::ALL.into_iter().flat_map(|backend| Mode::ALL.iter().map(move |&mode| (backend, mode)))
        {
            let mut searcher = fresh();
            for limits in [nodes(1), nodes(2000), plies(3), Limits { moves: last_move(&game), ..nodes(300) }]
            {
                let mut notes = Notes::default();
                let settings = settings(backend, mode);
                let outcome =
                    searcher.search(game.position(), game.key_history(), &settings, &limits, &mut notes);
                let name = format!("{backend} {mode} {} {limits:?}", game.fen());
                assert_eq!(outcome.fault(game.position(), &limits.moves), None, "{name}");
                assert_eq!(outcome.best.is_some(), !game.legal_moves().is_empty(), "{name}");
                // The drivers know no draws by the path in strict mode, and their lines go on behind one.
                let by_path =
                    backend.is_driver() && mode == Mode::Strict && game.position().halfmoves() >= 99;
                if by_path {
                    continue;
                }
                // Stopped before the first move was searched, it is an estimate.
                let estimated = outcome.depth == 0 && !game.legal_moves().is_empty();
                assert!(
                    estimated || value.is_none_or(|value| outcome.value == value),
                    "{name}: {}",
                    outcome.value
                );
                notes.reports.iter().for_each(|report| check_line(&game, report, &name));
            }
        }
    }
}

/// The last of the legal moves, if there is one.
fn last_move(game: &Game) -> Vec<shakmaty::Move> {
    game.legal_moves().into_iter().next_back().into_iter().collect()
}
