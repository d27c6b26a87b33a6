//! A game of your own, searched by any driver of the papers: noughts and crosses. A game says which moves
//! there are, what comes after them, what a position is worth to the side to move, and gives every position a
//! key.
//!
//! `cargo run --release -p plumb-minimax --example own_game`

use plumb_minimax::drivers::Driver;
use plumb_minimax::game::Game;
use plumb_minimax::solve::{Limits, solve};

/// The squares of both sides, a bit each: the side to move, and the other.
#[derive(Clone, Copy, Debug, Default)]
struct Board {
    own: u16,
    other: u16,
}

/// Rows, columns and diagonals.
const LINES: [u16; 8] = [
    0b111,
    0b111 << 3,
    0b111 << 6,
    0b1_001_001,
    0b1_001_001 << 1,
    0b1_001_001 << 2,
    0b100_010_001,
    0b1_010_100,
];

impl Board {
    fn is_lost(self) -> bool {
        LINES.iter().any(|line| self.other & line == *line)
    }
}

impl Game for Board {
    type Value = i32;
    type Move = u8;
    const LIMIT: i32 = 11;

    fn moves(&self) -> Vec<u8> {
        let taken = self.own | self.other;
        if self.is_lost() { Vec::new() } else { (0..9).filter(|square| taken & 1 << square == 0).collect() }
    }

    fn play(&self, square: u8) -> Board {
        Board { own: self.other, other: self.own | 1 << square }
    }

    /// A loss costs more the sooner it comes: the board has more squares free.
    fn evaluate(&self) -> i32 {
        let free = 9 - (self.own | self.other).count_ones() as i32;
        if self.is_lost() { -1 - free } else { 0 }
    }

    fn key(&self) -> u64 {
        u64::from(self.own) << 16 | u64::from(self.other)
    }
}

fn main() {
    // Squares are numbered 0 to 8, row by row.
    let corner = Board::default().play(0);
    for (name, board) in [("empty board", Board::default()), ("0 against 1", corner.play(1))] {
        for driver in [Driver::MtdF, Driver::SssStar, Driver::DualStar, Driver::NegaScout, Driver::AlphaBeta]
        {
            let solution = solve(&board, &Limits::depth(9), driver);
            let (value, visits) = (solution.value, solution.visits);
            println!(
                "{name}  {:<16} value {value:>2}  {visits:>6} visits  moves {:?}",
                driver.name(),
                solution.pv
            );
        }
    }
}
