//! Othello, far from its end: both libraries see the rules and the evaluation of plumb-minimax.

use crate::look;
use minimax::{Evaluation, Evaluator, Winner};
use plumb_minimax::Game as _;
use plumb_minimax::games::othello::{Othello, Square};

/// Othello with every position counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted(Othello);

impl plumb_minimax::Game for Counted {
    type Value = i32;
    type Move = Square;
    const LIMIT: i32 = Othello::LIMIT;
    const SLOTS: usize = Othello::SLOTS;

    fn moves(&self) -> Vec<Square> {
        look();
        self.0.moves()
    }

    fn play(&self, square: Square) -> Counted {
        Counted(self.0.play(square))
    }

    fn evaluate(&self) -> i32 {
        look();
        self.0.evaluate()
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn slot(&self, square: Square) -> usize {
        self.0.slot(square)
    }
}

pub(crate) struct Rules;

impl minimax::Game for Rules {
    type S = Counted;
    type M = Square;

    fn generate_moves(position: &Counted, moves: &mut Vec<Square>) -> Option<Winner> {
        look();
        moves.extend(position.0.moves());
        moves.is_empty().then_some(Winner::Draw)
    }

    fn apply(position: &mut Counted, square: Square) -> Option<Counted> {
        Some(position.play(square))
    }

    /// No game ends within the depths searched here.
    fn get_winner(_: &Counted) -> Option<Winner> {
        None
    }

    fn zobrist_hash(position: &Counted) -> u64 {
        position.0.key()
    }

    fn table_index(square: Square) -> u16 {
        square.into()
    }

    fn max_table_index() -> u16 {
        64
    }
}

#[derive(Default)]
pub(crate) struct Discs;

impl Evaluator for Discs {
    type G = Rules;

    fn evaluate(&self, position: &Counted) -> Evaluation {
        look();
        position.0.evaluate().clamp(i32::from(i16::MIN) / 2, i32::from(i16::MAX) / 2) as Evaluation
    }
}

impl crate::Both for Counted {
    type Theirs = Rules;
    type Evaluator = Discs;

    fn ours(value: i32) -> i32 {
        value
    }

    fn theirs(value: i16) -> i32 {
        value.into()
    }
}

/// Every 701st position after six plies, and plies to search.
pub(crate) fn positions() -> Vec<(Counted, u8)> {
    let all = Othello::openings(6);
    all.into_iter().step_by(701).map(|position| (Counted(position), 9)).collect()
}
