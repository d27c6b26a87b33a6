//! MTD drivers over real values (REAL section 3): null windows are epsilon wide.
//!
//! An answer strictly inside a window is the value itself. So bisection is exact, however wide the window: it
//! ends when the value is in it. realMTD(f) ends when less than epsilon is left, and may get there in steps
//! of epsilon; as its windows are as wide as its stop test, it too ends on the value, but for the edge of the
//! range. The drivers' loop is that of the integers ([`drive`]); here are the policies that only reals need,
//! and the guard against windows that rounding makes empty.
//!
//! Misprints corrected: the integers' loop ends with `f- >= f+`, not `f- > f+` (which never comes true), and
//! the "fail-safe" of the note is fail-soft.

use super::Stopped;
use super::driver::{Bisect, Bracket, MtdF, Policy, Tree, drive};
use super::game::{Game, StopCondition};
use super::memory::Memory;
use super::mt::Search;
use super::window::{EPSILON, Value, Window};

/// realMTD(f): MTD(f) in steps of epsilon, until less than epsilon is left (REAL section 3).
#[derive(Clone, Copy, Debug)]
pub struct RealMtdF;

impl Policy<f64> for RealMtdF {
    fn next(&self, b: &Bracket<f64>) -> Option<f64> {
        if b.upper - b.lower < EPSILON { None } else { MtdF.next(b) }
    }
}

/// MTD-step(f): a window around the guess, then steps towards the value that double until it is passed, then
/// bisection of the last step (REAL section 3 leaves the sizes open).
#[derive(Clone, Copy, Debug)]
pub struct GrowingStep {
    /// The first step.
    pub first: f64,
}

/// Doublings after which steps grow no more; they have left every bracket long before.
const MOST_DOUBLINGS: u32 = 60;

impl Policy<f64> for GrowingStep {
    fn next(&self, b: &Bracket<f64>) -> Option<f64> {
        if !b.open() {
            return None;
        }
        if b.passes == 0 {
            return Some(b.last + EPSILON / 2.0);
        }
        let answers = b.streak.unsigned_abs();
        let step = self.first * 2_f64.powi((answers - 1).min(MOST_DOUBLINGS) as i32);
        let bound = if b.streak > 0 { b.last + step } else { b.last.minus(step) };
        let passed = answers < b.passes;
        let inside = b.lower < bound && bound <= b.upper;
        if inside && !passed { Some(bound) } else { Bisect.next(b) }
    }
}

/// Guard that ends a policy when its window cannot narrow the bracket: rounding has made it empty or put its
/// edge on a bound, which happens to values some 10^13 times as large as epsilon. Every other answer moves a
/// bound, so a guarded driver always ends.
#[derive(Clone, Copy, Debug)]
pub struct Guarded<P>(pub P);

impl<P: Policy<f64>> Policy<f64> for Guarded<P> {
    fn next(&self, b: &Bracket<f64>) -> Option<f64> {
        self.0.next(b).filter(|&bound| {
            let window = Window::at(bound);
            window.alpha < window.beta && b.lower < window.beta && window.alpha < b.upper
        })
    }
}

/// Closes a bracket that a policy has left open, with one open window just wide enough to have
/// both bounds inside (REAL section 3: `g := MT(s, f-, f+)` before returning).
pub fn close_bracket(tree: &mut impl Tree<f64>, bracket: &mut Bracket<f64>) -> Result<(), Stopped> {
    if bracket.open() {
        let window = Window::new(bracket.lower.next_down(), bracket.upper.next_up());
        bracket.learn(window, tree.test(window)?);
    }
    Ok(())
}

/// Algorithm of a search for a real value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RealAlgorithm {
    /// TTHH: Alpha-Beta in an open window with table and history.
    Tthh,
    /// realMTD(f): exact but for the last epsilon of the range.
    MtdF,
    /// MTD-bi: exact.
    MtdBi,
    /// MTD-step(f) with a first step: exact.
    MtdStep(f64),
}

/// Searches at the depth of `search`, from a guess where the algorithm takes one: the value is in the
/// bracket, the move in the search.
pub fn find<G: Game<Value = f64>, M: Memory<f64>, H: StopCondition>(
    search: &mut Search<G, M, H>,
    algorithm: RealAlgorithm,
    guess: f64,
) -> Result<Bracket<f64>, Stopped> {
    search.options.scouts = false;
    let edge = G::LIMIT - EPSILON;
    let mut bracket = Bracket::new(-G::LIMIT, G::LIMIT, guess.clamp(-edge, edge));
    match algorithm {
        RealAlgorithm::Tthh => {
            let window = Window::new(-G::LIMIT, G::LIMIT);
            bracket.learn(window, search.test(window)?);
        }
        RealAlgorithm::MtdF => drive(search, &Guarded(RealMtdF), &mut bracket)?,
        RealAlgorithm::MtdBi => {
            drive(search, &Guarded(Bisect), &mut bracket)?;
            close_bracket(search, &mut bracket)?;
        }
        RealAlgorithm::MtdStep(first) => {
            drive(search, &Guarded(GrowingStep { first }), &mut bracket)?;
            close_bracket(search, &mut bracket)?;
        }
    }
    Ok(bracket)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{FixedSizeTable, NoTable, UnboundedTable};
    use crate::mt::MtOptions;
    use crate::random::SplitMix64;
    use crate::replacement::Replacement;

    /// A random tree for every seed, with transpositions where `meets`. Leaves are reals.
    #[derive(Clone, Debug)]
    struct RealTree {
        at: u64,
        ply: u32,
        scale: f64,
        meets: bool,
    }

    fn number(seed: u64) -> u64 {
        SplitMix64::new(seed).next()
    }

    impl Game for RealTree {
        type Value = f64;
        type Move = u64;
        const LIMIT: f64 = 100.0;
        const SLOTS: usize = 16;

        fn moves(&self) -> Vec<u64> {
            let ends = self.ply > 0 && number(self.at ^ 3).is_multiple_of(17);
            (0..if ends { 0 } else { 1 + number(self.at ^ 1) % 4 }).collect()
        }

        fn play(&self, m: u64) -> RealTree {
            let next = number(self.at.wrapping_mul(5) + m);
            let at = if self.meets { next % 7 + 1000 * u64::from(self.ply) } else { next };
            RealTree { at, ply: self.ply + 1, ..self.clone() }
        }

        fn evaluate(&self) -> f64 {
            let part = (number(self.at ^ 2) >> 11) as f64 / (1_u64 << 53) as f64;
            self.scale * (2.0 * part - 1.0)
        }

        fn key(&self) -> u64 {
            number(self.at ^ u64::from(self.ply) << 56)
        }

        fn slot(&self, m: u64) -> usize {
            (self.at % 4 * 4 + m) as usize
        }
    }

    fn minimax(node: &RealTree, depth: u32) -> f64 {
        let moves = if depth == 0 { Vec::new() } else { node.moves() };
        let children = moves.iter().map(|&m| -minimax(&node.play(m), depth - 1));
        children.reduce(f64::max).unwrap_or_else(|| node.evaluate())
    }

    /// Thousands of trees, coarse and fine, with their depths.
    fn trees() -> impl Iterator<Item = (RealTree, u32)> {
        (0..4000).map(|seed| {
            let scale = [99.0, 7.0, 0.05, 0.001][seed as usize / 2 % 4];
            (RealTree { at: seed, ply: 0, scale, meets: seed % 2 == 1 }, 1 + (seed / 8 % 5) as u32)
        })
    }

    const STEPS: [f64; 4] = [0.005, 0.02, 1.0, 1000.0];

    #[test]
    fn every_exact_algorithm_finds_the_value_of_random_trees() {
        for (tree, depth) in trees() {
            let value = minimax(&tree, depth);
            let guesses = [value, 0.0, -100.0, value + 0.3, 250.0];
            for guess in guesses {
                let run = |algorithm| {
                    let mut search =
                        Search::new(tree.clone(), depth, UnboundedTable::new(), MtOptions::default());
                    find(&mut search, algorithm, guess).unwrap()
                };
                assert_eq!(run(RealAlgorithm::Tthh).value(), value);
                let bisected = run(RealAlgorithm::MtdBi);
                assert_eq!(bisected.value(), value, "{tree:?}");
                assert!(bisected.passes <= 15, "{} passes", bisected.passes);
                for first in STEPS {
                    let stepped = run(RealAlgorithm::MtdStep(first));
                    assert_eq!((stepped.value(), stepped.crossings), (value, 0), "{tree:?} {first}");
                    assert!(stepped.passes <= 60, "{} passes", stepped.passes);
                }
            }
        }
    }

    #[test]
    fn real_mtd_f_is_exact_but_at_the_edge() {
        for (tree, depth) in trees() {
            let value = minimax(&tree, depth);
            let mut search = Search::new(tree, depth, UnboundedTable::new(), MtOptions::default());
            let bracket = find(&mut search, RealAlgorithm::MtdF, value + 0.7).unwrap();
            assert_eq!(bracket.value(), value);
        }
        // Nearer than epsilon to the least value a fail-low ends it.
        let mut tree = Oracle { value: -99.999, slack: 0.003, asked: Vec::new() };
        let mut bracket = Bracket::new(-100.0, 100.0, -99.98);
        drive(&mut tree, &Guarded(RealMtdF), &mut bracket).unwrap();
        assert!(bracket.open() && bracket.value() - tree.value < EPSILON, "{bracket:?}");
        close_bracket(&mut tree, &mut bracket).unwrap();
        assert_eq!(bracket.value(), -99.999);
    }

    #[test]
    fn a_full_table_or_none_changes_no_value() {
        for (tree, depth) in trees().step_by(5) {
            let value = minimax(&tree, depth);
            for &scheme in Replacement::ALL {
                let table = FixedSizeTable::new(3, scheme);
                let mut search = Search::new(tree.clone(), depth, table, MtOptions::default());
                for algorithm in [RealAlgorithm::MtdBi, RealAlgorithm::MtdStep(0.5), RealAlgorithm::Tthh] {
                    assert_eq!(find(&mut search, algorithm, 1.0).unwrap().value(), value, "{scheme}");
                }
            }
            let mut search = Search::new(tree, depth, NoTable, MtOptions::default());
            assert_eq!(find(&mut search, RealAlgorithm::MtdBi, 0.0).unwrap().value(), value);
        }
    }

    /// A tree of one value whose fail-soft answers lie on the bound, or nearer to the value by `slack`.
    struct Oracle {
        value: f64,
        slack: f64,
        asked: Vec<f64>,
    }

    impl Tree<f64> for Oracle {
        fn test(&mut self, window: Window<f64>) -> Result<f64, Stopped> {
            self.asked.push(window.beta);
            Ok(if self.value >= window.beta {
                (window.beta + self.slack).min(self.value)
            } else if self.value <= window.alpha {
                (window.alpha - self.slack).max(self.value)
            } else {
                self.value
            })
        }
    }

    fn ask(policy: &impl Policy<f64>, value: f64, slack: f64, guess: f64) -> (Bracket<f64>, Vec<f64>) {
        let limit = if value.abs() < 100.0 { 100.0 } else { value.abs() * 2.0 };
        let mut tree = Oracle { value, slack, asked: Vec::new() };
        let mut bracket = Bracket::new(-limit, limit, guess);
        drive(&mut tree, policy, &mut bracket).unwrap();
        (bracket, tree.asked)
    }

    #[test]
    fn real_mtd_f_takes_thousands_of_passes_where_bisection_takes_15() {
        // The note's case: from 0 to -56.81 in steps of epsilon, where bisection takes 15 passes.
        let (bracket, asked) = ask(&Guarded(RealMtdF), -56.81, 0.0, 0.0);
        assert!(bracket.passes > 5000, "{}", bracket.passes);
        assert!(asked.windows(2).all(|pair| pair[1] < pair[0] && pair[0] - pair[1] < 1.01 * EPSILON));
        assert!(ask(&Guarded(Bisect), -56.81, 0.0, 0.0).0.passes <= 15);
        assert!(ask(&Guarded(GrowingStep { first: 0.1 }), -56.81, 0.0, 0.0).0.passes < 25);
        // A good guess makes it cheap, and stepping cheaper still.
        assert!(ask(&Guarded(RealMtdF), -56.81, 0.0, -56.81).0.passes <= 2);
        assert_eq!(ask(&Guarded(GrowingStep { first: 0.1 }), -56.81, 0.0, -56.81).0.passes, 1);
    }

    /// Most passes of bisection: a failed pass leaves less than half the bracket and epsilon together, and
    /// once the bracket is narrower than epsilon the value is inside. That is the note's ceil(log2(range /
    /// epsilon)), 15 for 200 / 0.01, and one more where range / epsilon is itself a power of two.
    fn most_bisections(range: f64) -> u32 {
        (range / EPSILON + 1.0).log2().floor() as u32 + 1
    }

    #[test]
    fn bisection_takes_at_most_the_logarithm_of_the_range_in_passes() {
        let mut random = SplitMix64::new(5);
        let mut most = 0;
        for _ in 0..20_000 {
            let value = random.below(20_000_000) as f64 / 1e5 - 100.0;
            let (bracket, _) = ask(&Guarded(Bisect), value, 0.0, 0.0);
            assert_eq!((bracket.lower, bracket.upper), (value, value));
            most = most.max(bracket.passes);
        }
        assert_eq!((most, most_bisections(200.0)), (15, 15));
        // Where range / epsilon is a power of two the note's formula is one short: 2, not 1.
        assert_eq!(most_bisections(2.0 * EPSILON), 2);
        assert_eq!(most_bisections(0.9 * EPSILON), 1);
    }

    #[test]
    fn mtd_f_ends_when_the_bounds_meet_and_not_when_they_cross() {
        // With the printed `f- > f+` MTD(f) asks an exact bracket again and again; with `>=` it asks twice.
        struct Strict;
        impl Policy<i32> for Strict {
            fn next(&self, b: &Bracket<i32>) -> Option<i32> {
                let next = if b.last <= b.lower { b.lower + 1 } else { b.last };
                (b.lower <= b.upper && b.passes < 50).then_some(next)
            }
        }
        struct Known;
        impl Tree<i32> for Known {
            fn test(&mut self, _window: Window<i32>) -> Result<i32, Stopped> {
                Ok(35)
            }
        }
        let passes = |policy: &dyn Fn(&mut Bracket<i32>)| {
            let mut bracket = Bracket::new(-1000, 1000, 35);
            policy(&mut bracket);
            bracket.passes
        };
        assert_eq!(passes(&|bracket| drive(&mut Known, &MtdF, bracket).unwrap()), 2);
        assert_eq!(passes(&|bracket| drive(&mut Known, &Strict, bracket).unwrap()), 50);
    }

    #[test]
    fn fail_soft_answers_save_passes() {
        // An answer beyond the window saves the passes in between; "fail-safe" would return the window's
        // edge.
        let (soft, _) = ask(&Guarded(RealMtdF), 50.0, 3.0, 0.0);
        let (hard, _) = ask(&Guarded(RealMtdF), 50.0, 0.0, 0.0);
        assert!(soft.passes * 100 < hard.passes, "{} and {}", soft.passes, hard.passes);
    }

    #[test]
    fn rounding_of_large_values_neither_loops_a_driver_nor_costs_exactness() {
        for value in [1e14_f64, -3e15, 1.234_567e16, -9e18, 1e300] {
            for guess in [0.0, value, value.next_up(), value * 1.5] {
                let exact = |policy: &dyn Fn(&mut Oracle, &mut Bracket<f64>)| {
                    let mut tree = Oracle { value, slack: value.abs() / 9.0, asked: Vec::new() };
                    let mut bracket = Bracket::new(-value.abs() * 2.0, value.abs() * 2.0, guess);
                    policy(&mut tree, &mut bracket);
                    assert!(bracket.passes < 3000, "{} passes", bracket.passes);
                    close_bracket(&mut tree, &mut bracket).unwrap();
                    assert_eq!((bracket.lower, bracket.upper), (value, value));
                };
                exact(&|tree, bracket| drive(tree, &Guarded(Bisect), bracket).unwrap());
                exact(&|tree, bracket| drive(tree, &Guarded(RealMtdF), bracket).unwrap());
                for first in STEPS {
                    exact(&|tree, bracket| drive(tree, &Guarded(GrowingStep { first }), bracket).unwrap());
                }
            }
        }
    }

    #[test]
    fn a_stop_keeps_the_bounds_found_so_far() {
        struct StopsAtThird(Oracle);
        impl Tree<f64> for StopsAtThird {
            fn test(&mut self, window: Window<f64>) -> Result<f64, Stopped> {
                if self.0.asked.len() < 3 { self.0.test(window) } else { Err(Stopped) }
            }
        }
        let mut tree = StopsAtThird(Oracle { value: 12.3, slack: 0.0, asked: Vec::new() });
        let mut bracket = Bracket::new(-100.0, 100.0, 0.0);
        assert_eq!(drive(&mut tree, &Guarded(Bisect), &mut bracket), Err(Stopped));
        assert_eq!(bracket.passes, 3);
        assert!(bracket.lower <= 12.3 && 12.3 <= bracket.upper && bracket.upper - bracket.lower < 26.0);
    }
}
