//! Tests of the evaluation that hold for any reasonable weights: symmetry, cache, range, known endgames.

use crate::chess::{
    Position,
    score::{EVAL_LIMIT, Value, centipawns},
};
use crate::eval::explain::{Explanation, Term};
use crate::eval::hand_crafted::HandCrafted;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position as _, PositionError, fen::Fen};

fn position(fen: &str) -> Position {
    Position::new(fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap())
}

/// The evaluation for the side to move.
fn value(fen: &str) -> Value {
    HandCrafted::new().evaluate(&position(fen))
}

/// The same position with the colours exchanged.
fn mirrored(position: &Position) -> Position {
    let mut setup = position.chess().to_setup(EnPassantMode::Legal);
    setup.mirror();
    Position::new(Chess::from_setup(setup, CastlingMode::Standard).unwrap())
}

/// Positions met on random walks from the start, always the same ones.
pub(super) fn random_walks() -> Vec<Position> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize % below
    };
    let mut met = Vec::new();
    for _ in 0..12 {
        let mut position = Position::new(Chess::default());
        for _ in 0..150 {
            let moves = position.chess().legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[random(moves.len())]);
            met.push(position.clone());
        }
    }
    met
}

#[test]
fn exchanged_colours_give_the_same_value() {
    let mut evaluator = HandCrafted::new();
    for position in random_walks() {
        let other = mirrored(&position);
        assert_eq!(evaluator.evaluate(&position), evaluator.evaluate(&other), "{:?}", position.board());
    }
}

#[test]
fn the_pawn_hash_table_does_not_change_the_value() {
    let mut used = HandCrafted::new();
    let positions = random_walks();
    for _ in 0..2 {
        for position in &positions {
            assert_eq!(
                used.evaluate(position),
                HandCrafted::new().evaluate(position),
                "{:?}",
                position.board()
            );
        }
    }
}

#[test]
fn the_move_counters_do_not_change_the_value() {
    let a = value("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9");
    let b = value("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 40 90");
    assert_eq!(a, b);
}

#[test]
fn the_terms_of_the_explanation_add_up_to_its_total() {
    let mut evaluator = HandCrafted::new();
    for position in random_walks().iter().step_by(7) {
        let explanation = evaluator.explain(position);
        let sign = if position.turn().is_white() { 1 } else { -1 };
        assert_eq!(explanation.white * sign, evaluator.evaluate(position));
        let sum = Term::ALL
            .iter()
            .map(|&term| explanation.term(term))
            .fold((0, 0), |(mg, eg), [w, b]| (mg + w.0 - b.0, eg + w.1 - b.1));
        assert_eq!(sum, explanation.total(), "{:?}", position.board());
        assert_eq!(follows_from_its_last_line(&explanation), explanation.white, "{:?}", position.board());
    }
    let explanation = evaluator.explain(&position("k7/8/2K5/8/8/8/8/7R w - - 0 1"));
    assert_eq!(explanation.bonus, 595);
    assert_eq!(follows_from_its_last_line(&explanation), explanation.white);
    assert!(explanation.to_string().contains("/64, mop-up +595: "), "{explanation}");
}

/// The value that a reader computes from the sum of the terms, phase, scale and mop-up.
fn follows_from_its_last_line(explanation: &Explanation) -> Value {
    let value = explanation.total.taper(explanation.phase) * explanation.scale / 64 + explanation.bonus;
    centipawns(value).clamp(-EVAL_LIMIT, EVAL_LIMIT)
}

#[test]
fn many_queens_stay_in_range() {
    let fen = "QQQQQQQQ/Q1RRBBNN/8/8/8/5k2/8/K7 b - - 0 1".parse::<Fen>().unwrap();
    let chess = fen.into_position(CastlingMode::Standard).or_else(PositionError::ignore_impossible_check);
    let value = HandCrafted::new().evaluate(&Position::new(chess.unwrap()));
    assert!((-EVAL_LIMIT..-6000).contains(&value), "{value}");
    for position in random_walks() {
        assert!(HandCrafted::new().evaluate(&position).abs() <= EVAL_LIMIT);
    }
}

#[test]
fn better_material_pawns_and_files_raise_the_value() {
    // Each pair: the first is better for the side to move.
    for (better, worse) in [
        // A knight, a rook, a queen more.
        (
            "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (
            "rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQq - 0 1",
            "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (
            "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQq - 0 1",
        ),
        // A passed pawn further on.
        ("8/5pk1/6p1/1P6/8/6P1/5PK1/8 w - - 0 1", "8/5pk1/6p1/8/8/1P4P1/5PK1/8 w - - 0 1"),
        // A rook on an open file.
        ("6k1/5ppp/8/3p4/3P4/8/5PPP/4R1K1 w - - 0 1", "6k1/5ppp/8/3p4/3P4/8/5PPP/3R2K1 w - - 0 1"),
        // The pawns before the king, not those on the other wing.
        (
            "r2q1rk1/pbppbppp/1pn2n2/4p3/4P3/2NP1N2/3BBPPP/R2Q1RK1 w - - 0 9",
            "r2q1rk1/pbppbppp/1pn2n2/4p3/4P3/2NP1N2/PPPBB3/R2Q1RK1 w - - 0 9",
        ),
        // Pawns side by side, not one behind the other.
        ("4k3/pp3p2/8/8/8/8/PP2P3/4K3 w - - 0 1", "4k3/pp3p2/8/8/8/P7/P3P3/4K3 w - - 0 1"),
        // A pawn that the king cannot catch, and one that it can.
        ("8/8/8/P5k1/8/8/8/K7 w - - 0 1", "8/8/2k5/P7/8/8/8/K7 w - - 0 1"),
    ] {
        assert!(value(better) > value(worse), "{better} {} | {worse} {}", value(better), value(worse));
    }
}

#[test]
fn drawn_endgames_are_scaled_down() {
    for fen in [
        "8/8/4k3/8/8/3NK3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3BK3/8/8 b - - 0 1",
        "8/8/4k3/8/8/2NNK3/8/8 w - - 0 1",
        // The corner that the bishop does not reach, and a rook pawn alone.
        "k7/8/K7/P7/8/8/8/2B5 w - - 0 1",
        "1k6/8/8/P7/8/8/8/K7 w - - 0 1",
    ] {
        assert_eq!(value(fen), 0, "{fen}");
    }
    for fen in [
        "8/4b3/4k3/8/8/3RK3/8/8 w - - 0 1",
        "8/4n3/4k3/8/8/3RK3/8/8 w - - 0 1",
        "8/4r3/4k3/8/8/3RK3/4B3/8 w - - 0 1",
    ] {
        assert!((0..100).contains(&value(fen)), "{fen} {}", value(fen));
    }
    // The bishop of the right colour wins.
    assert!(value("k7/8/K7/P7/8/8/8/5B2 w - - 0 1") > 200);
    // Bishops of opposite colours take much of an advantage away.
    let opposite = value("8/4bk2/8/3p4/3P4/PP2B3/5K2/8 w - - 0 1");
    let alike = value("8/3b1k2/8/3p4/3P4/PP2B3/5K2/8 w - - 0 1");
    assert!(opposite > 0 && alike > 0, "{opposite} {alike}");
}

#[test]
fn the_mop_up_bonus_drives_a_lone_king_to_the_right_edge_or_corner() {
    for (better, worse) in [
        // To the edge, and the own king near.
        ("k7/8/2K5/8/8/8/8/7R w - - 0 1", "8/8/2K5/8/4k3/8/8/7R w - - 0 1"),
        ("4k3/8/4K3/8/8/8/8/7R w - - 0 1", "4k3/8/8/8/8/8/4K3/7R w - - 0 1"),
        // Bishop and knight: to the bishop's corner.
        ("7k/8/5K2/5N2/8/8/8/2B5 b - - 0 1", "k7/8/2K5/2N5/8/8/8/2B5 b - - 0 1"),
    ] {
        let [better_value, worse_value] = [better, worse].map(|fen| {
            let position = position(fen);
            HandCrafted::new().explain(&position).white
        });
        assert!(better_value > worse_value, "{better} {better_value} | {worse} {worse_value}");
    }
    assert!(value("8/8/4k3/8/8/3QK3/8/8 w - - 0 1") > 1000);
}
