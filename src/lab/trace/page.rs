//! The page of `plumb trace`: how each driver's bounds close in on the value (TR figure 9), for a browser.

use super::record::{Trace, pawns};
use crate::chess::game::Game;
use crate::chess::score::{UNITS_PER_PAWN, Value, is_mate};
use crate::lab::pages::chart::{Axis, Chart, Point, Series};
use crate::lab::pages::shell::{STYLE, escape};
use crate::lab::pages::svg::draw;
use crate::lab::pages::table::count;
use crate::search::{Mode, Pass};
use shakmaty::{Color, Role, Square};
use std::fmt::Write as _;

/// More passes than this are shown as the first and the last ones.
const SHOWN: usize = 24;

/// Sizes of a picture, in pixels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 84.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 40.0;

/// The whole page.
#[must_use]
pub(super) fn page(game: &Game, traces: &[Trace], depth: i32, mode: Mode) -> String {
    let fen = escape(&game.fen());
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Plumb: one search, pass by pass</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>One search, pass by pass</h1>\n<p class=\"about\">{fen} · depth {depth} · {mode} mode</p>\n\
         </header>\n<main>\n{}\
         <p>A driver never asks “what is this position worth?”. It asks “is it worth at least <em>b</em>?”, and the \
         null-window search (MT) answers with a bound: a question that <em>fails high</em> raises the lower bound \
         f−, one that <em>fails low</em> lowers the upper bound f+. When they meet, the value is known (Plaat, \
         Schaeffer, Pijls and de Bruin 1995, figures 8 and 9). Drivers differ in which <em>b</em> they ask next; \
         the table remembers what earlier passes found. NegaScout and Alpha-Beta ask with an open window \
         instead, drawn as a bar.</p>\n<p class=\"soft\">The shaded band is what is still possible after each \
         pass; ▲ a question that failed high, ▼ one that failed low, ◆ an answer inside an open window. \
         Values are in pawns from the side to move. Beneath, the moves made by each pass.</p>\n",
        board(game)
    );
    for trace in traces {
        chapter(&mut html, trace);
    }
    let _ = write!(html, "<h2>All drivers</h2>\n<figure>\n{}</figure>\n", draw(&growth(traces)));
    html.push_str("</main>\n</body>\n</html>\n");
    html
}

fn chapter(html: &mut String, trace: &Trace) {
    let last = trace.last_iteration();
    let _ = write!(
        html,
        "<h2>{}</h2>\n<p>{} passes in the last iteration; value <strong>{}</strong>; {}</p>\n<figure>\n{}{}</figure>\n",
        escape(trace.backend.name()),
        last.len(),
        pawns(trace.value),
        escape(&trace.line.join(" ")),
        bracket(trace),
        bars(&trace.nodes_by_pass())
    );
    passes(html, last, &trace.nodes_by_pass());
}

/// The position, from White's side.
fn board(game: &Game) -> String {
    let mut svg =
        "<svg viewBox=\"0 0 320 320\" width=\"240\" role=\"img\" aria-label=\"the position\">\n".to_owned();
    for square in Square::ALL {
        let (x, y) = (40 * u32::from(square.file()), 280 - 40 * u32::from(square.rank()));
        let fill = if square.is_dark() { "#b58863" } else { "#f0d9b5" };
        let _ = writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"40\" height=\"40\" fill=\"{fill}\"/>");
        if let Some(piece) = game.position().board().piece_at(square) {
            let fill = if piece.color == Color::White { "#fff" } else { "#111" };
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" font-size=\"33\" text-anchor=\"middle\" fill=\"{fill}\" stroke=\"#111\" \
                 stroke-width=\"0.7\">{}</text>",
                x + 20,
                y + 32,
                figure(piece.role)
            );
        }
    }
    svg + "</svg>\n"
}

const fn figure(role: Role) -> char {
    match role {
        Role::King => '♚',
        Role::Queen => '♛',
        Role::Rook => '♜',
        Role::Bishop => '♝',
        Role::Knight => '♞',
        Role::Pawn => '♟',
    }
}

/// Which values a picture shows, and where.
struct Scale {
    low: f64,
    high: f64,
    passes: usize,
}

impl Scale {
    /// Room for every answer and for every finite question and bound near them; infinities lie at the edges.
    fn new(trace: &Trace, passes: &[Pass]) -> Scale {
        let near = |value: &Value| !is_mate(*value) || *value == trace.value;
        let answers = passes.iter().map(|pass| pass.answer).filter(near);
        let values = answers.chain([trace.value]).map(f64::from);
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
        let margin = (0.12 * (high - low)).max(f64::from(UNITS_PER_PAWN) / 20.0);
        Scale { low: low - margin, high: high + margin, passes: passes.len().max(1) }
    }

    fn x(&self, pass: f64) -> f64 {
        LEFT + pass * (WIDTH - LEFT - 12.0) / self.passes as f64
    }

    fn y(&self, value: Value) -> f64 {
        let share = (f64::from(value).clamp(self.low, self.high) - self.low) / (self.high - self.low);
        TOP + (1.0 - share) * (HEIGHT - TOP - BOTTOM)
    }
}

/// The band between f- and f+, and the questions.
fn bracket(trace: &Trace) -> String {
    let passes = trace.last_iteration();
    let scale = Scale::new(trace, passes);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"100%\" role=\"img\" aria-label=\"bounds by pass\" \
         font-size=\"12\" fill=\"var(--ink)\">\n"
    );
    axes(&mut svg, &scale);
    for (index, pass) in passes.iter().enumerate() {
        let (left, right) = (scale.x(index as f64), scale.x(index as f64 + 1.0));
        let (top, bottom) = (scale.y(pass.bracket.1), scale.y(pass.bracket.0));
        let _ = writeln!(
            svg,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"var(--link)\" \
             opacity=\"0.25\"><title>pass {}: {} to {}</title></rect>",
            right - left,
            (bottom - top).max(1.5),
            pass.number,
            pawns(pass.bracket.0),
            pawns(pass.bracket.1)
        );
        question(&mut svg, &scale, pass, (left + right) / 2.0);
    }
    let y = scale.y(trace.value);
    let _ = writeln!(
        svg,
        "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\" stroke=\"var(--ink)\" stroke-dasharray=\"3 3\"/>",
        scale.x(passes.len() as f64)
    );
    svg + "</svg>\n"
}

fn axes(svg: &mut String, scale: &Scale) {
    let floor = HEIGHT - BOTTOM;
    for step in 0..=4 {
        let value = scale.low + f64::from(step) * (scale.high - scale.low) / 4.0;
        let y = scale.y(value.round() as Value);
        let label = format!("{:+.2}", value / f64::from(UNITS_PER_PAWN));
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{WIDTH}\" y2=\"{y:.1}\" stroke=\"var(--rule)\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            LEFT - 6.0,
            y + 4.0
        );
    }
    let every = scale.passes.div_ceil(20).max(1);
    for pass in (0..scale.passes).step_by(every) {
        let x = scale.x(pass as f64 + 0.5);
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            floor + 16.0,
            pass + 1
        );
    }
    let middle = LEFT + (WIDTH - LEFT) / 2.0;
    let _ = writeln!(
        svg,
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">pass</text>\
         <text transform=\"translate(13 {}) rotate(-90)\" text-anchor=\"middle\">value in pawns</text>",
        HEIGHT - 6.0,
        TOP + (floor - TOP) / 2.0
    );
}

/// What was asked, and how it was answered.
fn question(svg: &mut String, scale: &Scale, pass: &Pass, x: f64) {
    let (alpha, beta) = pass.window;
    let (mark, colour) = match pass.answer {
        answer if answer >= beta => ("▲", "var(--holds)"),
        answer if answer <= alpha => ("▼", "var(--fails)"),
        _ => ("◆", "var(--ink)"),
    };
    if beta - alpha > 1 {
        let (top, bottom) = (scale.y(beta), scale.y(alpha));
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{top:.1}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\" stroke=\"{colour}\" stroke-width=\"2\"/>"
        );
    }
    let at = if mark == "◆" { pass.answer } else { beta };
    let size = (WIDTH / scale.passes as f64 * 0.8).clamp(5.0, 14.0);
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"{size:.1}\" fill=\"{colour}\">{mark}\
         <title>pass {}: at least {}? answer {}</title></text>",
        scale.y(at) + 0.35 * size,
        pass.number,
        pawns(beta),
        pawns(pass.answer)
    );
}

/// Moves made by each pass.
fn bars(nodes: &[u64]) -> String {
    const TALL: f64 = 90.0;
    let most = nodes.iter().copied().max().unwrap_or(0).max(1);
    let wide = (WIDTH - LEFT - 12.0) / nodes.len().max(1) as f64;
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {}\" width=\"100%\" role=\"img\" aria-label=\"moves made by pass\" font-size=\"12\" \
         fill=\"var(--ink)\">\n<text x=\"{}\" y=\"12\" text-anchor=\"end\">{}</text>\
         <text transform=\"translate(13 {}) rotate(-90)\" text-anchor=\"middle\">moves made</text>\n",
        TALL + 8.0,
        LEFT - 6.0,
        count(most),
        TALL / 2.0
    );
    for (index, &own) in nodes.iter().enumerate() {
        let height = TALL * own as f64 / most as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"var(--soft)\"><title>pass {}: \
             {} moves made</title></rect>",
            LEFT + (index as f64 + 0.1) * wide,
            TALL - height,
            0.8 * wide,
            index + 1,
            count(own)
        );
    }
    svg + "</svg>\n"
}

/// The passes as a table; of many, the first and the last.
fn passes(html: &mut String, passes: &[Pass], nodes: &[u64]) {
    html.push_str(
        "<div class=\"wide\"><table class=\"numbers\">\n<thead><tr><th>pass</th><th>window</th><th>answer</th>\
         <th>f−</th><th>f+</th><th>moves made</th></tr></thead>\n<tbody>\n",
    );
    for (index, (pass, &own)) in passes.iter().zip(nodes).enumerate() {
        let hidden = passes.len() > SHOWN && index >= SHOWN / 2 && index < passes.len() - SHOWN / 2;
        if hidden {
            if index == SHOWN / 2 {
                let _ = writeln!(html, "<tr><td colspan=\"6\">… {} more …</td></tr>", passes.len() - SHOWN);
            }
            continue;
        }
        let [alpha, beta, answer, lower, upper] =
            [pass.window.0, pass.window.1, pass.answer, pass.bracket.0, pass.bracket.1].map(bound);
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{alpha} … {beta}</td><td>{answer}</td><td>{lower}</td><td>{upper}</td><td>{}</td></tr>",
            pass.number,
            count(own)
        );
    }
    html.push_str("</tbody></table></div>\n");
}

/// A bound in pawns; beyond all mates it is infinite.
fn bound(value: Value) -> String {
    match value {
        value if value.abs() >= crate::chess::score::MATE => {
            if value > 0 {
                "+∞".to_owned()
            } else {
                "−∞".to_owned()
            }
        }
        value => pawns(value),
    }
}

fn growth(traces: &[Trace]) -> Chart {
    let series = |trace: &Trace| {
        let deepest = trace.passes.last().map_or(0, |pass| pass.depth);
        let point = |depth: i32| {
            let y = trace.nodes(depth)?.max(1) as f64;
            Some(Point { x: f64::from(depth), y, interval: None })
        };
        Series {
            name: trace.backend.name().to_owned(),
            points: (1..=deepest).filter_map(point).collect(),
            from_paper: false,
        }
    };
    Chart {
        name: "nodes".into(),
        title: "Moves made to each depth".into(),
        x: Axis { label: "search depth in plies".into(), logarithmic: false },
        y: Axis { label: "moves made, cumulative".into(), logarithmic: true },
        series: traces.iter().map(series).collect(),
        level: None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;
    use crate::search::Backend;

    #[test]
    fn every_driver_is_on_the_page() {
        let html = page(&Game::new(), &sample::traces(), 3, Mode::Paper);
        for backend in Backend::DRIVERS {
            assert!(html.contains(&format!("<h2>{}</h2>", escape(backend.name()))), "{backend}");
        }
        assert!(!html.contains("NaN") && !html.contains("<script") && !html.contains("src="));
        assert_eq!(html.matches("<svg").count(), html.matches("</svg>").count());
        assert_eq!(html.matches("♟").count(), 16);
        assert!(html.contains("−∞") && html.contains("▲") && html.contains("▼"));
    }
}
