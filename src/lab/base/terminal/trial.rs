//! A trial run: some seconds of a long job, timed, to say how long all of it takes (`--dry-run`).

use super::console::Failure;
use super::interrupted::{Stop, interrupted};
use super::workers::spread_at;
use indicatif::DecimalBytes;
use std::time::{Duration, Instant};

/// Length of a trial: no piece of work begins later, but for the first one of every thread.
const LENGTH: Duration = Duration::from_secs(5);

/// The most pieces of a trial: some take no time.
const MOST_PIECES: usize = 10_000;

/// The pieces of work that were done, and how long they took.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// Seconds of each.
    seconds: Vec<f64>,
    jobs: usize,
}

impl Trial {
    /// Does the first of `pieces` on `jobs` threads, as [`spread_at`] does: those that begin within some
    /// seconds, and at least one on every thread. `take` gets what they made.
    ///
    /// # Errors
    /// The first failure, or an interruption before anything was done.
    pub fn run<D, T: Send>(
        state: impl Fn() -> Result<D, Failure> + Sync,
        pieces: usize,
        jobs: usize,
        work: impl Fn(&mut D, usize, &Stop) -> Result<Option<T>, Failure> + Sync,
        mut take: impl FnMut(T),
    ) -> Result<Trial, Failure> {
        let jobs = jobs.clamp(1, pieces.max(1));
        let (stop, began) = (Stop::default(), Instant::now());
        let mut trial = Trial { seconds: Vec::new(), jobs };
        spread_at(
            state,
            pieces.min(MOST_PIECES),
            jobs,
            &stop,
            |state, piece, send| {
                // Pieces under way are finished: the time of those that are short would be no fair sample.
                if piece < jobs || began.elapsed() < LENGTH {
                    let start = Instant::now();
                    let made = work(state, piece, &stop);
                    send(made.map(|made| made.map(|made| (made, start.elapsed().as_secs_f64()))));
                }
            },
            |made: Result<Option<(T, f64)>, Failure>| {
                if let Some((made, seconds)) = made? {
                    trial.seconds.push(seconds);
                    take(made);
                }
                Ok(())
            },
        )?;
        if interrupted() || trial.seconds.is_empty() { Err(Failure::interrupted()) } else { Ok(trial) }
    }

    /// Pieces that were done.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.seconds.len()
    }

    /// Pieces that are done at the same time.
    #[must_use]
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// Seconds that `pieces` take on these threads.
    #[must_use]
    pub fn seconds_for(&self, pieces: usize) -> f64 {
        self.mean() * pieces as f64 / self.jobs.clamp(1, pieces.max(1)) as f64
    }

    /// Half of the 95 % interval of the mean, as a part of it; `None` with fewer than two pieces.
    #[must_use]
    pub fn margin(&self) -> Option<f64> {
        let (mean, pieces) = (self.mean(), self.seconds.len() as f64);
        let variance =
            self.seconds.iter().map(|seconds| (seconds - mean).powi(2)).sum::<f64>() / (pieces - 1.0);
        (pieces > 1.0 && mean > 0.0).then(|| 1.96 * (variance / pieces).sqrt() / mean)
    }

    fn mean(&self) -> f64 {
        self.seconds.iter().sum::<f64>() / self.seconds.len().max(1) as f64
    }

    /// The time that `pieces` take, in words, with its margin.
    #[must_use]
    pub fn time_for(&self, pieces: usize) -> String {
        let margin = self.margin().map_or(String::new(), |part| format!(" (±{:.0} %)", 100.0 * part));
        format!("{}{margin}", duration(self.seconds_for(pieces)))
    }
}

/// A line that says on what an estimate is based: so many games.
#[must_use]
pub fn basis(games: &str) -> String {
    format!("estimated by {games} games, on this machine as busy as it is now")
}

/// A time in words: "40 s", "12 min", "3.4 h", "5.2 days".
#[must_use]
pub fn duration(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 1.0 => "less than 1 s".to_owned(),
        seconds if seconds < 99.5 => format!("{seconds:.0} s"),
        seconds if seconds < 99.5 * 60.0 => format!("{:.0} min", seconds / 60.0),
        seconds if seconds < 72.0 * 3600.0 => format!("{:.1} h", seconds / 3600.0),
        seconds => format!("{:.1} days", seconds / 86_400.0),
    }
}

/// Bytes in words: "12.30 MB".
#[must_use]
pub fn bytes(bytes: f64) -> String {
    DecimalBytes(bytes as u64).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_a_unit_that_fits() {
        let told: Vec<String> = [0.2, 40.0, 100.0, 7200.0, 1e6].map(duration).into();
        assert_eq!(told, ["less than 1 s", "40 s", "2 min", "2.0 h", "11.6 days"]);
    }

    #[test]
    fn the_whole_takes_as_long_as_its_pieces_on_so_many_threads() {
        let trial = Trial { seconds: vec![1.0, 3.0], jobs: 2 };
        assert_eq!((trial.seconds_for(100), trial.seconds_for(1)), (100.0, 2.0));
        assert!((trial.margin().unwrap() - 0.98).abs() < 1e-9);
        assert_eq!(Trial { seconds: vec![1.0], jobs: 1 }.margin(), None);
    }

    #[test]
    fn every_thread_does_a_piece_and_a_failure_ends_it() {
        let mut taken = Vec::new();
        let trial = Trial::run(|| Ok(()), 3, 8, |(), piece, _| Ok(Some(piece)), |piece| taken.push(piece));
        assert_eq!(trial.unwrap().jobs(), 3);
        taken.sort_unstable();
        assert_eq!(taken, [0, 1, 2]);
        let failed = Trial::run(|| Ok(()), 3, 1, |(), _, _| Err::<Option<()>, _>(Failure::new("x")), |()| ());
        assert_eq!(failed.unwrap_err(), Failure::new("x"));
    }
}
