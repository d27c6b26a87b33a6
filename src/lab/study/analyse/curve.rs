//! Curve of White's expected points over a game, as SVG: the points behind every move, the area below them in
//! White's colour and the rest in Black's, a dot at every marked move.

use super::annotated::Annotated;
use super::marks::{Mark, expected};
use crate::lab::base::formats::san;
use crate::lab::base::pages::svg::escape;
use std::fmt::Write as _;

/// Size of the picture, and space for the labels left and below.
const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 170.0;
const LEFT: f64 = 34.0;
const BELOW: f64 = 22.0;
const EDGE: f64 = 8.0;

/// Most labels below.
const MOST_LABELS: usize = 10;

/// The picture; `link` is the beginning of the addresses of the marked moves on the page, whose end is the
/// number of the ply, for those that have a board.
#[must_use]
pub fn draw(annotated: &Annotated, link: impl Fn(usize) -> Option<String>) -> String {
    let plies = annotated.game.moves.len();
    let x = |ply: usize| LEFT + (WIDTH - LEFT - EDGE) * ply as f64 / plies.max(1) as f64;
    let floor = HEIGHT - BELOW;
    let y = |share: f64| EDGE + (floor - EDGE) * (1.0 - share);
    let points: Vec<(usize, f64)> = (0..=plies)
        .filter_map(|ply| Some((ply, expected(&annotated.positions, &annotated.evaluated, ply)?)))
        .collect();
    let mut svg = format!(
        "<svg class=\"curve\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n\
         <rect class=\"black\" x=\"{LEFT}\" y=\"{EDGE}\" width=\"{:.1}\" height=\"{:.1}\"/>\n",
        escape(&in_words(&points)),
        x(plies) - LEFT,
        floor - EDGE
    );
    let path: Vec<String> =
        points.iter().map(|&(ply, share)| format!("{:.1} {:.1}", x(ply), y(share))).collect();
    if let [(first, _), .., (last, _)] = points[..] {
        let line = path.join("L");
        let _ = writeln!(
            svg,
            "<path class=\"white\" d=\"M{line}L{:.1} {floor}L{:.1} {floor}z\"/>",
            x(last),
            x(first)
        );
        let _ = writeln!(svg, "<path class=\"middle\" d=\"M{LEFT} {:.1}H{:.1}\"/>", y(0.5), x(plies));
        let _ = writeln!(svg, "<path class=\"line\" d=\"M{line}\"/>");
    }
    for (share, text) in [(1.0, "100"), (0.5, "50"), (0.0, "0")] {
        let _ = writeln!(
            svg,
            "<text class=\"e\" x=\"{:.1}\" y=\"{:.1}\">{text}</text>",
            LEFT - 5.0,
            y(share) + 4.0
        );
    }
    numbers(&mut svg, annotated, &x);
    for (index, judged) in annotated.judged.iter().enumerate() {
        if let (Some(mark), Some(share)) = (judged.mark, judged.expected) {
            let dot = (x(index + 1), y(share), class(mark));
            dots(&mut svg, dot, &told(annotated, index, mark), link(index));
        }
    }
    svg + "</svg>\n"
}

/// Class of the colour of a mark.
#[must_use]
pub fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Inaccuracy => "inaccuracy",
        Mark::Mistake => "mistake",
        Mark::Blunder => "blunder",
    }
}

/// The numbers of some moves below the picture.
fn numbers(svg: &mut String, annotated: &Annotated, x: &impl Fn(usize) -> f64) {
    let moves = annotated.game.moves.len().div_ceil(2);
    let step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000]
        .into_iter()
        .find(|step| moves / step <= MOST_LABELS)
        .unwrap_or(5000);
    let mut index = 0;
    while index < annotated.game.moves.len() {
        let position = annotated.positions.all()[index].chess();
        let number = u32::from(shakmaty::Position::fullmoves(position)) as usize;
        let of_white = shakmaty::Position::turn(position).is_white();
        if of_white && (number.is_multiple_of(step)) {
            let (x, y) = (x(index + 1), HEIGHT - 7.0);
            let _ = writeln!(svg, "<text class=\"m\" x=\"{x:.1}\" y=\"{y}\">{number}</text>");
        }
        index += 1;
    }
}

fn dots(svg: &mut String, (x, y, class): (f64, f64, &str), title: &str, link: Option<String>) {
    let title = escape(title);
    let dot = format!(
        "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"><title>{title}</title></circle>"
    );
    let _ = match link {
        Some(link) => writeln!(svg, "<a href=\"#{link}\" aria-label=\"{title}\">{dot}</a>"),
        None => writeln!(svg, "{dot}"),
    };
}

/// A marked move in words.
#[must_use]
pub fn told(annotated: &Annotated, index: usize, mark: Mark) -> String {
    let judged = &annotated.judged[index];
    let san = san::write(annotated.positions.all()[index].chess(), judged.played);
    let lost = 100.0 * judged.loss.unwrap_or_default();
    format!("{} {san}{} loses {lost:.0} %", annotated.move_number(index), mark.glyph())
}

/// The curve in words, for screen readers.
fn in_words(points: &[(usize, f64)]) -> String {
    match points {
        [] => "White's expected points are not known".to_owned(),
        [.., (_, last)] => {
            let least = points.iter().map(|(_, share)| *share).fold(1.0, f64::min);
            let most = points.iter().map(|(_, share)| *share).fold(0.0, f64::max);
            let [least, most, last] = [least, most, *last].map(|share| format!("{:.0}", 100.0 * share));
            format!("White's expected points by moves: from {least} to {most} %, at the end {last} %")
        }
    }
}
