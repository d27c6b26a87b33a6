//! Lines of mate: from the announcement of a mate to the moves that give it.
//!
//! Null windows prove that there is a mate and how long it lasts at most, not which line of defence lasts longest:
//! the answer with the loosest bound need not be the one that holds out. This follows the answer that seems to last
//! longest to its end, learns how long it really lasts, and takes another one where that now seems to last longer.
//! The line that is left is as long as the mate that it proves. The table's mates are taken at their word, since
//! they hold at any depth; what it has forgotten is proven again ([`MateProver`]). All within a budget and under the
//! eyes of the watch, and nothing is written into the table. Nothing here decides what an attacker plays.

use crate::chess::Position;
use crate::search::mate::prover::MateProver;
use shakmaty::{Move, Position as _};
use std::collections::HashMap;

/// Moves that may be made to prove one mate that the table has forgotten.
const GAP: u64 = 2_000;

/// Positions between two looks at the watch: about a millisecond.
const LOOK: u64 = 512;

/// What the table remembers of a position.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::search) struct Remembered {
    /// Its best move, where that mates.
    pub(in crate::search) best: Option<Move>,
    /// The plies within which the side to move mates.
    pub(in crate::search) mates: Option<u32>,
    /// The plies within which it is mated.
    pub(in crate::search) mated: Option<u32>,
}

/// The search that announced a mate, as far as its line needs it.
pub(in crate::search) trait Announcer {
    /// What the table remembers of a position.
    fn remembered(&self, position: &Position) -> Remembered;

    /// Whether the watch leaves time to go on.
    fn goes_on(&mut self) -> bool;
}

/// One search for a line of mate.
pub(in crate::search) struct MateLine<'a> {
    announcer: &'a mut dyn Announcer,
    prover: &'a mut MateProver,
    /// Mates that were followed to their end: their length in plies and their first move.
    followed: HashMap<u64, (u32, Move)>,
    /// Positions that it may still cost.
    left: u64,
    /// What is left at the next look at the watch.
    next_look: u64,
}

/// The budget is spent, or the time is.
struct Spent;

/// The length of a mate in plies, if there is one that can be shown.
type Length = Result<Option<u32>, Spent>;

impl<'a> MateLine<'a> {
    /// A search that costs at most `budget` positions. The attacker of `prover` is the one who mates.
    pub(in crate::search) fn new(
        announcer: &'a mut dyn Announcer,
        prover: &'a mut MateProver,
        budget: u64,
    ) -> MateLine<'a> {
        let next_look = budget.saturating_sub(LOOK);
        MateLine { announcer, prover, followed: HashMap::new(), left: budget, next_look }
    }

    /// A line of at most `plies` plies that ends in mate, the defender holding out as long as possible; where the
    /// side to move is the attacker, or has no choice, it begins with `first`. `None` where the budget or the time
    /// does not reach, or there is none.
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

    /// Positions that may still be looked at.
    pub(in crate::search) fn left(&self) -> u64 {
        self.left
    }

    /// Takes positions from the budget.
    fn pay(&mut self, positions: u64) -> Result<(), Spent> {
        self.left = self.left.checked_sub(positions).ok_or(Spent)?;
        if self.left < self.next_look {
            self.next_look = self.left.saturating_sub(LOOK);
            return if self.announcer.goes_on() { Ok(()) } else { Err(Spent) };
        }
        Ok(())
    }

    /// The mate within `plies`: the side to move gives it where they are odd, and suffers it where they are even.
    fn mate(&mut self, position: &Position, plies: u32) -> Length {
        if plies % 2 == 1 { self.attack(position, plies) } else { self.defence(position, plies) }
    }

    /// The moves that were followed.
    fn line(&self, root: &Position, first: Option<Move>) -> Vec<Move> {
        let mut position = root.clone();
        let followed = |position: &Position| self.followed.get(&position.key()).map(|&(_, m)| m);
        let mut next = first.or_else(|| followed(&position));
        std::iter::from_fn(|| {
            let m = next?;
            position = position.play(m);
            next = followed(&position);
            Some(m)
        })
        .collect()
    }

    /// The position after a move.
    fn play(&mut self, position: &Position, m: Move) -> Result<Position, Spent> {
        self.pay(1)?;
        Ok(position.play(m))
    }

    /// The mate that the side to move gives within `plies`, an odd number.
    fn attack(&mut self, position: &Position, plies: u32) -> Length {
        if let Some(&(lasts, _)) = self.followed.get(&position.key()) {
            return Ok((lasts <= plies).then_some(lasts));
        }
        let here = self.announcer.remembered(position);
        if let (Some(m), Some(mates)) = (here.best, here.mates)
            && mates <= plies
            && let Some(lasts) = self.follow(position, m, mates)?
        {
            return Ok(Some(lasts));
        }
        if let Some(lasts) = self.follow_any(position, plies)? {
            return Ok(Some(lasts));
        }
        if self.prove(position, plies)? { self.follow_any(position, plies) } else { Ok(None) }
    }

    /// A mate with a certain move.
    fn follow(&mut self, position: &Position, m: Move, plies: u32) -> Length {
        let next = self.play(position, m)?;
        let Some(answered) = self.defence(&next, plies - 1)? else { return Ok(None) };
        Ok(Some(self.settle(position, answered + 1, m)))
    }

    /// Notes a mate that was followed to its end. What is settled stays, also where a line came back to a position
    /// before it was: so every position leads to one that is settled with a ply less, and no line goes round.
    fn settle(&mut self, position: &Position, lasts: u32, m: Move) -> u32 {
        self.followed.entry(position.key()).or_insert((lasts, m)).0
    }

    /// A mate with the move that is known to mate soonest, or with the next one where that cannot be shown.
    fn follow_any(&mut self, position: &Position, plies: u32) -> Length {
        let mut moves = Vec::new();
        for m in position.chess().legal_moves() {
            let next = self.play(position, m)?;
            let mated = self.seems_mated(&next);
            moves.extend(mated.filter(|&mated| mated < plies).map(|mated| (mated + 1, m)));
        }
        moves.sort_by_key(|&(mates, _)| mates);
        for (mates, m) in moves {
            if let Some(lasts) = self.follow(position, m, mates)? {
                return Ok(Some(lasts));
            }
        }
        Ok(None)
    }

    /// The plies within which the side to move is known to be mated.
    fn seems_mated(&self, position: &Position) -> Option<u32> {
        if position.is_checkmate() {
            return Some(0);
        }
        let told = self.announcer.remembered(position).mated;
        told.into_iter().chain(self.prover.proven(position)).min()
    }

    /// Proves a mate again that the table has forgotten, the soonest there is.
    fn prove(&mut self, position: &Position, most: u32) -> Result<bool, Spent> {
        let (mut plies, mut gap) = (1, GAP);
        while plies <= most && gap > 0 {
            let before = self.prover.made();
            let answer = self.prover.is_mate(position, plies, gap.min(LOOK));
            let cost = self.prover.made() - before;
            self.pay(cost)?;
            match answer {
                Ok(true) => return Ok(true),
                Ok(false) => plies += 2,
                Err(_) if cost == 0 => break,
                Err(_) => {}
            }
            gap -= cost;
        }
        Ok(false)
    }

    /// How long the side to move, that is mated within `plies`, an even number, holds out.
    fn defence(&mut self, position: &Position, plies: u32) -> Length {
        let moves = position.chess().legal_moves();
        if moves.is_empty() {
            return Ok(position.in_check().then_some(0));
        }
        if plies < 2 || position.is_dead() {
            return Ok(None);
        }
        if let Some(&(lasts, _)) = self.followed.get(&position.key()) {
            return Ok((lasts <= plies).then_some(lasts));
        }
        let mut answers = Vec::with_capacity(moves.len());
        for m in moves {
            let next = self.play(position, m)?;
            // What nothing is known of seems to last longer than it may, so that it is followed first.
            let seems = self.announcer.remembered(&next).mates.filter(|&mates| mates < plies);
            answers.push((seems.unwrap_or(plies), m, next));
        }
        self.longest(position, answers, plies)
    }

    /// Follows the answers that seem to last longest until one of them does. Each comes with the plies that it
    /// lasts at most.
    fn longest(
        &mut self,
        position: &Position,
        mut answers: Vec<(u32, Move, Position)>,
        plies: u32,
    ) -> Length {
        loop {
            let Some(longest) = answers.iter_mut().max_by_key(|(seems, ..)| *seems) else { return Ok(None) };
            let (seems, m, next) = (longest.0, longest.1, longest.2.clone());
            let Some(lasts) = self.attack(&next, plies - 1)? else { return Ok(None) };
            if lasts >= seems {
                return Ok(Some(self.settle(position, lasts + 1, m)));
            }
            longest.0 = lasts;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use std::cell::RefCell;

    /// A table, and a watch that ends the search after so many looks.
    struct Told<'a> {
        remembered: &'a dyn Fn(&Position) -> Remembered,
        looks: u32,
    }

    impl Announcer for Told<'_> {
        fn remembered(&self, position: &Position) -> Remembered {
            (self.remembered)(position)
        }

        fn goes_on(&mut self) -> bool {
            self.looks = self.looks.saturating_sub(1);
            self.looks > 0
        }
    }

    /// The line of a mate that no table knows of.
    fn line(fen: &str, first: &str, plies: u32) -> Option<Vec<String>> {
        line_with(fen, first, plies, &|_| Remembered::default())
    }

    fn line_with(
        fen: &str,
        first: &str,
        plies: u32,
        remembered: &dyn Fn(&Position) -> Remembered,
    ) -> Option<Vec<String>> {
        let game = Game::parse_fen(fen).unwrap();
        let first = game.parse_move(first).unwrap();
        let mut prover = MateProver::new(&[], 100_000);
        let mut table = Told { remembered, looks: u32::MAX };
        let mut search = MateLine::new(&mut table, &mut prover, 20_000);
        let found = search.find(game.position(), Some(first), plies)?;
        Some(found.into_iter().map(|m| m.to_uci(shakmaty::CastlingMode::Standard).to_string()).collect())
    }

    #[test]
    fn a_mate_is_shown_in_its_length_or_sooner() {
        let rooks = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";
        assert_eq!(line(rooks, "a2a7", 3).unwrap()[2], "b1b8");
        assert_eq!(line(rooks, "a2a7", 1), None, "that is no mate");
        assert_eq!(line(rooks, "a2a7", 5).unwrap().len(), 3, "the defender cannot hold so long");
        assert_eq!(line(rooks, "a2a8", 3), None, "the rook is not protected, and mates nobody in two");
        assert_eq!(line("7k/R7/8/8/8/8/8/1R5K b - - 0 1", "h8g8", 2).unwrap(), ["h8g8", "b1b8"]);
    }

    #[test]
    fn quiet_attacks_are_found_too() {
        // The king must step up before the rook mates.
        let found = line("k7/8/2K5/8/8/8/8/1R6 w - - 0 1", "c6c7", 3).unwrap();
        assert_eq!(found, ["c6c7", "a8a7", "b1a1"]);
    }

    /// Announced in self-play as mates in eleven, eight and five moves.
    #[test]
    fn the_soonest_mate_is_shown_where_a_long_one_was_announced() {
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

    /// A table that knows every mate of White's within nine plies, most of them only as longer ones.
    fn loose(prover: &RefCell<MateProver>, salt: u32, position: &Position) -> Remembered {
        let slack = 2 * (position.key() >> salt & 3) as u32;
        let within = |from: u32| {
            let asked = |&plies: &u32| prover.borrow_mut().is_mate(position, plies, 50_000) == Ok(true);
            (from..=9).step_by(2).find(asked).map(|plies| plies + slack)
        };
        let attacks = position.turn().is_white();
        Remembered {
            best: None,
            mates: attacks.then(|| within(1)).flatten(),
            mated: (!attacks).then(|| within(2)).flatten(),
        }
    }

    /// Bounds that are loose here and tight there lead the lines in circles, too: none may be shown.
    #[test]
    fn a_loose_bound_is_no_longer_defence() {
        let fen = "8/8/8/8/2K5/1Q6/8/k1n5 w - - 51 102";
        let known = RefCell::new(MateProver::new(&[], 1_000_000));
        for salt in 0..40 {
            let remembered = |position: &Position| loose(&known, salt, position);
            let line = line_with(fen, "b3c2", 15, &remembered).expect("a mate is shown");
            check_proven(fen, &line, &known);
            assert!(line.len() >= 7, "{line:?}: no mate is as near");
        }
    }

    /// Every position of the line is a mate that lasts no longer than the rest of the line.
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

    /// What is left of a budget by a search that a lying table leads astray, the watch ending it after so many looks.
    fn left_of(budget: u64, looks: u32) -> u64 {
        let start = Game::new();
        let first = start.parse_move("e2e4").unwrap();
        let mut prover = MateProver::new(&[], 100_000);
        let lie = |position: &Position| {
            let mated = 16_u32.checked_sub(2 * position.chess().fullmoves().get());
            Remembered { best: None, mates: None, mated }
        };
        let mut table = Told { remembered: &lie, looks };
        let mut search = MateLine::new(&mut table, &mut prover, budget);
        assert_eq!(search.find(start.position(), Some(first), 15), None);
        search.left()
    }

    #[test]
    fn the_budget_and_the_watch_end_every_search() {
        assert!(left_of(20_000, u32::MAX) <= LOOK, "the budget is needed");
        let cost = 20_000 - left_of(20_000, 3);
        assert!((2 * LOOK..=6 * LOOK).contains(&cost), "{cost} positions in three looks");
    }
}
