//! Play mode in games: no repetition is hidden by the transposition table, no refuted move is played, and a
//! stop in the middle of an iteration keeps the results of that iteration.

use crate::common::{Notes, plies, settings, suite};
use plumb::chess::game::Game;
use plumb::chess::score::DRAW;
use plumb::search::{
    Backend, Bound, Driver, Limits, Mode, NoControl, Outcome, Pass, Report, Searcher, Settings,
    TranspositionTable,
};
use std::sync::Arc;

/// A game of Plumb's in which it repeated a won position: up to the first search ...
const GAME: &str = "rnbqkbnr/p1p1ppp1/1p5p/3p4/1P6/4P2P/P1PP1PP1/RNBQKBNR w KQkq - 0 4";
const MOVES: &str = "\
    c1b2 g8f6 c2c4 e7e6 b1c3 c8b7 c4d5 e6d5 g1f3 f8e7 d1b3 e8g8 d2d4 a7a5 b4b5 f6e4 f1d3 e4c3 b2c3 a5a4 \
    b3b1 c7c5 b5c6 b8c6 a2a3 a8c8 b1b2 b7a8 e1g1 c6a5 c3a5 b6a5 f1c1 c8b8 d3b5 e7d6 c1c3 d8e7 b2e2 f8c8 \
    c3c8 b8c8 b5a4 e7c7 e2a2 c7c4 a4b3 c4b5 a3a4 b5b7 a1b1 c8c3 b3d1 b7c7 a2d2 d6b4 f3e5 a8b7 d1f3 c7c8 \
    f3g4 c8c7 e5d3 b7a6 d3b4 a5b4 b1b4 c3c1 g4d1 c1a1 b4b2 a6c4 g2g3 g7g6 g1h2 h6h5 h2g2 g8g7 h3h4 c7c8 \
    d2c2 c8e6 b2b1 a1a2 c2c1 e6e4 d1f3 e4e8 f3d1 e8e4 d1f3 e4e8 b1b4 e8d7 c1b1 a2a4 b4b7 d7e6 b7b6 e6d7 \
    b6b7 d7d6 b7b6 d6c7 f3d1 a4a2 b1b4 a2a8 b6b7 c7c8 b4e7 c8f5 d1c2 f5f6 e7c5 a8a1 c2b1 c4f1 g2f1 f6a6 \
    f1g2 a6b7 b1d3 b7b3 c5c2 b3c2 d3c2 g7f6 c2b3 f6e6 e3e4 e6e7 b3d5 a1d1 g2f3 d1d4 f3f4 d4d2 f4f3 d2c2 \
    f3e3 c2c1 e3d2 c1a1 d2e3 a1d1 e3f4 d1f1 f4f3 f1d1 f3f4 d1c1 f4f3 c1c3 f3f4 c3c2 f4f3 c2b2 f3e3 b2b1 \
    e3f4 b1c1 f4e3 c1f1 e3f3";
/// ... and the moves up to the second search. Now b1c1 repeats a position for the second time, and the reply
/// f3e3 one for the third.
const MORE_MOVES: &str = "f1c1 f3e3 c1c2 e3f3 c2b2 d5c4 b2b1 c4d5";

fn play(game: &mut Game, moves: &str) {
    for text in moves.split(' ') {
        game.play_text(text).expect(text);
    }
}

fn search(searcher: &mut Searcher, game: &Game, backend: Backend, moves: &[&str], depth: i32) -> Outcome {
    let moves = moves.iter().map(|text| game.parse_move(text).expect(text)).collect();
    let limits = Limits { moves, ..plies(depth) };
    searcher.search(
        game.position(),
        game.key_history(),
        &settings(backend, Mode::Play),
        &limits,
        &mut NoControl,
    )
}

#[test]
fn the_table_hides_no_third_repetition() {
    for backend in Backend::DRIVERS {
        let mut searcher = Searcher::new(Arc::new(TranspositionTable::new(16).expect("16 MiB")));
        let mut game = Game::parse_fen(GAME).expect(GAME);
        play(&mut game, MOVES);
        let won = search(&mut searcher, &game, backend, &["f1c1"], 14);
        assert!(won.value > 100, "{backend}: {}", won.value);
        play(&mut game, MORE_MOVES);
        // With another root move b1c1 is not on the principal variation.
        let others = ["b1e1", "b1b4", "b1d1", "b1a1", "g6g5", "f7f6", "e7f6"];
        for other in others {
            let outcome = search(&mut searcher, &game, backend, &[other, "b1c1"], 8);
            let repeats = outcome.best == game.parse_move("b1c1").ok();
            assert!(!repeats || outcome.value <= DRAW, "{backend} beside {other}: {}", outcome.value);
        }
        let alone = search(&mut searcher, &game, backend, &["b1c1"], 12);
        assert_eq!(alone.value, DRAW, "{backend}");
    }
}

/// Positions of real games, every `nth` of the suite.
fn games(nth: usize) -> Vec<Game> {
    suite("games.epd", nth).iter().map(|fen| Game::parse_fen(fen).expect(fen)).collect()
}

/// The backends that search the root in null windows only.
const TESTERS: [Backend; 6] = [
    Backend::Driver(Driver::MtdF),
    Backend::Driver(Driver::MtdBi),
    Backend::Driver(Driver::MtdStep),
    Backend::Driver(Driver::MtdOpt),
    Backend::Driver(Driver::SssStar),
    Backend::Driver(Driver::DualStar),
];

fn fails_high(pass: &Pass) -> bool {
    pass.answer >= pass.window.1
}

/// The last pass that failed high and that no later one has contradicted, by its index.
fn last_rise(passes: &[&Pass]) -> Option<usize> {
    let risen = passes.iter().rposition(|pass| fails_high(pass))?;
    let refuted = passes[risen..].iter().any(|pass| pass.answer < passes[risen].answer);
    (!refuted).then_some(risen)
}

/// A search from an empty table, stopped after so many made moves.
fn search_nodes(game: &Game, settings: &Settings, nodes: u64) -> (Outcome, Notes) {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    crate::common::search(game.position(), settings, &limits)
}

#[test]
fn a_stop_plays_the_last_move_that_failed_high_however_low_its_bound() {
    let (mut stopped, mut far_below) = (0, 0);
    for game in games(3) {
        let limits = [4_000, 7_000, 10_000, 13_000, 16_000, 19_000, 22_000, 25_000];
        for (backend, nodes) in TESTERS.into_iter().cycle().zip(limits) {
            let settings = Settings { mate_share: 0, ..settings(backend, Mode::Play) };
            let (outcome, notes) = search_nodes(&game, &settings, nodes);
            let passes = notes.passes_of(outcome.depth + 1);
            let shown: Vec<&Report> = notes
                .reports
                .iter()
                .filter(|report| report.depth > outcome.depth && report.bound != Bound::Exact)
                .collect();
            assert_eq!(passes.len(), shown.len(), "{backend} {}: every pass is shown", game.fen());
            let last = notes.iterations.last().expect("depth 1 at least");
            let expected = match last_rise(&passes) {
                Some(risen) => shown[risen].pv[0],
                None => last.best,
            };
            assert_eq!(outcome.best, Some(expected), "{backend} {nodes} {}", game.fen());
            if expected != last.best {
                stopped += 1;
                far_below += usize::from(outcome.value < last.value - 20);
            }
        }
    }
    assert!(stopped >= 10 && far_below >= 2, "{stopped} {far_below}");
}

#[test]
fn a_stop_in_a_later_multipv_line_keeps_the_finished_first_line() {
    let mut changed = 0;
    for game in games(3) {
        for nodes in [6_000, 12_000, 18_000, 24_000] {
            let settings = Settings {
                multi_pv: 3,
                mate_share: 0,
                ..settings(Backend::Driver(Driver::MtdF), Mode::Play)
            };
            let (outcome, notes) = search_nodes(&game, &settings, nodes);
            let unfinished = notes.reports.iter().filter(|report| report.depth > outcome.depth);
            let (first, later): (Vec<&Report>, Vec<&Report>) =
                unfinished.partition(|report| report.line == 1);
            let passes = notes.passes_of(outcome.depth + 1);
            if later.is_empty() || first.is_empty() {
                continue;
            }
            let Some(risen) = last_rise(&passes[..first.len()]) else { continue };
            assert_eq!(outcome.best, Some(first[risen].pv[0]), "{nodes} {}", game.fen());
            changed += usize::from(notes.iterations.last().map(|last| last.best) != outcome.best);
        }
    }
    assert!(changed >= 3, "{changed}");
}

#[test]
fn mtd_best_plays_a_rival_that_refutes_the_old_move_or_exceeds_its_value() {
    let (mut refuted, mut promising, mut refused) = (0, 0, 0);
    for game in games(2) {
        for nodes in [4_000, 8_000, 12_000, 16_000, 20_000] {
            let settings =
                Settings { mate_share: 0, ..settings(Backend::Driver(Driver::MtdBest), Mode::Play) };
            let (outcome, notes) = search_nodes(&game, &settings, nodes);
            let passes = notes.passes_of(outcome.depth + 1);
            let last = notes.iterations.last().expect("depth 1 at least");
            let Some(rise) = passes.iter().rposition(|pass| fails_high(pass)) else { continue };
            let Some(rival) = passes[rise].of.filter(|&rival| rival != last.best) else { continue };
            let of = |m| passes.iter().filter(move |pass| pass.of == Some(m));
            if of(rival).any(|pass| !fails_high(pass)) {
                // It may have contradicted itself.
                continue;
            }
            let least = of(last.best).filter(|pass| !fails_high(pass)).map(|pass| pass.answer).min();
            let wins = least.is_some_and(|least| least < passes[rise].answer);
            let promises = passes[rise].answer > last.value;
            refuted += usize::from(wins && !promises);
            promising += usize::from(promises);
            refused += usize::from(!wins && !promises);
            let expected = if wins || promises { rival } else { last.best };
            assert_eq!(outcome.best, Some(expected), "{nodes} {}", game.fen());
        }
    }
    assert!(refuted >= 2 && promising >= 2, "{refuted} {promising} {refused}");
}

#[test]
fn a_contradiction_does_not_keep_the_move_that_it_refutes() {
    let mut contradictions = 0;
    for game in games(8) {
        for backend in TESTERS {
            let settings = Settings { mate_share: 0, ..settings(backend, Mode::Play) };
            let (_, notes) = search_nodes(&game, &settings, 30_000);
            for iteration in &notes.iterations {
                let passes = notes.passes_of(iteration.depth);
                let crossed = passes.windows(2).filter(|two| contradicts(two[0], two[1])).count();
                contradictions += crossed;
                let refuted = last_rise(&passes).is_none() && passes.iter().any(|pass| fails_high(pass));
                let whose = format!("{backend} depth {} {}", iteration.depth, game.fen());
                assert!(!refuted || crossed > 2, "{whose}: the last fail-high was contradicted");
            }
        }
    }
    assert!(contradictions >= 10, "{contradictions}");
}

/// True if a pass contradicts the bracket before it.
fn contradicts(before: &Pass, pass: &Pass) -> bool {
    let (lower, upper) = before.bracket;
    if fails_high(pass) { pass.answer > upper } else { pass.answer < lower }
}
