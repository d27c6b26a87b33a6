//! Chess board as SVG, White below: pieces, coordinates, side to move, arrows. The pieces are simple shapes of our
//! own, so that a page needs no font. A page draws them once ([`pieces`]), every board on it refers to them.

use shakmaty::{Chess, Color, File, Position as _, Rank, Role, Square};
use std::fmt::Write as _;

/// Style sheet of boards and arrows, for the page that shows them.
pub const STYLE: &str = include_str!("board.css");

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
    /// Class in the style sheet, and width of the shaft.
    const fn look(self) -> (&'static str, f64) {
        match self {
            ArrowKind::Wanted => ("wanted", 9.0),
            ArrowKind::Played => ("played", 5.0),
        }
    }
}

/// The shapes of all pieces, to be put once into a page before any board.
#[must_use]
pub fn pieces() -> String {
    let mut svg = "<svg class=\"defs\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n".to_owned();
    for role in Role::ALL {
        let _ = writeln!(svg, "<g id=\"{}\">{}</g>", role.char(), shape(role));
    }
    svg + "</defs></svg>\n"
}

/// A piece in a square of 40, in the colours of the board that uses it; class `i` marks the lines inside it.
const fn shape(role: Role) -> &'static str {
    match role {
        Role::Pawn => {
            "<path d=\"M20 7.5a5 5 0 0 1 3 9c2.4.8 3.4 3 2 5.3 3.4 2.6 4.6 6.7 4.7 12.2H10.3c.1-5.5 1.3-9.6 4.7-12.2\
             -1.4-2.3-.4-4.5 2-5.3a5 5 0 0 1 3-9z\"/>"
        }
        Role::Knight => {
            "<path d=\"M13 34c-.4-6.5 5.2-9 5.6-14-2.6 2.2-4.6 1.9-6.1 4.2-1 1.6-3.7 1.1-4.2-1.3-.4-2 1.5-4 2.5-6.4 \
             1-2.9 2-5.6 4.2-7.2l.4-3.8 3.2 2.6C25.4 8.2 31 14 31 24c0 4-.6 7-1.1 10z\"/>\
             <circle class=\"i\" cx=\"15.8\" cy=\"14\" r=\"1.2\"/>"
        }
        Role::Bishop => {
            "<path d=\"M20 9.5c-4.7 3.8-7 7.4-7 11 0 2.4 1 4.2 2.4 5.5h9.2c1.4-1.3 2.4-3.1 2.4-5.5 0-3.6-2.3-7.2-7-11z\
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
             <circle cx=\"31.7\" cy=\"11.5\" r=\"2.2\"/><path class=\"i\" d=\"M13.5 25.5h13M12.8 29.8h14.4\"/>"
        }
        Role::King => {
            "<path d=\"M18.6 4h2.8v2.6H24v2.7h-2.6v3.2h-2.8V9.3H16V6.6h2.6z\"/>\
             <path d=\"M20 14c-2-3-11.5-2.6-11.5 4.4 0 4 4 6.6 4.5 10.1V34h14v-5.5c.5-3.5 4.5-6.1 4.5-10.1 0-7-9.5-7.4\
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
        let _ = writeln!(svg, "<use class=\"{colour}\" href=\"#{name}\" x=\"{x}\" y=\"{y}\"/>");
    }
    arrows.iter().for_each(|arrow| draw_arrow(&mut svg, *arrow));
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
    let (class, width) = kind.look();
    format!(
        "<svg viewBox=\"0 0 64 20\"><g class=\"{class}\"><path class=\"shaft\" stroke-width=\"{width}\" \
         d=\"M6 10H44\"/><path stroke-width=\"0\" d=\"M60 10L45 1V19z\"/></g></svg>"
    )
}

/// The upper left corner of a square.
fn corner(square: Square) -> (f64, f64) {
    let (file, rank) = square.coords();
    (MARGIN + SQUARE * f64::from(u32::from(file)), TOP + SQUARE * f64::from(7 - u32::from(rank)))
}

fn draw_arrow(svg: &mut String, arrow: Arrow) {
    let middle = |square| {
        let (x, y) = corner(square);
        (x + SQUARE / 2.0, y + SQUARE / 2.0)
    };
    let ((x0, y0), (x1, y1)) = (middle(arrow.from), middle(arrow.to));
    let length = (x1 - x0).hypot(y1 - y0).max(1.0);
    // Along the arrow and across it.
    let (dx, dy) = ((x1 - x0) / length, (y1 - y0) / length);
    let (wide, long) = HEAD;
    let (neck_x, neck_y) = (x1 - dx * long, y1 - dy * long);
    let (class, width) = arrow.kind.look();
    let _ = writeln!(
        svg,
        "<g class=\"{class}\"><path class=\"shaft\" stroke-width=\"{width}\" d=\"M{x0:.1} {y0:.1}L{neck_x:.1} \
         {neck_y:.1}\"/><path d=\"M{x1:.1} {y1:.1}L{:.1} {:.1}L{:.1} {:.1}z\"/></g>",
        neck_x - dy * wide,
        neck_y + dx * wide,
        neck_x + dy * wide,
        neck_y - dx * wide,
    );
}

/// A disk beside the board, next to the side to move.
fn side_to_move(svg: &mut String, color: Color) {
    let class = color.fold_wb("w", "b");
    let y = TOP + color.fold_wb(7.5, 0.5) * SQUARE;
    let x = MARGIN + 8.0 * SQUARE + SIDE / 2.0;
    let _ = writeln!(svg, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"7\"/>");
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
        assert_eq!(svg.matches("<use class=\"b\" href=\"#p\"").count(), 8);
        assert_eq!(svg.matches("<text").count(), 16);
        assert_eq!(svg.matches("h40v40h-40z").count(), 32);
        assert!(svg.contains("aria-label=\"&lt;the start&gt;\""));
        // From the middle of e2 to the middle of e4, the shaft ending where the head begins.
        assert!(svg.contains("d=\"M198.0 264.0L198.0 199.0\"/><path d=\"M198.0 184.0L"), "{svg}");
        assert!(svg.contains("<circle class=\"w\" cx=\"350\" cy=\"304\""), "White is to move");
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
    }

    #[test]
    fn every_piece_has_a_shape_of_its_own() {
        let svg = pieces();
        for name in ["p", "n", "b", "r", "q", "k"] {
            assert_eq!(svg.matches(&format!("<g id=\"{name}\"><path")).count(), 1, "{name}");
        }
    }
}
