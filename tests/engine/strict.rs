//! Strict mode: the value of a position is a function of the position and the depth alone, so every backend
//! must find it, from every first guess. An unsound search fails here first.

use crate::common::{Notes, fresh, plies, position, search, settings, suite};
use plumb::chess::Position;
use plumb::chess::score::{INFINITE, MATE_BAND, Value, is_mate, mated_in};
use plumb::search::{Backend, Driver, DriverSettings, Limits, Mode, Outcome, Settings, Strategy};
use shakmaty::{Chess, EnPassantMode, FromSetup, Position as _};

/// Iterations of every proof, in plies.
const DEPTH: i32 = 4;

/// Offsets of the first guess from the value.
const OFFSETS: [Value; 7] = [-500, -100, -8, 0, 8, 100, 500];

/// Positions with much to find: sacrifices, promotions, zugzwang, mates, castling, en passant.
const TACTICAL: &[&str] = &[
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "1r2k1r1/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/1R2K1R1 w GBgb - 0 1",
];

/// The positions of the proofs: the tactical ones, and some of real games.
fn positions() -> Vec<(String, Position)> {
    let games = suite("games.epd", 28);
    let fens = TACTICAL.iter().map(|&fen| fen.to_owned()).chain(games);
    fens.map(|fen| (fen.clone(), position(&fen))).collect()
}

/// A strict search from an empty table of 1 MiB.
fn strict(root: &Position, backend: Backend, depth: i32, guess: Option<Value>) -> (Outcome, Notes) {
    let limits = Limits { guess, ..plies(depth) };
    search(root, &settings(backend, Mode::Strict), &limits)
}

/// The values of the iterations, from depth 1 on.
fn values(notes: &Notes) -> Vec<Value> {
    notes.iterations.iter().map(|iteration| iteration.value).collect()
}

/// The values of Alpha-Beta at depth 1, 2, ...: the reference for all.
fn measure(root: &Position, depth: i32) -> Vec<Value> {
    let (outcome, notes) = strict(root, Backend::Driver(Driver::AlphaBeta), depth, None);
    assert_eq!(notes.iterations.len() as i32, depth);
    assert_eq!(notes.iterations.last().map(|last| last.value), Some(outcome.value));
    values(&notes)
}

fn value_backends() -> impl Iterator<Item = Backend> {
    Backend::DRIVERS.into_iter().filter(|backend| backend.gives_value())
}

/// Invariant 4: every answer is a bound on the value, and fails high or low where the value does.
fn check_answers(notes: &Notes, values: &[Value], whose: &str) {
    assert!(!notes.passes.is_empty(), "{whose}: no pass was reported");
    for pass in &notes.passes {
        let value = values[pass.depth as usize - 1];
        let (alpha, beta) = pass.window;
        assert_eq!(pass.answer >= beta, value >= beta, "{whose}: {pass:?}, value {value}");
        assert_eq!(pass.answer <= alpha, value <= alpha, "{whose}: {pass:?}, value {value}");
        if pass.answer >= beta {
            assert!(pass.answer <= value, "{whose}: a fail-high above the value {value}: {pass:?}");
        } else if pass.answer <= alpha {
            assert!(pass.answer >= value, "{whose}: a fail-low below the value {value}: {pass:?}");
        } else {
            assert_eq!(pass.answer, value, "{whose}: {pass:?}");
        }
        let (lower, upper) = pass.bracket;
        assert!(lower <= value && value <= upper, "{whose}: {value} outside {pass:?}");
    }
}

/// Invariants 1 and 4, iteration by iteration.
fn prove(root: &Position, backend: Backend, depth: i32, guess: Option<Value>, expected: &[Value], fen: &str) {
    let (outcome, notes) = strict(root, backend, depth, guess);
    let whose = format!("{backend} from guess {guess:?} on {fen}");
    assert_eq!(values(&notes), expected, "{whose}");
    assert_eq!(outcome.stats.crossings, 0, "{whose}");
    check_answers(&notes, expected, &whose);
}

#[test]
fn every_backend_finds_the_value_of_alpha_beta() {
    for (fen, root) in positions() {
        let expected = measure(&root, DEPTH + 1);
        for backend in value_backends() {
            prove(&root, backend, DEPTH + 1, None, &expected, &fen);
        }
    }
}

#[test]
fn every_first_guess_leads_to_the_same_value() {
    for (fen, root) in positions() {
        let expected = measure(&root, DEPTH);
        for backend in value_backends() {
            for offset in OFFSETS {
                let guess = expected[DEPTH as usize - 1] + offset;
                prove(&root, backend, DEPTH, Some(guess), &expected, &fen);
            }
        }
    }
}

/// The bounds of the table, the grid, the stride, the window and ETC change the visited nodes and not the
/// value.
#[test]
fn no_setting_changes_the_value() {
    let plain = |backend| settings(backend, Mode::Strict);
    let with = |driver, set: fn(&mut DriverSettings)| {
        let mut settings = plain(Backend::Driver(driver));
        set(&mut settings.drivers);
        settings
    };
    for (fen, root) in positions().into_iter().step_by(3) {
        let expected = measure(&root, DEPTH);
        for settings in [
            Settings {
                table_bounds: plumb::search::TableBounds::One,
                ..plain(Backend::Driver(Driver::MtdBi))
            },
            Settings {
                table_bounds: plumb::search::TableBounds::One,
                ..plain(Backend::Driver(Driver::MtdF))
            },
            Settings {
                first_guess: plumb::search::FirstGuess::TwoBack,
                ..plain(Backend::Driver(Driver::MtdF))
            },
            with(Driver::MtdF, |drivers| drivers.grid = 50),
            with(Driver::MtdStep, |drivers| drivers.stride = 1),
            with(Driver::MtdStep, |drivers| drivers.stride = 500),
            with(Driver::NegaScout, |drivers| drivers.aspiration_window = 1),
            with(Driver::NegaScout, |drivers| drivers.aspiration_window = 2000),
            Settings { enhanced_cutoffs: 1, ..plain(Backend::Driver(Driver::MtdF)) },
            Settings { enhanced_cutoffs: 1, ..plain(Backend::Driver(Driver::AlphaBeta)) },
        ] {
            let (_, notes) = search(&root, &settings, &plies(DEPTH));
            assert_eq!(values(&notes), expected, "{settings:?} on {fen}");
            check_answers(&notes, &expected, &format!("{settings:?} on {fen}"));
        }
    }
}

/// A searcher with filled history tables and a table full of other positions and depths finds the same
/// values.
#[test]
fn a_filled_table_and_history_do_not_change_the_value() {
    let mut searcher = fresh();
    for (fen, root) in positions() {
        let expected = measure(&root, DEPTH);
        for backend in value_backends() {
            let mut notes = Notes::default();
            searcher.search(&root, &[], &settings(backend, Mode::Strict), &plies(DEPTH), &mut notes);
            assert_eq!(values(&notes), expected, "{backend} on {fen}");
        }
    }
}

/// MTD-best and Best Node Search prove a move: searched alone, it is worth what the root is worth.
#[test]
fn the_move_of_mtd_best_and_best_node_search_has_the_value_of_the_root() {
    for (fen, root) in positions() {
        let expected = measure(&root, DEPTH);
        let mtd_best = Strategy::ALL.iter().map(|&strategy| (Driver::MtdBest, strategy));
        for (driver, strategy) in mtd_best.chain([(Driver::BestNode, Strategy::default())]) {
            for offset in OFFSETS {
                let guess = Some(expected[DEPTH as usize - 1] + offset);
                let mut settings = settings(Backend::Driver(driver), Mode::Strict);
                settings.drivers.strategy = strategy;
                let (_, notes) = search(&root, &settings, &Limits { guess, ..plies(DEPTH) });
                let last = notes.iterations[DEPTH as usize - 1];
                let alone = Limits { moves: vec![last.best], ..plies(DEPTH) };
                let (alone, _) = search(
                    &root,
                    &crate::common::settings(Backend::Driver(Driver::AlphaBeta), Mode::Strict),
                    &alone,
                );
                let whose = format!("{driver}, {strategy} from {guess:?} on {fen}: {}", last.best);
                assert_eq!(alone.value, expected[DEPTH as usize - 1], "{whose}");
                // Its own value is a bound: never above the value when it comes from a fail-high.
                if let Some(report) = notes.finals.iter().find(|report| report.depth == DEPTH) {
                    match report.bound {
                        plumb::search::Bound::Lower => assert!(report.value <= alone.value, "{whose}"),
                        plumb::search::Bound::Upper => assert!(report.value >= alone.value, "{whose}"),
                        plumb::search::Bound::Exact => assert_eq!(report.value, alone.value, "{whose}"),
                    }
                }
                for pass in &notes.passes {
                    let value = expected[pass.depth as usize - 1];
                    let says_more = pass.answer >= pass.window.1 && pass.answer > value;
                    assert!(!says_more, "{whose}: a move worth more than the root's {value}: {pass:?}");
                }
            }
        }
    }
}

/// Invariant 5: with the value as first guess MTD(f) tests twice: the value, which fails high, and one more,
/// which fails low.
#[test]
fn an_exact_guess_takes_mtd_f_two_passes() {
    let mut proven = 0;
    for (fen, root) in positions() {
        let expected = measure(&root, DEPTH);
        let value = expected[DEPTH as usize - 1];
        if value.abs() >= MATE_BAND {
            continue; // The first guess stays out of the mates.
        }
        let (_, notes) = strict(&root, Backend::Driver(Driver::MtdF), DEPTH, Some(value));
        let asked: Vec<_> = notes.passes_of(DEPTH).iter().map(|pass| (pass.window.1, pass.answer)).collect();
        assert_eq!(asked, [(value, value), (value + 1, value)], "{fen}");
        proven += 1;
    }
    assert!(proven >= 8, "only {proven} positions without a mate");
}

/// Invariant 5: SSS* comes down answer by answer until one is confirmed, DUAL* goes up.
#[test]
fn sss_bounds_go_down_and_dual_bounds_go_up() {
    for (fen, root) in positions() {
        for (backend, down) in
            [(Backend::Driver(Driver::SssStar), true), (Backend::Driver(Driver::DualStar), false)]
        {
            let (_, notes) = strict(&root, backend, DEPTH, None);
            for depth in 1..=DEPTH {
                let answers: Vec<Value> = notes.passes_of(depth).iter().map(|pass| pass.answer).collect();
                let whose = format!("{backend} at depth {depth} on {fen}: {answers:?}");
                let (last, before) = answers.split_last().expect("at least one pass");
                let in_order = |pair: &[Value]| if down { pair[0] > pair[1] } else { pair[0] < pair[1] };
                assert!(before.windows(2).all(in_order), "{whose}");
                assert_eq!(Some(last), before.last(), "{whose}: the last pass confirms");
            }
        }
    }
}

/// Invariant 9: bisection takes no more passes than its bracket has halves, and one.
#[test]
fn bisection_takes_the_logarithm_of_the_bracket_in_passes() {
    let most = (2 * INFINITE).ilog2() + 2;
    for (fen, root) in positions() {
        let (_, notes) = strict(&root, Backend::Driver(Driver::MtdBi), DEPTH, None);
        for iteration in &notes.iterations {
            assert!(iteration.passes <= most, "{iteration:?} on {fen}");
        }
    }
}

/// Minimax: the value of a position is the best value of its children, one ply less deep. Every value comes
/// from a search with an empty table.
#[test]
fn a_position_has_the_value_of_its_best_move() {
    for (fen, root) in positions() {
        let expected = measure(&root, 3);
        for depth in 2..=3 {
            let best = root.chess().legal_moves().into_iter().map(|m| {
                let child = root.play(m);
                if child.is_dead() {
                    return 0;
                }
                let (outcome, _) = strict(&child, Backend::Driver(Driver::AlphaBeta), depth - 1, None);
                a_ply_later(-outcome.value)
            });
            assert_eq!(best.max(), Some(expected[depth as usize - 1]), "{fen}, depth {depth}");
        }
    }
}

/// A value found one ply from the root: mates are a ply further away.
fn a_ply_later(value: Value) -> Value {
    if is_mate(value) { value - value.signum() } else { value }
}

/// The board mirrored and the colours exchanged is the same position for the side to move.
#[test]
fn a_mirrored_position_has_the_same_values() {
    for (fen, root) in positions() {
        let setup = root.chess().to_setup(EnPassantMode::PseudoLegal);
        let castling = shakmaty::CastlingMode::detect(&setup);
        let mirrored =
            Position::new(Chess::from_setup(setup.into_mirrored(), castling).expect("a mirrored position"));
        assert_ne!(root.turn(), mirrored.turn());
        for backend in value_backends() {
            let (_, notes) = strict(&root, backend, 3, None);
            let (_, mirror) = strict(&mirrored, backend, 3, None);
            assert_eq!(values(&notes), values(&mirror), "{backend} on {fen}");
        }
    }
}

/// Without a legal move nothing is searched.
#[test]
fn mate_and_stalemate_have_their_values() {
    for (fen, value) in
        [("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", mated_in(0)), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0)]
    {
        for backend in Backend::DRIVERS {
            for &mode in Mode::ALL {
                let (outcome, notes) = search(&position(fen), &settings(backend, mode), &plies(3));
                assert_eq!(
                    (outcome.best, outcome.value, outcome.depth),
                    (None, value, 0),
                    "{backend} {mode} {fen}"
                );
                assert!(outcome.pv.is_empty() && notes.iterations.is_empty());
            }
        }
    }
}
