//! Huge pages for the transposition table. `unsafe` code stands here and in `search/prefetch.rs` alone.

#![expect(unsafe_code, reason = "madvise, and values in memory that is not initialised")]

use std::sync::{Mutex, PoisonError};

/// Memory that a thread initialises at a time, in bytes.
const CHUNK: usize = 2 << 20;

/// Alignment of a huge page, in bytes.
#[cfg(target_os = "linux")]
const HUGE_PAGE: usize = 2 << 20;

/// A boxed slice of `count` default values, on huge pages where the system offers them; `None` when there is
/// not enough memory. `threads` threads write it, since the first write to fresh memory takes nearly all of the time.
pub(in crate::search) fn allocate<T: Default + Send>(count: usize, threads: usize) -> Option<Box<[T]>> {
    let mut values: Vec<T> = Vec::new();
    values.try_reserve_exact(count).ok()?;
    advise_huge(&mut values);
    let spare = &mut values.spare_capacity_mut()[..count];
    for_each_chunk(threads, spare.chunks_mut(chunk_len::<T>()), |chunk| {
        for slot in chunk {
            slot.write(T::default());
        }
    });
    // SAFETY: the capacity is at least `count` (else the slice above would have panicked), and every one of
    // the first `count` values has been written: the chunks cover `spare`, and `for_each_chunk` returns when the
    // last of them is written.
    unsafe { values.set_len(count) };
    Some(values.into_boxed_slice())
}

/// Number of values in a chunk.
pub(in crate::search) const fn chunk_len<T>() -> usize {
    if size_of::<T>() == 0 { CHUNK } else { CHUNK.div_ceil(size_of::<T>()) }
}

/// Calls `work` for every chunk, on `threads` threads, or on fewer if they cannot be started.
pub(in crate::search) fn for_each_chunk<T>(
    threads: usize,
    chunks: impl Iterator<Item = T> + Send,
    work: impl Fn(T) + Sync,
) {
    let chunks = Mutex::new(chunks);
    let next = || chunks.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work_through = || {
        while let Some(chunk) = next() {
            work(chunk);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            if std::thread::Builder::new().spawn_scoped(scope, work_through).is_err() {
                break;
            }
        }
        work_through();
    });
}

/// Requests huge pages for the reserved but still untouched memory of `values`: a probe then rarely misses the TLB
/// (measured in an early version: +10-15 % nodes/s together with prefetching).
#[cfg(target_os = "linux")]
fn advise_huge<T>(values: &mut Vec<T>) {
    let bytes = values.capacity() * size_of::<T>();
    let start = values.as_mut_ptr() as usize;
    let aligned = start.next_multiple_of(HUGE_PAGE);
    let end = (start + bytes) & !(HUGE_PAGE - 1);
    if end > aligned {
        // SAFETY: `aligned..end` lies within the allocation that `values` owns, and MADV_HUGEPAGE changes
        // how pages are backed, never what they hold. A refusal is no error.
        unsafe {
            libc::madvise(aligned as *mut libc::c_void, end - aligned, libc::MADV_HUGEPAGE);
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn advise_huge<T>(_values: &mut Vec<T>) {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    struct Seven(u8);

    impl Default for Seven {
        fn default() -> Seven {
            Seven(7)
        }
    }

    #[test]
    fn any_number_of_threads_writes_every_value() {
        for (count, threads) in [(0, 2), (1, 4), (3 * CHUNK + 5, 1), (3 * CHUNK + 5, 3), (CHUNK, 100)] {
            let values = allocate::<Seven>(count, threads).unwrap();
            assert_eq!(values.len(), count);
            assert!(values.iter().all(|value| value.0 == 7), "{count} values, {threads} threads");
        }
    }

    #[test]
    fn every_chunk_is_worked_on_once() {
        let (sum, calls) = (AtomicUsize::new(0), AtomicUsize::new(0));
        for_each_chunk(4, 1..=1000, |chunk| {
            sum.fetch_add(chunk, Relaxed);
            calls.fetch_add(1, Relaxed);
        });
        assert_eq!((sum.into_inner(), calls.into_inner()), (500_500, 1000));
    }
}
