//! WDL model: the probabilities of win, draw and loss of a score, and normalized centipawns, of which 100 are
//! an even chance to win.
//!
//! The search uses neither: its values are in units of evaluation. The front ends convert what they print,
//! with the numbers of [`MODEL`].

use crate::chess::score::{EVAL_LIMIT, UNITS_PER_PAWN, Value, is_decisive};
use shakmaty::Board;
use std::ops::RangeInclusive;

/// Material at which 100 normalized centipawns are an even chance to win: an early middlegame.
pub const REFERENCE: u32 = 58;

/// Range of material that the model is fitted to; material beyond it is clamped.
pub const MATERIAL: RangeInclusive<u32> = 17..=78;

/// The model of this engine's own games, fitted by `plumb wdl` to 500 games (60,620 positions) of MTD(f) and
/// NegaScout with the network plumb-10, at 20,000 nodes a move; rounded to whole units.
pub const MODEL: Model = Model { even: [87.0, -38.0, 136.0, -148.0], spread: [69.0, -7.0, 89.0, 197.0] };

/// Material of both sides: pawn 1, knight and bishop 3, rook 5, queen 9.
#[must_use]
pub fn material(board: &Board) -> u32 {
    let count = board.pawns().count()
        + 3 * (board.knights() | board.bishops()).count()
        + 5 * board.rooks().count()
        + 9 * board.queens().count();
    count as u32
}

/// Logistic WDL model: P(win) = 1 / (1 + exp((a - score) / b)). Both a and b are cubics over the material; a
/// loss is a win of the other side, and the rest are draws.
///
/// Four coefficients each: the value at [`REFERENCE`] in units, and those of `x`, `x^2` and `x^3`, where `x`
/// is the material divided by [`REFERENCE`], less 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// a: the score that wins every second game.
    pub even: [f64; 4],
    /// b: the scale of the logistic function; larger is flatter.
    pub spread: [f64; 4],
}

/// WDL of a score, per thousand; the three add up to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
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

    /// Probability that a score wins, 0.0 to 1.0.
    #[must_use]
    pub fn win(&self, units: f64, material: u32) -> f64 {
        let (even, spread) = self.at(material);
        1.0 / (1.0 + ((even - units) / spread).exp())
    }
}

impl Wdl {
    /// WDL of a score for the side to move. Tablebase wins and mates are certain.
    #[must_use]
    pub fn of(value: Value, material: u32) -> Wdl {
        if is_decisive(value) {
            let win = if value > 0 { 1000 } else { 0 };
            return Wdl { win, draw: 0, loss: 1000 - win };
        }
        // Rounded down, so that win and loss never exceed 1000.
        let thousandths = |value: Value| (1000.0 * MODEL.win(f64::from(value), material)) as u32;
        let (win, loss) = (thousandths(value), thousandths(-value));
        Wdl { win, draw: 1000_u32.saturating_sub(win + loss), loss }
    }

    /// A draw on the board.
    pub const DRAWN: Wdl = Wdl { win: 0, draw: 1000, loss: 0 };
}

/// Normalized centipawns of a score: 100 are an even chance to win at [`REFERENCE`]. Tablebase scores are
/// converted without the model.
#[must_use]
pub fn normalized(value: Value) -> Value {
    if is_decisive(value) {
        return value * 100 / UNITS_PER_PAWN;
    }
    let scaled = (f64::from(value) * 100.0 / MODEL.even[0]).round() as Value;
    scaled.clamp(-EVAL_LIMIT, EVAL_LIMIT)
}

/// The score of which [`normalized`] makes this; where that is its greatest value, the least of such scores.
#[must_use]
pub fn from_normalized(centipawns: Value) -> Value {
    if is_decisive(centipawns) {
        return centipawns * UNITS_PER_PAWN / 100;
    }
    (f64::from(centipawns) * MODEL.even[0] / 100.0).round() as Value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use crate::chess::score::{DECISIVE_BAND, MATE, TB_WIN};

    #[test]
    fn wdl_adds_up_to_1000_and_mirrors_the_other_side() {
        for material in [0, 17, 40, 58, 78, 120] {
            let mut before = Wdl { win: 0, draw: 0, loss: 1000 };
            for value in (-3000..=3000).step_by(7).chain([EVAL_LIMIT, TB_WIN - 3, MATE - 3]) {
                let wdl = Wdl::of(value, material);
                assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000, "{value} at {material}");
                assert!(wdl.win >= before.win && wdl.loss <= before.loss, "{value} at {material}");
                let other = Wdl::of(-value, material);
                assert_eq!((wdl.win, wdl.draw, wdl.loss), (other.loss, other.draw, other.win));
                before = wdl;
            }
        }
        assert_eq!(Wdl::of(MATE - 3, 40), Wdl { win: 1000, draw: 0, loss: 0 });
        assert_eq!(Wdl::of(5 - TB_WIN, 40), Wdl { win: 0, draw: 0, loss: 1000 });
    }

    #[test]
    fn a_hundred_centipawns_are_an_even_chance_at_the_reference() {
        let value = MODEL.even[0].round() as Value;
        assert_eq!((normalized(value), normalized(-value), normalized(0)), (100, -100, 0));
        assert!((495..=505).contains(&Wdl::of(value, REFERENCE).win));
    }

    #[test]
    fn normalized_centipawns_rise_with_the_score_and_keep_tablebase_wins() {
        let scores = (-MATE..=MATE).map(normalized);
        assert!(scores.clone().zip(scores.skip(1)).all(|(less, more)| less <= more));
        assert_eq!(normalized(TB_WIN - 9), TB_WIN - 9);
        assert!(normalized(EVAL_LIMIT) < normalized(DECISIVE_BAND));
        for value in [0, 1, -7, 300, -5000, TB_WIN - 9, 3 - MATE] {
            assert_eq!(from_normalized(normalized(value)), value);
        }
        let least = from_normalized(normalized(EVAL_LIMIT));
        assert!(least < EVAL_LIMIT && normalized(least) == normalized(EVAL_LIMIT), "{least}");
    }

    #[test]
    fn both_cubics_are_positive_over_the_material() {
        for material in MATERIAL {
            let (even, spread) = MODEL.at(material);
            assert!(even > 0.0 && spread > 0.0, "{material}");
        }
        assert_eq!(material(Game::new().position().board()), 78);
    }
}
