//! The node routine: MT, the memory-enhanced test (TR figure 1), in its window form. Every backend runs on
//! it. Fail-soft throughout: what is returned is a bound as tight as was found.
//!
//! One text serves all modes and node kinds; the compiler makes a routine of each. The value of a node is
//! meant to depend on (position, depth, expected kind) alone: a kind is handed down from the root and never
//! read off the window, so that a null window of MTD(f) and an open window of NegaScout see the same tree.

use super::singular::Singularity;
use super::tablebases::TablebaseProbe;
use crate::chess::Position;
use crate::chess::movegen::{attacked, encode};
use crate::chess::score::{self, DRAW, INFINITE, MAX_PLY, Value};
use crate::minimax::{Stopped, Window};
use crate::search::history::{HistoryContext, NO_CONTINUATION, is_quiet};
use crate::search::pruning::forward::mate_distance_pruning;
use crate::search::state::{Best, ModeRules, Node, NodeType, Search, StackEntry};
use crate::search::transposition::{Entry, NewEntry};
use arrayvec::ArrayVec;

/// Plies without a capture or a pawn move from which on play mode takes no answer from the table: ten plies
/// before the fifty-move rule.
const HALFMOVES_WITHOUT_CUTOFFS: u32 = 90;

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
        if let Some(value) = self.draw_or_max_ply::<R>(position, ply) {
            self.stats.leaf += 1;
            return Ok(value);
        }
        if R::SELECTIVE
            && let Some(value) = mate_distance_pruning(window, ply)
        {
            self.stats.leaf += 1;
            return Ok(value);
        }
        if R::SELECTIVE && DRAW >= window.beta && self.upcoming_repetition(position) {
            self.stats.leaf += 1;
            return Ok(DRAW);
        }
        let whole = self.stack[ply].excluded == 0;
        let entry = self.tt.probe(position.key());
        if whole
            && table_may_cut::<R, N>(position, ply)
            && let Some(value) = entry.and_then(|entry| cutoff::<R>(&entry, window, depth, ply))
        {
            self.stats.table += 1;
            return Ok(value);
        }
        let mut known = (-INFINITE, INFINITE);
        if R::SELECTIVE && whole && self.tablebases.is_some() {
            match self.probe_tablebases(position, window, depth, ply) {
                TablebaseProbe::Answer(value) => return Ok(value),
                TablebaseProbe::Within(bounds) => known = bounds,
            }
        }
        self.stats.interior += 1;
        let mut node = self.set_up::<R>(position, window, depth, ply, entry.as_ref());
        if whole && let Some(value) = self.early_answer::<R, N>(&node)? {
            return Ok(value);
        }
        if R::SELECTIVE
            && let Some(entry) = entry
        {
            match self.singular::<R, N>(&node, &entry)? {
                Singularity::Extends(plies) => node.extension = plies,
                Singularity::Cuts(value) => return Ok(value),
            }
        }
        let mut best = self.search_moves::<R, N>(&node)?;
        best.value = best.value.clamp(known.0, known.1);
        if whole {
            self.store(&node, &best);
        }
        if R::SELECTIVE && whole {
            self.update_correction_history(&node, &best);
        }
        Ok(best.value)
    }

    /// What a node sees of itself at first sight.
    fn set_up<'p, R: ModeRules>(
        &mut self,
        position: &'p Position,
        window: Window<Value>,
        depth: i32,
        ply: usize,
        entry: Option<&Entry>,
    ) -> Node<'p> {
        let table_move = entry.map_or(0, |entry| entry.best);
        let excluded = self.stack[ply].excluded;
        let blank = -INFINITE;
        let mut node = Node {
            position,
            window,
            depth,
            ply,
            table_move,
            excluded,
            raw_eval: blank,
            eval: blank,
            improving: false,
            extension: 0,
        };
        if R::SELECTIVE {
            node.raw_eval = self.evaluate(position, entry);
            node.eval = self.correct(position, node.raw_eval, ply);
            node.improving = is_improving(&self.stack, node.eval, ply);
            self.stack[ply].threats = attacked(position.board(), !position.turn());
            self.stack[ply + 1].killers = [0; 2];
        }
        self.stack[ply].eval = node.eval;
        node
    }

    /// Notes at ply 0 what the nodes below compare themselves with, and what the histories know the root by.
    pub(super) fn set_up_root(&mut self, root: &Position) {
        let eval = self.evaluate(root, None);
        self.stack[0].threats = attacked(root.board(), !root.turn());
        self.stack[0].eval = self.correct(root, eval, 0);
    }

    /// An answer without trying all moves: forward pruning, transposition cut-offs.
    fn early_answer<R: ModeRules, N: NodeType>(&mut self, node: &Node) -> Result<Option<Value>, Stopped> {
        if R::SELECTIVE
            && let Some(value) = self.prune_node::<R, N>(node)?
        {
            return Ok(Some(value));
        }
        let tries = self.settings.enhanced_cutoffs > 0
            && node.depth >= self.settings.enhanced_cutoffs
            && table_may_cut::<R, N>(node.position, node.ply);
        Ok(if tries { self.enhanced_cutoff::<R>(node) } else { None })
    }

    /// Draws, and lines that are too long.
    pub(super) fn draw_or_max_ply<R: ModeRules>(&mut self, position: &Position, ply: usize) -> Option<Value> {
        self.stats.selective_depth = self.stats.selective_depth.max(ply);
        if position.is_dead() || R::PATH_DRAWS && self.is_draw_by_path(position) {
            return Some(DRAW);
        }
        (ply >= MAX_PLY - 1)
            .then(|| if position.in_check() { DRAW } else { self.evaluator.evaluate(position) })
    }

    /// The static evaluation, from the table if it knows it; `-INFINITE` in check.
    pub(super) fn evaluate(&mut self, position: &Position, entry: Option<&Entry>) -> Value {
        if position.in_check() {
            return -INFINITE;
        }
        entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluator.evaluate(position))
    }

    /// The evaluation as it should have been; `-INFINITE` stays what it is.
    pub(super) fn correct(&self, position: &Position, eval: Value, ply: usize) -> Value {
        if eval == -INFINITE {
            eval
        } else {
            self.correction_history.correct(position, &self.context(ply), eval, &self.settings.parameters)
        }
    }

    /// Transposition cut-offs before any search (TR section 5: ETC): a child that the table knows to be bad
    /// for the opponent makes this a cut node.
    fn enhanced_cutoff<R: ModeRules>(&mut self, node: &Node) -> Option<Value> {
        let mut moves = shakmaty::MoveList::new();
        crate::chess::movegen::all(node.position, &mut moves);
        let keys: ArrayVec<u64, 270> = moves.iter().map(|&m| node.position.play(m).key()).collect();
        keys.iter().for_each(|&key| self.tt.prefetch(key));
        let since = self.repeatable_from(node.position);
        let drawn = |key| node.position.halfmoves() >= 99 || self.keys[since..].contains(&key);
        for &key in &keys {
            // A child drawn by the path is worth a draw, whatever the table says of its position.
            if R::PATH_DRAWS && drawn(key) {
                continue;
            }
            let Some(entry) = self.tt.probe(key) else { continue };
            let (_, upper) = entry.interval(node.depth - 1, R::EXACT_DEPTH);
            let value = -score::from_table(upper, node.ply + 1);
            if upper < INFINITE && value >= node.window.beta {
                return Some(value);
            }
        }
        None
    }

    /// Notes the move about to be tried at `ply`, and asks the watch whether to go on.
    pub(super) fn begin_move(
        &mut self,
        position: &Position,
        continuation: usize,
        ply: usize,
    ) -> Result<(), Stopped> {
        self.poll_control()?;
        self.stack[ply].continuation = continuation;
        self.keys.push(position.key());
        Ok(())
    }

    /// The same for a null move; returns what [`Search::end_null_move`] is to be told.
    pub(super) fn begin_null_move(&mut self, position: &Position, ply: usize) -> Result<usize, Stopped> {
        self.begin_move(position, NO_CONTINUATION, ply)?;
        Ok(std::mem::replace(&mut self.since_null_move, self.keys.len()))
    }

    /// The null move is taken back, also where its search was stopped.
    pub(super) fn end_null_move(&mut self, before: usize) {
        self.since_null_move = before;
    }

    /// Asks the watch whether to go on, if its time has come.
    pub(super) fn poll_control(&mut self) -> Result<(), Stopped> {
        if self.stats.made_moves >= self.next_poll { self.poll() } else { Ok(()) }
    }

    /// Asks the watch before its time, for work that makes no moves.
    pub(super) fn poll_control_now(&mut self) -> Result<(), Stopped> {
        self.next_poll = 0;
        self.poll()
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Stopped> {
        if self.stats.made_moves >= self.node_limit {
            return Err(Stopped);
        }
        let next = match &mut self.thread {
            Some(thread) => thread.poll(&self.stats, self.control),
            None => self.control.poll(self.stats.made_moves),
        };
        let next = next.ok_or(Stopped)?;
        self.next_poll = next.min(self.node_limit);
        Ok(())
    }

    /// What the histories know the node at `ply` by.
    pub(super) fn context(&self, ply: usize) -> HistoryContext {
        let back =
            |plies: usize| if ply >= plies { self.stack[ply - plies].continuation } else { NO_CONTINUATION };
        HistoryContext { continuations: [back(1), back(2)], threats: self.stack[ply].threats }
    }

    /// Writes what was found into the table: fail low an upper bound, fail high a lower one, between the two
    /// both (TR figure 1).
    fn store(&mut self, node: &Node, best: &Best) {
        let value = score::to_table(best.value, node.ply);
        let failed_low = best.value <= node.window.alpha;
        let new = NewEntry {
            best: best.m.map_or(0, encode),
            doubtful: failed_low,
            lower: (!failed_low).then_some(value),
            upper: (best.value < node.window.beta).then_some(value),
            depth: node.depth,
            eval: (node.raw_eval > -INFINITE).then_some(node.raw_eval),
        };
        self.tt.store(node.position.key(), &new, self.policy);
    }

    /// Learns what the evaluation should have been, where no capture decided and the bound says on which side of
    /// the evaluation the value lies. Where every move failed low none of them decided: which of their upper
    /// bounds is the highest means nothing.
    fn update_correction_history(&mut self, node: &Node, best: &Best) {
        let Node { position, window, depth, ply, eval, .. } = *node;
        let decided = best.m.filter(|_| best.value > window.alpha);
        let mute = best.value >= window.beta && best.value <= eval
            || best.value <= window.alpha && best.value >= eval;
        if eval > -INFINITE && !mute && decided.is_none_or(is_quiet) && !score::is_decisive(best.value) {
            let context = self.context(ply);
            let parameters = &self.settings.parameters;
            self.correction_history.learn(position, &context, depth, best.value - eval, parameters);
        }
    }
}

/// Improving: the evaluation at `ply` is above that of our last move, or, where we were in check then and there was
/// none, of the move before that.
fn is_improving(stack: &[StackEntry], eval: Value, ply: usize) -> bool {
    let before = |plies: usize| ply.checked_sub(plies).map_or(-INFINITE, |at| stack[at].eval);
    let last = [before(2), before(4)].into_iter().find(|&eval| eval > -INFINITE);
    last.is_some_and(|last| eval > last)
}

/// Cut-offs by the table are allowed at a node. The path that led to a position is not in its key, so that an entry
/// knows nothing of repetitions and of the fifty-move rule; in games it has hidden a third repetition that was one
/// reply away. Therefore play mode takes none at ply 1, at PV nodes, and near to fifty moves.
fn table_may_cut<R: ModeRules, N: NodeType>(position: &Position, ply: usize) -> bool {
    !R::SELECTIVE || !N::PV && ply > 1 && position.halfmoves() < HALFMOVES_WITHOUT_CUTOFFS
}

/// What an entry answers in a window, if it does: in an open window it may cut, never narrow.
pub(super) fn cutoff<R: ModeRules>(
    entry: &Entry,
    window: Window<Value>,
    depth: i32,
    ply: usize,
) -> Option<Value> {
    let (lower, upper) = entry.interval(depth, R::EXACT_DEPTH);
    let (lower, upper) = (score::from_table(lower, ply), score::from_table(upper, ply));
    if lower >= window.beta || lower == upper {
        Some(lower)
    } else if upper <= window.alpha {
        Some(upper)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Driver, NoControl, Searcher, Settings, TranspositionTable};
    use super::*;
    use std::sync::Arc;

    /// Plays moves below the root, `0000` being a null move, and asks the search about the last position.
    fn ask<T>(fen: &str, moves: &str, question: impl FnOnce(&mut Search, &Position) -> T) -> T {
        let game = crate::chess::game::Game::parse_fen(fen).unwrap();
        let mut searcher = Searcher::new(Arc::new(TranspositionTable::new(1).unwrap()));
        let (settings, mut control) = (Settings::default(), NoControl);
        let mut search = searcher.begin(Driver::MtdF, &[], &settings, &mut control);
        let mut position = game.position().clone();
        for (ply, text) in moves.split(' ').enumerate() {
            if text == "0000" {
                search.begin_null_move(&position, ply).unwrap();
                position = position.null_move().unwrap();
            } else {
                let m = text.parse::<shakmaty::uci::UciMove>().unwrap().to_move(position.chess()).unwrap();
                search.begin_move(&position, NO_CONTINUATION, ply).unwrap();
                position = position.play(m);
            }
        }
        question(&mut search, &position)
    }

    const ROOKS: &str = "4k2r/8/8/8/8/8/8/R3K3 w - - 20 40";

    #[test]
    fn no_repetition_is_upcoming_across_a_null_move() {
        let upcoming = |moves| ask(ROOKS, moves, |search, position| search.upcoming_repetition(position));
        assert!(upcoming("a1a2 h8h7 a2a1"), "Black may go back");
        assert!(!upcoming("a1a2 0000 a2a3"), "what differs is one move of White's, and Black is to move");
        assert!(!upcoming("0000 h8h7 a1a2"));
        assert!(upcoming("0000 h8h7 a1a2 h7h8"), "a1a2 may be taken back, behind the null move");
    }

    #[test]
    fn two_null_moves_complete_no_repetition() {
        let drawn = |moves| ask(ROOKS, moves, |search, position| search.is_draw_by_path(position));
        assert!(drawn("a1a2 h8h7 a2a1 h7h8"));
        assert!(!drawn("0000 h8h7 0000 h7h8"), "White has passed twice");
        assert!(drawn("0000 h8h7 a1a2 h7h8 a2a1"), "Black is to move as after the null move");
    }

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
    fn where_every_move_failed_low_a_capture_among_them_decided_nothing() {
        let error = |value, window| {
            ask("4k2r/8/8/8/8/8/7r/R3K2R w - - 20 40", "a1a2 h8h7", |search, position| {
                let m =
                    shakmaty::Position::legal_moves(position.chess()).into_iter().find(|m| m.is_capture());
                let node = Node {
                    position,
                    window,
                    depth: 8,
                    ply: 2,
                    table_move: 0,
                    excluded: 0,
                    raw_eval: 50,
                    eval: 50,
                    improving: false,
                    extension: 0,
                };
                search.update_correction_history(&node, &Best { value, m });
                search.correct(position, 50, 2) - 50
            })
        };
        assert!(error(-40, Window::at(1)) < 0, "worth at most -40, whatever capture came nearest");
        assert_eq!(error(140, Window::at(1)), 0, "a capture failed high");
        assert_eq!(error(70, Window::at(90)), 0, "worth at most 70, and thought to be worth 50");
    }
}
