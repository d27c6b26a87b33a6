//! Observation of a search: what the node routine tells the observer of a search control, visit by visit.
//!
//! A search with an observer runs under [`Observed`] rules. Under all others [`ModeRules::OBSERVED`] is false
//! at compile time, and every function here is empty.
//!
//! A technique that cuts a node off or leaves moves out has its [`Reason`] here.

use crate::chess::Position;
use crate::chess::score::Value;
use crate::choice;
use crate::minimax::Window;
use crate::minimax::observer::{NodeKind, Observer, TextbookReason, TextbookRole, Visit};
use crate::search::state::{ModeRules, NodeType, Search};
use shakmaty::{Move, Position as _};
use std::marker::PhantomData;

/// Declares the reasons: name, words of the page of `plumb trace --tree`, and the badge that it puts on a
/// node; a blank is no badge.
macro_rules! reasons {
    ($($(#[$doc:meta])* $item:ident = $name:literal, $words:literal, $badge:literal;)+) => {
        choice! {
            /// Reason for which a visit ended, or a move was not searched.
            Reason { $($(#[$doc])* $item = $name),+ }
        }

        impl Reason {
            /// In words, for readers of a record.
            #[must_use]
            pub const fn words(self) -> &'static str {
                match self { $(Reason::$item => $words),+ }
            }

            /// The badge of a node or a move that was not searched to the end for this reason.
            #[must_use]
            pub fn badge(self) -> Option<char> {
                let badge = match self { $(Reason::$item => $badge),+ };
                (badge != ' ').then_some(badge)
            }
        }
    };
}

reasons! {
    /// All moves were searched (those that were not pruned).
    #[default]
    AllMoves = "all-moves", "every move was searched", ' ';
    /// A move reached the bound: the others were not searched.
    Bound = "bound", "a move reached the bound", '✂';
    /// Leaf: evaluated.
    Leaf = "leaf", "evaluated", ' ';
    /// No legal move: mate, stalemate, or the end of the game.
    GameOver = "game-over", "no legal move", '#';
    /// Bounds of the transposition table.
    Table = "table", "answered by the table", 'T';
    /// Enhanced transposition cut-off (ETC): bounds of a child in the transposition table.
    EnhancedCutoff = "etc", "a child's bound in the table decides (enhanced cut-off)", 'E';
    /// Stand pat: in quiescence search the evaluation reaches the bound.
    StandPat = "stand-pat", "the evaluation reaches the bound (stand pat)", 'S';
    /// Null move pruning.
    NullMove = "null-move", "null move: good enough without a move", 'N';
    /// Reverse futility pruning (static null move).
    ReverseFutility = "reverse-futility", "reverse futility: the evaluation is beyond the bound by a \
    margin", 'R';
    /// Multi-cut: without the best move the node reaches the bound too.
    MultiCut = "multi-cut", "multi-cut: good enough without its best move", 'M';
    /// Endgame tablebases.
    Tablebase = "tablebase", "endgame tablebase", 'B';
    /// Draw: nobody can mate any more.
    DeadPosition = "dead-position", "draw: nobody can mate", '½';
    /// Draw by repetition.
    Repetition = "repetition", "draw by repetition", '½';
    /// The side to move can repeat a position.
    UpcomingRepetition = "upcoming-repetition", "a position can be repeated", '½';
    /// Draw by the fifty-move rule.
    FiftyMoves = "fifty-moves", "draw by the fifty-move rule", '½';
    /// Mate-distance pruning.
    MateDistance = "mate-distance", "no sooner mate is possible", '#';
    /// The line is as long as a line may be.
    MaxPly = "max-ply", "the line is too long", ' ';
    /// Late move pruning (LMP) of a move.
    LateMove = "late-move", "late move pruning: it comes late in the order", 'L';
    /// Futility pruning of a move.
    Futility = "futility", "futility: the evaluation is too far from the bound", 'F';
    /// SEE pruning of a move: it loses material.
    LosesMaterial = "see", "it loses material (SEE)", 'X';
    /// Delta pruning of a capture.
    Delta = "delta", "delta pruning: the capture wins too little", 'D';
}

choice! {
    /// Part of a visit in the search of the node above.
    Role {
        /// A move in the node's own window.
        #[default]
        Window = "window",
        /// A later move in a null window, to see if it is better (NegaScout).
        Scout = "scout",
        /// A scout that was better, searched again in the open window.
        Research = "research",
        /// A late move in reduced depth (LMR).
        Reduced = "reduced",
        /// A reduced move that was better, searched again in full depth.
        FullDepth = "full-depth",
        /// The position after a null move.
        NullMove = "null-move",
        /// The same position again without a null move, to verify the cut-off of one.
        Verification = "verification",
        /// The same position without its best move, to see if that is singular.
        Singular = "singular",
        /// A move of quiescence search, below a leaf.
        Quiescence = "quiescence",
    }
}

impl From<TextbookReason> for Reason {
    fn from(reason: TextbookReason) -> Reason {
        match reason {
            TextbookReason::AllMoves => Reason::AllMoves,
            TextbookReason::Bound => Reason::Bound,
            TextbookReason::Leaf => Reason::Leaf,
            TextbookReason::Table => Reason::Table,
            TextbookReason::EnhancedCutoff => Reason::EnhancedCutoff,
        }
    }
}

impl From<TextbookRole> for Role {
    fn from(role: TextbookRole) -> Role {
        match role {
            TextbookRole::Window => Role::Window,
            TextbookRole::Scout => Role::Scout,
            TextbookRole::Research => Role::Research,
        }
    }
}

/// Observer of a search of chess.
pub trait SearchObserver: Observer<Value, Move, Reason = Reason, Role = Role> {}

impl<O: Observer<Value, Move, Reason = Reason, Role = Role> + ?Sized> SearchObserver for O {}

/// The rules of a mode, observed.
pub(super) struct Observed<R>(PhantomData<R>);

impl<R: ModeRules> ModeRules for Observed<R> {
    const SELECTIVE: bool = R::SELECTIVE;
    const EXACT_DEPTH: bool = R::EXACT_DEPTH;
    const PATH_DRAWS: bool = R::PATH_DRAWS;
    const OBSERVED: bool = true;
}

/// The node type as an observer gets it.
pub(super) const fn kind<N: NodeType>() -> NodeKind {
    if N::PV {
        NodeKind::Pv
    } else if N::CUT {
        NodeKind::Cut
    } else {
        NodeKind::All
    }
}

impl Search<'_> {
    /// Calls the observer, if the rules are observed.
    #[inline(always)]
    fn observe<R: ModeRules>(&mut self, tell: impl FnOnce(&mut dyn SearchObserver)) {
        if R::OBSERVED
            && let Some(observer) = self.control.observer()
        {
            tell(observer);
        }
    }

    /// Announces the next visit.
    #[inline(always)]
    pub(super) fn announce<R: ModeRules>(&mut self, m: Option<Move>, role: Role) {
        self.observe::<R>(|observer| observer.before(m, role));
    }

    /// Announces a visit that completes a principal variation.
    #[inline(always)]
    pub(super) fn announce_line<R: ModeRules>(&mut self, line: &[Move]) {
        self.observe::<R>(|observer| observer.before_line(line));
    }

    /// Begins a visit.
    #[inline(always)]
    pub(super) fn enter<R: ModeRules>(
        &mut self,
        position: &Position,
        window: Window<Value>,
        depth: i32,
        kind: Option<NodeKind>,
    ) {
        self.observe::<R>(|observer| observer.enter(&Visit { key: position.key(), window, depth, kind }));
    }

    /// Ends a visit; returns its value.
    #[inline(always)]
    pub(super) fn leave<R: ModeRules>(&mut self, value: Value, reason: Reason) -> Value {
        self.observe::<R>(|observer| observer.leave(value, reason));
        value
    }

    /// Ends the visit of a draw, or of a line that is too long; returns its value.
    #[inline(always)]
    pub(super) fn leave_drawn<R: ModeRules>(&mut self, position: &Position, value: Value) -> Value {
        if R::OBSERVED {
            let reason = if position.is_dead() {
                Reason::DeadPosition
            } else if R::PATH_DRAWS && self.is_draw_by_path(position) {
                if position.halfmoves() >= 100 { Reason::FiftyMoves } else { Reason::Repetition }
            } else {
                Reason::MaxPly
            };
            self.leave::<R>(value, reason);
        }
        value
    }

    /// Ends the visit of an interior node whose moves were searched, or some of them; returns its value.
    #[inline(always)]
    pub(super) fn leave_searched<R: ModeRules>(
        &mut self,
        position: &Position,
        window: Window<Value>,
        value: Value,
    ) -> Value {
        if R::OBSERVED {
            let reason = if position.chess().legal_moves().is_empty() {
                Reason::GameOver
            } else if value >= window.beta {
                Reason::Bound
            } else {
                Reason::AllMoves
            };
            self.leave::<R>(value, reason);
        }
        value
    }

    /// Notes a move that is pruned; returns the bound that pruning claims for it, `-INFINITE` where it claims
    /// none.
    #[inline(always)]
    pub(super) fn note_pruned<R: ModeRules>(&mut self, m: Move, bound: Value, reason: Reason) -> Value {
        self.observe::<R>(|observer| {
            observer.pruned(m, (bound > -crate::chess::score::INFINITE).then_some(bound), reason);
        });
        bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_and_roles_of_the_textbook_keep_their_names() {
        for &reason in TextbookReason::ALL {
            assert_eq!(Reason::from(reason).name(), reason.name());
        }
        for &role in TextbookRole::ALL {
            assert_eq!(Role::from(role).name(), role.name());
        }
    }
}
