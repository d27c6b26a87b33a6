//! The positions of a game with the keys before each, and the result of a search of one.

use crate::chess::Position;
use crate::chess::game::{End, Game};
use crate::chess::score::Value;
use crate::lab::base::formats::pgn::reader::PgnGame;
use shakmaty::{CastlingMode, Move, Position as _};

/// The positions of a game, from the first to that behind its last move.
#[derive(Clone, Debug)]
pub struct Positions {
    all: Vec<Position>,
    keys: Vec<u64>,
    /// For each position, the index of the first one that it may repeat.
    since: Vec<usize>,
    /// Notation of castling, standard or Chess960.
    pub castling: CastlingMode,
    /// The rule that ends the game in its last position, if one does.
    pub end: Option<End>,
}

impl Positions {
    /// The positions of a game.
    #[must_use]
    pub fn of(game: &PgnGame) -> Positions {
        let mut now: Game = game.start.clone();
        let (mut all, mut since) = (vec![now.position().clone()], vec![0]);
        for (index, &m) in game.moves.iter().enumerate() {
            let irreversible = now.position().chess().is_irreversible(m);
            since.push(if irreversible { index + 1 } else { since[index] });
            now.play(m);
            all.push(now.position().clone());
        }
        let keys = all.iter().map(Position::key).collect();
        Positions { all, keys, since, castling: now.castling(), end: now.end() }
    }

    /// All positions, one more than there are moves.
    #[must_use]
    pub fn all(&self) -> &[Position] {
        &self.all
    }

    /// Keys of the positions that the one of this index may repeat, oldest first.
    #[must_use]
    pub fn history(&self, index: usize) -> &[u64] {
        &self.keys[self.since[index]..index]
    }

    /// The rule that ends the game in the position of this index.
    #[must_use]
    pub fn end_at(&self, index: usize) -> Option<End> {
        self.end.filter(|_| index + 1 == self.all.len())
    }
}

/// Most plies of a line that are kept.
pub const MOST_LINE: usize = 10;

/// Result of the search of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evaluated {
    /// Value for the side to move, in units of evaluation; `None` if no iteration was completed.
    pub value: Option<Value>,
    /// Completed depth in plies.
    pub depth: i32,
    /// Made moves.
    pub nodes: u64,
    /// The principal variation, at most [`MOST_LINE`] plies; empty where there is no move.
    pub line: Vec<Move>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::formats::pgn::reader::GameReader;

    #[test]
    fn a_position_has_the_history_that_the_game_had_there() {
        let text = "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 Nf6 4. Nf3 Ng8 5. Ng1 Nf6 6. Nf3 Ng8 7. Ng1 *";
        let game = GameReader::new(text.as_bytes()).next_game().unwrap().unwrap().1.unwrap();
        let positions = Positions::of(&game);
        let mut now = game.start.clone();
        for (index, &m) in game.moves.iter().enumerate() {
            assert_eq!(positions.history(index), now.key_history(), "{index}");
            assert_eq!((positions.all()[index].key(), positions.end_at(index)), (now.position().key(), None));
            now.play(m);
        }
        assert_eq!(positions.history(game.moves.len()), now.key_history());
        assert_eq!(positions.end_at(game.moves.len()), Some(End::Repetition));
    }
}
