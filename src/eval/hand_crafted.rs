//! The hand-crafted evaluation: a sum of terms, each worth one score in the middlegame and another in the
//! endgame, weighed by the pieces left.
//!
//! Every term is written once, for the side going up (`view`); Black's terms are those of the board turned
//! over, and are subtracted. Two passes: first each side's pieces alone, with what they attack (`army`),
//! then what the attacks of both mean to each other (`clash`). What depends on pawns alone is remembered
//! (`pawns`), and what the sum does not know of endgames comes last (`endgames`).

use super::{endgame_scale, pawns};
use crate::chess::{
    Position,
    score::{DRAW, EVAL_LIMIT, Value, centipawns},
};
use crate::eval::explain::{Explanation, Term, Trace};
use crate::eval::noise::EvalNoise;
use crate::eval::pawns::Pawns;
use crate::eval::perspective::{KING, View};
use crate::eval::pieces::Army;
use crate::eval::tapered::S;
use crate::eval::threats::Clash;
use crate::eval::weight_source::{InUse, WeightSource};
use shakmaty::{Board, Color};

/// The phase of a full board.
pub(super) const FULL_PHASE: Value = 24;

/// Evaluates positions; keeps a cache of pawn structures, which changes its speed, never its answer.
pub struct Evaluator {
    pawns: pawns::Cache,
    noise: Option<EvalNoise>,
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new()
    }
}

impl Evaluator {
    /// A fresh one.
    #[must_use]
    pub fn new() -> Evaluator {
        Evaluator { pawns: pawns::Cache::new(), noise: None }
    }

    /// From now on errs like this, or not at all.
    pub fn set_noise(&mut self, noise: Option<EvalNoise>) {
        self.noise = noise;
    }

    /// The position's worth for the side to move, within `-EVAL_LIMIT..=EVAL_LIMIT`.
    ///
    /// A function of board and side to move alone; with a blur, of the whole position.
    pub fn evaluate(&mut self, position: &Position) -> Value {
        let white = self.verdict(position, &mut ()).white;
        let value = if position.turn().is_white() { white } else { -white };
        let error = self.noise.map_or(0, |noise| noise.error(position));
        (value + error).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// The same, term by term, for White.
    pub fn explain(&mut self, position: &Position) -> Explanation {
        let mut explanation = Explanation::default();
        let verdict = self.verdict(position, &mut explanation);
        explanation.total = verdict.total;
        explanation.white = verdict.white;
        explanation.phase = verdict.phase;
        explanation.scale = verdict.scale;
        explanation
    }

    fn verdict(&mut self, position: &Position, trace: &mut impl Trace) -> Verdict {
        let board = position.board();
        let views = Color::ALL.map(|color| View::of(board, color));
        let pawns = self.pawns.get(position.pawn_key(), &views);
        let total = sum(InUse, position.turn(), &views, pawns, trace);
        let phase = phase(board);
        let tapered = (total.mg() * phase + total.eg() * (FULL_PHASE - phase)) / FULL_PHASE;
        let outlook = Outlook::of(&views, usize::from(tapered < DRAW));
        let value = tapered * outlook.scale / endgame_scale::FULL + outlook.bonus;
        let white = centipawns(value).clamp(-EVAL_LIMIT, EVAL_LIMIT);
        Verdict { total, white, phase, scale: outlook.scale }
    }
}

/// The sum of all terms for White less that for Black, with any weights.
pub(super) fn sum(
    w: impl WeightSource,
    turn: Color,
    views: &[View; 2],
    pawns: &[Pawns; 2],
    trace: &mut impl Trace,
) -> S {
    let mut camps = [0, 1].map(|side| Camp {
        view: &views[side],
        pawns: &pawns[side],
        army: Army::default(),
        to_move: Color::ALL[side] == turn,
    });
    let mut sums = [S::ZERO; 2];
    for side in 0..2 {
        let Camp { view, pawns, .. } = camps[side];
        trace.note(Term::Pawns, side, pawns.score);
        trace.shelter(side, pawns.shelter);
        let (army, worth) = Army::muster(w, view, &camps[1 - side], side, trace);
        camps[side].army = army;
        sums[side] = pawns.score + pawns.shelter + worth;
    }
    for side in 0..2 {
        sums[side] += Clash::between(w, &camps[side], &camps[1 - side]).weigh(side, trace);
        if camps[side].to_move {
            trace.note(Term::Tempo, side, w.tempo);
            sums[side] += w.tempo;
        }
    }
    sums[0] - sums[1]
}

/// How much of a middlegame a position is, out of [`FULL_PHASE`].
pub(super) fn phase(board: &Board) -> Value {
    let phase =
        (board.knights() | board.bishops()).count() + 2 * board.rooks().count() + 4 * board.queens().count();
    FULL_PHASE.min(phase as Value)
}

/// What an advantage is worth in view of the endgame that it leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    /// How much of it is believed, out of [`endgame_scale::FULL`].
    pub(super) scale: Value,
    /// What is added for driving a lone king to where it is mated, in centipawns for White.
    pub(super) bonus: Value,
}

impl Outlook {
    /// The outlook for an advantage of a side (0 White, 1 Black).
    pub(super) fn of(views: &[View; 2], strong: usize) -> Outlook {
        let (us, them) = (&views[strong], &views[1 - strong]);
        let sign = if strong == 0 { 1 } else { -1 };
        let bonus = if them.all == them.own[KING] { sign * endgame_scale::mop_up(us, them) } else { 0 };
        Outlook { scale: endgame_scale::scale(us, them), bonus }
    }
}

/// One side: its pieces, what its pawns are worth, what it attacks.
pub(super) struct Camp<'a> {
    pub(super) view: &'a View,
    pub(super) pawns: &'a Pawns,
    pub(super) army: Army,
    pub(super) to_move: bool,
}

/// What weighing a position gives.
struct Verdict {
    total: S,
    white: Value,
    phase: Value,
    scale: Value,
}
