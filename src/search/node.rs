//! The node routine: MT, the memory-enhanced test (TR figure 1), in its window form. Every backend runs on
//! it. Fail-soft throughout: what is returned is a bound as tight as was found.
//!
//! One text serves all modes and node kinds; the compiler makes a routine of each. The value of a node is
//! meant to depend on (position, depth, expected kind) alone: a kind is handed down from the root and never
//! read off the window, so that a null window of MTD(f) and an open window of NegaScout see the same tree.

use super::pv::Lines;
use super::repetition;
use super::settings::Settings;
use super::singular::Singularity;
use super::stats::Stats;
use super::tablebases::Known;
use crate::chess::Position;
use crate::chess::movegen::{attacked, encode};
use crate::chess::score::{self, DRAW, INFINITE, MAX_PLY, Value};
use crate::chess::syzygy::Tables;
use crate::eval::Evaluator;
use crate::minimax::{Stopped, Window};
use crate::search::control::Watch;
use crate::search::correction_history::Corrections;
use crate::search::mate::budget::MateSearch;
use crate::search::move_picker::{Context, Histories, NO_ROW, is_quiet};
use crate::search::smp::Member;
use crate::search::transposition::{Entry, Finding, Keeping, Table};
use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Move};

/// Plies without a capture or a pawn move from which on play mode takes no answer from the table: ten plies
/// before the fifty-move rule.
const HALFMOVES_WITHOUT_CUTOFFS: u32 = 90;

/// What a mode allows, known at compile time.
pub(super) trait Rules {
    /// Extensions, reductions, forward pruning.
    const SELECTIVE: bool;
    /// Only table entries of exactly the asked depth count.
    const EXACT_DEPTH: bool;
    /// Repetition and the fifty-move rule are draws inside the tree.
    const PATH_DRAWS: bool;
}

/// Plays games.
pub(super) struct Play;
/// Full width: what the papers measure.
pub(super) struct Paper;
/// Full width, values that depend on (position, depth) alone: for proofs.
pub(super) struct Strict;

impl Rules for Play {
    const SELECTIVE: bool = true;
    const EXACT_DEPTH: bool = false;
    const PATH_DRAWS: bool = true;
}

impl Rules for Paper {
    const SELECTIVE: bool = false;
    const EXACT_DEPTH: bool = false;
    const PATH_DRAWS: bool = true;
}

impl Rules for Strict {
    const SELECTIVE: bool = false;
    const EXACT_DEPTH: bool = true;
    const PATH_DRAWS: bool = false;
}

/// What a node is expected to be in the minimal tree (Knuth and Moore's types 1, 2 and 3).
pub(super) trait Kind {
    /// On the principal variation.
    const PV: bool;
    /// Expected to fail high at once.
    const CUT: bool;
    /// The kind of its first child.
    type First: Kind;
    /// The kind of its other children.
    type Rest: Kind;
}

/// The leftmost path: the principal variation, under null windows too.
pub(super) struct Pv;
/// One good move suffices.
pub(super) struct Cut;
/// Every move has to be refuted.
pub(super) struct All;

impl Kind for Pv {
    const PV: bool = true;
    const CUT: bool = false;
    type First = Pv;
    type Rest = Cut;
}

impl Kind for Cut {
    const PV: bool = false;
    const CUT: bool = true;
    type First = All;
    type Rest = All;
}

impl Kind for All {
    const PV: bool = false;
    const CUT: bool = false;
    type First = Cut;
    type Rest = Cut;
}

/// What a ply of the current line remembers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Quiet moves that cut off here, in 16 bits.
    pub(super) killers: [u16; 2],
    /// The corrected evaluation; `-INFINITE` in check.
    eval: Value,
    /// The continuation-history row of the move that is being tried here.
    pub(super) row: usize,
    /// The move left out here, in 16 bits, while it is asked whether that move stands alone; else 0.
    pub(super) excluded: u16,
    /// Whether the word of a null move is being verified here.
    pub(super) verifies: bool,
    /// What the opponent attacks here.
    threats: Bitboard,
}

impl Frame {
    pub(super) const EMPTY: Frame = Frame {
        killers: [0; 2],
        eval: -INFINITE,
        row: NO_ROW,
        excluded: 0,
        verifies: false,
        threats: Bitboard::EMPTY,
    };
}

/// One running search: what the node routine works with.
pub(super) struct Search<'a> {
    pub(super) table: &'a Table,
    pub(super) keeping: Keeping,
    pub(super) settings: &'a Settings,
    pub(super) histories: &'a mut Histories,
    pub(super) corrections: &'a mut Corrections,
    pub(super) evaluator: &'a mut Evaluator,
    pub(super) watch: &'a mut dyn Watch,
    pub(super) stats: Stats,
    pub(super) lines: Lines,
    pub(super) frames: Box<[Frame]>,
    /// Keys of the positions before the current one: the game's, then the line's.
    pub(super) keys: Vec<u64>,
    /// How many of `keys` lie before the root.
    pub(super) root_at: usize,
    /// Index in `keys` of the position after the line's last null move; 0 where there was none.
    pub(super) since_null_move: usize,
    /// Whether open windows are searched with a null window first (NegaScout; Alpha-Beta does not).
    pub(super) scouts: bool,
    /// Depth of the running iteration, in plies.
    pub(super) root_depth: i32,
    pub(super) next_poll: u64,
    pub(super) node_limit: u64,
    /// The endgame tables, where the tree is to be looked up in them.
    pub(super) tables: Option<&'a Tables>,
    /// The search for mates beside this one, once there was reason for one.
    pub(super) mates: Option<MateSearch>,
    /// The place among the threads, where there are several.
    pub(super) member: Option<Member<'a>>,
}

/// What a node knows of itself before it tries a move.
pub(super) struct Node<'p> {
    pub(super) position: &'p Position,
    pub(super) window: Window<Value>,
    /// Plies left.
    pub(super) depth: i32,
    /// Plies from the root.
    pub(super) ply: usize,
    /// The table's move in 16 bits, 0 = none.
    pub(super) table_move: u16,
    /// The move left out in 16 bits, 0 = none.
    pub(super) excluded: u16,
    /// What the evaluation says; `-INFINITE` in check.
    pub(super) raw_eval: Value,
    /// The same, corrected by what searches found in positions of its kind.
    pub(super) eval: Value,
    /// The evaluation has risen since our last move.
    pub(super) improving: bool,
    /// How much deeper the table's move is searched, in plies.
    pub(super) extension: i32,
}

/// What trying its moves told a node.
pub(super) struct Best {
    pub(super) value: Value,
    pub(super) m: Option<Move>,
}

impl Search<'_> {
    /// The value of a position in a window, `depth` plies deep, `ply` plies from the root.
    pub(super) fn node<R: Rules, K: Kind>(
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
        self.lines.clear(ply);
        if let Some(value) = self.settled::<R>(position, ply) {
            self.stats.leaf += 1;
            return Ok(value);
        }
        if R::SELECTIVE
            && let Some(value) = beyond_mate(window, ply)
        {
            self.stats.leaf += 1;
            return Ok(value);
        }
        if R::SELECTIVE && DRAW >= window.beta && self.repeats_next(position) {
            self.stats.leaf += 1;
            return Ok(DRAW);
        }
        let whole = self.frames[ply].excluded == 0;
        let entry = self.table.probe(position.key());
        if whole
            && table_may_cut::<R, K>(position, ply)
            && let Some(value) = entry.and_then(|entry| cutoff::<R>(&entry, window, depth, ply))
        {
            self.stats.table += 1;
            return Ok(value);
        }
        let mut known = (-INFINITE, INFINITE);
        if R::SELECTIVE && whole && self.tables.is_some() {
            match self.look_up(position, window, depth, ply) {
                Known::Answer(value) => return Ok(value),
                Known::Within(bounds) => known = bounds,
            }
        }
        self.stats.interior += 1;
        let mut node = self.look::<R>(position, window, depth, ply, entry.as_ref());
        if whole && let Some(value) = self.early_answer::<R, K>(&node)? {
            return Ok(value);
        }
        if R::SELECTIVE
            && let Some(entry) = entry
        {
            match self.singular::<R, K>(&node, &entry)? {
                Singularity::Extends(plies) => node.extension = plies,
                Singularity::Cuts(value) => return Ok(value),
            }
        }
        let mut best = self.moves::<R, K>(&node)?;
        best.value = best.value.clamp(known.0, known.1);
        if whole {
            self.remember(&node, &best);
        }
        if R::SELECTIVE && whole {
            self.learn(&node, &best);
        }
        Ok(best.value)
    }

    /// What a node sees of itself at first sight.
    fn look<'p, R: Rules>(
        &mut self,
        position: &'p Position,
        window: Window<Value>,
        depth: i32,
        ply: usize,
        entry: Option<&Entry>,
    ) -> Node<'p> {
        let table_move = entry.map_or(0, |entry| entry.best);
        let excluded = self.frames[ply].excluded;
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
            node.improving = is_improving(&self.frames, node.eval, ply);
            self.frames[ply].threats = attacked(position.board(), !position.turn());
            self.frames[ply + 1].killers = [0; 2];
        }
        self.frames[ply].eval = node.eval;
        node
    }

    /// Notes at ply 0 what the nodes below compare themselves with, and what the histories know the root by.
    pub(super) fn look_at_root(&mut self, root: &Position) {
        let eval = self.evaluate(root, None);
        self.frames[0].threats = attacked(root.board(), !root.turn());
        self.frames[0].eval = self.correct(root, eval, 0);
    }

    /// An answer without trying all moves: forward pruning, transposition cut-offs.
    fn early_answer<R: Rules, K: Kind>(&mut self, node: &Node) -> Result<Option<Value>, Stopped> {
        if R::SELECTIVE
            && let Some(value) = self.prune::<R, K>(node)?
        {
            return Ok(Some(value));
        }
        let tries = self.settings.enhanced_cutoffs > 0
            && node.depth >= self.settings.enhanced_cutoffs
            && table_may_cut::<R, K>(node.position, node.ply);
        Ok(if tries { self.enhanced_cutoff::<R>(node) } else { None })
    }

    /// Draws, and lines that are too long.
    pub(super) fn settled<R: Rules>(&mut self, position: &Position, ply: usize) -> Option<Value> {
        self.stats.selective_depth = self.stats.selective_depth.max(ply);
        if position.is_dead() || R::PATH_DRAWS && self.is_draw_by_path(position) {
            return Some(DRAW);
        }
        (ply >= MAX_PLY - 1)
            .then(|| if position.in_check() { DRAW } else { self.evaluator.evaluate(position) })
    }

    /// Index in `keys` of the first position that this one may repeat: after the last capture or pawn move, and after
    /// the last null move, for a repetition by a null move cannot happen in a game.
    fn repeatable_from(&self, position: &Position) -> usize {
        self.keys.len().saturating_sub(position.halfmoves() as usize).max(self.since_null_move)
    }

    /// Upcoming repetition: a move of the side to move repeats a position of the line below the root.
    fn repeats_next(&self, position: &Position) -> bool {
        repetition::is_upcoming(position, &self.keys, self.repeatable_from(position).max(self.root_at))
    }

    /// A repetition inside the search, the second one of a position of the game, or fifty moves without
    /// progress (unless the last of them mates).
    fn is_draw_by_path(&self, position: &Position) -> bool {
        if position.halfmoves() >= 100 && !position.is_checkmate() {
            return true;
        }
        let oldest = self.repeatable_from(position);
        let mut in_game = 0;
        let mut at = self.keys.len();
        while at >= oldest + 2 {
            at -= 2;
            if self.keys[at] == position.key() {
                in_game += 1;
                if at >= self.root_at || in_game == 2 {
                    return true;
                }
            }
        }
        false
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
            self.corrections.correct(position, &self.context(ply), eval, &self.settings.parameters)
        }
    }

    /// Transposition cut-offs before any search (TR section 5: ETC): a child that the table knows to be bad
    /// for the opponent makes this a cut node.
    fn enhanced_cutoff<R: Rules>(&mut self, node: &Node) -> Option<Value> {
        let mut moves = shakmaty::MoveList::new();
        crate::chess::movegen::all(node.position, &mut moves);
        let keys: ArrayVec<u64, 270> = moves.iter().map(|&m| node.position.play(m).key()).collect();
        keys.iter().for_each(|&key| self.table.prefetch(key));
        let since = self.repeatable_from(node.position);
        let drawn = |key| node.position.halfmoves() >= 99 || self.keys[since..].contains(&key);
        for &key in &keys {
            // A child drawn by the path is worth a draw, whatever the table says of its position.
            if R::PATH_DRAWS && drawn(key) {
                continue;
            }
            let Some(entry) = self.table.probe(key) else { continue };
            let (_, upper) = entry.interval(node.depth - 1, R::EXACT_DEPTH);
            let value = -score::from_table(upper, node.ply + 1);
            if upper < INFINITE && value >= node.window.beta {
                return Some(value);
            }
        }
        None
    }

    /// Notes the move about to be tried at `ply`, and asks the watch whether to go on.
    pub(super) fn begin_move(&mut self, position: &Position, row: usize, ply: usize) -> Result<(), Stopped> {
        self.look_at_watch()?;
        self.frames[ply].row = row;
        self.keys.push(position.key());
        Ok(())
    }

    /// The same for a null move; returns what [`Search::end_null_move`] is to be told.
    pub(super) fn begin_null_move(&mut self, position: &Position, ply: usize) -> Result<usize, Stopped> {
        self.begin_move(position, NO_ROW, ply)?;
        Ok(std::mem::replace(&mut self.since_null_move, self.keys.len()))
    }

    /// The null move is taken back, also where its search was stopped.
    pub(super) fn end_null_move(&mut self, before: usize) {
        self.since_null_move = before;
    }

    /// Asks the watch whether to go on, if its time has come.
    pub(super) fn look_at_watch(&mut self) -> Result<(), Stopped> {
        if self.stats.made >= self.next_poll { self.poll() } else { Ok(()) }
    }

    /// Asks the watch before its time, for work that makes no moves.
    pub(super) fn look_at_watch_now(&mut self) -> Result<(), Stopped> {
        self.next_poll = 0;
        self.poll()
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Stopped> {
        if self.stats.made >= self.node_limit {
            return Err(Stopped);
        }
        let next = match &mut self.member {
            Some(member) => member.poll(&self.stats, self.watch),
            None => self.watch.poll(self.stats.made),
        };
        let next = next.ok_or(Stopped)?;
        self.next_poll = next.min(self.node_limit);
        Ok(())
    }

    /// What the histories know the node at `ply` by.
    pub(super) fn context(&self, ply: usize) -> Context {
        let back = |plies: usize| if ply >= plies { self.frames[ply - plies].row } else { NO_ROW };
        Context { rows: [back(1), back(2)], threats: self.frames[ply].threats }
    }

    /// Writes what was found into the table: fail low an upper bound, fail high a lower one, between the two
    /// both (TR figure 1).
    fn remember(&mut self, node: &Node, best: &Best) {
        let value = score::to_table(best.value, node.ply);
        let failed_low = best.value <= node.window.alpha;
        let finding = Finding {
            best: best.m.map_or(0, encode),
            doubtful: failed_low,
            lower: (!failed_low).then_some(value),
            upper: (best.value < node.window.beta).then_some(value),
            depth: node.depth,
            eval: (node.raw_eval > -INFINITE).then_some(node.raw_eval),
        };
        self.table.store(node.position.key(), &finding, self.keeping);
    }

    /// Learns what the evaluation should have been, where no capture decided and the bound says on which side of
    /// the evaluation the value lies. Where every move failed low none of them decided: which of their upper
    /// bounds is the highest means nothing.
    fn learn(&mut self, node: &Node, best: &Best) {
        let Node { position, window, depth, ply, eval, .. } = *node;
        let decided = best.m.filter(|_| best.value > window.alpha);
        let mute = best.value >= window.beta && best.value <= eval
            || best.value <= window.alpha && best.value >= eval;
        if eval > -INFINITE && !mute && decided.is_none_or(is_quiet) && !score::is_decisive(best.value) {
            let context = self.context(ply);
            let parameters = &self.settings.parameters;
            self.corrections.learn(position, &context, depth, best.value - eval, parameters);
        }
    }
}

/// Improving: the evaluation at `ply` is above that of our last move, or, where we were in check then and there was
/// none, of the move before that.
fn is_improving(frames: &[Frame], eval: Value, ply: usize) -> bool {
    let before = |plies: usize| ply.checked_sub(plies).map_or(-INFINITE, |at| frames[at].eval);
    let last = [before(2), before(4)].into_iter().find(|&eval| eval > -INFINITE);
    last.is_some_and(|last| eval > last)
}

/// Mate-distance pruning: nobody is mated before this ply, and nobody mates before the next one.
fn beyond_mate(window: Window<Value>, ply: usize) -> Option<Value> {
    let (worst, best) = (score::mated_in(ply), -score::mated_in(ply + 1));
    if worst >= window.beta {
        Some(worst)
    } else if best <= window.alpha {
        Some(best)
    } else {
        None
    }
}

/// Cut-offs by the table are allowed at a node. The path that led to a position is not in its key, so that an entry
/// knows nothing of repetitions and of the fifty-move rule; in games it has hidden a third repetition that was one
/// reply away. Therefore play mode takes none at ply 1, at PV nodes, and near to fifty moves.
fn table_may_cut<R: Rules, K: Kind>(position: &Position, ply: usize) -> bool {
    !R::SELECTIVE || !K::PV && ply > 1 && position.halfmoves() < HALFMOVES_WITHOUT_CUTOFFS
}

/// What an entry answers in a window, if it does: in an open window it may cut, never narrow.
pub(super) fn cutoff<R: Rules>(
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
    use super::super::{Searcher, Unwatched};
    use super::*;
    use std::sync::Arc;

    /// Plays moves below the root, `0000` being a null move, and asks the search about the last position.
    fn ask<T>(fen: &str, moves: &str, question: impl FnOnce(&mut Search, &Position) -> T) -> T {
        let game = crate::chess::game::Game::parse_fen(fen).unwrap();
        let mut searcher = Searcher::new(Arc::new(Table::new(1).unwrap()));
        let (settings, mut watch) = (Settings::default(), Unwatched);
        let mut search = searcher.begin(&[], &settings, &mut watch);
        let mut position = game.position().clone();
        for (ply, text) in moves.split(' ').enumerate() {
            if text == "0000" {
                search.begin_null_move(&position, ply).unwrap();
                position = position.pass().unwrap();
            } else {
                let m = text.parse::<shakmaty::uci::UciMove>().unwrap().to_move(position.chess()).unwrap();
                search.begin_move(&position, NO_ROW, ply).unwrap();
                position = position.play(m);
            }
        }
        question(&mut search, &position)
    }

    const ROOKS: &str = "4k2r/8/8/8/8/8/8/R3K3 w - - 20 40";

    #[test]
    fn no_repetition_is_upcoming_across_a_null_move() {
        let upcoming = |moves| ask(ROOKS, moves, |search, position| search.repeats_next(position));
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
        let mut frames = [Frame::EMPTY; 5];
        assert!(!is_improving(&frames, 60, 4), "nothing is known of our last moves");
        frames[0].eval = 50;
        assert!(!is_improving(&frames, 40, 4) && is_improving(&frames, 60, 4));
        frames[2].eval = 70;
        assert!(!is_improving(&frames, 60, 4) && is_improving(&frames, 80, 4));
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
                search.learn(&node, &Best { value, m });
                search.correct(position, 50, 2) - 50
            })
        };
        assert!(error(-40, Window::at(1)) < 0, "worth at most -40, whatever capture came nearest");
        assert_eq!(error(140, Window::at(1)), 0, "a capture failed high");
        assert_eq!(error(70, Window::at(90)), 0, "worth at most 70, and thought to be worth 50");
    }
}
