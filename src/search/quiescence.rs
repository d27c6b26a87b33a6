//! Quiescence: the evaluation of a bottom position. Captures that do not lose are played out; a side in check
//! tries every evasion. In paper and strict mode its value is a function of the position alone.

use super::node::cutoff;
use crate::chess::movegen::encode;
use crate::chess::score::{self, INFINITE, Value, centipawns};
use crate::chess::{Position, see};
use crate::minimax::{Stopped, Window};
use crate::search::history::HistoryContext;
use crate::search::move_picker::MovePicker;
use crate::search::state::{ModeRules, Search};
use crate::search::transposition::NewEntry;
use shakmaty::{Bitboard, Move};

/// How far beyond its window, to both sides, a leaf of a full-width search is evaluated. MT gives a leaf both
/// bounds at once (TR figure 1); quiescence in a null window finds one of them, and the next question has to
/// evaluate the leaf again. An open window would find both at 13 times the quiescence, this margin finds
/// those that matter at 8 % more. Total nodes at depth 6: MTD(f) -4 to -5 %, Aspiration NegaScout -2 %.
const LEAF_MARGIN: Value = centipawns(50);

/// The window in which a leaf is evaluated.
fn leaf_window<R: ModeRules>(window: Window<Value>) -> Window<Value> {
    if R::SELECTIVE {
        return window;
    }
    Window::new((window.alpha - LEAF_MARGIN).max(-INFINITE), (window.beta + LEAF_MARGIN).min(INFINITE))
}

impl Search<'_> {
    /// A bottom position (the papers' NBP): answered by the table, or evaluated.
    pub(super) fn leaf<R: ModeRules>(
        &mut self,
        position: &Position,
        window: Window<Value>,
        ply: usize,
    ) -> Result<Value, Stopped> {
        self.resolve::<R>(position, window, ply, true)
    }

    /// A leaf or a position below one. Full-width searches look only leaves up in the table.
    fn resolve<R: ModeRules>(
        &mut self,
        position: &Position,
        window: Window<Value>,
        ply: usize,
        is_leaf: bool,
    ) -> Result<Value, Stopped> {
        self.pv_table.clear(ply);
        if let Some(value) = self.draw_or_max_ply::<R>(position, ply) {
            *self.counter(is_leaf) += 1;
            return Ok(value);
        }
        if R::SELECTIVE || is_leaf {
            return self.remembered_quiescence::<R>(position, window, ply, is_leaf);
        }
        self.stats.quiescence += 1;
        let eval = self.evaluate(position, None);
        Ok(self.captures::<R>(position, window, ply, eval, 0)?.0)
    }

    /// Where such a visit is counted.
    fn counter(&mut self, is_leaf: bool) -> &mut u64 {
        if is_leaf { &mut self.stats.leaf } else { &mut self.stats.quiescence }
    }

    /// Quiescence with the table around it.
    fn remembered_quiescence<R: ModeRules>(
        &mut self,
        position: &Position,
        window: Window<Value>,
        ply: usize,
        is_leaf: bool,
    ) -> Result<Value, Stopped> {
        let entry = self.tt.probe(position.key());
        if let Some(value) = entry.and_then(|entry| cutoff::<R>(&entry, window, 0, ply)) {
            self.stats.table += 1;
            return Ok(value);
        }
        let window = if is_leaf { leaf_window::<R>(window) } else { window };
        *self.counter(is_leaf) += 1;
        let raw_eval = self.evaluate(position, entry.as_ref());
        let eval = if R::SELECTIVE { self.correct(position, raw_eval, ply) } else { raw_eval };
        let table_move = entry.map_or(0, |entry| entry.best);
        let (value, best) = self.captures::<R>(position, window, ply, eval, table_move)?;
        let stored = score::to_table(value, ply);
        let new = NewEntry {
            best: best.map_or(0, encode),
            doubtful: value <= window.alpha,
            lower: (value > window.alpha).then_some(stored),
            upper: (value < window.beta).then_some(stored),
            depth: 0,
            eval: (raw_eval > -INFINITE).then_some(raw_eval),
        };
        self.tt.store(position.key(), &new, self.policy);
        Ok(value)
    }

    /// Stands pat or captures.
    fn captures<R: ModeRules>(
        &mut self,
        position: &Position,
        window: Window<Value>,
        ply: usize,
        eval: Value,
        table_move: u16,
    ) -> Result<(Value, Option<Move>), Stopped> {
        let mut best = if position.in_check() { score::mated_in(ply) } else { eval };
        if best >= window.beta {
            return Ok((best, None));
        }
        let mut best_move = None;
        let mut alpha = window.alpha.max(best);
        let context = HistoryContext { threats: Bitboard::EMPTY, ..self.context(ply) };
        let mut picker = MovePicker::noisy(position, table_move, context);
        while let Some(m) = picker.next(self.history) {
            if R::SELECTIVE && !position.in_check() && m.promotion().is_none() {
                // Delta pruning: not even the piece taken lifts us above alpha.
                let hope = eval
                    + m.capture().map_or(0, see::exchange_value)
                    + self.settings.parameters.delta_margin();
                if hope <= alpha {
                    best = best.max(hope);
                    continue;
                }
            }
            let child = position.play(m);
            self.tt.prefetch(child.key());
            self.begin_move(position, super::history::continuation_index(position.turn(), m), ply)?;
            self.stats.made_moves += 1;
            let value = -self.resolve::<R>(&child, Window::new(alpha, window.beta).flip(), ply + 1, false)?;
            self.keys.pop();
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
