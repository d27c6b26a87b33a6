//! Several threads: every backend and mode answers, limits hold for all threads together, options change
//! between searches, and strict values do not depend on the number of threads.

use plumb::chess::game::Game;
use plumb::chess::score::mate_in_moves;
use plumb::engine::event::{Answer, Event};
use plumb::engine::options::Options;
use plumb::engine::session::Go;
use plumb::engine::{Session, TimeControl};
use plumb::search::{Backend, Helpers, Limits, Mode, Settings};
use std::time::{Duration, Instant};

const MIDDLE_GAME: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
const ENDGAME: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
const MATE_IN_TWO: &str = "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1";

fn session(threads: usize, settings: Settings) -> Session {
    Session::new(Options { hash: 1, threads, settings, ..Options::default() }).expect("threads and 1 MiB")
}

fn play(threads: usize) -> Session {
    session(threads, Settings::default())
}

fn limited(limits: Limits) -> Go {
    Go { limits, ..Go::default() }
}

fn to_depth(depth: i32) -> Go {
    limited(Limits { depth, ..Limits::default() })
}

fn search(session: &mut Session, fen: &str, go: Go) -> Answer {
    session.set_game(Game::parse_fen(fen).unwrap());
    let answer = session.search(go);
    assert!(answer.fault.is_none(), "{fen}: {:?}", answer.fault);
    let best = answer.outcome.best.unwrap_or_else(|| panic!("{fen}: no move"));
    assert!(session.game().legal_moves().contains(&best), "{fen}: {best}");
    answer
}

#[test]
fn every_driver_mode_and_kind_of_helper_answers() {
    for &mode in Mode::ALL {
        for &helpers in Helpers::ALL {
            for backend in Backend::DRIVERS {
                let mut session = session(3, Settings { backend, mode, helpers, ..Settings::default() });
                for fen in [MIDDLE_GAME, ENDGAME] {
                    let outcome = search(&mut session, fen, to_depth(3)).outcome;
                    assert!(outcome.depth == 3 && !outcome.pv.is_empty(), "{backend} {mode} {helpers} {fen}");
                }
            }
        }
    }
}

#[test]
fn strict_values_do_not_depend_on_the_threads() {
    for backend in Backend::DRIVERS.into_iter().filter(|backend| backend.gives_value()) {
        for &helpers in Helpers::ALL {
            let settings = Settings { backend, mode: Mode::Strict, helpers, ..Settings::default() };
            for fen in [MIDDLE_GAME, ENDGAME] {
                let value =
                    |threads| search(&mut session(threads, settings.clone()), fen, to_depth(4)).outcome.value;
                let alone = value(1);
                assert_eq!((value(2), value(5)), (alone, alone), "{backend} {helpers} {fen}");
            }
        }
    }
}

#[test]
fn one_thread_is_deterministic_also_after_searches_with_helpers() {
    let made = |session: &mut Session| {
        session.new_game();
        search(session, MIDDLE_GAME, to_depth(7)).outcome.stats
    };
    let alone = made(&mut play(1));
    let mut session = play(1);
    assert_eq!(made(&mut session), alone);
    session.set_option("Threads", Some("4")).unwrap();
    made(&mut session);
    session.set_option("Threads", Some("1")).unwrap();
    assert_eq!(made(&mut session), alone);
}

#[test]
fn a_node_limit_holds_for_all_threads_together() {
    for threads in [1, 2, 5] {
        for nodes in [1, 2, 100, 1000, 30_000] {
            let go = limited(Limits { nodes: Some(nodes), ..Limits::default() });
            let answer = search(&mut play(threads), MIDDLE_GAME, go);
            assert!(answer.outcome.best.is_some() && answer.fault.is_none(), "{threads} threads, {nodes}");
            let made = answer.outcome.stats.made_moves;
            // A thread that is not running when the others reach the limit leaves what it has set aside.
            let unused = (threads as u64 - 1) * (nodes / (2 * threads as u64)).clamp(1, 1024);
            assert!((nodes.saturating_sub(unused)..=nodes).contains(&made), "{threads} threads made {made}");
        }
    }
}

#[test]
fn a_stop_ends_all_threads() {
    for threads in [1, 2, 5] {
        let mut session = play(threads);
        for wait in [0, 1, 50] {
            session.go(Go { infinite: true, ..Go::default() });
            std::thread::sleep(Duration::from_millis(wait));
            session.stop();
            let mut answered = false;
            while let Some(event) = session.next_event() {
                answered |= matches!(event, Event::Answer(answer) if answer.outcome.best.is_some());
            }
            assert!(answered, "{threads} threads after {wait} ms");
        }
    }
}

#[test]
fn short_moves_are_answered() {
    let mut session = play(5);
    for _ in 0..10 {
        let time = TimeControl { movetime: Some(Duration::from_millis(20)), ..TimeControl::default() };
        let answer = search(&mut session, MIDDLE_GAME, Go { time, ..Go::default() });
        assert!(answer.outcome.best.is_some() && answer.fault.is_none(), "{:?}", answer.fault);
    }
}

#[test]
fn every_number_of_threads_finds_a_mate_in_two() {
    for threads in [1, 2, 5] {
        for &helpers in Helpers::ALL {
            let mut session = session(threads, Settings { helpers, ..Settings::default() });
            let go = limited(Limits { mate: Some(2), depth: 30, ..Limits::default() });
            let outcome = search(&mut session, MATE_IN_TWO, go).outcome;
            assert_eq!(mate_in_moves(outcome.value), Some(2), "{threads} {helpers}");
            assert_eq!(outcome.best, session.game().parse_move("h6h7").ok());
        }
    }
}

#[test]
fn only_searchmoves_are_answered() {
    let mut session = play(5);
    session.set_game(Game::parse_fen(MIDDLE_GAME).unwrap());
    let moves: Vec<_> = ["h2h3", "a3a4"].iter().map(|m| session.game().parse_move(m).unwrap()).collect();
    let go = limited(Limits { moves: moves.clone(), depth: 6, ..Limits::default() });
    assert!(moves.contains(&search(&mut session, MIDDLE_GAME, go).outcome.best.unwrap()));
}

#[test]
fn multi_pv_shows_different_moves_best_first() {
    let mut session = session(3, Settings { multi_pv: 3, ..Settings::default() });
    session.go(to_depth(5));
    let mut lines = vec![None; 3];
    while let Some(event) = session.next_event() {
        if let Event::Report(report, _) = event
            && report.depth == 5
        {
            lines[report.line - 1] = Some((report.value, report.pv[0]));
        }
    }
    let lines: Vec<_> = lines.into_iter().map(|line| line.expect("three lines")).collect();
    assert!(lines.windows(2).all(|pair| pair[0].0 >= pair[1].0), "{lines:?}");
    assert!(lines[0].1 != lines[1].1 && lines[1].1 != lines[2].1 && lines[0].1 != lines[2].1, "{lines:?}");
}

#[test]
fn pondering_answers_only_after_the_ponderhit() {
    let mut session = play(4);
    session.go(Go { ponder: true, ..to_depth(4) });
    std::thread::sleep(Duration::from_millis(100));
    while let Ok(sent) = session.events().try_recv() {
        assert!(!session.open(sent).is_last());
    }
    session.ponderhit(Instant::now());
    let mut last = None;
    while let Some(event) = session.next_event() {
        last = Some(event);
    }
    assert!(matches!(last, Some(Event::Answer(answer)) if answer.outcome.best.is_some()));
}

#[test]
fn hash_and_threads_can_be_changed_between_searches() {
    let mut session = play(5);
    let nodes = |session: &mut Session| search(session, ENDGAME, to_depth(5)).outcome.stats.made_moves;
    assert!(nodes(&mut session) > 0);
    for (name, value) in
        [("Hash", Some("64")), ("Clear Hash", None), ("Threads", Some("2")), ("Hash", Some("2"))]
    {
        session.set_option(name, value).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(nodes(&mut session) > 0, "{name}");
        session.new_game();
        assert!(nodes(&mut session) > 0, "{name}");
    }
    assert_eq!((session.options().threads, session.options().hash), (2, 2));
}

#[test]
fn threads_can_be_changed_while_a_search_runs() {
    let mut session = play(2);
    session.go(Go { infinite: true, ..Go::default() });
    for threads in ["7", "1", "3"] {
        session.set_option("Threads", Some(threads)).unwrap();
    }
    session.stop();
    while session.next_event().is_some() {}
    assert_eq!(session.options().threads, 3);
    search(&mut session, MIDDLE_GAME, to_depth(4));
}

#[test]
fn a_search_with_1024_threads_answers() {
    let mut session = play(1);
    session.set_option("Threads", Some("1024")).unwrap();
    assert!(session.set_option("Threads", Some("1025")).is_err());
    session.new_game();
    search(&mut session, MIDDLE_GAME, limited(Limits { nodes: Some(50_000), ..Limits::default() }));
    session.set_option("Threads", Some("1")).unwrap();
    search(&mut session, MIDDLE_GAME, to_depth(3));
}
