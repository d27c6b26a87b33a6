//! Half points of a pair of games as the rows of matches have them, 0, 1 or 2 a game, and the games behind
//! them.

use super::experiment::{Unfinished, Work};
use crate::lab::base::formats::openings::Openings;
use crate::lab::base::statistics::elo::Pairs;
use crate::lab::play::matches::pair::Conditions;
use crate::lab::play::matches::player::PlayerSpec;
use crate::lab::play::referee::{Adjudication, MoveLimits};
use crate::minimax::Stopped;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Half points of both games of a pair, a cell each. Another number is an error when it is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "[usize; 2]")]
pub struct Points([usize; 2]);

impl TryFrom<[usize; 2]> for Points {
    type Error = &'static str;

    fn try_from(points: [usize; 2]) -> Result<Points, &'static str> {
        let possible = points.iter().all(|&points| points <= 2);
        possible.then_some(Points(points)).ok_or("a game has 0, 1 or 2 half points")
    }
}

/// Plays pairs of two players, named as `plumb tournament` names them: openings from the built-in book in the
/// order of a seed, then random ones, and the usual adjudication.
///
/// # Errors
/// If the work is stopped, there is no memory for a player, or a game fails.
pub fn play_pairs(
    work: &Work<'_>,
    players: [&str; 2],
    seed: u64,
    allowed: MoveLimits,
    numbers: Range<usize>,
) -> Result<Vec<Points>, Unfinished> {
    let [first, second] = players.map(|text| PlayerSpec::parse(text, false));
    let mut players = work.players(&[first?, second?])?;
    let openings = Openings::for_match(None, seed)?;
    let conditions = Conditions { openings, allowed, rules: Adjudication::default() };
    let mut play = |number| {
        let played = players.play(&conditions, number, work.stop)?.ok_or(Stopped)?;
        Ok(Points::try_from(played.half_points())?)
    };
    numbers.map(&mut play).collect()
}

/// Pairs by their points.
#[must_use]
pub fn counted(points: impl Iterator<Item = Points>) -> Pairs {
    let mut pairs = Pairs::default();
    points.for_each(|Points([first, second])| pairs.0[first + second] += 1);
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::records::rows::{cells, from_cells};

    #[test]
    fn a_game_has_at_most_two_half_points() {
        let points = Points([2, 1]);
        assert_eq!(cells(&[points]).unwrap(), [["2", "1"]]);
        let read = |cells: [&str; 2]| from_cells::<Points>(&["white", "black"], &cells.map(str::to_owned));
        assert_eq!(read(["2", "1"]), Ok(points));
        for wrong in [["3", "0"], ["0", "-1"], ["", "0"]] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(counted([points, Points::default(), points].into_iter()).0, [1, 0, 0, 2, 0]);
    }
}
