//! Node counts, as in the papers. Each thread counts in plain integers, which are added up at the end.

use std::ops::{AddAssign, Sub};

/// Number of depths counted separately; deeper ones are counted in the last.
pub const DEPTHS: usize = 32;

/// Counts of one search. Every visit of a position is counted as exactly one of interior, leaf, quiescence,
/// table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Moves made: the `nodes` of UCI.
    pub made_moves: u64,
    /// Interior nodes: visits with depth left.
    pub interior: u64,
    /// Leaves, evaluated by quiescence search (the papers' NBP).
    pub leaf: u64,
    /// Quiescence nodes below the leaves.
    pub quiescence: u64,
    /// Visits cut by the transposition table, or by a tablebase.
    pub table: u64,
    /// Tablebase hits.
    pub tb_hits: u64,
    /// Null-window searches of the root that failed high.
    pub passes_high: u64,
    /// Null-window searches of the root that failed low.
    pub passes_low: u64,
    /// Searches of the root with an open window.
    pub passes_open: u64,
    /// Moves made by the null-window searches that failed high.
    pub made_moves_high: u64,
    /// Moves made by the null-window searches that failed low.
    pub made_moves_low: u64,
    /// Completed iterations.
    pub iterations: u64,
    /// Brackets whose bounds crossed (f- > f+): search instability.
    pub crossings: u64,
    /// Fail-highs of interior nodes, by remaining depth.
    pub cutoffs: [u64; DEPTHS],
    /// Of these, fail-highs on the first move.
    pub first_move_cutoffs: [u64; DEPTHS],
    /// Moves searched at those nodes.
    pub moves_at_cutoffs: [u64; DEPTHS],
    /// Selective depth: the longest line searched, in plies.
    pub selective_depth: usize,
}

impl Stats {
    /// The papers' total: interior + leaf + table.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.interior + self.leaf + self.table
    }

    /// Searches of the root.
    #[must_use]
    pub fn passes(&self) -> u64 {
        self.passes_high + self.passes_low + self.passes_open
    }

    /// The share of root searches with a null window that failed high, 0.0 to 1.0.
    #[must_use]
    pub fn fail_high_share(&self) -> f64 {
        share(self.passes_high, self.passes_high + self.passes_low)
    }

    /// The share of fail-highs on the first move, 0.0 to 1.0.
    #[must_use]
    pub fn first_move_share(&self) -> f64 {
        share(self.first_move_cutoffs.iter().sum(), self.cutoffs.iter().sum())
    }

    /// Moves searched per fail-high.
    #[must_use]
    pub fn moves_per_cutoff(&self) -> f64 {
        share(self.moves_at_cutoffs.iter().sum(), self.cutoffs.iter().sum())
    }

    /// Made moves of a root test that failed high, divided by those of one that failed low; `None` if there
    /// were none.
    #[must_use]
    pub fn high_to_low(&self) -> Option<f64> {
        let (high, low) =
            (share(self.made_moves_high, self.passes_high), share(self.made_moves_low, self.passes_low));
        (high > 0.0 && low > 0.0).then(|| high / low)
    }

    /// Counts a fail-high at a node with `depth` plies left, on move number `tried`.
    pub fn cutoff(&mut self, depth: i32, tried: usize) {
        let at = (depth.max(0) as usize).min(DEPTHS - 1);
        self.cutoffs[at] += 1;
        self.first_move_cutoffs[at] += u64::from(tried == 1);
        self.moves_at_cutoffs[at] += tried as u64;
    }

    /// Combines the counts of two searches.
    fn combine(&self, other: &Stats, with: impl Fn(u64, u64) -> u64) -> Stats {
        let by_depth = |a: &[u64; DEPTHS], b: &[u64; DEPTHS]| std::array::from_fn(|i| with(a[i], b[i]));
        Stats {
            made_moves: with(self.made_moves, other.made_moves),
            interior: with(self.interior, other.interior),
            leaf: with(self.leaf, other.leaf),
            quiescence: with(self.quiescence, other.quiescence),
            table: with(self.table, other.table),
            tb_hits: with(self.tb_hits, other.tb_hits),
            passes_high: with(self.passes_high, other.passes_high),
            passes_low: with(self.passes_low, other.passes_low),
            passes_open: with(self.passes_open, other.passes_open),
            made_moves_high: with(self.made_moves_high, other.made_moves_high),
            made_moves_low: with(self.made_moves_low, other.made_moves_low),
            iterations: with(self.iterations, other.iterations),
            crossings: with(self.crossings, other.crossings),
            cutoffs: by_depth(&self.cutoffs, &other.cutoffs),
            first_move_cutoffs: by_depth(&self.first_move_cutoffs, &other.first_move_cutoffs),
            moves_at_cutoffs: by_depth(&self.moves_at_cutoffs, &other.moves_at_cutoffs),
            selective_depth: self.selective_depth.max(other.selective_depth),
        }
    }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

impl AddAssign<&Stats> for Stats {
    fn add_assign(&mut self, other: &Stats) {
        *self = self.combine(other, |a, b| a + b);
    }
}

impl Sub for &Stats {
    type Output = Stats;

    /// Counts since `earlier`.
    fn sub(self, earlier: &Stats) -> Stats {
        self.combine(earlier, |a, b| a.saturating_sub(b))
    }
}
