//! Move pruning: late move pruning (LMP), futility pruning and SEE pruning (by static exchange evaluation). Only play
//! mode prunes.

use crate::chess::movegen::Checks;
use crate::chess::score::{self, INFINITE, Value};
use crate::chess::see;
use crate::search::history::is_quiet;
use crate::search::move_loop::ChildSearch;
use crate::search::move_picker::MovePicker;
use crate::search::observe::Reason;
use crate::search::state::{ModeRules, Node, Search};
use shakmaty::Move;

/// The state of a node before one of its moves.
#[derive(Clone, Copy)]
pub(in crate::search) struct MovesBefore {
    /// The lower end of the window.
    pub(in crate::search) alpha: Value,
    /// The best value of the moves before, or the highest bound of a pruned one.
    pub(in crate::search) best: Value,
    /// Number of quiet moves that were searched.
    pub(in crate::search) quiets: usize,
}

impl Search<'_> {
    /// Prunes a move: returns an upper bound on its value, `-INFINITE` where none is claimed; `None` if the move is
    /// to be searched.
    pub(in crate::search) fn prune_move<R: ModeRules>(
        &mut self,
        node: &Node,
        m: Move,
        before: MovesBefore,
        child_search: &ChildSearch,
        picker: &mut MovePicker<'_>,
    ) -> Option<Value> {
        let quiet = is_quiet(m);
        if node.position.in_check() || score::is_decisive(before.alpha) {
            return None;
        }
        let parameters = &self.settings.parameters;
        // Quiet moves are pruned by the depth that they would be searched with.
        let depth = if quiet { (child_search.depth - child_search.reduction).max(1) } else { node.depth };
        let bound = node.eval + parameters.futility_margin(depth);
        let late = node.depth <= parameters.late_moves_depth()
            && before.quiets >= parameters.late_move_count(node.depth, node.improving)
            && before.best >= node.eval - parameters.late_moves_margin();
        let futile = depth <= parameters.futility_depth() && bound <= before.alpha;
        if quiet && (late || futile) {
            // A check may be the beginning of a mate; at depth 1 there is no time left for one.
            let checks = (node.depth >= parameters.quiet_checks_depth()).then(|| Checks::of(node.position));
            picker.skip_quiets(checks);
            if checks.is_none_or(|checks| !checks.given_by(m)) {
                let (bound, reason) =
                    if late { (-INFINITE, Reason::LateMove) } else { (bound, Reason::Futility) };
                return Some(self.note_pruned::<R>(m, bound, reason));
            }
        }
        let loses_material = || !see::see_ge(node.position, m, parameters.see_margin(depth, quiet));
        let loses = depth <= parameters.exchange_depth() && loses_material();
        loses.then(|| self.note_pruned::<R>(m, -INFINITE, Reason::LosesMaterial))
    }
}
