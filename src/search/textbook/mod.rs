//! Textbook backends: INS, PNS and best-first minimax, the papers' own algorithms on chess as a
//! [`ChessGame`]. They are full width and have no transposition table; Hash limits the memory of their trees.
//!
//! This file adds draws by repetition and by the fifty-move rule, limits, reports to the search control, and
//! the tree that is kept between moves.

pub mod chess_game;
mod mate_lines;

use super::backend::Backend;
use super::outcome::Outcome;
use super::settings::Limits;
use super::stats::Stats;
use crate::chess::Position;
use crate::chess::score::{self, DRAW, INFINITE, MATE_BAND, MAX_PLY, Value};
use crate::minimax::best_first::BestFirst;
use crate::minimax::best_first_limits::{Fallback, PvListener, SearchLimits};
use crate::minimax::ins::{Ins, NODE_BYTES};
use crate::minimax::recursive_best_first::RecursiveBestFirst;
use crate::minimax::{Game, NeverStop, StopCondition, Window};
use crate::search::control::{Bound, Progress, Report, SearchControl};
use crate::search::textbook::chess_game::{ChessGame, SharedEvaluator};
use crate::search::textbook::mate_lines::MateLines;
use shakmaty::Move;
use std::iter::successors;
use std::sync::Arc;

/// The most visits between two polls of the search control: a few milliseconds.
const POLL_INTERVAL: u64 = 256;

/// Polls after which [`SearchControl::iteration`] is called, although the line has not changed.
const POLLS_PER_ITERATION: u64 = 16;

/// Depth of alpha-beta before the best-first extension, in plies.
const ALPHA_BETA_DEPTH: u32 = 3;

/// Plies from its first root after which a tree is not kept any more: its mates are counted from that root.
const MAX_ROOT_PLY: usize = MAX_PLY;

/// A tree kept between moves.
pub(super) type KeptTree = BestFirst<PathGame>;

/// Chess with draws by repetition and by the fifty-move rule, as in the node routine. They depend on the
/// path, which every position therefore holds.
#[derive(Clone, Debug)]
pub(super) struct PathGame {
    game: ChessGame,
    /// Zobrist keys of the game's positions before the root, as far as they can occur again.
    root_key_history: Arc<[u64]>,
    /// The last position of the path from the root to here; `None` after a capture or a pawn move.
    path: Option<Arc<Link>>,
    /// True for a draw by repetition or by the fifty-move rule; false at the root.
    is_drawn: bool,
    /// True for the root, which has to move even in a position that is drawn.
    is_root: bool,
}

/// A position of a path, and those before it. Paths share their beginnings.
#[derive(Debug)]
struct Link {
    key: u64,
    before: Option<Arc<Link>>,
}

impl PathGame {
    /// A root. `key_history` holds the Zobrist keys of the game's earlier positions, oldest first.
    pub(super) fn new(root: &Position, key_history: &[u64], evaluator: &SharedEvaluator) -> PathGame {
        let since = key_history.len().saturating_sub(root.halfmoves() as usize);
        let game = ChessGame::with_evaluator(root.clone(), evaluator.clone());
        PathGame::root(game, Arc::from(&key_history[since..]))
    }

    fn root(game: ChessGame, root_key_history: Arc<[u64]>) -> PathGame {
        PathGame { game, root_key_history, path: None, is_drawn: false, is_root: true }
    }

    /// Keys of the positions of the path before this one, the latest first; the root's is the last.
    fn path(&self) -> impl Iterator<Item = u64> {
        successors(self.path.as_deref(), |link| link.before.as_deref()).map(|link| link.key)
    }

    /// Keys of the positions that can have occurred before with the same pawns and pieces, the latest first.
    fn key_history(&self) -> impl Iterator<Item = u64> {
        let reach = self.game.position().halfmoves() as usize;
        self.path().chain(self.root_key_history.iter().rev().copied()).take(reach)
    }

    /// True at a repetition on the path, at the second repetition of a position of the game, and after fifty
    /// moves without a capture or pawn move (unless the last of them mates).
    fn is_draw_by_path(&self) -> bool {
        let position = self.game.position();
        let key = position.key();
        position.halfmoves() >= 100 && !position.is_checkmate()
            || self.path().any(|earlier| earlier == key)
            || self.key_history().filter(|&earlier| earlier == key).count() >= 2
    }

    /// True if a tree of this position can be kept for `root`, the same position after a game: it must not
    /// lack a draw. Draws that `root` does not have any more are searched again.
    fn knows_all_draws_of(&self, root: &PathGame) -> bool {
        self.game.position().halfmoves() == root.game.position().halfmoves()
            && root.key_history().zip(self.key_history()).all(|(one, other)| one == other)
            && root.key_history().count() <= self.key_history().count()
    }
}

impl Game for PathGame {
    type Value = Value;
    type Move = Move;

    const LIMIT: Value = INFINITE;

    fn moves(&self) -> Vec<Move> {
        match self {
            PathGame { is_root: true, .. } => self.game.legal_moves(),
            PathGame { is_drawn: true, .. } => Vec::new(),
            _ => self.game.moves(),
        }
    }

    fn play(&self, m: Move) -> PathGame {
        let game = self.game.play(m);
        let can_recur = game.position().halfmoves() > 0;
        let path = can_recur.then(|| Arc::new(Link { key: self.key(), before: self.path.clone() }));
        let root_key_history = Arc::clone(&self.root_key_history);
        let child = PathGame { game, root_key_history, path, is_drawn: false, is_root: false };
        PathGame { is_drawn: child.is_draw_by_path(), ..child }
    }

    fn evaluate(&self) -> Value {
        if self.is_drawn { DRAW } else { self.game.evaluate() }
    }

    fn key(&self) -> u64 {
        self.game.key()
    }
}

/// Adapter of the limits and the search control to the callbacks of an algorithm.
struct ControlAdapter<'a> {
    control: &'a mut dyn SearchControl,
    limits: &'a Limits,
    stats: Stats,
    /// Visits before this search began (a kept tree goes on counting).
    before: u64,
    /// The next poll of the search control, in visits of this search.
    next_poll: u64,
    polls: u64,
    /// Plies between the tree's first root, from which it counts mates, and this root.
    offset: usize,
    /// The last line reported, with its value and whether that is exact.
    reported: Option<(Vec<Move>, Value, Bound)>,
    /// The depth that was reported with it, in plies.
    depth: i32,
    mates: MateLines,
    /// Lines reported in a row with the same first move.
    iterations_stable: u32,
    /// The search control stops the search, or the mate of the limits is found.
    stops: bool,
}

impl<'a> ControlAdapter<'a> {
    fn new(
        control: &'a mut dyn SearchControl,
        limits: &'a Limits,
        root: &PathGame,
        before: u64,
        offset: usize,
    ) -> ControlAdapter<'a> {
        ControlAdapter {
            control,
            limits,
            stats: Stats::default(),
            before,
            next_poll: 0,
            polls: 0,
            offset,
            reported: None,
            depth: 0,
            mates: MateLines::new(root.game.position(), root.key_history().collect()),
            iterations_stable: 0,
            stops: false,
        }
    }

    /// The value with mates counted from this root.
    fn value_at_root(&self, value: Value) -> Value {
        score::to_tt(value, self.offset)
    }

    /// Reports the line of a completed iteration, or a longer principal variation.
    fn report_line(&mut self, line: &[Move], depth: i32, value: Value, hashfull: u32) {
        let Some(&best) = line.first() else { return };
        let value = self.value_at_root(value);
        let (line, bound) = self.mates.complete(line, value, self.stats.made_moves, self.control);
        let same = self.reported.as_ref().is_some_and(|(reported, ..)| reported.first() == Some(&best));
        self.iterations_stable = if same { self.iterations_stable + 1 } else { 1 };
        self.reported = Some((line.clone(), value, bound));
        self.depth = depth;
        self.stats.iterations += 1;
        self.stats.selective_depth = self.stats.selective_depth.max(line.len()).max(depth as usize);
        self.control.report(&Report {
            depth,
            selective_depth: self.stats.selective_depth,
            line: 1,
            value,
            bound,
            finished: true,
            nodes: self.stats.made_moves,
            hashfull,
            tb_hits: None,
            pv: line,
        });
        self.stops |= self.mate_found(value) || !self.continues(depth);
    }

    /// Calls [`SearchControl::iteration`]; false to stop.
    fn continues(&mut self, depth: i32) -> bool {
        let Some((line, value, _)) = &self.reported else { return true };
        let (stats, value, iterations_stable) = (&self.stats, *value, self.iterations_stable);
        let Some(&best) = line.first() else { return true };
        self.control.iteration(&Progress {
            depth,
            value,
            proven: false,
            best,
            iterations_stable,
            best_move_share: 0.5,
            passes: 1,
            stats,
        })
    }

    fn mate_found(&self, value: Value) -> bool {
        let wanted = self.limits.mate.map(|moves| moves as Value);
        wanted.is_some_and(|most| score::mate_in_moves(value).is_some_and(|n| n > 0 && n <= most))
    }
}

impl StopCondition for ControlAdapter<'_> {
    fn should_stop(&mut self, visits: u64) -> bool {
        let made = visits - self.before.min(visits);
        self.stats.made_moves = made;
        if self.stops || self.limits.nodes.is_some_and(|most| made >= most) {
            return true;
        }
        if made < self.next_poll {
            return false;
        }
        self.polls += 1;
        let Some(next) = self.control.poll(made) else {
            self.stops = true;
            return true;
        };
        self.next_poll = next.min(made + POLL_INTERVAL);
        if self.polls.is_multiple_of(POLLS_PER_ITERATION) {
            self.stops |= !self.continues(self.depth);
        }
        self.stops
    }
}

impl PvListener<PathGame> for ControlAdapter<'_> {
    fn longer_pv(&mut self, line: &[Move], value: Value) {
        self.report_line(line, line.len() as i32, value, 0);
    }
}

/// Searches a root with a textbook algorithm. The tree in `kept` is used if it contains the root, and left
/// there for the next move. Always ends with a legal move if there is one.
pub(super) fn search(
    game: PathGame,
    backend: Backend,
    memory: usize,
    limits: &Limits,
    kept: &mut Option<KeptTree>,
    control: &mut dyn SearchControl,
) -> Outcome {
    let mut moves = game.moves();
    moves.retain(|m| limits.moves.is_empty() || limits.moves.contains(m));
    let Some(&first) = moves.first() else {
        let value = if game.game.position().in_check() { score::mated_in(0) } else { DRAW };
        return Outcome { value, ..Outcome::default() };
    };
    let value = game.evaluate();
    let fallback = Outcome { best: Some(first), pv: vec![first], value, ..Outcome::default() };
    match backend {
        Backend::RecursiveBestFirst => recursive(game, limits, control, fallback),
        Backend::Ins | Backend::Pns => informed(game, moves, backend, memory, limits, control, fallback),
        _ => best_first(game, backend, memory, limits, kept, control, fallback),
    }
}

/// Limits of the best-first searches.
fn reach(limits: &Limits) -> SearchLimits<PathGame> {
    let deepest = MAX_PLY as u32 - 1;
    let depth = limits.depth.max(1) as u32;
    // Without a depth limit the search turns to other lines when its line has the greatest length.
    let depth = if depth < deepest { depth } else { u32::MAX };
    // A draw does not end the search, and the tree below another move is never exhausted.
    SearchLimits { depth, win: MATE_BAND, deepest, fallback: Fallback::Nearest, moves: limits.moves.clone() }
}

/// Best-first minimax and best-first extension.
fn best_first(
    game: PathGame,
    backend: Backend,
    memory: usize,
    limits: &Limits,
    kept: &mut Option<KeptTree>,
    control: &mut dyn SearchControl,
    fallback: Outcome,
) -> Outcome {
    let mut tree = kept
        .take()
        .filter(|tree| tree.limits.moves.is_empty() && limits.moves.is_empty())
        .and_then(|tree| advance_tree(tree, &game))
        .unwrap_or_else(|| BestFirst::new(game, SearchLimits::to_depth(1), NeverStop));
    (tree.limits, tree.memory) = (reach(limits), memory);
    let adapter = ControlAdapter::new(control, limits, tree.game(), tree.evaluations, tree.game().game.ply());
    let mut tree = tree.with_listener(adapter);
    let extends = backend == Backend::BestFirstExtension;
    let horizon = if extends { ALPHA_BETA_DEPTH.min(tree.limits.depth.saturating_sub(1)) } else { 0 };
    if (1..=horizon).all(|depth| tree.alpha_beta(depth).is_ok()) || !tree.stop.stops {
        tree.run();
    }
    let (line, value, depth) = (tree.line(), tree.value(), tree.longest.max(1) as i32);
    let depth = depth.max(line.len() as i32);
    let hashfull = (tree.tree_bytes() as u64 * 1000 / memory.max(1) as u64) as u32;
    tree.stop.report_line(&line, depth, value, hashfull);
    let outcome = outcome(&tree.stop, depth, fallback);
    *kept = Some(tree.with_listener(NeverStop));
    outcome
}

/// The tree of the last move, advanced to the position of the game, if it can be kept.
fn advance_tree(mut tree: KeptTree, game: &PathGame) -> Option<KeptTree> {
    let wanted = game.key();
    if tree.game().key() != wanted {
        let moves = moves_to(tree.game(), wanted)?;
        if !moves.into_iter().all(|m| tree.advance(m)) {
            return None;
        }
    }
    let here = tree.game();
    // A position that was a draw by its path has no moves in the tree.
    if here.game.ply() > MAX_ROOT_PLY || tree.line().is_empty() || !here.knows_all_draws_of(game) {
        return None;
    }
    let game = PathGame::root(here.game.clone(), Arc::clone(&game.root_key_history));
    tree.set_game(game);
    // The path of the last search is the game's past now, where a single repetition is no draw.
    tree.reevaluate_leaves(|value| value == DRAW);
    tree.longest = 0;
    Some(tree)
}

/// The one or two moves that lead to a position.
fn moves_to(from: &PathGame, wanted: u64) -> Option<Vec<Move>> {
    let children: Vec<_> = from.moves().into_iter().map(|m| (m, from.play(m))).collect();
    if let Some((m, _)) = children.iter().find(|(_, child)| child.key() == wanted) {
        return Some(vec![*m]);
    }
    children.iter().find_map(|(first, child)| {
        let second = child.moves().into_iter().find(|&m| child.play(m).key() == wanted)?;
        Some(vec![*first, second])
    })
}

/// Recursive best-first minimax, in memory linear in the depth.
fn recursive(game: PathGame, limits: &Limits, control: &mut dyn SearchControl, fallback: Outcome) -> Outcome {
    let adapter = ControlAdapter::new(control, limits, &game, 1, 0);
    let mut search = RecursiveBestFirst::new(game, reach(limits), adapter);
    search.run();
    let (line, value, depth) = (search.line().to_vec(), search.value(), search.longest.max(1) as i32);
    search.stop.report_line(&line, depth, value, 0);
    outcome(&search.stop, depth, fallback)
}

/// INS and PNS with iterative deepening; the best move of one depth is searched first in the next. Visits are
/// counted as nodes.
fn informed(
    root: PathGame,
    moves: Vec<Move>,
    backend: Backend,
    memory: usize,
    limits: &Limits,
    control: &mut dyn SearchControl,
    fallback: Outcome,
) -> Outcome {
    let adapter = ControlAdapter::new(control, limits, &root, 0, 0);
    let saved = memory / NODE_BYTES;
    let mut search = match backend {
        Backend::Pns => Ins::pns(adapter, saved),
        _ => Ins::with_stop(adapter, saved),
    };
    let root = RootMoves { game: root, moves: Some(moves.into()) };
    let (mut completed, mut best) = (0, None);
    for depth in 1..=limits.depth {
        search.first = best;
        let window = Window::new(-INFINITE, INFINITE);
        let Ok((value, index)) = search.search(&root, depth as u32, window) else { break };
        best = index.or(best);
        let Some(&m) = root.moves().get(best.unwrap_or(0)) else { break };
        let hashfull = (search.peak as u64 * 1000 / saved.max(1) as u64).min(1000) as u32;
        let adapter = &mut search.traversal.stop;
        adapter.report_line(&[m], depth, value, hashfull);
        completed = depth;
        if adapter.stops {
            break;
        }
    }
    outcome(&search.traversal.stop, completed, fallback)
}

/// A game restricted to certain root moves.
#[derive(Clone, Debug)]
struct RootMoves {
    game: PathGame,
    /// The root moves to search; `None` below the root.
    moves: Option<Arc<[Move]>>,
}

impl Game for RootMoves {
    type Value = Value;
    type Move = Move;

    const LIMIT: Value = INFINITE;

    fn moves(&self) -> Vec<Move> {
        self.moves.as_ref().map_or_else(|| self.game.moves(), |moves| moves.to_vec())
    }

    fn play(&self, m: Move) -> RootMoves {
        RootMoves { game: self.game.play(m), moves: None }
    }

    fn evaluate(&self) -> Value {
        self.game.evaluate()
    }

    fn key(&self) -> u64 {
        self.game.key()
    }
}

/// The outcome of a search: the last line reported, or `fallback` where there is none.
fn outcome(adapter: &ControlAdapter<'_>, depth: i32, fallback: Outcome) -> Outcome {
    let stats = Stats { leaf: adapter.stats.made_moves, ..adapter.stats.clone() };
    let Some((pv, value, bound)) = adapter.reported.clone() else { return Outcome { stats, ..fallback } };
    let (best, ponder) = (pv.first().copied(), pv.get(1).copied());
    Outcome { best, ponder, value, bound, depth, pv, stats, ..fallback }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game as ChessRecord;

    const ROOKS: &str = "3rk3/8/8/8/8/8/8/4KR2 w - - 0 1";

    fn record(fen: &str, moves: &str) -> ChessRecord {
        let mut record = ChessRecord::parse_fen(fen).unwrap();
        moves.split_whitespace().for_each(|text| record.play_text(text).unwrap());
        record
    }

    fn root(record: &ChessRecord) -> PathGame {
        PathGame::new(record.position(), record.key_history(), &SharedEvaluator::default())
    }

    /// The position after moves in the search.
    fn below(record: &ChessRecord, moves: &str) -> PathGame {
        let mut record = record.clone();
        moves.split_whitespace().fold(root(&record), |game, text| {
            let m = record.parse_move(text).unwrap();
            record.play(m);
            game.play(m)
        })
    }

    fn is_draw(game: &PathGame) -> bool {
        assert_eq!(game.is_drawn, game.moves().is_empty());
        assert!(!game.is_drawn || game.evaluate() == DRAW);
        game.is_drawn
    }

    #[test]
    fn a_repetition_on_the_path_is_a_draw() {
        let start = record(ROOKS, "");
        assert!(!is_draw(&below(&start, "f1f2 d8d7 f2f1")));
        assert!(is_draw(&below(&start, "f1f2 d8d7 f2f1 d7d8")), "the root again");
        assert!(!is_draw(&below(&start, "f1f2 d8d7 f2f3 d7d8 f3f1")));
        assert!(is_draw(&below(&start, "f1f2 d8d7 f2f3 d7d8 f3f2 d8d7")), "a position below the root");
    }

    #[test]
    fn a_position_of_the_game_is_a_draw_at_the_third_time() {
        let once = record(ROOKS, "f1f2 d8d7");
        assert!(!is_draw(&below(&once, "f2f1 d7d8")), "the second time");
        assert!(is_draw(&below(&once, "f2f1 d7d8 f1f2 d8d7")), "but the root again");
        let twice = record(ROOKS, "f1f2 d8d7 f2f1 d7d8 f1f2 d8d7");
        assert!(is_draw(&below(&twice, "f2f1 d7d8")), "the third time");
        assert!(!is_draw(&root(&twice)), "the root has moves");
    }

    #[test]
    fn a_pawn_move_cuts_the_path() {
        let start = record("4k3/p7/8/8/8/8/P7/4K3 w - - 0 1", "");
        let cut = below(&start, "e1e2 e8e7 a2a3");
        assert_eq!(cut.path().count(), 0);
        let after = below(&start, "e1e2 e8e7 a2a3 e7e8 e2e1");
        assert_eq!(after.path().count(), 2);
        assert!(!is_draw(&after));
    }

    #[test]
    fn fifty_moves_are_a_draw_unless_the_last_one_mates() {
        let late = record("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 99 90", "");
        assert!(is_draw(&below(&late, "d1d2")));
        assert_eq!(below(&late, "d1d8").evaluate(), score::mated_in(1));
        assert!(!is_draw(&below(&late, "f2f3")));
    }

    /// The tree of a search of 3000 positions.
    fn tree(record: &ChessRecord) -> KeptTree {
        let reach = reach(&Limits::default());
        let mut search = BestFirst::new(root(record), reach, |visits: u64| visits >= 3000);
        search.run();
        search.with_listener(NeverStop)
    }

    #[test]
    fn a_tree_is_kept_where_it_has_every_draw_of_the_game() {
        let start = record(ROOKS, "f1f2 d8d7 f2f1 d7d8");
        let line = tree(&start).line();
        let mut on = start.clone();
        line[..2].iter().for_each(|&m| on.play(m));
        let kept =
            advance_tree(tree(&start), &root(&on)).expect("the tree contains the position of the game");
        assert_eq!(kept.game().key_history().count(), on.key_history().len());
        assert!(kept.game().path.is_none() && !kept.line().is_empty());
        assert!(advance_tree(tree(&start), &root(&start)).is_some(), "the same search again");
        let without_past = PathGame::new(start.position(), &[], &SharedEvaluator::default());
        assert!(advance_tree(tree(&start), &without_past).is_some(), "there are fewer draws");
        // The same position for the third time, and with another halfmove clock.
        let again = record(ROOKS, "f1f2 d8d7 f2f1 d7d8 f1f2 d8d7 f2f1 d7d8");
        assert!(advance_tree(tree(&start), &root(&again)).is_none());
        let late = record(&ROOKS.replace("- 0 1", "- 90 1"), "");
        assert!(advance_tree(tree(&record(ROOKS, "")), &root(&late)).is_none());
    }
}
