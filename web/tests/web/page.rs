//! The page of `make web` in a browser, opened from the disk; and its modules, served over HTTP.

#[path = "../../../tests/common/browser.rs"]
mod browser;

use crate::compatibility::Seen;
use browser::Browser;
use plumb::search::Backend;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// WebDriver's code points of keys.
const ENTER: &str = "\u{e007}";
const TAB: &str = "\u{e004}";
const UP: &str = "\u{e013}";
const ESCAPE: &str = "\u{e00c}";
const RIGHT: &str = "\u{e014}";

fn page() -> PathBuf {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/web/plumb.html");
    file.canonicalize().expect("make web makes plumb.html")
}

/// Waits until an expression is true.
fn wait(browser: &Browser, expression: &str) {
    let begun = Instant::now();
    while browser.value(expression) != true {
        assert!(begun.elapsed() < Duration::from_secs(30), "waited for {expression}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn open(browser: &Browser, view: &str, rest: &str) {
    browser.open(&page(), &format!("#view={view}{rest}"));
    wait(browser, &format!("document.body.dataset.view === '{view}'"));
}

fn click_square(browser: &Browser, square: &str) {
    wait(browser, &format!("document.querySelector('[data-square=\"{square}\"]') !== null"));
    browser.click(&format!("[data-square=\"{square}\"]"));
}

/// The text of an element, once it begins with some words.
fn wait_for_text(browser: &Browser, id: &str, start: &str) -> String {
    wait(browser, &format!("document.getElementById('{id}').textContent.startsWith({})", json!(start)));
    browser.text(&format!("#{id}"))
}

/// Waits until no search runs.
fn wait_for_rest(browser: &Browser) {
    wait(browser, "document.getElementById('stop').disabled");
}

/// Waits until so many moves are shown.
fn wait_for_moves(browser: &Browser, count: usize) {
    wait(browser, &format!("document.querySelectorAll('#moves button').length === {count}"));
}

fn choose(browser: &Browser, id: &str, value: &str) {
    browser.value(&format!(
        "(e => {{ e.value = {}; e.dispatchEvent(new Event('change')); }})(document.getElementById('{id}'))",
        json!(value)
    ));
}

#[test]
#[ignore = "needs make web and Chromium"]
fn a_game_is_played_by_clicks_and_drags_to_mate() {
    let browser = Browser::start(1280, 720);
    open(&browser, "board", "");
    for (count, (from, to)) in
        [("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("d8", "h4")].into_iter().enumerate()
    {
        if count % 2 == 0 {
            click_square(&browser, from);
            click_square(&browser, to);
        } else {
            // A piece that is chosen already is dragged as well.
            if count == 3 {
                click_square(&browser, from);
            }
            browser.drag(&format!("[data-square=\"{from}\"]"), &format!("[data-square=\"{to}\"]"));
        }
        wait_for_moves(&browser, count + 1);
    }
    assert_eq!(browser.text("#status"), "0-1: checkmate.");
    // Against Plumb: Black has one move, and White mates.
    open(&browser, "board", "&fen=k7/8/1K6/8/8/8/8/1R6 w - - 0 1&side=b&limit=nodes:10000");
    click_square(&browser, "b1");
    click_square(&browser, "h1");
    wait_for_moves(&browser, 2);
    // An illegal move is none.
    click_square(&browser, "h1");
    click_square(&browser, "g3");
    click_square(&browser, "h1");
    click_square(&browser, "h8");
    wait(&browser, "document.getElementById('status').textContent === '1-0: checkmate.'");
    // Plumb has not answered the mate, so that this move alone is taken back.
    browser.click("#take-back");
    wait_for_moves(&browser, 2);
    browser.click("#take-back");
    wait_for_moves(&browser, 0);
}

#[test]
#[ignore = "needs make web and Chromium"]
fn plumb_moves_when_it_is_its_turn_whatever_was_pressed_meanwhile() {
    let browser = Browser::start(1280, 720);
    let thinks = "document.getElementById('stop').disabled === false";
    // Without a limit it thinks until it is stopped.
    open(&browser, "board", "&side=b&limit=none");
    let play = |from: &str, to: &str| {
        click_square(&browser, from);
        click_square(&browser, to);
        wait(&browser, thinks);
    };
    play("e2", "e4");
    // Nobody moves its pieces for it, and a look at an earlier position does not end the game.
    click_square(&browser, "e7");
    click_square(&browser, "e5");
    wait(&browser, "document.getElementById('status').textContent === 'Plumb is to move.'");
    wait_for_moves(&browser, 1);
    browser.click("#earlier");
    wait(&browser, "document.getElementById('stop').disabled");
    browser.click("#later");
    wait(&browser, thinks);
    browser.click("#take-back");
    wait_for_moves(&browser, 0);
    assert_eq!(browser.value("document.getElementById('stop').disabled"), true);
    // The other view ends its search, and on the way back it begins anew.
    play("e2", "e4");
    browser.click("#to-tree");
    wait(&browser, "document.body.dataset.view === 'tree'");
    browser.click("#to-board");
    wait(&browser, thinks);
    browser.click("#stop");
    wait_for_moves(&browser, 2);
    // What it found belongs to the position before its move; the arrow is gone.
    wait_for_text(&browser, "searched", "Plumb's search, before it played ");
    assert_eq!(browser.value("document.querySelectorAll('.best').length"), 0);
    assert_eq!(browser.value("document.activeElement.id"), "search", "the focus of the disabled stop");
    // Nobody is to play Black any more.
    play("d2", "d4");
    choose(&browser, "side", "none");
    wait_for_rest(&browser);
    wait_for_moves(&browser, 3);
}

#[test]
#[ignore = "needs make web and Chromium"]
fn the_start_of_a_game_ends_no_search_and_has_nothing_to_take_back() {
    let browser = Browser::start(1280, 720);
    open(&browser, "board", "&moves=e2e4,e7e5&ply=0&limit=none");
    browser.click("#search");
    wait(&browser, "document.getElementById('stop').disabled === false");
    browser.click("#earlier");
    browser.click("#take-back");
    // Answered behind whatever the buttons have asked.
    browser.value("plumb.position({}).then(() => plumb.position({}))");
    assert_eq!(browser.value("document.getElementById('stop').disabled"), false);
    wait_for_moves(&browser, 2);
    browser.click("#stop");
}

#[test]
#[ignore = "needs make web and Chromium"]
fn a_level_has_one_seed_in_a_game_and_another_in_the_next() {
    let browser = Browser::start(1280, 720);
    open(&browser, "board", "&side=b&level=700");
    browser.value(
        "(window.seeds = [], plumb.search = (request, tell) => (seeds.push(request.seed), \
         Object.getPrototypeOf(plumb).search.call(plumb, request, tell)), true)",
    );
    for _ in 0..2 {
        for (count, from, to) in [(2, "e2", "e4"), (4, "a2", "a3")] {
            click_square(&browser, from);
            click_square(&browser, to);
            wait_for_moves(&browser, count);
        }
        browser.click("#new-game");
        wait_for_moves(&browser, 0);
    }
    let seeds: Vec<u64> = serde_json::from_value(browser.value("seeds")).unwrap();
    assert!(seeds.len() == 4 && seeds[0] == seeds[1] && seeds[2] == seeds[3], "{seeds:?}");
    assert_ne!(seeds[0], seeds[2]);
}

#[test]
#[ignore = "needs make web and Chromium"]
fn what_was_found_belongs_to_one_position_and_the_table_is_kept_until_it_is_cleared() {
    let browser = Browser::start(1280, 720);
    open(&browser, "board", "&moves=e2e4&limit=depth:6");
    assert_eq!(browser.text("#kept"), "The table is empty.");
    browser.click("#search");
    wait(&browser, "document.querySelector('.best') !== null && document.getElementById('stop').disabled");
    let found = browser.text("#found");
    assert!(found.contains(" pawns for Black · depth 6 · "), "{found}");
    // The driver asks for multiples of the grid alone, and the last bracket is closed though it is wide.
    assert!(browser.text("#grid").contains("multiples of 0.16 pawns"));
    let rows =
        "[...document.querySelectorAll('#bracket .band')].map(band => band.classList.contains('closed'))";
    let closed: Vec<bool> = serde_json::from_value(browser.value(rows)).unwrap();
    assert_eq!(closed.iter().position(|&closed| closed), Some(closed.len() - 1), "{closed:?}");
    assert_eq!(browser.value("document.querySelectorAll('#bracket .exact').length"), 0);
    // The table is kept, and the same search is shorter.
    wait_for_text(&browser, "kept", "The table keeps");
    let nodes = || -> u64 {
        let counts = browser.text("#counts");
        counts.split(' ').nth(1).unwrap().replace(',', "").parse().unwrap()
    };
    let search = || {
        browser.click("#search");
        wait_for_rest(&browser);
        nodes()
    };
    let first = nodes();
    assert!(search() < first);
    browser.click("#clear");
    wait_for_text(&browser, "kept", "The table is empty.");
    assert_eq!(browser.value("document.getElementById('clear').disabled"), true);
    assert_eq!(search(), first);
    // The arrow turns with the board.
    let arrow = "document.querySelector('.best').getAttribute('d')";
    let before = browser.value(arrow);
    browser.click("#flip");
    assert_ne!(browser.value(arrow), before);
    assert_eq!(browser.value("location.hash.includes('flip=1')"), true);
    browser.click("#flip");
    assert_eq!(browser.value(arrow), before);
    // In another position nothing was found.
    browser.click("#earlier");
    wait_for_text(&browser, "found", "Nothing has been searched yet.");
    assert_eq!(browser.value("document.querySelectorAll('.best, #bracket .band').length"), 0);
    // A pass of NegaScout inside its window is the value, and no bound.
    choose(&browser, "backend", "alphabeta");
    browser.click("#search");
    wait(&browser, "document.querySelectorAll('#bracket .exact').length === 1");
    assert_eq!(browser.value("document.querySelectorAll('#bracket .low, #bracket .high').length"), 0);
    assert_eq!(browser.value("document.getElementById('grid').hidden"), true);
}

#[test]
#[ignore = "needs make web and Chromium"]
fn a_pawn_becomes_the_piece_that_is_chosen_and_a_game_is_read_and_written() {
    let browser = Browser::start(1280, 720);
    open(&browser, "board", "&fen=8/P6k/8/8/8/8/8/K7 w - - 0 1");
    click_square(&browser, "a7");
    click_square(&browser, "a8");
    browser.click("[aria-label=\"promote to rook\"]");
    wait_for_moves(&browser, 1);
    assert_eq!(browser.text("#moves"), "1.a8=R");
    browser.value("(document.getElementById('position-details').open = true)");
    browser.click("#write-pgn");
    wait(&browser, "document.getElementById('pgn').value.includes('1. a8=R *')");
    let resigned = "[White \"A\"]\n\n1. e4 e5 0-1\n";
    browser.value(&format!("(document.getElementById('pgn').value = {})", json!(resigned)));
    // A text that was not read is not overwritten.
    browser.click("#write-pgn");
    wait_for_text(&browser, "trouble", "The text under PGN has not been read.");
    assert_eq!(browser.value("document.getElementById('pgn').value"), json!(resigned));
    browser.click("#read-pgn");
    wait_for_moves(&browser, 2);
    let status = browser.text("#status");
    assert_eq!(status, "White is to move. Result of the game that was read: 0-1.");
    browser.value("(document.getElementById('fen').value = 'no position')");
    browser.click("#fen-form button");
    wait(&browser, "!document.getElementById('trouble').hidden");
    browser.value("(document.getElementById('pgn').value = '')");
    browser.click("#write-pgn");
    wait(&browser, "document.getElementById('pgn').value.includes('1. e4 e5 0-1')");
    assert_eq!(browser.value("document.getElementById('pgn').value.includes('[White \"A\"]')"), true);
    // By the other view and the button Back it is the same game.
    browser.click("#to-tree");
    wait(&browser, "document.body.dataset.view === 'tree'");
    browser.value("(history.back(), true)");
    wait(&browser, "document.body.dataset.view === 'board'");
    wait_for_moves(&browser, 2);
    wait_for_text(&browser, "status", "White is to move. Result of the game that was read: 0-1.");
    let two =
        "[White \"A\"]\n\n1. e4 e5 2. Nf3 (2. f4) Nc6 {c} 1-0\n\n[White \"B\"]\n\n1. d4 d5 *\n\n1. Ke2 *\n";
    browser.value(&format!("(document.getElementById('pgn').value = {})", json!(two)));
    browser.click("#read-pgn");
    wait_for_moves(&browser, 4);
    assert_eq!(browser.value("document.getElementById('pgn-game').options.length"), 2);
    let told = wait_for_text(&browser, "left-out", "Left out: ");
    assert!(told.contains("game 3"), "{told}");
    choose(&browser, "pgn-game", "1");
    wait_for_moves(&browser, 2);
    // What was left out is told until it is dismissed, also when Plumb moves.
    choose(&browser, "limit", "nodes:10000");
    choose(&browser, "side", "w");
    wait_for_moves(&browser, 3);
    assert_eq!(browser.value("document.getElementById('left-out').hidden"), false);
    choose(&browser, "side", "none");
    browser.click("#take-back");
    wait_for_moves(&browser, 2);
    browser.click("#left-out button");
    assert_eq!(browser.value("document.getElementById('left-out').hidden"), true);
    browser.click("#earlier");
    wait(&browser, "document.querySelector('#moves [aria-current]').textContent === 'd4'");
    browser.value("(document.getElementById('pgn').value = 'nothing')");
    browser.click("#read-pgn");
    wait(&browser, "document.getElementById('trouble').textContent.startsWith('This is no game')");
    wait_for_moves(&browser, 2);
}

#[test]
#[ignore = "needs make web and Chromium"]
fn a_search_is_watched_and_stops_at_once() {
    let browser = Browser::start(1280, 720);
    open(&browser, "board", "&limit=none");
    for backend in ["mtdf", "sss", "negascout", "ins", "best-first"] {
        choose(&browser, "backend", backend);
        browser.click("#search");
        wait(&browser, "/depth [2-9]/.test(document.getElementById('found').textContent)");
        let passes = browser.value("document.querySelectorAll('#bracket .band').length").as_u64().unwrap();
        assert!(passes > 0 || ["ins", "best-first"].contains(&backend), "{backend}: {passes} passes");
        browser.screenshot(&format!("watch-{backend}"));
        let latency = browser.value(
            "new Promise(done => { const begun = performance.now(); document.getElementById('stop').click(); \
             (function look() { document.getElementById('stop').disabled ? \
             plumb.bench('mtdf', 1, 1).then(() => done(performance.now() - begun)) : \
             setTimeout(look, 1); })(); })",
        );
        let latency = latency.as_f64().unwrap();
        eprintln!("{backend}: stopped, and another Worker answers, after {latency:.0} ms");
        assert!(latency < 1000.0, "{backend}: {latency} ms");
    }
    // Counts after a stop are no less than those that were told before it.
    choose(&browser, "backend", "mtdf");
    browser.click("#search");
    let seconds = "parseFloat(document.getElementById('counts').textContent.split(' · ').at(-1))";
    wait(&browser, &format!("{seconds} >= 2"));
    let told = browser.value(seconds).as_f64().unwrap();
    browser.click("#stop");
    wait_for_rest(&browser);
    let counted = browser.value(seconds).as_f64().unwrap();
    assert!(counted >= told, "{counted} s after {told} s");
    // A hint shows a move and makes none.
    browser.click("#hint");
    wait(&browser, "document.getElementById('status').textContent.startsWith('Hint: ')");
    wait_for_moves(&browser, 0);
}

#[test]
#[ignore = "needs make web and Chromium"]
fn wrong_input_is_a_sentence_and_what_was_there_stays() {
    let browser = Browser::start(1280, 720);
    open(&browser, "tree", "&game=typed&typed=((3 5) (2 9))");
    assert!(browser.text("#about").starts_with("drawn tree · ((3 5) (2 9))"));
    browser.value("(document.getElementById('tree-typed').value = '((3 5) (2 9)')");
    browser.click("#tree-form button[type=submit]");
    wait(&browser, "document.getElementById('trouble').textContent.startsWith('This tree cannot be drawn')");
    assert!(browser.text("#about").starts_with("drawn tree · ((3 5) (2 9))"));
    assert_eq!(browser.value("document.querySelectorAll('.panel').length"), 3);
    browser.value("(document.getElementById('tree-typed').value = '((3 5) (2 9) (1 1))')");
    browser.click("#tree-form button[type=submit]");
    wait(&browser, "document.getElementById('about').textContent.includes('(1 1)')");
    assert_eq!(browser.value("document.getElementById('trouble').hidden"), true);
    open(&browser, "board", "&moves=e2e4,e7e5");
    browser.value("(document.getElementById('position-details').open = true)");
    browser.value("(document.getElementById('fen').value = 'rnbqkbnr/8/8 w')");
    browser.click("#fen-form button");
    wait(&browser, "document.getElementById('trouble').textContent.includes('FEN')");
    wait_for_moves(&browser, 2);
    // An address that nobody can play.
    open(&browser, "board", "&moves=e2e5");
    wait(&browser, "document.getElementById('trouble').textContent.includes('e2e5')");
    wait_for_moves(&browser, 0);
    for (wrong, shown) in [("ply=abc", "e5"), ("ply=-1", "e5"), ("ply=3", "e5"), ("limit=soon", "e5")] {
        open(&browser, "board", &format!("&moves=e2e4,e7e5&{wrong}"));
        let told = wait_for_text(&browser, "trouble", "The address asks for what there is not: ");
        assert!(told.contains(wrong), "{told}");
        assert_eq!(browser.text("#moves [aria-current]"), shown, "{wrong}");
    }
    // The usual tree is drawn where an address asks for none that there is.
    for (wrong, told) in [
        ("&game=go&backends=fish", "The address asks for what there is not: game=go, backends=fish."),
        ("&game=typed&typed=((1 2)", "This tree cannot be drawn: "),
        ("&depth=deep", "The address asks for what there is not: depth=deep."),
    ] {
        open(&browser, "tree", wrong);
        wait(&browser, "document.querySelectorAll('.panel').length === 3");
        wait_for_text(&browser, "trouble", told);
        assert!(browser.text("#about").starts_with("tree of the report"), "{wrong}");
    }
    // Names that every object of JavaScript has are no views.
    browser.open(&page(), "#view=toString");
    wait_for_text(&browser, "trouble", "The address asks for what there is not: view=toString.");
    // A tree that is refused leaves the moment of the one that is there.
    open(&browser, "tree", "&game=typed&typed=((3 5) (2 9))&moment=step%3D3");
    let moment = "document.getElementById('moment').value";
    assert_eq!(browser.value(moment), "3");
    browser.value("(location.hash = 'view=tree&game=typed&typed=((1 2)&moment=step%3D1')");
    wait_for_text(&browser, "trouble", "This tree cannot be drawn: ");
    assert_eq!(browser.value(moment), "3");
}

#[test]
#[ignore = "needs make web and Chromium"]
fn the_address_brings_back_what_was_shown() {
    let browser = Browser::start(1280, 720);
    open(&browser, "tree", "&game=random&seed=7&depth=3&backends=sss,ins");
    browser.press(&RIGHT.repeat(12));
    wait(&browser, "location.hash.includes('step%3D12')");
    let shown = browser.value("[...document.querySelectorAll('.words')].map(words => words.textContent)");
    let hash = browser.value("location.hash");
    browser.open(&page(), hash.as_str().unwrap());
    wait(&browser, "document.querySelectorAll('.panel').length === 2");
    wait(&browser, "document.querySelector('.panel').dataset.step > 0");
    assert_eq!(
        browser.value("[...document.querySelectorAll('.words')].map(words => words.textContent)"),
        shown
    );
    // The other view, and back: nothing is lost.
    browser.click("#to-board");
    wait(&browser, "document.body.dataset.view === 'board'");
    click_square(&browser, "e2");
    click_square(&browser, "e4");
    wait_for_moves(&browser, 1);
    choose(&browser, "backend", "dual");
    choose(&browser, "limit", "depth:6");
    let hash = browser.value("location.hash").as_str().unwrap().to_owned();
    browser.click("#to-tree");
    wait(&browser, "document.body.dataset.view === 'tree'");
    assert_eq!(browser.value("document.querySelectorAll('.panel').length"), 2);
    wait(&browser, "location.hash.includes('step%3D12')");
    browser.click("#to-board");
    wait(&browser, "document.body.dataset.view === 'board'");
    wait_for_moves(&browser, 1);
    browser.open(&page(), &hash);
    wait_for_moves(&browser, 1);
    let fields = "['backend', 'limit'].map(id => document.getElementById(id).value)";
    assert_eq!(browser.value(fields), json!(["dual", "depth:6"]));
    // No limit and nobody's side are in the address, too; what it does not name is as at first.
    choose(&browser, "limit", "none");
    browser.click("#flip");
    let hash = browser.value("location.hash").as_str().unwrap().to_owned();
    open(&browser, "board", "&moves=e2e4&side=w&level=1500");
    browser.value(&format!("(location.hash = {})", json!(hash)));
    let fields = "['backend', 'limit', 'side', 'level'].map(id => document.getElementById(id).value)";
    wait(&browser, "document.getElementById('backend').value === 'dual'");
    assert_eq!(browser.value(fields), json!(["dual", "none", "none", "full"]));
    assert_eq!(browser.value("document.querySelector('#chess .squares button').dataset.square"), "h1");
}

#[test]
#[ignore = "needs make web and Chromium"]
fn a_view_that_is_hidden_leaves_the_other_one_alone() {
    let browser = Browser::start(1280, 720);
    open(&browser, "board", "&moves=e2e4");
    // A move back is under way when the other view is opened: the address is that of the tree.
    browser.value(
        "(document.getElementById('earlier').click(), document.getElementById('to-tree').click(), \
         plumb.position({}).then(() => plumb.position({})))",
    );
    wait(&browser, "document.body.dataset.view === 'tree'");
    assert_eq!(browser.value("location.hash.startsWith('#view=tree')"), true);
    // Nobody plays a tree on that is not seen.
    browser.click("#play");
    browser.click("#to-board");
    wait(&browser, "document.body.dataset.view === 'board'");
    wait(&browser, "document.getElementById('play').textContent === '▶'");
    // A drag ends when the board goes.
    let pointer = |target: &str, kind: &str, at: u32| {
        browser.value(&format!(
            "{target}.dispatchEvent(new PointerEvent('{kind}', {{ bubbles: true, button: 0, clientX: {at}, \
             clientY: {at} }}))"
        ))
    };
    click_square(&browser, "e2");
    pointer("document.querySelector('[data-square=\"d2\"]')", "pointerdown", 300);
    pointer("window", "pointermove", 350);
    assert_eq!(browser.value("document.querySelectorAll('.dragged').length"), 1);
    browser.click("#to-tree");
    wait(&browser, "document.body.dataset.view === 'tree'");
    pointer("window", "pointermove", 360);
    assert_eq!(browser.value("document.querySelectorAll('.dragged, #chess [transform]').length"), 0);
    let ids = "[...document.querySelectorAll('[id]')].map(part => part.id)";
    let twice = format!("{ids}.filter((id, at, all) => all.indexOf(id) !== at)");
    assert_eq!(browser.value(&twice), json!([]));
}

#[test]
#[ignore = "needs make web and Chromium"]
fn everything_works_by_the_keyboard_alone_and_has_a_label() {
    let browser = Browser::start(1280, 720);
    open(&browser, "board", "");
    // To the board: the one square that the tabulator reaches.
    for _ in 0..12 {
        browser.press(TAB);
        if browser.value("document.activeElement.dataset.square ?? ''") != "" {
            break;
        }
    }
    assert_eq!(browser.value("document.activeElement.dataset.square"), "e2");
    browser.press(&[ENTER, UP, UP, ENTER].concat());
    wait_for_moves(&browser, 1);
    assert_eq!(browser.value("document.activeElement.getAttribute('aria-label')"), "e4, white pawn");
    for view in ["board", "tree"] {
        open(&browser, view, "");
        let nameless = browser.value(
            "[...document.querySelectorAll('button, input, select, textarea, summary, a, \
             [role=button]')].filter(e => \
             e.checkVisibility() && !(e.getAttribute('aria-label') || e.textContent.trim() || e.title || \
             e.labels?.length)).map(e => e.outerHTML)",
        );
        assert_eq!(nameless, json!([]), "{view}");
    }
    browser.press(RIGHT);
    wait(&browser, "document.querySelector('.words').textContent.startsWith('Pass 1')");
    // Escape closes the menu, and leaves the focus on it.
    browser.click(".menu summary");
    assert_eq!(browser.value("document.querySelector('.menu').open"), true);
    browser.press(&[TAB, ESCAPE].concat());
    assert_eq!(browser.value("document.querySelector('.menu').open"), false);
    assert_eq!(browser.value("document.activeElement.tagName"), "SUMMARY");
    // Moves that are not drawn are a button, and the focus stays at their node.
    open(&browser, "tree", "&game=chess&depth=2");
    assert_eq!(browser.value("document.querySelectorAll('.hidden-moves:not([tabindex])').length"), 0);
    let shown = browser.value("document.querySelectorAll('.node').length").as_u64().unwrap();
    browser.value("document.querySelector('.hidden-moves').focus()");
    browser.press(ENTER);
    assert!(browser.value("document.querySelectorAll('.node').length").as_u64().unwrap() > shown);
    assert_eq!(browser.value("document.activeElement.classList.contains('node')"), true);
    // A pawn becomes a queen, or not: the focus stays on its square.
    open(&browser, "board", "&fen=8/P6k/8/8/8/8/8/K7 w - - 0 1");
    browser.value("document.querySelector('[data-square=\"a7\"]').focus()");
    browser.press(&[ENTER, UP, ENTER].concat());
    wait(&browser, "document.activeElement.closest('.promotion') !== null");
    browser.press(ESCAPE);
    assert_eq!(browser.value("document.activeElement.dataset.square"), "a7");
    browser.press(&[ENTER, UP, ENTER, ENTER].concat());
    wait_for_moves(&browser, 1);
    assert_eq!(browser.value("document.activeElement.dataset.square"), "a8");
}

#[test]
#[ignore = "needs make web and Chromium"]
fn nothing_is_wider_than_the_window_said_on_the_console_or_asked_of_the_network() {
    let browser = Browser::start(1280, 720);
    for (width, height, dark) in [(1280, 720, false), (390, 844, false), (390, 844, true), (1280, 720, true)]
    {
        browser.show_as(width, height, dark);
        for (view, rest) in
            [("tree", "&game=othello&backends=mtdf,sss,ins"), ("board", "&moves=e2e4&limit=depth:10")]
        {
            open(&browser, view, rest);
            if view == "board" {
                browser.click("#search");
                wait(&browser, "document.getElementById('stop').disabled");
                browser.value("(document.getElementById('position-details').open = true)");
            }
            let wide = browser.value("document.documentElement.scrollWidth").as_u64().unwrap();
            assert!(wide <= u64::from(width), "{view}: {wide} pixels in a window of {width}");
            let name = format!("{view}-{width}-{}", if dark { "dark" } else { "light" });
            browser.value("scrollTo(0, 0)");
            browser.screenshot(&name);
            let asked = "performance.getEntriesByType('resource').map(entry => entry.name)";
            assert_eq!(browser.value(asked), json!([]), "{name}");
        }
    }
    assert_eq!(browser.console(), Vec::<String>::new());
}

#[test]
#[ignore = "needs make web and Chromium"]
fn the_first_tree_is_there_soon_and_the_page_is_small() {
    let browser = Browser::start(1280, 720);
    browser.show_as(1280, 720, false);
    open(&browser, "tree", "");
    let shown = browser.value("performance.getEntriesByName('shown')[0].startTime").as_f64().unwrap();
    let size = std::fs::metadata(page()).unwrap().len();
    eprintln!("the first tree after {shown:.0} ms; {size} bytes");
    assert!(shown < 5000.0, "on a busy machine: {shown} ms");
    assert!(size <= 4_500_000, "{size} bytes");
    open(&browser, "tree", "&moment=step%3D40");
    wait(&browser, "document.querySelector('.panel').dataset.step > 0");
    browser.screenshot("browser");
    let lowest = "Math.max(...[...document.querySelectorAll('.panel:not([hidden]) .node')].map(node => \
                  node.getBoundingClientRect().bottom))";
    let lowest = browser.value(lowest).as_f64().unwrap();
    assert!(lowest < 720.0, "a node ends at {lowest} pixels");
}

#[test]
#[ignore = "needs make web and Chromium"]
fn every_backend_counts_in_the_browser_what_it_counts_here() {
    let browser = Browser::start(1280, 720);
    open(&browser, "tree", "");
    for backend in Backend::ALL {
        let name = backend.alias();
        // Best-first searches end with their memory, which is the machine's, and not with a depth.
        let (depth, positions) = if backend.is_driver() { (5, 4) } else { (3, 1) };
        let here = plumb_web::bench(name, depth, positions).unwrap();
        assert_eq!(
            browser.value(&format!("plumb.bench('{name}', {depth}, {positions})")),
            json!(here),
            "{name}"
        );
    }
    let request = json!({ "game": "othello", "backends": "mtdf,ins" });
    let here: Value = serde_json::from_str(&plumb_web::tree(&request.to_string()).unwrap()).unwrap();
    assert_eq!(browser.value(&format!("plumb.tree({request})")), here);
    is_in_the_docs(&browser, "`plumb.html` from a disk, every backend", "the native counts and records");
}

fn is_in_the_docs(browser: &Browser, run: &str, seen: &str) {
    Seen { program: "Chromium", version: browser.version(), direction: "runs", run, seen }.is_in_the_docs();
}

/// Answers one request for a file of a folder; `page` is the first page.
fn answer_request(mut stream: TcpStream, folder: &Path, page: &str) {
    let mut line = String::new();
    let _ = BufReader::new(&stream).read_line(&mut line);
    let name = line.split(' ').nth(1).unwrap_or("/").trim_start_matches('/');
    let kind = match name.rsplit('.').next() {
        Some("js") => "text/javascript",
        Some("wasm") => "application/wasm",
        _ => "text/html",
    };
    let body = if name.is_empty() { Some(page.into()) } else { std::fs::read(folder.join(name)).ok() };
    let (status, body) = body.map_or(("404 Not Found", Vec::new()), |body| ("200 OK", body));
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
}

/// Serves a folder over HTTP as long as the test runs; its port. Browsers open connections before they need
/// them, so each has a thread of its own.
fn serve(folder: PathBuf, page: &'static str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let folder = folder.clone();
            std::thread::spawn(move || answer_request(stream, &folder, page));
        }
    });
    port
}

/// A page of another, with Plumb by its modules.
const PAGE_OF_ANOTHER: &str = "<!DOCTYPE html><link rel=\"icon\" href=\"data:,\"><script type=\"module\">\n\
    import { Plumb } from \"./plumb.js\";\n\
    window.plumb = new Plumb(() => new Worker(\"./plumb_worker.js\", { type: \"module\" }));\n\
    </script>";

#[test]
#[ignore = "needs make web and Chromium"]
fn without_the_webassembly_a_question_is_refused() {
    let folder = std::env::temp_dir().join(format!("plumb-without-webassembly-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for name in ["plumb.js", "plumb_worker.js", "plumb_web.js"] {
        std::fs::copy(page().with_file_name("web").join(name), folder.join(name)).unwrap();
    }
    let port = serve(folder.clone(), PAGE_OF_ANOTHER);
    let browser = Browser::start(800, 600);
    browser.value(&format!("location.assign('http://127.0.0.1:{port}/')"));
    wait(&browser, "window.plumb !== undefined");
    let told = browser.value("plumb.position({}).catch(error => error.message)");
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(told.as_str().unwrap().starts_with("Plumb cannot be loaded: "), "{told}");
}

#[test]
#[ignore = "needs make web and Chromium"]
fn pages_of_others_search_by_the_modules() {
    let port = serve(page().with_file_name("web"), PAGE_OF_ANOTHER);
    let browser = Browser::start(800, 600);
    browser.value(&format!("location.assign('http://127.0.0.1:{port}/')"));
    wait(&browser, "window.plumb !== undefined");
    let answer = browser.value("plumb.search({ moves: ['e2e4'], backend: 'sss', depth: 5 })");
    assert_eq!((&answer["depth"], &answer["stopped"]), (&json!(5), &json!(false)), "{answer}");
    // A search without a limit: stopped, its answer is the last line; another one begins.
    let script = "(async () => { let lines = 0; \
                  const found = plumb.search({}, e => e.event === 'line' && ++lines === 5 && plumb.stop()); \
                  return [await found, await plumb.position({})]; })()";
    let answers = browser.value(script);
    assert_eq!((&answers[0]["stopped"], &answers[1]["turn"]), (&json!(true), &json!("w")), "{answers}");
    assert!(answers[0]["best"].is_string(), "{answers}");
    let runs =
        browser.value("plumb.trace({ backends: 'mtdf,dual', depth: 3 }).then(found => found.runs.length)");
    assert_eq!(runs, json!(2));
    let told = browser.value("plumb.tree({ game: 'go' }).catch(error => error.message)");
    assert!(told.as_str().unwrap().contains("'go' is no game"), "{told}");
    assert_eq!(browser.console(), Vec::<String>::new());
    let run = "the modules over HTTP, from a page of our own: `search`, `trace`, `tree`, `stop`";
    is_in_the_docs(&browser, run, "answers and errors as documented, no message on the console");
}
