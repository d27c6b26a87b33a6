//! PNS is Partially Informed NegaScout here (INFO section 3), and not proof-number search: the compromise between
//! NegaScout and INS.
//!
//! Of a null-window search it keeps the upper bounds of the children near the root of the subtree (*prove best*)
//! and the principal variation, which is tried first in the re-search. The other bounds of INS are not kept, which
//! saves most of the storage: a subtree takes a few nodes a ply.

use super::game::{Game, NeverStop, StopCondition};
use super::ins::Ins;
use super::{Stopped, Window};

/// Plies near the root of a subtree in which bounds are kept: one, for the bounds of the root's children. The
/// paper does not say how many.
pub const BOUND_PLIES: u32 = 1;

/// Partially Informed NegaScout. Moves are taken in the game's own order.
pub struct Pns<G: Game, H: StopCondition = NeverStop> {
    /// INS that keeps bounds near the roots of subtrees only, with its counters, leaf order and budget.
    pub ins: Ins<G, H>,
}

impl<G: Game> Pns<G> {
    /// A search that is never stopped.
    #[must_use]
    pub fn new() -> Pns<G> {
        Pns::with_stop(NeverStop, usize::MAX)
    }
}

impl<G: Game> Default for Pns<G> {
    fn default() -> Pns<G> {
        Pns::new()
    }
}

impl<G: Game, H: StopCondition> Pns<G, H> {
    /// A search that `stop` may end and that saves at most `budget` nodes at a time.
    #[must_use]
    pub fn with_stop(stop: H, budget: usize) -> Pns<G, H> {
        Pns { ins: Ins::with_bound_plies(stop, budget, Some(BOUND_PLIES)) }
    }

    /// The value of `root` in a window, fail-soft, `depth` plies deep; and the index of the move that raised
    /// alpha, if one did.
    pub fn search(
        &mut self,
        root: &G,
        depth: u32,
        window: Window<G::Value>,
    ) -> Result<(G::Value, Option<usize>), Stopped> {
        self.ins.search(root, depth, window)
    }
}
