//! The node routine: MT, the memory-enhanced test (TR figure 1), in its window form. Every backend runs on
//! it. Fail-soft throughout: what is returned is a bound as tight as was found.
//!
//! One text serves all modes and node kinds; the compiler makes a routine of each. The value of a node is
//! meant to depend on (position, depth, expected kind) alone: a kind is handed down from the root and never
//! read off the window, so that a null window of MTD(f) and an open window of NegaScout see the same tree.

use super::ordering::{Histories, NO_ROW, Picker, is_quiet, remember_killer, row};
use super::pruning::{self, Late};
use super::pv::Lines;
use super::settings::Settings;
use super::stats::Stats;
use super::table::{Entry, Finding, Keeping, Table};
use super::team::Member;
use super::watch::Watch;
use crate::chess::movegen::{Checks, encode};
use crate::chess::score::{self, DRAW, INFINITE, MATE_BAND, MAX_PLY, Value};
use crate::chess::{Position, see};
use crate::eval::Evaluator;
use crate::minimax::{Stopped, Window};
use arrayvec::ArrayVec;
use shakmaty::{Move, Position as _};

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
    /// The static evaluation; `-INFINITE` in check.
    eval: Value,
    /// The continuation-history row of the move that is being tried here.
    row: usize,
}

impl Frame {
    pub(super) const EMPTY: Frame = Frame { killers: [0; 2], eval: -INFINITE, row: NO_ROW };
}

/// One running search: what the node routine works with.
pub(super) struct Search<'a> {
    pub(super) table: &'a Table,
    pub(super) keeping: Keeping,
    pub(super) settings: &'a Settings,
    pub(super) histories: &'a mut Histories,
    pub(super) evaluator: &'a mut Evaluator,
    pub(super) watch: &'a mut dyn Watch,
    pub(super) stats: Stats,
    pub(super) lines: Lines,
    pub(super) frames: Box<[Frame]>,
    /// Keys of the positions before the current one: the game's, then the line's.
    pub(super) keys: Vec<u64>,
    /// How many of `keys` lie before the root.
    pub(super) root_at: usize,
    /// Whether open windows are searched with a null window first (NegaScout; Alpha-Beta does not).
    pub(super) scouts: bool,
    pub(super) next_poll: u64,
    pub(super) node_limit: u64,
    /// The place among the threads, where there are several.
    pub(super) member: Option<Member<'a>>,
}

/// The best of the moves tried so far.
struct Best {
    value: Value,
    m: Option<Move>,
}

/// What a node knows of itself before it tries a move.
struct Node<'p> {
    position: &'p Position,
    window: Window<Value>,
    depth: i32,
    ply: usize,
    table_move: u16,
    /// Static evaluation; `-INFINITE` in check.
    eval: Value,
    improving: bool,
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
        let entry = self.table.probe(position.key());
        if let Some(value) = entry.and_then(|entry| cutoff::<R>(&entry, window, depth, ply)) {
            self.stats.table += 1;
            return Ok(value);
        }
        self.stats.interior += 1;
        let eval = if R::SELECTIVE { self.evaluate(position, entry.as_ref()) } else { -INFINITE };
        self.frames[ply].eval = eval;
        self.frames[ply + 1].killers = if R::SELECTIVE { [0; 2] } else { self.frames[ply + 1].killers };
        let improving = R::SELECTIVE && ply >= 2 && eval > self.frames[ply - 2].eval;
        let table_move = entry.map_or(0, |entry| entry.best);
        let node = Node { position, window, depth, ply, table_move, eval, improving };
        if R::SELECTIVE
            && let Some(value) = self.prune::<R, K>(&node)?
        {
            return Ok(value);
        }
        if self.tries_enhanced_cutoffs(depth)
            && let Some(value) = self.enhanced_cutoff::<R>(&node)
        {
            return Ok(value);
        }
        let best = self.moves::<R, K>(&node)?;
        self.remember(&node, &best);
        Ok(best.value)
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

    /// A repetition inside the search, the second one of a position of the game, or fifty moves without
    /// progress (unless the last of them mates).
    fn is_draw_by_path(&self, position: &Position) -> bool {
        let halfmoves = position.halfmoves() as usize;
        if halfmoves >= 100 && !(position.in_check() && position.chess().legal_moves().is_empty()) {
            return true;
        }
        let oldest = self.keys.len().saturating_sub(halfmoves);
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

    /// Nodes that need no move of their own: reverse futility and the null move.
    fn prune<R: Rules, K: Kind>(&mut self, node: &Node) -> Result<Option<Value>, Stopped> {
        let Node { position, window, depth, ply, eval, .. } = *node;
        if K::PV || position.in_check() || score::is_mate(window.beta) {
            return Ok(None);
        }
        // Reverse futility: so far above beta that a quiet opponent cannot catch up.
        let assured = eval - pruning::reverse_futility_margin(depth, node.improving);
        if depth <= pruning::REVERSE_FUTILITY_DEPTH && assured >= window.beta {
            return Ok(Some(assured));
        }
        // Null move: if passing is good enough, some move is.
        let passed_before = ply == 0 || self.frames[ply - 1].row == NO_ROW;
        if depth < pruning::NULL_MOVE_DEPTH || eval < window.beta || passed_before || !position.has_pieces() {
            return Ok(None);
        }
        let Some(child) = position.pass() else { return Ok(None) };
        self.begin_move(position, NO_ROW, ply)?;
        let reduced = depth - 1 - pruning::null_move_reduction(depth);
        let scout = Window::at(window.beta).flip();
        let value = -self.node::<R, K::First>(&child, scout, reduced, ply + 1)?;
        self.keys.pop();
        if value < window.beta {
            return Ok(None);
        }
        // A mate found after passing is no proof of one.
        Ok(Some(if score::is_mate(value) { window.beta } else { value }))
    }

    fn tries_enhanced_cutoffs(&self, depth: i32) -> bool {
        self.settings.enhanced_cutoffs > 0 && depth >= self.settings.enhanced_cutoffs
    }

    /// Transposition cut-offs before any search (TR section 5: ETC): a child that the table knows to be bad
    /// for the opponent makes this a cut node.
    fn enhanced_cutoff<R: Rules>(&mut self, node: &Node) -> Option<Value> {
        let mut moves = shakmaty::MoveList::new();
        crate::chess::movegen::all(node.position, &mut moves);
        let keys: ArrayVec<u64, 270> = moves.iter().map(|&m| node.position.play(m).key()).collect();
        keys.iter().for_each(|&key| self.table.prefetch(key));
        for &key in &keys {
            // A child drawn by the path is worth a draw, whatever the table says of its position.
            if R::PATH_DRAWS && (node.position.halfmoves() >= 99 || self.keys.contains(&key)) {
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

    /// Tries the moves until one fails high.
    fn moves<R: Rules, K: Kind>(&mut self, node: &Node) -> Result<Best, Stopped> {
        let Node { position, window, ply, .. } = *node;
        let rows = self.rows(ply);
        let depth = if R::SELECTIVE { shallower_without_a_move::<K>(node) } else { node.depth };
        let mut picker = Picker::new(position, node.table_move, &self.frames[ply], rows);
        let mut best = Best { value: -INFINITE, m: None };
        let mut tried = ArrayVec::<Move, 64>::new();
        let (mut alpha, mut count, mut quiets) = (window.alpha, 0, 0);
        while let Some(m) = picker.next(self.histories) {
            let quiet = is_quiet(m);
            let history =
                if R::SELECTIVE && quiet { self.histories.of_quiet(position.turn(), m, rows) } else { 0 };
            if R::SELECTIVE
                && best.value > -MATE_BAND
                && let Some(bound) = self.skip(node, m, alpha, quiets, &mut picker)
            {
                best.value = best.value.max(bound);
                continue;
            }
            count += 1;
            quiets += usize::from(quiet);
            let late =
                Late { depth, number: count, history, pv: K::PV, cut: K::CUT, improving: node.improving };
            let value = self.child::<R, K>(position, m, Window::new(alpha, window.beta), &late, ply)?;
            if value > best.value {
                best = Best { value, m: Some(m) };
                self.lines.extend(ply, m);
                alpha = alpha.max(value);
                if value >= window.beta {
                    self.stats.cutoff(node.depth, count);
                    self.reward(node, m, &tried, rows);
                    break;
                }
            }
            let _ = tried.try_push(m);
        }
        if count == 0 {
            best.value = if position.in_check() { score::mated_in(ply) } else { DRAW };
        }
        Ok(best)
    }

    /// Whether a move is left out in play mode; then the honest bound on what it could have been worth
    /// (`-INFINITE` where nothing is claimed).
    fn skip(
        &self,
        node: &Node,
        m: Move,
        alpha: Value,
        quiets: usize,
        picker: &mut Picker<'_>,
    ) -> Option<Value> {
        let depth = node.depth;
        let quiet = is_quiet(m);
        if node.position.in_check() || score::is_mate(alpha) {
            return None;
        }
        let hope = node.eval + pruning::futility_margin(depth);
        let late =
            depth <= pruning::LATE_MOVE_DEPTH && quiets >= pruning::late_move_count(depth, node.improving);
        let futile = depth <= pruning::FUTILITY_DEPTH && hope <= alpha;
        if quiet && (late || futile) {
            // A check may be the beginning of a mate; at depth 1 there is no time left for one.
            let checks = (depth >= pruning::QUIET_CHECKS_DEPTH).then(|| Checks::of(node.position));
            picker.skip_quiets(checks);
            if checks.is_none_or(|checks| !checks.given_by(m)) {
                return Some(if late { -INFINITE } else { hope });
            }
        }
        let loses = || !see::gains(node.position, m, pruning::exchange_margin(depth, quiet));
        (depth <= pruning::EXCHANGE_DEPTH && loses()).then_some(-INFINITE)
    }

    /// Plays a move and searches what follows: the first move in the whole window, later ones reduced or
    /// scouted first. A child in check is searched a ply deeper in play mode.
    pub(super) fn child<R: Rules, K: Kind>(
        &mut self,
        position: &Position,
        m: Move,
        window: Window<Value>,
        late: &Late,
        ply: usize,
    ) -> Result<Value, Stopped> {
        let child = position.play(m);
        self.table.prefetch(child.key());
        self.begin_move(position, row(position.turn(), m), ply)?;
        self.stats.made += 1;
        let extension = i32::from(R::SELECTIVE && child.in_check());
        let depth = late.depth - 1 + extension;
        let value = if late.number == 1 {
            -self.node::<R, K::First>(&child, window.flip(), depth, ply + 1)?
        } else {
            let reduction = if R::SELECTIVE && is_quiet(m) && extension == 0 { reduction(late) } else { 0 };
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

    /// Notes the move about to be tried at `ply`, and asks the watch whether to go on.
    pub(super) fn begin_move(&mut self, position: &Position, row: usize, ply: usize) -> Result<(), Stopped> {
        if self.stats.made >= self.next_poll {
            self.poll()?;
        }
        self.frames[ply].row = row;
        self.keys.push(position.key());
        Ok(())
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

    /// The continuation rows of the last two moves before `ply`.
    pub(super) fn rows(&self, ply: usize) -> [usize; 2] {
        let back = |plies: usize| if ply >= plies { self.frames[ply - plies].row } else { NO_ROW };
        [back(1), back(2)]
    }

    fn reward(&mut self, node: &Node, best: Move, tried: &[Move], rows: [usize; 2]) {
        if is_quiet(best) {
            remember_killer(&mut self.frames[node.ply], best);
        }
        self.histories.reward(node.position.turn(), best, tried, node.depth, rows);
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
            eval: (node.eval > -INFINITE).then_some(node.eval),
        };
        self.table.store(node.position.key(), &finding, self.keeping);
    }
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

/// Internal iterative reduction: where the table knows no move, a ply less finds one for the next visit.
fn shallower_without_a_move<K: Kind>(node: &Node) -> i32 {
    let unknown = node.table_move == 0 && node.depth >= pruning::INTERNAL_REDUCTION_DEPTH;
    node.depth - i32::from(unknown && (K::PV || K::CUT))
}

fn reduction(late: &Late) -> i32 {
    let applies = late.depth >= pruning::LATE_REDUCTION_DEPTH && late.number > 1 + usize::from(late.pv);
    if applies { pruning::late_move_reduction(late) } else { 0 }
}
