//! Othello as a [`Game`]: moves, passes, the value of a finished game, and keys.
//!
//! A side that cannot flip a disc passes, and the pass is a move; the game is over when neither side can
//! move. Squares that are empty then count for nobody; [`super::othello_endgame`] offers the other rule too.

pub use super::othello_board::{Othello, PASS, Square};
pub use super::othello_eval::FINAL;

use super::othello_board::{flipped, legal_squares};
use super::othello_eval;
use crate::Game;
use std::fmt;

/// All values lie within this, in hundredths of a disc: a final margin counts from [`FINAL`] on.
pub const LIMIT: i32 = 100_000;

/// The name of a square of a board of eight files, as in `g8`, or `pass`.
#[must_use]
pub fn square_name(square: Square) -> String {
    if square >= PASS {
        return "pass".to_owned();
    }
    format!("{}{}", char::from(b'a' + square % 8), square / 8 + 1)
}

impl Othello {
    /// The positions after all sequences of `plies` moves from the start, one a sequence (BFM: 244 sequences
    /// of four plies).
    #[must_use]
    pub fn openings(plies: u32) -> Vec<Othello> {
        let mut openings = vec![Othello::start()];
        for _ in 0..plies {
            openings = openings
                .iter()
                .flat_map(|position| position.moves().into_iter().map(|m| position.play(m)))
                .collect();
        }
        openings
    }
}

impl Game for Othello {
    type Value = i32;
    type Move = Square;

    const LIMIT: i32 = LIMIT;
    const SLOTS: usize = 2 * 65;

    fn moves(&self) -> Vec<Square> {
        let mut squares = legal_squares(self.own, self.foe);
        if squares == 0 {
            return if legal_squares(self.foe, self.own) == 0 { Vec::new() } else { vec![PASS] };
        }
        let mut moves = Vec::with_capacity(squares.count_ones() as usize);
        while squares != 0 {
            moves.push(squares.trailing_zeros() as Square);
            squares &= squares - 1;
        }
        moves
    }

    fn play(&self, m: Square) -> Othello {
        let black = !self.black;
        if m >= PASS {
            return Othello { own: self.foe, foe: self.own, black };
        }
        let disc = 1 << m;
        let flipped = flipped(self.own, self.foe, disc);
        Othello { own: self.foe ^ flipped, foe: self.own | flipped | disc, black }
    }

    fn evaluate(&self) -> i32 {
        if self.is_over() {
            let margin = self.disc_difference();
            return margin.signum() * FINAL + 100 * margin;
        }
        othello_eval::evaluate(self)
    }

    fn key(&self) -> u64 {
        let mixed = self.own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ self.foe.rotate_left(32);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ u64::from(self.black);
        let mixed = (mixed ^ mixed >> 32 ^ self.foe).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn slot(&self, m: Square) -> usize {
        usize::from(self.black) * 65 + usize::from(m.min(PASS))
    }
}

impl fmt::Display for Othello {
    /// The board from rank 8 down: `x` Black, `o` White, `.` empty.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (black, white) = if self.black { (self.own, self.foe) } else { (self.foe, self.own) };
        for rank in (0..8).rev() {
            for square in 8 * rank..8 * rank + 8 {
                let disc = |side: u64| side >> square & 1 == 1;
                f.write_str(if disc(black) {
                    "x"
                } else if disc(white) {
                    "o"
                } else {
                    "."
                })?;
            }
            writeln!(f)?;
        }
        write!(f, "{} to move", if self.black { "black" } else { "white" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn perft(position: &Othello, depth: u32) -> u64 {
        let moves = position.moves();
        match depth {
            0 => 1,
            // A finished game counts once, at whatever depth it ends.
            _ if moves.is_empty() => 1,
            1 => moves.len() as u64,
            _ => moves.iter().map(|&m| perft(&position.play(m), depth - 1)).sum(),
        }
    }

    #[test]
    fn perft_counts_as_published() {
        let counts = [4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288];
        for (depth, &count) in (1..).zip(&counts) {
            assert_eq!(perft(&Othello::start(), depth), count, "depth {depth}");
        }
    }

    #[test]
    fn four_plies_have_244_lines() {
        assert_eq!(Othello::openings(4).len(), 244);
    }

    #[test]
    fn a_side_that_cannot_move_passes() {
        // White, to move, has b1 and Black has a1: Black can put a disc on c1, White nowhere.
        let position = Othello { own: 0b10, foe: 0b1, black: false };
        assert_eq!(legal_squares(position.own, position.foe), 0);
        assert_eq!(legal_squares(position.foe, position.own), 0b100);
        assert_eq!(position.moves(), [PASS]);
        let passed = position.play(PASS);
        assert_eq!((passed.own, passed.foe, passed.black), (0b1, 0b10, true));
        assert_eq!(passed.play(2).disc_difference(), -3);
        assert!(passed.play(2).moves().is_empty());
        assert_eq!(passed.play(2).evaluate(), -FINAL - 300);
    }

    #[test]
    fn positions_of_the_first_six_plies_have_different_keys() {
        let mut keys = HashMap::new();
        for plies in 0..7 {
            for position in Othello::openings(plies) {
                let known = *keys.entry(position.key()).or_insert(position);
                assert_eq!(known, position);
            }
        }
        let passed = Othello { black: false, ..Othello::start() };
        assert!(!keys.contains_key(&passed.key()));
    }
}
