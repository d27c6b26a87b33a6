//! Writing opening books in the Polyglot format (see [`crate::chess::book`]): entries are collected in any
//! order, weights of one move added up, and the book is written sorted.

use crate::chess::Position;
use crate::chess::book::{self, Book, BookEntry, BookError, ENTRY_BYTES};
use shakmaty::Move;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Entries collected for a book.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    /// Weight and learning data by key and move.
    entries: BTreeMap<(u64, u16), (u64, u32)>,
}

impl Builder {
    /// Adds weight to a move.
    pub fn add(&mut self, position: &Position, m: Move, weight: u16) {
        self.add_entry(BookEntry { key: position.polyglot_key(), code: book::code(m), weight, learn: 0 });
    }

    /// Adds an entry. If its move is there already, the weights are added up and the larger learning data is
    /// kept.
    pub fn add_entry(&mut self, entry: BookEntry) {
        let (weight, learn) = self.entries.entry((entry.key, entry.code)).or_default();
        *weight += u64::from(entry.weight);
        *learn = (*learn).max(entry.learn);
    }

    /// Writes castling as the king taking its rook, in every position that the collected moves reach from
    /// `start`. Other entries stay as they are: a key does not tell its position, and e1g1 may be a rook's
    /// move there. [`Book::moves`] counts both spellings as one move.
    pub fn unify_castling(&mut self, start: &Position) {
        let (mut seen, mut waiting) = (BTreeSet::from([start.polyglot_key()]), vec![start.clone()]);
        while let Some(position) = waiting.pop() {
            let key = position.polyglot_key();
            for code in self.codes(key) {
                let Some(m) = book::decode(&position, code) else { continue };
                self.respell(key, code, book::code(m));
                let next = position.play(m);
                if seen.insert(next.polyglot_key()) {
                    waiting.push(next);
                }
            }
        }
    }

    /// The moves of a key.
    fn codes(&self, key: u64) -> Vec<u16> {
        self.entries.range((key, 0)..=(key, u16::MAX)).map(|(&(_, code), _)| code).collect()
    }

    /// Changes the bits of a move; its weight is added to that of an entry with the new bits.
    fn respell(&mut self, key: u64, from: u16, to: u16) {
        if from != to
            && let Some((weight, learn)) = self.entries.remove(&(key, from))
        {
            let known = self.entries.entry((key, to)).or_default();
            *known = (known.0 + weight, known.1.max(learn));
        }
    }

    /// True if there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The book: sorted by key, a position's moves by weight. A weight has 16 bits: where one is greater, all
    /// of its position are scaled together, so that their shares stay; none becomes 0.
    ///
    /// # Errors
    /// If there is no entry, or more than fit into a book.
    pub fn finish(self) -> Result<Book, BookError> {
        let mut most: BTreeMap<u64, u64> = BTreeMap::new();
        for (&(key, _), &(weight, _)) in &self.entries {
            let most = most.entry(key).or_default();
            *most = (*most).max(weight);
        }
        let scaled = |key: u64, weight: u64| {
            let most = most.get(&key).copied().unwrap_or(weight).max(u64::from(u16::MAX));
            let (most, weight) = (u128::from(most), u128::from(weight));
            let rounded = (weight * u128::from(u16::MAX) + most / 2) / most;
            u16::try_from(rounded.max(weight.min(1))).unwrap_or(u16::MAX)
        };
        let mut entries: Vec<BookEntry> = self
            .entries
            .iter()
            .map(|(&(key, code), &(weight, learn))| BookEntry {
                key,
                code,
                weight: scaled(key, weight),
                learn,
            })
            .collect();
        entries.sort_by_key(|entry| (entry.key, Reverse(entry.weight), entry.code));
        Book::from_bytes(entries.into_iter().flat_map(to_bytes).collect())
    }
}

/// The bytes of an entry, big-endian.
fn to_bytes(entry: BookEntry) -> [u8; ENTRY_BYTES] {
    let BookEntry { key, code, weight, learn } = entry;
    let bits = u128::from(key) << 64 | u128::from(code) << 48 | u128::from(weight) << 32;
    (bits | u128::from(learn)).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;

    fn position(fen: &str) -> Position {
        Game::parse_fen(fen).unwrap().position().clone()
    }

    /// Bits of a move without promotion from square to square, both counted from a1 by ranks.
    fn bits(text: &str) -> u16 {
        let square = |text: &str| u16::from(text.parse::<shakmaty::Square>().unwrap());
        square(&text[2..4]) | square(&text[..2]) << 6
    }

    #[test]
    fn entries_survive_the_file() {
        let start = Game::new().position().clone();
        let (e4, d4) = (bits("e2e4"), bits("d2d4"));
        let mut builder = Builder::default();
        builder.add_entry(BookEntry { key: u64::MAX, code: 1, weight: 2, learn: 3 });
        builder.add_entry(BookEntry { key: start.polyglot_key(), code: d4, weight: 40_000, learn: 0 });
        builder.add_entry(BookEntry { key: start.polyglot_key(), code: d4, weight: 40_000, learn: 7 });
        builder.add(&start, book::decode(&start, e4).unwrap(), u16::MAX);
        let book = builder.finish().unwrap();
        assert_eq!(&book.bytes()[..16], b"\x46\x3b\x96\x18\x16\x91\xfc\x9c\x02\xdb\xff\xff\0\0\0\x07");
        assert_eq!(&book.bytes()[32..], b"\xff\xff\xff\xff\xff\xff\xff\xff\0\x01\0\x02\0\0\0\x03");
        let again = Book::from_bytes(book.bytes().to_vec()).unwrap();
        let entries: Vec<BookEntry> = again.entries().collect();
        // 80,000 and 65,535 games: both are scaled.
        assert_eq!(entries.iter().map(|e| (e.code, e.weight)).collect::<Vec<_>>()[1], (e4, 53_685));
        assert_eq!(again.find(start.polyglot_key()).count(), 2);
        assert_eq!(again.find(0).count() + again.find(start.polyglot_key() + 1).count(), 0);
        assert_eq!(again.find(u64::MAX).collect::<Vec<_>>(), entries[2..]);
    }

    /// Two books of one line, one with each spelling of castling: one entry if the position is reached from
    /// the start, else two, which a look-up counts as one move.
    #[test]
    fn castling_is_merged_where_the_position_is_known() {
        let mut game = Game::new();
        let mut builder = Builder::default();
        for text in ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5"] {
            builder.add(game.position(), game.parse_move(text).unwrap(), 1);
            game.play_text(text).unwrap();
        }
        let unknown = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        for key in [game.position().polyglot_key(), unknown.polyglot_key()] {
            for (text, weight, learn) in [("e1g1", 2, 9), ("e1h1", 3, 4), ("e1e2", 1, 0)] {
                builder.add_entry(BookEntry { key, code: bits(text), weight, learn });
            }
        }
        builder.unify_castling(Game::new().position());
        let book = builder.finish().unwrap();
        let entries = |position: &Position| -> Vec<(u16, u16, u32)> {
            book.find(position.polyglot_key()).map(|e| (e.code, e.weight, e.learn)).collect()
        };
        assert_eq!(entries(game.position()), [(bits("e1h1"), 5, 9), (bits("e1e2"), 1, 0)]);
        assert_eq!(entries(&unknown).len(), 3);
        for position in [game.position(), &unknown] {
            let moves = book.moves(position);
            assert!(moves.len() == 2 && moves[0].m.is_castle() && moves[0].weight == 5, "{moves:?}");
        }
    }

    #[test]
    fn weights_beyond_16_bits_are_scaled_together() {
        let start = Game::new().position().clone();
        let add = |builder: &mut Builder, text: &str, games: u64| {
            let key = (start.polyglot_key(), bits(text));
            builder.entries.insert(key, (games, 0));
        };
        let mut builder = Builder::default();
        for (text, games) in [("e2e4", 131_070), ("d2d4", 66_000), ("c2c4", 6_600), ("a2a3", 1), ("h2h3", 0)]
        {
            add(&mut builder, text, games);
        }
        // Another position, whose weights fit.
        let other = position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        builder.add(&other, book::decode(&other, bits("e2e4")).unwrap(), 9);
        let book = builder.finish().unwrap();
        let weights =
            |position: &Position| book.moves(position).iter().map(|found| found.weight).collect::<Vec<_>>();
        assert_eq!(weights(&start), [65_535, 33_000, 3_300, 1, 0]);
        assert_eq!(weights(&other), [9]);
    }

    /// A rook moves from e1 to g1 or to h1: two moves, and both stay.
    #[test]
    fn no_other_move_is_taken_for_castling() {
        let rook = position("7k/8/8/8/8/8/K7/4R3 w - - 0 1");
        let mut builder = Builder::default();
        for text in ["e1g1", "e1h1"] {
            builder.add_entry(BookEntry { key: rook.polyglot_key(), code: bits(text), weight: 1, learn: 0 });
        }
        builder.unify_castling(&rook);
        assert_eq!(builder.finish().unwrap().moves(&rook).len(), 2);
    }
}
