//! Repetition and the fifty-move rule, and upcoming repetition: where the side to move can return to a
//! position of the line, it has at least a draw without a search (after M. N. J. van Kervinck, "The design
//! and implementation of the Rookie 2.0 chess playing program", 2002, section 2.4).
//!
//! The Zobrist keys of two positions that differ by one reversible move of one piece differ by a number that
//! depends on the move alone. A hash table holds these numbers of all moves.

use crate::chess::Position;
use crate::search::state::Search;
use once_cell::sync::Lazy;
use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

/// Slots of the hash table, a power of two; a quarter of them is taken.
const SLOTS: usize = 1 << 14;

/// A reversible move, in either direction, with the difference that it makes to the key.
#[derive(Clone, Copy)]
struct Reversible {
    key: u64,
    from: Square,
    to: Square,
}

/// The hash table: open addressing by the difference of keys, linear probing.
struct ReversibleMoves {
    /// The high bits of each slot's difference, 0 for a free slot: nearly every search ends at one of these,
    /// and 32 KiB stay in the cache where the moves would not.
    tags: Box<[u16; SLOTS]>,
    moves: Box<[Option<Reversible>; SLOTS]>,
}

static MOVES: Lazy<ReversibleMoves> = Lazy::new(|| {
    let mut table = ReversibleMoves { tags: Box::new([0; SLOTS]), moves: Box::new([None; SLOTS]) };
    let on = |square: Square, piece: Piece| Zobrist64::zobrist_for_piece(square, piece).0;
    for color in Color::ALL {
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
            let piece = Piece { color, role };
            for from in Square::ALL {
                let reached = attacks::attacks(from, piece, Bitboard::EMPTY);
                for to in reached.into_iter().filter(|&to| from < to) {
                    let key = on(from, piece) ^ on(to, piece) ^ Zobrist64::zobrist_for_white_turn().0;
                    table.insert(Reversible { key, from, to });
                }
            }
        }
    }
    table
});

impl ReversibleMoves {
    fn insert(&mut self, m: Reversible) {
        let mut slot = m.key as usize % SLOTS;
        while self.moves[slot].is_some() {
            slot = (slot + 1) % SLOTS;
        }
        (self.tags[slot], self.moves[slot]) = (tag(m.key), Some(m));
    }

    /// The reversible move of a difference of keys.
    fn find(&self, key: u64) -> Option<Reversible> {
        let mut slot = key as usize % SLOTS;
        while self.tags[slot] != 0 {
            let found = if self.tags[slot] == tag(key) { self.moves[slot] } else { None };
            if found.is_some_and(|found| found.key == key) {
                return found;
            }
            slot = (slot + 1) % SLOTS;
        }
        None
    }
}

/// The high bits of a difference of keys; never 0.
fn tag(key: u64) -> u16 {
    (key >> 48) as u16 | 1
}

/// True if the side to move can reach one of the positions from `oldest` on. `key_history` holds the keys of
/// the positions before this one; no capture, pawn move or null move may come after `oldest`: no game goes
/// back over these.
pub(super) fn is_upcoming(position: &Position, key_history: &[u64], oldest: usize) -> bool {
    let moves = &*MOVES;
    let own = position.board().by_color(position.turn());
    let mut plies_back = 3;
    while key_history.len() >= oldest + plies_back {
        let difference = position.key() ^ key_history[key_history.len() - plies_back];
        // A move of the other side, which came there by three moves, gives the side to move nothing.
        if let Some(found) = moves.find(difference)
            && (own.contains(found.from) || own.contains(found.to))
            && (attacks::between(found.from, found.to) & position.board().occupied()).is_empty()
        {
            return true;
        }
        plies_back += 2;
    }
    false
}

impl Search<'_> {
    /// Upcoming repetition: a move of the side to move repeats a position of the line below the root.
    pub(super) fn upcoming_repetition(&self, position: &Position) -> bool {
        let oldest = self.key_history.repeatable_from(position).max(self.key_history.root_at());
        is_upcoming(position, self.key_history.keys(), oldest)
    }

    /// True at a repetition inside the search, at the second repetition of a position of the game, and after
    /// fifty moves without a capture or pawn move (unless the last of them mates).
    pub(super) fn is_draw_by_path(&self, position: &Position) -> bool {
        if position.halfmoves() >= 100 && !position.is_checkmate() {
            return true;
        }
        let (keys, oldest) = (self.key_history.keys(), self.key_history.repeatable_from(position));
        let mut repetitions = 0;
        let mut at = keys.len();
        while at >= oldest + 2 {
            at -= 2;
            if keys[at] == position.key() {
                repetitions += 1;
                if at >= self.key_history.root_at() || repetitions == 2 {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, uci::UciMove};

    fn play(moves: &[&str]) -> (Position, Vec<u64>) {
        let mut position = Position::new(Chess::default());
        let mut key_history = Vec::new();
        for text in moves {
            key_history.push(position.key());
            let m = text.parse::<UciMove>().unwrap().to_move(position.chess()).unwrap();
            position = position.play(m);
        }
        (position, key_history)
    }

    #[test]
    fn a_knight_that_can_return_makes_a_repetition_upcoming() {
        let (position, key_history) = play(&["g1f3", "g8f6", "f3g1"]);
        assert!(is_upcoming(&position, &key_history, 0));
        assert!(
            !is_upcoming(&position, &key_history, 1),
            "positions before the root need a second repetition"
        );
    }

    /// Black went from g8 to h6 by way of f6 and g4, White's knight left f3 and came back: the position after
    /// 1. Nf3 is a move of Black away.
    #[test]
    fn a_move_of_the_other_side_makes_no_repetition_upcoming() {
        let (position, key_history) = play(&["g1f3", "g8f6", "f3g1", "f6g4", "g1f3", "g4h6"]);
        assert!(!is_upcoming(&position, &key_history, 0));
    }

    #[test]
    fn a_position_more_than_one_move_away_is_no_upcoming_repetition() {
        let (position, key_history) = play(&["g1f3", "g8f6", "b1c3"]);
        assert!(!is_upcoming(&position, &key_history, 0));
    }
}
