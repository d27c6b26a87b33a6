//! Worth of each piece to the network: the board's value less its value without the piece (the UCI command
//! `eval`).

use super::pieces::Pieces;
use super::quantised::Network;
use crate::chess::score::{UNITS_PER_PAWN, Value};
use shakmaty::{Bitboard, Board, Color, File, Rank, Role, Square};
use std::fmt::{self, Write as _};

/// A board with the worth of every piece, and its value; prints as a board.
#[derive(Clone, Debug)]
pub struct PieceWorths {
    board: Board,
    worths: [Option<Value>; 64],
    /// The value of the board for White, in units.
    pub white: Value,
    /// The output bucket of the board, from 0.
    bucket: usize,
}

impl Network {
    /// The worth of every piece, for White. The kings have none: a board without a king is no board.
    #[must_use]
    pub fn explain(&self, board: &Board, turn: Color) -> PieceWorths {
        let white = |board: &Board| {
            let value = self.evaluate(&Pieces::of(board), turn);
            if turn.is_white() { value } else { -value }
        };
        let all = white(board);
        let worth = |square: Square| {
            let mut without = board.clone();
            let piece = without.remove_piece_at(square)?;
            (piece.role != Role::King).then(|| all - white(&without))
        };
        let bucket = self.architecture.output_bucket(board.occupied().count());
        PieceWorths { board: board.clone(), worths: Square::ALL.map(worth), white: all, bucket }
    }
}

impl PieceWorths {
    /// The worth of the piece on a square for White, in units: negative for a piece of Black that serves it.
    /// `None` for a king or an empty square.
    #[must_use]
    pub fn worth(&self, square: Square) -> Option<Value> {
        self.worths[usize::from(square)]
    }

    /// Two lines of text for a rank: pieces, and their worth in pawns.
    fn rank(&self, rank: Rank) -> [String; 2] {
        let (mut pieces, mut worths) = (format!("{} |", rank.char()), "  |".to_owned());
        for square in Bitboard::from_rank(rank) {
            let piece = self.board.piece_at(square).map_or(' ', shakmaty::Piece::char);
            let pawns = |worth: Value| format!("{:+.2}", f64::from(worth) / f64::from(UNITS_PER_PAWN));
            let _ = write!(pieces, "   {piece}   |");
            let _ = write!(worths, "{:^7}|", self.worth(square).map_or(String::new(), pawns));
        }
        [pieces, worths]
    }
}

impl fmt::Display for PieceWorths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = format!("  +{}", "-------+".repeat(8));
        writeln!(f, "worth of each piece for White, in pawns: the value with it less the value without it")?;
        for rank in Rank::ALL.into_iter().rev() {
            let [pieces, worths] = self.rank(rank);
            writeln!(f, "{line}\n{pieces}\n{worths}")?;
        }
        let files: String = File::ALL.iter().map(|file| format!("    {}   ", file.char())).collect();
        writeln!(f, "{line}\n  {files}")?;
        write!(f, "network: output bucket {}: {} for White", self.bucket, self.white)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use crate::eval::network::tests::{FENS, random};
    use crate::eval::network::{Architecture, Layout};

    #[test]
    fn a_network_that_counts_queens_gives_them_their_worth() {
        let architecture = Architecture { width: 32, output_buckets: 1, ..Architecture::default() };
        let mut trained = random(architecture, 1);
        trained.parameters.fill(0.0);
        let layout = Layout::of(&architecture);
        // The first neuron counts the own queens: tenths, squared by the activation.
        for square in 0..64 {
            trained.parameters[(4 * 64 + square) * 32] = 0.1;
        }
        let output = layout.output(0).start;
        trained.parameters[output] = 1.0;
        trained.parameters[output + 32] = -1.0;
        let game = Game::parse_fen("4k3/8/8/8/8/8/1Q6/4K1N1 b - - 0 1").unwrap();
        let worths = Network::quantise(&trained).explain(game.position().board(), game.position().turn());
        assert_eq!(worths.white, 4, "400 centipawns times a tenth squared");
        assert_eq!(worths.worth(Square::B2), Some(4));
        assert_eq!(worths.worth(Square::G1), Some(0));
        assert_eq!((worths.worth(Square::E1), worths.worth(Square::A1)), (None, None));
        assert!(worths.to_string().contains("+0.04"));
    }

    #[test]
    fn every_piece_but_the_kings_has_a_worth() {
        let network = Network::quantise(&random(Architecture::default(), 2));
        for fen in FENS {
            let game = Game::parse_fen(fen).unwrap();
            let board = game.position().board();
            let worths = network.explain(board, game.position().turn());
            let count = Square::ALL.into_iter().filter(|&square| worths.worth(square).is_some()).count();
            assert_eq!(count, board.occupied().count() - 2);
        }
    }
}
