//! One call for a game of one's own: value, best move and principal variation of a position to a depth, by a driver over
//! the textbook search with a table of its own.

use super::Stopped;
use super::deepening::iterate;
use super::drivers::Driver;
use super::game::Game;
use super::memory::UnboundedTable;
use super::mt::{MtOptions, Search};

/// Solution of a search: value and principal variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<M> {
    /// The minimax value, from the side to move.
    pub value: i32,
    /// The best moves of both sides; empty if the game is over, or at depth 0.
    pub pv: Vec<M>,
    /// Visits of positions that the value took.
    pub visits: u64,
}

impl<M: Copy> Solution<M> {
    /// The best move; `None` if the game is over.
    #[must_use]
    pub fn best(&self) -> Option<M> {
        self.pv.first().copied()
    }
}

/// Searches a position to a depth in plies. The table holds every position that was visited, about a hundred bytes
/// each.
///
/// ```
/// use plumb_minimax::games::explicit::Explicit;
/// use plumb_minimax::drivers::Driver;
/// use plumb_minimax::solve::solve;
///
/// let solution = solve(&Explicit::report(), 4, Driver::MtdF);
/// assert_eq!((solution.value, solution.pv.len()), (35, 4)); // the tree of TR figures 3 to 7
/// ```
#[must_use]
pub fn solve<G: Game<Value = i32>>(root: &G, depth: u32, driver: Driver) -> Solution<G::Move> {
    let mut search = Search::new(root.clone(), depth, UnboundedTable::new(), MtOptions::default());
    // A search without a stop condition has a value.
    let at = |search: &mut Search<G, UnboundedTable<i32>>, guess| match iterate(search, driver.exact(), guess)
    {
        Ok((value, best, _)) => (value, best),
        Err(Stopped) => (guess, None),
    };
    let (value, mut best) = at(&mut search, 0);
    let visits = search.counts.total();
    let (mut position, mut left, mut guess, mut pv) = (root.clone(), depth, value, Vec::new());
    while left > 0
        && let Some(m) = best.and_then(|index| position.moves().get(index).copied())
    {
        pv.push(m);
        position = position.play(m);
        (left, guess) = (left - 1, -guess);
        // The table knows nearly all of it.
        search.set_root(position.clone(), left);
        best = if left > 0 { at(&mut search, guess).1 } else { None };
    }
    Solution { value, pv, visits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::explicit::Explicit;
    use crate::games::othello::Othello;

    /// Along the principal variation the value stays, with its sign changing from move to move.
    #[test]
    fn the_principal_variation_leads_to_the_value() {
        let report = Explicit::report();
        for driver in [Driver::MtdF, Driver::SssStar, Driver::NegaScout, Driver::AlphaBeta] {
            let solution = solve(&report, 4, driver);
            let end = solution.pv.iter().fold(report.clone(), |now, &m| now.play(m));
            assert_eq!((solution.value, end.evaluate(), solution.pv.len()), (35, 35, 4), "{driver}");
        }
        let start = Othello::start();
        let solution = solve(&start, 5, Driver::MtdF);
        let end = solution.pv.iter().fold(start, |now, &m| now.play(m));
        assert_eq!(end.evaluate(), -solution.value, "five plies on, the other side is to move");
        assert!(solution.best() == solution.pv.first().copied() && solution.visits > 0);
        assert_eq!(solve(&start, 0, Driver::MtdF).best(), None);
    }
}
