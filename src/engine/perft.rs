//! Perft: counts the leaves of the tree of legal moves, with the move generator that the search uses. The
//! counts are known for many positions, which makes them the test of a move generator.

use crate::chess::{Position, movegen};
use shakmaty::{Move, MoveList};

/// Greatest depth in plies. No such count ever ends; the limit keeps the recursion within its stack.
pub const MOST_PLIES: u32 = 64;

/// Perft divide: positions after exactly `depth` plies (at most [`MOST_PLIES`]); `each` is called with every
/// first move and its share. `None` if `stopped` said so.
pub fn divide(
    position: &Position,
    depth: u32,
    stopped: &impl Fn() -> bool,
    mut each: impl FnMut(Move, u64),
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let mut total = 0;
    for &m in &legal_moves(position) {
        let nodes = count(&position.play(m), depth.min(MOST_PLIES) - 1, stopped)?;
        each(m, nodes);
        total += nodes;
    }
    Some(total)
}

/// Positions after exactly `depth` plies, with bulk counting: the moves of the last ply are counted, not
/// played. `None` if `stopped` said so.
pub fn count(position: &Position, depth: u32, stopped: &impl Fn() -> bool) -> Option<u64> {
    match depth {
        0 => Some(1),
        1 => Some(legal_moves(position).len() as u64),
        _ if stopped() => None,
        _ => legal_moves(position).iter().map(|&m| count(&position.play(m), depth - 1, stopped)).sum(),
    }
}

fn legal_moves(position: &Position) -> MoveList {
    let mut moves = MoveList::new();
    movegen::all(position, &mut moves);
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;

    #[test]
    fn counts_of_known_positions() {
        for (fen, depth, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", 0, 1),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", 1, 20),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", 4, 197_281),
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", 3, 97_862),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", 4, 43_238),
            ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 3, 12_189),
            ("7k/5Q2/6K1/8/8/8/8/8 b - -", 3, 0),
        ] {
            let game = Game::parse_fen(fen).unwrap();
            let mut sum = 0;
            let total = divide(game.position(), depth, &|| false, |_, nodes| sum += nodes);
            assert_eq!(total, Some(expected), "{fen}");
            assert!(depth == 0 || sum == expected);
        }
    }

    #[test]
    fn a_stop_ends_the_count() {
        assert_eq!(divide(Game::new().position(), 5, &|| true, |_, _| {}), None);
    }
}
