//! Pseudorandom numbers, the same on every machine: for trees, openings and resamples.

/// `SplitMix64`, the generator of Steele, Lea and Flood (2014).
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Starts from a seed.
    #[must_use]
    pub const fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    /// Starts from a seed and an index, of a game for instance: every index has its own sequence.
    #[must_use]
    pub const fn of_number(seed: u64, number: usize) -> SplitMix64 {
        SplitMix64::new(SplitMix64::new(seed).next() ^ number as u64)
    }

    /// The next 64 pseudorandom bits.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A uniform number from 0 to `limit` - 1; `limit` must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }
}
