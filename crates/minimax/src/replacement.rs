//! Replacement schemes of transposition tables: those of REAL (section 4.2, 2004) and ours, as pure
//! functions.

use crate::choice;

choice! {
    /// Replacement scheme: the rule which of two entries for one place stays.
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

/// Plies of depth that weigh as much as one search of age in [`Replacement::DepthAge`].
const PLIES_A_SEARCH: i32 = 4;

/// Plies by which a bound may be shallower than the bound of the same position that it replaces.
const SHALLOWER_BY: i32 = 3;

/// Depth and age of an entry, by which schemes decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Depth in plies.
    pub depth: i32,
    /// Searches since; 0 = this one.
    pub age: i32,
}

impl Replacement {
    /// True if the scheme chooses the entry to replace from a bucket, false if a position has one place.
    #[must_use]
    pub const fn uses_bucket(self) -> bool {
        matches!(self, Replacement::DepthAge)
    }

    /// True if a new result for **another** position replaces an old one.
    #[must_use]
    pub const fn replaces(self, new: Stamp, old: Stamp) -> bool {
        match self {
            Replacement::DepthAge | Replacement::Newer => true,
            Replacement::Deeper => new.depth >= old.depth,
            Replacement::SharplyDeeper => new.depth > old.depth,
            Replacement::DeeperOrOlder => new.depth + old.age >= old.depth,
        }
    }

    /// True if a new bound replaces an old bound of the **same** position. A bound of the same depth always
    /// does, because the re-searches of MTD correct it; sharply deeper refuses it, as REAL defines it.
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

/// Replacement value of an entry under [`Replacement::DepthAge`], in plies: the entry of a bucket with the
/// least one is replaced.
#[must_use]
pub const fn replacement_value(stamp: Stamp) -> i32 {
    stamp.depth - PLIES_A_SEARCH * stamp.age
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_replace_by_depth_and_age_as_the_paper_defines_them() {
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
