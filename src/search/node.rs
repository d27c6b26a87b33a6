//! The node routine: MT, the memory-enhanced test (TR figure 1), as alpha-beta search of a window. Every
//! driver runs on it. It is fail-soft: the value returned is the tightest bound that was found.
//!
//! One generic function serves all modes and node types; the compiler makes a routine of each. The value of a
//! node is meant to depend on (position, depth, node type) alone: the type is handed down from the root and
//! never read off the window, so that a null window of MTD(f) and an open window of NegaScout see the same
//! tree.

use super::observer_calls::kind;
use super::singular::{MULTI_CUT, Singularity};
use super::static_eval::is_improving;
use super::tablebases::TablebaseProbe;
use super::tt_cutoff::{cutoff, tt_may_cut};
use crate::chess::Position;
use crate::chess::movegen::{attacked, encode};
use crate::chess::score::{self, DRAW, INFINITE, MAX_PLY, Value};
use crate::minimax::{Stopped, Window};
use crate::search::observe::Reason;
use crate::search::pruning::{MATE_DISTANCE, mate_distance_pruning};
use crate::search::state::{Best, ModeRules, Node, NodeType, Search};
use crate::search::transposition::{Entry, NewEntry};

impl Search<'_> {
    /// The value of a position in a window, `depth` plies deep, `ply` plies from the root.
    pub(super) fn node<R: ModeRules, N: NodeType>(
        &mut self,
        position: &Position,
        window: Window<Value>,
        depth: i32,
        ply: usize,
    ) -> Result<Value, Stopped> {
        debug_assert!(-INFINITE <= window.alpha && window.alpha < window.beta && window.beta <= INFINITE);
        if depth <= 0 {
            return self.leaf::<R>(position, window, ply);
        }
        self.pv_table.clear(ply);
        self.report_entry::<R>(position, window, depth, Some(kind::<N>()));
        if let Some(value) = self.value_before_search::<R>(position, window, ply) {
            self.stats.leaf += 1;
            return Ok(value);
        }
        // A search without the excluded move says nothing of the position's value.
        let complete = self.stack[ply].excluded == 0;
        let entry = self.tt.probe(position.key());
        if complete
            && tt_may_cut::<R, N>(position, ply)
            && let Some(value) = entry.and_then(|entry| cutoff::<R>(&entry, position, window, depth, ply))
        {
            self.stats.table += 1;
            return Ok(self.report_exit::<R>(value, Reason::TABLE));
        }
        let mut tb_bounds = (-INFINITE, INFINITE);
        if R::SELECTIVE && complete && self.tablebases.is_some() {
            match self.probe_tablebases(position, window, depth, ply) {
                TablebaseProbe::Cutoff(value) => {
                    self.stats.table += 1;
                    return Ok(self.report_exit::<R>(value, Reason::TABLEBASE));
                }
                TablebaseProbe::Bounds(bounds) => tb_bounds = bounds,
            }
        }
        self.stats.interior += 1;
        let mut node = self.set_up::<R>(position, window, depth, ply, entry.as_ref());
        if complete && let Some(value) = self.early_cutoff::<R, N>(&node)? {
            return Ok(value);
        }
        if R::SELECTIVE
            && let Some(entry) = entry
        {
            match self.singular::<R, N>(&node, &entry)? {
                Singularity::Extends(plies) => node.extension = plies,
                Singularity::Cuts(value) => return Ok(self.report_exit::<R>(value, MULTI_CUT)),
            }
        }
        let mut best = self.search_moves::<R, N>(&node)?;
        best.value = best.value.clamp(tb_bounds.0, tb_bounds.1);
        if complete {
            self.store(&node, &best);
        }
        if R::SELECTIVE && complete {
            self.update_correction_history(&node, &best);
        }
        Ok(self.report_exit_of_searched::<R>(position, window, best.value))
    }

    /// The value that needs neither the transposition table nor a search: a draw, mate-distance pruning, or
    /// an upcoming repetition.
    #[inline]
    fn value_before_search<R: ModeRules>(
        &mut self,
        position: &Position,
        window: Window<Value>,
        ply: usize,
    ) -> Option<Value> {
        if let Some(value) = self.draw_or_max_ply::<R>(position, ply) {
            return Some(self.report_exit_of_draw::<R>(position, value));
        }
        if !R::SELECTIVE {
            return None;
        }
        if let Some(value) = mate_distance_pruning(window, ply) {
            return Some(self.report_exit::<R>(value, MATE_DISTANCE));
        }
        let repeats = DRAW >= window.beta && self.upcoming_repetition(position);
        repeats.then(|| self.report_exit::<R>(DRAW, Reason::UPCOMING_REPETITION))
    }

    /// The node before its first move: the static evaluation, and, in play mode, the improving flag.
    fn set_up<'p, R: ModeRules>(
        &mut self,
        position: &'p Position,
        window: Window<Value>,
        depth: i32,
        ply: usize,
        entry: Option<&Entry>,
    ) -> Node<'p> {
        let mut node = Node {
            position,
            window,
            depth,
            ply,
            tt_move: entry.map_or(0, |entry| entry.best),
            excluded: self.stack[ply].excluded,
            raw_eval: -INFINITE,
            eval: -INFINITE,
            improving: false,
            extension: 0,
        };
        if R::SELECTIVE {
            // Before the evaluation, which takes as long as the memory of the transposition table.
            if depth >= self.settings.parameters.null_move_depth() {
                self.tt.prefetch(position.key_after_null_move());
            }
            (node.raw_eval, node.eval) = self.evaluate_corrected(position, entry, ply);
            node.improving = is_improving(&self.stack, node.eval, ply);
            self.stack[ply + 1].killers = [0; 2];
        }
        self.stack[ply].eval = node.eval;
        node
    }

    /// The stack entry of ply 0: threats for the histories, evaluation for the improving flag of the nodes
    /// below.
    pub(super) fn set_up_root(&mut self, root: &Position) {
        self.stack[0].threats = attacked(root.board(), !root.turn());
        (_, self.stack[0].eval) = self.evaluate_corrected(root, None, 0);
    }

    /// Cut-offs without a search of all moves: node pruning, then enhanced transposition cut-offs (ETC).
    fn early_cutoff<R: ModeRules, N: NodeType>(&mut self, node: &Node) -> Result<Option<Value>, Stopped> {
        if R::SELECTIVE
            && let Some(value) = self.prune_node::<R, N>(node)?
        {
            return Ok(Some(value));
        }
        let tries_etc = self.settings.enhanced_cutoffs > 0
            && node.depth >= self.settings.enhanced_cutoffs
            && tt_may_cut::<R, N>(node.position, node.ply);
        let value = if tries_etc { self.enhanced_cutoff::<R>(node) } else { None };
        Ok(value.map(|value| self.report_exit::<R>(value, Reason::ENHANCED_CUTOFF)))
    }

    /// The value of a draw (by dead position, repetition or the fifty-move rule), or of a line that is too
    /// long.
    pub(super) fn draw_or_max_ply<R: ModeRules>(&mut self, position: &Position, ply: usize) -> Option<Value> {
        self.stats.selective_depth = self.stats.selective_depth.max(ply);
        if position.is_dead() || R::PATH_DRAWS && self.is_draw_by_path(position) {
            return Some(DRAW);
        }
        (ply >= MAX_PLY - 1)
            .then(|| if position.in_check() { DRAW } else { self.evaluator.evaluate(position, ply) })
    }

    /// Stores the result in the transposition table: an upper bound on a fail-low, a lower bound on a
    /// fail-high, both in between (TR figure 1).
    fn store(&mut self, node: &Node, best: &Best) {
        let value = score::to_tt(best.value, node.ply);
        let failed_low = best.value <= node.window.alpha;
        let new = NewEntry {
            best: best.m.map_or(0, encode),
            failed_low,
            lower: (!failed_low).then_some(value),
            upper: (best.value < node.window.beta).then_some(value),
            depth: node.depth,
            eval: (node.raw_eval > -INFINITE).then_some(node.raw_eval),
        };
        self.tt.store(node.position.key(), &new, self.policy);
    }
}
