//! Report of a run as tables: solved positions, missed positions, perfts.

use super::results::{Results, Row};
use crate::lab::base::pages::table::{Table, count};
use crate::lab::study::suites::goals::MateClaim;
use std::fmt::Write as _;
use std::time::Duration;

/// The whole report.
#[must_use]
pub fn report(results: &Results) -> String {
    let mut text = String::new();
    let solved = solved(results);
    if !solved.is_empty() {
        let settings = if results.settings.is_empty() { "settings not known" } else { &results.settings };
        let _ = writeln!(text, "# Suites: {settings}\n\n{solved}");
    }
    let missed = missed(results);
    if !missed.is_empty() {
        let _ = writeln!(text, "Missed\n\n{missed}");
    }
    text += &perfts(results);
    if results.rows.len() < results.planned() {
        let (done, of) = (count(results.rows.len() as u64), count(results.planned() as u64));
        let what = match results.shard.as_str() {
            "" | "1/1" => "Incomplete".to_owned(),
            joined if joined.contains(';') => "Incomplete".to_owned(),
            share => format!("Share {share}"),
        };
        let _ = writeln!(text, "{what}: {done} of {of} results.");
    }
    text
}

/// A row for every suite and backend, and one for all suites together.
#[must_use]
pub fn solved(results: &Results) -> Table {
    let pointed = results.rows.iter().any(|row| row.points.is_some());
    let mut headings = vec!["suite", "backend", "solved", "%"];
    headings.extend(["mean time to solution", "mean nodes to solution", "mates exact", "false mates"]);
    headings.extend(pointed.then_some("points"));
    let mut table = Table::new(2, headings);
    for suite in results.suites.iter().map(|suite| Some(suite.name.as_str())).chain([None]) {
        for backend in &results.backends {
            let of_suite = |row: &&Row| suite.is_none_or(|name| row.suite == name);
            let rows: Vec<&Row> =
                results.rows.iter().filter(|row| row.backend == *backend).filter(of_suite).collect();
            // A row for all suites together only if there are several.
            if !rows.is_empty() && (suite.is_some() || rows.iter().any(|row| row.suite != rows[0].suite)) {
                let name = suite.unwrap_or("all together").to_owned();
                table.row([name, backend.clone()].into_iter().chain(summary(&rows)));
            }
        }
    }
    table
}

/// Solved, share, time and nodes to solution, mates, points: the numbers of a row.
fn summary(rows: &[&Row]) -> [String; 7] {
    let solved = rows.iter().filter(|row| row.solved).count();
    let dash = || "-".to_owned();
    let time = mean(rows.iter().filter_map(|row| row.solution_milliseconds));
    let nodes = mean(rows.iter().filter_map(|row| row.solution_nodes.map(|nodes| nodes as f64)));
    let claims: Vec<_> = rows.iter().filter_map(|row| row.mate_claim).collect();
    let number = |claim| claims.iter().filter(|&&one| one == claim).count();
    let (mut exact, mut wrong) = (dash(), dash());
    if !claims.is_empty() {
        exact = format!("{}/{}", number(MateClaim::Exact), claims.len());
        wrong = number(MateClaim::False).to_string();
    }
    let share = solved as f64 * 100.0 / rows.len() as f64;
    [
        format!("{solved}/{}", rows.len()),
        format!("{share:.1}"),
        time.map_or_else(
            dash,
            |time| if time < 10.0 { format!("{time:.1} ms") } else { format!("{time:.0} ms") },
        ),
        nodes.map_or_else(dash, |nodes| count(nodes as u64)),
        exact,
        wrong,
        points(rows).map_or_else(dash, |(points, of)| format!("{}/{}", count(points), count(of))),
    ]
}

/// The sum of points, and of what the best moves are worth.
fn points(rows: &[&Row]) -> Option<(u64, u64)> {
    let mut pairs = rows.iter().filter_map(|row| row.points.zip(row.points_of)).peekable();
    pairs.peek()?;
    Some(pairs.fold((0, 0), |(points, of), (p, o)| (points + u64::from(p), of + u64::from(o))))
}

/// The mean; `None` without values.
#[must_use]
pub fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, number) = values.fold((0.0, 0.0), |(sum, number), value| (sum + value, number + 1.0));
    (number > 0.0).then(|| sum / number)
}

/// A row for every position that was not solved, or for which a wrong mate was announced.
fn missed(results: &Results) -> Table {
    let headings = ["position", "line", "backend", "expected", "got", "score", "depth"];
    let mut table = Table::new(5, headings);
    for row in results.rows.iter().filter(|row| !row.is_perft() && row.failed()) {
        let (name, place, depth) = (row.position.clone(), row.place(), row.depth.to_string());
        table.row([
            name,
            place,
            row.backend.clone(),
            row.expected.clone(),
            row.got.clone(),
            score(row),
            depth,
        ]);
    }
    table
}

/// The perfts: a summary, and those that are wrong.
fn perfts(results: &Results) -> String {
    let mut table = Table::new(1, ["suite", "perfts", "right", "move sequences", "per second"]);
    let mut wrong = Table::new(1, ["position", "depth", "expected", "got"]);
    for suite in &results.suites {
        let rows: Vec<&Row> =
            results.rows.iter().filter(|row| row.is_perft() && row.suite == suite.name).collect();
        if rows.is_empty() {
            continue;
        }
        let right = rows.iter().filter(|row| row.solved).count() as u64;
        let sum: u64 = rows.iter().map(|row| row.nodes).sum();
        let spent: f64 = rows.iter().map(|row| row.milliseconds).sum::<f64>() / 1000.0;
        let speed = count((sum as f64 / spent.max(1e-9)) as u64);
        table.row([suite.name.clone(), count(rows.len() as u64), count(right), count(sum), speed]);
        for row in rows.iter().filter(|row| !row.solved) {
            let (expected, got) = (row.expected.clone(), row.got.clone());
            wrong.row([row.position.clone(), row.depth.to_string(), expected, got]);
        }
    }
    let mut text = String::new();
    if !table.is_empty() {
        let _ = writeln!(text, "# Perft\n\n{table}");
    }
    if !wrong.is_empty() {
        let _ = writeln!(text, "Wrong\n\n{wrong}");
    }
    text
}

/// One line about a finished search or perft.
#[must_use]
pub fn line(row: &Row) -> String {
    let (name, backend, got) = (&row.position, &row.backend, &row.got);
    if row.is_perft() {
        let verdict = if row.solved { "right".to_owned() } else { format!("WRONG, not {}", row.expected) };
        return format!("{name} perft {}: {got} {verdict}\n", row.depth);
    }
    let mut verdict = match row.solution_milliseconds.zip(row.solution_nodes) {
        Some((time, nodes)) => {
            let time = Duration::from_secs_f64((time / 1000.0).max(0.0));
            format!("solved after {} ms, {} nodes", time.as_millis(), count(nodes))
        }
        None => format!("missed, expected {}", row.expected),
    };
    if let Some((points, of)) = row.points.zip(row.points_of) {
        let _ = write!(verdict, ", {points} of {of} points");
    }
    format!("{name} {backend}: {got} {} depth {}: {verdict}\n", score(row), row.depth)
}

/// A score in pawns, or the mate it announces.
#[must_use]
pub fn score(row: &Row) -> String {
    match (row.mate, row.score) {
        (Some(mate), _) => format!("#{mate}"),
        (None, Some(score)) => format!("{:+.2}", f64::from(score) / 100.0),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::results::sample::{results, row};
    use super::*;

    #[test]
    fn suites_are_summed_up() {
        let mut rows = vec![row(1, "MTD(f)", Some(100), Some(10)), row(2, "MTD(f)", None, Some(3))];
        let text = report(&results(rows.clone()));
        assert!(text.contains("| own.epd | MTD(f)  |    1/2 | 50.0 |"), "{text}");
        assert!(text.contains("| 13/20 |") || text.contains("|  13/20 |"), "{text}");
        assert!(text.contains("own.epd:2 | MTD(f)") && !text.contains("own.epd:1 | MTD(f)"), "{text}");
        assert!(!text.contains("all together"));
        rows[1].suite = "two.epd".to_owned();
        let text = report(&results(rows));
        assert!(text.contains("| all together | MTD(f)  |    1/2 |  50.0 |"), "{text}");
    }

    #[test]
    fn points_are_shown_only_if_there_are_some() {
        assert!(!report(&results(vec![row(1, "MTD(f)", Some(1), None)])).contains("points"));
    }

    #[test]
    fn missing_results_are_reported() {
        let mut part = results(vec![row(1, "MTD(f)", Some(1), None)]);
        part.suites[0].rows = 3;
        assert!(report(&part).contains("Incomplete: 1 of 3 results."));
    }
}
