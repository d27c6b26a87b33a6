//! What everything is worth: each weight once, by name, in centipawns.
//!
//! First written down by estimate, from formulas in rank, file and distance from the centre, then tuned by
//! logistic regression on 168,000 quiet positions of 2,900 games that were played for the purpose (random
//! openings and now and then a random move, so that one-sided positions occur too), each labelled by a
//! search of 1,500 nodes of another engine and, where no random move followed, by the result of its game.
//! On positions of other games that were kept aside, the correlation of the expected score with the label
//! rose from 0.882 to 0.930.

use crate::eval::tapered::{S, s};
use crate::eval::weight_fields::{ToSource, VisitWeights};

/// Piece-square table by rank and by distance of the file from the edge: the left half of a board, rank 1 first.
type Half = [[S; 4]; 8];

/// Declares the table of weights, and visits its fields by name.
macro_rules! weights {
    ($(#[$about:meta])* $vis:vis struct $table:ident {
        $($(#[$doc:meta])* $see:vis $name:ident: $shape:ty,)*
    }) => {
        $(#[$about])*
        $vis struct $table {
            $($(#[$doc])* $see $name: $shape,)*
        }

        impl VisitWeights for $table {
            fn visit_weights(&mut self, _: &str, visit: &mut dyn FnMut(&str, &mut S)) {
                $(self.$name.visit_weights(stringify!($name), visit);)*
            }
        }

        impl $table {
            /// The fields of the table as source, each by its name.
            pub(super) fn fields(&self) -> Vec<(&'static str, String)> {
                vec![$((stringify!($name), self.$name.to_source(4)),)*]
            }
        }
    };
}

weights! {
    /// All weights of the evaluation. Tables by role run pawn, knight, bishop, rook, queen (, king).
    #[derive(Clone)]
    pub(super) struct Weights {
        pub(super) tempo: S,
        pub(super) material: [S; 5],
        pub(super) bishop_pair: S,
        /// A knight (rook) for every own pawn above five.
        pub(super) knight_pawns: S,
        pub(super) rook_pawns: S,
        pub(super) squares: [Half; 6],

        pub(super) knight_mobility: [S; 9],
        pub(super) bishop_mobility: [S; 14],
        pub(super) rook_mobility: [S; 15],
        pub(super) queen_mobility: [S; 28],

        pub(super) doubled: S,
        /// With and without an enemy pawn ahead on the file.
        pub(super) isolated: [S; 2],
        pub(super) backward: [S; 2],
        /// Phalanx: beside an own pawn, by rank.
        pub(super) phalanx: [S; 8],
        /// Defended by an own pawn, by rank.
        pub(super) supported: [S; 8],
        /// Rammed: face to face with an enemy pawn, by rank.
        pub(super) rammed: [S; 8],
        pub(super) candidate: [S; 8],
        pub(super) passed: [S; 8],
        /// Passed pawn: for each square of distance of a king from the square ahead of the pawn, by its rank.
        pub(super) passed_own_king: [S; 8],
        pub(super) passed_enemy_king: [S; 8],
        pub(super) passed_blocked: [S; 8],
        pub(super) passed_safe_stop: [S; 8],
        pub(super) passed_safe_path: [S; 8],
        pub(super) passed_defended_stop: S,
        pub(super) passed_rook_behind: S,
        pub(super) passed_enemy_rook_behind: S,
        pub(super) unstoppable: S,

        /// Pawn shelter: the nearest own pawn before the king by its rank (0: none), files from the edge inwards.
        pub(super) shelter: [[S; 8]; 4],
        /// Pawn storm: the nearest enemy pawn ahead by its rank (0: none), free to advance or blocked by an own pawn.
        pub(super) storm: [[S; 8]; 4],
        pub(super) storm_blocked: [S; 8],
        pub(super) king_open_file: S,
        pub(super) king_half_open_file: S,
        /// For each square of distance to the nearest own pawn.
        pub(super) king_pawn_distance: S,
        pub(super) pawnless_flank: S,

        pub(super) outpost: [S; 2],
        pub(super) outpost_reachable: S,
        pub(super) minor_behind_pawn: S,
        pub(super) bishop_pawns: S,
        pub(super) bishop_blocked_centre: S,
        pub(super) long_diagonal: S,
        pub(super) rook_open_file: S,
        pub(super) rook_half_open_file: S,
        pub(super) rook_closed_file: S,
        pub(super) rook_on_queen_file: S,

        pub(super) threat_by_pawn: S,
        pub(super) threat_by_push: S,
        /// On a pawn, knight, bishop, rook, queen.
        pub(super) threat_by_minor: [S; 5],
        pub(super) threat_by_rook: [S; 5],
        pub(super) threat_by_king: S,
        pub(super) hanging: S,
        pub(super) restricted: S,
        pub(super) queen_hit_by_knight: S,
        pub(super) queen_hit_by_slider: S,
        pub(super) space: S,

        /// Danger to the king, in its own unit: the middlegame half is squared, the endgame half is not.
        pub(super) danger_base: S,
        pub(super) danger_to_move: S,
        pub(super) danger_attacker: [S; 5],
        /// For each pair of attackers.
        pub(super) danger_crowd: S,
        pub(super) danger_ring: S,
        pub(super) danger_weak_ring: S,
        pub(super) danger_safe_check: [S; 5],
        pub(super) danger_unsafe_check: S,
        pub(super) danger_pinned: S,
        pub(super) danger_no_queen: S,
        pub(super) danger_flank_attack: S,
        pub(super) danger_flank_defence: S,
        pub(super) danger_knight_defender: S,
        /// In sixteenths for every centipawn of shelter.
        pub(super) danger_shelter: S,
    }
}

/// The weights in use.
#[rustfmt::skip]
pub(super) static W: Weights = Weights {
    tempo: s(36, 21),
    material: [s(55, 125), s(404, 346), s(405, 357), s(527, 613), s(1088, 1074)],
    bishop_pair: s(58, 39),
    knight_pawns: s(10, 2),
    rook_pawns: s(24, -12),
    squares: [
        [
            [s(0, 0), s(0, 0), s(0, 0), s(0, 0)],
            [s(-22, 13), s(9, 3), s(-4, 16), s(9, 14)],
            [s(-17, -3), s(3, -5), s(0, 1), s(-7, -8)],
            [s(-15, 16), s(1, 2), s(-6, -3), s(0, -30)],
            [s(11, 11), s(21, 4), s(-3, -12), s(18, -21)],
            [s(24, 23), s(12, 42), s(1, 20), s(36, 20)],
            [s(12, 48), s(29, 25), s(23, 63), s(12, 20)],
            [s(0, 0), s(0, 0), s(0, 0), s(0, 0)],
        ],
        [
            [s(-62, -30), s(-30, -28), s(-28, -3), s(-16, -15)],
            [s(-38, -2), s(-37, -23), s(-7, -4), s(-9, -13)],
            [s(-21, -24), s(-3, -28), s(2, -4), s(-3, 15)],
            [s(-4, -10), s(6, 13), s(7, 14), s(7, 19)],
            [s(22, -40), s(9, 22), s(-8, -2), s(10, 17)],
            [s(-22, -14), s(21, -26), s(21, -30), s(52, -11)],
            [s(-50, -24), s(-48, -39), s(6, 6), s(2, -10)],
            [s(-105, -39), s(-81, -43), s(-79, -46), s(-75, -45)],
        ],
        [
            [s(-4, -11), s(8, -20), s(-22, 9), s(-10, 3)],
            [s(7, 4), s(9, -12), s(4, -16), s(-2, 8)],
            [s(7, 3), s(10, 2), s(2, 6), s(7, 28)],
            [s(12, -14), s(25, -2), s(7, 32), s(28, -1)],
            [s(-18, 14), s(12, 5), s(27, 0), s(21, 17)],
            [s(-6, -6), s(4, 1), s(0, -27), s(41, 27)],
            [s(-20, -17), s(-4, -3), s(-8, 4), s(-19, 2)],
            [s(-55, -23), s(-23, -12), s(-22, -11), s(-30, -4)],
        ],
        [
            [s(-12, -3), s(-10, -5), s(8, -9), s(22, -25)],
            [s(-31, 7), s(-14, 1), s(-7, -8), s(-7, 9)],
            [s(-20, 13), s(-5, 19), s(-5, -3), s(13, 0)],
            [s(-6, 17), s(-8, 16), s(21, 13), s(18, 1)],
            [s(-8, 12), s(-2, 31), s(19, -1), s(6, 8)],
            [s(-10, 8), s(10, 5), s(16, 24), s(14, 8)],
            [s(-4, 7), s(20, 28), s(13, 10), s(15, 14)],
            [s(17, 9), s(11, 25), s(2, 11), s(30, 31)],
        ],
        [
            [s(17, -15), s(4, -14), s(7, -16), s(9, -4)],
            [s(18, -18), s(25, -5), s(18, -13), s(20, 22)],
            [s(12, -22), s(9, -14), s(18, 12), s(9, 26)],
            [s(13, -19), s(16, 0), s(6, 7), s(6, 32)],
            [s(26, 6), s(5, 1), s(-14, 5), s(3, 30)],
            [s(27, -5), s(-1, 11), s(5, 4), s(10, 18)],
            [s(-12, -7), s(-18, 3), s(-8, -6), s(-5, -3)],
            [s(7, -10), s(32, 6), s(-4, -16), s(0, -11)],
        ],
        [
            [s(32, -71), s(43, -60), s(9, -53), s(13, -74)],
            [s(43, -56), s(20, -36), s(-8, -32), s(-47, -18)],
            [s(-6, -29), s(-4, -9), s(-17, -16), s(-52, -14)],
            [s(-9, -19), s(-23, -14), s(-39, -7), s(-42, 3)],
            [s(-22, -21), s(-21, -5), s(-33, 7), s(-54, 20)],
            [s(-26, -28), s(-21, 9), s(-34, 14), s(-47, 23)],
            [s(-22, -30), s(-16, 5), s(-30, -8), s(-45, -16)],
            [s(-20, -42), s(-20, -43), s(-25, -22), s(-48, -34)],
        ],
    ],
    knight_mobility: [s(-29, -42), s(-5, -37), s(6, 17), s(14, 13), s(20, 24), s(23, 21), s(29, 26), s(28, 25), s(31, 11)],
    bishop_mobility: [s(-17, -46), s(-3, -9), s(13, 6), s(19, 22), s(25, 28), s(29, 23), s(30, 30), s(32, 18), s(26, 27), s(31, 33), s(26, 33), s(26, 11), s(37, 42), s(38, 28)],
    rook_mobility: [s(-50, -51), s(-10, -39), s(6, 4), s(9, 19), s(17, 25), s(14, 48), s(17, 49), s(16, 53), s(29, 45), s(24, 56), s(26, 59), s(28, 51), s(46, 48), s(18, 58), s(38, 67)],
    queen_mobility: [s(-20, -36), s(-1, -20), s(0, -11), s(8, -6), s(14, -5), s(17, 6), s(19, 20), s(23, 34), s(25, 43), s(29, 46), s(32, 37), s(37, 37), s(38, 41), s(31, 59), s(27, 64), s(29, 70), s(31, 56), s(23, 63), s(45, 59), s(34, 59), s(28, 50), s(15, 41), s(20, 40), s(26, 51), s(26, 50), s(25, 50), s(27, 54), s(28, 56)],
    doubled: s(-35, -19),
    isolated: [s(5, -7), s(-9, -17)],
    backward: [s(5, -10), s(-12, -19)],
    phalanx: [s(0, 0), s(4, 5), s(5, 7), s(10, 10), s(23, 18), s(43, 31), s(69, 60), s(0, 0)],
    supported: [s(0, 0), s(6, 5), s(12, 13), s(8, 19), s(32, 16), s(46, 52), s(73, 62), s(0, 0)],
    rammed: [s(0, 0), s(1, -2), s(8, 2), s(0, 0), s(-8, -2), s(-1, 2), s(0, 0), s(0, 0)],
    candidate: [s(0, 0), s(-1, -7), s(-1, -1), s(3, 3), s(-15, 16), s(18, 56), s(0, 0), s(0, 0)],
    passed: [s(0, 0), s(2, 0), s(-1, -7), s(-5, 24), s(-4, 59), s(42, 73), s(72, 132), s(0, 0)],
    passed_own_king: [s(0, 0), s(-16, 14), s(15, 2), s(6, -7), s(3, -11), s(-12, -13), s(1, -11), s(0, 0)],
    passed_enemy_king: [s(0, 0), s(2, -8), s(-22, 0), s(-15, 10), s(-9, 19), s(13, 28), s(2, 33), s(0, 0)],
    passed_blocked: [s(0, 0), s(-32, -5), s(-4, -4), s(-3, -5), s(-21, -8), s(-21, -36), s(-30, -69), s(0, 0)],
    passed_safe_stop: [s(0, 0), s(5, 7), s(2, 9), s(23, -2), s(-5, 7), s(10, 33), s(12, 37), s(0, 0)],
    passed_safe_path: [s(0, 0), s(-5, -1), s(6, 27), s(-14, 32), s(13, 45), s(24, 74), s(28, 102), s(0, 0)],
    passed_defended_stop: s(19, 25),
    passed_rook_behind: s(1, 29),
    passed_enemy_rook_behind: s(-13, -3),
    unstoppable: s(0, 267),
    shelter: [
        [s(1, 12), s(15, -31), s(11, -11), s(6, -10), s(3, 26), s(-5, 0), s(1, 17), s(0, 0)],
        [s(-13, 5), s(17, -11), s(10, -24), s(0, 8), s(4, 4), s(-39, 19), s(0, 13), s(0, 0)],
        [s(-7, 10), s(15, -8), s(-2, -6), s(2, -20), s(-10, 7), s(-10, 10), s(14, 6), s(0, 0)],
        [s(-5, 4), s(3, 8), s(2, 3), s(4, 10), s(-7, -3), s(-6, -21), s(-5, -13), s(0, 0)],
    ],
    storm: [
        [s(-10, -10), s(8, 0), s(6, -8), s(-14, 21), s(1, -1), s(1, 3), s(-8, 4), s(0, 0)],
        [s(-11, -3), s(8, 1), s(-31, 11), s(-21, 21), s(-10, 11), s(-5, 0), s(-12, 7), s(0, 0)],
        [s(-3, 7), s(7, 6), s(-49, 7), s(-11, -2), s(2, -3), s(2, 3), s(-3, 4), s(0, 0)],
        [s(-10, 11), s(6, 0), s(-1, -6), s(-3, -6), s(0, -7), s(0, -12), s(1, 0), s(0, 0)],
    ],
    storm_blocked: [s(0, -2), s(-21, 6), s(-26, -4), s(1, -38), s(3, 6), s(3, -46), s(-16, 3), s(0, -2)],
    king_open_file: s(-11, -9),
    king_half_open_file: s(-5, -1),
    king_pawn_distance: s(0, -12),
    pawnless_flank: s(11, -60),
    outpost: [s(16, 16), s(31, -1)],
    outpost_reachable: s(20, 6),
    minor_behind_pawn: s(2, 21),
    bishop_pawns: s(1, -3),
    bishop_blocked_centre: s(-1, -1),
    long_diagonal: s(11, 25),
    rook_open_file: s(24, 11),
    rook_half_open_file: s(11, 10),
    rook_closed_file: s(-14, 7),
    rook_on_queen_file: s(18, 2),
    threat_by_pawn: s(73, 45),
    threat_by_push: s(19, 12),
    threat_by_minor: [s(3, 13), s(14, 33), s(49, 24), s(51, 36), s(56, 33)],
    threat_by_rook: [s(9, 14), s(13, 28), s(40, 26), s(0, 4), s(27, 7)],
    threat_by_king: s(20, 26),
    hanging: s(20, 30),
    restricted: s(3, 3),
    queen_hit_by_knight: s(10, -16),
    queen_hit_by_slider: s(18, -13),
    space: s(8, 10),
    danger_base: s(-255, 0),
    danger_to_move: s(91, 3),
    danger_attacker: [s(0, 0), s(49, 2), s(-16, 4), s(-46, -15), s(-112, 59)],
    danger_crowd: s(35, 14),
    danger_ring: s(14, 1),
    danger_weak_ring: s(80, 2),
    danger_safe_check: [s(0, 0), s(301, 24), s(122, 35), s(277, 31), s(143, 80)],
    danger_unsafe_check: s(19, 12),
    danger_pinned: s(138, 10),
    danger_no_queen: s(-890, 0),
    danger_flank_attack: s(35, 1),
    danger_flank_defence: s(3, 0),
    danger_knight_defender: s(-53, -6),
    danger_shelter: s(-123, 0),
};
