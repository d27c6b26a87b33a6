//! Forward pruning, one file per technique. Only play mode prunes.
//!
//! | file | technique | where |
//! |---|---|---|
//! | [`mate_distance`] | mate-distance pruning | a node, before anything else |
//! | [`reverse_futility`] | reverse futility pruning | a node |
//! | [`null_move`] | null move pruning | a node |
//! | [`late_move`] | late move pruning (LMP) | a quiet move |
//! | [`futility`] | futility pruning | a quiet move |
//! | [`see`] | SEE pruning (static exchange evaluation) | any move |
//! | [`delta`] | delta pruning | a capture of quiescence search |
//!
//! [`Search::prune_node`] and [`Search::prune_move`] try those from reverse futility to SEE pruning in this
//! order; `node.rs` calls mate-distance pruning, `quiescence.rs` delta pruning. CONTRIBUTING.md says how to
//! add one.
//!
//! MTD needs a node's value to depend on (position, depth, node type), while the bound only decides how early
//! the search of the node ends. So pruning returns the bound that it proves (`eval - margin`, not `eval`:
//! else the bounds of MTD(f) creep by one unit a pass). Deviations, where the bound decides what is searched:
//! - the null move is tried only where the evaluation is not below beta;
//! - late moves that beat alpha after a reduction are searched again;
//! - late move pruning and SEE pruning return no bound, and late move pruning depends on the values of
//!   earlier moves, which are bounds;
//! - a singular move at a node that fails high without it is not searched (multi-cut), and one whose lower
//!   bound reaches beta is not extended.
//!
//! Deviations in time: histories and correction history change between two visits, and the transposition
//! table's bounds decide which move may be singular.

mod delta;
mod futility;
mod late_move;
mod mate_distance;
mod null_move;
mod reverse_futility;
mod see;

pub(super) use mate_distance::{MATE_DISTANCE, mate_distance_pruning};

use crate::chess::movegen::Checks;
use crate::chess::score::{self, Value};
use crate::minimax::Stopped;
use crate::search::history::is_quiet;
use crate::search::move_picker::MovePicker;
use crate::search::observe::Reason;
use crate::search::parameters::{Parameter, parameters};
use crate::search::state::{ChildSearch, ModeRules, Node, NodeType, Search};
use shakmaty::Move;

parameters! {
    /// Late move and futility pruning: the shallowest node at which checks are searched, in plies.
    quiet_checks_depth: 2 in 1..=8;
}

/// The parameters of all techniques.
pub(super) const PARAMETERS_OF_ALL: &[&[Parameter]] = &[
    reverse_futility::PARAMETERS,
    null_move::PARAMETERS,
    late_move::PARAMETERS,
    futility::PARAMETERS,
    PARAMETERS,
    see::PARAMETERS,
    delta::PARAMETERS,
];

/// The state of a node before one of its moves.
#[derive(Clone, Copy)]
pub(super) struct MovesBefore {
    /// The lower end of the window.
    pub(super) alpha: Value,
    /// The best value of the moves before, or the highest bound of a pruned one.
    pub(super) best: Value,
    /// Number of quiet moves that were searched.
    pub(super) quiets: usize,
}

/// A move that may be pruned.
#[derive(Clone, Copy)]
struct Candidate {
    m: Move,
    quiet: bool,
    /// The depth that it would be searched with: quiet moves are pruned by their reduced depth.
    depth: i32,
    before: MovesBefore,
}

/// An upper bound on the value of a pruned move, `-INFINITE` where none is claimed, and the technique that
/// prunes it.
type PrunedMove = (Value, Reason);

impl Search<'_> {
    /// Node pruning: a bound on the node's value that makes it fail high without a search of its moves, if
    /// there is one. Every bound is a true one, margin included.
    pub(super) fn prune_node<R: ModeRules, N: NodeType>(
        &mut self,
        node: &Node,
    ) -> Result<Option<Value>, Stopped> {
        if N::PV || node.position.in_check() || score::is_decisive(node.window.beta) {
            return Ok(None);
        }
        if let Some(value) = self.reverse_futility(node) {
            return Ok(Some(self.report_exit::<R>(value, reverse_futility::REVERSE_FUTILITY)));
        }
        self.null_move::<R, N>(node)
    }

    /// Move pruning: returns an upper bound on the move's value, `-INFINITE` where none is claimed; `None` if
    /// the move is to be searched.
    pub(super) fn prune_move<R: ModeRules>(
        &mut self,
        node: &Node,
        m: Move,
        before: MovesBefore,
        child_search: &ChildSearch,
        picker: &mut MovePicker<'_>,
    ) -> Option<Value> {
        if node.position.in_check() || score::is_decisive(before.alpha) {
            return None;
        }
        let quiet = is_quiet(m);
        let depth = if quiet { (child_search.depth - child_search.reduction).max(1) } else { node.depth };
        let candidate = Candidate { m, quiet, depth, before };
        let pruned =
            self.prune_quiets(node, &candidate, picker).or_else(|| self.loses_material(node, &candidate));
        pruned.map(|(bound, reason)| self.note_pruned::<R>(m, bound, reason))
    }

    /// Prunes a quiet move and all that follow, except checks: a check may be the beginning of a mate. At
    /// depth 1 there is no time left for one.
    fn prune_quiets(
        &self,
        node: &Node,
        candidate: &Candidate,
        picker: &mut MovePicker<'_>,
    ) -> Option<PrunedMove> {
        if !candidate.quiet {
            return None;
        }
        let pruned = self.late_move(node, candidate).or_else(|| self.futility(node, candidate))?;
        let spares_checks = node.depth >= self.settings.parameters.quiet_checks_depth();
        let checks = spares_checks.then(|| Checks::of(node.position));
        picker.skip_quiets(checks);
        checks.is_none_or(|checks| !checks.given_by(candidate.m)).then_some(pruned)
    }
}
