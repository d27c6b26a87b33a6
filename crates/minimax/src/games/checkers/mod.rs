//! Checkers by the US rules (8 x 8 squares, jumps are forced, men only go forward), with both goals: in plain
//! checkers a side without a move loses, in give-away checkers (REAL section 2) it wins.
//!
//! There is no draw in the tree: searches have a fixed depth, and a position is worth the same however it was
//! reached. Callers that play games limit their length.

mod board;
mod give_away;
mod plain;

pub use board::{Board, Move};
pub use give_away::ToLose;
pub use plain::ToWin;

use crate::random::SplitMix64;
use crate::{Game, Value};
use std::fmt::Debug;
use std::marker::PhantomData;

/// Goal of the game: to win or to lose the pieces.
pub trait Goal: Clone {
    /// Type of values: integers or reals.
    type Value: Value + Debug;
    /// Every value lies strictly between `-LIMIT` and `LIMIT`.
    const LIMIT: Self::Value;

    /// Value of the board to the side to move, exact if it has no move.
    fn evaluate(board: &Board) -> Self::Value;
}

/// A game of checkers: a board and a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckersGame<G> {
    /// The position.
    pub board: Board,
    goal: PhantomData<G>,
}

/// Checkers: a side that cannot move has lost.
pub type Checkers = CheckersGame<ToWin>;

/// Give-away checkers: a side that cannot move has won.
pub type GiveAway = CheckersGame<ToLose>;

impl<G: Goal> CheckersGame<G> {
    /// A game from this board on.
    #[must_use]
    pub fn on(board: Board) -> CheckersGame<G> {
        CheckersGame { board, goal: PhantomData }
    }

    /// The first position.
    #[must_use]
    pub fn start() -> CheckersGame<G> {
        CheckersGame::on(Board::start())
    }

    /// The positions of a random game with `plies` moves, the one after the last move left out (REAL section
    /// 4: 25 games of 40 plies). Games that end before are dropped and begun again.
    #[must_use]
    pub fn random_game(plies: usize, seed: u64) -> Vec<CheckersGame<G>> {
        let mut random = SplitMix64::new(seed);
        loop {
            let (mut at, mut states) = (CheckersGame::start(), Vec::with_capacity(plies));
            while states.len() < plies {
                let moves = at.moves();
                if moves.is_empty() {
                    break;
                }
                states.push(at.clone());
                at = at.play(moves[random.below(moves.len())]);
            }
            if states.len() == plies {
                return states;
            }
        }
    }
}

/// Squares of the board.
const SQUARES: usize = 64;

impl<G: Goal> Game for CheckersGame<G> {
    type Value = G::Value;
    type Move = Move;

    const LIMIT: G::Value = G::LIMIT;
    const SLOTS: usize = 2 * SQUARES * SQUARES;

    fn moves(&self) -> Vec<Move> {
        self.board.moves()
    }

    fn play(&self, m: Move) -> CheckersGame<G> {
        CheckersGame::on(self.board.play(m))
    }

    fn evaluate(&self) -> G::Value {
        G::evaluate(&self.board)
    }

    fn key(&self) -> u64 {
        self.board.key()
    }

    /// From and to, as seen by the side that moves, a table for each.
    fn slot(&self, m: Move) -> usize {
        (usize::from(self.board.white) * SQUARES + usize::from(m.from)) * SQUARES + usize::from(m.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every position of some random games.
    fn positions() -> Vec<Board> {
        (0..40).flat_map(|seed| Checkers::random_game(40, seed)).map(|state| state.board).collect()
    }

    /// The board with colours exchanged, from its text with rows reversed and letters swapped.
    fn exchanged(board: &Board) -> Board {
        let swap = |letter| match letter {
            'b' => 'w',
            'w' => 'b',
            'B' => 'W',
            'W' => 'B',
            other => other,
        };
        let text = board.to_string();
        let (rows, side) = text.split_once(' ').unwrap();
        let rows: String = rows.chars().rev().map(swap).collect();
        Board::parse(&format!("{rows} {}", if side == "b" { "w" } else { "b" })).unwrap()
    }

    #[test]
    fn exchanged_colours_leave_the_value() {
        for board in positions() {
            let other = exchanged(&board);
            assert_ne!(board.white, other.white);
            assert_eq!(Checkers::on(board).evaluate(), Checkers::on(other).evaluate());
            assert_eq!(GiveAway::on(board).evaluate(), GiveAway::on(other).evaluate());
        }
    }

    #[test]
    fn evaluations_are_fine_grained_and_within_their_limits() {
        let (mut integers, mut reals) = (Vec::new(), Vec::new());
        for board in positions() {
            let value = Checkers::on(board).evaluate();
            assert!(value.abs() < Checkers::LIMIT);
            integers.push(value);
            let value = GiveAway::on(board).evaluate();
            assert!(value.abs() < GiveAway::LIMIT);
            reals.push(value.to_bits());
        }
        let distinct = |count: usize, of: usize| assert!(count * 3 > of, "{count} of {of}");
        let boards = positions().iter().map(Board::key).collect::<std::collections::HashSet<_>>().len();
        distinct(reals.iter().collect::<std::collections::HashSet<_>>().len() * 2 / 5, boards);
        distinct(integers.iter().collect::<std::collections::HashSet<_>>().len() * 8, boards);
    }

    #[test]
    fn a_side_that_cannot_move_has_lost_or_given_away_all() {
        let stuck = Board::parse("......../......../......../......../......../......w./.....w../....b... b")
            .unwrap();
        let none = Board { own: 0, ..Board::start() };
        for board in [stuck, none] {
            if board.moves().is_empty() {
                assert!(Checkers::on(board).evaluate() < -20_000);
                assert!(GiveAway::on(board).evaluate() > 99.0);
            }
        }
        assert!(none.moves().is_empty());
        assert!(Checkers::start().evaluate().abs() < 100 && GiveAway::start().evaluate().abs() < 10.0);
    }

    #[test]
    fn random_games_have_their_length_and_differ() {
        let (one, two) = (GiveAway::random_game(40, 1), GiveAway::random_game(40, 2));
        assert_eq!((one.len(), two.len()), (40, 40));
        assert_eq!(one[0], two[0]);
        assert_ne!(one[39], two[39]);
        assert_eq!(one, GiveAway::random_game(40, 1));
        for pair in one.windows(2) {
            assert!(pair[0].moves().iter().any(|&m| pair[0].play(m) == pair[1]));
        }
    }
}
