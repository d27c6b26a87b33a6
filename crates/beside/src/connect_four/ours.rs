//! Connect Four for plumb-minimax.

use super::{Board, COLUMNS, ROWS};
use crate::look;
use plumb_minimax::Game;

impl Game for Board {
    type Value = i32;
    type Move = u8;
    const LIMIT: i32 = 2 + (COLUMNS * ROWS) as i32;
    const SLOTS: usize = COLUMNS as usize;

    fn moves(&self) -> Vec<u8> {
        if self.is_lost() {
            return Vec::new();
        }
        look();
        self.columns().collect()
    }

    fn play(&self, column: u8) -> Board {
        self.with(column)
    }

    fn evaluate(&self) -> i32 {
        look();
        if self.is_lost() { self.men() as i32 - 1 - (COLUMNS * ROWS) as i32 } else { 0 }
    }

    fn key(&self) -> u64 {
        self.number()
    }

    fn slot(&self, column: u8) -> usize {
        usize::from(column)
    }
}
