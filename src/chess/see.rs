//! Static exchange evaluation (SEE): the material gained by a series of captures on one square.

use super::Position;
use super::score::{Value, centipawns};
use shakmaty::{Bitboard, Color, Move, Role, Square, attacks};

/// Value of a piece in an exchange, in units. The king has the value 0: it is never exchanged.
#[must_use]
pub const fn exchange_value(role: Role) -> Value {
    centipawns(match role {
        Role::Pawn => 100,
        Role::Knight => 325,
        Role::Bishop => 335,
        Role::Rook => 510,
        Role::Queen => 980,
        Role::King => 0,
    })
}

/// Order of capture: the least valuable piece first.
const BY_VALUE: [Role; 6] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

/// True if the exchange that `m` begins gains the mover at least `threshold` units, both sides capturing
/// with the least valuable piece and stopping when it pays. Pins are ignored.
#[must_use]
pub fn see_ge(position: &Position, m: Move, threshold: Value) -> bool {
    let Move::Normal { role, from, capture, to, promotion } = m else {
        // Castling changes nothing; en passant is an even exchange of pawns at worst.
        return threshold <= 0;
    };
    let promoted = promotion.map_or(0, |p| exchange_value(p) - exchange_value(Role::Pawn));
    let mut balance = capture.map_or(0, exchange_value) + promoted - threshold;
    if balance < 0 {
        return false;
    }
    balance -= exchange_value(promotion.unwrap_or(role));
    if balance >= 0 {
        return true;
    }
    if is_taken_cheaply(position, to, -balance) {
        return false;
    }
    let occupied = position.board().occupied().without(from).with(to);
    exchange_winner(position, to, occupied, !position.turn(), balance) == position.turn()
}

/// True if the opponent's least valuable attacker is a pawn or a knight, worth less than the `gain` of taking
/// the piece on a square: it then does not matter what comes after. Found without a look along lines.
fn is_taken_cheaply(position: &Position, to: Square, gain: Value) -> bool {
    let (board, them) = (position.board(), position.board().by_color(!position.turn()));
    if (attacks::pawn_attacks(position.turn(), to) & board.pawns() & them).any() {
        return gain > exchange_value(Role::Pawn);
    }
    gain > exchange_value(Role::Knight) && (attacks::knight_attacks(to) & board.knights() & them).any()
}

/// Plays the exchange out and returns the side that wins it. `balance` is the gain above the threshold for
/// the side that has just captured if it loses the capturing piece, and negative.
fn exchange_winner(
    position: &Position,
    to: Square,
    occupied: Bitboard,
    next: Color,
    balance: Value,
) -> Color {
    let board = position.board();
    let straight = board.rooks_and_queens();
    let diagonal = board.bishops_and_queens();
    let (mut occupied, mut side, mut balance) = (occupied, next, balance);
    let mut attackers =
        board.attacks_to(to, Color::White, occupied) | board.attacks_to(to, Color::Black, occupied);
    loop {
        attackers &= occupied;
        let own = attackers & board.by_color(side);
        let Some((role, from)) = least(position, own) else { return !side };
        if role == Role::King && (attackers & board.by_color(!side)).any() {
            return !side; // the king may not capture into check
        }
        occupied.discard(from);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop_attacks(to, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook_attacks(to, occupied) & straight;
        }
        side = !side;
        balance = -balance - 1 - exchange_value(role);
        if balance >= 0 {
            return !side;
        }
    }
}

/// The least valuable attacker and its square.
fn least(position: &Position, attackers: Bitboard) -> Option<(Role, Square)> {
    BY_VALUE
        .into_iter()
        .find_map(|role| (attackers & position.board().by_role(role)).first().map(|square| (role, square)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, Chess, fen::Fen, uci::UciMove};

    #[test]
    fn see_ge_holds_up_to_the_value_of_the_exchange() {
        let (pawn, knight, rook) =
            (exchange_value(Role::Pawn), exchange_value(Role::Knight), exchange_value(Role::Rook));
        for (fen, text, value) in [
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", pawn),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", pawn - knight),
            ("4k3/8/8/3r4/8/8/8/3RK3 w - - 0 1", "d1d5", rook),
            ("4k3/8/2p5/3r4/8/8/8/3RK3 w - - 0 1", "d1d5", 0),
            ("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", pawn - rook),
            ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", pawn),
            ("4k3/8/4r3/3pP3/8/8/8/4K3 w - - 0 1", "e1e2", 0),
            ("3k4/3r4/8/8/8/8/8/3RK3 w - - 0 1", "d1d6", -rook),
            ("4k3/8/8/8/1b6/8/3R4/4K3 b - - 0 1", "b4d2", rook - exchange_value(Role::Bishop)),
        ] {
            let chess: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            let m = text.parse::<UciMove>().unwrap().to_move(&chess).unwrap();
            let position = Position::new(chess);
            assert!(see_ge(&position, m, value), "{fen} {text} gains {value}");
            assert!(!see_ge(&position, m, value + 1), "{fen} {text} gains no more than {value}");
        }
    }
}
