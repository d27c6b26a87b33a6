//! Observed searches: the calls by which the node routine reports every visit to the observer of its search
//! control.
//!
//! A search with an observer runs under [`Observed`] rules. Under all others [`ModeRules::OBSERVED`] is false
//! at compile time, and every function here is empty.

use super::observe::{Reason, SearchObserver, VisitPurpose};
use super::state::{ModeRules, NodeType, Search};
use crate::chess::Position;
use crate::chess::score::Value;
use crate::minimax::Window;
use crate::minimax::observer::{NodeKind, Visit};
use shakmaty::Move;
use std::marker::PhantomData;

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

    /// Reports the next visit.
    #[inline(always)]
    pub(super) fn report_next<R: ModeRules>(&mut self, m: Option<Move>, role: VisitPurpose) {
        self.observe::<R>(|observer| observer.before(m, role));
    }

    /// Reports a visit that completes a principal variation.
    #[inline(always)]
    pub(super) fn report_next_line<R: ModeRules>(&mut self, line: &[Move]) {
        self.observe::<R>(|observer| observer.before_line(line));
    }

    /// Reports the beginning of a visit.
    #[inline(always)]
    pub(super) fn report_entry<R: ModeRules>(
        &mut self,
        position: &Position,
        window: Window<Value>,
        depth: i32,
        kind: Option<NodeKind>,
    ) {
        self.observe::<R>(|observer| observer.enter(&Visit { key: position.key(), window, depth, kind }));
    }

    /// Reports the end of a visit; returns its value.
    #[inline(always)]
    pub(super) fn report_exit<R: ModeRules>(&mut self, value: Value, reason: Reason) -> Value {
        self.observe::<R>(|observer| observer.leave(value, reason));
        value
    }

    /// Reports the end of the visit of a draw, or of a line that is too long; returns its value.
    #[inline(always)]
    pub(super) fn report_exit_of_draw<R: ModeRules>(&mut self, position: &Position, value: Value) -> Value {
        if R::OBSERVED {
            let reason = if position.is_dead() {
                Reason::DEAD_POSITION
            } else if R::PATH_DRAWS && self.is_draw_by_path(position) {
                if position.halfmoves() >= 100 { Reason::FIFTY_MOVES } else { Reason::REPETITION }
            } else {
                Reason::MAX_PLY
            };
            self.report_exit::<R>(value, reason);
        }
        value
    }

    /// Reports the end of the visit of an interior node whose moves were searched, or some of them; returns
    /// its value.
    #[inline(always)]
    pub(super) fn report_exit_of_searched<R: ModeRules>(
        &mut self,
        position: &Position,
        window: Window<Value>,
        value: Value,
    ) -> Value {
        if R::OBSERVED {
            let reason = if !position.has_legal_moves() {
                Reason::GAME_OVER
            } else if value >= window.beta {
                Reason::BOUND
            } else {
                Reason::ALL_MOVES
            };
            self.report_exit::<R>(value, reason);
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
