//! Mating lines of textbook backends: the line that such a backend finds may end before the mate that it
//! announces, and a mate is exact only with all its moves.

use crate::chess::Position;
use crate::chess::score::{self, DRAW, Value};
use crate::search::control::{Bound, SearchControl};
use crate::search::mate::line::{MateLine, MateSource, TtMate};
use crate::search::mate::prover::MateProver;
use shakmaty::Move;

/// Budget of all lines of one search, in positions: a few milliseconds.
const BUDGET: u64 = 20_000;

/// The most positions that the prover remembers.
const CAPACITY: usize = 1 << 15;

/// Mates announced at one root: the last one, and what is left of the budget.
pub(super) struct MateLines {
    root: Position,
    /// Keys of the game's positions, which are no mates when they recur.
    repeatable: Vec<u64>,
    left: u64,
    /// The last mate: its value, its first move, and its line if there is one.
    last: Option<(Value, Move, Option<Vec<Move>>)>,
}

/// A search without a transposition table.
struct NoTable<'a> {
    control: &'a mut dyn SearchControl,
    /// Moves made by the search.
    made: u64,
}

impl MateSource for NoTable<'_> {
    fn tt_mate(&self, _: &Position) -> TtMate {
        TtMate::default()
    }

    fn may_continue(&mut self) -> bool {
        self.control.poll(self.made).is_some()
    }
}

impl MateLines {
    /// `repeatable` are the keys of the game's positions since the last capture or pawn move.
    pub(super) fn new(root: &Position, repeatable: Vec<u64>) -> MateLines {
        MateLines { root: root.clone(), repeatable, left: BUDGET, last: None }
    }

    /// The line with all moves of the mate that `value` announces, and whether the value is exact: where no
    /// line of that length is found, the mate lasts so long at most. Other values and lines stay as they are.
    pub(super) fn complete(
        &mut self,
        line: &[Move],
        value: Value,
        made: u64,
        control: &mut dyn SearchControl,
    ) -> (Vec<Move>, Bound) {
        let (Some(plies), Some(&first)) = (score::mate_in_plies(value), line.first()) else {
            return (line.to_vec(), Bound::Exact);
        };
        let plies = plies.unsigned_abs();
        let found = match &self.last {
            _ if line.len() == plies as usize => Some(line.to_vec()),
            Some((of, m, found)) if (*of, *m) == (value, first) => found.clone(),
            _ => self.find(first, plies, NoTable { control, made }),
        };
        self.last = Some((value, first, found.clone()));
        let bound = if value > DRAW { Bound::Lower } else { Bound::Upper };
        found.map_or_else(|| (line.to_vec(), bound), |found| (found, Bound::Exact))
    }

    /// A line of exactly `plies` plies that begins with `first` and ends in mate before the fifty-move rule.
    fn find(&mut self, first: Move, plies: u32, mut source: NoTable<'_>) -> Option<Vec<Move>> {
        if self.root.halfmoves() + plies > 99 {
            return None;
        }
        let mut prover = MateProver::new(&self.repeatable, CAPACITY);
        let mut search = MateLine::new(&mut source, &mut prover, self.left);
        let line = search.find(&self.root, Some(first), plies);
        self.left = search.left();
        line.filter(|line| line.len() == plies as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use crate::chess::score::MATE;
    use crate::search::NoControl;

    fn completed(fen: &str, line: &str, value: Value) -> (String, Bound) {
        let game = Game::parse_fen(fen).unwrap();
        let line: Vec<Move> = line.split(' ').map(|text| game.parse_move(text).unwrap()).collect();
        let mut mates = MateLines::new(game.position(), Vec::new());
        let (line, bound) = mates.complete(&line, value, 0, &mut NoControl);
        let text: Vec<String> = line.iter().map(|&m| game.print_move(m)).collect();
        (text.join(" "), bound)
    }

    #[test]
    fn a_line_of_mate_is_completed() {
        let fen = "7k/8/8/8/8/8/1R6/R3K3 w - - 0 1";
        assert_eq!(completed(fen, "b2b7", MATE - 3), ("b2b7 h8g8 a1a8".to_owned(), Bound::Exact));
        let mated = "7k/1R6/8/8/8/8/8/R3K3 b - - 0 1";
        assert_eq!(completed(mated, "h8g8", 2 - MATE), ("h8g8 a1a8".to_owned(), Bound::Exact));
        assert_eq!(completed(fen, "b2b7", 20), ("b2b7".to_owned(), Bound::Exact), "no mate");
    }

    #[test]
    fn a_mate_whose_line_is_not_found_is_a_bound() {
        let fen = "7k/8/8/8/8/8/1R6/R3K3 w - - 0 1";
        assert_eq!(completed(fen, "e1e2", MATE - 3), ("e1e2".to_owned(), Bound::Lower), "there is none");
        assert_eq!(
            completed(fen, "b2b7", MATE - 5),
            ("b2b7".to_owned(), Bound::Lower),
            "there is a sooner one"
        );
        let late = "7k/1R6/8/8/8/8/8/R3K3 b - - 98 90";
        assert_eq!(completed(late, "h8g8", 2 - MATE), ("h8g8".to_owned(), Bound::Upper), "fifty moves");
    }
}
