//! Worker threads: items are handed out one by one, every thread has a working state of its own, and results
//! are collected on the calling thread.

use super::console::Failure;
use super::interrupted::Stop;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::Duration;

/// Time between two polls of the stop flag by a worker that waits for an item.
const LOOK: Duration = Duration::from_millis(20);

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
    collect: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let take = || {
        let item = next.fetch_add(1, Relaxed);
        (item < items).then_some(item)
    };
    spread_items(state, take, jobs.clamp(1, items.max(1)), stop, work, collect)
}

/// The same for items that are not known before, as a channel gives them, until it is closed. Who fills it
/// decides how many of them are under way.
///
/// # Errors
/// The first failure, which ends all workers.
pub fn spread_stream<D, I: Send, T: Send>(
    state: impl Fn() -> Result<D, Failure> + Sync,
    items: &Receiver<I>,
    jobs: usize,
    stop: &Stop,
    work: impl Fn(&mut D, I, &dyn Fn(T)) + Sync,
    collect: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let take = || loop {
        match items.recv_timeout(LOOK) {
            Ok(item) => return Some(item),
            Err(RecvTimeoutError::Timeout) if !stop.is_set() => {}
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
        }
    };
    spread_items(state, take, jobs.max(1), stop, work, collect)
}

/// Stops all workers when the thread that holds it panics: what comes behind the missing result would wait
/// for it in vain.
struct StopAtPanic<'a>(&'a Stop);

impl Drop for StopAtPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.abandon();
        }
    }
}

/// Does `work` for the items that `take` gives, until there are none.
fn spread_items<D, I, T: Send>(
    state: impl Fn() -> Result<D, Failure> + Sync,
    take: impl Fn() -> Option<I> + Sync,
    jobs: usize,
    stop: &Stop,
    work: impl Fn(&mut D, I, &dyn Fn(T)) + Sync,
    mut collect: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (sender, receiver) = mpsc::channel::<Result<T, Failure>>();
    let worker = |sender: mpsc::Sender<Result<T, Failure>>| match state() {
        Ok(mut state) => {
            // Results after a failure are dropped.
            let send = |result: T| drop(sender.send(Ok(result)));
            let _guard = StopAtPanic(stop);
            while !stop.is_set()
                && let Some(item) = take()
            {
                work(&mut state, item, &send);
            }
        }
        Err(failure) => drop(sender.send(Err(failure))),
    };
    std::thread::scope(|scope| {
        let mut ended = Ok(());
        let mut workers = Vec::new();
        for _ in 0..jobs {
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
    fn a_panic_of_one_worker_ends_all() {
        let done = AtomicUsize::new(0);
        let work = |(): &mut (), item, _: &dyn Fn(())| {
            assert_ne!(item, 0, "the first item fails");
            std::thread::sleep(Duration::from_millis(1));
            done.fetch_add(1, Relaxed);
        };
        let ended = spread_at(|| Ok(()), 100_000, 2, &Stop::default(), work, Ok);
        assert!(ended.unwrap_err().message().unwrap().contains("an error in Plumb"));
        assert!(done.into_inner() < 50_000);
    }

    #[test]
    fn items_of_a_channel_are_worked_on_until_it_is_closed_or_the_work_is_stopped() {
        for jobs in [1, 3] {
            let (sender, items) = crossbeam_channel::unbounded();
            (0..20).for_each(|item| sender.send(item).unwrap());
            drop(sender);
            let mut sum = 0;
            let add = |item: usize| {
                sum += item;
                Ok(())
            };
            spread_stream(|| Ok(()), &items, jobs, &Stop::default(), |(), item, send| send(item), add)
                .unwrap();
            assert_eq!(sum, 190);
        }
        let (_open, items) = crossbeam_channel::unbounded::<usize>();
        let stop = Stop::default();
        stop.abandon();
        assert_eq!(spread_stream(|| Ok(()), &items, 2, &stop, |(), _, _: &dyn Fn(())| (), Ok), Ok(()));
    }

    #[test]
    fn no_items_are_no_failure() {
        assert_eq!(spread_at(|| Ok(()), 0, 4, &Stop::default(), |_, _, _: &dyn Fn(())| (), Ok), Ok(()));
    }
}
