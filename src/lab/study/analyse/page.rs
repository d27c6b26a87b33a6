//! The page of annotated games: a table of all games, and for each game the curve of its expected points,
//! both sides in numbers, and boards at the turning points. What is kept of many games is bounded: the first
//! [`MOST_SECTIONS`] games have a section.

use super::annotated::Annotated;
use super::curve;
use super::marks::{Mark, Side};
use super::record::Extent;
use super::summary::{MOST_ROWS, Row, Summary, percent};
use super::variation::in_san;
use crate::lab::base::formats::san;
use crate::lab::base::pages::board::{self, Arrow, ArrowKind};
use crate::lab::base::pages::links;
use crate::lab::base::pages::page_frame::{CARDS, PageFrame, table};
use crate::lab::base::pages::table::count;
use maud::{Markup, PreEscaped, html};
use shakmaty::{Color, EnPassantMode, Move, fen::Fen};
use std::collections::BTreeSet;

/// Style sheet of this page.
const STYLE: &str = include_str!("page.css");

/// Most games that have a section.
pub const MOST_SECTIONS: usize = 200;

/// Most boards of a game.
const MOST_BOARDS: usize = 8;

/// Plies of the lines below a board.
const MOST_PLIES: usize = 8;

/// The sections of the games so far.
#[derive(Default)]
pub struct Sections {
    sections: Vec<Markup>,
    /// The numbers of the games that have one.
    numbers: BTreeSet<usize>,
}

impl Sections {
    /// True if a game has a section.
    fn has(&self, number: usize) -> bool {
        self.numbers.contains(&number)
    }

    /// Adds a game, if there is room.
    pub fn add(&mut self, annotated: &Annotated) {
        if self.sections.len() < MOST_SECTIONS {
            self.sections.push(section(annotated));
            self.numbers.insert(annotated.number);
        }
    }

    /// The whole page. `settings` say how the games were analysed.
    #[must_use]
    pub fn page(
        &self,
        summary: &Summary,
        (settings, marks): (&[String], [f64; 3]),
        extent: Extent,
    ) -> String {
        let about = format!("Plumb {} · {}", env!("CARGO_PKG_VERSION"), settings.join(" · "));
        let content = html! {
            @if extent == Extent::Part { (interruption(summary)) }
            p { (summary.line()) "." }
            (left_out(summary))
            @if summary.games > 1 { (self.overview(summary)) }
            (PreEscaped(board::pieces()))
            (key(marks))
            @for section in &self.sections { (section) }
            @if summary.games > self.sections.len() {
                p.gap {
                    "The first " (self.sections.len()) " games are shown one by one; "
                    "the files of --output and --json have all."
                }
            }
        };
        let page_frame = PageFrame {
            title: "Plumb: analysed games",
            heading: "Analysed games",
            about: &about,
            styles: &[board::STYLE, CARDS, STYLE],
        };
        page_frame.document(&content)
    }

    /// The tables of games, whose numbers lead to their sections, and of players.
    fn overview(&self, summary: &Summary) -> Markup {
        let players = summary.by_player();
        html! {
            div.wide {
                table.numbers {
                    thead {
                        tr {
                            @for heading in ["game", "White", "Black", "opening"] { th.word { (heading) } }
                            @for heading in ["result", "moves"] { th { (heading) } }
                            @for side in ["White", "Black"] {
                                th { (side) ": accuracy" }
                                th { "?!\u{a0}?\u{a0}??" }
                            }
                        }
                    }
                    tbody { @for row in summary.rows() { (self.row(row)) } }
                }
            }
            @if let Some(more) = summary.beyond(MOST_ROWS) { p.soft { (more) } }
            @if !players.is_empty() {
                h2 { "Players of more than one game" }
                (table(&players))
            }
        }
    }

    fn row(&self, row: &Row) -> Markup {
        html! {
            tr {
                td.word {
                    @if self.has(row.number) { a href={ "#game-" (row.number) } { (row.number) } }
                    @else { (row.number) }
                }
                @for name in &row.names { td.word { (name) } }
                td.word { (row.opening) }
                td { (row.result) }
                td { (row.moves) }
                @for side in &row.sides { td { (percent(side.accuracy())) } td { (row.marks_of(side)) } }
            }
        }
    }
}

/// That games are missing.
fn interruption(summary: &Summary) -> Markup {
    let of = summary.total.map_or_else(String::new, |total| format!(" of {}", count(total as u64)));
    html! {
        p.gap {
            b { "Not complete." } " The analysis was interrupted after " (count(summary.done() as u64)) (of)
            " games; the same command goes on and writes this page again."
        }
    }
}

/// The games that could not be read, by their places.
fn left_out(summary: &Summary) -> Markup {
    let named = summary.left_out.named();
    let more = summary.left_out.count() - named.len();
    html! {
        @if !named.is_empty() {
            ul.soft {
                @for why in named { li { (why) } }
                @if more > 0 { li { "and " (count(more as u64)) " more" } }
            }
        }
    }
}

/// Legend of marks, arrows and numbers.
fn key(marks: [f64; 3]) -> Markup {
    let limits = Mark::ALL.into_iter().zip(marks);
    html! {
        ul.key {
            @for (mark, limit) in limits {
                li class=(curve::class(mark)) {
                    b { (mark.glyph()) } " loses " (format!("{:.4}", 100.0 * limit).trim_end_matches('0')
                    .trim_end_matches('.')) " % of a point and more"
                }
            }
            li { (PreEscaped(board::sample(ArrowKind::Wanted))) "the better move" }
            li { (PreEscaped(board::sample(ArrowKind::Played))) "the move that was played" }
            li { "scores in pawns, from White's side" }
        }
    }
}

/// A game.
fn section(annotated: &Annotated) -> Markup {
    let (shown, marked) = turning_points(annotated);
    let link = |index: usize| shown.contains(&index).then(|| anchor(annotated, index));
    let moves = annotated.game.moves.len();
    html! {
        section.game id=(format!("game-{}", annotated.number)) {
            h2 {
                (annotated.number) ". " (annotated.player(Color::White)) " – "
                (annotated.player(Color::Black)) ", " (annotated.result())
            }
            p.soft { (about(annotated)) }
            @if moves == 0 {
                p { "There is no move in this game." }
            } @else {
                figure {
                    figcaption { "White's expected points in per cent, by moves" }
                    (PreEscaped(curve::draw(annotated, link)))
                }
                (sides(annotated))
                (all_moves(annotated))
                @if !shown.is_empty() {
                    h3 {
                        "Turning points"
                        @if marked > shown.len() { ": the " (shown.len()) " largest of " (marked) }
                    }
                    div.cards { @for &index in &shown { (card(annotated, index)) } }
                }
            }
        }
    }
}

/// Event, date, opening and addresses in a line.
fn about(annotated: &Annotated) -> Markup {
    let told = |name: &str| annotated.tag(name).map(str::to_owned);
    let opening = annotated.known.opening.as_ref();
    let opening = told("Opening").or(opening.map(|opening| opening.name.clone()));
    let eco = told("ECO").or(annotated.known.opening.as_ref().map(|opening| opening.eco.clone()));
    let opening = opening.map(|name| format!("{} {name}", eco.unwrap_or_default()).trim().to_owned());
    let plies = annotated.known.book_plies;
    let book = (plies > 0).then(|| {
        let (index, chess) = (plies - 1, annotated.positions.all()[plies - 1].chess());
        let last = san::write(chess, annotated.game.moves[index]);
        format!("book up to {} {last}", annotated.move_number(index))
    });
    let mut parts: Vec<String> = Vec::new();
    let addresses = ["GameURL", "Link"].map(|name| told(name).filter(|text| links::is_address(text)));
    let texts = [told("Event"), told("Site"), told("Date"), opening, book].into_iter().chain(addresses);
    texts.flatten().for_each(|text| {
        if !parts.contains(&text) {
            parts.push(text)
        }
    });
    html! {
        @for (index, text) in parts.iter().enumerate() {
            @if index > 0 { " · " }
            @if links::is_address(text) { a href=(text) rel="noopener noreferrer" { (text) } }
            @else { (text) }
        }
    }
}

/// Both sides in numbers.
fn sides(annotated: &Annotated) -> Markup {
    let of = |color: Color| (annotated.player(color), color, annotated.side(color));
    html! {
        div.wide {
            table.numbers.sides {
                thead {
                    tr {
                        th.word { "player" } th { "accuracy" } th { "loss per move" }
                        @for mark in Mark::ALL { th { (mark.glyph()) } }
                    }
                }
                tbody { @for (name, color, side) in Color::ALL.map(of) { (side_row(name, color, &side)) } }
            }
        }
    }
}

fn side_row(name: &str, color: Color, side: &Side) -> Markup {
    let loss = side.loss().map_or_else(String::new, |loss| format!("{:.2} %", 100.0 * loss));
    html! {
        tr {
            td.word { (color.fold_wb("White", "Black")) ": " (name) }
            td { (percent(side.accuracy())) }
            td { (loss) }
            @for marks in side.marks { td { (marks) } }
        }
    }
}

/// All moves with their scores, behind a word that opens them.
fn all_moves(annotated: &Annotated) -> Markup {
    html! {
        details {
            summary { "All moves with their scores" }
            p.moves {
                @for (index, judged) in annotated.judged.iter().enumerate() {
                    @let chess = annotated.positions.all()[index].chess();
                    @let first = index == 0 || judged.mover == Color::White;
                    span class=[judged.mark.map(curve::class)] {
                        @if first { (annotated.move_number(index)) " " }
                        (san::write(chess, judged.played))
                        @if let Some(mark) = judged.mark { b { (mark.glyph()) } }
                        @if let Some(score) = judged.score { " " i { (score.to_string()) } }
                    }
                    " "
                }
            }
        }
    }
}

/// The marked moves that lost most, in the order of the game, and the number of all marked moves.
fn turning_points(annotated: &Annotated) -> (Vec<usize>, usize) {
    let judged = &annotated.judged;
    let mut marked: Vec<usize> = (0..judged.len()).filter(|&index| judged[index].mark.is_some()).collect();
    let loss = |index: usize| judged[index].loss.unwrap_or_default();
    let all = marked.len();
    marked.sort_by(|&one, &other| loss(other).total_cmp(&loss(one)).then(one.cmp(&other)));
    marked.truncate(MOST_BOARDS);
    marked.sort_unstable();
    (marked, all)
}

fn anchor(annotated: &Annotated, index: usize) -> String {
    format!("game-{}-{}", annotated.number, index + 1)
}

/// A marked move: the board before it, what was better, and what refutes it.
fn card(annotated: &Annotated, index: usize) -> Markup {
    let (judged, position) = (&annotated.judged[index], &annotated.positions.all()[index]);
    let chess = position.chess();
    let fen = Fen::from_position(chess, EnPassantMode::Legal).to_string();
    let better = annotated.better(index);
    let arrows: Vec<Arrow> = [(better.first(), ArrowKind::Wanted), (Some(&judged.played), ArrowKind::Played)]
        .into_iter()
        .filter_map(|(m, kind)| arrow(*m?, kind))
        .collect();
    let lost = 100.0 * judged.loss.unwrap_or_default();
    let (mark, san) = (judged.mark, san::write(chess, judged.played));
    let glyph = mark.map_or("", |mark| mark.glyph());
    let better_text = in_san(chess, &better[..better.len().min(MOST_PLIES)]);
    let label = format!("{fen}: played {san}, better {}", better_text.split(' ').nth(1).unwrap_or_default());
    html! {
        article.card id=(anchor(annotated, index)) {
            h3 class=[mark.map(curve::class)] { (annotated.move_number(index)) " " (san) b { (glyph) } }
            p.soft {
                (judged.mover.fold_wb("White", "Black")) " loses " (format!("{lost:.0}")) " % of a point"
            }
            (PreEscaped(board::draw(chess, &arrows, &label)))
            dl {
                dt { "better" } dd { (better_text) (score_before(annotated, index)) }
                dt { "after it" } dd { (refutation(annotated, index)) }
            }
            p.fen { code { (fen) } " " a href=(links::analysis(&fen)) { "Lichess" } }
        }
    }
}

/// The score of the better line, in parentheses.
fn score_before(annotated: &Annotated, index: usize) -> String {
    let score = annotated.evaluated[index].value;
    let turn = annotated.positions.all()[index].turn();
    score.map_or_else(String::new, |value| format!(" ({})", super::marks::Score::of(value, turn)))
}

/// The move that was played with the answer to it, and its score.
fn refutation(annotated: &Annotated, index: usize) -> String {
    let judged = &annotated.judged[index];
    let answer = &annotated.evaluated[index + 1].line;
    let line: Vec<Move> =
        std::iter::once(judged.played).chain(answer.iter().copied().take(MOST_PLIES - 1)).collect();
    let score = judged.score.map_or_else(String::new, |score| format!(" ({score})"));
    in_san(annotated.positions.all()[index].chess(), &line) + &score
}

fn arrow(m: Move, kind: ArrowKind) -> Option<Arrow> {
    Some(Arrow { from: m.from()?, to: m.to(), kind })
}

#[cfg(test)]
mod tests {
    use super::super::sample::annotated;
    use super::*;
    use crate::lab::base::pages::page_frame::checks;

    const MATE: &str = "[White \"<One>\"]\n[Black \"Two\"]\n[Event \"E & F\"]\n\n1. f3 e5 2. g4 Qh4# 0-1";

    fn page(games: &[Annotated]) -> String {
        let (mut sections, mut summary) = (Sections::default(), Summary::default());
        for game in games {
            sections.add(game);
            summary.add(game);
        }
        sections.page(&summary, (&["nodes 100".to_owned()], [0.1, 0.2, 0.3]), Extent::Whole)
    }

    fn mate() -> Annotated {
        annotated(MATE, &[0, 40, -60, 31_999, -32_000], &["e2e4 e7e5", "e7e5", "e2e3 f8c5", "d8h4"])
    }

    #[test]
    fn a_game_has_its_course_and_its_turning_points() {
        let html = page(&[mate()]);
        checks::sound(&html);
        for wanted in [
            "<h2>1. &lt;One&gt; – Two, 0-1</h2>",
            "E &amp; F",
            "<h3 class=\"blunder\">2. g4<b>??</b></h3>",
            "<dd>2. e3 Bc5 (-0.69)</dd>",
            "<dd>2. g4 Qh4# (#-1)</dd>",
            "<a href=\"#game-1-3\"",
            "id=\"game-1-3\"",
            "10 % of a point and more",
        ] {
            assert!(html.contains(wanted), "'{wanted}' is missing in\n{html}");
        }
        assert_eq!(html.matches("<svg class=\"board\"").count(), 1, "that of 2. g4");
        assert!(!html.contains("Players of more"), "one game needs no table");
    }

    #[test]
    fn several_games_have_a_table_and_one_without_moves_is_shown() {
        let html = page(
            &[mate(), mate(), annotated("[White \"A\"]\n\n*", &[0], &[])]
                .into_iter()
                .zip(1..)
                .map(|(game, number)| Annotated { number, ..game })
                .collect::<Vec<_>>(),
        );
        checks::sound(&html);
        assert!(
            html.contains("There is no move in this game.") && html.contains("Players of more"),
            "{html}"
        );
    }

    #[test]
    fn a_page_tells_what_is_missing() {
        let (mut sections, mut summary) = (Sections::default(), Summary::default());
        sections.add(&mate());
        summary.add(&mate());
        for number in 2..24 {
            let _ = summary.left_out.add("a damaged tag", &format!("<in>: game {number}"));
        }
        summary.total = Some(60);
        let html = sections.page(&summary, (&[], [0.1, 0.2, 0.3]), Extent::Part);
        checks::sound(&html);
        for wanted in [
            "<b>Not complete.</b> The analysis was interrupted after 23 of 60 games;",
            "games: 1 of 60 analysed, 22 left out (22 for a damaged tag).",
            "<li>&lt;in&gt;: game 2</li>",
            "<li>and 2 more</li>",
        ] {
            assert!(html.contains(wanted), "'{wanted}' is missing in\n{html}");
        }
    }

    #[test]
    fn addresses_are_links_and_nothing_else_is() {
        let tags = "[Site \"https://lichess.org/a?b=1&c=\\\"2\"]\n[GameURL \"https://lichess.org/a\"]\n\
                    [Link \"javascript:alert(1)\"]\n[Event \"http://a b\"]\n\n1. e4 *";
        let html = page(&[annotated(tags, &[0, 0], &[])]);
        checks::sound(&html);
        let link = "<a href=\"https://lichess.org/a\" rel=\"noopener noreferrer\">https://lichess.org/a</a>";
        assert!(html.contains(link) && html.matches("noopener").count() == 1, "{html}");
        assert!(html.contains("b=1&amp;c=&quot;2") && !html.contains("javascript"), "{html}");
    }

    #[test]
    fn the_sections_of_many_games_are_bounded() {
        let mut sections = Sections::default();
        let (game, mut summary) = (mate(), Summary::default());
        for _ in 0..MOST_SECTIONS + 1 {
            sections.add(&game);
            summary.add(&game);
        }
        assert_eq!(sections.sections.len(), MOST_SECTIONS);
        let html = sections.page(&summary, (&[], [0.1, 0.2, 0.3]), Extent::Whole);
        assert!(html.contains("The first 200 games are shown") && !html.contains("Not complete"));
    }
}
