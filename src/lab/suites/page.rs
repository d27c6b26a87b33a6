//! The failed positions as one page for a browser: a board each with the moves wanted and the move played, and
//! the engine's line. No scripts, nothing from outside.

use super::report::{score, solved};
use super::results::{Results, Row};
use crate::chess::game::Game;
use crate::lab::formats::san;
use crate::lab::pages::board::{self, Arrow, Kind};
use crate::lab::pages::shell::{STYLE, escape, write_table};
use crate::lab::pages::table::count;
use crate::lab::suites::goals::MateClaim;
use shakmaty::{Chess, Color, Position as _, Square, uci::UciMove};
use std::fmt::Write as _;

/// What boards and their cards look like.
const BOARDS: &str = include_str!("page.css");

/// The arrows explained.
const KEY: &str = "<ul class=\"key\">\n\
    <li><svg viewBox=\"0 0 64 20\"><g class=\"wanted\"><path class=\"shaft\" stroke-width=\"9\" d=\"M6 10H44\"/>\
    <path stroke-width=\"0\" d=\"M60 10L45 1V19z\"/></g></svg>a move that should be found</li>\n\
    <li><svg viewBox=\"0 0 64 20\"><g class=\"played\"><path class=\"shaft\" stroke-width=\"5\" d=\"M6 10H44\"/>\
    <path stroke-width=\"0\" d=\"M60 10L45 1V19z\"/></g></svg>the move that was played</li>\n\
    <li>a disk beside the board: who is to move</li>\n</ul>\n";

/// The whole page.
#[must_use]
pub fn page(results: &Results) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Plumb: failed positions</title>\n\
         <style>\n{STYLE}{BOARDS}</style>\n</head>\n<body>\n"
    );
    let failed: Vec<&Row> = results.rows.iter().filter(|row| !row.is_perft() && row.failed()).collect();
    header(&mut html, results, failed.len());
    if !failed.is_empty() {
        html.push_str(&board::pieces());
        html.push_str(KEY);
    }
    for suite in &results.suites {
        let of_suite: Vec<&&Row> = failed.iter().filter(|row| row.suite == suite.name).collect();
        if of_suite.is_empty() {
            continue;
        }
        let _ = writeln!(html, "<section>\n<h2>{}</h2>\n<div class=\"cards\">", escape(&suite.name));
        of_suite.iter().for_each(|row| card(&mut html, row));
        html.push_str("</div>\n</section>\n");
    }
    html + "</main>\n</body>\n</html>\n"
}

fn header(html: &mut String, results: &Results, failed: usize) {
    let about = [&results.program, &results.settings, &results.date, &results.machine];
    let about: Vec<String> = about.iter().filter(|text| !text.is_empty()).map(|text| escape(text)).collect();
    let searched = results.rows.iter().filter(|row| !row.is_perft()).count();
    let verdict = match failed {
        0 => format!("Nothing failed; searches: {}.", count(searched as u64)),
        failed => format!("{} of {} searches failed.", count(failed as u64), count(searched as u64)),
    };
    let _ = writeln!(
        html,
        "<header>\n<h1>Failed positions</h1>\n<p class=\"about\">{}</p>\n</header>\n<main>\n<p>{verdict}</p>",
        about.join(" · ")
    );
    let table = solved(results);
    if !table.is_empty() {
        write_table(html, &table);
    }
}

/// One failed position.
fn card(html: &mut String, row: &Row) {
    let game = Game::parse_fen(&row.fen).ok();
    let turn = game.as_ref().map_or("", |game| match game.position().chess().turn() {
        Color::White => "White to move, ",
        Color::Black => "Black to move, ",
    });
    let name = escape(&row.position);
    // A position without an id is named after its place.
    let place =
        if row.position == row.place() { String::new() } else { format!(", {}", escape(&row.place())) };
    let _ = writeln!(
        html,
        "<figure class=\"card\">\n<h3>{name}</h3>\n<p class=\"soft\">{turn}{}{place}</p>",
        escape(&row.backend)
    );
    match &game {
        Some(game) => html.push_str(&board::draw(game.position().chess(), &arrows(row), &alternative(row))),
        None => html.push_str("<p class=\"gap\">The position cannot be drawn.</p>\n"),
    }
    html.push_str("<dl>\n");
    let claim = match row.mate_claim {
        Some(MateClaim::False) => " (there is no such mate)",
        _ => "",
    };
    let points = row.points.zip(row.points_of).map(|(points, of)| format!(", {points} of {of} points"));
    let got = format!("{} ({}){claim}{}", row.got, score(row), points.unwrap_or_default());
    let spent = format!("depth {}, {} made moves, {:.0} ms", row.depth, count(row.nodes), row.milliseconds);
    let line = game.map(|game| line(game, &row.pv)).unwrap_or_default();
    for (what, text) in [("wanted", &row.expected), ("played", &got), ("line", &line), ("after", &spent)] {
        if !text.is_empty() {
            let _ = writeln!(html, "<dt>{what}</dt><dd>{}</dd>", escape(text));
        }
    }
    let _ = writeln!(html, "</dl>\n<code>{}</code>\n</figure>", escape(&row.fen));
}

/// The picture in words.
fn alternative(row: &Row) -> String {
    format!("{}: wanted {}, played {}", row.fen, row.expected, row.got)
}

/// What is wanted, and above it what was played.
fn arrows(row: &Row) -> Vec<Arrow> {
    let of = |moves: &str, kind: Kind| -> Vec<Arrow> {
        let squares = moves.split_whitespace().filter_map(squares);
        squares.map(|(from, to)| Arrow { from, to, kind }).collect()
    };
    [of(&row.wanted, Kind::Wanted), of(&row.played, Kind::Played)].concat()
}

/// From where to where a move goes.
fn squares(text: &str) -> Option<(Square, Square)> {
    match text.parse().ok()? {
        UciMove::Normal { from, to, .. } => Some((from, to)),
        UciMove::Put { .. } | UciMove::Null => None,
    }
}

/// A line of play with its move numbers, as far as it can be played.
fn line(mut game: Game, pv: &str) -> String {
    let mut words = Vec::new();
    for text in pv.split_whitespace() {
        let Ok(m) = game.parse_move(text) else { break };
        let chess: &Chess = game.position().chess();
        match chess.turn() {
            Color::White => words.push(format!("{}.", chess.fullmoves())),
            Color::Black if words.is_empty() => words.push(format!("{}...", chess.fullmoves())),
            Color::Black => {}
        }
        words.push(san::write(chess, m));
        game.play(m);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::results::sample::{results, row};
    use super::*;

    #[test]
    fn failed_positions_have_a_board() {
        let html = page(&results(vec![
            row(1, "MTD(f)", Some(5), None),
            row(2, "MTD(f)", None, None),
            row(3, "MTD(f)", None, Some(4)),
        ]));
        assert_eq!(html.matches("<svg class=\"board\"").count(), 2);
        assert_eq!(html.matches("class=\"defs\"").count(), 1);
        for wanted in [
            "2 of 3 searches failed.",
            "White to move, MTD(f), own.epd:2",
            "<dd>bm Ra8#</dd>",
            "<dd>Kd1 (-0.12), 4 of 10 points</dd>",
            "<dd>1. Kd1 Kf8</dd>",
            "say &quot;x&quot;, 2",
            "<g class=\"wanted\"><path class=\"shaft\" stroke-width=\"9\" d=\"M38.0 304.0L38.0 39.0\"/>",
            "<g class=\"played\">",
        ] {
            assert!(html.contains(wanted), "'{wanted}' is missing in\n{html}");
        }
        for tag in ["section", "table", "div", "svg", "figure", "p", "dl", "dd", "g", "h3"] {
            let opened =
                html.matches(&format!("<{tag}>")).count() + html.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, html.matches(&format!("</{tag}>")).count(), "{tag}");
        }
        assert!(!html.contains("http") && !html.contains("<script"));
    }

    #[test]
    fn without_failures_there_is_no_board() {
        let html = page(&results(vec![row(1, "MTD(f)", Some(5), None)]));
        assert!(html.contains("Nothing failed; searches: 1.") && !html.contains("<svg"));
    }

    #[test]
    fn files_from_elsewhere_are_text() {
        let evil = Row { fen: "<b>".to_owned(), pv: "e9e4".to_owned(), ..row(1, "<i>", None, None) };
        let html = page(&results(vec![evil]));
        assert!(html.contains("cannot be drawn") && !html.contains("<b>") && !html.contains("<i>"));
    }

    #[test]
    fn lines_are_numbered() {
        let game = |fen: &str| Game::parse_fen(fen).unwrap();
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(line(game(start), "e2e4 e7e5 g1f3"), "1. e4 e5 2. Nf3");
        assert_eq!(line(game("4k3/8/8/8/8/8/8/4K2R b K - 0 9"), "e8d8 e1g1 a1a1"), "9... Kd8 10. O-O");
        assert_eq!(line(game(start), ""), "");
    }
}
