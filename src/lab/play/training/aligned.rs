//! Numbers that begin at a cache line: a vector of sixteen of them lies in one line and not across two.

use std::ops::{Deref, DerefMut};

/// Bytes of a cache line, and of the largest vector.
const LINE: usize = 64;

/// Numbers in a fixed count, aligned to a cache line.
#[derive(Debug)]
pub struct Aligned {
    /// The numbers, with room before or behind them.
    padded: Vec<f32>,
    first: usize,
    len: usize,
}

impl Aligned {
    /// So many zeros.
    #[must_use]
    pub fn zeros(len: usize) -> Aligned {
        let padded = vec![0.0; len + LINE / size_of::<f32>()];
        // Unaligned numbers are slower and not wrong: `align_offset` need not find a place.
        let first = padded.as_ptr().align_offset(LINE).min(padded.len() - len);
        Aligned { padded, first, len }
    }
}

impl From<&[f32]> for Aligned {
    fn from(numbers: &[f32]) -> Aligned {
        let mut aligned = Aligned::zeros(numbers.len());
        aligned.copy_from_slice(numbers);
        aligned
    }
}

impl Deref for Aligned {
    type Target = [f32];

    #[inline]
    fn deref(&self) -> &[f32] {
        &self.padded[self.first..self.first + self.len]
    }
}

impl DerefMut for Aligned {
    #[inline]
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.padded[self.first..self.first + self.len]
    }
}

impl Clone for Aligned {
    fn clone(&self) -> Aligned {
        Aligned::from(&**self)
    }
}

impl PartialEq for Aligned {
    fn eq(&self, other: &Aligned) -> bool {
        **self == **other
    }
}
