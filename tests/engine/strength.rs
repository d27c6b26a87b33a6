//! Limited strength (`UCI_LimitStrength`, `UCI_Elo`): node limits hold, a higher Elo wins, analysis is not
//! limited.

use plumb::chess::game::{End, Game};
use plumb::engine::session::Go;
use plumb::engine::strength::Handicap;
use plumb::engine::{Options, Session, TimeControl};
use plumb::search::{Backend, Limits};
use shakmaty::Color;
use std::time::Duration;

const OFF_BOOK: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/1PN1PN2/PB3PPP/R2QKB1R w KQ - 0 9";

/// A player at a position that no book knows.
fn player(options: &[(&str, &str)]) -> Session {
    let mut session = Session::new(Options { hash: 1, ..Options::default() }).unwrap();
    session.set_game(Game::parse_fen(OFF_BOOK).unwrap());
    for (name, value) in options {
        session.set_option(name, Some(value)).unwrap();
    }
    session
}

fn limited(elo: &str) -> Session {
    player(&[("UCI_LimitStrength", "true"), ("UCI_Elo", elo), ("HumanTime", "false")])
}

fn a_minute() -> Go {
    let time = TimeControl { movetime: Some(Duration::from_secs(60)), ..TimeControl::default() };
    Go { time, ..Go::default() }
}

fn to_depth(depth: i32) -> Go {
    Go { limits: Limits { depth, ..Limits::default() }, ..Go::default() }
}

/// Points of the first player in games from a few openings with both colours.
fn points(first: &mut Session, second: &mut Session) -> f64 {
    let mut points = 0.0;
    for opening in [&["e2e4", "e7e5"], &["d2d4", "d7d5"]] {
        for white in [true, false] {
            let mut game = Game::new();
            opening.iter().for_each(|m| game.play_text(m).unwrap());
            first.new_game();
            second.new_game();
            let winner = play(first, second, white, game);
            points += winner.map_or(0.5, |winner| f64::from(u8::from(winner.is_white() == white)));
        }
    }
    points
}

/// Plays a game and returns the winner; none after 300 plies.
fn play(first: &mut Session, second: &mut Session, first_is_white: bool, mut game: Game) -> Option<Color> {
    for _ in 0..300 {
        if let Some(end) = game.end() {
            return (end == End::Checkmate).then(|| !game.position().turn());
        }
        let turn = game.position().turn();
        let mover = if turn.is_white() == first_is_white { &mut *first } else { &mut *second };
        mover.set_game(game.clone());
        game.play(mover.search(a_minute()).outcome.best.unwrap());
    }
    None
}

#[test]
fn a_higher_uci_elo_wins() {
    let mut players = [("2200", 1), ("1320", 2)].map(|(elo, seed)| {
        let mut player = limited(elo);
        player.set_seed(seed);
        player
    });
    let [stronger, weaker] = &mut players;
    let points = points(stronger, weaker);
    assert!(points >= 3.0, "{points} of 4");
}

#[test]
fn a_level_knows_some_moves_of_the_book_and_takes_its_time_for_them() {
    let mut session = limited("1500");
    let known = Handicap::of(1500, 0).book_moves;
    let mut game = Game::new();
    let mut book_moves = 0;
    for ply in 0..2 * known + 2 {
        session.set_game(game.clone());
        let answer = session.search(to_depth(1)).outcome;
        let is_book = answer.stats.made_moves == 0;
        assert!(!is_book || ply < 2 * known, "move {} is no longer known", ply / 2 + 1);
        book_moves += u32::from(is_book);
        game.play(answer.best.unwrap());
    }
    assert!(book_moves >= 4, "{book_moves}");
    session.set_game(Game::new());
    session.set_option("UCI_AnalyseMode", Some("true")).unwrap();
    assert!(session.search(to_depth(1)).outcome.stats.made_moves > 0, "analysis has no book");
    session.set_option("UCI_AnalyseMode", Some("false")).unwrap();
    session.set_option("HumanTime", Some("true")).unwrap();
    let single = Duration::from_secs(1);
    let time = TimeControl { movetime: Some(single), ..TimeControl::default() };
    let answer = session.search(Go { time, ..Go::default() });
    assert!(answer.outcome.stats.made_moves == 0 && answer.time >= single.mul_f64(0.25 * 0.33 * 0.9));
}

#[test]
fn every_backend_keeps_the_node_limit_of_its_uci_elo() {
    for backend in Backend::ALL {
        for elo in [1320, 1500] {
            let mut session = limited(&elo.to_string());
            session.set_option("Backend", Some(backend.name())).unwrap();
            let most = Handicap::of(elo, 0).nodes;
            let answer = session.search(a_minute());
            let made = answer.outcome.stats.made_moves;
            // The best-first family grows its tree by whole leaves.
            assert!((1..=most + 300).contains(&made), "{backend} at {elo}: {made} for {most}");
            assert!(answer.outcome.best.is_some(), "{backend}");
        }
    }
}

#[test]
fn a_smaller_limit_of_the_search_holds() {
    let mut session = limited("2800");
    let limits = Limits { nodes: Some(50), ..Limits::default() };
    assert!(session.search(Go { limits, ..Go::default() }).outcome.stats.made_moves <= 50);
    assert_eq!(session.search(to_depth(2)).outcome.depth, 2);
}

#[test]
fn several_threads_make_no_more_moves_than_one() {
    let mut session = limited("1500");
    session.set_option("Threads", Some("3")).unwrap();
    assert!(session.search(a_minute()).outcome.stats.made_moves <= Handicap::of(1500, 0).nodes);
}

#[test]
fn analysis_and_mate_searches_are_not_limited() {
    let fresh = player(&[]).search(to_depth(7)).outcome;
    let mut session = limited("1320");
    session.set_option("UCI_AnalyseMode", Some("true")).unwrap();
    // The backend and grid of games, so that the searches can be compared.
    session.set_option("AnalysisBackend", Some("same")).unwrap();
    session.set_option("AnalysisGrid", Some("100")).unwrap();
    let analysed = session.search(to_depth(7)).outcome;
    assert_eq!((analysed.value, analysed.stats.made_moves), (fresh.value, fresh.stats.made_moves));

    session.set_option("UCI_AnalyseMode", Some("false")).unwrap();
    let most = Handicap::of(1320, 0).nodes;
    assert!(session.search(to_depth(7)).outcome.stats.made_moves <= most);
    // The results of the weaker player are gone from the table.
    session.set_option("UCI_LimitStrength", Some("false")).unwrap();
    let again = session.search(to_depth(7)).outcome;
    assert_eq!((again.value, again.stats.made_moves), (fresh.value, fresh.stats.made_moves));

    let for_mate = |mut session: Session| {
        let limits = Limits { mate: Some(3), ..to_depth(7).limits };
        let outcome = session.search(Go { limits, ..Go::default() }).outcome;
        (outcome.value, outcome.stats.made_moves)
    };
    assert_eq!(for_mate(limited("1320")), for_mate(player(&[])));
}
