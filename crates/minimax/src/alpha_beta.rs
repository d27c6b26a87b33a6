//! Alpha-Beta without a memory, fail-soft (Knuth and Moore 1975): the baseline of INFO figures 4 and 5.

use super::game::{Game, StopCondition};
use super::traversal::{Traversal, Visit, higher};
use super::{Stopped, Window};

/// The value of `node` in a window, `depth` plies deep; moves in the game's own order.
pub fn alpha_beta<G: Game, H: StopCondition>(
    traversal: &mut Traversal<H>,
    node: &G,
    window: Window<G::Value>,
    depth: u32,
) -> Result<G::Value, Stopped> {
    let moves = match traversal.visit(node, depth)? {
        Visit::Leaf(value) => return Ok(value),
        Visit::Interior(moves) => moves,
    };
    let mut value = -G::LIMIT;
    for m in moves {
        let rest = Window::new(higher(window.alpha, value), window.beta);
        let answer = -alpha_beta(traversal, &node.play(m), rest.flip(), depth - 1)?;
        value = higher(value, answer);
        if value >= window.beta {
            break;
        }
    }
    Ok(value)
}
