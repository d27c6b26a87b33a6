//! What everything is worth: each weight once, by name, in centipawns.
//!
//! First written down by estimate, from formulas in rank, file and distance from the centre, then tuned by
//! logistic regression on 168,000 quiet positions of 2,500 games that were played for the purpose (random
//! openings and now and then a random move, so that one-sided positions occur too), each labelled by a
//! search of 1,500 nodes of another engine and, where no random move followed, by the result of its game.
//! On positions of other games that were kept aside, the correlation of the expected score with the label
//! rose from 0.882 to 0.930.

use super::tapered::{S, s};

/// A table by rank and by distance of the file from the edge, the left half of the board, first rank first.
type Half = [[S; 4]; 8];

/// Everything that can be tuned. Tables by role run pawn, knight, bishop, rook, queen (, king).
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
    /// Beside an own pawn, by rank.
    pub(super) phalanx: [S; 8],
    /// Defended by an own pawn, by rank.
    pub(super) supported: [S; 8],
    /// Face to face with an enemy pawn, by rank.
    pub(super) rammed: [S; 8],
    pub(super) candidate: [S; 8],
    pub(super) passed: [S; 8],
    /// A passed pawn's kings: for each square of distance from the square ahead of it, by rank.
    pub(super) passed_own_king: [S; 8],
    pub(super) passed_enemy_king: [S; 8],
    pub(super) passed_blocked: [S; 8],
    pub(super) passed_safe_stop: [S; 8],
    pub(super) passed_safe_path: [S; 8],
    pub(super) passed_defended_stop: S,
    pub(super) passed_rook_behind: S,
    pub(super) passed_enemy_rook_behind: S,
    pub(super) unstoppable: S,

    /// The nearest own pawn before the king by its rank (0: none), on files from the edge inwards.
    pub(super) shelter: [[S; 8]; 4],
    /// The nearest enemy pawn ahead by its rank (0: none): free to run, and stopped by an own pawn.
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
    /// For every pair of attackers.
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

/// The weights in use.
#[rustfmt::skip]
pub(super) static W: Weights = Weights {
    tempo: s(36, 20),
    material: [s(47, 122), s(380, 314), s(375, 327), s(490, 563), s(959, 934)],
    bishop_pair: s(58, 37),
    knight_pawns: s(11, -1),
    rook_pawns: s(22, -14),
    squares: [
        [
            [s(0, 0), s(0, 0), s(0, 0), s(0, 0)],
            [s(-18, 12), s(10, 3), s(-2, 19), s(9, 16)],
            [s(-14, -2), s(4, -2), s(2, 2), s(-6, -2)],
            [s(-12, 15), s(2, 2), s(-6, -3), s(-2, -27)],
            [s(11, 11), s(19, 4), s(-7, -10), s(10, -19)],
            [s(23, 22), s(11, 36), s(5, 18), s(26, 15)],
            [s(12, 42), s(22, 28), s(23, 52), s(16, 23)],
            [s(0, 0), s(0, 0), s(0, 0), s(0, 0)],
        ],
        [
            [s(-54, -29), s(-32, -28), s(-31, -11), s(-21, -18)],
            [s(-39, -13), s(-34, -21), s(-8, -6), s(-10, -14)],
            [s(-22, -23), s(-6, -25), s(1, -7), s(-2, 10)],
            [s(-6, -15), s(2, 4), s(4, 9), s(6, 14)],
            [s(9, -34), s(6, 11), s(-8, -6), s(8, 10)],
            [s(-22, -20), s(10, -22), s(11, -23), s(37, -8)],
            [s(-42, -26), s(-35, -30), s(-3, -1), s(-7, -12)],
            [s(-85, -34), s(-73, -36), s(-72, -38), s(-70, -37)],
        ],
        [
            [s(-7, -8), s(0, -14), s(-22, 7), s(-11, 2)],
            [s(4, 0), s(8, -7), s(2, -13), s(-2, 6)],
            [s(6, -1), s(7, -2), s(1, 8), s(7, 21)],
            [s(7, -12), s(18, -1), s(6, 22), s(22, -2)],
            [s(-14, 5), s(11, 0), s(20, -1), s(19, 11)],
            [s(-7, -7), s(2, -2), s(0, -18), s(28, 18)],
            [s(-18, -14), s(-5, -1), s(-8, 1), s(-14, -1)],
            [s(-40, -17), s(-22, -10), s(-22, -10), s(-26, -6)],
        ],
        [
            [s(-10, 2), s(-10, 0), s(8, -5), s(21, -18)],
            [s(-27, 6), s(-11, 2), s(-6, -5), s(-3, 8)],
            [s(-16, 9), s(-4, 14), s(-6, -2), s(10, 2)],
            [s(-3, 11), s(-8, 10), s(13, 11), s(10, 2)],
            [s(-7, 9), s(-1, 22), s(11, 2), s(6, 6)],
            [s(-8, 6), s(4, 5), s(11, 18), s(10, 6)],
            [s(-2, 5), s(15, 21), s(10, 7), s(13, 10)],
            [s(11, 9), s(8, 18), s(4, 7), s(22, 22)],
        ],
        [
            [s(8, -17), s(-1, -17), s(2, -18), s(5, -9)],
            [s(10, -18), s(18, -7), s(13, -11), s(16, 9)],
            [s(6, -22), s(2, -12), s(14, 7), s(6, 16)],
            [s(6, -19), s(10, -4), s(2, 4), s(4, 22)],
            [s(18, -5), s(2, -4), s(-11, 2), s(2, 21)],
            [s(15, -11), s(-2, 0), s(2, 3), s(6, 11)],
            [s(-9, -13), s(-15, -4), s(-8, -8), s(-5, -6)],
            [s(3, -14), s(15, -6), s(-4, -18), s(-2, -14)],
        ],
        [
            [s(28, -62), s(38, -54), s(9, -46), s(15, -62)],
            [s(36, -49), s(16, -33), s(-7, -28), s(-38, -16)],
            [s(-3, -31), s(-1, -13), s(-15, -14), s(-42, -13)],
            [s(-12, -22), s(-20, -15), s(-34, -6), s(-44, 6)],
            [s(-23, -22), s(-22, -7), s(-34, 5), s(-54, 18)],
            [s(-25, -26), s(-22, 1), s(-35, 10), s(-50, 16)],
            [s(-21, -30), s(-18, -4), s(-31, -11), s(-47, -16)],
            [s(-20, -42), s(-20, -43), s(-28, -31), s(-49, -38)],
        ],
    ],
    knight_mobility: [s(-32, -42), s(-8, -30), s(3, 10), s(11, 7), s(18, 18), s(20, 15), s(26, 20), s(25, 19), s(26, 8)],
    bishop_mobility: [s(-21, -43), s(-6, -12), s(10, 2), s(16, 17), s(22, 22), s(25, 19), s(26, 25), s(28, 15), s(22, 23), s(27, 30), s(26, 30), s(26, 15), s(35, 38), s(37, 32)],
    rook_mobility: [s(-41, -50), s(-12, -31), s(4, 2), s(7, 16), s(15, 21), s(12, 43), s(16, 43), s(14, 48), s(26, 41), s(22, 51), s(22, 53), s(22, 46), s(36, 46), s(16, 51), s(31, 62)],
    queen_mobility: [s(-20, -36), s(-6, -19), s(-6, -11), s(2, -6), s(7, -3), s(10, 5), s(12, 14), s(16, 24), s(18, 30), s(22, 34), s(25, 29), s(29, 30), s(30, 33), s(24, 46), s(21, 49), s(23, 53), s(23, 46), s(19, 50), s(34, 50), s(26, 50), s(24, 46), s(18, 42), s(21, 43), s(25, 50), s(26, 50), s(26, 51), s(27, 54), s(28, 56)],
    doubled: s(-30, -19),
    isolated: [s(4, -6), s(-9, -15)],
    backward: [s(4, -9), s(-12, -15)],
    phalanx: [s(0, 0), s(4, 6), s(5, 6), s(9, 9), s(22, 14), s(38, 31), s(67, 58), s(0, 0)],
    supported: [s(0, 0), s(6, 5), s(12, 12), s(7, 17), s(30, 12), s(39, 45), s(70, 60), s(0, 0)],
    rammed: [s(0, 0), s(1, -2), s(6, 2), s(0, 0), s(-6, -2), s(-1, 2), s(0, 0), s(0, 0)],
    candidate: [s(0, 0), s(0, -4), s(-1, 0), s(2, 4), s(-12, 14), s(19, 45), s(0, 0), s(0, 0)],
    passed: [s(0, 0), s(-1, 2), s(-5, -2), s(-4, 21), s(4, 52), s(38, 73), s(69, 122), s(0, 0)],
    passed_own_king: [s(0, 0), s(-14, 13), s(11, 3), s(5, -6), s(1, -10), s(-10, -13), s(2, -10), s(0, 0)],
    passed_enemy_king: [s(0, 0), s(1, -6), s(-18, -2), s(-14, 9), s(-8, 18), s(10, 27), s(-1, 34), s(0, 0)],
    passed_blocked: [s(0, 0), s(-19, -6), s(-4, -1), s(-2, -4), s(-17, -10), s(-18, -31), s(-24, -55), s(0, 0)],
    passed_safe_stop: [s(0, 0), s(3, 4), s(3, 7), s(18, 2), s(-3, 10), s(9, 30), s(11, 30), s(0, 0)],
    passed_safe_path: [s(0, 0), s(-2, 0), s(5, 21), s(-4, 26), s(12, 38), s(21, 59), s(22, 70), s(0, 0)],
    passed_defended_stop: s(18, 26),
    passed_rook_behind: s(5, 26),
    passed_enemy_rook_behind: s(-8, -4),
    unstoppable: s(0, 273),
    shelter: [[s(-1, 14), s(17, -23), s(14, -10), s(10, -7), s(6, 18), s(-5, 0), s(-2, 10), s(0, 0)], [s(-20, 9), s(20, -10), s(14, -22), s(0, 9), s(7, 2), s(-24, 12), s(-2, 7), s(0, 0)], [s(-6, 12), s(22, -7), s(2, -4), s(3, -16), s(-9, 2), s(-8, 6), s(8, 6), s(0, 0)], [s(-5, 6), s(8, 6), s(5, 2), s(6, 7), s(-5, -6), s(-6, -14), s(-5, -7), s(0, 0)]],
    storm: [[s(-9, -6), s(8, 0), s(-1, -4), s(-16, 16), s(6, -1), s(6, 1), s(-6, 2), s(0, 0)], [s(-6, -4), s(8, 1), s(-22, 5), s(-22, 14), s(-5, 8), s(-1, -1), s(-7, 5), s(0, 0)], [s(0, 7), s(7, 3), s(-35, 1), s(-13, -1), s(3, 0), s(6, 5), s(-1, 3), s(0, 0)], [s(-11, 10), s(6, 0), s(-2, -2), s(-6, -4), s(-1, -3), s(-1, -8), s(2, -2), s(0, 0)]],
    storm_blocked: [s(0, -2), s(-14, 0), s(-27, -5), s(0, -27), s(5, 6), s(0, -31), s(-14, 0), s(0, -2)],
    king_open_file: s(-14, -7),
    king_half_open_file: s(-6, 1),
    king_pawn_distance: s(1, -10),
    pawnless_flank: s(-2, -53),
    outpost: [s(16, 17), s(27, 2)],
    outpost_reachable: s(19, 7),
    minor_behind_pawn: s(2, 21),
    bishop_pawns: s(2, -2),
    bishop_blocked_centre: s(-2, -2),
    long_diagonal: s(11, 17),
    rook_open_file: s(26, 13),
    rook_half_open_file: s(12, 10),
    rook_closed_file: s(-14, 8),
    rook_on_queen_file: s(17, 2),
    threat_by_pawn: s(70, 40),
    threat_by_push: s(18, 10),
    threat_by_minor: [s(3, 12), s(14, 27), s(46, 22), s(48, 34), s(50, 38)],
    threat_by_rook: [s(10, 15), s(12, 26), s(34, 27), s(-1, 6), s(24, 9)],
    threat_by_king: s(15, 27),
    hanging: s(20, 29),
    restricted: s(3, 2),
    queen_hit_by_knight: s(9, -11),
    queen_hit_by_slider: s(18, -8),
    space: s(10, 18),
    danger_base: s(-257, 0),
    danger_to_move: s(73, 2),
    danger_attacker: [s(0, 0), s(87, 3), s(12, 6), s(-7, -12), s(-56, 39)],
    danger_crowd: s(26, 12),
    danger_ring: s(15, 0),
    danger_weak_ring: s(89, 3),
    danger_safe_check: [s(0, 0), s(317, 22), s(130, 31), s(304, 31), s(171, 63)],
    danger_unsafe_check: s(23, 10),
    danger_pinned: s(139, 11),
    danger_no_queen: s(-911, 0),
    danger_flank_attack: s(30, 2),
    danger_flank_defence: s(4, -1),
    danger_knight_defender: s(-66, -10),
    danger_shelter: s(-84, 0),
};
