//! Evaluation of give-away checkers, where the side that loses all pieces wins: a real number in (-100, 100).
//!
//! A weighted sum of features with real weights, mapped into the range by tanh (REAL section 2 has "a
//! weighted sum of game-state features limited by MIN and MAX" and no weights; these are our own). Men count
//! against their side, the last ones most; kings count less, because they can be offered anywhere; steps
//! count for it, because a side without other moves is forced to take; jumps that it must make count against
//! it.

use super::Goal;
use super::board::Board;

/// Give-away checkers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToLose;

/// A won game; every unfinished one is worth less.
const WON: f64 = 99.9;
/// No unfinished game is worth more.
const UNFINISHED: f64 = 99.0;

/// Penalties of a man and of a king, and the weight of the square root of the number of pieces.
const MAN: f64 = 0.137;
const KING: f64 = 0.091;
const ROOT: f64 = 0.213;
/// A step that the side to move has.
const STEP: f64 = 0.0237;
/// A jump that it must make.
const JUMP: f64 = -0.0819;
/// A man's progress, by row; the middle game is where men can still be offered.
const ROWS: [f64; 8] = [0.0314, 0.0183, 0.0271, 0.0407, 0.0332, 0.0119, -0.0168, 0.0];
/// A piece's file; those on the edge are hard to give away.
const FILES: [f64; 8] = [-0.0291, -0.0043, 0.0117, 0.0203, 0.0198, 0.0126, -0.0037, -0.0283];

impl Goal for ToLose {
    type Value = f64;
    const LIMIT: f64 = 100.0;

    fn evaluate(board: &Board) -> f64 {
        let (steps, jumps) = (board.steps(), board.jumps());
        if steps == 0 && jumps == 0 {
            return WON;
        }
        let turned = board.turned();
        let features = side(board) - side(&turned)
            + STEP * (f64::from(steps) - f64::from(turned.steps()))
            + JUMP * f64::from(jumps).sqrt();
        UNFINISHED * features.tanh()
    }
}

/// Terms of the side to move's pieces.
fn side(board: &Board) -> f64 {
    let (men, kings) = (board.own & !board.kings, board.own & board.kings);
    let many = |squares: u64| f64::from(squares.count_ones());
    let penalty = MAN * many(men) + KING * many(kings) + ROOT * many(board.own).sqrt();
    let rows: f64 = ROWS.iter().zip(0..).map(|(weight, row)| weight * many(men & 0xff << (8 * row))).sum();
    let file = |file: u32| board.own & 0x0101_0101_0101_0101 << file;
    let files: f64 = FILES.iter().zip(0..).map(|(weight, at)| weight * many(file(at))).sum();
    rows + files - penalty
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> f64 {
        ToLose::evaluate(&Board::parse(text).unwrap())
    }

    #[test]
    fn fewer_pieces_are_worth_more() {
        let many = value("......../w......./......../......../......../....b.../......../b.b..... b");
        let few = value("......../w......./......../......../......../....b.../......../b....... b");
        assert!(many < few, "{many} {few}");
    }

    #[test]
    fn an_unfinished_game_is_worth_less_than_a_won_one() {
        let all = Board { their: 1 << 63, ..Board::start() };
        let value = ToLose::evaluate(&all.turned());
        assert!(value > 50.0 && value < WON, "{value}");
        assert!(ToLose::evaluate(&all) > -WON);
    }
}
