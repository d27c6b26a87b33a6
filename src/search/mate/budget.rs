//! Budget of the mate search: the condition on which it runs between two iterations, and its share of the
//! moves.
//!
//! Null moves and reductions make the node routine fast, but it misses quiet mates, those by zugzwang above
//! all. Where the value says that a mate may be near, a share of the moves goes to [`MateProver`], between
//! two iterations. It tries to prove longer and longer mates; the first one that it proves is the shortest,
//! and the mate search ends. It writes nothing into the transposition table, so that the drivers' trees do
//! not depend on it.

use crate::chess::Position;
use crate::chess::score::{DRAW, MATE, MAX_PLY, Value, centipawns, mate_in_plies};
use crate::memory;
use crate::minimax::Stopped;
use crate::search::mate::line::MateLine;
use crate::search::mate::mate_search::MateSearch;
use crate::search::mate::prover::MateProver;
use crate::search::state::Search;
use shakmaty::Move;

/// Value from which on, for either side, a mate is searched for.
const PROMISING: Value = centipawns(500);

/// The least share of the moves, in per cent, where the limits ask for a mate.
const SHARE_FOR_MATE: u64 = 50;

/// Positions that the line of a proven mate may cost beyond its proof, at the first attempt. Each attempt,
/// one an iteration, may cost twice as many, and never more than the moves that the search has made.
const LINE_BUDGET: u64 = 20_000;

/// Attempts to find the line of a proven mate.
const MOST_LINE_ATTEMPTS: u32 = 8;

/// Moves made between two polls of the search control.
const POLL_INTERVAL: u64 = 512;

/// Bytes of a remembered position, its moves and the allocator's overhead included: with it the mate search
/// takes no more memory than the transposition table, and no more than is free.
const POSITION_BYTES: usize = 256;

/// The most positions to remember: a quarter of a gibibyte.
const MAX_POSITIONS: usize = 1 << 20;

impl Search<'_> {
    /// The mate search of one side at `root`: the last one, or a new one if that was the other side's.
    pub(in crate::search) fn take_mate_search(&mut self, root: &Position, attacks: bool) -> MateSearch {
        self.mate_search.take().filter(|mates| mates.attacks == attacks).unwrap_or_else(|| {
            let oldest = self.key_history.root_at().saturating_sub(root.halfmoves() as usize);
            let mut repeatable = self.key_history.game()[oldest..].to_vec();
            repeatable.retain(|&key| key != root.key());
            let most = (self.tt.mebibytes() << 20).min(MAX_POSITIONS * POSITION_BYTES);
            let capacity = memory::at_most(most) / POSITION_BYTES;
            MateSearch::new(attacks, MateProver::new(&repeatable, capacity))
        })
    }

    /// Searches for the mate that the value of the last iteration promises, within the share of the moves.
    /// With `for_mate` a mate by the side to move is searched for whatever the value. True if one was proven
    /// now.
    pub(in crate::search) fn look_for_mate(
        &mut self,
        root: &Position,
        value: Value,
        for_mate: bool,
    ) -> Result<bool, Stopped> {
        let known = self.mate_search.as_ref().is_some_and(|mates| mates.found.is_some());
        if known || !for_mate && value.abs() < PROMISING {
            return Ok(false);
        }
        let mut share = u64::from(self.settings.mate_share);
        if for_mate {
            share = share.max(SHARE_FOR_MATE);
        }
        let mut mates = self.take_mate_search(root, for_mate || value > DRAW);
        let result = self.prove_mates(root, &mut mates, value, share);
        let found = mates.found.is_some();
        self.mate_search = Some(mates);
        result.map(|()| found)
    }

    /// Line and value of the mate that is proven; `None` if the line takes more positions than this attempt
    /// may cost.
    fn proven_line(&mut self, root: &Position, mates: &mut MateSearch) -> Option<(Vec<Move>, Value)> {
        let value = MATE - mates.plies as Value;
        if mates.line_attempts >= MOST_LINE_ATTEMPTS {
            return None;
        }
        let budget = LINE_BUDGET.max(self.stats.made_moves).min(LINE_BUDGET << mates.line_attempts);
        mates.line_attempts += 1;
        let line = MateLine::new(self, &mut mates.prover, budget).find(root, None, mates.plies)?;
        Some((line, if mates.attacks { value } else { -value }))
    }

    /// Tries to prove longer and longer mates, up to the length of the one that `value` announces, and to
    /// find the line of the one that is proven.
    fn prove_mates(
        &mut self,
        root: &Position,
        mates: &mut MateSearch,
        value: Value,
        share: u64,
    ) -> Result<(), Stopped> {
        let before_fifty_moves = 99_u32.saturating_sub(root.halfmoves());
        let announced = mate_in_plies(value).unwrap_or(MAX_PLY as Value - 2).unsigned_abs();
        let longest = announced.min(before_fifty_moves);
        if mates.line_attempts > 0 {
            mates.found = self.proven_line(root, mates);
            return Ok(());
        }
        while mates.plies <= longest && !mates.prover.is_full() {
            let allowed = self.stats.made_moves * share / 100;
            let left = allowed.saturating_sub(mates.made_moves).min(POLL_INTERVAL);
            let budget = left.min(self.allowed_moves());
            let before = mates.prover.made_moves();
            let answer = mates.prover.is_mate(root, mates.plies, budget);
            let cost = mates.prover.made_moves() - before;
            mates.made_moves += cost;
            self.stats.made_moves += cost;
            self.poll_control()?;
            match answer {
                Ok(true) => {
                    mates.found = self.proven_line(root, mates);
                    break;
                }
                Ok(false) => mates.plies += 2,
                Err(_) if left < POLL_INTERVAL => break,
                Err(_) => {}
            }
        }
        Ok(())
    }
}
