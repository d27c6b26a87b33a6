//! Scale of scores: evaluation, tablebase wins, mate scores, and their form in the transposition table.
//!
//! A score is an integer; one unit is 1/[`UNITS_PER_PAWN`] of a pawn, seen from the side to move. From the
//! bottom up: mated now = -[`MATE`], mated late, lost by the tablebases, the evaluation's range, won by the
//! tablebases, mate late, mate now = [`MATE`].

/// A score or a bound, in units of 1/[`UNITS_PER_PAWN`] pawn. Always within `-INFINITE..=INFINITE`.
pub type Value = i32;

/// Units in a pawn. Margins are written in centipawns and converted by [`centipawns`].
pub const UNITS_PER_PAWN: Value = 100;

/// Greater than every score that a search can return; fits the 16 bits of a transposition table entry.
pub const INFINITE: Value = 32_001;

/// Score of mate on the board; a mate in `n` plies is worth `MATE - n`.
pub const MATE: Value = 32_000;

/// Largest distance of a node from the root, in plies.
pub const MAX_PLY: usize = 128;

/// Lower end of the mate scores.
pub const MATE_BAND: Value = MATE - 2 * MAX_PLY as Value;

/// Score of a tablebase win at the root; one that is reached in `n` plies is worth `TB_WIN - n`.
pub const TB_WIN: Value = 31_500;

/// Lower end of the scores of a certain win, by the tablebases or by a forced mate.
pub const DECISIVE_BAND: Value = TB_WIN - 2 * MAX_PLY as Value;

/// Limit of the static evaluation, which stays within `-EVAL_LIMIT..=EVAL_LIMIT`.
pub const EVAL_LIMIT: Value = 30_000;

/// Score of a draw.
pub const DRAW: Value = 0;

/// Converts centipawns to units.
#[must_use]
pub const fn centipawns(cp: Value) -> Value {
    cp * UNITS_PER_PAWN / 100
}

/// The score of being mated `ply` plies from the root.
#[must_use]
pub const fn mated_in(ply: usize) -> Value {
    ply as Value - MATE
}

/// True for a mate score, of either side.
#[must_use]
pub const fn is_mate(value: Value) -> bool {
    value >= MATE_BAND || value <= -MATE_BAND
}

/// The score of a tablebase win `ply` plies from the root.
#[must_use]
pub const fn tb_win_in(ply: usize) -> Value {
    TB_WIN - ply as Value
}

/// True if a score is a certain win of either side, by the tablebases or by a forced mate.
#[must_use]
pub const fn is_decisive(value: Value) -> bool {
    value >= DECISIVE_BAND || value <= -DECISIVE_BAND
}

/// Distance to mate in moves (negative: we are mated), or `None` for other scores.
#[must_use]
pub const fn mate_in_moves(value: Value) -> Option<Value> {
    if value >= MATE_BAND {
        Some((MATE - value + 1) / 2)
    } else if value <= -MATE_BAND {
        Some(-(MATE + value) / 2)
    } else {
        None
    }
}

/// Distance to mate in plies, for either side, or `None` for other scores.
#[must_use]
pub const fn mate_in_plies(value: Value) -> Option<Value> {
    if is_mate(value) { Some(MATE - value.abs()) } else { None }
}

/// A score as the transposition table keeps it: mates and tablebase wins counted from the node, not from the
/// root.
#[must_use]
pub const fn to_tt(value: Value, ply: usize) -> Value {
    if value >= DECISIVE_BAND && value < INFINITE {
        value + ply as Value
    } else if value <= -DECISIVE_BAND && value > -INFINITE {
        value - ply as Value
    } else {
        value
    }
}

/// The inverse of [`to_tt`].
#[must_use]
pub const fn from_tt(value: Value, ply: usize) -> Value {
    if value >= DECISIVE_BAND && value < INFINITE {
        value - ply as Value
    } else if value <= -DECISIVE_BAND && value > -INFINITE {
        value + ply as Value
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(mate_in_moves(MATE - 1), Some(1));
        assert_eq!(mate_in_moves(MATE - 3), Some(2));
        assert_eq!(mate_in_moves(mated_in(0)), Some(0));
        assert_eq!(mate_in_moves(mated_in(2)), Some(-1));
        assert_eq!(mate_in_moves(EVAL_LIMIT), None);
    }

    #[test]
    fn scores_survive_the_transposition_table() {
        for value in [0, 250, -250, MATE - 5, 5 - MATE, TB_WIN - 9, 9 - TB_WIN, INFINITE, -INFINITE] {
            assert_eq!(from_tt(to_tt(value, 4), 4), value);
        }
    }

    #[test]
    fn evaluation_tablebase_and_mate_scores_do_not_overlap() {
        const { assert!(EVAL_LIMIT < DECISIVE_BAND && TB_WIN < MATE_BAND && INFINITE < i16::MAX as Value) }
    }
}
