//! SVG of one driver's last iteration: the bounds f- and f+ after each pass (TR figure 9), and the moves made by each
//! pass.

use super::record::{Trace, pawns};
use crate::chess::score::{UNITS_PER_PAWN, Value, is_mate};
use crate::lab::pages::axis::Scaling;
use crate::lab::pages::table::count;
use crate::search::Pass;
use std::fmt::Write as _;

/// Sizes of a picture, in pixels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 40.0;

/// Least space above and below the values, in pawns.
const MARGIN: f64 = 0.05;

/// The axis of values in pawns, and the columns of the passes.
struct Frame {
    values: Scaling,
    passes: usize,
}

impl Frame {
    /// A range with room for every answer except mates, and for the value found. Questions and bounds beyond it, up
    /// to the infinite ones, are drawn at the edge.
    fn new(trace: &Trace, passes: &[Pass]) -> Option<Frame> {
        let near = |value: &Value| !is_mate(*value) || *value == trace.value;
        let answers = passes.iter().map(|pass| pass.answer).filter(near);
        let values = answers.chain([trace.value]).map(in_pawns);
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
        let margin = (0.12 * (high - low)).max(MARGIN);
        let values = Scaling::new(&[low - margin, high + margin], false, 4, true)?;
        Some(Frame { values, passes: passes.len().max(1) })
    }

    fn x(&self, pass: f64) -> f64 {
        column(pass, self.passes)
    }

    fn y(&self, pawns: f64) -> f64 {
        TOP + (1.0 - self.values.place(pawns).unwrap_or(0.0)) * (HEIGHT - TOP - BOTTOM)
    }
}

/// Left edge of a pass's column. A fraction lies inside the column.
fn column(pass: f64, passes: usize) -> f64 {
    LEFT + pass * (WIDTH - LEFT - RIGHT) / passes.max(1) as f64
}

fn in_pawns(value: Value) -> f64 {
    f64::from(value) / f64::from(UNITS_PER_PAWN)
}

/// The values still possible after each pass (between f- and f+), and the questions asked.
pub(super) fn bounds(trace: &Trace) -> String {
    let passes = trace.last_iteration();
    let Some(frame) = Frame::new(trace, passes) else { return String::new() };
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"100%\" role=\"img\" aria-label=\"bounds by pass\" \
         font-size=\"12\" fill=\"var(--ink)\">\n"
    );
    axes(&mut svg, &frame);
    for (index, pass) in passes.iter().enumerate() {
        let (left, right) = (frame.x(index as f64), frame.x(index as f64 + 1.0));
        let (lower, upper) = pass.bracket;
        let (top, bottom) = (frame.y(in_pawns(upper)), frame.y(in_pawns(lower)));
        let _ = writeln!(
            svg,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"var(--link)\" \
             opacity=\"0.25\"><title>pass {}: {} to {}</title></rect>",
            right - left,
            (bottom - top).max(1.5),
            pass.number,
            pawns(lower),
            pawns(upper)
        );
        question(&mut svg, &frame, pass, (left + right) / 2.0);
    }
    let (y, right) = (frame.y(in_pawns(trace.value)), frame.x(passes.len() as f64));
    let _ = writeln!(
        svg,
        "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right:.1}\" y2=\"{y:.1}\" stroke=\"var(--ink)\" \
         stroke-dasharray=\"3 3\"/>"
    );
    svg + "</svg>\n"
}

fn axes(svg: &mut String, frame: &Frame) {
    let floor = HEIGHT - BOTTOM;
    for &tick in &frame.values.ticks {
        let y = frame.y(tick);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{WIDTH}\" y2=\"{y:.1}\" stroke=\"var(--rule)\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick:+.2}</text>",
            LEFT - 6.0,
            y + 4.0
        );
    }
    let every = frame.passes.div_ceil(20).max(1);
    for pass in (0..frame.passes).step_by(every) {
        let x = frame.x(pass as f64 + 0.5);
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

/// The window that a pass asked about, and its answer: a mark for a null window, a bar and a mark for an open one.
fn question(svg: &mut String, frame: &Frame, pass: &Pass, x: f64) {
    let (alpha, beta) = pass.window;
    let (mark, colour, at) = match pass.answer {
        answer if answer >= beta => ("▲", "var(--holds)", beta),
        answer if answer <= alpha => ("▼", "var(--fails)", beta),
        answer => ("◆", "var(--ink)", answer),
    };
    if beta - alpha > 1 {
        let (top, bottom) = (frame.y(in_pawns(beta)), frame.y(in_pawns(alpha)));
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{top:.1}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\" stroke=\"{colour}\" \
             stroke-width=\"2\"/>"
        );
    }
    let size = (WIDTH / frame.passes as f64 * 0.8).clamp(5.0, 14.0);
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"{size:.1}\" fill=\"{colour}\">{mark}\
         <title>pass {}: at least {}? answer {}</title></text>",
        frame.y(in_pawns(at)) + 0.35 * size,
        pass.number,
        pawns(beta),
        pawns(pass.answer)
    );
}

/// Moves made by each pass, a bar each.
pub(super) fn bars(nodes: &[u64]) -> String {
    const TALL: f64 = 90.0;
    let most = nodes.iter().copied().max().unwrap_or(0).max(1);
    let wide = column(1.0, nodes.len()) - LEFT;
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
            column(index as f64 + 0.1, nodes.len()),
            TALL - height,
            0.8 * wide,
            index + 1,
            count(own)
        );
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::score::INFINITE;
    use crate::search::Driver;

    fn pass(number: u32, window: (Value, Value), answer: Value, bracket: (Value, Value)) -> Pass {
        Pass { depth: 4, number, line: 1, window, answer, of: None, bracket, nodes: 100 * u64::from(number) }
    }

    #[test]
    fn values_in_range_have_a_place_and_infinite_bounds_lie_at_the_edge() {
        let passes = vec![
            pass(1, (29, 30), 35, (35, INFINITE)),
            pass(2, (35, 36), 35, (35, 35)),
            pass(3, (0, 99), 40, (40, 40)),
        ];
        let trace = Trace { backend: Driver::MtdF.into(), value: 35, line: Vec::new(), passes };
        let frame = Frame::new(&trace, &trace.passes).unwrap();
        let edge = frame.y(in_pawns(INFINITE));
        assert!((edge - TOP).abs() < 1e-9 && frame.y(0.40) > edge && frame.y(0.35) > frame.y(0.40));
        assert!((frame.y(in_pawns(-INFINITE)) - (HEIGHT - BOTTOM)).abs() < 1e-9);
        let svg = bounds(&trace);
        assert_eq!([svg.matches("▲").count(), svg.matches("▼").count(), svg.matches("◆").count()], [1, 1, 1]);
        assert!(svg.contains(">+0.35</text>") || svg.contains(">+0.40</text>"), "{svg}");
    }
}
