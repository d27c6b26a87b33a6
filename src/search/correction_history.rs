//! Correction history: corrects the static evaluation by the error that searches found in similar positions.
//!
//! Positions are similar if they have the same pawns, the same pieces of one colour, or came about by the
//! same two moves. Each of these keys has an entry with the difference of search and evaluation; the sum of
//! the entries corrects the next evaluation. One per thread. The caller decides which bounds are learnt from.

use super::parameters::{Parameters, parameters};
use crate::chess::Position;
use crate::chess::score::{EVAL_LIMIT, Value, centipawns};
use crate::search::prefetch::prefetch;
use shakmaty::Color;

parameters! {
    /// Correction history: how much an error of the evaluation teaches, in 1/128 a ply of depth.
    correction_rate: 20 in 4..=48, off 0;
    /// Correction history: units of an entry in a centipawn.
    correction_scale: 20 in 10..=48;
}

/// Entries by each sort of key; the low bits of the key are the index.
const ENTRIES: usize = 1 << 14;

/// Sorts of keys: pawns, White's pieces, Black's pieces, last two moves.
const SORTS: usize = 4;

/// An entry stays within `-LIMIT..=LIMIT`.
const LIMIT: i32 = 1024;

/// The most that one search adds to an entry.
const MAX_BONUS: i32 = LIMIT / 4;

/// Entries by pawns, by the pieces of one colour, and by the last two moves, for each side to move.
pub(super) struct CorrectionHistory(Box<[i16; SORTS * 2 * ENTRIES]>);

/// Places of a position's entries: one of each sort.
#[derive(Clone, Copy, Debug)]
pub(super) struct CorrectionEntries([usize; SORTS]);

impl CorrectionEntries {
    /// The entries of a position: pawns, White's pieces, Black's pieces, last two moves (by their
    /// continuation-history indices).
    pub(super) fn of(position: &Position, continuations: [usize; 2]) -> CorrectionEntries {
        let [last, before] = continuations.map(|index| index as u64);
        let continuation = (last * 769 + before).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let [white, black] = [Color::White, Color::Black].map(|color| position.piece_key(color));
        let mut sort = SORTS * position.turn() as usize;
        CorrectionEntries([position.pawn_key(), white, black, continuation].map(|key| {
            sort += 1;
            (sort - 1) * ENTRIES + key as usize % ENTRIES
        }))
    }
}

/// An evaluation corrected by a sum of entries.
pub(super) fn corrected(eval: Value, sum: i32, parameters: &Parameters) -> Value {
    (eval + centipawns(sum / parameters.correction_scale())).clamp(-EVAL_LIMIT, EVAL_LIMIT)
}

impl CorrectionHistory {
    pub(super) fn new() -> CorrectionHistory {
        CorrectionHistory(Box::new([0; SORTS * 2 * ENTRIES]))
    }

    /// Sets all entries to 0.
    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// The sum of a position's entries. Read it before the evaluation that it corrects: the entries are
    /// rarely in the cache, and come while that is computed.
    pub(super) fn sum(&self, entries: CorrectionEntries) -> i32 {
        entries.0.into_iter().map(|entry| i32::from(self.0[entry])).sum()
    }

    /// Prefetches a position's entries into the cache.
    pub(super) fn prefetch(&self, entries: CorrectionEntries) {
        entries.0.into_iter().for_each(|entry| prefetch(&self.0[entry]));
    }

    /// Updates a position's entries by an error: a search `depth` plies deep found `error` more than the
    /// corrected evaluation.
    pub(super) fn update(
        &mut self,
        entries: CorrectionEntries,
        depth: i32,
        error: Value,
        parameters: &Parameters,
    ) {
        let bonus = (error * depth * parameters.correction_rate() / 128).clamp(-MAX_BONUS, MAX_BONUS);
        for entry in entries.0 {
            let old = i32::from(self.0[entry]);
            self.0[entry] = (old + bonus - old * bonus.abs() / LIMIT) as i16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Chess;

    #[test]
    fn an_error_corrects_similar_positions_only() {
        let parameters = &Parameters::default();
        let mut correction_history = CorrectionHistory::new();
        let position = Position::new(Chess::default());
        let entries = CorrectionEntries::of(&position, [5, 6]);
        for _ in 0..50 {
            let eval = corrected(10, correction_history.sum(entries), parameters);
            correction_history.update(entries, 8, 60 - eval, parameters);
        }
        let sum = correction_history.sum(entries);
        assert!((50..=70).contains(&corrected(10, sum, parameters)), "{sum}");
        assert_eq!(corrected(EVAL_LIMIT, sum, parameters), EVAL_LIMIT);
        let fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1".parse::<shakmaty::fen::Fen>().unwrap();
        let other = Position::new(fen.into_position(shakmaty::CastlingMode::Standard).unwrap());
        assert_eq!(correction_history.sum(CorrectionEntries::of(&other, [7, 8])), 0);
    }
}
