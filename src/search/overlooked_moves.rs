//! Overlooked moves: moves that a player of limited strength does not see, neither its own nor its
//! opponent's.
//!
//! People overlook a bishop that takes from the far corner, a piece that goes back, a knight's jump; hardly
//! ever a pawn that takes. So the chance that a move is overlooked depends on the piece and its direction,
//! and for sliding pieces on the distance; a piece is lost because the capture was not seen. Random errors of
//! the evaluation alone choose the move that no person would play: of thirty moves, the one with the greatest
//! error.
//!
//! A move is seen or not by position and seed alone, so that a search with its transposition table is
//! consistent. Of the position only the number of men counts: a move that is overlooked stays so for as long
//! as nothing is taken, whatever else is played. If every position were drawn anew, a search would find the
//! moves whose refutation is overlooked.

use crate::chess::Position;
use crate::eval::EvalNoise;
use crate::random::SplitMix64;
use shakmaty::{Color, Move, Role, Square};

/// Errors of a player of limited strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HumanErrors {
    /// Errors of the evaluation.
    pub noise: EvalNoise,
    /// Moves that are not seen (drivers only).
    pub overlooked: OverlookedMoves,
}

/// Rate and seed of the choice of overlooked moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverlookedMoves {
    /// The chance that a capture forward by four squares is overlooked, in thousandths.
    pub rate: u16,
    /// Seed of the choice.
    pub seed: u64,
}

/// Thousandths of a certain event.
const CERTAIN: u64 = 1000;

/// The greatest chance, in thousandths: no move is hidden for certain.
const GREATEST: u64 = 900;

impl OverlookedMoves {
    /// True if a move is not seen. Every move is seen while in check, and castling always.
    #[must_use]
    pub fn overlooks(self, position: &Position, m: Move) -> bool {
        let Some(from) = m.from().filter(|_| self.rate > 0 && !m.is_castle() && !position.in_check()) else {
            return false;
        };
        let chance = (u64::from(self.rate) * difficulty(position.turn(), m, from) / 100).min(GREATEST);
        let men = position.board().occupied().count() as u64;
        let promotion = m.promotion().map_or(0, |role| role as u64);
        let code =
            u64::from(from) | u64::from(m.to()) << 6 | (m.role() as u64) << 12 | promotion << 16 | men << 20;
        SplitMix64::new(self.seed ^ code << 32).next() % CERTAIN < chance
    }
}

/// Difficulty of seeing a move, in per cent of a capture forward by four squares.
fn difficulty(turn: Color, m: Move, from: Square) -> u64 {
    let way = u64::from(from.distance(m.to()));
    let piece = match m.role() {
        Role::Pawn if m.is_en_passant() => 150,
        Role::Pawn if m.promotion().is_some_and(|role| role != Role::Queen) => 200,
        Role::Pawn => 15,
        Role::King => 30,
        Role::Knight => 80,
        Role::Bishop | Role::Rook | Role::Queen => 20 + 20 * way.min(5),
    };
    let forward = |square: Square| match turn {
        Color::White => i32::from(square.rank()),
        Color::Black => -i32::from(square.rank()),
    };
    let back = m.role() != Role::King && forward(m.to()) < forward(from);
    // Captures that are overlooked cost a piece; a quiet move mostly has another beside it.
    let kind = if m.is_capture() { 100 } else { 30 };
    piece * kind * if back { 3 } else { 2 } / 200
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use shakmaty::Position as _;

    /// Share of 4,000 seeds that overlook a move in UCI notation, in thousandths.
    fn share(fen: &str, uci: &str, rate: u16) -> u64 {
        let game = Game::parse_fen(fen).unwrap();
        let position = game.position();
        let moves = position.chess().legal_moves();
        let m =
            *moves.iter().find(|m| m.to_uci(shakmaty::CastlingMode::Standard).to_string() == uci).unwrap();
        let overlooked = |seed: &u64| OverlookedMoves { rate, seed: *seed }.overlooks(position, m);
        (0..4000).filter(overlooked).count() as u64 / 4
    }

    #[test]
    fn long_moves_and_moves_back_are_overlooked_more_often_than_pawns_that_take() {
        let fen = "4k3/8/8/5p2/4P3/5B2/8/4K2R w K - 0 1";
        let chances = ["e4f5", "f3g2", "f3h5", "h1h4", "h1h8"].map(|uci| share(fen, uci, 400));
        assert!(chances[0] < 90 && chances[0] > 30, "{chances:?}");
        assert!(chances[1] > chances[0] && chances[4] > chances[3], "{chances:?}");
        assert_eq!(share(fen, "e1g1", 1000), 0, "castling is seen");
        assert_eq!(share(fen, "h1h8", 0), 0);
    }

    #[test]
    fn in_check_every_move_is_seen() {
        assert_eq!(share("4k3/8/8/8/8/8/4q3/4K2R w - - 0 1", "e1e2", 1000), 0);
    }

    #[test]
    fn what_is_overlooked_stays_so_until_something_is_taken() {
        let game = Game::parse_fen("4k3/p7/8/5p2/8/5B2/P7/4K3 w - - 0 1").unwrap();
        let find = |position: &Position, from, to| {
            let moves = position.chess().legal_moves();
            *moves.iter().find(|m| m.from() == Some(from) && m.to() == to).unwrap()
        };
        let before = game.position();
        let pawn = find(before, Square::A2, Square::A3);
        let after = before.play(pawn);
        let after = after.play(find(&after, Square::A7, Square::A6));
        let bishop = find(before, Square::F3, Square::A8);
        let same = |seed| {
            let overlooked = OverlookedMoves { rate: 400, seed };
            overlooked.overlooks(before, bishop) == overlooked.overlooks(&after, bishop)
        };
        assert!((0..200).all(same));
    }
}
