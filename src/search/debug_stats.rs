//! Debug statistics: how often something happens in a search, and with which numbers. One line at the place
//! in question, `debug_stat("name", number)`, and `bench` prints count, mean and histogram of each name
//! behind its total.
//!
//! For trying ideas. No line of it stays in a commit: all threads share one lock.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

/// Occurrences of each number.
type Counts = BTreeMap<i64, u64>;

/// Noted numbers, by name.
#[derive(Default)]
struct DebugStats(BTreeMap<&'static str, Counts>);

static STATS: Mutex<DebugStats> = Mutex::new(DebugStats(BTreeMap::new()));

/// Rows of a histogram at most.
const ROWS: usize = 16;

/// Signs of the longest bar.
const BAR: u64 = 40;

/// Notes a number under a name: `true` and `false` are 1 and 0, so that the mean is a share.
pub fn debug_stat(name: &'static str, number: impl Into<i64>) {
    STATS.lock().unwrap_or_else(PoisonError::into_inner).note(name, number.into());
}

/// The histograms of all numbers noted since the last call, as text; they are forgotten.
#[must_use]
pub fn take_debug_stats() -> String {
    std::mem::take(&mut *STATS.lock().unwrap_or_else(PoisonError::into_inner)).text()
}

impl DebugStats {
    fn note(&mut self, name: &'static str, number: i64) {
        *self.0.entry(name).or_default().entry(number).or_default() += 1;
    }

    /// A heading for each name, by the alphabet, and its histogram.
    fn text(&self) -> String {
        self.0.iter().map(|(name, counts)| table(name, counts)).collect()
    }
}

/// Count, mean, least and greatest number, and the histogram: a row for every number where there are few,
/// else for ranges of one size.
fn table(name: &str, counts: &Counts) -> String {
    let (Some((&least, _)), Some((&most, _))) = (counts.first_key_value(), counts.last_key_value()) else {
        return String::new();
    };
    let count: u64 = counts.values().sum();
    let sum: i128 = counts.iter().map(|(&number, &times)| i128::from(number) * i128::from(times)).sum();
    let mean = sum as f64 / count as f64;
    let mut text = format!("{name}: {count} times, mean {mean:.3}, least {least}, most {most}\n");
    let size = if counts.len() <= ROWS { 1 } else { most.abs_diff(least) / ROWS as u64 + 1 };
    let mut rows = BTreeMap::<u64, u64>::new();
    for (&number, &times) in counts {
        *rows.entry(number.abs_diff(least) / size).or_default() += times;
    }
    let longest = rows.values().copied().max().unwrap_or(1);
    for (row, times) in rows {
        let first = i128::from(least) + i128::from(row) * i128::from(size);
        let range =
            if size == 1 { first.to_string() } else { format!("{first}..{}", first + i128::from(size)) };
        let share = 100.0 * times as f64 / count as f64;
        let bar = "#".repeat((u128::from(times) * u128::from(BAR)).div_ceil(u128::from(longest)) as usize);
        let _ = writeln!(text, "{range:>24} {times:>12} {share:>5.1} % {bar}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn count_mean_and_histogram_are_those_of_the_numbers() {
        let mut stats = DebugStats::default();
        [3, 3, 3, -1].into_iter().for_each(|number| stats.note("few", number));
        (0..64).for_each(|number| stats.note("many", number));
        [true, false].into_iter().for_each(|held| stats.note("share", held.into()));
        let text = stats.text();
        assert!(text.starts_with("few: 4 times, mean 2.000, least -1, most 3\n"), "{text}");
        assert!(text.contains(&format!("{:>24} {:>12}  75.0 % {}\n", 3, 3, "#".repeat(40))), "{text}");
        assert!(text.contains("share: 2 times, mean 0.500"), "{text}");
        let many = text.split("many").nth(1).unwrap().split("share").next().unwrap();
        assert_eq!(many.lines().skip(1).count(), ROWS, "{many}");
        assert!(many.contains(&format!("{:>24} {:>12}   6.2 % ", "60..64", 4)), "{many}");
    }

    #[test]
    fn the_ends_of_the_numbers_have_a_histogram() {
        let counts = (0..20).map(|step| (i64::MIN + step, 1)).chain([(i64::MAX, u64::MAX / 2)]).collect();
        assert_eq!(table("wide", &counts).lines().count(), 3);
    }
}
