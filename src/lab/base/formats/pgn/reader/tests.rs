//! Games in dialects, damaged games, and what is left out with its reason.

use super::*;
use shakmaty::{EnPassantMode, fen::Fen};

/// All games of a text: the last position as a FEN, or the reason.
fn games(text: &[u8]) -> Vec<Result<String, LeftOut>> {
    let mut reader = GameReader::new(text);
    let mut found = Vec::new();
    while let Some((number, game)) = reader.next_game().unwrap() {
        assert_eq!(number, found.len() as u64 + 1);
        found.push(game.map(|game| last(&game)));
    }
    found
}

fn last(game: &PgnGame) -> String {
    let mut chess = game.start.position().chess().clone();
    game.moves.iter().for_each(|&m| chess.play_unchecked(m));
    Fen::from_position(&chess, EnPassantMode::Legal).to_string()
}

/// The only game of a movetext.
fn game(moves: &str) -> Result<PgnGame, LeftOut> {
    tagged("", moves)
}

fn tagged(tags: &str, moves: &str) -> Result<PgnGame, LeftOut> {
    let text = format!("{tags}\n\n{moves}\n");
    let mut reader = GameReader::new(text.as_bytes());
    let (_, game) = reader.next_game().unwrap().unwrap_or_else(|| panic!("no game in {moves}"));
    assert!(reader.next_game().unwrap().is_none(), "one game: {moves}");
    game
}

fn kind(game: Result<PgnGame, LeftOut>) -> &'static str {
    game.map_or_else(|why| why.kind(), |game| panic!("read: {:?}", game.moves))
}

const WORD: &str = "a word that is no legal move";
/// One game in many spellings: all have the same last position.
#[test]
fn dialects_are_read_as_the_same_game() {
    let standard =
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O Qd6 6. d4 exd4 7. Qxd4 Qxd4 8. Nxd4 Bd7 1-0";
    let wanted = last(&game(standard).unwrap());
    let figurines = [("K", "♔"), ("Q", "♛"), ("B", "♗"), ("N", "♘")];
    let changed = |pairs: &[(&str, &str)]| {
        pairs.iter().fold(standard.to_owned(), |text, (from, to)| text.replace(from, to))
    };
    let mut others = vec![
        changed(&figurines),
        changed(&[("Q", "D"), ("B", "L"), ("N", "S")]),
        changed(&[("Q", "D"), ("B", "F"), ("N", "C")]),
        changed(&[("Q", "D"), ("B", "A"), ("N", "C")]),
        changed(&[("Q", "D"), ("N", "C")]),
        changed(&[("Q", "D"), ("B", "L"), ("N", "P")]),
        changed(&[("Q", "Ф"), ("B", "С"), ("N", "К")]),
        changed(&[("Q", "H"), ("B", "G"), ("N", "S")]),
        changed(&[("O-O", "0-0"), ("x", ":")]),
        changed(&[("O-O", "o-o"), ("x", "")]),
        changed(&[("dxc6", "dc"), ("exd4", "ed")]),
        changed(&[("Nf3", "Nf3N"), ("Nc6", "Nc6="), ("d4 ", "d4± "), ("a6", "a6⩲"), ("Bd7", "Bd7+-")]),
        changed(&[("Nf3", "Nf3 +="), ("dxc6", "dxc6!? $14"), ("Bd7", "Bd7 -+")]),
        changed(&[
            ("Nf3", "Ng1-f3"),
            ("e4 ", "e2-e4 "),
            ("Bxc6", "Bb5xc6"),
            ("O-O", "Ke1-g1"),
            ("exd4", "e5xd4"),
        ]),
        changed(&[("1. ", "1."), ("2. ", "2."), ("4. ", "4 "), ("5. ", ""), ("6. ", "6... ")]),
        changed(&[
            ("a6", "a6 (3... Nf6 {(} 4. O-O (4. d3 1-0) 4... Sxe4) {)}"),
            ("Qd6", "Qd6 ; rest 6. Qh5\n"),
        ]),
        changed(&[("4. ", "{one}\n\n{two} 4. "), ("1-0", "1–0")]),
        changed(&[("1-0", "1:0"), (" ", "\n")]),
        changed(&[(" ", "\u{a0}"), ("Nf3", "\u{200e}Nf3")]),
        standard.to_lowercase().replace("o-o", "0-0"),
        standard.to_uppercase(),
    ];
    others.push(
        "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1 d8d6 d2d4 e5d4 d1d4 d6d4 f3d4 c8d7 1-0".to_owned(),
    );
    for text in others {
        let read = game(&text).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!((last(&read), read.result), (wanted.clone(), Some(Some(Color::White))), "{text}");
    }
}

/// French R is the king, Finnish R the knight; a word alone never decides.
#[test]
fn a_language_is_that_of_all_moves_of_a_game() {
    let fen = "[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 1\"]";
    let rook = tagged(fen, "1. Rd1 Ke7 2. Ke2 *").unwrap();
    assert_eq!(last(&rook), "8/4k3/8/8/8/8/4K3/3R4 b - - 3 2");
    let king = tagged(fen, "1. Rd1 Re7 2. Tb1 *").unwrap();
    assert_eq!(last(&king), "8/4k3/8/8/8/8/8/1R1K4 b - - 3 2");
    // Capitals that are all English are English: N is the bishop in Romanian.
    assert_eq!(kind(game("1. e4 e5 2. Nc4 *")), WORD);
    // A pawn that cannot take is no bishop in small letters, unless all letters of the game are small.
    assert_eq!(kind(game("1. e4 e5 2. bc4 *")), WORD);
    assert_eq!(kind(game("1. e4 e5 2. Nf3 Nc6 3. bc4 nf6 *")), WORD);
    assert!(game("1. e4 e5 2. bc4 nf6 *").is_ok());
    // P is the knight in Dutch, and in English it may stand for the pawn.
    assert!(last(&game("1. Pf3 d6 2. e4 Dd7 *").unwrap()).contains("/5N2/"));
    assert!(last(&game("1. Pf3 d6 2. Pe4 Qd7 *").unwrap()).contains("/5P2/"));
    assert_eq!(kind(game("1. Pf3 d6 *")), "an uncertain language");
    // No language has both letters.
    assert_eq!(kind(game("1. e4 e5 2. Sf3 Nc6 *")), WORD);
    assert_eq!(kind(game("1. e4 e5 2. Сf3 Nc6 *")), WORD);
    // Two languages read all moves, and not the same ones.
    assert_eq!(kind(tagged("[FEN \"4k3/8/8/8/8/3K4/8/3R4 w - - 0 1\"]", "1. Rd2+ Re7 *")), WORD);
}

#[test]
fn a_game_with_a_word_that_is_no_move_is_left_out() {
    for moves in [
        "1. e4 e5 2. Nc4 1-0",
        "1. e4 e5 2. Yf3 1-0",
        "1. e4 e5 2. -- Nc6 1-0",
        "1. e4 e5 2. Z0 Nc6 1-0",
        "1. e4 e5 2. N 1-0",
        "1. e4 e5 2. Nf3 N Nc6 1-0",
        "1. P-K4 P-K4 2. N-KB3 1-0",
        "1. e4 e5 <2. Nf3> 1-0",
        "1. e4 e5 } 2. Nf3 1-0",
        "1. e4 e5 ) 2. Nf3 1-0",
        "1. e4 e5 resigns 1-0",
        "1. e4 e5 2. Nf3@ 1-0",
        "e4 e5 Nf3 Nc6 Bb5 O-O 1-0",
    ] {
        assert_eq!(kind(game(moves)), WORD, "{moves}");
    }
    for moves in ["1. e4 e5 2. -- Nc6 1-0", "1. e4 e5 2.-- Nc6 1-0", "1. e4 e5 2.-- 1-0"] {
        let why = game(moves).unwrap_err();
        assert_eq!(why.to_string(), "'--' is a null move, which is none of a game (2.)", "{moves}");
    }
    let why = game("1. e4 e5 2. Nf3 Nc6 3. Sb5 1-0").unwrap_err();
    assert_eq!(why.to_string(), "'Sb5' is no move (3.)");
    assert_eq!(game("1. e4 Nc4 1-0").unwrap_err().to_string(), "'Nc4' is no legal move (1...)");
}

/// Moves that are missing show in the numbers, also where those behind them are legal.
#[test]
fn numbers_have_to_fit() {
    for moves in [
        "1. e4 3. Nf3 *",
        "1. e4 e5 3. Nf3 *",
        "2. e4 e5 *",
        "1. e4 e5 2. Nf3 2... Nc6 4. Bb5 *",
        "1. e4 2. e5 *",
    ] {
        assert_eq!(kind(game(moves)), "a number that does not fit", "{moves}");
    }
    for moves in
        ["1. e4 1... e5 2. Nf3 *", "1. e4 1. e5 2. Nf3 *", "1 e4 e5 2 Nf3 *", "e4 e5 Nf3 *", "1... *"]
    {
        assert!(game(moves).is_ok(), "{moves}");
    }
    let black = "[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7\"]";
    for moves in ["7... e5 8. Nf3 *", "1... e5 2. Nf3 *", "1. ... e5 2. Nf3 *", "7. e5 8. Nf3 *"] {
        assert!(tagged(black, moves).is_ok(), "{moves}");
    }
    assert!(tagged(black, "7... e5 9. Nf3 *").is_err());
}

#[test]
fn a_game_that_ends_in_the_middle_is_left_out() {
    for text in [
        "1. e4 e5 2. N",
        "1. e4 e5 2. Nf3",
        "1. e4 e5 2.\n",
        "1. e4 {half",
        "1. e4 (1. d4 d5\n",
        "1. e4 e5 2. Nf3 {a} N",
    ] {
        let found = games(text.as_bytes());
        assert!(matches!(found[..], [Err(LeftOut::Cut(_))]), "{text}: {found:?}");
    }
    assert!(games(b"1. e4 e5 2. Nf3\n")[0].is_ok(), "a marker is missing, and no move");
    assert!(games(b"1. e4 e5 2. Nf3 *")[0].is_ok());
}

#[test]
fn a_game_that_is_left_out_takes_no_other_with_it() {
    let good = "[Event \"b\"]\n[Result \"*\"]\n\n1. d4 d5 *\n\n";
    for bad in [
        "1. e4 {never closed\n",
        "1. e4 (1. c4\n",
        "1. e4 Ke3 *\n",
        "1. e4 e5\n",
        "[FEN \"x\"]\n\n1. e4 *\n",
        "*\n",
        "1. e4 ) *\n",
    ] {
        let text = format!("[Event \"a\"]\n\n{bad}\n{good}{good}");
        let found = games(text.as_bytes());
        let d4 = "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2";
        assert_eq!(found.len(), 3, "{bad}: {found:?}");
        assert!(found[1..].iter().all(|game| game.as_deref() == Ok(d4)), "{bad}: {found:?}");
    }
}

#[test]
fn an_empty_line_ends_no_game() {
    assert_eq!(games(b"1. e4 e5 {a}\n\n2. Nf3 Nc6 1-0\n").len(), 1);
    assert_eq!(games(b"[Event \"a\"]\n\n[White \"b\"]\n\n1. e4\n\n\n e5 *\n\n{behind it}\n").len(), 1);
    assert_eq!(games(b"1. e4 e5 1-0\n1. d4 d5 0-1\n").len(), 2);
}

#[test]
fn tags_stay_with_their_game() {
    let own = "[Event \"a\"]\n[Result \"*\"]\n[FEN \"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1\"]\n";
    for between in ["\n", "", "\n\n\n", "\n{no moves}\n\n", "*\n\n"] {
        let text = format!("{own}{between}[Event \"b\"]\n[Result \"0-1\"]\n\n1. e4 e5 0-1\n");
        let found = games(text.as_bytes());
        assert_eq!(found.len(), 2, "{between:?}: {found:?}");
        assert!(found[1].as_ref().unwrap().starts_with("rnbqkbnr"), "{between:?}: {found:?}");
    }
    // Games that have no tag Event.
    let found =
        games(b"[White \"a\"]\n[FEN \"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n[White \"b\"]\n\n1. e4 e5 *\n");
    assert!(found.len() == 2 && found[1].as_ref().unwrap().starts_with("rnbqkbnr"), "{found:?}");
    // The same name twice in one block is no second game, and two first positions are none.
    let fen = "[FEN \"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1\"]";
    assert!(last(&tagged(&format!("{fen}\n[A \"1\"]\n[A \"2\"]"), "1. e4 e5 *").unwrap()).starts_with("4k3"));
    let two = tagged(&format!("{fen}\n[FEN \"4k3/4p3/8/8/8/8/4P3/3K4 w - - 0 1\"]"), "1. e4 e5 *");
    assert_eq!(kind(two), "a damaged tag");
    assert_eq!(kind(tagged("[\"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1\"]", "1. e4 e5 *")), "a damaged tag");
    assert_eq!(kind(tagged("[FEN \"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1]", "1. e4 e5 *")), "a damaged tag");
}

#[test]
fn other_variants_are_left_out() {
    for variant in [
        "Antichess",
        "atomic",
        "Crazyhouse",
        "Three-check",
        "King of the Hill",
        "Horde",
        "Racing Kings",
        "suicide",
    ] {
        let read = tagged(&format!("[Variant \"{variant}\"]"), "1. e4 e5 *");
        assert_eq!(kind(read), "another variant", "{variant}");
    }
    for variant in [
        "Standard",
        "From Position",
        "chess",
        "normal",
        "Chess960",
        "chess 960",
        "fischerandom",
        "Fischerandom",
        "?",
    ] {
        assert!(tagged(&format!("[Variant \"{variant}\"]"), "1. e4 e5 *").is_ok(), "{variant}");
    }
    let tags = "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1\"]";
    assert_eq!(last(&tagged(tags, "1. O-O-O Ke7 *").unwrap()), "8/4k3/8/8/8/8/8/2KR2R1 w - - 2 2");
}

#[test]
fn board_marker_and_tag_agree_on_the_result() {
    let with = |tag: &str, moves: &str| {
        let tag = if tag.is_empty() { String::new() } else { format!("[Result \"{tag}\"]") };
        tagged(&tag, moves)
    };
    let (mate, open) = ("1. f3 e5 2. g4 Qh4#", "1. e4 e5");
    for (tag, moves, marker) in [
        ("1-0", open, "0-1"),
        ("1/2-1/2", open, "0-1"),
        ("1-0", open, "*"),
        ("1-0", mate, "1-0"),
        ("1/2-1/2", mate, "1/2-1/2"),
        ("", mate, "1-0"),
        ("1-0", mate, ""),
        ("won", open, "1-0"),
    ] {
        assert_eq!(
            kind(with(tag, &format!("{moves} {marker}"))),
            "contradicting results",
            "{tag} {moves} {marker}"
        );
    }
    let (white, black) = (Some(Some(Color::White)), Some(Some(Color::Black)));
    for (tag, moves, marker, result) in [
        ("1-0", open, "1-0", white),
        ("", open, "1-0", white),
        ("1-0", open, "", white),
        ("?", open, "1-0", white),
        ("1/2", open, "1/2-1/2", Some(None)),
        ("½-½", open, "½-½", Some(None)),
        ("*", open, "*", None),
        ("*", open, "1-0", white),
        ("1 - 0", open, "1 - 0", white),
        ("", open, "", None),
        ("0-1", mate, "0-1", black),
        ("*", mate, "*", black),
    ] {
        let read =
            with(tag, &format!("{moves} {marker}")).unwrap_or_else(|why| panic!("{tag} {marker}: {why}"));
        assert_eq!(read.result, result, "{tag} {moves} {marker}");
    }
    // Both have lost: the standard knows no such result, and `0-0` may be castling too.
    let castled = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0";
    for (moves, marker, plies) in
        [(open, "0-0", 2), (open, "*", 2), (open, "", 2), (castled, "*", 7), (castled, "0-0", 7)]
    {
        let read = with("0-0", &format!("{moves} {marker}")).unwrap_or_else(|why| panic!("{moves}: {why}"));
        assert_eq!((read.moves.len(), read.result), (plies, None), "{moves} {marker}");
    }
    assert_eq!(kind(with("0-0", &format!("{open} 1-0"))), "contradicting results");
    assert_eq!(with("*", castled).unwrap().moves.len(), 7);
    let stalemate = "[Result \"1-0\"]\n[FEN \"7k/8/6K1/8/8/8/5Q2/8 w - - 0 1\"]";
    assert_eq!(kind(tagged(stalemate, "1. Qf7 1-0")), "contradicting results");
    let bare = "[Result \"1-0\"]\n[FEN \"7k/6q1/6K1/8/8/8/8/8 w - - 0 1\"]";
    assert_eq!(kind(tagged(bare, "1. Kxg7 1-0")), WORD);
}

#[test]
fn comments_stay_behind_their_moves() {
    let read =
        tagged("", "{before} 1. e4 {a} {b} (1. d4 {not this}) e5 ; c\n2. Nf3 Nc6 {Wei\u{df}} *").unwrap();
    assert_eq!(read.comments().next(), Some(&b"before"[..]));
    let texts = |comments: &mut dyn Iterator<Item = &[u8]>| {
        comments.map(|text| String::from_utf8_lossy(text).into_owned()).collect()
    };
    let behind: Vec<Vec<String>> =
        read.commented_moves().map(|(_, mut comments)| texts(&mut comments)).collect();
    assert_eq!(behind[0], ["a", "b"]);
    assert_eq!(behind[1], [" c"]);
    assert!(behind[2].is_empty());
    assert_eq!(behind[3], ["Weiß"]);
    let latin = games(b"[White \"M\xfcller\"]\n\n1. e4 {Wei\xdf} e5\xb1 \xbd-\xbd\n");
    assert!(latin.len() == 1 && latin[0].is_ok(), "{latin:?}");
}

/// Tags that were read stay with the moves behind them, or these are left out: a first position is never
/// forgotten.
#[test]
fn tags_are_not_forgotten_behind_damage() {
    let odds = "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1\"]";
    let moves = "1. e4 e5 2. d4 1-0";
    for damaged in [
        format!("[Event \"o\"]\n{odds}\n[Annotator \"long\nname\"]\n[Result \"1-0\"]\n\n{moves}\n"),
        format!("[Event \"o\"]\n{odds}\nWhite gives odds\n[Result \"1-0\"]\n\n{moves}\n"),
        format!("[Event \"o\"]\n[Variant \"Atomic\"]\n}}\n[Result \"1-0\"]\n\n{moves}\n"),
        format!("{}\n[Result \"1-0\"]\n\n{moves}\n", odds.replace(" w ", " w\n")),
        format!("{odds}\n[Result \"1-0\"]\n\nA - B 1-0\n\n{moves}\n"),
        format!("{odds}\n[Result \"1-0\"]\n\n1-0\n\n{moves}\n"),
        format!("[Variant \"Atomic\"]\n[Result \"1-0\"]\n\n{{x}} 1-0\n\n{moves}\n"),
        format!("{}\n[Result \"1-0\"]\n\n{moves}\n", odds.replace('"', "'")),
        format!("{}\n\n{moves}\n", odds.replace("FEN ", "FEN: ")),
        format!("{}\n\n{moves}\n", odds.replace("FEN ", "StartFEN ")),
        format!("[SetUp \"1\"]\n\n{moves}\n"),
        format!("[Variant 'atomic']\n\n{moves}\n"),
        format!("[VARIANT \"atomic\"]\n\n{moves}\n"),
    ] {
        let found = games(damaged.as_bytes());
        let played = found
            .iter()
            .flatten()
            .filter(|fen| !fen.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w"));
        assert_eq!(played.count(), 0, "{damaged}: {found:?}");
    }
    let small = tagged(&odds.replace("FEN", "fen"), moves).unwrap();
    assert!(last(&small).ends_with("R1BQKBNR b KQkq - 0 2"));
    // A tag behind the marker is none of the next game.
    let text = format!("1. e4 e5 1-0\n{odds}\n\n[Event \"n\"]\n[Result \"0-1\"]\n\n1. f4 0-1\n");
    let found = games(text.as_bytes());
    assert!(found[0].is_ok() && found[1..].iter().all(Result::is_err), "{found:?}");
}

#[test]
fn moves_behind_a_result_leave_the_game_out() {
    for moves in [
        "1. e4 e5 1-0 2. Nf3 Nc6 1-0",
        "1. e4 e5 1/2 2. Nf3 Nc6 1/2-1/2",
        "1. e4 e5 2. Nf3 1-0 13. e4 e5",
        "1. e4 e5 1-0 0-1",
        "1. e4 e5 1-0 1/2-1/2",
    ] {
        assert!(game(moves).is_err(), "{moves}");
    }
    for moves in [
        "1. e4 e5 1-0 1-0",
        "1. e4 e5 1-0 White resigns",
        "1. e4 e5 1-0 )",
        "1. e4 e5 1-0 (c) {d}",
        "1. e4 e5 1-0 \u{1a}",
    ] {
        assert_eq!(game(moves).map(|game| game.moves.len()), Ok(2), "{moves}");
    }
}

#[test]
fn missing_moves_show_where_nothing_ends_them() {
    let good = "[Event \"b\"]\n\n1. d4 *\n";
    for cut in [
        "[Event \"a\"]\n\n1. e4 e5 2.\n\n",
        "[Event \"a\"]\n\n1. e4 e5 ; (\n",
        "[Event \"a\"]\n[PlyCount \"80\"]\n\n1. e4 e5\n\n",
    ] {
        let found = games([cut, good].concat().as_bytes());
        assert!(matches!(found[..], [Err(LeftOut::Cut(_)), Ok(_)]), "{cut}: {found:?}");
    }
}

#[test]
fn games_are_told_apart_where_files_were_joined() {
    for text in [
        "[Event \"a\"]\n\n1. e4 1-0[Event \"b\"]\n\n1. d4 0-1\n",
        "[Event \"a\"]\n\n1. e4 1-0\u{1a}\n[Event \"b\"]\n\n1. d4 0-1\u{1a}",
        "[Event \"a\"]\n\n1. e4 1-0 )\n\n[Event \"b\"]\n\n1. d4 0-1\n",
        "[Event \"a\"]\n\n1. e4 1-0 (\n\n[Event \"b\"]\n\n1. d4 0-1\n",
        "[Event \"a\"]\n\n1. e4 [%clk 0:01] 1 - 0\n\n[Event \"b\"]\n\n1. d4 0 - 1\n",
    ] {
        let found = games(text.as_bytes());
        assert!(matches!(found[..], [Ok(_), Ok(_)]), "{text}: {found:?}");
    }
}

/// A marker between games, or before the first, ends none of them.
#[test]
fn a_marker_without_a_game_takes_none_with_it() {
    for text in
        ["*\n\n[Event \"b\"]\n\n1. d4 d5 *\n", "1-0\n*\n\n1. d4 d5 *\n", "½ (\n[Event \"b\"]\n\n1. d4 d5 *\n"]
    {
        let found = games(text.as_bytes());
        assert!(matches!(found[..], [Ok(_)]), "{text}: {found:?}");
    }
}

#[test]
fn promotions_may_stand_apart_from_their_square() {
    let tags = "[FEN \"8/P3k3/8/8/8/6K1/2p5/8 w - - 0 1\"]";
    for moves in ["1. a8 =Q c1 =Q *", "1. a8(=Q) c1[Q] *", "1. a8Q c1q *"] {
        assert!(last(&tagged(tags, moves).unwrap()).starts_with("Q7/4k3/8/8/8/6K1/8/2q5"), "{moves}");
    }
}

#[test]
fn annotations_and_variations_are_kept_for_those_who_ask() {
    let text = "{start} 1. e4! {best} (1. d4 $5 {queen's} d5 (1... Nf6 ; Indian\n) 2. c4) $10 e5 \
                2. Nf3?! $14 Nc6 $2 (2... d6) (2... f6?) {end} *";
    let mut reader = GameReader::new(text.as_bytes()).keeping_remarks();
    let game = reader.next_game().unwrap().unwrap().1.unwrap();
    let nags = |moves: usize| game.remarks.nags_behind(moves).collect::<Vec<_>>();
    assert_eq!([0, 1, 2, 3, 4].map(nags), [vec![], vec![1, 10], vec![], vec![6, 14], vec![2]]);
    let variations = |moves: usize| game.remarks.variations_behind(moves).collect::<Vec<_>>();
    assert_eq!(variations(1), ["(1. d4 $5 {queen's} d5 (1... Nf6 {Indian}) 2. c4)"]);
    assert_eq!(variations(4), ["(2... d6)", "(2... f6?)"]);
    let comments = |moves: usize| game.comments_behind(moves).collect::<Vec<_>>();
    assert_eq!([0, 1, 2, 4].map(comments), [vec!["start"], vec!["best"], vec![], vec!["end"]]);
    let plain = GameReader::new(text.as_bytes()).next_game().unwrap().unwrap().1.unwrap();
    assert_eq!((plain.remarks.nags_behind(1).count(), plain.remarks.variations_behind(1).count()), (0, 0));
}

/// chess.com tells the last position (`CurrentPosition`), and an address of a broadcast has as many slashes
/// as a position.
#[test]
fn tags_of_other_sites_may_hold_the_last_position_and_addresses() {
    let last = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
    for (name, value, is_read) in [
        ("CurrentPosition", format!("{last} w KQkq - 0 2"), true),
        ("CurrentPosition", format!("{last} w KQkq e6 0 2"), true),
        ("CurrentPosition", last.replace("4P3/8/PPPP1PPP", "8/4P3/PPPP1PPP") + " w KQkq - 0 2", false),
        ("CurrentPosition", format!("{last} b KQkq - 0 2"), false),
        ("GameURL", "https://example.org/broadcast/an-open/round-9/abcdefgh/ijklmnop".to_owned(), true),
        ("Site", "https://example.org/broadcast/an-open/round-9/abcdefgh/ijklmnop".to_owned(), true),
    ] {
        let text = format!("[Event \"x\"]\n[{name} \"{value}\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n");
        let found = games(text.as_bytes());
        assert!(found.len() == 1 && found[0].is_ok() == is_read, "{text}: {found:?}");
    }
}

/// A game without end is left out, and takes no more memory than its limits.
#[test]
fn a_game_of_too_many_parts_is_left_out() {
    let many = |part: &str, count: usize| format!("[Event \"x\"]\n\n1. e4 {} *\n", part.repeat(count));
    let tags: String = (0..=MOST_TAGS).map(|number| format!("[A{number} \"\"]\n")).collect();
    for text in [
        many("{}", MOST_PLACES + 1),
        many("1 ", MOST_NUMBERS + 1),
        many("ep ", MOST_WORD_BYTES),
        many("Nf3 ", MOST_WORDS + 1),
        format!("{tags}\n1. e4 *\n"),
    ] {
        let found = games(text.as_bytes());
        assert!(matches!(found[..], [Err(LeftOut::TooLong)]), "{}: {found:?}", &text[..60]);
    }
}
