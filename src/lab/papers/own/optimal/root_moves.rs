//! An observer of a search: the moves of the root in one iteration, how many of them are still near the best at its
//! end, and the null-window searches of the root.

use super::record::{Counts, Test};
use crate::minimax::observer::Visit;
use crate::minimax::{Observer, Window};
use crate::search::{Reason, Role};

/// A move is near if the visits below it are at least a half, or at least a tenth, of those below the best move.
pub const SHARES: [u64; 2] = [2, 10];

/// Root moves near the best, itself included, by [`SHARES`].
pub type Near = [u32; SHARES.len()];

/// The class of a number of near moves: one, two or three, more.
pub fn near_class(moves: u32) -> usize {
    match moves {
        0 | 1 => 0,
        2 | 3 => 1,
        _ => 2,
    }
}

/// The observer that counts the visits below every move of the root, for any game.
#[derive(Clone, Debug)]
pub struct RootMoves<M> {
    /// Every move that was searched in this iteration, with the visits below it.
    visits: Vec<(M, u64)>,
    /// Index of the move that is searched.
    current: usize,
    /// Visits that have begun and not ended: 1 at the root.
    open: usize,
    /// True in visits of no pass, which complete a principal variation.
    beside: bool,
    /// The null-window searches of the root, counted for textbook games.
    pub tests: Vec<Test>,
    /// Window and costs of the last search of the root, so far.
    test: (Window<i32>, Counts),
}

impl<M> Default for RootMoves<M> {
    fn default() -> RootMoves<M> {
        let test = (Window::at(0), [0; 3]);
        RootMoves { visits: Vec::new(), current: 0, open: 0, beside: false, tests: Vec::new(), test }
    }
}

impl<M: PartialEq> RootMoves<M> {
    /// Ends an iteration with this best move: the moves near it. Without a best move it is the most visited one.
    pub fn conclude(&mut self, best: Option<&M>) -> Near {
        let moves = std::mem::take(&mut self.visits);
        let most = || moves.iter().map(|&(_, visits)| visits).max().unwrap_or(0);
        let found = moves.iter().find(|(m, _)| Some(m) == best);
        let of_best = found.map_or_else(most, |&(_, visits)| visits);
        SHARES.map(|part| moves.iter().filter(|(_, visits)| part * visits >= of_best).count() as u32)
    }
}

impl<M: PartialEq> Observer<i32, M> for RootMoves<M> {
    type Reason = Reason;
    type Role = Role;

    fn before(&mut self, m: Option<M>, _role: Role) {
        let Some(m) = m.filter(|_| self.open == 1 && !self.beside) else { return };
        self.current = self.visits.iter().position(|(known, _)| *known == m).unwrap_or_else(|| {
            self.visits.push((m, 0));
            self.visits.len() - 1
        });
    }

    fn before_line(&mut self, _moves: &[M]) {
        self.beside = true;
    }

    fn enter(&mut self, visit: &Visit<i32>) {
        if self.open == 0 {
            self.test = (visit.window, [0; 3]);
        }
        self.test.1[1] += 1;
        let below = self.open > 0 && !self.beside;
        if let Some((_, visits)) = self.visits.get_mut(self.current).filter(|_| below) {
            *visits += 1;
        }
        self.open += 1;
    }

    fn leave(&mut self, value: i32, reason: Reason) {
        self.test.1[0] += u64::from(reason == Reason::Leaf);
        self.open = self.open.saturating_sub(1);
        if self.open == 0 {
            self.tests.extend(Test::new(self.test.0, value, self.test.1));
        }
        self.beside &= self.open > 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::korf::RandomGame;
    use crate::minimax::memory::FixedSizeTable;
    use crate::minimax::mt::{MtOptions, Search};
    use crate::minimax::replacement::Replacement;
    use crate::minimax::{Game, NeverStop, Tree, Window};

    const VISIT: Visit<i32> = Visit { key: 0, window: Window { alpha: 0, beta: 1 }, depth: 1, kind: None };

    /// A visit of the root below which moves have so many visits, each below the one before it.
    fn visit(moves: &mut RootMoves<char>, below: &[(char, usize)]) {
        moves.enter(&VISIT);
        for &(m, visits) in below {
            (0..visits).for_each(|ply| {
                moves.before(Some(if ply == 0 { m } else { 'x' }), Role::Window);
                moves.enter(&VISIT);
            });
            (0..visits).for_each(|_| moves.leave(0, Reason::Leaf));
        }
        moves.leave(0, Reason::AllMoves);
    }

    #[test]
    fn near_moves_have_a_share_of_the_best_moves_visits() {
        let mut moves = RootMoves::default();
        visit(&mut moves, &[('a', 30), ('b', 20), ('c', 4), ('d', 3)]);
        visit(&mut moves, &[('c', 2), ('a', 10)]);
        moves.before_line(&['d', 'y']);
        visit(&mut moves, &[('d', 50)]);
        assert_eq!(moves.conclude(Some(&'a')), [2, 3], "of 40, 20, 6 and 3 visits");
        visit(&mut moves, &[('d', 4), ('b', 8)]);
        assert_eq!(moves.conclude(None), [2, 2], "an iteration forgets those before it");
    }

    #[test]
    fn near_moves_are_one_two_or_three_or_more() {
        assert_eq!([0, 1, 2, 3, 4, 30].map(near_class), [0, 0, 1, 1, 2, 2]);
    }

    #[test]
    fn every_visit_but_the_roots_is_below_a_move_and_every_test_is_counted() {
        let root = RandomGame::new(3, 4, 64);
        let memory = FixedSizeTable::new(12, Replacement::DepthAge);
        let options = MtOptions::default();
        let mut search = Search::with_observer(root, 4, memory, options, NeverStop, RootMoves::default());
        for bound in [0, 40, -40] {
            let (leaf, total) = (search.counts.leaf, search.counts.total());
            let answer = search.test(Window::at(bound)).unwrap();
            let cost = [search.counts.leaf - leaf, search.counts.total() - total, 0];
            assert_eq!(search.observer.tests.pop(), Some(Test { bound, answer, cost }));
        }
        let below: u64 = search.observer.visits.iter().map(|&(_, visits)| visits).sum();
        assert_eq!(below + 3, search.counts.total());
        assert_eq!(search.observer.visits.len(), root.moves().len());
    }
}
