//! Move pruning: late-move pruning (LMP), futility pruning and pruning by static exchange evaluation (SEE). Moves that a
//! node leaves out. Only play mode comes here.
//! Move pruning: late-move pruning (LMP), futility pruning and pruning by static exchange evaluation (SEE). Moves that a
//! node leaves out. Only play mode comes here.

use crate::chess::movegen::Checks;
use crate::chess::score::{self, INFINITE, Value};
use crate::chess::see;
use crate::search::history::is_quiet;
use crate::search::move_loop::ChildSearch;
use crate::search::move_picker::MovePicker;
use crate::search::pruning;
use crate::search::state::{Node, Search};
use shakmaty::Move;

impl Search<'_> {
    /// Whether a move is left out in play mode; then the honest bound on what it could have been worth
    /// (`-INFINITE` where nothing is claimed).
    pub(in crate::search) fn prune_move(
        &self,
        node: &Node,
        m: Move,
        alpha: Value,
        quiets: usize,
        plan: &ChildSearch,
        picker: &mut MovePicker<'_>,
    ) -> Option<Value> {
        let quiet = is_quiet(m);
        if node.position.in_check() || score::is_decisive(alpha) {
            return None;
        }
        let parameters = &self.settings.parameters;
        // What counts is how deep the move would be searched.
        let depth = if quiet { (plan.depth - plan.reduction).max(1) } else { node.depth };
        let hope = node.eval + parameters.futility_margin(depth);
        let enough = node.depth <= pruning::LATE_MOVE_DEPTH
            && quiets >= parameters.late_move_count(node.depth, node.improving);
        let futile = depth <= pruning::FUTILITY_DEPTH && hope <= alpha;
        if quiet && (enough || futile) {
            // A check may be the beginning of a mate; at depth 1 there is no time left for one.
            let checks = (node.depth >= pruning::QUIET_CHECKS_DEPTH).then(|| Checks::of(node.position));
            picker.skip_quiets(checks);
            if checks.is_none_or(|checks| !checks.given_by(m)) {
                return Some(if enough { -INFINITE } else { hope });
            }
        }
        let loses = || !see::see_ge(node.position, m, parameters.exchange_margin(depth, quiet));
        (depth <= pruning::EXCHANGE_DEPTH && loses()).then_some(-INFINITE)
    }
}
