//! The move loop of a node: pruning, reduction and extension of each move, its search in a null window and
//! its re-search (principal variation search, NegaScout).

use crate::chess::movegen::{attacked, encode};
use crate::chess::score::{self, DRAW, INFINITE, MATE_BAND, Value};
use crate::chess::{Position, see};
use crate::minimax::{Stopped, Window};
use crate::search::history::{HistoryContext, continuation_index, is_quiet, store_killer};
use crate::search::move_picker::MovePicker;
use crate::search::observe::VisitPurpose;
use crate::search::parameters::parameters;
use crate::search::pruning::MovesBefore;
use crate::search::reduction::LmrInput;
use crate::search::state::{Best, ChildSearch, ModeRules, Node, NodeType, Pv, Search};
use arrayvec::ArrayVec;
use shakmaty::Move;

parameters! {
    /// Re-search of a move that beats alpha at a node of the principal variation where no scout went before
    /// (null windows, Alpha-Beta): 1 searches it again as such a node, 0 believes the value.
    verified_fail_highs: 0 in 0..=1;
}

impl Search<'_> {
    /// Searches the moves until one fails high.
    pub(super) fn search_moves<R: ModeRules, N: NodeType>(&mut self, node: &Node) -> Result<Best, Stopped> {
        let Node { position, window, ply, .. } = *node;
        if R::SELECTIVE {
            self.stack[ply].threats = attacked(position.board(), !position.turn());
        }
        let context = self.context(ply);
        let depth = if R::SELECTIVE { self.internal_iterative_reduction::<N>(node) } else { node.depth };
        let mut picker = MovePicker::new(position, node.tt_move, &self.stack[ply], context);
        let mut best = Best { value: -INFINITE, m: None };
        let mut tried = ArrayVec::<Move, 64>::new();
        let (mut alpha, mut count, mut quiets) = (window.alpha, 0, 0);
        let mut overlooked = false;
        while let Some(m) = picker.next(self.history, self.tt) {
            let bits = encode(m);
            if R::SELECTIVE && bits == node.excluded {
                continue;
            }
            if self.overlooks(position, m) {
                overlooked = true;
                continue;
            }
            let child_search = self.child_search::<R, N>(node, m, depth, count + 1, &context);
            if R::SELECTIVE
                && best.value > -MATE_BAND
                && let before = (MovesBefore { alpha, best: best.value, quiets })
                && let Some(bound) = self.prune_move::<R>(node, m, before, &child_search, &mut picker)
            {
                best.value = best.value.max(bound);
                continue;
            }
            // A child's own prefetch comes too late: the probe of a quiet move's child waits for 135 cycles
            // with it alone, and for 40 with this one before the search of the move before (bench 16, Zen 5,
            // 16 MiB).
            if R::SELECTIVE
                && let Some(next) = picker.peek()
            {
                self.tt.prefetch(position.likely_key_after(next));
            }
            count += 1;
            quiets += usize::from(is_quiet(m));
            let value =
                self.search_child::<R, N>(position, m, Window::new(alpha, window.beta), &child_search, ply)?;
            if value > best.value {
                best = Best { value, m: Some(m) };
                self.pv_table.extend(ply, m);
                alpha = alpha.max(value);
                if value >= window.beta {
                    self.stats.cutoff(node.depth, count);
                    self.update_history(node, m, &tried, &context);
                    break;
                }
            }
            let _ = tried.try_push(m);
        }
        if count == 0 {
            best.value = match (node.excluded, position.in_check()) {
                (0, true) => score::mated_in(ply),
                (0, false) => DRAW,
                // The excluded move is the only one: it is singular.
                _ => best.value.max(window.alpha),
            };
        }
        if overlooked && node.excluded == 0 && (count == 0 || best.value <= -MATE_BAND) {
            // No mate and no stalemate is claimed where a move was not looked at.
            best.value = self.evaluator.evaluate(position, ply);
        }
        Ok(best)
    }

    /// True if a player of limited strength does not see the move.
    #[inline]
    pub(super) fn overlooks(&self, position: &Position, m: Move) -> bool {
        self.settings.errors.is_some_and(|errors| errors.overlooked.overlooks(position, m))
    }

    /// Reduction and extension of the move that is searched as number `number`.
    fn child_search<R: ModeRules, N: NodeType>(
        &self,
        node: &Node,
        m: Move,
        depth: i32,
        number: usize,
        context: &HistoryContext,
    ) -> ChildSearch {
        let history = || self.history.of_quiet(node.position.turn(), m, context);
        let lmr = LmrInput { depth, number, pv: N::PV, cut: N::CUT, improving: node.improving };
        let extension = if encode(m) == node.tt_move { node.extension } else { 0 };
        ChildSearch { depth, number, reduction: self.reduction::<R>(m, &lmr, history), extension }
    }

    /// Makes a move and searches the child: the first move in the whole window, later ones reduced or in a
    /// null window first. Check extension: in play mode a check that loses no material is searched a ply
    /// deeper.
    pub(super) fn search_child<R: ModeRules, N: NodeType>(
        &mut self,
        position: &Position,
        m: Move,
        window: Window<Value>,
        child_search: &ChildSearch,
        ply: usize,
    ) -> Result<Value, Stopped> {
        let continuation = continuation_index(position.turn(), m);
        let child = self.play_prefetching::<R>(position, m, continuation, ply);
        self.begin_move(position, continuation, ply)?;
        self.stats.made_moves += 1;
        let extends_check = R::SELECTIVE && child.in_check() && see::see_ge(position, m, 0);
        let extension = if extends_check { child_search.extension.max(1) } else { child_search.extension };
        let depth = child_search.depth - 1 + extension;
        let value = if child_search.number == 1 {
            self.report_next::<R>(Some(m), VisitPurpose::Window);
            -self.node::<R, N::First>(&child, window.flip(), depth, ply + 1)?
        } else {
            let reduction = if extension == 0 { child_search.reduction } else { 0 };
            self.search_later_child::<R, N>((m, &child), window, depth, reduction, ply)?
        };
        self.key_history.pop();
        Ok(value)
    }

    /// Searches a later child: reduced, then re-searched in full depth, then (NegaScout in an open window) as
    /// a PV node. Alpha-Beta uses the same window for all of these. In a null window and in Alpha-Beta a move
    /// whose value exceeds alpha is not searched again as a PV node, unless the parameter
    /// `verified_fail_highs` says so.
    fn search_later_child<R: ModeRules, N: NodeType>(
        &mut self,
        (m, child): (Move, &Position),
        window: Window<Value>,
        depth: i32,
        reduction: i32,
        ply: usize,
    ) -> Result<Value, Stopped> {
        let first_window = if self.scouts { window.scout() } else { window };
        if reduction > 0 {
            let reduced = (depth - reduction).max(1);
            self.report_next::<R>(Some(m), VisitPurpose::Reduced);
            let value = -self.node::<R, N::Rest>(child, first_window.flip(), reduced, ply + 1)?;
            if value <= window.alpha {
                return Ok(value);
            }
        }
        let role = match (reduction > 0, first_window == window) {
            (true, _) => VisitPurpose::FullDepth,
            (false, true) => VisitPurpose::Window,
            (false, false) => VisitPurpose::Scout,
        };
        self.report_next::<R>(Some(m), role);
        let value = -self.node::<R, N::Rest>(child, first_window.flip(), depth, ply + 1)?;
        let searched_again = match first_window == window {
            true => R::SELECTIVE && N::PV && self.settings.parameters.verified_fail_highs() == 1,
            false => value < window.beta,
        };
        if value > window.alpha && searched_again {
            self.report_next::<R>(Some(m), VisitPurpose::Research);
            return Ok(-self.node::<R, Pv>(child, window.flip(), depth, ply + 1)?);
        }
        Ok(value)
    }

    /// Updates killer moves and histories after a cut-off by `best`.
    fn update_history(&mut self, node: &Node, best: Move, tried: &[Move], context: &HistoryContext) {
        if is_quiet(best) {
            store_killer(&mut self.stack[node.ply].killers, best);
        }
        let bonus = self.settings.parameters.history_bonus(node.depth);
        self.history.reward(node.position.turn(), best, tried, bonus, context);
    }
}
