//! How far an experiment is: a bar with the time left, or milestones where no terminal shows a bar.

use super::console;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

/// Milestones are at most so far apart ...
const LONGEST_SILENCE: Duration = Duration::from_secs(30);

/// ... and at least so far.
const SHORTEST_SILENCE: Duration = Duration::from_secs(1);

/// Parts of a bar's length.
const PARTS: f64 = 1e6;

/// A running experiment.
pub struct Progress {
    bar: ProgressBar,
    what: String,
    /// Steps.
    total: u64,
    done: u64,
    /// How long the steps take, all of them and the done ones, in any unit.
    work: f64,
    worked: f64,
    /// Of which were done from before.
    already: f64,
    began: Instant,
    told: Instant,
    tenth: u64,
    /// What is known so far.
    note: String,
}

impl Progress {
    /// Begins: `total` steps of `what` that take equally long, of which `already` are done from before.
    #[must_use]
    pub fn new(what: impl Into<String>, total: usize, already: usize) -> Progress {
        Progress::weighted(what, &vec![1.0; total.saturating_sub(already)], &vec![1.0; already])
    }

    /// Begins: steps of `what` with the time that each takes relative to the others, those ahead and those that
    /// are done from before.
    #[must_use]
    pub fn weighted(what: impl Into<String>, ahead: &[f64], already: &[f64]) -> Progress {
        let worked: f64 = already.iter().sum();
        let bar = ProgressBar::with_draw_target(Some(PARTS as u64), ProgressDrawTarget::stderr());
        let style = "{msg} [{bar:30}] {elapsed_precise}, {eta_precise} left";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style.progress_chars("=> "));
        }
        let now = Instant::now();
        let mut progress = Progress {
            bar,
            what: what.into(),
            total: (ahead.len() + already.len()) as u64,
            done: already.len() as u64,
            work: ahead.iter().sum::<f64>() + worked,
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

    /// What is known so far: shown from the next step on.
    pub fn note(&mut self, note: String) {
        self.note = note;
    }

    /// One more step is done.
    pub fn step(&mut self) {
        self.step_of(1.0);
    }

    /// One more step is done, and it had this weight.
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
        self.bar.set_message(format!("{} {}/{}{gap}{}", self.what, self.done, self.total, self.note));
        self.bar.set_position((self.part() * PARTS) as u64);
    }

    /// How much of the work is done, from 0 to 1.
    fn part(&self) -> f64 {
        if self.work > 0.0 { (self.worked / self.work).clamp(0.0, 1.0) } else { 1.0 }
    }

    fn tenths(&self) -> u64 {
        (self.part() * 10.0) as u64
    }

    /// Writes to standard output without tearing the bar.
    pub fn print(&self, text: &str) -> Result<(), console::Failure> {
        self.bar.suspend(|| console::out(text))
    }

    /// Does something that writes without tearing the bar.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Takes the bar away.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }

    /// Every tenth of the way, and whenever it has been silent for long.
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
        console::warn(format!("{what} {done}/{total} ({percent} %), about {left} left{gap}{}", self.note));
    }

    /// The time left, if the rest goes as what was done since the beginning.
    fn left(&self) -> Duration {
        let rest = (self.work - self.worked).max(0.0) / (self.worked - self.already);
        let seconds = self.began.elapsed().as_secs_f64() * rest;
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::ZERO)
    }
}
