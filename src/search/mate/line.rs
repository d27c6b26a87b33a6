//! Mating lines: all moves of a mate that the search has announced.
//!
//! Null windows prove that there is a mate and its greatest length, not which defence is the longest: the
//! answer with the loosest bound need not be the one that holds out. So the answer with the greatest bound is
//! followed to its end, which gives its exact length, and another one is taken where its bound is now
//! greater. The line that is left is as long as the mate that it proves. Mates of the transposition table are
//! trusted, since they hold at any depth; those that it has lost are proven again ([`MateProver`]). The
//! budget limits all of this, the search control is polled, and nothing is written into the transposition
//! table. The attacker's move does not depend on these lines.

use crate::chess::Position;
use crate::search::mate::prover::MateProver;
use shakmaty::{Move, Position as _};
use std::collections::HashMap;

/// Budget of the proof of one mate that the transposition table has lost, in made moves.
const PROOF_BUDGET: u64 = 2_000;

/// Positions between two polls of the search control: about a millisecond.
const POLL_INTERVAL: u64 = 512;

/// Mates that the transposition table has of a position.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::search) struct TtMate {
    /// Its best move, where that mates.
    pub(in crate::search) best: Option<Move>,
    /// Plies within which the side to move mates.
    pub(in crate::search) mates: Option<u32>,
    /// Plies within which it is mated.
    pub(in crate::search) mated: Option<u32>,
}

/// The search that announced a mate: its transposition table and its search control.
pub(in crate::search) trait MateSource {
    /// Mates that the transposition table has of a position.
    fn tt_mate(&self, position: &Position) -> TtMate;

    /// Polls the search control; false if the search has to stop.
    fn may_continue(&mut self) -> bool;
}

/// One search for a line of mate.
pub(in crate::search) struct MateLine<'a> {
    source: &'a mut dyn MateSource,
    prover: &'a mut MateProver,
    /// Mates that were followed to their end: their length in plies and their first move.
    resolved: HashMap<u64, (u32, Move)>,
    /// Budget left, in positions.
    left: u64,
    /// Budget left at the next poll of the search control.
    next_poll: u64,
}

/// The budget is spent, or the search control stops the search.
struct Spent;

/// The length of a mate in plies, if a line of it was found.
type Length = Result<Option<u32>, Spent>;

impl<'a> MateLine<'a> {
    /// A search of at most `budget` positions. The attacker of `prover` is the side that mates.
    pub(in crate::search) fn new(
        source: &'a mut dyn MateSource,
        prover: &'a mut MateProver,
        budget: u64,
    ) -> MateLine<'a> {
        let next_poll = budget.saturating_sub(POLL_INTERVAL);
        MateLine { source, prover, resolved: HashMap::new(), left: budget, next_poll }
    }

    /// A line of at most `plies` plies that ends in mate, the defender holding out as long as possible; where
    /// the side to move is the attacker, or has no choice, it begins with `first`. `None` where the budget or
    /// the time is spent before, or there is none.
    pub(in crate::search) fn find(
        &mut self,
        root: &Position,
        first: Option<Move>,
        plies: u32,
    ) -> Option<Vec<Move>> {
        match first {
            None => self.mate(root, plies).ok()??,
            Some(m) => self.mate(&root.play(m), plies.checked_sub(1)?).ok()??,
        };
        Some(self.line(root, first))
    }

    /// Budget left, in positions.
    pub(in crate::search) fn left(&self) -> u64 {
        self.left
    }

    /// Takes positions from the budget, and polls the search control from time to time.
    fn spend(&mut self, positions: u64) -> Result<(), Spent> {
        self.left = self.left.checked_sub(positions).ok_or(Spent)?;
        if self.left < self.next_poll {
            self.next_poll = self.left.saturating_sub(POLL_INTERVAL);
            return if self.source.may_continue() { Ok(()) } else { Err(Spent) };
        }
        Ok(())
    }

    /// The mate within `plies`: by the side to move where they are odd, of it where they are even.
    fn mate(&mut self, position: &Position, plies: u32) -> Length {
        if plies % 2 == 1 { self.attack(position, plies) } else { self.defence(position, plies) }
    }

    /// The resolved moves from `root` on.
    fn line(&self, root: &Position, first: Option<Move>) -> Vec<Move> {
        let mut position = root.clone();
        let resolved = |position: &Position| self.resolved.get(&position.key()).map(|&(_, m)| m);
        let mut next = first.or_else(|| resolved(&position));
        std::iter::from_fn(|| {
            let m = next?;
            position = position.play(m);
            next = resolved(&position);
            Some(m)
        })
        .collect()
    }

    /// The position after a move.
    fn play(&mut self, position: &Position, m: Move) -> Result<Position, Spent> {
        self.spend(1)?;
        Ok(position.play(m))
    }

    /// The mate that the side to move gives within `plies`, an odd number.
    fn attack(&mut self, position: &Position, plies: u32) -> Length {
        if let Some(&(length, _)) = self.resolved.get(&position.key()) {
            return Ok((length <= plies).then_some(length));
        }
        let here = self.source.tt_mate(position);
        if let (Some(m), Some(mates)) = (here.best, here.mates)
            && mates <= plies
            && let Some(length) = self.follow(position, m, mates)?
        {
            return Ok(Some(length));
        }
        if let Some(length) = self.follow_any(position, plies)? {
            return Ok(Some(length));
        }
        if self.prove(position, plies)? { self.follow_any(position, plies) } else { Ok(None) }
    }

    /// Follows a move that should mate within `plies`.
    fn follow(&mut self, position: &Position, m: Move, plies: u32) -> Length {
        let next = self.play(position, m)?;
        let Some(defence) = self.defence(&next, plies - 1)? else { return Ok(None) };
        Ok(Some(self.resolve(position, defence + 1, m)))
    }

    /// Stores a mate that was followed to its end. An entry is never replaced, even where a line came back to
    /// its position before it was stored: so every position leads to a resolved one with a ply less, and no
    /// line repeats.
    fn resolve(&mut self, position: &Position, length: u32, m: Move) -> u32 {
        self.resolved.entry(position.key()).or_insert((length, m)).0
    }

    /// Follows the move with the shortest known mate, or the next one where that does not give a line.
    fn follow_any(&mut self, position: &Position, plies: u32) -> Length {
        let mut moves = Vec::new();
        for m in position.chess().legal_moves() {
            let next = self.play(position, m)?;
            let mated = self.mated_bound(&next);
            moves.extend(mated.filter(|&mated| mated < plies).map(|mated| (mated + 1, m)));
        }
        moves.sort_by_key(|&(mates, _)| mates);
        for (mates, m) in moves {
            if let Some(length) = self.follow(position, m, mates)? {
                return Ok(Some(length));
            }
        }
        Ok(None)
    }

    /// Plies within which the side to move is known to be mated.
    fn mated_bound(&self, position: &Position) -> Option<u32> {
        if position.is_checkmate() {
            return Some(0);
        }
        let in_tt = self.source.tt_mate(position).mated;
        in_tt.into_iter().chain(self.prover.proven(position)).min()
    }

    /// Proves the shortest mate, where the transposition table has lost it.
    fn prove(&mut self, position: &Position, most: u32) -> Result<bool, Spent> {
        let (mut plies, mut budget) = (1, PROOF_BUDGET);
        while plies <= most && budget > 0 {
            let before = self.prover.made_moves();
            let answer = self.prover.is_mate(position, plies, budget.min(POLL_INTERVAL));
            let cost = self.prover.made_moves() - before;
            self.spend(cost)?;
            match answer {
                Ok(true) => return Ok(true),
                Ok(false) => plies += 2,
                Err(_) if cost == 0 => break,
                Err(_) => {}
            }
            budget -= cost;
        }
        Ok(false)
    }

    /// The longest defence of the side to move, which is mated within `plies`, an even number.
    fn defence(&mut self, position: &Position, plies: u32) -> Length {
        let moves = position.chess().legal_moves();
        if moves.is_empty() {
            return Ok(position.in_check().then_some(0));
        }
        if plies < 2 || position.is_dead() {
            return Ok(None);
        }
        if let Some(&(length, _)) = self.resolved.get(&position.key()) {
            return Ok((length <= plies).then_some(length));
        }
        let mut answers = Vec::with_capacity(moves.len());
        for m in moves {
            let next = self.play(position, m)?;
            // An answer without a bound is followed first.
            let bound = self.source.tt_mate(&next).mates.filter(|&mates| mates < plies);
            answers.push((bound.unwrap_or(plies), m, next));
        }
        self.longest(position, answers, plies)
    }

    /// Follows the answer with the greatest bound until one is as long as its bound. Each comes with the
    /// bound on its length in plies.
    fn longest(
        &mut self,
        position: &Position,
        mut answers: Vec<(u32, Move, Position)>,
        plies: u32,
    ) -> Length {
        loop {
            let Some(longest) = answers.iter_mut().max_by_key(|(bound, ..)| *bound) else { return Ok(None) };
            let (bound, m, next) = (longest.0, longest.1, longest.2.clone());
            let Some(length) = self.attack(&next, plies - 1)? else { return Ok(None) };
            if length >= bound {
                return Ok(Some(self.resolve(position, length + 1, m)));
            }
            longest.0 = length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use std::cell::RefCell;

    /// A transposition table, and a search control that stops the search after so many polls.
    struct FakeSource<'a> {
        tt_mate: &'a dyn Fn(&Position) -> TtMate,
        polls: u32,
    }

    impl MateSource for FakeSource<'_> {
        fn tt_mate(&self, position: &Position) -> TtMate {
            (self.tt_mate)(position)
        }

        fn may_continue(&mut self) -> bool {
            self.polls = self.polls.saturating_sub(1);
            self.polls > 0
        }
    }

    /// The line of a mate that is not in the transposition table.
    fn line(fen: &str, first: &str, plies: u32) -> Option<Vec<String>> {
        line_with(fen, first, plies, &|_| TtMate::default())
    }

    fn line_with(
        fen: &str,
        first: &str,
        plies: u32,
        tt_mate: &dyn Fn(&Position) -> TtMate,
    ) -> Option<Vec<String>> {
        let game = Game::parse_fen(fen).unwrap();
        let first = game.parse_move(first).unwrap();
        let mut prover = MateProver::new(&[], 100_000);
        let mut source = FakeSource { tt_mate, polls: u32::MAX };
        let mut search = MateLine::new(&mut source, &mut prover, 20_000);
        let found = search.find(game.position(), Some(first), plies)?;
        Some(found.into_iter().map(|m| m.to_uci(shakmaty::CastlingMode::Standard).to_string()).collect())
    }

    /// Mates of three to five moves, the side to move being the one that is mated in the last two.
    #[test]
    fn the_line_of_a_proven_mate_is_as_long_as_the_mate() {
        for (fen, plies) in [
            ("8/8/8/8/2K5/1Q6/8/k1n5 w - - 0 1", 7),
            ("8/7k/6p1/4r3/3Q4/8/4RP2/5K2 w - - 0 1", 7),
            ("8/5N2/6r1/7k/1P5N/5P2/1P1Q4/K7 b - - 0 1", 6),
            ("8/8/8/8/6b1/1N1P4/5K1p/7k b - - 0 1", 10),
        ] {
            let root = Game::parse_fen(fen).unwrap().position().clone();
            let mut prover = MateProver::new(&[], 100_000);
            assert_eq!(prover.is_mate(&root, plies, 1_000_000).ok(), Some(true), "{fen}");
            let mut source = FakeSource { tt_mate: &|_| TtMate::default(), polls: u32::MAX };
            let line = MateLine::new(&mut source, &mut prover, 20_000).find(&root, None, plies).expect(fen);
            assert_eq!(line.len(), plies as usize, "{fen}");
            let end = line.iter().fold(root, |position, &m| position.play(m));
            assert!(end.is_checkmate(), "{fen}");
        }
    }

    #[test]
    fn the_line_of_a_mate_is_as_long_as_announced_or_shorter() {
        let rooks = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";
        assert_eq!(line(rooks, "a2a7", 3).unwrap()[2], "b1b8");
        assert_eq!(line(rooks, "a2a7", 1), None, "that is no mate");
        assert_eq!(line(rooks, "a2a7", 5).unwrap().len(), 3, "the defender cannot hold so long");
        assert_eq!(line(rooks, "a2a8", 3), None, "the rook is not protected, and mates nobody in two");
        assert_eq!(line("7k/R7/8/8/8/8/8/1R5K b - - 0 1", "h8g8", 2).unwrap(), ["h8g8", "b1b8"]);
    }

    #[test]
    fn a_mate_that_begins_with_a_quiet_move_is_found() {
        // The king must step up before the rook mates.
        let found = line("k7/8/2K5/8/8/8/8/1R6 w - - 0 1", "c6c7", 3).unwrap();
        assert_eq!(found, ["c6c7", "a8a7", "b1a1"]);
    }

    /// Announced in self-play as mates in eleven, eight and five moves.
    #[test]
    fn the_line_of_a_long_announced_mate_is_the_soonest_mate() {
        for (fen, first, announced, plies) in [
            ("8/8/8/8/2K5/1Q6/8/k1n5 w - - 51 102", "b3c2", 21, 7),
            ("6k1/6p1/4p3/7p/3q2bP/8/8/5K2 b - - 5 61", "d4d1", 17, 7),
            ("8/7k/6p1/4r3/3Q4/8/4RP2/5K2 w - - 4 60", "e2e5", 9, 7),
            ("8/8/8/8/2K5/8/2Q5/k1n5 b - - 52 102", "c1b3", 12, 4),
        ] {
            assert_eq!(line(fen, first, announced).unwrap().len(), plies, "{fen}");
            assert_eq!(line(fen, first, plies as u32).unwrap().len(), plies, "{fen}");
            assert_eq!(line(fen, first, plies as u32 - 2), None, "{fen}");
        }
    }

    /// A transposition table that has every mate of White's within nine plies, most of them with a loose
    /// bound.
    fn loose(prover: &RefCell<MateProver>, salt: u32, position: &Position) -> TtMate {
        let slack = 2 * (position.key() >> salt & 3) as u32;
        let within = |from: u32| {
            let asked = |&plies: &u32| prover.borrow_mut().is_mate(position, plies, 50_000) == Ok(true);
            (from..=9).step_by(2).find(asked).map(|plies| plies + slack)
        };
        let attacks = position.turn().is_white();
        TtMate {
            best: None,
            mates: attacks.then(|| within(1)).flatten(),
            mated: (!attacks).then(|| within(2)).flatten(),
        }
    }

    /// Bounds of uneven looseness can lead a line back to an earlier position: no such line may be returned.
    #[test]
    fn a_line_with_loose_bounds_is_a_proven_mate_without_repetition() {
        let fen = "8/8/8/8/2K5/1Q6/8/k1n5 w - - 51 102";
        let known = RefCell::new(MateProver::new(&[], 1_000_000));
        for salt in 0..40 {
            let tt_mate = |position: &Position| loose(&known, salt, position);
            let line = line_with(fen, "b3c2", 15, &tt_mate).expect("a mate is shown");
            check_proven(fen, &line, &known);
            assert!(line.len() >= 7, "{line:?}: no mate is as near");
        }
    }

    /// Asserts that every position of the line is a mate no longer than the rest of the line.
    fn check_proven(fen: &str, line: &[String], known: &RefCell<MateProver>) {
        let mut game = Game::parse_fen(fen).unwrap();
        for (index, m) in line.iter().enumerate() {
            let left = (line.len() - index) as u32;
            let mate = known.borrow_mut().is_mate(game.position(), left, 1_000_000);
            assert_eq!(mate, Ok(true), "{line:?}: a mate in {left} plies after {index}");
            game.play_text(m).unwrap();
        }
        assert!(game.legal_moves().is_empty() && game.position().in_check(), "{line:?}");
    }

    /// Budget left by a search with false bounds, which the search control stops after so many polls.
    fn budget_left(budget: u64, polls: u32) -> u64 {
        let start = Game::new();
        let first = start.parse_move("e2e4").unwrap();
        let mut prover = MateProver::new(&[], 100_000);
        let false_bounds = |position: &Position| {
            let mated = 16_u32.checked_sub(2 * position.chess().fullmoves().get());
            TtMate { best: None, mates: None, mated }
        };
        let mut source = FakeSource { tt_mate: &false_bounds, polls };
        let mut search = MateLine::new(&mut source, &mut prover, budget);
        assert_eq!(search.find(start.position(), Some(first), 15), None);
        search.left()
    }

    #[test]
    fn the_budget_and_the_search_control_end_every_search() {
        assert!(budget_left(20_000, u32::MAX) <= POLL_INTERVAL, "the budget is used up");
        let cost = 20_000 - budget_left(20_000, 3);
        assert!((2 * POLL_INTERVAL..=6 * POLL_INTERVAL).contains(&cost), "{cost} positions in three polls");
    }
}
