//! The record against the searches it was made of.

use super::command::request;
use super::page;
use super::record::{Class, Counts, Event, Record, Relation};
use crate::chess::game::Game;
use crate::engine::options::Options;
use crate::lab::base::terminal::console::Failure;
use crate::lab::command_line::Command;
use crate::lab::command_line::CommandLine;
use crate::lab::play::referee::Player;
use crate::lab::study::trace::arguments::TraceArgs;
use crate::search::{Driver, Limits, Mode, NoControl, Reason, Settings};
use clap::Parser as _;
use std::collections::{BTreeMap, HashSet};

/// A middlegame with captures, checks and quiet moves.
const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8";

fn arguments(words: &[&str]) -> TraceArgs {
    let line = CommandLine::try_parse_from([&["plumb", "trace", "--tree"], words].concat()).unwrap();
    let Command::Trace(arguments) = line.command else { panic!() };
    arguments
}

fn record(arguments: &TraceArgs) -> Result<Record, Failure> {
    Ok(request(arguments)?.record(&|| false)?)
}

fn recorded(words: &[&str]) -> Record {
    record(&arguments(words)).unwrap_or_else(|failure| panic!("{words:?}: {:?}", failure.message()))
}

/// The counts of the events, except the visits that complete principal variations, and the number of those.
fn counted(events: &[Event]) -> Counts {
    let mut counts = Counts::default();
    for event in events {
        match event {
            Event::Pass { .. } => counts.passes += 1,
            Event::Visit { class: Class::Interior, .. } => counts.interior += 1,
            Event::Visit { class: Class::Leaf, .. } => counts.leaf += 1,
            Event::Visit { class: Class::Quiescence, .. } => counts.quiescence += 1,
            Event::Visit { class: Class::Table, .. } => counts.table += 1,
            _ => (),
        }
    }
    counts
}

/// Every visit ends, inside its pass, in the node in which it began, and a pass ends with the value of its
/// visit.
fn assert_nested(events: &[Event]) {
    let (mut stack, mut last) = (Vec::new(), 0);
    for event in events {
        match *event {
            Event::Pass { .. } | Event::Line(_) => assert!(stack.is_empty()),
            Event::Visit { node, window: (alpha, beta), .. } => {
                assert!(alpha.is_none_or(|alpha| beta.is_none_or(|beta| alpha < beta)));
                stack.push(node);
            }
            Event::Prune { .. } => assert!(!stack.is_empty()),
            Event::Value { node, value, .. } => {
                assert_eq!(stack.pop(), Some(node));
                last = value;
            }
            Event::End { value, lower, upper } => {
                assert!(stack.is_empty());
                assert_eq!(value, last);
                assert!(lower == Some(value) || upper == Some(value));
            }
        }
    }
    assert!(stack.is_empty());
}

#[test]
fn the_events_of_every_driver_add_up_to_the_counts_of_its_search() {
    for words in [
        &["report", "--backends", "all"][..],
        &["(1 (2 (3 -4)) 5)", "--backends", "all"],
        &["random", "--depth", "5", "--ordered", "60", "--backends", "all"],
        &["report", "--backends", "sss,ins"],
        &["random", "--depth", "6", "--width", "4", "--backends", "mtdf,ins"],
        &["othello", "--depth", "5", "--backends", "ins,negascout"],
        &["othello", "--depth", "4", "--backends", "all"],
        &["checkers", "--depth", "5", "--backends", "all"],
        &["chess", "--depth", "2", "--backends", "all"],
        &["chess", MIDDLEGAME, "--depth", "2", "--mode", "strict", "--visits", "100000"],
        &["chess", MIDDLEGAME, "--depth", "5", "--mode", "play", "--backends", "all", "--visits", "100000"],
    ] {
        let record = recorded(words);
        let gives_value = |alias: &str| !["mtd-best", "bns"].contains(&alias);
        let values: HashSet<i32> =
            record.runs.iter().filter(|run| gives_value(&run.alias)).map(|run| run.value).collect();
        assert!(record.game.mode == "play" || values.len() == 1, "{words:?}: {values:?}");
        for run in record.runs.iter().filter(|_| record.game.mode != "play") {
            let value = *values.iter().next().unwrap();
            let holds = match run.relation {
                Relation::Exact => run.value == value,
                Relation::AtLeast => run.value <= value,
                Relation::AtMost => run.value >= value,
            };
            assert!(holds, "{words:?}: {}: {:?} {}, {value}", run.driver, run.relation, run.value);
            assert!(!gives_value(&run.alias) || run.relation == Relation::Exact, "{words:?}: {}", run.driver);
        }
        for run in &record.runs {
            assert_nested(&run.events);
            assert_eq!(counted(&run.events), run.counts, "{words:?}: {}", run.driver);
        }
        let nodes = &record.nodes;
        let parents_first =
            |(node, parent): (usize, &Option<usize>)| parent.is_none_or(|parent| parent < node);
        assert!(nodes.parent.iter().enumerate().all(parents_first));
        assert_eq!(nodes.parent.len(), nodes.position.len());
    }
}

#[test]
fn a_driver_that_looks_for_the_best_move_finds_a_bound() {
    for words in [&["report"][..], &["chess", MIDDLEGAME, "--depth", "2"]] {
        let record = recorded(&[words, &["--backends", "mtd-best,bns"]].concat());
        let page = page::content(&record).into_string();
        for run in &record.runs {
            assert_ne!(run.relation, Relation::Exact, "{words:?}: {}", run.driver);
            let sign = if run.relation == Relation::AtLeast { "≥" } else { "≤" };
            assert!(page.contains(&format!("<td>{sign} ")), "{words:?}: {}", run.driver);
        }
    }
}

#[test]
fn informed_nega_scout_says_which_moves_its_map_saves() {
    let mut found = BTreeMap::new();
    for seed in ["1", "2", "3"] {
        found.extend(recorded(&["random", "--depth", "6", "--seed", seed, "--backends", "ins"]).reasons);
    }
    assert!(found.contains_key("inferior") && found.contains_key("proven-best"), "{found:?}");
}

#[test]
fn observation_changes_nothing_in_a_chess_search() {
    let game = Game::parse_fen(MIDDLEGAME).unwrap();
    for mode in [Mode::Play, Mode::Paper] {
        let (depth, name) = if mode == Mode::Play { (6, "play") } else { (3, "paper") };
        let words =
            ["chess", MIDDLEGAME, "--depth", &depth.to_string(), "--mode", name, "--visits", "500000"];
        let observed = recorded(&[&words[..], &["--backends", "mtdf"]].concat());
        let mut settings = Settings { mode, backend: Driver::MtdF.into(), ..Options::default().settings };
        settings.drivers.grid = 1;
        let limits = Limits { depth, ..Limits::default() };
        let outcome = Player::new(Settings::default(), 16).unwrap().analyse(
            game.position(),
            &settings,
            &limits,
            &mut NoControl,
        );
        let run = &observed.runs[0];
        assert_eq!(run.value, outcome.value);
        assert_eq!((run.counts.interior, run.counts.leaf), (outcome.stats.interior, outcome.stats.leaf));
        assert_eq!(
            (run.counts.quiescence, run.counts.table),
            (outcome.stats.quiescence, outcome.stats.table)
        );
    }
}

#[test]
fn play_mode_says_why_it_cuts_and_prunes() {
    let words = ["chess", MIDDLEGAME, "--depth", "7", "--mode", "play", "--visits", "500000"];
    // Not every evaluation meets every reason at so small a depth.
    let record = recorded(&[&words[..], &["--set", "Evaluation=hand-crafted"]].concat());
    for wanted in [
        "bound",
        "all-moves",
        "table",
        "stand-pat",
        "null-move",
        "reverse-futility",
        "late-move",
        "futility",
        "see",
        "delta",
        "upcoming-repetition",
    ] {
        let text = record.reasons.get(wanted).unwrap_or_else(|| panic!("{wanted} is missing"));
        assert_eq!(text.badge.is_none(), wanted == "all-moves", "{wanted}: {text:?}");
    }
}

#[test]
fn a_search_beyond_the_limit_is_refused_with_a_reason() {
    for words in [&["othello", "--depth", "6"][..], &["chess", "--depth", "5"]] {
        let refused = record(&arguments(&[words, &["--visits", "500"]].concat())).map(|_| ());
        let message = refused.as_ref().err().and_then(Failure::message);
        assert!(message.is_some_and(|message| message.contains("500 visits")), "{words:?}: {refused:?}");
    }
}

#[test]
fn every_position_of_a_game_has_a_board_and_trees_have_none() {
    for words in [&["chess", MIDDLEGAME, "--depth", "2"][..], &["othello"], &["checkers"]] {
        let nodes = recorded(words).nodes;
        let positions: HashSet<usize> = nodes.position.iter().copied().collect();
        assert_eq!(nodes.boards.len(), positions.len(), "{words:?}");
        for (node, &position) in nodes.position.iter().enumerate() {
            let (rows, side) = nodes.boards[position].split_once(' ').unwrap();
            let squares = |row: &str| row.chars().map(|letter| letter.to_digit(10).unwrap_or(1)).sum::<u32>();
            assert!(rows.split('/').map(squares).eq([8; 8]), "{words:?}: {rows}");
            let root = nodes.boards[nodes.position[0]].split_once(' ').unwrap().1;
            assert_eq!(nodes.max[node], side == root, "{words:?}: node {node}");
        }
    }
    let chess = recorded(&["chess", MIDDLEGAME, "--depth", "1"]).nodes;
    assert_eq!(chess.boards[0], MIDDLEGAME.split_once(" KQ").unwrap().0);
    assert!(recorded(&["report"]).nodes.boards.is_empty());
}

#[test]
fn leaves_have_the_values_that_the_searches_find_in_them() {
    for words in [&["report"][..], &["random"], &["othello"], &["checkers"]] {
        let record = recorded(words);
        let mut seen = 0;
        for event in record.runs.iter().flat_map(|run| &run.events) {
            if let Event::Value { node, value, reason: Reason::LEAF, .. } = *event {
                assert_eq!(record.nodes.leaf[node], Some((Some(value), Some(value))), "{words:?}");
                seen += 1;
            }
        }
        assert!(seen > 0);
    }
    // The tree of the report has leaves that no search visits.
    let nodes = recorded(&["report", "--backends", "sss"]).nodes;
    let leaves = nodes.leaf.iter().flatten().count();
    let ends = nodes.moves.iter().filter(|&&moves| moves == 0).count();
    assert_eq!(leaves, ends);
    assert!(leaves > 8, "{leaves}");
}

#[test]
fn leaves_of_chess_have_bounds_and_inner_nodes_have_none() {
    let record = recorded(&["chess", MIDDLEGAME, "--depth", "2"]);
    let mut known = 0;
    for event in record.runs.iter().flat_map(|run| &run.events) {
        let Event::Visit { node, class, .. } = *event else { continue };
        let leaf = record.nodes.leaf[node];
        assert!(class != Class::Interior || leaf.is_none(), "node {node}");
        if let (Class::Leaf, Some((lower, upper))) = (class, leaf) {
            assert!(lower.is_some() || upper.is_some());
            assert!(lower.is_none_or(|lower| upper.is_none_or(|upper| lower <= upper)));
            known += 1;
        }
    }
    assert!(known > 20, "{known}");
}

#[test]
fn text_of_the_record_cannot_end_the_script_of_the_page() {
    let mut record = recorded(&["report"]);
    record.game.position = "</script><b>".to_owned();
    let html = page::page(&record, &serde_json::to_string(&record).unwrap());
    assert!(!html.contains("</script><b>") && html.contains("\\u003c/script>\\u003cb>"));
}
