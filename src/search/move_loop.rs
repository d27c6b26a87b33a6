//! The moves of a node, one after another: which are left out, how deep each is searched, who is asked again.

use super::node::{Best, Kind, Node, Pv, Rules, Search};
use super::pruning::{self, Late};
use crate::chess::movegen::{Checks, encode};
use crate::chess::score::{self, DRAW, INFINITE, MATE_BAND, Value};
use crate::chess::{Position, see};
use crate::minimax::{Stopped, Window};
use crate::search::move_picker::{Context, Picker, is_quiet, remember_killer, row};
use arrayvec::ArrayVec;
use shakmaty::Move;

/// How a move is to be searched.
pub(super) struct Plan {
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
    pub(super) fn moves<R: Rules, K: Kind>(&mut self, node: &Node) -> Result<Best, Stopped> {
        let Node { position, window, ply, .. } = *node;
        let context = self.context(ply);
        let depth = if R::SELECTIVE { shallower_without_a_move::<K>(node) } else { node.depth };
        let mut picker = Picker::new(position, node.table_move, &self.frames[ply], context);
        let mut best = Best { value: -INFINITE, m: None };
        let mut tried = ArrayVec::<Move, 64>::new();
        let (mut alpha, mut count, mut quiets) = (window.alpha, 0, 0);
        while let Some(m) = picker.next(self.histories) {
            let bits = encode(m);
            if R::SELECTIVE && bits == node.excluded {
                continue;
            }
            let plan = self.plan::<R, K>(node, m, depth, count + 1, &context);
            if R::SELECTIVE
                && best.value > -MATE_BAND
                && let Some(bound) = self.skip(node, m, alpha, quiets, &plan, &mut picker)
            {
                best.value = best.value.max(bound);
                continue;
            }
            count += 1;
            quiets += usize::from(is_quiet(m));
            let value = self.child::<R, K>(position, m, Window::new(alpha, window.beta), &plan, ply)?;
            if value > best.value {
                best = Best { value, m: Some(m) };
                self.lines.extend(ply, m);
                alpha = alpha.max(value);
                if value >= window.beta {
                    self.stats.cutoff(node.depth, count);
                    self.reward(node, m, &tried, &context);
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
    fn plan<R: Rules, K: Kind>(
        &self,
        node: &Node,
        m: Move,
        depth: i32,
        number: usize,
        context: &Context,
    ) -> Plan {
        let history = || self.histories.of_quiet(node.position.turn(), m, context);
        let late = Late { depth, number, pv: K::PV, cut: K::CUT, improving: node.improving };
        let extension = if encode(m) == node.table_move { node.extension } else { 0 };
        Plan { depth, number, reduction: self.reduction::<R>(m, &late, history), extension }
    }

    /// How much less deep a move is searched at first, in plies.
    pub(super) fn reduction<R: Rules>(&self, m: Move, late: &Late, history: impl Fn() -> i32) -> i32 {
        let applies = R::SELECTIVE && is_quiet(m) && late.is_reduced();
        if applies { self.settings.parameters.late_move_reduction(late, history()) } else { 0 }
    }

    /// Whether a move is left out in play mode; then the honest bound on what it could have been worth
    /// (`-INFINITE` where nothing is claimed).
    fn skip(
        &self,
        node: &Node,
        m: Move,
        alpha: Value,
        quiets: usize,
        plan: &Plan,
        picker: &mut Picker<'_>,
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
        let loses = || !see::gains(node.position, m, parameters.exchange_margin(depth, quiet));
        (depth <= pruning::EXCHANGE_DEPTH && loses()).then_some(-INFINITE)
    }

    /// Plays a move and searches what follows: the first move in the whole window, later ones reduced or
    /// scouted first. In play mode a check that loses nothing is searched a ply deeper.
    pub(super) fn child<R: Rules, K: Kind>(
        &mut self,
        position: &Position,
        m: Move,
        window: Window<Value>,
        plan: &Plan,
        ply: usize,
    ) -> Result<Value, Stopped> {
        let child = position.play(m);
        self.table.prefetch(child.key());
        self.begin_move(position, row(position.turn(), m), ply)?;
        self.stats.made += 1;
        let checks = R::SELECTIVE && child.in_check() && see::gains(position, m, 0);
        let extension = if checks { plan.extension.max(1) } else { plan.extension };
        let depth = plan.depth - 1 + extension;
        let value = if plan.number == 1 {
            -self.node::<R, K::First>(&child, window.flip(), depth, ply + 1)?
        } else {
            let reduction = if extension == 0 { plan.reduction } else { 0 };
            self.later_child::<R, K>(&child, window, depth, reduction, ply)?
        };
        self.keys.pop();
        Ok(value)
    }

    /// A later move: with less depth, then with all of it, then (NegaScout in an open window) as a new
    /// principal variation. Alpha-Beta asks every one of these questions with the same window.
    fn later_child<R: Rules, K: Kind>(
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
            let value = -self.node::<R, K::Rest>(child, asked.flip(), reduced, ply + 1)?;
            if value <= window.alpha {
                return Ok(value);
            }
        }
        let value = -self.node::<R, K::Rest>(child, asked.flip(), depth, ply + 1)?;
        if value > window.alpha && value < window.beta && asked != window {
            return Ok(-self.node::<R, Pv>(child, window.flip(), depth, ply + 1)?);
        }
        Ok(value)
    }

    fn reward(&mut self, node: &Node, best: Move, tried: &[Move], context: &Context) {
        if is_quiet(best) {
            remember_killer(&mut self.frames[node.ply], best);
        }
        let bonus = self.settings.parameters.history_bonus(node.depth);
        self.histories.reward(node.position.turn(), best, tried, bonus, context);
    }
}

/// Internal iterative reduction: where the table knows no move, a ply less finds one for the next visit.
fn shallower_without_a_move<K: Kind>(node: &Node) -> i32 {
    let unknown =
        node.table_move == 0 && node.excluded == 0 && node.depth >= pruning::INTERNAL_REDUCTION_DEPTH;
    node.depth - i32::from(unknown && (K::PV || K::CUT))
}
