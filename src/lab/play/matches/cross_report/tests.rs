//! The tables of a tournament against its games.

use super::*;
use crate::lab::base::statistics::elo::Pairs;

fn names(count: usize) -> Vec<String> {
    ["ant", "bee", "cat", "dog"][..count].iter().map(|&name| name.to_owned()).collect()
}

/// A tournament of three: the points of the first of each meeting in each opening, in half points of a game.
fn report(players: usize, gauntlet: bool, openings: &[&[[usize; 2]]], anchor: Option<usize>) -> CrossReport {
    let schedule = Schedule::new(players, gauntlet);
    let mut scores = vec![Score::default(); schedule.meetings().len()];
    let mut encounters = Vec::new();
    for (sample, results) in openings.iter().enumerate() {
        for (meeting, &[first, second]) in results.iter().enumerate() {
            scores[meeting].pairs.0[first + second] += 1;
            scores[meeting].games[2 - first] += 1;
            scores[meeting].games[2 - second] += 1;
            let points = (first + second) as f64 / 2.0;
            encounters.push(Encounter { sample, players: schedule.meetings()[meeting], games: 2, points });
        }
    }
    let circumstances =
        Circumstances { pairs_planned: scores.len() * openings.len(), ..Circumstances::default() };
    CrossReport::new(&names(players), &schedule, (&scores, &encounters), anchor, circumstances)
}

/// Meetings ant-bee, ant-cat, bee-cat.
const VARIED: [&[[usize; 2]]; 4] = [
    &[[2, 1], [1, 1], [0, 2]],
    &[[1, 0], [2, 2], [1, 1]],
    &[[2, 2], [0, 1], [2, 1]],
    &[[0, 1], [1, 2], [1, 0]],
];

/// The cells of a table of the text, by its heading.
fn cells(text: &str, heading: &str) -> Vec<Vec<String>> {
    let (_, rest) = text.split_once(heading).unwrap_or_else(|| panic!("{heading} is not in {text}"));
    let lines =
        rest.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    lines.map(|line| line.split('|').skip(1).map(|cell| cell.trim().to_owned()).collect()).collect()
}

#[test]
fn the_points_of_the_cross_table_are_those_of_the_standings() {
    let report = report(3, false, &VARIED, None);
    assert_eq!(report.players.iter().map(PlayerResult::games).sum::<u64>(), 2 * 24);
    assert_eq!(report.players.iter().map(|player| player.points).sum::<f64>(), 24.0);
    let text = report.text();
    let (standings, cross) = (cells(&text, "# Tournament"), cells(&text, "## Points"));
    for (row, place) in cross[2..].iter().zip(&standings[2..]) {
        let against: Vec<(f64, u32)> = row[2..]
            .iter()
            .filter_map(|cell| cell.split_once('/'))
            .map(|(points, games)| (points.parse().unwrap(), games.parse().unwrap()))
            .collect();
        assert_eq!(row[..2], place[..2]);
        let sum = |numbers: &str| numbers.parse::<f64>().unwrap();
        assert_eq!(against.iter().map(|(points, _)| points).sum::<f64>(), sum(&place[8]), "{text}");
        assert_eq!(
            against.iter().map(|(_, games)| games).sum::<u32>(),
            place[4].parse::<u32>().unwrap(),
            "{text}"
        );
    }
    // ant: 4.5 of 8 against bee, 5 of 8 against cat.
    let ant = report.players.iter().find(|player| player.name == "ant").unwrap();
    assert_eq!((ant.won, ant.drawn, ant.lost, ant.points), (6, 7, 3, 9.5));
    assert_eq!(report.meeting(ant, &report.players[1]).map(MeetingResult::games), Some(8));
    // The same numbers as CSV.
    let csv = report.csv().unwrap();
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    assert_eq!(head[..3], ["rank", "player", "elo"]);
    for (line, player) in lines.zip(&report.players) {
        assert_eq!((line[1], line[8].parse().ok()), (player.name.as_str(), Some(player.points)), "{csv}");
        let against = line[9..].iter().filter(|cell| !cell.is_empty());
        assert_eq!(against.map(|cell| cell.parse::<f64>().unwrap()).sum::<f64>(), player.points, "{csv}");
        assert_eq!(line[9 + line[0].parse::<usize>().unwrap() - 1], "", "nobody plays itself");
    }
}

#[test]
fn players_without_a_rating_have_a_sentence_and_their_place() {
    // cat takes every point, dog none; ant and bee share theirs.
    let one: &[[usize; 2]] = &[[2, 0], [0, 0], [2, 2], [0, 0], [2, 2], [2, 2]];
    let report = report(4, false, &[one; 12], None);
    let ranks: Vec<&str> = report.players.iter().map(|player| player.name.as_str()).collect();
    assert_eq!(ranks, ["cat", "ant", "bee", "dog"]);
    assert_eq!(
        report.players.iter().map(|player| player.elo).collect::<Vec<_>>(),
        [None, Some(0.0), Some(0.0), None]
    );
    let text = report.text();
    for line in [
        "cat has no rating: no rated player took a point from it, so that it has no upper bound",
        "dog has no rating: it took no point from a rated player, so that it has no lower bound",
        "The intervals are not known: it takes at least 10 openings, and not all of the same results",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(!text.contains("inf") && !text.contains("NaN"), "{text}");
    let json = serde_json::to_value(&report).unwrap();
    assert!(json["players"][0]["elo"].is_null() && json["players"][1]["unrated"].is_null(), "{json}");
    assert!(json["meetings"][1]["elo"].is_null(), "{json}");
}

#[test]
fn where_one_player_beats_all_others_nobody_has_a_rating() {
    let report = report(3, true, &[&[[2, 2], [2, 2]]], Some(0));
    let text = report.text();
    assert!(
        text.contains("# Tournament: gauntlet of 3 players") && text.contains("There are no ratings"),
        "{text}"
    );
    assert_eq!(report.anchor, None);
    let empty = self::report(3, true, &[], None).text();
    assert!(empty.ends_with("No pair is finished\n"), "{empty}");
}

#[test]
fn the_anchor_is_zero_and_the_differences_stay() {
    let varied: Vec<&[[usize; 2]]> = VARIED.iter().copied().cycle().take(16).collect();
    let (middle, anchored) = (report(3, false, &varied, None), report(3, false, &varied, Some(1)));
    let elo = |report: &CrossReport, name: &str| {
        let player = report.players.iter().find(|player| player.name == name).unwrap();
        (player.elo.unwrap(), player.elo_margin.unwrap())
    };
    assert_eq!(elo(&anchored, "bee"), (0.0, 0.0));
    let difference = |report: &CrossReport| elo(report, "ant").0 - elo(report, "cat").0;
    assert!((difference(&middle) - difference(&anchored)).abs() < 1e-9);
    assert!(anchored.text().contains("; 0 is bee\n") && middle.text().contains("0 is the mean"));
    assert!(middle.players.iter().map(|player| player.elo.unwrap()).sum::<f64>().abs() < 1e-9);
    // The interval of a meeting is that of its pairs, as in a match.
    let meeting = &middle.meetings[0];
    assert_eq!(meeting.elo_interval, Pairs(meeting.pairs_by_points).interval());
    assert!(meeting.elo_interval.is_some() && !middle.text().contains("not known"));
}

#[test]
fn players_off_their_nodes_are_named() {
    let schedule = Schedule::new(3, false);
    let score = Score { moves: [10, 10], nodes: [1000, 300], ..Score::default() };
    let scores = [score.clone(), score.clone(), score];
    let pair = |players| Encounter { sample: 0, players, games: 2, points: 1.0 };
    let encounters = [pair([0, 1]), pair([0, 2]), pair([1, 2])];
    let circumstances = Circumstances { node_limit: Some(100), ..Circumstances::default() };
    let mut report = CrossReport::new(&names(3), &schedule, (&scores, &encounters), None, circumstances);
    report.pairs_played = 3;
    let text = report.text();
    assert!(text.contains("Warning: cat searches 0.30 times the nodes that it is given"), "{text}");
    assert!(!text.contains("Warning: ant") && text.contains("nodes a move, limit 100"), "{text}");
}

#[test]
fn what_is_rounded_to_nothing_has_no_minus() {
    assert_eq!([-0.04, 0.0, 0.04, -0.06].map(signed), ["+0.0", "+0.0", "+0.0", "-0.1"]);
}
