//! The replacement schemes of the 2004 paper (REAL section 4.2) and ours, as one pure function.

use crate::choice::choice;

choice! {
    /// Which of two entries that claim one place stays.
    Replacement {
        /// Ours: within a bucket of four, the one of least depth minus age goes.
        #[default]
        DepthAge = "depth-age",
        /// The newer, always.
        Newer = "newer",
        /// The newer if at least as deep.
        Deeper = "deeper",
        /// The newer if strictly deeper.
        SharplyDeeper = "sharply-deeper",
        /// The newer if its depth plus time stamp is at least the older one's.
        DeeperOrOlder = "deeper-or-older",
    }
}
