//! Results of positions, counted by material and score: what the WDL model is fitted to.

use crate::chess::score::Value;
use shakmaty::Color;
use std::collections::BTreeMap;

/// Numbers of positions that were won, drawn and lost by the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Results {
    pub(super) won: u64,
    pub(super) drawn: u64,
    pub(super) lost: u64,
}

impl Results {
    pub(super) fn all(self) -> u64 {
        self.won + self.drawn + self.lost
    }

    pub(super) fn count(&mut self, winner: Option<Color>, mover: Color) {
        match winner {
            None => self.drawn += 1,
            Some(winner) if winner == mover => self.won += 1,
            Some(_) => self.lost += 1,
        }
    }

    pub(super) fn add(&mut self, other: Results) {
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
    }
}

/// Results by material and score in steps.
pub(super) type Counts = BTreeMap<(u32, Value), Results>;
