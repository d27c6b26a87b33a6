//! Points for moves in a test suite, as the Strategic Test Suite (STS) gives them: ten for the best move,
//! fewer for others that are nearly as good.
//!
//! Two ways to write them are read: one comment, `c0 "f5=10, Be5+=2, Bf2=3"`, and lists side by side,
//! `c8 "10 2 3"` with the moves in `c9 "f4f5 d4e5 d4f2"`, or in SAN in `c7`. Other suites use the same
//! operations for comments, so they are read as points only if they begin like points; errors after such a
//! beginning are reported.

use super::san;
use shakmaty::{Chess, Move};

/// The points of a line; empty if it gives none. `find` returns the operands of an operation.
///
/// # Errors
/// If operations begin like points and cannot be read to the end.
pub fn read(chess: &Chess, find: impl Fn(&str) -> Option<String>) -> Result<Vec<(Move, u32)>, String> {
    if let Some(points) = find("c8") {
        for code in ["c9", "c7"] {
            let Some(moves) = find(code) else { continue };
            if is_number(&points) && begins_with_move(chess, &moves) {
                return lists(chess, &moves, &points).map_err(|error| format!("{code} and c8: {error}"));
            }
        }
    }
    let Some(comment) = find("c0") else { return Ok(Vec::new()) };
    let items: Vec<&str> = comment.split(',').map(str::trim).filter(|item| !item.is_empty()).collect();
    let read: Vec<_> = items.iter().map(|item| pair(chess, item)).collect();
    if read.iter().all(Result::is_err) {
        return Ok(Vec::new());
    }
    read.into_iter().collect::<Result<_, _>>().map_err(|error| format!("c0: {error}"))
}

fn is_number(text: &str) -> bool {
    first(text).is_some_and(|word| number(word).is_ok())
}

fn begins_with_move(chess: &Chess, text: &str) -> bool {
    first(text).is_some_and(|word| san::read(chess, word).is_ok())
}

fn first(text: &str) -> Option<&str> {
    words(text).next()
}

/// Words, separated by white space or commas.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty())
}

/// Moves and points of two lists.
fn lists(chess: &Chess, moves: &str, points: &str) -> Result<Vec<(Move, u32)>, String> {
    let (moves, points): (Vec<_>, Vec<_>) = (words(moves).collect(), words(points).collect());
    if moves.len() != points.len() {
        return Err(format!("{} moves, but points for {}", moves.len(), points.len()));
    }
    moves.iter().zip(points).map(|(m, points)| Ok((san::read(chess, m)?, number(points)?))).collect()
}

/// A move with its points, as in `Be5+=2` and `e8=Q=10`.
fn pair(chess: &Chess, text: &str) -> Result<(Move, u32), String> {
    let (m, points) = text.rsplit_once('=').ok_or_else(|| format!("'{text}' gives no points"))?;
    Ok((san::read(chess, m.trim())?, number(points.trim())?))
}

fn number(text: &str) -> Result<u32, String> {
    let points = text.parse().ok().filter(|&points: &u32| points <= 1_000_000);
    points.ok_or_else(|| format!("'{text}' is no number of points"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::formats::epd::{Case, Reading, case};

    const BOARD: &str = "4k3/P7/8/3q4/4P3/8/8/4K2R w K -";

    fn line(operations: &str) -> Result<Case, String> {
        case(&format!("{BOARD} {operations}"), Reading::Goals)
    }

    #[test]
    fn points_are_read_in_both_ways() {
        for operations in [
            "bm exd5; c0 \"exd5=10, a8=Q+=4, O-O=1\";",
            "c0 \"exd5=10,a8=Q=4 , 0-0 = 1\";",
            "c8 \"10 4 1\"; c9 \"e4d5 a7a8q e1g1\"; c7 \"exd5 a8=Q+ O-O\";",
            "c7 \"exd5 a8=Q+ O-O\"; c8 \"10 4 1\";",
            "c0 \"e4=99\"; c8 \"10, 4, 1\"; c9 \"e4d5, a7a8q, e1g1\";",
        ] {
            let case = line(operations).unwrap_or_else(|error| panic!("{operations}: {error}"));
            let found: Vec<(String, u32)> =
                case.points.iter().map(|&(m, points)| (san::write(case.chess(), m), points)).collect();
            let wanted = [("exd5", 10), ("a8=Q+", 4), ("O-O", 1)].map(|(m, points)| (m.to_owned(), points));
            assert_eq!(found, wanted, "{operations}");
            assert_eq!(case.best, [case.points[0].0], "{operations}");
            assert_eq!(case.worth(Some(case.points[1].0)), Some((4, 10)));
            assert_eq!(case.worth(None), Some((0, 10)));
        }
    }

    #[test]
    fn comments_stay_comments() {
        for operations in [
            "bm exd5;",
            "bm exd5; c0 \"a fine capture\";",
            "bm exd5; c0 \"depth=12\";",
            "bm exd5; c0 \"Kh1=10\";",
            "bm exd5; c8 \"seen in a game\"; c9 \"exd5 wins\";",
            "bm exd5; c8 \"10\";",
            "bm exd5; c9 \"e4d5\";",
            "bm exd5; c0;",
        ] {
            let case = line(operations).unwrap_or_else(|error| panic!("{operations}: {error}"));
            assert!(case.points.is_empty() && case.worth(None).is_none(), "{operations}");
        }
    }

    #[test]
    fn damaged_points_are_reported() {
        for (operations, reason) in [
            ("c0 \"exd5=10, a8=Q\";", "c0: 'a8' is no legal move"),
            ("c0 \"exd5=10, Kh8=4\";", "c0: 'Kh8' is no legal move"),
            ("c0 \"exd5=10, a8=Q=many\";", "c0: 'many' is no number"),
            ("c0 \"exd5=10, and more\";", "c0: 'and more' gives no points"),
            ("c0 \"exd5=10, a8=Q=-4\";", "c0: '-4' is no number"),
            ("c8 \"10 4\"; c9 \"e4d5\";", "c9 and c8: 1 moves, but points for 2"),
            ("c8 \"10 x\"; c9 \"e4d5 a7a8q\";", "c9 and c8: 'x' is no number"),
            ("c8 \"10 4\"; c7 \"exd5 Kh8\";", "c7 and c8: 'Kh8' is no legal move"),
        ] {
            let error = line(operations).expect_err(operations);
            assert!(error.contains(reason), "{operations}: {error}");
        }
    }

    #[test]
    fn named_moves_take_precedence_over_points() {
        let case = line("am exd5; c0 \"exd5=10, e5=4\";").unwrap();
        assert!(case.best.is_empty() && case.avoid.len() == 1 && case.points.len() == 2);
    }
}
