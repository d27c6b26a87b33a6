//! Correction history: corrects the static evaluation by the error that searches found in similar positions.
//!
//! Positions are similar if they have the same pawns, the same pieces of one colour, or came about by the same two
//! moves. Each of these keys has an entry with the difference of search and evaluation; the sum of the entries
//! corrects the next evaluation. One per thread. The caller decides which bounds are learnt from.

use super::parameters::Parameters;
use crate::chess::Position;
use crate::chess::score::{EVAL_LIMIT, Value, centipawns};
use crate::search::history::HistoryContext;

/// Entries by each sort of key; the low bits of the key are the index.
const ENTRIES: usize = 1 << 14;

/// An entry stays within `-LIMIT..=LIMIT`.
const LIMIT: i32 = 1024;

/// The most that one search adds to an entry.
const MAX_BONUS: i32 = LIMIT / 4;

/// Entries by pawns, by the pieces of one colour, and by the last two moves, for each side to move.
pub(super) struct CorrectionHistory {
    pawns: Box<[[i16; ENTRIES]; 2]>,
    pieces: Box<[[[i16; ENTRIES]; 2]; 2]>,
    continuation: Box<[[i16; ENTRIES]; 2]>,
}

impl CorrectionHistory {
    pub(super) fn new() -> CorrectionHistory {
        CorrectionHistory {
            pawns: Box::new([[0; ENTRIES]; 2]),
            pieces: Box::new([[[0; ENTRIES]; 2]; 2]),
            continuation: Box::new([[0; ENTRIES]; 2]),
        }
    }

    /// The corrected evaluation.
    pub(super) fn correct(
        &self,
        position: &Position,
        context: &HistoryContext,
        eval: Value,
        parameters: &Parameters,
    ) -> Value {
        let side = position.turn() as usize;
        let [pawns, white, black, continuation] = indices(position, context);
        let sum = i32::from(self.pawns[side][pawns])
            + i32::from(self.pieces[side][0][white])
            + i32::from(self.pieces[side][1][black])
            + i32::from(self.continuation[side][continuation]);
        (eval + centipawns(sum / parameters.correction_scale())).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// Learns that a search `depth` plies deep found `error` more than the corrected evaluation.
    pub(super) fn update(
        &mut self,
        position: &Position,
        context: &HistoryContext,
        depth: i32,
        error: Value,
        parameters: &Parameters,
    ) {
        let side = position.turn() as usize;
        let [pawns, white, black, continuation] = indices(position, context);
        let bonus = (error * depth * parameters.correction_rate() / 128).clamp(-MAX_BONUS, MAX_BONUS);
        let [by_white, by_black] = &mut self.pieces[side];
        let by_pawns = &mut self.pawns[side][pawns];
        let by_continuation = &mut self.continuation[side][continuation];
        for entry in [by_pawns, &mut by_white[white], &mut by_black[black], by_continuation] {
            let old = i32::from(*entry);
            *entry = (old + bonus - old * bonus.abs() / LIMIT) as i16;
        }
    }
}

/// Indices of a position's entries: pawns, White's pieces, Black's pieces, last two moves.
fn indices(position: &Position, context: &HistoryContext) -> [usize; 4] {
    use shakmaty::Color::{Black, White};
    let low = |key: u64| key as usize % ENTRIES;
    let continuation = (context.continuations[0] as u64 * 769 + context.continuations[1] as u64)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        >> 40;
    [
        low(position.pawn_key()),
        low(position.piece_key(White)),
        low(position.piece_key(Black)),
        low(continuation),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Chess;

    #[test]
    fn an_error_corrects_similar_positions_only() {
        let mut correction_history = CorrectionHistory::new();
        let position = Position::new(Chess::default());
        let context = &HistoryContext { continuations: [5, 6], threats: shakmaty::Bitboard::EMPTY };
        for _ in 0..50 {
            let eval = correction_history.correct(&position, context, 10, &Parameters::default());
            correction_history.update(&position, context, 8, 60 - eval, &Parameters::default());
        }
        let corrected = correction_history.correct(&position, context, 10, &Parameters::default());
        assert!((50..=70).contains(&corrected), "{corrected}");
        let fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1".parse::<shakmaty::fen::Fen>().unwrap();
        let other = Position::new(fen.into_position(shakmaty::CastlingMode::Standard).unwrap());
        assert_eq!(
            correction_history.correct(
                &other,
                &HistoryContext { continuations: [7, 8], ..*context },
                10,
                &Parameters::default()
            ),
            10
        );
        assert_eq!(
            correction_history.correct(&position, context, EVAL_LIMIT, &Parameters::default()),
            EVAL_LIMIT
        );
    }
}
