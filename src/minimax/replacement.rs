//! The replacement schemes of the 2004 paper (REAL section 4.2) and ours, as one pure function.

use crate::choice::choice;

choice! {
    /// Which of two entries that claim one place stays.
    Replacement {
        /// Ours: within a bucket of four, the one of least depth minus age goes.
        #[default]
        DepthAge = "depth-age",
        /// The newer, always (REAL: if newer).
        Newer = "newer",
        /// The newer if at least as deep (REAL: if deeper).
        Deeper = "deeper",
        /// The newer if strictly deeper (REAL: sharply deeper).
        SharplyDeeper = "sharply-deeper",
        /// The newer if its depth plus time stamp is at least the older one's (REAL: deeper + timestamp).
        DeeperOrOlder = "deeper-or-older",
    }
}

/// A year of age weighs as much as so many plies of depth in [`Replacement::DepthAge`].
const PLIES_A_SEARCH: i32 = 4;

/// A bound may replace one of the same position that is at most this many plies deeper.
const SHALLOWER_BY: i32 = 3;

/// What a scheme looks at: how deep a result is, and how many searches ago it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Depth in plies.
    pub depth: i32,
    /// Searches since; 0 = this one.
    pub age: i32,
}

impl Replacement {
    /// Whether the scheme looks for its victim in a whole bucket, or has one place for a position.
    #[must_use]
    pub const fn uses_bucket(self) -> bool {
        matches!(self, Replacement::DepthAge)
    }

    /// Whether a new result for **another** position takes the place of an old one.
    #[must_use]
    pub const fn replaces(self, new: Stamp, old: Stamp) -> bool {
        match self {
            Replacement::DepthAge | Replacement::Newer => true,
            Replacement::Deeper => new.depth >= old.depth,
            Replacement::SharplyDeeper => new.depth > old.depth,
            Replacement::DeeperOrOlder => new.depth + old.age >= old.depth,
        }
    }

    /// Whether a new bound takes the place of an old bound of the **same** position. A bound of the same
    /// depth is never refused: MTD lives on correcting it. (Sharply deeper refuses it: that is REAL's point.)
    #[must_use]
    pub const fn corrects(self, new: Stamp, old: Stamp) -> bool {
        match self {
            Replacement::DepthAge => new.depth + SHALLOWER_BY >= old.depth || old.age > 0,
            Replacement::Newer => true,
            Replacement::Deeper => new.depth >= old.depth,
            Replacement::SharplyDeeper => new.depth > old.depth,
            Replacement::DeeperOrOlder => new.depth + old.age >= old.depth,
        }
    }
}

/// How much an entry is worth keeping under [`Replacement::DepthAge`]: the least worthy of a bucket goes.
#[must_use]
pub const fn replacement_value(stamp: Stamp) -> i32 {
    stamp.depth - PLIES_A_SEARCH * stamp.age
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schemes_differ_where_the_paper_says() {
        let at = |depth, age| Stamp { depth, age };
        use Replacement::{Deeper, DeeperOrOlder, DepthAge, Newer, SharplyDeeper};
        for (scheme, shallower, same, deeper, shallower_than_stale) in [
            (Newer, true, true, true, true),
            (Deeper, false, true, true, false),
            (SharplyDeeper, false, false, true, false),
            (DeeperOrOlder, false, true, true, true),
            (DepthAge, true, true, true, true),
        ] {
            assert_eq!(scheme.replaces(at(4, 0), at(6, 0)), shallower, "{scheme}");
            assert_eq!(scheme.replaces(at(6, 0), at(6, 0)), same, "{scheme}");
            assert_eq!(scheme.replaces(at(7, 0), at(6, 0)), deeper, "{scheme}");
            assert_eq!(scheme.replaces(at(4, 0), at(6, 2)), shallower_than_stale, "{scheme}");
            assert_eq!(scheme.corrects(at(6, 0), at(6, 0)), scheme != SharplyDeeper, "{scheme}");
        }
    }
}
