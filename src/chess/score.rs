//! The scale of scores, declared here alone.
//!
//! A score is an integer; one unit is 1/[`UNITS_PER_PAWN`] of a pawn, seen from the side to move. From the
//! bottom up: mated now = -[`MATE`], the worst mate, lost by the endgame tables, the evaluation's range, won by the
//! endgame tables, the longest mate, mate now.

/// A score or a bound, in units of 1/[`UNITS_PER_PAWN`] pawn. Always within `-INFINITE..=INFINITE`.
pub type Value = i32;

/// Units in a pawn. Margins are written in centipawns and converted by [`centipawns`].
pub const UNITS_PER_PAWN: Value = 100;

/// Beyond every score that a search can return; fits the 16 bits of a table entry.
pub const INFINITE: Value = 32_001;

/// Mate on the board; a mate in `n` plies is worth `MATE - n`.
pub const MATE: Value = 32_000;

/// Plies a search may be away from its root.
pub const MAX_PLY: usize = 128;

/// Scores of at least this much announce a forced mate.
pub const MATE_BAND: Value = MATE - 2 * MAX_PLY as Value;

/// A win that the endgame tables know, at the root; one that is reached in `n` plies is worth `TABLE_WIN - n`.
pub const TABLE_WIN: Value = 31_500;

/// Scores of at least this much are won for certain: by the endgame tables, or by a forced mate.
pub const DECISIVE_BAND: Value = TABLE_WIN - 2 * MAX_PLY as Value;

/// The evaluation stays within `-EVAL_LIMIT..=EVAL_LIMIT`.
pub const EVAL_LIMIT: Value = 30_000;

/// A drawn position.
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

/// Whether a score announces a forced mate, for either side.
#[must_use]
pub const fn is_mate(value: Value) -> bool {
    value >= MATE_BAND || value <= -MATE_BAND
}

/// The score of a win that the endgame tables know `ply` plies from the root.
#[must_use]
pub const fn table_win_in(ply: usize) -> Value {
    TABLE_WIN - ply as Value
}

/// Whether a score is certain, for either side: by the endgame tables, or by a forced mate.
#[must_use]
pub const fn is_decisive(value: Value) -> bool {
    value >= DECISIVE_BAND || value <= -DECISIVE_BAND
}

/// The distance to mate in moves (negative: we are mated), or `None` for an ordinary score.
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

/// The plies to mate, for either side, or `None` for an ordinary score.
#[must_use]
pub const fn mate_in_plies(value: Value) -> Option<Value> {
    if is_mate(value) { Some(MATE - value.abs()) } else { None }
}

/// A score as the table keeps it: mates and wins of the endgame tables counted from the node instead of the root.
#[must_use]
pub const fn to_table(value: Value, ply: usize) -> Value {
    if value >= DECISIVE_BAND && value < INFINITE {
        value + ply as Value
    } else if value <= -DECISIVE_BAND && value > -INFINITE {
        value - ply as Value
    } else {
        value
    }
}

/// The inverse of [`to_table`].
#[must_use]
pub const fn from_table(value: Value, ply: usize) -> Value {
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
    fn the_table_door_is_its_own_inverse() {
        for value in [0, 250, -250, MATE - 5, 5 - MATE, TABLE_WIN - 9, 9 - TABLE_WIN, INFINITE, -INFINITE] {
            assert_eq!(from_table(to_table(value, 4), 4), value);
        }
    }

    #[test]
    fn bands_do_not_overlap() {
        const { assert!(EVAL_LIMIT < DECISIVE_BAND && TABLE_WIN < MATE_BAND && INFINITE < i16::MAX as Value) }
    }
}
