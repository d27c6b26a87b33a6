//! Perft: known numbers of positions after so many plies, through the staged move generator and
//! [`Position::play`], and the incremental hash keys on the way.

use crate::common::position;
use plumb::chess::Position;
use plumb::chess::movegen::{self, Generator};
use shakmaty::{EnPassantMode, MoveList, fen::Fen};
use std::path::{Path, PathBuf};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Positions after 1, 2, 3 ... plies, of the positions that the Chess Programming Wiki lists ("Perft
/// Results"): the start, "Kiwipete", and its positions 3 to 6.
const STANDARD: &[(&str, &[u64])] = &[
    (START, &[20, 400, 8_902, 197_281, 4_865_609]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", &[48, 2_039, 97_862, 4_085_603]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9_467, 422_333]),
    ("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", &[6, 264, 9_467, 422_333]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1_486, 62_379, 2_103_487]),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2_079, 89_890, 3_894_594],
    ),
];

/// The same for Chess960: the first five of the wiki's "Chess960 Perft Results", and three of our own (the
/// first three plies counted with python-chess) with kings between two rooks, a king that castles without
/// moving, and a castling rook that is pinned.
const CHESS960: &[(&str, &[u64])] = &[
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", &[21, 528, 12_189, 326_672]),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", &[21, 807, 18_002, 667_366]),
    ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", &[20, 479, 10_471, 273_318]),
    ("qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", &[22, 593, 13_440, 382_958]),
    ("1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9", &[28, 1_120, 31_058, 1_171_749]),
    ("r1kr4/8/8/8/8/8/8/R1KR4 w DAda - 0 1", &[22, 403, 9_016]),
    ("1rkr4/8/8/8/8/8/8/1RKR3q w DBdb - 0 1", &[13, 418, 7_242]),
    ("4k3/8/8/8/8/8/8/qR1K2R1 w GB - 0 1", &[18, 306, 6_297]),
];

/// Positions with double pushes that allow a capture en passant which the king does not: a pinned pawn, two
/// pawns that would leave a rank, a check uncovered by the push. Their counts were made with python-chess.
const EN_PASSANT: &[(&str, &[u64])] = &[
    ("8/2ppp3/8/KP1P1P1r/1R1p1p1k/8/2P1P1P1/8 w - - 0 1", &[17, 255, 4_625, 78_227]),
    ("3r3k/2p1p3/8/1P1P1P2/8/8/3K4/8 b - - 0 1", &[16, 174, 2_838, 29_251]),
    ("b6k/1p1p1p2/8/P1P1P3/4K3/8/8/8 b - - 0 1", &[9, 82, 855, 8_166]),
    ("7k/K1p1p2r/8/1P1P4/8/8/8/8 b - - 0 1", &[14, 91, 1_567, 10_813]),
];

/// Positions after exactly `depth` plies; the last ply is generated and not played.
fn count(position: &Position, depth: usize) -> u64 {
    let mut moves = MoveList::new();
    movegen::all(position, &mut moves);
    match depth {
        0 => 1,
        1 => moves.len() as u64,
        _ => moves.iter().map(|&m| count(&position.play(m), depth - 1)).sum(),
    }
}

fn check_counts(table: &[(&str, &[u64])]) {
    for (fen, expected) in table {
        let root = position(fen);
        for (index, &expected) in expected.iter().enumerate() {
            let depth = index + 1;
            assert_eq!(count(&root, depth), expected, "{fen}, {depth} plies");
        }
    }
}

#[test]
fn standard_chess_has_the_known_perft_counts() {
    check_counts(STANDARD);
}

#[test]
fn positions_about_en_passant_have_the_known_perft_counts() {
    check_counts(EN_PASSANT);
}

#[test]
fn chess960_has_the_known_perft_counts() {
    check_counts(CHESS960);
}

/// The lines of the file of 960 starts with counts (`;D1 21 ;D2 528 ...`), which is not part of this
/// repository: named by `PLUMB_PERFT`, or in `../shared/epd`.
fn fischer() -> String {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/epd/perft_fischer.epd");
    let path = std::env::var_os("PLUMB_PERFT").map_or_else(beside, PathBuf::from);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Counts of such a line up to some depth; how many were checked.
fn check_line(line: &str, deepest: usize) -> usize {
    let mut fields = line.split(';').map(str::trim);
    let fen = fields.next().unwrap_or_default();
    let root = position(fen);
    let counts = fields.filter_map(|field| field.strip_prefix('D')?.split_once(' '));
    let counts = counts.map(|(depth, nodes)| (depth.parse().unwrap(), nodes.trim().parse().unwrap()));
    let counts: Vec<(usize, u64)> = counts.filter(|&(depth, _)| depth <= deepest).collect();
    for &(depth, expected) in &counts {
        assert_eq!(count(&root, depth), expected, "{fen}, {depth} plies");
    }
    counts.len()
}

fn check_fischer(deepest: usize) {
    let text = fischer();
    let checked: usize = text.lines().map(|line| check_line(line, deepest)).sum();
    assert_eq!(checked, text.lines().count() * deepest, "counts are missing");
}

/// 20 million positions.
#[test]
#[ignore = "needs perft_fischer.epd"]
fn all_chess960_starts_have_the_known_counts_to_three_plies() {
    check_fischer(3);
}

/// 560 million positions: a minute or so.
#[test]
#[ignore = "takes a minute, with perft_fischer.epd"]
fn all_chess960_starts_have_the_known_counts_to_four_plies() {
    check_fischer(4);
}

/// The reader of such files, where the file is missing.
#[test]
fn lines_of_a_perft_file_are_read() {
    let line = "r1kr4/8/8/8/8/8/8/R1KR4 w DAda - 0 1 ;D1 22 ;D2 403 ;D3 9016 ;D9 1";
    assert_eq!(check_line(line, 3), 3);
    assert!(std::panic::catch_unwind(|| check_line(&line.replace("403", "404"), 3)).is_err());
}

/// Incremental keys and checkers equal those computed from scratch.
fn check_keys(position: &Position) {
    let scratch = Position::new(position.chess().clone());
    let kept = (position.key(), position.pawn_key(), position.checkers());
    assert_eq!(kept, (scratch.key(), scratch.pawn_key(), scratch.checkers()), "{:?}", position.chess());
    let written =
        crate::common::position(&Fen::from_position(position.chess(), EnPassantMode::Legal).to_string());
    assert_eq!(written.key(), position.key(), "one FEN, one key: {:?}", position.chess());
}

/// Checks every line of `depth` plies, and at every position also the moves after a null move.
fn walk(position: &Position, depth: usize) -> u64 {
    check_keys(position);
    if depth == 0 {
        return 1;
    }
    if let Some(passed) = position.null_move() {
        check_keys(&passed);
        assert_eq!(passed.turn(), !position.turn());
        let mut moves = MoveList::new();
        movegen::all(&passed, &mut moves);
        moves.iter().for_each(|&m| check_keys(&passed.play(m)));
    }
    let mut moves = MoveList::new();
    movegen::all(position, &mut moves);
    moves.iter().map(|&m| walk(&position.play(m), depth - 1)).sum()
}

#[test]
fn incremental_keys_equal_those_from_scratch() {
    for (fen, expected) in STANDARD.iter().chain(CHESS960).chain(EN_PASSANT) {
        assert_eq!(walk(&position(fen), 3), expected[2], "{fen}");
    }
}

/// A long game of random moves: rights get lost, pawns promote, kings castle, and pawns stand ready for
/// captures en passant that are not legal.
#[test]
fn incremental_keys_and_packed_moves_are_right_in_random_games() {
    let mut seed = 20_260_101_u64;
    let (mut castlings, mut pinned) = (0, 0);
    for (fen, _) in STANDARD.iter().chain(CHESS960).chain(EN_PASSANT) {
        for _ in 0..20 {
            let mut position = position(fen);
            for _ in 0..120 {
                check_keys(&position);
                pinned += u32::from(position.polyglot_key() != position.key());
                let mut moves = MoveList::new();
                movegen::all(&position, &mut moves);
                let generator = Generator::new(&position);
                for &m in &moves {
                    assert_eq!(
                        movegen::decode(&position, movegen::encode(m)),
                        Some(m),
                        "{:?}",
                        position.chess()
                    );
                    assert!(generator.is_legal(m), "{m:?} in {:?}", position.chess());
                }
                let castling = moves.iter().copied().find(|m| m.is_castle());
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let random = (seed >> 33) as usize;
                let Some(m) = castling.or_else(|| moves.get(random % moves.len().max(1)).copied()) else {
                    break;
                };
                castlings += u32::from(m.is_castle());
                position = position.play(m);
            }
        }
    }
    assert!(castlings > 100, "only {castlings} games castled");
    assert!(pinned > 10, "only {pinned} captures en passant were not legal");
}

/// A null move and its answer lead back to the first position, but for en passant and the counters.
#[test]
fn two_null_moves_change_nothing_but_en_passant() {
    for (fen, _) in STANDARD.iter().chain(CHESS960) {
        let root = position(fen);
        let Some(back) = root.null_move().and_then(|passed| passed.null_move()) else { continue };
        assert_eq!((back.key(), back.pawn_key()), (root.key(), root.pawn_key()), "{fen}");
    }
    let en_passant = position("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
    let none = position("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1");
    assert_ne!(en_passant.key(), none.key());
    assert_eq!(
        en_passant.null_move().and_then(|passed| passed.null_move()).map(|back| back.key()),
        Some(none.key())
    );
}
