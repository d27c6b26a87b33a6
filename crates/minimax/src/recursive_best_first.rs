//! Recursive best-first minimax, RBFMS (BFM figure 2): the order of best-first minimax in linear space.
//!
//! Of the subtrees off the principal variation the backed-up values alone are kept; they are generated again
//! when they become principal again. BFMAX and BFMIN are one function here, seen from the side to move; their
//! bounds are inclusive.

use super::best_first_limits::{Fallback, PvListener, SearchLimits, StopReason, zero};
use super::best_first_selection::{Estimate, deviation, from_root, next_step, reinsert, sort, within};
use super::game::{Game, NeverStop};
use super::window::Window;

/// A child on the stack: M\[i\] with its move.
struct Child<G: Game> {
    m: G::Move,
    estimate: Estimate<G::Value>,
}

/// The recursion, with the state that it shares with its caller.
pub(super) struct LinearSpaceSearch<'a, G: Game, H> {
    pub(super) limits: &'a SearchLimits<G>,
    pub(super) stop: &'a mut H,
    pub(super) evaluations: &'a mut u64,
    pub(super) expanded: &'a mut Option<Vec<u64>>,
    pub(super) longest: &'a mut u32,
    pub(super) path: &'a mut Vec<G::Move>,
    /// Number of moves of `path` that were not the best ones.
    pub(super) discrepancies: u32,
    /// Children on the stack now, and at most.
    pub(super) entries: usize,
    pub(super) peak_entries: usize,
    /// The principal variation when the search ended, its last move first.
    pub(super) line: Vec<G::Move>,
}

impl<G: Game, H: PvListener<G>> LinearSpaceSearch<'_, G, H> {
    /// BFMAX(n, A, B): searches as long as the node's value stays within the window and its deviation within
    /// the second of the `bounds`.
    pub(super) fn search(
        &mut self,
        node: &mut Estimate<G::Value>,
        game: &G,
        bounds: (Window<G::Value>, G::Value),
        ply: u32,
    ) -> Result<(), StopReason> {
        if ply > *self.longest && self.discrepancies == 0 {
            *self.longest = ply;
            self.stop.longer_pv(self.path, from_root::<G::Value>(node.value, ply));
        }
        if ply >= self.limits.depth {
            return Err(StopReason::Depth);
        }
        let moves = self.limits.moves(game, ply);
        if moves.is_empty() {
            node.deviation = G::LIMIT;
            let won = ply < self.limits.deepest && from_root::<G::Value>(node.value, ply) >= self.limits.win;
            return if won { Err(StopReason::Win) } else { Ok(()) };
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
        node: &mut Estimate<G::Value>,
        game: &G,
        moves: &[G::Move],
        (window, max_deviation): (Window<G::Value>, G::Value),
        ply: u32,
    ) -> Result<(), StopReason> {
        node.deviation = zero::<G>();
        let Some(mut children) = self.generate(node, game, moves, window)? else { return Ok(()) };
        self.entries += children.len();
        self.peak_entries = self.peak_entries.max(self.entries);
        let fallback = self.limits.fallback;
        while let Some(best) = children.first() {
            let estimates = children.iter().map(|child| child.estimate);
            *node = Estimate {
                value: -best.estimate.value,
                deviation: deviation::<G>(estimates.clone(), fallback),
            };
            if node.deviation > max_deviation || !within(window, node.value) {
                break;
            }
            let Some(mut step) = next_step::<G>(estimates, window, max_deviation, fallback) else { break };
            if fallback == Fallback::Nearest && step.at > 0 {
                // An alternative that becomes the best move is searched on: on the way back its subtree would
                // be dropped.
                step.window.alpha = -window.beta;
            }
            let child = &mut children[step.at];
            let m = child.m;
            self.path.push(m);
            self.discrepancies += u32::from(step.at > 0);
            let bounds = (step.window, step.max_deviation);
            let searched = self.search(&mut child.estimate, &game.play(m), bounds, ply + 1);
            self.discrepancies -= u32::from(step.at > 0);
            self.path.pop();
            reinsert(&mut children, step.at, |child| child.estimate.value);
            if searched.is_err() {
                self.collect_pv(node, &children, m);
            }
            searched?;
        }
        if ply == 0 {
            self.line.extend(children.first().map(|best| best.m));
        }
        Ok(())
    }

    /// Collects the principal variation on the way up, when the search ends.
    fn collect_pv(&mut self, node: &mut Estimate<G::Value>, children: &[Child<G>], searched: G::Move) {
        let Some(best) = children.first() else { return };
        node.value = -best.estimate.value;
        if best.m != searched {
            self.line.clear();
        }
        self.line.push(best.m);
    }

    /// Generates and evaluates the children one at a time. The value of the first one beyond the window is
    /// the node's at once; the remaining ones are not generated.
    fn generate(
        &mut self,
        node: &mut Estimate<G::Value>,
        game: &G,
        moves: &[G::Move],
        window: Window<G::Value>,
    ) -> Result<Option<Vec<Child<G>>>, StopReason> {
        let mut children = Vec::with_capacity(moves.len());
        for &m in moves {
            if self.stop.should_stop(*self.evaluations) {
                return Err(StopReason::Stopped);
            }
            *self.evaluations += 1;
            let value = game.play(m).evaluate();
            if -value > window.beta {
                node.value = -value;
                return Ok(None);
            }
            children.push(Child { m, estimate: Estimate::expandable::<G>(value) });
        }
        sort(&mut children, |child| child.estimate.value);
        Ok(Some(children))
    }
}

/// Recursive best-first minimax of a game.
pub struct RecursiveBestFirst<G: Game, H = NeverStop> {
    /// The root.
    pub root: G,
    /// Depth, win and moves at which it ends.
    pub limits: SearchLimits<G>,
    /// Stop condition, and observer of the principal variation.
    pub stop: H,
    /// Positions evaluated so far.
    pub evaluations: u64,
    /// Keys of the expanded nodes in the order of their expansion, a node at every expansion; `None` records
    /// nothing.
    pub expanded: Option<Vec<u64>>,
    /// Most positions that were kept at a time: its space, at most branching factor times depth.
    pub peak_entries: usize,
    /// The longest principal variation so far, in plies.
    pub longest: u32,
    value: G::Value,
    line: Vec<G::Move>,
}

impl<G: Game, H: PvListener<G>> RecursiveBestFirst<G, H> {
    /// A search of `root`.
    #[must_use]
    pub fn new(root: G, limits: SearchLimits<G>, stop: H) -> RecursiveBestFirst<G, H> {
        let value = root.evaluate();
        RecursiveBestFirst {
            root,
            limits,
            stop,
            evaluations: 1,
            expanded: None,
            peak_entries: 0,
            longest: 0,
            value,
            line: Vec::new(),
        }
    }

    /// Searches until a limit is reached.
    pub fn run(&mut self) -> StopReason {
        let mut entry = Estimate::expandable::<G>(self.root.evaluate());
        let mut linear = LinearSpaceSearch {
            limits: &self.limits,
            stop: &mut self.stop,
            evaluations: &mut self.evaluations,
            expanded: &mut self.expanded,
            longest: &mut self.longest,
            path: &mut Vec::new(),
            discrepancies: 0,
            entries: 0,
            peak_entries: 0,
            line: Vec::new(),
        };
        let bounds = (Window::new(-G::LIMIT, G::LIMIT), self.limits.max_deviation());
        let searched = linear.search(&mut entry, &self.root, bounds, 0);
        self.peak_entries = linear.peak_entries;
        self.line = linear.line;
        self.line.reverse();
        self.value = entry.value;
        searched.err().unwrap_or(StopReason::Exhausted)
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

    #[test]
    fn figure_2_expands_the_nodes_of_figure_1() {
        let mut search = RecursiveBestFirst::new(FigureOne::new(), SearchLimits::to_depth(2), NeverStop);
        search.expanded = Some(Vec::new());
        assert_eq!(search.run(), StopReason::Depth);
        assert_eq!(search.value(), 2);
        let expected = [FigureOne::ROOT, FigureOne::RIGHT, FigureOne::LEFT, FigureOne::RIGHT];
        assert_eq!(search.expanded.unwrap(), expected);
        assert_eq!(search.line, [1, 1]);
    }

    #[test]
    fn a_small_game_is_searched_to_its_end() {
        for seed in 0..20 {
            let game = RandomGame::new(seed, 3, 5);
            let limits = SearchLimits { win: RandomGame::LIMIT, ..SearchLimits::to_depth(100) };
            let mut search = RecursiveBestFirst::new(game, limits, NeverStop);
            assert_eq!(search.run(), StopReason::Exhausted);
            assert_eq!(search.value(), game.minimax(5), "seed {seed}");
            assert_eq!(search.line().len(), 1);
        }
    }

    #[test]
    fn a_stopped_search_has_a_principal_variation() {
        let game = RandomGame::new(7, 10, 100);
        let mut search = RecursiveBestFirst::new(game, SearchLimits::to_depth(90), |visits| visits >= 1000);
        assert_eq!(search.run(), StopReason::Stopped);
        assert_eq!(search.evaluations, 1000);
        assert!(!search.line().is_empty());
    }
}
