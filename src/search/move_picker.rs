//! Staged move picker: the transposition table's move, good captures, killer moves, quiet moves by history,
//! bad captures. Moves of later stages are not generated where a cut-off comes before.

use crate::chess::movegen::{self, Checks, Generator, decode, encode};
use crate::chess::{Position, score::Value, see};
use crate::search::history::{HISTORY_LIMIT, History, HistoryContext, is_quiet};
use crate::search::state::StackEntry;
use crate::search::transposition::TranspositionTable;
use arrayvec::ArrayVec;
use shakmaty::{Move, MoveList};
use wide::i32x16;

/// The most captures that are set aside as bad; further ones are tried with the good ones.
const MAX_BAD_CAPTURES: usize = 48;

/// Scores that are compared at a time, in one vector.
const LANES: usize = 16;

/// The most moves of a position (218 are known), in whole [`LANES`].
const MAX_MOVES: usize = 256;

/// A score and a place in one number, so that the greatest of them is the highest score, and of equal ones
/// the first. Scores stay within 23 bits, places within 8.
#[derive(Clone, Copy, Debug)]
struct Scored(i32);

impl Scored {
    /// Less than every score: a move that was picked, or none.
    const NONE: Scored = Scored(i32::MIN);

    fn new(score: i32, place: usize) -> Scored {
        debug_assert!(score.abs() < 1 << 22 && place < MAX_MOVES);
        Scored(score << 8 | (MAX_MOVES - 1 - place) as i32)
    }

    fn place(self) -> usize {
        MAX_MOVES - 1 - (self.0 as usize & (MAX_MOVES - 1))
    }

    /// The same score in another place.
    fn moved_to(self, place: usize) -> Scored {
        Scored(self.0 & !(MAX_MOVES as i32 - 1) | (MAX_MOVES - 1 - place) as i32)
    }

    /// The greatest of some, in whole [`LANES`].
    fn greatest(scored: &[Scored]) -> Scored {
        let (chunks, rest) = scored.as_chunks::<LANES>();
        debug_assert!(rest.is_empty());
        let most = chunks.iter().fold(i32x16::splat(i32::MIN), |most, &chunk| {
            most.max(i32x16::new(chunk.map(|scored| scored.0)))
        });
        Scored(most.reduce_max())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TtMove,
    GenerateNoisy,
    Noisy,
    FirstKiller,
    SecondKiller,
    GenerateQuiet,
    Quiet,
    BadCaptures,
    GenerateEvasions,
    Evasions,
    Done,
}

/// Move picker: returns a position's moves, best first.
pub(super) struct MovePicker<'p> {
    position: &'p Position,
    generator: Generator<'p>,
    stage: Stage,
    tt_move: Option<Move>,
    /// The transposition table's move in 16 bits, which are compared faster; 0 = none.
    tt_bits: u16,
    /// The killer moves in 16 bits; 0 = none, or, where the stage is past, not to be tried here.
    killers: [u16; 2],
    context: HistoryContext,
    moves: MoveList,
    /// A score for each of `moves`, filled up to whole [`LANES`].
    scores: ArrayVec<Scored, MAX_MOVES>,
    next: usize,
    /// The place of the move that is picked next, where it was looked at already.
    best_place: Option<usize>,
    bad_captures: ArrayVec<Move, MAX_BAD_CAPTURES>,
    noisy_only: bool,
    /// Where it is set, these checks are the only quiet moves that are still tried.
    quiet_checks: Option<Checks>,
}

impl<'p> MovePicker<'p> {
    /// Picks all legal moves. `tt_move` in 16 bits, 0 = none.
    pub(super) fn new(
        position: &'p Position,
        tt_move: u16,
        entry: &StackEntry,
        context: HistoryContext,
    ) -> MovePicker<'p> {
        MovePicker::with(position, tt_move, entry.killers, context, false)
    }

    /// Picks the moves of quiescence search: captures and promotions that do not lose material, or every
    /// evasion of a check.
    pub(super) fn noisy(position: &'p Position, tt_move: u16, context: HistoryContext) -> MovePicker<'p> {
        MovePicker::with(position, tt_move, [0; 2], context, true)
    }

    fn with(
        position: &'p Position,
        tt_move: u16,
        killers: [u16; 2],
        context: HistoryContext,
        noisy_only: bool,
    ) -> MovePicker<'p> {
        let generator = Generator::new(position);
        // Quiescence search tries the transposition table's move only if it would try it without: else its
        // value would depend on the table.
        let is_good_noisy = |m: Move| !is_quiet(m) && see::see_ge(position, m, 0);
        let is_tried = |m: &Move| !noisy_only || position.in_check() || is_good_noisy(*m);
        let tt_move = decode(position, tt_move).filter(|m| is_tried(m)).filter(|&m| generator.is_legal(m));
        MovePicker {
            position,
            generator,
            stage: Stage::TtMove,
            tt_move,
            tt_bits: tt_move.map_or(0, encode),
            killers,
            context,
            moves: MoveList::new(),
            scores: ArrayVec::new(),
            next: 0,
            best_place: None,
            bad_captures: ArrayVec::new(),
            noisy_only,
            quiet_checks: None,
        }
    }

    /// Skips quiet moves from now on (those left are pruned), except for `checks` where these are given.
    pub(super) fn skip_quiets(&mut self, checks: Option<Checks>) {
        self.quiet_checks = checks;
        let at_quiets = matches!(
            self.stage,
            Stage::FirstKiller | Stage::SecondKiller | Stage::GenerateQuiet | Stage::Quiet
        );
        if checks.is_none() && at_quiets {
            self.begin_bad_captures();
        }
    }

    /// True if a quiet move is not skipped.
    fn is_unskipped(&self, m: Move) -> bool {
        self.quiet_checks.is_none_or(|checks| checks.given_by(m))
    }

    /// The next move to try.
    pub(super) fn next(&mut self, history: &History, tt: &TranspositionTable) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    let evades = self.position.in_check();
                    self.stage = if evades { Stage::GenerateEvasions } else { Stage::GenerateNoisy };
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateNoisy => self.generate_noisy(history),
                Stage::Noisy => match self.pick(tt) {
                    Some(m) if self.set_aside_if_bad(m) => {}
                    Some(m) => return Some(m),
                    None => self.end_noisy(),
                },
                Stage::FirstKiller => {
                    self.stage = Stage::SecondKiller;
                    if let Some(m) = self.killer(0, tt) {
                        return Some(m);
                    }
                }
                Stage::SecondKiller => {
                    self.stage = Stage::GenerateQuiet;
                    if let Some(m) = self.killer(1, tt) {
                        return Some(m);
                    }
                }
                Stage::GenerateQuiet => self.generate_quiet(history),
                Stage::Quiet => match self.pick(tt) {
                    Some(m) if self.killers.contains(&encode(m)) || !self.is_unskipped(m) => {}
                    Some(m) => return Some(m),
                    None => self.begin_bad_captures(),
                },
                Stage::BadCaptures => {
                    let m = self.bad_captures.get(self.next).copied();
                    self.next += 1;
                    if m.is_none() {
                        self.stage = Stage::Done;
                    }
                    return m;
                }
                Stage::GenerateEvasions => self.generate_evasions(history),
                Stage::Evasions => return self.pick(tt),
                Stage::Done => return None,
            }
        }
    }

    /// The move of this stage that would be picked next, the transposition table's move included; `None`
    /// between stages.
    pub(super) fn peek(&mut self) -> Option<Move> {
        let picks = matches!(self.stage, Stage::Noisy | Stage::Quiet | Stage::Evasions);
        if !picks || self.next >= self.moves.len() {
            return None;
        }
        let best = self.take_best_place();
        self.best_place = Some(best);
        Some(self.moves[best])
    }

    /// The place of the highest-scored of the moves left in this stage, of which there is one.
    fn take_best_place(&mut self) -> usize {
        let greatest = || Scored::greatest(&self.scores[self.next / LANES * LANES..]).place();
        self.best_place.take().unwrap_or_else(greatest)
    }

    /// Selection sort: the highest-scored of the moves left in this stage, without the transposition table's
    /// move.
    fn pick(&mut self, tt: &TranspositionTable) -> Option<Move> {
        while self.next < self.moves.len() {
            let was_peeked_at = self.best_place.is_some();
            let best = self.take_best_place();
            // Read before the place is overwritten: a read just after the write, which has two halves, would
            // have to wait for both (no store forwarding).
            let m = self.moves[best];
            self.moves[best] = self.moves[self.next];
            self.scores[best] = self.scores[self.next].moved_to(best);
            self.scores[self.next] = Scored::NONE;
            self.next += 1;
            if encode(m) != self.tt_bits {
                if !was_peeked_at {
                    tt.prefetch(self.position.likely_key_after(m));
                }
                return Some(m);
            }
        }
        None
    }

    /// Gives every move its score.
    fn score(&mut self, score: impl Fn(Move) -> i32) {
        for (place, &m) in self.moves.iter().enumerate() {
            self.scores.push(Scored::new(score(m), place));
        }
        while !self.scores.len().is_multiple_of(LANES) {
            self.scores.push(Scored::NONE);
        }
    }

    fn begin(&mut self, stage: Stage) {
        self.stage = stage;
        self.next = 0;
        self.best_place = None;
        self.moves.clear();
        self.scores.clear();
    }

    fn generate_noisy(&mut self, history: &History) {
        self.begin(Stage::Noisy);
        self.generator.noisy(&mut self.moves);
        self.score(|m| noisy_score(history, m));
    }

    fn generate_quiet(&mut self, history: &History) {
        self.begin(Stage::Quiet);
        history.prefetch(&self.context);
        self.generator.quiet(&mut self.moves);
        self.score(history.quiet_scores(self.position.turn(), &self.context));
    }

    fn generate_evasions(&mut self, history: &History) {
        self.begin(Stage::Evasions);
        movegen::all(self.position, &mut self.moves);
        let quiet_score = history.quiet_scores(self.position.turn(), &self.context);
        self.score(
            |m| {
                if is_quiet(m) { quiet_score(m) } else { 4 * HISTORY_LIMIT + noisy_score(history, m) }
            },
        );
    }

    /// Sets a bad capture (by SEE) aside, or drops it in quiescence search. True if it did.
    fn set_aside_if_bad(&mut self, m: Move) -> bool {
        if see::see_ge(self.position, m, 0) {
            return false;
        }
        self.noisy_only || self.bad_captures.try_push(m).is_ok()
    }

    fn end_noisy(&mut self) {
        if self.noisy_only {
            self.begin_bad_captures();
        } else {
            self.stage = Stage::FirstKiller;
        }
    }

    fn begin_bad_captures(&mut self) {
        self.begin(Stage::BadCaptures);
    }

    fn killer(&mut self, index: usize, tt: &TranspositionTable) -> Option<Move> {
        let m = decode(self.position, self.killers[index])
            .filter(|&m| is_quiet(m) && Some(m) != self.tt_move)
            .inspect(|&m| tt.prefetch(self.position.likely_key_after(m)))
            .filter(|&m| self.generator.is_legal(m));
        self.killers[index] = m.map_or(0, encode);
        m
    }
}

/// MVV-LVA (most valuable victim, least valuable attacker) plus capture history.
fn noisy_score(history: &History, m: Move) -> Value {
    let taken = m.capture().map_or(0, see::exchange_value) + m.promotion().map_or(0, see::exchange_value);
    taken * 32 - see::exchange_value(m.role()) + history.of_capture(m)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use crate::search::history::NO_CONTINUATION;
    use shakmaty::Bitboard;

    #[test]
    fn a_peek_tells_the_next_move_and_changes_nothing() {
        let (history, tt) = (History::new(), TranspositionTable::new(1).unwrap());
        let context = HistoryContext { continuations: [NO_CONTINUATION; 2], threats: Bitboard::EMPTY };
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "4k3/8/8/8/7b/8/8/4K2R w - - 0 1",
        ] {
            let game = Game::parse_fen(fen).unwrap();
            let picker = || MovePicker::new(game.position(), 0, &StackEntry::EMPTY, context);
            let (mut plain, mut peeking) = (picker(), picker());
            let mut right = 0;
            let mut told = None;
            while let Some(m) = peeking.next(&history, &tt) {
                assert_eq!(plain.next(&history, &tt), Some(m));
                right += usize::from(told == Some(m));
                told = peeking.peek();
            }
            assert_eq!(plain.next(&history, &tt), None);
            assert!(right > 2, "{fen}: {right}");
        }
    }
}
