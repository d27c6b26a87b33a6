//! The backends that are not drivers of the node routine: INS, PNS and the best-first family, the papers' own
//! algorithms on chess as a textbook game. Full width, no table; their trees are bounded by Hash.
//!
//! Here stands what a program needs around them: limits, news for the watch, the tree kept between moves.

pub mod chess_game;

use super::Outcome;
use super::backend::Backend;
use super::settings::Limits;
use super::stats::Stats;
use crate::chess::Position;
use crate::chess::score::{self, DRAW, INFINITE, MATE_BAND, MAX_PLY, Value};
use crate::minimax::best_first::{Beside, BestFirst, Follow, Reach};
use crate::minimax::ins::{Ins, NODE_BYTES};
use crate::minimax::pns::Pns;
use crate::minimax::recursive_best_first::RecursiveBestFirst;
use crate::minimax::{Game, Halt, Unhindered, Window};
use crate::search::control::{Bound, Progress, Report, SearchControl};
use crate::search::textbook::chess_game::ChessGame;
use shakmaty::Move;
use std::iter::successors;
use std::sync::Arc;

/// Visits between two looks at the watch, at most: a few milliseconds.
const LOOK: u64 = 256;

/// Looks after which the watch is asked whether enough was thought, although nothing new was found.
const PULSE: u64 = 16;

/// Plies of alpha-beta before the best-first extension.
const SHALLOW: u32 = 3;

/// Plies from its first root after which a tree is not kept any more: mates are counted from there.
const OLDEST_TREE: usize = MAX_PLY;

/// A tree kept between moves.
pub(super) type Kept = BestFirst<Played>;

/// Chess with the draws that a game has beside those of the board: by repetition and by the fifty-move rule,
/// as the node routine counts them. They depend on the path, which a position therefore carries.
#[derive(Clone, Debug)]
pub(super) struct Played {
    game: ChessGame,
    /// Keys of the game's positions before the root, as far as they can occur again.
    past: Arc<[u64]>,
    /// The last position of the path from the root to here; none after a move that cannot be taken back.
    path: Option<Arc<Link>>,
    /// A draw by repetition or by the fifty-move rule. The root is none: it has to move.
    is_drawn: bool,
}

/// A position of a path, and those before it. Paths share their beginnings.
#[derive(Debug)]
struct Link {
    key: u64,
    before: Option<Arc<Link>>,
}

impl Played {
    fn new(root: &Position, line: &[u64]) -> Played {
        let since = line.len().saturating_sub(root.halfmoves() as usize);
        Played::root(ChessGame::new(root.clone()), Arc::from(&line[since..]))
    }

    fn root(game: ChessGame, past: Arc<[u64]>) -> Played {
        Played { game, past, path: None, is_drawn: false }
    }

    /// Keys of the positions of the path before this one, the latest first; the root's is the last.
    fn path(&self) -> impl Iterator<Item = u64> {
        successors(self.path.as_deref(), |link| link.before.as_deref()).map(|link| link.key)
    }

    /// Keys of the positions that can have occurred before with the same pawns and pieces, the latest first.
    fn earlier(&self) -> impl Iterator<Item = u64> {
        let reach = self.game.position().halfmoves() as usize;
        self.path().chain(self.past.iter().rev().copied()).take(reach)
    }

    /// A repetition on the path, the second one of a position of the game, or fifty moves without progress
    /// (unless the last of them mates).
    fn is_draw_by_path(&self) -> bool {
        let position = self.game.position();
        let key = position.key();
        position.halfmoves() >= 100 && !position.is_checkmate()
            || self.path().any(|earlier| earlier == key)
            || self.earlier().filter(|&earlier| earlier == key).count() >= 2
    }

    /// Whether a tree of this position holds for `root`, which is the same position after a game: it must not
    /// lack a draw. Draws that `root` does not know any more can be mended.
    fn knows_the_past_of(&self, root: &Played) -> bool {
        self.game.position().halfmoves() == root.game.position().halfmoves()
            && root.earlier().zip(self.earlier()).all(|(one, other)| one == other)
            && root.earlier().count() <= self.earlier().count()
    }
}

impl Game for Played {
    type Value = Value;
    type Move = Move;

    const LIMIT: Value = INFINITE;

    fn moves(&self) -> Vec<Move> {
        if self.is_drawn { Vec::new() } else { self.game.moves() }
    }

    fn play(&self, m: Move) -> Played {
        let game = self.game.play(m);
        let can_recur = game.position().halfmoves() > 0;
        let path = can_recur.then(|| Arc::new(Link { key: self.key(), before: self.path.clone() }));
        let child = Played { game, past: Arc::clone(&self.past), path, is_drawn: false };
        Played { is_drawn: child.is_draw_by_path(), ..child }
    }

    fn evaluate(&self) -> Value {
        if self.is_drawn { DRAW } else { self.game.evaluate() }
    }

    fn key(&self) -> u64 {
        self.game.key()
    }
}

/// Carries limits to an algorithm and news to the watch.
struct Meter<'a> {
    control: &'a mut dyn SearchControl,
    limits: &'a Limits,
    stats: Stats,
    /// Visits before this search began (the algorithm may count on).
    before: u64,
    /// The next look at the watch, in visits of this search.
    next_look: u64,
    looks: u64,
    /// What mates are counted from: plies between the algorithm's first root and this one.
    offset: usize,
    /// The last line told, with its value; and how many lines in a row began with the same move.
    told: Option<(Vec<Move>, Value)>,
    stable: u32,
    /// The watch has said stop, or what was asked for is found.
    enough: bool,
}

impl<'a> Meter<'a> {
    fn new(control: &'a mut dyn SearchControl, limits: &'a Limits, before: u64, offset: usize) -> Meter<'a> {
        Meter {
            control,
            limits,
            stats: Stats::default(),
            before,
            next_look: 0,
            looks: 0,
            offset,
            told: None,
            stable: 0,
            enough: false,
        }
    }

    /// A value as the world sees it: mates counted from this root.
    fn outward(&self, value: Value) -> Value {
        score::to_table(value, self.offset)
    }

    /// Tells the watch a line of a completed iteration or a longer principal variation.
    fn tell(&mut self, line: &[Move], depth: i32, value: Value, hashfull: u32) {
        let Some(&best) = line.first() else { return };
        let value = self.outward(value);
        let same = self.told.as_ref().is_some_and(|(told, _)| told.first() == Some(&best));
        self.stable = if same { self.stable + 1 } else { 1 };
        self.told = Some((line.to_vec(), value));
        self.stats.iterations += 1;
        self.stats.selective_depth = self.stats.selective_depth.max(line.len()).max(depth as usize);
        self.control.report(&Report {
            depth,
            selective_depth: self.stats.selective_depth,
            line: 1,
            value,
            bound: Bound::Exact,
            finished: true,
            nodes: self.stats.made_moves,
            hashfull,
            tb_hits: None,
            pv: line.to_vec(),
        });
        self.enough |= self.mate_found(value) || !self.goes_on(depth);
    }

    /// Asks the watch whether to go on.
    fn goes_on(&mut self, depth: i32) -> bool {
        let Some((line, value)) = &self.told else { return true };
        let (stats, value, stable) = (&self.stats, *value, self.stable);
        let Some(&best) = line.first() else { return true };
        self.control.iteration(&Progress {
            depth,
            value,
            proven: false,
            best,
            stable,
            effort: 0.5,
            passes: 1,
            stats,
        })
    }

    fn mate_found(&self, value: Value) -> bool {
        let wanted = self.limits.mate.map(|moves| moves as Value);
        wanted.is_some_and(|most| score::mate_in_moves(value).is_some_and(|n| n > 0 && n <= most))
    }
}

impl Halt for Meter<'_> {
    fn halt(&mut self, visits: u64) -> bool {
        let made = visits - self.before.min(visits);
        self.stats.made_moves = made;
        if self.enough || self.limits.nodes.is_some_and(|most| made >= most) {
            return true;
        }
        if made < self.next_look {
            return false;
        }
        self.looks += 1;
        let Some(next) = self.control.poll(made) else {
            self.enough = true;
            return true;
        };
        self.next_look = next.min(made + LOOK);
        if self.looks.is_multiple_of(PULSE) {
            let depth = self.told.as_ref().map_or(0, |(line, _)| line.len() as i32);
            self.enough |= !self.goes_on(depth);
        }
        self.enough
    }
}

impl Follow<Played> for Meter<'_> {
    fn longer(&mut self, line: &[Move], value: Value) {
        self.tell(line, line.len() as i32, value, 0);
    }
}

/// Searches `root` with one of the textbook's algorithms. `line` holds the keys of the game's earlier
/// positions; the tree in `kept` is used if `root` stands in it, and left there for the next move. Always ends
/// with a legal move if there is one.
pub(super) fn search(
    (root, line): (&Position, &[u64]),
    backend: Backend,
    memory: usize,
    limits: &Limits,
    kept: &mut Option<Kept>,
    control: &mut dyn SearchControl,
) -> Outcome {
    let game = Played::new(root, line);
    let mut moves = game.moves();
    moves.retain(|m| limits.moves.is_empty() || limits.moves.contains(m));
    let Some(&first) = moves.first() else {
        let value = if root.in_check() { score::mated_in(0) } else { DRAW };
        return Outcome { value, ..Outcome::default() };
    };
    let fallback = Outcome { best: Some(first), pv: vec![first], ..Outcome::default() };
    match backend {
        Backend::RecursiveBestFirst => recursive(game, limits, control, fallback),
        Backend::Ins | Backend::Pns => informed(game, moves, backend, memory, limits, control, fallback),
        _ => best_first(game, backend, memory, limits, kept, control, fallback),
    }
}

/// Where the best-first searches end.
fn reach(limits: &Limits) -> Reach<Played> {
    let deepest = MAX_PLY as u32 - 1;
    let depth = limits.depth.max(1) as u32;
    // Without a depth to reach, the search goes on beside a line that is as long as lines get.
    let depth = if depth < deepest { depth } else { u32::MAX };
    // A draw does not end the search, and the tree below another move is never exhausted.
    Reach { depth, win: MATE_BAND, deepest, beside: Beside::Nearest, moves: limits.moves.clone() }
}

/// Best-first minimax and best-first extension.
fn best_first(
    game: Played,
    backend: Backend,
    memory: usize,
    limits: &Limits,
    kept: &mut Option<Kept>,
    control: &mut dyn SearchControl,
    fallback: Outcome,
) -> Outcome {
    let mut tree = kept
        .take()
        .filter(|tree| tree.reach.moves.is_empty() && limits.moves.is_empty())
        .and_then(|tree| follow_game(tree, &game))
        .unwrap_or_else(|| BestFirst::new(game, Reach::to_depth(1), Unhindered));
    (tree.reach, tree.memory) = (reach(limits), memory);
    let meter = Meter::new(control, limits, tree.evaluations, tree.game().game.ply());
    let mut tree = tree.followed_by(meter);
    let extends = backend == Backend::BestFirstExtension;
    let horizon = if extends { SHALLOW.min(tree.reach.depth.saturating_sub(1)) } else { 0 };
    if (1..=horizon).all(|depth| tree.alpha_beta(depth).is_ok()) || !tree.halt.enough {
        tree.run();
    }
    let (line, value, depth) = (tree.line(), tree.value(), tree.longest.max(1) as i32);
    let depth = depth.max(line.len() as i32);
    let hashfull = (tree.held() as u64 * 1000 / memory.max(1) as u64) as u32;
    tree.halt.tell(&line, depth, value, hashfull);
    let outcome = outcome(&tree.halt, &line, value, depth, fallback);
    *kept = Some(tree.followed_by(Unhindered));
    outcome
}

/// The tree of the last move, where the game has gone on in it.
fn follow_game(mut tree: Kept, game: &Played) -> Option<Kept> {
    let wanted = game.key();
    if tree.game().key() != wanted {
        let moves = path_to(tree.game(), wanted)?;
        if !moves.into_iter().all(|m| tree.advance(m)) {
            return None;
        }
    }
    let here = tree.game();
    // What was taken for a draw has no moves in the tree.
    if here.game.ply() > OLDEST_TREE || tree.line().is_empty() || !here.knows_the_past_of(game) {
        return None;
    }
    let game = Played::root(here.game.clone(), Arc::clone(&game.past));
    tree.set_game(game);
    // The path of the last search is the game's past now, in which it takes more for a repetition to be a draw.
    tree.look_again(|value| value == DRAW);
    tree.longest = 0;
    Some(tree)
}

/// The one or two moves that lead to a position.
fn path_to(from: &Played, wanted: u64) -> Option<Vec<Move>> {
    let children: Vec<_> = from.moves().into_iter().map(|m| (m, from.play(m))).collect();
    if let Some((m, _)) = children.iter().find(|(_, child)| child.key() == wanted) {
        return Some(vec![*m]);
    }
    children.iter().find_map(|(first, child)| {
        let second = child.moves().into_iter().find(|&m| child.play(m).key() == wanted)?;
        Some(vec![*first, second])
    })
}

/// Recursive best-first minimax: it needs no memory to speak of.
fn recursive(game: Played, limits: &Limits, control: &mut dyn SearchControl, fallback: Outcome) -> Outcome {
    let meter = Meter::new(control, limits, 1, 0);
    let mut search = RecursiveBestFirst::new(game, reach(limits), meter);
    search.run();
    let (line, value, depth) = (search.line().to_vec(), search.value(), search.longest.max(1) as i32);
    search.halt.tell(&line, depth, value, 0);
    outcome(&search.halt, &line, value, depth, fallback)
}

/// INS and PNS, depth after depth, the best move of one first in the next. Its visits are its nodes.
fn informed(
    root: Played,
    moves: Vec<Move>,
    backend: Backend,
    memory: usize,
    limits: &Limits,
    control: &mut dyn SearchControl,
    fallback: Outcome,
) -> Outcome {
    let meter = Meter::new(control, limits, 0, 0);
    let saved = memory / NODE_BYTES;
    let mut search = match backend {
        Backend::Pns => Pns::with_halt(meter, saved).ins,
        _ => Ins::with_halt(meter, saved),
    };
    let root = Wanted { game: root, moves: Some(moves.into()) };
    let (mut found, mut best) = (None, None);
    for depth in 1..=limits.depth {
        search.first = best;
        let window = Window::new(-INFINITE, INFINITE);
        let Ok((value, index)) = search.search(&root, depth as u32, window) else { break };
        best = index.or(best);
        let Some(&m) = root.moves().get(best.unwrap_or(0)) else { break };
        let hashfull = (search.peak as u64 * 1000 / saved.max(1) as u64).min(1000) as u32;
        let meter = &mut search.walk.halt;
        meter.tell(&[m], depth, value, hashfull);
        found = Some((m, value, depth));
        if meter.enough {
            break;
        }
    }
    let meter = &search.walk.halt;
    let (line, value, depth) = found.map_or((vec![], DRAW, 0), |(m, value, depth)| (vec![m], value, depth));
    outcome(meter, &line, value, depth, fallback)
}

/// A game whose root has the wanted moves alone.
#[derive(Clone, Debug)]
struct Wanted {
    game: Played,
    /// At the root.
    moves: Option<Arc<[Move]>>,
}

impl Game for Wanted {
    type Value = Value;
    type Move = Move;

    const LIMIT: Value = INFINITE;

    fn moves(&self) -> Vec<Move> {
        self.moves.as_ref().map_or_else(|| self.game.moves(), |moves| moves.to_vec())
    }

    fn play(&self, m: Move) -> Wanted {
        Wanted { game: self.game.play(m), moves: None }
    }

    fn evaluate(&self) -> Value {
        self.game.evaluate()
    }

    fn key(&self) -> u64 {
        self.game.key()
    }
}

/// What a search came to.
fn outcome(meter: &Meter<'_>, line: &[Move], value: Value, depth: i32, fallback: Outcome) -> Outcome {
    let stats = Stats { leaf: meter.stats.made_moves, ..meter.stats.clone() };
    let Some(&best) = line.first() else { return Outcome { stats, ..fallback } };
    let value = meter.outward(value);
    let (best, ponder, pv) = (Some(best), line.get(1).copied(), line.to_vec());
    Outcome { best, ponder, value, depth, pv, stats, ..fallback }
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

    fn root(record: &ChessRecord) -> Played {
        Played::new(record.position(), record.earlier())
    }

    /// The position after moves of the search.
    fn below(record: &ChessRecord, moves: &str) -> Played {
        let mut record = record.clone();
        moves.split_whitespace().fold(root(&record), |game, text| {
            let m = record.parse_move(text).unwrap();
            record.play(m);
            game.play(m)
        })
    }

    fn is_draw(game: &Played) -> bool {
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
    fn what_cannot_be_taken_back_cuts_the_path() {
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

    /// The tree of a search of some thousand positions.
    fn tree(record: &ChessRecord) -> Kept {
        let reach = reach(&Limits::default());
        let mut search = BestFirst::new(root(record), reach, |visits: u64| visits >= 3000);
        search.run();
        search.followed_by(Unhindered)
    }

    #[test]
    fn a_tree_is_kept_where_it_knows_the_past() {
        let start = record(ROOKS, "f1f2 d8d7 f2f1 d7d8");
        let line = tree(&start).line();
        let mut on = start.clone();
        line[..2].iter().for_each(|&m| on.play(m));
        let kept = follow_game(tree(&start), &root(&on)).expect("the game has gone on in the tree");
        assert_eq!(kept.game().earlier().count(), on.earlier().len());
        assert!(kept.game().path.is_none() && !kept.line().is_empty());
        assert!(follow_game(tree(&start), &root(&start)).is_some(), "the same search again");
        let forgotten = Played::new(start.position(), &[]);
        assert!(follow_game(tree(&start), &forgotten).is_some(), "there are fewer draws");
        // The same position for the third time, and where the clock stands elsewhere.
        let again = record(ROOKS, "f1f2 d8d7 f2f1 d7d8 f1f2 d8d7 f2f1 d7d8");
        assert!(follow_game(tree(&start), &root(&again)).is_none());
        let late = record(&ROOKS.replace("- 0 1", "- 90 1"), "");
        assert!(follow_game(tree(&record(ROOKS, "")), &root(&late)).is_none());
    }
}
