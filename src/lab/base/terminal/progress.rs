//! Progress bar with the time left; lines at intervals if standard error is no terminal.

use super::console;
use crate::legible;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

/// Longest time between two such lines.
const LONGEST_SILENCE: Duration = Duration::from_secs(30);

/// Shortest time between two such lines.
const SHORTEST_SILENCE: Duration = Duration::from_secs(1);

/// Units of the bar's length.
const PARTS: f64 = 1e6;

/// Progress of a command in steps, each with a weight: the time that it takes relative to the others.
pub struct Progress {
    bar: ProgressBar,
    /// The name of the steps: "games".
    what: String,
    /// Number of steps.
    total: u64,
    done: u64,
    /// Weight of all steps.
    work: f64,
    /// Weight of the steps that are done.
    worked: f64,
    /// Weight of the steps that were done in earlier runs.
    already: f64,
    began: Instant,
    /// Time of the last line.
    told: Instant,
    /// Tenths of the work that were done at the last line.
    tenth: u64,
    /// Results so far, shown beside the bar.
    note: String,
}

impl Progress {
    /// Begins: `total` steps of `what` that take equally long, of which `already` were done in earlier runs.
    #[must_use]
    pub fn new(what: impl Into<String>, total: usize, already: usize) -> Progress {
        let total = total.max(already);
        Progress::of(what.into(), [total, already], [total, already].map(|steps| steps as f64))
    }

    /// Begins: steps of `what` by their weights, those ahead and those that were done in earlier runs.
    #[must_use]
    pub fn weighted(what: impl Into<String>, ahead: &[f64], already: &[f64]) -> Progress {
        let (total, worked) = (ahead.len() + already.len(), already.iter().sum::<f64>());
        Progress::of(what.into(), [total, already.len()], [ahead.iter().sum::<f64>() + worked, worked])
    }

    /// Begins: the numbers of all steps and of those that are done, and their weights.
    fn of(what: String, [total, done]: [usize; 2], [work, worked]: [f64; 2]) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(PARTS as u64), ProgressDrawTarget::stderr());
        let style = "{msg} [{bar:30}] {elapsed_precise}, {eta_precise} left";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style.progress_chars("=> "));
        }
        let now = Instant::now();
        let mut progress = Progress {
            bar,
            what,
            total: total as u64,
            done: done as u64,
            work,
            worked,
            already: worked,
            began: now,
            told: now,
            tenth: 0,
            note: String::new(),
        };
        progress.tenth = progress.tenths();
        progress.show();
        progress.bar.reset_eta();
        progress.bar.enable_steady_tick(Duration::from_millis(500));
        progress
    }

    /// Sets the results so far, shown from the next step on.
    pub fn note(&mut self, note: String) {
        self.note = note;
    }

    /// Counts a step as done.
    pub fn step(&mut self) {
        self.step_of(1.0);
    }

    /// Counts a step of this weight as done.
    pub fn step_of(&mut self, weight: f64) {
        self.done += 1;
        self.worked += weight;
        self.show();
        if self.bar.is_hidden() {
            self.milestone();
        }
    }

    fn show(&self) {
        let gap = if self.note.is_empty() { "" } else { "  " };
        let message = format!("{} {}/{}{gap}{}", self.what, self.done, self.total, self.note);
        self.bar.set_message(legible::line(&message).into_owned());
        self.bar.set_position((self.part() * PARTS) as u64);
    }

    /// Part of the work that is done, 0 to 1.
    fn part(&self) -> f64 {
        if self.work > 0.0 { (self.worked / self.work).clamp(0.0, 1.0) } else { 1.0 }
    }

    fn tenths(&self) -> u64 {
        (self.part() * 10.0) as u64
    }

    /// Writes to standard output while the bar is hidden.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn print(&self, text: &str) -> Result<(), console::Failure> {
        self.bar.suspend(|| console::out(text))
    }

    /// Calls a function that writes to the terminal, while the bar is hidden.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Removes the bar.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }

    /// Writes a line at every tenth of the work, and after a long silence.
    fn milestone(&mut self) {
        let tenth = self.tenths();
        let silence = self.told.elapsed();
        if silence < SHORTEST_SILENCE || (tenth == self.tenth && silence < LONGEST_SILENCE) {
            return;
        }
        (self.tenth, self.told) = (tenth, Instant::now());
        let (what, done, total) = (&self.what, self.done, self.total);
        let percent = (self.part() * 100.0) as u64;
        let (left, gap) = (HumanDuration(self.left()), if self.note.is_empty() { "" } else { "; " });
        console::note(format!("{what} {done}/{total} ({percent} %), about {left} left{gap}{}", self.note));
    }

    /// Time left at the speed since the beginning of this run.
    fn left(&self) -> Duration {
        let rest = (self.work - self.worked).max(0.0) / (self.worked - self.already);
        let seconds = self.began.elapsed().as_secs_f64() * rest;
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::ZERO)
    }
}
