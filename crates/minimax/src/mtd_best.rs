//! MTD-best: proves which root move is best, without finding its value (TR section 3.3).
//!
//! It ends when f- of one move is not below f+ of any other. Its value is therefore a bound.

use super::Stopped;
use super::driver::{Bracket, snap};
use super::window::Window;
use crate::choice;

choice! {
    /// Strategy of MTD-best: the bound that is proven first.
    Strategy {
        /// A lower bound on the candidate, then an upper bound on the rest.
        #[default]
        ProveBest = "prove-best",
        /// An upper bound on the rest, then a lower bound on the candidate.
        DisproveRest = "disprove-rest",
    }
}

/// A root whose moves can be searched one by one, in null windows.
pub trait RootMoves {
    /// Number of moves of the root.
    fn moves(&self) -> usize;
    /// Index of the move that is believed best before the first pass.
    fn candidate(&self) -> usize {
        0
    }
    /// Called at the end with the brackets of all moves, also when the proof was stopped.
    fn conclude(&mut self, _proof: &BestMoveProof) {}
    /// The value of move `index` for the side to move in the null window below `bound`, fail-soft.
    fn test_move(&mut self, index: usize, bound: i32) -> Result<i32, Stopped>;
}

/// MTD-best's proof of the best move: strategy and grid.
#[derive(Clone, Copy, Debug)]
pub struct Prover {
    /// The bound that is proven first.
    pub strategy: Strategy,
    /// The distance of grid points; 1 = exact.
    pub grid: i32,
    /// From this absolute value on bounds are not snapped.
    pub exempt: i32,
}

/// The brackets of all root moves, and the candidate.
#[derive(Clone, Debug)]
pub struct BestMoveProof {
    /// A bracket for each move.
    pub brackets: Vec<Bracket<i32>>,
    /// Index of the candidate: the move believed best.
    pub best: usize,
    /// Passes: null windows searched.
    pub passes: u32,
    /// Number of contradictions that still reopen a bracket, all moves together.
    pub reopenings: u32,
}

impl BestMoveProof {
    /// The brackets before the first pass; move 0 is the candidate.
    #[must_use]
    pub fn new(moves: usize, lower: i32, upper: i32, guess: i32) -> BestMoveProof {
        let brackets = vec![Bracket::new(lower, upper, guess); moves];
        BestMoveProof { brackets, best: 0, passes: 0, reopenings: 0 }
    }

    /// The bound of the best move: f- if it failed high, else f+.
    #[must_use]
    pub fn bound(&self) -> i32 {
        self.brackets.get(self.best).map_or(0, Bracket::value)
    }

    /// Narrows the bracket of a move by the value of a pass. A move that fails high becomes the candidate.
    pub(super) fn learn(&mut self, index: usize, bound: i32, answer: i32) {
        let bracket = &mut self.brackets[index];
        bracket.reopenings = self.reopenings;
        bracket.learn(Window::at(bound), answer);
        self.reopenings = bracket.reopenings;
        self.passes += 1;
        if answer >= bound && index != self.best {
            self.best = index;
        }
    }

    /// The move other than the best whose f+ is highest.
    fn rival(&self) -> Option<usize> {
        (0..self.brackets.len())
            .filter(|&i| i != self.best)
            .max_by_key(|&i| (self.brackets[i].upper, usize::MAX - i))
    }
}

impl Prover {
    /// Searches moves until one is proven best. On a stop the proof keeps the bounds found so far.
    pub fn prove(
        &self,
        root: &mut impl RootMoves,
        proof: &mut BestMoveProof,
        guess: i32,
    ) -> Result<(), Stopped> {
        while let Some((index, bound)) = self.next(proof, guess) {
            let answer = root.test_move(index, bound)?;
            proof.learn(index, bound, answer);
        }
        Ok(())
    }

    /// The move to test next, and the bound.
    fn next(&self, proof: &BestMoveProof, guess: i32) -> Option<(usize, i32)> {
        let best = proof.brackets.get(proof.best)?;
        let Some(rival) = proof.rival() else {
            return (proof.passes == 0).then_some((proof.best, guess));
        };
        let ceiling = proof.brackets[rival].upper;
        if best.failed_high {
            // The candidate is worth f- at least: search the rest for more than that.
            return self.snap(best.lower + 1, best.lower, ceiling).map(|bound| (rival, bound));
        }
        if best.passes == 0 {
            return Some(self.opening(proof, rival, guess));
        }
        // The candidate failed low: search the rest for more than its f+, else the candidate further down.
        if ceiling > best.upper
            && let Some(bound) = self.snap(best.upper + 1, best.upper, ceiling)
        {
            return Some((rival, bound));
        }
        self.snap(best.upper, best.lower, best.upper).map(|bound| (proof.best, bound))
    }

    /// The first pass: the candidate against the guess, or first the rest.
    fn opening(&self, proof: &BestMoveProof, rival: usize, guess: i32) -> (usize, i32) {
        let bracket = &proof.brackets[rival];
        let bound = self.snap(guess + 1, bracket.lower, bracket.upper).unwrap_or(bracket.upper);
        if self.strategy == Strategy::DisproveRest && bracket.upper >= bound {
            return (rival, bound);
        }
        (proof.best, self.snap(guess, i32::MIN / 2, i32::MAX / 2).unwrap_or(guess))
    }

    fn snap(&self, bound: i32, lower: i32, upper: i32) -> Option<i32> {
        if lower >= upper { None } else { snap(bound, lower, upper, self.grid, self.exempt) }
    }
}

/// Roots for the tests of the proofs of a best move.
#[cfg(test)]
pub(super) mod roots {
    use super::*;
    use crate::random::SplitMix64;

    /// A root whose moves have known values, and the number of tests.
    pub(crate) struct Values {
        values: Vec<i32>,
        pub(crate) tests: usize,
    }

    impl Values {
        pub(crate) fn new(values: &[i32]) -> Values {
            Values { values: values.to_vec(), tests: 0 }
        }
    }

    impl RootMoves for Values {
        fn moves(&self) -> usize {
            self.values.len()
        }

        fn test_move(&mut self, index: usize, bound: i32) -> Result<i32, Stopped> {
            self.tests += 1;
            let value = self.values[index];
            Ok(if value >= bound { bound.min(value) } else { (bound - 1).max(value) })
        }
    }

    /// Five moves whose answers are random, and contradict each other.
    pub(crate) struct Contradicting(SplitMix64);

    impl Contradicting {
        pub(crate) fn new(seed: u64) -> Contradicting {
            Contradicting(SplitMix64::new(seed))
        }
    }

    impl RootMoves for Contradicting {
        fn moves(&self) -> usize {
            5
        }

        fn test_move(&mut self, _index: usize, bound: i32) -> Result<i32, Stopped> {
            let distance = self.0.below(40) as i32;
            let answer = if self.0.below(2) == 0 { bound + distance } else { bound - 1 - distance };
            Ok(answer.clamp(-999, 999))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use super::roots::{Contradicting, Values};

    #[test]
    fn the_best_move_is_proven_best() {
        let cases =
            [vec![5], vec![3, 9], vec![9, 3], vec![-4, -4, -4], vec![0, 70, -70, 69], vec![31, 8, 31]];
        for values in cases {
            let best = *values.iter().max().unwrap();
            for strategy in [Strategy::ProveBest, Strategy::DisproveRest] {
                for guess in [-50, 0, 8, 31, 200] {
                    let mut proof = BestMoveProof::new(values.len(), -1000, 1000, guess);
                    let prover = Prover { strategy, grid: 1, exempt: 900 };
                    prover.prove(&mut Values::new(&values), &mut proof, guess).unwrap();
                    assert_eq!(values[proof.best], best, "{values:?} {strategy} {guess}");
                    let bracket = &proof.brackets[proof.best];
                    assert!(values.len() == 1 || bracket.lower <= best);
                    let bound = if bracket.failed_high { bracket.lower } else { bracket.upper };
                    assert_eq!(proof.bound(), bound, "{values:?} {strategy} {guess}");
                }
            }
        }
    }

    #[test]
    fn it_ends_on_moves_that_contradict_themselves() {
        for seed in 0..2000 {
            for strategy in [Strategy::ProveBest, Strategy::DisproveRest] {
                let mut proof = BestMoveProof { reopenings: 2, ..BestMoveProof::new(5, -1000, 1000, 3) };
                let prover = Prover { strategy, grid: 1 + seed as i32 % 17, exempt: 900 };
                prover.prove(&mut Contradicting::new(seed), &mut proof, 3).unwrap();
                assert!(proof.passes < 40_000, "seed {seed}: {} passes", proof.passes);
            }
        }
    }

    #[test]
    fn on_a_grid_it_errs_by_less_than_a_step() {
        for a in -20..20 {
            let values = vec![a, 3, -7];
            let mut proof = BestMoveProof::new(3, -1000, 1000, 5);
            let prover = Prover { strategy: Strategy::ProveBest, grid: 8, exempt: 900 };
            prover.prove(&mut Values::new(&values), &mut proof, 5).unwrap();
            assert!(values[proof.best] + 8 > *values.iter().max().unwrap());
        }
    }
}
