//! Rules of chess for a board: positions with their legal moves, games read from PGN and written as it. No
//! search is here.

use plumb::chess::game::{End, Game};
use plumb::lab::base::formats::pgn::reader::GameReader;
use plumb::lab::base::formats::pgn::writer::{self, Lines};
use plumb::lab::base::formats::pgn::{result, winner};
use plumb::lab::base::formats::san;
use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Color, Move, Position as _};
use std::collections::BTreeMap;

/// A first position and the moves from there, in UCI notation.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct StartAndMoves {
    fen: Option<String>,
    moves: Vec<String>,
}

impl StartAndMoves {
    /// Moves from a FEN, without one from the start.
    pub(crate) fn new(fen: Option<String>, moves: Vec<String>) -> StartAndMoves {
        StartAndMoves { fen, moves }
    }

    /// The game up to its last move.
    ///
    /// # Errors
    /// If the FEN cannot be read, or a move is not legal.
    pub(crate) fn game(&self) -> Result<Game, String> {
        let mut game = self.start()?;
        for m in &self.moves {
            game.play_text(m).map_err(|error| error.to_string())?;
        }
        Ok(game)
    }

    fn start(&self) -> Result<Game, String> {
        match self.fen.as_deref().map(str::trim).filter(|fen| !fen.is_empty()) {
            Some(fen) => Game::parse_fen(fen).map_err(|error| error.to_string()),
            None => Ok(Game::new()),
        }
    }
}

/// A legal move.
#[derive(Clone, Debug, Serialize)]
struct Legal {
    uci: String,
    san: String,
    /// The square that it leaves.
    from: String,
    /// The square on which a person puts the piece: of castling that of the king, in Chess960 the rook's.
    to: String,
    /// The letter of the piece that a pawn becomes.
    promotion: Option<char>,
}

/// End of a game: its result and the reason.
#[derive(Clone, Copy, Debug, Serialize)]
struct Ended {
    result: &'static str,
    reason: &'static str,
}

/// A position for a board.
#[derive(Clone, Debug, Serialize)]
struct BoardState {
    /// The first position.
    start: String,
    fen: String,
    /// `w` or `b`.
    turn: char,
    check: bool,
    chess960: bool,
    /// The moves that led here, in SAN.
    line: Vec<String>,
    legal: Vec<Legal>,
    end: Option<Ended>,
}

/// The letter of a side.
fn letter(color: Color) -> char {
    color.fold_wb('w', 'b')
}

/// A move in UCI notation, in the game's own form of castling.
pub(crate) fn uci(game: &Game, m: Move) -> String {
    game.print_move(m)
}

fn legal(game: &Game, m: Move) -> Legal {
    let uci = uci(game, m);
    let square = |from: usize| uci.get(from..from + 2).unwrap_or_default().to_owned();
    let (from, to, promotion) = (square(0), square(2), uci.chars().nth(4));
    Legal { san: san::write(game.position().chess(), m), from, to, promotion, uci }
}

fn ended(game: &Game) -> Option<Ended> {
    let end = game.end()?;
    let (winner, reason) = match end {
        End::Checkmate => (Some(!game.position().turn()), "checkmate"),
        End::Stalemate => (None, "stalemate"),
        End::FiftyMoves => (None, "fifty moves without a capture or a pawn move"),
        End::Repetition => (None, "the position stands for the third time"),
        End::DeadPosition => (None, "nobody can mate any more"),
    };
    Some(Ended { result: result(winner), reason })
}

/// A position with its legal moves. `request` is JSON: `{"fen": null, "moves": ["e2e4", "e7e5"]}`; either may
/// be missing. The answer has `start`, `fen`, `turn` (`w` or `b`), `check`, `chess960`, `line` (the moves in
/// SAN), `legal` (each with `uci`, `san`, `from`, `to`, `promotion`) and `end` (null, or `result` and
/// `reason`).
///
/// # Errors
/// If the request, the FEN or a move cannot be read.
pub fn position(request: &str) -> Result<String, String> {
    let asked: StartAndMoves = serde_json::from_str(request).map_err(|error| error.to_string())?;
    let mut game = asked.start()?;
    let (start, mut line) = (game.fen(), Vec::new());
    for text in &asked.moves {
        let m = game.parse_move(text).map_err(|error| error.to_string())?;
        line.push(san::write(game.position().chess(), m));
        game.play(m);
    }
    let state = BoardState {
        start,
        fen: game.fen(),
        turn: letter(game.position().turn()),
        check: game.position().in_check(),
        chess960: game.castling() == CastlingMode::Chess960,
        line,
        legal: game.legal_moves().into_iter().map(|m| legal(&game, m)).collect(),
        end: ended(&game),
    };
    serde_json::to_string(&state).map_err(|error| error.to_string())
}

/// A game that was read.
#[derive(Clone, Debug, Serialize)]
struct ReadGame {
    tags: BTreeMap<String, String>,
    /// The first position.
    fen: String,
    /// The main line in UCI notation.
    moves: Vec<String>,
    result: &'static str,
}

/// Most games that are read at a time.
const MOST_GAMES: usize = 10_000;

/// The games of a PGN: `{"games": [{"tags": {...}, "fen": "...", "moves": ["e2e4"], "result": "1-0"}],
/// "left_out": ["game 2: ..."]}`. Variations are passed over; a game with an illegal move is left out, and
/// the reason told.
///
/// # Errors
/// If no game can be read: the first reason.
pub fn read_pgn(text: &str) -> Result<String, String> {
    let mut reader = GameReader::new(text.as_bytes());
    let (mut games, mut left_out) = (Vec::new(), Vec::new());
    while let Some((number, read)) = reader.next_game().map_err(|error| error.to_string())? {
        match read {
            Ok(game) if games.len() < MOST_GAMES => {
                let mut now = game.start.clone();
                let mut moves = Vec::with_capacity(game.moves.len());
                for &m in &game.moves {
                    moves.push(uci(&now, m));
                    now.play(m);
                }
                let tags = game.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
                let (tags, result) = (tags.collect(), game.result.map_or("*", result));
                games.push(ReadGame { tags, fen: game.start.fen(), moves, result });
            }
            Ok(_) => return Err(format!("these are more than {MOST_GAMES} games")),
            Err(reason) => left_out.push(format!("game {number}: {reason}")),
        }
    }
    if games.is_empty() {
        let reason = left_out.into_iter().next();
        return Err(reason.unwrap_or_else(|| "there is no game in this text".to_owned()));
    }
    Ok(serde_json::json!({ "games": games, "left_out": left_out }).to_string())
}

/// A game to be written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct WrittenGame {
    fen: Option<String>,
    moves: Vec<String>,
    tags: BTreeMap<String, String>,
    result: Option<String>,
}

/// The result of a game: that of the board where mate, stalemate or a dead position has ended it; else the
/// one that is told; else a draw by repetition or fifty moves, which somebody has to claim.
fn result_of(game: &Game, told: &'static str) -> &'static str {
    let claimed = matches!(game.end(), Some(End::Repetition | End::FiftyMoves));
    match ended(game) {
        Some(ended) if !claimed || told == "*" => ended.result,
        _ => told,
    }
}

/// A game as PGN. `request` is JSON: `{"fen": null, "moves": ["e2e4"], "tags": {"White": "A"}, "result":
/// "*"}`; all may be missing. A result that is told stands, unless the rules end the game otherwise.
///
/// # Errors
/// If the request, the FEN, a move or the result cannot be read.
pub fn write_pgn(request: &str) -> Result<String, String> {
    let asked: WrittenGame = serde_json::from_str(request).map_err(|error| error.to_string())?;
    let line = StartAndMoves::new(asked.fen, asked.moves);
    let start = line.start()?;
    let end = line.game()?;
    let told = match asked.result.as_deref() {
        None | Some("*") => "*",
        Some(told) => match winner(told) {
            Some(winner) => result(winner),
            None => return Err(format!("'{told}' is no result (1-0, 0-1, 1/2-1/2 or *)")),
        },
    };
    let result = result_of(&end, told);
    let text = tags(&asked.tags, &start, result);
    let mut now = start;
    let mut lines = Lines::default();
    for (index, m) in line.moves.iter().enumerate() {
        let m = now.parse_move(m).map_err(|error| error.to_string())?;
        let chess = now.position().chess();
        let white = now.position().turn().is_white();
        if white || index == 0 {
            lines.put(&format!("{}{}", chess.fullmoves(), if white { "." } else { "..." }));
        }
        lines.put(&san::write(chess, m));
        now.play(m);
    }
    lines.put(result);
    Ok(text + &lines.finish())
}

/// The seven tags that every game has, in their order, those of the position, and the others.
fn tags(given: &BTreeMap<String, String>, start: &Game, result: &str) -> String {
    const SEVEN: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
    const OWN: [&str; 4] = ["Result", "FEN", "SetUp", "Variant"];
    let mut text = String::new();
    let mut put = |name: &str, value: &str| {
        let value: String = value.chars().filter(|letter| !letter.is_control()).collect();
        text += &writer::tag(name, &value);
    };
    for name in SEVEN {
        let missing = if name == "Date" { "????.??.??" } else { "?" };
        let value = given.get(name).map_or(missing, String::as_str);
        put(name, if name == "Result" { result } else { value });
    }
    if start.castling() == CastlingMode::Chess960 {
        put("Variant", "Chess960");
    }
    if start.fen() != Game::new().fen() {
        put("SetUp", "1");
        put("FEN", &start.fen());
    }
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    for (name, value) in given {
        if is_name(name) && !SEVEN.contains(&name.as_str()) && !OWN.contains(&name.as_str()) {
            put(name, value);
        }
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn state(request: &Value) -> Value {
        serde_json::from_str(&position(&request.to_string()).unwrap()).unwrap()
    }

    #[test]
    fn a_position_has_its_legal_moves_and_the_line_that_led_to_it() {
        let start = state(&json!({}));
        assert_eq!((start["legal"].as_array().unwrap().len(), &start["turn"]), (20, &json!("w")));
        let line = state(&json!({ "moves": ["e2e4", "e7e5", "g1f3"] }));
        assert_eq!(line["line"], json!(["e4", "e5", "Nf3"]));
        assert_eq!((&line["turn"], &line["end"]), (&json!("b"), &Value::Null));
        let promotion = state(&json!({ "fen": "8/P6k/8/8/8/8/8/K7 w - - 0 1" }));
        let legal = promotion["legal"].as_array().unwrap();
        assert_eq!(legal.iter().filter(|m| m["to"] == "a8" && m["promotion"] != Value::Null).count(), 4);
    }

    #[test]
    fn castling_is_shown_where_a_person_puts_the_king() {
        let standard = state(&json!({ "fen": "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1" }));
        let castles = |state: &Value| -> Vec<String> {
            let legal = state["legal"].as_array().unwrap();
            let castling = legal.iter().filter(|m| m["san"].as_str().unwrap().starts_with("O-O"));
            castling.map(|m| m["uci"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(castles(&standard), ["e1g1", "e1c1"]);
        let shuffled = state(&json!({ "fen": "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1" }));
        assert_eq!(
            (castles(&shuffled), &shuffled["chess960"]),
            (vec!["e1g1".into(), "e1b1".into()], &json!(true))
        );
    }

    #[test]
    fn the_end_of_a_game_has_a_result_and_a_reason() {
        for (request, result, reason) in [
            (json!({ "moves": ["f2f3", "e7e5", "g2g4", "d8h4"] }), "0-1", "checkmate"),
            (json!({ "fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1" }), "1/2-1/2", "stalemate"),
            (json!({ "fen": "7k/8/6K1/8/8/8/8/8 b - - 0 1" }), "1/2-1/2", "nobody can mate any more"),
        ] {
            assert_eq!(state(&request)["end"], json!({ "result": result, "reason": reason }));
        }
    }

    #[test]
    fn a_game_that_was_written_is_read_again() {
        let request = json!({
            "fen": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
            "moves": ["g8f6", "b1c3"], "tags": { "White": "A \"B\" \\ C", "ECO": "C40", "bad name": "x" },
        });
        let text = write_pgn(&request.to_string()).unwrap();
        assert!(text.ends_with("\n\n2... Nf6 3. Nc3 *\n\n") && !text.contains("bad name"), "{text}");
        let read: Value = serde_json::from_str(&read_pgn(&text).unwrap()).unwrap();
        let game = &read["games"][0];
        assert_eq!((&game["moves"], &game["fen"]), (&request["moves"], &request["fen"]));
        assert_eq!((&game["tags"]["White"], &game["tags"]["ECO"]), (&json!("A \"B\" \\ C"), &json!("C40")));
        let mate = json!({ "moves": ["f2f3", "e7e5", "g2g4", "d8h4"], "result": "1-0" });
        assert!(write_pgn(&mate.to_string()).unwrap().ends_with("2. g4 Qh4# 0-1\n\n"));
    }

    #[test]
    fn a_told_result_stands_where_nobody_claimed_the_draw() {
        let shuffle: Vec<&str> = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(8).collect();
        for (told, wanted) in [(json!("0-1"), "0-1"), (json!("*"), "1/2-1/2"), (Value::Null, "1/2-1/2")] {
            let request = json!({ "moves": shuffle, "result": told }).to_string();
            assert!(write_pgn(&request).unwrap().ends_with(&format!("4. Ng1 Ng8 {wanted}\n\n")), "{told}");
        }
    }

    #[test]
    fn long_games_are_wrapped_and_every_line_is_short() {
        let shuffle: Vec<&str> = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(60).collect();
        let text = write_pgn(&json!({ "moves": shuffle }).to_string()).unwrap();
        assert!(text.lines().all(|line| line.len() <= writer::WIDTH) && text.lines().count() > 10, "{text}");
    }

    #[test]
    fn what_cannot_be_read_is_a_sentence() {
        for (found, wanted) in [
            (position(r#"{"fen": "x"}"#), "FEN"),
            (position(r#"{"moves": ["e2e5"]}"#), "e2e5"),
            (position(r#"{"move": []}"#), "unknown field"),
            (read_pgn(""), "no game"),
            (read_pgn("1. e4 e5 2. Ke3 *"), "Ke3"),
            (write_pgn(r#"{"result": "2-0"}"#), "no result"),
        ] {
            let error = found.unwrap_err();
            assert!(error.contains(wanted) && !error.contains('\n'), "{error}");
        }
    }
}
