//! The search for a mate beside the search: when there is one, and what it may cost.
//!
//! Null moves and reductions make the node routine fast and blind to quiet mates, those by zugzwang above all. Where
//! the value says that a mate may be near, a share of the moves goes to [`MateProver`], between two iterations. It
//! asks for ever longer mates; the first one that it proves is the soonest there is, and nothing is left to be
//! found. It writes nothing into the table, and nothing of it is part of a tree that a driver asks about.

use crate::chess::Position;
use crate::chess::score::{DRAW, MATE, MAX_PLY, Value, centipawns, mate_in_plies};
use crate::minimax::Stopped;
use crate::search::mate::prover::MateProver;
use crate::search::state::Search;
use shakmaty::Move;

/// From this value on, for either side, a mate is looked for.
const PROMISING: Value = centipawns(500);

/// The share of the moves, in per cent, where nothing but a mate is asked for: at least this.
const SHARE_FOR_MATE: u64 = 50;

/// Moves made between two looks at the watch.
const LOOK: u64 = 512;

/// Moves that a line may cost beyond its proof.
const LINE: u64 = 20_000;

/// Bytes that a remembered position takes, its moves and the room between included: so the search for mates needs no
/// more than the transposition table does, ...
const BYTES: usize = 256;

/// ... nor more than a quarter of a gibibyte.
const MOST_POSITIONS: usize = 1 << 20;

/// What is known of the mates at a root.
pub(in crate::search) struct MateSearch {
    /// Whether the side to move at the root is the one who mates.
    attacks: bool,
    /// The plies of the next question.
    plies: u32,
    /// Moves that the questions have cost.
    spent: u64,
    /// Positions that the lines of mates have cost.
    pub(in crate::search) shown: u64,
    pub(in crate::search) prover: MateProver,
    /// The soonest mate, proven: its line and its value.
    pub(in crate::search) found: Option<(Vec<Move>, Value)>,
}

impl Search<'_> {
    /// The search for mates of one side at `root`: the last one, or a new one if that was the other side's.
    pub(in crate::search) fn take_mate_search(&mut self, root: &Position, attacks: bool) -> MateSearch {
        self.mates.take().filter(|mates| mates.attacks == attacks).unwrap_or_else(|| {
            let since = self.root_at.saturating_sub(root.halfmoves() as usize);
            let mut barred = self.keys[since..self.root_at].to_vec();
            barred.retain(|&key| key != root.key());
            let room = ((self.tt.mebibytes() << 20) / BYTES).min(MOST_POSITIONS);
            let prover = MateProver::new(&barred, room);
            MateSearch {
                attacks,
                plies: if attacks { 1 } else { 2 },
                spent: 0,
                shown: 0,
                prover,
                found: None,
            }
        })
    }

    /// Looks for the mate that the value of the last iteration promises, as far as the share of the moves goes.
    /// With `for_mate` one of the side to move is looked for whatever the value. Whether one was found now.
    pub(in crate::search) fn look_for_mate(
        &mut self,
        root: &Position,
        value: Value,
        for_mate: bool,
    ) -> Result<bool, Stopped> {
        let known = self.mates.as_ref().is_some_and(|mates| mates.found.is_some());
        if known || !for_mate && value.abs() < PROMISING {
            return Ok(false);
        }
        let mut share = u64::from(self.settings.mate_share);
        if for_mate {
            share = share.max(SHARE_FOR_MATE);
        }
        let mut mates = self.take_mate_search(root, for_mate || value > DRAW);
        let result = self.ask_for_mates(root, &mut mates, value, share);
        let found = mates.found.is_some();
        self.mates = Some(mates);
        result.map(|()| found)
    }

    /// Asks for longer and longer mates, up to the one that is known already.
    fn ask_for_mates(
        &mut self,
        root: &Position,
        mates: &mut MateSearch,
        value: Value,
        share: u64,
    ) -> Result<(), Stopped> {
        let fifty = 99_u32.saturating_sub(root.halfmoves());
        let most = mate_in_plies(value).unwrap_or(MAX_PLY as Value - 2).unsigned_abs().min(fifty);
        while mates.plies <= most && mates.found.is_none() && !mates.prover.is_full() {
            let left = (self.stats.made_moves * share / 100).saturating_sub(mates.spent).min(LOOK);
            let before = mates.prover.made();
            let answer =
                mates.prover.is_mate(root, mates.plies, left.min(self.node_limit - self.stats.made_moves));
            let cost = mates.prover.made() - before;
            mates.spent += cost;
            self.stats.made_moves += cost;
            self.poll_control()?;
            match answer {
                Ok(true) => mates.found = mates.line(root),
                Ok(false) => {}
                Err(_) if left < LOOK => break,
                Err(_) => continue,
            }
            mates.plies += 2;
        }
        Ok(())
    }
}

impl MateSearch {
    /// The mate that was just proven.
    fn line(&mut self, root: &Position) -> Option<(Vec<Move>, Value)> {
        let value = MATE - self.plies as Value;
        let line = self.prover.line(root, self.plies, LINE)?;
        Some((line, if self.attacks { value } else { -value }))
    }
}
