//! Random numbers that are the same on every machine, for trees, openings and resamples.

/// Steele, Lea and Flood's small generator: the same numbers on every machine.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Starts from a seed.
    #[must_use]
    pub const fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    /// Starts from a seed and the number of what is random, a game for instance: each number has its own.
    #[must_use]
    pub const fn of_number(seed: u64, number: usize) -> SplitMix64 {
        SplitMix64::new(SplitMix64::new(seed).next() ^ number as u64)
    }

    /// The next 64 bits.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number from 0 to `limit` - 1; `limit` must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }
}
