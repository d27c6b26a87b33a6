//! What a score means to people: the odds of winning, drawing and losing, and the score on a scale where 100 is an
//! even chance to win.
//!
//! The search knows neither: whatever it is told or tells stays in units of evaluation. The front ends translate what
//! they show, and here stand the only numbers of that translation ([`MODEL`]).

use crate::chess::score::{EVAL_LIMIT, UNITS_PER_PAWN, Value, is_decisive};
use shakmaty::Board;
use std::ops::RangeInclusive;

/// The material at which a score of 100, as shown, is an even chance to win: an early middlegame.
pub const REFERENCE: u32 = 58;

/// Where there is more or less, the model takes the end of the range.
pub const MATERIAL: RangeInclusive<u32> = 17..=78;

/// The odds of this engine's own games, fitted by `plumb wdl` to 1,925 games (206,807 positions) of November 2026:
/// MTD(f) against itself and against Aspiration NegaScout, at 0.4 s + 4 ms and at 1 s + 10 ms a game; rounded to whole
/// units.
pub const MODEL: Model = Model { even: [97.0, 43.0, 99.0, -199.0], spread: [94.0, 83.0, 175.0, 172.0] };

/// The pieces of both sides by what they count in books: pawn 1, knight and bishop 3, rook 5, queen 9.
#[must_use]
pub fn material(board: &Board) -> u32 {
    let count = board.pawns().count()
        + 3 * (board.knights() | board.bishops()).count()
        + 5 * board.rooks().count()
        + 9 * board.queens().count();
    count as u32
}

/// How often a score wins: P(win) = 1 / (1 + exp((a - score) / b)). Both a and b are cubics over the material;
/// a loss is a win of the other side, and the rest are draws.
///
/// Four numbers each: the value at [`REFERENCE`] in units, and what `x`, `x^2` and `x^3` add, where `x` is the
/// material divided by [`REFERENCE`], less 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// a: the score that wins every second game.
    pub even: [f64; 4],
    /// b: how slowly the odds change with the score.
    pub spread: [f64; 4],
}

/// The odds of a game, per thousand; together they are 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Odds {
    /// Won by the side to move.
    pub win: u32,
    /// Drawn.
    pub draw: u32,
    /// Lost.
    pub loss: u32,
}

impl Model {
    /// a and b at some material.
    #[must_use]
    pub fn at(&self, material: u32) -> (f64, f64) {
        let material = material.clamp(*MATERIAL.start(), *MATERIAL.end());
        let x = f64::from(material) / f64::from(REFERENCE) - 1.0;
        let at = |terms: [f64; 4]| terms.into_iter().rev().fold(0.0, |sum, term| sum * x + term);
        (at(self.even), at(self.spread))
    }

    /// The chance that a score wins, 0.0 to 1.0.
    #[must_use]
    pub fn win(&self, units: f64, material: u32) -> f64 {
        let (even, spread) = self.at(material);
        1.0 / (1.0 + ((even - units) / spread).exp())
    }
}

impl Odds {
    /// The odds that a score gives the side to move. What the endgame tables or a forced mate decide is certain.
    #[must_use]
    pub fn of(value: Value, material: u32) -> Odds {
        if is_decisive(value) {
            let win = if value > 0 { 1000 } else { 0 };
            return Odds { win, draw: 0, loss: 1000 - win };
        }
        // Rounded down, so that the two are never more than the whole.
        let thousandths = |value: Value| (1000.0 * MODEL.win(f64::from(value), material)) as u32;
        let (win, loss) = (thousandths(value), thousandths(-value));
        Odds { win, draw: 1000_u32.saturating_sub(win + loss), loss }
    }

    /// A game that is drawn on the board.
    pub const DRAWN: Odds = Odds { win: 0, draw: 1000, loss: 0 };
}

/// A score as people are shown it, in centipawns of which 100 are an even chance to win at [`REFERENCE`]. What the
/// endgame tables decide keeps its number.
#[must_use]
pub fn shown(value: Value) -> Value {
    if is_decisive(value) {
        return value * 100 / UNITS_PER_PAWN;
    }
    let scaled = (f64::from(value) * 100.0 / MODEL.even[0]).round() as Value;
    scaled.clamp(-EVAL_LIMIT, EVAL_LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use crate::chess::score::{DECISIVE_BAND, MATE, TABLE_WIN};

    #[test]
    fn odds_are_whole_and_agree_with_the_other_side() {
        for material in [0, 17, 40, 58, 78, 120] {
            let mut before = Odds { win: 0, draw: 0, loss: 1000 };
            for value in (-3000..=3000).step_by(7).chain([EVAL_LIMIT, TABLE_WIN - 3, MATE - 3]) {
                let odds = Odds::of(value, material);
                assert_eq!(odds.win + odds.draw + odds.loss, 1000, "{value} at {material}");
                assert!(odds.win >= before.win && odds.loss <= before.loss, "{value} at {material}");
                let other = Odds::of(-value, material);
                assert_eq!((odds.win, odds.draw, odds.loss), (other.loss, other.draw, other.win));
                before = odds;
            }
        }
        assert_eq!(Odds::of(MATE - 3, 40), Odds { win: 1000, draw: 0, loss: 0 });
        assert_eq!(Odds::of(5 - TABLE_WIN, 40), Odds { win: 0, draw: 0, loss: 1000 });
    }

    #[test]
    fn a_hundred_is_an_even_chance_at_the_reference() {
        let value = MODEL.even[0].round() as Value;
        assert_eq!((shown(value), shown(-value), shown(0)), (100, -100, 0));
        assert!((495..=505).contains(&Odds::of(value, REFERENCE).win));
    }

    #[test]
    fn what_is_shown_rises_with_the_score_and_leaves_certain_wins_alone() {
        let scores = (-MATE..=MATE).map(shown);
        assert!(scores.clone().zip(scores.skip(1)).all(|(less, more)| less <= more));
        assert_eq!(shown(TABLE_WIN - 9), TABLE_WIN - 9);
        assert!(shown(EVAL_LIMIT) < shown(DECISIVE_BAND));
    }

    #[test]
    fn the_model_makes_sense_wherever_it_is_asked() {
        for material in MATERIAL {
            let (even, spread) = MODEL.at(material);
            assert!(even > 0.0 && spread > 0.0, "{material}");
        }
        assert_eq!(material(Game::new().position().board()), 78);
    }
}
