//! Worker threads: items are handed out one by one, every thread has a working state of its own, and results
//! are collected on the calling thread.

use super::console::Failure;
use super::interrupted::Stop;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;

/// Stack of a worker in bytes: deep searches recurse, and some systems give a thread too little.
const STACK: usize = 32 << 20;

/// Number of threads: as many as asked for, else as there are cores.
pub(in crate::lab) fn jobs(asked: Option<u64>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or_else(cores, |jobs| jobs as usize)
}

/// Does `work` for the items 0 .. `items` on `jobs` threads, each with a working state of its own, as `state`
/// makes it. A worker hands any number of results for an item to its last argument; `collect` gets them on
/// the calling thread.
///
/// # Errors
/// The first failure, which ends all workers.
pub fn spread_at<D, T: Send>(
    state: impl Fn() -> Result<D, Failure> + Sync,
    items: usize,
    jobs: usize,
    stop: &Stop,
    work: impl Fn(&mut D, usize, &dyn Fn(T)) + Sync,
    mut collect: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel::<Result<T, Failure>>();
    let worker = |sender: mpsc::Sender<Result<T, Failure>>| match state() {
        Ok(mut state) => {
            // Results after a failure are dropped.
            let send = |result: T| drop(sender.send(Ok(result)));
            while !stop.is_set() {
                let item = next.fetch_add(1, Relaxed);
                if item >= items {
                    break;
                }
                work(&mut state, item, &send);
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
            spread_at(|| Ok(()), 20, jobs, &Stop::default(), |_, item, send| send(item), count).unwrap();
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
        let ended = spread_at(|| Ok(()), 1000, 1, &Stop::default(), |_, item, send| send(item), fail);
        assert_eq!(ended, Err(Failure::new("full")));
        assert!(heard >= 1);
    }

    #[test]
    fn no_items_are_no_failure() {
        assert_eq!(spread_at(|| Ok(()), 0, 4, &Stop::default(), |_, _, _: &dyn Fn(())| (), Ok), Ok(()));
    }
}
