//! Worker threads: items are handed out one by one, every thread searches with a transposition table of its own, and
//! results are collected on the calling thread.

use super::console::Failure;
use super::interrupted::Stop;
use crate::chess::Position;
use crate::search::{Limits, Outcome, SearchControl, Searcher, Settings, TranspositionTable};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, mpsc};

/// Stack of a worker in bytes: deep searches recurse, and some systems give a thread too little.
const STACK: usize = 32 << 20;

/// Searcher and transposition table of a worker.
pub struct Desk {
    table: Arc<TranspositionTable>,
    searcher: Searcher,
}

impl Desk {
    /// A searcher with a table of `mebibytes` MiB.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(mebibytes: usize) -> Result<Desk, Failure> {
        TranspositionTable::new(mebibytes)
            .map(Desk::with_table)
            .map_err(|error| Failure::new(error.to_string()))
    }

    /// A searcher with a table of `entries` entries.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn with_entries(entries: usize) -> Result<Desk, Failure> {
        TranspositionTable::with_entries(entries)
            .map(Desk::with_table)
            .map_err(|error| Failure::new(error.to_string()))
    }

    fn with_table(table: TranspositionTable) -> Desk {
        let table = Arc::new(table);
        Desk { searcher: Searcher::new(Arc::clone(&table)), table }
    }

    /// Searches with an empty table and empty histories.
    pub fn search(
        &mut self,
        position: &Position,
        settings: &Settings,
        limits: &Limits,
        control: &mut dyn SearchControl,
    ) -> Outcome {
        self.table.clear();
        self.searcher.clear();
        self.searcher.search(position, &[], settings, limits, control)
    }
}

/// Number of threads: as many as asked for, else as there are cores.
pub(in crate::lab) fn jobs(asked: Option<u64>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or_else(cores, |jobs| jobs as usize)
}

/// [`spread_at`] desks with a table of `hash` MiB each.
///
/// # Errors
/// The first failure.
pub fn spread<T: Send>(
    items: usize,
    jobs: usize,
    hash: usize,
    stop: &Stop,
    work: impl Fn(&mut Desk, usize, &dyn Fn(T)) + Sync,
    collect: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    spread_at(|| Desk::new(hash), items, jobs, stop, work, collect)
}

/// Does `work` for the items 0 .. `items` on `jobs` threads, each with a `desk` (its own working state). A worker
/// hands any number of results for an item to its last argument; `collect` gets them on the calling thread.
///
/// # Errors
/// The first failure, which ends all workers.
pub fn spread_at<D, T: Send>(
    desk: impl Fn() -> Result<D, Failure> + Sync,
    items: usize,
    jobs: usize,
    stop: &Stop,
    work: impl Fn(&mut D, usize, &dyn Fn(T)) + Sync,
    mut collect: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel::<Result<T, Failure>>();
    let worker = |sender: mpsc::Sender<Result<T, Failure>>| match desk() {
        Ok(mut desk) => {
            // Results after a failure are dropped.
            let send = |result: T| drop(sender.send(Ok(result)));
            while !stop.is_set() {
                let item = next.fetch_add(1, Relaxed);
                if item >= items {
                    break;
                }
                work(&mut desk, item, &send);
            }
        }
        Err(failure) => drop(sender.send(Err(failure))),
    };
    std::thread::scope(|scope| {
        let mut ended = Ok(());
        let mut workers = Vec::new();
        for _ in 0..jobs.clamp(1, items.max(1)) {
            let (worker, sender) = (&worker, sender.clone());
            match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || worker(sender)) {
                Ok(handle) => workers.push(handle),
                Err(error) => ended = Err(Failure::new(format!("cannot start a thread: {error}"))),
            }
        }
        drop(sender);
        if ended.is_err() {
            stop.abandon();
        }
        for result in receiver {
            let taken = result.and_then(&mut collect);
            if ended.is_ok() && taken.is_err() {
                ended = taken;
                stop.abandon();
            }
        }
        for handle in workers {
            if handle.join().is_err() && ended.is_ok() {
                ended = Err(Failure::new("a search failed; this is an error in Plumb"));
            }
        }
        ended
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_worked_on_once() {
        for jobs in [1, 3, 50] {
            let mut seen = [0; 20];
            let count = |item: usize| {
                seen[item] += 1;
                Ok(())
            };
            spread(20, jobs, 1, &Stop::default(), |_, item, send| send(item), count).unwrap();
            assert!(seen.iter().all(|&times| times == 1));
        }
    }

    #[test]
    fn the_first_failure_ends_it() {
        let mut heard = 0;
        let fail = |_: usize| {
            heard += 1;
            Err(Failure::new("full"))
        };
        let ended = spread(1000, 1, 1, &Stop::default(), |_, item, send| send(item), fail);
        assert_eq!(ended, Err(Failure::new("full")));
        assert!(heard >= 1);
    }

    #[test]
    fn no_items_are_no_failure() {
        assert_eq!(spread(0, 4, 1, &Stop::default(), |_, _, _: &dyn Fn(())| (), Ok), Ok(()));
    }
}
