//! The drivers: MTD(f) and its relatives, and aspiration windows, as policies of a few lines over one loop
//! (TR figure 8).
//!
//! A policy takes the bracket and returns the bound of the next null window; a tree searches it, fail-soft.
//! The loop is the same for integers and reals, textbook trees and chess. Costs, reports and counts of a pass
//! are left to the tree.

use super::Stopped;
use super::window::{Value, Window};

/// The bracket of the value: `lower <= value <= upper` (TR figure 8: f- and f+).
#[derive(Clone, Debug, PartialEq)]
pub struct Bracket<V> {
    /// f-: the value is at least this.
    pub lower: V,
    /// f+: the value is at most this.
    pub upper: V,
    /// The last value returned; before the first pass, the guess.
    pub last: V,
    /// Passes: windows searched.
    pub passes: u32,
    /// True if any pass failed high: then `lower` was found by a search.
    pub failed_high: bool,
    /// Contradictions: passes whose value contradicted an earlier one (f- > f+). The newer is believed.
    pub crossings: u32,
    /// Passes in a row that failed high (positive) or low (negative).
    pub streak: i32,
    /// Number of contradictions that still reopen the bracket; the next one closes it.
    pub reopenings: u32,
    /// The first guess.
    pub guess: V,
    /// Bounds of the value before any pass.
    extremes: (V, V),
}

impl<V: Value> Bracket<V> {
    /// The bracket before the first pass: the extremes of the value, and the first guess.
    #[must_use]
    pub fn new(lower: V, upper: V, guess: V) -> Bracket<V> {
        Bracket {
            lower,
            upper,
            last: guess,
            passes: 0,
            failed_high: false,
            crossings: 0,
            streak: 0,
            reopenings: 0,
            guess,
            extremes: (lower, upper),
        }
    }

    /// The same bracket, reopened by the first `reopenings` contradictions instead of closed: for selective
    /// searches, whose answers depend on more than the position (TR section 3 assumes that they do not).
    #[must_use]
    pub fn reopened_by(self, reopenings: u32) -> Bracket<V> {
        Bracket { reopenings, ..self }
    }

    /// The least and the greatest value that there is.
    #[must_use]
    pub fn extremes(&self) -> (V, V) {
        self.extremes
    }

    /// True until f- and f+ meet.
    #[must_use]
    pub fn open(&self) -> bool {
        self.lower < self.upper
    }

    /// f- if a pass found it; `None` while it is the least value that there is.
    #[must_use]
    pub fn found_lower(&self) -> Option<V> {
        (self.lower > self.extremes.0).then_some(self.lower)
    }

    /// f+ if a pass found it; `None` while it is the greatest value that there is.
    #[must_use]
    pub fn found_upper(&self) -> Option<V> {
        (self.upper < self.extremes.1).then_some(self.upper)
    }

    /// The value as far as it is known: f- if any pass failed high, else f+.
    #[must_use]
    pub fn value(&self) -> V {
        if self.failed_high { self.lower } else { self.upper }
    }

    /// Narrows the bracket by the value of a window, fail-soft: a lower bound, an upper bound, or both. Of
    /// two values that contradict each other the newer one is believed.
    pub fn learn(&mut self, window: Window<V>, answer: V) {
        let (is_lower, is_upper) = (answer > window.alpha, answer < window.beta);
        self.failed_high |= is_lower;
        if (is_lower && answer > self.upper) || (is_upper && answer < self.lower) {
            self.contradicted(answer, [is_lower, is_upper]);
        } else {
            // An answer of a window outside of the bracket may say less than what is known.
            if is_lower && answer > self.lower {
                self.lower = answer;
            }
            if is_upper && answer < self.upper {
                self.upper = answer;
            }
        }
        self.streak = if answer > window.alpha { self.streak.max(0) + 1 } else { self.streak.min(0) - 1 };
        self.last = answer;
        self.passes += 1;
    }

    /// Resolves a contradiction in favour of the new value, which is a lower bound, an upper bound, or both.
    /// The bracket opens again on the side of a bound: to close it on a fail-low would keep the move that
    /// this fail-low has just refuted. When the reopenings are used up it closes, so that every driver ends.
    fn contradicted(&mut self, answer: V, bounds: [bool; 2]) {
        self.crossings += 1;
        if self.reopenings == 0 || bounds == [true, true] {
            (self.lower, self.upper) = (answer, answer);
            return;
        }
        self.reopenings -= 1;
        let failed_high = bounds[0];
        self.failed_high = failed_high;
        (self.lower, self.upper) =
            if failed_high { (answer, self.extremes.1) } else { (self.extremes.0, answer) };
    }
}

/// A driver's policy: the choice of the next bound.
pub trait Policy<V> {
    /// The next bound, `lower < bound <= upper`; `None` when the bracket is closed.
    fn next(&self, bracket: &Bracket<V>) -> Option<V>;
}

/// A root that can be searched in a window.
pub trait Tree<V> {
    /// The value of the root in a window, fail-soft.
    fn test(&mut self, window: Window<V>) -> Result<V, Stopped>;
}

/// The driver loop: null-window searches until f- and f+ meet (TR figure 8). On a stop the bracket keeps the
/// bounds found so far.
pub fn drive<V: Value>(
    tree: &mut impl Tree<V>,
    policy: &impl Policy<V>,
    bracket: &mut Bracket<V>,
) -> Result<(), Stopped> {
    while let Some(bound) = policy.next(bracket) {
        let window = Window::at(bound);
        let answer = tree.test(window)?;
        bracket.learn(window, answer);
    }
    Ok(())
}

/// MTD(f): the next bound is the last value returned, the first is the guess (IJCAI figure 3, REAL figure
/// 1a).
#[derive(Clone, Copy, Debug)]
pub struct MtdF;

impl<V: Value> Policy<V> for MtdF {
    fn next(&self, b: &Bracket<V>) -> Option<V> {
        b.open().then(|| if b.last <= b.lower { b.lower.above() } else { b.last })
    }
}

/// MTD(f) in growing steps: from the third pass in one direction on they become longer, and double with every
/// pass, because the value of a selective search may move far between iterations. Once the value is bracketed
/// it halves what is left where a step would leave the bracket.
#[derive(Clone, Copy, Debug)]
pub struct GrowingSteps(pub i32);

impl Policy<i32> for GrowingSteps {
    fn next(&self, b: &Bracket<i32>) -> Option<i32> {
        let next = MtdF.next(b)?;
        let doublings = b.streak.unsigned_abs().saturating_sub(2).min(10);
        let stride = if b.streak.unsigned_abs() < 2 { 0 } else { self.0 << doublings };
        let bound = next.saturating_add(stride * b.streak.signum());
        let inside = b.lower < bound && bound <= b.upper;
        Some(if inside { bound } else { i32::middle(b.lower, b.upper) })
    }
}

/// SSS* as MTD(+inf): the next bound is f+ (TR figure 2).
#[derive(Clone, Copy, Debug)]
pub struct SssStar;

impl<V: Value> Policy<V> for SssStar {
    fn next(&self, b: &Bracket<V>) -> Option<V> {
        b.open().then_some(b.upper)
    }
}

/// DUAL* as MTD(-inf): the next bound is just above f-.
#[derive(Clone, Copy, Debug)]
pub struct DualStar;

impl<V: Value> Policy<V> for DualStar {
    fn next(&self, b: &Bracket<V>) -> Option<V> {
        b.open().then(|| b.lower.above())
    }
}

/// MTD-bi: halve the bracket (Coplan's C*).
#[derive(Clone, Copy, Debug)]
pub struct Bisect;

impl<V: Value> Policy<V> for Bisect {
    fn next(&self, b: &Bracket<V>) -> Option<V> {
        b.open().then(|| V::middle(b.lower, b.upper))
    }
}

/// MTD-step: like SSS* from above, but in steps (TR section 3.3).
#[derive(Clone, Copy, Debug)]
pub struct Step<V>(pub V);

impl<V: Value> Policy<V> for Step<V> {
    fn next(&self, b: &Bracket<V>) -> Option<V> {
        b.open().then(|| match b.last.minus(self.0) {
            _ if b.passes == 0 => b.upper,
            bound if bound > b.lower => bound,
            _ => b.lower.above(),
        })
    }
}

/// A policy whose bounds are snapped to multiples of `grid`, so that a fine evaluation costs no more passes
/// than a coarse one. A bracket without a grid point inside counts as closed. Bounds beyond `exempt` (mates)
/// are asked as they are, but only once the last bound before them has been: SSS* and DUAL* need not walk
/// through all mates.
#[derive(Clone, Copy, Debug)]
pub struct Snap<P> {
    /// The policy whose bounds are snapped.
    pub policy: P,
    /// The distance of grid points; 1 changes nothing.
    pub grid: i32,
    /// From this absolute value on bounds are left alone.
    pub exempt: i32,
}

impl<P: Policy<i32>> Policy<i32> for Snap<P> {
    fn next(&self, bracket: &Bracket<i32>) -> Option<i32> {
        let bound = self.policy.next(bracket)?;
        snap(bound, bracket.lower, bracket.upper, self.grid, self.exempt)
    }
}

/// The grid point next below `bound`, or else next above it, that lies in `lower < point <= upper`.
#[must_use]
pub fn snap(bound: i32, lower: i32, upper: i32, grid: i32, exempt: i32) -> Option<i32> {
    if grid <= 1 {
        return Some(bound);
    }
    if bound.abs() >= exempt {
        let edge = bound.signum() * (exempt - 1);
        return Some(if lower < edge && edge <= upper { edge } else { bound });
    }
    let down = bound.div_euclid(grid) * grid;
    [down, down + grid].into_iter().find(|&point| lower < point && point <= upper)
}

/// The aspiration window: `width` to both sides of the guess, moved and doubled until the value lies inside
/// (TR's baseline searches NegaScout so). A tree that contradicts itself gets a window that only grows.
pub fn aspirate(tree: &mut impl Tree<i32>, width: i32, bracket: &mut Bracket<i32>) -> Result<(), Stopped> {
    let (floor, ceiling) = (bracket.lower, bracket.upper);
    let widest = ceiling.saturating_sub(floor).max(1);
    let mut width = width.clamp(1, widest);
    let (mut failed_low, mut failed_high) = (false, false);
    let (mut alpha, mut beta) = (bracket.last.saturating_sub(width), bracket.last.saturating_add(width));
    loop {
        let window = Window::new(alpha.max(floor), beta.min(ceiling));
        let answer = tree.test(window)?;
        bracket.learn(window, answer);
        width = width.saturating_mul(2).min(widest);
        if answer <= window.alpha && window.alpha > floor {
            failed_low = true;
            beta = if failed_high { beta } else { alpha + 1 };
            alpha = answer.saturating_sub(width);
        } else if answer >= window.beta && window.beta < ceiling {
            failed_high = true;
            alpha = if failed_low { alpha } else { beta - 1 };
            beta = answer.saturating_add(width);
        } else {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::optimal::{Optimal, OptimalTable};
    use super::super::optimal_table::{PAPER, PLAY};
    use super::*;
    use crate::random::SplitMix64;

    const LIMIT: i32 = 1000;

    /// Bounds that no programme would choose, in grid steps of seven.
    static UNEVEN: OptimalTable = OptimalTable::uniform(7, -50, 9, 300);

    /// A tree of one value whose fail-soft bounds are off by a slack: as tight or as loose as fail-soft
    /// allows.
    struct Oracle {
        value: i32,
        slack: i32,
        asked: Vec<i32>,
    }

    impl Tree<i32> for Oracle {
        fn test(&mut self, window: Window<i32>) -> Result<i32, Stopped> {
            self.asked.push(window.beta);
            Ok(if self.value >= window.beta {
                window.beta.saturating_add(self.slack).min(self.value)
            } else if self.value <= window.alpha {
                window.alpha.saturating_sub(self.slack).max(self.value)
            } else {
                self.value
            })
        }
    }

    fn run(policy: &impl Policy<i32>, value: i32, slack: i32, guess: i32) -> (Bracket<i32>, Vec<i32>) {
        let mut tree = Oracle { value, slack, asked: Vec::new() };
        let mut bracket = Bracket::new(-LIMIT, LIMIT, guess);
        drive(&mut tree, policy, &mut bracket).unwrap();
        (bracket, tree.asked)
    }

    #[test]
    fn every_policy_finds_the_value() {
        for value in [-LIMIT + 1, -77, -1, 0, 1, 35, 640, LIMIT - 1] {
            for slack in [0, 3, 5000] {
                for guess in [-500, 0, 34, 35, 36, 500] {
                    for (bracket, _) in [
                        run(&MtdF, value, slack, guess),
                        run(&GrowingSteps(8), value, slack, guess),
                        run(&SssStar, value, slack, guess),
                        run(&DualStar, value, slack, guess),
                        run(&Bisect, value, slack, guess),
                        run(&Step(50), value, slack, guess),
                        run(&Optimal { table: &PAPER, change: 0 }, value, slack, guess),
                        run(&Optimal { table: &PAPER, change: -70 }, value, slack, guess),
                        run(&Optimal { table: &UNEVEN, change: 3 }, value, slack, guess),
                    ] {
                        assert_eq!((bracket.lower, bracket.upper, bracket.value()), (value, value, value));
                        assert_eq!(bracket.crossings, 0);
                    }
                    let mut tree = Oracle { value, slack, asked: Vec::new() };
                    let mut bracket = Bracket::new(-LIMIT, LIMIT, guess);
                    aspirate(&mut tree, 10, &mut bracket).unwrap();
                    assert_eq!(bracket.value(), value);
                }
            }
        }
    }

    #[test]
    fn bounds_may_be_as_far_apart_as_numbers_go() {
        for value in [-i32::MAX, -1, 0, 77, i32::MAX] {
            let ends = |policy: &dyn Fn(&mut Oracle, &mut Bracket<i32>)| {
                let mut tree = Oracle { value, slack: 1 << 30, asked: Vec::new() };
                let mut bracket = Bracket::new(-i32::MAX, i32::MAX, 0);
                policy(&mut tree, &mut bracket);
                assert_eq!(bracket.value(), value);
            };
            ends(&|tree, bracket| drive(tree, &MtdF, bracket).unwrap());
            ends(&|tree, bracket| drive(tree, &GrowingSteps(8), bracket).unwrap());
            ends(&|tree, bracket| drive(tree, &Bisect, bracket).unwrap());
            ends(&|tree, bracket| drive(tree, &Step(i32::MAX / 3), bracket).unwrap());
            ends(&|tree, bracket| aspirate(tree, 20, bracket).unwrap());
        }
    }

    #[test]
    fn an_answer_that_says_less_changes_nothing_and_one_that_contradicts_is_counted() {
        let mut bracket = Bracket::new(-LIMIT, LIMIT, 0);
        bracket.learn(Window::at(40), 44);
        bracket.learn(Window::at(10), 24);
        bracket.learn(Window::at(80), 70);
        bracket.learn(Window::at(90), 85);
        assert_eq!((bracket.lower, bracket.upper, bracket.crossings), (44, 70, 0));
        // NegaScout's windows overlap: a value inside the second one contradicts the bound of the first.
        let mut bracket = Bracket::new(-LIMIT, LIMIT, 0);
        bracket.learn(Window::new(-20, 20), 25);
        bracket.learn(Window::new(19, 65), 22);
        assert_eq!((bracket.lower, bracket.upper, bracket.crossings), (22, 22, 1));
        let mut reopened = Bracket::new(-LIMIT, LIMIT, 0).reopened_by(2);
        reopened.learn(Window::new(-20, 20), 25);
        reopened.learn(Window::new(19, 65), 22);
        assert_eq!((reopened.lower, reopened.upper, reopened.crossings), (22, 22, 1), "it is exact");
    }

    #[test]
    fn an_aspiration_window_moves_to_the_side_on_which_it_failed() {
        /// A value, and the windows in which it was asked for.
        struct Asked(i32, Vec<(i32, i32)>);
        impl Tree<i32> for Asked {
            fn test(&mut self, window: Window<i32>) -> Result<i32, Stopped> {
                self.1.push((window.alpha, window.beta));
                Ok(self.0.clamp(window.alpha, window.beta))
            }
        }
        let windows = |value| {
            let mut tree = Asked(value, Vec::new());
            aspirate(&mut tree, 20, &mut Bracket::new(-LIMIT, LIMIT, 5)).unwrap();
            tree.1
        };
        assert_eq!(windows(24), [(-15, 25)]);
        assert_eq!(windows(25), [(-15, 25), (24, 65)]);
        assert_eq!(windows(-15), [(-15, 25), (-55, -14)]);
        assert_eq!(windows(200), [(-15, 25), (24, 65), (64, 145), (144, 305)]);
    }

    #[test]
    fn aspiration_ends_on_a_tree_that_contradicts_itself() {
        /// A tree that fails high and low in turn as long as the window allows it.
        struct Fickle(bool);
        impl Tree<i32> for Fickle {
            fn test(&mut self, window: Window<i32>) -> Result<i32, Stopped> {
                self.0 = !self.0;
                let answer = if self.0 { window.beta + 3 } else { window.alpha - 3 };
                Ok(answer.clamp(-LIMIT, LIMIT))
            }
        }
        let mut bracket = Bracket::new(-LIMIT, LIMIT, 0);
        aspirate(&mut Fickle(false), 10, &mut bracket).unwrap();
        assert!(bracket.passes < 30, "{} passes", bracket.passes);
    }

    #[test]
    fn an_exact_guess_takes_mtd_f_two_passes() {
        let (bracket, asked) = run(&MtdF, 35, 0, 35);
        assert_eq!((bracket.passes, asked), (2, vec![35, 36]));
    }

    #[test]
    fn strides_save_passes_on_a_bad_guess() {
        let (plain, _) = run(&MtdF, 300, 3, 0);
        let (growing, _) = run(&GrowingSteps(8), 300, 3, 0);
        assert!(growing.passes * 3 < plain.passes, "{} and {}", growing.passes, plain.passes);
    }

    #[test]
    fn sss_comes_down_and_dual_goes_up() {
        let (_, asked) = run(&SssStar, 35, 7, 0);
        assert!(asked.windows(2).all(|pair| pair[0] > pair[1]));
        let (_, asked) = run(&DualStar, 35, 7, 0);
        assert!(asked.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn bisection_takes_the_logarithm() {
        for value in -LIMIT + 1..LIMIT {
            let (bracket, _) = run(&Bisect, value, 0, 0);
            assert!(bracket.passes <= 12, "{} passes for {value}", bracket.passes);
        }
    }

    #[test]
    fn a_grid_closes_within_its_own_width() {
        for value in -100..100 {
            for guess in [-90, -3, 0, 41] {
                let snapped = Snap { policy: MtdF, grid: 8, exempt: 900 };
                let (bracket, asked) = run(&snapped, value, 0, guess);
                assert!(asked.iter().all(|bound| bound % 8 == 0), "{asked:?}");
                assert!(bracket.value() <= value && value < bracket.value() + 8, "{value} {bracket:?}");
            }
        }
    }

    #[test]
    fn a_contradiction_closes_the_bracket_on_the_newer_answer() {
        let mut bracket = Bracket::new(-LIMIT, LIMIT, 0);
        bracket.learn(Window::at(10), 5);
        bracket.learn(Window::at(4), 20);
        assert_eq!((bracket.lower, bracket.upper, bracket.crossings), (20, 20, 1));
        assert!(!bracket.open());
    }

    #[test]
    fn a_contradiction_reopens_the_bracket_on_the_side_of_the_newer_answer() {
        let mut bracket = Bracket::new(-LIMIT, LIMIT, 0).reopened_by(2);
        bracket.learn(Window::at(30), 35);
        bracket.learn(Window::at(36), 20);
        assert_eq!((bracket.lower, bracket.upper, bracket.crossings), (-LIMIT, 20, 1));
        assert!(!bracket.failed_high, "the move that failed high is refuted");
        bracket.learn(Window::at(21), 25);
        assert_eq!((bracket.lower, bracket.upper, bracket.crossings), (25, LIMIT, 2));
        assert!(bracket.failed_high);
        bracket.learn(Window::at(26), 24);
        assert_eq!((bracket.lower, bracket.upper, bracket.crossings), (24, 24, 3), "two times is enough");
        let mut bracket = Bracket::new(-LIMIT, LIMIT, 0).reopened_by(1);
        bracket.learn(Window::at(30), 20);
        bracket.learn(Window::at(25), 25);
        assert_eq!((bracket.lower, bracket.upper), (25, LIMIT), "the bound itself is a fail-high");
    }

    /// A bracket between two bounds that were found, with a last answer.
    fn bracket_between(lower: i32, upper: i32, last: i32) -> Bracket<i32> {
        Bracket { last, passes: 2, failed_high: true, ..Bracket::new(lower, upper, 0) }
    }

    #[test]
    fn a_step_onto_the_lower_bound_is_the_bound_above_it() {
        assert_eq!(Step(50).next(&bracket_between(10, 60, 60)), Some(11));
        assert_eq!(Step(49).next(&bracket_between(10, 60, 60)), Some(11));
        assert_eq!(Step(48).next(&bracket_between(10, 60, 60)), Some(12));
    }

    #[test]
    fn a_mate_is_asked_about_once_the_last_bound_before_it_was() {
        assert_eq!(snap(950, 899, 1000, 7, 900), Some(950));
        assert_eq!(snap(950, 898, 1000, 7, 900), Some(899));
        assert_eq!(snap(-950, -1000, -899, 7, 900), Some(-899));
        assert_eq!(snap(-950, -1000, -900, 7, 900), Some(-950));
    }

    #[test]
    fn every_driver_ends_on_a_tree_that_contradicts_itself() {
        /// Fails high or low at random, by a random distance.
        struct Random(SplitMix64);
        impl Tree<i32> for Random {
            fn test(&mut self, window: Window<i32>) -> Result<i32, Stopped> {
                let distance = self.0.below(40) as i32;
                let high = self.0.below(2) == 0;
                let answer = if high { window.beta + distance } else { window.alpha - distance };
                Ok(answer.clamp(1 - LIMIT, LIMIT - 1))
            }
        }
        fn passes(policy: impl Policy<i32>, seed: u64) -> u32 {
            let mut bracket = Bracket::new(-LIMIT, LIMIT, 7).reopened_by(2);
            let snapped = Snap { policy, grid: 1 + seed as i32 % 17, exempt: 900 };
            drive(&mut Random(SplitMix64::new(seed)), &snapped, &mut bracket).unwrap();
            bracket.passes
        }
        for seed in 0..2000 {
            let all = [
                passes(MtdF, seed),
                passes(GrowingSteps(16), seed),
                passes(SssStar, seed),
                passes(DualStar, seed),
                passes(Bisect, seed),
                passes(Step(32), seed),
                passes(Optimal { table: &PLAY, change: seed as i32 % 90 }, seed),
            ];
            let mut bracket = Bracket::new(-LIMIT, LIMIT, 7).reopened_by(2);
            aspirate(&mut Random(SplitMix64::new(seed)), 20, &mut bracket).unwrap();
            assert!(all.iter().chain([&bracket.passes]).all(|&passes| passes < 8 * LIMIT as u32), "{all:?}");
        }
    }
}
