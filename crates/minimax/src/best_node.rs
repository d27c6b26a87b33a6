//! Best Node Search, BNS (D. Rutko, *Fuzzified Algorithm for Game Tree Search with Statistical and Analytical
//! Evaluation*, Scientific Papers of the University of Latvia 770, 2011): finds a bound that one root move
//! reaches and no other does. That move is the best; its value stays unknown.
//!
//! A round tests every move that may still be best against one bound, in a null window. If none reaches it,
//! it was too high; if several do, they alone stay. The next bound lies where the best of so many moves is
//! expected: the more of them, the nearer to the upper end of the range.
//!
//! Rutko's range is given from the start. Here it opens around the guess of the iteration, as wide as an
//! aspiration window, and doubles on the side that is not known, as chess has no useful bounds of its own.

use super::Stopped;
use super::driver::snap;
use super::mtd_best::{BestMoveProof, RootMoves};

/// The search for a separating bound.
#[derive(Clone, Copy, Debug)]
pub struct BestNodeSearch {
    /// Distance of the first bounds from the guess, in the game's unit.
    pub width: i32,
    /// The distance of grid points; 1 = exact.
    pub grid: i32,
    /// From this absolute value on bounds are not snapped.
    pub exempt: i32,
}

/// The range of the best move's value.
#[derive(Clone, Copy, Debug)]
struct Range {
    /// The value is at least this; `None` until a round has found it.
    lower: Option<i32>,
    /// The value is at most this.
    upper: Option<i32>,
    /// Distance to the end that is not known.
    width: i32,
}

impl BestNodeSearch {
    /// Searches moves until one is separated from the others, or several are seen to be worth the same. On a
    /// stop the proof keeps the bounds found so far.
    ///
    /// # Errors
    /// [`Stopped`], when the search of a move was stopped.
    pub fn separate(
        &self,
        root: &mut impl RootMoves,
        proof: &mut BestMoveProof,
        guess: i32,
    ) -> Result<(), Stopped> {
        let mut range = Range { lower: None, upper: None, width: self.width.max(self.grid).max(1) };
        let mut left = proof.brackets.len();
        let mut bound = self.snapped(guess, proof, &range);
        while let Some(tested) = bound {
            self.round(root, proof, tested)?;
            let mut reached: Vec<i32> = proof.brackets.iter().map(|bracket| bracket.lower).collect();
            reached.retain(|lower| *lower >= tested);
            reached.sort_unstable();
            match reached[..] {
                [_] => return Ok(()),
                [] => {
                    let most = proof.brackets.iter().map(|bracket| bracket.upper).max();
                    range.upper = Some(most.map_or(tested - 1, |most| most.min(tested - 1)));
                }
                // At least two moves reach every bound up to the second highest of the lower bounds.
                [.., second, _] => {
                    left = reached.len();
                    range.lower = Some(second.max(tested));
                }
            }
            bound = range.next(left).and_then(|next| self.snapped(next, proof, &range));
        }
        Ok(())
    }

    /// Tests the moves that may reach a bound and are not known to do so, the candidate first. The one with
    /// the highest lower bound of those that reach it is the candidate of the next round.
    fn round(&self, root: &mut impl RootMoves, proof: &mut BestMoveProof, bound: i32) -> Result<(), Stopped> {
        let first = proof.best;
        let others = (0..proof.brackets.len()).filter(|index| *index != first);
        for index in std::iter::once(first).chain(others) {
            let bracket = &proof.brackets[index];
            if bracket.lower < bound && bracket.upper >= bound {
                let answer = root.test_move(index, bound)?;
                proof.learn(index, bound, answer);
            }
        }
        let of = |index: usize| proof.brackets[index].lower;
        let highest = (0..proof.brackets.len()).filter(|index| of(*index) >= bound);
        if let Some(best) = highest.max_by_key(|index| (of(*index), *index == first, usize::MAX - index)) {
            proof.best = best;
        }
        Ok(())
    }

    /// The bound on the grid, within the range; `None` where no grid point is left, or only one move, whose
    /// bounds are known.
    fn snapped(&self, bound: i32, proof: &BestMoveProof, range: &Range) -> Option<i32> {
        let only_move_is_known = proof.brackets.len() == 1 && proof.passes > 0;
        let all = proof.brackets.first().filter(|_| !only_move_is_known)?;
        let (least, most) = all.extremes();
        let (lower, upper) = (range.lower.unwrap_or(least), range.upper.unwrap_or(most));
        if lower >= upper {
            None
        } else {
            snap(bound.clamp(lower + 1, upper), lower, upper, self.grid, self.exempt)
        }
    }
}

impl Range {
    /// The next bound for so many moves: their best is expected at the share (n - 1)/n of the range. `None`
    /// once the range is closed.
    fn next(&mut self, left: usize) -> Option<i32> {
        let (lower, upper) = match (self.lower, self.upper) {
            (Some(lower), Some(upper)) if lower >= upper => return None,
            (Some(lower), Some(upper)) => (lower, upper),
            (Some(lower), None) => (lower, lower.saturating_add(self.width)),
            (None, Some(upper)) => (upper.saturating_sub(self.width), upper),
            (None, None) => return None,
        };
        self.width = self.width.saturating_mul(2);
        let left = i64::try_from(left.max(2)).unwrap_or(i64::MAX);
        let way = (i64::from(upper) - i64::from(lower)) * (left - 1) / left;
        Some(lower.saturating_add(i32::try_from(way).unwrap_or(i32::MAX).max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mtd_best::roots::{Contradicting, Values};

    const EXACT: BestNodeSearch = BestNodeSearch { width: 16, grid: 1, exempt: 900 };

    #[test]
    fn the_move_that_is_left_is_a_best_one() {
        let cases =
            [vec![5], vec![3, 9], vec![9, 3], vec![-4, -4, -4], vec![0, 70, -70, 69], vec![31, 8, 31]];
        for values in cases {
            let best = *values.iter().max().unwrap();
            for guess in [-999, -50, 0, 8, 31, 200, 999] {
                let mut proof = BestMoveProof::new(values.len(), -1000, 1000, guess);
                EXACT.separate(&mut Values::new(&values), &mut proof, guess).unwrap();
                assert_eq!(values[proof.best], best, "{values:?} {guess}");
                let bracket = &proof.brackets[proof.best];
                assert!(bracket.lower <= best && best <= bracket.upper, "{values:?} {guess}");
            }
        }
    }

    /// A guess between the best move and the second takes one test a move.
    #[test]
    fn a_guess_that_separates_takes_one_round() {
        let mut root = Values::new(&[7, 40, -3, 12, 25]);
        let mut proof = BestMoveProof::new(5, -1000, 1000, 30);
        EXACT.separate(&mut root, &mut proof, 30).unwrap();
        assert_eq!((proof.best, root.tests, proof.passes), (1, 5, 5));
    }

    #[test]
    fn moves_that_are_out_are_not_tested_again() {
        let mut root = Values::new(&[100, 90, -500, -500, -500, -500]);
        let mut proof = BestMoveProof::new(6, -1000, 1000, 0);
        EXACT.separate(&mut root, &mut proof, 0).unwrap();
        assert_eq!(proof.best, 0);
        assert!((2..6).all(|index| proof.brackets[index].passes == 1), "{proof:?}");
    }

    #[test]
    fn it_ends_on_moves_that_contradict_themselves() {
        for seed in 0..2000 {
            let mut proof = BestMoveProof { reopenings: 2, ..BestMoveProof::new(5, -1000, 1000, 3) };
            let separator = BestNodeSearch { grid: 1 + seed as i32 % 17, ..EXACT };
            separator.separate(&mut Contradicting::new(seed), &mut proof, 3).unwrap();
            assert!(proof.passes < 10_000, "seed {seed}: {} passes", proof.passes);
        }
    }

    #[test]
    fn on_a_grid_it_errs_by_less_than_a_step() {
        for a in -20..20 {
            let values = vec![a, 3, -7];
            let mut proof = BestMoveProof::new(3, -1000, 1000, 5);
            BestNodeSearch { grid: 8, ..EXACT }.separate(&mut Values::new(&values), &mut proof, 5).unwrap();
            assert!(values[proof.best] + 8 > *values.iter().max().unwrap(), "{a}");
        }
    }
}
