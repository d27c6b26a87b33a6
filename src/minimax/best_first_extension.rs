//! Best-first extension (BFM): alpha-beta to a shallow horizon, then best-first minimax from the tree, the
//! backed-up values and the principal variation that alpha-beta leaves behind.
//!
//! Its alpha-beta is the paper's baseline as well: fixed ordering (the children are sorted by their values,
//! which are backed-up ones where the tree is kept from the last move), single evaluations one level above
//! the horizon.

use super::best_first::{BestFirst, Branch, Ending, Follow, Node, sort};
use super::game::Game;
use super::window::Window;

impl<G: Game, H: Follow<G>> BestFirst<G, H> {
    /// Alpha-beta over the tree to `depth` plies; the value. The tree grows by what is searched.
    ///
    /// # Errors
    /// When somebody says stop, or the memory is full: the tree then holds what was searched so far.
    pub fn alpha_beta(&mut self, depth: u32) -> Result<G::Value, Ending> {
        let mut root = std::mem::replace(&mut self.root, Node::leaf(-G::LIMIT));
        let game = self.game.clone();
        let searched = self.node(&mut root, &game, Window::new(-G::LIMIT, G::LIMIT), depth, 0);
        self.root = root;
        searched.map(|()| self.root.worth.value)
    }

    /// Alpha-beta to `shallow` plies, then best-first minimax as far as it is asked to go.
    pub fn extend(&mut self, shallow: u32) -> Ending {
        match self.alpha_beta(shallow) {
            Ok(_) | Err(Ending::Full) => self.run(),
            Err(ending) => ending,
        }
    }

    /// Gives a node its fail-soft value.
    fn node(
        &mut self,
        node: &mut Node<G>,
        game: &G,
        window: Window<G::Value>,
        depth: u32,
        ply: u32,
    ) -> Result<(), Ending> {
        if depth == 0 || node.worth.is_settled::<G>() {
            return Ok(());
        }
        if node.children.is_empty() {
            let moves = self.reach.moves(game, ply);
            if moves.is_empty() {
                node.worth.detour = G::LIMIT;
                return Ok(());
            }
            if ply > 0 && self.held.saturating_add(Node::<G>::bytes_of(moves.len())) > self.memory {
                return Err(Ending::Full);
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
    ) -> Result<(), Ending> {
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
            let value = -branch.node.worth.value;
            if value > alpha {
                alpha = value;
            }
            if value >= window.beta {
                break;
            }
        }
        // The searched moves stand before the others, whose values are of another depth.
        sort(&mut node.children[..tried], |branch| branch.node.worth.value);
        if let Some(best) = node.children.first().filter(|_| tried > 0) {
            node.worth.value = -best.node.worth.value;
        }
        node.take_detour(self.reach.beside);
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
    ) -> Result<(), Ending> {
        let mut children = Vec::with_capacity(moves.len());
        for &m in moves {
            if self.halt.halt(self.evaluations) {
                return Err(Ending::Halted);
            }
            self.evaluations += 1;
            let child = Node::<G>::leaf(game.play(m).evaluate());
            let value = -child.worth.value;
            children.push(Branch { m, node: child });
            if value >= window.beta {
                node.worth.value = value;
                return Ok(());
            }
        }
        sort(&mut children, |branch| branch.node.worth.value);
        if let Some(best) = children.first() {
            node.worth.value = -best.node.worth.value;
        }
        self.held += Node::<G>::bytes_of(children.len());
        node.children = children.into_boxed_slice();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::game::Unhindered;
    use super::*;
    use crate::games::korf::RandomGame;
    use crate::minimax::best_first::Reach;

    fn search(game: RandomGame, depth: u32) -> BestFirst<RandomGame> {
        BestFirst::new(game, Reach::to_depth(depth), Unhindered)
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
                assert_eq!(search.held(), search.root.bytes());
            }
        }
    }

    #[test]
    fn the_tree_of_the_last_move_orders_the_next_search() {
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
    fn every_move_is_searched_to_the_shallow_depth_first() {
        for seed in 0..20 {
            let game = RandomGame::new(seed, 8, 100);
            let mut extended = search(game, 10);
            assert_eq!(extended.extend(3), Ending::Depth);
            assert_eq!(extended.line().len(), 10);
            let mut shallow = search(game, 3);
            shallow.alpha_beta(3).unwrap();
            assert!(extended.evaluations > shallow.evaluations);
        }
        // With nothing to extend it is alpha-beta; from a tree of one ply it is pure best-first.
        let game = RandomGame::new(5, 8, 100);
        let (mut one, mut pure) = (search(game, 9), search(game, 9));
        one.extend(1);
        pure.run();
        assert_eq!((one.value(), one.line(), one.evaluations), (pure.value(), pure.line(), pure.evaluations));
    }
}
