//! Machine and date of a measurement.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The machine in a few words: processor, cores, system.
#[must_use]
pub fn describe() -> String {
    let cores = cores();
    let plural = if cores == 1 { "" } else { "s" };
    format!("{}, {cores} core{plural}, {}", processor(), system())
}

/// Number of threads that run at a time.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn processor() -> String {
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    field(&about, "model name", ':').unwrap_or_else(|| format!("a processor ({})", std::env::consts::ARCH))
}

fn system() -> String {
    let about = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = field(&about, "PRETTY_NAME", '=').unwrap_or_else(|| std::env::consts::OS.to_owned());
    format!("{} ({})", name.trim_matches('"'), std::env::consts::ARCH)
}

/// The first value of `key` in lines of the form `key <mark> value`.
fn field(text: &str, key: &str, mark: char) -> Option<String> {
    let mut pairs = text.lines().filter_map(|line| line.split_once(mark));
    let (_, value) = pairs.find(|(name, _)| name.trim() == key)?;
    let words: Vec<&str> = value.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The time now in UTC, to the minute.
#[must_use]
pub fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date(since)
}

/// Date and time of a duration since 1970, in UTC.
fn date(since: Duration) -> String {
    let minutes = since.as_secs() / 60;
    let (hour, minute) = (minutes / 60 % 24, minutes % 60);
    let mut days = minutes / (24 * 60);
    let mut year = 1970;
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in lengths {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02} {hour:02}:{minute:02} UTC", days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, wanted) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_399, "2000-02-28 23:59 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (951_868_800, "2000-03-01 00:00 UTC"),
            (1_735_689_599, "2024-12-31 23:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
        ] {
            assert_eq!(date(Duration::from_secs(seconds)), wanted);
        }
    }

    #[test]
    fn fields_are_found() {
        let text = "processor\t: 0\nmodel name\t: Some  CPU @ 2.4 GHz\nmodel name : other\nempty :\n";
        assert_eq!(field(text, "model name", ':').as_deref(), Some("Some CPU @ 2.4 GHz"));
        assert_eq!(field(text, "empty", ':'), None);
        assert_eq!(field(text, "missing", ':'), None);
    }
}
