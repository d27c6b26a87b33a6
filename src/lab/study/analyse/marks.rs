//! Inaccuracies, mistakes and blunders: moves are marked by their loss of expected points of the WDL model (a
//! win is 1, a draw 1/2). Nothing is searched, read or written here.
//!
//! A move loses the difference between the expected points of its position and those of the next one, from
//! the side of its player. Both are taken at the material before the move, since the model depends on the
//! material, and an exchange would else look like a loss. The move that the search prefers is never marked,
//! nor are the moves of the built-in book with which a game begins.
//!
//! Lichess marks ?!, ? and ?? from 0.1, 0.2 and 0.3 on a scale from -1 to 1 on (lila,
//! `modules/tree/src/main/Advice.scala`), which are 5, 10 and 15 % of a point, of a curve for the games of
//! people: 100 centipawns are 59 % there. The WDL model is that of games between engines, with 71 % for them,
//! twice as steep; so [`MarkLimits::default`] is twice as large, and near equality both mark the same losses
//! in centipawns (about 50, 100 and 160).

use super::positions::{Evaluated, Positions};
use crate::chess::Position;
use crate::chess::game::End;
use crate::chess::score::{Value, is_mate, mate_in_moves};
use crate::engine::wdl_model::{Wdl, material, normalized};
use shakmaty::{Color, Move, Position as _};
use std::fmt;

/// Mark of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Mark {
    /// All marks, the least first.
    pub const ALL: [Mark; 3] = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];

    /// The mark as people write it.
    #[must_use]
    pub const fn glyph(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// The number of the annotation in PGN.
    #[must_use]
    pub const fn nag(self) -> u8 {
        match self {
            Mark::Inaccuracy => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }
}

/// Least losses of expected points for the marks, 0 to 1, in the order of [`Mark::ALL`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarkLimits(pub [f64; 3]);

impl Default for MarkLimits {
    fn default() -> MarkLimits {
        MarkLimits([0.1, 0.2, 0.3])
    }
}

impl MarkLimits {
    /// Reads three numbers, in per cent of a point, that rise.
    #[must_use]
    pub fn parse(text: &str) -> Option<MarkLimits> {
        let read =
            |part: &str| part.trim().parse::<f64>().ok().filter(|number| (0.1..=100.0).contains(number));
        let numbers: Vec<f64> = text.split(',').map(read).collect::<Option<_>>()?;
        let limits: [f64; 3] = numbers.try_into().ok()?;
        limits.is_sorted().then_some(MarkLimits(limits.map(|percent| percent / 100.0)))
    }

    /// The mark of a loss.
    #[must_use]
    pub fn mark(&self, loss: f64) -> Option<Mark> {
        // A thousandth is the unit of the model: sums of them are compared with room for their rounding.
        const ROUNDING: f64 = 1e-9;
        let reached = self.0.iter().filter(|&&limit| loss + ROUNDING >= limit).count();
        reached.checked_sub(1).map(|index| Mark::ALL[index])
    }
}

/// Score of a position from White's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Normalized centipawns, as the engine tells them by UCI.
    Centipawns(Value),
    /// Moves to mate; negative if White is mated, 0 on the board.
    Mate(Value),
}

impl Score {
    /// The score of a value for the side `turn`.
    #[must_use]
    pub fn of(value: Value, turn: Color) -> Score {
        let for_white = |number: Value| turn.fold_wb(number, -number);
        match mate_in_moves(value) {
            Some(moves) => Score::Mate(for_white(moves)),
            None => Score::Centipawns(for_white(normalized(value))),
        }
    }
}

/// Pawns with two decimals, or `#3`, `#-3`: as Lichess writes `[%eval]`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(centipawns) => write!(f, "{:.2}", f64::from(*centipawns) / 100.0),
            Score::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

/// A move, judged.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedMove {
    /// Its player.
    pub mover: Color,
    /// The move.
    pub played: Move,
    /// Score of the position behind it; `None` where mate or stalemate ended the game, or the search has told
    /// none.
    pub score: Option<Score>,
    /// White's expected points behind it, 0 to 1.
    pub expected: Option<f64>,
    /// Expected points that its player lost by it, 0 to 1.
    pub loss: Option<f64>,
    /// Its accuracy in per cent, by the formula of Lichess.
    pub accuracy: Option<f64>,
    /// Its mark.
    pub mark: Option<Mark>,
}

/// Judges all moves of a game, the first `book_moves` of which are in the book.
#[must_use]
pub fn judge(
    positions: &Positions,
    (moves, book_moves): (&[Move], usize),
    evaluated: &[Evaluated],
    limits: &MarkLimits,
) -> Vec<JudgedMove> {
    let judged = |(index, &played): (usize, &Move)| {
        let (position, next) = (&positions.all()[index], &positions.all()[index + 1]);
        let (mover, units) = (position.turn(), material(position.board()));
        let (before, after) = (&evaluated[index], &evaluated[index + 1]);
        // Both from the side of the player.
        let values = before.value.zip(after.value.map(|value| -value));
        let loss = values.map(|(before, after)| (points(before, units) - points(after, units)).max(0.0));
        let is_best = before.line.first() == Some(&played);
        let may_be_marked = !is_best && index >= book_moves;
        let no_move_left = matches!(positions.end_at(index + 1), Some(End::Checkmate | End::Stalemate));
        let own_points = after.value.map(|value| points(value, material(next.board())));
        JudgedMove {
            mover,
            played,
            score: after.value.filter(|_| !no_move_left).map(|value| Score::of(value, next.turn())),
            expected: own_points.map(|points| next.turn().fold_wb(points, 1.0 - points)),
            loss: loss.map(|loss| if is_best { 0.0 } else { loss }),
            accuracy: values.map(|(before, after)| if is_best { 100.0 } else { accuracy(before, after) }),
            mark: loss.filter(|_| may_be_marked).and_then(|loss| limits.mark(loss)),
        }
    };
    moves.iter().enumerate().map(judged).collect()
}

/// Score of the position behind the move that the search preferred to that of an index; `None` where it ends
/// the game, or no score is known.
#[must_use]
pub fn score_of_best(positions: &Positions, evaluated: &[Evaluated], index: usize) -> Option<Score> {
    let (position, value) = (&positions.all()[index], evaluated[index].value?);
    let next = position.play(*evaluated[index].line.first()?);
    // One ply nearer to a mate.
    let value = if is_mate(value) { value + value.signum() } else { value };
    (!next.chess().legal_moves().is_empty()).then(|| Score::of(-value, next.turn()))
}

/// True if the searches before and behind a move contradict each other by as many points as an inaccuracy
/// loses: the move that the first one preferred loses or gains them, or another one gains them.
#[must_use]
pub fn contradict(position: &Position, before: &Evaluated, played: Move, after: &Evaluated) -> bool {
    let Some((value, next)) = before.value.zip(after.value) else { return false };
    let units = material(position.board());
    let gain = points(-next, units) - points(value, units);
    let least = MarkLimits::default().0[0];
    let is_best = before.line.first() == Some(&played);
    gain >= least || (is_best && -gain >= least)
}

/// White's expected points in the position of an index, 0 to 1.
#[must_use]
pub fn expected(positions: &Positions, evaluated: &[Evaluated], index: usize) -> Option<f64> {
    let position = &positions.all()[index];
    let own = points(evaluated[index].value?, material(position.board()));
    Some(position.turn().fold_wb(own, 1.0 - own))
}

/// Expected points of the side that has this value, 0 to 1, in steps of 1/2000.
fn points(value: Value, material: u32) -> f64 {
    let Wdl { win, draw, .. } = Wdl::of(value, material);
    f64::from(2 * win + draw) / 2000.0
}

/// Accuracy of a move in per cent, by the values before and behind it for its player: the formula of Lichess
/// (<https://lichess.org/page/accuracy>) over its winning chances of the scores.
fn accuracy(before: Value, after: Value) -> f64 {
    let lost = (chances(before) - chances(after)).max(0.0);
    (103.1668 * (-0.04354 * lost).exp() - 3.1669).clamp(0.0, 100.0)
}

/// Winning chances in per cent, as Lichess has them for centipawns (the same page); mates count as the
/// largest score.
fn chances(value: Value) -> f64 {
    const LARGEST: Value = 1000;
    let centipawns = f64::from(normalized(value).clamp(-LARGEST, LARGEST));
    50.0 + 50.0 * (2.0 / (1.0 + (-0.003_682_08 * centipawns).exp()) - 1.0)
}

/// The moves of one side, summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Side {
    /// Moves that have a loss.
    pub moves: usize,
    /// Sum of their accuracies in per cent.
    pub accuracies: f64,
    /// Sum of their losses in points.
    pub losses: f64,
    /// Moves by their marks, in the order of [`Mark::ALL`].
    pub marks: [usize; 3],
}

impl Side {
    /// The moves of a side.
    #[must_use]
    pub fn of(judged: &[JudgedMove], color: Color) -> Side {
        let mut side = Side::default();
        for one in judged.iter().filter(|one| one.mover == color) {
            if let (Some(accuracy), Some(loss)) = (one.accuracy, one.loss) {
                side.moves += 1;
                side.accuracies += accuracy;
                side.losses += loss;
            }
            if let Some(mark) = one.mark {
                side.marks[mark as usize] += 1;
            }
        }
        side
    }

    /// Adds the moves of another game.
    pub fn add(&mut self, other: &Side) {
        self.moves += other.moves;
        self.accuracies += other.accuracies;
        self.losses += other.losses;
        self.marks.iter_mut().zip(other.marks).for_each(|(sum, more)| *sum += more);
    }

    /// Mean accuracy in per cent.
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.accuracies / self.moves as f64)
    }

    /// Mean loss of a move, 0 to 1.
    #[must_use]
    pub fn loss(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.losses / self.moves as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::score::{MATE, mated_in};
    use crate::engine::wdl_model::MODEL;
    use crate::lab::base::formats::pgn::reader::GameReader;

    /// The judgement of a game whose positions have these values, and the first moves of their lines.
    fn judged(text: &str, values: &[Value], best: &[&str]) -> Vec<JudgedMove> {
        let game = GameReader::new(text.as_bytes()).next_game().unwrap().unwrap().1.unwrap();
        let positions = Positions::of(&game);
        let evaluated = values.iter().enumerate().map(|(index, &value)| {
            let mut at = game.start.clone();
            game.moves[..index].iter().for_each(|&m| at.play(m));
            let line = best.get(index).map(|text| at.parse_move(text).unwrap()).into_iter().collect();
            Evaluated { value: Some(value), line, ..Evaluated::default() }
        });
        judge(&positions, (&game.moves, 0), &evaluated.collect::<Vec<_>>(), &MarkLimits::default())
    }

    #[test]
    fn marks_follow_from_the_loss_of_expected_points() {
        let limits = MarkLimits::default();
        let marks = [0.0, 0.0999, 0.1, 0.1999, 0.2, 0.2999, 0.3, 1.0].map(|loss| limits.mark(loss));
        let [a, b, c] = Mark::ALL.map(Some);
        assert_eq!(marks, [None, None, a, a, b, b, c, c]);
        assert_eq!(MarkLimits::parse("5, 10,15"), Some(MarkLimits([0.05, 0.1, 0.15])));
        for wrong in ["", "10,20", "10,20,30,40", "30,20,10", "0,1,2", "1,2,101", "a,b,c", "1,2,NaN"] {
            assert_eq!(MarkLimits::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_loss_is_that_of_the_player_whichever_side_he_has() {
        // White throws 120 centipawns away, Black gives them back.
        let much = (1.2 * MODEL.even[0]).round() as Value;
        let judged = judged("1. e4 e5 2. Nf3 *", &[0, much, 0, 0], &["d2d4", "c7c5", "g1f3"]);
        let marks: Vec<_> = judged.iter().map(|one| one.mark).collect();
        assert_eq!(marks, [Some(Mark::Mistake), Some(Mark::Mistake), None]);
        let (white, black) = (&judged[0], &judged[1]);
        assert_eq!((white.mover, black.mover), (Color::White, Color::Black));
        assert!((white.loss.unwrap() - black.loss.unwrap()).abs() < 1e-9, "{white:?} {black:?}");
        let scores = (white.score, black.score);
        assert_eq!(scores, (Some(Score::Centipawns(-120)), Some(Score::Centipawns(0))));
        assert!(white.expected.unwrap() < 0.35 && black.expected == Some(0.5), "{white:?} {black:?}");
        let side = Side::of(&judged, Color::White);
        assert_eq!((side.moves, side.marks), (2, [0, 1, 0]));
        assert!(side.accuracy().unwrap() < 100.0 && side.loss().unwrap() > 0.1, "{side:?}");
    }

    #[test]
    fn the_move_that_the_search_prefers_is_never_marked() {
        let judged = judged("1. e4 *", &[300, 300], &["e2e4"]);
        assert_eq!((judged[0].mark, judged[0].loss, judged[0].accuracy), (None, Some(0.0), Some(100.0)));
    }

    #[test]
    fn an_exchange_at_the_same_value_loses_nothing() {
        let text = "[FEN \"3qk3/8/8/8/8/8/8/3QK3 w - - 0 1\"]\n\n1. Qxd8+ Kxd8 *";
        let judged = judged(text, &[90, -90, 90], &["e1e2", "e8f7"]);
        assert_eq!(judged[0].loss, Some(0.0));
        assert_eq!(judged[1].loss, Some(0.0));
    }

    #[test]
    fn in_a_lost_position_nothing_is_left_to_lose() {
        let judged = judged("1. f3 e5 2. g4 Qh4# 0-1", &[0, 0, -900, MATE - 1, mated_in(0)], &["e2e4"]);
        assert_eq!(judged[2].mark, None, "{:?}", judged[2]);
        assert_eq!((judged[2].score, judged[3].score), (Some(Score::Mate(-1)), None));
        assert_eq!((judged[3].expected, judged[3].loss), (Some(0.0), Some(0.0)));
    }

    #[test]
    fn scores_are_written_as_lichess_writes_them() {
        let even = MODEL.even[0] as Value;
        let written = |value, turn| Score::of(value, turn).to_string();
        for (value, turn, text) in [
            (even, Color::White, "1.00"),
            (even, Color::Black, "-1.00"),
            (0, Color::Black, "0.00"),
            (MATE - 5, Color::White, "#3"),
            (MATE - 5, Color::Black, "#-3"),
            (mated_in(4), Color::Black, "#2"),
        ] {
            assert_eq!(written(value, turn), text);
        }
    }

    #[test]
    fn the_limits_are_near_those_of_lichess_in_an_equal_position() {
        // Its curve, 0 to 1, and the same for the model at the material of an early middlegame.
        let lichess = |centipawns: f64| 1.0 / (1.0 + (-0.003_682_08 * centipawns).exp());
        let own = |centipawns: f64| points((centipawns * MODEL.even[0] / 100.0) as Value, 58);
        for (limit, theirs) in MarkLimits::default().0.into_iter().zip([0.05, 0.1, 0.15]) {
            let at = |curve: &dyn Fn(f64) -> f64, loss: f64| {
                (1..400).map(f64::from).find(|&centipawns| curve(centipawns) - 0.5 >= loss).unwrap()
            };
            let ratio = at(&own, limit) / at(&lichess, theirs);
            assert!((0.8..1.1).contains(&ratio), "{limit}: {ratio}");
        }
    }
}
