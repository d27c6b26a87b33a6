//! Raw counts on disk. A file begins with comment lines that say which experiment it holds; every finished
//! search is appended at once, so that a broken-off experiment goes on where it stopped.

use super::measure::Row;
use crate::lab::command::console::Failure;
use crate::lab::formats::epd::Case;
use crate::lab::records::journal::{Journal, Line, Work};
use crate::search::Stats;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// The first words of every record.
const TITLE: &str = "# plumb compare";

/// The columns of a record. `last` is 1 in the last row of a search; counts are cumulative over iterations;
/// `cpu_ns` is processor time in nanoseconds.
const COLUMNS: &str = "contender,position,fen,depth,last,value,best,made,interior,leaf,quiescence,table,\
passes_high,passes_low,passes_open,made_high,made_low,iterations,crossings,cutoffs,first_move_cutoffs,\
moves_at_cutoffs,cpu_ns";

/// One finished search.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Which contender, as an index.
    pub contender: usize,
    /// Which position, as an index.
    pub position: usize,
    /// A row for every iteration, never empty.
    pub rows: Vec<Row>,
}

/// What an experiment is, as far as a record of it must know.
pub struct Experiment<'a> {
    /// Lines that say what decides its numbers, without the comment mark.
    pub parameters: Vec<String>,
    /// The contenders' labels; no commas.
    pub labels: Vec<&'a str>,
    /// The positions.
    pub cases: &'a [Case],
}

impl Experiment<'_> {
    /// The head of the file: title, parameters, columns.
    fn head(&self) -> String {
        let mut head = format!("{TITLE} {}\n", env!("CARGO_PKG_VERSION"));
        for line in &self.parameters {
            let _ = writeln!(head, "# {line}");
        }
        let _ = writeln!(head, "{COLUMNS}");
        head
    }
}

/// An open record.
pub struct Record {
    journal: Journal,
}

impl Record {
    /// Opens a record for an experiment: a new one, or an old one of the same experiment with what it holds.
    /// With `restart` the old one is overwritten.
    pub fn open(
        path: &Path,
        experiment: &Experiment<'_>,
        restart: bool,
    ) -> Result<(Record, Vec<Run>), Failure> {
        let (mut runs, mut open) = (Vec::new(), None);
        let head = experiment.head();
        let work = Work { title: TITLE, head: &head, other: "another experiment" };
        let journal = Journal::resume(path, work, restart, |line| {
            let (contender, position, row, last) =
                read_row(line, experiment).ok_or("is no row of this experiment")?;
            let run: &mut Run = open.get_or_insert(Run { contender, position, rows: Vec::new() });
            if (run.contender, run.position) != (contender, position) {
                return Err("begins before the search above it has ended");
            }
            run.rows.push(row);
            if last {
                runs.extend(open.take());
                return Ok(Line::Last);
            }
            Ok(Line::Inner)
        })?;
        Ok((Record { journal }, runs))
    }

    /// Appends a finished search, all of it or none.
    pub fn append(&mut self, run: &Run, experiment: &Experiment<'_>) -> Result<(), Failure> {
        let mut text = String::new();
        let fen = experiment.cases[run.position].game.fen();
        for (index, row) in run.rows.iter().enumerate() {
            let last = u8::from(index + 1 == run.rows.len());
            let (label, position) = (experiment.labels[run.contender], run.position + 1);
            let _ = write!(text, "{label},{position},{fen},{},{last},{},{}", row.depth, row.value, row.best);
            for count in counts(row) {
                let _ = write!(text, ",{count}");
            }
            text.push('\n');
        }
        self.journal.append(&text)
    }
}

fn read_row(line: &str, experiment: &Experiment<'_>) -> Option<(usize, usize, Row, bool)> {
    let fields: Vec<&str> = line.split(',').collect();
    let [label, position, _fen, depth, last, value, best, counts @ ..] = fields.as_slice() else {
        return None;
    };
    let contender = experiment.labels.iter().position(|known| known == label)?;
    let position = position.parse::<usize>().ok()?.checked_sub(1)?;
    let counts: Vec<u64> = counts.iter().map(|count| count.parse().ok()).collect::<Option<_>>()?;
    let (stats, cpu) = from_counts(&counts)?;
    let row =
        Row { depth: depth.parse().ok()?, value: value.parse().ok()?, best: best.to_string(), stats, cpu };
    (position < experiment.cases.len()).then_some((contender, position, row, *last == "1"))
}

/// The counts of a row in the order of the columns.
fn counts(row: &Row) -> [u64; 16] {
    let stats = &row.stats;
    [
        stats.made_moves,
        stats.interior,
        stats.leaf,
        stats.quiescence,
        stats.table,
        stats.passes_high,
        stats.passes_low,
        stats.passes_open,
        stats.made_moves_high,
        stats.made_moves_low,
        stats.iterations,
        stats.crossings,
        stats.cutoffs.iter().sum(),
        stats.first_move_cutoffs.iter().sum(),
        stats.moves_at_cutoffs.iter().sum(),
        u64::try_from(row.cpu.as_nanos()).unwrap_or(u64::MAX),
    ]
}

/// The inverse of [`counts`]; cut-offs come back without their depths, all in the first place.
fn from_counts(counts: &[u64]) -> Option<(Stats, Duration)> {
    let &[
        made_moves,
        interior,
        leaf,
        quiescence,
        table,
        passes_high,
        passes_low,
        passes_open,
        made_moves_high,
        made_moves_low,
        iterations,
        crossings,
        cutoffs,
        first_move,
        moves,
        cpu,
    ] = counts
    else {
        return None;
    };
    let mut stats = Stats {
        made_moves,
        interior,
        leaf,
        quiescence,
        table,
        passes_high,
        passes_low,
        passes_open,
        made_moves_high,
        made_moves_low,
        iterations,
        crossings,
        ..Stats::default()
    };
    stats.cutoffs[0] = cutoffs;
    stats.first_move_cutoffs[0] = first_move;
    stats.moves_at_cutoffs[0] = moves;
    Some((stats, Duration::from_nanos(cpu)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::formats::epd::{Reading, parse};

    fn run(contender: usize, position: usize) -> Run {
        let row = |depth: i32| {
            let counts: Vec<u64> = (1..=16).map(|n| n * depth as u64).collect();
            let (stats, cpu) = from_counts(&counts).unwrap();
            Row { depth, value: -7 * depth, best: "e2e4".to_owned(), stats, cpu }
        };
        Run { contender, position, rows: (1..=3).map(row).collect() }
    }

    fn in_a_file(name: &str, test: impl FnOnce(&Path, &Experiment<'_>)) {
        let path = std::env::temp_dir().join(format!("plumb-record-{name}-{}.csv", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let text = "4k3/8/8/8/8/8/8/4K2R w K -\n4k3/8/8/8/8/8/8/4K1R1 w - -\n";
        let suite = parse("own", text, Reading::Positions);
        let parameters = vec!["depth 3".to_owned(), "hash 1".to_owned()];
        test(&path, &Experiment { parameters, labels: vec!["MTD(f)", "NegaScout"], cases: &suite.cases });
        let _ = std::fs::remove_file(&path);
    }

    #[test]
    fn what_was_written_comes_back() {
        in_a_file("back", |path, experiment| {
            let (mut record, runs) = Record::open(path, experiment, false).unwrap();
            assert!(runs.is_empty());
            record.append(&run(1, 0), experiment).unwrap();
            record.append(&run(0, 1), experiment).unwrap();
            drop(record);
            let (mut record, runs) = Record::open(path, experiment, false).unwrap();
            assert_eq!(runs, [run(1, 0), run(0, 1)]);
            record.append(&run(0, 0), experiment).unwrap();
            drop(record);
            assert_eq!(Record::open(path, experiment, false).unwrap().1.len(), 3);
            assert_eq!(Record::open(path, experiment, true).unwrap().1.len(), 0);
        });
    }

    #[test]
    fn a_torn_end_is_cut_off() {
        in_a_file("torn", |path, experiment| {
            let (mut record, _) = Record::open(path, experiment, false).unwrap();
            record.append(&run(1, 0), experiment).unwrap();
            let whole = std::fs::read(path).unwrap();
            record.append(&run(0, 1), experiment).unwrap();
            let longer = std::fs::read(path).unwrap();
            drop(record);
            for length in [whole.len() + 1, whole.len() + 70, longer.len() - 1, whole.len()] {
                std::fs::write(path, &longer[..length]).unwrap();
                assert_eq!(Record::open(path, experiment, false).unwrap().1, [run(1, 0)]);
                assert_eq!(std::fs::read(path).unwrap(), whole);
            }
        });
    }

    #[test]
    fn other_files_are_refused() {
        in_a_file("other", |path, experiment| {
            let refused = |text: &str, why: &str| {
                std::fs::write(path, text).unwrap();
                let failure = Record::open(path, experiment, false).err().expect("refused");
                assert!(failure.message().unwrap().contains(why), "{failure:?}");
                assert_eq!(std::fs::read_to_string(path).unwrap(), text);
            };
            refused("my diary\n", "no record of plumb compare");
            let head = experiment.head();
            refused(&head.replace("depth 3", "depth 4"), "another experiment ('depth 4', now 'depth 3')");
            refused(&format!("{head}garbage\n"), "no row of this experiment");
            Record::open(path, experiment, true).unwrap();
            assert_eq!(std::fs::read_to_string(path).unwrap(), head);
        });
    }
}
