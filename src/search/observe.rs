//! Observers of a search, and what is reported to them: roles of visits, and reasons for which they ended.
//!
//! A technique that cuts a node off or leaves moves out needs a variant of [`Reason`] here.

use crate::chess::score::Value;
use crate::choice;
use crate::minimax::observer::{Observer, TextbookReason, TextbookRole};
use shakmaty::Move;

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
    /// Upper bounds of the other moves, from a search before, are no better (INS: prove best).
    ProvenBest = "proven-best", "the other moves' upper bounds are no better (INS: prove best)", '!';
    /// A move is worse than one that cut off in a search before (INS: ignore left).
    Inferior = "inferior", "worse than the move that cut off before (INS: ignore left)", 'I';
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
    VisitPurpose {
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
            TextbookReason::ProvenBest => Reason::ProvenBest,
            TextbookReason::Inferior => Reason::Inferior,
        }
    }
}

impl From<TextbookRole> for VisitPurpose {
    fn from(role: TextbookRole) -> VisitPurpose {
        match role {
            TextbookRole::Window => VisitPurpose::Window,
            TextbookRole::Scout => VisitPurpose::Scout,
            TextbookRole::Research => VisitPurpose::Research,
        }
    }
}

/// Observer of a search of chess.
pub trait SearchObserver: Observer<Value, Move, Reason = Reason, Role = VisitPurpose> {}

impl<O: Observer<Value, Move, Reason = Reason, Role = VisitPurpose> + ?Sized> SearchObserver for O {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_and_roles_of_the_textbook_keep_their_names() {
        for &reason in TextbookReason::ALL {
            assert_eq!(Reason::from(reason).name(), reason.name());
        }
        for &role in TextbookRole::ALL {
            assert_eq!(VisitPurpose::from(role).name(), role.name());
        }
    }
}
