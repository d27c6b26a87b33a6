//! Weights of the hand-crafted evaluation: each one once, by name, in centipawns.
//!
//! They were fitted by Texel's method (`plumb texel`) to results and scores of Plumb's own games, and to
//! nothing else, beginning with estimates. Recipe: docs/tuning.md; the fits: notebook/weights.md.

use crate::eval::tapered::{S, s};
use crate::eval::weight_fields::{ToSource, VisitWeights};

/// Piece-square table by rank and by distance of the file from the edge: the left half of a board, rank 1
/// first.
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

        /// Pawn shelter: the nearest own pawn before the king by its rank (0: none), files from the edge
        /// inwards.
        pub(super) shelter: [[S; 8]; 4],
        /// Pawn storm: the nearest enemy pawn ahead by its rank (0: none), free to advance or blocked by an
        /// own pawn.
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
    tempo: s(17, 15),
    material: [s(51, 131), s(293, 397), s(287, 401), s(356, 680), s(1009, 1055)],
    bishop_pair: s(17, 54),
    knight_pawns: s(0, 4),
    rook_pawns: s(7, -7),
    squares: [
        [
            [s(0, 0), s(0, 0), s(0, 0), s(0, 0)],
            [s(-15, 14), s(5, 9), s(0, 8), s(7, 3)],
            [s(-11, -1), s(-5, -1), s(2, -1), s(8, -14)],
            [s(-14, 13), s(-15, 10), s(11, -8), s(19, -13)],
            [s(-14, 13), s(-4, -1), s(4, 4), s(19, -19)],
            [s(27, 30), s(17, 52), s(7, 41), s(28, -1)],
            [s(50, 18), s(21, 68), s(-1, 42), s(18, 36)],
            [s(0, 0), s(0, 0), s(0, 0), s(0, 0)],
        ],
        [
            [s(-46, -31), s(-39, -32), s(-38, -44), s(-28, -14)],
            [s(-58, -37), s(-9, -45), s(-38, -11), s(-24, 2)],
            [s(-31, -26), s(-17, -7), s(-19, -6), s(-15, -19)],
            [s(-22, -47), s(-8, -9), s(3, -14), s(-1, 1)],
            [s(-21, -16), s(-13, -2), s(-1, -5), s(-6, 10)],
            [s(0, -41), s(-12, 2), s(-18, -27), s(-8, -6)],
            [s(-40, -3), s(-41, -26), s(-22, -13), s(-16, -3)],
            [s(-90, -35), s(-82, -29), s(-99, -21), s(-72, -17)],
        ],
        [
            [s(-26, -12), s(-1, -5), s(-17, -7), s(-22, -7)],
            [s(-20, -10), s(3, -26), s(27, -14), s(1, -6)],
            [s(-2, -7), s(11, -7), s(8, 8), s(2, 11)],
            [s(21, -18), s(-6, 6), s(1, 15), s(7, 11)],
            [s(-21, 11), s(8, -6), s(-12, 13), s(7, 17)],
            [s(7, 1), s(-7, -14), s(-32, 11), s(1, -1)],
            [s(-8, -15), s(-29, -16), s(21, 14), s(-24, -2)],
            [s(-66, -16), s(-28, -2), s(-31, 10), s(-27, 3)],
        ],
        [
            [s(-19, -6), s(-20, -1), s(-6, 5), s(-4, -4)],
            [s(-34, -9), s(-3, -24), s(-22, 2), s(-6, -2)],
            [s(-30, -1), s(-30, 11), s(-2, -19), s(-11, 3)],
            [s(-32, 14), s(11, 7), s(-16, 13), s(-1, -6)],
            [s(-23, 28), s(7, 1), s(16, 6), s(-14, 15)],
            [s(-14, 27), s(7, 6), s(-5, 15), s(5, 20)],
            [s(-18, 17), s(7, 20), s(17, 22), s(27, 17)],
            [s(-2, 22), s(14, 13), s(16, 24), s(14, 18)],
        ],
        [
            [s(-7, -36), s(-22, -15), s(-20, -48), s(-10, -34)],
            [s(-13, -35), s(8, -31), s(2, -58), s(-7, -12)],
            [s(-1, 4), s(5, 0), s(4, -17), s(-1, -20)],
            [s(0, -4), s(-5, -1), s(-12, 19), s(-2, 27)],
            [s(19, -19), s(-5, -4), s(9, 3), s(-1, 22)],
            [s(6, -6), s(15, -5), s(23, 7), s(-11, 24)],
            [s(7, -17), s(-7, 2), s(9, -11), s(7, 8)],
            [s(-3, -18), s(-22, -21), s(4, -9), s(9, -6)],
        ],
        [
            [s(33, -81), s(30, -54), s(7, -58), s(12, -71)],
            [s(29, -47), s(9, -51), s(-3, -35), s(-42, -25)],
            [s(8, -45), s(7, -26), s(-4, -24), s(-43, -8)],
            [s(-26, -25), s(-13, -28), s(-27, -11), s(-65, 8)],
            [s(-36, -51), s(-27, -17), s(-46, 11), s(-67, 16)],
            [s(-32, -37), s(-25, 25), s(-45, 12), s(-67, 11)],
            [s(-23, -29), s(-20, 18), s(-34, 5), s(-61, -3)],
            [s(-29, -91), s(-22, -42), s(-35, -38), s(-62, -56)],
        ],
    ],
    knight_mobility: [s(-33, -59), s(-24, -25), s(-18, -2), s(-13, 9), s(-6, 17), s(1, 21), s(1, 27), s(1, 28), s(11, 34)],
    bishop_mobility: [s(-12, -54), s(-3, -27), s(8, -7), s(10, 7), s(9, 23), s(12, 31), s(14, 28), s(8, 35), s(8, 41), s(9, 44), s(10, 33), s(17, 37), s(26, 36), s(39, 30)],
    rook_mobility: [s(-48, -71), s(-21, -29), s(-12, 0), s(-10, 16), s(-2, 36), s(-1, 42), s(-5, 43), s(-1, 55), s(3, 53), s(4, 64), s(8, 63), s(10, 57), s(12, 70), s(16, 67), s(29, 63)],
    queen_mobility: [s(-25, -45), s(-3, -23), s(6, -17), s(2, -4), s(6, 4), s(8, 23), s(10, 25), s(12, 12), s(13, 17), s(14, 18), s(15, 32), s(16, 38), s(17, 45), s(15, 51), s(16, 56), s(12, 53), s(13, 52), s(19, 62), s(23, 61), s(17, 52), s(17, 55), s(33, 46), s(25, 44), s(27, 48), s(32, 59), s(31, 59), s(34, 66), s(35, 70)],
    doubled: s(-4, -29),
    isolated: [s(-2, -5), s(-4, -14)],
    backward: [s(0, 2), s(-11, -7)],
    phalanx: [s(0, 0), s(3, -4), s(3, 1), s(3, 13), s(18, 11), s(36, 46), s(88, 91), s(0, 0)],
    supported: [s(0, 0), s(0, 0), s(10, 9), s(7, 11), s(8, 20), s(21, 38), s(10, 41), s(0, 0)],
    rammed: [s(0, 0), s(7, 2), s(-1, -1), s(0, 0), s(1, 1), s(-7, -2), s(0, 0), s(0, 0)],
    candidate: [s(0, 0), s(10, -19), s(13, -12), s(-2, 14), s(-8, 23), s(4, 53), s(0, 0), s(0, 0)],
    passed: [s(0, 0), s(3, 6), s(6, 11), s(-27, 38), s(11, 63), s(42, 58), s(84, 136), s(0, 0)],
    passed_own_king: [s(0, 0), s(-6, 3), s(9, -6), s(10, -12), s(0, -13), s(-4, -16), s(2, -22), s(0, 0)],
    passed_enemy_king: [s(0, 0), s(4, -10), s(-7, 0), s(-5, 10), s(-6, 20), s(-3, 37), s(-10, 51), s(0, 0)],
    passed_blocked: [s(0, 0), s(4, -4), s(-9, 5), s(-17, -11), s(-9, 4), s(0, -41), s(-51, -93), s(0, 0)],
    passed_safe_stop: [s(0, 0), s(6, 4), s(3, 4), s(-4, 6), s(3, 9), s(-7, 46), s(5, 29), s(0, 0)],
    passed_safe_path: [s(0, 0), s(-21, 25), s(-3, 20), s(-16, 30), s(19, 46), s(37, 57), s(45, 123), s(0, 0)],
    passed_defended_stop: s(-5, 22),
    passed_rook_behind: s(4, 27),
    passed_enemy_rook_behind: s(0, -1),
    unstoppable: s(0, 323),
    shelter: [
        [s(-15, 19), s(30, -38), s(27, -13), s(2, -2), s(0, 9), s(0, -3), s(0, 17), s(0, 0)],
        [s(-17, 14), s(17, -14), s(16, -14), s(-1, -9), s(-12, 10), s(14, -6), s(1, 25), s(0, 0)],
        [s(-7, -8), s(20, -9), s(4, -8), s(-5, -2), s(-18, 6), s(-12, -9), s(3, 32), s(0, 0)],
        [s(-19, -4), s(-1, 4), s(0, 7), s(-12, -5), s(-9, -15), s(-8, 25), s(-20, -7), s(0, 0)],
    ],
    storm: [
        [s(-17, -9), s(-18, 11), s(6, 20), s(-34, 13), s(-12, -2), s(1, -7), s(-8, -4), s(0, 0)],
        [s(-8, -2), s(11, 10), s(-33, 14), s(-27, 2), s(-22, 6), s(-5, -12), s(-7, -8), s(0, 0)],
        [s(-8, -6), s(-9, -28), s(-27, 2), s(-13, 9), s(-12, 7), s(-2, 0), s(-8, 8), s(0, 0)],
        [s(-6, 10), s(15, 8), s(-5, 11), s(3, -19), s(-1, 4), s(8, 6), s(2, 12), s(0, 0)],
    ],
    storm_blocked: [s(0, -3), s(0, -3), s(-33, -26), s(-3, 2), s(4, -18), s(2, -11), s(-5, -17), s(0, -3)],
    king_open_file: s(-11, -18),
    king_half_open_file: s(-2, -1),
    king_pawn_distance: s(1, -13),
    pawnless_flank: s(9, -75),
    outpost: [s(23, 13), s(5, 15)],
    outpost_reachable: s(13, 7),
    minor_behind_pawn: s(-1, 18),
    bishop_pawns: s(-6, -1),
    bishop_blocked_centre: s(-1, -2),
    long_diagonal: s(12, 14),
    rook_open_file: s(17, 12),
    rook_half_open_file: s(8, 11),
    rook_closed_file: s(-9, 0),
    rook_on_queen_file: s(22, -6),
    threat_by_pawn: s(66, 60),
    threat_by_push: s(17, 12),
    threat_by_minor: [s(1, 14), s(12, 33), s(33, 31), s(55, 39), s(55, 64)],
    threat_by_rook: [s(6, 16), s(23, 25), s(33, 36), s(-5, 7), s(52, 24)],
    threat_by_king: s(22, 21),
    hanging: s(11, 32),
    restricted: s(5, 2),
    queen_hit_by_knight: s(7, -4),
    queen_hit_by_slider: s(15, 4),
    space: s(1, 4),
    danger_base: s(-88, 0),
    danger_to_move: s(129, 5),
    danger_attacker: [s(0, 0), s(132, 7), s(124, -6), s(97, -16), s(9, 34)],
    danger_crowd: s(-28, 12),
    danger_ring: s(12, 5),
    danger_weak_ring: s(71, 0),
    danger_safe_check: [s(0, 0), s(304, 23), s(185, 32), s(346, 24), s(187, 73)],
    danger_unsafe_check: s(41, 5),
    danger_pinned: s(112, 28),
    danger_no_queen: s(-695, -95),
    danger_flank_attack: s(23, 1),
    danger_flank_defence: s(-13, 0),
    danger_knight_defender: s(-62, -6),
    danger_shelter: s(-39, 0),
};
