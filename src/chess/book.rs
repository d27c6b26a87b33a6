//! Opening books in the Polyglot format: reading a book, finding a position in it, choosing a move.
//!
//! A book is a list of entries of 16 bytes, big-endian, sorted by key: the position's key (8 bytes), the move
//! (2), its weight (2) and learning data (4, kept but not used). A move is returned only if it is legal, so
//! that a damaged book cannot make the engine play an illegal one. Books are made by `plumb book`.

use super::Position;
use crate::choice;
use crate::files;
use crate::random::SplitMix64;
use shakmaty::{CastlingSide, Move, Position as _, Role};
use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::Path;

/// Bytes of an entry.
pub const ENTRY_BYTES: usize = 16;

/// Bytes of the largest book that is read: it is held in memory.
const MOST_BYTES: u64 = 1 << 30;

/// The book of this project, made from `book/lines.tsv`.
static OWN: &[u8] = include_bytes!("../../book/plumb.bin");

choice! {
    /// Choice of a book move.
    Choice {
        /// The move of the greatest weight.
        Best = "best",
        /// A random move, with a probability in proportion to its weight.
        #[default]
        Weighted = "weighted",
    }
}

/// Entry of a book: a move for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BookEntry {
    /// The Polyglot key of the position.
    pub key: u64,
    /// The move in Polyglot's 15 bits; see [`code`].
    pub code: u16,
    /// Frequency of the move, relative to the position's other moves.
    pub weight: u16,
    /// Learning data of other programs; not used here.
    pub learn: u32,
}

impl BookEntry {
    fn from_bytes(bytes: &[u8; ENTRY_BYTES]) -> BookEntry {
        let bits = u128::from_be_bytes(*bytes);
        BookEntry {
            key: (bits >> 64) as u64,
            code: (bits >> 48) as u16,
            weight: (bits >> 32) as u16,
            learn: bits as u32,
        }
    }
}

/// A book move of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move, legal in the position.
    pub m: Move,
    /// Its weight.
    pub weight: u32,
    /// The weights of all moves that the book has for the position.
    pub total: u32,
}

impl BookMove {
    /// Its share of all weights, in per cent.
    #[must_use]
    pub fn percent(&self) -> f64 {
        100.0 * f64::from(self.weight) / f64::from(self.total.max(1))
    }
}

/// An opening book that is valid as a file.
#[derive(Clone)]
pub struct Book {
    bytes: Cow<'static, [u8]>,
}

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Book of {} entries", self.len())
    }
}

impl Book {
    /// The built-in book of this project.
    #[must_use]
    pub fn own() -> Book {
        Book { bytes: Cow::Borrowed(OWN) }
    }

    /// Reads a book from a file.
    ///
    /// # Errors
    /// If the file cannot be read, is too large, or is not a valid book.
    pub fn read(path: &Path) -> Result<Book, BookError> {
        Book::from_bytes(files::read_regular(path, MOST_BYTES).map_err(BookError::File)?)
    }

    /// A book from the bytes of its file.
    ///
    /// # Errors
    /// If they are not a valid book: empty, too large, with an incomplete entry, or with keys out of order.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Book, BookError> {
        if bytes.is_empty() {
            return Err(BookError::Empty);
        }
        if bytes.len() as u64 > MOST_BYTES {
            return Err(BookError::TooLarge);
        }
        let (entries, rest) = bytes.as_chunks::<ENTRY_BYTES>();
        if !rest.is_empty() {
            return Err(BookError::Length(bytes.len()));
        }
        let keys = entries.iter().map(|entry| BookEntry::from_bytes(entry).key);
        let following = keys.clone().skip(1);
        if let Some(at) = keys.zip(following).position(|(key, next)| key > next) {
            return Err(BookError::Unsorted(at + 1));
        }
        Ok(Book { bytes: Cow::Owned(bytes) })
    }

    /// The bytes, as a file holds them.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn chunks(&self) -> &[[u8; ENTRY_BYTES]] {
        self.bytes.as_chunks::<ENTRY_BYTES>().0
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.chunks().len()
    }

    /// True if there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chunks().is_empty()
    }

    /// Every entry, in the order of the keys.
    pub fn entries(&self) -> impl Iterator<Item = BookEntry> + '_ {
        self.chunks().iter().map(BookEntry::from_bytes)
    }

    /// The entries of a key, in the order of the file.
    pub fn find(&self, key: u64) -> impl Iterator<Item = BookEntry> + '_ {
        let chunks = self.chunks();
        let first = chunks.partition_point(|chunk| BookEntry::from_bytes(chunk).key < key);
        chunks.iter().skip(first).map(BookEntry::from_bytes).take_while(move |entry| entry.key == key)
    }

    /// The legal moves that the book has for a position, the greatest weight first. The weights of entries
    /// for the same move are added up.
    #[must_use]
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let mut found: Vec<BookMove> = Vec::new();
        for entry in self.find(position.polyglot_key()) {
            let Some(m) = decode(position, entry.code) else { continue };
            let weight = u32::from(entry.weight);
            match found.iter_mut().find(|known| known.m == m) {
                Some(known) => known.weight = known.weight.saturating_add(weight),
                None => found.push(BookMove { m, weight, total: 0 }),
            }
        }
        let total = found.iter().fold(0, |sum: u32, known| sum.saturating_add(known.weight));
        found.iter_mut().for_each(|known| known.total = total);
        found.sort_by_key(|known| std::cmp::Reverse(known.weight));
        found
    }

    /// Chooses a move for a position, one of `among` unless that is empty. A move of weight 0 is listed by
    /// [`Book::moves`] but never chosen.
    pub fn choose(
        &self,
        position: &Position,
        among: &[Move],
        choice: Choice,
        random: &mut SplitMix64,
    ) -> Option<BookMove> {
        let mut moves = self.moves(position);
        moves.retain(|known| known.weight > 0 && (among.is_empty() || among.contains(&known.m)));
        if choice == Choice::Best {
            return moves.first().copied();
        }
        let total: usize = moves.iter().map(|known| known.weight as usize).sum();
        if total == 0 {
            return None;
        }
        let mut left = random.below(total);
        moves.into_iter().find(|known| {
            let weight = known.weight as usize;
            let chosen = left < weight;
            left = left.saturating_sub(weight);
            chosen
        })
    }
}

/// A move in Polyglot's encoding: from the lowest bit, three bits each for file and rank of the square that
/// it goes to, file and rank of the square that it leaves, and the promotion (0 none, 1 knight to 4 queen).
/// Castling is the king taking its rook, also in standard chess.
#[must_use]
pub fn code(m: Move) -> u16 {
    let from = m.from().map_or(0, u16::from);
    let promotion = match m.promotion() {
        Some(Role::Knight) => 1,
        Some(Role::Bishop) => 2,
        Some(Role::Rook) => 3,
        Some(Role::Queen) => 4,
        _ => 0,
    };
    u16::from(m.to()) | from << 6 | promotion << 12
}

/// Castling encoded as the king's own move, which some books have instead.
fn code_of_king(position: &Position, m: Move) -> Option<u16> {
    let Move::Castle { king, rook } = m else { return None };
    let side = CastlingSide::from_king_side(king < rook);
    Some(u16::from(side.king_to(position.turn())) | u16::from(king) << 6)
}

/// The legal move of a position for an encoded move; castling may be in either encoding.
#[must_use]
pub fn decode(position: &Position, bits: u16) -> Option<Move> {
    let legal = position.chess().legal_moves();
    let exact = legal.iter().find(|&&m| code(m) == bits);
    exact.or_else(|| legal.iter().find(|&&m| code_of_king(position, m) == Some(bits))).copied()
}

/// Error of reading or building a book.
#[derive(Debug)]
pub enum BookError {
    /// The file cannot be read.
    File(io::Error),
    /// It has no entry.
    Empty,
    /// It is larger than what is held in memory.
    TooLarge,
    /// Its length in bytes, not a whole number of entries.
    Length(usize),
    /// The entry after this one, counted from 1, has a smaller key.
    Unsorted(usize),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::File(error) => write!(f, "the book cannot be read: {error}"),
            BookError::Empty => write!(f, "the book is empty"),
            BookError::TooLarge => write!(f, "the book is larger than {} MiB", MOST_BYTES >> 20),
            BookError::Length(bytes) => {
                write!(f, "the book is damaged: {bytes} bytes are no multiple of {ENTRY_BYTES}")
            }
            BookError::Unsorted(entry) => {
                write!(f, "the book is damaged: its keys are out of order after entry {entry}")
            }
        }
    }
}

impl std::error::Error for BookError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;

    fn position(fen: &str) -> Position {
        Game::parse_fen(fen).unwrap().position().clone()
    }

    /// A book with the moves of one position, given by their bits.
    fn book(position: &Position, moves: &[(u16, u16)]) -> Book {
        let entry = |&(code, weight): &(u16, u16)| {
            let bits =
                u128::from(position.polyglot_key()) << 64 | u128::from(code) << 48 | u128::from(weight) << 32;
            bits.to_be_bytes()
        };
        Book::from_bytes(moves.iter().flat_map(entry).collect()).unwrap()
    }

    /// The encoded move of a text such as `e2e4`, with a promotion.
    fn bits(text: &str, promotion: u16) -> u16 {
        let square = |text: &str| u16::from(text.parse::<shakmaty::Square>().unwrap());
        square(&text[2..4]) | square(&text[..2]) << 6 | promotion << 12
    }

    /// The keys that the description of the format gives as a test.
    #[test]
    fn keys_are_those_of_the_format_description() {
        let mut game = Game::new();
        let mut check = |moves: &str, key: u64| {
            moves.split_whitespace().for_each(|text| game.play_text(text).unwrap());
            assert_eq!(game.position().polyglot_key(), key, "{moves}");
        };
        check("", 0x463b_9618_1691_fc9c);
        check("e2e4", 0x823c_9b50_fd11_4196);
        check("d7d5", 0x0756_b944_61c5_0fb0);
        check("e4e5", 0x662f_afb9_65db_29d4);
        check("f7f5", 0x22a4_8b5a_8e47_ff78);
        check("e1e2", 0x652a_607c_a3f2_42c1);
        check("e8f7", 0x00fd_d303_c946_bdd9);
        let mut game = Game::new();
        "a2a4 b7b5 h2h4 b5b4 c2c4".split(' ').for_each(|text| game.play_text(text).unwrap());
        assert_eq!(game.position().polyglot_key(), 0x3c81_23ea_7b06_7637);
        "b4c3 a1a3".split(' ').for_each(|text| game.play_text(text).unwrap());
        assert_eq!(game.position().polyglot_key(), 0x5c3f_9b82_9b27_9560);
    }

    /// The format counts en passant where a pawn stands ready to capture, even one that may not.
    #[test]
    fn a_position_is_found_by_polyglots_rule_of_en_passant() {
        let position = position("8/8/8/K2Pp2r/8/8/8/7k w - e6 0 1");
        assert_ne!(position.polyglot_key(), position.key());
        let entry = (bits("d5d6", 0), 1);
        assert_eq!(book(&position, &[entry]).moves(&position).len(), 1);
    }

    #[test]
    fn every_legal_move_is_decoded_from_its_encoding() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "1n5k/P7/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "4k3/8/8/8/8/8/p7/1N2K3 b - - 0 1",
            "1rkr4/8/8/8/8/8/8/1RKR4 w DBdb - 0 1",
            "5rkr/8/8/8/8/8/8/5RKR b HFhf - 0 1",
        ] {
            let position = position(fen);
            for m in position.chess().legal_moves() {
                assert_eq!(decode(&position, code(m)), Some(m), "{fen}");
            }
        }
    }

    #[test]
    fn both_encodings_of_castling_are_decoded() {
        let castle = |king: &str, rook: &str| Move::Castle {
            king: king.parse().unwrap(),
            rook: rook.parse().unwrap(),
        };
        for turn in ["w", "b"] {
            let position = position(&format!("r3k2r/8/8/8/8/8/8/R3K2R {turn} KQkq - 0 1"));
            let rank = if turn == "w" { 1 } else { 8 };
            for (rook, to) in [("h", "g"), ("a", "c")] {
                let expected = castle(&format!("e{rank}"), &format!("{rook}{rank}"));
                for target in [rook, to] {
                    let bits = bits(&format!("e{rank}{target}{rank}"), 0);
                    assert_eq!(decode(&position, bits), Some(expected), "{turn} {target}");
                }
            }
        }
        // Without the right it is no castling, and with a king elsewhere it is a move like any other.
        let lost = position("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1");
        assert_eq!(decode(&lost, bits("e1h1", 0)), None);
        assert_eq!(decode(&lost, bits("e1g1", 0)), None);
        let rook = position("k7/8/8/8/8/8/8/K3R3 w - - 0 1");
        assert_eq!(decode(&rook, bits("e1h1", 0)).unwrap().role(), Role::Rook);
    }

    #[test]
    fn castling_and_king_steps_are_told_apart_in_chess960() {
        // The king on f1 steps to g1, or castles with h1: the two are told apart.
        let position = position("5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1");
        let step = decode(&position, bits("f1g1", 0)).unwrap();
        assert!(matches!(step, Move::Normal { role: Role::King, .. }));
        let castle = decode(&position, bits("f1h1", 0)).unwrap();
        assert!(castle.is_castle());
        // From b1, only castling reaches g1.
        let far = self::position("1k5r/8/8/8/8/8/8/1K5R b Hh - 0 1");
        for text in ["b8h8", "b8g8"] {
            assert!(decode(&far, bits(text, 0)).unwrap().is_castle(), "{text}");
        }
    }

    #[test]
    fn promotions_need_a_valid_piece() {
        for (fen, text) in
            [("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8"), ("4k3/8/8/8/8/8/p7/7K b - - 0 1", "a2a1")]
        {
            let position = position(fen);
            for (piece, role) in [(1, Role::Knight), (2, Role::Bishop), (3, Role::Rook), (4, Role::Queen)] {
                assert_eq!(decode(&position, bits(text, piece)).unwrap().promotion(), Some(role));
            }
            for piece in [0, 5, 6, 7] {
                assert_eq!(decode(&position, bits(text, piece)), None, "{piece}");
            }
        }
    }

    #[test]
    fn the_best_move_or_a_random_move_by_weight_is_chosen() {
        let start = Game::new().position().clone();
        let (e4, d4, c4) = (bits("e2e4", 0), bits("d2d4", 0), bits("c2c4", 0));
        // e2e5 is illegal, and c2c4 has no weight.
        let book = book(&start, &[(e4, 300), (d4, 100), (c4, 0), (bits("e2e5", 0), 60_000)]);
        let known: Vec<_> = book.moves(&start).iter().map(|m| (code(m.m), m.weight, m.total)).collect();
        assert_eq!(known, [(e4, 300, 400), (d4, 100, 400), (c4, 0, 400)]);
        let mut random = SplitMix64::new(1);
        let best = book.choose(&start, &[], Choice::Best, &mut random).unwrap();
        assert_eq!((code(best.m), best.percent()), (e4, 75.0));
        let mut choose = |among: &[Move]| book.choose(&start, among, Choice::Weighted, &mut random);
        let count = (0..4000).filter(|_| code(choose(&[]).unwrap().m) == e4).count();
        assert!((2850..3150).contains(&count), "{count} of 4000 instead of some 3000");
        let asked = |text: u16| vec![decode(&start, text).unwrap()];
        assert_eq!(code(choose(&asked(d4)).unwrap().m), d4);
        assert_eq!(choose(&asked(c4)), None);
        assert_eq!(choose(&asked(bits("a2a3", 0))), None);
        assert!(book.moves(&position("4k3/8/8/8/8/8/8/4K3 w - - 0 1")).is_empty());
    }

    #[test]
    fn damaged_books_are_refused() {
        let good: Vec<u8> = Book::own().bytes().to_vec();
        let refused = |bytes: &[u8]| Book::from_bytes(bytes.to_vec()).unwrap_err().to_string();
        assert!(refused(&[]).contains("empty"));
        assert!(refused(&good[..good.len() - 1]).contains("no multiple of 16"));
        assert!(refused(b"no book").contains("no multiple of 16"));
        let (first, rest) = good.split_at(ENTRY_BYTES);
        assert!(refused(&[rest, first].concat()).contains("out of order after entry"));
        let here = std::env::temp_dir();
        assert!(matches!(Book::read(&here), Err(BookError::File(_))), "a folder");
        assert!(matches!(Book::read(&here.join("there-is-no-such.bin")), Err(BookError::File(_))));
    }

    /// Random bytes are refused or read as a book of legal moves; nothing panics.
    #[test]
    fn random_bytes_never_panic() {
        let mut random = SplitMix64::new(7);
        let position = position("r3k2r/P6P/8/8/8/8/p6p/R3K2R w KQkq - 0 1");
        for length in 0..200 {
            let _ = Book::from_bytes((0..length).map(|_| random.next() as u8).collect());
        }
        let all: Vec<(u16, u16)> = (0..=u16::MAX).map(|bits| (bits, u16::MAX)).collect();
        let moves = book(&position, &all).moves(&position);
        assert_eq!(moves.len(), position.chess().legal_moves().len());
        assert!(moves.iter().all(|m| m.total >= m.weight));
    }

    #[test]
    fn the_built_in_book_is_valid_and_has_moves_for_the_start() {
        let own = Book::own();
        assert!(Book::from_bytes(own.bytes().to_vec()).is_ok());
        assert!(own.moves(Game::new().position()).len() >= 4);
    }
}
