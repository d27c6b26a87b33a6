//! PGN of annotated games, as Lichess and the readers of its games have it: the score in `[%eval]` behind
//! every move, marks as `$6`, `$2`, `$4`, better lines as variations.

use super::annotated::Annotated;
use super::variation::{in_san, read};
use crate::lab::base::formats::pgn::writer::{self, Lines};
use crate::lab::base::formats::san;
use shakmaty::CastlingMode;
use std::fmt::Write as _;

/// The tags that every game has, in their order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Tags that say what is said here.
const OURS: [&str; 3] = ["ECO", "Opening", "Annotator"];

/// Words behind the last move that has a name or is in the book.
pub const BOOK_ENDS: &str = "end of the book";

/// Most plies of a better line.
const MOST_PLIES: usize = 8;

/// The annotations that this command makes itself, by number: those of the input stand for an earlier
/// judgement.
const JUDGEMENTS: [u8; 3] = [2, 4, 6];
/// The other ones that say how good a move is; a mark takes their place.
const PRAISE: [u8; 3] = [1, 3, 5];

/// A game.
#[must_use]
pub fn write(annotated: &Annotated) -> String {
    let mut text = tags(annotated);
    text.push('\n');
    let mut lines = Lines::default();
    let before = comment(annotated, 0);
    if !before.is_empty() {
        lines.put(&format!("{{ {before} }}"));
    }
    for index in 0..annotated.game.moves.len() {
        units(annotated, index).iter().for_each(|unit| lines.put(unit));
    }
    lines.put(annotated.result());
    text + &lines.finish()
}

/// The tags: the roster, then those of the input in their order, and ours.
fn tags(annotated: &Annotated) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        text += &writer::tag(name, value);
    };
    let of_input = &annotated.game.tags;
    for name in ROSTER {
        let unknown = if name == "Date" { "????.??.??" } else { "?" };
        match name {
            "Result" => tag(name, annotated.result()),
            _ => tag(name, of_input.get(name).unwrap_or(unknown)),
        }
    }
    let is_told = |name: &str| annotated.tag(name).is_some();
    for (name, value) in of_input.iter() {
        if !ROSTER.contains(&name) && (!OURS.contains(&name) || is_told(name)) {
            tag(name, value);
        }
    }
    if of_input.get("FEN").is_some() && of_input.get("SetUp").is_none() {
        tag("SetUp", "1");
    }
    if annotated.positions.castling == CastlingMode::Chess960 && of_input.get("Variant").is_none() {
        tag("Variant", "Chess960");
    }
    if let Some(opening) = &annotated.known.opening {
        for (name, value) in [("ECO", &opening.eco), ("Opening", &opening.name)] {
            if !is_told(name) && !value.is_empty() {
                tag(name, value);
            }
        }
    }
    if !is_told("Annotator") {
        tag("Annotator", concat!("Plumb ", env!("CARGO_PKG_VERSION")));
    }
    text
}

/// A move with what stands behind it, in parts between which a line may end.
fn units(annotated: &Annotated, index: usize) -> Vec<String> {
    let (judged, chess) = (&annotated.judged[index], annotated.positions.all()[index].chess());
    let mut unit = format!("{} {}", annotated.move_number(index), san::write(chess, judged.played));
    let kept =
        annotated.game.remarks.nags_behind(index + 1).filter(|number| {
            !JUDGEMENTS.contains(number) && (judged.mark.is_none() || !PRAISE.contains(number))
        });
    for number in judged.mark.map(|mark| mark.nag()).into_iter().chain(kept) {
        let _ = write!(unit, " ${number}");
    }
    let (mut variations, mut unread) = (Vec::new(), String::new());
    for text in annotated.game.remarks.variations_behind(index + 1) {
        match read(chess, text, annotated.game.spelling) {
            Some(variation) => variations.push(variation),
            // In the comment nothing of it is lost, and every reader can read the game.
            None => unread = format!("{unread} {}", without_eval(text)),
        }
    }
    let comment = format!("{}{unread}", comment(annotated, index + 1));
    let _ = if comment.is_empty() { Ok(()) } else { write!(unit, " {{ {} }}", comment.trim()) };
    let better = annotated.better(index);
    let is_there = |first| variations.iter().any(|variation| variation.first == first);
    let mut units = vec![unit];
    if let (Some(_), Some(&first)) = (judged.mark, better.first())
        && !is_there(first)
    {
        units.push(format!("({})", in_san(chess, &better[..better.len().min(MOST_PLIES)])));
    }
    units.extend(variations.into_iter().map(|variation| variation.text));
    units
}

/// The comment behind so many moves: the score, and the comments of the input without an earlier score.
fn comment(annotated: &Annotated, moves: usize) -> String {
    let judged = moves.checked_sub(1).map(|index| &annotated.judged[index]);
    let mut parts: Vec<String> = Vec::new();
    parts.extend(judged.and_then(|judged| judged.score).map(|score| format!("[%eval {score}]")));
    let texts = annotated.game.comments_behind(moves).map(|text| without_eval(&text));
    parts.extend(texts.filter(|text| !text.is_empty()));
    let ends = moves > 0 && moves == annotated.known.book_plies;
    if ends && !parts.iter().any(|part| part.contains(BOOK_ENDS)) {
        parts.push(BOOK_ENDS.to_owned());
    }
    parts.join(" ")
}

/// A comment without `[%eval ...]`, and without braces, which a comment cannot hold.
fn without_eval(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, behind)) = rest.split_once("[%eval") {
        kept.push_str(before);
        rest = behind.split_once(']').map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept.replace(['{', '}'], " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::sample::annotated;
    use super::*;
    use crate::lab::base::formats::pgn::reader::GameReader;

    #[test]
    fn scores_clocks_marks_and_variations_are_written_as_lichess_writes_them() {
        let text = "[Event \"A \\\"b\\\" \\\\ c\"]\n[White \"One\"]\n[Result \"0-1\"]\n\
                    [WhiteElo \"1500\"]\n\n{before} 1. f3? { [%clk 0:03:00] } e5 {[%eval -9.99] book} \
                    (1... d5! {also} 2. d4) 2. g4 $1 $10 \
                    (2. --) Qh4# { [%clk 0:02:58] } 0-1";
        let mut game =
            annotated(text, &[0, 40, -60, 31_999, -32_000], &["e2e4", "e7e5", "e2e3 f8c5", "d8h4"]);
        game.known.book_plies = 1;
        let written = write(&game);
        let (tags, moves) = written.split_once("\n\n").unwrap();
        for tag in [
            "[Event \"A \\\"b\\\" \\\\ c\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n",
            "[White \"One\"]\n",
            "[Black \"?\"]\n[Result \"0-1\"]\n[WhiteElo \"1500\"]\n",
            "[Annotator \"Plumb ",
        ] {
            assert!(tags.contains(tag), "{tag} is not in {tags}");
        }
        assert_eq!(
            moves.split_whitespace().collect::<Vec<_>>().join(" "),
            "{ before } 1. f3 { [%eval -0.46] [%clk 0:03:00] end of the book } \
             1... e5 { [%eval -0.69] book } (1... d5 $1 {also} 2. d4) \
             2. g4 $4 $10 { [%eval #-1] (2. --) } (2. e3 Bc5) \
             2... Qh4# { [%clk 0:02:58] } 0-1"
        );
        assert!(moves.lines().all(|line| line.len() <= writer::WIDTH), "{moves}");
    }

    #[test]
    fn variations_are_read_in_the_language_of_their_game() {
        let written = write(&annotated("1. Sf3 d5 (1... Sf6 2. c4) (1... Zf6) *", &[0, 0, 0], &[]));
        assert!(written.contains("(1... Zf6) }\n(1... Nf6 2. c4)"), "{written}");
    }

    #[test]
    fn a_variation_that_cannot_be_read_is_a_comment_that_stays_as_it_is() {
        let once = write(&annotated("1. f3 e5 2. g4 (2.\u{85}Zf6 {[%eval 9] x}\t{y}) *", &[0; 4], &[]));
        assert!(once.contains("(2. Zf6 x y )"), "{once}");
        assert_eq!(write(&annotated(&once, &[0; 4], &[])), once);
    }

    #[test]
    fn what_was_written_is_read_again_and_written_the_same() {
        let text = "[White \"One\"]\n[Result \"0-1\"]\n\n1. f3 {x} e5 2. g4 (2. e3 {better}) Qh4# 0-1";
        let values = [0, 40, -60, 31_999, -32_000];
        let best = ["e2e4", "e7e5", "e2e3 f8c5", "d8h4"];
        let once = write(&annotated(text, &values, &best));
        assert_eq!(write(&annotated(&once, &values, &best)), once);
        assert_eq!(once.matches("(2. e3").count(), 1, "a line that is there already: {once}");
    }

    #[test]
    fn games_from_positions_without_moves_and_unfinished_ones_can_be_read_again() {
        for text in [
            "[White \"nobody\"]\n\n*",
            "1. e4 *",
            "[FEN \"4k3/8/8/8/8/8/7P/4K2R b K - 3 20\"]\n\n20... Kd8 21. O-O 1-0",
            "[FEN \"1r2k1r1/1p4p1/8/8/8/8/1P4P1/1R2K1R1 w GBgb - 0 1\"]\n\n1. O-O O-O-O 1/2-1/2",
            "1. e4 ; a comment {with} braces\ne5 1/2-1/2",
        ] {
            let game = GameReader::new(text.as_bytes()).next_game().unwrap().unwrap().1.unwrap();
            let values = vec![0; game.moves.len() + 1];
            let written = write(&annotated(text, &values, &[]));
            let mut reader = GameReader::new(written.as_bytes());
            let again = reader.next_game().unwrap().unwrap().1.unwrap();
            assert_eq!((&again.moves, again.result), (&game.moves, game.result), "{written}");
            assert_eq!(again.start.fen(), game.start.fen());
            assert!(reader.next_game().unwrap().is_none());
        }
    }
}
