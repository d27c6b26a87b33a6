//! Recursive best-first minimax, RBFMS (BFM figure 2): the order of best-first minimax in linear space.
//!
//! What lies off the principal variation is forgotten, but for its backed-up value; it is generated again
//! when it becomes principal again. BFMAX and BFMIN are one function here, seen from the side to move; their
//! bounds are inclusive.

use super::best_first::{
    Beside, Ending, Follow, Reach, Worth, detour, from_root, next_open, reinsert, sort, within, zero,
};
use super::game::{Game, Unhindered};
use super::window::Window;

/// A child on the stack: M\[i\] with its move.
struct Child<G: Game> {
    m: G::Move,
    worth: Worth<G::Value>,
}

/// The recursion, and what it shares with whoever runs it.
pub(super) struct Linear<'a, G: Game, H> {
    pub(super) reach: &'a Reach<G>,
    pub(super) halt: &'a mut H,
    pub(super) evaluations: &'a mut u64,
    pub(super) expanded: &'a mut Option<Vec<u64>>,
    pub(super) longest: &'a mut u32,
    pub(super) path: &'a mut Vec<G::Move>,
    /// How many moves of `path` were not the best ones.
    pub(super) departures: u32,
    /// Children on the stack now, and at most.
    pub(super) entries: usize,
    pub(super) most_entries: usize,
    /// The principal variation when the search ended, its last move first.
    pub(super) line: Vec<G::Move>,
}

impl<G: Game, H: Follow<G>> Linear<'_, G, H> {
    /// BFMAX(n, A, B): searches as long as the node's value stays within the window, and its detour within what
    /// there is patience for.
    pub(super) fn search(
        &mut self,
        node: &mut Worth<G::Value>,
        game: &G,
        bounds: (Window<G::Value>, G::Value),
        ply: u32,
    ) -> Result<(), Ending> {
        if ply > *self.longest && self.departures == 0 {
            *self.longest = ply;
            self.halt.longer(self.path, from_root::<G::Value>(node.value, ply));
        }
        if ply >= self.reach.depth {
            return Err(Ending::Depth);
        }
        let moves = self.reach.moves(game, ply);
        if moves.is_empty() {
            node.detour = G::LIMIT;
            let won = ply < self.reach.deepest && from_root::<G::Value>(node.value, ply) >= self.reach.win;
            return if won { Err(Ending::Won) } else { Ok(()) };
        }
        if let Some(expanded) = self.expanded.as_mut() {
            expanded.push(game.key());
        }
        let before = self.entries;
        let searched = self.children(node, game, &moves, bounds, ply);
        self.entries = before;
        searched
    }

    fn children(
        &mut self,
        node: &mut Worth<G::Value>,
        game: &G,
        moves: &[G::Move],
        (window, patience): (Window<G::Value>, G::Value),
        ply: u32,
    ) -> Result<(), Ending> {
        node.detour = zero::<G>();
        let Some(mut children) = self.generate(node, game, moves, window)? else { return Ok(()) };
        self.entries += children.len();
        self.most_entries = self.most_entries.max(self.entries);
        let beside = self.reach.beside;
        while let Some(best) = children.first() {
            let worths = children.iter().map(|child| child.worth);
            *node = Worth { value: -best.worth.value, detour: detour::<G>(worths.clone(), beside) };
            if node.detour > patience || !within(window, node.value) {
                break;
            }
            let Some(mut step) = next_open::<G>(worths, window, patience, beside) else { break };
            if beside == Beside::Nearest && step.at > 0 {
                // A departure that becomes the best move is searched on: on the way back it would be forgotten.
                step.window.alpha = -window.beta;
            }
            let child = &mut children[step.at];
            let m = child.m;
            self.path.push(m);
            self.departures += u32::from(step.at > 0);
            let bounds = (step.window, step.patience);
            let searched = self.search(&mut child.worth, &game.play(m), bounds, ply + 1);
            self.departures -= u32::from(step.at > 0);
            self.path.pop();
            reinsert(&mut children, step.at, |child| child.worth.value);
            if searched.is_err() {
                self.leave(node, &children, m);
            }
            searched?;
        }
        if ply == 0 {
            self.line.extend(children.first().map(|best| best.m));
        }
        Ok(())
    }

    /// The search ends: the principal variation is put together on the way up.
    fn leave(&mut self, node: &mut Worth<G::Value>, children: &[Child<G>], searched: G::Move) {
        let Some(best) = children.first() else { return };
        node.value = -best.worth.value;
        if best.m != searched {
            self.line.clear();
        }
        self.line.push(best.m);
    }

    /// Generates and evaluates the children one at a time. The value of the first one beyond the window is
    /// the node's at once; the remaining ones are not generated.
    fn generate(
        &mut self,
        node: &mut Worth<G::Value>,
        game: &G,
        moves: &[G::Move],
        window: Window<G::Value>,
    ) -> Result<Option<Vec<Child<G>>>, Ending> {
        let mut children = Vec::with_capacity(moves.len());
        for &m in moves {
            if self.halt.halt(*self.evaluations) {
                return Err(Ending::Halted);
            }
            *self.evaluations += 1;
            let value = game.play(m).evaluate();
            if -value > window.beta {
                node.value = -value;
                return Ok(None);
            }
            children.push(Child { m, worth: Worth::open::<G>(value) });
        }
        sort(&mut children, |child| child.worth.value);
        Ok(Some(children))
    }
}

/// A search in linear space.
pub struct RecursiveBestFirst<G: Game, H = Unhindered> {
    /// The root.
    pub root: G,
    /// Where it ends.
    pub reach: Reach<G>,
    /// Who says stop.
    pub halt: H,
    /// Positions evaluated so far.
    pub evaluations: u64,
    /// Keys of the expanded nodes in the order of their expansion, again and again, if somebody wants to know.
    pub expanded: Option<Vec<u64>>,
    /// The most positions that were remembered at a time: its space, at most branching factor times depth.
    pub most_entries: usize,
    /// The longest principal variation so far, in plies.
    pub longest: u32,
    value: G::Value,
    line: Vec<G::Move>,
}

impl<G: Game, H: Follow<G>> RecursiveBestFirst<G, H> {
    /// A search of `root`.
    #[must_use]
    pub fn new(root: G, reach: Reach<G>, halt: H) -> RecursiveBestFirst<G, H> {
        let value = root.evaluate();
        RecursiveBestFirst {
            root,
            reach,
            halt,
            evaluations: 1,
            expanded: None,
            most_entries: 0,
            longest: 0,
            value,
            line: Vec::new(),
        }
    }

    /// Searches until it has reached what it was asked for.
    pub fn run(&mut self) -> Ending {
        let mut entry = Worth::open::<G>(self.root.evaluate());
        let mut linear = Linear {
            reach: &self.reach,
            halt: &mut self.halt,
            evaluations: &mut self.evaluations,
            expanded: &mut self.expanded,
            longest: &mut self.longest,
            path: &mut Vec::new(),
            departures: 0,
            entries: 0,
            most_entries: 0,
            line: Vec::new(),
        };
        let bounds = (Window::new(-G::LIMIT, G::LIMIT), self.reach.patience());
        let searched = linear.search(&mut entry, &self.root, bounds, 0);
        self.most_entries = linear.most_entries;
        self.line = linear.line;
        self.line.reverse();
        self.value = entry.value;
        searched.err().unwrap_or(Ending::Exhausted)
    }

    /// The root's value.
    pub fn value(&self) -> G::Value {
        self.value
    }

    /// The principal variation when the search ended; empty before the root was expanded.
    pub fn line(&self) -> &[G::Move] {
        &self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::korf::{FigureOne, RandomGame};
    use crate::minimax::best_first::BestFirst;

    /// First expansions, in their order.
    fn first_of_each(keys: Vec<u64>) -> Vec<u64> {
        let mut seen = std::collections::HashSet::new();
        keys.into_iter().filter(|&key| seen.insert(key)).collect()
    }

    #[test]
    fn figure_2_expands_as_figure_1() {
        let mut search = RecursiveBestFirst::new(FigureOne::new(), Reach::to_depth(2), Unhindered);
        search.expanded = Some(Vec::new());
        assert_eq!(search.run(), Ending::Depth);
        assert_eq!(search.value(), 2);
        let expected = [FigureOne::ROOT, FigureOne::RIGHT, FigureOne::LEFT, FigureOne::RIGHT];
        assert_eq!(search.expanded.unwrap(), expected);
        assert_eq!(search.line, [1, 1]);
    }

    #[test]
    fn nodes_are_expanded_in_the_order_of_best_first_minimax() {
        let small = (0..10_000_u64).map(|seed| (seed, 2 + seed as u32 % 4, 1 + seed as u32 / 4 % 6));
        let large = (0..40).map(|seed| (seed, 2 + seed as u32 % 9, 3 + seed as u32 % 7));
        for (seed, width, depth) in small.chain(large) {
            let game = RandomGame::new(seed, width, 100);
            let mut kept = BestFirst::new(game, Reach::to_depth(depth), Unhindered);
            kept.expanded = Some(Vec::new());
            assert_eq!(kept.run(), Ending::Depth);
            let mut linear = RecursiveBestFirst::new(game, Reach::to_depth(depth), Unhindered);
            linear.expanded = Some(Vec::new());
            assert_eq!(linear.run(), Ending::Depth);
            assert_eq!(first_of_each(linear.expanded.clone().unwrap()), kept.expanded.clone().unwrap());
            assert_eq!((linear.value(), linear.line().to_vec()), (kept.value(), kept.line()), "seed {seed}");
            assert!(linear.most_entries <= (width * depth) as usize, "seed {seed}");
        }
    }

    #[test]
    fn a_small_game_is_searched_to_its_end() {
        for seed in 0..20 {
            let game = RandomGame::new(seed, 3, 5);
            let reach = Reach { win: RandomGame::LIMIT, ..Reach::to_depth(100) };
            let mut search = RecursiveBestFirst::new(game, reach, Unhindered);
            assert_eq!(search.run(), Ending::Exhausted);
            assert_eq!(search.value(), game.minimax(5), "seed {seed}");
            assert_eq!(search.line().len(), 1);
        }
    }

    #[test]
    fn it_stops_when_told_to() {
        let game = RandomGame::new(7, 10, 100);
        let mut search = RecursiveBestFirst::new(game, Reach::to_depth(90), |visits| visits >= 1000);
        assert_eq!(search.run(), Ending::Halted);
        assert_eq!(search.evaluations, 1000);
        assert!(!search.line().is_empty());
    }
}
