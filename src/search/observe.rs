//! Observers of a search, and what is reported to them: roles of visits, and reasons for which they ended.
//!
//! The reason of a technique that cuts a node off or leaves moves out is a constant in the technique's file;
//! those of the search itself and of the textbook are here.

use crate::chess::score::Value;
use crate::choice;
use crate::minimax::observer::{Observer, TextbookReason, TextbookRole};
use shakmaty::Move;

/// Reason for which a visit ended, or a move was not searched. Records of trees carry its words and its
/// badge, so that no page has to know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Its name in a record.
    pub name: &'static str,
    /// In words, for readers of a record.
    pub words: &'static str,
    /// The badge of a node or a move that was not searched to the end for this reason, if it has one.
    pub badge: Option<char>,
    /// True if the search counts such a visit among the leaves.
    pub is_leaf: bool,
}

impl Reason {
    /// All moves were searched (those that were not pruned).
    pub const ALL_MOVES: Reason =
        Reason { name: "all-moves", words: "every move was searched", badge: None, is_leaf: false };
    /// A move reached the bound: the others were not searched.
    pub const BOUND: Reason = cut("bound", "a move reached the bound", '✂');
    /// Leaf: evaluated.
    pub const LEAF: Reason = Reason { name: "leaf", words: "evaluated", badge: None, is_leaf: true };
    /// No legal move: mate, stalemate, or the end of the game.
    pub const GAME_OVER: Reason = cut("game-over", "no legal move", '#');
    /// Bounds of the transposition table.
    pub const TABLE: Reason = cut("table", "answered by the table", 'T');
    /// Enhanced transposition cut-off (ETC): bounds of a child in the transposition table.
    pub const ENHANCED_CUTOFF: Reason =
        cut("etc", "a child's bound in the table decides (enhanced cut-off)", 'E');
    /// Upper bounds of the other moves, from a search before, are no better (INS: prove best).
    pub const PROVEN_BEST: Reason =
        cut("proven-best", "the other moves' upper bounds are no better (INS: prove best)", '!');
    /// A move is worse than one that cut off in a search before (INS: ignore left).
    pub const INFERIOR: Reason =
        cut("inferior", "worse than the move that cut off before (INS: ignore left)", 'I');
    /// Stand pat: in quiescence search the evaluation reaches the bound.
    pub const STAND_PAT: Reason = cut("stand-pat", "the evaluation reaches the bound (stand pat)", 'S');
    /// Endgame tablebases.
    pub const TABLEBASE: Reason = cut("tablebase", "endgame tablebase", 'B');
    /// Draw: nobody can mate any more.
    pub const DEAD_POSITION: Reason = leaf("dead-position", "draw: nobody can mate", '½');
    /// Draw by repetition.
    pub const REPETITION: Reason = leaf("repetition", "draw by repetition", '½');
    /// The side to move can repeat a position.
    pub const UPCOMING_REPETITION: Reason = leaf("upcoming-repetition", "a position can be repeated", '½');
    /// Draw by the fifty-move rule.
    pub const FIFTY_MOVES: Reason = leaf("fifty-moves", "draw by the fifty-move rule", '½');
    /// The line is as long as a line may be.
    pub const MAX_PLY: Reason =
        Reason { name: "max-ply", words: "the line is too long", badge: None, is_leaf: true };
}

/// The reason of a technique that ends visits or prunes moves: its name in a record, its words, its badge.
pub(super) const fn cut(name: &'static str, words: &'static str, badge: char) -> Reason {
    Reason { name, words, badge: Some(badge), is_leaf: false }
}

/// The same where the search counts the visit among the leaves.
pub(super) const fn leaf(name: &'static str, words: &'static str, badge: char) -> Reason {
    Reason { is_leaf: true, ..cut(name, words, badge) }
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
            TextbookReason::AllMoves => Reason::ALL_MOVES,
            TextbookReason::Bound => Reason::BOUND,
            TextbookReason::Leaf => Reason::LEAF,
            TextbookReason::Table => Reason::TABLE,
            TextbookReason::EnhancedCutoff => Reason::ENHANCED_CUTOFF,
            TextbookReason::ProvenBest => Reason::PROVEN_BEST,
            TextbookReason::Inferior => Reason::INFERIOR,
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
            assert_eq!(Reason::from(reason).name, reason.name());
        }
        for &role in TextbookRole::ALL {
            assert_eq!(VisitPurpose::from(role).name(), role.name());
        }
    }
}
