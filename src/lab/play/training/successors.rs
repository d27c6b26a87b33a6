//! Random successors of a position: as many positions as one likes for a target that can score any of them.
//!
//! Games of strong play show few positions in which a side is a piece ahead or a king stands in the open, and
//! a search visits many. One to three random moves lead there.

use crate::chess::Position;
use crate::chess::movegen::{self, Generator};
use crate::chess::see::see_ge;
use crate::random::SplitMix64;
use shakmaty::MoveList;

/// The most random moves from the position of the game.
const MOST_MOVES: usize = 3;

/// Shows up to `count` random successors of a position that are quiet: see [`is_quiet`].
pub(super) fn for_each(
    position: &Position,
    count: usize,
    random: &mut SplitMix64,
    mut show: impl FnMut(&Position),
) {
    let mut moves = MoveList::new();
    for _ in 0..count {
        let mut now = position.clone();
        for _ in 0..=random.below(MOST_MOVES) {
            moves.clear();
            movegen::all(&now, &mut moves);
            if moves.is_empty() {
                break;
            }
            now = now.play(moves[random.below(moves.len())]);
        }
        if is_quiet(&now) {
            show(&now);
        }
    }
}

/// True if a static evaluation may score the position: the side to move is not in check, and no capture or
/// promotion of its wins material by static exchange evaluation.
fn is_quiet(position: &Position) -> bool {
    if position.in_check() {
        return false;
    }
    let mut moves = MoveList::new();
    Generator::new(position).noisy(&mut moves);
    !moves.iter().any(|&m| see_ge(position, m, 1))
}
