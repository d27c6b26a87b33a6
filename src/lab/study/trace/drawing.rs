//! SVG of one driver's last iteration: the bounds f- and f+ after each pass (TR figure 9), below it the same
//! around the value, and the moves made by each pass. The axes are the same for all drivers of a page.

use super::record::{Trace, pawns};
use crate::chess::score::{MATE, UNITS_PER_PAWN, Value, is_mate};
use crate::lab::base::pages::axis::Scaling;
use crate::lab::base::pages::svg::{colour, escape};
use crate::lab::base::pages::table::count;
use crate::search::Pass;
use std::fmt::Write as _;

/// Style sheet of the pictures, besides that of charts.
pub(super) const STYLE: &str = "\
.plot .band { fill: var(--c); fill-opacity: 0.25; stroke: var(--c); stroke-width: 1.2; }
.plot .bar { fill: var(--c); }
.plot .mark { fill: var(--ink); stroke: var(--ground); stroke-width: 0.6; }
.plot .window { fill: none; stroke: var(--ink); stroke-width: 1.6; }
.plot .zoomed { fill: none; stroke: var(--link); stroke-width: 1.2; stroke-dasharray: 4 3; }
";

/// Sizes of a picture, in pixels.
const WIDTH: f64 = 760.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 14.0;
/// Height of the plot of all values.
const VALUES: f64 = 250.0;
/// Height of the plot around the value.
const ZOOM: f64 = 150.0;
/// The least distance from the value that it shows on both sides, in units.
const NEAREST: Value = 4;
/// Height of a row for mates or for infinite values, above or below that plot.
const ROW: f64 = 18.0;
/// Space between both plots.
const GAP: f64 = 22.0;
/// Height of the plot of moves made.
const MOVES: f64 = 80.0;
const BOTTOM: f64 = 42.0;
/// Greatest width of a pass's column.
const WIDEST: f64 = 110.0;

/// Of a wider range than this, in pawns, the axis of values is symmetric logarithmic.
const WIDE: f64 = 2.0;
/// Values nearer to zero than this, in pawns, are spaced evenly on such an axis.
const NEAR: f64 = 0.2;

/// A plot of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plot {
    /// Every value, mates and infinite ones in rows of their own.
    All,
    /// Those near the value found.
    Zoom,
}

/// The axes that all drivers of a page share.
pub(super) struct Scales {
    values: Scaling,
    /// The values near those found; `None` if all of them are mates.
    zoom: Option<Scaling>,
    moves: Scaling,
    /// Rows above and below the plot of values, from the inside to the outside.
    above: Vec<Beyond>,
    below: Vec<Beyond>,
}

/// Values that have no place among pawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beyond {
    Mate,
    Infinite,
}

impl Beyond {
    fn of(value: Value) -> Option<Beyond> {
        match value {
            value if value.abs() >= MATE => Some(Beyond::Infinite),
            value if is_mate(value) => Some(Beyond::Mate),
            _ => None,
        }
    }

    /// Label of its row, with a sign.
    fn label(self, sign: char) -> String {
        let name = match self {
            Beyond::Mate => " mate",
            Beyond::Infinite => "∞",
        };
        format!("{sign}{name}")
    }
}

impl Scales {
    /// Axes with room for the values and for the moves made by the passes of every last iteration. Zero is
    /// among the values.
    pub(super) fn new(traces: &[Trace]) -> Scales {
        let passes = || traces.iter().flat_map(Trace::last_iteration);
        let drawn = |pass: &Pass| {
            let ((alpha, beta), (lower, upper)) = (pass.window, pass.bracket);
            [pass.answer, alpha, beta, lower, upper]
        };
        let values: Vec<Value> =
            passes().flat_map(drawn).chain(traces.iter().map(|trace| trace.value)).collect();
        // Windows may lie far from every value; one that leaves the axis is drawn at its edge.
        let answers = passes().map(|pass| pass.answer).chain(traces.iter().map(|trace| trace.value));
        let near: Vec<f64> =
            answers.filter(|&value| Beyond::of(value).is_none()).map(in_pawns).chain([0.0]).collect();
        let (low, high) = near.iter().fold((0.0_f64, 0.0_f64), |(low, high), &v| (low.min(v), high.max(v)));
        let margin = (0.06 * (high - low)).max(0.05);
        let (low, high) = (low - margin, high + margin);
        let scaling = if high - low > WIDE {
            Scaling::symmetric(low, high, NEAR, 10)
        } else {
            Scaling::linear(low, high, 6)
        };
        let most = traces.iter().flat_map(Trace::nodes_by_pass).max().unwrap_or(0).max(1);
        let rows = |sign: Value| {
            let beyond = |kind| values.iter().any(|&v| v.signum() == sign && Beyond::of(v) == Some(kind));
            [Beyond::Mate, Beyond::Infinite].into_iter().filter(|&kind| beyond(kind)).collect()
        };
        Scales {
            values: scaling,
            zoom: zoom(traces),
            moves: Scaling::linear(0.0, most as f64, 2),
            above: rows(1),
            below: rows(-1),
        }
    }

    fn top(&self) -> f64 {
        TOP + ROW * self.above.len() as f64
    }

    /// The plots of values, from above.
    fn plots(&self) -> impl Iterator<Item = Plot> + use<> {
        [Plot::All].into_iter().chain(self.zoom.as_ref().map(|_| Plot::Zoom))
    }

    /// True if a plot has a place of its own for a value.
    fn shows(&self, plot: Plot, value: Value) -> bool {
        match (plot, &self.zoom) {
            (Plot::All, _) => true,
            (Plot::Zoom, Some(zoom)) => {
                let ends = [zoom.ticks.first(), zoom.ticks.last()];
                let [Some(&low), Some(&high)] = ends else { return false };
                // Ticks are multiples of a step, with its rounding error.
                Beyond::of(value).is_none() && (low - 1e-9..=high + 1e-9).contains(&in_pawns(value))
            }
            (Plot::Zoom, None) => false,
        }
    }

    /// Height of a value in a plot; in the zoom that of the nearer edge if the value is beyond it.
    fn y(&self, plot: Plot, value: Value) -> f64 {
        match (plot, &self.zoom) {
            (Plot::Zoom, Some(zoom)) => self.zoom_at(zoom, in_pawns(value)),
            _ => self.y_of_all(value),
        }
    }

    fn zoom_at(&self, zoom: &Scaling, pawns: f64) -> f64 {
        self.zoom_top() + (1.0 - zoom.place(pawns).unwrap_or(0.0)) * ZOOM
    }

    /// Height of a place among pawns, or of a row.
    fn y_of_all(&self, value: Value) -> f64 {
        let row = |rows: &[Beyond]| {
            let kind = Beyond::of(value)?;
            rows.iter().position(|&row| row == kind).map(|at| ROW * (at as f64 + 0.5))
        };
        let (top, bottom) = (self.top(), self.top() + VALUES);
        match value {
            value if value > 0 && Beyond::of(value).is_some() => top - row(&self.above).unwrap_or(0.0),
            value if value < 0 && Beyond::of(value).is_some() => bottom + row(&self.below).unwrap_or(0.0),
            value => self.at(in_pawns(value)),
        }
    }

    fn at(&self, pawns: f64) -> f64 {
        self.top() + (1.0 - self.values.place(pawns).unwrap_or(0.0)) * VALUES
    }

    /// The upper edge of the plot around the value.
    fn zoom_top(&self) -> f64 {
        self.top() + VALUES + ROW * self.below.len() as f64 + GAP
    }

    /// The upper edge of the plot of moves made.
    fn moves_top(&self) -> f64 {
        self.zoom_top() + self.zoom.as_ref().map_or(0.0, |_| ZOOM + GAP)
    }

    fn height(&self) -> f64 {
        self.moves_top() + MOVES + BOTTOM
    }
}

/// The axis around the values found. It reaches so far beyond them that a quarter of the answers that are not
/// yet their driver's value are shown.
fn zoom(traces: &[Trace]) -> Option<Scaling> {
    let found = || traces.iter().map(|trace| trace.value).filter(|&value| Beyond::of(value).is_none());
    let (low, high) = (found().min()?, found().max()?);
    let answers =
        |trace: &Trace| trace.last_iteration().iter().map(|pass| pass.answer).collect::<Vec<Value>>();
    let mut distances: Vec<Value> = traces
        .iter()
        .filter(|trace| Beyond::of(trace.value).is_none())
        .flat_map(|trace| answers(trace).into_iter().map(|answer| (trace.value, answer)))
        .filter(|&(value, answer)| answer != value && Beyond::of(answer).is_none())
        .map(|(value, answer)| (answer - value).abs())
        .collect();
    distances.sort_unstable();
    let reach = distances.get(distances.len() / 4).copied().unwrap_or(0).max(NEAREST);
    Some(Scaling::linear(in_pawns(low - reach), in_pawns(high + reach), 4))
}

fn in_pawns(value: Value) -> f64 {
    f64::from(value) / f64::from(UNITS_PER_PAWN)
}

/// The heights of one plot of values.
#[derive(Clone, Copy)]
struct Heights<'s> {
    scales: &'s Scales,
    plot: Plot,
}

impl Heights<'_> {
    fn y(self, value: Value) -> f64 {
        self.scales.y(self.plot, value)
    }

    fn shows(self, value: Value) -> bool {
        self.scales.shows(self.plot, value)
    }
}

/// The columns of the passes.
struct Columns {
    width: f64,
}

impl Columns {
    fn new(passes: usize) -> Columns {
        Columns { width: ((WIDTH - LEFT - RIGHT) / passes.max(1) as f64).min(WIDEST) }
    }

    /// Left edge of a pass's column. A fraction lies inside the column.
    fn x(&self, pass: f64) -> f64 {
        LEFT + pass * self.width
    }
}

/// The picture of a driver in the colour of number `index`.
pub(super) fn picture(trace: &Trace, scales: &Scales, index: usize) -> String {
    let (passes, nodes) = (trace.last_iteration(), trace.nodes_by_pass());
    let columns = Columns::new(passes.len());
    let height = scales.height();
    let name = escape(trace.backend.name());
    let mut svg = format!(
        "<svg class=\"plot {}\" viewBox=\"0 0 {WIDTH} {height:.0}\" width=\"{WIDTH}\" height=\"{height:.0}\" \
         role=\"img\">\n<title>{name}: bounds and moves made by pass</title>\n<desc>{}</desc>\n",
        colour(index),
        escape(&describe(trace, &nodes))
    );
    axis_of_values(&mut svg, scales);
    axis_of_zoom(&mut svg, scales);
    axis_of_moves(&mut svg, scales);
    axis_of_passes(&mut svg, scales, &columns, passes.len());
    for plot in scales.plots() {
        let _ = writeln!(svg, "<g class=\"{}\">", if plot == Plot::All { "all" } else { "zoom" });
        let heights = Heights { scales, plot };
        band(&mut svg, heights, &columns, passes);
        let (y, right) = (heights.y(trace.value), columns.x(passes.len() as f64));
        let _ = writeln!(svg, "<path class=\"v\" d=\"M{LEFT} {y:.1}H{right:.1}\"/>");
        for (at, pass) in passes.iter().enumerate() {
            window(&mut svg, heights, pass, columns.x(at as f64 + 0.5), columns.width);
        }
        svg.push_str("</g>\n");
    }
    bars(&mut svg, scales, &columns, &nodes);
    svg + "</svg>\n"
}

/// The picture in a sentence, for screen readers.
fn describe(trace: &Trace, nodes: &[u64]) -> String {
    let passes = trace.last_iteration();
    let (lower, upper) = passes.last().map_or((0, 0), |pass| pass.bracket);
    format!(
        "Passes in the last iteration: {}; moves made: {}; value {}; in the end f− is {} and f+ is {}.",
        passes.len(),
        count(nodes.iter().sum()),
        pawns(trace.value),
        bound(lower),
        bound(upper)
    )
}

/// A bound in pawns; beyond all mates it is infinite.
pub(super) fn bound(value: Value) -> String {
    match Beyond::of(value) {
        Some(Beyond::Infinite) if value > 0 => "+∞".to_owned(),
        Some(Beyond::Infinite) => "−∞".to_owned(),
        _ => pawns(value).replace('-', "−"),
    }
}

/// A line across a plot with its label at the left; the classes are those of both.
fn mark(svg: &mut String, (line, label): (&str, &str), y: f64, text: &str) {
    let (right, x, foot) = (WIDTH - RIGHT, LEFT - 8.0, y + 4.5);
    let _ = write!(svg, "<path class=\"{line}\" d=\"M{LEFT} {y:.1}H{right}\"/>");
    let _ = writeln!(svg, "<text class=\"{label}\" x=\"{x}\" y=\"{foot:.1}\">{text}</text>");
}

/// The label of a vertical axis.
fn upright(svg: &mut String, middle: f64, text: &str) {
    let place = format!("translate(15 {middle:.1}) rotate(-90)");
    let _ = writeln!(svg, "<text class=\"m a\" transform=\"{place}\">{text}</text>");
}

/// Ticks in pawns with a line through zero, and the rows of mates and of infinite values.
fn axis_of_values(svg: &mut String, scales: &Scales) {
    for &tick in &scales.values.ticks {
        let (y, zero) = (scales.at(tick), tick.abs() < 1e-9);
        let sign = if tick > 0.0 && !zero { "+" } else { "" };
        let text = if zero { "0".to_owned() } else { scales.values.label(tick) };
        let class = if zero { "z zero" } else { "r" };
        mark(svg, (class, "e"), y, &format!("{sign}{text}"));
    }
    let (top, bottom) = (scales.top(), scales.top() + VALUES);
    for (rows, sign, edge, out) in [(&scales.above, '+', top, -1.0), (&scales.below, '−', bottom, 1.0)] {
        for (at, row) in rows.iter().enumerate() {
            let y = edge + out * ROW * (at as f64 + 0.5);
            mark(svg, ("h", "e a"), y, &row.label(sign));
        }
    }
    let spacing = scales.values.spacing().map_or(String::new(), |spacing| format!(" ({spacing})"));
    let _ = write!(svg, "<path class=\"x\" d=\"M{LEFT} {top:.1}V{bottom:.1}\"/>");
    upright(svg, (top + bottom) / 2.0, &format!("value in pawns{spacing}"));
}

/// Ticks around the value, and in the plot of all values the part that they cover.
fn axis_of_zoom(svg: &mut String, scales: &Scales) {
    let Some(zoom) = &scales.zoom else { return };
    for &tick in &zoom.ticks {
        let (y, text) = (scales.zoom_at(zoom, tick), zoom.label(tick));
        let sign = if tick > 1e-9 { "+" } else { "" };
        mark(svg, ("r", "e"), y, &format!("{sign}{text}"));
    }
    let top = scales.zoom_top();
    let _ = write!(svg, "<path class=\"x\" d=\"M{LEFT} {top:.1}v{ZOOM}\"/>");
    upright(svg, top + ZOOM / 2.0, "around the value");
    if let [low, .., high] = zoom.ticks[..] {
        let (upper, lower) = (scales.at(high), scales.at(low));
        let (x, width, height) = (LEFT - 3.0, WIDTH - RIGHT - LEFT + 6.0, (lower - upper).max(3.0));
        let _ = writeln!(
            svg,
            "<rect class=\"zoomed\" x=\"{x}\" y=\"{upper:.1}\" width=\"{width}\" height=\"{height:.1}\"/>"
        );
    }
}

fn axis_of_moves(svg: &mut String, scales: &Scales) {
    let top = scales.moves_top();
    for &tick in &scales.moves.ticks {
        let y = top + (1.0 - scales.moves.place(tick).unwrap_or(0.0)) * MOVES;
        mark(svg, ("r", "e"), y, &scales.moves.label(tick));
    }
    upright(svg, top + MOVES / 2.0, "moves made");
}

/// Numbers of passes below both plots: all of a few, round ones of many.
fn axis_of_passes(svg: &mut String, scales: &Scales, columns: &Columns, passes: usize) {
    let step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
        .into_iter()
        .find(|step| *step as f64 * columns.width >= 30.0)
        .unwrap_or(2000);
    let foot = scales.moves_top() + MOVES + 16.0;
    for pass in (1..=passes).filter(|pass| pass % step == 0 || *pass == 1) {
        let x = columns.x(pass as f64 - 0.5);
        let _ = writeln!(svg, "<text class=\"m\" x=\"{x:.1}\" y=\"{foot:.1}\">{pass}</text>");
    }
    let middle = LEFT + (WIDTH - LEFT - RIGHT) / 2.0;
    let _ = writeln!(svg, "<text class=\"m a\" x=\"{middle:.1}\" y=\"{:.1}\">pass</text>", foot + 18.0);
}

/// The values between f- and f+ after each pass. An infinite bound reaches to the row of infinite values.
fn band(svg: &mut String, heights: Heights<'_>, columns: &Columns, passes: &[Pass]) {
    if passes.is_empty() {
        return;
    }
    let mut path = String::new();
    for (at, pass) in passes.iter().enumerate() {
        let (left, right) = (columns.x(at as f64), columns.x(at as f64 + 1.0));
        let start = if at == 0 { 'M' } else { 'L' };
        let y = heights.y(pass.bracket.1);
        let _ = write!(path, "{start}{left:.1} {y:.1}H{right:.1}");
    }
    for (at, pass) in passes.iter().enumerate().rev() {
        let (left, right) = (columns.x(at as f64), columns.x(at as f64 + 1.0));
        let y = heights.y(pass.bracket.0);
        let _ = write!(path, "L{right:.1} {y:.1}H{left:.1}");
    }
    let _ = writeln!(svg, "<path class=\"band\" d=\"{path}z\"/>");
}

/// The window of a pass and its answer: a triangle at the bound of a null window, a line and a mark for an
/// open one. An infinite end of a window is an arrow head. Marks of values that the plot does not show are
/// left out.
fn window(svg: &mut String, heights: Heights<'_>, pass: &Pass, x: f64, room: f64) {
    let (alpha, beta) = pass.window;
    let size = (room * 0.4).clamp(2.0, 6.5);
    let triangle = |y: f64, up: f64| {
        format!("M{x:.1} {:.1}l{size:.1} {:.1}h{:.1}z", y - up * size, up * 1.7 * size, -2.0 * size)
    };
    svg.push_str("<g>");
    let _ = write!(
        svg,
        "<title>pass {}: window {} … {}, answer {}, then f− {} and f+ {}</title>",
        pass.number,
        bound(alpha),
        bound(beta),
        bound(pass.answer),
        bound(pass.bracket.0),
        bound(pass.bracket.1)
    );
    if beta - alpha > 1 {
        let (top, bottom) = (heights.y(beta), heights.y(alpha));
        let _ = write!(svg, "<path class=\"window\" d=\"M{x:.1} {top:.1}V{bottom:.1}\"/>");
        let ends = [(beta, top, 1.0), (alpha, bottom, -1.0)];
        let infinite = |end: Value| Beyond::of(end) == Some(Beyond::Infinite);
        for (_, y, up) in ends.iter().filter(|(end, ..)| infinite(*end) && heights.plot == Plot::All) {
            let _ = write!(
                svg,
                "<path class=\"window infinite\" d=\"M{:.1} {:.1}L{x:.1} {y:.1}L{:.1} {:.1}\"/>",
                x - 5.0,
                y + up * 7.0,
                x + 5.0,
                y + up * 7.0
            );
        }
    }
    let (kind, at) = match pass.answer {
        answer if answer >= beta => ("high", beta),
        answer if answer <= alpha => ("low", beta),
        answer => ("inside", answer),
    };
    if heights.shows(at) {
        let y = heights.y(at);
        let mark = match kind {
            "high" => triangle(y, 1.0),
            "low" => triangle(y, -1.0),
            _ => format!(
                "M{x:.1} {:.1}l{size:.1} {size:.1}l-{size:.1} {size:.1}l-{size:.1} -{size:.1}z",
                y - size
            ),
        };
        let _ = write!(svg, "<path class=\"mark {kind}\" d=\"{mark}\"/>");
    }
    svg.push_str("</g>\n");
}

/// Moves made by each pass.
fn bars(svg: &mut String, scales: &Scales, columns: &Columns, nodes: &[u64]) {
    let floor = scales.moves_top() + MOVES;
    for (index, &own) in nodes.iter().enumerate() {
        let height = scales.moves.place(own as f64).unwrap_or(0.0) * MOVES;
        let _ = writeln!(
            svg,
            "<rect class=\"bar\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\"><title>pass \
             {}: {} moves made</title></rect>",
            columns.x(index as f64 + 0.1),
            floor - height,
            0.8 * columns.width,
            index + 1,
            count(own)
        );
    }
    let _ = writeln!(svg, "<path class=\"x\" d=\"M{LEFT} {floor:.1}H{}\"/>", WIDTH - RIGHT);
}

#[cfg(test)]
mod tests {
    use super::super::record::sample;
    use super::*;
    use crate::chess::score::INFINITE;
    use crate::search::Driver;

    fn pass(number: u32, window: (Value, Value), answer: Value, bracket: (Value, Value)) -> Pass {
        let nodes = 100 * u64::from(number);
        Pass {
            depth: 4,
            number,
            line: 1,
            window,
            answer,
            of: None,
            bracket,
            nodes,
            leaf: nodes,
            total: nodes,
        }
    }

    fn trace(value: Value, passes: Vec<Pass>) -> Trace {
        Trace { backend: Driver::MtdF.into(), value, line: Vec::new(), passes }
    }

    #[test]
    fn every_value_has_a_place_and_infinite_ones_a_row_of_their_own() {
        let own = trace(
            35,
            vec![
                pass(1, (29, 30), 35, (35, INFINITE)),
                pass(2, (35, 36), 35, (35, 35)),
                pass(3, (0, 99), 40, (40, 40)),
            ],
        );
        let scales = Scales::new(std::slice::from_ref(&own));
        assert_eq!((scales.above.as_slice(), scales.below.as_slice()), (&[Beyond::Infinite][..], &[][..]));
        let falling = [INFINITE, 40, 35, 0].map(|value| scales.y(Plot::All, value));
        assert!(falling.windows(2).all(|pair| pair[0] < pair[1]), "{falling:?}");
        assert!(falling[0] < scales.top() && falling[1] > scales.top());
        let svg = picture(&own, &scales, 0);
        let marks = ["high", "low", "inside"].map(|kind| svg.matches(&format!("\"mark {kind}\"")).count());
        assert_eq!(marks, [2, 2, 2], "in the plot of all values, and in the one around the value");
        assert!(svg.contains(">+∞</text>") && !svg.contains(">−∞</text>"), "{svg}");
    }

    #[test]
    fn an_infinite_window_reaches_from_row_to_row_with_arrow_heads() {
        let own = trace(10, vec![pass(1, (-INFINITE, INFINITE), 10, (10, 10))]);
        let scales = Scales::new(std::slice::from_ref(&own));
        let svg = picture(&own, &scales, 0);
        assert_eq!(svg.matches("\"window infinite\"").count(), 2);
        assert!(svg.contains(">+∞</text>") && svg.contains(">−∞</text>"));
        let finite = trace(10, vec![pass(1, (-50, 50), 10, (10, 10))]);
        let scales = Scales::new(std::slice::from_ref(&finite));
        assert!(!picture(&finite, &scales, 0).contains("infinite"));
    }

    #[test]
    fn the_zoom_shows_the_answers_near_the_value_and_leaves_out_the_others() {
        // A quarter of the answers that are not 30 lies within 15 units of it.
        let answers = [400, 200, 100, 45, 35, 30];
        let passes = answers
            .iter()
            .zip(1..)
            .map(|(&answer, number)| pass(number, (answer, answer + 1), answer, (-INFINITE, answer)));
        let own = trace(30, passes.collect());
        let scales = Scales::new(std::slice::from_ref(&own));
        let shown = answers.map(|answer| scales.shows(Plot::Zoom, answer + 1));
        assert_eq!(shown, [false, false, false, true, true, true]);
        let (top, foot) = (scales.zoom_top(), scales.zoom_top() + ZOOM);
        let heights = answers.map(|answer| scales.y(Plot::Zoom, answer));
        assert!(heights.iter().all(|y| (top..=foot).contains(y)), "{heights:?}");
        assert!(heights[5] - heights[4] > scales.y(Plot::All, 30) - scales.y(Plot::All, 35), "a zoom");
        let svg = picture(&own, &scales, 0);
        let (all, zoom) = svg.split_once("<g class=\"zoom\">").unwrap();
        assert_eq!(all.matches("\"mark low\"").count(), 6);
        assert_eq!(zoom.matches("\"mark low\"").count(), 3);
        assert_eq!(svg.matches("class=\"zoomed\"").count(), 1);
    }

    #[test]
    fn a_mate_has_no_zoom() {
        let own = trace(MATE - 5, vec![pass(1, (0, 1), MATE - 5, (MATE - 5, INFINITE))]);
        let scales = Scales::new(std::slice::from_ref(&own));
        assert!(scales.zoom.is_none() && !picture(&own, &scales, 0).contains("zoom"));
    }

    #[test]
    fn mates_have_a_row_between_pawns_and_infinity() {
        let own = trace(MATE - 5, vec![pass(1, (-INFINITE, INFINITE), MATE - 5, (MATE - 5, MATE - 5))]);
        let scales = Scales::new(std::slice::from_ref(&own));
        assert_eq!(scales.above, [Beyond::Mate, Beyond::Infinite]);
        let falling = [INFINITE, MATE - 5, 100, 0].map(|value| scales.y(Plot::All, value));
        assert!(falling[0] < falling[1] && falling[1] < falling[2], "{falling:?}");
        assert!(picture(&own, &scales, 0).contains(">+ mate</text>"));
    }

    /// The labels of an axis with their heights.
    fn labels(svg: &str) -> Vec<String> {
        let texts = svg.split("<text class=\"e").skip(1);
        texts.filter_map(|text| Some(text.split_once("x=")?.1.split_once("</text>")?.0.to_owned())).collect()
    }

    #[test]
    fn all_drivers_have_one_scale_with_a_line_through_zero() {
        let traces = sample::traces();
        let scales = Scales::new(&traces);
        let pictures: Vec<String> =
            traces.iter().enumerate().map(|(index, trace)| picture(trace, &scales, index)).collect();
        let first = labels(&pictures[0]);
        assert!(first.len() > 6 && pictures.iter().all(|svg| labels(svg) == first), "{first:?}");
        for svg in &pictures {
            assert_eq!(svg.matches("\"z zero\"").count(), 1, "{svg}");
            assert!(svg.contains("<title>") && svg.contains("<desc>Passes in the last iteration: "));
            assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
        }
        let ticks = &scales.values.ticks;
        let round = |tick: &f64| {
            let size = tick.abs();
            *tick == 0.0 || {
                let digits = size / 10f64.powf(size.log10().floor());
                [1.0, 2.0, 5.0].iter().any(|round| (digits - round).abs() < 1e-6)
                    || (size * 20.0).fract() < 1e-6
            }
        };
        assert!(ticks.iter().all(round), "{ticks:?}");
    }
}
