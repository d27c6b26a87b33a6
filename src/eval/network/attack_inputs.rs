//! Attack inputs: threats, attacks on the king, mobility and the paths of passed pawns, counted for the
//! network.
//!
//! They depend on many squares at a time. A first layer whose inputs are single pieces on single squares
//! learns them slowly, so they are counted here and weighed by a layer of their own. The counts are those of
//! the hand-crafted evaluation's terms (`eval::threats`, `eval::king_safety`, `eval::mobility`,
//! `eval::passed_pawns`); what they are worth is learnt.
//!
//! All is seen by the side to move, whose pawns go up the board.

use crate::eval::relative_board::{
    BISHOP, CENTRE_FILES, KING, KNIGHT, PAWN, QUEEN, ROOK, beside, east, file, fill_north, fill_south, flank,
    north, rank, south, west,
};
use shakmaty::{Bitboard, Rank, Square, attacks};

/// Numbers of counts of one side, by the function that finds them.
const ATTACKS: usize = 4 + 4 + 2;
const THREATS: usize = 19;
const KING_ATTACKS: usize = 9;
const PASSED: usize = 7;
const KINGS_NEAR: usize = 3;

/// Counts of one side.
const SIDE: usize = ATTACKS + THREATS + KING_ATTACKS + PASSED + KINGS_NEAR;

/// Attack inputs of a board: those of the side to move, then those of the other side.
pub const ATTACK_INPUTS: usize = 2 * SIDE;

/// The count that is an input of 1.
pub const COUNTS_OF_ONE: i16 = 8;

/// The counts of a board.
pub type AttackCounts = [i16; ATTACK_INPUTS];

/// The attack inputs of a board: the pieces of the side to move by role, pawns first, then those of the other
/// side; the pawns of the side to move go up.
#[must_use]
pub fn count_attacks(boards: [[Bitboard; 6]; 2]) -> AttackCounts {
    let [mut us, mut them] = [Side::new(boards[0], true), Side::new(boards[1], false)];
    let occupied = us.all | them.all;
    us.attack(&them, occupied);
    them.attack(&us, occupied);
    let mut counts = [0; ATTACK_INPUTS];
    let (halves, _) = counts.as_chunks_mut();
    for (half, (us, them)) in halves.iter_mut().zip([(&us, &them), (&them, &us)]) {
        us.count(them, occupied, half);
    }
    counts
}

/// One side: its pieces and what they attack.
struct Side {
    own: [Bitboard; 6],
    all: Bitboard,
    king: Square,
    /// True if its pawns go up.
    up: bool,
    /// Squares attacked, by role.
    attacks: [Bitboard; 6],
    /// Squares attacked at all, and at least twice.
    attacked: Bitboard,
    attacked_twice: Bitboard,
    /// Squares of the mobility area that the pieces attack, by role, knight to queen.
    mobility: [i16; 4],
    /// Pieces that attack squares around the enemy king, by role, knight to queen.
    attackers: [i16; 4],
    /// Attacks on the squares around the enemy king: those of pawns, and all.
    at_king: [i16; 2],
}

impl Side {
    /// With the attacks of pawns and king alone.
    fn new(own: [Bitboard; 6], up: bool) -> Side {
        let king = own[KING].first().unwrap_or(Square::A1);
        let forward = if up { north(own[PAWN]) } else { south(own[PAWN]) };
        let (by_pawns, by_king) = (beside(forward), attacks::king_attacks(king));
        let mut attacks = [Bitboard::EMPTY; 6];
        (attacks[PAWN], attacks[KING]) = (by_pawns, by_king);
        Side {
            own,
            all: own.into_iter().fold(Bitboard::EMPTY, |all, pieces| all | pieces),
            king,
            up,
            attacks,
            attacked: by_pawns | by_king,
            attacked_twice: (by_pawns & by_king) | (east(forward) & west(forward)),
            mobility: [0; 4],
            attackers: [0; 4],
            at_king: [0; 2],
        }
    }

    /// Adds the attacks of the pieces, and counts them.
    fn attack(&mut self, them: &Side, occupied: Bitboard) {
        // Bishops see through their queen, rooks through their queen and each other.
        let diagonal = occupied ^ self.own[QUEEN];
        let straight = diagonal ^ self.own[ROOK];
        let by_pawns = (self.attacks[PAWN] & them.around_king()).count() as i16;
        let knights = self.attack_with::<KNIGHT>(them, attacks::knight_attacks);
        let bishops = self.attack_with::<BISHOP>(them, |square| attacks::bishop_attacks(square, diagonal));
        let rooks = self.attack_with::<ROOK>(them, |square| attacks::rook_attacks(square, straight));
        let queens = self.attack_with::<QUEEN>(them, |square| attacks::queen_attacks(square, occupied));
        let [mobility, attackers, around] =
            [0, 1, 2].map(|count| [knights[count], bishops[count], rooks[count], queens[count]]);
        (self.mobility, self.attackers) = (mobility, attackers);
        self.at_king = [by_pawns, by_pawns + around.iter().sum::<i16>()];
    }

    /// Adds the attacks of the pieces of a role. Counts the squares of the mobility area, the pieces that
    /// attack squares around the enemy king, and their attacks there.
    #[inline]
    fn attack_with<const ROLE: usize>(
        &mut self,
        them: &Side,
        reach: impl Fn(Square) -> Bitboard,
    ) -> [i16; 3] {
        let area = !(them.attacks[PAWN] | self.own[PAWN] | self.own[KING]);
        let ring = them.around_king();
        let [mut mobility, mut attackers, mut around] = [0; 3];
        let (mut by_role, mut once, mut twice) = (Bitboard::EMPTY, self.attacked, self.attacked_twice);
        for square in self.own[ROLE] {
            let reach = reach(square);
            by_role |= reach;
            twice |= once & reach;
            once |= reach;
            mobility += (reach & area).count() as i16;
            let on_ring = (reach & ring).count() as i16;
            attackers += i16::from(on_ring > 0);
            around += on_ring;
        }
        (self.attacks[ROLE], self.attacked, self.attacked_twice) = (by_role, once, twice);
        [mobility, attackers, around]
    }

    /// Writes the counts of this side.
    #[inline]
    fn count(&self, them: &Side, occupied: Bitboard, counts: &mut [i16; SIDE]) {
        let passed = self.passed_pawns(them, occupied);
        let rest = write(counts, self.mobility);
        let rest = write(rest, self.attackers);
        let rest = write(rest, self.at_king);
        let rest = write(rest, numbers(self.threats(them, occupied)));
        let rest = write(rest, numbers(self.king_attacks(them, occupied)));
        let rest = write(rest, numbers(passed));
        write(rest, self.kings_near(them, &passed));
    }

    /// Threats: enemy pieces that are weak or worth more than their attacker; hanging ones; restricted
    /// squares; pieces that pawns attack, or could after a step; squares from which knights could attack a
    /// queen. Own pieces that nothing defends, and space: squares of the centre files that are ours alone.
    #[inline]
    fn threats(&self, them: &Side, occupied: Bitboard) -> [Bitboard; THREATS] {
        // Defended by a pawn, or twice while we attack at most once.
        let strongly_held = them.attacks[PAWN] | (them.attacked_twice & !self.attacked_twice);
        let weak = them.all & !strongly_held & self.attacked;
        let pieces = them.all & !them.own[PAWN];
        let by_minor = (weak | pieces) & (self.attacks[KNIGHT] | self.attacks[BISHOP]);
        let by_rook = weak & self.attacks[ROOK];
        let safe = !them.attacked | self.attacked;
        let step = self.step(self.own[PAWN]) & !occupied;
        let third_rank = Bitboard(if self.up { 0x00ff_0000 } else { 0xff00_0000_0000 });
        let pushes = (step | (self.step(step & third_rank) & !occupied)) & safe & !them.attacks[PAWN];
        let [pawns, knights, bishops, rooks, queens, _] = them.own;
        [
            by_minor & pawns,
            by_minor & knights,
            by_minor & bishops,
            by_minor & rooks,
            by_minor & queens,
            by_rook & pawns,
            by_rook & knights,
            by_rook & bishops,
            by_rook & rooks,
            by_rook & queens,
            weak & self.attacks[QUEEN],
            weak & self.attacks[KING],
            weak & (!them.attacked | (pieces & self.attacked_twice)),
            them.attacked & !strongly_held & self.attacked,
            beside(self.step(self.own[PAWN] & safe)) & pieces,
            beside(self.step(pushes)) & pieces,
            attacks_of_knights(queens) & self.attacks[KNIGHT] & !self.all & !strongly_held,
            self.all & !self.own[PAWN] & !self.attacked,
            CENTRE_FILES & !self.own[PAWN] & !them.attacked & self.attacked,
        ]
    }

    /// The attack on the enemy king: weak squares around it, safe checks by role, unsafe ones, attacks on its
    /// flank, those by two pieces, and the defence of the flank.
    #[inline]
    fn king_attacks(&self, them: &Side, occupied: Bitboard) -> [Bitboard; KING_ATTACKS] {
        let by_king_or_queen = them.attacks[KING] | them.attacks[QUEEN];
        let weak = self.attacked & !them.attacked_twice & (!them.attacked | by_king_or_queen);
        let through = occupied ^ them.own[QUEEN];
        let straight = attacks::rook_attacks(them.king, through);
        let diagonal = attacks::bishop_attacks(them.king, through);
        let by_knight = attacks::knight_attacks(them.king) & self.attacks[KNIGHT];
        let by_bishop = diagonal & self.attacks[BISHOP];
        let by_rook = straight & self.attacks[ROOK];
        let by_queen = (straight | diagonal) & self.attacks[QUEEN] & !them.attacks[QUEEN];
        let safe = !self.all & (!them.attacked | (weak & self.attacked_twice));
        let half = Bitboard(if self.up { 0xffff_ffff_ff00_0000 } else { 0x0000_00ff_ffff_ffff });
        let camp = flank(file(them.king)) & half;
        [
            weak & them.around_king(),
            by_knight & safe,
            by_bishop & safe,
            by_rook & safe,
            by_queen & safe,
            (by_knight | by_bishop | by_rook | by_queen) & !safe,
            self.attacked & camp,
            self.attacked_twice & camp,
            them.attacked & camp,
        ]
    }

    /// Passed pawns: on the ranks two to four, five, six and seven; with a free path; with a path that the
    /// enemy neither blocks nor attacks; and squares before them that we defend.
    #[inline]
    fn passed_pawns(&self, them: &Side, occupied: Bitboard) -> [Bitboard; PASSED] {
        let passed = self.own[PAWN] & !self.behind(them.own[PAWN]) & !self.fill_back(them.attacks[PAWN]);
        let seen = |ranks: Bitboard| passed & if self.up { ranks } else { ranks.flip_vertical() };
        [
            seen(Bitboard(0xffff_ff00)),
            seen(Bitboard::from_rank(Rank::Fifth)),
            seen(Bitboard::from_rank(Rank::Sixth)),
            seen(Bitboard::from_rank(Rank::Seventh)),
            passed & !self.behind(occupied),
            passed & !self.behind(them.attacked | them.all),
            self.step(passed) & self.attacked,
        ]
    }

    /// Unstoppable passed pawns, and the distances of both kings to the square before the foremost passed
    /// pawn.
    fn kings_near(&self, them: &Side, passed: &[Bitboard; PASSED]) -> [i16; KINGS_NEAR] {
        let [two, five, six, seven, free, ..] = *passed;
        let bare = them.all == them.own[PAWN] | them.own[KING];
        let unstoppable = if bare { self.unstoppable(free, them.king) } else { 0 };
        let stops = self.step(two | five | six | seven);
        let [own, enemy] = match if self.up { stops.last() } else { stops.first() } {
            Some(stop) => [self, them].map(|side| side.king.distance(stop) as i16),
            None => [0; 2],
        };
        [unstoppable as i16, own, enemy]
    }

    /// Pawns with a free path that the enemy king does not catch by the rule of the square.
    fn unstoppable(&self, free: Bitboard, their_king: Square) -> usize {
        let catches = |square: Square| {
            let at = if self.up { rank(square) } else { 7 - rank(square) };
            let goal = Square::from_coords(square.file(), if self.up { Rank::Eighth } else { Rank::First });
            // From the second rank two steps are one move. The pawns of the side to move go up.
            let steps = 7 - at - usize::from(at == 1) + usize::from(!self.up);
            their_king.distance(goal) as usize <= steps
        };
        free.into_iter().filter(|&square| !catches(square)).count()
    }

    /// The squares behind any of these, as the pawns go.
    fn behind(&self, squares: Bitboard) -> Bitboard {
        self.fill_back(if self.up { south(squares) } else { north(squares) })
    }

    /// These squares and those behind them.
    fn fill_back(&self, squares: Bitboard) -> Bitboard {
        if self.up { fill_south(squares) } else { fill_north(squares) }
    }

    /// One step of pawns.
    fn step(&self, pawns: Bitboard) -> Bitboard {
        if self.up { north(pawns) } else { south(pawns) }
    }

    /// The king's square and those beside it.
    fn around_king(&self) -> Bitboard {
        self.attacks[KING] | self.own[KING]
    }
}

/// Writes counts, and returns the room behind them.
#[inline]
fn write<const N: usize>(room: &mut [i16], counts: [i16; N]) -> &mut [i16] {
    let (place, rest) = room.split_at_mut(N);
    place.copy_from_slice(&counts);
    rest
}

/// The numbers of squares.
#[inline]
fn numbers<const N: usize>(squares: [Bitboard; N]) -> [i16; N] {
    squares.map(|squares| squares.count() as i16)
}

/// The squares from which knights attack any of these.
fn attacks_of_knights(squares: Bitboard) -> Bitboard {
    let (one, two) = (beside(squares), Bitboard(east(east(squares)).0 | west(west(squares)).0));
    north(north(one)) | south(south(one)) | north(two) | south(two)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use crate::eval::network::Pieces;
    use crate::eval::network::tests::FENS;
    use shakmaty::Color;

    /// Names of the counts in their order, those of one function in a row of their own.
    #[rustfmt::skip]
    const NAMES: [&str; SIDE] = [
        "knight mobility", "bishop mobility", "rook mobility", "queen mobility", "knights at the king",
        "bishops at the king", "rooks at the king", "queens at the king", "pawns at the king", "attacks at \
        the king",
        "minor on pawn", "minor on knight", "minor on bishop", "minor on rook", "minor on queen", "rook on \
        pawn",
        "rook on knight", "rook on bishop", "rook on rook", "rook on queen", "queen on weak", "king on \
        weak", "hanging",
        "restricted", "pawn on piece", "push", "knight near queen", "undefended", "space",
        "weak around the king", "knight checks", "bishop checks", "rook checks", "queen checks", "unsafe \
        checks",
        "flank", "flank twice", "flank defence",
        "passed 2 to 4", "passed 5", "passed 6", "passed 7", "free way", "safe way", "defended stop",
        "unstoppable", "own king", "enemy king",
    ];

    /// The counts of the side to move that are asked for.
    fn of_mover(fen: &str, names: &[&str]) -> Vec<i16> {
        let game = Game::parse_fen(fen).unwrap();
        let position = game.position();
        let counts = Pieces::of(position.board()).attack_counts(position.turn());
        names.iter().map(|name| counts[NAMES.iter().position(|other| other == name).unwrap()]).collect()
    }

    #[test]
    fn counts_are_those_of_the_board() {
        // From f7 the knight gives check.
        let fork = "3q3k/6pp/8/6N1/8/8/r7/4K3 w - - 0 1";
        assert_eq!(of_mover(fork, &["minor on rook", "minor on queen", "knight checks"]), [0, 0, 1]);
        let near = "3q3k/6pp/4N3/8/8/8/r7/4K3 w - - 0 1";
        assert_eq!(of_mover(near, &["minor on queen", "knight mobility", "knights at the king"]), [1, 8, 1]);
        let hanging = "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1";
        assert_eq!(of_mover(hanging, &["rook on knight", "hanging", "undefended"]), [1, 1, 0]);
        let pawn = "4k3/8/2n1n3/8/3P4/8/8/4K3 w - - 0 1";
        assert_eq!(of_mover(pawn, &["push", "pawn on piece"]), [2, 0]);
        // The black king is too late.
        let race = ["8/8/8/P7/5k2/8/8/K7 w - - 0 1", "8/8/8/k7/8/8/7P/7K w - - 0 1"];
        assert_eq!(of_mover(race[0], &["passed 5", "free way", "unstoppable", "enemy king"]), [1, 1, 1, 5]);
        assert_eq!(of_mover(race[1], &["passed 2 to 4", "unstoppable", "own king"]), [1, 1, 2]);
        let caught = "8/8/8/P2k4/8/8/8/K7 w - - 0 1";
        assert_eq!(of_mover(caught, &["unstoppable"]), [0]);
        let blocked = "4k3/8/r7/P7/8/8/8/R3K3 w - - 0 1";
        assert_eq!(of_mover(blocked, &["passed 5", "free way", "safe way", "defended stop"]), [1, 0, 0, 0]);
    }

    #[test]
    fn a_board_turned_over_has_the_counts_of_the_sides_exchanged() {
        for fen in FENS {
            let game = Game::parse_fen(fen).unwrap();
            let position = game.position();
            let pieces = Pieces::of(position.board());
            let mut turned = position.board().clone();
            turned.flip_vertical();
            turned.swap_colors();
            let counts = pieces.attack_counts(Color::White);
            assert_eq!(Pieces::of(&turned).attack_counts(Color::Black), counts, "{fen}");
            let mut reflected = position.board().clone();
            reflected.flip_horizontal();
            assert_eq!(Pieces::of(&reflected).attack_counts(Color::White), counts, "{fen}");
            // Both sides exchanged, but for unstoppable pawns: the rule of the square depends on the side to
            // move.
            let sides = |turn: Color| {
                let mut counts = pieces.attack_counts(turn);
                let (halves, _) = counts.as_chunks_mut::<SIDE>();
                halves.iter_mut().for_each(|half| half[SIDE - KINGS_NEAR] = 0);
                [halves[0], halves[1]]
            };
            let [ours, theirs] = sides(Color::White);
            assert_eq!(sides(Color::Black), [theirs, ours], "{fen}");
        }
    }
}
