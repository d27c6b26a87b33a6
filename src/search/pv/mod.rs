//! Principal variation: the triangular array that the node routine fills ([`PvTable`]), and the lines that
//! are shown ([`completion`]).

mod completion;

use crate::chess::score::MAX_PLY;
use arrayvec::ArrayVec;
use shakmaty::Move;

/// One line of play.
pub(super) type PvLine = ArrayVec<Move, MAX_PLY>;

/// Triangular PV table: the best line found from each ply on.
pub(super) struct PvTable(Box<[PvLine]>);

impl PvTable {
    /// An empty table.
    pub(super) fn new() -> PvTable {
        PvTable(vec![PvLine::new(); MAX_PLY + 1].into_boxed_slice())
    }

    /// Clears all lines, for the next search. A new one (128 KiB) would cost short searches much time.
    pub(super) fn clear_all(&mut self) {
        self.0.iter_mut().for_each(PvLine::clear);
    }

    /// Clears the line of a ply.
    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Makes `m`, followed by the best line of its child, the best line at `ply`.
    pub(super) fn extend(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.0.split_at_mut(ply + 1);
        let (line, rest) = (&mut upper[ply], &lower[0]);
        line.clear();
        line.push(m);
        line.extend(rest.iter().copied().take(MAX_PLY - 1));
    }

    /// The best line from `ply` on.
    pub(super) fn at(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }
}
