//! A chart as SVG, on a light or a dark background: as a file complete in itself ([`draw`]), or inside a page
//! that has the style sheet ([`embedded`]). Ten lines have colours that the colour-blind can tell apart, and
//! a marker of their own; a paper's own numbers are dashed and hollow, in the colour of the line that they
//! are compared with.

use super::axis::Scaling;
use super::chart::{Axis, Chart, Point, Series};
use super::page_frame::PALETTE;
use std::fmt::Write as _;

/// Style sheet of charts, for the page that shows them.
pub const STYLE: &str = include_str!("plot.css");

/// Width of a picture.
const WIDTH: f64 = 760.0;
/// Height of the plot between its axes.
const PLOT: f64 = 330.0;
/// Space at the outer edge.
const EDGE: f64 = 16.0;
/// Sizes of letters.
const TITLE: f64 = 17.0;
const TEXT: f64 = 13.0;
/// Bold letters are wider by this factor.
const BOLD: f64 = 1.15;
/// From one line of text to the next, as a multiple of its size.
const LEADING: f64 = 1.4;
/// A sample of a line in the legend.
const SAMPLE: f64 = 34.0;

/// Number of colours, the first four after Okabe and Ito: the classes `c0` to `c9` of the palette.
const COLOURS: usize = 10;

/// Shapes that a point may have.
const MARKERS: usize = 10;

/// Measured lines from this one on have dashes as well, which are not those of a paper's line.
const DASHED: usize = 5;

/// Text that is safe in an element and in an attribute of SVG. A picture is also written to a file of its
/// own, so this is the escaping of XML.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // XML forbids the other control characters, escaped or not, and two that are no characters.
            '\u{fffe}' | '\u{ffff}' => safe.push(' '),
            control if control.is_control() && control != '\n' => safe.push(' '),
            other => safe.push(other),
        }
    }
    safe
}

/// The picture as a file, with its style sheet.
#[must_use]
pub fn draw(chart: &Chart) -> String {
    picture(chart, &format!("<style>\n{PALETTE}{STYLE}</style>\n"))
}

/// The picture inside a page, which brings [`STYLE`].
#[must_use]
pub fn embedded(chart: &Chart) -> String {
    picture(chart, "")
}

/// Class of the colour of line number `index`.
#[must_use]
pub fn colour(index: usize) -> String {
    format!("c{}", index % COLOURS)
}

/// Line number `index` of a chart of measured lines with its marker: its entry in a legend beside the chart.
#[must_use]
pub fn sample(index: usize) -> String {
    let style = Style::of(index);
    let mut svg = format!(
        "<svg class=\"plot sample {}\" viewBox=\"0 0 {SAMPLE} 14\" width=\"{SAMPLE}\" height=\"14\" \
         aria-hidden=\"true\"><path class=\"{}\" d=\"M0 7h{SAMPLE}\"/>",
        colour(style.colour),
        style.line()
    );
    marker(&mut svg, style, SAMPLE / 2.0, 7.0);
    svg + "</svg>"
}

fn picture(chart: &Chart, style: &str) -> String {
    let frame = Frame::new(chart);
    let mut svg = frame.opening(chart, style);
    frame.heading(&mut svg);
    if let (Some(x), Some(y)) = (&frame.x, &frame.y) {
        frame.grid(&mut svg, chart, x, y);
        frame.level(&mut svg, chart, y);
        for (index, style) in frame.styles.iter().enumerate() {
            frame.line(&mut svg, &chart.series[index], *style, x, y);
        }
    } else {
        let (x, y) = (WIDTH / 2.0, frame.top + PLOT / 2.0);
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"m\">nothing is measured yet</text>");
    }
    svg.push_str("</svg>\n");
    svg
}

/// Look of a line: numbers of its colour and marker; hollow and dashed if it is from a paper.
#[derive(Clone, Copy)]
struct Style {
    colour: usize,
    marker: usize,
    hollow: bool,
    dashed: bool,
}

impl Style {
    /// The look of measured line number `index`. The second round of colours has other markers.
    fn of(index: usize) -> Style {
        Style {
            colour: index % COLOURS,
            marker: (index + index / COLOURS) % MARKERS,
            hollow: false,
            dashed: index % COLOURS >= DASHED,
        }
    }

    /// Classes of the line itself.
    const fn line(self) -> &'static str {
        match self {
            Style { hollow: true, .. } => "l d",
            Style { dashed: true, .. } => "l s",
            _ => "l",
        }
    }
}

/// Layout of a chart, in pixels.
struct Frame {
    title: Vec<String>,
    /// Names in the legend, a row each line: index of the series, name, place from the left.
    legend: Vec<Vec<(usize, String, f64)>>,
    styles: Vec<Style>,
    x: Option<Scaling>,
    y: Option<Scaling>,
    /// Label of the vertical axis, a line each.
    upright: Vec<String>,
    left: f64,
    top: f64,
    height: f64,
}

impl Frame {
    fn new(chart: &Chart) -> Frame {
        let points = || chart.series.iter().flat_map(|series| &series.points);
        let xs: Vec<f64> = points().map(|point| point.x).collect();
        let ys: Vec<f64> = points().flat_map(values).chain(chart.level).collect();
        let measured = points().next().is_some();
        let x = Scaling::new(&xs, chart.x.logarithmic, 8, false);
        let y = Scaling::new(&ys, chart.y.logarithmic, 6, true).filter(|_| measured);
        let widest = y
            .as_ref()
            .map_or(0.0, |y| y.ticks.iter().map(|&tick| width(&y.label(tick), TEXT)).fold(0.0, f64::max));
        let title = wrap(&chart.title, (WIDTH - 2.0 * EDGE) / BOLD, TITLE);
        let legend = legend(chart);
        let heading = title.len() as f64 * TITLE * LEADING + legend.len() as f64 * TEXT * 1.6 + 14.0;
        let top = EDGE + heading;
        let upright = y.as_ref().map_or(Vec::new(), |scaling| wrap(&label(&chart.y, scaling), PLOT, TEXT));
        let left = EDGE + upright.len().max(1) as f64 * TEXT * LEADING + 8.0 + widest + 8.0;
        let height = top + PLOT + 2.0 * TEXT * LEADING + 10.0 + EDGE;
        Frame { title, legend, styles: styles(&chart.series), x, y, upright, left, top, height }
    }

    fn right(&self) -> f64 {
        WIDTH - EDGE - 8.0
    }

    fn opening(&self, chart: &Chart, style: &str) -> String {
        let (title, description, height) = (escape(&chart.title), escape(&describe(chart)), self.height);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {WIDTH} {height:.0}\" \
             width=\"{WIDTH}\" height=\"{height:.0}\" role=\"img\">\n<title>{title}</title>\n\
             <desc>{description}</desc>\n{style}\
             <rect class=\"ground\" width=\"{WIDTH}\" height=\"{height:.0}\"/>\n"
        )
    }

    /// Title and legend, above the plot so that they cover no line.
    fn heading(&self, svg: &mut String) {
        let mut y = EDGE + TITLE;
        for line in &self.title {
            let _ = writeln!(svg, "<text class=\"t\" x=\"{EDGE}\" y=\"{y:.1}\">{}</text>", escape(line));
            y += TITLE * LEADING;
        }
        y += 2.0;
        for row in &self.legend {
            for (series, name, left) in row {
                let (style, middle) = (self.styles[*series], y - TEXT * 0.35);
                let _ = write!(
                    svg,
                    "<g class=\"c{}\"><path class=\"{}\" d=\"M{left:.1} {middle:.1}h{SAMPLE}\"/>",
                    style.colour,
                    style.line()
                );
                marker(svg, style, left + SAMPLE / 2.0, middle);
                let text = left + SAMPLE + 7.0;
                let _ = writeln!(svg, "<text x=\"{text:.1}\" y=\"{y:.1}\">{}</text></g>", escape(name));
            }
            y += TEXT * 1.6;
        }
    }

    fn across(&self, place: f64) -> f64 {
        self.left + place * (self.right() - self.left)
    }

    fn up(&self, place: f64) -> f64 {
        self.top + (1.0 - place) * PLOT
    }

    /// The axes with their ticks and labels.
    fn grid(&self, svg: &mut String, chart: &Chart, x: &Scaling, y: &Scaling) {
        let (left, right, top, bottom) = (self.left, self.right(), self.top, self.top + PLOT);
        for (ticks, class) in [(&y.faint, "h"), (&y.ticks, "r")] {
            for at in ticks.iter().filter_map(|&tick| y.place(tick)).map(|place| self.up(place)) {
                let _ = writeln!(svg, "<path class=\"{class}\" d=\"M{left:.1} {at:.1}H{right:.1}\"/>");
            }
        }
        for (ticks, class) in [(&x.faint, "h"), (&x.ticks, "r")] {
            for at in ticks.iter().filter_map(|&tick| x.place(tick)).map(|place| self.across(place)) {
                let _ = writeln!(svg, "<path class=\"{class}\" d=\"M{at:.1} {top:.1}V{bottom:.1}\"/>");
            }
        }
        for (&tick, place) in y.ticks.iter().filter_map(|tick| Some((tick, y.place(*tick)?))) {
            let (at, text) = (self.up(place) + TEXT * 0.35, escape(&y.label(tick)));
            let _ = writeln!(svg, "<text class=\"e\" x=\"{:.1}\" y=\"{at:.1}\">{text}</text>", left - 8.0);
        }
        let below = bottom + TEXT * LEADING + 2.0;
        let mut free = f64::NEG_INFINITY;
        for (&tick, place) in x.ticks.iter().filter_map(|tick| Some((tick, x.place(*tick)?))) {
            let (at, text) = (self.across(place), x.label(tick));
            let half = width(&text, TEXT) / 2.0;
            if at - half > free + 4.0 && at + half < WIDTH {
                free = at + half;
                let _ = writeln!(
                    svg,
                    "<text class=\"m\" x=\"{at:.1}\" y=\"{below:.1}\">{}</text>",
                    escape(&text)
                );
            }
        }
        let _ = writeln!(svg, "<path class=\"x\" d=\"M{left:.1} {top:.1}V{bottom:.1}H{right:.1}\"/>");
        let (middle, foot) = ((left + right) / 2.0, below + TEXT * LEADING + 4.0);
        let across = escape(&label(&chart.x, x));
        let _ = writeln!(svg, "<text class=\"m a\" x=\"{middle:.1}\" y=\"{foot:.1}\">{across}</text>");
        for (line, text) in self.upright.iter().enumerate() {
            let (x, y) = (EDGE + TEXT * (0.6 + LEADING * line as f64), (top + bottom) / 2.0);
            let _ = writeln!(
                svg,
                "<text class=\"m a\" transform=\"translate({x:.1} {y:.1}) rotate(-90)\">{}</text>",
                escape(text)
            );
        }
    }

    fn level(&self, svg: &mut String, chart: &Chart, y: &Scaling) {
        if let Some(at) = chart.level.and_then(|level| y.place(level)).map(|place| self.up(place)) {
            let (left, right) = (self.left, self.right());
            let _ = writeln!(svg, "<path class=\"v\" d=\"M{left:.1} {at:.1}H{right:.1}\"/>");
        }
    }

    /// A line with its error bars and points; points without a place on the axes are left out.
    fn line(&self, svg: &mut String, series: &Series, style: Style, x: &Scaling, y: &Scaling) {
        let place = |point: &Point| Some((self.across(x.place(point.x)?), self.up(y.place(point.y)?)));
        let placed: Vec<(&Point, f64, f64)> =
            series.points.iter().filter_map(|point| place(point).map(|(x, y)| (point, x, y))).collect();
        let _ = write!(svg, "<g class=\"c{}\">", style.colour);
        for (point, across, _) in &placed {
            let Some((low, high)) = point.known_interval() else {
                continue;
            };
            let (low, high) = (self.up(y.place(low).unwrap_or(0.0)), self.up(y.place(high).unwrap_or(1.0)));
            let left = across - 4.0;
            let _ = write!(
                svg,
                "<path class=\"b\" d=\"M{left:.1} {low:.1}h8M{left:.1} {high:.1}h8M{across:.1} \
                {low:.1}V{high:.1}\"/>"
            );
        }
        let path: Vec<String> = placed.iter().map(|(_, x, y)| format!("{x:.1} {y:.1}")).collect();
        if path.len() > 1 {
            let _ = write!(svg, "<path class=\"{}\" d=\"M{}\"/>", style.line(), path.join("L"));
        }
        for (point, across, up) in placed {
            let _ = write!(svg, "<g><title>{}</title>", escape(&tell(series, point)));
            marker(svg, style, across, up);
            svg.push_str("</g>");
        }
        svg.push_str("</g>\n");
    }
}

/// Label of an axis.
fn label(axis: &Axis, scaling: &Scaling) -> String {
    scaling.spacing().map_or(axis.label.clone(), |spacing| format!("{} ({spacing})", axis.label))
}

/// The chart in a sentence, for screen readers: axes, and the first and the last point of each line.
fn describe(chart: &Chart) -> String {
    let mut text = format!("Line chart of {} by {}.", chart.y.label, chart.x.label);
    for series in &chart.series {
        let name = legend_name(series);
        let at = |point: &Point| format!("{} at {}", short(point.y), short(point.x));
        let _ = match series.points.as_slice() {
            [] => write!(text, " {name}: no points."),
            [only] => write!(text, " {name}: {}.", at(only)),
            [first, .., last] => write!(text, " {name}: from {} to {}.", at(first), at(last)),
        };
    }
    text
}

/// Name of a line in the legend.
fn legend_name(series: &Series) -> String {
    let said = series.name.to_lowercase().contains("paper");
    if series.from_paper && !said { format!("{} (paper)", series.name) } else { series.name.clone() }
}

/// Text that a browser shows for a point under the pointer.
fn tell(series: &Series, point: &Point) -> String {
    let (name, x, y) = (&series.name, short(point.x), short(point.y));
    match point.known_interval() {
        Some((low, high)) => format!("{name}: {x}, {y} [{}, {}]", short(low), short(high)),
        None => format!("{name}: {x}, {y}"),
    }
}

/// A number with four significant digits.
fn short(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    if !(1e-6..1e15).contains(&value.abs()) {
        return format!("{value:.3e}");
    }
    let decimals = (3 - value.abs().log10().floor() as i32).clamp(0, 9) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Values of a point that the vertical axis must include.
fn values(point: &Point) -> impl Iterator<Item = f64> + use<> {
    let (low, high) = point.interval.unwrap_or((point.y, point.y));
    [point.y, low, high].into_iter()
}

/// Colours and markers: a paper's line has those of the measured line whose name is in its own.
fn styles(series: &[Series]) -> Vec<Style> {
    let mut next = 0;
    let mut fresh = || {
        next += 1;
        Style::of(next - 1)
    };
    let mut styles: Vec<Option<Style>> =
        series.iter().map(|one| (!one.from_paper).then(&mut fresh)).collect();
    for index in 0..series.len() {
        if styles[index].is_none() {
            let partner = partner(series, index).and_then(|other| styles[other]);
            styles[index] = Some(Style { hollow: true, ..partner.unwrap_or_else(&mut fresh) });
        }
    }
    styles.into_iter().flatten().collect()
}

/// The measured line that a paper's line is compared with.
fn partner(series: &[Series], index: usize) -> Option<usize> {
    let name = bare(&series[index].name);
    let measured = series.iter().enumerate().filter(|(_, other)| !other.from_paper);
    let alike = measured.map(|(other, one)| (other, bare(&one.name))).filter(|(_, other)| {
        let parts = !other.is_empty() && !name.is_empty();
        *other == name || parts && (name.contains(other.as_str()) || other.contains(name.as_str()))
    });
    alike.max_by_key(|(_, other)| (*other == name, other.len())).map(|(other, _)| other)
}

/// A name without the words that say whose numbers they are.
fn bare(name: &str) -> String {
    let lower = name.to_lowercase();
    let words = lower.split_whitespace().map(|word| word.trim_matches([',', ':', ';']));
    let kept: Vec<&str> =
        words.filter(|word| !["paper", "(paper)", "ours", "(ours)", "plumb"].contains(word)).collect();
    kept.join(" ")
}

/// The legend in rows, with the places of its entries.
fn legend(chart: &Chart) -> Vec<Vec<(usize, String, f64)>> {
    let mut rows: Vec<Vec<(usize, String, f64)>> = Vec::new();
    let mut left = f64::INFINITY;
    for (index, series) in chart.series.iter().enumerate() {
        let name = legend_name(series);
        let needs = SAMPLE + 7.0 + width(&name, TEXT) + 20.0;
        if left + needs > WIDTH - EDGE {
            rows.push(Vec::new());
            left = EDGE;
        }
        if let Some(row) = rows.last_mut() {
            row.push((index, name, left));
        }
        left += needs;
    }
    rows
}

/// A point of a line.
fn marker(svg: &mut String, style: Style, x: f64, y: f64) {
    let class = if style.hollow { "o" } else { "p" };
    let shape = match style.marker {
        0 => {
            let _ = write!(svg, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.6\"/>");
            return;
        }
        1 => "m-4.2-4.2h8.4v8.4h-8.4z",
        2 => "m0-5.6l5.2 9h-10.4z",
        3 => "m0-5.9l5.9 5.9l-5.9 5.9l-5.9-5.9z",
        4 => "m0 5.6l5.2-9h-10.4z",
        5 => "m-1.7-5.6h3.4v3.9h3.9v3.4h-3.9v3.9h-3.4v-3.9h-3.9v-3.4h3.9z",
        6 => "m0-5.6l5.3 3.9l-2 6.3h-6.6l-2-6.3z",
        7 => {
            "m-5.2-3.1l2.1-2.1l3.1 3.1l3.1-3.1l2.1 2.1l-3.1 3.1l3.1 3.1l-2.1 2.1l-3.1-3.1l-3.1 \
            3.1l-2.1-2.1l3.1-3.1z"
        }
        8 => "m-5.4-5h10.8l-10.8 10h10.8z",
        _ => "m0-6.4l1.7 4.2l4.5.3l-3.5 2.9l1.1 4.4l-3.8-2.4l-3.8 2.4l1.1-4.4l-3.5-2.9l4.5-.3z",
    };
    let _ = write!(svg, "<path class=\"{class}\" d=\"M{x:.1} {y:.1}{shape}\"/>");
}

/// Approximate width of a text in pixels: fonts differ, so it is a little more than most need.
fn width(text: &str, size: f64) -> f64 {
    let letters = text.chars().map(|letter| match letter {
        'i' | 'l' | 'j' | 't' | 'f' | 'r' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | '(' | ')'
        | ' ' => 0.38,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '—' | '–' => 0.98,
        'A'..='Z' => 0.72,
        _ => 0.61,
    });
    letters.sum::<f64>() * size
}

/// Breaks a text into lines.
fn wrap(text: &str, room: f64, size: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(" ", size) + width(word, size) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(name: &str, from_paper: bool, points: &[(f64, f64)]) -> Series {
        let point = |&(x, y): &(f64, f64)| Point { x, y, interval: Some((y - 1.0, y + 1.0)) };
        Series { name: name.to_owned(), points: points.iter().map(point).collect(), from_paper }
    }

    fn chart(series: Vec<Series>) -> Chart {
        let axis = |label: &str, logarithmic| Axis { label: label.to_owned(), logarithmic };
        Chart {
            name: "test".to_owned(),
            title: "Leaves <of> \"MTD(f)\" & others".to_owned(),
            x: axis("search depth in plies", false),
            y: axis("leaves in % of <NegaScout>", false),
            series,
            level: Some(100.0),
        }
    }

    /// The numbers of attributes that are places.
    fn places(svg: &str, attribute: &str) -> Vec<f64> {
        let mark = format!(" {attribute}=\"");
        let parts = svg.split(&mark).skip(1);
        parts.filter_map(|part| part.split('"').next()?.parse().ok()).collect()
    }

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escape("a<b & \"c\" 'd'>\u{1}"), "a&lt;b &amp; &quot;c&quot; &#39;d&#39;&gt; ");
        let svg = draw(&chart(vec![series("<script>", false, &[(1.0, 99.0)])]));
        assert!(svg.contains("&lt;script&gt;") && !svg.contains("<script>") && !svg.contains("<of>"));
    }

    #[test]
    fn points_lie_inside_the_picture() {
        let lines: Vec<(f64, f64)> =
            (2..10).map(|depth| (f64::from(depth), 80.0 + f64::from(depth * depth))).collect();
        let svg = draw(&chart(vec![series("MTD(f)", false, &lines), series("MTD(f)", true, &lines[2..])]));
        let (xs, ys) = (places(&svg, "cx"), places(&svg, "cy"));
        assert_eq!(xs.len(), 8 + 6 + 2, "a circle each point, and two in the legend");
        assert!(xs.iter().all(|&x| (0.0..WIDTH).contains(&x)));
        let height = places(&svg, "height")[0];
        assert!(ys.iter().all(|&y| (0.0..height).contains(&y)));
        assert_eq!(svg.matches("class=\"l d\"").count(), 2, "the paper's line and its sample are dashed");
        assert_eq!(svg.matches("class=\"b\"").count(), 14);
        assert_eq!(svg.matches("class=\"v\"").count(), 1);
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
    }

    #[test]
    fn the_legend_is_above_the_plot() {
        let many: Vec<Series> =
            (0..12).map(|n| series(&format!("a rather long name {n}"), false, &[(1.0, 90.0)])).collect();
        let frame = Frame::new(&chart(many));
        assert!(frame.legend.len() > 2);
        assert!(
            frame.legend.iter().flatten().all(|(_, name, left)| left + width(name, TEXT) + SAMPLE < WIDTH)
        );
    }

    #[test]
    fn a_long_label_of_the_vertical_axis_is_wrapped() {
        let mut long = chart(vec![series("MTD(f)", false, &[(1.0, 90.0), (2.0, 95.0)])]);
        let short = Frame::new(&long);
        long.y.label =
            "cumulative leaf evaluations, % of Aspiration NegaScout with its best window".to_owned();
        let frame = Frame::new(&long);
        assert!(frame.upright.len() == 2 && frame.upright.iter().all(|line| width(line, TEXT) <= PLOT));
        assert!(frame.left >= short.left + TEXT, "the plot makes room for it");
        assert_eq!(draw(&long).matches("rotate(-90)").count(), 2);
    }

    #[test]
    fn a_chart_has_a_title_and_a_description() {
        let svg = draw(&chart(vec![series("MTD(f)", false, &[(1.0, 90.0), (2.0, 95.0)])]));
        assert!(svg.contains("<title>Leaves &lt;of&gt; &quot;MTD(f)&quot; &amp; others</title>"), "{svg}");
        let described = "<desc>Line chart of leaves in % of &lt;NegaScout&gt; by search depth in plies. \
        MTD(f): from 90 at 1 to 95 at 2.</desc>";
        assert!(svg.contains(described), "{svg}");
    }

    /// A file has the style sheet, a page brings it: otherwise both are the same.
    #[test]
    fn an_embedded_chart_is_the_file_without_its_style_sheet() {
        let own = chart(vec![series("MTD(f)", false, &[(1.0, 90.0)])]);
        let (file, embedded) = (draw(&own), embedded(&own));
        let style = format!("<style>\n{PALETTE}{STYLE}</style>\n");
        assert!(file.contains(&style) && !embedded.contains("<style"));
        assert_eq!(file.replace(&style, ""), embedded);
        for index in 0..COLOURS {
            let class = format!(".{} {{ --c: #", colour(index));
            assert_eq!(PALETTE.matches(&class).count(), 2, "{class} light and dark");
        }
    }

    #[test]
    fn a_paper_s_line_has_the_colour_of_ours() {
        let names = [("SSS*", false), ("MTD(f)", false), ("MTD(f), paper", true), ("Scout (paper)", true)];
        let styles = styles(&names.map(|(name, paper)| series(name, paper, &[])));
        assert_eq!(
            (styles[2].colour, styles[2].marker, styles[2].hollow),
            (styles[1].colour, styles[1].marker, true)
        );
        assert!(styles[3].colour > styles[1].colour && !styles[0].hollow);
    }

    #[test]
    fn twenty_lines_look_different() {
        let styles = styles(&(0..20).map(|n| series(&format!("{n}x"), false, &[])).collect::<Vec<_>>());
        let mut looks: Vec<_> = styles.iter().map(|style| (style.colour, style.marker)).collect();
        looks.sort_unstable();
        looks.dedup();
        assert_eq!(looks.len(), 20);
    }

    /// A colour of the palette as lightness and two opponent colours (CIELAB), as seen with a deficiency of
    /// vision: Machado, Oliveira, Fernandes 2009, a matrix on linear RGB.
    fn seen(colour: &str, vision: [[f64; 3]; 3]) -> [f64; 3] {
        let linear = [0, 2, 4].map(|at| {
            let part = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if part > 0.040_45 { ((part + 0.055) / 1.055).powf(2.4) } else { part / 12.92 }
        });
        let times = |rows: [[f64; 3]; 3], v: [f64; 3]| {
            rows.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum::<f64>())
        };
        let rgb = times(vision, linear).map(|part| part.clamp(0.0, 1.0));
        let to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];
        let [x, y, z] = times(to_xyz, rgb);
        let root = |part: f64| if part > 0.008_856 { part.cbrt() } else { 7.787 * part + 16.0 / 116.0 };
        let [x, y, z] = [x / 0.9505, y, z / 1.089].map(root);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn ten_lines_differ_in_colour_and_marker_also_for_the_colour_blind() {
        let usual = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let without_red = [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ];
        let without_green = [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ];
        let colours: Vec<Vec<&str>> = PALETTE
            .split("@media")
            .map(|part| part.split("{ --c: #").skip(1).map(|rest| &rest[..6]).collect())
            .collect();
        assert_eq!(colours.iter().map(Vec::len).collect::<Vec<_>>(), [COLOURS, COLOURS], "light and dark");
        for (colours, vision) in colours
            .iter()
            .flat_map(|colours| [usual, without_red, without_green].map(|vision| (colours, vision)))
        {
            let seen: Vec<[f64; 3]> = colours.iter().map(|colour| seen(colour, vision)).collect();
            for (index, one) in seen.iter().enumerate() {
                for (other, colour) in seen[..index].iter().zip(colours) {
                    let distance = one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                    assert!(distance > 15.0, "{} and {colour}: {distance:.0}", colours[index]);
                }
            }
        }
        let shapes: std::collections::BTreeSet<String> =
            (0..10).map(|index| sample(index).replace(&colour(index), "")).collect();
        assert_eq!(shapes.len(), 10);
    }

    #[test]
    fn a_chart_without_points_says_so() {
        for series in
            [vec![], vec![series("MTD(f)", false, &[])], vec![series("x", false, &[(f64::NAN, 1.0)])]]
        {
            assert!(draw(&chart(series)).contains("nothing is measured yet"));
        }
    }

    #[test]
    fn numbers_of_any_size_are_drawn_or_left_out() {
        let sizes = [0.0, 5e-324, 1e-250, 1.0, -1e250, 8e307, -8e307, f64::INFINITY, f64::NAN];
        for (one, other) in sizes.into_iter().flat_map(|one| sizes.map(|other| (one, other))) {
            for logarithmic in [false, true] {
                let mut chart = chart(vec![series("MTD(f)", false, &[(one, other), (other, one)])]);
                (chart.x.logarithmic, chart.y.logarithmic) = (logarithmic, logarithmic);
                chart.series[0].points[0].interval = Some((one, other));
                let svg = draw(&chart);
                let drawn = svg.split_once("</desc>").unwrap().1.replace("nothing", "");
                let places = drawn.split("d=\"").skip(1).filter_map(|rest| rest.split('"').next());
                assert!(places.clone().all(|path| !path.contains("NaN") && !path.contains("inf")), "{svg}");
                assert!(places.map(str::len).sum::<usize>() < 1 << 20, "{one:e} {other:e}");
            }
        }
    }

    #[test]
    fn numbers_have_four_significant_digits() {
        assert_eq!(
            [12345.6, 0.0123456, 99.5, 100.0, 0.0].map(short),
            ["12346", "0.01235", "99.5", "100", "0"]
        );
    }
}
