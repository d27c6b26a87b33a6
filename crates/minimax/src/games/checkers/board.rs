//! The board of checkers and the rules of moving (US rules), the same for both goals.
//!
//! Bits are squares, a1 = 0 to h8 = 63; a1 is dark, and only dark squares are played on. The board is always
//! seen from the side to move, which goes up: after a move it is turned round.

use std::fmt;

/// The dark squares.
const DARK: u64 = 0xaa55_aa55_aa55_aa55;
/// The first three rows: where the men of the side to move start.
const HOME: u64 = 0x00ff_ffff;
/// The last row, where men become kings.
const LAST_ROW: u64 = 0xff << 56;

/// The directions of a man, then those that only kings have. A step over the edge ends on a light square,
/// where nothing stands and nothing may.
const DIRECTIONS: [fn(u64) -> u64; 4] =
    [|squares| squares << 7, |squares| squares << 9, |squares| squares >> 9, |squares| squares >> 7];
/// Number of directions of a man.
const FORWARD: usize = 2;

/// A move as the side to move sees the board: a step, or a chain of jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Square of the piece.
    pub from: u8,
    /// Its new square; a king may come round to the old one.
    pub to: u8,
    /// The pieces it jumps over; none in a step.
    pub captured: u64,
}

/// Position, seen from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// Pieces of the side to move.
    pub own: u64,
    /// Pieces of the other side.
    pub their: u64,
    /// Kings of both.
    pub kings: u64,
    /// True if White is to move; Black begins.
    pub white: bool,
}

impl Board {
    /// Twelve men a side, Black to move.
    #[must_use]
    pub const fn start() -> Board {
        let own = DARK & HOME;
        Board { own, their: own.reverse_bits(), kings: 0, white: false }
    }

    const fn empty(&self) -> u64 {
        DARK & !(self.own | self.their)
    }

    /// The same board seen from the other side, which is to move now.
    #[must_use]
    pub const fn turned(&self) -> Board {
        Board {
            own: self.their.reverse_bits(),
            their: self.own.reverse_bits(),
            kings: self.kings.reverse_bits(),
            white: !self.white,
        }
    }

    /// The side to move's pieces that may go in direction number `index`.
    const fn movers(&self, index: usize) -> u64 {
        if index < FORWARD { self.own } else { self.own & self.kings }
    }

    /// Number of steps of the side to move, if no jump is forced.
    #[must_use]
    pub fn steps(&self) -> u32 {
        let empty = self.empty();
        let steps = |(index, go): (usize, &fn(u64) -> u64)| (go(self.movers(index)) & empty).count_ones();
        DIRECTIONS.iter().enumerate().map(steps).sum()
    }

    /// Number of first jumps of the side to move; it must make one of them if there are any.
    #[must_use]
    pub fn jumps(&self) -> u32 {
        let empty = self.empty();
        let jumps = |(index, go): (usize, &fn(u64) -> u64)| {
            (go(go(self.movers(index)) & self.their) & empty).count_ones()
        };
        DIRECTIONS.iter().enumerate().map(jumps).sum()
    }

    /// The moves: the jumps if there are any, else the steps. Always in the same order.
    #[must_use]
    pub fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(16);
        if self.jumps() > 0 {
            each(self.own, |piece| self.chains(piece, piece, 0, &mut moves));
            return moves;
        }
        let empty = self.empty();
        each(self.own, |piece| {
            for go in self.directions(piece) {
                let to = go(piece) & empty;
                if to != 0 {
                    moves.push(Move { from: square(piece), to: square(to), captured: 0 });
                }
            }
        });
        moves
    }

    /// The directions that a piece may go in.
    const fn directions(&self, piece: u64) -> &'static [fn(u64) -> u64] {
        if piece & self.kings != 0 { &DIRECTIONS } else { DIRECTIONS.split_at(FORWARD).0 }
    }

    /// Generates the chains of jumps that begin at `from`, have reached `at` and captured `captured`. A chain
    /// ends where no jump follows, and where a man reaches the last row.
    fn chains(&self, from: u64, at: u64, captured: u64, moves: &mut Vec<Move>) {
        let man = from & self.kings == 0;
        let (empty, prey) = (self.empty() | from, self.their & !captured);
        let mut ends = true;
        if !(man && at & LAST_ROW != 0) {
            for go in self.directions(from) {
                let over = go(at) & prey;
                let to = go(over) & empty;
                if to != 0 {
                    ends = false;
                    self.chains(from, to, captured | over, moves);
                }
            }
        }
        // A king may take the same pieces in another order: that is the same move.
        let m = Move { from: square(from), to: square(at), captured };
        if ends && captured != 0 && !moves.contains(&m) {
            moves.push(m);
        }
    }

    /// The squares on which the piece of one of [`Board::moves`] lands, one after another. Where the same
    /// pieces can be taken in several orders, it is one of these.
    #[must_use]
    pub fn landings(&self, m: Move) -> Vec<u8> {
        let mut landings = Vec::new();
        if m.captured == 0 || !self.lands(1 << m.from, 1 << m.from, m, m.captured, &mut landings) {
            return vec![m.to];
        }
        landings
    }

    /// Finds a way on from `at` over all of `left` to the end of a move.
    fn lands(&self, from: u64, at: u64, m: Move, left: u64, landings: &mut Vec<u8>) -> bool {
        if left == 0 {
            return square(at) == m.to;
        }
        let empty = self.empty() | from;
        self.directions(from).iter().any(|go| {
            let over = go(at) & left;
            let to = go(over) & empty;
            if to == 0 {
                return false;
            }
            landings.push(square(to));
            let found = self.lands(from, to, m, left & !over, landings);
            if !found {
                landings.pop();
            }
            found
        })
    }

    /// The board after one of [`Board::moves`].
    #[must_use]
    pub const fn play(&self, m: Move) -> Board {
        let (from, to) = (1 << m.from, 1 << m.to);
        let crowned = to & (if self.kings & from != 0 { u64::MAX } else { LAST_ROW });
        let moved = Board {
            own: self.own & !from | to,
            their: self.their & !m.captured,
            kings: self.kings & !from & !m.captured | crowned,
            white: self.white,
        };
        moved.turned()
    }

    /// Hash key of the board and the side to move.
    #[must_use]
    pub const fn key(&self) -> u64 {
        let mut key = 0x2545_f491_4f6c_dd1d ^ self.white as u64;
        key = mix(key ^ self.own);
        key = mix(key ^ self.their);
        mix(key ^ self.kings)
    }

    /// Reads the text form of its `Display`; `None` if it is not a board.
    #[must_use]
    pub fn parse(text: &str) -> Option<Board> {
        let (rows, side) = text.split_once(' ')?;
        let rows: Vec<&str> = rows.split('/').collect();
        if rows.len() != 8 || !rows.iter().all(|row| row.len() == 8) || !matches!(side, "b" | "w") {
            return None;
        }
        let mut board = Board { own: 0, their: 0, kings: 0, white: false };
        for (index, letter) in rows.iter().rev().flat_map(|row| row.chars()).enumerate() {
            let square = 1_u64 << index;
            match letter.to_ascii_lowercase() {
                '.' => continue,
                _ if square & DARK == 0 => return None,
                'b' => board.own |= square,
                'w' => board.their |= square,
                _ => return None,
            }
            if letter.is_ascii_uppercase() {
                board.kings |= square;
            }
        }
        Some(if side == "w" { board.turned() } else { board })
    }
}

/// Eight rows from the top, Black below and going up: `b`, `w` men, `B`, `W` kings; then who is to move.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seen = if self.white { self.turned() } else { *self };
        for row in (0..8).rev() {
            for file in 0..8 {
                let square = 1_u64 << (8 * row + file);
                let man = if seen.own & square != 0 {
                    'b'
                } else if seen.their & square != 0 {
                    'w'
                } else {
                    '.'
                };
                write!(f, "{}", if seen.kings & square != 0 { man.to_ascii_uppercase() } else { man })?;
            }
            write!(f, "{}", if row > 0 { "/" } else { " " })?;
        }
        write!(f, "{}", if self.white { 'w' } else { 'b' })
    }
}

const fn square(bit: u64) -> u8 {
    bit.trailing_zeros() as u8
}

fn each(mut squares: u64, mut visit: impl FnMut(u64)) {
    while squares != 0 {
        visit(squares & squares.wrapping_neg());
        squares &= squares - 1;
    }
}

/// The output function of SplitMix64: every bit affects every other.
const fn mix(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    fn perft(board: &Board, depth: u32) -> u64 {
        let moves = board.moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.into_iter().map(|m| perft(&board.play(m), depth - 1)).sum()
    }

    fn board(rows: [&str; 8], side: char) -> Board {
        Board::parse(&format!("{} {side}", rows.join("/"))).unwrap()
    }

    #[test]
    fn perft_counts_as_published() {
        let counts = [7, 49, 302, 1469, 7361, 36_768, 179_740, 845_931, 3_963_680];
        for (depth, wanted) in (1..).zip(counts) {
            assert_eq!(perft(&Board::start(), depth), wanted, "depth {depth}");
        }
    }

    #[test]
    fn a_man_that_is_crowned_ends_its_chain_of_jumps() {
        let rows = [
            "........", //
            "..w.w...", ".b......", "........", "........", "........", "........", "........",
        ];
        let moves = board(rows, 'b').moves();
        assert_eq!(moves.len(), 1);
        let after = board(rows, 'b').play(moves[0]);
        assert_eq!(
            after.to_string(),
            "...B..../....w.../......../......../......../......../......../........ w"
        );
        // The same piece as a king goes on.
        let king = rows.map(|row| row.replace('b', "B"));
        let king = Board::parse(&format!("{} b", king.join("/"))).unwrap();
        assert_eq!(king.moves()[0].captured.count_ones(), 2);
    }

    #[test]
    fn a_king_may_end_its_jumps_where_it_began_and_both_ways_round_are_one_move() {
        let rows = [
            "........", //
            "........", "........", "..w.w...", ".B......", "..w.w...", "........", "........",
        ];
        let moves = board(rows, 'b').moves();
        assert_eq!(moves.len(), 1, "{moves:?}");
        let m = moves[0];
        assert_eq!((m.from, m.to, m.captured.count_ones()), (25, 25, 4));
        assert_eq!(board(rows, 'b').play(m).own, 0);
        let mut landings = board(rows, 'b').landings(m);
        assert_eq!(landings.pop(), Some(25));
        landings.sort_unstable();
        assert_eq!(landings, [11, 29, 43], "d2, f4, d6 from b4");
    }

    #[test]
    fn two_ways_over_different_pieces_to_one_square_are_two_moves() {
        let rows = [
            "........", //
            "........", "........", "..w.w...", "........", "..w.w...", "...b....", "........",
        ];
        let board = board(rows, 'b');
        let mut landings: Vec<_> = board.moves().into_iter().map(|m| board.landings(m)).collect();
        landings.sort_unstable();
        assert_eq!(landings, [[25, 43], [29, 43]]);
        let step = Board::start().moves()[0];
        assert_eq!(Board::start().landings(step), [step.to]);
    }

    #[test]
    fn a_board_is_read_back_from_its_text_and_positions_have_different_keys() {
        let mut random = SplitMix64::new(7);
        let mut seen = std::collections::HashMap::new();
        for _ in 0..300 {
            let mut at = Board::start();
            for _ in 0..80 {
                assert_eq!(Board::parse(&at.to_string()), Some(at));
                assert_eq!(*seen.entry(at.key()).or_insert(at), at);
                assert_eq!(at.turned().turned(), at);
                assert_ne!(at.key(), Board { white: !at.white, ..at }.key());
                let moves = at.moves();
                assert_eq!(moves.is_empty(), at.steps() + at.jumps() == 0);
                if moves.is_empty() {
                    break;
                }
                at = at.play(moves[random.below(moves.len())]);
            }
        }
    }

    #[test]
    fn malformed_text_is_not_a_board() {
        let start = Board::start().to_string();
        for text in ["", "b", &start[1..], &start.replace(" b", " x"), &start.replace('w', "q")] {
            assert_eq!(Board::parse(text), None, "{text}");
        }
        assert_eq!(Board::parse(&start.replacen(".w", "w.", 1)), None);
    }
}
