//! `plumb trace --tree`: the record, the report's figures, and the page in a browser.

use crate::common::browser::Browser;
use crate::common::compatibility::Seen;
use crate::common::program::{Folder, run, wait_until};
use serde_json::Value;
use std::collections::HashSet;

/// Runs `plumb trace --tree` with more arguments; the page is `page.html` in the folder. Returns the record.
fn record(folder: &Folder, arguments: &[&str]) -> Value {
    let (json, page) = (folder.path("record.json"), folder.path("page.html"));
    let common = ["trace", "--json", &json, "-o", &page, "--tree"];
    let (_, text, code) = run(&[&common, arguments].concat());
    assert_eq!(code, 0, "{arguments:?}: {text}");
    serde_json::from_str(&folder.text("record.json")).unwrap()
}

fn run_of<'a>(record: &'a Value, alias: &str) -> &'a Value {
    let runs = record["runs"].as_array().unwrap();
    runs.iter().find(|run| run["alias"] == alias).unwrap_or_else(|| panic!("{alias} did not run"))
}

/// The events of each pass.
fn passes(run: &Value) -> Vec<Vec<&Value>> {
    let mut passes: Vec<Vec<&Value>> = Vec::new();
    for event in run["events"].as_array().unwrap() {
        if event[0] == "pass" {
            passes.push(Vec::new());
        }
        passes.last_mut().unwrap().push(event);
    }
    passes
}

/// Names and bounds that the figures print beside the nodes of a pass, in the order in which the visits end.
fn bounds(record: &Value, pass: &[&Value]) -> Vec<String> {
    let name = |event: &Value| record["nodes"]["name"][event[1].as_u64().unwrap() as usize].as_str().unwrap();
    let values = pass.iter().filter(|event| event[0] == "value");
    values.map(|event| format!("{}{}{}", name(event), event[3].as_str().unwrap(), event[2])).collect()
}

/// The passes of SSS* on the tree of the report, as its text tells them.
const FIGURES: [&str; 4] = [
    "e=41 d<=41 g=12 f<=12 c<=41 b<=41 k=34 j<=34 m=36 l<=36 i<=36 h<=36 a<=41",
    "e>=41 n=5 d<=5 f<=12 c<=12 b<=12 h<=36 a<=36",
    "b<=12 j<=34 m>=36 o=35 l<=35 i<=35 h<=35 a<=35",
    "b<=12 j<=34 m>=36 o>=35 l>=35 i>=35 r=50 s=36 q>=36 p>=36 h>=35 a>=35",
];

#[test]
fn sss_star_makes_the_passes_of_figures_4_to_7() {
    let folder = Folder::new("figures");
    let record = record(&folder, &["report"]);
    let sss = run_of(&record, "sss");
    let passes = passes(sss);
    let found: Vec<String> = passes.iter().map(|pass| bounds(&record, pass).join(" ")).collect();
    assert_eq!(found, FIGURES);
    let returned: Vec<&Value> = passes.iter().map(|pass| &pass.last().unwrap()[1]).collect();
    assert_eq!(returned, [41, 36, 35, 35]);
    assert_eq!((&sss["value"], &sss["counts"]["leaf"]), (&Value::from(35), &Value::from(8)));
}

#[test]
fn requests_that_cannot_be_drawn_are_errors_with_a_reason() {
    let folder = Folder::new("errors");
    let page = folder.path("page.html");
    for (arguments, code, word) in [
        (&["trace", "--tree", "go"][..], 2, "known: report"),
        (&["trace", "--tree", "((1 2)"], 2, "parentheses"),
        (&["trace", "--tree", "(1 2000)"], 2, "2000"),
        (&["trace", "--tree", "8/8/8 w"], 2, "plumb:"),
        (&["trace", "--tree", "report", "--mode", "play"], 2, "chess"),
        (&["trace", "--tree", "--backends", "best-first"], 2, "without passes"),
        (&["trace", "--tree", "chess", "--backends", "ins"], 2, "not in chess"),
        (&["trace", "--tree", "othello", "a1"], 2, "Othello"),
        (&["trace", "--tree", "checkers", "x"], 2, "checkers"),
        (&["trace", "--json", "x.json"], 2, "--tree"),
        (&["trace", "--tree", "random", "--width", "50", "--depth", "50"], 1, "--visits"),
        (&["trace", "--tree", "chess", "--depth", "9"], 1, "--visits"),
        (&["trace", "--tree", "-o", "/no/such/folder/page.html"], 1, "/no/such/folder"),
    ] {
        let (_, text, found) =
            run(&[arguments, &["-o", &page][..if arguments.contains(&"-o") { 0 } else { 2 }]].concat());
        assert_eq!(found, code, "{arguments:?}: {text}");
        assert!(text.contains(word), "{arguments:?}: {text}");
    }
}

#[test]
fn the_page_loads_nothing() {
    let folder = Folder::new("alone");
    record(&folder, &["chess", "--depth", "2", "--mode", "play"]);
    let html = folder.text("page.html");
    assert!(html.starts_with("<!DOCTYPE html>") && html.trim_end().ends_with("</html>"));
    for word in ["src=", "href=", "@import", "url(", "fetch(", "XMLHttpRequest"] {
        assert!(!html.contains(word), "{word}");
    }
    assert_eq!(html.matches("http").count(), html.matches("http://www.w3.org/2000/svg").count());
}

/// WebDriver's code points of keys.
const HOME: &str = "\u{e011}";
const END: &str = "\u{e010}";
const RIGHT: &str = "\u{e014}";
const LEFT: &str = "\u{e012}";

/// Names and bounds of the nodes that a panel shows as visited in this pass.
fn drawn(browser: &Browser, alias: &str) -> HashSet<String> {
    let script = format!(
        "[...document.querySelectorAll('.panel[data-driver=\"{alias}\"] g.node')].filter(g => \
         /fresh|again|table/.test(g.getAttribute('class'))).map(g => (g.querySelector('.name')?.textContent \
         ?? '') + g.querySelector('.label').textContent)"
    );
    let names: Vec<String> = serde_json::from_value(browser.value(&script)).unwrap();
    names.into_iter().collect()
}

fn step(browser: &Browser, alias: &str) -> i64 {
    let script = format!("document.querySelector('.panel[data-driver=\"{alias}\"]').dataset.step");
    browser.value(&script).as_str().unwrap().parse().unwrap()
}

fn words(browser: &Browser, alias: &str) -> String {
    browser.text(&format!(".panel[data-driver=\"{alias}\"] .words"))
}

/// The counts of a panel equal those of the search.
fn assert_counts(browser: &Browser, record: &Value, alias: &str) {
    let counts = &run_of(record, alias)["counts"];
    for kind in ["passes", "leaf", "interior", "table", "quiescence"] {
        let shown = browser.text(&format!(".panel[data-driver=\"{alias}\"] [data-count=\"{kind}\"]"));
        assert_eq!(shown, counts[kind].to_string(), "{alias}: {kind}");
    }
}

#[test]
#[ignore = "needs Chromium with chromedriver"]
fn the_page_steps_jumps_and_switches_drivers_in_a_browser() {
    let folder = Folder::new("browser");
    let record = record(&folder, &["report"]);
    let browser = Browser::start(1400, 1000);
    let page = folder.join("page.html");
    browser.open(&page, "");
    assert_eq!(browser.value("document.body.dataset.ready"), "true");
    assert_eq!(words(&browser, "mtdf"), "Before the first pass.");
    // Buttons and keys: forward, back.
    browser.click("#forward");
    assert!(words(&browser, "sss").starts_with("Pass 1: at least +∞?"), "{}", words(&browser, "sss"));
    browser.press(&RIGHT.repeat(3));
    assert_eq!(step(&browser, "sss"), 4);
    browser.press(LEFT);
    browser.click("#back");
    assert_eq!(step(&browser, "sss"), 2);
    assert_eq!(browser.value("document.querySelectorAll('#list li').length"), 2);
    // The end: the page has counted what the searches have counted.
    browser.press(END);
    for alias in ["mtdf", "sss", "negascout"] {
        assert_counts(&browser, &record, alias);
        let finished = browser.text(&format!(".panel[data-driver=\"{alias}\"] .finished"));
        assert!(finished.contains("finished: 35"), "{alias}: {finished}");
    }
    // A jump to a pass, and the figures, pass for pass: each as it is just before the next begins.
    browser.press(HOME);
    for (pass, figure) in FIGURES.iter().enumerate() {
        browser.click(&format!(".panel[data-driver=\"sss\"] .passes button[data-pass=\"{}\"]", pass + 1));
        assert!(words(&browser, "sss").starts_with(&format!("Pass {}: ", pass + 1)));
        browser.click("#after");
        if pass + 1 < FIGURES.len() {
            browser.click("#back");
        }
        let shown = drawn(&browser, "sss");
        for bound in figure.split(' ') {
            let name = &bound[..1];
            let value = bound.trim_start_matches(|letter: char| !letter.is_ascii_digit());
            let found = shown.iter().find(|shown| shown.starts_with(name));
            assert!(
                found.is_some_and(|found| found.ends_with(value)),
                "pass {}: {bound}: {shown:?}",
                pass + 1
            );
        }
        assert_eq!(shown.len(), figure.split(' ').count(), "pass {}: {shown:?}", pass + 1);
    }
    // One driver alone, and a link to a moment.
    browser.click(".driver[data-run=\"1\"]");
    let hidden = "document.querySelector('.panel[data-driver=\"sss\"]').hidden";
    assert_eq!(browser.value(hidden), true);
    browser.open(&page, "#driver=sss&pass=3");
    assert!(words(&browser, "sss").starts_with("Pass 3: at least 36?"), "{}", words(&browser, "sss"));
    // Playing ends at the end.
    browser.value(
        "(document.getElementById('speed').value = '16', \
    document.getElementById('speed').dispatchEvent(new Event('change')))",
    );
    browser.click("#play");
    wait_until("the end", || browser.text("#play") == "▶");
    assert_counts(&browser, &record, "sss");
    // What MTD-best finds is a bound, and the page says so.
    let best = self::record(&folder, &["report", "--backends", "mtd-best"]);
    browser.open(&page, "#step=9999");
    let run = run_of(&best, "mtd-best");
    let sign = run["relation"].as_str().unwrap().replace(">=", "≥").replace("<=", "≤");
    let wanted = format!("finished: {sign} {}, move ", run["value"]);
    assert!(browser.text(".finished").contains(&wanted), "{}: {wanted}", browser.text(".finished"));
    assert!(browser.text("#results td:nth-child(2)").starts_with(&sign));
    let seen = Seen {
        program: "Chromium",
        version: browser.version(),
        direction: "writes",
        run: "the page of `plumb trace --tree`: steps, jumps, drivers, addresses",
        seen: "the counts of the searches, the bounds of the report's figures",
    };
    seen.is_in_the_docs();
}

/// Events of all runs.
fn events(record: &Value) -> usize {
    record["runs"].as_array().unwrap().iter().map(|run| run["events"].as_array().unwrap().len()).sum()
}

#[test]
#[ignore = "needs Chromium with chromedriver"]
fn a_page_of_20_000_events_opens_and_steps_without_delay_in_a_browser() {
    let folder = Folder::new("large");
    let arguments = ["chess", "--depth", "6", "--mode", "play", "--backends", "mtdf,negascout,mtd-step"];
    let record = record(&folder, &arguments);
    assert!(events(&record) > 20_000, "{} events", events(&record));
    let browser = Browser::start(1400, 1000);
    let before = browser.processor_time();
    browser.open(&folder.join("page.html"), "");
    let open = browser.processor_time() - before;
    let steps = 50.0;
    for _ in 0..50 {
        browser.value("document.getElementById('forward').click()");
    }
    let step = (browser.processor_time() - before - open) / steps;
    eprintln!("{} events: opened in {open:.0} ms, {step:.0} ms a step (processor time)", events(&record));
    // In units of a fixed calculation in the same browser, which takes some 50 ms.
    let before = browser.processor_time();
    browser.value("(() => { let x = 1; for (let i = 0; i < 5e7; i++) x = x * 31 + i | 0; return x; })()");
    let unit = browser.processor_time() - before;
    assert!(open < 40.0 * unit && step < 2.0 * unit, "opened in {open} ms, {step} ms a step; unit {unit} ms");
    browser.press(END);
    for alias in ["mtdf", "negascout", "mtd-step"] {
        assert_counts(&browser, &record, alias);
    }
    let reasons = browser.text("#reasons");
    for word in ["N null move", "R reverse futility", "F futility", "L late move", "T answered by the table"]
    {
        assert!(reasons.contains(word), "{word}: {reasons}");
    }
}

#[test]
#[ignore = "needs Chromium with chromedriver"]
fn a_large_tree_is_folded_and_opens_on_a_click_in_a_browser() {
    let folder = Folder::new("folded");
    record(&folder, &["checkers", "--depth", "5"]);
    let browser = Browser::start(1400, 1000);
    browser.open(&folder.join("page.html"), "#driver=sss");
    browser.press(END);
    browser.click("#follow");
    let nodes = "document.querySelectorAll('.panel[data-driver=\"sss\"] g.node').length";
    let shown = browser.value(nodes).as_u64().unwrap();
    assert!((10..200).contains(&shown), "{shown} nodes are shown");
    browser.value(
        "document.querySelector('.panel[data-driver=\"sss\"] g.node[aria-expanded=\"false\"]')\
         .dispatchEvent(new MouseEvent('click', { bubbles: true }))",
    );
    let opened = browser.value(nodes).as_u64().unwrap();
    assert!(opened > shown);
    assert!(browser.text("#node").contains("to move"));
    // The keys do the same: Enter on the focused node, which is open now, folds it again; it keeps the focus.
    browser.value("document.querySelector('.panel[data-driver=\"sss\"] g.node.chosen').focus()");
    browser.press("\u{e007}");
    assert_eq!(browser.value(nodes).as_u64().unwrap(), shown);
    assert_eq!(browser.value("document.activeElement.classList.contains('chosen')"), true);
    browser.press("\u{e00c}");
    assert_eq!(browser.text("#node"), "Choose a node of a tree.", "Escape leaves the node");
}

#[test]
#[ignore = "needs Chromium with chromedriver"]
fn no_page_is_wider_than_its_window_in_a_browser() {
    let chess = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5";
    let moments: [(&str, &[&str], &str); 4] = [
        ("report-pass-2", &["report"], "#driver=sss&pass=2"),
        ("report-end", &["report"], "#step=9999&lead=sss"),
        ("othello", &["othello", "--depth", "4"], "#driver=sss&pass=3"),
        ("chess", &["chess", chess, "--depth", "4", "--mode", "play"], "#driver=mtdf&pass=15"),
    ];
    let folder = Folder::new("widths");
    let browser = Browser::start(1400, 1000);
    for (name, arguments, fragment) in moments {
        record(&folder, arguments);
        for (width, dark) in [(1400, false), (1280, false), (400, true)] {
            browser.show_as(width, 1000, dark);
            browser.open(&folder.join("page.html"), fragment);
            browser.value("document.querySelector('.controls').scrollIntoView()");
            let wide = browser.value("document.documentElement.scrollWidth").as_u64().unwrap();
            assert!(wide <= u64::from(width), "{name}: {wide} pixels in a window of {width}");
            let shown = browser.value("document.querySelectorAll('.panel:not([hidden])').length");
            assert_eq!(shown, if width > 1000 { 3 } else { 1 }, "{name}");
            for _ in 0..8 {
                browser.press(RIGHT);
            }
            browser.screenshot(&format!("{name}-{width}"));
        }
    }
}

/// Number of elements that a selector finds.
fn count(browser: &Browser, selector: &str) -> u64 {
    browser.value(&format!("document.querySelectorAll('{selector}').length")).as_u64().unwrap()
}

#[test]
#[ignore = "needs Chromium with chromedriver"]
fn the_board_of_the_chosen_node_is_shown_in_a_browser() {
    let folder = Folder::new("boards");
    let browser = Browser::start(1280, 1000);
    // The game, its men at the start, men after a move of the root, and the squares that the move changes.
    for (game, men, after, changed) in [("chess", 32, 32, 2), ("othello", 4, 5, 2), ("checkers", 24, 24, 2)] {
        let record = record(&folder, &[game, "--depth", "2"]);
        let alone = "#driver=sss&node=0";
        browser.open(&folder.join("page.html"), alone);
        assert_eq!(count(&browser, "#board use"), men, "{game}");
        assert_eq!(count(&browser, "#board .changed"), 0, "{game}");
        assert_eq!(browser.text("#shown"), "the root");
        browser.open(&folder.join("page.html"), "#driver=sss&node=1");
        assert_eq!(count(&browser, "#board use"), after, "{game}");
        assert_eq!(count(&browser, "#board .changed"), changed, "{game}");
        assert_eq!(browser.text("#shown"), record["nodes"]["move"][1].as_str().unwrap());
        assert_eq!(count(&browser, "#board .turn:not([hidden])"), 1, "{game}: one side is to move");
        // Without a chosen node the board follows the search.
        browser.open(&folder.join("page.html"), "#driver=sss");
        for _ in 0..4 {
            browser.press(RIGHT);
        }
        assert!(browser.text("#shown").starts_with("the last visit: "), "{game}");
        browser.screenshot(&format!("board-{game}"));
    }
    record(&folder, &["report"]);
    browser.open(&folder.join("page.html"), "");
    assert_eq!(count(&browser, "#board"), 0, "a tree without a board");
}

#[test]
#[ignore = "needs Chromium with chromedriver"]
fn fit_shows_the_whole_drawing_in_a_browser() {
    let folder = Folder::new("fit");
    record(&folder, &["chess", "--depth", "3"]);
    let browser = Browser::start(1280, 1000);
    let page = folder.join("page.html");
    browser.open(&page, "#step=200");
    let beyond = "[...document.querySelectorAll('.panel:not([hidden]) .canvas')].map(c => \
    Math.max(c.scrollWidth - c.clientWidth, c.scrollHeight - c.clientHeight))";
    let beyond = || -> Vec<i64> { serde_json::from_value(browser.value(beyond)).unwrap() };
    assert!(beyond().iter().all(|&pixels| pixels <= 0), "{:?}", beyond());
    assert_eq!(browser.value("document.getElementById('fit').getAttribute('aria-pressed')"), "true");
    browser.screenshot("fit");
    browser.click("#fit");
    assert!(
        beyond().iter().any(|&pixels| pixels > 100),
        "in full size it is larger than its panel: {:?}",
        beyond()
    );
    browser.press("0");
    assert!(beyond().iter().all(|&pixels| pixels <= 0), "{:?}", beyond());
    browser.open(&page, "#step=200&fit=0");
    assert!(beyond().iter().any(|&pixels| pixels > 100), "{:?}", beyond());
}

#[test]
#[ignore = "needs Chromium with chromedriver"]
fn three_trees_are_seen_at_once_in_1280_by_720_pixels_in_a_browser() {
    let folder = Folder::new("at-once");
    let browser = Browser::start(1280, 720);
    browser.show_as(1280, 720, false);
    for arguments in [&["report"][..], &["random"], &["othello"], &["chess", "--depth", "3"]] {
        record(&folder, arguments);
        browser.open(&folder.join("page.html"), "#step=30");
        let lowest = "Math.max(...[...document.querySelectorAll('.panel:not([hidden]) .node')].map(node => \
                      node.getBoundingClientRect().bottom))";
        let lowest = browser.value(lowest).as_f64().unwrap();
        assert!(lowest < 720.0, "{arguments:?}: a node ends at {lowest} pixels");
        assert_eq!(browser.value("document.querySelector('.lead').open"), false);
    }
}

/// The lines of a panel's pseudocode that are marked.
fn marked(browser: &Browser, alias: &str) -> Vec<String> {
    let script = format!(
        "[...document.querySelectorAll('.panel[data-driver=\"{alias}\"] .code [aria-current]')].map(line => \
         line.textContent.trim())"
    );
    serde_json::from_value(browser.value(&script)).unwrap()
}

#[test]
#[ignore = "needs Chromium with chromedriver"]
fn every_step_marks_a_line_of_the_pseudocode_of_its_driver_in_a_browser() {
    let folder = Folder::new("code");
    let browser = Browser::start(1280, 1000);
    let page = folder.join("page.html");
    record(&folder, &["report", "--backends", "mtdf,ins"]);
    browser.open(&page, "#driver=mtdf");
    assert_eq!(marked(&browser, "mtdf"), ["f− ← −∞, f+ ← +∞, f ← the guess"]);
    browser.press(RIGHT);
    assert_eq!(marked(&browser, "mtdf"), ["b ← f, or f− + 1 where f = f−"]);
    browser.press(END);
    assert_eq!(marked(&browser, "mtdf"), ["until f− and f+ meet:", "if f ≥ b: f− ← f"]);
    assert!(marked(&browser, "ins").contains(&"return f".to_owned()), "{:?}", marked(&browser, "ins"));
    // Steps in the middle stand in the loop, and in the search of a node.
    for arguments in [
        &["random", "--ordered", "40", "--backends", "ins,alphabeta,negascout"][..],
        &["chess", "--depth", "4", "--mode", "play", "--backends", "mtdf,mtd-best,bns"],
        &["othello", "--backends", "dual,mtd-bi,mtd-step"],
    ] {
        record(&folder, arguments);
        browser.open(&page, "");
        for step in 1..80 {
            browser.press(RIGHT);
            for alias in arguments[arguments.len() - 1].split(',') {
                let lines = marked(&browser, alias);
                assert!(!lines.is_empty(), "{arguments:?}: step {step}: {alias}: {}", words(&browser, alias));
            }
        }
    }
}

#[test]
#[ignore = "needs Chromium with chromedriver"]
fn leaves_have_grey_values_until_they_are_visited_in_a_browser() {
    let folder = Folder::new("leaves");
    let record = record(&folder, &["report"]);
    let browser = Browser::start(1280, 1000);
    browser.open(&folder.join("page.html"), "#driver=sss");
    let panel = ".panel[data-driver=\"sss\"]";
    let leaves =
        record["nodes"]["leaf"].as_array().unwrap().iter().filter(|leaf| !leaf.is_null()).count() as u64;
    assert_eq!(count(&browser, &format!("{panel} .label.ahead")), leaves);
    // Leaf e of the figures is worth 41.
    let e = record["nodes"]["name"].as_array().unwrap().iter().position(|name| name == "e").unwrap();
    let label = format!("{panel} g.node[data-node=\"{e}\"] .label");
    assert_eq!(browser.text(&label), "41");
    let colours = format!(
        "[document.querySelector('{label}'), document.querySelector('{panel} .words')].map(part => \
         getComputedStyle(part).color)"
    );
    let colours: Vec<String> = serde_json::from_value(browser.value(&colours)).unwrap();
    assert_ne!(colours[0], colours[1]);
    browser.press(END);
    assert_eq!(browser.text(&label), "=41");
    assert_eq!(count(&browser, &format!("{panel} .label.ahead")), leaves - 8, "SSS* visits eight leaves");
}

/// The answers that the page offers.
fn answers(browser: &Browser) -> Vec<String> {
    let script =
        "[...document.querySelectorAll('#answers button')].map(button => button.lastChild.textContent)";
    serde_json::from_value(browser.value(script)).unwrap()
}

/// Gives an answer by its text.
fn answer(browser: &Browser, text: &str) {
    let given = answers(browser);
    let index = given.iter().position(|one| one == text);
    let index =
        index.unwrap_or_else(|| panic!("'{text}' is no answer of {given:?}: {}", browser.text("#asked")));
    browser.press(&char::from(b'a' + index as u8).to_string());
}

#[test]
#[ignore = "needs Chromium with chromedriver"]
fn the_page_asks_what_the_search_does_next_and_keeps_the_score_in_a_browser() {
    let folder = Folder::new("questions");
    record(&folder, &["report", "--backends", "sss"]);
    let browser = Browser::start(1280, 1000);
    let page = folder.join("page.html");
    browser.open(&page, "");
    assert_eq!(browser.value("document.getElementById('question').hidden"), true);
    let chips = "[...document.querySelectorAll('.passes button')].map(chip => chip.textContent)";
    assert_eq!(browser.value(&format!("{chips}[1]")), "2: ≥41?");
    browser.click("#ask");
    // What later passes ask, and the results, would be the answers.
    assert_eq!(browser.value(&format!("{chips}.join()")), "1,2,3,4");
    assert_eq!(browser.value("document.getElementById('results').open"), false);
    // The first pass of SSS*, as figure 4 has it: it asks for infinity, and searches all moves of MAX.
    assert!(browser.text("#asked").contains("What does it ask?"));
    answer(&browser, "at least +∞?");
    assert!(browser.text("#feedback").starts_with("Right: at least +∞?"), "{}", browser.text("#feedback"));
    for node in ["b", "c", "d", "e"] {
        answer(&browser, &format!("searches {node}"));
        assert!(browser.text("#feedback").starts_with("Right"), "{node}: {}", browser.text("#feedback"));
    }
    assert_eq!(browser.text("#score"), "Score: 5 of 5 right.");
    // MIN node d: one leaf below infinity is enough. A wrong answer is corrected, and counts.
    browser.screenshot("question");
    let wrong = answers(&browser).into_iter().find(|one| one.starts_with("searches")).unwrap();
    answer(&browser, &wrong);
    let feedback = browser.text("#feedback");
    assert!(
        feedback.starts_with(&format!("Not “{wrong}” but “cuts off")) && feedback.contains("d ≤ 41"),
        "{feedback}"
    );
    assert_eq!(browser.text("#score"), "Score: 5 of 6 right.");
    // The same question again does not count again.
    browser.press(LEFT);
    answer(&browser, "cuts off: it searches no other move");
    assert_eq!(browser.text("#score"), "Score: 5 of 6 right.");
    // To the end, with the first answer to each question.
    for asked in 7.. {
        assert!(asked < 200);
        if browser.text("#asked") == "The search is over." {
            break;
        }
        assert!((2..=5).contains(&answers(&browser).len()));
        browser.press("a");
        assert!(
            browser.text("#score").ends_with(&format!(" of {asked} right.")),
            "{}",
            browser.text("#score")
        );
    }
    assert!(browser.text(".panel .finished").contains("finished: 35"));
    // A bound that a node returns after all its moves: c of the second pass, f <= 12 and d <= 5.
    browser.open(&page, "#driver=sss&pass=2&ask=1");
    let steps = (0..40).find(|_| {
        browser.press(RIGHT);
        browser.text("#asked").starts_with("c (MAX)")
    });
    assert!(steps.is_some(), "no question about what c returns");
    assert!(browser.text("#asked").ends_with("What does it return?"));
    answer(&browser, "≤ 12");
    assert_eq!(browser.text("#score"), "Score: 1 of 1 right.");
}

#[test]
#[ignore = "needs Chromium with chromedriver"]
fn every_question_about_a_game_can_be_answered_in_a_browser() {
    let folder = Folder::new("questions-of-games");
    let browser = Browser::start(1280, 1000);
    let middlegame = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5";
    for arguments in [
        &["random", "--depth", "6", "--ordered", "40", "--backends", "ins"][..],
        &["othello", "--backends", "negascout,mtd-best"],
        &["chess", middlegame, "--depth", "5", "--mode", "play", "--backends", "negascout"],
    ] {
        record(&folder, arguments);
        browser.open(&folder.join("page.html"), "#ask=1");
        let mut with_map = false;
        for asked in 1..=60 {
            if browser.text("#asked") == "The search is over." {
                break;
            }
            let given = answers(&browser);
            assert!(
                given.len() > 1 && given.iter().collect::<HashSet<_>>().len() == given.len(),
                "{given:?}"
            );
            assert!(
                !given.iter().any(|answer| answer.contains("undefined") || answer.contains("null,")),
                "{given:?}"
            );
            with_map |= browser.text("#asked").contains("When it was searched before, its moves returned");
            browser.press("b");
            assert!(
                browser.text("#score").ends_with(&format!(" of {asked} right.")),
                "{}",
                browser.text("#score")
            );
        }
        // INS goes by what it has found before, and its questions tell it.
        assert_eq!(with_map, arguments.contains(&"ins"), "{arguments:?}");
    }
}
