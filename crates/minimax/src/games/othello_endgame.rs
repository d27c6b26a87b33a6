//! Othello endgames as a [`Game`] that is searched to its end: the value is the margin in discs.
//!
//! Empty squares at the end count for nobody, or for the winner: the rules of tournaments and the published
//! scores of endgame positions (FForum, in OBF files) give them to the winner, the papers' Othello does not
//! say. Moves are ordered by the opponent's mobility after them, corners first (fastest first): the order
//! that solvers of endgames use.

use super::othello::{Othello, PASS, Square, square_name};
use super::othello_board::legal_squares;
use crate::{Game, choice};
use std::str::FromStr;

/// The four corners.
const CORNERS: u64 = 0x8100_0000_0000_0081;

choice! {
    /// Owner of the squares that are empty when the game ends.
    EmptySquares {
        /// Nobody: the margin is the difference of discs.
        #[default]
        ToNobody = "nobody",
        /// The side with more discs, as in tournaments and published endgames.
        ToTheWinner = "winner",
    }
}

/// An Othello position whose value is the final margin in discs, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endgame {
    /// The position.
    pub position: Othello,
    /// Who gets the empty squares.
    pub empty_squares: EmptySquares,
}

impl Endgame {
    /// Plies in which every game from here has ended: a move or a pass before each, and two passes.
    #[must_use]
    pub fn plies(&self) -> u32 {
        2 * self.position.empties() + 2
    }
}

impl Game for Endgame {
    type Value = i32;
    type Move = Square;

    // No slots for the history heuristic: it would undo the order of the moves.
    const LIMIT: i32 = 65;

    fn moves(&self) -> Vec<Square> {
        let mut moves = self.position.moves();
        if moves.len() > 1 {
            moves.sort_by_cached_key(|&m| {
                let next = self.position.play(m);
                let replies = legal_squares(next.own, next.foe).count_ones();
                (1 << m & CORNERS == 0, replies)
            });
        }
        moves
    }

    fn play(&self, m: Square) -> Endgame {
        Endgame { position: self.position.play(m), ..*self }
    }

    /// The margin: exact at the end, of no meaning before.
    fn evaluate(&self) -> i32 {
        let margin = self.position.disc_difference();
        match self.empty_squares {
            EmptySquares::ToNobody => margin,
            EmptySquares::ToTheWinner => margin + margin.signum() * self.position.empties() as i32,
        }
    }

    fn key(&self) -> u64 {
        self.position.key()
    }
}

/// A position of an OBF file (Othello board file) with the published scores of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// The position.
    pub position: Othello,
    /// Moves and their scores in discs for the side to move, empty squares to the winner.
    pub scores: Vec<(Square, i32)>,
}

impl FromStr for Published {
    type Err = String;

    /// Reads a line: 64 squares from A1 to H8 (`X` Black, `O` White, `-` empty), the side to move, then
    /// `MOVE:SCORE;` for every move.
    fn from_str(line: &str) -> Result<Published, String> {
        let (board, rest) = line.trim().split_once(' ').ok_or("there is no side to move")?;
        if board.chars().count() != 64 {
            return Err(format!("{} squares, not 64", board.chars().count()));
        }
        let (mut black, mut white) = (0_u64, 0_u64);
        for (square, letter) in board.chars().enumerate() {
            match letter.to_ascii_uppercase() {
                'X' | '*' => black |= 1 << square,
                'O' => white |= 1 << square,
                '-' | '.' => {}
                other => return Err(format!("'{other}' is neither X, O nor -")),
            }
        }
        let mut parts = rest.split(';').map(str::trim).filter(|part| !part.is_empty());
        let position = match parts.next() {
            Some("X" | "x" | "*") => Othello { own: black, foe: white, black: true },
            Some("O" | "o") => Othello { own: white, foe: black, black: false },
            other => return Err(format!("'{}' is no side to move", other.unwrap_or_default())),
        };
        let scores = parts.map(score).collect::<Result<Vec<_>, String>>()?;
        let legal = position.moves();
        match scores.iter().find(|(m, _)| !legal.contains(m)) {
            Some((m, _)) => Err(format!("{} is no legal move", square_name(*m))),
            None => Ok(Published { position, scores }),
        }
    }
}

/// Reads `G8:+18`.
fn score(text: &str) -> Result<(Square, i32), String> {
    let wrong = || format!("'{text}' is no move with its score");
    let (square, score) = text.split_once(':').ok_or_else(wrong)?;
    let square = match square.to_ascii_lowercase().as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => 8 * (rank - b'1') + file - b'a',
        b"pass" | b"ps" | b"--" => PASS,
        _ => return Err(wrong()),
    };
    Ok((square, score.trim().parse().map_err(|_| wrong())?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drivers::Driver;
    use crate::random::SplitMix64;
    use crate::solve::{Limits, solve};

    /// The value by plain minimax.
    fn minimax(game: &Endgame) -> i32 {
        let moves = game.moves();
        moves.iter().map(|&m| -minimax(&game.play(m))).max().unwrap_or_else(|| game.evaluate())
    }

    /// A position of a random game with so many empty squares, unless the game ended before.
    fn late(random: &mut SplitMix64, empties: u32) -> Othello {
        let mut position = Othello::start();
        while position.empties() > empties {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[random.below(moves.len())]);
        }
        position
    }

    #[test]
    fn every_driver_finds_the_margin_under_both_rules() {
        let mut random = SplitMix64::new(59);
        for _ in 0..60 {
            let position = late(&mut random, 6);
            let values = [EmptySquares::ToNobody, EmptySquares::ToTheWinner].map(|empty_squares| {
                let game = Endgame { position, empty_squares };
                let value = minimax(&game);
                for driver in
                    [Driver::MtdF, Driver::MtdBi, Driver::SssStar, Driver::DualStar, Driver::NegaScout]
                {
                    assert_eq!(
                        solve(&game, &Limits::depth(game.plies()), driver).value,
                        value,
                        "{driver}: {position}"
                    );
                }
                value
            });
            assert_eq!(values[0].signum(), values[1].signum(), "who wins does not depend on the rule");
        }
        // White's only disc is taken, and 61 squares stay empty.
        let position = Othello { own: 0b100, foe: 0b10, black: true };
        let value = |empty_squares| {
            let game = Endgame { position, empty_squares };
            solve(&game, &Limits::depth(game.plies()), Driver::MtdF).value
        };
        assert_eq!((value(EmptySquares::ToNobody), value(EmptySquares::ToTheWinner)), (3, 64));
    }

    #[test]
    fn empty_squares_go_to_the_winner_or_to_nobody() {
        // Three discs against none, 61 squares empty.
        let position = Othello { own: 0b111, foe: 0, black: true };
        let value = |empty_squares| Endgame { position, empty_squares }.evaluate();
        assert_eq!((value(EmptySquares::ToNobody), value(EmptySquares::ToTheWinner)), (3, 64));
        let drawn = Othello { own: 0b1, foe: 0b100, black: true };
        assert_eq!(Endgame { position: drawn, empty_squares: EmptySquares::ToTheWinner }.evaluate(), 0);
    }

    #[test]
    fn a_line_of_obf_is_read_and_a_wrong_one_refused() {
        let start = format!("{}OX{}XO{}", "-".repeat(27), "-".repeat(6), "-".repeat(27));
        let read: Published = format!("{start} X; D3:+2; C4:-4;").parse().unwrap();
        let Published { position, scores } = read;
        assert_eq!(position.moves().len(), 4, "{position}");
        assert_eq!(scores, [(19, 2), (26, -4)]);
        assert_eq!(square_name(19), "d3");
        for wrong in [
            "",
            "X",
            &start,
            &format!("{start} Z;"),
            &format!("{start} X; A1:+2;"),
            &format!("{start} X; D3;"),
        ] {
            assert!(wrong.parse::<Published>().is_err(), "{wrong}");
        }
        assert!(start.replace('X', "Q").parse::<Published>().is_err());
    }
}
