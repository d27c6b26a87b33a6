//! The dynamic programme: for every bracket the bound of least expected cost, and what any policy costs in the model.
//!
//! A state is a bracket in cells, its ends found or not. The value is one of its cells, by the distribution of the
//! iteration. A test costs by its direction and distance and by what was answered before; its answer is the value or
//! the bound itself.

use super::model::{CELLS, Ends, FAR, Model, STEPS};
use crate::minimax::optimal::{ClassBounds, KNOTS, PLACES, WIDTHS};
use std::ops::Range;

/// States of one end: below all cells, the cells, above all.
const ENDS: usize = CELLS + 2;

/// The end of a bracket below which nothing was found.
const BOTTOM: usize = 0;

/// The end above which nothing was found.
const TOP: usize = ENDS - 1;

/// A square of numbers by lower and upper end.
struct Square(Vec<f32>);

impl Square {
    fn new() -> Square {
        Square(vec![0.0; ENDS * ENDS])
    }

    fn get(&self, row: usize, column: usize) -> f64 {
        f64::from(self.0[row * ENDS + column])
    }

    fn set(&mut self, row: usize, column: usize, value: f64) {
        self.0[row * ENDS + column] = value as f32;
    }
}

/// Solution for one class of iterations.
pub struct Solution {
    /// Expected cost of an iteration, in average ones.
    pub cost: f64,
    /// The best bound by lower and upper end.
    bound: Vec<u16>,
}

impl Solution {
    /// The best bound of a bracket whose ends were found or not, in cells from the centre.
    pub fn bound(&self, lower: Option<i32>, upper: Option<i32>) -> i32 {
        let lower = lower.map_or(BOTTOM, end);
        let upper = upper.map_or(TOP, end);
        cell(usize::from(self.bound[lower * ENDS + upper]))
    }
}

/// The state of an end at a distance from the centre.
fn end(distance: i32) -> usize {
    (distance.clamp(-FAR, FAR) + FAR) as usize + 1
}

/// The distance of an end from the centre.
fn cell(end: usize) -> i32 {
    end as i32 - 1 - FAR
}

/// Sums over the values on one side of a bound, weighted by their chance.
struct Sums {
    /// Chance of the cells below an end.
    below: Vec<f64>,
    /// By context, bound and upper end: cost of a fail-high over the values from the bound to below the end.
    high: [Square; 3],
    /// By context, lower end and bound: cost of a fail-low over the values above the end to below the bound.
    low: [Square; 3],
}

impl Sums {
    fn new(model: &Model, chance: &[f64]) -> Sums {
        let mut sums = Sums {
            below: vec![0.0; ENDS + 1],
            high: std::array::from_fn(|_| Square::new()),
            low: std::array::from_fn(|_| Square::new()),
        };
        for end in 0..ENDS {
            sums.below[end + 1] = sums.below[end] + chance_of(chance, end);
        }
        for context in 0..3 {
            for bound in 1..TOP {
                let mut sum = 0.0;
                for value in bound..TOP {
                    sum += chance_of(chance, value) * model.cost(true, context, (value - bound) as i32);
                    sums.high[context].set(bound, value + 1, sum);
                }
                let mut sum = 0.0;
                for value in (1..bound).rev() {
                    sum += chance_of(chance, value) * model.cost(false, context, (bound - 1 - value) as i32);
                    sums.low[context].set(value - 1, bound, sum);
                }
            }
        }
        sums
    }

    /// Chance of the values from one end to below another.
    fn between(&self, from: usize, to: usize) -> f64 {
        (self.below[to] - self.below[from]).max(0.0)
    }
}

fn chance_of(chance: &[f64], end: usize) -> f64 {
    end.checked_sub(1).and_then(|cell| chance.get(cell)).copied().unwrap_or(0.0)
}

/// The programme for one class.
struct Programme<'m> {
    model: &'m Model,
    chance: &'m [f64],
    sums: Sums,
    /// Expected remaining cost by lower and upper end.
    cost: Square,
    /// By bound and upper end: chance times remaining cost where a fail-high finds the value.
    found_high: Square,
    /// By lower end and bound: the same of fail-lows.
    found_low: Square,
}

/// Chances of a bracket: of its lower end, of its upper end, and a factor for the cells inside.
struct Belief {
    lower: f64,
    upper: f64,
    inside: f64,
}

impl Programme<'_> {
    /// The values that a bracket leaves possible: by the chances of its cells, its found ends included.
    fn belief(&self, lower: usize, upper: usize) -> Belief {
        let inside = self.sums.between(lower + 1, upper).max(1e-12);
        let (low, high) = (chance_of(self.chance, lower), chance_of(self.chance, upper));
        let whole = inside + low + high;
        Belief { lower: low / whole, upper: high / whole, inside: 1.0 / whole }
    }

    /// Expected cost of a test and of everything after it.
    fn test(&self, (lower, upper): (usize, usize), bound: usize, belief: &Belief) -> f64 {
        let (seen_high, seen_low) = (lower != BOTTOM, upper != TOP);
        let model = self.model;
        let ends = Ends { lower: seen_high.then(|| cell(lower)), upper: seen_low.then(|| cell(upper)) };
        let context = |high| ends.context(high, cell(bound), model.cell);
        let (up, down) = (context(true), context(false));
        let mut expected = belief.inside
            * (self.sums.high[up].get(bound, upper.max(bound)) + self.sums.low[down].get(lower, bound));
        if seen_low {
            expected += belief.upper * model.cost(true, up, (upper - bound) as i32);
        }
        if seen_high {
            expected += belief.lower * model.cost(false, down, (bound - 1 - lower) as i32);
        }
        expected
            + self.after_high((lower, upper), bound, belief)
            + self.after_low((lower, upper), bound, belief)
    }

    /// Chance times remaining cost after a fail-high: its answer is the value, or the bound.
    fn after_high(&self, (_, upper): (usize, usize), bound: usize, belief: &Belief) -> f64 {
        let beyond = 1.0 - self.model.exact(true, (upper - bound) as i32);
        let (mut found, mut left) = (0.0, belief.upper * beyond);
        for (step, reach) in reaches() {
            let (from, to) = (bound + reach.start, (bound + reach.end).min(upper));
            if from >= upper {
                break;
            }
            let exact = self.model.exact(true, step);
            let sum = self.found_high.get(from, upper) - self.found_high.get(to, upper);
            found += exact * belief.inside * sum;
            left += (1.0 - exact) * belief.inside * self.sums.between(from, to);
        }
        found + left * self.cost.get(bound, upper)
    }

    /// The same after a fail-low.
    fn after_low(&self, (lower, _): (usize, usize), bound: usize, belief: &Belief) -> f64 {
        let beyond = 1.0 - self.model.exact(false, (bound - 1 - lower) as i32);
        let (mut found, mut left) = (0.0, belief.lower * beyond);
        for (step, reach) in reaches() {
            if bound < reach.start + lower + 2 {
                break;
            }
            let (to, from) = (bound - reach.start, bound.saturating_sub(reach.end).max(lower + 1));
            let exact = self.model.exact(false, step);
            let sum = self.found_low.get(lower, to) - self.found_low.get(lower, from);
            found += exact * belief.inside * sum;
            left += (1.0 - exact) * belief.inside * self.sums.between(from, to);
        }
        found + left * self.cost.get(lower, bound - 1)
    }

    /// Solves one bracket: the best bound, or the one that a policy chooses.
    fn solve(&mut self, (lower, upper): (usize, usize), choice: Option<usize>) -> usize {
        let belief = self.belief(lower, upper);
        let first = (lower + 1).max(2);
        let last = upper.min(TOP - 1);
        let candidates =
            choice.map_or(first..=last, |bound| bound.clamp(first, last)..=bound.clamp(first, last));
        let (mut best, mut least) = (first, f64::INFINITY);
        for bound in candidates {
            let expected = self.test((lower, upper), bound, &belief);
            if expected < least {
                (best, least) = (bound, expected);
            }
        }
        self.cost.set(lower, upper, least);
        best
    }

    /// Adds a solved bracket to the sums of the wider ones.
    fn take_in(&mut self, lower: usize, upper: usize) {
        let cost = self.cost.get(lower, upper);
        if (1..TOP).contains(&lower) {
            let sum = chance_of(self.chance, lower) * cost + self.found_high.get(lower + 1, upper);
            self.found_high.set(lower, upper, sum);
        }
        if (1..TOP).contains(&upper) {
            let sum = chance_of(self.chance, upper) * cost + self.found_low.get(lower, upper);
            self.found_low.set(lower, upper + 1, sum);
        }
    }
}

/// Distances of the doubling scale, in cells: the least one of every step, and the range.
fn reaches() -> impl Iterator<Item = (i32, Range<usize>)> {
    (0..STEPS).map(|step| {
        let from = if step == 0 { 0 } else { 1 << (step - 1) };
        let to = if step + 1 == STEPS { ENDS } else { 1 << step };
        (from as i32, from..to)
    })
}

/// Solves the programme of a class; with a policy, evaluates that instead.
pub fn solve(
    model: &Model,
    chance: &[f64],
    policy: Option<&dyn Fn(Option<i32>, Option<i32>) -> i32>,
) -> Solution {
    let sums = Sums::new(model, chance);
    let empty = Square::new;
    let mut programme =
        Programme { model, chance, sums, cost: empty(), found_high: empty(), found_low: empty() };
    let mut bound = vec![0; ENDS * ENDS];
    for width in 1..ENDS {
        for lower in 0..ENDS - width {
            let upper = lower + width;
            // The outermost cells stand for everything beyond: a bracket of one of them and nothing is closed.
            let closed = (lower == BOTTOM && upper == 1) || (lower == TOP - 1 && upper == TOP);
            if !closed {
                let found = |end: usize| (end != BOTTOM && end != TOP).then(|| cell(end));
                let choice = policy.map(|policy| end(policy(found(lower), found(upper))));
                let best = programme.solve((lower, upper), choice);
                bound[lower * ENDS + upper] = best as u16;
            }
            programme.take_in(lower, upper);
        }
    }
    Solution { cost: programme.cost.get(BOTTOM, TOP), bound }
}

/// The table of a solution: its bounds at the knots.
pub fn bounds(solution: &Solution) -> ClassBounds {
    let mut table = ClassBounds::uniform(solution.bound(None, None) as i16, 1, 0, 0);
    let middle = KNOTS.len() as i32 - 1;
    for place in 0..PLACES {
        let side = place as i32 - middle;
        let at = (KNOTS[side.unsigned_abs() as usize] * side.signum()).clamp(1 - FAR, FAR - 1);
        table.up[place] = (solution.bound(Some(at), None) - at) as i16;
        table.down[place] = (at - solution.bound(None, Some(at))) as i16;
        for (column, &width) in KNOTS[1..].iter().enumerate() {
            let share = |lower: i32, upper: i32| {
                let (lower, upper) = (lower.max(-FAR), upper.min(FAR));
                let room = (upper - lower - 1).max(1);
                let share = 1000 * (solution.bound(Some(lower), Some(upper)) - lower - 1) / room;
                share.clamp(0, 1000) as i16
            };
            table.from_lower[place][column] = share(at, at + width);
            table.from_upper[place][column] = share(at - width, at);
        }
    }
    debug_assert_eq!(table.from_lower[0].len(), WIDTHS);
    table
}

#[cfg(test)]
mod tests {
    use super::super::model::Tally;
    use super::*;

    /// A model in which every test costs the same in its direction.
    fn model(low: f64, high: f64) -> Model {
        Model {
            cell: 1,
            drift: 0,
            changes: [10, 20],
            cost: [[[low; STEPS]; 3], [[high; STEPS]; 3]],
            exact: [[0.0; STEPS]; 2],
            tally: Tally::default(),
        }
    }

    /// Values that scatter evenly within eight cells.
    fn chance() -> Vec<f64> {
        let near = |cell: usize| if (cell as i32 - FAR).abs() <= 8 { 1.0 / 17.0 } else { 0.0 };
        (0..CELLS).map(near).collect()
    }

    fn halve(lower: Option<i32>, upper: Option<i32>) -> i32 {
        let (lower, upper) = (lower.unwrap_or(-9), upper.unwrap_or(9));
        (lower + upper + 1).div_euclid(2)
    }

    #[test]
    fn with_equal_costs_the_optimum_is_bisection() {
        let model = model(1.0, 1.0);
        let best = solve(&model, &chance(), None);
        let halved = solve(&model, &chance(), Some(&halve));
        // Seventeen values: fifteen are told apart by four tests, two by five; the ends need a proof beyond them.
        assert!((17.0 * best.cost - 72.0).abs() < 2.1, "{}", best.cost);
        assert!(best.cost <= halved.cost + 1e-3, "{} {}", best.cost, halved.cost);
        let stepped = solve(&model, &chance(), Some(&|lower, _| lower.unwrap_or(-9) + 1));
        assert!(stepped.cost > 1.5 * best.cost, "{} {}", stepped.cost, best.cost);
    }

    #[test]
    fn dear_fail_lows_move_the_first_bound_down() {
        let first = |low: f64, high: f64| {
            let model = model(low, high);
            solve(&model, &chance(), None).bound(None, None)
        };
        let (even, dear_low, dear_high) = (first(1.0, 1.0), first(6.0, 1.0), first(1.0, 6.0));
        assert!(dear_low < even && even < dear_high, "{dear_low} {even} {dear_high}");
    }

    #[test]
    fn the_table_at_the_knots_is_as_good_as_the_solution() {
        let model = model(3.0, 1.0);
        let optimum = solve(&model, &chance(), None);
        let table = bounds(&optimum);
        let of_table = solve(&model, &chance(), Some(&|lower, upper| table.next(lower, upper)));
        assert!(optimum.cost <= of_table.cost + 1e-3 && of_table.cost < 1.1 * optimum.cost);
    }
}
