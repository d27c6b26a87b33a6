//! Static evaluation of a node: from the transposition table or the evaluator, corrected by correction
//! history, with the improving flag and the update of correction history.

use crate::chess::Position;
use crate::chess::score::{self, INFINITE, Value};
use crate::search::correction_history::{CorrectionEntries, corrected};
use crate::search::history::is_quiet;
use crate::search::state::{Best, Node, Search, StackEntry};
use crate::search::transposition::Entry;

impl Search<'_> {
    /// The static evaluation, from the transposition table where it is stored; `-INFINITE` in check.
    pub(super) fn evaluate(&mut self, position: &Position, entry: Option<&Entry>, ply: usize) -> Value {
        if position.in_check() {
            return -INFINITE;
        }
        entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluator.evaluate(position, ply))
    }

    /// The static evaluation, and the same corrected by correction history; `-INFINITE` in check.
    pub(super) fn evaluate_corrected(
        &mut self,
        position: &Position,
        entry: Option<&Entry>,
        ply: usize,
    ) -> (Value, Value) {
        if position.in_check() {
            return (-INFINITE, -INFINITE);
        }
        let sum =
            self.correction_history.sum(CorrectionEntries::of(position, self.context(ply).continuations));
        let eval = self.evaluate(position, entry, ply);
        (eval, corrected(eval, sum, &self.settings.parameters))
    }

    /// Updates correction history with the error of the evaluation, unless a capture decided or the bound
    /// lies on the wrong side of the evaluation to show an error. On a fail-low no move decided: which of
    /// their upper bounds is the highest means nothing.
    pub(super) fn update_correction_history(&mut self, node: &Node, best: &Best) {
        let Node { position, window, depth, ply, eval, .. } = *node;
        let decided = best.m.filter(|_| best.value > window.alpha);
        let shows_no_error = best.value >= window.beta && best.value <= eval
            || best.value <= window.alpha && best.value >= eval;
        if eval > -INFINITE
            && !shows_no_error
            && decided.is_none_or(is_quiet)
            && !score::is_decisive(best.value)
        {
            let entries = CorrectionEntries::of(position, self.context(ply).continuations);
            let parameters = &self.settings.parameters;
            self.correction_history.update(entries, depth, best.value - eval, parameters);
        }
    }
}

/// The improving flag: the evaluation at `ply` is above that of our last move, or, where we were in check
/// then and there was none, of the move before that.
pub(super) fn is_improving(stack: &[StackEntry], eval: Value, ply: usize) -> bool {
    let before = |plies: usize| ply.checked_sub(plies).map_or(-INFINITE, |at| stack[at].eval);
    let last = [before(2), before(4)].into_iter().find(|&eval| eval > -INFINITE);
    last.is_some_and(|last| eval > last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minimax::Window;
    use crate::search::make_move::tests::after_moves;

    #[test]
    fn after_a_check_two_plies_ago_the_evaluation_of_four_plies_ago_is_compared() {
        let mut stack = [StackEntry::EMPTY; 5];
        assert!(!is_improving(&stack, 60, 4), "nothing is known of our last moves");
        stack[0].eval = 50;
        assert!(!is_improving(&stack, 40, 4) && is_improving(&stack, 60, 4));
        stack[2].eval = 70;
        assert!(!is_improving(&stack, 60, 4) && is_improving(&stack, 80, 4));
    }

    #[test]
    fn a_best_capture_of_a_fail_low_does_not_hinder_the_correction() {
        let error = |value, window| {
            after_moves("4k2r/8/8/8/8/8/7r/R3K2R w - - 20 40", "a1a2 h8h7", |search, position| {
                let m =
                    shakmaty::Position::legal_moves(position.chess()).into_iter().find(|m| m.is_capture());
                let node = Node {
                    position,
                    window,
                    depth: 8,
                    ply: 2,
                    tt_move: 0,
                    excluded: 0,
                    raw_eval: 50,
                    eval: 50,
                    improving: false,
                    extension: 0,
                };
                search.update_correction_history(&node, &Best { value, m });
                search
                    .correction_history
                    .sum(CorrectionEntries::of(position, search.context(2).continuations))
            })
        };
        assert!(error(-40, Window::at(1)) < 0, "worth at most -40, whichever capture has the highest bound");
        assert_eq!(error(140, Window::at(1)), 0, "a capture failed high");
        assert_eq!(error(70, Window::at(90)), 0, "an upper bound of 70 above an evaluation of 50");
    }
}
