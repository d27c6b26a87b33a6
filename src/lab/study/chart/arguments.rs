//! Arguments of `plumb chart`.

use crate::lab::base::pages::axis::can_be_shown;
use crate::lab::base::terminal::paths::{InputPath, OutputFile};
use clap::Args;

/// Arguments of `plumb chart`.
#[derive(Clone, Debug, Args)]
pub struct ChartArgs {
    /// A table in CSV whose first line names its columns
    #[arg(value_name = "CSV")]
    pub file: InputPath,
    /// The column of the horizontal values
    #[arg(long, value_name = "COLUMN")]
    pub x: String,
    /// The column of the vertical values
    #[arg(long, value_name = "COLUMN")]
    pub y: String,
    /// The column of the lower ends of intervals around the vertical values
    #[arg(long, value_name = "COLUMN", requires = "high")]
    pub low: Option<String>,
    /// The column of their upper ends
    #[arg(long, value_name = "COLUMN", requires = "low")]
    pub high: Option<String>,
    /// A line for each word in this column [default: one line]
    #[arg(long, value_name = "COLUMN")]
    pub by: Option<String>,
    /// The title above the plot [default: the name of the vertical column]
    #[arg(long)]
    pub title: Option<String>,
    /// The label of the horizontal axis [default: the name of its column]
    #[arg(long, value_name = "TEXT")]
    pub x_label: Option<String>,
    /// The label of the vertical axis [default: the name of its column]
    #[arg(long, value_name = "TEXT")]
    pub y_label: Option<String>,
    /// Equal distances on the horizontal axis are equal factors
    #[arg(long)]
    pub log_x: bool,
    /// Equal distances on the vertical axis are equal factors
    #[arg(long)]
    pub log_y: bool,
    /// A value to draw a level line through
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true, value_parser = finite)]
    pub level: Option<f64>,
    /// Output file (SVG)
    #[arg(short, long, value_name = "FILE", default_value = "chart.svg")]
    pub output: OutputFile,
}

/// Reads a number that can be drawn.
fn finite(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|&number| can_be_shown(number));
    number.ok_or_else(|| "not a number that can be drawn".to_owned())
}
