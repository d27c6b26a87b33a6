//! Evaluation trace: the score of every term for both sides, printed as a table (the UCI command `eval`).

use crate::chess::score::Value;
use crate::eval::tapered::S;
use std::fmt;

/// Terms of the evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// Material and piece-square tables (pawns are with [`Term::Pawns`]).
    Placement,
    /// Material imbalance: the bishop pair; knights and rooks by the number of pawns.
    Imbalance,
    /// Material, piece-square tables and structure of the pawns.
    Pawns,
    /// Mobility of the pieces.
    Mobility,
    /// Outposts, bad bishops, rooks on open files.
    Pieces,
    /// Passed pawns beyond their rank: kings, path, rooks behind.
    Passed,
    /// King safety: pawn shelter, and the danger to the king.
    King,
    /// Threats: attacks on pieces.
    Threats,
    /// Space behind the pawns.
    Space,
    /// Tempo: the bonus for the side to move.
    Tempo,
}

impl Term {
    /// All of them, in the order of the table.
    pub const ALL: [Term; 10] = [
        Term::Placement,
        Term::Imbalance,
        Term::Pawns,
        Term::Mobility,
        Term::Pieces,
        Term::Passed,
        Term::King,
        Term::Threats,
        Term::Space,
        Term::Tempo,
    ];
}

/// Receives every term during an evaluation; `()` ignores them and costs nothing.
pub(super) trait Trace {
    /// Records that `score` was added for a side (0 White, 1 Black).
    fn note(&mut self, term: Term, side: usize, score: S);

    /// Records the worth of the pawn shelter of a side's king.
    fn shelter(&mut self, side: usize, score: S) {
        self.note(Term::King, side, score);
    }

    /// Records the danger to a side's king in its own unit, without the shelter, and its worth to the other
    /// side.
    fn danger(&mut self, side: usize, _danger: S, worth: S) {
        self.note(Term::King, side, S::ZERO - worth);
    }
}

impl Trace for () {
    fn note(&mut self, _: Term, _: usize, _: S) {}
}

/// The evaluation of a position, term by term; prints as a table.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    terms: [[S; 2]; Term::ALL.len()],
    pub(super) total: S,
    /// The evaluation for White, in units of the score.
    pub white: Value,
    /// The weight of the middlegame, out of 24.
    pub phase: Value,
    /// The endgame scale factor, out of 64.
    pub scale: Value,
    /// The bonus of a won endgame against a bare king (mop-up), for White, in centipawns.
    pub bonus: Value,
}

impl Explanation {
    /// A term for White and for Black, each as (middlegame, endgame) in centipawns.
    #[must_use]
    pub fn term(&self, term: Term) -> [(Value, Value); 2] {
        self.terms[term as usize].map(|score| (score.mg(), score.eg()))
    }

    /// The sum of all terms for White less that for Black, as (middlegame, endgame) in centipawns.
    #[must_use]
    pub fn total(&self) -> (Value, Value) {
        (self.total.mg(), self.total.eg())
    }
}

impl Trace for Explanation {
    fn note(&mut self, term: Term, side: usize, score: S) {
        self.terms[term as usize][side] += score;
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<10} {:>13} {:>13} {:>13}", "term", "White mg/eg", "Black mg/eg", "total mg/eg")?;
        let pair = |score: S| format!("{:>6} {:>6}", score.mg(), score.eg());
        let mut sums = [S::ZERO; 2];
        for (term, [white, black]) in Term::ALL.iter().zip(self.terms) {
            sums[0] += white;
            sums[1] += black;
            let name = format!("{term:?}");
            writeln!(f, "{name:<10} {} {} {}", pair(white), pair(black), pair(white - black))?;
        }
        writeln!(f, "{:<10} {} {} {}", "sum", pair(sums[0]), pair(sums[1]), pair(self.total))?;
        write!(f, "phase {}/24, scale {}/64", self.phase, self.scale)?;
        if self.bonus != 0 {
            write!(f, ", mop-up {:+}", self.bonus)?;
        }
        write!(f, ": {} for White", self.white)
    }
}
