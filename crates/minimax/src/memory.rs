//! Transposition tables of the textbook searches: an unbounded one without replacement, for proofs, and one
//! of a fixed size with the papers' replacement schemes, for experiments.

use super::replacement::{Replacement, Stamp, replacement_value};
use super::window::{Value, Window};
use std::collections::{HashMap, TryReserveError};
use std::num::NonZeroU32;

/// Bounds on the value of a position at a depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds<V> {
    /// The value is at least this.
    pub lower: Option<V>,
    /// The value is at most this.
    pub upper: Option<V>,
}

impl<V: Value> Bounds<V> {
    /// Nothing known.
    #[must_use]
    pub const fn unknown() -> Bounds<V> {
        Bounds { lower: None, upper: None }
    }

    /// The bound that cuts off the search in a window, if one does: a lower bound not below beta, an upper
    /// bound not above alpha, or the value itself. Bounds in between do not narrow the window.
    #[must_use]
    pub fn cutoff(&self, window: Window<V>) -> Option<V> {
        let exact = self.lower.filter(|&lower| self.upper == Some(lower));
        let high = self.lower.filter(|&lower| lower >= window.beta);
        high.or_else(|| self.upper.filter(|&upper| upper <= window.alpha)).or(exact)
    }

    /// Updates the bounds with a fail-soft answer to a window.
    pub fn learn(&mut self, window: Window<V>, answer: V) {
        if answer > window.alpha {
            self.lower = Some(answer);
        }
        if answer < window.beta {
            self.upper = Some(answer);
        }
    }
}

/// Transposition table of a search. A best move is an index into the position's moves.
pub trait Memory<V: Value> {
    /// Bounds on the value at exactly this depth.
    fn bounds(&self, key: u64, depth: u32) -> Bounds<V>;
    /// The move to try first, from whatever depth.
    fn best(&self, key: u64) -> Option<u16>;
    /// Stores a fail-soft answer to a window; `best` is the move that raised alpha, if one did.
    fn store(&mut self, key: u64, depth: u32, window: Window<V>, answer: V, best: Option<u16>);
    /// Increments the age of all entries at the start of a search.
    fn age(&mut self) {}
}

impl<V: Value, M: Memory<V>> Memory<V> for &mut M {
    fn bounds(&self, key: u64, depth: u32) -> Bounds<V> {
        (**self).bounds(key, depth)
    }

    fn best(&self, key: u64) -> Option<u16> {
        (**self).best(key)
    }

    fn store(&mut self, key: u64, depth: u32, window: Window<V>, answer: V, best: Option<u16>) {
        (**self).store(key, depth, window, answer, best);
    }

    fn age(&mut self) {
        (**self).age();
    }
}

/// Table without replacement: bounds for every position and depth.
#[derive(Clone, Debug)]
pub struct UnboundedTable<V> {
    bounds: HashMap<(u64, u32), Bounds<V>>,
    best: HashMap<u64, u16>,
}

impl<V: Value> UnboundedTable<V> {
    /// An empty table.
    #[must_use]
    pub fn new() -> UnboundedTable<V> {
        UnboundedTable { bounds: HashMap::new(), best: HashMap::new() }
    }

    /// Clears the bounds and keeps the best moves.
    pub fn forget_bounds(&mut self) {
        self.bounds.clear();
    }

    /// Number of stored pairs of a position and a depth.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bounds.len()
    }

    /// True if no bounds are stored.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bounds.is_empty()
    }
}

impl<V: Value> Default for UnboundedTable<V> {
    fn default() -> UnboundedTable<V> {
        UnboundedTable::new()
    }
}

impl<V: Value> Memory<V> for UnboundedTable<V> {
    fn bounds(&self, key: u64, depth: u32) -> Bounds<V> {
        self.bounds.get(&(key, depth)).copied().unwrap_or(Bounds::unknown())
    }

    fn best(&self, key: u64) -> Option<u16> {
        self.best.get(&key).copied()
    }

    fn store(&mut self, key: u64, depth: u32, window: Window<V>, answer: V, best: Option<u16>) {
        self.bounds.entry((key, depth)).or_insert(Bounds::unknown()).learn(window, answer);
        if let Some(best) = best {
            self.best.insert(key, best);
        }
    }
}

/// No table: stores nothing, and knows no bounds and no moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTable;

impl<V: Value> Memory<V> for NoTable {
    fn bounds(&self, _key: u64, _depth: u32) -> Bounds<V> {
        Bounds::unknown()
    }

    fn best(&self, _key: u64) -> Option<u16> {
        None
    }

    fn store(&mut self, _key: u64, _depth: u32, _window: Window<V>, _answer: V, _best: Option<u16>) {}
}

/// An entry of a [`FixedSizeTable`]: 24 bytes with integers, so that a bucket of four takes two cache lines.
#[derive(Clone, Copy, Debug)]
struct Entry<V> {
    key: u64,
    /// Bounds, where `stamp` has them.
    lower: V,
    upper: V,
    /// The age of the table when it was stored, above the bits [`LOWER`] and [`UPPER`], of which one is
    /// always set: an empty place takes no more room.
    stamp: NonZeroU32,
    depth: u16,
    /// The move to try first; [`NO_MOVE`] for none.
    best: u16,
}

/// Bits of an entry's stamp: which bounds it has.
const LOWER: u32 = 1;
const UPPER: u32 = 2;

/// No move: a position has at most 65,535, counted from 0.
const NO_MOVE: u16 = u16::MAX;

/// The greatest age of a table; then it is emptied.
const OLDEST: u32 = u32::MAX >> 2;

impl<V: Value> Entry<V> {
    fn bounds(&self) -> Bounds<V> {
        let has = |bound: u32| self.stamp.get() & bound != 0;
        Bounds { lower: has(LOWER).then_some(self.lower), upper: has(UPPER).then_some(self.upper) }
    }

    fn born(&self) -> u32 {
        self.stamp.get() >> 2
    }

    fn best(&self) -> Option<u16> {
        (self.best != NO_MOVE).then_some(self.best)
    }
}

/// Table of 2^n entries with a replacement scheme (REAL section 4.2: 2^20 entries).
#[derive(Clone, Debug)]
pub struct FixedSizeTable<V> {
    entries: Vec<Option<Entry<V>>>,
    scheme: Replacement,
    now: u32,
    /// Age of the oldest valid entries: older ones were stored before the table was cleared, and count as
    /// empty.
    first: u32,
}

/// Number of entries.
fn size(bits: u32) -> usize {
    1 << bits.clamp(2, 30)
}

/// Entries of a bucket, for schemes that have one.
const BUCKET: usize = 4;

impl<V: Value> FixedSizeTable<V> {
    /// An empty table of 2^`bits` entries, 2 to 30.
    #[must_use]
    pub fn new(bits: u32, scheme: Replacement) -> FixedSizeTable<V> {
        FixedSizeTable { entries: vec![None; size(bits)], scheme, now: 0, first: 0 }
    }

    /// An empty table of 2^`bits` entries, 2 to 30, or an error where there is not enough memory.
    ///
    /// # Errors
    /// If the memory cannot be allocated.
    pub fn try_new(bits: u32, scheme: Replacement) -> Result<FixedSizeTable<V>, TryReserveError> {
        let mut entries = Vec::new();
        entries.try_reserve_exact(size(bits))?;
        entries.resize(size(bits), None);
        Ok(FixedSizeTable { entries, scheme, now: 0, first: 0 })
    }

    /// Empties the table at once, whatever its size: it answers as a new one does. A new one takes memory
    /// from the system instead, which for large tables takes as long as a small search.
    pub fn clear(&mut self) {
        if self.now < OLDEST {
            self.now += 1;
            self.first = self.now;
        } else {
            self.entries.fill(None);
            (self.now, self.first) = (0, 0);
        }
    }

    /// The entry at a place.
    fn entry(&self, at: usize) -> Option<&Entry<V>> {
        self.entries[at].as_ref().filter(|entry| entry.born() >= self.first)
    }

    /// Indices at which the entry of a position may lie.
    fn places(&self, key: u64) -> std::ops::Range<usize> {
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let at = mixed as usize & (self.entries.len() - 1);
        if self.scheme.uses_bucket() {
            let first = at & !(BUCKET - 1);
            first..first + BUCKET
        } else {
            at..at + 1
        }
    }

    fn find(&self, key: u64) -> Option<&Entry<V>> {
        self.places(key).filter_map(|at| self.entry(at)).find(|entry| entry.key == key)
    }

    fn stamp(&self, entry: &Entry<V>) -> Stamp {
        Stamp { depth: entry.depth.into(), age: (self.now - entry.born()) as i32 }
    }

    /// Index of the entry to replace: the position's own, an empty one, or the one with the least replacement
    /// value.
    fn victim(&self, key: u64) -> usize {
        let rank = |&at: &usize| match self.entry(at) {
            Some(entry) if entry.key == key => i32::MIN,
            None => i32::MIN + 1,
            Some(entry) => replacement_value(self.stamp(entry)),
        };
        self.places(key).min_by_key(rank).unwrap_or(0)
    }
}

impl<V: Value> Memory<V> for FixedSizeTable<V> {
    fn bounds(&self, key: u64, depth: u32) -> Bounds<V> {
        self.find(key)
            .filter(|entry| u32::from(entry.depth) == depth)
            .map_or(Bounds::unknown(), Entry::bounds)
    }

    fn best(&self, key: u64) -> Option<u16> {
        self.find(key).and_then(Entry::best)
    }

    /// Deeper than 65,535 plies nothing is stored.
    fn store(&mut self, key: u64, depth: u32, window: Window<V>, answer: V, best: Option<u16>) {
        let Ok(depth) = u16::try_from(depth) else { return };
        let at = self.victim(key);
        let new = Stamp { depth: depth.into(), age: 0 };
        let (mut bounds, mut kept) = (Bounds::unknown(), NO_MOVE);
        if let Some(old) = self.entry(at) {
            let stamp = self.stamp(old);
            if old.key == key {
                if !self.scheme.corrects(new, stamp) {
                    return;
                }
                kept = old.best;
                if old.depth == depth {
                    bounds = old.bounds();
                }
            } else if !self.scheme.replaces(new, stamp) {
                return;
            }
        }
        bounds.learn(window, answer);
        let flag = |bound: Option<V>, flag: u32| bound.map_or(0, |_| flag);
        let flags = flag(bounds.lower, LOWER) | flag(bounds.upper, UPPER);
        let entry = |stamp| Entry {
            key,
            lower: bounds.lower.unwrap_or(answer),
            upper: bounds.upper.unwrap_or(answer),
            stamp,
            depth,
            best: best.unwrap_or(kept),
        };
        self.entries[at] = NonZeroU32::new(self.now << 2 | flags).map(entry);
    }

    fn age(&mut self) {
        if self.now < OLDEST {
            self.now += 1;
        } else {
            self.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    /// Random stores, and what the table answers after each.
    fn answers(table: &mut FixedSizeTable<i32>, seed: u64) -> Vec<(Bounds<i32>, Option<u16>)> {
        let mut random = SplitMix64::new(seed);
        let store = |number: usize| {
            let (key, depth) = (random.below(64) as u64, random.below(4) as u32);
            let value = random.below(100) as i32;
            let window = Window::new(value - 1, value + 1);
            table.store(key, depth, window, random.below(100) as i32, Some(number as u16));
            if number.is_multiple_of(50) {
                table.age();
            }
            let asked = random.below(64) as u64;
            (table.bounds(asked, depth), table.best(asked))
        };
        (0..500).map(store).collect()
    }

    #[test]
    fn a_cleared_table_answers_as_a_new_one() {
        for scheme in [Replacement::DepthAge, Replacement::Newer, Replacement::Deeper] {
            let mut used = FixedSizeTable::new(4, scheme);
            let first = answers(&mut used, 1);
            assert_ne!(answers(&mut used, 1), first, "something is left");
            used.clear();
            assert_eq!(answers(&mut used, 1), first);
            // Beyond the greatest age every entry is overwritten.
            used.now = OLDEST;
            used.clear();
            assert_eq!((answers(&mut used, 1), used.now < 100), (first, true));
        }
    }

    #[test]
    fn an_entry_of_integers_takes_24_bytes_empty_or_not() {
        assert_eq!(size_of::<Option<Entry<i32>>>(), 24);
    }
}
