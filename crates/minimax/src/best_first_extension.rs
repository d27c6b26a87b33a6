//! Best-first extension (BFM): alpha-beta to a shallow horizon, then [`BestFirst::run`] from the tree, the
//! backed-up values and the principal variation that alpha-beta leaves behind.
//!
//! The alpha-beta here is the paper's baseline as well: fixed ordering (the children are sorted by their
//! values, which are backed-up ones where the tree is kept from the last move), single evaluations one level
//! above the horizon.

use super::best_first::{BestFirst, Branch, Node};
use super::best_first_limits::{PvListener, StopReason};
use super::best_first_selection::sort;
use super::game::Game;
use super::window::Window;

impl<G: Game, H: PvListener<G>> BestFirst<G, H> {
    /// Alpha-beta over the tree to `depth` plies: returns the value, and adds the positions searched to the
    /// tree.
    ///
    /// # Errors
    /// When the stop condition is met or the memory is full: the tree then holds what was searched so far.
    pub fn alpha_beta(&mut self, depth: u32) -> Result<G::Value, StopReason> {
        let mut root = std::mem::replace(&mut self.root, Node::leaf(-G::LIMIT));
        let game = self.game.clone();
        let searched = self.node(&mut root, &game, Window::new(-G::LIMIT, G::LIMIT), depth, 0);
        self.root = root;
        searched.map(|()| self.root.estimate.value)
    }

    /// Gives a node its fail-soft value.
    fn node(
        &mut self,
        node: &mut Node<G>,
        game: &G,
        window: Window<G::Value>,
        depth: u32,
        ply: u32,
    ) -> Result<(), StopReason> {
        if depth == 0 || node.estimate.is_exhausted::<G>() {
            return Ok(());
        }
        if node.children.is_empty() {
            let moves = self.limits.moves(game, ply);
            if moves.is_empty() {
                node.estimate.deviation = G::LIMIT;
                return Ok(());
            }
            if ply > 0 && self.tree_bytes.saturating_add(Node::<G>::bytes_of(moves.len())) > self.memory {
                return Err(StopReason::MemoryFull);
            }
            if depth == 1 && ply > 0 {
                return self.horizon(node, game, &moves, window);
            }
            self.expand(node, game, &moves)?;
        }
        self.children(node, game, window, depth, ply)
    }

    fn children(
        &mut self,
        node: &mut Node<G>,
        game: &G,
        window: Window<G::Value>,
        depth: u32,
        ply: u32,
    ) -> Result<(), StopReason> {
        let mut alpha = window.alpha;
        let mut searched = Ok(());
        let mut tried = 0;
        for branch in &mut node.children {
            let below = Window::new(alpha, window.beta).flip();
            searched = self.node(&mut branch.node, &game.play(branch.m), below, depth - 1, ply + 1);
            if searched.is_err() {
                break;
            }
            tried += 1;
            let value = -branch.node.estimate.value;
            if value > alpha {
                alpha = value;
            }
            if value >= window.beta {
                break;
            }
        }
        // The searched moves stay before the others, whose values are of another depth.
        sort(&mut node.children[..tried], |branch| branch.node.estimate.value);
        if let Some(best) = node.children.first().filter(|_| tried > 0) {
            node.estimate.value = -best.node.estimate.value;
        }
        node.update_deviation(self.limits.fallback);
        searched
    }

    /// One level above the horizon: the children are evaluated one at a time, and kept only when they all
    /// were.
    fn horizon(
        &mut self,
        node: &mut Node<G>,
        game: &G,
        moves: &[G::Move],
        window: Window<G::Value>,
    ) -> Result<(), StopReason> {
        let mut children = Vec::with_capacity(moves.len());
        for &m in moves {
            if self.stop.should_stop(self.evaluations) {
                return Err(StopReason::Stopped);
            }
            self.evaluations += 1;
            let child = Node::<G>::leaf(game.play(m).evaluate());
            let value = -child.estimate.value;
            children.push(Branch { m, node: child });
            if value >= window.beta {
                node.estimate.value = value;
                return Ok(());
            }
        }
        sort(&mut children, |branch| branch.node.estimate.value);
        if let Some(best) = children.first() {
            node.estimate.value = -best.node.estimate.value;
        }
        self.tree_bytes += Node::<G>::bytes_of(children.len());
        node.children = children.into_boxed_slice();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::best_first_limits::SearchLimits;
    use crate::game::NeverStop;
    use crate::games::korf::RandomGame;

    fn search(game: RandomGame, depth: u32) -> BestFirst<RandomGame> {
        BestFirst::new(game, SearchLimits::to_depth(depth), NeverStop)
    }

    /// Alpha-beta to `shallow` plies, then best-first minimax.
    fn extend(search: &mut BestFirst<RandomGame>, shallow: u32) -> StopReason {
        search.alpha_beta(shallow).unwrap();
        search.run()
    }

    #[test]
    fn alpha_beta_finds_the_minimax_value() {
        for seed in 0..30 {
            let game = RandomGame::new(seed, 7, 100);
            for depth in 1..=5 {
                let mut search = search(game, depth);
                assert_eq!(search.alpha_beta(depth), Ok(game.minimax(depth)), "seed {seed} depth {depth}");
                let best = game.play(search.line()[0]);
                assert_eq!(-best.minimax(depth - 1), game.minimax(depth));
                assert_eq!(search.tree_bytes(), search.root.bytes());
            }
        }
    }

    #[test]
    fn a_tree_kept_from_the_last_move_orders_the_next_search() {
        let (mut kept_counts, mut fresh_counts) = (0, 0);
        for seed in 0..30 {
            let mut kept = search(RandomGame::new(seed, 10, 100), 4);
            kept.alpha_beta(4).unwrap();
            for m in kept.line().into_iter().take(2).collect::<Vec<_>>() {
                kept.advance(m);
            }
            let before = kept.evaluations;
            let value = kept.alpha_beta(4).unwrap();
            assert_eq!(value, kept.game().minimax(4), "seed {seed}");
            let mut fresh = search(*kept.game(), 4);
            fresh.alpha_beta(4).unwrap();
            kept_counts += kept.evaluations - before;
            fresh_counts += fresh.evaluations;
        }
        assert!(kept_counts < fresh_counts, "{kept_counts} {fresh_counts}");
    }

    #[test]
    fn an_extension_searches_more_than_its_alpha_beta_and_from_one_ply_as_best_first() {
        for seed in 0..20 {
            let game = RandomGame::new(seed, 8, 100);
            let mut extended = search(game, 10);
            assert_eq!(extend(&mut extended, 3), StopReason::Depth);
            assert_eq!(extended.line().len(), 10);
            let mut shallow = search(game, 3);
            shallow.alpha_beta(3).unwrap();
            assert!(extended.evaluations > shallow.evaluations);
        }
        // From a tree of one ply it is best-first minimax.
        let game = RandomGame::new(5, 8, 100);
        let (mut one, mut pure) = (search(game, 9), search(game, 9));
        extend(&mut one, 1);
        pure.run();
        assert_eq!((one.value(), one.line(), one.evaluations), (pure.value(), pure.line(), pure.evaluations));
    }
}
