//! Hand-crafted evaluation (HCE): a tapered sum of terms, each with a middlegame and an endgame score.
//!
//! Every term is written once, for the side going up (`relative_board`); Black's terms are those of the board
//! turned over, and are subtracted. Two passes: first each side's pieces with the squares they attack
//! (`pieces`), then the terms that need the attacks of both sides (`threats`, `king_safety`, `passed_pawns`,
//! `space`). Pawn structure is cached by pawn key (`pawns`), and the sum is scaled by what the endgame allows
//! (`endgame_scale`).

use crate::chess::{
    Position,
    score::{DRAW, EVAL_LIMIT, Value, centipawns},
};
use crate::eval::attack_maps::AttackMaps;
use crate::eval::endgame_scale::{EndgameScale, FULL_SCALE};
use crate::eval::explain::{Explanation, Term, Trace};
use crate::eval::pawns::{PawnHash, Pawns};
use crate::eval::pieces::Pieces;
use crate::eval::relative_board::RelativeBoard;
use crate::eval::side::Side;
use crate::eval::tapered::{S, phase};
use crate::eval::weight_source::{InUse, WeightSource};
use crate::eval::{king_safety, passed_pawns, space, threats};
use shakmaty::Color;

/// The hand-crafted evaluation. Keeps a pawn hash table, which changes its speed but not its result.
pub struct HandCrafted {
    pawns: PawnHash,
}

impl Default for HandCrafted {
    fn default() -> HandCrafted {
        HandCrafted::new()
    }
}

impl HandCrafted {
    /// An evaluator with an empty pawn hash table.
    #[must_use]
    pub fn new() -> HandCrafted {
        HandCrafted { pawns: PawnHash::new() }
    }

    /// The evaluation for the side to move, within `-EVAL_LIMIT..=EVAL_LIMIT`: of board and side to move
    /// alone.
    pub fn evaluate(&mut self, position: &Position) -> Value {
        let white = self.evaluate_white(position, &mut ()).white;
        if position.turn().is_white() { white } else { -white }
    }

    /// The evaluation term by term, for White.
    pub fn explain(&mut self, position: &Position) -> Explanation {
        let mut explanation = Explanation::default();
        let evaluation = self.evaluate_white(position, &mut explanation);
        explanation.total = evaluation.total;
        explanation.white = evaluation.white;
        explanation.phase = evaluation.phase;
        explanation.scale = evaluation.scale;
        explanation.bonus = evaluation.bonus;
        explanation
    }

    fn evaluate_white(&mut self, position: &Position, trace: &mut impl Trace) -> Evaluation {
        let board = position.board();
        let boards = Color::ALL.map(|color| RelativeBoard::new(board, color));
        let pawns = self.pawns.get(position.pawn_key(), &boards);
        let total = sum(InUse, position.turn(), &boards, pawns, trace);
        let phase = phase(board);
        let tapered = total.taper(phase);
        let endgame = EndgameScale::new(&boards, usize::from(tapered < DRAW));
        let value = tapered * endgame.scale / FULL_SCALE + endgame.bonus;
        let white = centipawns(value).clamp(-EVAL_LIMIT, EVAL_LIMIT);
        Evaluation { total, white, phase, scale: endgame.scale, bonus: endgame.bonus }
    }
}

/// The sum of all terms for White less that for Black, with any weights.
pub(super) fn sum(
    w: impl WeightSource,
    turn: Color,
    boards: &[RelativeBoard; 2],
    pawns: &[Pawns; 2],
    trace: &mut impl Trace,
) -> S {
    let mut sides = [0, 1].map(|side| Side {
        board: &boards[side],
        pawns: &pawns[side],
        pieces: Pieces::default(),
        to_move: Color::ALL[side] == turn,
    });
    let mut sums = [S::ZERO; 2];
    for side in 0..2 {
        let (us, them) = (&boards[side], &boards[1 - side]);
        let (pieces, score) = Pieces::evaluate(w, us, them, pawns[1 - side].span, side, trace);
        trace.note(Term::Pawns, side, pawns[side].score);
        trace.shelter(side, pawns[side].shelter);
        sides[side].pieces = pieces;
        sums[side] = pawns[side].score + pawns[side].shelter + score;
    }
    for side in 0..2 {
        let maps = AttackMaps::new(w, &sides[side], &sides[1 - side]);
        sums[side] += attack_terms(&maps, side, trace);
        if sides[side].to_move {
            trace.note(Term::Tempo, side, w.tempo);
            sums[side] += w.tempo;
        }
    }
    sums[0] - sums[1]
}

/// The sum of the terms of one side that need the attacks of both.
fn attack_terms(maps: &AttackMaps<'_, impl WeightSource>, side: usize, trace: &mut impl Trace) -> S {
    let (threats, passed, space) = (threats::score(maps), passed_pawns::score(maps), space::score(maps));
    let danger = king_safety::danger(maps);
    let king_safety = king_safety::score(maps, danger);
    trace.note(Term::Threats, side, threats);
    trace.danger(1 - side, danger, king_safety);
    trace.note(Term::Passed, side, passed);
    trace.note(Term::Space, side, space);
    threats + king_safety + passed + space
}

/// Result of an evaluation; the fields are those of [`Explanation`].
struct Evaluation {
    total: S,
    white: Value,
    phase: Value,
    scale: Value,
    bonus: Value,
}
