//! The failed positions of a suite as one HTML page: for each a board with the moves wanted and the move
//! played, the principal variation, the FEN, and a link to the analysis board of Lichess.

use super::report::{score, solved};
use super::results::{Results, Row};
use crate::chess::game::Game;
use crate::lab::base::formats::san;
use crate::lab::base::pages::board::{self, Arrow, ArrowKind};
use crate::lab::base::pages::links;
use crate::lab::base::pages::page_frame::{CARDS, PageFrame, table};
use crate::lab::base::pages::table::count;
use crate::lab::study::suites::goals::MateClaim;
use maud::{Markup, PreEscaped, html};
use shakmaty::{Chess, Color, Position as _, Square, uci::UciMove};

/// The whole page.
#[must_use]
pub fn page(results: &Results) -> String {
    let about = [&results.program, &results.settings, &results.date, &results.machine];
    let about: Vec<&str> = about.into_iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
    let failed: Vec<&Row> = results.rows.iter().filter(|row| !row.is_perft() && row.failed()).collect();
    let of_suite = |name: &str| failed.iter().copied().filter(|row| row.suite == name).collect::<Vec<_>>();
    let suites = results.suites.iter().map(|suite| (suite.name.as_str(), of_suite(&suite.name)));
    let suites: Vec<(&str, Vec<&Row>)> = suites.filter(|(_, rows)| !rows.is_empty()).collect();
    let content = html! {
        (summary(results, failed.len()))
        @if !failed.is_empty() {
            (PreEscaped(board::pieces()))
            (contents(&suites))
            (key())
        }
        @for (index, (name, rows)) in suites.iter().enumerate() {
            section id=(anchor(index)) {
                h2 { (name) }
                div.cards { @for row in rows { (card(row)) } }
            }
        }
    };
    let page_frame = PageFrame {
        title: "Plumb: failed positions",
        heading: "Failed positions",
        about: &about.join(" · "),
        styles: &[board::STYLE, CARDS],
    };
    page_frame.document(&content)
}

/// Number of failed searches, and the table of solved positions.
fn summary(results: &Results, failed: usize) -> Markup {
    let searched = results.rows.iter().filter(|row| !row.is_perft()).count();
    let verdict = match failed {
        0 => format!("Nothing failed; searches: {}.", count(searched as u64)),
        failed => format!("{} of {} searches failed.", count(failed as u64), count(searched as u64)),
    };
    let solved = solved(results);
    html! {
        p { (verdict) }
        @if !solved.is_empty() { (table(&solved)) }
    }
}

/// Name of a suite's section in links.
fn anchor(index: usize) -> String {
    format!("suite-{}", index + 1)
}

/// Links to the suites, if there are several.
fn contents(suites: &[(&str, Vec<&Row>)]) -> Markup {
    html! {
        @if suites.len() > 1 {
            nav aria-label="Suites" {
                ul {
                    @for (index, (name, rows)) in suites.iter().enumerate() {
                        li { a href={ "#" (anchor(index)) } { (name) } " " span.soft { "(" (rows.len()) " \
                        failed)" } }
                    }
                }
            }
        }
    }
}

/// Legend of the arrows.
fn key() -> Markup {
    html! {
        ul.key {
            li { (PreEscaped(board::sample(ArrowKind::Wanted))) "a move that should be found" }
            li { (PreEscaped(board::sample(ArrowKind::Played))) "the move that was played" }
            li { "disk beside the board: the side to move" }
        }
    }
}

/// One failed position.
fn card(row: &Row) -> Markup {
    let game = Game::parse_fen(&row.fen).ok();
    let turn = game.as_ref().map_or("", |game| match game.position().chess().turn() {
        Color::White => "White to move, ",
        Color::Black => "Black to move, ",
    });
    let analysis = game.as_ref().map(|game| links::analysis(&game.fen()));
    // A position without an id is named after its place.
    let place = if row.position == row.place() { String::new() } else { format!(", {}", row.place()) };
    html! {
        article.card {
            h3 { (row.position) }
            p.soft { (turn) (row.backend) (place) }
            @match &game {
                Some(game) => {
                    (PreEscaped(board::draw(game.position().chess(), &arrows(row), &alternative(row))))
                },
                None => p.gap { "The position cannot be drawn." },
            }
            dl {
                @for (name, text) in details(row, game) {
                    @if !text.is_empty() { dt { (name) } dd { (text) } }
                }
            }
            p.fen {
                code { (row.fen) }
                @if let Some(link) = &analysis { " " a href=(link) { "Lichess" } }
            }
        }
    }
}

/// The lines below a board: moves wanted, move played, principal variation, depth and cost of the search.
fn details(row: &Row, game: Option<Game>) -> [(&'static str, String); 4] {
    let claim = match row.mate_claim {
        Some(MateClaim::False) => " (there is no such mate)",
        _ => "",
    };
    let points = row.points.zip(row.points_of).map(|(points, of)| format!(", {points} of {of} points"));
    let got = format!("{} ({}){claim}{}", row.got, score(row), points.unwrap_or_default());
    let spent = format!("depth {}, {} made moves, {:.0} ms", row.depth, count(row.nodes), row.milliseconds);
    let line = game.map(|game| line(game, &row.pv)).unwrap_or_default();
    [("wanted", row.expected.clone()), ("played", got), ("PV", line), ("search", spent)]
}

/// The board in words, for screen readers.
fn alternative(row: &Row) -> String {
    format!("{}: wanted {}, played {}", row.fen, row.expected, row.got)
}

/// Arrows of the moves wanted, and above them that of the move played.
fn arrows(row: &Row) -> Vec<Arrow> {
    let of = |moves: &str, kind: ArrowKind| -> Vec<Arrow> {
        let squares = moves.split_whitespace().filter_map(squares);
        squares.map(|(from, to)| Arrow { from, to, kind }).collect()
    };
    [of(&row.wanted, ArrowKind::Wanted), of(&row.played, ArrowKind::Played)].concat()
}

/// The squares that a move in UCI notation goes from and to.
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
    use crate::lab::base::pages::page_frame::checks;

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
            "<g class=\"arrow wanted c2\">",
            "<g class=\"arrow played c1\">",
            "<code>6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1</code> \
             <a href=\"https://lichess.org/analysis/6k1/5ppp/8/8/8/8/8/R3K3_w_Q_-_0_1\">Lichess</a>",
        ] {
            assert!(html.contains(wanted), "'{wanted}' is missing in\n{html}");
        }
        checks::sound(&html);
    }

    #[test]
    fn without_failures_there_is_no_board() {
        let html = page(&results(vec![row(1, "MTD(f)", Some(5), None)]));
        assert!(html.contains("Nothing failed; searches: 1.") && !html.contains("<svg"));
    }

    #[test]
    fn text_of_a_result_file_is_escaped() {
        let evil = Row { fen: "<b>".to_owned(), pv: "e9e4".to_owned(), ..row(1, "<i>", None, None) };
        let html = page(&results(vec![evil]));
        assert!(html.contains("cannot be drawn") && !html.contains("<b>") && !html.contains("<i>"));
    }

    #[test]
    fn several_suites_have_contents() {
        let other = Row { suite: "two <2>.epd".to_owned(), ..row(4, "MTD(f)", None, None) };
        let html = page(&results(vec![row(2, "MTD(f)", None, None), other]));
        checks::sound(&html);
        assert!(html.contains("<a href=\"#suite-2\">two &lt;2&gt;.epd</a>"), "{html}");
        assert!(html.contains("<section id=\"suite-2\"><h2>two &lt;2&gt;.epd</h2>"), "{html}");
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
