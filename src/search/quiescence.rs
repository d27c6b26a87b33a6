//! Quiescence search: evaluates a leaf by stand pat, captures that do not lose material, and every evasion of
//! a check. In paper and strict mode its value is a function of the position alone.

use super::tt_cutoff::{cutoff, tt_may_cut_leaf};
use crate::chess::Position;
use crate::chess::movegen::encode;
use crate::chess::score::{self, INFINITE, Value, centipawns};
use crate::minimax::{Stopped, Window};
use crate::search::history::{HistoryContext, continuation_index};
use crate::search::move_picker::MovePicker;
use crate::search::observe::{Reason, VisitPurpose};
use crate::search::state::{ModeRules, Search};
use crate::search::transposition::NewEntry;
use shakmaty::{Bitboard, Move};

/// Margin by which the window is widened, to both sides, for a leaf of a full-width search. MT gives a leaf
/// both bounds at once (TR figure 1); quiescence search in a null window finds one of them, and the next pass
/// has to evaluate the leaf again. An open window would find both at 13 times the quiescence nodes, this
/// margin finds those that matter at 8 % more. Total nodes at depth 6: MTD(f) -4 to -5 %, Aspiration
/// NegaScout -2 %.
const LEAF_MARGIN: Value = centipawns(50);

/// The window in which a leaf is evaluated.
fn leaf_window<R: ModeRules>(window: Window<Value>) -> Window<Value> {
    if R::SELECTIVE {
        return window;
    }
    Window::new((window.alpha - LEAF_MARGIN).max(-INFINITE), (window.beta + LEAF_MARGIN).min(INFINITE))
}

impl Search<'_> {
    /// A leaf (the papers' NBP): cut by the transposition table, or evaluated by quiescence search.
    pub(super) fn leaf<R: ModeRules>(
        &mut self,
        position: &Position,
        window: Window<Value>,
        ply: usize,
    ) -> Result<Value, Stopped> {
        self.quiescence::<R>(position, window, ply, true)
    }

    /// A leaf or a position below one. Full-width searches probe the transposition table only at leaves.
    fn quiescence<R: ModeRules>(
        &mut self,
        position: &Position,
        window: Window<Value>,
        ply: usize,
        is_leaf: bool,
    ) -> Result<Value, Stopped> {
        self.pv_table.clear(ply);
        self.report_entry::<R>(position, window, 0, None);
        if let Some(value) = self.draw_or_max_ply::<R>(position, ply) {
            *self.counter(is_leaf) += 1;
            return Ok(self.report_exit_of_draw::<R>(position, value));
        }
        if R::SELECTIVE || is_leaf {
            return self.quiescence_with_tt::<R>(position, window, ply, is_leaf);
        }
        self.stats.quiescence += 1;
        let eval = self.evaluate(position, None, ply);
        let (value, best) = self.search_captures::<R>(position, window, ply, eval, 0)?;
        Ok(self.report_exit_of_leaf::<R>(position, window, value, best))
    }

    /// The counter of such a visit.
    fn counter(&mut self, is_leaf: bool) -> &mut u64 {
        if is_leaf { &mut self.stats.leaf } else { &mut self.stats.quiescence }
    }

    /// Quiescence search with a probe and a store of the transposition table.
    fn quiescence_with_tt<R: ModeRules>(
        &mut self,
        position: &Position,
        window: Window<Value>,
        ply: usize,
        is_leaf: bool,
    ) -> Result<Value, Stopped> {
        let entry = self.tt.probe(position.key());
        if tt_may_cut_leaf::<R>(position)
            && let Some(value) = entry.and_then(|entry| cutoff::<R>(&entry, position, window, 0, ply))
        {
            self.stats.table += 1;
            return Ok(self.report_exit::<R>(value, Reason::TABLE));
        }
        let window = if is_leaf { leaf_window::<R>(window) } else { window };
        *self.counter(is_leaf) += 1;
        let (raw_eval, eval) = if R::SELECTIVE {
            self.evaluate_corrected(position, entry.as_ref(), ply)
        } else {
            let eval = self.evaluate(position, entry.as_ref(), ply);
            (eval, eval)
        };
        let tt_move = entry.map_or(0, |entry| entry.best);
        let (value, best) = self.search_captures::<R>(position, window, ply, eval, tt_move)?;
        let stored = score::to_tt(value, ply);
        let new = NewEntry {
            best: best.map_or(0, encode),
            failed_low: value <= window.alpha,
            lower: (value > window.alpha).then_some(stored),
            upper: (value < window.beta).then_some(stored),
            depth: 0,
            eval: (raw_eval > -INFINITE).then_some(raw_eval),
        };
        self.tt.store(position.key(), &new, self.policy);
        Ok(self.report_exit_of_leaf::<R>(position, window, value, best))
    }

    /// Reports the end of the visit of a leaf or of a position below one; returns its value.
    #[inline(always)]
    fn report_exit_of_leaf<R: ModeRules>(
        &mut self,
        position: &Position,
        window: Window<Value>,
        value: Value,
        best: Option<Move>,
    ) -> Value {
        if R::OBSERVED {
            // Stalemate is not seen here: the evaluation stands.
            let reason = match best {
                None if position.is_checkmate() => Reason::GAME_OVER,
                _ if value < window.beta => Reason::ALL_MOVES,
                None => Reason::STAND_PAT,
                Some(_) => Reason::BOUND,
            };
            self.report_exit::<R>(value, reason);
        }
        value
    }

    /// Stand pat, then captures (evasions in check) until one fails high. Returns the best value and its
    /// move.
    fn search_captures<R: ModeRules>(
        &mut self,
        position: &Position,
        window: Window<Value>,
        ply: usize,
        eval: Value,
        tt_move: u16,
    ) -> Result<(Value, Option<Move>), Stopped> {
        let mut best = if position.in_check() { score::mated_in(ply) } else { eval };
        if best >= window.beta {
            return Ok((best, None));
        }
        let mut best_move = None;
        let mut alpha = window.alpha.max(best);
        let context = HistoryContext { threats: Bitboard::EMPTY, ..self.context(ply) };
        let mut picker = MovePicker::noisy(position, tt_move, context);
        while let Some(m) = picker.next(self.history, self.tt) {
            if self.overlooks(position, m) {
                continue;
            }
            if let Some(bound) = self.delta::<R>(position, m, eval, alpha) {
                best = best.max(bound);
                continue;
            }
            let continuation = continuation_index(position.turn(), m);
            let child = self.play_prefetching::<R>(position, m, continuation, ply);
            self.begin_move(position, continuation, ply)?;
            self.stats.made_moves += 1;
            self.report_next::<R>(Some(m), VisitPurpose::Quiescence);
            let value =
                -self.quiescence::<R>(&child, Window::new(alpha, window.beta).flip(), ply + 1, false)?;
            self.key_history.pop();
            if value > best {
                best = value;
                best_move = Some(m);
                self.pv_table.extend(ply, m);
                alpha = alpha.max(value);
                if value >= window.beta {
                    break;
                }
            }
        }
        Ok((best, best_move))
    }
}
