//! Prefetching: memory that is read soon is brought into the processor's cache while something else is
//! computed. On processors other than x86-64 nothing is done.

/// Bytes of a cache line.
const CACHE_LINE: usize = 64;

/// Prefetches the cache line in which a value begins.
#[inline]
#[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "the instruction has no safe function"))]
pub(super) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE is part of every x86-64, a reference is a valid address, and a prefetch reads nothing
        // that the program could see.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Prefetches an array of numbers, a cache line at a time.
#[inline]
pub(super) fn prefetch_numbers(numbers: &[i16]) {
    numbers.iter().step_by(CACHE_LINE / size_of::<i16>()).for_each(prefetch);
}
