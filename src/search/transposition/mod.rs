//! The transposition table (TT), with two bounds an entry (TR figure 1), shared by all threads without locks.
//!
//! An entry is an interval: a lower and an upper bound, each with the depth it was found at. Sixteen bytes,
//! four to a cluster of one cache line:
//!
//! ```text
//! word 0 (mixed with word 1)   key 16 | move 16 | lower 16 | upper 16
//! word 1                       key 24 | upper is stale 1 | lower is stale 1 | generation 6 | evaluation 16
//!                              | depth of lower 8 | depth of upper 8
//! ```
//!
//! The generation is that of the bound written last; a bound is stale if it is older than that, by one search
//! at least. A depth byte is the depth + 1; 0 means that there is no such bound.
//!
//! Both words are relaxed atomics: any number of threads may read and write without locks. Word 0 is stored
//! xor a hash of word 1, so that the halves of two different writes do not match the 16 bits of the key in
//! word 0: a reader gets one whole entry or nothing, but for one torn pair in 65,536.

mod huge_pages;

use self::huge_pages::{CHUNK_LINES, CacheLine, CacheLines, for_each_chunk};
use super::settings::TableBounds;
use crate::chess::score::{INFINITE, Value};
use crate::memory::{Grant, Shortage};
use crate::minimax::replacement::{Replacement, Stamp, replacement_value};
use crate::search::prefetch::prefetch;
use std::cmp::Ordering;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

/// Error: the memory of a transposition table could not be allocated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableError {
    /// The size asked for, in MiB.
    pub mebibytes: usize,
    /// MiB that a table may have at most, where machine or control group have too little memory; `None` where
    /// the allocation failed.
    pub most: Option<usize>,
}

impl std::fmt::Display for TableError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a table of {} MiB cannot be allocated", self.mebibytes)?;
        match self.most {
            Some(most) => write!(f, ": there is memory for {most} MiB"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for TableError {}

/// Entries in a cluster (bucket).
const BUCKET: usize = 4;

/// Entries sampled by [`TranspositionTable::hashfull`].
const SAMPLE: usize = 1000;

/// Number of different generations; an entry not written for so many searches looks new again.
const GENERATIONS: u8 = 64;

/// Stands for no static evaluation.
const NO_EVAL: i16 = i16::MIN;

/// One cache line of entries.
type Cluster = CacheLine;

const _: () = assert!(size_of::<Cluster>() == BUCKET * size_of::<[AtomicU64; 2]>());

/// An entry: a copy, which other threads cannot change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move in 16 bits ([`crate::chess::movegen::encode`]); 0 = none.
    pub best: u16,
    /// Lower bound of the value; -INFINITE if unknown.
    pub lower: Value,
    /// Upper bound of the value; INFINITE if unknown.
    pub upper: Value,
    /// Depth of the search that found `lower`, in plies; -1 = none.
    pub lower_depth: i32,
    /// Depth of the search that found `upper`, in plies; -1 = none.
    pub upper_depth: i32,
    /// The static evaluation, if it was stored.
    pub eval: Option<Value>,
    /// The search that wrote the newer bound, modulo [`GENERATIONS`].
    generation: u8,
    /// Stale: `lower` was found by an earlier search than that.
    lower_stale: bool,
    /// Stale: `upper` was found by an earlier search than that.
    upper_stale: bool,
}

impl Entry {
    const EMPTY: Entry = Entry {
        best: 0,
        lower: -INFINITE,
        upper: INFINITE,
        lower_depth: -1,
        upper_depth: -1,
        eval: None,
        generation: 0,
        lower_stale: false,
        upper_stale: false,
    };

    /// The interval at `depth`: bounds of at least that depth, or, with `exactly`, of that depth only. Where
    /// they contradict each other the deeper one is taken, and neither where they are equally deep.
    #[must_use]
    pub fn interval(&self, depth: i32, exactly: bool) -> (Value, Value) {
        let holds = |found: i32| if exactly { found == depth } else { found >= depth };
        let lower = if holds(self.lower_depth) { self.lower } else { -INFINITE };
        let upper = if holds(self.upper_depth) { self.upper } else { INFINITE };
        if lower <= upper {
            return (lower, upper);
        }
        match self.lower_depth.cmp(&self.upper_depth) {
            Ordering::Less => (-INFINITE, upper),
            Ordering::Equal => (-INFINITE, INFINITE),
            Ordering::Greater => (lower, INFINITE),
        }
    }

    /// Depth and age of the lower and of the upper bound in the search `generation`, for a replacement
    /// scheme.
    fn stamps(&self, generation: u8) -> [Stamp; 2] {
        let age = i32::from(generation.wrapping_sub(self.generation) % GENERATIONS);
        let stamp = |depth, stale| Stamp { depth, age: age + i32::from(stale) };
        [stamp(self.lower_depth, self.lower_stale), stamp(self.upper_depth, self.upper_stale)]
    }

    /// Reads the two words (word 0 unmixed).
    fn unpack(data: u64, word: u64) -> Entry {
        let (lower_depth, upper_depth) = (i32::from((word >> 8) as u8) - 1, i32::from(word as u8) - 1);
        let eval = (word >> 16) as i16;
        Entry {
            best: (data >> 32) as u16,
            lower: if lower_depth < 0 { -INFINITE } else { Value::from((data >> 16) as i16) },
            upper: if upper_depth < 0 { INFINITE } else { Value::from(data as i16) },
            lower_depth,
            upper_depth,
            eval: (eval != NO_EVAL).then_some(Value::from(eval)),
            generation: generation_of(word),
            lower_stale: word >> 38 & 1 != 0,
            upper_stale: word >> 39 & 1 != 0,
        }
    }

    /// The two words (word 0 not yet mixed).
    fn pack(&self, key: u64) -> (u64, u64) {
        let half = |value: Value| u64::from(value as i16 as u16);
        let byte = |depth: i32| (depth + 1).clamp(0, 255) as u64;
        let eval = self.eval.map_or(half(NO_EVAL.into()), half);
        let data = (key >> 24 & 0xffff) << 48
            | u64::from(self.best) << 32
            | half(self.lower) << 16
            | half(self.upper);
        let word = (key & 0xff_ffff) << 40
            | u64::from(self.upper_stale) << 39
            | u64::from(self.lower_stale) << 38
            | u64::from(self.generation % GENERATIONS) << 32
            | eval << 16
            | byte(self.lower_depth) << 8
            | byte(self.upper_depth);
        (data, word)
    }
}

/// The generation in word 1.
const fn generation_of(word: u64) -> u8 {
    (word >> 32) as u8 % GENERATIONS
}

/// Spreads word 1 over word 0; 0 stays 0, so that cleared memory is an empty table.
const fn mix(word: u64) -> u64 {
    let spread = word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    spread ^ spread >> 32
}

/// New entry of a node, to be merged with the old one.
#[derive(Clone, Copy, Debug)]
pub struct NewEntry {
    /// The best move in 16 bits, 0 = none.
    pub best: u16,
    /// True if `best` failed low: then it does not replace a known move.
    pub failed_low: bool,
    /// A lower bound, if one was found.
    pub lower: Option<Value>,
    /// An upper bound, if one was found.
    pub upper: Option<Value>,
    /// Depth in plies, 0 to 127.
    pub depth: i32,
    /// The static evaluation, if it is known.
    pub eval: Option<Value>,
}

/// Storage policy: the settings that the transposition table reads.
#[derive(Clone, Copy, Debug, Default)]
pub struct TtPolicy {
    /// Replacement scheme.
    pub replacement: Replacement,
    /// One or two bounds in an entry.
    pub bounds: TableBounds,
}

/// Memory set aside for a transposition table that is not allocated yet.
#[derive(Debug)]
pub struct Reservation {
    count: usize,
    grant: Grant,
}

impl Reservation {
    /// Reserves exactly `mebibytes` MiB (at least 1). A table of `freed` MiB will be dropped before this one
    /// is allocated.
    ///
    /// # Errors
    /// When the machine, or a control group that the program is in, has less memory.
    pub fn new(mebibytes: usize, freed: usize) -> Result<Reservation, TableError> {
        let bytes = mebibytes.max(1).checked_mul(1 << 20).ok_or(TableError { mebibytes, most: None })?;
        Reservation::of(bytes / size_of::<Cluster>(), freed << 20)
    }

    /// Reserves so many clusters; `freed` is in bytes.
    fn of(count: usize, freed: usize) -> Result<Reservation, TableError> {
        let bytes = (count as u64).saturating_mul(size_of::<Cluster>() as u64);
        let refused = |Shortage { most }| TableError {
            mebibytes: (bytes >> 20) as usize,
            most: Some((most >> 20) as usize),
        };
        Grant::ask(bytes, freed as u64).map(|grant| Reservation { count, grant }).map_err(refused)
    }

    /// Allocates the table, cleared, with so many threads. Every page is taken from the system once, and by
    /// now.
    ///
    /// # Errors
    /// When the allocation fails.
    pub fn allocate(self, threads: usize) -> Result<TranspositionTable, TableError> {
        let refused = TableError { mebibytes: self.count >> 14, most: None };
        let clusters = CacheLines::zeroed(self.count, threads, &self.grant).ok_or(refused)?;
        Ok(TranspositionTable { clusters, generation: AtomicU8::new(1), is_used: AtomicBool::new(false) })
    }
}

/// Transposition table, shared by all threads.
pub struct TranspositionTable {
    clusters: CacheLines,
    generation: AtomicU8,
    /// False if no search has begun since it was cleared.
    is_used: AtomicBool,
}

impl TranspositionTable {
    /// A cleared table of exactly `mebibytes` MiB (at least 1).
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn new(mebibytes: usize) -> Result<TranspositionTable, TableError> {
        TranspositionTable::new_with(mebibytes, 1)
    }

    /// The same, initialised by so many threads.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn new_with(mebibytes: usize, threads: usize) -> Result<TranspositionTable, TableError> {
        Reservation::new(mebibytes, 0)?.allocate(threads)
    }

    /// A cleared table of `entries` entries (rounded up to whole clusters), for experiments.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn with_entries(entries: usize) -> Result<TranspositionTable, TableError> {
        Reservation::of(entries.div_ceil(BUCKET).max(1), 0)?.allocate(1)
    }

    /// Its size in MiB.
    #[must_use]
    pub fn mebibytes(&self) -> usize {
        (self.clusters.len() * size_of::<Cluster>()) >> 20
    }

    /// Clears every entry, unless no search has begun ([`TranspositionTable::age`]) since the last time. Any
    /// thread may call it, while none searches.
    pub fn clear(&self) {
        self.clear_with(1);
    }

    /// The same by so many threads.
    pub fn clear_with(&self, threads: usize) {
        if self.is_used.swap(false, Relaxed) {
            for_each_chunk(threads, self.clusters.chunks(CHUNK_LINES), clear_clusters);
        }
        self.generation.store(1, Relaxed);
    }

    /// Begins a new generation: call it before each search, and before the first store.
    pub fn age(&self) {
        self.is_used.store(true, Relaxed);
        self.generation.fetch_add(1, Relaxed);
    }

    /// Generation of the current search, modulo [`GENERATIONS`].
    fn generation(&self) -> u8 {
        self.generation.load(Relaxed) % GENERATIONS
    }

    /// Entries written by the current search, per thousand, by a sample.
    #[must_use]
    pub fn hashfull(&self) -> u32 {
        let now = self.generation();
        let entries = self.clusters.iter().flat_map(|cluster| &cluster.0).take(SAMPLE);
        let (mut seen, mut used) = (0, 0);
        for entry in entries {
            let word = entry[1].load(Relaxed);
            seen += 1;
            used += u32::from(word as u16 != 0 && generation_of(word) == now);
        }
        used * 1000 / seen.max(1)
    }

    /// Prefetches the cluster of a key into the cache.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    fn cluster(&self, key: u64) -> &Cluster {
        &self.clusters[scaled(key, self.clusters.len())]
    }

    /// The entry of a position, by its Zobrist key.
    #[must_use]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.cluster(key).0.iter().find_map(|slot| read(slot, key))
    }

    /// Stores a new entry, merged with the old one of the same position.
    pub fn store(&self, key: u64, new: &NewEntry, policy: TtPolicy) {
        let cluster = &self.cluster(key).0;
        let generation = self.generation();
        let known = cluster.iter().find_map(|slot| read(slot, key).map(|entry| (slot, entry)));
        let (slot, old) = match known {
            Some((slot, entry)) => (slot, entry),
            None => match victim(cluster, key, new.depth, generation, policy.replacement) {
                Some(slot) => (slot, Entry::EMPTY),
                None => return,
            },
        };
        let merged = merge(old, new, policy, generation);
        let (data, word) = merged.pack(key);
        slot[0].store(data ^ mix(word), Relaxed);
        slot[1].store(word, Relaxed);
    }
}

/// The key in 0..`count`, spread evenly: the upper half of their product.
#[inline]
fn scaled(key: u64, count: usize) -> usize {
    if cfg!(target_arch = "wasm32") {
        // In halves, since a product of 128 bits is a call there; a count has 32 bits.
        let (high, low) = (key >> 32, key & u64::from(u32::MAX));
        let count = count as u64;
        return ((high * count + ((low * count) >> 32)) >> 32) as usize;
    }
    ((u128::from(key) * count as u128) >> 64) as usize
}

/// The slot that a new position may replace in the present generation, if the replacement scheme allows one.
fn victim(
    cluster: &[[AtomicU64; 2]; BUCKET],
    key: u64,
    depth: i32,
    generation: u8,
    scheme: Replacement,
) -> Option<&[AtomicU64; 2]> {
    let word = |slot: &[AtomicU64; 2]| slot[1].load(Relaxed);
    if scheme.uses_bucket() {
        // Compared without a branch: which of four is the least cannot be predicted.
        let numbered = std::array::from_fn::<_, BUCKET, _>(|at| {
            worth(word(&cluster[at]), generation) * BUCKET as i32 + at as i32
        });
        let least = numbered.into_iter().fold(i32::MAX, i32::min);
        return Some(&cluster[least as usize % BUCKET]);
    }
    let slot = &cluster[(key >> 24) as usize % BUCKET];
    let free = stamp(word(slot), generation).is_none_or(|old| scheme.replaces(Stamp { depth, age: 0 }, old));
    free.then_some(slot)
}

/// Depth and age of the worthier bound in a slot, from its word 1 and the present generation; `None` if it is
/// free.
fn stamp(word: u64, generation: u8) -> Option<Stamp> {
    let stamps = Entry::unpack(0, word).stamps(generation);
    stamps.into_iter().filter(|stamp| stamp.depth >= 0).max_by_key(|&stamp| replacement_value(stamp))
}

/// The replacement value of [`stamp`], of a free slot less than any other. Without its branches.
#[inline]
fn worth(word: u64, generation: u8) -> i32 {
    const FREE: i32 = -(1 << 20);
    let of = |stamp: Stamp| if stamp.depth < 0 { FREE } else { replacement_value(stamp) };
    let [lower, upper] = Entry::unpack(0, word).stamps(generation).map(of);
    lower.max(upper)
}

/// Clears clusters.
fn clear_clusters(clusters: &[Cluster]) {
    for entry in clusters.iter().flat_map(|cluster| &cluster.0) {
        entry[0].store(0, Relaxed);
        entry[1].store(0, Relaxed);
    }
}

/// The entry in a slot, if its key fits.
fn read(slot: &[AtomicU64; 2], key: u64) -> Option<Entry> {
    let word = slot[1].load(Relaxed);
    if word >> 40 != key & 0xff_ffff || word as u16 == 0 {
        return None;
    }
    let data = slot[0].load(Relaxed) ^ mix(word);
    (data >> 48 == key >> 24 & 0xffff).then(|| Entry::unpack(data, word))
}

/// Merges a new entry into the old one. A new bound of the same depth is taken, unless the replacement scheme
/// is [`Replacement::SharplyDeeper`]. A bound that contradicts the other one voids it exactly where the
/// replacement scheme would let it replace that bound: a shallow one does not void a much deeper one, and
/// [`Entry::interval`] decides which of the two holds. A refused bound leaves the age of the other bound
/// unchanged.
fn merge(old: Entry, new: &NewEntry, policy: TtPolicy, generation: u8) -> Entry {
    let mut entry = old;
    let depth = new.depth;
    let [old_lower, old_upper] = old.stamps(generation);
    // A bound that is missing has the depth -1, which every scheme replaces.
    let replaces = |bound: Stamp| policy.replacement.corrects(Stamp { depth, age: 0 }, bound);
    let lower = new.lower.filter(|_| replaces(old_lower));
    let upper = new.upper.filter(|_| replaces(old_upper));
    if lower.is_some() || upper.is_some() {
        (entry.lower_stale, entry.upper_stale) = (old_lower.age > 0, old_upper.age > 0);
        entry.generation = generation;
        if policy.bounds == TableBounds::One {
            (entry.lower_depth, entry.upper_depth) = (-1, -1);
            (entry.lower, entry.upper) = (-INFINITE, INFINITE);
        }
    }
    if let Some(value) = lower {
        (entry.lower, entry.lower_depth, entry.lower_stale) = (value, depth, false);
        if entry.upper < value && replaces(old_upper) {
            (entry.upper, entry.upper_depth) = (INFINITE, -1);
        }
    }
    if let Some(value) = upper {
        (entry.upper, entry.upper_depth, entry.upper_stale) = (value, depth, false);
        if entry.lower > value && replaces(old_lower) {
            (entry.lower, entry.lower_depth) = (-INFINITE, -1);
        }
    }
    if new.best != 0 && (!new.failed_low || entry.best == 0) {
        entry.best = new.best;
    }
    entry.eval = new.eval.or(old.eval);
    entry
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lower(value: Value, depth: i32) -> NewEntry {
        NewEntry { best: 77, failed_low: false, lower: Some(value), upper: None, depth, eval: Some(-12) }
    }

    fn upper(value: Value, depth: i32) -> NewEntry {
        NewEntry { best: 88, failed_low: true, lower: None, upper: Some(value), depth, eval: None }
    }

    #[test]
    fn an_entry_is_an_interval_with_two_depths() {
        let tt = TranspositionTable::new(1).unwrap();
        let key = 0x0123_4567_89ab_cdef;
        assert_eq!(tt.probe(key), None);
        tt.store(key, &lower(-35, 5), TtPolicy::default());
        tt.store(key, &upper(40, 7), TtPolicy::default());
        let entry = tt.probe(key).unwrap();
        assert_eq!((entry.best, entry.eval), (77, Some(-12)));
        assert_eq!(entry.interval(5, false), (-35, 40));
        assert_eq!(entry.interval(6, false), (-INFINITE, 40));
        assert_eq!(entry.interval(5, true), (-35, INFINITE));
        assert_eq!(tt.probe(key ^ 1), None);
    }

    #[test]
    fn a_bound_of_the_same_depth_is_refused_by_sharply_deeper_alone() {
        for &replacement in Replacement::ALL {
            let tt = TranspositionTable::new(1).unwrap();
            let policy = TtPolicy { replacement, bounds: TableBounds::Two };
            tt.store(9, &lower(10, 4), policy);
            tt.store(9, &lower(25, 4), policy);
            let expected = if replacement == Replacement::SharplyDeeper { 10 } else { 25 };
            assert_eq!(tt.probe(9).unwrap().lower, expected, "{replacement}");
        }
    }

    #[test]
    fn the_newer_of_two_contradicting_bounds_is_taken() {
        let tt = TranspositionTable::new(1).unwrap();
        tt.store(9, &lower(30, 4), TtPolicy::default());
        tt.store(9, &upper(20, 4), TtPolicy::default());
        assert_eq!(tt.probe(9).unwrap().interval(4, false), (-INFINITE, 20));
    }

    #[test]
    fn a_shallow_bound_does_not_void_a_much_deeper_one() {
        let tt = TranspositionTable::new(1).unwrap();
        tt.store(9, &upper(20, 12), TtPolicy::default());
        tt.store(9, &lower(30, 4), TtPolicy::default());
        let entry = tt.probe(9).unwrap();
        assert_eq!(entry.interval(12, false), (-INFINITE, 20), "the deep bound is still there");
        assert_eq!(entry.interval(4, false), (-INFINITE, 20), "and is taken where both hold");
        assert_eq!(entry.interval(4, true), (30, INFINITE));
        tt.store(9, &lower(30, 10), TtPolicy::default());
        assert_eq!(tt.probe(9).unwrap().interval(4, false), (30, INFINITE), "nearly as deep, and newer");
    }

    #[test]
    fn a_store_does_not_make_the_other_bound_fresh() {
        let tt = TranspositionTable::new(1).unwrap();
        tt.store(9, &upper(40, 12), TtPolicy::default());
        tt.age();
        tt.store(9, &lower(10, 6), TtPolicy::default());
        assert_eq!(tt.probe(9).unwrap().interval(6, false), (10, 40));
        // The upper bound of the last search gives way to a shallower one, the lower one of this search does
        // not.
        tt.store(9, &upper(35, 6), TtPolicy::default());
        tt.store(9, &lower(15, 2), TtPolicy::default());
        let entry = tt.probe(9).unwrap();
        assert_eq!((entry.upper, entry.upper_depth, entry.lower, entry.lower_depth), (35, 6, 10, 6));
    }

    #[test]
    fn a_stale_bound_does_not_protect_its_entry() {
        let tt = TranspositionTable::with_entries(4).unwrap();
        tt.store(1, &upper(0, 8), TtPolicy::default());
        tt.age();
        tt.store(1, &lower(-9, 1), TtPolicy::default());
        for (key, depth) in [(2, 5), (3, 6), (4, 7), (5, 5)] {
            tt.store(key, &lower(0, depth), TtPolicy::default());
        }
        assert!(
            tt.probe(1).is_none() && tt.probe(2).is_some(),
            "depth 1 of this search, depth 8 of the last"
        );
    }

    #[test]
    fn a_one_bound_table_keeps_only_the_newest() {
        let tt = TranspositionTable::new(1).unwrap();
        let policy = TtPolicy { bounds: TableBounds::One, ..TtPolicy::default() };
        tt.store(9, &lower(10, 4), policy);
        tt.store(9, &upper(20, 4), policy);
        assert_eq!(tt.probe(9).unwrap().interval(4, false), (-INFINITE, 20));
    }

    #[test]
    fn the_least_worthy_entry_of_a_bucket_is_replaced() {
        let tt = TranspositionTable::with_entries(4).unwrap();
        for (key, depth) in [(1, 6), (2, 3), (3, 9), (4, 7)] {
            tt.store(key, &lower(0, depth), TtPolicy::default());
        }
        tt.store(5, &lower(0, 1), TtPolicy::default());
        assert!(tt.probe(2).is_none() && tt.probe(5).is_some());
        tt.age();
        tt.age();
        tt.store(6, &lower(0, 1), TtPolicy::default());
        tt.store(7, &lower(0, 1), TtPolicy::default());
        assert!(tt.probe(6).is_some(), "a new shallow entry outlives old ones");
    }

    #[test]
    fn hashfull_is_the_share_of_the_entries_that_this_search_wrote() {
        let tt = TranspositionTable::with_entries(SAMPLE).unwrap();
        assert_eq!(tt.hashfull(), 0);
        for n in 0..100 {
            tt.store(n * (u64::MAX / 100), &lower(0, 3), TtPolicy::default());
        }
        assert_eq!(tt.hashfull(), 100);
        tt.age();
        assert_eq!(tt.hashfull(), 0, "they are of the last search");
        tt.store(0, &lower(0, 4), TtPolicy::default());
        assert_eq!(tt.hashfull(), 1);
        (1..GENERATIONS).for_each(|_| tt.age());
        assert_eq!(tt.hashfull(), 99, "as new as before 64 searches");
        tt.clear();
        assert_eq!(tt.hashfull(), 0);
    }

    #[test]
    fn a_bound_of_depth_zero_is_replaced_like_any_other() {
        let sharply = TtPolicy { replacement: Replacement::SharplyDeeper, bounds: TableBounds::Two };
        let tt = TranspositionTable::new(1).unwrap();
        tt.store(9, &lower(10, 0), sharply);
        tt.store(9, &lower(25, 0), sharply);
        assert_eq!(tt.probe(9).unwrap().lower, 10);
    }

    #[test]
    fn entries_beyond_the_memory_are_an_error_with_their_size() {
        let refused = TranspositionTable::with_entries(1 << 56).err().unwrap();
        assert_eq!(refused.mebibytes, 1 << 40);
        let said = refused.to_string();
        assert!(said.starts_with("a table of 1099511627776 MiB cannot be allocated"), "{said}");
        let told = TableError { mebibytes: 2048, most: Some(540) }.to_string();
        assert_eq!(told, "a table of 2048 MiB cannot be allocated: there is memory for 540 MiB");
    }

    #[test]
    fn a_table_is_empty_after_it_was_cleared_also_between_searches() {
        let tt = TranspositionTable::new(3).unwrap();
        let keys = || (0..5000).map(|n| n * (u64::MAX / 5000));
        let known = || keys().filter(|&key| tt.probe(key).is_some()).count();
        for _ in 0..3 {
            tt.age();
            keys().for_each(|key| tt.store(key, &lower(1, 3), TtPolicy::default()));
            assert!(known() > 4900);
            tt.clear_with(2);
            assert_eq!(known(), 0);
            tt.clear();
        }
    }

    #[test]
    fn the_extreme_values_survive_packing() {
        let tt = TranspositionTable::new(1).unwrap();
        for value in [INFINITE, -INFINITE, 32_000, -32_000, 0] {
            let both = NewEntry { lower: Some(value), upper: Some(value), ..lower(value, 127) };
            tt.store(!0, &both, TtPolicy::default());
            let entry = tt.probe(!0).unwrap();
            assert_eq!(entry.interval(127, true), (value, value));
        }
    }

    /// Many stores and probes of a tiny table: every entry probed must have been stored under its key.
    #[test]
    fn concurrent_use_never_mixes_entries() {
        let tt = TranspositionTable::with_entries(64).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let tt = &tt;
                scope.spawn(move || {
                    let mut seed = thread + 1;
                    for _ in 0..200_000 {
                        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        let key = (seed >> 40 & 255).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                        let value = (key >> 50) as Value;
                        if seed & 1 == 0 {
                            let new = NewEntry { best: key as u16, ..lower(value, (key & 63) as i32) };
                            tt.store(key, &new, TtPolicy::default());
                        } else if let Some(entry) = tt.probe(key) {
                            assert_eq!((entry.lower, entry.best), (value, key as u16));
                            assert_eq!(entry.lower_depth, (key & 63) as i32);
                        }
                    }
                });
            }
        });
    }
}
