//! Best-first minimax (BFM): always expand the principal leaf, the one that determines the root's value, and
//! back values up until nothing changes.
//!
//! The tree is kept, also between moves. As in the paper's own program the control structure is that of the
//! recursive form ([`super::recursive_best_first`]): a node stays on the principal variation as long as its
//! value stays within inclusive bounds, which are its best rivals' values.

use super::game::{Game, Halt, Unhindered};
use super::recursive_best_first::Linear;
use super::walk::{higher, lower};
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

choice! {
    /// Where a search goes on when its principal leaf is final, so that no expansion there can change the value
    /// of the root.
    Beside {
        /// At the deepest node of the principal variation that has another move, until all of these are final
        /// or one is better: a small game is searched to its end.
        #[default]
        Deepest = "deepest",
        /// At the least departure from the principal variation: at whichever of its nodes another move comes
        /// nearest in value to the best one. For games that are too large to be exhausted anywhere.
        Nearest = "nearest",
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
    /// The principal variation and the root's value. A line beside the principal variation is none.
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
    /// Where it goes on when the principal leaf is final.
    pub beside: Beside,
    /// The root moves to consider; empty = all.
    pub moves: Vec<G::Move>,
}

impl<G: Game> Reach<G> {
    /// To a principal variation of `depth` plies, or any terminal node.
    #[must_use]
    pub fn to_depth(depth: u32) -> Reach<G> {
        Reach { depth, win: -G::LIMIT, deepest: u32::MAX, beside: Beside::default(), moves: Vec::new() }
    }

    /// The largest detour that is taken: none where lines are searched to their ends at the deepest node.
    pub(super) fn patience(&self) -> G::Value {
        match self.beside {
            Beside::Deepest => zero::<G>(),
            Beside::Nearest => G::LIMIT.below(),
        }
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

/// The value of nothing.
pub(super) fn zero<G: Game>() -> G::Value {
    G::LIMIT.minus(G::LIMIT)
}

/// What a search knows of a node, whatever its form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worth<V> {
    /// From the side to move.
    pub(super) value: V,
    /// What play has to depart from the best moves, in value, to reach a leaf that can be expanded: nothing
    /// where the principal leaf can be, `LIMIT` where the node is settled, that is, none is left.
    pub(super) detour: V,
}

impl<V: Value> Worth<V> {
    /// Of a leaf that can be expanded.
    pub(super) fn open<G: Game<Value = V>>(value: V) -> Worth<V> {
        Worth { value, detour: zero::<G>() }
    }

    pub(super) fn is_settled<G: Game<Value = V>>(&self) -> bool {
        self.detour >= G::LIMIT
    }

    /// The detour by way of this child, where the best one has the value `best`.
    fn detour_beside<G: Game<Value = V>>(&self, best: V) -> V {
        let departure = higher(self.value.minus(best), zero::<G>());
        lower(departure.minus(-self.detour), G::LIMIT)
    }
}

/// The detour of a node with these children.
pub(super) fn detour<G: Game>(
    children: impl Iterator<Item = Worth<G::Value>> + Clone,
    beside: Beside,
) -> G::Value {
    let Some(best) = children.clone().next() else { return G::LIMIT };
    let open = match beside {
        Beside::Deepest => !children.clone().all(|child| child.is_settled::<G>()),
        Beside::Nearest => best.detour <= zero::<G>(),
    };
    if open {
        return zero::<G>();
    }
    // A step more for every ply, so that among equals the departure nearest to the root comes first.
    let nearest = children.map(|child| child.detour_beside::<G>(best.value)).fold(G::LIMIT, lower);
    lower(nearest.above(), G::LIMIT)
}

/// A position of the tree. Its children stand in order, the most promising first; none before its expansion.
#[derive(Clone, Debug)]
pub(super) struct Node<G: Game> {
    pub(super) worth: Worth<G::Value>,
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
        Node { worth: Worth::open::<G>(value), children: Box::default() }
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
    pub(super) fn back_up(&mut self, at: usize, beside: Beside) {
        reinsert(&mut self.children, at, |branch| branch.node.worth.value);
        self.take_worth(beside);
    }

    /// Takes the worth of its children, the best of which stands first.
    pub(super) fn take_worth(&mut self, beside: Beside) {
        if let Some(best) = self.children.first() {
            self.worth.value = -best.node.worth.value;
        }
        self.take_detour(beside);
    }

    pub(super) fn take_detour(&mut self, beside: Beside) {
        self.worth.detour = detour::<G>(self.children.iter().map(|branch| branch.node.worth), beside);
    }

    /// Frees subtrees, from the least promising move on, until `wanted` bytes are freed; the principal
    /// variation stays. What is freed in bytes.
    fn prune(&mut self, wanted: usize, beside: Beside) -> usize {
        let mut freed = 0;
        for (rank, branch) in self.children.iter_mut().enumerate().rev() {
            if freed >= wanted {
                break;
            }
            if rank == 0 {
                freed += branch.node.prune(wanted - freed, beside);
            } else if !branch.node.worth.is_settled::<G>() {
                freed += branch.node.bytes();
                branch.node = Node::leaf(branch.node.worth.value);
            }
        }
        if freed > 0 {
            self.take_detour(beside);
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

/// A step from a node to the child that is searched next.
pub(super) struct Step<V> {
    /// Which child.
    pub(super) at: usize,
    /// The inclusive window, seen from the child, in which it remains that one.
    pub(super) window: Window<V>,
    /// The detour up to which it remains that one.
    pub(super) patience: V,
}

/// The step to the most promising child that is not settled. The child remains that, and the node remains
/// within `window`, as BFM figure 2 says: max(A, M\[2\]).
pub(super) fn next_open<G: Game>(
    children: impl Iterator<Item = Worth<G::Value>> + Clone,
    window: Window<G::Value>,
    patience: G::Value,
    beside: Beside,
) -> Option<Step<G::Value>> {
    let best = children.clone().next()?;
    if beside == Beside::Nearest && best.detour > zero::<G>() {
        return nearest::<G>(children, window, patience);
    }
    let at = children.clone().position(|child| !child.is_settled::<G>())?;
    // Beside a settled best child the node cannot fall out of its window any more.
    let floor = if at == 0 { window.alpha } else { -G::LIMIT };
    let rival = children.clone().nth(at + 1).map(|child| -child.value).filter(|&rival| rival > floor);
    let window = Window::new(rival.unwrap_or(floor), window.beta).flip();
    Some(Step { at, window, patience: zero::<G>() })
}

/// The step to the child with the least detour, where the best child's principal leaf is final.
fn nearest<G: Game>(
    children: impl Iterator<Item = Worth<G::Value>> + Clone,
    window: Window<G::Value>,
    patience: G::Value,
) -> Option<Step<G::Value>> {
    let best = children.clone().next()?.value;
    let (mut at, mut least, mut second) = (0, G::LIMIT, patience);
    for (index, child) in children.clone().enumerate() {
        let detour = child.detour_beside::<G>(best);
        if detour < least {
            (at, least, second) = (index, detour, lower(least, second));
        } else {
            second = lower(detour, second);
        }
    }
    let child = children.clone().nth(at).filter(|_| least < G::LIMIT)?;
    if at > 0 {
        // It is searched until it is the best one, or departs so far that another one is nearer.
        let worst = lower(best.minus(-second), G::LIMIT);
        let departure = higher(child.value.minus(best), zero::<G>());
        return Some(Step { at, window: Window::new(best, worst), patience: second.minus(departure) });
    }
    let rival = children.clone().nth(1).map(|child| -child.value).filter(|&rival| rival > window.alpha);
    let window = Window::new(rival.unwrap_or(window.alpha), window.beta).flip();
    Some(Step { at, window, patience: second })
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
    /// How many moves of `path` were not the best ones.
    departures: u32,
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
            departures: 0,
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
            departures: 0,
        }
    }

    /// Expands principal leaves until the search has reached what it was asked for. Can be called again.
    pub fn run(&mut self) -> Ending {
        let mut root = mem::replace(&mut self.root, Node::leaf(-G::LIMIT));
        let game = self.game.clone();
        let ending = loop {
            self.path.clear();
            self.departures = 0;
            let (window, patience) = (Window::new(-G::LIMIT, G::LIMIT), self.reach.patience());
            match self.grow(&mut root, &game, (window, patience), 0) {
                Ok(()) => break Ending::Exhausted,
                Err(Ending::Full) => {
                    // An eighth of the memory is enough to go on for a while.
                    let freed = root.prune((self.memory / 8).max(1), self.reach.beside);
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

    /// Expands below a node as long as its value stays within an inclusive window, and its detour within what
    /// there is patience for.
    fn grow(
        &mut self,
        node: &mut Node<G>,
        game: &G,
        (window, patience): (Window<G::Value>, G::Value),
        ply: u32,
    ) -> Result<(), Ending> {
        if node.children.is_empty() && !node.worth.is_settled::<G>() {
            self.principal_leaf(node, game, window, ply)?;
        }
        let beside = self.reach.beside;
        while node.worth.detour <= patience && within(window, node.worth.value) {
            let children = node.children.iter().map(|branch| branch.node.worth);
            let Some(step) = next_open::<G>(children, window, patience, beside) else { break };
            let branch = &mut node.children[step.at];
            self.path.push(branch.m);
            self.departures += u32::from(step.at > 0);
            let child = game.play(branch.m);
            let grown = self.grow(&mut branch.node, &child, (step.window, step.patience), ply + 1);
            self.departures -= u32::from(step.at > 0);
            self.path.pop();
            node.back_up(step.at, beside);
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
        if ply > self.longest && self.departures == 0 {
            self.longest = ply;
            self.halt.longer(&self.path, from_root::<G::Value>(node.worth.value, ply));
        }
        if ply >= self.reach.depth {
            return Err(Ending::Depth);
        }
        let moves = self.reach.moves(game, ply);
        if moves.is_empty() {
            node.worth.detour = G::LIMIT;
            let value = from_root::<G::Value>(node.worth.value, ply);
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
        sort(&mut children, |branch| branch.node.worth.value);
        self.held += Node::<G>::bytes_of(children.len());
        node.children = children.into_boxed_slice();
        if let Some(best) = node.children.first() {
            node.worth.value = -best.node.worth.value;
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
        let mut entry = Worth::open::<G>(node.worth.value);
        let mut linear = Linear {
            reach: &self.reach,
            halt: &mut self.halt,
            evaluations: &mut self.evaluations,
            expanded: &mut self.expanded,
            longest: &mut self.longest,
            path: &mut self.path,
            departures: self.departures,
            entries: 0,
            most_entries: 0,
            line: Vec::new(),
        };
        let ended = linear.search(&mut entry, game, (window, zero::<G>()), ply);
        node.worth = entry;
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
            return (node.worth.is_settled::<G>() || doubtful(node.worth.value)) && self.renew_leaf(node);
        }
        let mut changed = false;
        for branch in &mut node.children {
            self.path.push(branch.m);
            changed |= self.renew(&mut branch.node, doubtful);
            self.path.pop();
        }
        if changed {
            sort(&mut node.children, |branch| branch.node.worth.value);
            node.take_worth(self.reach.beside);
        }
        changed
    }

    /// Evaluates the leaf at the end of `path` anew, and opens it if there are moves to search.
    fn renew_leaf(&self, leaf: &mut Node<G>) -> bool {
        let game = self.path.iter().fold(self.game.clone(), |game, &m| game.play(m));
        let settled = leaf.worth.is_settled::<G>();
        if settled && self.reach.moves(&game, self.path.len() as u32).is_empty() {
            return false;
        }
        let before = mem::replace(leaf, Node::leaf(game.evaluate()));
        settled || before.worth.value != leaf.worth.value
    }

    /// The root's value; exact when the tree is exhausted, static before anything is expanded.
    pub fn value(&self) -> G::Value {
        self.root.worth.value
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
            node.children.iter().map(|b| -minimax(&b.node)).max().unwrap_or(node.worth.value)
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

    /// Its best line is a draw after two plies, with another answer that leads nowhere without end; the other
    /// move is a little worse, and wins in the end.
    #[derive(Clone, Debug)]
    struct DrawInTheWay(Vec<u8>);

    impl Game for DrawInTheWay {
        type Value = i32;
        type Move = u8;

        const LIMIT: i32 = 1000;

        fn moves(&self) -> Vec<u8> {
            if self.0 == [0, 0] { Vec::new() } else { vec![0, 1] }
        }

        fn play(&self, m: u8) -> DrawInTheWay {
            DrawInTheWay([&self.0[..], &[m]].concat())
        }

        fn evaluate(&self) -> i32 {
            let value = match self.0[..] {
                [] | [0] | [0, 0] => 0,
                [0, ..] => 5,
                [_, _, _, _, ..] => 50,
                _ => -3,
            };
            from_root::<i32>(value, self.0.len() as u32)
        }

        fn key(&self) -> u64 {
            self.0.iter().fold(1, |key, &m| 2 * key + u64::from(m))
        }
    }

    /// Stops after 300 evaluations and writes down what it is told.
    #[derive(Default)]
    struct Told(Vec<(u8, i32)>);

    impl Halt for Told {
        fn halt(&mut self, visits: u64) -> bool {
            visits >= 300
        }
    }

    impl Follow<DrawInTheWay> for Told {
        fn longer(&mut self, line: &[u8], value: i32) {
            self.0.extend(line.first().map(|&m| (m, value)));
        }
    }

    #[test]
    fn beside_a_draw_the_nearest_departure_is_searched() {
        use crate::minimax::recursive_best_first::RecursiveBestFirst;
        for (beside, best, value) in [(Beside::Deepest, 0, 0), (Beside::Nearest, 1, 50)] {
            let reach = Reach { win: DrawInTheWay::LIMIT, beside, ..Reach::to_depth(900) };
            let root = DrawInTheWay(Vec::new());
            let mut kept = BestFirst::new(root.clone(), reach.clone(), Told::default());
            assert_eq!(kept.run(), Ending::Halted);
            assert_eq!((kept.line()[0], kept.value()), (best, value), "{beside}");
            let mut linear = RecursiveBestFirst::new(root, reach, Told::default());
            assert_eq!(linear.run(), Ending::Halted);
            assert_eq!((linear.line()[0], linear.value()), (best, value), "{beside}");
            // The line beside the draw is worth 5, but it is no principal variation.
            assert!(!kept.halt.0.contains(&(0, 5)), "{:?}", kept.halt.0);
            assert!(!linear.halt.0.contains(&(0, 5)), "{:?}", linear.halt.0);
        }
    }

    #[test]
    fn what_is_final_everywhere_ends_the_search() {
        for seed in 0..20 {
            let game = RandomGame::new(seed, 4, 6);
            let reach = Reach { win: RandomGame::LIMIT, beside: Beside::Nearest, ..Reach::to_depth(100) };
            let mut search = BestFirst::new(game, reach, Unhindered);
            assert_eq!(search.run(), Ending::Exhausted);
            assert_eq!(search.value(), game.minimax(6), "seed {seed}");
        }
    }

    /// A random game in which some positions are draws, until the past is forgotten.
    #[derive(Clone, Copy, Debug)]
    struct Past {
        game: RandomGame,
        known: bool,
    }

    impl Past {
        fn is_drawn(&self) -> bool {
            self.known && self.game.key().is_multiple_of(5)
        }
    }

    impl Game for Past {
        type Value = i32;
        type Move = <RandomGame as Game>::Move;

        const LIMIT: i32 = RandomGame::LIMIT;

        fn moves(&self) -> Vec<Self::Move> {
            if self.is_drawn() { Vec::new() } else { self.game.moves() }
        }

        fn play(&self, m: Self::Move) -> Past {
            Past { game: self.game.play(m), ..*self }
        }

        fn evaluate(&self) -> i32 {
            if self.is_drawn() { 0 } else { self.game.evaluate() }
        }

        fn key(&self) -> u64 {
            self.game.key()
        }
    }

    #[test]
    fn draws_that_hold_no_longer_are_taken_back() {
        fn check(node: &Node<Past>, game: &Past) {
            let Some(best) = node.children.first() else {
                return assert_eq!(node.worth.value, game.evaluate());
            };
            assert!(node.children.is_sorted_by_key(|branch| branch.node.worth.value));
            assert_eq!(node.worth.value, -best.node.worth.value);
            assert!(!node.worth.is_settled::<Past>());
            node.children.iter().for_each(|branch| check(&branch.node, &game.play(branch.m)));
        }
        let mut taken_back = 0;
        for seed in 0..40 {
            let game = Past { game: RandomGame::new(seed, 6, 100), known: true };
            let reach = Reach { win: Past::LIMIT, beside: Beside::Nearest, ..Reach::to_depth(30) };
            let mut search = BestFirst::new(game, reach, |visits: u64| visits >= 3000);
            search.run();
            let advanced = search.line().into_iter().take(2).all(|m| search.advance(m));
            if !advanced || search.line().is_empty() {
                continue;
            }
            let before = search.value();
            search.set_game(Past { known: false, ..*search.game() });
            search.look_again(|value| value == 0);
            check(&search.root, &search.game);
            assert_eq!(search.held(), search.root.bytes());
            taken_back += u32::from(search.value() != before);
        }
        assert!(taken_back > 5, "{taken_back}");
    }
}
