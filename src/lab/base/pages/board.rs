//! Chess board as SVG, White below: pieces, coordinates, side to move, arrows. The pieces are simple shapes
//! of our own, so that a page needs no font. A page draws them once ([`pieces`]), every board on it refers to
//! them.

use shakmaty::{Chess, Color, File, Position as _, Rank, Role, Square};
use std::fmt::Write as _;

/// Style sheet of boards and arrows, for the page that shows them.
pub const STYLE: &str = include_str!("board.css");

/// Script that puts pieces on a board of [`empty`], for the page that has one: a function `showBoard`.
pub const SCRIPT: &str = include_str!("board.js");

/// Side of a square, in units of the picture, as are all lengths below.
const SQUARE: f64 = 40.0;
/// Space for coordinates, left and below.
const MARGIN: f64 = 18.0;
/// Space for the mark of the side to move, right.
const SIDE: f64 = 24.0;
/// Space above.
const TOP: f64 = 4.0;
/// Half the width and the length of an arrow's head.
const HEAD: (f64, f64) = (9.0, 15.0);
/// Distance between arrows that lie on one line.
const LANE: f64 = 13.0;
/// Distance of an arrow's tip from the middle of a square that other arrows point to as well.
const SHORT: f64 = 9.0;

/// Squares and an arrow between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// Square at which it begins.
    pub from: Square,
    /// Square to which it points.
    pub to: Square,
    /// Its meaning, and with it its look.
    pub kind: ArrowKind,
}

/// Meaning of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrowKind {
    /// A move that should be found: broad and green.
    Wanted,
    /// The move that was played: slender and orange.
    Played,
}

impl ArrowKind {
    /// Classes in the style sheet with the colour, and width of the shaft.
    const fn look(self) -> (&'static str, f64) {
        match self {
            ArrowKind::Wanted => ("arrow wanted c2", 9.0),
            ArrowKind::Played => ("arrow played c1", 5.0),
        }
    }
}

/// The shapes of all pieces, to be put once into a page before any board.
#[must_use]
pub fn pieces() -> String {
    let mut svg = "<svg class=\"defs\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n".to_owned();
    for role in Role::ALL {
        let _ = writeln!(svg, "<g id=\"piece-{}\">{}</g>", role.char(), shape(role));
    }
    svg + "</defs></svg>\n"
}

/// The shapes of the discs of Othello (`d`), and of the men (`m`) and crowned men (`c`) of checkers.
#[must_use]
pub fn counters() -> String {
    let ring = "<circle class=\"i\" cx=\"20\" cy=\"20\" r=\"9\"/>";
    let crown = "<path class=\"i\" d=\"M12.5 25l-1.5-9 5 4 4-7 4 7 5-4-1.5 9z\"/>";
    let disc = "<circle cx=\"20\" cy=\"20\" r=\"15\"/>";
    format!(
        "<svg class=\"defs\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n<g \
        id=\"piece-d\">{disc}</g>\n\
         <g id=\"piece-m\">{disc}{ring}</g>\n<g id=\"piece-c\">{disc}{crown}</g>\n</defs></svg>\n"
    )
}

/// An empty board for a script, which puts the pieces on it ([`SCRIPT`]). `chequered` is false for a board of
/// lines, as that of Othello.
#[must_use]
pub fn empty(chequered: bool) -> String {
    let (width, height) = (MARGIN + 8.0 * SQUARE + SIDE, TOP + 8.0 * SQUARE + MARGIN);
    let mut svg = format!(
        "<svg class=\"board\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"Board\" \
         data-square=\"{SQUARE}\" data-left=\"{MARGIN}\" data-top=\"{TOP}\">\n"
    );
    if chequered {
        squares(&mut svg);
    } else {
        lines(&mut svg);
    }
    coordinates(&mut svg);
    svg.push_str("<g class=\"men\"></g>\n");
    side_to_move(&mut svg, Color::White);
    side_to_move(&mut svg, Color::Black);
    svg + "</svg>\n"
}

/// Squares of one colour with lines between them.
fn lines(svg: &mut String) {
    let side = 8.0 * SQUARE;
    let _ = write!(
        svg,
        "<rect class=\"light\" x=\"{MARGIN}\" y=\"{TOP}\" width=\"{side}\" height=\"{side}\"/><path \
        class=\"grid\" d=\""
    );
    for line in 0..=8 {
        let at = SQUARE * f64::from(line);
        let _ = write!(svg, "M{MARGIN} {}h{side}M{} {TOP}v{side}", TOP + at, MARGIN + at);
    }
    svg.push_str("\"/>\n");
}

/// A piece in a square of 40, in the colours of the board that uses it; class `i` marks the lines inside it.
const fn shape(role: Role) -> &'static str {
    match role {
        Role::Pawn => {
            "<path d=\"M20 7.5a5 5 0 0 1 3 9c2.4.8 3.4 3 2 5.3 3.4 2.6 4.6 6.7 4.7 12.2H10.3c.1-5.5 1.3-9.6 \
            4.7-12.2\
             -1.4-2.3-.4-4.5 2-5.3a5 5 0 0 1 3-9z\"/>"
        }
        Role::Knight => {
            "<path d=\"M13 34c-.4-6.5 5.2-9 5.6-14-2.6 2.2-4.6 1.9-6.1 4.2-1 1.6-3.7 1.1-4.2-1.3-.4-2 1.5-4 \
            2.5-6.4 \
             1-2.9 2-5.6 4.2-7.2l.4-3.8 3.2 2.6C25.4 8.2 31 14 31 24c0 4-.6 7-1.1 10z\"/>\
             <circle class=\"i\" cx=\"15.8\" cy=\"14\" r=\"1.2\"/>"
        }
        Role::Bishop => {
            "<path d=\"M20 9.5c-4.7 3.8-7 7.4-7 11 0 2.4 1 4.2 2.4 5.5h9.2c1.4-1.3 2.4-3.1 2.4-5.5 \
            0-3.6-2.3-7.2-7-11z\
             M15.4 26l-1 3.5h11.2l-1-3.5zM10 34c1-3 3-4.5 5-4.5h10c2 0 4 1.5 5 4.5z\"/>\
             <circle cx=\"20\" cy=\"7.4\" r=\"2.3\"/><path class=\"i\" d=\"M20 15v6M17 18h6\"/>"
        }
        Role::Rook => {
            "<path d=\"M10.5 34v-4h3l1-12.5h-2.7V8h4v3h2.6V8h3.2v3h2.6V8h4v9.5h-2.7l1 12.5h3v4z\"/>\
             <path class=\"i\" d=\"M14.5 17.5h11M13.5 30h13\"/>"
        }
        Role::Queen => {
            "<path d=\"M8.5 13l5 12.5L12 34h16l-1.5-8.5 5-12.5-6.3 7L20 9.5l-5.2 10.5z\"/>\
             <circle cx=\"8.3\" cy=\"11.5\" r=\"2.2\"/><circle cx=\"20\" cy=\"7.5\" r=\"2.3\"/>\
             <circle cx=\"31.7\" cy=\"11.5\" r=\"2.2\"/><path class=\"i\" d=\"M13.5 25.5h13M12.8 \
             29.8h14.4\"/>"
        }
        Role::King => {
            "<path d=\"M18.6 4h2.8v2.6H24v2.7h-2.6v3.2h-2.8V9.3H16V6.6h2.6z\"/>\
             <path d=\"M20 14c-2-3-11.5-2.6-11.5 4.4 0 4 4 6.6 4.5 10.1V34h14v-5.5c.5-3.5 4.5-6.1 4.5-10.1 \
             0-7-9.5-7.4\
             -11.5-4.4z\"/><path class=\"i\" d=\"M13 28.5h14M20 14v9\"/>"
        }
    }
}

/// The board with its arrows. `label` describes it for screen readers.
#[must_use]
pub fn draw(chess: &Chess, arrows: &[Arrow], label: &str) -> String {
    let (width, height) = (MARGIN + 8.0 * SQUARE + SIDE, TOP + 8.0 * SQUARE + MARGIN);
    let label = super::svg::escape(label);
    let mut svg = format!(
        "<svg class=\"board\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{label}\">\n"
    );
    squares(&mut svg);
    coordinates(&mut svg);
    for square in Square::ALL {
        let Some(piece) = chess.board().piece_at(square) else { continue };
        let ((x, y), name) = (corner(square), piece.role.char());
        let colour = piece.color.fold_wb("w", "b");
        let _ = writeln!(svg, "<use class=\"{colour}\" href=\"#piece-{name}\" x=\"{x}\" y=\"{y}\"/>");
    }
    for (index, arrow) in arrows.iter().enumerate() {
        let ends = shifted(arrows, index);
        svg += &shape_of_arrow(arrow.kind, ends);
    }
    side_to_move(&mut svg, chess.turn());
    svg + "</svg>\n"
}

/// The board in the colour of its light squares, and the dark squares on it.
fn squares(svg: &mut String) {
    let side = 8.0 * SQUARE;
    let _ =
        write!(svg, "<rect class=\"light\" x=\"{MARGIN}\" y=\"{TOP}\" width=\"{side}\" height=\"{side}\"/>");
    svg.push_str("<path class=\"dark\" d=\"");
    for square in Square::ALL.into_iter().filter(|square| square.is_dark()) {
        let (x, y) = corner(square);
        let _ = write!(svg, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z");
    }
    svg.push_str("\"/>\n");
}

fn coordinates(svg: &mut String) {
    for rank in Rank::ALL {
        let y = corner(Square::from_coords(File::A, rank)).1 + SQUARE / 2.0 + 4.0;
        let _ = write!(svg, "<text x=\"{}\" y=\"{y}\">{}</text>", MARGIN / 2.0, rank.char());
    }
    for file in File::ALL {
        let x = corner(Square::from_coords(file, Rank::First)).0 + SQUARE / 2.0;
        let _ = write!(svg, "<text x=\"{x}\" y=\"{}\">{}</text>", TOP + 8.0 * SQUARE + 13.0, file.char());
    }
    svg.push('\n');
}

/// An arrow of a kind without a board, for a legend.
#[must_use]
pub fn sample(kind: ArrowKind) -> String {
    format!(
        "<svg viewBox=\"0 0 64 20\" aria-hidden=\"true\">{}</svg>",
        shape_of_arrow(kind, ((6.0, 10.0), (60.0, 10.0)))
    )
}

/// The upper left corner of a square.
fn corner(square: Square) -> (f64, f64) {
    let (file, rank) = square.coords();
    (MARGIN + SQUARE * f64::from(u32::from(file)), TOP + SQUARE * f64::from(7 - u32::from(rank)))
}

/// The middle of a square.
fn middle(square: Square) -> (f64, f64) {
    let (x, y) = corner(square);
    (x + SQUARE / 2.0, y + SQUARE / 2.0)
}

/// The unit vector from one place to another.
fn direction((x0, y0): (f64, f64), (x1, y1): (f64, f64)) -> (f64, f64) {
    let length = (x1 - x0).hypot(y1 - y0).max(1.0);
    ((x1 - x0) / length, (y1 - y0) / length)
}

/// True if two arrows would lie upon each other: on one line, with a part of it in common.
fn overlap(one: Arrow, other: Arrow) -> bool {
    let ((ax, ay), (bx, by)) = (middle(one.from), middle(one.to));
    let (dx, dy) = direction((ax, ay), (bx, by));
    let across = |(x, y): (f64, f64)| (x - ax) * dy - (y - ay) * dx;
    let along = |(x, y): (f64, f64)| (x - ax) * dx + (y - ay) * dy;
    let ends = [middle(other.from), middle(other.to)];
    let (low, high) = (along(ends[0]).min(along(ends[1])), along(ends[0]).max(along(ends[1])));
    ends.iter().all(|&end| across(end).abs() < 1.0) && low.max(0.0) + 1.0 < high.min(along((bx, by)))
}

/// Begin and end of an arrow. Arrows that would lie upon each other run side by side, and those that point to
/// one square end before its middle, so that none hides another.
fn shifted(arrows: &[Arrow], index: usize) -> ((f64, f64), (f64, f64)) {
    let arrow = arrows[index];
    let (from, to) = (middle(arrow.from), middle(arrow.to));
    let (dx, dy) = direction(from, to);
    let beside: Vec<usize> =
        (0..arrows.len()).filter(|&other| other == index || overlap(arrow, arrows[other])).collect();
    let place = beside.iter().position(|&other| other == index).unwrap_or(0);
    // The same side for arrows of opposite directions.
    let side = if dx > 0.01 || (dx.abs() <= 0.01 && dy > 0.0) { 1.0 } else { -1.0 };
    let shift = side * LANE * (place as f64 - (beside.len() - 1) as f64 / 2.0);
    let meets = arrows.iter().enumerate().any(|(other, one)| other != index && one.to == arrow.to);
    let short = if meets && beside.len() == 1 { SHORT } else { 0.0 };
    let moved = |(x, y): (f64, f64), back: f64| (x - dy * shift - dx * back, y + dx * shift - dy * back);
    (moved(from, 0.0), moved(to, short))
}

/// An arrow with a light edge, which sets it apart from pieces and from arrows that it crosses.
fn shape_of_arrow(kind: ArrowKind, ends: ((f64, f64), (f64, f64))) -> String {
    let ((x0, y0), (x1, y1)) = ends;
    // Along the arrow and across it.
    let (dx, dy) = direction(ends.0, ends.1);
    let (wide, long) = HEAD;
    let (class, width) = kind.look();
    let half = width / 2.0;
    let at = |x: f64, y: f64, across: f64| format!("{:.1} {:.1}", x - dy * across, y + dx * across);
    let (neck_x, neck_y) = (x1 - dx * long, y1 - dy * long);
    let outline = format!(
        "M{}L{}L{}L{}L{}L{}L{}z",
        at(x0, y0, half),
        at(neck_x, neck_y, half),
        at(neck_x, neck_y, wide),
        at(x1, y1, 0.0),
        at(neck_x, neck_y, -wide),
        at(neck_x, neck_y, -half),
        at(x0, y0, -half),
    );
    format!(
        "<g class=\"{class}\"><path class=\"edge\" d=\"{outline}\"/><path \
        class=\"body\" d=\"{outline}\"/></g>\n"
    )
}

/// A disk beside the board, next to the side to move.
fn side_to_move(svg: &mut String, color: Color) {
    let class = color.fold_wb("w", "b");
    let y = TOP + color.fold_wb(7.5, 0.5) * SQUARE;
    let x = MARGIN + 8.0 * SQUARE + SIDE / 2.0;
    let _ = writeln!(svg, "<circle class=\"{class} turn\" cx=\"{x}\" cy=\"{y}\" r=\"7\"/>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_shows_pieces_arrows_and_the_side_to_move() {
        let arrow = |from, to, kind| Arrow { from, to, kind };
        let arrows = [
            arrow(Square::E2, Square::E4, ArrowKind::Wanted),
            arrow(Square::G1, Square::H3, ArrowKind::Played),
        ];
        let svg = draw(&Chess::default(), &arrows, "<the start>");
        assert_eq!(svg.matches("<use class=\"w\"").count(), 16);
        assert_eq!(svg.matches("<use class=\"b\" href=\"#piece-p\"").count(), 8);
        assert_eq!(svg.matches("<text").count(), 16);
        assert_eq!(svg.matches("h40v40h-40z").count(), 32);
        assert!(svg.contains("aria-label=\"&lt;the start&gt;\""));
        // From the middle of e2 to the middle of e4.
        assert_eq!(shifted(&arrows, 0), ((198.0, 264.0), (198.0, 184.0)));
        assert!(svg.contains("L198.0 184.0L"), "{svg}");
        assert!(svg.contains("<circle class=\"w turn\" cx=\"350\" cy=\"304\""), "White is to move");
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
    }

    #[test]
    fn arrows_on_one_line_run_side_by_side() {
        let arrow = |from, to, kind| Arrow { from, to, kind };
        let apart = |arrows: &[Arrow]| {
            let lines: Vec<_> = (0..arrows.len()).map(|index| shifted(arrows, index)).collect();
            let ((x0, y0), (x1, y1)) = lines[0];
            let (dx, dy) = direction((x0, y0), (x1, y1));
            lines[1..]
                .iter()
                .map(|(from, to)| {
                    let across = |(x, y): (f64, f64)| ((x - x0) * dy - (y - y0) * dx).abs();
                    across(*from).min(across(*to))
                })
                .fold(f64::INFINITY, f64::min)
        };
        use ArrowKind::{Played, Wanted};
        let wanted = arrow(Square::A1, Square::A8, Wanted);
        for played in [
            arrow(Square::A1, Square::A8, Played),
            arrow(Square::A1, Square::A4, Played),
            arrow(Square::A8, Square::A3, Played),
            arrow(Square::A5, Square::A6, Played),
        ] {
            assert!(apart(&[wanted, played]) >= LANE - 0.01, "{played:?}");
            assert!(apart(&[played, wanted]) >= LANE - 0.01, "{played:?}");
        }
        // Others stay where they are: beside, across, or one behind the other.
        for other in [
            arrow(Square::B1, Square::B8, Played),
            arrow(Square::C3, Square::D5, Played),
            arrow(Square::A1, Square::H8, Played),
        ] {
            assert_eq!(shifted(&[wanted, other], 0), (middle(Square::A1), middle(Square::A8)), "{other:?}");
        }
        let (first, second) = (arrow(Square::A1, Square::A4, Wanted), arrow(Square::A4, Square::A8, Played));
        assert_eq!(shifted(&[first, second], 0), (middle(Square::A1), middle(Square::A4)));
    }

    #[test]
    fn arrows_to_one_square_end_before_its_middle() {
        let arrows =
            [Square::A4, Square::H5].map(|from| Arrow { from, to: Square::D4, kind: ArrowKind::Wanted });
        let [(_, one), (_, other)] = [0, 1].map(|index| shifted(&arrows, index));
        assert!((one.0 - other.0).hypot(one.1 - other.1) > SHORT, "{one:?} {other:?}");
    }

    #[test]
    fn every_piece_has_a_shape_of_its_own() {
        let svg = pieces();
        for name in ["p", "n", "b", "r", "q", "k"] {
            assert_eq!(svg.matches(&format!("<g id=\"piece-{name}\"><path")).count(), 1, "{name}");
        }
        let svg = counters();
        for name in ["d", "m", "c"] {
            assert_eq!(svg.matches(&format!("<g id=\"piece-{name}\"><circle")).count(), 1, "{name}");
        }
    }

    #[test]
    fn an_empty_board_has_room_for_pieces_and_both_sides_to_move() {
        for (chequered, dark) in [(true, 32), (false, 0)] {
            let svg = empty(chequered);
            assert_eq!(svg.matches("h40v40h-40z").count(), dark);
            assert_eq!(svg.matches("<text").count(), 16);
            assert_eq!((svg.matches("<use").count(), svg.matches(" turn\"").count()), (0, 2));
            assert!(svg.contains("<g class=\"men\"></g>"));
        }
    }
}
