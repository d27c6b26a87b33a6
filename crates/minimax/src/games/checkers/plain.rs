//! Evaluation of plain checkers: an integer in hundredths of a man.
//!
//! The sum over both sides of men (100), kings (150), men that guard the back row (12 a man, 8 more for the
//! pair that stops most breakthroughs), rows advanced (3 a row), the eight squares of the centre (5 for men,
//! 9 for kings), men on the edge (-4) and supported men (2 for each friend behind); then steps (2 each) and
//! the right to jump next (35), which is most of a man. In the end fewer pieces make a lead weigh more.

use super::Goal;
use super::board::Board;

/// Plain checkers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToWin;

/// A won game.
const WON: i32 = 29_999;

const BACK_ROW: u64 = 0xff;
/// c1 and g1, as Black sees the board: the bridge.
const BRIDGE: u64 = 1 << 2 | 1 << 6;
/// c3, e3, d4, f4, c5, e5, d6, f6.
const CENTRE: u64 = 1 << 18 | 1 << 20 | 1 << 27 | 1 << 29 | 1 << 34 | 1 << 36 | 1 << 43 | 1 << 45;
const EDGE: u64 = 0x8181_8181_8181_8181;

impl Goal for ToWin {
    type Value = i32;
    const LIMIT: i32 = 30_000;

    fn evaluate(board: &Board) -> i32 {
        let (steps, jumps) = (board.steps() as i32, board.jumps());
        if steps == 0 && jumps == 0 {
            return -WON;
        }
        let turned = board.turned();
        let lead = side(board) - side(&turned);
        let tempo = 2 * (steps - turned.steps() as i32) + if jumps > 0 { 35 } else { 0 };
        // With 24 pieces the lead counts as it is, with few a third more.
        let pieces = (board.own | board.their).count_ones() as i32;
        lead + lead * (24 - pieces) / 72 + tempo
    }
}

/// Terms of the side to move's pieces.
fn side(board: &Board) -> i32 {
    let men = board.own & !board.kings;
    let kings = board.own & board.kings;
    let many = |squares: u64| squares.count_ones() as i32;
    let advanced: i32 = (1..8).map(|row| row * many(men & BACK_ROW << (8 * row))).sum();
    let bridge = men & BRIDGE == BRIDGE;
    let friends = many(men & board.own << 7) + many(men & board.own << 9);
    100 * many(men)
        + 150 * many(kings)
        + 12 * many(men & BACK_ROW)
        + if bridge { 8 } else { 0 }
        + 3 * advanced
        + 5 * many(men & CENTRE)
        + 9 * many(kings & CENTRE)
        - 4 * many(men & EDGE)
        + 2 * friends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> i32 {
        ToWin::evaluate(&Board::parse(text).unwrap())
    }

    #[test]
    fn more_pieces_are_worth_more_and_a_king_more_than_a_man() {
        let men = value("......../w......./......../......../......../....b.../......../b.b..... b");
        let king = value("......../w......./......../......../......../....B.../......../b.b..... b");
        let fewer = value("......../w......./......../......../......../....b.../......../b....... b");
        assert!(fewer < men && men < king, "{fewer} {men} {king}");
    }

    #[test]
    fn the_start_is_worth_nothing_to_either_side() {
        let start = Board::start();
        assert_eq!(ToWin::evaluate(&start), 0);
        assert_eq!(ToWin::evaluate(&start.turned()), 0);
    }
}
