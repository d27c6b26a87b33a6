//! How far an experiment is: a bar with the time left, or milestones where no terminal shows a bar.

use super::console;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

/// Milestones are at most so far apart ...
const LONGEST_SILENCE: Duration = Duration::from_secs(30);

/// ... and at least so far.
const SHORTEST_SILENCE: Duration = Duration::from_secs(1);

/// A running experiment.
pub struct Progress {
    bar: ProgressBar,
    what: &'static str,
    total: u64,
    done: u64,
    already: u64,
    began: Instant,
    told: Instant,
    tenth: u64,
}

impl Progress {
    /// Begins: `total` steps of `what`, of which `already` are done from before.
    #[must_use]
    pub fn new(what: &'static str, total: usize, already: usize) -> Progress {
        let (total, already) = (total as u64, already as u64);
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
        let style = "{msg} [{bar:30}] {pos}/{len} {elapsed_precise}, {eta_precise} left";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message(what);
        bar.set_position(already);
        bar.reset_eta();
        bar.enable_steady_tick(Duration::from_millis(500));
        let now = Instant::now();
        Progress {
            bar,
            what,
            total,
            done: already,
            already,
            began: now,
            told: now,
            tenth: already * 10 / total.max(1),
        }
    }

    /// One more step is done.
    pub fn step(&mut self) {
        self.done += 1;
        self.bar.inc(1);
        if self.bar.is_hidden() {
            self.milestone();
        }
    }

    /// Writes to standard output without tearing the bar.
    pub fn print(&self, text: &str) -> Result<(), console::Failure> {
        self.bar.suspend(|| console::out(text))
    }

    /// Takes the bar away.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }

    /// Every tenth of the way, and whenever it has been silent for long.
    fn milestone(&mut self) {
        let tenth = self.done * 10 / self.total.max(1);
        let silence = self.told.elapsed();
        if silence < SHORTEST_SILENCE || (tenth == self.tenth && silence < LONGEST_SILENCE) {
            return;
        }
        (self.tenth, self.told) = (tenth, Instant::now());
        let each = self.began.elapsed().as_secs_f64() / (self.done - self.already).max(1) as f64;
        let left = Duration::from_secs_f64(each * self.total.saturating_sub(self.done) as f64);
        let (what, done, total) = (self.what, self.done, self.total);
        let percent = done * 100 / total.max(1);
        console::warn(format!("{what} {done}/{total} ({percent} %), about {} left", HumanDuration(left)));
    }
}
