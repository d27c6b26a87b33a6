//! Evaluation of Othello positions, our own, in hundredths of a disc.
//!
//! Four terms, for both sides alike: **mobility** (squares on which a disc can be put), **frontier** (discs
//! next to empty squares: they give the opponent moves), **corners** with the squares beside an empty corner,
//! and **edges that cannot be turned any more** (discs joined to an own corner along an edge). Mobility and
//! frontier matter most early; discs count in themselves only towards the end. The papers' programs (Keyano,
//! BFM's player) had evaluations that were not published, so results on this one compare in sign and shape.

use super::othello_board::{NOT_A, NOT_H, Othello, legal_squares};

/// Least value of a won game, beyond every static evaluation; the disc difference in hundredths is added.
pub const FINAL: i32 = 50_000;

/// The four corners: a1, h1, a8, h8.
const CORNERS: u64 = 0x8100_0000_0000_0081;

/// A corner; the squares beside it on the edges; the square beside it on the diagonal.
const REGIONS: [(u64, u64, u64); 4] = [
    (1, 1 << 1 | 1 << 8, 1 << 9),
    (1 << 7, 1 << 6 | 1 << 15, 1 << 14),
    (1 << 56, 1 << 57 | 1 << 48, 1 << 49),
    (1 << 63, 1 << 62 | 1 << 55, 1 << 54),
];

const CORNER: i32 = 1_400;
const BESIDE_ON_EDGE: i32 = -220;
const BESIDE_ON_DIAGONAL: i32 = -520;
const STABLE_EDGE: i32 = 260;

/// Empty squares at the start of the game.
const MOST_EMPTIES: i32 = 60;

/// The value for the side to move, in hundredths of a disc; within +-40,000.
#[must_use]
pub(super) fn evaluate(position: &Othello) -> i32 {
    let (own, foe) = (position.own, position.foe);
    let empties = position.empties() as i32;
    let empty = !(own | foe);
    // Weights by the stage of the game: a move more is worth most early, a disc more at the end.
    let mobility = 95 + 60 * empties / MOST_EMPTIES;
    let frontier = 20 + 45 * empties / MOST_EMPTIES;
    let disc = 60 * (MOST_EMPTIES - empties) / MOST_EMPTIES - 25;
    let moves = legal_squares(own, foe).count_ones() as i32 - legal_squares(foe, own).count_ones() as i32;
    let exposed = neighbours(empty);
    let frontier_discs = (own & exposed).count_ones() as i32 - (foe & exposed).count_ones() as i32;
    mobility * moves - frontier * frontier_discs + disc * position.disc_difference() + corners(own, empty)
        - corners(foe, empty)
        + STABLE_EDGE * (stable_edge(own) - stable_edge(foe))
        + parity(empties)
}

/// Parity: a bonus for the last move, which the side to move has with an odd number of empty squares.
fn parity(empties: i32) -> i32 {
    let weight = 3 * (MOST_EMPTIES - empties);
    if empties % 2 == 1 { weight } else { -weight }
}

/// Corners held, and discs that stand beside an empty one.
fn corners(discs: u64, empty: u64) -> i32 {
    let region = |&(corner, edge, diagonal): &(u64, u64, u64)| {
        if corner & empty == 0 {
            return 0;
        }
        BESIDE_ON_EDGE * (discs & edge).count_ones() as i32
            + BESIDE_ON_DIAGONAL * (discs & diagonal).count_ones() as i32
    };
    CORNER * (discs & CORNERS).count_ones() as i32 + REGIONS.iter().map(region).sum::<i32>()
}

/// Discs joined to a corner of the same colour along an edge, corners not counted.
fn stable_edge(discs: u64) -> i32 {
    const EDGES: u64 = 0xff81_8181_8181_81ff;
    let edge = discs & EDGES;
    let mut stable = discs & CORNERS;
    loop {
        let grown = stable | neighbours_in_line(stable) & edge;
        if grown == stable {
            return (stable & !CORNERS).count_ones() as i32;
        }
        stable = grown;
    }
}

/// The squares to the left and right, above and below.
const fn neighbours_in_line(squares: u64) -> u64 {
    (squares & NOT_H) << 1 | (squares & NOT_A) >> 1 | squares << 8 | squares >> 8
}

/// The eight squares around each of them.
const fn neighbours(squares: u64) -> u64 {
    let row = squares | (squares & NOT_H) << 1 | (squares & NOT_A) >> 1;
    row | row << 8 | row >> 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::random::SplitMix64;

    /// Positions of random games.
    fn positions() -> Vec<Othello> {
        let mut random = SplitMix64::new(8);
        let mut found = Vec::new();
        for _ in 0..100 {
            let mut position = Othello::start();
            loop {
                let moves = position.moves();
                if moves.is_empty() {
                    break;
                }
                position = position.play(moves[random.below(moves.len())]);
                found.push(position);
            }
        }
        found
    }

    #[test]
    fn the_value_is_negated_but_for_parity_when_the_sides_are_exchanged() {
        for position in positions() {
            let exchanged = Othello { own: position.foe, foe: position.own, black: position.black };
            let parity = 2 * parity(position.empties() as i32);
            assert_eq!(evaluate(&position) + evaluate(&exchanged), parity, "{position}");
            assert!(evaluate(&position).abs() < FINAL);
        }
    }

    #[test]
    fn a_mirrored_position_has_the_same_value() {
        for position in positions() {
            let mirror = |discs: u64| discs.swap_bytes();
            let mirrored = Othello { own: mirror(position.own), foe: mirror(position.foe), ..position };
            assert_eq!(evaluate(&position), evaluate(&mirrored));
        }
    }

    #[test]
    fn a_corner_counts_more_than_an_edge_square_and_that_more_than_the_square_diagonal_to_an_empty_corner() {
        let with = |square: u32| Othello { own: 1 << square | 1 << 28, foe: 1 << 27, black: true };
        assert!(evaluate(&with(0)) > evaluate(&with(3)));
        assert!(evaluate(&with(3)) > evaluate(&with(9)));
        assert_eq!(stable_edge(0b0001_1011), 1);
        assert_eq!(stable_edge(1 | 1 << 8 | 1 << 16 | 1 << 32), 2);
    }
}
