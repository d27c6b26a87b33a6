//! Selection of best-first minimax (BFM): the child that is searched next, and the bounds within which it
//! remains that child. Shared by the form that keeps its tree and the one in linear space.
//!
//! A node has a *deviation* besides its value: by how much, in value, play has to depart from the best moves
//! to reach a leaf that can be expanded.

use super::best_first_limits::{Fallback, zero};
use super::game::Game;
use super::traversal::{higher, lower};
use super::window::{Value, Window};

/// A value of the node `ply` plies from the root, seen from the root's side to move.
pub(super) fn from_root<V: Value>(value: V, ply: u32) -> V {
    if ply.is_multiple_of(2) { value } else { -value }
}

/// Backed-up value and deviation of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimate<V> {
    /// From the side to move.
    pub(super) value: V,
    /// 0 where the principal leaf can be expanded, `LIMIT` where no leaf below the node can be.
    pub(super) deviation: V,
}

impl<V: Value> Estimate<V> {
    /// Of a leaf that can be expanded.
    pub(super) fn expandable<G: Game<Value = V>>(value: V) -> Estimate<V> {
        Estimate { value, deviation: zero::<G>() }
    }

    /// True if no leaf below the node can be expanded.
    pub(super) fn is_exhausted<G: Game<Value = V>>(&self) -> bool {
        self.deviation >= G::LIMIT
    }

    /// The parent's deviation by way of this child, where the best child has the value `best`.
    fn deviation_via<G: Game<Value = V>>(&self, best: V) -> V {
        let loss = higher(self.value.minus(best), zero::<G>());
        lower(loss.minus(-self.deviation), G::LIMIT)
    }
}

/// The deviation of a node with these children.
pub(super) fn deviation<G: Game>(
    children: impl Iterator<Item = Estimate<G::Value>> + Clone,
    fallback: Fallback,
) -> G::Value {
    let Some(best) = children.clone().next() else { return G::LIMIT };
    let open = match fallback {
        Fallback::Deepest => !children.clone().all(|child| child.is_exhausted::<G>()),
        Fallback::Nearest => best.deviation <= zero::<G>(),
    };
    if open {
        return zero::<G>();
    }
    // A step more for every ply, so that among equals the deviation nearest to the root comes first.
    let nearest = children.map(|child| child.deviation_via::<G>(best.value)).fold(G::LIMIT, lower);
    lower(nearest.above(), G::LIMIT)
}

/// Sorts by rising value, equals as they stand.
pub(super) fn sort<T, V: PartialOrd>(list: &mut [T], value: impl Fn(&T) -> V) {
    list.sort_by(|a, b| value(a).partial_cmp(&value(b)).unwrap_or(std::cmp::Ordering::Equal));
}

/// Moves the element at `at` to its place in a list that is otherwise in rising order, before its equals.
pub(super) fn reinsert<T, V: PartialOrd>(list: &mut [T], at: usize, value: impl Fn(&T) -> V) {
    let Some(own) = list.get(at).map(&value) else { return };
    let before = list[..at].iter().take_while(|other| value(other) < own).count();
    let passed = list[at + 1..].iter().take_while(|other| value(other) < own).count();
    if before < at {
        list[before..=at].rotate_right(1);
    } else {
        list[at..=at + passed].rotate_left(1);
    }
}

/// A step from a node to the child that is searched next.
pub(super) struct Step<V> {
    /// Index of the child.
    pub(super) at: usize,
    /// The inclusive window, seen from the child, in which it stays the one to search.
    pub(super) window: Window<V>,
    /// The deviation up to which it stays the one to search.
    pub(super) max_deviation: V,
}

/// The step to the most promising child that is not exhausted. The bounds of the step keep that child the
/// most promising one and the node within `window`, as BFM figure 2 says: max(A, M\[2\]).
pub(super) fn next_step<G: Game>(
    children: impl Iterator<Item = Estimate<G::Value>> + Clone,
    window: Window<G::Value>,
    max_deviation: G::Value,
    fallback: Fallback,
) -> Option<Step<G::Value>> {
    let best = children.clone().next()?;
    if fallback == Fallback::Nearest && best.deviation > zero::<G>() {
        return nearest_step::<G>(children, window, max_deviation);
    }
    let at = children.clone().position(|child| !child.is_exhausted::<G>())?;
    // With an exhausted best child the node cannot fall out of its window any more.
    let floor = if at == 0 { window.alpha } else { -G::LIMIT };
    let rival = children.clone().nth(at + 1).map(|child| -child.value).filter(|&rival| rival > floor);
    let window = Window::new(rival.unwrap_or(floor), window.beta).flip();
    Some(Step { at, window, max_deviation: zero::<G>() })
}

/// The step to the child with the least deviation, where the best child's principal leaf is final.
fn nearest_step<G: Game>(
    children: impl Iterator<Item = Estimate<G::Value>> + Clone,
    window: Window<G::Value>,
    max_deviation: G::Value,
) -> Option<Step<G::Value>> {
    let best = children.clone().next()?.value;
    let (mut at, mut least, mut second) = (0, G::LIMIT, max_deviation);
    for (index, child) in children.clone().enumerate() {
        let deviation = child.deviation_via::<G>(best);
        if deviation < least {
            (at, least, second) = (index, deviation, lower(least, second));
        } else {
            second = lower(deviation, second);
        }
    }
    let child = children.clone().nth(at).filter(|_| least < G::LIMIT)?;
    if at > 0 {
        // It is searched until it is the best one, or deviates so far that another one is nearer.
        let worst = lower(best.minus(-second), G::LIMIT);
        let loss = higher(child.value.minus(best), zero::<G>());
        return Some(Step { at, window: Window::new(best, worst), max_deviation: second.minus(loss) });
    }
    let rival = children.clone().nth(1).map(|child| -child.value).filter(|&rival| rival > window.alpha);
    let window = Window::new(rival.unwrap_or(window.alpha), window.beta).flip();
    Some(Step { at, window, max_deviation: second })
}

/// True if a value lies within inclusive bounds.
pub(super) fn within<V: Value>(window: Window<V>, value: V) -> bool {
    window.alpha <= value && value <= window.beta
}
