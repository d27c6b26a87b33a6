//! PGN of annotated games, as Lichess and the readers of its games have it: the score in `[%eval]` behind
//! every move, marks as `$6`, `$2`, `$4`, better lines as variations.

use super::annotated::{Annotated, is_plumb};
use super::marks::score_of_best;
use super::variation::{BETTER, in_san, read};
use crate::lab::base::formats::pgn::writer::{self, Lines};
use crate::lab::base::formats::san;
use shakmaty::CastlingMode;
use std::fmt::Write as _;

/// The tags that every game has, in their order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Tags that say what is said here, unless the input says it.
const OURS: [&str; 2] = ["ECO", "Opening"];

/// This program as an annotator.
const PLUMB: &str = concat!("Plumb ", env!("CARGO_PKG_VERSION"));

/// Words behind the last move that has a name or is in the book.
pub const BOOK_ENDS: &str = "end of the book";

/// Most plies of a better line.
const MOST_PLIES: usize = 8;

/// The annotations that this command makes itself, by number: those of the input stand for an earlier
/// judgement.
const JUDGEMENTS: [u8; 3] = [2, 4, 6];
/// The other ones that say how good a move is; a mark takes their place.
const PRAISE: [u8; 3] = [1, 3, 5];

/// A game. With `keep_marks` the marks of the input stay, and a move that has one gets no other.
#[must_use]
pub fn write(annotated: &Annotated, keep_marks: bool) -> String {
    let mut text = tags(annotated);
    text.push('\n');
    let mut lines = Lines::default();
    let before = before_the_moves(annotated);
    if !before.is_empty() {
        lines.put(&format!("{{ {before} }}"));
    }
    for index in 0..annotated.game.moves.len() {
        units(annotated, index, keep_marks).iter().for_each(|unit| lines.put(unit));
    }
    lines.put(annotated.marker());
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
    for (name, value) in of_input.iter().filter(|(name, _)| *name != "Annotator") {
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
    let others = annotated.annotators().filter(|name| !is_plumb(name));
    tag("Annotator", &others.chain([PLUMB]).collect::<Vec<_>>().join("; "));
    text
}

/// The comment before the first move. Annotations and variations there belong to no move, and many readers
/// refuse a game with them: in the comment nothing of them is lost.
fn before_the_moves(annotated: &Annotated) -> String {
    let remarks = &annotated.game.remarks;
    let nags = remarks.nags_behind(0).map(|number| format!("${number}"));
    let variations = remarks.variations_behind(0).map(without_eval);
    let parts = [comment(annotated, 0)].into_iter().chain(nags).chain(variations);
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The annotations of a move: ours, and those of the input that stay.
fn nags(annotated: &Annotated, index: usize, keep_marks: bool) -> Vec<u8> {
    let mark = annotated.judged[index].mark;
    let is_mark = |number: &u8| JUDGEMENTS.contains(number) || PRAISE.contains(number);
    let of_input = || annotated.game.remarks.nags_behind(index + 1);
    if keep_marks {
        let ours = mark.filter(|_| !of_input().any(|number| is_mark(&number)));
        return ours.map(|mark| mark.nag()).into_iter().chain(of_input()).collect();
    }
    let stays = |number: &u8| !is_mark(number) || (mark.is_none() && PRAISE.contains(number));
    mark.map(|mark| mark.nag()).into_iter().chain(of_input().filter(stays)).collect()
}

/// A move with what stands behind it, in parts between which a line may end.
fn units(annotated: &Annotated, index: usize, keep_marks: bool) -> Vec<String> {
    let (judged, chess) = (&annotated.judged[index], annotated.positions.all()[index].chess());
    let mut unit = format!("{} {}", annotated.move_number(index), san::write(chess, judged.played));
    for number in nags(annotated, index, keep_marks) {
        let _ = write!(unit, " ${number}");
    }
    let (mut variations, mut unread) = (Vec::new(), String::new());
    for text in annotated.game.remarks.variations_behind(index + 1) {
        match read(chess, text, annotated.game.spelling) {
            // Of an earlier run: this one writes its own.
            Some(variation) if variation.is_better_line => {}
            Some(variation) => variations.push(variation),
            // In the comment nothing of it is lost, and every reader can read the game.
            None => unread = format!("{unread} {}", without_eval(text)),
        }
    }
    let comment = format!("{}{unread}", comment(annotated, index + 1));
    let _ = if comment.is_empty() { Ok(()) } else { write!(unit, " {{ {} }}", comment.trim()) };
    let is_there = |first| variations.iter().any(|variation| variation.first == first);
    let mut units = vec![unit];
    if let (Some(_), Some(&first)) = (judged.mark, annotated.better(index).first())
        && !is_there(first)
    {
        units.extend(better_line(annotated, index));
    }
    units.extend(variations.into_iter().map(|variation| variation.text));
    units
}

/// The better line as a variation, in parts.
fn better_line(annotated: &Annotated, index: usize) -> Vec<String> {
    let (position, better) = (&annotated.positions.all()[index], annotated.better(index));
    let line = &better[..better.len().min(MOST_PLIES)];
    let Some(score) = score_of_best(&annotated.positions, &annotated.evaluated, index) else {
        return vec![format!("({} {{ {BETTER} }})", in_san(position.chess(), line))];
    };
    let first = format!("({} {{ [%eval {score}] {BETTER} }}", in_san(position.chess(), &line[..1]));
    let rest = in_san(position.play(line[0]).chess(), &line[1..]);
    if rest.is_empty() { vec![first + ")"] } else { vec![first, rest + ")"] }
}

/// The comment behind so many moves: the score, and the comments of the input without what an earlier run has
/// written.
fn comment(annotated: &Annotated, moves: usize) -> String {
    let judged = moves.checked_sub(1).map(|index| &annotated.judged[index]);
    let score = judged.and_then(|judged| judged.score).map(|score| format!("[%eval {score}]"));
    let texts = annotated.game.comments_behind(moves).map(|text| without_eval(&text));
    let text = texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ");
    let text = without_book_end(&text).to_owned();
    let ends = moves > 0 && moves == annotated.known.book_plies && !text.contains(BOOK_ENDS);
    let parts = [score, Some(text), ends.then(|| BOOK_ENDS.to_owned())].into_iter().flatten();
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A comment without [`BOOK_ENDS`] where it stands alone, or behind commands to programs: other names of
/// openings have other ends.
fn without_book_end(mut text: &str) -> &str {
    while let Some(rest) = text.strip_suffix(BOOK_ENDS).map(str::trim_end)
        && (rest.is_empty() || rest.ends_with(']'))
    {
        text = rest;
    }
    text
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
        let written = write(&game, false);
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
             2. g4 $4 $10 { [%eval #-1] (2. --) } (2. e3 { [%eval -0.69] better } 2... Bc5) \
             2... Qh4# { [%clk 0:02:58] } 0-1"
        );
        assert!(moves.lines().all(|line| line.len() <= writer::WIDTH), "{moves}");
    }

    #[test]
    fn variations_are_read_in_the_language_of_their_game() {
        let written = write(&annotated("1. Sf3 d5 (1... Sf6 2. c4) (1... Zf6) *", &[0, 0, 0], &[]), false);
        assert!(written.contains("(1... Zf6) }\n(1... Nf6 2. c4)"), "{written}");
    }

    #[test]
    fn a_variation_that_cannot_be_read_is_a_comment_that_stays_as_it_is() {
        let once =
            write(&annotated("1. f3 e5 2. g4 (2.\u{85}Zf6 {[%eval 9] x}\t{y}) *", &[0; 4], &[]), false);
        assert!(once.contains("(2. Zf6 x y )"), "{once}");
        assert_eq!(write(&annotated(&once, &[0; 4], &[]), false), once);
    }

    #[test]
    fn what_was_written_is_read_again_and_written_the_same() {
        let text = "[White \"One\"]\n[Result \"0-1\"]\n\n1. f3 {x} e5 2. g4 (2. e3 {better}) Qh4# 0-1";
        let values = [0, 40, -60, 31_999, -32_000];
        let best = ["e2e4", "e7e5", "e2e3 f8c5", "d8h4"];
        let once = write(&annotated(text, &values, &best), false);
        assert_eq!(write(&annotated(&once, &values, &best), false), once);
        assert_eq!(once.matches("(2. e3").count(), 1, "a line that is there already: {once}");
    }

    #[test]
    fn what_another_run_has_found_is_replaced() {
        let text = "[Annotator \"Ann; Plumb 0.0.9\"]\n\n1. f3 { [%eval 0.10] [%clk 1] end of the book } \
                    e5 {read to the end of the book} (1... d5 {[%eval 0.20] better} 2. d4) \
                    2. g4 $4 (2. e4 {[%eval 0.10] better} Nc6) (2. d4 {mine}) Qh4# 0-1";
        let values = [0, 40, -60, 31_999, -32_000];
        let best = ["e2e4", "e7e5", "e2e3 f8c5", "d8h4"];
        let written = write(&annotated(text, &values, &best), false);
        assert!(written.contains("[Annotator \"Ann; Plumb ") && !written.contains("0.0.9"), "{written}");
        let moves = written.split_once("\n\n").unwrap().1.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(
            moves,
            "1. f3 { [%eval -0.46] [%clk 1] } 1... e5 { [%eval -0.69] read to the end of the book } \
             2. g4 $4 { [%eval #-1] } (2. e3 { [%eval -0.69] better } 2... Bc5) (2. d4 {mine}) 2... Qh4# 0-1"
        );
    }

    #[test]
    fn marks_of_the_input_stay_on_request() {
        let text = "1. f3! e5?? $10 2. g4 Qh4# 0-1";
        let game = annotated(text, &[0, 40, -60, 31_999, -32_000], &["e2e4", "e7e5", "e2e3 f8c5", "d8h4"]);
        let nags = |index, keep| nags(&game, index, keep);
        assert_eq!([nags(0, false), nags(1, false), nags(2, false)], [vec![1], vec![10], vec![4]]);
        assert_eq!([nags(0, true), nags(1, true), nags(2, true)], [vec![1], vec![4, 10], vec![4]]);
    }

    #[test]
    fn what_stands_before_the_first_move_is_kept() {
        let text = "$10 {a} (1. d4 {b} d5) 1. e4 *";
        let once = write(&annotated(text, &[0, 0], &[]), false);
        assert!(once.contains("\n{ a $10 (1. d4 b d5) } 1. e4 {"), "{once}");
        assert_eq!(write(&annotated(&once, &[0, 0], &[]), false), once);
    }

    #[test]
    fn the_tag_keeps_that_both_players_lost() {
        for text in ["[Result \"0-0\"]\n\n1. e4 e5 0-0\n", "[Result \"0-0\"]\n\n1. e4 e5 *\n"] {
            let once = write(&annotated(text, &[0, 0, 0], &[]), false);
            assert!(once.contains("[Result \"0-0\"]\n") && once.ends_with(" *\n\n"), "{once}");
            assert_eq!(write(&annotated(&once, &[0, 0, 0], &[]), false), once);
        }
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
            let written = write(&annotated(text, &values, &[]), false);
            let mut reader = GameReader::new(written.as_bytes());
            let again = reader.next_game().unwrap().unwrap().1.unwrap();
            assert_eq!((&again.moves, again.result), (&game.moves, game.result), "{written}");
            assert_eq!(again.start.fen(), game.start.fen());
            assert!(reader.next_game().unwrap().is_none());
        }
    }
}
