//! NegaScout without a memory, as INFO figure 1 prints it (the `0` in the scan of the paper is read as beta).

use super::game::{Game, StopCondition};
use super::traversal::{Traversal, Visit, higher, lower};
use super::{Stopped, Window, window::Value as _};

/// The value of `node` in a window, `depth` plies deep; moves in the game's own order.
///
/// A child that fails high on the null window is re-searched only with more than two plies to go: nearer to
/// the leaves a fail-soft answer is exact, because leaves are.
pub fn nega_scout<G: Game, H: StopCondition>(
    traversal: &mut Traversal<H>,
    node: &G,
    window: Window<G::Value>,
    depth: u32,
) -> Result<G::Value, Stopped> {
    let moves = match traversal.visit(node, depth)? {
        Visit::Leaf(value) => return Ok(value),
        Visit::Interior(moves) => moves,
    };
    let Window { alpha, beta } = window;
    let mut a = -G::LIMIT;
    let mut b = beta;
    for m in moves {
        let child = node.play(m);
        let v = -nega_scout(traversal, &child, Window::new(higher(alpha, a), b).flip(), depth - 1)?;
        if v > a {
            // Below b it is exact: the first child's value is, and in reals one inside a null window.
            let accurate = v <= alpha || v < b || v >= beta || depth <= 2;
            a = if accurate {
                v
            } else {
                -nega_scout(traversal, &child, Window::new(v, beta).flip(), depth - 1)?
            };
        }
        if a >= beta {
            break;
        }
        b = lower(higher(alpha, a).above(), beta);
    }
    Ok(a)
}
