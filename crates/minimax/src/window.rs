//! Search windows (alpha, beta) and null windows, over integers and reals.

use std::ops::Neg;

/// The smallest step between two reals: the papers' epsilon (REAL section 3).
pub const EPSILON: f64 = 0.01;

/// Value of a game tree: an integer, or a real number with a smallest step.
pub trait Value: Copy + PartialOrd + Neg<Output = Self> {
    /// The next value up.
    fn above(self) -> Self;
    /// The next value down.
    fn below(self) -> Self;
    /// `self - stride`, for drivers whose bounds move in steps (MTD-step).
    fn minus(self, stride: Self) -> Self;
    /// The bound in the middle: `lower < middle <= upper` whenever `lower < upper`.
    fn middle(lower: Self, upper: Self) -> Self;
}

impl Value for i32 {
    fn above(self) -> i32 {
        self + 1
    }

    fn below(self) -> i32 {
        self - 1
    }

    fn minus(self, stride: i32) -> i32 {
        self.saturating_sub(stride)
    }

    fn middle(lower: i32, upper: i32) -> i32 {
        (i64::from(lower) + i64::from(upper) + 1).div_euclid(2) as i32
    }
}

/// Windows over reals are [`EPSILON`] wide; an answer strictly inside one is exact (REAL section 3). An
/// infinite or undefined value must not enter a window.
impl Value for f64 {
    fn above(self) -> f64 {
        self + EPSILON
    }

    fn below(self) -> f64 {
        self - EPSILON
    }

    fn minus(self, stride: f64) -> f64 {
        self - stride
    }

    /// The bound whose window has the middle of the bracket in its own middle (REAL figure 1b). It lies above
    /// `upper` when the bracket is narrower than the window: then the answer is inside.
    fn middle(lower: f64, upper: f64) -> f64 {
        (lower + upper) / 2.0 + EPSILON / 2.0
    }
}

/// Search window: the open interval `alpha < value < beta` in which the exact value is wanted. Fail-soft: an
/// answer `<= alpha` (fail low) is an upper bound, an answer `>= beta` (fail high) a lower bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window<V> {
    /// Answers up to this one fail low.
    pub alpha: V,
    /// Answers from this one on fail high.
    pub beta: V,
}

impl<V: Value> Window<V> {
    /// A window between two bounds.
    #[must_use]
    pub fn new(alpha: V, beta: V) -> Window<V> {
        Window { alpha, beta }
    }

    /// The null window that tests "is the value at least `bound`?" (the papers' gamma is half a step below).
    #[must_use]
    pub fn at(bound: V) -> Window<V> {
        Window { alpha: bound.below(), beta: bound }
    }

    /// True if it is a null window: no integer inside, or no wider than one step of reals.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.alpha.above() >= self.beta
    }

    /// The same window seen by the opponent (negamax).
    #[must_use]
    pub fn flip(&self) -> Window<V> {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// The null window at the lower edge: "is there anything better than alpha?"
    #[must_use]
    pub fn scout(&self) -> Window<V> {
        Window { alpha: self.alpha, beta: self.alpha.above() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_have_steps_of_their_own() {
        assert_eq!(Value::minus(2.5, 0.75), 1.75);
        assert!(Value::above(1.0) > 1.0 && Value::below(1.0) < 1.0);
        let middle: f64 = Value::middle(-1.0, 3.0);
        assert!(Window::at(middle).alpha < 1.0 && 1.0 < Window::at(middle).beta);
        assert!(Window::at(middle).is_null() && !Window::new(0.0, 1.0).is_null());
    }
}
