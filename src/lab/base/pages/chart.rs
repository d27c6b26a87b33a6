//! Data of a line chart: axes, series of points, intervals. [`super::svg`] draws it.

/// One axis of a chart.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Quantity with its unit: "search depth in plies".
    pub label: String,
    /// True if equal distances are equal factors; with negative values, on both sides of zero.
    pub logarithmic: bool,
}

impl Axis {
    /// An axis on which equal distances are equal differences.
    pub fn linear(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), logarithmic: false }
    }

    /// An axis on which equal distances are equal factors.
    pub fn logarithmic(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), logarithmic: true }
    }
}

/// A measured point.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Horizontal value.
    pub x: f64,
    /// Vertical value.
    pub y: f64,
    /// 95 % interval of `y`.
    pub interval: Option<(f64, f64)>,
}

impl Point {
    /// The interval, if both of its ends are numbers.
    #[must_use]
    pub fn known_interval(&self) -> Option<(f64, f64)> {
        self.interval.filter(|(low, high)| low.is_finite() && high.is_finite())
    }
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

impl Series {
    /// A line of our own numbers.
    pub fn measured(name: impl Into<String>, points: Vec<Point>) -> Series {
        Series { name: name.into(), points, from_paper: false }
    }
}

/// Lines over two axes.
#[derive(Clone, Debug)]
pub struct Chart {
    /// A name for its file, unique in the experiment: letters, digits, dashes.
    pub name: String,
    /// Title above the plot.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// The lines.
    pub series: Vec<Series>,
    /// A level to draw through, such as 100 %.
    pub level: Option<f64>,
}
