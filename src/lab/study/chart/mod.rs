//! `plumb chart`: a line chart (SVG) of the numbers in a CSV file, such as Elo against training positions.
//! Only what the arguments say is drawn; what the columns mean is not known here.

pub mod arguments;

use crate::files;
use crate::lab::base::pages::axis::{self, can_be_shown};
use crate::lab::base::pages::chart::{Axis, Chart, Point, Series};
use crate::lab::base::pages::svg;
use crate::lab::base::records::{file, rows};
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted;
use crate::lab::study::chart::arguments::ChartArgs;
use csv::StringRecord;
use std::collections::HashMap;
use std::time::Duration;

/// Bytes of a table at most.
const MOST_BYTES: u64 = 256 << 20;

/// Points of a chart at most: each is an element of the picture, some hundred bytes.
const MOST_POINTS: usize = 1_000_000;

/// Lines of a chart at most; a legend of more says nothing.
const MOST_LINES: usize = 100;

/// Time for the drawing to end after Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(500);

/// Runs `plumb chart`.
///
/// # Errors
/// If the table cannot be read, has no such column or a cell that is no number, or the picture cannot be
/// written.
pub fn run(arguments: &ChartArgs) -> Result<(), Failure> {
    // Nothing is written before the picture is complete.
    interrupted::end_within(PATIENCE);
    let name = arguments.file.display();
    let table = files::read_any(&arguments.file, MOST_BYTES);
    let table = table.map_err(|error| Failure::file("read", &name, &error))?;
    let text = String::from_utf8_lossy(&table);
    let chart = chart_of(text.trim_start_matches('\u{feff}'), arguments)
        .map_err(|error| Failure::new(format!("{name}: {error}")))?;
    file::write(&arguments.output, svg::draw(&chart))?;
    console::note(format!("wrote {}", arguments.output.display()));
    Ok(())
}

/// The chart that the arguments ask for.
///
/// # Errors
/// Says which column is missing, or which line cannot be read.
fn chart_of(table: &str, arguments: &ChartArgs) -> Result<Chart, String> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(table.as_bytes());
    let columns = Columns::find(reader.headers().map_err(|error| error.to_string())?, arguments)?;
    let mut series: Vec<Series> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (index, row) in reader.records().enumerate() {
        let row = row.map_err(|error| error.to_string())?;
        if index == MOST_POINTS {
            return Err(format!("more than {MOST_POINTS} rows cannot be drawn"));
        }
        let name = columns.by.and_then(|by| row.get(by)).map_or(arguments.y.as_str(), rows::plain);
        let point = columns.point(&row)?;
        let Some(&place) = places.get(name) else {
            if series.len() == MOST_LINES {
                let by = arguments.by.as_deref().unwrap_or_default();
                return Err(format!("more than {MOST_LINES} different words in {by}: each would be a line"));
            }
            places.insert(name.to_owned(), series.len());
            series.push(Series::measured(name, vec![point]));
            continue;
        };
        series[place].points.push(point);
    }
    if series.is_empty() {
        return Err("there are no rows to draw".to_owned());
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
            let number = number.ok_or_else(|| format!("line {line}: '{cell}' is no number"))?;
            if can_be_shown(number) { Ok(number) } else { Err(format!("line {line}: {}", beyond(cell))) }
        };
        let interval = match self.interval {
            Some((low, high)) => Some((number(low)?, number(high)?)),
            None => None,
        };
        Ok(Point { x: number(self.x)?, y: number(self.y)?, interval })
    }
}

/// Says of a number that it is too small or too large to be drawn.
fn beyond(number: &str) -> String {
    let most = axis::MOST;
    format!("'{number}' cannot be drawn: only 0, and sizes from {:e} to {most:e}, can", most.recip())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::command_line::Command;
    use crate::lab::command_line::CommandLine;
    use clap::Parser as _;

    const TABLE: &str = "# plumb tune 0.1.0\nwidth,positions,elo,low,high\n\
                         128,2000,5,-10,20\n128,1000,-40,-60,-20\n256,2000,9,-5,23\n";

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
    fn a_chart_has_at_most_so_many_lines_and_points() {
        let words = ["plumb", "chart", "x.csv", "--x", "a", "--y", "a", "--by", "b"];
        let Command::Chart(arguments) = CommandLine::try_parse_from(words).unwrap().command else { panic!() };
        let table = |rows: usize, names: usize| {
            "a,b\n".to_owned() + &(0..rows).map(|row| format!("{row},{}\n", row % names)).collect::<String>()
        };
        assert_eq!(chart_of(&table(300, MOST_LINES), &arguments).unwrap().series.len(), MOST_LINES);
        let lines = chart_of(&table(MOST_POINTS, MOST_LINES + 1), &arguments).unwrap_err();
        assert_eq!(lines, "more than 100 different words in b: each would be a line");
        let points = chart_of(&table(MOST_POINTS + 1, 1), &arguments).unwrap_err();
        assert_eq!(points, "more than 1000000 rows cannot be drawn");
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
        assert_eq!(
            chart_of("a,b\n1,0\n3,-8e307\n", &arguments).unwrap_err(),
            "line 3: '-8e307' cannot be drawn: only 0, and sizes from 1e-250 to 1e250, can"
        );
        assert!(
            chart_of("a,b\n1,5e-324\n3,0\n", &arguments).unwrap_err().starts_with("line 2: '5e-324' cannot")
        );
        assert!(chart_of("a,b\n1,2\n3\n", &arguments).is_err());
        assert!(chart_of("", &arguments).is_err());
        assert_eq!(chart_of("a,b\n", &arguments).unwrap_err(), "there are no rows to draw");
    }
}
