//! `plumb chart`: a line chart (SVG) of the numbers in a CSV file, such as Elo against training positions. Only what the
//! arguments say is drawn; what the columns mean is not known here.

pub mod arguments;

use crate::lab::base::pages::chart::{Axis, Chart, Point, Series};
use crate::lab::base::pages::svg;
use crate::lab::base::records::file;
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::study::chart::arguments::ChartArgs;
use csv::StringRecord;

/// Runs `plumb chart`.
///
/// # Errors
/// If the table cannot be read, has no such column or a cell that is no number, or the picture cannot be written.
pub fn run(arguments: &ChartArgs) -> Result<(), Failure> {
    let table = std::fs::read_to_string(&arguments.file);
    let table = table.map_err(|error| Failure::file("read", arguments.file.display(), &error))?;
    let chart = chart_of(&table, arguments)
        .map_err(|error| Failure::new(format!("{}: {error}", arguments.file.display())))?;
    file::write(&arguments.output, svg::draw(&chart))?;
    console::warn(format!("wrote {}", arguments.output.display()));
    Ok(())
}

/// The chart that the arguments ask for.
///
/// # Errors
/// Says which column is missing, or which line cannot be read.
fn chart_of(table: &str, arguments: &ChartArgs) -> Result<Chart, String> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let columns = Columns::find(reader.headers().map_err(|error| error.to_string())?, arguments)?;
    let mut series: Vec<Series> = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|error| error.to_string())?;
        let name = columns.by.and_then(|by| row.get(by)).unwrap_or(&arguments.y);
        let point = columns.point(&row)?;
        match series.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => series.push(Series { name: name.to_owned(), points: vec![point], from_paper: false }),
        }
    }
    for series in &mut series {
        series.points.sort_by(|left, right| left.x.total_cmp(&right.x));
    }
    let label = |label: &Option<String>, column: &str| label.clone().unwrap_or_else(|| column.to_owned());
    Ok(Chart {
        name: "chart".to_owned(),
        title: label(&arguments.title, &arguments.y),
        x: Axis { label: label(&arguments.x_label, &arguments.x), logarithmic: arguments.log_x },
        y: Axis { label: label(&arguments.y_label, &arguments.y), logarithmic: arguments.log_y },
        series,
        level: arguments.level,
    })
}

/// Places of the columns that are drawn.
struct Columns {
    x: usize,
    y: usize,
    interval: Option<(usize, usize)>,
    by: Option<usize>,
}

impl Columns {
    fn find(names: &StringRecord, arguments: &ChartArgs) -> Result<Columns, String> {
        let find = |wanted: &String| {
            let missing = || {
                format!(
                    "no column is named {wanted}; there are {}",
                    names.iter().collect::<Vec<_>>().join(", ")
                )
            };
            names.iter().position(|name| name == wanted).ok_or_else(missing)
        };
        let interval = match (&arguments.low, &arguments.high) {
            (Some(low), Some(high)) => Some((find(low)?, find(high)?)),
            _ => None,
        };
        let by = arguments.by.as_ref().map(find).transpose()?;
        Ok(Columns { x: find(&arguments.x)?, y: find(&arguments.y)?, interval, by })
    }

    fn point(&self, row: &StringRecord) -> Result<Point, String> {
        let number = |column: usize| {
            let cell = row.get(column).unwrap_or_default().trim();
            let number = cell.parse().ok().filter(|number: &f64| number.is_finite());
            let line = row.position().map_or(0, csv::Position::line);
            number.ok_or_else(|| format!("line {line}: '{cell}' is no number"))
        };
        let interval = match self.interval {
            Some((low, high)) => Some((number(low)?, number(high)?)),
            None => None,
        };
        Ok(Point { x: number(self.x)?, y: number(self.y)?, interval })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::command_line::Command;
    use crate::lab::command_line::CommandLine;
    use clap::Parser as _;

    const TABLE: &str =
        "width,positions,elo,low,high\n128,2000,5,-10,20\n128,1000,-40,-60,-20\n256,2000,9,-5,23\n";

    fn chart(words: &[&str]) -> Result<Chart, String> {
        let words = [&["plumb", "chart", "x.csv", "--x", "positions"], words].concat();
        let Command::Chart(arguments) = CommandLine::try_parse_from(words).unwrap().command else { panic!() };
        chart_of(TABLE, &arguments)
    }

    #[test]
    fn a_line_for_each_word_of_a_column_from_left_to_right() {
        let drawn =
            chart(&["--y", "elo", "--by", "width", "--low", "low", "--high", "high", "--level", "-1"])
                .unwrap();
        let points = |index: usize| drawn.series[index].points.iter().map(|point| (point.x, point.y));
        assert_eq!(points(0).collect::<Vec<_>>(), [(1000.0, -40.0), (2000.0, 5.0)]);
        assert_eq!(points(1).collect::<Vec<_>>(), [(2000.0, 9.0)]);
        assert_eq!(drawn.series[0].points[0].interval, Some((-60.0, -20.0)));
        assert_eq!((drawn.level, drawn.series[1].name.as_str()), (Some(-1.0), "256"));
        assert_eq!((drawn.title.as_str(), drawn.x.label.as_str()), ("elo", "positions"));
    }

    #[test]
    fn missing_columns_and_words_are_named() {
        assert_eq!(
            chart(&["--y", "Elo"]).unwrap_err(),
            "no column is named Elo; there are width, positions, elo, low, high"
        );
        let arguments = ["plumb", "chart", "x.csv", "--x", "a", "--y", "b"];
        let Command::Chart(arguments) = CommandLine::try_parse_from(arguments).unwrap().command else {
            panic!()
        };
        assert_eq!(chart_of("a,b\n1,2\n3,x\n", &arguments).unwrap_err(), "line 3: 'x' is no number");
        assert!(chart_of("a,b\n1,2\n3\n", &arguments).is_err());
        assert!(chart_of("", &arguments).is_err());
    }
}
