//! Raw counts of `plumb compare` on disk, as CSV. A file begins with comment lines that describe its
//! comparison; every finished search is appended at once, so that an interrupted comparison resumes where it
//! stopped.

use super::measure::IterationRow;
use crate::chess::score::Value;
use crate::lab::base::formats::epd::Case;
use crate::lab::base::records::head::Head;
use crate::lab::base::records::journal::{Journal, RowInGroup};
use crate::lab::base::records::rows;
use crate::lab::base::terminal::console::Failure;
use crate::search::Stats;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Duration;

/// The first words of every record.
const TITLE: &str = "# plumb compare";

/// Reason for which a line is refused.
const NO_ROW: &str = "is no row of this experiment";

/// The columns of a record.
#[derive(Default, Serialize, Deserialize)]
struct Columns {
    contender: String,
    /// From 1.
    position: usize,
    fen: String,
    depth: i32,
    /// 1 in the last row of a search.
    last: u8,
    value: Value,
    best: String,
    // Counts are cumulative over iterations.
    made: u64,
    interior: u64,
    leaf: u64,
    quiescence: u64,
    table: u64,
    passes_high: u64,
    passes_low: u64,
    passes_open: u64,
    made_high: u64,
    made_low: u64,
    iterations: u64,
    crossings: u64,
    cutoffs: u64,
    first_move_cutoffs: u64,
    moves_at_cutoffs: u64,
    /// Processor time in nanoseconds.
    cpu_ns: u64,
}

/// One finished search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchRun {
    /// Index of the contender.
    pub contender: usize,
    /// Index of the position.
    pub position: usize,
    /// A row for every iteration, never empty.
    pub rows: Vec<IterationRow>,
}

/// The comparison that a record belongs to.
pub struct Comparison<'a> {
    /// Everything that its counts depend on, a line each, without the comment mark.
    pub parameters: Vec<String>,
    /// The contenders' labels; no commas.
    pub labels: Vec<&'a str>,
    /// The positions.
    pub cases: &'a [Case],
}

impl Comparison<'_> {
    /// The head of the file, and the names of its columns.
    fn head(&self) -> Result<(Head, String), Failure> {
        let names = rows::names::<Columns>()?;
        Ok((Head::new(TITLE, &self.parameters).with_columns(&names), names))
    }
}

/// An open record.
pub struct CountRecord {
    journal: Journal,
}

impl CountRecord {
    /// Opens a record for a comparison: a new one, or an old one of the same comparison with its searches.
    /// With `restart` the old one is overwritten.
    pub fn open(
        path: &Path,
        comparison: &Comparison<'_>,
        restart: bool,
    ) -> Result<(CountRecord, Vec<SearchRun>), Failure> {
        let (mut runs, mut open) = (Vec::new(), None);
        let (head, names) = comparison.head()?;
        let journal = Journal::resume(path, &head, "another experiment", restart, |line| {
            let columns: Columns = rows::read(&names, line).ok_or(NO_ROW)?;
            let (contender, position) = columns.place(comparison).ok_or(NO_ROW)?;
            let (row, last) = columns.row();
            let run: &mut SearchRun = open.get_or_insert(SearchRun { contender, position, rows: Vec::new() });
            if (run.contender, run.position) != (contender, position) {
                return Err("begins before the search above it has ended");
            }
            run.rows.push(row);
            if last {
                runs.extend(open.take());
                return Ok(RowInGroup::Last);
            }
            Ok(RowInGroup::Inner)
        })?;
        Ok((CountRecord { journal }, runs))
    }

    /// Appends a finished search, all of it or none.
    pub fn append(&mut self, run: &SearchRun, comparison: &Comparison<'_>) -> Result<(), Failure> {
        let (label, fen) = (comparison.labels[run.contender], comparison.cases[run.position].game.fen());
        let columns = |(index, row): (usize, &IterationRow)| Columns {
            contender: label.to_owned(),
            position: run.position + 1,
            fen: fen.clone(),
            last: u8::from(index + 1 == run.rows.len()),
            ..Columns::of(row)
        };
        let lines: Vec<Columns> = run.rows.iter().enumerate().map(columns).collect();
        self.journal.append_rows(&rows::write(&lines, false)?)
    }
}

impl Columns {
    /// The columns of a row that come from its counts.
    fn of(row: &IterationRow) -> Columns {
        let stats = &row.stats;
        Columns {
            depth: row.depth,
            value: row.value,
            best: row.best.clone(),
            made: stats.made_moves,
            interior: stats.interior,
            leaf: stats.leaf,
            quiescence: stats.quiescence,
            table: stats.table,
            passes_high: stats.passes_high,
            passes_low: stats.passes_low,
            passes_open: stats.passes_open,
            made_high: stats.made_moves_high,
            made_low: stats.made_moves_low,
            iterations: stats.iterations,
            crossings: stats.crossings,
            cutoffs: stats.cutoffs.iter().sum(),
            first_move_cutoffs: stats.first_move_cutoffs.iter().sum(),
            moves_at_cutoffs: stats.moves_at_cutoffs.iter().sum(),
            cpu_ns: u64::try_from(row.cpu.as_nanos()).unwrap_or(u64::MAX),
            ..Columns::default()
        }
    }

    /// The indices of contender and position, if the comparison has them.
    fn place(&self, comparison: &Comparison<'_>) -> Option<(usize, usize)> {
        let contender = comparison.labels.iter().position(|label| *label == self.contender)?;
        let position = self.position.checked_sub(1).filter(|&index| index < comparison.cases.len())?;
        Some((contender, position))
    }

    /// The row, and true if it is the last of its search. Cut-offs come back without their depths, all in the
    /// first place.
    fn row(self) -> (IterationRow, bool) {
        let mut stats = Stats {
            made_moves: self.made,
            interior: self.interior,
            leaf: self.leaf,
            quiescence: self.quiescence,
            table: self.table,
            passes_high: self.passes_high,
            passes_low: self.passes_low,
            passes_open: self.passes_open,
            made_moves_high: self.made_high,
            made_moves_low: self.made_low,
            iterations: self.iterations,
            crossings: self.crossings,
            ..Stats::default()
        };
        stats.cutoffs[0] = self.cutoffs;
        stats.first_move_cutoffs[0] = self.first_move_cutoffs;
        stats.moves_at_cutoffs[0] = self.moves_at_cutoffs;
        let (depth, value, best) = (self.depth, self.value, self.best);
        (IterationRow { depth, value, best, stats, cpu: Duration::from_nanos(self.cpu_ns) }, self.last == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::formats::epd::{Reading, parse};
    use crate::lab::base::records::head::RowChecksum;
    use crate::lab::base::records::test_folder::TestFolder;

    /// Other programs read these columns.
    const COLUMNS: &str = "contender,position,fen,depth,last,value,best,made,interior,leaf,quiescence,table,\
                           passes_high,passes_low,passes_open,made_high,made_low,iterations,crossings,\
                           cutoffs,\
                           first_move_cutoffs,moves_at_cutoffs,cpu_ns,checksum\n";

    fn run(contender: usize, position: usize) -> SearchRun {
        let row = |depth: i32| {
            let names = rows::names::<Columns>().unwrap();
            let counts: Vec<String> = (1..=16).map(|n| (n * depth).to_string()).collect();
            let line = format!("any,1,any,{depth},0,{},e2e4,{}", -7 * depth, counts.join(","));
            rows::read::<Columns>(&names, &line).unwrap().row().0
        };
        SearchRun { contender, position, rows: (1..=3).map(row).collect() }
    }

    fn in_a_file(name: &str, test: impl FnOnce(&Path, &Comparison<'_>)) {
        let folder = TestFolder::new(&format!("record-{name}"));
        let text = "4k3/8/8/8/8/8/8/4K2R w K -\n4k3/8/8/8/8/8/8/4K1R1 w - -\n";
        let suite = parse("own", text, Reading::Positions);
        let parameters = vec!["depth 3".to_owned(), "hash 1".to_owned()];
        test(
            &folder.join("counts.csv"),
            &Comparison { parameters, labels: vec!["MTD(f)", "NegaScout"], cases: &suite.cases },
        );
    }

    #[test]
    fn finished_searches_are_read_back() {
        in_a_file("back", |path, comparison| {
            let (mut record, runs) = CountRecord::open(path, comparison, false).unwrap();
            assert!(runs.is_empty());
            record.append(&run(1, 0), comparison).unwrap();
            record.append(&run(0, 1), comparison).unwrap();
            drop(record);
            let (mut record, runs) = CountRecord::open(path, comparison, false).unwrap();
            assert_eq!(runs, [run(1, 0), run(0, 1)]);
            record.append(&run(0, 0), comparison).unwrap();
            drop(record);
            assert_eq!(CountRecord::open(path, comparison, false).unwrap().1.len(), 3);
            assert_eq!(CountRecord::open(path, comparison, true).unwrap().1.len(), 0);
        });
    }

    #[test]
    fn an_incomplete_search_at_the_end_is_cut_off() {
        in_a_file("torn", |path, comparison| {
            let (mut record, _) = CountRecord::open(path, comparison, false).unwrap();
            record.append(&run(1, 0), comparison).unwrap();
            let whole = std::fs::read(path).unwrap();
            record.append(&run(0, 1), comparison).unwrap();
            let longer = std::fs::read(path).unwrap();
            drop(record);
            for length in [whole.len() + 1, whole.len() + 70, longer.len() - 1, whole.len()] {
                std::fs::write(path, &longer[..length]).unwrap();
                assert_eq!(CountRecord::open(path, comparison, false).unwrap().1, [run(1, 0)]);
                assert_eq!(std::fs::read(path).unwrap(), whole);
            }
        });
    }

    #[test]
    fn other_files_are_refused() {
        in_a_file("other", |path, comparison| {
            let refused = |text: &str, why: &str| {
                std::fs::write(path, text).unwrap();
                let failure = CountRecord::open(path, comparison, false).err().expect("refused");
                assert!(failure.message().unwrap().contains(why), "{failure:?}");
                assert_eq!(std::fs::read_to_string(path).unwrap(), text);
            };
            refused("my diary\n", "no record of plumb compare");
            let head = comparison.head().unwrap().0;
            let (head, summed) = (head.text(), |rows: &str| head.checksums().append_to(rows));
            assert!(head.ends_with(COLUMNS), "{head}");
            refused(&head.replace("depth 3", "depth 4"), "another experiment ('depth 4', now 'depth 3')");
            refused(&format!("{head}garbage\n"), "is damaged");
            refused(&format!("{head}{}", summed("garbage\n")), "no row of this experiment");
            let other = RowChecksum::under(head.replace("depth 3", "depth 4").as_bytes());
            refused(&format!("{head}{}", other.append_to("garbage\n")), "'garbage,");
            refused(
                &format!("{head}{}", RowChecksum::ALONE.append_to("garbage\n")),
                "written by an earlier version",
            );
            CountRecord::open(path, comparison, true).unwrap();
            assert_eq!(std::fs::read_to_string(path).unwrap(), head);
        });
    }
}
