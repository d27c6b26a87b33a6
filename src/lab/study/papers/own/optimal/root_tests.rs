//! An observer of a textbook search that counts every null-window search of the root.

use super::record::{Counts, Test};
use crate::minimax::observer::{TextbookReason, TextbookRole, Visit};
use crate::minimax::{Observer, Window};

/// The tests of an iteration, with the visits and leaves of each.
#[derive(Clone, Debug)]
pub struct RootTests {
    /// The null-window searches that have ended.
    pub tests: Vec<Test>,
    /// Visits that have begun and not ended: 1 at the root.
    open: usize,
    /// Window and counts of the search of the root that has begun.
    current: (Window<i32>, Counts),
}

impl Default for RootTests {
    fn default() -> RootTests {
        RootTests { tests: Vec::new(), open: 0, current: (Window::at(0), [0; 3]) }
    }
}

impl<M> Observer<i32, M> for RootTests {
    type Reason = TextbookReason;
    type Role = TextbookRole;

    fn enter(&mut self, visit: &Visit<i32>) {
        if self.open == 0 {
            self.current = (visit.window, [0; 3]);
        }
        self.current.1[1] += 1;
        self.open += 1;
    }

    fn leave(&mut self, value: i32, reason: TextbookReason) {
        self.current.1[0] += u64::from(reason == TextbookReason::Leaf);
        self.open = self.open.saturating_sub(1);
        if self.open == 0 {
            self.tests.extend(Test::new(self.current.0, value, self.current.1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::korf::RandomGame;
    use crate::minimax::memory::FixedSizeTable;
    use crate::minimax::mt::{MtOptions, Search};
    use crate::minimax::replacement::Replacement;
    use crate::minimax::{NeverStop, Tree};

    #[test]
    fn the_counts_of_a_test_are_those_of_the_search() {
        let root = RandomGame::new(3, 4, 64);
        let memory = FixedSizeTable::new(12, Replacement::DepthAge);
        let options = MtOptions::default();
        let mut search = Search::with_observer(root, 4, memory, options, NeverStop, RootTests::default());
        for bound in [0, 40, -40] {
            let (leaf, total) = (search.counts.leaf, search.counts.total());
            let answer = search.test(Window::at(bound)).unwrap();
            let cost = [search.counts.leaf - leaf, search.counts.total() - total, 0];
            assert_eq!(search.observer.tests.pop(), Some(Test { bound, answer, cost }));
        }
    }
}
