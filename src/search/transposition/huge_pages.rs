//! Huge pages for the transposition table. `unsafe` code stands here and in `search/prefetch.rs` alone.
//!
//! On Linux a table is a mapping of its own, whose pages the kernel clears when they are first written. So
//! they are only asked for, by several threads, and never written a second time; and they go back to the
//! system when the table is dropped, where an allocator might keep them. Elsewhere the table is a boxed
//! slice, which is written.

#![expect(unsafe_code, reason = "mmap, madvise and munmap, and cache lines in memory that they give")]

use crate::memory::Grant;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};

#[cfg(all(target_os = "linux", not(miri)))]
pub(super) use mapping::CacheLines;

#[cfg(not(all(target_os = "linux", not(miri))))]
pub(super) use boxed::CacheLines;

/// Bytes of a huge page, and those that a thread prepares or clears at a time.
const CHUNK: usize = 2 << 20;

/// The words of a cache line, which are zero at first.
#[derive(Default)]
#[repr(align(64))]
pub(super) struct CacheLine(pub(super) [[AtomicU64; 2]; 4]);

/// Cache lines in a chunk.
pub(super) const CHUNK_LINES: usize = CHUNK / size_of::<CacheLine>();

/// Calls `work` for every chunk, on `threads` threads, or on fewer if they cannot be started.
pub(super) fn for_each_chunk<T>(
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

#[cfg(all(target_os = "linux", not(miri)))]
mod mapping {
    use super::{CHUNK, CHUNK_LINES, CacheLine, Grant, for_each_chunk};
    use std::io::{Error, ErrorKind};
    use std::ops::Deref;
    use std::ptr::NonNull;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    /// Bytes of the smallest page. Where pages are larger, a few writes are wasted.
    const PAGE: usize = 4 << 10;

    /// Cache lines in a mapping of their own, from the beginning of a huge page on.
    pub(in super::super) struct CacheLines {
        mapping: Mapping,
        lines: NonNull<CacheLine>,
        count: usize,
    }

    // SAFETY: the lines belong to this value as those of a `Box<[CacheLine]>` do, and they are atomics.
    unsafe impl Send for CacheLines {}
    // SAFETY: as above; a shared reference gives out shared references alone.
    unsafe impl Sync for CacheLines {}

    impl CacheLines {
        /// So many lines of zeros, prepared by `threads` threads; `None` when there is not enough memory, or
        /// not so many addresses. `grant` is told what has been written.
        pub(in super::super) fn zeroed(count: usize, threads: usize, grant: &Grant) -> Option<CacheLines> {
            let bytes = count.checked_mul(size_of::<CacheLine>())?;
            // A mapping begins at a page, so that a whole huge page is enough to align the lines.
            let mapping = Mapping::new(bytes.checked_add(if bytes < CHUNK { 0 } else { CHUNK })?)?;
            let start = mapping.start.cast::<u8>();
            let padding = if bytes < CHUNK { 0 } else { start.align_offset(CHUNK) };
            // SAFETY: the mapping has a chunk more than the lines need, and the padding is less than that.
            let lines = unsafe { start.add(padding) }.cast::<CacheLine>();
            let lines = CacheLines { mapping, lines, count };
            lines.advise_huge();
            lines.populate(threads, grant).then_some(lines)
        }

        /// Requests huge pages, with which a probe rarely misses the TLB. A refusal is no error.
        fn advise_huge(&self) {
            let _ = self.mapping.advise(self, libc::MADV_HUGEPAGE);
        }

        /// Populates every page with memory (`MADV_POPULATE_WRITE`); false where the kernel has none left.
        /// Kernels before 5.14 do not know the request: then one word of every page is written.
        fn populate(&self, threads: usize, grant: &Grant) -> bool {
            let refused = AtomicBool::new(false);
            for_each_chunk(threads, self.chunks(CHUNK_LINES), |chunk| {
                if refused.load(Relaxed) {
                    return;
                }
                match self.mapping.advise(chunk, libc::MADV_POPULATE_WRITE) {
                    Err(error) if error.kind() == ErrorKind::OutOfMemory => refused.store(true, Relaxed),
                    Err(_) => write_pages(chunk),
                    Ok(()) => {}
                }
                grant.written(size_of_val(chunk) as u64);
            });
            !refused.into_inner()
        }
    }

    /// Writes a zero to every page of zeros.
    fn write_pages(lines: &[CacheLine]) {
        for line in lines.iter().step_by(PAGE / size_of::<CacheLine>()) {
            line.0[0][0].store(0, Relaxed);
        }
    }

    impl Deref for CacheLines {
        type Target = [CacheLine];

        fn deref(&self) -> &[CacheLine] {
            // SAFETY: `lines` is aligned to a page at least, `count` lines from it on lie within the mapping,
            // which lives as long as `self`; zeros are a valid line, and lines change through their atomics
            // alone.
            unsafe { std::slice::from_raw_parts(self.lines.as_ptr(), self.count) }
        }
    }

    /// Pages of zeros, given back when dropped.
    struct Mapping {
        start: NonNull<libc::c_void>,
        bytes: usize,
    }

    impl Mapping {
        /// A mapping of so many bytes, of which none is written yet; `None` when it is refused, as one of no
        /// bytes is.
        fn new(bytes: usize) -> Option<Mapping> {
            let (protection, flags) =
                (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            // SAFETY: a new private mapping at an address of the kernel's choice touches no memory of the
            // program.
            let start = unsafe { libc::mmap(std::ptr::null_mut(), bytes, protection, flags, -1, 0) };
            let start = NonNull::new(start).filter(|start| start.as_ptr() != libc::MAP_FAILED)?;
            Some(Mapping { start, bytes })
        }

        /// Gives the kernel advice on whole pages of `lines`, which lie in this mapping.
        fn advise(&self, lines: &[CacheLine], advice: libc::c_int) -> Result<(), Error> {
            let start = lines.as_ptr().cast_mut().cast::<libc::c_void>();
            // SAFETY: the lines are pages of this mapping from a page's beginning on, and neither of the two
            // kinds of advice that are given here changes what the pages hold.
            match unsafe { libc::madvise(start, size_of_val(lines), advice) } {
                0 => Ok(()),
                _ => Err(Error::last_os_error()),
            }
        }
    }

    impl Drop for Mapping {
        fn drop(&mut self) {
            // SAFETY: the mapping is this value's own, and nothing borrows from it any more.
            unsafe { libc::munmap(self.start.as_ptr(), self.bytes) };
        }
    }
}

#[cfg(not(all(target_os = "linux", not(miri))))]
mod boxed {
    use super::{CHUNK_LINES, CacheLine, Grant, for_each_chunk};
    use std::ops::Deref;

    /// A boxed slice of cache lines.
    pub(in super::super) struct CacheLines(Box<[CacheLine]>);

    impl CacheLines {
        /// So many lines of zeros, written by `threads` threads; `None` when there is not enough memory.
        pub(in super::super) fn zeroed(count: usize, threads: usize, grant: &Grant) -> Option<CacheLines> {
            let mut lines: Vec<CacheLine> = Vec::new();
            lines.try_reserve_exact(count).ok()?;
            let spare = &mut lines.spare_capacity_mut()[..count];
            for_each_chunk(threads, spare.chunks_mut(CHUNK_LINES), |chunk| {
                for slot in &mut *chunk {
                    slot.write(CacheLine::default());
                }
                grant.written(size_of_val(chunk) as u64);
            });
            // SAFETY: the capacity is at least `count` (else the slice above would have panicked), and every
            // one of the first `count` lines has been written: the chunks cover `spare`, and `for_each_chunk`
            // returns when the last of them is written.
            unsafe { lines.set_len(count) };
            Some(CacheLines(lines.into_boxed_slice()))
        }
    }

    impl Deref for CacheLines {
        type Target = [CacheLine];

        fn deref(&self) -> &[CacheLine] {
            &self.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    fn zeroed(count: usize, threads: usize) -> Option<CacheLines> {
        let grant = Grant::ask((count * size_of::<CacheLine>()) as u64, 0).unwrap();
        CacheLines::zeroed(count, threads, &grant)
    }

    /// Pages that this thread has written for the first time, or read.
    #[cfg(target_os = "linux")]
    fn page_faults() -> usize {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        let (_, after_name) = stat.rsplit_once(") ").unwrap();
        after_name.split(' ').nth(7).unwrap().parse().unwrap()
    }

    #[test]
    fn every_line_is_zero_whatever_the_number_of_lines_and_threads() {
        for (count, threads) in
            [(1, 4), (64, 2), (3 * CHUNK_LINES + 5, 1), (3 * CHUNK_LINES + 5, 3), (CHUNK_LINES, 100)]
        {
            let lines = zeroed(count, threads).unwrap();
            assert_eq!((lines.len(), lines.as_ptr().align_offset(64)), (count, 0));
            let is_zero = |line: &CacheLine| line.0.iter().flatten().all(|word| word.load(Relaxed) == 0);
            assert!(lines.iter().all(is_zero), "{count} lines, {threads} threads");
        }
    }

    /// Pages of four KiB are the most faults that there can be; with huge pages there are few.
    #[cfg(all(target_os = "linux", not(miri)))]
    #[test]
    fn every_page_is_taken_from_the_system_when_a_table_is_made_and_once() {
        let pages = 16 * CHUNK / 4096;
        let before = page_faults();
        let lines = zeroed(16 * CHUNK_LINES, 1).unwrap();
        let made = page_faults() - before;
        lines.iter().for_each(|line| line.0[3][1].store(7, Relaxed));
        let written = page_faults() - before - made;
        assert!((16..=pages + 100).contains(&made), "{made} of {pages}");
        assert!(written < 16, "{written} more when all of it was written, after {made}");
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
