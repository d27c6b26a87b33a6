//! Memory that the program may still take: the free memory of the machine, and the room in its control groups
//! (cgroups).
//!
//! Linux hands out more memory than there is, and kills the program that writes to it. So whoever needs much
//! of it asks here first. What has been granted and is not written yet counts as taken, since the system
//! still calls it free: several threads may ask at the same time.
//!
//! Other systems than Linux grant everything; there a lack of memory shows as a failed allocation. Nothing is
//! allocated here.

#[cfg(target_os = "linux")]
mod system;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes that stay free for everything else: histories, evaluation caches, stacks, and the files of the
/// program itself. One thread takes about 20 MiB beside its table.
const RESERVE: u64 = 32 << 20;

/// A page table has eight bytes for a page of four KiB, and as much again is left free.
const PAGE_TABLES: u64 = 256;

/// The account of this program.
static ACCOUNT: Account = Account { promised: Mutex::new(0) };

/// Account of the memory that has been granted.
struct Account {
    /// Bytes granted that are not written yet.
    promised: Mutex<u64>,
}

/// Error: so much memory may not be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shortage {
    /// Bytes that may be taken at most.
    pub(crate) most: u64,
}

/// Permission to write so many bytes.
pub(crate) struct Grant {
    account: &'static Account,
    /// Bytes that are not written yet.
    left: AtomicU64,
}

impl Account {
    /// Locks the promised bytes; no holder of the lock panics.
    fn promised(&self) -> MutexGuard<'_, u64> {
        self.promised.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Grants `bytes`, if there are as many when `freed` have been given back. `free` is what the system
    /// says; it is asked while the account is locked.
    fn grant(
        &'static self,
        bytes: u64,
        freed: u64,
        free: impl FnOnce() -> Option<u64>,
    ) -> Result<Grant, Shortage> {
        let mut promised = self.promised();
        let most = free().map_or(u64::MAX, |free| most(free.saturating_add(freed), *promised));
        if bytes > most {
            return Err(Shortage { most });
        }
        *promised = promised.saturating_add(bytes);
        Ok(Grant { account: self, left: AtomicU64::new(bytes) })
    }
}

impl Grant {
    /// Asks for `bytes`. `freed` bytes of the program's own will be given back before the first of them is
    /// written.
    ///
    /// # Errors
    /// If the machine or a control group has less.
    pub(crate) fn ask(bytes: u64, freed: u64) -> Result<Grant, Shortage> {
        ACCOUNT.grant(bytes, freed, system_free)
    }

    /// Notes that so many bytes have been written: the system counts them from now on.
    pub(crate) fn written(&self, bytes: u64) {
        let mut promised = self.account.promised();
        let bytes = bytes.min(self.left.load(Relaxed));
        self.left.fetch_sub(bytes, Relaxed);
        *promised = promised.saturating_sub(bytes);
    }
}

impl Drop for Grant {
    fn drop(&mut self) {
        self.written(u64::MAX);
    }
}

impl fmt::Debug for Grant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grant({} bytes left)", self.left.load(Relaxed))
    }
}

/// The lesser of `bytes` and what may be taken now, for memory that is written little by little. Half of the
/// reserve may always be taken, and is not asked for, since the question takes a tenth of a millisecond.
pub(crate) fn at_most(bytes: usize) -> usize {
    if bytes as u64 <= RESERVE / 2 {
        return bytes;
    }
    let promised = ACCOUNT.promised();
    let free = system_free().map_or(u64::MAX, |free| most(free, *promised));
    bytes.min(usize::try_from(free.max(RESERVE / 2)).unwrap_or(usize::MAX))
}

/// The largest grant out of `free` bytes, of which some are promised.
fn most(free: u64, promised: u64) -> u64 {
    let left = free.saturating_sub(promised).saturating_sub(RESERVE);
    left - left / PAGE_TABLES
}

/// Free bytes, as the system tells them.
#[cfg(target_os = "linux")]
fn system_free() -> Option<u64> {
    system::free(std::path::Path::new("/"))
}

#[cfg(not(target_os = "linux"))]
fn system_free() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEBIBYTE: u64 = 1 << 20;

    #[test]
    fn a_reserve_stays_free_and_page_tables_are_counted() {
        assert_eq!(most(RESERVE + 256 * MEBIBYTE, 0), 255 * MEBIBYTE);
        assert_eq!(most(RESERVE + 256 * MEBIBYTE, 256 * MEBIBYTE), 0);
        assert_eq!(most(RESERVE - 1, 7), 0);
    }

    #[test]
    fn a_grant_counts_until_it_is_written_or_dropped() {
        static ACCOUNT: Account = Account { promised: Mutex::new(0) };
        let ask = |mebibytes: u64| ACCOUNT.grant(mebibytes * MEBIBYTE, 0, || Some(1024 * MEBIBYTE));
        let first = ask(600).unwrap();
        assert!(ask(500).is_err(), "together more than there is");
        let second = ask(300).unwrap();
        drop(first);
        let third = ask(500).unwrap();
        third.written(400 * MEBIBYTE);
        assert_eq!(*ACCOUNT.promised(), 400 * MEBIBYTE);
        third.written(900 * MEBIBYTE);
        assert_eq!(*ACCOUNT.promised(), 300 * MEBIBYTE, "no more than was granted");
        drop((second, third));
        assert_eq!(*ACCOUNT.promised(), 0);
    }

    #[test]
    fn what_is_given_back_may_be_taken_and_what_is_not_known_is_not_refused() {
        static ACCOUNT: Account = Account { promised: Mutex::new(0) };
        let free = || Some(RESERVE + 256 * MEBIBYTE);
        assert!(ACCOUNT.grant(255 * MEBIBYTE, 0, free).is_ok());
        let shortage = ACCOUNT.grant(256 * MEBIBYTE, 0, free).unwrap_err();
        assert_eq!(shortage, Shortage { most: 255 * MEBIBYTE });
        assert!(ACCOUNT.grant(510 * MEBIBYTE, 256 * MEBIBYTE, free).is_ok());
        assert!(ACCOUNT.grant(u64::MAX, 0, || None).is_ok());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn more_than_the_machine_has_is_refused_with_what_it_has() {
        let shortage = Grant::ask(u64::MAX, 0).unwrap_err();
        assert!(shortage.most > 0 && shortage.most < 1 << 50, "{shortage:?}");
        assert!((1..1 << 50).contains(&at_most(usize::MAX)));
        assert_eq!(at_most(1000), 1000);
    }
}
