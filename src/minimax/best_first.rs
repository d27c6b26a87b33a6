//! Best-first minimax (BFM): always expand the principal leaf, the one that determines the root's value, and
//! back values up until nothing changes.
//!
//! The tree is kept, also between moves. As in the paper's own program the control structure is that of the
//! recursive form ([`super::recursive_best_first`]): a node stays on the principal variation as long as its
//! value stays within inclusive bounds, which are its best rivals' values.

use super::game::{Game, Halt, Unhindered};
use super::recursive_best_first::{Entry, Linear};
use super::window::{Value, Window};
use crate::choice::choice;
use std::mem;

choice! {
    /// What happens when the memory is full (BFM, "Saving the Tree").
    WhenFull {
        /// The least promising subtrees are pruned.
        #[default]
        Prune = "prune",
        /// The search is finished by the linear-space form, below the leaves of the tree that there is.
        Finish = "finish",
    }
}

/// Why a best-first search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The principal variation reached the depth bound.
    Depth,
    /// A terminal node good enough to be called won was chosen for expansion.
    Won,
    /// Nothing is left to expand: the value is exact.
    Exhausted,
    /// Somebody said stop.
    Halted,
    /// The memory is full, and the principal variation alone fills it.
    Full,
}

/// Says when to stop, and hears of every principal variation that is longer than those before.
pub trait Follow<G: Game>: Halt {
    /// The principal variation and the root's value.
    fn longer(&mut self, _line: &[G::Move], _value: G::Value) {}
}

impl<G: Game> Follow<G> for Unhindered {}
impl<G: Game, F: FnMut(u64) -> bool> Follow<G> for F {}

/// Where a best-first search ends, whatever its form.
#[derive(Clone, Debug)]
pub struct Reach<G: Game> {
    /// Ends when the principal variation is so many plies long.
    pub depth: u32,
    /// Ends when a terminal node of at least this value, seen from the root, is chosen for expansion.
    /// `-LIMIT`: any terminal node; `LIMIT`: none, the search goes on beside it.
    pub win: G::Value,
    /// Nodes so many plies away from the root are never expanded; the search goes on beside them.
    pub deepest: u32,
    /// The root moves to consider; empty = all.
    pub moves: Vec<G::Move>,
}

impl<G: Game> Reach<G> {
    /// To a principal variation of `depth` plies, or any terminal node.
    #[must_use]
    pub fn to_depth(depth: u32) -> Reach<G> {
        Reach { depth, win: -G::LIMIT, deepest: u32::MAX, moves: Vec::new() }
    }

    /// The moves of a node `ply` plies from the root that may be searched.
    pub(super) fn moves(&self, game: &G, ply: u32) -> Vec<G::Move> {
        let mut moves = if ply < self.deepest { game.moves() } else { Vec::new() };
        if ply == 0 && !self.moves.is_empty() {
            moves.retain(|m| self.moves.contains(m));
        }
        moves
    }
}

/// A value of the node `ply` plies from the root, seen from the root's side to move.
pub(super) fn from_root<V: Value>(value: V, ply: u32) -> V {
    if ply.is_multiple_of(2) { value } else { -value }
}

/// A position of the tree. Its children stand in order, the most promising first; none before its expansion.
#[derive(Clone, Debug)]
pub(super) struct Node<G: Game> {
    /// From the side to move.
    pub(super) value: G::Value,
    /// Nothing is left to expand in it.
    pub(super) settled: bool,
    pub(super) children: Box<[Branch<G>]>,
}

/// A move and what it leads to.
#[derive(Clone, Debug)]
pub(super) struct Branch<G: Game> {
    pub(super) m: G::Move,
    pub(super) node: Node<G>,
}

/// What an allocation takes beside its contents, in bytes, about.
const ALLOCATION: usize = 16;

impl<G: Game> Node<G> {
    pub(super) fn leaf(value: G::Value) -> Node<G> {
        Node { value, settled: false, children: Box::default() }
    }

    /// What the children of a node take, in bytes.
    pub(super) fn bytes_of(children: usize) -> usize {
        if children == 0 { 0 } else { children * size_of::<Branch<G>>() + ALLOCATION }
    }

    /// What everything below takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        Self::bytes_of(self.children.len())
            + self.children.iter().map(|branch| branch.node.bytes()).sum::<usize>()
    }

    /// Backs the child at `at` up: puts it where it belongs, before its equals, and takes the best value.
    pub(super) fn back_up(&mut self, at: usize) {
        reinsert(&mut self.children, at, |branch| branch.node.value);
        if let Some(best) = self.children.first() {
            self.value = -best.node.value;
        }
        self.settled = self.children.iter().all(|branch| branch.node.settled);
    }

    /// Frees subtrees, from the least promising move on, until `wanted` bytes are freed; the principal
    /// variation stays. What is freed in bytes.
    fn prune(&mut self, wanted: usize) -> usize {
        let mut freed = 0;
        for (rank, branch) in self.children.iter_mut().enumerate().rev() {
            if freed >= wanted {
                break;
            }
            if rank == 0 {
                freed += branch.node.prune(wanted - freed);
            } else if !branch.node.settled {
                freed += branch.node.bytes();
                branch.node.children = Box::default();
            }
        }
        freed
    }
}

/// Moves the element at `at` to its place in a list that is otherwise in rising order, before its equals.
pub(super) fn reinsert<T, V: PartialOrd>(list: &mut [T], at: usize, value: impl Fn(&T) -> V) {
    let Some(own) = list.get(at).map(&value) else { return };
    let before = list[..at].iter().take_while(|other| value(other) < own).count();
    let passed = list[at + 1..].iter().take_while(|other| value(other) < own).count();
    if before < at {
        list[before..=at].rotate_right(1);
    } else {
        list[at..=at + passed].rotate_left(1);
    }
}

/// The most promising child that is not settled, and the inclusive window, seen from the child, in which it
/// remains that and the node remains within `window` (BFM figure 2: max(A, M\[2\])).
pub(super) fn next_open<G: Game, T>(
    children: &[T],
    value: impl Fn(&T) -> G::Value,
    settled: impl Fn(&T) -> bool,
    window: Window<G::Value>,
) -> Option<(usize, Window<G::Value>)> {
    let at = children.iter().position(|child| !settled(child))?;
    // Beside a settled best child the node cannot fall out of its window any more.
    let floor = if at == 0 { window.alpha } else { -G::LIMIT };
    let rival = children.get(at + 1).map(|child| -value(child)).filter(|&rival| rival > floor);
    Some((at, Window::new(rival.unwrap_or(floor), window.beta).flip()))
}

/// Whether a value stays within inclusive bounds.
pub(super) fn within<V: Value>(window: Window<V>, value: V) -> bool {
    window.alpha <= value && value <= window.beta
}

/// A best-first search of a game, from move to move.
pub struct BestFirst<G: Game, H = Unhindered> {
    /// Who says stop.
    pub halt: H,
    /// Where it ends.
    pub reach: Reach<G>,
    /// The most the tree may take, in bytes, about.
    pub memory: usize,
    /// What it does when it takes that.
    pub when_full: WhenFull,
    /// Positions evaluated so far.
    pub evaluations: u64,
    /// Keys of the expanded nodes in the order of their expansion, if somebody wants to know.
    pub expanded: Option<Vec<u64>>,
    /// The longest principal variation so far, in plies.
    pub longest: u32,
    pub(super) game: G,
    pub(super) root: Node<G>,
    /// What the tree takes, in bytes.
    pub(super) held: usize,
    path: Vec<G::Move>,
}

impl<G: Game, H: Follow<G>> BestFirst<G, H> {
    /// A search of `game` of which nothing is expanded yet; the tree may take all the memory there is.
    #[must_use]
    pub fn new(game: G, reach: Reach<G>, halt: H) -> BestFirst<G, H> {
        let root = Node::leaf(game.evaluate());
        BestFirst {
            halt,
            reach,
            memory: usize::MAX,
            when_full: WhenFull::default(),
            evaluations: 1,
            expanded: None,
            longest: 0,
            game,
            root,
            held: 0,
            path: Vec::new(),
        }
    }

    /// The same tree under somebody else's eyes.
    #[must_use]
    pub fn followed_by<F: Follow<G>>(self, halt: F) -> BestFirst<G, F> {
        BestFirst {
            halt,
            reach: self.reach,
            memory: self.memory,
            when_full: self.when_full,
            evaluations: self.evaluations,
            expanded: self.expanded,
            longest: self.longest,
            game: self.game,
            root: self.root,
            held: self.held,
            path: self.path,
        }
    }

    /// Expands principal leaves until the search has reached what it was asked for. Can be called again.
    pub fn run(&mut self) -> Ending {
        let mut root = mem::replace(&mut self.root, Node::leaf(-G::LIMIT));
        let game = self.game.clone();
        let ending = loop {
            self.path.clear();
            match self.grow(&mut root, &game, Window::new(-G::LIMIT, G::LIMIT), 0) {
                Ok(()) => break Ending::Exhausted,
                Err(Ending::Full) => {
                    // An eighth of the memory is enough to go on for a while.
                    let freed = root.prune((self.memory / 8).max(1));
                    if freed == 0 {
                        break Ending::Full;
                    }
                    self.held -= freed.min(self.held);
                }
                Err(ending) => break ending,
            }
        };
        self.root = root;
        ending
    }

    /// Expands below a node as long as its value stays within an inclusive window.
    fn grow(
        &mut self,
        node: &mut Node<G>,
        game: &G,
        window: Window<G::Value>,
        ply: u32,
    ) -> Result<(), Ending> {
        if node.children.is_empty() && !node.settled {
            self.principal_leaf(node, game, window, ply)?;
        }
        while !node.settled && within(window, node.value) {
            let (value, settled) = (|b: &Branch<G>| b.node.value, |b: &Branch<G>| b.node.settled);
            let Some((at, inner)) = next_open::<G, _>(&node.children, value, settled, window) else { break };
            let branch = &mut node.children[at];
            self.path.push(branch.m);
            let grown = self.grow(&mut branch.node, &game.play(branch.m), inner, ply + 1);
            self.path.pop();
            node.back_up(at);
            grown?;
        }
        Ok(())
    }

    /// Expands the principal leaf, or says why the search ends here.
    fn principal_leaf(
        &mut self,
        node: &mut Node<G>,
        game: &G,
        window: Window<G::Value>,
        ply: u32,
    ) -> Result<(), Ending> {
        if ply > self.longest {
            self.longest = ply;
            self.halt.longer(&self.path, from_root::<G::Value>(node.value, ply));
        }
        if ply >= self.reach.depth {
            return Err(Ending::Depth);
        }
        let moves = self.reach.moves(game, ply);
        if moves.is_empty() {
            node.settled = true;
            let value = from_root::<G::Value>(node.value, ply);
            return if ply < self.reach.deepest && value >= self.reach.win {
                Err(Ending::Won)
            } else {
                Ok(())
            };
        }
        if ply > 0 && self.held.saturating_add(Node::<G>::bytes_of(moves.len())) > self.memory {
            return match self.when_full {
                WhenFull::Prune => Err(Ending::Full),
                WhenFull::Finish => self.finish(node, game, window, ply),
            };
        }
        if let Some(expanded) = &mut self.expanded {
            expanded.push(game.key());
        }
        self.expand(node, game, &moves)
    }

    /// Generates and evaluates the children of a leaf.
    pub(super) fn expand(&mut self, node: &mut Node<G>, game: &G, moves: &[G::Move]) -> Result<(), Ending> {
        let mut children = Vec::with_capacity(moves.len());
        for &m in moves {
            if self.halt.halt(self.evaluations) {
                return Err(Ending::Halted);
            }
            self.evaluations += 1;
            children.push(Branch { m, node: Node::leaf(game.play(m).evaluate()) });
        }
        sort(&mut children, |branch| branch.node.value);
        self.held += Node::<G>::bytes_of(children.len());
        node.children = children.into_boxed_slice();
        if let Some(best) = node.children.first() {
            node.value = -best.node.value;
        }
        Ok(())
    }

    /// Searches below a leaf in linear space: the tree does not grow any more.
    fn finish(
        &mut self,
        node: &mut Node<G>,
        game: &G,
        window: Window<G::Value>,
        ply: u32,
    ) -> Result<(), Ending> {
        let mut entry = Entry { value: node.value, settled: false };
        let mut linear = Linear {
            reach: &self.reach,
            halt: &mut self.halt,
            evaluations: &mut self.evaluations,
            expanded: &mut self.expanded,
            longest: &mut self.longest,
            path: &mut self.path,
            entries: 0,
            most_entries: 0,
            line: Vec::new(),
        };
        let ended = linear.search(&mut entry, game, window, ply);
        (node.value, node.settled) = (entry.value, entry.settled);
        ended
    }

    /// A move was made: the rest of the tree is freed, what stands below the move is the tree of the next
    /// search. Whether the move stood in the tree; if not, the search begins anew.
    pub fn advance(&mut self, m: G::Move) -> bool {
        self.game = self.game.play(m);
        self.longest = 0;
        let children = mem::take(&mut self.root.children).into_vec();
        let kept = children.into_iter().find(|branch| branch.m == m).map(|branch| branch.node);
        let found = kept.is_some();
        self.root = kept.unwrap_or_else(|| Node::leaf(self.game.evaluate()));
        self.held = self.root.bytes();
        found
    }

    /// The position to move in.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Takes the same position with another past, for games whose positions have one.
    pub fn set_game(&mut self, game: G) {
        self.game = game;
    }

    /// Looks again at leaves that were final and at those whose value is `doubtful`, after a change of the game
    /// or of the reach: in another past what was a draw may be none, and nearer to the root what was too deep may
    /// be searched.
    pub fn look_again(&mut self, doubtful: impl Fn(G::Value) -> bool) {
        let mut root = mem::replace(&mut self.root, Node::leaf(-G::LIMIT));
        self.path.clear();
        self.renew(&mut root, &doubtful);
        self.root = root;
    }

    /// Renews the leaves below a node and what was backed up from them; whether anything has changed.
    fn renew(&mut self, node: &mut Node<G>, doubtful: &impl Fn(G::Value) -> bool) -> bool {
        if node.children.is_empty() {
            return (node.settled || doubtful(node.value)) && self.renew_leaf(node);
        }
        let mut changed = false;
        for branch in &mut node.children {
            self.path.push(branch.m);
            changed |= self.renew(&mut branch.node, doubtful);
            self.path.pop();
        }
        if changed {
            sort(&mut node.children, |branch| branch.node.value);
            node.back_up(0);
        }
        changed
    }

    /// Evaluates the leaf at the end of `path` anew, and opens it if there are moves to search.
    fn renew_leaf(&self, leaf: &mut Node<G>) -> bool {
        let game = self.path.iter().fold(self.game.clone(), |game, &m| game.play(m));
        if leaf.settled && self.reach.moves(&game, self.path.len() as u32).is_empty() {
            return false;
        }
        let renewed = Node::leaf(game.evaluate());
        let changed = leaf.settled || leaf.value != renewed.value;
        *leaf = renewed;
        changed
    }

    /// The root's value; exact when the tree is exhausted, static before anything is expanded.
    pub fn value(&self) -> G::Value {
        self.root.value
    }

    /// What the tree takes, in bytes, about.
    pub fn held(&self) -> usize {
        self.held
    }

    /// The principal variation; empty before the root is expanded.
    pub fn line(&self) -> Vec<G::Move> {
        let mut line = Vec::new();
        let mut node = &self.root;
        while let Some(best) = node.children.first() {
            line.push(best.m);
            node = &best.node;
        }
        line
    }
}

/// Sorts by rising value, equals as they stand.
pub(super) fn sort<T, V: PartialOrd>(list: &mut [T], value: impl Fn(&T) -> V) {
    list.sort_by(|a, b| value(a).partial_cmp(&value(b)).unwrap_or(std::cmp::Ordering::Equal));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::korf::{FigureOne, RandomGame};

    fn search(seed: u64, depth: u32) -> BestFirst<RandomGame> {
        BestFirst::new(RandomGame::new(seed, 8, 100), Reach::to_depth(depth), Unhindered)
    }

    #[test]
    fn figure_1_is_expanded_as_printed() {
        // A: the root, then B: the 6, then C: the 4; the next principal leaf is the 2. An expansion evaluates
        // two positions, after the root's one.
        let steps = [(3, 6, 1), (5, 4, 0), (7, 2, 1)];
        for (evaluations, value, principal) in steps {
            let halt = move |visits: u64| visits >= evaluations;
            let mut search = BestFirst::new(FigureOne::new(), Reach::to_depth(2), halt);
            search.expanded = Some(Vec::new());
            let ending = search.run();
            assert_eq!(ending, if evaluations == 7 { Ending::Depth } else { Ending::Halted });
            assert_eq!((search.value(), search.line()[0]), (value, principal));
            let order = [FigureOne::ROOT, FigureOne::RIGHT, FigureOne::LEFT];
            assert!(search.expanded.unwrap().starts_with(&order[..evaluations as usize / 2]));
        }
    }

    #[test]
    fn values_are_those_of_the_expanded_tree() {
        fn minimax(node: &Node<RandomGame>) -> i32 {
            node.children.iter().map(|b| -minimax(&b.node)).max().unwrap_or(node.value)
        }
        for seed in 0..20 {
            let mut search = search(seed, 9);
            assert_eq!(search.run(), Ending::Depth);
            assert_eq!(search.value(), minimax(&search.root));
            assert_eq!(search.line().len(), 9);
            assert_eq!(search.held(), search.root.bytes());
        }
    }

    #[test]
    fn the_tree_is_kept_between_moves() {
        for seed in 0..20 {
            let mut kept = search(seed, 8);
            kept.run();
            let line = kept.line();
            let before = kept.evaluations;
            assert!(kept.advance(line[0]) && kept.advance(line[1]));
            assert_eq!(kept.held(), kept.root.bytes());
            assert_eq!(kept.line(), line[2..]);
            kept.run();
            let mut anew = BestFirst::new(*kept.game(), Reach::to_depth(8), Unhindered);
            anew.run();
            assert!(kept.evaluations - before < anew.evaluations, "seed {seed}");
        }
    }

    #[test]
    fn enough_memory_changes_nothing_and_too_little_leaves_a_legal_move() {
        for seed in 0..20 {
            let mut free = search(seed, 10);
            free.run();
            for &when_full in WhenFull::ALL {
                let mut enough = search(seed, 10);
                (enough.memory, enough.when_full) = (free.held(), when_full);
                assert_eq!(enough.run(), Ending::Depth);
                assert_eq!((enough.value(), enough.line()), (free.value(), free.line()));
                let mut little = search(seed, 10);
                (little.memory, little.when_full) = (free.held() / 3, when_full);
                little.reach.depth = 12;
                assert_ne!(little.run(), Ending::Halted);
                assert!(little.held() <= little.memory);
                assert!(little.game().moves().contains(&little.line()[0]), "seed {seed} {when_full}");
            }
        }
    }

    #[test]
    fn finishing_in_linear_space_finds_the_same_value() {
        for seed in 0..20 {
            let mut free = search(seed, 8);
            free.run();
            let mut finished = search(seed, 8);
            (finished.memory, finished.when_full) = (free.held() / 2, WhenFull::Finish);
            assert_eq!(finished.run(), Ending::Depth);
            assert_eq!(finished.value(), free.value(), "seed {seed}");
            assert_eq!(finished.line()[0], free.line()[0]);
        }
    }

    #[test]
    fn a_small_game_is_searched_to_its_end() {
        for seed in 0..20 {
            let game = RandomGame::new(seed, 4, 6);
            let reach = Reach { win: RandomGame::LIMIT, ..Reach::to_depth(100) };
            let mut search = BestFirst::new(game, reach, Unhindered);
            assert_eq!(search.run(), Ending::Exhausted);
            assert_eq!(search.value(), game.minimax(6), "seed {seed}");
        }
    }

    #[test]
    fn wanted_moves_alone_are_searched() {
        let mut search = search(3, 6);
        let moves = search.game().moves();
        for &m in &moves {
            search =
                BestFirst::new(*search.game(), Reach { moves: vec![m], ..Reach::to_depth(6) }, Unhindered);
            search.run();
            assert_eq!(search.line()[0], m);
        }
        assert!(!moves.is_empty());
    }
}
