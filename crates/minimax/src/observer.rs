//! Observer of a search: receives every visit with its window, its value, and the reason for which it ended.
//!
//! The reasons of a textbook search are few ([`TextbookReason`]); a search with selectivity has more. So they
//! are a type of the observer, to which those of the textbook convert; and so are the parts of a visit
//! ([`TextbookRole`]).
//!
//! The observer of the textbook's node routine ([`super::mt`]) is a type parameter, that of the engine's a
//! compile-time rule of the mode. With [`Unobserved`] all calls are compiled away, so that other searches pay
//! nothing for it. A visit that was stopped has no call of [`Observer::leave`].

use super::window::Window;
use crate::choice;

choice! {
    /// Reason for which a visit of a textbook search ended.
    TextbookReason {
        /// All moves were searched.
        #[default]
        AllMoves = "all-moves",
        /// A move reached the bound: the others were not searched.
        Bound = "bound",
        /// Leaf: evaluated.
        Leaf = "leaf",
        /// Bounds of the transposition table.
        Table = "table",
        /// Enhanced transposition cut-off (ETC): bounds of a child in the transposition table.
        EnhancedCutoff = "etc",
        /// Upper bounds of the other moves, from a search before, are no better (INS: prove best).
        ProvenBest = "proven-best",
        /// A move is worse than one that cut off in a search before (INS: ignore left).
        Inferior = "inferior",
    }
}

choice! {
    /// Part of a visit of a textbook search in the search of the node above.
    TextbookRole {
        /// A move in the node's own window.
        #[default]
        Window = "window",
        /// A later move in a null window, to see if it is better (NegaScout).
        Scout = "scout",
        /// A scout that was better, searched again in the open window.
        Research = "research",
    }
}

choice! {
    /// Expected node type: the place in the minimal tree (Knuth and Moore's types 1, 2 and 3).
    NodeKind {
        /// On the principal variation.
        #[default]
        Pv = "pv",
        /// Expected to fail high on its first move.
        Cut = "cut",
        /// Expected to fail low on all of its moves.
        All = "all",
    }
}

/// A visit of a position. Values are seen from the side to move (negamax).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visit<V> {
    /// Hash key of the position.
    pub key: u64,
    /// The window.
    pub window: Window<V>,
    /// Depth left, in plies.
    pub depth: i32,
    /// The node type, where the search knows one.
    pub kind: Option<NodeKind>,
}

/// Observer of the visits of a search, in their order. Every method does nothing unless it is overridden.
pub trait Observer<V, M> {
    /// Reason for which a visit ended, or a move was not searched.
    type Reason: From<TextbookReason>;
    /// Part of a visit in the search of the node above.
    type Role: From<TextbookRole>;

    /// The next visit is that of the position after `m`; `None` after a null move, and where the position
    /// stays. In a singular search `m` is the move that is left out. The root has no such call.
    fn before(&mut self, _m: Option<M>, _role: Self::Role) {}

    /// The next visit, of no pass, is at the end of these moves from the root: it completes a principal
    /// variation.
    fn before_line(&mut self, _moves: &[M]) {}

    /// A visit begins.
    fn enter(&mut self, _visit: &Visit<V>) {}

    /// A move is not searched. `bound` is the most that it may be worth, where pruning claims a bound.
    fn pruned(&mut self, _m: M, _bound: Option<V>, _reason: Self::Reason) {}

    /// The last visit that began and has not ended ends with this value.
    fn leave(&mut self, _value: V, _reason: Self::Reason) {}
}

/// Observer that ignores every call.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl<V, M> Observer<V, M> for Unobserved {
    type Reason = TextbookReason;
    type Role = TextbookRole;
}
