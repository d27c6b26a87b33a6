//! Best-first minimax (BFM): always expand the principal leaf, the one that determines the root's value, and
//! back values up until nothing changes.
//!
//! The tree is kept, also between moves. As in the paper's own program the control structure is that of the
//! recursive form ([`super::recursive_best_first`]): a node stays on the principal variation as long as its
//! value stays within inclusive bounds, which are its best rivals' values.

use super::best_first_limits::{Fallback, PvListener, SearchLimits, StopReason, zero};
use super::best_first_selection::{Estimate, deviation, from_root, next_step, reinsert, sort, within};
use super::game::{Game, NeverStop};
use super::recursive_best_first::LinearSpaceSearch;
use super::window::Window;
use crate::choice;
use std::mem;

choice! {
    /// Policy for a full memory (BFM, "Saving the Tree").
    WhenFull {
        /// The least promising subtrees are pruned.
        #[default]
        Prune = "prune",
        /// The tree grows no further: the linear-space form searches on below its leaves.
        Finish = "finish",
    }
}

/// A position of the tree. Its children stand in order, the most promising first; none before its expansion.
#[derive(Clone, Debug)]
pub(super) struct Node<G: Game> {
    pub(super) estimate: Estimate<G::Value>,
    pub(super) children: Box<[Branch<G>]>,
}

/// A move and the node that it leads to.
#[derive(Clone, Debug)]
pub(super) struct Branch<G: Game> {
    pub(super) m: G::Move,
    pub(super) node: Node<G>,
}

/// Overhead of an allocation in bytes, about.
const ALLOCATION: usize = 16;

impl<G: Game> Node<G> {
    pub(super) fn leaf(value: G::Value) -> Node<G> {
        Node { estimate: Estimate::expandable::<G>(value), children: Box::default() }
    }

    /// Size of the children of a node, in bytes.
    pub(super) fn bytes_of(children: usize) -> usize {
        if children == 0 { 0 } else { children * size_of::<Branch<G>>() + ALLOCATION }
    }

    /// Size of everything below, in bytes.
    pub(super) fn bytes(&self) -> usize {
        Self::bytes_of(self.children.len())
            + self.children.iter().map(|branch| branch.node.bytes()).sum::<usize>()
    }

    /// Backs up the child at `at`: puts it in its place, before its equals, and takes the best value.
    pub(super) fn back_up(&mut self, at: usize, fallback: Fallback) {
        reinsert(&mut self.children, at, |branch| branch.node.estimate.value);
        self.update_estimate(fallback);
    }

    /// Backs up value and deviation of the children, the best of which stands first.
    pub(super) fn update_estimate(&mut self, fallback: Fallback) {
        if let Some(best) = self.children.first() {
            self.estimate.value = -best.node.estimate.value;
        }
        self.update_deviation(fallback);
    }

    pub(super) fn update_deviation(&mut self, fallback: Fallback) {
        self.estimate.deviation =
            deviation::<G>(self.children.iter().map(|branch| branch.node.estimate), fallback);
    }

    /// Frees subtrees, from the least promising move on, until `wanted` bytes are freed; the principal
    /// variation stays. Returns the bytes that are freed.
    fn prune(&mut self, wanted: usize, fallback: Fallback) -> usize {
        let mut freed = 0;
        for (rank, branch) in self.children.iter_mut().enumerate().rev() {
            if freed >= wanted {
                break;
            }
            if rank == 0 {
                freed += branch.node.prune(wanted - freed, fallback);
            } else if !branch.node.estimate.is_exhausted::<G>() {
                freed += branch.node.bytes();
                branch.node = Node::leaf(branch.node.estimate.value);
            }
        }
        if freed > 0 {
            self.update_deviation(fallback);
        }
        freed
    }
}

/// A best-first search of a game, from move to move.
pub struct BestFirst<G: Game, H = NeverStop> {
    /// Stop condition, and observer of the principal variation.
    pub stop: H,
    /// Depth, win and moves at which it ends.
    pub limits: SearchLimits<G>,
    /// Most bytes that the tree may take, about.
    pub memory: usize,
    /// Policy for a tree that takes all of them.
    pub when_full: WhenFull,
    /// Positions evaluated so far.
    pub evaluations: u64,
    /// Keys of the expanded nodes in the order of their expansion; `None` records nothing.
    pub expanded: Option<Vec<u64>>,
    /// The longest principal variation so far, in plies.
    pub longest: u32,
    pub(super) game: G,
    pub(super) root: Node<G>,
    /// Size of the tree in bytes.
    pub(super) tree_bytes: usize,
    path: Vec<G::Move>,
    /// Number of moves of `path` that were not the best ones.
    discrepancies: u32,
}

impl<G: Game, H: PvListener<G>> BestFirst<G, H> {
    /// A search of `game` of which nothing is expanded yet; the tree may take all the memory there is.
    #[must_use]
    pub fn new(game: G, limits: SearchLimits<G>, stop: H) -> BestFirst<G, H> {
        let root = Node::leaf(game.evaluate());
        BestFirst {
            stop,
            limits,
            memory: usize::MAX,
            when_full: WhenFull::default(),
            evaluations: 1,
            expanded: None,
            longest: 0,
            game,
            root,
            tree_bytes: 0,
            path: Vec::new(),
            discrepancies: 0,
        }
    }

    /// The same tree with another stop condition and observer.
    #[must_use]
    pub fn with_listener<F: PvListener<G>>(self, stop: F) -> BestFirst<G, F> {
        BestFirst {
            stop,
            limits: self.limits,
            memory: self.memory,
            when_full: self.when_full,
            evaluations: self.evaluations,
            expanded: self.expanded,
            longest: self.longest,
            game: self.game,
            root: self.root,
            tree_bytes: self.tree_bytes,
            path: self.path,
            discrepancies: 0,
        }
    }

    /// Expands principal leaves until a limit is reached. Can be called again.
    pub fn run(&mut self) -> StopReason {
        let mut root = mem::replace(&mut self.root, Node::leaf(-G::LIMIT));
        let game = self.game.clone();
        let reason = loop {
            self.path.clear();
            self.discrepancies = 0;
            let (window, max_deviation) = (Window::new(-G::LIMIT, G::LIMIT), self.limits.max_deviation());
            match self.grow(&mut root, &game, (window, max_deviation), 0) {
                Ok(()) => break StopReason::Exhausted,
                Err(StopReason::MemoryFull) => {
                    // An eighth of the memory is enough to go on for a while.
                    let freed = root.prune((self.memory / 8).max(1), self.limits.fallback);
                    if freed == 0 {
                        break StopReason::MemoryFull;
                    }
                    self.tree_bytes -= freed.min(self.tree_bytes);
                }
                Err(reason) => break reason,
            }
        };
        self.root = root;
        reason
    }

    /// Expands below a node as long as its value stays within an inclusive window and its deviation within
    /// `max_deviation`.
    fn grow(
        &mut self,
        node: &mut Node<G>,
        game: &G,
        (window, max_deviation): (Window<G::Value>, G::Value),
        ply: u32,
    ) -> Result<(), StopReason> {
        if node.children.is_empty() && !node.estimate.is_exhausted::<G>() {
            self.principal_leaf(node, game, window, ply)?;
        }
        let fallback = self.limits.fallback;
        while node.estimate.deviation <= max_deviation && within(window, node.estimate.value) {
            let children = node.children.iter().map(|branch| branch.node.estimate);
            let Some(step) = next_step::<G>(children, window, max_deviation, fallback) else { break };
            let branch = &mut node.children[step.at];
            self.path.push(branch.m);
            self.discrepancies += u32::from(step.at > 0);
            let child = game.play(branch.m);
            let grown = self.grow(&mut branch.node, &child, (step.window, step.max_deviation), ply + 1);
            self.discrepancies -= u32::from(step.at > 0);
            self.path.pop();
            node.back_up(step.at, fallback);
            grown?;
        }
        Ok(())
    }

    /// Expands the principal leaf, or returns the reason for which the search ends here.
    fn principal_leaf(
        &mut self,
        node: &mut Node<G>,
        game: &G,
        window: Window<G::Value>,
        ply: u32,
    ) -> Result<(), StopReason> {
        if ply > self.longest && self.discrepancies == 0 {
            self.longest = ply;
            self.stop.longer_pv(&self.path, from_root::<G::Value>(node.estimate.value, ply));
        }
        if ply >= self.limits.depth {
            return Err(StopReason::Depth);
        }
        let moves = self.limits.moves(game, ply);
        if moves.is_empty() {
            node.estimate.deviation = G::LIMIT;
            let value = from_root::<G::Value>(node.estimate.value, ply);
            return if ply < self.limits.deepest && value >= self.limits.win {
                Err(StopReason::Win)
            } else {
                Ok(())
            };
        }
        if ply > 0 && self.tree_bytes.saturating_add(Node::<G>::bytes_of(moves.len())) > self.memory {
            return match self.when_full {
                WhenFull::Prune => Err(StopReason::MemoryFull),
                WhenFull::Finish => self.finish(node, game, window, ply),
            };
        }
        if let Some(expanded) = &mut self.expanded {
            expanded.push(game.key());
        }
        self.expand(node, game, &moves)
    }

    /// Generates and evaluates the children of a leaf.
    pub(super) fn expand(
        &mut self,
        node: &mut Node<G>,
        game: &G,
        moves: &[G::Move],
    ) -> Result<(), StopReason> {
        let mut children = Vec::with_capacity(moves.len());
        for &m in moves {
            if self.stop.should_stop(self.evaluations) {
                return Err(StopReason::Stopped);
            }
            self.evaluations += 1;
            children.push(Branch { m, node: Node::leaf(game.play(m).evaluate()) });
        }
        sort(&mut children, |branch| branch.node.estimate.value);
        self.tree_bytes += Node::<G>::bytes_of(children.len());
        node.children = children.into_boxed_slice();
        if let Some(best) = node.children.first() {
            node.estimate.value = -best.node.estimate.value;
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
    ) -> Result<(), StopReason> {
        let mut entry = Estimate::expandable::<G>(node.estimate.value);
        let mut linear = LinearSpaceSearch {
            limits: &self.limits,
            stop: &mut self.stop,
            evaluations: &mut self.evaluations,
            expanded: &mut self.expanded,
            longest: &mut self.longest,
            path: &mut self.path,
            discrepancies: self.discrepancies,
            entries: 0,
            peak_entries: 0,
            line: Vec::new(),
        };
        let ended = linear.search(&mut entry, game, (window, zero::<G>()), ply);
        node.estimate = entry;
        ended
    }

    /// A move was made: the rest of the tree is freed, what stands below the move is the tree of the next
    /// search. Returns true if the move stood in the tree; if not, the search begins anew.
    pub fn advance(&mut self, m: G::Move) -> bool {
        self.game = self.game.play(m);
        self.longest = 0;
        let children = mem::take(&mut self.root.children).into_vec();
        let kept = children.into_iter().find(|branch| branch.m == m).map(|branch| branch.node);
        let found = kept.is_some();
        self.root = kept.unwrap_or_else(|| Node::leaf(self.game.evaluate()));
        self.tree_bytes = self.root.bytes();
        found
    }

    /// The position to move in.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Sets the same position with another history, for games whose positions have one.
    pub fn set_game(&mut self, game: G) {
        self.game = game;
    }

    /// Evaluates again the leaves that were final and those whose value is `doubtful`, after a change of the
    /// game or of the limits: with another history a draw by repetition may be none, and nearer to the root a
    /// leaf that was too deep may be expanded.
    pub fn reevaluate_leaves(&mut self, doubtful: impl Fn(G::Value) -> bool) {
        let mut root = mem::replace(&mut self.root, Node::leaf(-G::LIMIT));
        self.path.clear();
        self.reevaluate(&mut root, &doubtful);
        self.root = root;
    }

    /// Evaluates the leaves below a node again and backs them up; returns true if anything has changed.
    fn reevaluate(&mut self, node: &mut Node<G>, doubtful: &impl Fn(G::Value) -> bool) -> bool {
        if node.children.is_empty() {
            return (node.estimate.is_exhausted::<G>() || doubtful(node.estimate.value))
                && self.reevaluate_leaf(node);
        }
        let mut changed = false;
        for branch in &mut node.children {
            self.path.push(branch.m);
            changed |= self.reevaluate(&mut branch.node, doubtful);
            self.path.pop();
        }
        if changed {
            sort(&mut node.children, |branch| branch.node.estimate.value);
            node.update_estimate(self.limits.fallback);
        }
        changed
    }

    /// Evaluates the leaf at the end of `path` again, and makes it expandable if there are moves to search.
    fn reevaluate_leaf(&self, leaf: &mut Node<G>) -> bool {
        let game = self.path.iter().fold(self.game.clone(), |game, &m| game.play(m));
        let was_final = leaf.estimate.is_exhausted::<G>();
        if was_final && self.limits.moves(&game, self.path.len() as u32).is_empty() {
            return false;
        }
        let before = mem::replace(leaf, Node::leaf(game.evaluate()));
        was_final || before.estimate.value != leaf.estimate.value
    }

    /// The root's value; exact when the tree is exhausted, static before anything is expanded.
    pub fn value(&self) -> G::Value {
        self.root.estimate.value
    }

    /// Size of the tree in bytes, about.
    pub fn tree_bytes(&self) -> usize {
        self.tree_bytes
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::StopCondition;
    use crate::games::korf::{FigureOne, RandomGame};
    use crate::recursive_best_first::RecursiveBestFirst;

    fn search(seed: u64, depth: u32) -> BestFirst<RandomGame> {
        BestFirst::new(RandomGame::new(seed, 8, 100), SearchLimits::to_depth(depth), NeverStop)
    }

    #[test]
    fn the_nodes_of_figure_1_are_expanded_as_printed() {
        // A: the root, then B: the 6, then C: the 4; the next principal leaf is the 2. An expansion evaluates
        // two positions, after the root's one.
        let steps = [(3, 6, 1), (5, 4, 0), (7, 2, 1)];
        for (evaluations, value, principal) in steps {
            let stop = move |visits: u64| visits >= evaluations;
            let mut search = BestFirst::new(FigureOne::new(), SearchLimits::to_depth(2), stop);
            search.expanded = Some(Vec::new());
            let ending = search.run();
            assert_eq!(ending, if evaluations == 7 { StopReason::Depth } else { StopReason::Stopped });
            assert_eq!((search.value(), search.line()[0]), (value, principal));
            let order = [FigureOne::ROOT, FigureOne::RIGHT, FigureOne::LEFT];
            assert!(search.expanded.unwrap().starts_with(&order[..evaluations as usize / 2]));
        }
    }

    #[test]
    fn values_are_the_minimax_values_of_the_expanded_tree() {
        fn minimax(node: &Node<RandomGame>) -> i32 {
            node.children.iter().map(|b| -minimax(&b.node)).max().unwrap_or(node.estimate.value)
        }
        for seed in 0..20 {
            let mut search = search(seed, 9);
            assert_eq!(search.run(), StopReason::Depth);
            assert_eq!(search.value(), minimax(&search.root));
            assert_eq!(search.line().len(), 9);
            assert_eq!(search.tree_bytes(), search.root.bytes());
        }
    }

    #[test]
    fn a_tree_kept_between_moves_saves_evaluations() {
        for seed in 0..20 {
            let mut kept = search(seed, 8);
            kept.run();
            let line = kept.line();
            let before = kept.evaluations;
            assert!(kept.advance(line[0]) && kept.advance(line[1]));
            assert_eq!(kept.tree_bytes(), kept.root.bytes());
            assert_eq!(kept.line(), line[2..]);
            kept.run();
            let mut anew = BestFirst::new(*kept.game(), SearchLimits::to_depth(8), NeverStop);
            anew.run();
            assert!(kept.evaluations - before < anew.evaluations, "seed {seed}");
        }
    }

    #[test]
    fn a_full_memory_leaves_a_legal_move_and_a_large_enough_one_the_same_value() {
        for seed in 0..20 {
            let mut free = search(seed, 10);
            free.run();
            for &when_full in WhenFull::ALL {
                let mut enough = search(seed, 10);
                (enough.memory, enough.when_full) = (free.tree_bytes(), when_full);
                assert_eq!(enough.run(), StopReason::Depth);
                assert_eq!((enough.value(), enough.line()), (free.value(), free.line()));
                let mut little = search(seed, 10);
                (little.memory, little.when_full) = (free.tree_bytes() / 3, when_full);
                little.limits.depth = 12;
                assert_ne!(little.run(), StopReason::Stopped);
                assert!(little.tree_bytes() <= little.memory);
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
            (finished.memory, finished.when_full) = (free.tree_bytes() / 2, WhenFull::Finish);
            assert_eq!(finished.run(), StopReason::Depth);
            assert_eq!(finished.value(), free.value(), "seed {seed}");
            assert_eq!(finished.line()[0], free.line()[0]);
        }
    }

    #[test]
    fn a_small_game_is_searched_to_its_end() {
        for seed in 0..20 {
            let game = RandomGame::new(seed, 4, 6);
            let limits = SearchLimits { win: RandomGame::LIMIT, ..SearchLimits::to_depth(100) };
            let mut search = BestFirst::new(game, limits, NeverStop);
            assert_eq!(search.run(), StopReason::Exhausted);
            assert_eq!(search.value(), game.minimax(6), "seed {seed}");
        }
    }

    #[test]
    fn only_the_root_moves_of_the_limits_are_searched() {
        let mut search = search(3, 6);
        let moves = search.game().moves();
        for &m in &moves {
            search = BestFirst::new(
                *search.game(),
                SearchLimits { moves: vec![m], ..SearchLimits::to_depth(6) },
                NeverStop,
            );
            search.run();
            assert_eq!(search.line()[0], m);
        }
        assert!(!moves.is_empty());
    }

    /// First expansions, in their order.
    fn first_of_each(keys: Vec<u64>) -> Vec<u64> {
        let mut seen = std::collections::HashSet::new();
        keys.into_iter().filter(|&key| seen.insert(key)).collect()
    }

    #[test]
    fn the_linear_space_form_expands_the_nodes_in_the_same_order() {
        let small = (0..10_000_u64).map(|seed| (seed, 2 + seed as u32 % 4, 1 + seed as u32 / 4 % 6));
        let large = (0..40).map(|seed| (seed, 2 + seed as u32 % 9, 3 + seed as u32 % 7));
        for (seed, width, depth) in small.chain(large) {
            let game = RandomGame::new(seed, width, 100);
            let mut kept = BestFirst::new(game, SearchLimits::to_depth(depth), NeverStop);
            kept.expanded = Some(Vec::new());
            assert_eq!(kept.run(), StopReason::Depth);
            let mut linear = RecursiveBestFirst::new(game, SearchLimits::to_depth(depth), NeverStop);
            linear.expanded = Some(Vec::new());
            assert_eq!(linear.run(), StopReason::Depth);
            assert_eq!(first_of_each(linear.expanded.clone().unwrap()), kept.expanded.clone().unwrap());
            assert_eq!((linear.value(), linear.line().to_vec()), (kept.value(), kept.line()), "seed {seed}");
            assert!(linear.peak_entries <= (width * depth) as usize, "seed {seed}");
        }
    }

    /// A game whose best line is a draw after two plies, with another reply whose lines never end; the other
    /// root move is a little worse, and wins after four plies.
    #[derive(Clone, Debug)]
    struct DrawOnTheBestLine(Vec<u8>);

    impl Game for DrawOnTheBestLine {
        type Value = i32;
        type Move = u8;

        const LIMIT: i32 = 1000;

        fn moves(&self) -> Vec<u8> {
            if self.0 == [0, 0] { Vec::new() } else { vec![0, 1] }
        }

        fn play(&self, m: u8) -> DrawOnTheBestLine {
            DrawOnTheBestLine([&self.0[..], &[m]].concat())
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

    /// Stops after 300 evaluations and records the principal variations.
    #[derive(Default)]
    struct PvLog(Vec<(u8, i32)>);

    impl StopCondition for PvLog {
        fn should_stop(&mut self, visits: u64) -> bool {
            visits >= 300
        }
    }

    impl PvListener<DrawOnTheBestLine> for PvLog {
        fn longer_pv(&mut self, line: &[u8], value: i32) {
            self.0.extend(line.first().map(|&m| (m, value)));
        }
    }

    #[test]
    fn the_nearest_alternative_is_searched_when_the_principal_leaf_is_a_draw() {
        for (fallback, best, value) in [(Fallback::Deepest, 0, 0), (Fallback::Nearest, 1, 50)] {
            let limits =
                SearchLimits { win: DrawOnTheBestLine::LIMIT, fallback, ..SearchLimits::to_depth(900) };
            let root = DrawOnTheBestLine(Vec::new());
            let mut kept = BestFirst::new(root.clone(), limits.clone(), PvLog::default());
            assert_eq!(kept.run(), StopReason::Stopped);
            assert_eq!((kept.line()[0], kept.value()), (best, value), "{fallback}");
            let mut linear = RecursiveBestFirst::new(root, limits, PvLog::default());
            assert_eq!(linear.run(), StopReason::Stopped);
            assert_eq!((linear.line()[0], linear.value()), (best, value), "{fallback}");
            // The alternative to the draw is worth 5, but it is no principal variation.
            assert!(!kept.stop.0.contains(&(0, 5)), "{:?}", kept.stop.0);
            assert!(!linear.stop.0.contains(&(0, 5)), "{:?}", linear.stop.0);
        }
    }

    #[test]
    fn the_search_ends_when_every_leaf_is_final() {
        for seed in 0..20 {
            let game = RandomGame::new(seed, 4, 6);
            let limits = SearchLimits {
                win: RandomGame::LIMIT,
                fallback: Fallback::Nearest,
                ..SearchLimits::to_depth(100)
            };
            let mut search = BestFirst::new(game, limits, NeverStop);
            assert_eq!(search.run(), StopReason::Exhausted);
            assert_eq!(search.value(), game.minimax(6), "seed {seed}");
        }
    }

    /// A random game in which some positions are draws as long as the history is known.
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
    fn draws_of_an_older_history_are_evaluated_again() {
        fn check(node: &Node<Past>, game: &Past) {
            let Some(best) = node.children.first() else {
                return assert_eq!(node.estimate.value, game.evaluate());
            };
            assert!(node.children.is_sorted_by_key(|branch| branch.node.estimate.value));
            assert_eq!(node.estimate.value, -best.node.estimate.value);
            assert!(!node.estimate.is_exhausted::<Past>());
            node.children.iter().for_each(|branch| check(&branch.node, &game.play(branch.m)));
        }
        let mut taken_back = 0;
        for seed in 0..40 {
            let game = Past { game: RandomGame::new(seed, 6, 100), known: true };
            let limits =
                SearchLimits { win: Past::LIMIT, fallback: Fallback::Nearest, ..SearchLimits::to_depth(30) };
            let mut search = BestFirst::new(game, limits, |visits: u64| visits >= 3000);
            search.run();
            let advanced = search.line().into_iter().take(2).all(|m| search.advance(m));
            if !advanced || search.line().is_empty() {
                continue;
            }
            let before = search.value();
            search.set_game(Past { known: false, ..*search.game() });
            search.reevaluate_leaves(|value| value == 0);
            check(&search.root, &search.game);
            assert_eq!(search.tree_bytes(), search.root.bytes());
            taken_back += u32::from(search.value() != before);
        }
        assert!(taken_back > 5, "{taken_back}");
    }
}
