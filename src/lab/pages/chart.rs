//! Pictures of numbers: what a chart shows, and its drawing as SVG.

/// One direction of a chart.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What is measured, with its unit: "search depth in plies".
    pub label: String,
    /// Whether equal distances are equal factors.
    pub logarithmic: bool,
}

/// A measured point.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Across.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// 95 % interval of `y`.
    pub interval: Option<(f64, f64)>,
}

/// A line of a chart.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// From left to right.
    pub points: Vec<Point>,
    /// A paper's own numbers: drawn dashed.
    pub from_paper: bool,
}

/// Lines over two axes.
#[derive(Clone, Debug)]
pub struct Chart {
    /// A name for its file, unique in the experiment: letters, digits, dashes.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// Across.
    pub x: Axis,
    /// Up.
    pub y: Axis,
    /// The lines.
    pub series: Vec<Series>,
    /// A level to draw through, such as 100 %.
    pub level: Option<f64>,
}
