//! Proof-number search, depth-first (df-pn): proves a mate and its exact length.
//!
//! The search (Allis, van der Meulen and van den Herik, *Proof-number search*, 1994; Nagai, *Df-pn
//! algorithm*, 2002; thresholds with some slack by Pawlewicz and Lew, *1 + epsilon trick*, 2006) is for a
//! mate within a given number of plies, full width for both sides. The caller asks for mates in one before
//! mates in two, and so on: the first mate proven is the shortest. Since every proof is bounded in plies, no
//! line repeats forever. A move is made only when it is the most promising, so that an attacker with many
//! moves costs no more than those that are tried: quiet moves have a much larger proof number than checks
//! until they are made, and then the number of answers they leave.
//!
//! The search uses neither the transposition table nor the evaluation nor the clock. Positions of the game so
//! far count as no mate: reaching one again is a repetition.

use crate::chess::Position;
use shakmaty::{Bitboard, Move, MoveList, Position as _, Role, attacks};
use std::collections::HashMap;

/// The proof number of a disproven position, and the disproof number of a proven one.
const INFINITE: u32 = 1 << 28;

/// The proof number of an attacker's quiet move that was not made yet.
const QUIET: u32 = 21;

/// The proof number of a defender's answer that was not made yet.
const ANSWER: u32 = 2;

/// No mate is proven within any number of plies, or none is possible.
const NEVER: u8 = u8::MAX;

/// The budget is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct Spent;

/// Proof and disproof number: the least positions still to be decided to prove a mate, and to disprove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ProofNumbers {
    proof: u32,
    disproof: u32,
}

impl ProofNumbers {
    const PROVEN: ProofNumbers = ProofNumbers { proof: 0, disproof: INFINITE };
    const DISPROVEN: ProofNumbers = ProofNumbers { proof: INFINITE, disproof: 0 };
    /// A limit that only a decided position reaches.
    const UNLIMITED: ProofNumbers = ProofNumbers { proof: INFINITE, disproof: INFINITE };

    fn decided(mate: bool) -> ProofNumbers {
        if mate { ProofNumbers::PROVEN } else { ProofNumbers::DISPROVEN }
    }

    fn unknown(proof: u32) -> ProofNumbers {
        ProofNumbers { proof, disproof: 1 }
    }

    /// The number of the side to move (proof for the attacker), then that of the other side.
    fn for_side(self, attacks: bool) -> (u32, u32) {
        if attacks { (self.proof, self.disproof) } else { (self.disproof, self.proof) }
    }

    fn of_side((own, other): (u32, u32), attacks: bool) -> ProofNumbers {
        let (proof, disproof) = if attacks { (own, other) } else { (other, own) };
        ProofNumbers { proof, disproof }
    }
}

/// Entry of the search's hash table: proofs and numbers of a position.
#[derive(Clone, Copy, Debug)]
struct ProofEntry {
    /// A mate within so many plies is proven.
    mate: u8,
    /// There is none within fewer plies than this.
    safe_below: u8,
    /// The plies that `numbers` belong to.
    plies: u8,
    numbers: ProofNumbers,
}

impl ProofEntry {
    const UNKNOWN: ProofEntry = ProofEntry {
        mate: NEVER,
        safe_below: 0,
        plies: NEVER,
        numbers: ProofNumbers { proof: 1, disproof: 1 },
    };
    const SAFE: ProofEntry = ProofEntry { safe_below: NEVER, ..ProofEntry::UNKNOWN };

    fn decides(&self, plies: u32) -> Option<bool> {
        if u32::from(self.mate) <= plies {
            Some(true)
        } else {
            (plies < u32::from(self.safe_below)).then_some(false)
        }
    }
}

/// A move that has been made.
#[derive(Clone, Copy, Debug)]
struct Tried {
    m: Move,
    /// Key of the position after it.
    key: u64,
    /// The proof number of that position as long as it has no entry.
    proof: u8,
}

/// A position whose moves are being tried, in one order each time: checks, then the rest.
#[derive(Clone, Debug)]
struct Branch {
    tried: Vec<Tried>,
    moves: usize,
    checks: usize,
}

/// The most promising move, and the proof numbers of all moves together.
struct Choice {
    /// Its index in the order; the first one after those that were tried is to be made.
    index: usize,
    chosen: ProofNumbers,
    /// The number of the second-best move for the side to move.
    second: u32,
    all: ProofNumbers,
}

/// The df-pn search. Its attacker is the side to move where the number of plies is odd.
pub(in crate::search) struct MateProver {
    entries: HashMap<u64, ProofEntry>,
    branches: HashMap<u64, Branch>,
    /// The most positions to remember.
    capacity: usize,
    /// Moves made so far.
    made_moves: u64,
    /// Moves that may still be made.
    left: u64,
    /// The last answer that refuted a threat of mate in one.
    refutation: Option<Move>,
}

impl MateProver {
    /// A search that remembers at most `capacity` positions, some 200 bytes each. `repeatable` are the keys
    /// of positions that count as no mate.
    pub(in crate::search) fn new(repeatable: &[u64], capacity: usize) -> MateProver {
        MateProver {
            entries: repeatable.iter().map(|&key| (key, ProofEntry::SAFE)).collect(),
            branches: HashMap::new(),
            capacity,
            made_moves: 0,
            left: 0,
            refutation: None,
        }
    }

    /// Moves made so far.
    pub(in crate::search) fn made_moves(&self) -> u64 {
        self.made_moves
    }

    /// True if the memory is full, so that nothing more can be proven.
    pub(in crate::search) fn is_full(&self) -> bool {
        self.entries.len() >= self.capacity
    }

    /// Plies within which a mate is proven, if there is a proof.
    pub(in crate::search) fn proven(&self, position: &Position) -> Option<u32> {
        let mate = self.entries.get(&position.key())?.mate;
        (mate != NEVER).then_some(mate.into())
    }

    /// True if the side to move mates within `plies`, an odd number, or is mated within `plies`, an even one,
    /// against every defence. Where the budget (in made moves) is spent, the next call resumes the search; a
    /// full memory leaves no budget.
    pub(in crate::search) fn is_mate(
        &mut self,
        position: &Position,
        plies: u32,
        budget: u64,
    ) -> Result<bool, Spent> {
        self.left = if self.is_full() { 0 } else { budget };
        self.decide(position, plies)
    }

    /// True if there is a mate within `plies`, by an entry or by a search.
    fn decide(&mut self, position: &Position, plies: u32) -> Result<bool, Spent> {
        if let Some(mate) = self.entries.get(&position.key()).and_then(|entry| entry.decides(plies)) {
            return Ok(mate);
        }
        let numbers = self.search(position, plies, ProofNumbers::UNLIMITED)?;
        Ok(numbers.proof == 0)
    }

    /// Makes a move, for one unit of the budget.
    fn make(&mut self, position: &Position, m: Move) -> Result<Position, Spent> {
        self.left = self.left.checked_sub(1).ok_or(Spent)?;
        self.made_moves += 1;
        Ok(position.play(m))
    }

    /// Searches until the proof numbers of a position reach a limit.
    fn search(
        &mut self,
        position: &Position,
        plies: u32,
        limit: ProofNumbers,
    ) -> Result<ProofNumbers, Spent> {
        let numbers = match plies {
            0 => ProofNumbers::decided(position.is_checkmate()),
            1 => ProofNumbers::decided(self.has_mate_in_one(position)?),
            2 => ProofNumbers::decided(self.is_mated_in_two(position)?),
            _ => match self.branch(position, plies) {
                Ok(mut branch) => {
                    let numbers = self.best_first(position, &mut branch, plies, limit);
                    self.store_branch(position, plies, branch, numbers);
                    numbers?
                }
                Err(decided) => decided,
            },
        };
        self.store(position.key(), plies, numbers);
        Ok(numbers)
    }

    /// The moves of a position, as far as they were tried; or its proof numbers where there is no move or a
    /// draw.
    fn branch(&mut self, position: &Position, plies: u32) -> Result<Branch, ProofNumbers> {
        if let Some(branch) = self.branches.remove(&position.key()) {
            return Ok(branch);
        }
        let moves = position.chess().legal_moves();
        if moves.is_empty() || position.is_dead() {
            return Err(ProofNumbers::decided(plies.is_multiple_of(2) && position.is_checkmate()));
        }
        let checks =
            if plies % 2 == 1 { moves.iter().filter(|&&m| gives_check(position, m)).count() } else { 0 };
        Ok(Branch { tried: Vec::new(), moves: moves.len(), checks })
    }

    /// Stores the moves of a position for the next visit, unless it is decided and shallow.
    fn store_branch(
        &mut self,
        position: &Position,
        plies: u32,
        branch: Branch,
        numbers: Result<ProofNumbers, Spent>,
    ) {
        let decided = numbers.is_ok_and(|numbers| numbers.proof == 0 || numbers.disproof == 0);
        if !decided || plies > 3 {
            self.branches.insert(position.key(), branch);
        }
    }

    /// Stores proof numbers in the hash table.
    fn store(&mut self, key: u64, plies: u32, numbers: ProofNumbers) {
        let entry = self.entries.entry(key).or_insert(ProofEntry::UNKNOWN);
        let within = plies.min(u32::from(NEVER - 1)) as u8;
        if numbers.proof == 0 {
            entry.mate = entry.mate.min(within);
        } else if numbers.disproof == 0 {
            entry.safe_below = entry.safe_below.max(within + 1);
        } else {
            (entry.plies, entry.numbers) = (within, numbers);
        }
    }

    /// Searches the most promising moves until the proof numbers reach a limit.
    fn best_first(
        &mut self,
        position: &Position,
        branch: &mut Branch,
        plies: u32,
        limit: ProofNumbers,
    ) -> Result<ProofNumbers, Spent> {
        let attacks = plies % 2 == 1;
        loop {
            let choice = self.choose(branch, plies);
            if choice.all.proof >= limit.proof || choice.all.disproof >= limit.disproof {
                return Ok(choice.all);
            }
            let (next, chosen) = match branch.tried.get(choice.index) {
                Some(tried) => (self.make(position, tried.m)?, choice.chosen),
                None => self.make_next(position, branch, plies)?,
            };
            let child_limit = limit_of_child(limit, &choice, chosen, attacks);
            if chosen.proof < child_limit.proof && chosen.disproof < child_limit.disproof {
                self.search(&next, plies - 1, child_limit)?;
            }
        }
    }

    /// Selects the most promising move of the side to move.
    fn choose(&self, branch: &Branch, plies: u32) -> Choice {
        let attacks = plies % 2 == 1;
        let tried = branch.tried.iter().map(|tried| self.numbers(tried, plies - 1));
        let untried = (branch.tried.len()..branch.moves).map(|index| untried(branch, index, attacks));
        let (mut best, mut second, mut sum) = ((0, INFINITE + 1, INFINITE), INFINITE, 0_u32);
        for (index, numbers) in tried.chain(untried).enumerate() {
            let (own, other) = numbers.for_side(attacks);
            sum = sum.saturating_add(other);
            if own < best.1 {
                second = best.1;
                best = (index, own, other);
            } else {
                second = second.min(own);
            }
        }
        let (index, own, other) = best;
        // Transpositions are counted several times, but no sum of numbers may decide anything.
        let all = if own == 0 { (0, INFINITE) } else { (own, sum.min(INFINITE - 1)) };
        Choice {
            index,
            chosen: ProofNumbers::of_side((own, other), attacks),
            second: second.min(INFINITE),
            all: ProofNumbers::of_side(all, attacks),
        }
    }

    /// The proof numbers of the position after a move.
    fn numbers(&self, tried: &Tried, plies: u32) -> ProofNumbers {
        match self.entries.get(&tried.key) {
            None => ProofNumbers::unknown(tried.proof.into()),
            Some(entry) => match entry.decides(plies) {
                Some(mate) => ProofNumbers::decided(mate),
                None if u32::from(entry.plies) == plies => entry.numbers,
                None => ProofNumbers::unknown(tried.proof.into()),
            },
        }
    }

    /// Makes the first move that has not been tried.
    fn make_next(
        &mut self,
        position: &Position,
        branch: &mut Branch,
        plies: u32,
    ) -> Result<(Position, ProofNumbers), Spent> {
        let attacks = plies % 2 == 1;
        let mut moves = position.chess().legal_moves();
        if attacks {
            moves.sort_by_key(|&m| !gives_check(position, m));
        }
        let m = moves[branch.tried.len()];
        let next = self.make(position, m)?;
        let answers = next.chess().legal_moves().len();
        if attacks && answers == 0 {
            self.entries.insert(
                next.key(),
                if next.in_check() {
                    ProofEntry { mate: 0, ..ProofEntry::UNKNOWN }
                } else {
                    ProofEntry::SAFE
                },
            );
        }
        let proof = if attacks { answers.min(u8::MAX.into()) as u8 } else { ANSWER as u8 };
        let tried = Tried { m, key: next.key(), proof };
        branch.tried.push(tried);
        Ok((next, self.numbers(&tried, plies - 1)))
    }

    /// True if a check mates.
    fn has_mate_in_one(&mut self, position: &Position) -> Result<bool, Spent> {
        if let Some(mates) = self.entries.get(&position.key()).and_then(|entry| entry.decides(1)) {
            return Ok(mates);
        }
        let moves = position.chess().legal_moves();
        for m in moves.into_iter().filter(|&m| gives_check(position, m)) {
            if self.make(position, m)?.is_checkmate() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// True if every answer allows a mate in one.
    fn is_mated_in_two(&mut self, position: &Position) -> Result<bool, Spent> {
        let mut answers: MoveList = position.chess().legal_moves();
        if answers.is_empty() {
            return Ok(position.in_check());
        }
        if position.is_dead() {
            return Ok(false);
        }
        answers.sort_by_key(|&m| self.refutation != Some(m));
        for m in answers {
            let next = self.make(position, m)?;
            let mates = self.has_mate_in_one(&next)?;
            self.store(next.key(), 1, ProofNumbers::decided(mates));
            if !mates {
                self.refutation = Some(m);
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The proof numbers of a move that has not been made.
fn untried(branch: &Branch, index: usize, attacks: bool) -> ProofNumbers {
    ProofNumbers::unknown(match attacks {
        true if index < branch.checks => 1,
        true => QUIET,
        false => ANSWER,
    })
}

/// Limits of the chosen move's proof numbers (1 + epsilon trick): for the number of the side to move a
/// quarter beyond the second-best move, for the other number as far as the limit of all moves allows.
fn limit_of_child(limit: ProofNumbers, choice: &Choice, chosen: ProofNumbers, attacks: bool) -> ProofNumbers {
    let (own_limit, other_limit) = limit.for_side(attacks);
    let (_, all_others) = choice.all.for_side(attacks);
    let (_, others) = chosen.for_side(attacks);
    let own = own_limit.min(choice.second + choice.second / 4 + 1);
    let other = if other_limit >= INFINITE { INFINITE } else { other_limit - all_others + others };
    ProofNumbers::of_side((own.min(INFINITE), other.min(INFINITE)), attacks)
}

/// True if a move may give check: exact for all but castling and capturing en passant, which count as checks.
fn gives_check(position: &Position, m: Move) -> bool {
    let Move::Normal { role, from, to, promotion, .. } = m else { return true };
    let (board, us) = (position.board(), position.turn());
    let Some(king) = board.king_of(!us) else { return false };
    let occupied = board.occupied().without(from).with(to);
    let arrives = promotion.unwrap_or(role);
    if arrives != Role::King && attacks::attacks(to, arrives.of(us), occupied).contains(king) {
        return true;
    }
    let discovering = |sliders: Bitboard| (board.by_color(us) & (sliders | board.queens())).without(from);
    (attacks::rook_attacks(king, occupied) & discovering(board.rooks())).any()
        || (attacks::bishop_attacks(king, occupied) & discovering(board.bishops())).any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;

    const ENOUGH: u64 = 1_000_000;

    fn prover() -> MateProver {
        MateProver::new(&[], 1 << 20)
    }

    fn position(fen: &str) -> Position {
        Game::parse_fen(fen).unwrap().position().clone()
    }

    /// True if there is a mate within `plies`, by a search of all moves.
    fn is_mate_by_brute_force(position: &Position, plies: u32) -> bool {
        let moves = position.chess().legal_moves();
        match plies {
            0 => position.is_checkmate(),
            _ if moves.is_empty() => plies.is_multiple_of(2) && position.in_check(),
            _ if plies % 2 == 1 => {
                moves.into_iter().any(|m| is_mate_by_brute_force(&position.play(m), plies - 1))
            }
            _ => moves.into_iter().all(|m| is_mate_by_brute_force(&position.play(m), plies - 1)),
        }
    }

    #[test]
    fn a_small_tree_is_decided_as_by_brute_force() {
        let mut mates = 0;
        for fen in [
            "7k/8/8/8/8/8/R7/1R5K w - - 0 1",
            "k7/8/2K5/8/8/8/8/1R6 w - - 0 1",
            "8/8/8/8/8/5K2/7p/5N1k w - - 0 1",
            "r5rk/2p1Nppp/3p3P/pp2p1P1/4P3/2qnPQK1/8/R6R w - - 1 0",
            "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
            "4k3/8/4K3/8/8/8/8/7R b - - 0 1",
            "k7/P7/K7/8/8/8/8/8 b - - 0 1",
        ] {
            let root = position(fen);
            for first in root.chess().legal_moves() {
                let next = root.play(first);
                for plies in 0..=3 {
                    let mate = prover().is_mate(&next, plies, ENOUGH);
                    assert_eq!(
                        mate,
                        Ok(is_mate_by_brute_force(&next, plies)),
                        "{fen} {first} within {plies}"
                    );
                    mates += usize::from(mate == Ok(true));
                }
            }
        }
        assert!(mates > 5, "{mates}");
    }

    /// Mates of three to five moves, the side to move being the one that is mated in the last two.
    #[test]
    fn the_soonest_mate_is_proven() {
        for (fen, plies) in [
            ("8/8/8/8/2K5/1Q6/8/k1n5 w - - 0 1", 7),
            ("8/7k/6p1/4r3/3Q4/8/4RP2/5K2 w - - 0 1", 7),
            ("8/5N2/6r1/7k/1P5N/5P2/1P1Q4/K7 b - - 0 1", 6),
            ("8/8/8/8/6b1/1N1P4/5K1p/7k b - - 0 1", 10),
        ] {
            let (root, mut prover) = (position(fen), prover());
            let answers: Vec<_> =
                (2 - plies % 2..=plies).step_by(2).map(|n| prover.is_mate(&root, n, ENOUGH)).collect();
            let (last, sooner) = answers.split_last().unwrap();
            assert_eq!(*last, Ok(true), "{fen}");
            assert!(sooner.iter().all(|answer| *answer == Ok(false)), "{fen}: {answers:?}");
        }
    }

    #[test]
    fn a_search_in_small_budgets_reaches_the_same_proof() {
        let root = position("8/8/8/8/6b1/1N1P4/5K1p/7k b - - 0 1");
        let (mut whole, mut in_parts) = (prover(), prover());
        assert_eq!(whole.is_mate(&root, 10, ENOUGH), Ok(true));
        assert_eq!(in_parts.is_mate(&root, 10, 100), Err(Spent));
        assert_eq!(in_parts.made_moves(), 100);
        let rounds = (0..10_000).take_while(|_| in_parts.is_mate(&root, 10, 100) == Err(Spent)).count();
        assert_eq!(in_parts.is_mate(&root, 10, 0), Ok(true), "after {rounds} rounds");
        assert!(
            in_parts.made_moves() < 3 * whole.made_moves(),
            "{} against {}",
            in_parts.made_moves(),
            whole.made_moves()
        );
    }

    #[test]
    fn a_position_of_the_game_is_an_escape() {
        let root = position("k7/8/2K5/8/8/8/8/1R6 w - - 0 1");
        assert_eq!(prover().is_mate(&root, 3, ENOUGH), Ok(true));
        let stepped = Game::parse_fen("k7/2K5/8/8/8/8/8/1R6 b - - 1 1").unwrap().position().key();
        assert_eq!(MateProver::new(&[stepped], 1000).is_mate(&root, 3, ENOUGH), Ok(false));
    }
}
