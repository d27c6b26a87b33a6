//! The moves of a node, one after another: which are left out, how deep each is searched, who is asked again.

use crate::chess::movegen::encode;
use crate::chess::score::{self, DRAW, INFINITE, MATE_BAND, Value};
use crate::chess::{Position, see};
use crate::minimax::{Stopped, Window};
use crate::search::history::{HistoryContext, continuation_index, is_quiet, store_killer};
use crate::search::move_picker::MovePicker;
use crate::search::reduction::{LmrInput, internal_iterative_reduction};
use crate::search::state::{Best, ModeRules, Node, NodeType, Pv, Search};
use arrayvec::ArrayVec;
use shakmaty::Move;

/// How a move is to be searched.
pub(super) struct ChildSearch {
    /// Depth left where it is tried, in plies.
    pub(super) depth: i32,
    /// Its number among the moves tried, from 1.
    pub(super) number: usize,
    /// How much less deep it is searched at first, in plies.
    pub(super) reduction: i32,
    /// How much deeper than its siblings, in plies.
    pub(super) extension: i32,
}

impl Search<'_> {
    /// Tries the moves until one fails high.
    pub(super) fn search_moves<R: ModeRules, N: NodeType>(&mut self, node: &Node) -> Result<Best, Stopped> {
        let Node { position, window, ply, .. } = *node;
        let context = self.context(ply);
        let depth = if R::SELECTIVE { internal_iterative_reduction::<N>(node) } else { node.depth };
        let mut picker = MovePicker::new(position, node.table_move, &self.stack[ply], context);
        let mut best = Best { value: -INFINITE, m: None };
        let mut tried = ArrayVec::<Move, 64>::new();
        let (mut alpha, mut count, mut quiets) = (window.alpha, 0, 0);
        while let Some(m) = picker.next(self.history) {
            let bits = encode(m);
            if R::SELECTIVE && bits == node.excluded {
                continue;
            }
            let plan = self.plan::<R, N>(node, m, depth, count + 1, &context);
            if R::SELECTIVE
                && best.value > -MATE_BAND
                && let Some(bound) = self.prune_move(node, m, alpha, quiets, &plan, &mut picker)
            {
                best.value = best.value.max(bound);
                continue;
            }
            count += 1;
            quiets += usize::from(is_quiet(m));
            let value =
                self.search_child::<R, N>(position, m, Window::new(alpha, window.beta), &plan, ply)?;
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
                // Without the only move there is nothing: it stands alone.
                _ => best.value.max(window.alpha),
            };
        }
        Ok(best)
    }

    /// How a move is to be searched that is tried as number `number`.
    fn plan<R: ModeRules, N: NodeType>(
        &self,
        node: &Node,
        m: Move,
        depth: i32,
        number: usize,
        context: &HistoryContext,
    ) -> ChildSearch {
        let history = || self.history.of_quiet(node.position.turn(), m, context);
        let late = LmrInput { depth, number, pv: N::PV, cut: N::CUT, improving: node.improving };
        let extension = if encode(m) == node.table_move { node.extension } else { 0 };
        ChildSearch { depth, number, reduction: self.reduction::<R>(m, &late, history), extension }
    }

    /// Plays a move and searches what follows: the first move in the whole window, later ones reduced or
    /// scouted first. In play mode a check that loses nothing is searched a ply deeper.
    pub(super) fn search_child<R: ModeRules, N: NodeType>(
        &mut self,
        position: &Position,
        m: Move,
        window: Window<Value>,
        plan: &ChildSearch,
        ply: usize,
    ) -> Result<Value, Stopped> {
        let child = position.play(m);
        self.tt.prefetch(child.key());
        self.begin_move(position, continuation_index(position.turn(), m), ply)?;
        self.stats.made_moves += 1;
        let checks = R::SELECTIVE && child.in_check() && see::see_ge(position, m, 0);
        let extension = if checks { plan.extension.max(1) } else { plan.extension };
        let depth = plan.depth - 1 + extension;
        let value = if plan.number == 1 {
            -self.node::<R, N::First>(&child, window.flip(), depth, ply + 1)?
        } else {
            let reduction = if extension == 0 { plan.reduction } else { 0 };
            self.search_later_child::<R, N>(&child, window, depth, reduction, ply)?
        };
        self.keys.pop();
        Ok(value)
    }

    /// A later move: with less depth, then with all of it, then (NegaScout in an open window) as a new
    /// principal variation. Alpha-Beta asks every one of these questions with the same window.
    fn search_later_child<R: ModeRules, N: NodeType>(
        &mut self,
        child: &Position,
        window: Window<Value>,
        depth: i32,
        reduction: i32,
        ply: usize,
    ) -> Result<Value, Stopped> {
        let asked = if self.scouts { window.scout() } else { window };
        if reduction > 0 {
            let reduced = (depth - reduction).max(1);
            let value = -self.node::<R, N::Rest>(child, asked.flip(), reduced, ply + 1)?;
            if value <= window.alpha {
                return Ok(value);
            }
        }
        let value = -self.node::<R, N::Rest>(child, asked.flip(), depth, ply + 1)?;
        if value > window.alpha && value < window.beta && asked != window {
            return Ok(-self.node::<R, Pv>(child, window.flip(), depth, ply + 1)?);
        }
        Ok(value)
    }

    fn update_history(&mut self, node: &Node, best: Move, tried: &[Move], context: &HistoryContext) {
        if is_quiet(best) {
            store_killer(&mut self.stack[node.ply], best);
        }
        let bonus = self.settings.parameters.history_bonus(node.depth);
        self.history.reward(node.position.turn(), best, tried, bonus, context);
    }
}
