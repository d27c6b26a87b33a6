//! Lines of mate: from the announcement of a mate to the moves that give it.
//!
//! Null windows prove that there is a mate and how long it lasts at most, not which line of defence lasts longest.
//! This finds one by a plain And/Or search, full width for the defender, bounded in nodes; it reads the table for
//! its first try and writes nothing into it. At every node it asks for mates in one before mates in two, and so
//! on: where the announcement was too long, as it often is after reductions, the sooner mate is found for a small
//! part of what the long one would cost. Nothing here decides what is played.

use crate::chess::Position;
use shakmaty::{Move, MoveList, Position as _};
use std::collections::HashMap;

/// Whether the attacker only gives check, and the moves that the line may then cost: of the attacks all that are
/// generated, of the defences those that are answered. Together some hundredths of a second.
const TRIES: [(bool, u32); 2] = [(false, 40_000), (true, 20_000)];

/// What is known of a position: the plies to a mate that was found, or to which none was.
#[derive(Clone, Copy, Default)]
struct Known {
    /// A mate within so many plies is proven.
    mate: Option<u32>,
    /// There is none within so many plies, among the attacks that are tried.
    safe: Option<u32>,
}

/// One search for a line of mate.
pub(super) struct MateLine<'a> {
    /// The move that the table remembers.
    remembered: &'a dyn Fn(&Position) -> Option<Move>,
    /// Whether the attacker gives check with every move that the table does not name.
    checks_only: bool,
    known: HashMap<u64, Known>,
    left: u32,
}

/// The budget is spent.
struct Spent;

impl<'a> MateLine<'a> {
    /// A line of at most `plies` plies that begins with `first` and ends in mate, the defender holding out as
    /// long as possible; `None` where the budget does not reach, or there is none. No attack of the first try
    /// mates sooner; those of the second give check with every move that the table does not name.
    pub(super) fn find(
        root: &Position,
        first: Move,
        plies: u32,
        remembered: &'a dyn Fn(&Position) -> Option<Move>,
    ) -> Option<Vec<Move>> {
        TRIES.into_iter().find_map(|(checks_only, budget)| {
            let mut search = MateLine { remembered, checks_only, known: HashMap::new(), left: budget };
            search.line(root, first, plies).ok().flatten()
        })
    }

    /// The line behind a proof: the attacker's soonest moves, the defender's longest.
    fn line(&mut self, root: &Position, first: Move, plies: u32) -> Result<Option<Vec<Move>>, Spent> {
        let mut line = vec![first];
        let (mut position, mut left) = (root.play(first), plies.saturating_sub(1));
        while !position.chess().legal_moves().is_empty() {
            let next =
                if left % 2 == 1 { self.attack(&position, left)? } else { self.defence(&position, left)? };
            let Some((m, lasts)) = next else { return Ok(None) };
            line.push(m);
            position = position.play(m);
            left = lasts - 1;
        }
        let defends = left.is_multiple_of(2);
        Ok((defends && position.in_check()).then_some(line))
    }

    /// The move that mates soonest whatever is answered, and in how many plies: an odd number, at most `plies`.
    fn attack(&mut self, position: &Position, plies: u32) -> Result<Option<(Move, u32)>, Spent> {
        let moves = self.attacks(position, plies)?;
        for sooner in (1..=plies).step_by(2) {
            for (m, next) in &moves {
                if (sooner > 1 || next.in_check()) && self.is_lost(next, sooner - 1)? {
                    return Ok(Some((*m, sooner)));
                }
            }
        }
        Ok(None)
    }

    /// The moves worth trying, those first that leave few answers.
    fn attacks(&mut self, position: &Position, plies: u32) -> Result<Vec<(Move, Position)>, Spent> {
        let named = (self.remembered)(position);
        let legal = position.chess().legal_moves();
        self.left = self.left.checked_sub(legal.len() as u32).ok_or(Spent)?;
        let mut moves: Vec<_> = legal
            .into_iter()
            .map(|m| (m, position.play(m)))
            .filter(|(m, next)| next.in_check() || plies > 1 && (!self.checks_only || named == Some(*m)))
            .collect();
        moves.sort_by_cached_key(|(m, next)| {
            (named != Some(*m), !next.in_check(), next.chess().legal_moves().len())
        });
        Ok(moves)
    }

    /// Whether the side to move is mated within `plies`, an even number, whatever it does.
    fn is_lost(&mut self, position: &Position, plies: u32) -> Result<bool, Spent> {
        self.left = self.left.checked_sub(1).ok_or(Spent)?;
        let moves: MoveList = position.chess().legal_moves();
        if moves.is_empty() {
            return Ok(position.in_check());
        }
        let known = self.known.get(&position.key()).copied().unwrap_or_default();
        if plies == 0 || known.safe.is_some_and(|safe| plies <= safe) || position.is_dead() {
            return Ok(false);
        }
        if known.mate.is_some_and(|mate| mate <= plies) {
            return Ok(true);
        }
        let lost = self.all_lose(position, &moves, plies)?;
        let entry = self.known.entry(position.key()).or_default();
        if lost {
            entry.mate = Some(plies);
        } else {
            entry.safe = Some(plies);
        }
        Ok(lost)
    }

    /// Whether the attacker mates after each of the moves.
    fn all_lose(&mut self, position: &Position, moves: &[Move], plies: u32) -> Result<bool, Spent> {
        for &m in moves {
            if self.attack(&position.play(m), plies - 1)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The answer that holds out longest, and how many plies it lasts: an even number, at most `plies`. `None`
    /// where an answer escapes.
    fn defence(&mut self, position: &Position, plies: u32) -> Result<Option<(Move, u32)>, Spent> {
        let mut best = None;
        for m in position.chess().legal_moves() {
            let attack = if plies > 1 { self.attack(&position.play(m), plies - 1)? } else { None };
            let Some((_, mates)) = attack else { return Ok(None) };
            if best.is_none_or(|(_, longest)| mates + 1 > longest) {
                best = Some((m, mates + 1));
            }
        }
        Ok(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;

    fn line(fen: &str, first: &str, plies: u32) -> Option<Vec<String>> {
        let game = Game::parse_fen(fen).unwrap();
        let first = game.parse_move(first).unwrap();
        let found = MateLine::find(game.position(), first, plies, &|_| None)?;
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

    #[test]
    fn the_budget_ends_every_search() {
        let start = Game::new();
        let first = start.parse_move("e2e4").unwrap();
        assert_eq!(MateLine::find(start.position(), first, 15, &|_| None), None);
    }
}
