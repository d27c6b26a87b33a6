//! `plumb epd compare`: two result files about the same positions: sums, positions that one of them solved
//! alone, and the significance of the difference (sign test, confidence intervals).

use super::report::{mean, score};
use super::results::{Results, Row};
use crate::lab::base::pages::table::{Table, count};
use crate::lab::base::statistics::ratios::{self, Estimate};
use crate::lab::base::statistics::sign_test;
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::study::suites::arguments::EpdCompare;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// Rows of A and B about the same position.
type Pair<'a> = (&'a Row, &'a Row);

/// One side of the comparison: the searches of one backend in one file.
struct Side<'a> {
    rows: Vec<&'a Row>,
    title: String,
}

/// Reads both files and prints the comparison.
///
/// # Errors
/// If a file cannot be read, a backend is not in it, or the files have no position in common.
pub fn run(arguments: &EpdCompare) -> Result<(), Failure> {
    let (a, b) = (Results::read(&arguments.a)?, Results::read(&arguments.b)?);
    let (for_a, for_b) = backends(arguments, &a, &b)?;
    let (a, b) = (Side::new(&a, &arguments.a, &for_a)?, Side::new(&b, &arguments.b, &for_b)?);
    let pairs = pairs(&a.rows, &b.rows);
    if pairs.is_empty() {
        return Err(Failure::new("the two files have no position in common"));
    }
    let mut text = format!("# A against B\n\nA = {}\nB = {}\n\n", a.title, b.title);
    let unpaired = (a.rows.len() - pairs.len(), b.rows.len() - pairs.len());
    if unpaired != (0, 0) {
        let (in_a, in_b) = unpaired;
        let _ =
            writeln!(text, "Left out: {in_a} positions that are in A alone, {in_b} that are in B alone.\n");
    }
    text += &compare(&pairs, arguments.seed);
    console::out(&text)
}

/// The backend of each file that is compared.
fn backends(arguments: &EpdCompare, a: &Results, b: &Results) -> Result<(String, String), Failure> {
    let named = |name: &String, of: &Results| {
        // A name as Plumb knows it, or as another program wrote it into the file.
        let known = name.parse::<crate::search::Backend>().map(|backend| backend.to_string());
        let wanted = known.unwrap_or_else(|_| name.trim().to_owned());
        let known = of.backends.iter().find(|one| one.eq_ignore_ascii_case(&wanted));
        known.cloned().ok_or_else(|| {
            let held = of.backends.join(", ");
            Failure::usage(format!("backend {wanted} is not in the results, which hold: {held}"))
        })
    };
    match arguments.backends.as_slice() {
        [both] => Ok((named(both, a)?, named(both, b)?)),
        [first, second] => Ok((named(first, a)?, named(second, b)?)),
        [] => match (a.backends.as_slice(), b.backends.as_slice()) {
            ([], _) | (_, []) => Err(Failure::new("only searches are compared, and a file holds none")),
            ([a], [b]) => Ok((a.clone(), b.clone())),
            ([one], many) | (many, [one]) if many.contains(one) => Ok((one.clone(), one.clone())),
            _ => Err(Failure::usage("a file holds several backends: say which with --backends A,B")),
        },
        _ => Err(Failure::usage("--backends takes one name, or one for each file")),
    }
}

impl<'a> Side<'a> {
    fn new(results: &'a Results, path: &Path, backend: &str) -> Result<Side<'a>, Failure> {
        let rows: Vec<&Row> = results.rows.iter().filter(|row| row.backend == backend).collect();
        let mut title = format!("{}: {backend}", path.display());
        if !results.settings.is_empty() {
            let _ = write!(title, ", {}", results.settings);
        }
        Ok(Side { rows, title })
    }
}

/// Pairs of rows with the same position and goals, whatever their files and lines; repetitions are paired in
/// order.
fn pairs<'a>(a: &[&'a Row], b: &[&'a Row]) -> Vec<Pair<'a>> {
    let key = |row: &&'a Row| (row.fen.as_str(), row.expected.as_str());
    let mut waiting: BTreeMap<_, Vec<&Row>> = BTreeMap::new();
    // Rows are taken from the end of the list, so they are put in backwards.
    b.iter().rev().for_each(|row| waiting.entry(key(row)).or_default().push(row));
    a.iter().filter_map(|row| Some((*row, waiting.get_mut(&key(row))?.pop()?))).collect()
}

/// The comparison.
fn compare(pairs: &[Pair<'_>], seed: u64) -> String {
    let mut table = Table::new(1, ["", "A", "B", "B against A [95 %]", "p"]);
    solved(&mut table, pairs);
    points(&mut table, pairs);
    efforts(&mut table, pairs, seed);
    let mut text = format!(
        "{table}\np: probability of at least this difference if A and B were equally strong (exact two-sided \
        sign test over the positions where they differ, McNemar's test).\nTime and nodes to solution: over \
        the {} positions that both solved; B in % of A, geometric mean.\n",
        count(both(pairs).count() as u64)
    );
    for (title, alone) in [("Solved by A alone", true), ("Solved by B alone", false)] {
        let table = solved_alone(pairs, alone);
        if !table.is_empty() {
            let _ = writeln!(text, "\n{title}: {}\n\n{table}", table.rows().len() - 1);
        }
    }
    text
}

fn solved(table: &mut Table, pairs: &[Pair<'_>]) {
    let number = |which: &dyn Fn(&Pair<'_>) -> bool| pairs.iter().filter(|pair| which(pair)).count() as u64;
    let (a, b) = (number(&|(a, _)| a.solved), number(&|(_, b)| b.solved));
    let alone = (number(&|(a, b)| a.solved && !b.solved), number(&|(a, b)| b.solved && !a.solved));
    let all = pairs.len() as u64;
    let more = sign_test::difference(alone.0, alone.1, all);
    let cell = |solved: u64| format!("{}/{} ({:.1} %)", count(solved), count(all), percent(solved, all));
    let p = probability(alone);
    table.row(["solved".to_owned(), cell(a), cell(b), format!("{} % of all", signed(&more, 100.0)), p]);
    table.row(["solved alone".to_owned(), count(alone.0), count(alone.1), String::new(), String::new()]);
    let depths = |side: &dyn Fn(&Pair<'_>) -> f64| {
        mean(pairs.iter().map(side)).map_or(String::new(), |depth| format!("{depth:.1}"))
    };
    let (a, b) = (depths(&|(a, _)| f64::from(a.depth)), depths(&|(_, b)| f64::from(b.depth)));
    table.row(["mean depth".to_owned(), a, b]);
}

/// The row of points, if the suites give them.
fn points(table: &mut Table, pairs: &[Pair<'_>]) {
    let both: Vec<(u32, u32)> = pairs.iter().filter_map(|(a, b)| a.points.zip(b.points)).collect();
    if both.is_empty() {
        return;
    }
    let of: u64 = pairs.iter().filter_map(|(a, _)| a.points_of).map(u64::from).sum();
    let (a, b) = both.iter().fold((0, 0), |(a, b), pair| (a + u64::from(pair.0), b + u64::from(pair.1)));
    let more = |which: &dyn Fn(&(u32, u32)) -> bool| both.iter().filter(|pair| which(pair)).count() as u64;
    let ahead = (more(&|(a, b)| a > b), more(&|(a, b)| b > a));
    let cell = |points: u64| format!("{}/{} ({:.1} %)", count(points), count(of), percent(points, of));
    let differences: Vec<f64> = both.iter().map(|&(a, b)| f64::from(b) - f64::from(a)).collect();
    let change = format!("{} a position", signed(&mean_with_interval(&differences), 1.0));
    table.row(["points".to_owned(), cell(a), cell(b), change, probability(ahead)]);
}

/// The mean of differences with its 95 % interval (normal approximation).
fn mean_with_interval(values: &[f64]) -> Estimate {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let error = 1.959_964 * (variance / n).sqrt();
    Estimate { value: mean, interval: (mean - error, mean + error) }
}

fn both<'a>(pairs: &'a [Pair<'a>]) -> impl Iterator<Item = &'a Pair<'a>> {
    pairs.iter().filter(|(a, b)| a.solved && b.solved)
}

/// Time and nodes to solution, over the positions that both solved.
fn efforts(table: &mut Table, pairs: &[Pair<'_>], seed: u64) {
    let time = |row: &Row| row.solution_milliseconds;
    let nodes = |row: &Row| row.solution_nodes.map(|nodes| nodes as f64);
    effort(table, "mean time to solution", &values(pairs, &time), seed, |time| format!("{time:.1} ms"));
    effort(table, "mean nodes to solution", &values(pairs, &nodes), seed, |nodes| count(nodes as u64));
}

fn values(pairs: &[Pair<'_>], of: &dyn Fn(&Row) -> Option<f64>) -> Vec<(f64, f64)> {
    both(pairs).filter_map(|(a, b)| of(a).zip(of(b))).collect()
}

fn effort(table: &mut Table, name: &str, values: &[(f64, f64)], seed: u64, show: impl Fn(f64) -> String) {
    let (Some(a), Some(b)) = (mean(values.iter().map(|pair| pair.0)), mean(values.iter().map(|pair| pair.1)))
    else {
        return;
    };
    let reversed: Vec<(f64, f64)> = values.iter().map(|&(a, b)| (b, a)).collect();
    let ratio = ratios::ratio(&reversed, seed)
        .map_or("-".to_owned(), |ratio| ratio.geometric.told(" %", |ratio| format!("{:.1}", ratio * 100.0)));
    let number = |which: &dyn Fn(&&(f64, f64)) -> bool| values.iter().filter(which).count() as u64;
    let p = probability((number(&|(a, b)| a < b), number(&|(a, b)| b < a)));
    table.row([name.to_owned(), show(a), show(b), ratio, p]);
}

/// Positions that one of them solved alone.
fn solved_alone(pairs: &[Pair<'_>], by_a: bool) -> Table {
    let mut table = Table::new(5, ["position", "line", "expected", "A", "B", "score A", "score B"]);
    for (a, b) in pairs.iter().filter(|(a, b)| a.solved != b.solved && a.solved == by_a) {
        let (name, place, expected) = (a.position.clone(), a.place(), a.expected.clone());
        table.row([name, place, expected, a.got.clone(), b.got.clone(), score(a), score(b)]);
    }
    table
}

fn percent(part: u64, of: u64) -> f64 {
    part as f64 * 100.0 / of.max(1) as f64
}

fn probability(ahead: (u64, u64)) -> String {
    let p = sign_test::probability(ahead.0, ahead.1);
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// A difference with its interval.
fn signed(estimate: &Estimate, unit: f64) -> String {
    let Estimate { value, interval: (low, high) } = estimate;
    format!("{:+.1} [{:+.1}, {:+.1}]", value * unit, low * unit, high * unit)
}

#[cfg(test)]
mod tests {
    use super::super::results::sample::{results, row};
    use super::*;

    fn asked(backends: &[&str]) -> EpdCompare {
        let backends = backends.iter().map(ToString::to_string).collect();
        EpdCompare { a: "a".into(), b: "b".into(), backends, seed: 1 }
    }

    /// Rows of six positions that differ in their FEN.
    fn rows(backend: &str, solved: [Option<u64>; 6], points: bool) -> Vec<Row> {
        let one = |(at, solved): (usize, Option<u64>)| {
            let points = points.then_some(if solved.is_some() { 10 } else { at as u32 });
            Row { fen: format!("position {at}"), ..row(at, backend, solved, points) }
        };
        solved.into_iter().enumerate().map(one).collect()
    }

    #[test]
    fn differences_are_shown_with_their_significance() {
        let a = rows("MTD(f)", [Some(100), Some(100), None, None, None, Some(7)], true);
        let b = rows("SSS*", [Some(200), Some(50), Some(1), Some(1), None, None], true);
        let (a, b): (Vec<&Row>, Vec<&Row>) = (a.iter().collect(), b.iter().collect());
        let text = compare(&pairs(&a, &b), 1);
        for wanted in [
            "| solved                 |  3/6 (50.0 %) |  4/6 (66.7 %) | +16.7 [",
            "| solved alone           |             1 |             2 |",
            "| points                 | 39/60 (65.0 %) | 49/60 (81.7 %) |",
            "the 2 positions that both solved",
            "Solved by A alone: 1",
            "Solved by B alone: 2",
            "1.000 |",
        ] {
            let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(squeeze(&text).contains(&squeeze(wanted)), "'{wanted}' is missing in\n{text}");
        }
    }

    #[test]
    fn positions_are_paired_by_what_they_ask() {
        let a = rows("MTD(f)", [Some(1); 6], false);
        let mut b = rows("MTD(f)", [None; 6], false);
        b.reverse();
        b.iter_mut().for_each(|row| row.suite = "elsewhere".to_owned());
        b[5].fen = "position 1".to_owned();
        let (a, b): (Vec<&Row>, Vec<&Row>) = (a.iter().collect(), b.iter().collect());
        let pairs = pairs(&a, &b);
        assert_eq!(pairs.len(), 5);
        assert!(pairs.iter().all(|(a, b)| a.fen == b.fen));
    }

    #[test]
    fn backends_are_chosen_by_name() {
        let one = results(rows("MTD(f)", [None; 6], false));
        let other = results(rows("SSS*", [None; 6], false));
        let two = results([one.rows.clone(), other.rows.clone()].concat());
        let chosen = |names: &[&str], a, b| backends(&asked(names), a, b).map_err(|_| ());
        let pair = |a: &str, b: &str| Ok((a.to_owned(), b.to_owned()));
        assert_eq!(chosen(&[], &one, &other), pair("MTD(f)", "SSS*"));
        assert_eq!(chosen(&[], &one, &two), pair("MTD(f)", "MTD(f)"));
        assert_eq!(chosen(&["mtdf", "sss"], &two, &two), pair("MTD(f)", "SSS*"));
        assert_eq!(chosen(&["SSS*"], &two, &other), pair("SSS*", "SSS*"));
        assert!(chosen(&[], &two, &two).is_err() && chosen(&["dual"], &two, &two).is_err());
        assert!(chosen(&["mtdf", "sss", "dual"], &two, &two).is_err());
    }

    #[test]
    fn probabilities_and_intervals_follow_their_formulas() {
        assert_eq!(probability((0, 20)), "< 0.001");
        assert_eq!(probability((0, 5)), "0.062");
        let found = mean_with_interval(&[1.0, 2.0, 3.0, 4.0]);
        let error = 1.959_964 * (5.0_f64 / 3.0 / 4.0).sqrt();
        assert!((found.value - 2.5).abs() < 1e-12 && (found.interval.1 - 2.5 - error).abs() < 1e-12);
    }
}
